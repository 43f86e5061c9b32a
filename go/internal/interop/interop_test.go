package interop

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go/internal/hash"
)

func TestRemaindersAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	check := func(x, m uint64) {
		if got := By(m).Of(x); got != x%m {
			t.Fatalf("%d mod %d: %d, want %d", x, m, got, x%m)
		}
	}
	edges := []uint64{1, 2, 3, 63, 64, 65, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<40 - 1, 1 << 40, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}
	for _, m := range edges {
		for _, x := range append(edges, 0) {
			check(x, m)
		}
	}
	for range 1_000_000 {
		m := random.Uint64() >> random.UintN(64)
		check(random.Uint64()>>random.UintN(64), max(1, m))
		check(m/max(1, m>>20)*max(1, m>>20)-1, max(1, m>>20)) // one less than a multiple
	}
}

func TestFourWordsAreTheOriginalsLocations(t *testing.T) {
	// From the library itself: of the keys "key-0" and "".
	for key, want := range map[string][]uint64{
		"key-0": {0xcaa56e2e1cfe5b91, 0x5824bde0f5560726, 0x11255cf6e69309cb, 0x85e0134dda66aee4, 0x369f29efd4cd04b5, 0xe5249b72887f639a, 0x9e253a8879bc663f, 0xf1d9cf0f92355808},
		"":      {0, 0x778867e4430e6785, 0xef10cfc8861ccf0a, 0x706b15b18a5efa42, 0xeb3972420dd3f858, 0x55aa07754f480599, 0xcd326f5992566d1e, 0x5ba487f39832f29a},
	} {
		rule := BitsAndBlooms.Rule()
		a, b, x, y := rule.Base([]byte(key))
		for i, w := range want {
			if got := Location(a, b, x, y, uint64(i)); got != w {
				t.Errorf("%q, probe %d: %016x, want %016x", key, i, got, w)
			}
		}
	}
}

func TestDoubleHashingIsACaseOfFourWords(t *testing.T) {
	rule := Portable.Rule()
	a, b, x, y := rule.Base([]byte("foobar"))
	const low, high = 0x3403de4f, 0x5df29541 // docs/formats/portable.md
	for i := range uint64(30) {
		if got := Location(a, b, x, y, i); got != low+i*high {
			t.Errorf("probe %d: %x, want %x", i, got, low+i*high)
		}
	}
}

func TestOnlyPhrozenTakesAnotherHash(t *testing.T) {
	if r, err := Phrozen.RuleWith(hash.XXH64ID); err != nil || r.Hasher.ID() != hash.XXH64ID {
		t.Errorf("phrozen by xxh64: %v", err)
	}
	for _, f := range []Format{BitsAndBlooms, Portable} {
		if _, err := f.RuleWith(hash.XXH64ID); err == nil {
			t.Errorf("%s by xxh64", f)
		}
		if r, err := f.RuleWith(map[Format]hash.ID{BitsAndBlooms: hash.Murmur3ID, Portable: hash.FNV1aMixedID}[f]); err != nil || r != f.Rule() {
			t.Errorf("%s by its own hash: %v", f, err)
		}
	}
	if _, err := Phrozen.RuleWith(hash.SipHash13ID); err == nil {
		t.Error("phrozen by a hash that wants a secret")
	}
}

// some is a file with a few bits set.
func some(format Format, variant string, m, length uint64) *File {
	f := &File{Format: format, Variant: variant, M: m, K: 3, L: length, Words: make([]uint64, WordsFor(max(m, length)))}
	for i := uint64(0); i < min(m, length); i += 7 {
		f.Words[i/64] |= 1 << (i % 64)
	}
	return f
}

// all are files of every format, encoding and sort of size.
func all() (files []*File) {
	for _, m := range []uint64{1, 7, 8, 9, 63, 64, 65, 1000, 4096} {
		files = append(files, some(Phrozen, "", m, m), some(Portable, "", m, m))
		for _, variant := range Variants {
			files = append(files, some(BitsAndBlooms, variant, m, m))
		}
	}
	return append(files, some(BitsAndBlooms, "binary", 1, 0), some(BitsAndBlooms, "json", 100, 640), some(BitsAndBlooms, "gob", 640, 100))
}

