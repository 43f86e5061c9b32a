package seen

// The methods that add stand here as they do in scalablebloom.go: in a type that both embed, those of kept would lie too deep for the
// documentation to list them (documented.go).

import (
	"fmt"
	"iter"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
)

// ScalableClassicBloom is a [ScalableBloom] whose links are those of a [Bloom]: a fifth smaller, and reaching lower rates, but a cache miss
// per probe.
type ScalableClassicBloom struct {
	kept[engine.BloomChain, *engine.BloomChain]
}

// NewScalableClassicBloom is an empty filter whose first link has room for the target's keys. [WithGrowth] says how others follow.
func NewScalableClassicBloom(target Target, options ...Option) (*ScalableClassicBloom, error) {
	m := makingOf(options)
	shape := scalableShape(target, m)
	m.growth, m.tightening = 0, 0
	return newScalableClassicBloom(target, shape, m)
}

// NewScalableClassicBloomShape is an empty filter of a shape.
func NewScalableClassicBloomShape(shape ScalableShape, options ...Option) (*ScalableClassicBloom, error) {
	return newScalableClassicBloom(Target{}, shape, makingOf(options))
}

func newScalableClassicBloom(target Target, shape ScalableShape, m making) (*ScalableClassicBloom, error) {
	empty, err := engine.NewChain[engine.Bloom](shape.growth())
	if err != nil {
		return nil, err
	}
	k, err := newKept[engine.BloomChain](empty, target, m)
	if err != nil {
		return nil, err
	}
	return &ScalableClassicBloom{k}, nil
}

// Shape is what makes the filter.
func (f *ScalableClassicBloom) Shape() ScalableShape { return shapeOf(f.made().Growth()) }

// Links is how many links the chain has.
func (f *ScalableClassicBloom) Links() int { return f.made().Links() }

func (f *ScalableClassicBloom) add(digest uint64) error { return f.engine.Add(digest) }

// Add adds a key. An error means that there can be no next link: [ErrNoMemory], or [ErrTooLarge] at 255 links, at
// 2^40 bits in one, or where its rate is beyond reach. Nothing has changed then.
func (f *ScalableClassicBloom) Add(key []byte) error { return f.add(f.hasher.Sum(key)) }

// AddString adds a text.
func (f *ScalableClassicBloom) AddString(key string) error { return f.add(f.hasher.SumString(key)) }

// AddUint64 adds an integer.
func (f *ScalableClassicBloom) AddUint64(key uint64) error { return f.add(f.hasher.SumUint64(key)) }

// AddInt64 adds an integer.
func (f *ScalableClassicBloom) AddInt64(key int64) error { return f.AddUint64(uint64(key)) }

// AddMany adds many keys, from the first on, up to one that fails; it says how many it added.
func (f *ScalableClassicBloom) AddMany(keys [][]byte) (int, error) {
	return addAll(slices.Values(keys), f.Add)
}

// AddStrings adds many texts, as AddMany does.
func (f *ScalableClassicBloom) AddStrings(keys []string) (int, error) {
	return addAll(slices.Values(keys), f.AddString)
}

// AddUint64s adds many integers, as AddMany does.
func (f *ScalableClassicBloom) AddUint64s(keys []uint64) (int, error) {
	return addAll(slices.Values(keys), f.AddUint64)
}

// AddSeq adds the keys of a sequence, up to one that fails; it says how many it added.
func (f *ScalableClassicBloom) AddSeq(keys iter.Seq[[]byte]) (int, error) { return addAll(keys, f.Add) }

// AddStringSeq adds the texts of a sequence, as AddSeq does.
func (f *ScalableClassicBloom) AddStringSeq(keys iter.Seq[string]) (int, error) {
	return addAll(keys, f.AddString)
}

// AddUint64Seq adds the integers of a sequence, as AddSeq does.
func (f *ScalableClassicBloom) AddUint64Seq(keys iter.Seq[uint64]) (int, error) {
	return addAll(keys, f.AddUint64)
}

// TestAndAdd adds a key and says whether it may have been present before.
func (f *ScalableClassicBloom) TestAndAdd(key []byte) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.Sum(key))
}

// TestAndAddString is TestAndAdd of a text.
func (f *ScalableClassicBloom) TestAndAddString(key string) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.SumString(key))
}

// TestAndAddUint64 is TestAndAdd of an integer.
func (f *ScalableClassicBloom) TestAndAddUint64(key uint64) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.SumUint64(key))
}

// TestAndAddInt64 is TestAndAdd of an integer.
func (f *ScalableClassicBloom) TestAndAddInt64(key int64) (bool, error) {
	return f.TestAndAddUint64(uint64(key))
}

// Clear takes all keys out: one empty link is left, the first.
func (f *ScalableClassicBloom) Clear() { f.made().Clear() }

// Merge takes over copies of the other filter's links that have keys, whatever their shape; hash and seed must be the same. The rate is
// then the sum of both, and keys of both are counted twice. There are at most 255 links.
func (f *ScalableClassicBloom) Merge(other *ScalableClassicBloom) error {
	if other == nil {
		return f.matchHash("merge", nil)
	}
	if err := f.matchHash("merge", &other.kept); err != nil {
		return err
	}
	if f == other {
		return nil
	}
	if err := f.engine.Merge(&other.engine); err != nil {
		return fmt.Errorf("%w: %w", err, ErrIncompatible)
	}
	return nil
}

// United is a new filter with the links of both, as Merge makes it.
func (f *ScalableClassicBloom) United(other *ScalableClassicBloom) (*ScalableClassicBloom, error) {
	if other == nil {
		return nil, f.matchHash("united", nil)
	}
	if err := f.matchHash("united", &other.kept); err != nil {
		return nil, err
	}
	both := f.Clone()
	return both, both.Merge(other)
}

// Equal says whether two filters have the same shape, hash, seed and links.
func (f *ScalableClassicBloom) Equal(other *ScalableClassicBloom) bool {
	return other != nil && f.equal(&other.kept)
}

// Clone is a copy.
func (f *ScalableClassicBloom) Clone() *ScalableClassicBloom {
	return &ScalableClassicBloom{f.copied(false)}
}
