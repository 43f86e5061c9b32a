package sizing

// Filters of counters: those of a Bloom where its bits are, or one in each lane of a block. docs/sizing.md has the arithmetic.

import (
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/fault"
)

// CounterBits is the width of a counter whose user wishes for none.
const CounterBits = 4

// Counting is the shape of a counting Bloom filter with counters of so many bits: 2, 4, 8 or 16, and 0 for the usual ones.
func Counting(capacity uint64, fpr float64, wish uint64) (counters, probes, width uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, 0, 0, err
	}
	if width = wish; width == 0 {
		width = CounterBits
	}
	if err := CheckCounterBits(width, 2, 4, 8, 16); err != nil {
		return 0, 0, 0, fault.As(fault.InvalidArgument, err)
	}
	if counters, probes, err = Bloom(capacity, fpr); err != nil {
		return 0, 0, 0, err
	}
	if counters > MaxBits/width {
		return 0, 0, 0, tooLarge(capacity, fpr, float64(counters)*float64(width))
	}
	return counters, probes, width, nil
}

// CheckCounterBits rejects a width that is not among those of the kind.
func CheckCounterBits(width uint64, widths ...uint64) error {
	if slices.Contains(widths, width) {
		return nil
	}
	return oneOf("counter-bits", width, widths)
}

// BlockedCounting is the shape of a filter of blocks of counters with the fewest blocks, of 4, 8 and 16 probes or of those wished for
// (0 for none); counters have 4 or 8 bits, and 0 stands for the usual ones.
func BlockedCounting(capacity uint64, fpr float64, wishProbes, wishWidth uint64) (blocks, probes, width uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, 0, 0, err
	}
	if width = wishWidth; width == 0 {
		width = CounterBits
	}
	if err := CheckCounterBits(width, 4, 8); err != nil {
		return 0, 0, 0, fault.As(fault.InvalidArgument, err)
	}
	if wishProbes != 0 && !slices.Contains(BlockedBloomProbes[:], wishProbes) {
		return 0, 0, 0, fault.As(fault.InvalidArgument, oneOf("probes", wishProbes, BlockedBloomProbes[:]))
	}
	load := uint64(0) // keys per block, in units of 2^-12
	for _, each := range BlockedBloomProbes {
		if wishProbes != 0 && wishProbes != each || counterRate(width, each, float64(load+1)/4096) > fpr {
			continue
		}
		load, probes = 0, each
		for digit := uint64(1) << 17; digit != 0; digit /= 2 {
			if counterRate(width, each, float64(load+digit)/4096) <= fpr {
				load += digit
			}
		}
	}
	if load < 4096/16 {
		return 0, 0, 0, fault.New(fault.TooLarge, "%d keys at fpr %v: blocks of %d counters would take more than 16 blocks per key; a CountingBloom takes less", capacity, fpr, 512/width)
	}
	need := float64(capacity) * 4096 / float64(load) * 512
	if need > MaxBits {
		return 0, 0, 0, tooLarge(capacity, fpr, need)
	}
	if blocks = ceilDiv(capacity*4096, load); blocks > MaxBlocks {
		return 0, 0, 0, tooLarge(capacity, fpr, float64(blocks)*512)
	}
	return blocks, probes, width, nil
}

// counterRate is that of many blocks with so many keys each on average, below 64.
func counterRate(width, probes uint64, load float64) float64 {
	keep := 1 - 1/float64(512/width/probes)
	sum, weights, t, q := 0.0, 0.0, 1.0, 1.0
	for i := range 192 {
		hit := 1 - q
		for range bits.TrailingZeros64(probes) {
			hit = hit * hit
		}
		sum = sum + float64(t*hit)
		weights = weights + t
		t = t * load / float64(i+1)
		q = q * keep
	}
	return sum / weights
}

func ceilDiv(a, b uint64) uint64 {
	n := a / b
	if a%b != 0 {
		n++
	}
	return n
}
