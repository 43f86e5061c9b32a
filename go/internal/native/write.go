package native

// Writing: the header is laid out from what it says, checksums are taken of the body, then all goes out in one pass.

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/words"
)

// layOut computes everything in h that follows from its segments, metadata and secret.
func (h *Header) layOut() error {
	if len(h.Metadata) > MaxMetadata {
		return fault.New(fault.InvalidArgument, "metadata of %d bytes; a file takes %d", len(h.Metadata), MaxMetadata)
	}
	if h.Alignment == 0 {
		h.Alignment = LineAlignment
	}
	if h.Alignment != LineAlignment && h.Alignment != PageAlignment {
		return fault.New(fault.InvalidArgument, "alignment %d is neither %d nor %d", h.Alignment, LineAlignment, PageAlignment)
	}
	entries := uint64(0)
	h.bodyBytes = 0
	for i := range h.Segments {
		s := &h.Segments[i]
		s.Offset = h.bodyBytes
		h.bodyBytes += s.Length
		entries += 24 + 8*uint64(len(s.Shape))
	}
	if len(h.Metadata) > 0 {
		entries += 8 + roundUp(uint64(len(h.Metadata)), 8)
	}
	if h.Secret != nil {
		entries += 8 + hash.SecretBytes
	}
	h.headerBytes = roundUp(identityBytes+entries+trailerBytes, line)
	h.bodyOffset = roundUp(h.headerBytes, h.Alignment)
	h.pageBytes = pageBytesFor(h.bodyBytes)
	h.encoding = keyEncodingBytes
	return nil
}

// Size is how many bytes WriteTo will write.
func (h *Header) Size() (uint64, error) {
	if err := h.layOut(); err != nil {
		return 0, err
	}
	return h.FileBytes(), nil
}

// WriteTo writes a file with this header and body: the words of all segments, one after another.
func (h *Header) WriteTo(w io.Writer, body []uint64) (int64, error) {
	if err := h.layOut(); err != nil {
		return 0, err
	}
	if uint64(len(body))*8 != h.bodyBytes {
		return 0, fmt.Errorf("segments of %d bytes and a body of %d", h.bodyBytes, 8*len(body))
	}
	table := make([]byte, 0, 8*h.pages())
	_ = words.Bytes(body, int(h.pageBytes), func(b []byte) error {
		table = le.AppendUint64(table, checksum(b))
		return nil
	})
	out := counter{w: w}
	if err := out.write(h.encode(checksum(table))); err != nil {
		return out.n, err
	}
	// In pieces, so that a machine that has to turn words over needs no second body.
	if err := words.Bytes(body, 1<<20, out.write); err != nil {
		return out.n, err
	}
	err := out.write(table)
	return out.n, err
}

// encode is all bytes before the body.
func (h *Header) encode(tableSum uint64) []byte {
	b := make([]byte, 0, h.bodyOffset)
	b = append(b, magic...)
	b = le.AppendUint16(b, majorVersion)
	b = le.AppendUint16(b, minorVersion)
	b = le.AppendUint32(b, uint32(h.headerBytes))
	b = le.AppendUint64(b, h.FileBytes())
	b = le.AppendUint16(b, h.Kind)
	b = le.AppendUint16(b, h.IndexRule)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint16(b, uint16(h.Hash))
	b = le.AppendUint16(b, h.encoding)
	flags := uint32(0)
	if h.Keyed {
		flags = hashFlagKeyed
	}
	b = le.AppendUint32(b, flags)
	b = le.AppendUint64(b, h.Seed)
	b = le.AppendUint64(b, h.HashCheck)
	b = le.AppendUint64(b, h.Capacity)
	b = le.AppendUint64(b, math.Float64bits(h.FPR))
	b = le.AppendUint64(b, h.bodyOffset)
	b = le.AppendUint64(b, h.bodyBytes)
	b = le.AppendUint64(b, h.pageBytes)
	count := uint32(len(h.Segments))
	if len(h.Metadata) > 0 {
		count++
	}
	if h.Secret != nil {
		count++
	}
	b = le.AppendUint32(b, count)
	b = le.AppendUint32(b, 0)
	for _, s := range h.Segments {
		value := le.AppendUint64(le.AppendUint64(nil, s.Offset), s.Length)
		for _, p := range s.Shape {
			value = le.AppendUint64(value, p)
		}
		b = appendEntry(b, tagSegment, mustUnderstand, value)
	}
	if len(h.Metadata) > 0 {
		b = appendEntry(b, tagMetadata, 0, h.Metadata)
	}
	if h.Secret != nil {
		b = appendEntry(b, tagSecret, 0, h.Secret)
	}
	b = pad(b, h.headerBytes-trailerBytes)
	b = le.AppendUint64(b, checksum(b))
	b = append(b, sealed...)
	b = le.AppendUint64(b, h.Census)
	b = le.AppendUint64(b, tableSum)
	b = le.AppendUint64(b, checksum(b[h.headerBytes-trailerBytes:]))
	return pad(b, h.bodyOffset)
}

func appendEntry(b []byte, tag, flags uint16, value []byte) []byte {
	b = le.AppendUint16(b, tag)
	b = le.AppendUint16(b, flags)
	b = le.AppendUint32(b, uint32(len(value)))
	b = append(b, value...)
	return pad(b, roundUp(uint64(len(b)), 8))
}

func pad(b []byte, size uint64) []byte {
	return append(b, bytes.Repeat([]byte{0}, int(size)-len(b))...)
}

// counter counts what was written, as io.WriterTo wants it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) write(b []byte) error {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return err
}
