// Package murmur3 is MurmurHash3 x64-128 with seed 0, as Go's Bloom filters use it: the two words of a key, and the two
// words of the same key with one more byte, 1, behind it.
//
//	key ─┬─ blocks of 16 bytes ─► a, b ─┬─ tail           ─► finish(n)     ─► words 0, 1
//	     │                              └─ tail, one byte 1 ─► finish(n + 1) ─► words 2, 3
//
// The blocks are the same for both, so the second pair costs one more ending and no second pass. Nothing allocates, and no
// key escapes: a caller's buffer may stay on its stack. Words are little-endian on every machine.
package murmur3

import (
	"encoding/binary"
	"math/bits"
)

const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
)

// Sum128 returns the two words of MurmurHash3 x64-128 of key with seed 0.
func Sum128(key []byte) (uint64, uint64) { return Sum128Seed(key, 0) }

// Sum128Seed returns the two words of MurmurHash3 x64-128 of key with a seed.
func Sum128Seed(key []byte, seed uint32) (uint64, uint64) {
	a, b, tail := blocks(key, uint64(seed))
	low, high := load(tail)
	return finish(a^scramble1(low), b^scramble2(high), uint64(len(key)))
}

// Sum256 returns the words of key, then those of key with the byte 1 appended.
func Sum256(key []byte) (w0, w1, w2, w3 uint64) {
	n := uint64(len(key))
	if n == 16 {
		// One whole block and two empty tails: no loop, no tail to load.
		a, b := mix(0, 0, binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]))
		w0, w1 = finish(a, b, 16)
		w2, w3 = finish(a^scramble1(1), b, 17)
		return w0, w1, w2, w3
	}
	a, b, tail := blocks(key, 0)
	low, high := load(tail)
	w0, w1 = finish(a^scramble1(low), b^scramble2(high), n)
	if len(tail) < 8 {
		low |= 1 << (8 * len(tail))
	} else {
		high |= 1 << (8 * (len(tail) - 8))
	}
	if len(tail) == 15 {
		a, b = mix(a, b, low, high)
		low, high = 0, 0
	}
	w2, w3 = finish(a^scramble1(low), b^scramble2(high), n+1)
	return w0, w1, w2, w3
}

// blocks hashes all whole blocks, and returns what is left of the key: 0 to 15 bytes.
func blocks(key []byte, seed uint64) (a, b uint64, tail []byte) {
	a, b = seed, seed
	for len(key) >= 16 {
		a, b = mix(a, b, binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]))
		key = key[16:]
	}
	return a, b, key
}

func mix(a, b, low, high uint64) (uint64, uint64) {
	a = (bits.RotateLeft64(a^scramble1(low), 27)+b)*5 + 0x52dce729
	b = (bits.RotateLeft64(b^scramble2(high), 31)+a)*5 + 0x38495ab5
	return a, b
}

// scramble1 and scramble2 take 0 to 0, so a tail that is not there changes nothing.
func scramble1(x uint64) uint64 { return bits.RotateLeft64(x*c1, 31) * c2 }
func scramble2(x uint64) uint64 { return bits.RotateLeft64(x*c2, 33) * c1 }

// load reads at most 15 bytes as two little-endian words, zeros behind them.
func load(tail []byte) (low, high uint64) {
	if len(tail) >= 8 {
		low = binary.LittleEndian.Uint64(tail)
		return low, loadWord(tail[8:])
	}
	return loadWord(tail), 0
}

// loadWord reads at most 7 bytes.
func loadWord(some []byte) uint64 {
	n := len(some)
	if n >= 4 {
		// Two loads that overlap where there are fewer than eight bytes.
		return uint64(binary.LittleEndian.Uint32(some)) | uint64(binary.LittleEndian.Uint32(some[n-4:]))<<(8*(n-4))
	}
	if n == 0 {
		return 0
	}
	return uint64(some[0]) | uint64(some[n/2])<<(8*(n/2)) | uint64(some[n-1])<<(8*(n-1))
}

func finish(a, b, length uint64) (uint64, uint64) {
	a ^= length
	b ^= length
	a += b
	b += a
	a = avalanche(a)
	b = avalanche(b)
	a += b
	b += a
	return a, b
}

// avalanche is fmix64, the finaliser of MurmurHash3.
func avalanche(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
