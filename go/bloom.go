package seen

import (
	"io"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// BloomShape is the two numbers that make a Bloom filter.
type BloomShape struct {
	Bits   uint64 // from 1 to 2^40, within the machine's memory
	Probes uint64 // bits per key, from 1 to 30
}

// PlanBloom is the shape of a Bloom filter for a target: the same integers in every language.
func PlanBloom(target Target) (BloomShape, error) {
	bits, probes, err := sizing.Bloom(target.Capacity, target.FPR)
	return BloomShape{Bits: bits, Probes: probes}, err
}

// Bloom is the classic Bloom filter: it sets k bits per key, anywhere among m. It takes the fewest bits of the kinds that
// keys can be added to, 9.6 per key at 1 %, and touches up to k cache lines per lookup. Many goroutines may ask it, or one
// may write.
type Bloom struct {
	set[engine.Bloom, *engine.Bloom]
}

// NewBloom is an empty filter for a target.
func NewBloom(target Target, options ...Option) (*Bloom, error) {
	s, err := newBloom(target, nil, false, options)
	if err != nil {
		return nil, err
	}
	return &Bloom{s}, nil
}

// NewBloomShape is an empty filter of a shape.
func NewBloomShape(shape BloomShape, options ...Option) (*Bloom, error) {
	s, err := newBloom(Target{}, &shape, false, options)
	if err != nil {
		return nil, err
	}
	return &Bloom{s}, nil
}

// newBloom makes the filter of both types, by a shape or by a target.
func newBloom(target Target, shape *BloomShape, shared bool, options []Option) (s set[engine.Bloom, *engine.Bloom], err error) {
	if shape == nil {
		planned, err := PlanBloom(target)
		if err != nil {
			return s, err
		}
		shape = &planned
	}
	m := makingOf(options)
	if m.probes != 0 {
		return s, fault.New(fault.InvalidArgument, "the probes of a Bloom follow from its target; NewBloomShape takes any")
	}
	empty, err := engine.NewBloom(shape.Bits, shape.Probes, shared)
	if err != nil {
		return s, err
	}
	return newSet[engine.Bloom](empty, target, m)
}

// Shape is the bits and the probes of the filter.
func (f *Bloom) Shape() BloomShape {
	e := f.made()
	return BloomShape{Bits: e.Bits(), Probes: uint64(e.Probes())}
}

// Probes is the number of bits per key.
func (f *Bloom) Probes() int { return f.made().Probes() }

// inner is the set of a filter, nil of a nil one.
func (f *Bloom) inner() *set[engine.Bloom, *engine.Bloom] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed.
func (f *Bloom) Merge(other *Bloom) error { return merge(&f.set, other.inner()) }

// Intersect keeps the keys that another filter of the same shape, hash and seed holds too. Other keys may stay, at a rate
// no higher than that of either filter.
func (f *Bloom) Intersect(other *Bloom) error { return intersect(&f.set, other.inner()) }

// United is a new filter with the keys of both; Merge says what they must have in common.
func (f *Bloom) United(other *Bloom) (*Bloom, error) {
	both, err := united(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &Bloom{both}, nil
}

// Intersected is a new filter with the keys that both hold, and those that Intersect may leave.
func (f *Bloom) Intersected(other *Bloom) (*Bloom, error) {
	both, err := intersected(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &Bloom{both}, nil
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *Bloom) Equal(other *Bloom) bool { return f.equal(other.inner()) }

// Clone is a copy.
func (f *Bloom) Clone() *Bloom { return &Bloom{f.copied(false)} }

// IntoConcurrent is the same filter for several goroutines, without a copy. This one is a zero value afterwards.
func (f *Bloom) IntoConcurrent() *ConcurrentBloom { return &ConcurrentBloom{f.taken(true)} }

// ConcurrentBloom is a [Bloom] that any number of goroutines may ask and add to at once. It sets bits atomically, and only
// those that are not set yet. Adds never wait, and none is lost. Its file is that of the plain filter.
type ConcurrentBloom struct {
	set[engine.Bloom, *engine.Bloom]
}

// NewConcurrentBloom is an empty filter for a target.
func NewConcurrentBloom(target Target, options ...Option) (*ConcurrentBloom, error) {
	s, err := newBloom(target, nil, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBloom{s}, nil
}

// NewConcurrentBloomShape is an empty filter of a shape.
func NewConcurrentBloomShape(shape BloomShape, options ...Option) (*ConcurrentBloom, error) {
	s, err := newBloom(Target{}, &shape, true, options)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBloom{s}, nil
}

// Shape is the bits and the probes of the filter.
func (f *ConcurrentBloom) Shape() BloomShape {
	e := f.made()
	return BloomShape{Bits: e.Bits(), Probes: uint64(e.Probes())}
}

// Probes is the number of bits per key.
func (f *ConcurrentBloom) Probes() int { return f.made().Probes() }

// inner is the set of a filter, nil of a nil one.
func (f *ConcurrentBloom) inner() *set[engine.Bloom, *engine.Bloom] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed. Keys that are added to the other one meanwhile
// may be missed.
func (f *ConcurrentBloom) Merge(other *ConcurrentBloom) error { return merge(&f.set, other.inner()) }

// Intersect keeps the keys that another filter holds too. Keys that are added to this one meanwhile may be lost.
func (f *ConcurrentBloom) Intersect(other *ConcurrentBloom) error {
	return intersect(&f.set, other.inner())
}

// United is a new filter with the keys of both; Merge says what they must have in common.
func (f *ConcurrentBloom) United(other *ConcurrentBloom) (*ConcurrentBloom, error) {
	both, err := united(&f.set, other.inner(), true)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBloom{both}, nil
}

// Intersected is a new filter with the keys that both hold, and those that Intersect may leave.
func (f *ConcurrentBloom) Intersected(other *ConcurrentBloom) (*ConcurrentBloom, error) {
	both, err := intersected(&f.set, other.inner(), true)
	if err != nil {
		return nil, err
	}
	return &ConcurrentBloom{both}, nil
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *ConcurrentBloom) Equal(other *ConcurrentBloom) bool { return f.equal(other.inner()) }

// Snapshot is a plain copy. It holds every key whose add happened before, and perhaps some bits of later ones.
func (f *ConcurrentBloom) Snapshot() *Bloom { return &Bloom{f.copied(false)} }

// UnmarshalBinary is that of a [Bloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBloom) UnmarshalBinary(data []byte) error {
	return f.shared(f.set.UnmarshalBinary(data))
}

// UnmarshalText is that of a [Bloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBloom) UnmarshalText(text []byte) error {
	return f.shared(f.set.UnmarshalText(text))
}

// ReadFrom is that of a [Bloom]. Nobody may be using this filter meanwhile.
func (f *ConcurrentBloom) ReadFrom(r io.Reader) (int64, error) {
	read, err := f.set.ReadFrom(r)
	return read, f.shared(err)
}

// IntoPlain is the same filter for one writer, without a copy. This one is a zero value afterwards.
func (f *ConcurrentBloom) IntoPlain() *Bloom { return &Bloom{f.taken(false)} }
