package native

// Reading: the one decoder, for bytes from anywhere.

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/words"
)

var le = binary.LittleEndian

func corrupt(at uint64, format string, args ...any) error {
	return fmt.Errorf("offset %d: %s: %w", at, fmt.Sprintf(format, args...), ErrCorrupt)
}

func newer(at uint64, format string, args ...any) error {
	return fmt.Errorf("offset %d: %s: %w", at, fmt.Sprintf(format, args...), ErrNewerVersion)
}

// Recognises says whether a file that begins so is a native one, of this version or another.
func Recognises(beginning []byte) bool {
	return len(beginning) >= len(magic) && (string(beginning[:len(magic)]) == magic || string(beginning[:len(magic)]) == draftMagic)
}

// ReadHeader reads and checks all of a file of this size but the pages of its body: header, lengths, seal, the zeros
// before the body and the checksum of the page table. It takes time and memory independent of the size. To recover is to
// accept a file that its writer never sealed.
func ReadHeader(r io.ReaderAt, size uint64, recover bool) (*Header, error) {
	fixed, err := readRange(r, 0, min(size, identityBytes))
	if err != nil {
		return nil, err
	}
	if size < identityBytes+trailerBytes {
		if len(fixed) >= len(magic) && !Recognises(fixed) {
			return nil, ErrNotRecognised
		}
		return nil, fmt.Errorf("%d bytes are too few for a seen file: %w", size, ErrNotRecognised)
	}
	if !Recognises(fixed) {
		return nil, ErrNotRecognised
	}
	if string(fixed[:len(draftMagic)]) == draftMagic {
		return nil, fmt.Errorf("a file of the draft before version 1 of the format; build it again: %w", ErrNotRecognised)
	}
	if major := le.Uint16(fixed[8:]); major != majorVersion {
		return nil, newer(8, "format version %d.%d", major, le.Uint16(fixed[10:]))
	}
	h := &Header{headerBytes: uint64(le.Uint32(fixed[12:]))}
	if h.headerBytes < identityBytes+trailerBytes || h.headerBytes%line != 0 || h.headerBytes > min(maxHeaderBytes, size) {
		return nil, corrupt(12, "a header of %d bytes in a file of %d", h.headerBytes, size)
	}
	b, err := readRange(r, 0, h.headerBytes)
	if err != nil {
		return nil, err
	}
	covered := h.headerBytes - trailerBytes
	if checksum(b[:covered]) != le.Uint64(b[covered:]) {
		return nil, corrupt(covered, "the header's checksum does not match")
	}
	for _, parse := range []func([]byte, *Header) error{
		func(b []byte, h *Header) error { return parseIdentity(b, size, h) },
		parseEntries,
		func(b []byte, h *Header) error { return parseSeal(b, recover, h) },
	} {
		if err := parse(b, h); err != nil {
			return nil, err
		}
	}
	gap, err := readRange(r, h.headerBytes, h.bodyOffset-h.headerBytes)
	if err != nil {
		return nil, err
	}
	if !allZero(gap) {
		return nil, corrupt(h.headerBytes, "padding that is not zero")
	}
	_, err = h.readTable(r)
	return h, err
}

func parseIdentity(b []byte, size uint64, h *Header) error {
	if said := le.Uint64(b[16:]); said != size {
		return corrupt(16, "the header says %d bytes, the file has %d", said, size)
	}
	h.Kind, h.IndexRule = le.Uint16(b[24:]), le.Uint16(b[26:])
	if flags := le.Uint32(b[28:]); flags != 0 {
		return newer(28, "flags %#x must be understood", flags)
	}
	h.Hash, h.encoding = hash.ID(le.Uint16(b[32:])), le.Uint16(b[34:])
	flags := le.Uint32(b[36:])
	if flags&^hashFlagKeyed != 0 {
		return newer(36, "hash flags %#x must be understood", flags)
	}
	h.Keyed = flags&hashFlagKeyed != 0
	h.Seed, h.HashCheck, h.Capacity = le.Uint64(b[40:]), le.Uint64(b[48:]), le.Uint64(b[56:])
	h.FPR = math.Float64frombits(le.Uint64(b[64:]))
	if !(h.FPR >= 0 && h.FPR < 1) {
		return corrupt(64, "fpr %v is not a probability below 1", h.FPR)
	}
	h.bodyOffset, h.bodyBytes, h.pageBytes = le.Uint64(b[72:]), le.Uint64(b[80:]), le.Uint64(b[88:])
	switch h.bodyOffset {
	case roundUp(h.headerBytes, LineAlignment):
		h.Alignment = LineAlignment
	case roundUp(h.headerBytes, PageAlignment):
		h.Alignment = PageAlignment
	default:
		return corrupt(72, "the body begins at %d, not right after a header of %d bytes", h.bodyOffset, h.headerBytes)
	}
	if h.bodyBytes > maxBodyBytes || h.bodyBytes%line != 0 {
		return corrupt(80, "a body of %d bytes", h.bodyBytes)
	}
	if want := pageBytesFor(h.bodyBytes); h.pageBytes != want {
		return corrupt(88, "pages of %d bytes, where a body of %d has pages of %d", h.pageBytes, h.bodyBytes, want)
	}
	if sum := h.FileBytes(); sum != size {
		return corrupt(80, "header, body and page table make %d bytes, the file has %d", sum, size)
	}
	if reserved := le.Uint32(b[100:]); reserved != 0 {
		return corrupt(100, "a reserved field is %d, not 0", reserved)
	}
	return nil
}

