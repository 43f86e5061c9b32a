package sizing

import (
	"math"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/fault"
)

// MaxPortableBits is the most bits of a portable filter that is made: its first probe is a 32-bit number.
const MaxPortableBits = 1 << 32

// Portable is the shape of a portable filter, as the format's document has it: m = ceil(-n·ln p/(ln 2)^2) and k =
// round(m/n·ln 2), within 1 to 30. Where k is clamped m stays, other than with [Bloom], and the rate is missed. The
// arithmetic is explained in docs/sizing.md.
func Portable(capacity uint64, fpr float64) (m, k uint64, err error) {
	if err := checkRange(capacity, fpr); err != nil {
		return 0, 0, err
	}
	log, scale := log2Inverse(fpr)
	shift := bits.LeadingZeros64(log)
	perKey, _ := bits.Mul64(log<<shift, inverseLn2)
	if m = ceilTimes(capacity, perKey, scale+uint(shift)-1); m > MaxPortableBits {
		return 0, 0, fault.New(fault.TooLarge, "%d keys at fpr %v need %.4g bits; the limit of the portable format is 2^32", capacity, fpr, float64(m))
	}
	return m, min(max(probesFor(m, capacity), 1), MaxProbes), nil
}

// log2Inverse is log2(1/p) as log·2^-scale. For p above a half, d = 1 - p is exact, and d := 2d - d² squares p, until d is a
// half or more. d keeps 64 significant digits, so a p next to 1 loses none.
func log2Inverse(p float64) (log uint64, scale uint) {
	const digits = 53
	if p <= 0.5 {
		half, exponent := math.Frexp(p)
		return uint64(1-exponent)<<digits - log2Digits(uint64(math.Ldexp(half, 64)), digits), digits
	}
	half, exponent := math.Frexp(1 - p)
	d := uint64(math.Ldexp(half, 64)) // in units of 2^(exponent - 64)
	scale = digits
	for exponent < 0 {
		hi, lo := bits.Mul64(d, -(d >> (1 - exponent))) // d times 1 - d/2
		d = normal(hi, lo)
		exponent += int(hi >> 63)
		scale++
	}
	shift := bits.LeadingZeros64(-d)
	return uint64(shift+1)<<digits - log2Digits(-d<<shift, digits), scale
}

// ceilTimes is ceil(n·x·2^-scale) for scales below 128; 2^64 - 1 if it is more.
func ceilTimes(n, x uint64, scale uint) uint64 {
	hi, lo := bits.Mul64(n, x)
	rest := uint64(0)
	if scale >= 64 {
		hi, lo, rest, scale = 0, hi, lo, scale-64
	}
	if hi>>scale != 0 {
		return math.MaxUint64
	}
	whole := hi<<(64-scale) | lo>>scale
	if rest |= lo & (1<<scale - 1); rest != 0 {
		whole++
	}
	return whole
}
