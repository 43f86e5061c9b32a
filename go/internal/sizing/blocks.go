package sizing

// Filters of blocks: the fewest bits per key, on a grid of 1/32, at which a Poisson mixture of blocks keeps the rate.
// [Putze, Sanders & Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters"]
//
// Additions, multiplications and divisions of doubles in a fixed order give the same bits everywhere, as long as none
// are fused: Go fuses x·y + z on some machines unless the product is converted explicitly, hence the float64(…) below.

import (
	"math"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/fault"
)

// Bits per key are counted in units of 1/32, from 1 to 128 bits.
const (
	perKeyUnit  = 32
	leastPerKey = 32
	mostPerKey  = 4096
)

// Digests choose split blocks by 32 bits, which spread keys evenly up to this many.
const maxPlannedSplitBlocks = 1 << 27

// Lanes is how the bits of a key lie in a block: so many in each lane of so many bits.
type Lanes struct{ Lanes, Bits, Throws uint64 }

// The lanes of the kinds.
var (
	SplitBlockLanes    = Lanes{8, 32, 1}
	BlockedBloomProbes = [3]uint64{4, 8, 16}
)

// BlockedBloomLanes says how 4, 8 or 16 probes lie in a block of 512 bits.
func BlockedBloomLanes(probes uint64) Lanes {
	switch probes {
	case 4:
		return Lanes{4, 128, 1}
	case 8:
		return Lanes{8, 64, 1}
	}
	return Lanes{8, 64, 2}
}

// ThrowsPerKey is the number k for which n keys leave a share e^(-kn/m) of all bits clear: the bits that a key sets, less a
// little where two fall into one lane and may meet.
func (l Lanes) ThrowsPerKey() float64 {
	miss := 1.0
	for i := uint64(0); i < l.Throws; i++ {
		miss *= 1 - 1/float64(l.Bits)
	}
	return float64(l.Lanes*l.Bits) * (1 - miss)
}

// rate is that of many blocks with so many keys each on average, at most 512.
func (l Lanes) rate(load float64) float64 {
	b := float64(l.Bits)
	var one, two, total, sum float64 // one bit, two different bits of a lane are set by i keys
	weight := 1.0                    // Poisson weight of i, not normalised
	for i := 0; i <= 64+2*int(load); i++ {
		f := one
		if l.Throws == 2 {
			f = (one + float64((b-1)*two)) / b
		}
		for lanes := l.Lanes; lanes > 1; lanes /= 2 {
			f = f * f
		}
		total = total + weight
		sum = sum + float64(weight*f)
		weight = weight * load / float64(i+1)
		for t := uint64(0); t < l.Throws; t++ {
			two = two + float64((one-two)*(2/b))
			one = one + (1-one)/b
		}
	}
	return sum/total + float64(load*(1.0/(1<<32))) // 32 bits make a pattern: equal ones count too
}

func (l Lanes) fewestPerKey(fpr float64) uint64 {
	low, high := uint64(leastPerKey), uint64(mostPerKey+1)
	for low < high {
		middle := (low + high) / 2
		if l.rate(float64(l.Lanes*l.Bits*perKeyUnit)/float64(middle)) <= fpr {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// blocks is ceil(keys·perKey / (32·bits of a block)); 2^64 - 1 where the product is beyond 64 bits.
func (l Lanes) blocks(keys, perKey uint64) uint64 {
	hi, lo := bits.Mul64(keys, perKey)
	if hi != 0 {
		return math.MaxUint64
	}
	unit := perKeyUnit * l.Lanes * l.Bits
	n := lo / unit
	if lo%unit != 0 {
		n++
	}
	return n
}

func outOfReach(capacity uint64, fpr float64) error {
	return fault.New(fault.TooLarge, "%d keys at fpr %v would take more than 128 bits per key in blocks; a Bloom takes %.3g", capacity, fpr, float64(bitsPerKeyQ40(fpr))/(1<<40))
}

// BlockedBloom is the shape of a blocked Bloom filter with the fewest bits, of 4, 8 and 16 probes or of those wished for (0 for
// none); of equal ones that with the fewest probes.
func BlockedBloom(capacity uint64, fpr float64, wish uint64) (blocks, probes uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, 0, err
	}
	if wish != 0 && !slices.Contains(BlockedBloomProbes[:], wish) {
		return 0, 0, fault.New(fault.InvalidArgument, "probes is %d; it must be 4, 8 or 16", wish)
	}
	fewest := uint64(mostPerKey + 1)
	for _, k := range BlockedBloomProbes {
		if wish != 0 && wish != k {
			continue
		}
		if perKey := BlockedBloomLanes(k).fewestPerKey(fpr); perKey < fewest {
			fewest, probes = perKey, k
		}
	}
	if probes == 0 {
		return 0, 0, outOfReach(capacity, fpr)
	}
	blocks = BlockedBloomLanes(probes).blocks(capacity, fewest)
	if blocks > MaxBlocks {
		return 0, 0, tooLarge(capacity, fpr, float64(capacity)*float64(fewest)/perKeyUnit)
	}
	return blocks, probes, nil
}

// SplitBlock is the number of blocks of a split-block filter.
func SplitBlock(capacity uint64, fpr float64) (blocks uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, err
	}
	perKey := SplitBlockLanes.fewestPerKey(fpr)
	if perKey > mostPerKey {
		return 0, outOfReach(capacity, fpr)
	}
	blocks = SplitBlockLanes.blocks(capacity, perKey)
	if blocks > maxPlannedSplitBlocks {
		return 0, fault.New(fault.TooLarge, "%d keys at fpr %v need %d split blocks, which spread keys evenly up to 2^27 (4 GiB); blocked-bloom goes further", capacity, fpr, blocks)
	}
	return blocks, nil
}
