package engine

// Filters that grow with their keys, index rules 7 and 12: a chain of filters, each larger and stricter than the one before. A key may be
// present if it may be in one of them. [Almeida, Baquero, Preguiça & Hutchison 2007, "Scalable Bloom Filters"]
//
//	link      0        1            2                 rate of the chain ≤ the sum of the links' rates < fpr
//	keys   [ n₀ ] [   n₀·r   ] [      n₀·r²      ]
//	asked     ◄──── then ◄────────── first ──────┘

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// maxGrowth and minGrowth bound the factor from a link to the next.
const (
	minGrowth = 1 + 1.0/(1<<32)
	maxGrowth = 65536
	maxLinks  = 255 // a file has room for 256 segments, and the chain's own shape takes one
)

// linkable is the engine of a link.
type linkable[T any] interface {
	*T
	Writable
	// Plan makes this an empty filter for a target.
	Plan(capacity uint64, fpr float64) error
	// Adopt makes this the filter of a segment.
	Adopt(shape, segment []uint64) error
	Same(other *T) bool
	// chainKind is the number of the kind of a chain of such links.
	chainKind() uint16
}

// Growth is what a chain is made for: the keys of its first link, the rate of the whole, and how a link follows from the one before.
type Growth struct {
	Capacity                uint64
	FPR, Growth, Tightening float64
}

// fields are the numbers as they stand in files.
func (g Growth) fields() []uint64 {
	return []uint64{g.Capacity, math.Float64bits(g.FPR), math.Float64bits(g.Growth), math.Float64bits(g.Tightening)}
}

func (g Growth) check() error {
	switch {
	case g.Capacity == 0:
		return errors.New("first-capacity is 0; it must be from 1 up")
	case !(g.FPR > 0 && g.FPR < 1):
		return fmt.Errorf("fpr is %v; it must be strictly between 0 and 1", g.FPR)
	case !(g.Growth >= minGrowth && g.Growth <= maxGrowth):
		return fmt.Errorf("growth is %v; it must be from 1 + 2^-32 to 65536", g.Growth)
	case !(g.Tightening > 0 && g.Tightening < 1):
		return fmt.Errorf("tightening is %v; it must be strictly between 0 and 1", g.Tightening)
	}
	return nil
}

// link is one filter of a chain.
type link[T any, E linkable[T]] struct {
	capacity uint64
	fpr      float64
	keys     uint64 // counted in it
	filter   T
}

// Chain is such a filter. A key that some link may hold already is not added again.
type Chain[T any, E linkable[T]] struct {
	growth Growth
	links  []link[T, E] // oldest first
}

// NewChain is a chain of one empty link.
func NewChain[T any, E linkable[T]](growth Growth) (c Chain[T, E], err error) {
	if err := growth.check(); err != nil {
		return c, fault.As(fault.InvalidArgument, err)
	}
	c.growth = growth
	first, err := newLink[T, E](growth.Capacity, growth.FPR*(1-growth.Tightening))
	c.links = append(c.links, first)
	return c, err
}

func newLink[T any, E linkable[T]](capacity uint64, fpr float64) (l link[T, E], err error) {
	l.capacity, l.fpr = capacity, fpr
	return l, E(&l.filter).Plan(capacity, fpr)
}

