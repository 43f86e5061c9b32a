package sizing

// Cuckoo filters: fingerprints of nine widths, four slots in a bucket, 95 % of the slots taken at capacity. docs/filters/cuckoo.md and
// docs/sizing.md say why, and have the arithmetic.

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/fault"
)

// CuckooWidths are the bits that a fingerprint may have.
var CuckooWidths = []uint64{8, 10, 12, 13, 14, 16, 17, 24, 32}

// Limits of cuckoo filters.
const (
	MaxCuckooChunkBuckets = 1 << 24
	MaxCuckooChunks       = 1 << 26

	chunkBuckets = 32768 // of a planned chunk where there are several
)

// Cuckoo is the shape for a target, with fingerprints of the width that is wished for (0 for none).
func Cuckoo(capacity uint64, fpr float64, wish uint64) (buckets, width, chunks uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, 0, 0, err
	}
	if wish != 0 && !slices.Contains(CuckooWidths, wish) {
		return 0, 0, 0, fault.As(fault.InvalidArgument, oneOf("fingerprint-bits", wish, CuckooWidths))
	}
	least := uint64(0)
	for _, each := range CuckooWidths {
		if rateCeiling(each, 7.6) <= fpr {
			least = each
			break
		}
	}
	switch {
	case wish != 0:
		width = wish
	case least != 0:
		width = least
	default:
		width = 32
	}
	if capacity > MaxBits/8 {
		return 0, 0, 0, tooLarge(capacity, fpr, float64(capacity)*float64(width)/0.95)
	}
	slots := ceilDiv(20*capacity, 19) + 13
	if capacity < 1000 {
		slots += (1000 - capacity) * 19 / 1000
	}
	if least == 0 || width < least {
		eighths := fpr / rateCeiling(width, 1) // the load that keeps the rate
		if !(eighths >= 4) {
			return 0, 0, 0, fault.New(fault.InvalidArgument, "%d keys at fpr %v: fingerprints of %d bits give no rate below %.3g", capacity, fpr, width, rateCeiling(width, 4))
		}
		slots = max(slots, uint64(math.Ceil(8*float64(capacity)/eighths)))
	}
	buckets = ceilDiv(slots, 4)
	if buckets > 20 && buckets < 32 {
		buckets = 32
	}
	if buckets > 48 && buckets < 64 {
		buckets = 64
	}
	buckets, chunks = WholeCuckooChunks(buckets, 0)
	if bits := 4 * float64(buckets) * float64(width); bits > MaxBits {
		return 0, 0, 0, tooLarge(capacity, fpr, bits)
	}
	return buckets, width, chunks, nil
}

// rateCeiling is an upper bound of the rate of fingerprints of so many bits, at a load of so many eighths.
func rateCeiling(width uint64, eighths float64) float64 {
	q := math.Ldexp(1, -int(width))
	return eighths * q * (1 + 2*q)
}

// WholeCuckooChunks rounds buckets up to an even number and chooses chunks where they are open (0). A chunk has 2^s buckets, the
// largest such number that is not above the mean, and the last has what is left, too.
func WholeCuckooChunks(buckets, chunks uint64) (uint64, uint64) {
	buckets += buckets % 2
	if chunks == 0 {
		chunks = max(1, buckets/chunkBuckets)
	}
	if buckets == 0 || chunks > 1 && chunks > buckets/16 {
		return buckets, chunks // checking says why not
	}
	return buckets, buckets >> (bits.Len64(buckets/chunks) - 1)
}

// CuckooRate is the rate with so many keys in so many buckets. The fingerprint 1 is twice as likely as any other, since 0 is taken for
// it; include/seen/math/cuckoo.hpp derives the model.
func CuckooRate(width, buckets, keys uint64) float64 {
	if keys == 0 {
		return 0
	}
	n, pair, q := float64(keys), 2/float64(buckets), math.Ldexp(1, -int(width))
	common, doubled := -math.Expm1(n*math.Log1p(-q*pair)), -math.Expm1(n*math.Log1p(-2*q*pair))
	return (1-2*q)*common + 2*q*doubled
}

func oneOf(name string, value uint64, values []uint64) error {
	return fmt.Errorf("%s is %d; it must be one of %v", name, value, values)
}
