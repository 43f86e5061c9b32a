// Package words is what lies between the bytes of a file and the 64-bit words that filters are made of.
//
// Bit i of a filter is bit i mod 8 of byte i/8 in its file, and bit i mod 64 of word i/64 in memory. On a little-endian
// machine the two are the same bytes, so words are read and written where they are, and a mapped file is used in place;
// elsewhere they are turned over on the way. This is the only place that knows.
package words

import (
	"encoding/binary"
	"io"
	"math/bits"
	"unsafe"
)

// littleEndian says whether words in memory are the bytes of files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// alias is the memory of words as bytes.
func alias(w []uint64) []byte {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), 8*len(w))
}

// turn makes words of bytes that lie in their place, and bytes of words.
func turn(w []uint64) {
	if !littleEndian {
		for i := range w {
			w[i] = bits.ReverseBytes64(w[i])
		}
	}
}

// Read fills w with the bytes of r from an offset on.
func Read(w []uint64, r io.ReaderAt, offset int64) error {
	n, err := r.ReadAt(alias(w), offset)
	if n == 8*len(w) {
		turn(w)
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// View is b as words, without a copy. It is refused where the machine is not little-endian or b not on a word's boundary.
func View(b []byte) ([]uint64, bool) {
	if len(b) == 0 {
		return nil, true
	}
	if !littleEndian || len(b)%8 != 0 || uintptr(unsafe.Pointer(&b[0]))%8 != 0 {
		return nil, false
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), len(b)/8), true
}

// Alias is the memory of words as the bytes of files, without a copy; nil where the two differ, on machines of the other order.
func Alias(w []uint64) []byte {
	if !littleEndian {
		return nil
	}
	return alias(w)
}

// Aligned is so many bytes, all 0, on a word's boundary.
func Aligned(bytes uint64) []byte { return alias(make([]uint64, (bytes+7)/8))[:bytes] }

// Bytes hands the bytes of w to each, in pieces of at most size bytes (a multiple of 8), and stops at an error. Pieces
// belong to w: they must not be changed or kept.
func Bytes(w []uint64, size int, each func([]byte) error) error {
	for len(w) > 0 {
		some := w[:min(len(w), size/8)]
		w = w[len(some):]
		if !littleEndian {
			some = append([]uint64(nil), some...)
			turn(some)
		}
		if err := each(alias(some)); err != nil {
			return err
		}
	}
	return nil
}

// Bits is the n bits from bit at on, the lowest first; n is at most 64, and bits beyond the end are 0.
func Bits(w []uint64, at uint64, n uint) uint64 {
	i, shift := at>>6, uint(at&63)
	if i >= uint64(len(w)) {
		return 0
	}
	x := w[i] >> shift
	if shift+n > 64 && i+1 < uint64(len(w)) {
		x |= w[i+1] << (64 - shift)
	}
	return x & Mask(n)
}

// Put makes x the n bits from bit at on, which must be there; n is at most 63.
func Put(w []uint64, at uint64, n uint, x uint64) {
	i, shift := at>>6, uint(at&63)
	w[i] = w[i]&^(Mask(n)<<shift) | x<<shift
	if shift+n > 64 {
		w[i+1] = w[i+1]&^(Mask(n)>>(64-shift)) | x>>(64-shift)
	}
}

// Mask has the n lowest bits set, n being at most 64.
func Mask(n uint) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// Count is the number of set bits.
func Count(w []uint64) uint64 {
	total := 0
	for _, x := range w {
		total += bits.OnesCount64(x)
	}
	return uint64(total)
}

// ZeroFrom says whether every bit from bit at on is 0.
func ZeroFrom(w []uint64, at uint64) bool {
	i := at >> 6
	if i >= uint64(len(w)) {
		return true
	}
	if w[i]>>(at&63) != 0 {
		return false
	}
	for _, x := range w[i+1:] {
		if x != 0 {
			return false
		}
	}
	return true
}
