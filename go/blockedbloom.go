package seen

import (
	"io"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// BlockedBloomShape is the two numbers that make a blocked Bloom filter.
type BlockedBloomShape struct {
	Blocks uint64 // of 512 bits, from 1 to 2^31
	Probes uint64 // bits per key: 4, 8 or 16
}

// PlanBlockedBloom is the shape of a blocked Bloom filter for a target: the same integers in every language. It has 4, 8 or
// 16 probes, whichever takes the fewest bits.
func PlanBlockedBloom(target Target) (BlockedBloomShape, error) { return planBlockedBloom(target, 0) }

func planBlockedBloom(target Target, probes uint64) (BlockedBloomShape, error) {
	blocks, probes, err := sizing.BlockedBloom(target.Capacity, target.FPR, probes)
	return BlockedBloomShape{Blocks: blocks, Probes: probes}, err
}

// BlockedBloom is a Bloom filter that keeps all bits of a key in one cache line. It takes 10.1 bits per key at 1 %. A lookup
// waits for memory once, so it is faster than a [Bloom] in filters larger than the processor's cache. In smaller ones a
// Bloom is about as fast and adds faster, and below a rate of 10^-5 a Bloom is the better bargain. Many goroutines may ask
// it, or one may write.
type BlockedBloom struct {
	set[engine.BlockedBloom, *engine.BlockedBloom]
}

// NewBlockedBloom is an empty filter for a target.
func NewBlockedBloom(target Target, options ...Option) (*BlockedBloom, error) {
	s, err := newBlockedBloom(target, nil, false, options)
	if err != nil {
		return nil, err
	}
	return &BlockedBloom{s}, nil
}

// NewBlockedBloomShape is an empty filter of a shape.
func NewBlockedBloomShape(shape BlockedBloomShape, options ...Option) (*BlockedBloom, error) {
	s, err := newBlockedBloom(Target{}, &shape, false, options)
	if err != nil {
		return nil, err
	}
	return &BlockedBloom{s}, nil
}

func newBlockedBloom(target Target, shape *BlockedBloomShape, shared bool, options []Option) (s set[engine.BlockedBloom, *engine.BlockedBloom], err error) {
	m := makingOf(options)
	if shape == nil {
		planned, err := planBlockedBloom(target, m.probes)
		if err != nil {
			return s, err
		}
		shape, m.probes = &planned, 0
	}
	empty, err := engine.NewBlockedBloom(shape.Blocks, shape.Probes, shared)
	if err != nil {
		return s, err
	}
	return newSet[engine.BlockedBloom](empty, target, m)
}

// Shape is the blocks and the probes of the filter.
func (f *BlockedBloom) Shape() BlockedBloomShape {
	e := f.made()
	return BlockedBloomShape{Blocks: e.Blocks(), Probes: uint64(e.Probes())}
}

// Probes is the number of bits per key.
func (f *BlockedBloom) Probes() int { return f.made().Probes() }

// inner is the set of a filter, nil of a nil one.
func (f *BlockedBloom) inner() *set[engine.BlockedBloom, *engine.BlockedBloom] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed.
func (f *BlockedBloom) Merge(other *BlockedBloom) error { return merge(&f.set, other.inner()) }

// Intersect keeps the keys that another filter of the same shape, hash and seed holds too. Other keys may stay, at a rate
// no higher than that of either filter.
func (f *BlockedBloom) Intersect(other *BlockedBloom) error { return intersect(&f.set, other.inner()) }

// United is a new filter with the keys of both; Merge says what they must have in common.
func (f *BlockedBloom) United(other *BlockedBloom) (*BlockedBloom, error) {
	both, err := united(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &BlockedBloom{both}, nil
}

// Intersected is a new filter with the keys that both hold, and those that Intersect may leave.
func (f *BlockedBloom) Intersected(other *BlockedBloom) (*BlockedBloom, error) {
	both, err := intersected(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &BlockedBloom{both}, nil
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *BlockedBloom) Equal(other *BlockedBloom) bool { return f.equal(other.inner()) }

// Clone is a copy.
func (f *BlockedBloom) Clone() *BlockedBloom { return &BlockedBloom{f.copied(false)} }

// IntoConcurrent is the same filter for several goroutines, without a copy. This one is a zero value afterwards.
func (f *BlockedBloom) IntoConcurrent() *ConcurrentBlockedBloom {
	return &ConcurrentBlockedBloom{f.taken(true)}
}

// ConcurrentBlockedBloom is a [BlockedBloom] that any number of goroutines may ask and add to at once. Adds never wait, and
// none is lost. Its file is that of the plain filter.
type ConcurrentBlockedBloom struct {
	set[engine.BlockedBloom, *engine.BlockedBloom]
}

// NewConcurrentBlockedBloom is an empty filter for a target.
func NewConcurrentBlockedBloom(target Target, options ...Option) (*ConcurrentBlockedBloom, error) {
	s, err := newBlockedBloom(target, nil, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlockedBloom{s}, nil
}

// NewConcurrentBlockedBloomShape is an empty filter of a shape.
func NewConcurrentBlockedBloomShape(shape BlockedBloomShape, options ...Option) (*ConcurrentBlockedBloom, error) {
	s, err := newBlockedBloom(Target{}, &shape, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlockedBloom{s}, nil
}

// Shape is the blocks and the probes of the filter.
func (f *ConcurrentBlockedBloom) Shape() BlockedBloomShape {
	e := f.made()
	return BlockedBloomShape{Blocks: e.Blocks(), Probes: uint64(e.Probes())}
}

// Probes is the number of bits per key.
func (f *ConcurrentBlockedBloom) Probes() int { return f.made().Probes() }

// inner is the set of a filter, nil of a nil one.
func (f *ConcurrentBlockedBloom) inner() *set[engine.BlockedBloom, *engine.BlockedBloom] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed. Keys that are added to the other one meanwhile
// may be missed.
func (f *ConcurrentBlockedBloom) Merge(other *ConcurrentBlockedBloom) error {
	return merge(&f.set, other.inner())
}

// Intersect keeps the keys that another filter holds too. Keys that are added to this one meanwhile may be lost.
func (f *ConcurrentBlockedBloom) Intersect(other *ConcurrentBlockedBloom) error {
	return intersect(&f.set, other.inner())
}

// United is a new filter with the keys of both; Merge says what they must have in common.
func (f *ConcurrentBlockedBloom) United(other *ConcurrentBlockedBloom) (*ConcurrentBlockedBloom, error) {
	both, err := united(&f.set, other.inner(), true)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlockedBloom{both}, nil
}

// Intersected is a new filter with the keys that both hold, and those that Intersect may leave.
func (f *ConcurrentBlockedBloom) Intersected(other *ConcurrentBlockedBloom) (*ConcurrentBlockedBloom, error) {
	both, err := intersected(&f.set, other.inner(), true)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlockedBloom{both}, nil
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *ConcurrentBlockedBloom) Equal(other *ConcurrentBlockedBloom) bool {
	return f.equal(other.inner())
}

// Snapshot is a plain copy. It holds every key whose add happened before, and perhaps some bits of later ones.
func (f *ConcurrentBlockedBloom) Snapshot() *BlockedBloom { return &BlockedBloom{f.copied(false)} }

// UnmarshalBinary is that of a [BlockedBloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBlockedBloom) UnmarshalBinary(data []byte) error {
	return f.shared(f.set.UnmarshalBinary(data))
}

// UnmarshalText is that of a [BlockedBloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBlockedBloom) UnmarshalText(text []byte) error {
	return f.shared(f.set.UnmarshalText(text))
}

// ReadFrom is that of a [BlockedBloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBlockedBloom) ReadFrom(r io.Reader) (int64, error) {
	read, err := f.set.ReadFrom(r)
	return read, f.shared(err)
}

// IntoPlain is the same filter for one writer, without a copy. This one is a zero value afterwards.
func (f *ConcurrentBlockedBloom) IntoPlain() *BlockedBloom { return &BlockedBloom{f.taken(false)} }
