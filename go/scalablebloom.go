package seen

import (
	"fmt"
	"iter"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
)

// ScalableShape is what makes a filter that grows: capacity and rate of a link are those of the one before, times a number each.
type ScalableShape struct {
	FirstCapacity uint64  // keys of the first link, from 1
	FPR           float64 // of the whole chain, however long
	Growth        float64 // from 1 + 2^-32 to 65536
	Tightening    float64 // strictly between 0 and 1
}

// scalableShape is the shape for a target, with what m wishes for.
func scalableShape(target Target, m making) ScalableShape {
	shape := ScalableShape{FirstCapacity: target.Capacity, FPR: target.FPR, Growth: m.growth, Tightening: m.tightening}
	if shape.Growth == 0 {
		shape.Growth = 2
	}
	if shape.Tightening == 0 {
		shape.Tightening = 0.5
	}
	return shape
}

func (s ScalableShape) growth() engine.Growth {
	return engine.Growth{Capacity: s.FirstCapacity, FPR: s.FPR, Growth: s.Growth, Tightening: s.Tightening}
}

func shapeOf(g engine.Growth) ScalableShape {
	return ScalableShape{FirstCapacity: g.Capacity, FPR: g.FPR, Growth: g.Growth, Tightening: g.Tightening}
}

// ScalableBloom grows with its keys and keeps its rate: a chain of [BlockedBloom] filters, each larger and stricter than the one before.
// It is for those who do not know how many keys will come; a [Bloom] of the right size takes half the space and one lookup. A key that may
// be present is not added again, so duplicates take no room. The rate of the target is that of the whole chain, however long. Many
// goroutines may ask it, or one may write.
type ScalableBloom struct {
	kept[engine.BlockedBloomChain, *engine.BlockedBloomChain]
}

// NewScalableBloom is an empty filter whose first link has room for the target's keys. [WithGrowth] says how others follow.
func NewScalableBloom(target Target, options ...Option) (*ScalableBloom, error) {
	m := makingOf(options)
	shape := scalableShape(target, m)
	m.growth, m.tightening = 0, 0
	return newScalableBloom(target, shape, m)
}

// NewScalableBloomShape is an empty filter of a shape.
func NewScalableBloomShape(shape ScalableShape, options ...Option) (*ScalableBloom, error) {
	return newScalableBloom(Target{}, shape, makingOf(options))
}

func newScalableBloom(target Target, shape ScalableShape, m making) (*ScalableBloom, error) {
	empty, err := engine.NewChain[engine.BlockedBloom](shape.growth())
	if err != nil {
		return nil, err
	}
	k, err := newKept[engine.BlockedBloomChain](empty, target, m)
	if err != nil {
		return nil, err
	}
	return &ScalableBloom{k}, nil
}

// Shape is what makes the filter.
func (f *ScalableBloom) Shape() ScalableShape { return shapeOf(f.made().Growth()) }

// Links is how many links the chain has.
func (f *ScalableBloom) Links() int { return f.made().Links() }

func (f *ScalableBloom) add(digest uint64) error { return f.engine.Add(digest) }

// Add adds a key. An error means that there can be no next link: [ErrNoMemory], or [ErrTooLarge] at 255 links, at
// 2^40 bits in one, or where its rate is beyond reach. Nothing has changed then.
func (f *ScalableBloom) Add(key []byte) error { return f.add(f.hasher.Sum(key)) }

// AddString adds a text.
func (f *ScalableBloom) AddString(key string) error { return f.add(f.hasher.SumString(key)) }

// AddUint64 adds an integer.
func (f *ScalableBloom) AddUint64(key uint64) error { return f.add(f.hasher.SumUint64(key)) }

// AddInt64 adds an integer.
func (f *ScalableBloom) AddInt64(key int64) error { return f.AddUint64(uint64(key)) }

// AddMany adds many keys, from the first on, up to one that fails; it says how many it added.
func (f *ScalableBloom) AddMany(keys [][]byte) (int, error) {
	return addAll(slices.Values(keys), f.Add)
}

// AddStrings adds many texts, as AddMany does.
func (f *ScalableBloom) AddStrings(keys []string) (int, error) {
	return addAll(slices.Values(keys), f.AddString)
}

// AddUint64s adds many integers, as AddMany does.
func (f *ScalableBloom) AddUint64s(keys []uint64) (int, error) {
	return addAll(slices.Values(keys), f.AddUint64)
}

// AddSeq adds the keys of a sequence, up to one that fails; it says how many it added.
func (f *ScalableBloom) AddSeq(keys iter.Seq[[]byte]) (int, error) { return addAll(keys, f.Add) }

// AddStringSeq adds the texts of a sequence, as AddSeq does.
func (f *ScalableBloom) AddStringSeq(keys iter.Seq[string]) (int, error) {
	return addAll(keys, f.AddString)
}

// AddUint64Seq adds the integers of a sequence, as AddSeq does.
func (f *ScalableBloom) AddUint64Seq(keys iter.Seq[uint64]) (int, error) {
	return addAll(keys, f.AddUint64)
}

// TestAndAdd adds a key and says whether it may have been present before.
func (f *ScalableBloom) TestAndAdd(key []byte) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.Sum(key))
}

// TestAndAddString is TestAndAdd of a text.
func (f *ScalableBloom) TestAndAddString(key string) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.SumString(key))
}

// TestAndAddUint64 is TestAndAdd of an integer.
func (f *ScalableBloom) TestAndAddUint64(key uint64) (bool, error) {
	return f.engine.TestAndAdd(f.hasher.SumUint64(key))
}

// TestAndAddInt64 is TestAndAdd of an integer.
func (f *ScalableBloom) TestAndAddInt64(key int64) (bool, error) {
	return f.TestAndAddUint64(uint64(key))
}

// Clear takes all keys out: one empty link is left, the first.
func (f *ScalableBloom) Clear() { f.made().Clear() }

// Merge takes over copies of the other filter's links that have keys, whatever their shape; hash and seed must be the same. The rate is
// then the sum of both, and keys of both are counted twice. There are at most 255 links.
func (f *ScalableBloom) Merge(other *ScalableBloom) error {
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
func (f *ScalableBloom) United(other *ScalableBloom) (*ScalableBloom, error) {
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
func (f *ScalableBloom) Equal(other *ScalableBloom) bool {
	return other != nil && f.equal(&other.kept)
}

// Clone is a copy.
func (f *ScalableBloom) Clone() *ScalableBloom { return &ScalableBloom{f.copied(false)} }
