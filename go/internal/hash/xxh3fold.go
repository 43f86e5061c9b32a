package hash

// XXH3Fold is the default hash of every filter: XXH3 but for eight bytes, which is what an integer is.
//
//	8 bytes    (high ^ low) * multiplier, where high and low are the halves of (x ^ flip) * golden: Hasher.SumUint64
//	others     XXH3 with the seed
//
// The high half of the product carries every bit of the key down, the multiplication carries it up again, to the bits that
// index rules take first. The seed is mixed once, where a Hasher is made, and not per key. Even seed 0 flips bits, so that
// the one key whose digest is 0 is a number like any other, and not 0 itself. docs/hashes.md says what it does not promise.

const (
	golden     = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	multiplier = 0xf1357aea2e62a9c5 // of [Steele & Vigna 2022]
)

// flipOf is what a seed does to keys of eight bytes.
func flipOf(seed uint64) uint64 { return SplitMix(seed) }
