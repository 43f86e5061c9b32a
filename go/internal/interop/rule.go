package interop

import (
	"math/bits"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/murmur3"
)

// Rule is how a key finds its bits. Those of other libraries are one computation on four words a, b, x, y of the key,
//
//	probe 0: a    1: b + 1·y    2: a + 2·y    3: b + 3·x    4: a + 4·x    5: b + 5·y   …   modulo m
//
// which is bits-and-blooms' own. Double hashing (h1 + i·h2) is the same with a = b = h1 and x = y = h2. So the rule is
// decided once per key, where it is hashed, and the probes know nothing of it.
//
// In filters of equal rules, m and k a key has the same bits.
type Rule struct {
	Kind   RuleKind
	Hasher hash.Hasher // of Halves and Chain
}

// RuleKind is a Rule but for its hash.
type RuleKind uint8

const (
	// FourWords: MurmurHash3 x64-128 of the key, and of the key with the byte 1 behind it.
	FourWords RuleKind = iota
	// Halves: h1 and h2 are the low and high 32 bits of a digest.
	Halves
	// Chain: the native rule, x, x·C, x·C² … of a digest x, each multiplied by m. It has no Base.
	Chain
)

// SameAs says whether a key has the same words by both.
func (r *Rule) SameAs(other *Rule) bool {
	return r.Kind == other.Kind && r.Hasher.SameAs(&other.Hasher)
}

// Base returns the four words of a key.
func (r *Rule) Base(key []byte) (a, b, x, y uint64) {
	if r.Kind == FourWords {
		return murmur3.Sum256(key)
	}
	h := r.Hasher.Sum(key)
	low, high := h&0xffffffff, h>>32
	return low, low, high, high
}

// Location returns probe i before the remainder is taken.
func Location(a, b, x, y, i uint64) uint64 {
	if (i+1)/2%2 == 1 {
		x = y
	}
	if i%2 == 1 {
		a = b
	}
	return a + i*x
}

// Remainder takes remainders by one m of many numbers without a division [Barrett 1986]: with M = floor((2^64 - 1)/m) the
// high half of x·M is floor(x/m) or one less, for every x and m, so that x less so many times m is the remainder, or m more.
type Remainder struct {
	M     uint64
	Magic uint64
}

// By returns the remainders by m, which is not 0.
func By(m uint64) Remainder { return Remainder{m, ^uint64(0) / m} }

// Of returns x mod m.
func (r Remainder) Of(x uint64) uint64 {
	quotient, _ := bits.Mul64(x, r.Magic)
	// Taken back without a branch: which way it goes is as good as random.
	rest, under := bits.Sub64(x-quotient*r.M, r.M, 0)
	return rest + r.M&-under
}

func bitLength(w uint64) uint64 { return uint64(bits.Len64(w)) }
