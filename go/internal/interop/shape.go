package interop

import (
	"fmt"
	"math"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// Wish is the size of a filter that shall be made: keys and a rate, or bits and probes.
type Wish struct {
	Capacity uint64
	FPR      float64
	Bits     uint64
	Probes   uint64
}

// Shape returns the bits and probes of a new filter, sized as the format's own library would, within the format's limits.
func Shape(format Format, wish Wish) (m, k uint64, err error) {
	byKeys, byBits := wish.Capacity != 0 || wish.FPR != 0, wish.Bits != 0 || wish.Probes != 0
	switch {
	case byKeys == byBits:
		return 0, 0, fault.New(fault.InvalidArgument, "%s: a filter has either a capacity and a rate, or bits and probes", format)
	case byBits:
		m, k = wish.Bits, wish.Probes
	case format == Portable:
		if m, k, err = sizing.Portable(wish.Capacity, wish.FPR); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", format, err)
		}
	default:
		// What native sizing refuses, nobody can have.
		if _, _, err = sizing.Bloom(wish.Capacity, wish.FPR); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", format, err)
		}
		sized := RoundedUp
		if format == Phrozen {
			sized = RoundedUpPhrozen
		}
		m, k = sized(wish.Capacity, wish.FPR)
		m, k = max(1, m), max(1, k)
	}
	if format == Portable {
		if m > sizing.MaxPortableBits {
			return 0, 0, fault.New(fault.InvalidArgument, "portable: %d bits; its first probe reaches only 2^32", m)
		}
		if err := portableSelfCheck(); err != nil {
			return 0, 0, err
		}
	}
	return m, k, fault.As(fault.InvalidArgument, CheckShape(format, m, k))
}

// RoundedUp is the sizing of several libraries in Go: m = −n·ln p/(ln 2)² and k = m/n·ln 2, both rounded up, in this order of
// operations, on which the last bit depends.
func RoundedUp(n uint64, p float64) (m, k uint64) {
	m = whole(math.Ceil(-1 * float64(n) * math.Log(p) / math.Pow(math.Log(2), 2)))
	k = whole(math.Ceil(math.Log(2) * float64(m) / float64(n)))
	return m, k
}

// RoundedUpPhrozen is the same with the probes as phrozen/bloom computes them: it divides before it multiplies. Where m/n·ln 2 is
// next to a whole number, as for 4,759,404 keys at 2^-31, that makes another k.
func RoundedUpPhrozen(n uint64, p float64) (m, k uint64) {
	m, _ = RoundedUp(n, p)
	return m, whole(math.Ceil(float64(m) / float64(n) * math.Log(2)))
}

// whole converts what no conversion is defined for: NaN and negative numbers to 0, too large ones to the largest.
func whole(x float64) uint64 {
	switch {
	case !(x > 0):
		return 0
	case x >= math.MaxUint64:
		return math.MaxUint64
	}
	return uint64(x)
}
