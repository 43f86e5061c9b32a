package interop

// phrozen and portable: a header of m and k, and the bits. Both are little-endian, so that bits in words and bits in bytes
// are the same bytes.
//
//	phrozen    m u64, k u64, words
//	portable   k u32, m u64, bytes

import (
	"encoding/binary"
	"fmt"
)

const (
	phrozenHeader  = 16
	portableHeader = 12
)

func phrozenBytes(m uint64) uint64  { return phrozenHeader + 8*WordsFor(m) }
func portableBytes(m uint64) uint64 { return portableHeader + (m+7)/8 }

// readPhrozen reads the header and compares the length.
func readPhrozen(data []byte) (m, k uint64, err error) {
	if len(data) < phrozenHeader {
		return 0, 0, fmt.Errorf("phrozen: %d bytes are too few for the header", len(data))
	}
	m, k = binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
	if err := CheckShape(Phrozen, m, k); err != nil {
		return 0, 0, err
	}
	return m, k, checkLength(Phrozen, 0, m, phrozenBytes(m), len(data))
}

func readPortable(data []byte) (m, k uint64, err error) {
	if len(data) < portableHeader {
		return 0, 0, fmt.Errorf("portable: %d bytes are too few for the header", len(data))
	}
	k, m = uint64(binary.LittleEndian.Uint32(data)), binary.LittleEndian.Uint64(data[4:])
	if err := CheckShape(Portable, m, k); err != nil {
		return 0, 0, err
	}
	return m, k, checkLength(Portable, 4, m, portableBytes(m), len(data))
}

func checkLength(format Format, offset int, m, want uint64, have int) error {
	if uint64(have) != want {
		return fmt.Errorf("%s: offset %d: %d bits make a file of %d bytes; this one has %d", format, offset, m, want, have)
	}
	return nil
}

// detectPhrozen finds m, k and words: what anybody would write, and others do. Nothing tells whose hash set the bits.
func detectPhrozen(data []byte) Detection {
	if _, _, err := readPhrozen(data); err != nil {
		return No
	}
	return Fitting
}

// detectPortable finds k, m and the one length that m allows: small numbers, and no proof. (The lowest byte of m is not fixed by
// the length.)
func detectPortable(data []byte) Detection {
	if _, _, err := readPortable(data); err != nil {
		return No
	}
	e := &evidence{data: data}
	return e.fix(1, 3).fix(5, 7).weigh(Likely)
}

func decodePhrozen(data []byte) (*File, error) {
	m, k, err := readPhrozen(data)
	if err != nil {
		return nil, err
	}
	return flatFile(Phrozen, m, k, data[phrozenHeader:])
}

func decodePortable(data []byte) (*File, error) {
	if err := portableSelfCheck(); err != nil {
		return nil, err
	}
	m, k, err := readPortable(data)
	if err != nil {
		return nil, err
	}
	return flatFile(Portable, m, k, data[portableHeader:])
}

func flatFile(format Format, m, k uint64, body []byte) (*File, error) {
	f := &File{Format: format, M: m, K: k, L: m, Words: make([]uint64, WordsFor(m))}
	whole := len(body) / 8
	for i := range whole {
		f.Words[i] = binary.LittleEndian.Uint64(body[8*i:])
	}
	if rest := body[8*whole:]; len(rest) != 0 {
		var last [8]byte
		copy(last[:], rest)
		f.Words[whole] = binary.LittleEndian.Uint64(last[:])
	}
	if f.Grown() != m {
		return nil, fmt.Errorf("%s: bits beyond the %d of the filter are set", format, m)
	}
	return f, nil
}

func (f *File) appendPhrozen(to []byte) []byte {
	to = binary.LittleEndian.AppendUint64(to, f.M)
	to = binary.LittleEndian.AppendUint64(to, f.K)
	return appendWords(to, f.Words, binary.LittleEndian)
}

func (f *File) appendPortable(to []byte) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(f.K))
	to = binary.LittleEndian.AppendUint64(to, f.M)
	end := uint64(len(to)) + (f.M+7)/8
	return appendWords(to, f.Words, binary.LittleEndian)[:end]
}
