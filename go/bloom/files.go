package bloom

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/regular"
	"github.com/seenfilter/seen/go/internal/replace"
)

// Files of four formats: native (kind bloom), bits-and-blooms in all its encodings, phrozen and portable. What a filter was read from
// decides once which rule its keys follow and how it is saved; nothing asks for a name again.

// LoadOptions say what a file does not say of itself.
type LoadOptions struct {
	Format string // native, bits-and-blooms, phrozen or portable; empty: native or bits-and-blooms, where the bytes prove it
	Hash   string // of phrozen, where its user had brought another: as in docs/hashes.md
	Secret []byte // of a native filter with a keyed hash: 16 bytes, or nil where the file holds it

	// StoreSecret writes the secret of a keyed native filter to its file again when it is saved. Without it the secret stays out, even
	// where the file that was loaded held it.
	StoreSecret bool

	// Recover opens a native file even if a program that wrote to it in place ended before it sealed it (seen.ErrUnsealed). Only the
	// header and the lengths are checked then, since no checksum covers the bits.
	Recover bool
}

// Load reads a filter from a regular file that shows what it is: a native one, or one of bits-and-blooms but for very small ones. The
// others have to be named ([LoadWith]): nothing in them proves whose they are.
func Load(path string) (*BloomFilter, error) { return LoadWith(path, LoadOptions{}) }

// LoadWith is Load for files that do not say all of themselves.
func LoadWith(path string, options LoadOptions) (*BloomFilter, error) {
	data, err := regular.Read(path)
	if err != nil {
		return nil, err
	}
	f, err := ReadWith(data, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Read is [Load] of the bytes of a file. It keeps none of them.
func Read(data []byte) (*BloomFilter, error) { return ReadWith(data, LoadOptions{}) }

// ReadWith is Read for files that do not say all of themselves.
func ReadWith(data []byte, options LoadOptions) (*BloomFilter, error) {
	if options.Format == nativeName || options.Format == "" && native.Recognises(data) {
		if options.Hash != "" {
			return nil, fmt.Errorf("native: the file names its hash; %q was given", options.Hash)
		}
		return loadNative(data, options)
	}
	if options.Secret != nil {
		return nil, fmt.Errorf("a secret was given, which only native files ask for")
	}
	format := interop.Unknown
	if options.Format != "" {
		var err error
		if format, err = parseFormat(options.Format); err != nil {
			return nil, err
		}
	}
	file, err := interop.Decode(data, format)
	if err != nil {
		return nil, err
	}
	// Unless something else is named, bits-and-blooms is what this package is about.
	if file.Guessed && file.Format != interop.BitsAndBlooms {
		return nil, fmt.Errorf("this looks like a %s file, but nothing in it proves it: name the format (LoadOptions.Format)", file.Format)
	}
	rule, err := ruleOf(file.Format, options.Hash)
	if err != nil {
		return nil, err
	}
	return filterOf(bodyOf(file, rule)), nil
}

func parseFormat(name string) (interop.Format, error) {
	format, ok := interop.ParseFormat(name)
	if !ok {
		return 0, fmt.Errorf("no format %q; there are native, bits-and-blooms, phrozen and portable", name)
	}
	return format, nil
}

func ruleOf(format interop.Format, name string) (interop.Rule, error) {
	if name == "" {
		return format.Rule(), nil
	}
	id, ok := hash.Parse(name)
	if !ok {
		return interop.Rule{}, fmt.Errorf("no hash %q", name)
	}
	return format.RuleWith(id)
}

// Format returns the name of the format in which Save writes the filter.
func (f *BloomFilter) Format() string { return f.s.live().format() }

func (b *body) format() string {
	if b.header != nil {
		return nativeName
	}
	return b.file.Format.String()
}

// about is the format and the hash, for messages.
func (b *body) about() string {
	if b.rule.Kind == interop.FourWords {
		return b.format()
	}
	return fmt.Sprintf("%s by %s, seed %d", b.format(), b.rule.Hasher.ID(), b.rule.Hasher.Seed())
}

// ToBytes returns the filter as a file of its own format and encoding.
func (f *BloomFilter) ToBytes() ([]byte, error) {
	b, err := f.current()
	if err != nil {
		return nil, err
	}
	if b.header != nil {
		var out bytes.Buffer
		err := b.writeNative(&out)
		return out.Bytes(), err
	}
	file := b.file
	file.L, file.Words = b.bitSet()
	if err := file.Check(); err != nil {
		return nil, err
	}
	return file.Append(nil), nil
}

// Save writes the filter to a file in its own format and encoding. It replaces a file of that name in one step, durably: whoever reads it
// has the old one or the new one, whole.
func (f *BloomFilter) Save(path string) error {
	data, err := f.ToBytes()
	if err != nil {
		return err
	}
	return replace.File(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReadNative reads a native file to the end of the stream.
func ReadNative(r io.Reader) (*BloomFilter, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return ReadWith(data, LoadOptions{Format: nativeName})
}

// WriteNative writes a filter that is a native one. Others cannot become one without their keys, which have other bits there.
func (f *BloomFilter) WriteNative(w io.Writer) error {
	b, err := f.current()
	if err != nil {
		return err
	}
	if b.header == nil {
		return fmt.Errorf("bloom: a %s filter cannot become a native one without its keys", b.format())
	}
	return b.writeNative(w)
}

// MakeOptions describe a new filter of any format: by Capacity and FPR, or by Bits and Probes.
type MakeOptions struct {
	Format  string // native, bits-and-blooms, phrozen or portable
	Variant string // of bits-and-blooms: binary unless said

	Capacity uint64  // keys
	FPR      float64 // the rate of false positives at that many
	Bits     uint64
	Probes   uint64

	Hash        string // of native, xxh3-fold unless said; of phrozen, fnv1a-64 unless said
	Seed        uint64 // of native
	Secret      []byte // of native with a keyed hash
	StoreSecret bool   // in the file, for everybody to read
	Metadata    []byte // of native
	Alignment   uint64 // of native: 64 unless said, or 4096
}

func (o *MakeOptions) wish() interop.Wish {
	return interop.Wish{Capacity: o.Capacity, FPR: o.FPR, Bits: o.Bits, Probes: o.Probes}
}

// Make creates an empty filter of a format, sized as the format's own library does.
func Make(options MakeOptions) (*BloomFilter, error) {
	if options.Format == nativeName {
		return makeNative(options)
	}
	format, err := parseFormat(options.Format)
	if err != nil {
		return nil, err
	}
	if options.Seed != 0 || options.Secret != nil || options.StoreSecret || options.Metadata != nil || options.Alignment != 0 {
		return nil, fmt.Errorf("%s: it has no seed, secret, metadata or alignment", format)
	}
	variant := options.Variant
	if format == interop.BitsAndBlooms {
		if variant == "" {
			variant = "binary"
		}
		err = interop.CheckVariant(variant)
	} else if variant != "" {
		err = fmt.Errorf("%s: it has no variants, and %q was asked for", format, variant)
	}
	if err != nil {
		return nil, err
	}
	m, k, err := interop.Shape(format, options.wish())
	if err != nil {
		return nil, err
	}
	rule, err := ruleOf(format, options.Hash)
	if err != nil {
		return nil, err
	}
	words, err := memory.Words(interop.WordsFor(m))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	file := interop.File{Format: format, Variant: variant, M: m, K: k, L: m, Words: words}
	return filterOf(bodyOf(&file, rule)), nil
}