func parseEntries(b []byte, h *Header) error {
	end := h.headerBytes - trailerBytes
	at := uint64(identityBytes)
	var covered uint64
	for left := le.Uint32(b[96:]); left != 0; left-- {
		if end-at < 8 {
			return corrupt(at, "the header ends inside an entry")
		}
		tag, flags, length := le.Uint16(b[at:]), le.Uint16(b[at+2:]), uint64(le.Uint32(b[at+4:]))
		padded := roundUp(length, 8)
		if padded > end-at-8 {
			return corrupt(at+4, "an entry of %d bytes does not fit the header", length)
		}
		value := b[at+8 : at+8+length]
		switch {
		case tag == 0:
			return corrupt(at, "padding where an entry is due")
		case tag == tagSegment:
			s, err := parseSegment(value, at+8, len(h.Segments), covered, h.bodyBytes)
			if err != nil {
				return err
			}
			covered += s.Length
			h.Segments = append(h.Segments, s)
		case tag == tagMetadata:
			if length > MaxMetadata {
				return corrupt(at+4, "metadata of %d bytes, more than %d", length, MaxMetadata)
			}
			h.Metadata = value
		case tag == tagSecret:
			if length != hash.SecretBytes {
				return corrupt(at+4, "a secret of %d bytes, not %d", length, hash.SecretBytes)
			}
			h.Secret = value
		case flags&mustUnderstand != 0:
			return newer(at, "an entry of type %d must be understood", tag)
		}
		if !allZero(b[at+8+length : at+8+padded]) {
			return corrupt(at+8+length, "padding that is not zero")
		}
		at += 8 + padded
	}
	if !allZero(b[at:end]) {
		return corrupt(at, "padding that is not zero")
	}
	if len(h.Segments) == 0 || covered != h.bodyBytes {
		return corrupt(identityBytes, "%d segments cover %d of %d bytes of body", len(h.Segments), covered, h.bodyBytes)
	}
	return nil
}

func parseSegment(value []byte, at uint64, number int, covered, bodyBytes uint64) (Segment, error) {
	if len(value) < 16 || len(value)%8 != 0 || len(value) > 16+8*maxFields {
		return Segment{}, corrupt(at, "a segment entry of %d bytes", len(value))
	}
	if number == maxSegments {
		return Segment{}, corrupt(at, "more than %d segments", maxSegments)
	}
	s := Segment{Offset: le.Uint64(value), Length: le.Uint64(value[8:])}
	if s.Offset != covered || s.Length%line != 0 || s.Length > bodyBytes-covered {
		return s, corrupt(at, "segment %d, %d bytes from %d on, does not follow the one before it, which ends at %d", number, s.Length, s.Offset, covered)
	}
	for rest := value[16:]; len(rest) > 0; rest = rest[8:] {
		s.Shape = append(s.Shape, le.Uint64(rest))
	}
	return s, nil
}

func parseSeal(b []byte, recover bool, h *Header) error {
	at := h.headerBytes - 32
	switch string(b[at : at+8]) {
	case sealed:
	case unsealed:
		if h.Unsealed = true; recover {
			return nil
		}
		return fmt.Errorf("offset %d: a writable map of it was never closed; it opens only to be recovered: %w", at, ErrUnsealed)
	default:
		return corrupt(at, "the seal is neither whole nor open")
	}
	if checksum(b[at-8:at+24]) != le.Uint64(b[at+24:]) {
		return corrupt(at+24, "the seal's checksum does not match")
	}
	h.Census, h.tableSum = le.Uint64(b[at+8:]), le.Uint64(b[at+16:])
	return nil
}

// inPlace is a file whose bytes may be used where they are.
type inPlace interface {
	Words(offset, size uint64) ([]uint64, bool)
}

// ReadBody reads the body into words of its own and checks every page of a sealed file. The header has been checked against the size of
// the file, so no more is allocated than the file has.
func (h *Header) ReadBody(r io.ReaderAt) ([]uint64, error) {
	if there, is := r.(inPlace); is {
		if body, fits := there.Words(h.bodyOffset, h.bodyBytes); fits {
			if h.Unsealed {
				return body, nil
			}
			return body, h.CheckPages(r, body)
		}
	}
	body, err := memory.Words(h.bodyBytes / 8)
	if err != nil {
		return nil, err
	}
	if err := words.Read(body, r, int64(h.bodyOffset)); err != nil {
		return nil, err
	}
	if h.Unsealed {
		return body, nil
	}
	return body, h.CheckPages(r, body)
}

// CheckPages compares every page of a body with the checksums in the file.
func (h *Header) CheckPages(r io.ReaderAt, body []uint64) error {
	table, err := h.readTable(r)
	if err != nil {
		return err
	}
	page := uint64(0)
	return words.Bytes(body, int(h.pageBytes), func(b []byte) error {
		if checksum(b) != le.Uint64(table[8*page:]) {
			return corrupt(h.bodyOffset+page*h.pageBytes, "the %d bytes from here do not match their checksum", len(b))
		}
		page++
		return nil
	})
}

func (h *Header) readTable(r io.ReaderAt) ([]byte, error) {
	table, err := readRange(r, h.tableOffset(), 8*h.pages())
	if err != nil {
		return nil, err
	}
	if !h.Unsealed && checksum(table) != h.tableSum {
		return nil, corrupt(h.tableOffset(), "the checksum of the page table does not match")
	}
	return table, nil
}

func readRange(r io.ReaderAt, offset, size uint64) ([]byte, error) {
	b := make([]byte, size)
	n, err := r.ReadAt(b, int64(offset))
	if n == len(b) {
		return b, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

func checksum(b []byte) uint64 { return hash.XXH3(b, 0) }

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
