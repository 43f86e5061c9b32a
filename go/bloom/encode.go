package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/bits-and-blooms/bitset"

	"github.com/seenfilter/seen/go/internal/interop"
)

// The encodings of bits-and-blooms, to the byte: m and k big-endian, then the set of bits in the order that bitset.BinaryOrder has
// in this process; JSON in its alphabet. A filter of another format has other positions: written so, its keys would be lost to whoever
// reads it, so these methods refuse it, and Save is its way out.

// MarshalBinary returns the bytes that the original would, for encoding.BinaryMarshaler.
func (f *BloomFilter) MarshalBinary() ([]byte, error) {
	b, err := f.current()
	if err != nil {
		return nil, err
	}
	file, err := b.original()
	if err != nil {
		return nil, err
	}
	if bitset.BinaryOrder() == binary.LittleEndian {
		file.Variant = "binary-le"
	}
	return file.Append(nil), nil
}

// original is a snapshot as a file of bits-and-blooms, if it could be read as one.
func (b *body) original() (*interop.File, error) {
	if b.rule.Kind != interop.FourWords {
		return nil, fmt.Errorf("bloom: a %s filter has no encoding of bits-and-blooms; Save writes it in its own", b.format())
	}
	length, words := b.bitSet()
	file := &interop.File{Format: interop.BitsAndBlooms, Variant: "binary", M: b.Mod.M, K: b.K, L: length, Words: words}
	return file, file.Check()
}

// UnmarshalBinary reads what MarshalBinary gives, here or in the original, for encoding.BinaryUnmarshaler.
func (f *BloomFilter) UnmarshalBinary(data []byte) error {
	file, err := interop.DecodeBinary(data)
	if err != nil {
		return err
	}
	f.become(file)
	return nil
}

// become puts a filter that was read in the place of this one, in one step.
func (f *BloomFilter) become(file *interop.File) {
	if f.s == nil {
		f.s = new(state)
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.s.now.Store(bodyOf(file, file.Format.Rule()))
}

// GobEncode returns the bytes of MarshalBinary, for gob.GobEncoder.
func (f *BloomFilter) GobEncode() ([]byte, error) { return f.MarshalBinary() }

// GobDecode reads the bytes of GobEncode, for gob.GobDecoder.
func (f *BloomFilter) GobDecode(data []byte) error { return f.UnmarshalBinary(data) }

// MarshalJSON returns the object that the original would, for json.Marshaler.
func (f BloomFilter) MarshalJSON() ([]byte, error) {
	type object struct {
		M uint64         `json:"m"`
		K uint64         `json:"k"`
		B *bitset.BitSet `json:"b"`
	}
	if f.s == nil {
		return json.Marshal(object{})
	}
	file, err := f.s.live().original()
	if err != nil {
		return nil, err
	}
	// The set encodes itself: which alphabet was chosen for the process only it knows.
	return json.Marshal(object{file.M, file.K, bitset.FromWithLength(uint(file.L), file.Words[:interop.WordsFor(file.L)])})
}

// UnmarshalJSON reads what MarshalJSON gives, here or in the original, in either alphabet, for json.Unmarshaler. A null, and what a zero
// BloomFilter gives, change nothing.
func (f *BloomFilter) UnmarshalJSON(data []byte) error {
	file, err := interop.DecodeJSON(data)
	if err != nil {
		if holdsNothing(data) {
			return nil
		}
		return err
	}
	f.become(file)
	return nil
}

// holdsNothing tells a null, or what a zero BloomFilter gives, whatever white space is between.
func holdsNothing(data []byte) bool {
	var dense bytes.Buffer
	if json.Compact(&dense, data) != nil {
		return false
	}
	text := dense.String()
	return text == "null" || text == `{"m":0,"k":0,"b":null}`
}

// WriteTo writes the bytes of MarshalBinary, and returns how many.
func (f *BloomFilter) WriteTo(stream io.Writer) (int64, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := stream.Write(data)
	return int64(n), err
}

// ReadFrom reads what WriteTo gives, here or in the original, and returns how many bytes it took; it takes none after the filter. The
// order of bytes of the set is that of bitset.BinaryOrder, since a stream has no length that could tell. A read goes to the stream for
// every megabyte: give it a bufio.Reader only where many filters are small.
func (f *BloomFilter) ReadFrom(stream io.Reader) (int64, error) {
	data := make([]byte, 24)
	n, err := io.ReadFull(stream, data)
	if err == io.EOF { // before the first byte: so a loop over the filters of a stream ends
		return 0, err
	}
	if err != nil {
		return int64(n), within(err)
	}
	length := bitset.BinaryOrder().Uint64(data[16:])
	if length > interop.MaxBits {
		return int64(n), fmt.Errorf("bits-and-blooms: offset 16: a set of %d bits; at most 2^40", length)
	}
	// The announced length is only a wish: memory is taken as bytes arrive.
	const piece = 1 << 20
	for left := 8 * interop.WordsFor(length); left > 0; {
		take := min(left, piece)
		at := len(data)
		data = append(data, make([]byte, take)...)
		n, err := io.ReadFull(stream, data[at:])
		if err != nil {
			return int64(at + n), within(err)
		}
		left -= take
	}
	return int64(len(data)), f.UnmarshalBinary(data)
}

// within is an error of a stream after a part of the filter.
func within(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("bits-and-blooms: reading the filter: %w", err)
}
