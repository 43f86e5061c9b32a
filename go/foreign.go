package seen

// The Bloom filters of other libraries, with their own hashes, positions and bytes.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/replace"
)

// Format is a file format: seen's own, or another library's.
type Format string

// The formats that are read and written here.
const (
	FormatNative        Format = "native"
	FormatBitsAndBlooms Format = "bits-and-blooms" // github.com/bits-and-blooms/bloom, version 3
	FormatPhrozen       Format = "phrozen"
	FormatPortable      Format = "portable" // the format that any language writes in twenty lines
)

// Foreign is a Bloom filter in the format of another library. Keys find their bits by that library's hash and rule. It is
// saved as a file that the library reads, in the encoding in which it came. These formats have no checksum, so a damaged
// file may go unnoticed. Many goroutines may ask it, or one may write.
type Foreign struct {
	file      interop.File
	rule      interop.Rule
	remainder interop.Remainder
}

// NewForeign is an empty filter for a target, sized as the format's own library sizes it. [WithVariant] chooses among the
// encodings of bits-and-blooms, and [WithHash] or [WithOwnHash] another hash for phrozen, whose users may choose it.
func NewForeign(format Format, target Target, options ...Option) (*Foreign, error) {
	return newForeign(format, interop.Wish{Capacity: target.Capacity, FPR: target.FPR}, options)
}

// NewForeignShape is an empty filter of a shape. Formats other than the portable one take up to 255 probes.
func NewForeignShape(format Format, shape BloomShape, options ...Option) (*Foreign, error) {
	return newForeign(format, interop.Wish{Bits: shape.Bits, Probes: shape.Probes}, options)
}

func newForeign(format Format, wish interop.Wish, options []Option) (*Foreign, error) {
	m := makingOf(options)
	if m.seed != 0 || m.secret != nil || m.wishes() != nil {
		return nil, fault.New(fault.InvalidArgument, "%s takes no seed, no secret and no wishes for its shape", format)
	}
	id, known := interop.ParseFormat(string(format))
	if !known {
		return nil, fault.New(fault.InvalidArgument, "%q is not a format of another library", format)
	}
	file := interop.File{Format: id, Variant: m.variant}
	if id == interop.BitsAndBlooms {
		if file.Variant == "" {
			file.Variant = interop.Variants[0]
		}
		if err := interop.CheckVariant(file.Variant); err != nil {
			return nil, err
		}
	} else if file.Variant != "" {
		return nil, fault.New(fault.InvalidArgument, "%s has no variants", format)
	}
	var err error
	if file.M, file.K, err = interop.Shape(id, wish); err != nil {
		return nil, err
	}
	file.L = file.M
	if file.Words, err = memory.Words(interop.WordsFor(file.M)); err != nil {
		return nil, err
	}
	return foreignOf(&file, m.hash, m.own)
}

// foreignOf has the hash of a number or a user's own function, or else the format's.
func foreignOf(file *interop.File, id hash.ID, own *hash.Own) (*Foreign, error) {
	rule, err := file.Format.Rule(), error(nil)
	if own != nil {
		rule, err = file.Format.RuleBy(own)
	} else if id != 0 {
		rule, err = file.Format.RuleWith(id)
	}
	if err != nil {
		return nil, err
	}
	return &Foreign{file: *file, rule: rule, remainder: interop.By(file.M)}, nil
}

// openForeign reads another library's file. Its format was named, or is recognised by the bytes.
func openForeign(r io.ReaderAt, size uint64, o opening) (*Foreign, error) {
	if o.secret != nil {
		return nil, fault.New(fault.InvalidArgument, "files of other libraries have no secret")
	}
	format, known := interop.ParseFormat(string(o.format))
	if o.format != "" && !known {
		return nil, fault.New(fault.InvalidArgument, "%q is not a format that is read here", o.format)
	}
	if err := memory.Check(size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); n != len(data) {
		return nil, err
	}
	if o.format == "" {
		if _, _, err := interop.Detect(data); err != nil {
			return nil, fmt.Errorf("%w: %w", err, ErrNotRecognised)
		}
	}
	file, err := interop.Decode(data, format)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	return foreignOf(file, o.hash, o.own)
}

