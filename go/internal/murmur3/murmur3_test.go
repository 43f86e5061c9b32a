package murmur3

import (
	"bytes"
	"testing"
)

func TestKnownAnswers(t *testing.T) {
	for _, known := range []struct {
		key  string
		a, b uint64
	}{
		{"", 0, 0},
		{"a", 0x85555565f6597889, 0xe6b53a48510e895a},
		{"key-0", 0xcaa56e2e1cfe5b91, 0xb4e4c67c908bb009},
		{"foobar", 0xbdd2ae7116c85a45, 0},
		{"have I seen this before?", 0x9ed1b9415731bb1c, 0},
	} {
		a, b := Sum128([]byte(known.key))
		if a != known.a || known.b != 0 && b != known.b {
			t.Errorf("%q: %016x %016x, want %016x %016x", known.key, a, b, known.a, known.b)
		}
	}
}

// reference is the definition read aloud: one byte at a time, no shared work.
func reference(key []byte) (uint64, uint64) {
	var a, b uint64
	whole := len(key) / 16 * 16
	word := func(from []byte) (x uint64) {
		for i, c := range from {
			x |= uint64(c) << (8 * i)
		}
		return x
	}
	for i := 0; i < whole; i += 16 {
		a, b = mix(a, b, word(key[i:i+8]), word(key[i+8:i+16]))
	}
	tail := key[whole:]
	if len(tail) > 8 {
		b ^= scramble2(word(tail[8:]))
	}
	a ^= scramble1(word(tail[:min(8, len(tail))]))
	return finish(a, b, uint64(len(key)))
}

func TestEveryLengthEqualsTheDefinitionWithAndWithoutTheByteOne(t *testing.T) {
	key := make([]byte, 0, 200)
	for n := 0; n < 200; n++ {
		a, b := reference(key)
		c, d := reference(append(bytes.Clone(key), 1))
		if x, y := Sum128(key); x != a || y != b {
			t.Errorf("Sum128 of %d bytes: %x %x, want %x %x", n, x, y, a, b)
		}
		if w, x, y, z := Sum256(key); w != a || x != b || y != c || z != d {
			t.Errorf("Sum256 of %d bytes: %x %x %x %x, want %x %x %x %x", n, w, x, y, z, a, b, c, d)
		}
		key = append(key, byte(n*151+7))
	}
}
