package engine

// Filters that keep all bits of a key in one small block, hence in one cache line.
//
//	64-byte block                word 0    word 1        word 7
//	digest ─┬─ all 64 bits ─► block   [......1.][...1....] … [.1......]    k = 8: one bit in each of eight words
//	        └─ low 32 ─► × salt[i], the top bits ──────────────────┘
//
// A block is cut out of the words as an array once, so that its words are not checked against the length one by one;
// lookups have no loop and no branch but the last.

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// The odd numbers of Apache Parquet's split block filter, one per lane.
const (
	salt0 = 0x47b6137b
	salt1 = 0x44974d91
	salt2 = 0x8824ad5b
	salt3 = 0xa2b7289d
	salt4 = 0x705495c7
	salt5 = 0x2df1424b
	salt6 = 0x9efc4947
	salt7 = 0x5c6bfb31
)

var salts = [8]uint32{salt0, salt1, salt2, salt3, salt4, salt5, salt6, salt7}

// BlockedBloom is index rule 3: blocks of 512 bits, with 4, 8 or 16 bits per key, all in one block.
type BlockedBloom struct {
	Store
	blocks uint64
	probes int
}

// CheckBlockedBloom rejects shapes that a BlockedBloom cannot have.
func CheckBlockedBloom(blocks, probes uint64) error {
	if err := within("blocks", blocks, 1, sizing.MaxBlocks); err != nil {
		return err
	}
	if probes != 4 && probes != 8 && probes != 16 {
		return fmt.Errorf("probes is %d; it must be 4, 8 or 16", probes)
	}
	return nil
}

// NewBlockedBloom is an empty filter.
func NewBlockedBloom(blocks, probes uint64, shared bool) (BlockedBloom, error) {
	if err := CheckBlockedBloom(blocks, probes); err != nil {
		return BlockedBloom{}, fault.As(fault.InvalidArgument, err)
	}
	empty, err := newStore(512*blocks, shared)
	return BlockedBloom{Store: empty, blocks: blocks, probes: int(probes)}, err
}

// OpenBlockedBloom is the filter whose words are given.
func OpenBlockedBloom(shape, segment []uint64) (BlockedBloom, error) {
	if err := count(shape, 2); err != nil {
		return BlockedBloom{}, err
	}
	if err := CheckBlockedBloom(shape[0], shape[1]); err != nil {
		return BlockedBloom{}, err
	}
	s, err := adopt(segment, 512*shape[0])
	return BlockedBloom{Store: s, blocks: shape[0], probes: int(shape[1])}, err
}

func (e *BlockedBloom) block(digest uint64) *[8]uint64 {
	b, _ := bits.Mul64(digest, e.blocks)
	return (*[8]uint64)(e.words[8*b:])
}

// MayContain says whether all bits of a digest are set.
func (e *BlockedBloom) MayContain(digest uint64) bool {
	w, x := e.block(digest), uint32(digest)
	switch e.probes {
	case 8:
		return covers8(w, x)
	case 16:
		return covers16(w, x)
	}
	return covers4(w, x)
}

// The three patterns are functions of their own, called with the address of the block: inlined, the compiler computes eight
// addresses and eight shifts first and runs out of registers, which costs more than the call (9.6 ns against 9.0 ns in
// cache, 31 against 26 out of it).

//go:noinline
func covers8(w *[8]uint64, x uint32) bool {
	all := one(&w[0], x*salt0)
	all &= one(&w[1], x*salt1)
	all &= one(&w[2], x*salt2)
	all &= one(&w[3], x*salt3)
	all &= one(&w[4], x*salt4)
	all &= one(&w[5], x*salt5)
	all &= one(&w[6], x*salt6)
	all &= one(&w[7], x*salt7)
	return all&1 != 0
}

//go:noinline
func covers16(w *[8]uint64, x uint32) bool {
	all := two(&w[0], x*salt0)
	all &= two(&w[1], x*salt1)
	all &= two(&w[2], x*salt2)
	all &= two(&w[3], x*salt3)
	all &= two(&w[4], x*salt4)
	all &= two(&w[5], x*salt5)
	all &= two(&w[6], x*salt6)
	all &= two(&w[7], x*salt7)
	return all&1 != 0
}

