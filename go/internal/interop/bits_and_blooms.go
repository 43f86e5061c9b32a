package interop

// bits-and-blooms/bloom version 3: m, k, the length L of the set of bits, the set. All big-endian, unless the process that
// wrote it had called bitset.LittleEndian(): then L and the set are little-endian, and the length of the file is what tells.
// The same bytes go into a gob; JSON has m and k as numbers and the rest in base64.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seenfilter/seen/go/internal/fault"
)

// Variants are the encodings of bits-and-blooms by name: "-le" after bitset.LittleEndian(), "-std" after
// bitset.Base64StdEncoding().
var Variants = []string{"binary", "json", "gob", "binary-le", "gob-le", "json-std", "json-std-le", "json-le"}

// An encoding is a variant taken apart.
type encoding struct {
	container string // binary, json or gob
	standard  bool   // base64 with + and /
	little    bool
}

func encodingOf(variant string) encoding {
	container, options, _ := strings.Cut(variant, "-")
	return encoding{container, strings.HasPrefix(options, "std"), strings.HasSuffix(options, "le")}
}

func (e encoding) variant() string {
	name := e.container
	if e.standard {
		name += "-std"
	}
	if e.little {
		name += "-le"
	}
	return name
}

func (e encoding) order() binary.AppendByteOrder {
	if e.little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

func (e encoding) word(data []byte) uint64 {
	if e.little {
		return binary.LittleEndian.Uint64(data)
	}
	return binary.BigEndian.Uint64(data)
}

func (e encoding) base64() *base64.Encoding {
	if e.standard {
		return base64.StdEncoding
	}
	return base64.URLEncoding
}

// CheckVariant rejects a name that is not an encoding.
func CheckVariant(variant string) error {
	if !slices.Contains(Variants, variant) {
		return fault.New(fault.InvalidArgument, "bits-and-blooms: no variant %q; there are %s", variant, strings.Join(Variants, ", "))
	}
	return nil
}

const headerBytes = 16 // m and k; what follows is the set

// setOrder tells in which order of bytes the length at the beginning of the set fits the bytes behind it.
func setOrder(set []byte) (length uint64, little, ok bool) {
	if len(set) < 8 {
		return 0, false, false
	}
	fits := func(length uint64) bool {
		return length <= MaxBits && uint64(len(set)-8) == 8*WordsFor(length)
	}
	if length = binary.BigEndian.Uint64(set); fits(length) {
		return length, false, true
	}
	if length = binary.LittleEndian.Uint64(set); fits(length) {
		return length, true, true
	}
	return binary.BigEndian.Uint64(set), false, false
}

// decodeSet makes a filter from its modulus, its probes and its set of bits.
func decodeSet(m, k uint64, set []byte, as encoding) (*File, error) {
	if err := CheckShape(BitsAndBlooms, m, k); err != nil {
		return nil, err
	}
	if len(set) < 8 {
		return nil, fmt.Errorf("bits-and-blooms: offset 16: the length of the set is missing")
	}
	length, little, ok := setOrder(set)
	if !ok {
		return nil, fmt.Errorf("bits-and-blooms: offset 16: a set of %d bits is announced; %d bytes follow", length, len(set)-8)
	}
	if err := checkMissing(m, length); err != nil {
		return nil, err
	}
	as.little = little
	f := &File{Format: BitsAndBlooms, Variant: as.variant(), M: m, K: k, L: length}
	f.Words = make([]uint64, WordsFor(max(m, length)))
	readWords(f.Words, set[8:], little)
	if f.Grown() != length {
		return nil, fmt.Errorf("bits-and-blooms: bits beyond the %d of the set are set", length)
	}
	return f, nil
}

// checkMissing rejects a modulus far beyond the bits of the set: the missing bits would take memory for nothing.
func checkMissing(m, length uint64) error {
	if m > length && (m-length > maxMissingBits || m/8 > 1000*(headerBytes+8+8*WordsFor(length))) {
		return fmt.Errorf("bits-and-blooms: offset 0: m is %d, far beyond the %d bits that are there", m, length)
	}
	return nil
}

func readWords(words []uint64, data []byte, little bool) {
	if little {
		for i := range len(data) / 8 {
			words[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		return
	}
	for i := range len(data) / 8 {
		words[i] = binary.BigEndian.Uint64(data[8*i:])
	}
}

func decodeBinary(data []byte, as encoding) (*File, error) {
	if len(data) < headerBytes {
		return nil, fmt.Errorf("bits-and-blooms: %d bytes are too few for the header", len(data))
	}
	return decodeSet(binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:]), data[headerBytes:], as)
}

func decodeBitsAndBlooms(data []byte) (*File, error) {
	if looksLikeJSON(data) {
		return DecodeJSON(data)
	}
	// A binary file begins with m, below 2^56: with a 0. A gob never does.
	if len(data) == 0 || data[0] == 0 {
		return DecodeBinary(data)
	}
	frame, payload, err := cutFrame(data)
	if err != nil {
		return nil, err
	}
	f, err := decodeBinary(payload, encoding{container: "gob"})
	if err != nil {
		return nil, err
	}
	f.frame = gobFrame{bytes.Clone(frame.definition), frame.number}
	return f, nil
}

// DecodeBinary reads what MarshalBinary of bits-and-blooms gives, in either order of bytes.
func DecodeBinary(data []byte) (*File, error) {
	return decodeBinary(data, encoding{container: "binary"})
}

// jsonMembers takes the object apart by itself: a decoder that fills a struct takes a name twice, and M for m.
func jsonMembers(data []byte) (m, k *uint64, b *string, err error) {
	in := json.NewDecoder(bytes.NewReader(data))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, nil, errors.New("no JSON object")
	}
	seen := map[string]bool{}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, nil, nil, err
		}
		var to any
		switch name {
		case "m":
			to = &m
		case "k":
			to = &k
		case "b":
			to = &b
		default:
			return nil, nil, nil, fmt.Errorf("the members must be m, k and b, not %v", name)
		}
		if seen[name.(string)] {
			return nil, nil, nil, fmt.Errorf("member %v comes twice", name)
		}
		seen[name.(string)] = true
		if err := in.Decode(to); err != nil {
			return nil, nil, nil, fmt.Errorf("member %v: %w", name, err)
		}
	}
	if _, err := in.Token(); err != nil {
		return nil, nil, nil, err
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, nil, nil, errors.New("something follows the JSON object")
	}
	if m == nil || k == nil || b == nil {
		return nil, nil, nil, errors.New("the members must be m, k and b")
	}
	return m, k, b, nil
}

