// Package interop reads and writes the Bloom filters of other libraries: bytes on one side, a modulus m, k probes and an
// array of bits on the other.
//
//	bytes ── Decode ──► File{Format, Variant, M, K, L, Words} ── Append ──► the same bytes
//	key ── Rule.Base ──► four words ── probe i ──► remainder by M ──► a bit of Words
//
// None of these files has a magic, a checksum or a hash's name, so a file is known by what it says twice, or by its name.
// Bytes are hostile until Decode has said otherwise: every length is compared with what is there before memory is taken, and
// all sums are of numbers bounded first. The formats are specified in docs/formats/.
package interop

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
)

// Format names a library's files.
type Format uint8

// The formats, in the order in which messages list them.
const (
	Unknown Format = iota
	BitsAndBlooms
	Phrozen
	Portable
)

var formatNames = [...]string{"unknown", "bits-and-blooms", "phrozen", "portable"}

// String returns the name by which every command and language calls the format.
func (f Format) String() string { return formatNames[f] }

// ParseFormat is the inverse of String.
func ParseFormat(name string) (Format, bool) {
	for f := BitsAndBlooms; f <= Portable; f++ {
		if formatNames[f] == name {
			return f, true
		}
	}
	return Unknown, false
}

// Rule returns how the format's keys find their bits, with the hash that the library itself uses.
func (f Format) Rule() Rule {
	switch f {
	case Phrozen:
		return halvesOf(hash.FNV1aID)
	case Portable:
		return halvesOf(hash.FNV1aMixedID)
	}
	return Rule{Kind: FourWords}
}

// RuleWith returns the rule with another hash, where the library lets its users bring one: phrozen.
func (f Format) RuleWith(id hash.ID) (Rule, error) {
	if usual := f.Rule(); f != Phrozen || id.Keyed() || !id.Known() {
		if usual.Kind == Halves && id == usual.Hasher.ID() || usual.Kind == FourWords && id == hash.Murmur3ID {
			return usual, nil
		}
		return Rule{}, fault.New(fault.InvalidArgument, "%s: no filter of it hashes with %s", f, id)
	}
	return halvesOf(id), nil
}

// RuleBy is RuleWith a hash of the user's own.
func (f Format) RuleBy(own *hash.Own) (Rule, error) {
	if f != Phrozen {
		return Rule{}, fault.New(fault.InvalidArgument, "%s: no filter of it hashes with %s", f, own.ID())
	}
	hasher, err := own.Hasher(0, nil)
	return Rule{Halves, hasher}, err
}

// halvesOf is double hashing by a hash without a secret.
func halvesOf(id hash.ID) Rule {
	hasher, err := hash.New(id, 0, nil)
	if err != nil {
		panic(err) // of numbers that are constants here, or known and not keyed
	}
	return Rule{Halves, hasher}
}

// Limits that every file here keeps. Nobody made a larger filter.
const (
	MaxBits   = 1 << 40
	MaxProbes = 255
	// MaxPortableProbes is the portable format's own limit.
	MaxPortableProbes = 30
	// How much memory a file may ask for beyond the bits that it brings along.
	maxMissingBits = 1 << 33
)

// File is a filter as a file has it.
type File struct {
	Format  Format
	Variant string   // of bits-and-blooms: one of Variants; else empty
	M       uint64   // positions are remainders by it
	K       uint64   // probes
	L       uint64   // bits that the file stores; m but for some files of bits-and-blooms
	Words   []uint64 // ceil(max(M, L)/64) of them; bit i is in word i/64, mask 1 << i%64
	Guessed bool     // whether nobody named the format, and the bytes do not prove it
	frame   gobFrame // of a gob, as it was read
}

// WordsFor returns how many words hold so many bits.
func WordsFor(bits uint64) uint64 { return bits/64 + (bits%64+63)/64 }

// CheckShape rejects a shape that a file of the format cannot have.
func CheckShape(format Format, m, k uint64) error {
	if m < 1 || m > MaxBits {
		return fmt.Errorf("%s: m is %d; it must be from 1 to 2^40", format, m)
	}
	most := uint64(MaxProbes)
	if format == Portable {
		most = MaxPortableProbes
	}
	if k < 1 || k > most {
		return fmt.Errorf("%s: k is %d; it must be from 1 to %d", format, k, most)
	}
	return nil
}

// Decode reads a file of the format, or of the one that Detect finds where it is Unknown.
func Decode(data []byte, format Format) (*File, error) {
	guessed := false
	if format == Unknown {
		var how Detection
		var err error
		if format, how, err = Detect(data); err != nil {
			return nil, err
		}
		guessed = how != Certain
	}
	f, err := decode(data, format)
	if err != nil {
		return nil, err
	}
	f.Guessed = guessed
	return f, nil
}

func decode(data []byte, format Format) (*File, error) {
	switch format {
	case Phrozen:
		return decodePhrozen(data)
	case Portable:
		return decodePortable(data)
	}
	return decodeBitsAndBlooms(data)
}

// Check rejects a filter that Decode would reject once it was written: a program may make one of any numbers.
func (f *File) Check() error {
	if err := CheckShape(f.Format, f.M, f.K); err != nil || f.Format != BitsAndBlooms {
		return err
	}
	return checkMissing(f.M, f.Grown())
}

// Append appends the file's bytes to to. Nobody would read a file that Check rejects.
func (f *File) Append(to []byte) []byte {
	switch f.Format {
	case Phrozen:
		return f.appendPhrozen(to)
	case Portable:
		return f.appendPortable(to)
	}
	return f.appendBitsAndBlooms(to)
}

// Detect tells the format of a file, and whether that is certain or a guess. It asks all formats. Two claims are not an
// answer, and neither are a few small numbers that fit, as those of any header might: the error then lists the formats that
// could be named.
func Detect(data []byte) (Format, Detection, error) {
	var found [Portable + 1]Detection
	var names []string
	best, claims := Unknown, 0
	for f, detect := range map[Format]func([]byte) Detection{
		BitsAndBlooms: detectBitsAndBlooms, Phrozen: detectPhrozen, Portable: detectPortable,
	} {
		found[f] = detect(data)
	}
	for f := BitsAndBlooms; f <= Portable; f++ {
		if found[f] == No {
			continue
		}
		claims++
		names = append(names, f.String())
		if found[f] >= Likely {
			best = f
		}
	}
	switch {
	case claims == 1 && best != Unknown:
		return best, found[best], nil
	case claims == 1:
		return Unknown, No, fmt.Errorf("the content does not tell the format; it may be %s, which has to be named", names[0])
	case claims != 0:
		return Unknown, No, fmt.Errorf("the content does not tell the format; it could be %s: name the format", strings.Join(names, ", "))
	}
	return Unknown, No, errors.New("no format that is known here: neither bits-and-blooms, phrozen nor portable")
}

// Grown is the length of a set of bits now: at least length, and beyond the highest bit that is set.
func Grown(length uint64, words []uint64) uint64 {
	for i := uint64(len(words)); 64*i > length; i-- {
		if w := words[i-1]; w != 0 {
			return max(length, 64*(i-1)+bitLength(w))
		}
	}
	return length
}

// Grown is the length of the file's set of bits after adds: L, or one more than the highest bit that is set.
func (f *File) Grown() uint64 { return Grown(f.L, f.Words) }
