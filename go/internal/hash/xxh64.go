package hash

import "math/bits"

// XXH64 is XXH64 of data with a seed: Apache Parquet's hash.
func XXH64(data []byte, seed uint64) uint64 {
	n := uint64(len(data))
	var sum uint64
	if len(data) >= 32 {
		const p1 uint64 = prime64x1 // a variable's type lets the sums below wrap
		a, b, c, d := seed+p1, seed+prime64x2, seed, seed
		a += prime64x2
		d -= p1
		for ; len(data) >= 32; data = data[32:] {
			a = round64(a, le64(data))
			b = round64(b, le64(data[8:]))
			c = round64(c, le64(data[16:]))
			d = round64(d, le64(data[24:]))
		}
		sum = bits.RotateLeft64(a, 1) + bits.RotateLeft64(b, 7) + bits.RotateLeft64(c, 12) + bits.RotateLeft64(d, 18)
		for _, lane := range [4]uint64{a, b, c, d} {
			sum = (sum^round64(0, lane))*prime64x1 + prime64x4
		}
	} else {
		sum = seed + prime64x5
	}
	sum += n
	for ; len(data) >= 8; data = data[8:] {
		sum = bits.RotateLeft64(sum^round64(0, le64(data)), 27)*prime64x1 + prime64x4
	}
	if len(data) >= 4 {
		sum = bits.RotateLeft64(sum^uint64(le32(data))*prime64x1, 23)*prime64x2 + prime64x3
		data = data[4:]
	}
	for _, c := range data {
		sum = bits.RotateLeft64(sum^uint64(c)*prime64x5, 11) * prime64x1
	}
	return avalanche64(sum)
}

func round64(sum, word uint64) uint64 {
	return bits.RotateLeft64(sum+word*prime64x2, 31) * prime64x1
}

func avalanche64(x uint64) uint64 {
	x ^= x >> 33
	x *= prime64x2
	x ^= x >> 29
	x *= prime64x3
	return x ^ x>>32
}
