package hash

// FNV1a is FNV-1a with 64 bits. Its high bits hardly depend on the last bytes of a key. It serves to read the filters of
// others, and as the first half of FNV1aMixed.
func FNV1a(data []byte) uint64 {
	sum := uint64(0xcbf29ce484222325)
	for _, c := range data {
		sum = (sum ^ uint64(c)) * 0x100000001b3
	}
	return sum
}

// SplitMix is one step of SplitMix64 from the state x: the addition belongs to it.
func SplitMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// FNV1aMixed is FNV-1a and then a step of SplitMix64, the portable format's hash.
func FNV1aMixed(data []byte) uint64 { return SplitMix(FNV1a(data)) }