// Add adds a key.
func (f *Foreign) Add(key []byte) { f.TestAndAdd(key) }

// AddString adds a text.
func (f *Foreign) AddString(key string) { f.Add(bytesOf(key)) }

// AddUint64 adds an integer, as its 8 little-endian bytes.
func (f *Foreign) AddUint64(key uint64) { f.TestAndAddUint64(key) }

// AddInt64 adds an integer, as its 8 little-endian bytes.
func (f *Foreign) AddInt64(key int64) { f.AddUint64(uint64(key)) }

// TestAndAdd adds a key and says whether it may have been present before.
func (f *Foreign) TestAndAdd(key []byte) bool {
	a, b, x, y := f.rule.Base(key)
	missing := uint64(0)
	for i := uint64(0); i < f.file.K; i++ {
		at := f.remainder.Of(interop.Location(a, b, x, y, i))
		word, mask := &f.file.Words[at>>6], uint64(1)<<(at&63)
		missing |= ^*word & mask
		*word |= mask
	}
	if missing == 0 {
		f.must()
		return true
	}
	return false
}

// must panics if this is a zero value, in which a key has no bits, so that all of them would be set.
func (f *Foreign) must() {
	if f.isZero() {
		panic(hash.ErrZero)
	}
}

func (f *Foreign) isZero() bool { return f.file.Format == interop.Unknown }

// TestAndAddString is TestAndAdd of a text.
func (f *Foreign) TestAndAddString(key string) bool { return f.TestAndAdd(bytesOf(key)) }

// TestAndAddUint64 is TestAndAdd of an integer.
func (f *Foreign) TestAndAddUint64(key uint64) bool {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return f.TestAndAdd(b[:])
}

// TestAndAddInt64 is TestAndAdd of an integer.
func (f *Foreign) TestAndAddInt64(key int64) bool { return f.TestAndAddUint64(uint64(key)) }

// MayContain says whether a key may have been added; false is certain.
func (f *Foreign) MayContain(key []byte) bool {
	a, b, x, y := f.rule.Base(key)
	for i := uint64(0); i < f.file.K; i++ {
		at := f.remainder.Of(interop.Location(a, b, x, y, i))
		if f.file.Words[at>>6]>>(at&63)&1 == 0 {
			return false
		}
	}
	f.must()
	return true
}

// MayContainString says whether a text may have been added; false is certain.
func (f *Foreign) MayContainString(key string) bool { return f.MayContain(bytesOf(key)) }

// MayContainUint64 says whether an integer may have been added; false is certain.
func (f *Foreign) MayContainUint64(key uint64) bool {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return f.MayContain(b[:])
}

// MayContainInt64 says whether an integer may have been added; false is certain.
func (f *Foreign) MayContainInt64(key int64) bool { return f.MayContainUint64(uint64(key)) }

// MayContainMany answers for many keys, in order, and returns how many may be present. It panics if there are fewer
// answers than keys.
func (f *Foreign) MayContainMany(keys [][]byte, answers []bool) int {
	answers = answers[:len(keys)]
	found := 0
	for i, key := range keys {
		if answers[i] = f.MayContain(key); answers[i] {
			found++
		}
	}
	return found
}

// Format is the format of the file.
func (f *Foreign) Format() Format {
	f.must()
	return Format(f.file.Format.String())
}

// Variant is the encoding of a bits-and-blooms filter ("binary", "json", "gob", …), and "" for other formats.
func (f *Foreign) Variant() string {
	f.must()
	return f.file.Variant
}

// Guessed says whether the format was neither named ([WithFormat]) nor proven by the bytes. Such a filter can be asked, and
// changed in memory. It cannot be merged or saved, which could destroy a file of another format.
func (f *Foreign) Guessed() bool {
	f.must()
	return f.file.Guessed
}

var errGuessed = fmt.Errorf("this looks like a file of this format, but nothing in it proves it: name the format (WithFormat): %w", ErrNotRecognised)

// Shape is the bits, by whose number positions are reduced, and the probes.
func (f *Foreign) Shape() BloomShape {
	f.must()
	return BloomShape{Bits: f.file.M, Probes: f.file.K}
}

