package engine

// Filters of counters: a key may be present if none of its counters is 0. A counter at its maximum is stuck: it no longer knows how
// many adds it stands for, so it is neither raised nor lowered again, and no key is lost to it.

import (
	"math"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// Counters are what the kinds of counters share. Widths divide 64, so that no counter straddles two words.
type Counters struct {
	Store
	counters uint64
	blocks   uint64 // of 512 bits, with a counter of a key in each lane; 0 where counters lie anywhere
	probes   int
	width    uint
}

// Counting is index rule 5: counters at the positions of a Bloom.
type Counting struct{ Counters }

// BlockedCounting is index rule 6: a block of 512 bits is k lanes of counters, and a key has one in each.
type BlockedCounting struct{ Counters }

func checkCounting(m, k, w uint64) (Counters, error) {
	if err := sizing.CheckCounterBits(w, 2, 4, 8, 16); err != nil {
		return Counters{}, err
	}
	if err := within("counters", m, 1, sizing.MaxBits/w); err != nil {
		return Counters{}, err
	}
	return Counters{counters: m, probes: int(k), width: uint(w)}, within("probes", k, 1, sizing.MaxProbes)
}

func checkBlockedCounting(b, k, w uint64) (Counters, error) {
	if err := CheckBlockedBloom(b, k); err != nil {
		return Counters{}, err
	}
	return Counters{counters: 512 / max(w, 1) * b, blocks: b, probes: int(k), width: uint(w)}, sizing.CheckCounterBits(w, 4, 8)
}

// NewCounting is an empty filter.
func NewCounting(counters, probes, width uint64) (Counting, error) {
	c, err := newCounters(checkCounting(counters, probes, width))
	return Counting{c}, err
}

// NewBlockedCounting is an empty filter.
func NewBlockedCounting(blocks, probes, width uint64) (BlockedCounting, error) {
	c, err := newCounters(checkBlockedCounting(blocks, probes, width))
	return BlockedCounting{c}, err
}

func newCounters(c Counters, err error) (Counters, error) {
	if err != nil {
		return c, fault.As(fault.InvalidArgument, err)
	}
	c.Store, err = newStore(c.counters*uint64(c.width), false)
	return c, err
}

func openCounting(shape, segment []uint64) (Counting, error) {
	c, err := openCounters(shape, segment, checkCounting)
	return Counting{c}, err
}

func openBlockedCounting(shape, segment []uint64) (BlockedCounting, error) {
	c, err := openCounters(shape, segment, checkBlockedCounting)
	return BlockedCounting{c}, err
}

func openCounters(shape, segment []uint64, check func(_, k, w uint64) (Counters, error)) (c Counters, err error) {
	if err := count(shape, 3); err != nil {
		return c, err
	}
	if c, err = check(shape[0], shape[1], shape[2]); err != nil {
		return c, err
	}
	c.Store, err = adopt(segment, c.counters*uint64(c.width))
	return c, err
}

// places are the counters of one key.
type places [sizing.MaxProbes]uint64

// find writes the counters of a digest, and returns those.
func (c *Counters) find(digest uint64, to *places) []uint64 {
	all := to[:c.probes]
	if c.blocks == 0 {
		for i := range all {
			all[i], _ = bits.Mul64(digest, c.counters)
			digest *= chain
		}
		return all
	}
	block, _ := bits.Mul64(digest, c.blocks)
	lane := 512 / uint64(c.width) / uint64(c.probes) // counters, a power of two
	choice := bits.TrailingZeros64(lane)
	rest, counter := digest*chain, block*(512/uint64(c.width))
	for i := range all {
		rest = bits.RotateLeft64(rest, choice) // the next bits from the highest
		all[i] = counter + rest&(lane-1)
		counter += lane
	}
	return all
}

func (c *Counters) maximum() uint64 { return words.Mask(c.width) }

// at is the word of a counter and where it begins there.
func (c *Counters) at(counter uint64) (word *uint64, shift uint64) {
	bit := counter * uint64(c.width)
	return &c.words[bit>>6], bit & 63
}

func (c *Counters) value(counter uint64) uint64 {
	word, shift := c.at(counter)
	return *word >> shift & c.maximum()
}

// MayContain says whether no counter of a digest is 0.
func (c *Counters) MayContain(digest uint64) bool {
	if c.blocks == 0 { // up to the first that is 0
		for i := c.probes; i > 0; i-- {
			at, _ := bits.Mul64(digest, c.counters)
			if c.value(at) == 0 {
				return false
			}
			digest *= chain
		}
		return true
	}
	var to places
	for _, at := range c.find(digest, &to) {
		if c.value(at) == 0 {
			return false
		}
	}
	return true
}

// Add raises the counters of a digest.
func (c *Counters) Add(digest uint64) { c.TestAndAdd(digest) }

// TestAndAdd raises the counters of a digest and says whether none had been 0.
func (c *Counters) TestAndAdd(digest uint64) bool {
	var to places
	present, most := true, c.maximum()
	for _, at := range c.find(digest, &to) {
		word, shift := c.at(at)
		value := *word >> shift & most
		if value == 0 {
			present = false
		}
		if value != most {
			*word += 1 << shift
		}
	}
	return present
}

// TestOrAdd adds a digest that is not present.
func (c *Counters) TestOrAdd(digest uint64) bool {
	if c.MayContain(digest) {
		return true
	}
	c.Add(digest)
	return false
}

// Remove lowers the counters of a digest that may be present; otherwise it changes nothing and says false.
func (c *Counters) Remove(digest uint64) bool {
	if !c.MayContain(digest) {
		return false
	}
	var to places
	most := c.maximum()
	for _, at := range c.find(digest, &to) {
		word, shift := c.at(at)
		if value := *word >> shift & most; value != 0 && value != most {
			*word -= 1 << shift
		}
	}
	return true
}

// Count is the least of the counters of a digest.
func (c *Counters) Count(digest uint64) uint64 {
	var to places
	least := c.maximum()
	for _, at := range c.find(digest, &to) {
		least = min(least, c.value(at))
	}
	return least
}

// ones has the lowest bit of every counter of a word set.
func ones(width uint) uint64 { return ^uint64(0) / words.Mask(width) }

// nonzero has the lowest bit of every counter set that is not 0.
func nonzero(word uint64, width uint) uint64 {
	// After the step of s bits the lowest bit of a counter is the OR of its 2·s lowest. Bits that come in from the counter above stay
	// in the upper half.
	for step := uint(1); step < width; step *= 2 {
		word |= word >> step
	}
	return word & ones(width)
}

// add adds the counters of another filter of the same shape, each stopping at its maximum. [Lamport 1975, "Multiple Byte Processing
// with Full-Word Instructions"]
func (c *Counters) add(other *Counters) {
	top := ones(c.width) << (c.width - 1)
	for i, a := range c.words {
		// Added without the top bits, which then take the carries, so that no counter spills into the next.
		b := other.words[i]
		sum := (a&^top + b&^top) ^ (a^b)&top
		over := (a&b | (a|b)&^sum) & top
		c.words[i] = sum | (over<<1 - over>>(c.width-1))
	}
}

// Merge adds the counters of another filter of the same shape.
func (e *Counting) Merge(other *Counting) { e.add(&other.Counters) }

// Merge adds the counters of another filter of the same shape.
func (e *BlockedCounting) Merge(other *BlockedCounting) { e.add(&other.Counters) }

// Same says whether another filter of the same shape has the same counters.
func (e *Counting) Same(other *Counting) bool { return e.same(&other.Store) }

// Same says whether another filter of the same shape has the same counters.
func (e *BlockedCounting) Same(other *BlockedCounting) bool { return e.same(&other.Store) }

// Kind is the number of the kind in files.
func (e *Counting) Kind() uint16 { return KindCountingBloom }

// Kind is the number of the kind in files.
func (e *BlockedCounting) Kind() uint16 { return KindBlockedCountingBloom }

// Probes is the number of counters per key.
func (c *Counters) Probes() int { return c.probes }

// Shape is the three numbers that describe the filter in files.
func (c *Counters) Shape() [3]uint64 {
	if c.blocks != 0 {
		return [3]uint64{c.blocks, uint64(c.probes), uint64(c.width)}
	}
	return [3]uint64{c.counters, uint64(c.probes), uint64(c.width)}
}

// Segments is the one segment of the filter.
func (c *Counters) Segments() []native.Segment {
	shape := c.Shape()
	return c.segment(shape[:]...)
}

// used is how many counters are not 0.
func (c *Counters) used() uint64 {
	total := 0
	for _, word := range c.words {
		total += bits.OnesCount64(nonzero(word, c.width))
	}
	return uint64(total)
}

// Fill is the share of the counters that are not 0.
func (c *Counters) Fill() float64 { return float64(c.used()) / float64(c.counters) }

// Full says whether the filter is fuller than usual plans make it.
func (c *Counters) Full() bool { return c.Fill() > WeakFill }

// EstimatedCount is how many different keys explain the counters that are not 0.
func (c *Counters) EstimatedCount() float64 {
	return KeysBehind(c.used(), c.counters) / float64(c.probes)
}

// MostKeys is the most that EstimatedCount says of so many keys, but for once in 10^9.
func (c *Counters) MostKeys(keys uint64) float64 {
	return MostKeys(keys, c.counters, float64(c.probes))
}

// EstimatedFPR is the rate that follows from the counters that are not 0; in blocks the mean of the rates of all.
func (c *Counters) EstimatedFPR() float64 {
	if c.blocks == 0 {
		return math.Pow(c.Fill(), float64(c.probes))
	}
	laneBits := 512 / uint64(c.probes)
	sum := 0.0
	for block := uint64(0); block < c.blocks; block++ {
		rate := 1.0
		for lane := range uint64(c.probes) {
			used := 0
			for bit := uint64(0); bit < laneBits; bit += min(laneBits, 64) {
				word := words.Bits(c.words, block*512+lane*laneBits+bit, uint(min(laneBits, 64)))
				used += bits.OnesCount64(nonzero(word, c.width))
			}
			rate *= float64(used) * float64(c.width) / float64(laneBits)
		}
		sum += rate
	}
	return sum / float64(c.blocks)
}
