package seen

import (
	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// CountingBloomShape is the three numbers that make a counting Bloom filter.
type CountingBloomShape struct {
	Counters    uint64 // from 1
	Probes      uint64 // counters per key, from 1 to 30
	CounterBits uint64 // 2, 4, 8 or 16; all counters together take at most 2^40
}

// PlanCountingBloom is the shape of a counting Bloom filter for a target: the same integers in every language. Counters have
// 4 bits; [WithCounterBits] asks for others.
func PlanCountingBloom(target Target) (CountingBloomShape, error) {
	return planCountingBloom(target, making{})
}

func planCountingBloom(target Target, m making) (CountingBloomShape, error) {
	counters, probes, width, err := sizing.Counting(target.Capacity, target.FPR, m.counterBits)
	return CountingBloomShape{Counters: counters, Probes: probes, CounterBits: width}, err
}

// CountingBloom is a Bloom filter whose bits are small counters, so that keys can be removed and counted. It takes four times the space
// of a [Bloom], 38 bits per key at 1 %; a [Cuckoo] removes in a third of that, and can be full. TestAndAdd counts a key that is
// there already once more, and TestOrAdd does not. Many goroutines may ask it, or one may write.
type CountingBloom struct {
	set[engine.Counting, *engine.Counting]
}

// NewCountingBloom is an empty filter for a target.
func NewCountingBloom(target Target, options ...Option) (*CountingBloom, error) {
	m := makingOf(options)
	shape, err := planCountingBloom(target, m)
	if err != nil {
		return nil, err
	}
	m.counterBits = 0
	return newCountingBloom(target, shape, m)
}

// NewCountingBloomShape is an empty filter of a shape.
func NewCountingBloomShape(shape CountingBloomShape, options ...Option) (*CountingBloom, error) {
	return newCountingBloom(Target{}, shape, makingOf(options))
}

func newCountingBloom(target Target, shape CountingBloomShape, m making) (*CountingBloom, error) {
	empty, err := engine.NewCounting(shape.Counters, shape.Probes, shape.CounterBits)
	if err != nil {
		return nil, err
	}
	s, err := newSet[engine.Counting](empty, target, m)
	if err != nil {
		return nil, err
	}
	return &CountingBloom{s}, nil
}

// Shape is the numbers that make the filter.
func (f *CountingBloom) Shape() CountingBloomShape {
	shape := f.made().Shape()
	return CountingBloomShape{Counters: shape[0], Probes: shape[1], CounterBits: shape[2]}
}

// Probes is the number of counters per key.
func (f *CountingBloom) Probes() int { return f.made().Probes() }

// Remove takes out one add of a key. It is false, and nothing has changed, if the key is certainly absent. Remove only what was added: a
// key that was not, and that the filter takes for present, would take its counters from other keys.
func (f *CountingBloom) Remove(key []byte) bool { return f.engine.Remove(f.hasher.Sum(key)) }

// RemoveString is Remove of a text.
func (f *CountingBloom) RemoveString(key string) bool {
	return f.engine.Remove(f.hasher.SumString(key))
}

// RemoveUint64 is Remove of an integer.
func (f *CountingBloom) RemoveUint64(key uint64) bool {
	return f.engine.Remove(f.hasher.SumUint64(key))
}

// RemoveInt64 is Remove of an integer.
func (f *CountingBloom) RemoveInt64(key int64) bool { return f.RemoveUint64(uint64(key)) }

// Count is how often a key was added, less how often it was removed: never less, by chance more. The largest number that a counter
// holds, 2^CounterBits - 1, stands for "so often or more": such a counter is stuck, and is not lowered again.
func (f *CountingBloom) Count(key []byte) uint64 { return f.engine.Count(f.hasher.Sum(key)) }

// CountString is Count of a text.
func (f *CountingBloom) CountString(key string) uint64 {
	return f.engine.Count(f.hasher.SumString(key))
}

// CountUint64 is Count of an integer.
func (f *CountingBloom) CountUint64(key uint64) uint64 {
	return f.engine.Count(f.hasher.SumUint64(key))
}

// CountInt64 is Count of an integer.
func (f *CountingBloom) CountInt64(key int64) uint64 { return f.CountUint64(uint64(key)) }

// inner is the set of a filter, nil of a nil one.
func (f *CountingBloom) inner() *set[engine.Counting, *engine.Counting] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds the counters of another filter of the same shape, hash and seed: this is then the filter of all adds to either. Merging a
// filter with itself doubles it.
func (f *CountingBloom) Merge(other *CountingBloom) error {
	if err := match("merge", &f.set, other.inner()); err != nil {
		return err
	}
	f.engine.Merge(&other.engine)
	return nil
}

// United is a new filter of all adds to either; Merge says what they must have in common.
func (f *CountingBloom) United(other *CountingBloom) (*CountingBloom, error) {
	if err := match("united", &f.set, other.inner()); err != nil {
		return nil, err
	}
	both := f.Clone()
	return both, both.Merge(other)
}

// Equal says whether two filters have the same shape, hash, seed and counters.
func (f *CountingBloom) Equal(other *CountingBloom) bool { return f.equal(other.inner()) }

// Clone is a copy.
func (f *CountingBloom) Clone() *CountingBloom { return &CountingBloom{f.copied(false)} }