func TestWhatIsWrittenIsReadAndWrittenAgain(t *testing.T) {
	for _, f := range all() {
		name := fmt.Sprint(f.Format, " ", f.Variant, " ", f.M)
		data := f.Append(nil)
		g, err := Decode(data, f.Format)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g.M != f.M || g.K != f.K || g.L != f.L || fmt.Sprint(g.Words) != fmt.Sprint(f.Words) {
			t.Errorf("%s: %+v, want %+v", name, g, f)
		}
		if again := g.Append(nil); !bytes.Equal(again, data) {
			t.Errorf("%s: written again it is %x, was %x", name, again, data)
		}
		if prefixed := f.Append([]byte("before")); string(prefixed) != "before"+string(data) {
			t.Errorf("%s: Append does not append", name)
		}
	}
}

func TestEveryTruncationAndExtensionIsRefused(t *testing.T) {
	for _, f := range all() {
		data := f.Append(nil)
		for n := range data {
			if _, err := Decode(data[:n], f.Format); err == nil {
				t.Fatalf("%s %s: %d of %d bytes are a file", f.Format, f.Variant, n, len(data))
			}
		}
		for _, tail := range []string{"\x00", "x", "\x00\x00\x00\x00\x00\x00\x00\x00"} {
			if _, err := Decode(append(bytes.Clone(data), tail...), f.Format); err == nil {
				t.Fatalf("%s %s: with %q behind it is a file", f.Format, f.Variant, tail)
			}
		}
	}
}

func TestBitsBehindTheEndAreRefused(t *testing.T) {
	phrozen, portable, le := some(Phrozen, "", 65, 65), some(Portable, "", 9, 9), some(BitsAndBlooms, "binary-le", 65, 65)
	for f, at := range map[*File]int{phrozen: 16 + 8, portable: 12 + 1, le: 24 + 8} {
		data := f.Append(nil)
		data[at] |= 2
		if _, err := Decode(data, f.Format); err == nil || !strings.Contains(err.Error(), "beyond") {
			t.Errorf("%s: %v", f.Format, err)
		}
	}
}

func TestLengthsThatLieAreRefusedBeforeMemoryIsTaken(t *testing.T) {
	put := binary.BigEndian.PutUint64
	for _, lie := range []uint64{0, 1 << 31, 1<<40 + 1, 1 << 56, 1 << 63, math.MaxUint64, math.MaxUint64 - 62} {
		for offset := 0; offset < 24; offset += 8 {
			data := some(BitsAndBlooms, "binary", 64, 64).Append(nil)
			put(data[offset:], lie)
			if _, err := Decode(data, BitsAndBlooms); err == nil {
				t.Errorf("bits-and-blooms: %d at offset %d", lie, offset)
			}
		}
		data := some(Phrozen, "", 64, 64).Append(nil)
		binary.LittleEndian.PutUint64(data, lie)
		if _, err := Decode(data, Phrozen); err == nil {
			t.Errorf("phrozen: m %d", lie)
		}
		data = some(Portable, "", 64, 64).Append(nil)
		binary.LittleEndian.PutUint64(data[4:], lie)
		if _, err := Decode(data, Portable); err == nil {
			t.Errorf("portable: m %d", lie)
		}
	}
}

