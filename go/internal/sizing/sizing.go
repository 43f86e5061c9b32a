// Package sizing goes from "n keys at rate p" to bits, probes and blocks, to the same integers in every language.
//
// A size is part of a file, and math libraries differ in the last bit of a logarithm. So none is used where it matters:
// bits per key are a q40 number, an integer that counts units of 2^-40, made by integer operations. docs/sizing.md has the
// arithmetic, step by step, and its sources.
package sizing

import (
	"math"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/fault"
)

// Limits of native filters.
const (
	MaxBits   = 1 << 40
	MaxProbes = 30
	MaxBlocks = 1 << 31
)

// 1/ln 2 in units of 2^-63, rounded up.
const inverseLn2 = 0xb8aa3b295c17f0bc

// The chance that two keys have one digest.
const equalDigest = 1.0 / (1 << 32) / (1 << 32)

// Check rejects targets that no filter can meet: no keys, a rate that is not a probability, or one that equal digests alone exceed.
func Check(capacity uint64, fpr float64) error {
	if err := checkRange(capacity, fpr); err != nil {
		return err
	}
	if equal := float64(capacity) * equalDigest; equal > fpr {
		return fault.New(fault.TooLarge, "%d keys at fpr %v: equal 64-bit digests alone give a rate of %.3g", capacity, fpr, equal)
	}
	return nil
}

func checkRange(capacity uint64, fpr float64) error {
	if capacity == 0 {
		return fault.New(fault.InvalidArgument, "capacity 0 is not a number of keys from 1 up")
	}
	if !(fpr > 0 && fpr < 1) {
		return fault.New(fault.InvalidArgument, "fpr %v is not a probability strictly between 0 and 1", fpr)
	}
	return nil
}

func tooLarge(capacity uint64, fpr, bits float64) error {
	return fault.New(fault.TooLarge, "%d keys at fpr %v need %.4g bits; the limit is 2^40", capacity, fpr, bits)
}

// Bloom is the shape of a classic Bloom filter: bits and probes.
func Bloom(capacity uint64, fpr float64) (bits, probes uint64, err error) {
	if err := Check(capacity, fpr); err != nil {
		return 0, 0, err
	}
	perKey := bitsPerKeyQ40(fpr)
	bits = times(capacity, perKey)
	best := probesFor(perKey, 1<<40)
	if bits <= MaxBits {
		best = probesFor(bits, capacity)
	}
	probes = min(max(best, 1), MaxProbes)
	if probes != best {
		// The formula no longer gives the rate: the bits grow until the textbook's does. Only here is floating point used.
		clamped := math.Ceil(-1024*float64(probes)/math.Log1p(-math.Exp(math.Log(fpr)/float64(probes)))) / 1024
		perKey = uint64(min(clamped, 1<<23) * (1 << 40))
		bits = times(capacity, perKey)
	}
	if bits > MaxBits {
		return 0, 0, tooLarge(capacity, fpr, float64(capacity)*float64(perKey)/(1<<40))
	}
	return bits, probes, nil
}

// log2InverseQ40 is log2(1/p) in units of 2^-40: never below the true value, and above it by at most one. Logarithms by
// squaring [Knuth, "The Art of Computer Programming" 1, 1.2.2].
func log2InverseQ40(p float64) uint64 {
	raw := math.Float64bits(p)
	exponent, mantissa := raw>>52, raw&(1<<52-1)
	unit := uint64(1074)
	if exponent != 0 {
		mantissa |= 1 << 52
		unit = 1075 - exponent
	}
	shift := uint64(bits.LeadingZeros64(mantissa))
	return (unit+shift-63)<<40 - log2Digits(mantissa<<shift, 40)
}

// log2Digits is the first binary digits of log2(x/2^63) after the point, x being 2^63 or more.
func log2Digits(x uint64, count int) (log uint64) {
	for i := 0; i < count; i++ {
		hi, lo := bits.Mul64(x, x)
		log = log<<1 | hi>>63
		x = normal(hi, lo)
	}
	return log
}

// normal is the upper 64 bits of a product of two numbers of 2^63 or more, without a leading zero.
func normal(hi, lo uint64) uint64 {
	if hi>>63 == 0 {
		return hi<<1 | lo>>63
	}
	return hi
}

// bitsPerKeyQ40 is ceil(log2(1/p)/ln 2) in units of 2^-40. [Broder & Mitzenmacher 2004]
func bitsPerKeyQ40(p float64) uint64 {
	hi, lo := bits.Mul64(log2InverseQ40(p), inverseLn2)
	q := hi<<1 | lo>>63
	if lo<<1 != 0 {
		q++
	}
	return q
}

// times is keys times q40 units of 2^-40, rounded up; 2^64 - 1 where that is 2^63 or more.
func times(keys, q40 uint64) uint64 {
	hi, lo := bits.Mul64(keys, q40)
	if hi>>39 != 0 {
		return math.MaxUint64
	}
	n := hi<<24 | lo>>40
	if lo<<24 != 0 {
		n++
	}
	return n
}

// probesFor is round(m/n·ln 2), a half up, of m below 2^63.
func probesFor(m, n uint64) uint64 {
	const ln2 = 0xb17217f7d1cf79ab // floor(2^64·ln 2)
	hi, lo := bits.Mul64(m, ln2)
	return ((hi<<1|lo>>63)/n + 1) / 2
}