// covers4 has lanes of two words, of which the top bit chooses one.
//
//go:noinline
func covers4(w *[8]uint64, x uint32) bool {
	all := one(&w[0+x*salt0>>31], x*salt0<<1)
	all &= one(&w[2+x*salt1>>31], x*salt1<<1)
	all &= one(&w[4+x*salt2>>31], x*salt2<<1)
	all &= one(&w[6+x*salt3>>31], x*salt3<<1)
	return all&1 != 0
}

// one brings the bit that the top six bits of p name to the bottom; two does so for the top six and the next six.
func one(word *uint64, p uint32) uint64 { return atomic.LoadUint64(word) >> (p >> 26) }
func two(word *uint64, p uint32) uint64 {
	w := atomic.LoadUint64(word)
	return w >> (p >> 26) & (w >> (p >> 20 & 63))
}

// Add adds a digest.
func (e *BlockedBloom) Add(digest uint64) {
	w, x := e.block(digest), uint32(digest)
	switch e.probes {
	case 8:
		for i := range w {
			e.set(&w[i], 1<<(x*salts[i]>>26))
		}
	case 16:
		for i := range w {
			p := x * salts[i]
			e.set(&w[i], 1<<(p>>26)|1<<(p>>20&63))
		}
	default:
		for i := range uint32(4) {
			p := x * salts[i]
			e.set(&w[2*i+p>>31], 1<<(p>>25&63))
		}
	}
}

// TestAndAdd adds a digest and says whether all its bits had been set.
func (e *BlockedBloom) TestAndAdd(digest uint64) bool {
	present := e.MayContain(digest)
	if !present {
		e.Add(digest)
	}
	return present
}

// Kind is the number of the kind in files.
func (e *BlockedBloom) Kind() uint16 { return KindBlockedBloom }

// Blocks is the number of blocks.
func (e *BlockedBloom) Blocks() uint64 { return e.blocks }

// Probes is the number of bits per key.
func (e *BlockedBloom) Probes() int { return e.probes }

// TestOrAdd is TestAndAdd: to add a key whose bits are all set changes nothing.
func (e *BlockedBloom) TestOrAdd(digest uint64) bool { return e.TestAndAdd(digest) }

// Same says whether another filter of the same shape has the same bits.
func (e *BlockedBloom) Same(other *BlockedBloom) bool { return e.same(&other.Store) }

// Segments is the one segment of the filter.
func (e *BlockedBloom) Segments() []native.Segment { return e.segment(e.blocks, uint64(e.probes)) }

func (e *BlockedBloom) chainKind() uint16 { return KindScalableBloom }

// Plan makes this an empty filter for a target.
func (e *BlockedBloom) Plan(capacity uint64, fpr float64) error {
	blocks, probes, err := sizing.BlockedBloom(capacity, fpr, 0)
	if err == nil {
		*e, err = NewBlockedBloom(blocks, probes, false)
	}
	return err
}

// Adopt makes this the filter whose words are given.
func (e *BlockedBloom) Adopt(shape, segment []uint64) (err error) {
	*e, err = OpenBlockedBloom(shape, segment)
	return err
}

// EstimatedCount is how many different keys explain the set bits.
func (e *BlockedBloom) EstimatedCount() float64 {
	return KeysBehind(e.Census(), e.Bits()) / sizing.BlockedBloomLanes(uint64(e.probes)).ThrowsPerKey()
}

// MostKeys is the most that EstimatedCount says of so many keys, but for once in 10^9.
func (e *BlockedBloom) MostKeys(keys uint64) float64 {
	return MostKeys(keys, e.Bits(), sizing.BlockedBloomLanes(uint64(e.probes)).ThrowsPerKey())
}

// EstimatedFPR is the mean of the rates of all blocks, which differ.
func (e *BlockedBloom) EstimatedFPR() float64 {
	return meanRate(e.words, 8, sizing.BlockedBloomLanes(uint64(e.probes)))
}

// SplitBlock is index rule 4, Apache Parquet's: blocks of 256 bits, eight bits per key, one in each lane of 32.
type SplitBlock struct {
	Store
	blocks uint64
}

// NewSplitBlock is an empty filter.
func NewSplitBlock(blocks uint64, shared bool) (SplitBlock, error) {
	if err := within("blocks", blocks, 1, sizing.MaxBlocks); err != nil {
		return SplitBlock{}, fault.As(fault.InvalidArgument, err)
	}
	empty, err := newStore(256*blocks, shared)
	return SplitBlock{Store: empty, blocks: blocks}, err
}

