package seen

import (
	"seen/internal/engine"
	"seen/internal/hash"
	"seen/internal/sizing"
)

// BlockedShape is the two numbers that make a blocked Bloom filter.
type BlockedShape struct {
	Blocks uint64 // of 512 bits, from 1 to 2^31
	Probes uint64 // bits of a key: 4, 8 or 16
}

// PlanBlocked is the shape of a blocked Bloom filter for a target, the same integers in every language. Of 4, 8 and 16 probes
// it has those that take the fewest bits.
func PlanBlocked(target Target) (BlockedShape, error) { return planBlocked(target, 0) }

func planBlocked(target Target, probes uint64) (BlockedShape, error) {
	blocks, probes, err := sizing.Blocked(target.Capacity, target.FPR, probes)
	return BlockedShape{Blocks: blocks, Probes: probes}, err
}

// Blocked is a Bloom filter whose bits of a key lie in one cache line, with 10.1 bits a key at 1 %. A lookup waits for memory
// once, which makes it faster than a [Bloom] in filters larger than the processor's cache; in smaller ones a Bloom is about
// as fast and adds faster. Below a rate of 10^-5 a Bloom is the better bargain. Many goroutines may ask it, or one may write.
type Blocked struct {
	set[engine.Blocked, *engine.Blocked]
}

// NewBlocked is an empty filter for a target.
func NewBlocked(target Target, options ...Option) (*Blocked, error) {
	s, err := newBlocked(target, nil, false, options)
	if err != nil {
		return nil, err
	}
	return &Blocked{s}, nil
}

// NewBlockedShape is an empty filter of a shape.
func NewBlockedShape(shape BlockedShape, options ...Option) (*Blocked, error) {
	s, err := newBlocked(Target{}, &shape, false, options)
	if err != nil {
		return nil, err
	}
	return &Blocked{s}, nil
}

func newBlocked(target Target, shape *BlockedShape, shared bool, options []Option) (s set[engine.Blocked, *engine.Blocked], err error) {
	m := makingOf(options)
	if shape == nil {
		planned, err := planBlocked(target, m.probes)
		if err != nil {
			return s, err
		}
		shape = &planned
	}
	empty, err := engine.NewBlocked(shape.Blocks, shape.Probes, shared)
	if err != nil {
		return s, err
	}
	return newSet[engine.Blocked](empty, target, hash.XXH3ID, m)
}

// Blocks is the number of blocks.
func (f *Blocked) Blocks() uint64 { return f.made().Blocks() }

// Probes is the number of bits of a key.
func (f *Blocked) Probes() int { return f.made().Probes() }

// part is nil of no filter.
func (f *Blocked) part() *set[engine.Blocked, *engine.Blocked] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed.
func (f *Blocked) Merge(other *Blocked) error { return f.merge(other.part()) }

// Intersect keeps the keys that another filter of the same shape, hash and seed has too. Some others may stay, at a rate
// that is at most that of either filter.
func (f *Blocked) Intersect(other *Blocked) error { return f.intersect(other.part()) }

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *Blocked) Equal(other *Blocked) bool { return f.equal(other.part()) }

// Clone is a copy.
func (f *Blocked) Clone() *Blocked { return &Blocked{f.copied(false)} }

// UnmarshalBinary makes this the filter of a native file's bytes, which must be of its kind. A keyed one is opened with the
// secret that the bytes hold or, where they hold none, with that of this filter. After an error it is as it was.
func (f *Blocked) UnmarshalBinary(data []byte) error { return f.unmarshal(data, false) }

// IntoConcurrent is the same filter for several goroutines, without a copy: this one is a zero value
// afterwards.
func (f *Blocked) IntoConcurrent() *ConcurrentBlocked { return &ConcurrentBlocked{f.taken(true)} }

// ConcurrentBlocked is a [Blocked] that any number of goroutines may ask and add to at once; its file is that of the plain
// filter. Adds never wait and none is lost.
type ConcurrentBlocked struct {
	set[engine.Blocked, *engine.Blocked]
}

// NewConcurrentBlocked is an empty filter for a target.
func NewConcurrentBlocked(target Target, options ...Option) (*ConcurrentBlocked, error) {
	s, err := newBlocked(target, nil, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlocked{s}, nil
}

// NewConcurrentBlockedShape is an empty filter of a shape.
func NewConcurrentBlockedShape(shape BlockedShape, options ...Option) (*ConcurrentBlocked, error) {
	s, err := newBlocked(Target{}, &shape, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBlocked{s}, nil
}

// Blocks is the number of blocks.
func (f *ConcurrentBlocked) Blocks() uint64 { return f.made().Blocks() }

// Probes is the number of bits of a key.
func (f *ConcurrentBlocked) Probes() int { return f.made().Probes() }

// part is nil of no filter.
func (f *ConcurrentBlocked) part() *set[engine.Blocked, *engine.Blocked] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed. What others add to that one meanwhile may be
// missed.
func (f *ConcurrentBlocked) Merge(other *ConcurrentBlocked) error { return f.merge(other.part()) }

// Intersect keeps the keys that another filter has too. Keys that are added to this one meanwhile may be lost.
func (f *ConcurrentBlocked) Intersect(other *ConcurrentBlocked) error {
	return f.intersect(other.part())
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *ConcurrentBlocked) Equal(other *ConcurrentBlocked) bool { return f.equal(other.part()) }

// Snapshot is a plain copy. It holds every key whose add happened before, and maybe parts of later ones.
func (f *ConcurrentBlocked) Snapshot() *Blocked { return &Blocked{f.copied(false)} }

// UnmarshalBinary makes this the filter of a native file's bytes, which must be of its kind. A keyed one is opened with the
// secret that the bytes hold or, where they hold none, with that of this filter. After an error it is as it was.
func (f *ConcurrentBlocked) UnmarshalBinary(data []byte) error { return f.unmarshal(data, true) }

// IntoPlain is the same filter for one writer, without a copy: this one is a zero value afterwards.
func (f *ConcurrentBlocked) IntoPlain() *Blocked { return &Blocked{f.taken(false)} }
