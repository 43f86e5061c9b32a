package words

import (
	"bytes"
	"io"
	"slices"
	"testing"
)

// asIf runs a test as on a machine of either order of bytes.
func asIf(t *testing.T, do func(t *testing.T)) {
	real := littleEndian
	defer func() { littleEndian = real }()
	for _, order := range []bool{true, false} {
		littleEndian = order
		do(t)
	}
}

func TestWordsAreReadAndWrittenAsTheSameBytesInEitherOrder(t *testing.T) {
	asIf(t, func(t *testing.T) {
		data := make([]byte, 80)
		for i := range data {
			data[i] = byte(i)
		}
		w := make([]uint64, 9)
		if err := Read(w, bytes.NewReader(data), 8); err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(w)
		for _, size := range []int{8, 24, 72, 1 << 20} {
			var out []byte
			err := Bytes(w, size, func(b []byte) error {
				if len(b) > size {
					t.Errorf("a piece of %d bytes, not %d", len(b), size)
				}
				out = append(out, b...)
				return nil
			})
			if err != nil || !bytes.Equal(out, data[8:]) {
				t.Errorf("in pieces of %d other bytes come back: %v", size, err)
			}
		}
		if !slices.Equal(w, before) {
			t.Error("writing changed the words")
		}
		if err := Read(w, bytes.NewReader(data), 9); err != io.ErrUnexpectedEOF {
			t.Errorf("a file that ends too early: %v", err)
		}
	})
	littleEndian = true
	if _, fits := View(alias(make([]uint64, 9))[1:65]); fits {
		t.Error("bytes beside a word's boundary are viewed as words")
	}
	littleEndian = false
	if _, fits := View(alias(make([]uint64, 8))); fits {
		t.Error("bytes of the other order are viewed as words")
	}
	littleEndian = true
}

func TestBitsAreTheLowestFirstAcrossWords(t *testing.T) {
	w := []uint64{0xfedcba9876543210, 0x0123456789abcdef}
	for _, row := range []struct {
		at   uint64
		n    uint
		want uint64
	}{
		{0, 4, 0}, {4, 4, 1}, {60, 8, 0xff}, {0, 64, w[0]}, {64, 64, w[1]}, {32, 64, 0x89abcdeffedcba98},
		{124, 8, 0}, {120, 64, 1}, {128, 1, 0}, {1 << 40, 64, 0},
	} {
		if got := Bits(w, row.at, row.n); got != row.want {
			t.Errorf("%d bits from %d on: %x, not %x", row.n, row.at, got, row.want)
		}
	}
}

func TestZeroFromLooksAtEveryBitBehind(t *testing.T) {
	w := []uint64{0, 1 << 5, 0}
	for at, want := range map[uint64]bool{0: false, 64: false, 69: false, 70: true, 128: true, 192: true, 1000: true} {
		if ZeroFrom(w, at) != want {
			t.Errorf("from bit %d on: %t", at, !want)
		}
	}
}