// OpenSplitBlock is the filter whose words are given.
func OpenSplitBlock(shape, segment []uint64) (SplitBlock, error) {
	if err := count(shape, 1); err != nil {
		return SplitBlock{}, err
	}
	if err := within("blocks", shape[0], 1, sizing.MaxBlocks); err != nil {
		return SplitBlock{}, err
	}
	s, err := adopt(segment, 256*shape[0])
	return SplitBlock{Store: s, blocks: shape[0]}, err
}

func (e *SplitBlock) block(digest uint64) *[4]uint64 {
	return (*[4]uint64)(e.words[4*(digest>>32*e.blocks>>32):])
}

// pair is the bits of two lanes that share a word.
func pair(p, q uint32) uint64 { return 1<<(p>>27) | 1<<(32|q>>27) }

// MayContain says whether all bits of a digest are set.
func (e *SplitBlock) MayContain(digest uint64) bool {
	w, x := e.block(digest), uint32(digest)
	return has(&w[0], pair(x*salt0, x*salt1)) && has(&w[1], pair(x*salt2, x*salt3)) &&
		has(&w[2], pair(x*salt4, x*salt5)) && has(&w[3], pair(x*salt6, x*salt7))
}

// Add adds a digest.
func (e *SplitBlock) Add(digest uint64) {
	w, x := e.block(digest), uint32(digest)
	e.set(&w[0], pair(x*salt0, x*salt1))
	e.set(&w[1], pair(x*salt2, x*salt3))
	e.set(&w[2], pair(x*salt4, x*salt5))
	e.set(&w[3], pair(x*salt6, x*salt7))
}

// TestAndAdd adds a digest and says whether all its bits had been set.
func (e *SplitBlock) TestAndAdd(digest uint64) bool {
	present := e.MayContain(digest)
	if !present {
		e.Add(digest)
	}
	return present
}

// Kind is the number of the kind in files.
func (e *SplitBlock) Kind() uint16 { return KindSplitBlock }

// Blocks is the number of blocks.
func (e *SplitBlock) Blocks() uint64 { return e.blocks }

// Probes is the number of bits per key: eight.
func (e *SplitBlock) Probes() int { return 8 }

// TestOrAdd is TestAndAdd: to add a key whose bits are all set changes nothing.
func (e *SplitBlock) TestOrAdd(digest uint64) bool { return e.TestAndAdd(digest) }

// Same says whether another filter of the same shape has the same bits.
func (e *SplitBlock) Same(other *SplitBlock) bool { return e.same(&other.Store) }

// Segments is the one segment of the filter.
func (e *SplitBlock) Segments() []native.Segment { return e.segment(e.blocks) }

// EstimatedCount is how many different keys explain the set bits.
func (e *SplitBlock) EstimatedCount() float64 {
	return KeysBehind(e.Census(), e.Bits()) / sizing.SplitBlockLanes.ThrowsPerKey()
}

// MostKeys is the most that EstimatedCount says of so many keys, but for once in 10^9.
func (e *SplitBlock) MostKeys(keys uint64) float64 {
	return MostKeys(keys, e.Bits(), sizing.SplitBlockLanes.ThrowsPerKey())
}

// EstimatedFPR is the mean of the rates of all blocks, which differ.
func (e *SplitBlock) EstimatedFPR() float64 {
	return meanRate(e.words[:4*e.blocks], 4, sizing.SplitBlockLanes)
}

// meanRate is the mean, over all blocks, of the chance that a random pattern is set in the block.
func meanRate(all []uint64, blockWords int, lanes sizing.Lanes) float64 {
	sum := 0.0
	for at := 0; at < len(all); at += blockWords {
		rate := 1.0
		for lane := range lanes.Lanes {
			set := 0
			for bit := lane * lanes.Bits; bit < (lane+1)*lanes.Bits; bit += min(lanes.Bits, 64) {
				word := atomic.LoadUint64(&all[at+int(bit/64)])
				if lanes.Bits < 64 {
					word = uint64(uint32(word >> (bit % 64)))
				}
				set += bits.OnesCount64(word)
			}
			for range lanes.Throws {
				rate *= float64(set) / float64(lanes.Bits)
			}
		}
		sum += rate
	}
	return sum / float64(len(all)/blockWords)
}
