package hash

import "math/bits"

// SipHash is SipHash with a number of rounds per word and another at the end, for keys that strangers choose: 2 and 4 conservatively,
// 1 and 3 faster. [Aumasson & Bernstein 2012, "SipHash: a fast short-input PRF"]
func SipHash(data []byte, k0, k1 uint64, rounds, finish int) uint64 {
	v := [4]uint64{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	last := uint64(len(data)) << 56
	for ; len(data) >= 8; data = data[8:] {
		v[3] ^= le64(data)
		sipRounds(&v, rounds)
		v[0] ^= le64(data)
	}
	for i, c := range data {
		last |= uint64(c) << (8 * i)
	}
	v[3] ^= last
	sipRounds(&v, rounds)
	v[0] ^= last
	v[2] ^= 0xff
	sipRounds(&v, finish)
	return v[0] ^ v[1] ^ v[2] ^ v[3]
}

func sipRounds(v *[4]uint64, count int) {
	a, b, c, d := v[0], v[1], v[2], v[3]
	for ; count > 0; count-- {
		a += b
		c += d
		b = bits.RotateLeft64(b, 13) ^ a
		d = bits.RotateLeft64(d, 16) ^ c
		a = bits.RotateLeft64(a, 32)
		c += b
		a += d
		b = bits.RotateLeft64(b, 17) ^ c
		d = bits.RotateLeft64(d, 21) ^ a
		c = bits.RotateLeft64(c, 32)
	}
	v[0], v[1], v[2], v[3] = a, b, c, d
}