// DecodeJSON reads what MarshalJSON of bits-and-blooms gives, in either alphabet and order of bytes.
func DecodeJSON(data []byte) (*File, error) {
	m, k, b, err := jsonMembers(data)
	if err != nil {
		return nil, fmt.Errorf("bits-and-blooms: %w", err)
	}
	as := encoding{container: "json", standard: strings.ContainsAny(*b, "+/")}
	if strings.ContainsAny(*b, "\r\n") { // which the decoder would skip
		return nil, errors.New("bits-and-blooms: member b is not base64")
	}
	set, err := as.base64().Strict().DecodeString(*b)
	if err != nil {
		return nil, fmt.Errorf("bits-and-blooms: member b: %w", err)
	}
	return decodeSet(*m, *k, set, as)
}

// looksLikeJSON tells text from numbers that happen to begin like it: those have zeros in their first eight bytes.
func looksLikeJSON(data []byte) bool {
	if bytes.IndexByte(data[:min(8, len(data))], 0) >= 0 {
		return false
	}
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) != 0 && data[0] == '{'
}

// {"m":1314,"k":7,"b":"…" to the letter, and the first eight bytes of the set.
var beginningOfJSON = regexp.MustCompile(`^\{"m":(\d{1,19}),"k":\d{1,19},"b":"([-\w+/]{12})`)

// detectJSON asks for the names and for a set of bits of length m: other text of these names may be anybody's.
func detectJSON(data []byte) Detection {
	found := beginningOfJSON.FindSubmatch(data[:min(96, len(data))])
	if found == nil {
		return No
	}
	m, err := strconv.ParseUint(string(found[1]), 10, 64)
	text := strings.NewReplacer("+", "-", "/", "_").Replace(string(found[2]))
	set, wrong := base64.URLEncoding.DecodeString(text)
	if err != nil || wrong != nil || binary.BigEndian.Uint64(set) != m && binary.LittleEndian.Uint64(set) != m {
		return Fitting
	}
	return Likely
}

// detectBitsAndBlooms asks m, k and L to agree with the length of the file. Where m is L it is said twice; else it is three small
// numbers, as many a header has, and nothing tells which of them is m. Likely is the most that it can be: willf 2.0.0 wrote the
// same files with bits that another hash had chosen, and no file says which.
func detectBitsAndBlooms(data []byte) Detection {
	if len(data) != 0 && data[0] == '{' {
		return detectJSON(data)
	}
	offset := 0
	if len(data) != 0 && data[0] != 0 {
		_, payload, err := cutFrame(data)
		if err != nil {
			return No
		}
		offset = len(data) - len(payload)
	}
	body := data[offset:]
	if len(body) < headerBytes+8 {
		return No
	}
	m, k := binary.BigEndian.Uint64(body), binary.BigEndian.Uint64(body[8:])
	length, little, fits := setOrder(body[headerBytes:])
	switch {
	case !fits || CheckShape(BitsAndBlooms, m, k) != nil:
		return No
	case length%64 != 0 && (encoding{little: little}).word(data[len(data)-8:])>>(length%64) != 0:
		return No // bits of the last word from L on are 0
	case m != length:
		return Fitting
	}
	e := &evidence{data: data}
	return e.fix(0, offset).fix(offset, 7).fix(offset+8, 7).fix(offset+16, 8).weigh(Likely)
}

func (f *File) appendBitsAndBlooms(to []byte) []byte {
	as := encodingOf(f.Variant)
	length := f.Grown()
	size := headerBytes + 8 + 8*WordsFor(length)
	if as.container == "json" {
		set := f.appendSet(make([]byte, 0, size), length, as)
		to = strconv.AppendUint(append(to, `{"m":`...), f.M, 10)
		to = strconv.AppendUint(append(to, `,"k":`...), f.K, 10)
		to = as.base64().AppendEncode(append(to, `,"b":"`...), set)
		return append(to, `"}`...)
	}
	to = slices.Grow(to, int(size)+64)
	if as.container == "gob" {
		to = f.frame.orUsual().appendBefore(to, size)
	}
	to = binary.BigEndian.AppendUint64(to, f.M)
	to = binary.BigEndian.AppendUint64(to, f.K)
	return f.appendSet(to, length, as)
}

func (f *File) appendSet(to []byte, length uint64, as encoding) []byte {
	order := as.order()
	return appendWords(order.AppendUint64(to, length), f.Words[:WordsFor(length)], order)
}

func appendWords(to []byte, words []uint64, order binary.AppendByteOrder) []byte {
	to = slices.Grow(to, 8*len(words))
	for _, w := range words {
		to = order.AppendUint64(to, w)
	}
	return to
}