func TestJSONOnlyInTheFormOfTheLibrary(t *testing.T) {
	good := string(some(BitsAndBlooms, "json", 100, 100).Append(nil))
	if _, err := Decode([]byte(" "+strings.ReplaceAll(good, ",", " ,\n")), BitsAndBlooms); err != nil {
		t.Errorf("white space: %v", err)
	}
	b := good[strings.Index(good, `"b":"`)+5 : len(good)-2]
	if _, err := base64.URLEncoding.DecodeString(b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		`{}`, `{"m":100,"k":3}`, `[]`, `{"m":100,"k":3,"b":null}`, good + good, good + "]", strings.Replace(good, "100", "1e2", 1),
		strings.Replace(good, "100", "-100", 1), strings.Replace(good, "100", "100.5", 1), strings.Replace(good, "100", `"100"`, 1),
		strings.Replace(good, "100", "99999999999999999999999", 1), strings.Replace(good, "{", `{"x":1,`, 1),
		strings.Replace(good, b, b[:4]+`\n`+b[4:], 1), strings.Replace(good, b, b[:len(b)-1], 1), strings.Replace(good, b, "?"+b[1:], 1),
		strings.Replace(good, b, "", 1), `{"m":` + strings.Repeat("[", 100_000), strings.Repeat(`{"m":`, 100_000),
	} {
		if _, err := Decode([]byte(bad), BitsAndBlooms); err == nil {
			t.Errorf("%.80s: a file", bad)
		}
	}
}

func TestGobsOfOtherThingsAreRefused(t *testing.T) {
	good := some(BitsAndBlooms, "gob", 100, 100).Append(nil)
	for i := range len(good) - 8*3 - 16 { // the frame, m and k
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			f, err := Decode(bad, BitsAndBlooms)
			if err == nil && (!bytes.Equal(f.Append(nil), bad) || f.M < 100) {
				t.Errorf("byte %d, bit %d: read as something else", i, bit)
			}
		}
	}
}

func TestDetectionTakesNoFormatForAnother(t *testing.T) {
	files := all()
	// Numbers that begin like text: m is 123, '{', or a blank and '{'.
	files = append(files, some(Phrozen, "", '{', '{'), some(Phrozen, "", ' '|'{'<<8, ' '|'{'<<8), some(Phrozen, "", 1<<16, 1<<16))
	for _, f := range files {
		got, how, err := Detect(f.Append(nil))
		if err == nil && got == f.Format && how >= Likely || err != nil && strings.Contains(err.Error(), f.Format.String()) {
			continue
		}
		t.Errorf("%s %s of %d bits: %s, %v", f.Format, f.Variant, f.M, got, err)
	}
	for _, nothing := range []string{"", "\x00", "hello", strings.Repeat("\x00", 24), strings.Repeat("\xff", 100)} {
		if f, _, err := Detect([]byte(nothing)); err == nil {
			t.Errorf("%q is %s", nothing, f)
		}
	}
}

// full is a file of the shape whose bits are set at random, half of them.
func full(format Format, variant string, m uint64) *File {
	f := some(format, variant, m, m)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range f.Words {
		f.Words[i] = random.Uint64()
	}
	if m%64 != 0 {
		f.Words[len(f.Words)-1] &= 1<<(m%64) - 1
	}
	return f
}

// Of a large file pieces are looked at. What is fixed and lies in none of them is not taken from their shares.
func TestBytesOutsideThePiecesAreNotTakenFromTheirShares(t *testing.T) {
	data := bytes.Repeat([]byte{0xff}, 1<<20)
	clear(data[8192 : 8192+64])
	for _, count := range []int{8, 64} {
		if got := (&evidence{data: data}).fix(8192, count).bits(); got != 8*float64(count) {
			t.Errorf("%d zeros weigh %v bits", count, got)
		}
	}
}

// Whose hash filled a file no file says: what it says twice is a guess, too.
func TestNoFileIsMoreThanAGuess(t *testing.T) {
	for _, variant := range Variants {
		if got, how, err := Detect(full(BitsAndBlooms, variant, 1314).Append(nil)); got != BitsAndBlooms || how != Likely {
			t.Errorf("%s: %s, %d, %v", variant, got, how, err)
		}
	}
	if got, how, err := Detect(full(Portable, "", 1314).Append(nil)); got != Portable || how != Likely {
		t.Errorf("portable: %s, %d, %v", got, how, err)
	}
	if got, _, err := Detect(full(Phrozen, "", 1314).Append(nil)); err == nil || !strings.Contains(err.Error(), "phrozen, which has to be named") {
		t.Errorf("phrozen: %s, %v", got, err)
	}
	empty := some(BitsAndBlooms, "binary", 40, 40)
	clear(empty.Words)
	if got, _, err := Detect(empty.Append(nil)); err == nil || !strings.Contains(err.Error(), "bits-and-blooms") {
		t.Errorf("few small numbers: %s, %v", got, err)
	}
}

