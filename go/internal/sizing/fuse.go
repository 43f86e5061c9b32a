package sizing

// Binary fuse filters: the width of fingerprints, the number of shards, and the table of the fullest one. The measurements behind the
// tables are in include/seen/math/binary_fuse.hpp, the arithmetic in docs/formats/native.md.

import (
	"math"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/fault"
)

// Limits of static filters.
const (
	MaxShards     = 1 << 24
	MaxShardSlots = 1<<32 - 1
	MaxGrowth     = 8 // steps of a sixteenth, after which digests cannot be hashes
)

// SlotWidths are the bits that the slots of a table may have.
var SlotWidths = []uint64{8, 16, 32}

// SlotWidth is the smallest width that keeps a rate, or the one that is wished for (0 for none).
func SlotWidth(fpr float64, wish uint64) (uint64, error) {
	if wish != 0 {
		if !slices.Contains(SlotWidths, wish) {
			return 0, fault.As(fault.InvalidArgument, oneOf("fingerprint-bits", wish, SlotWidths))
		}
		return wish, nil
	}
	if err := checkRange(1, fpr); err != nil {
		return 0, err
	}
	for _, width := range SlotWidths {
		if FingerprintRate(width) <= fpr {
			return width, nil
		}
	}
	return 0, fault.New(fault.InvalidArgument, "fpr %v: fingerprints of 32 bits give no rate below %.3g", fpr, FingerprintRate(32))
}

// FingerprintRate is 2^-width.
func FingerprintRate(width uint64) float64 { return math.Ldexp(1, -int(width)) }

// Shards is how many shards so many keys have: none for none, one below 2^23, then a power of two with 2^19 to 2^20 keys in each.
func Shards(keys uint64) uint64 {
	if keys < 1<<23 {
		return min(keys, 1)
	}
	return min(uint64(1)<<(bits.Len64(keys>>19)-1), MaxShards)
}

// CheckShards rejects a number of shards that no filter has.
func CheckShards(shards uint64) error {
	if shards > MaxShards || shards&(shards-1) != 0 {
		return fault.New(fault.InvalidArgument, "shards is %d; it must be a power of two, at most 2^24", shards)
	}
	return nil
}

// fuseSizes were measured: keys with one segment to begin in, slots per thousand keys, and how crowded a table may be; by k.
type fuseSizes struct {
	single   [13]uint64
	perMille [19]uint64
	eighths  uint64
	crowd    uint64
}

var fuse3 = fuseSizes{
	single:   [13]uint64{0, 1, 3, 10, 23, 61, 137, 292, 598, 1218, 2463, 4962, 9960},
	perMille: [19]uint64{0, 0, 0, 2200, 1680, 1150, 1190, 1185, 1180, 1172, 1155, 1135, 1125, 1115, 1114, 1114, 1114, 1114, 1114},
	eighths:  3,
	crowd:    9,
}

var fuse4 = fuseSizes{
	single:   [13]uint64{0, 2, 6, 18, 41, 88, 184, 376, 763, 1548, 3110, 6252, 12552},
	perMille: [19]uint64{0, 0, 0, 1400, 1370, 1270, 1220, 1175, 1142, 1114, 1090, 1072, 1062, 1052, 1052, 1052, 1052, 1052, 1052},
	eighths:  6,
	crowd:    2,
}

// Fuse is the table for so many keys, fewer than 2^32, with 3 or 4 slots per key: the length of a segment and their number. Each growth
// is a sixteenth more.
func Fuse(arity, keys, growth uint64) (length, segments uint64) {
	if keys == 0 {
		return 0, 0
	}
	sizes := &fuse3
	if arity == 4 {
		sizes = &fuse4
	}
	for k := range uint64(len(sizes.perMille)) {
		each, begins := uint64(1)<<k, uint64(0)
		switch {
		case k < uint64(len(sizes.single)) && keys <= sizes.single[k]:
			begins = 1
		case sizes.perMille[k] != 0 && (k >= 14 || keys <= 256*each) && keys <= each*each/sizes.crowd:
			slots, spared := ceilDiv(keys*sizes.perMille[k], 1000), each*sizes.eighths/8
			begins = max(2, ceilDiv(slots-min(slots, spared), each))
		default:
			continue
		}
		if found := begins + arity - 1; segments == 0 || found*each < segments*length {
			length, segments = each, found
		}
	}
	return length, segments + growth*ceilDiv(segments, 16)
}
