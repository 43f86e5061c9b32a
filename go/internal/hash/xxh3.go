package hash

// XXH3 with 64 bits of output and a seed: the default hash of all keys but those of eight bytes (xxh3fold.go), and the
// checksum of every file.
//
//	bytes     how
//	0-16      a few words, one or two multiplications
//	17-240    pairs of words times pairs of the secret, folded from 128 to 64 bits
//	241-      stripes of 64 bytes into eight accumulators, scrambled every 1024 bytes
//
// The algorithm is that of xxHash 0.8; its specification names the constants. Words are little-endian on every machine.

import (
	"encoding/binary"
	"math/bits"
)

const (
	prime32x1 = 0x9e3779b1
	prime32x2 = 0x85ebca77
	prime32x3 = 0xc2b2ae3d
	prime64x1 = 0x9e3779b185ebca87
	prime64x2 = 0xc2b2ae3d27d4eb4f
	prime64x3 = 0x165667b19e3779f9
	prime64x4 = 0x85ebca77c2b2ae63
	prime64x5 = 0x27d4eb2f165667c5
	mix1      = 0x165667919e3779f9
	mix2      = 0x9fb21c651e98df25

	stripe      = 64
	secretBytes = 192
	block       = stripe * (secretBytes - stripe) / 8
)

// The first 192 bytes that XXH3 mixes its input with, from its specification.
var secret3 = [secretBytes]byte{
	0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
	0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
	0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
	0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
	0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
	0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
	0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
	0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
	0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
	0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
	0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
}

// The constants that inputs of up to 16 bytes are mixed with: pairs of words of XXH3's secret, exclusive-ored beforehand.
const (
	flip0   = 0x8726f9105dc21ddc // words at 56 and 64
	flip3   = 0x87275a9b         // half words at 0 and 4
	flip8   = 0xc73ab174c5ecd5a2 // words at 8 and 16
	flip16a = 0x6782737bea4239b9 // words at 24 and 32
	flip16b = 0xaf56bc3b0996523a // words at 40 and 48
)

// XXH3 is XXH3-64 of data with a seed.
func XXH3(data []byte, seed uint64) uint64 {
	n := len(data)
	switch {
	case n > 240:
		return xxh3Long(data, seed)
	case n > 128:
		return xxh3Upto240(data, seed)
	case n > 16:
		return xxh3Upto128(data, seed)
	case n > 8:
		lo := le64(data) ^ (flip16a + seed)
		hi := le64(data[n-8:]) ^ (flip16b - seed)
		return avalanche3(uint64(n) + bits.ReverseBytes64(lo) + hi + fold(lo, hi))
	case n > 3:
		return xxh3Upto8(uint64(le32(data))<<32+uint64(le32(data[n-4:])), n, seed)
	case n > 0:
		joined := uint32(data[0])<<16 | uint32(data[n>>1])<<24 | uint32(data[n-1]) | uint32(n)<<8
		return avalanche64(uint64(joined) ^ (flip3 + seed))
	}
	return avalanche64(seed ^ flip0)
}

// xxh3Word is XXH3 of the eight little-endian bytes of x, without the bytes.
func xxh3Word(x, seed uint64) uint64 { return xxh3Upto8(bits.RotateLeft64(x, 32), 8, seed) }

func xxh3Upto8(x uint64, n int, seed uint64) uint64 {
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	x ^= flip8 - seed
	x ^= bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)
	x *= mix2
	x ^= x>>35 + uint64(n)
	x *= mix2
	return x ^ x>>28
}

func xxh3Upto128(data []byte, seed uint64) uint64 {
	n := len(data)
	sum := uint64(n) * prime64x1
	for i := (n - 1) / 32; i >= 0; i-- {
		sum += mix16(data[16*i:], secret3[32*i:], seed)
		sum += mix16(data[n-16*(i+1):], secret3[32*i+16:], seed)
	}
	return avalanche3(sum)
}

func xxh3Upto240(data []byte, seed uint64) uint64 {
	n := len(data)
	sum := uint64(n) * prime64x1
	for i := 0; i < 8; i++ {
		sum += mix16(data[16*i:], secret3[16*i:], seed)
	}
	sum = avalanche3(sum)
	for i := 8; i < n/16; i++ {
		sum += mix16(data[16*i:], secret3[16*(i-8)+3:], seed)
	}
	return avalanche3(sum + mix16(data[n-16:], secret3[136-17:], seed))
}

func xxh3Long(data []byte, seed uint64) uint64 {
	secret := secret3
	if seed != 0 {
		for i := 0; i < secretBytes; i += 16 {
			binary.LittleEndian.PutUint64(secret[i:], le64(secret3[i:])+seed)
			binary.LittleEndian.PutUint64(secret[i+8:], le64(secret3[i+8:])-seed)
		}
	}
	acc := [8]uint64{prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1}
	rest := data
	for len(rest) > block { // the last block, full or not, is not scrambled
		for i := 0; i < block/stripe; i++ {
			accumulate(&acc, rest[i*stripe:], secret[8*i:])
		}
		for i := range acc {
			a := acc[i]
			acc[i] = (a ^ a>>47 ^ le64(secret[secretBytes-stripe+8*i:])) * prime32x1
		}
		rest = rest[block:]
	}
	for i := 0; i < (len(rest)-1)/stripe; i++ {
		accumulate(&acc, rest[i*stripe:], secret[8*i:])
	}
	accumulate(&acc, data[len(data)-stripe:], secret[secretBytes-stripe-7:])
	sum := uint64(len(data)) * prime64x1
	for i := 0; i < 4; i++ {
		sum += fold(acc[2*i]^le64(secret[11+16*i:]), acc[2*i+1]^le64(secret[19+16*i:]))
	}
	return avalanche3(sum)
}

// accumulate takes one stripe in. Both slices are cut to their arrays once, so that no word is checked again.
func accumulate(acc *[8]uint64, data, secret []byte) {
	d, s := (*[stripe]byte)(data), (*[stripe]byte)(secret)
	for i := 0; i < 8; i += 2 {
		a, b := le64(d[8*i:]), le64(d[8*i+8:])
		x, y := a^le64(s[8*i:]), b^le64(s[8*i+8:])
		acc[i] += b + x&0xffffffff*(x>>32)
		acc[i+1] += a + y&0xffffffff*(y>>32)
	}
}

func mix16(data, secret []byte, seed uint64) uint64 {
	d, s := (*[16]byte)(data), (*[16]byte)(secret)
	return fold(le64(d[:])^(le64(s[:])+seed), le64(d[8:])^(le64(s[8:])-seed))
}

// fold is the exclusive or of the two halves of a 128-bit product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func avalanche3(x uint64) uint64 {
	x ^= x >> 37
	x *= mix1
	return x ^ x>>32
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
