package seen

import (
	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// SplitBlockShape is the number that makes a split-block filter.
type SplitBlockShape struct {
	Blocks uint64 // of 256 bits, from 1 to 2^31
}

// PlanSplitBlock is the shape of a split-block filter for a target: the same integer in every language.
func PlanSplitBlock(target Target) (SplitBlockShape, error) {
	blocks, err := sizing.SplitBlock(target.Capacity, target.FPR)
	return SplitBlockShape{Blocks: blocks}, err
}

// SplitBlock is the filter of Apache Parquet: eight bits per key, one in each 32-bit lane of a 256-bit block. With
// XXH64 ([WithHash]) and seed 0 its bits are those of a Parquet file. Many goroutines may ask it, or one may write.
type SplitBlock struct {
	set[engine.SplitBlock, *engine.SplitBlock]
}

// NewSplitBlock is an empty filter for a target.
func NewSplitBlock(target Target, options ...Option) (*SplitBlock, error) {
	shape, err := PlanSplitBlock(target)
	if err != nil {
		return nil, err
	}
	return newSplitBlock(target, shape, options)
}

// NewSplitBlockShape is an empty filter of a shape.
func NewSplitBlockShape(shape SplitBlockShape, options ...Option) (*SplitBlock, error) {
	return newSplitBlock(Target{}, shape, options)
}

func newSplitBlock(target Target, shape SplitBlockShape, options []Option) (*SplitBlock, error) {
	m := makingOf(options)
	if m.probes != 0 {
		return nil, fault.New(fault.InvalidArgument, "a SplitBlock always has eight probes")
	}
	empty, err := engine.NewSplitBlock(shape.Blocks, false)
	if err != nil {
		return nil, err
	}
	s, err := newSet[engine.SplitBlock](empty, target, m)
	if err != nil {
		return nil, err
	}
	return &SplitBlock{s}, nil
}

// Shape is the blocks of the filter.
func (f *SplitBlock) Shape() SplitBlockShape { return SplitBlockShape{Blocks: f.made().Blocks()} }

// inner is the set of a filter, nil of a nil one.
func (f *SplitBlock) inner() *set[engine.SplitBlock, *engine.SplitBlock] {
	if f == nil {
		return nil
	}
	return &f.set
}

// Merge adds all keys of another filter of the same shape, hash and seed.
func (f *SplitBlock) Merge(other *SplitBlock) error { return merge(&f.set, other.inner()) }

// Intersect keeps the keys that another filter of the same shape, hash and seed holds too. Other keys may stay, at a rate
// no higher than that of either filter.
func (f *SplitBlock) Intersect(other *SplitBlock) error { return intersect(&f.set, other.inner()) }

// United is a new filter with the keys of both; Merge says what they must have in common.
func (f *SplitBlock) United(other *SplitBlock) (*SplitBlock, error) {
	both, err := united(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &SplitBlock{both}, nil
}

// Intersected is a new filter with the keys that both hold, and those that Intersect may leave.
func (f *SplitBlock) Intersected(other *SplitBlock) (*SplitBlock, error) {
	both, err := intersected(&f.set, other.inner(), false)
	if err != nil {
		return nil, err
	}
	return &SplitBlock{both}, nil
}

// Equal says whether two filters have the same shape, hash, seed and bits.
func (f *SplitBlock) Equal(other *SplitBlock) bool { return f.equal(other.inner()) }

// Clone is a copy.
func (f *SplitBlock) Clone() *SplitBlock { return &SplitBlock{f.copied(false)} }