// openChain opens a chain whose first link can be planned.
func openChain[T any, E linkable[T]](plan func(capacity uint64, fpr float64) error) func([]segment) (Reader, error) {
	return func(parts []segment) (Reader, error) {
		c, err := chainOf[T, E](parts, plan)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

func chainOf[T any, E linkable[T]](parts []segment, plan func(capacity uint64, fpr float64) error) (*Chain[T, E], error) {
	if len(parts) < 2 {
		return nil, errors.New("a chain without links")
	}
	head := parts[0]
	if err := count(head.shape, 4); err != nil {
		return nil, err
	}
	if err := checkLength(head.words, 0); err != nil {
		return nil, err
	}
	real := func(i int) float64 { return math.Float64frombits(head.shape[i]) }
	c := &Chain[T, E]{growth: Growth{head.shape[0], real(1), real(2), real(3)}}
	if err := c.growth.check(); err != nil {
		return nil, err
	}
	if err := plan(c.growth.Capacity, c.growth.FPR*(1-c.growth.Tightening)); err != nil {
		return nil, err
	}
	c.links = make([]link[T, E], len(parts)-1)
	for i, part := range parts[1:] {
		if err := c.links[i].open(part); err != nil {
			return nil, fmt.Errorf("link %d: %w", i, err)
		}
	}
	return c, nil
}

func (l *link[T, E]) open(part segment) error {
	const own = 3
	if len(part.shape) < own {
		return fmt.Errorf("a shape of %d numbers is too short", len(part.shape))
	}
	l.capacity, l.fpr, l.keys = part.shape[0], math.Float64frombits(part.shape[1]), part.shape[2]
	if l.capacity == 0 || l.keys > l.capacity {
		return fmt.Errorf("%d keys in a link for %d", l.keys, l.capacity)
	}
	if !(l.fpr > 0 && l.fpr < 1) || l.fpr < float64(l.capacity)/(1<<32)/(1<<32) {
		return fmt.Errorf("fpr is %v in a link for %d keys", l.fpr, l.capacity)
	}
	return E(&l.filter).Adopt(part.shape[own:], part.words)
}

// MayContain says whether a link may hold a digest.
func (c *Chain[T, E]) MayContain(digest uint64) bool {
	for i := len(c.links) - 1; i >= 0; i-- { // the newest link is the largest
		if E(&c.links[i].filter).MayContain(digest) {
			return true
		}
	}
	return false
}

// Add adds a digest that no link may hold. After an error nothing has changed.
func (c *Chain[T, E]) Add(digest uint64) error {
	_, err := c.TestAndAdd(digest)
	return err
}

// TestAndAdd adds a digest that no link may hold, and says whether one might. After an error nothing has changed.
func (c *Chain[T, E]) TestAndAdd(digest uint64) (bool, error) {
	if c.MayContain(digest) {
		return true, nil
	}
	l, err := c.withRoom()
	if err != nil {
		return false, err
	}
	l.keys++
	E(&l.filter).Add(digest)
	return false, nil
}

// withRoom is the newest link that has room, which is made if there is none: with r times the largest capacity so far, and s times the
// strictest rate.
func (c *Chain[T, E]) withRoom() (*link[T, E], error) {
	largest, strictest := uint64(0), 1.0
	for i := len(c.links) - 1; i >= 0; i-- {
		l := &c.links[i]
		if l.keys < l.capacity {
			return l, nil
		}
		largest, strictest = max(largest, l.capacity), min(strictest, l.fpr)
	}
	if len(c.links) == maxLinks {
		return nil, fault.New(fault.TooLarge, "add: the chain has %d links, and all are full", maxLinks)
	}
	hi, lo := bits.Mul64(largest, uint64(c.growth.Growth*(1<<32)))
	capacity := hi<<32 | lo>>32
	if hi>>32 != 0 || capacity == math.MaxUint64 {
		return nil, fault.New(fault.TooLarge, "add: a link after one of %d keys, growing by %v, would hold more than 2^64 keys", largest, c.growth.Growth)
	}
	if lo<<32 != 0 {
		capacity++
	}
	next, err := newLink[T, E](capacity, strictest*c.growth.Tightening)
	if errors.Is(err, fault.NoMemory) {
		return nil, err
	} else if err != nil {
		return nil, fault.New(fault.TooLarge, "add: there can be no next link: %v", err)
	}
	c.links = append(c.links, next)
	return &c.links[len(c.links)-1], nil
}

// Merge takes over copies of the links of another chain that have keys. The rate is then the sum of both.
func (c *Chain[T, E]) Merge(other *Chain[T, E]) error {
	var more []link[T, E]
	for i := range other.links {
		if l := other.links[i]; l.keys != 0 || E(&l.filter).Census() != 0 {
			E(&l.filter).Own(false)
			more = append(more, l)
		}
	}
	if len(c.links)+len(more) > maxLinks {
		return fmt.Errorf("merge: too many links: %d here, %d there; a chain has at most %d", len(c.links), len(more), maxLinks)
	}
	c.links = append(c.links, more...)
	return nil
}

// Clear goes back to one empty link, the first.
func (c *Chain[T, E]) Clear() {
	c.links = c.links[:1:1]
	c.links[0].keys = 0
	E(&c.links[0].filter).Clear()
}

// Memory is the words of all links.
func (c *Chain[T, E]) Memory() (all [][]uint64) {
	for i := range c.links {
		all = append(all, E(&c.links[i].filter).Memory()...)
	}
	return all
}

// Own gives every link a copy of its words.
func (c *Chain[T, E]) Own(bool) {
	c.links = append([]link[T, E](nil), c.links...)
	for i := range c.links {
		E(&c.links[i].filter).Own(false)
	}
}

// Kind is the number of the kind in files.
func (c *Chain[T, E]) Kind() uint16 { return E(nil).chainKind() }

// Growth is what the chain was made for.
func (c *Chain[T, E]) Growth() Growth { return c.growth }

// Links is how many links it has.
func (c *Chain[T, E]) Links() int { return len(c.links) }

// sum adds up what each link says.
func sum[T any, E linkable[T], N uint64 | float64](c *Chain[T, E], of func(*link[T, E]) N) (total N) {
	for i := range c.links {
		total += of(&c.links[i])
	}
	return total
}

// Census is the number of set bits of all links.
func (c *Chain[T, E]) Census() uint64 {
	return sum(c, func(l *link[T, E]) uint64 { return E(&l.filter).Census() })
}

// Bits is the number of bits of all links.
func (c *Chain[T, E]) Bits() uint64 {
	return sum(c, func(l *link[T, E]) uint64 { return E(&l.filter).Bits() })
}

// Fill is the share of all bits that are set.
func (c *Chain[T, E]) Fill() float64 { return float64(c.Census()) / float64(c.Bits()) }

// Full says whether the rates of the links add up to more than was asked of the chain: a merge can do that, growth never does.
func (c *Chain[T, E]) Full() bool { return c.Bound() > c.growth.FPR*(1+1e-9) }

// Bound is the sum of the rates that the links were made for.
func (c *Chain[T, E]) Bound() float64 {
	return sum(c, func(l *link[T, E]) float64 { return l.fpr })
}

// EstimatedCount is the number of keys that were counted. A new key that was a false positive is not among them; one that two merged
// chains held is there twice.
func (c *Chain[T, E]) EstimatedCount() float64 {
	return sum(c, func(l *link[T, E]) float64 { return float64(l.keys) })
}

// EstimatedFPR is the chance that some link says yes to an absent key: the sum of the links' rates less the share that is counted more than
// once because several links say yes. No formula gives that overlap: links that grew one after the other avoid one another, links of a
// merge do not. So 65,536 digests that nobody added are asked. Their error is below 0.3 % of the rate, one standard deviation.
func (c *Chain[T, E]) EstimatedFPR() float64 {
	const noOverlap = 0.004 // whatever links do together is below 0.2 % of such a rate
	total, pass := 0.0, 0.0
	for i := range c.links {
		rate := E(&c.links[i].filter).EstimatedFPR()
		total += rate
		pass += math.Log1p(-rate)
	}
	if total < noOverlap {
		return -math.Expm1(pass)
	}
	const samples = 1 << 16
	beyond := 0
	for i := range uint64(samples) {
		claims, digest := 0, hash.SplitMix(i)
		for j := range c.links {
			if E(&c.links[j].filter).MayContain(digest) {
				claims++
			}
		}
		beyond += max(claims-1, 0)
	}
	return min(max(total-float64(beyond)/samples, 0), 1)
}

// Same says whether another chain has the same links.
func (c *Chain[T, E]) Same(other *Chain[T, E]) bool {
	if len(c.links) != len(other.links) {
		return false
	}
	here, there := c.Segments(), other.Segments()
	for i := range here {
		if len(here[i].Shape) != len(there[i].Shape) || here[i].Length != there[i].Length {
			return false
		}
		for j := range here[i].Shape {
			if here[i].Shape[j] != there[i].Shape[j] {
				return false
			}
		}
	}
	for i := range c.links {
		if !E(&c.links[i].filter).Same(&other.links[i].filter) {
			return false
		}
	}
	return true
}

// Segments is the chain's own shape, then the links.
func (c *Chain[T, E]) Segments() []native.Segment {
	all := []native.Segment{{Shape: c.growth.fields()}}
	for i := range c.links {
		l := &c.links[i]
		own := E(&l.filter).Segments()[0]
		own.Shape = append([]uint64{l.capacity, math.Float64bits(l.fpr), l.keys}, own.Shape...)
		all = append(all, own)
	}
	return all
}

// Still is the words of all links in a row, a copy where there are several.
func (c *Chain[T, E]) Still() (body []uint64, census uint64) {
	if len(c.links) == 1 {
		return E(&c.links[0].filter).Still()
	}
	for i := range c.links {
		words, set := E(&c.links[i].filter).Still()
		body = append(body, words...)
		census += set
	}
	return body, census
}

// BloomChain and BlockedBloomChain are the chains there are.
type (
	BloomChain        = Chain[Bloom, *Bloom]
	BlockedBloomChain = Chain[BlockedBloom, *BlockedBloom]
)