func TestFilesOfNobodysAreOpenedByNameAlone(t *testing.T) {
	words := full(Phrozen, "", 1314).Append(nil)[16:]
	header := func(order binary.AppendByteOrder, numbers ...uint64) (data []byte) {
		for _, each := range numbers {
			data = order.AppendUint64(data, each)
		}
		return append(data, words...)
	}
	for _, data := range [][]byte{
		header(binary.LittleEndian, 1314, 7), header(binary.BigEndian, 137, 7, 1314), header(binary.BigEndian, 21, 7, 1314),
		header(binary.LittleEndian, 7, 1314), header(binary.LittleEndian, 137, 7, 1314),
		// Two keys in a cuckoo filter of seiflotfy/cuckoofilter, whose first slots look like m and k.
		append([]byte{0xe1, 0, 0, 0, 0, 0, 0, 0, 0x17}, make([]byte, 55)...)[:48],
	} {
		if got, _, err := Detect(data); err == nil {
			t.Errorf("% x…: %s", data[:24], got)
		}
	}
}

func TestShapesAreRoundedUpButForPortable(t *testing.T) {
	for _, want := range []struct {
		format Format
		wish   Wish
		m, k   uint64
	}{
		{BitsAndBlooms, Wish{Capacity: 137, FPR: 0.01}, 1314, 7},
		{Phrozen, Wish{Capacity: 50, FPR: 0.1}, 240, 4},
		{BitsAndBlooms, Wish{Capacity: 4_759_404, FPR: 0x1p-31}, 212_857_425, 31}, // of these two each library has its own
		{Phrozen, Wish{Capacity: 4_759_404, FPR: 0x1p-31}, 212_857_425, 32},
		{Portable, Wish{Capacity: 40, FPR: 0.1}, 192, 3},
		{Portable, Wish{Bits: 5, Probes: 30}, 5, 30},
	} {
		if m, k, err := Shape(want.format, want.wish); err != nil || m != want.m || k != want.k {
			t.Errorf("%s %+v: %d, %d, %v", want.format, want.wish, m, k, err)
		}
	}
}

func TestAnotherHashFailsThePortableSelfCheck(t *testing.T) {
	fnv1 := func(data []byte) uint64 {
		sum := uint64(0xcbf29ce484222325)
		for _, c := range data {
			sum = sum*0x100000001b3 ^ uint64(c)
		}
		return sum
	}
	unfinished := func(x uint64) uint64 { return x }
	if err := portableSelfCheck(); err != nil {
		t.Error(err)
	}
	if checkPortableHash(fnv1, hash.SplitMix) == nil || checkPortableHash(hash.FNV1a, unfinished) == nil {
		t.Error("another hash passes")
	}
}

func TestLengthsGrowToTheHighestBit(t *testing.T) {
	words := make([]uint64, 4)
	for i := range uint64(256) {
		clear(words)
		words[i/64] = 1 << (i % 64)
		for _, length := range []uint64{0, 1, 64, 100, 256} {
			if got, want := Grown(length, words), max(length, i+1); got != want {
				t.Fatalf("bit %d, length %d: %d, want %d", i, length, got, want)
			}
		}
	}
	if bits.Len64(Grown(7, make([]uint64, 2))) != 3 {
		t.Error("no bit, and it has grown")
	}
}

func FuzzDecode(f *testing.F) {
	for _, file := range all() {
		f.Add(file.Append(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []Format{Unknown, BitsAndBlooms, Phrozen, Portable} {
			file, err := Decode(data, format)
			if err != nil {
				continue
			}
			again, err := Decode(file.Append(nil), file.Format)
			if err != nil || again.M != file.M || again.K != file.K || again.Grown() != file.Grown() {
				t.Errorf("written and read again: %v", err)
			}
		}
	})
}