// Bits is the number of bits of the filter.
func (f *Foreign) Bits() uint64 {
	f.must()
	return f.file.M
}

// Probes is the number of bits per key.
func (f *Foreign) Probes() int {
	f.must()
	return int(f.file.K)
}

// Fill is the share of the bits that are set.
func (f *Foreign) Fill() float64 { return float64(f.census()) / float64(f.file.M) }

// EstimatedCount is how many different keys the filter holds, judged by its fill; infinite when it is full.
func (f *Foreign) EstimatedCount() float64 {
	return engine.KeysBehind(f.census(), f.file.M) / float64(f.file.K)
}

// EstimatedFPR is the rate of false positives as the filter is now.
func (f *Foreign) EstimatedFPR() float64 { return math.Pow(f.Fill(), float64(f.file.K)) }

func (f *Foreign) census() uint64 {
	f.must()
	total := 0
	for _, word := range f.file.Words {
		total += bits.OnesCount64(word)
	}
	return uint64(total)
}

// Merge adds all keys of another filter of the same format, shape and hash.
func (f *Foreign) Merge(other *Foreign) error {
	switch {
	case other == nil:
		return fmt.Errorf("merge: nil is not a filter: %w", ErrIncompatible)
	case f.isZero() || other.isZero():
		return fmt.Errorf("merge: %w: %w", hash.ErrZero, ErrIncompatible)
	case f.file.Guessed || other.file.Guessed:
		return fmt.Errorf("merge: %w", errGuessed)
	case f.file.Format != other.file.Format:
		return fmt.Errorf("merge: formats differ: %v here, %v there: %w", f.Format(), other.Format(), ErrIncompatible)
	case f.file.M != other.file.M || len(f.file.Words) != len(other.file.Words):
		return fmt.Errorf("merge: bits differ: %d here, %d there: %w", f.file.M, other.file.M, ErrIncompatible)
	case f.file.K != other.file.K:
		return fmt.Errorf("merge: probes differ: %d here, %d there: %w", f.file.K, other.file.K, ErrIncompatible)
	case !f.rule.SameAs(&other.rule):
		return fmt.Errorf("merge: %s: %w", f.rule.Hasher.DifferenceTo(&other.rule.Hasher), ErrIncompatible)
	}
	for i, word := range other.file.Words {
		f.file.Words[i] |= word
	}
	return nil
}

// Clear takes all keys out.
func (f *Foreign) Clear() {
	f.must()
	clear(f.file.Words)
}

// Clone is a copy.
func (f *Foreign) Clone() *Foreign {
	f.must()
	c := *f
	c.file.Words = slices.Clone(f.file.Words)
	return &c
}

// Info describes the filter.
func (f *Foreign) Info() Info {
	info := f.description()
	info.Census = f.census()
	return info
}

// description is all of Info but the census, which takes a pass over the bits.
func (f *Foreign) description() Info {
	id := hash.Murmur3ID
	if f.rule.Kind != interop.FourWords {
		id = f.rule.Hasher.ID()
	}
	return Info{
		Format: f.file.Format.String(), Hash: Hash(id), Bytes: 8 * uint64(len(f.file.Words)),
		Shape: []Field{{"bits", f.file.M}, {"probes", f.file.K}},
	}
}

// MarshalBinary is the bytes of the other library's file.
//
// A filter whose format was guessed ([Foreign.Guessed]) is not written: [WithFormat] names it when it is opened.
func (f *Foreign) MarshalBinary() ([]byte, error) {
	if f.isZero() {
		return nil, hash.ErrZero
	}
	if f.file.Guessed {
		return nil, fmt.Errorf("save: %w", errGuessed)
	}
	return f.file.Append(nil), nil
}

// WriteTo writes the other library's file.
func (f *Foreign) WriteTo(w io.Writer) (int64, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return 0, err
	}
	return bytes.NewReader(data).WriteTo(w)
}

// Save writes the other library's file, atomically and durably, as every Save of this package does.
func (f *Foreign) Save(path string) error {
	return replace.File(path, func(w io.Writer) error {
		_, err := f.WriteTo(w)
		return err
	})
}

func bytesOf(key string) []byte { return unsafe.Slice(unsafe.StringData(key), len(key)) }
