package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go/internal/native"
)

func filled(f *BloomFilter, from, to int) *BloomFilter {
	for i := from; i < to; i++ {
		f.AddString(fmt.Sprint("key-", i))
	}
	return f
}

func has(f *BloomFilter, from, to int) bool {
	for i := from; i < to; i++ {
		if !f.TestString(fmt.Sprint("key-", i)) {
			return false
		}
	}
	return true
}

func TestParametersAreAtLeastOne(t *testing.T) {
	for _, f := range []*BloomFilter{New(0, 0), From(nil, 0), FromWithM(nil, 0, 0), NewWithEstimates(0, 0.01), NewWithEstimates(10, 1), NewWithEstimates(10, math.NaN())} {
		if f.Cap() != 1 || f.K() != 1 {
			t.Errorf("m %d, k %d; want 1, 1", f.Cap(), f.K())
		}
		if f.TestString("x") {
			t.Error("an empty filter says maybe")
		}
		if !f.AddString("x").TestString("x") {
			t.Error("a key is lost")
		}
	}
}

func TestParametersAreThoseOfTheFormula(t *testing.T) {
	for _, want := range []struct {
		n    uint
		p    float64
		m, k uint
	}{{1_000_000, 0.01, 9585059, 7}, {137, 0.01, 1314, 7}, {50, 0.1, 240, 4}, {1, 0.5, 2, 2}} {
		if m, k := EstimateParameters(want.n, want.p); m != want.m || k != want.k {
			t.Errorf("%d keys at %v: %d bits, %d probes; want %d, %d", want.n, want.p, m, k, want.m, want.k)
		}
	}
}

func TestMoreThan2To40BitsPanicAtOnce(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "2^40") {
			t.Errorf("recovered %v", r)
		}
	}()
	NewWithEstimates(1, 0)
}

func TestTheEmptyKeyIsAKey(t *testing.T) {
	f := New(1000, 4)
	if f.Test(nil) {
		t.Error("an empty filter has the empty key")
	}
	f.Add([]byte{})
	if !f.Test(nil) || !f.TestString("") || f.TestString("x") {
		t.Error("after adding the empty key only")
	}
}

func TestTextAndBytesAreTheSameKey(t *testing.T) {
	f := New(100_000, 5)
	f.AddString("love").Add([]byte("peace"))
	if !f.Test([]byte("love")) || !f.TestString("peace") {
		t.Error("a key is lost")
	}
}

func TestTestAndAddAndTestOrAddReturnTheAnswerBefore(t *testing.T) {
	f := New(100_000, 5)
	for i, tell := range []func(string) bool{
		func(s string) bool { return f.TestAndAdd([]byte(s)) }, f.TestAndAddString,
		func(s string) bool { return f.TestOrAdd([]byte(s)) }, f.TestOrAddString,
	} {
		key := fmt.Sprint("key-", i)
		if tell(key) || !tell(key) || !f.TestString(key) {
			t.Errorf("method %d", i)
		}
	}
}

func TestAllProbesOfAnyNumberAreSetAndTested(t *testing.T) {
	for k := uint(1); k <= 40; k++ {
		f := New(1<<20, k)
		f.AddString("one key")
		locations := Locations([]byte("one key"), k)
		set := map[uint]bool{}
		for _, l := range locations {
			set[uint(l%(1<<20))] = true
		}
		if !f.TestString("one key") || !f.TestLocations(locations) || f.BitSet().Count() != uint(len(set)) {
			t.Fatalf("k %d: %d bits set, want %d", k, f.BitSet().Count(), len(set))
		}
		// A key that lacks one of its bits is not there, whichever it is.
		for _, missing := range locations {
			words := f.BitSet().Words()
			at := missing % (1 << 20)
			words[at/64] &^= 1 << (at % 64)
			if g := From(words, k); g.TestString("one key") || g.TestLocations(locations) {
				t.Fatalf("k %d: maybe without bit %d", k, at)
			}
		}
	}
}

func TestFromUsesTheWordsItIsGiven(t *testing.T) {
	words := make([]uint64, 16)
	f := From(words, 3)
	f.AddString("x")
	if g := From(words, 3); f.Cap() != 1024 || !g.TestString("x") {
		t.Error("the words do not hold the key")
	}
	short := FromWithM(words[:2], 1000, 3)
	if !filled(short, 0, 50).TestString("key-49") || short.Cap() != 1000 {
		t.Error("words that are too few for m")
	}
}

func TestUnionHasTheKeysOfBothAndLeavesThemAlone(t *testing.T) {
	a, b := filled(New(20_000, 5), 0, 100), filled(New(20_000, 5), 100, 200)
	u, err := a.United(b)
	if err != nil || !has(u, 0, 200) || has(a, 100, 200) || has(b, 0, 100) {
		t.Errorf("%v", err)
	}
	if err := a.Merge(b); err != nil || !a.Equal(u) || a.Equal(b) {
		t.Errorf("merge: %v", err)
	}
	words := make([]uint64, 1000) // behind the m bits of a, which grows to them
	words[999] = 1
	if err := a.Merge(FromWithM(words, 20_000, 5)); err != nil || a.BitSet().Len() != 64_000 || !has(a, 0, 200) {
		t.Errorf("merge with a longer set: %v, %d bits", err, a.BitSet().Len())
	}
}

func TestACopyIsAnotherFilterOfTheSameKeys(t *testing.T) {
	f := filled(New(1000, 4), 0, 50)
	g := f.Copy()
	if !g.Equal(f) || filled(g, 50, 60).Equal(f) || has(f, 50, 60) {
		t.Error("the copy differs, or is the same filter")
	}
	if empty := New(0, 0).Copy(); empty.BitSet().Len() != 1 { // as in the original: a copy begins with m bits
		t.Errorf("a set of %d bits", empty.BitSet().Len())
	}
}

func TestIntersectHasTheKeysThatBothHave(t *testing.T) {
	a, b := filled(New(20_000, 5), 0, 200), filled(New(20_000, 5), 100, 300)
	both, err := a.Intersected(b)
	if err != nil || !has(both, 100, 200) {
		t.Fatalf("%v", err)
	}
	if both.TestString("key-0") || both.TestString("key-299") || !has(a, 0, 200) {
		t.Error("keys of only one filter are in, or one filter has changed")
	}
}

func TestFiltersOfOtherShapesAndRulesAreRefusedUnchanged(t *testing.T) {
	a := filled(New(1000, 4), 0, 50)
	before := a.Copy()
	phrozen, err := Make(MakeOptions{Format: "phrozen", Bits: 1000, Probes: 4})
	if err != nil {
		t.Fatal(err)
	}
	for want, b := range map[string]*BloomFilter{
		"m differs: 1000 here, 1001 there": filled(New(1001, 4), 50, 90),
		"k differs: 4 here, 5 there":       filled(New(1000, 5), 50, 90),
		"bits-and-blooms here, of phrozen": filled(phrozen, 50, 90),
	} {
		_, union := a.United(b)
		_, intersection := a.Intersected(b)
		for _, err := range []error{a.Merge(b), union, intersection} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		}
		if !a.Equal(before) || a.Equal(b) {
			t.Error("a refused merge changed the filter")
		}
	}
}

func TestClearAllRemovesAllKeysAndKeepsTheShape(t *testing.T) {
	f := filled(New(0, 0), 0, 1)
	if f.ClearAll().TestString("key-0") || f.BitSet().Len() != 1 || f.Fill() != 0 {
		t.Error("something is left, or the set has shrunk")
	}
}

func TestCountsFollowFromTheBits(t *testing.T) {
	f := filled(NewWithEstimates(10_000, 0.01), 0, 10_000)
	// Seven probes in 9.585 bits per key: about half the bits are set, and the estimate has a standard deviation of some 40 keys.
	if fill := f.Fill(); fill < 0.5 || fill > 0.535 {
		t.Errorf("fill %v", fill)
	}
	if size := f.ApproximatedSize(); size < 9_700 || size > 10_300 {
		t.Errorf("about %d keys", size)
	}
	if full := From([]uint64{math.MaxUint64}, 3); full.ApproximatedSize() != math.MaxUint32 || full.Fill() != 1 {
		t.Error("a full filter")
	}
	if rate := EstimateFalsePositiveRate(95_851, 7, 10_000); rate < 0.0085 || rate > 0.0115 {
		t.Errorf("rate %v", rate) // five standard deviations of 100,000 trials around 1 %
	}
}

func TestEncodingsComeBackEqual(t *testing.T) {
	f := filled(New(1003, 5), 0, 80)
	var viaBinary, viaJSON, viaGob, viaStream BloomFilter
	data, _ := f.MarshalBinary()
	text, _ := json.Marshal(*f) // a value: the method has to be the value's
	var gobs bytes.Buffer
	err := errors.Join(viaBinary.UnmarshalBinary(data), json.Unmarshal(text, &viaJSON),
		gob.NewEncoder(&gobs).Encode(f), gob.NewDecoder(&gobs).Decode(&viaGob))
	if err != nil {
		t.Fatal(err)
	}
	stream := bytes.NewReader(append(bytes.Clone(data), "the next thing"...))
	if n, err := viaStream.ReadFrom(stream); err != nil || n != int64(len(data)) || stream.Len() != len("the next thing") {
		t.Errorf("ReadFrom: %d bytes, %v, %d left", n, err, stream.Len())
	}
	for i, g := range []*BloomFilter{&viaBinary, &viaJSON, &viaGob, &viaStream} {
		if !g.Equal(f) || !has(g, 0, 80) {
			t.Errorf("encoding %d", i)
		}
	}
}

func TestAStructWithAnUnusedFilterGoesThroughJSON(t *testing.T) {
	type record struct{ F BloomFilter }
	text, err := json.Marshal(record{})
	var back record
	if err != nil || string(text) != `{"F":{"m":0,"k":0,"b":null}}` || json.Unmarshal(text, &back) != nil {
		t.Errorf("%s, %v", text, err)
	}
}

func TestAStreamThatEndsSaysWhere(t *testing.T) {
	f := filled(New(1003, 5), 0, 80)
	data, _ := f.MarshalBinary()
	before := f.Copy()
	for n := range data {
		_, err := f.ReadFrom(bytes.NewReader(data[:n]))
		want := io.ErrUnexpectedEOF
		if n == 0 {
			want = io.EOF
		}
		if !errors.Is(err, want) || !f.Equal(before) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

func TestAFilterOfAnotherFormatIsSavedInItAndInNoOther(t *testing.T) {
	for _, format := range []string{"native", "phrozen", "portable"} {
		f, err := Make(MakeOptions{Format: format, Capacity: 100, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		filled(f, 0, 100)
		path := filepath.Join(t.TempDir(), "filter")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); format != "native" && (err == nil || !strings.Contains(err.Error(), format)) {
			t.Errorf("%s is opened by a guess: %v", format, err)
		}
		g, err := LoadWith(path, LoadOptions{Format: format})
		if err != nil || !g.Equal(f) || g.Format() != format || !has(filled(g, 100, 120), 0, 120) {
			t.Errorf("%s: %v", format, err)
		}
		_, binary := g.MarshalBinary()
		_, text := g.MarshalJSON()
		_, stream := g.WriteTo(io.Discard)
		if binary == nil || text == nil || stream == nil {
			t.Errorf("%s: written as bits-and-blooms, which loses its keys", format)
		}
		if !g.TestLocations([]uint64{1, 2, 3}) {
			t.Errorf("%s: no, of locations that mean nothing here", format)
		}
		if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
			t.Errorf("%s: %d files after saving one", format, len(files))
		}
	}
}

func TestNativeFiltersGoThroughStreamsAndOthersDoNot(t *testing.T) {
	f, _ := Make(MakeOptions{Format: "native", Capacity: 100, FPR: 0.01, Metadata: []byte("hello")})
	var out bytes.Buffer
	if err := filled(f, 0, 100).WriteNative(&out); err != nil {
		t.Fatal(err)
	}
	if g, err := ReadNative(&out); err != nil || !g.Equal(f) {
		t.Errorf("%v", err)
	}
	if err := New(10, 1).WriteNative(io.Discard); err == nil {
		t.Error("a filter without its keys became a native one")
	}
}

func TestAnUnsealedFileOpensOnlyToBeRecovered(t *testing.T) {
	f, _ := Make(MakeOptions{Format: "native", Capacity: 100, FPR: 0.01})
	old, _ := f.ToBytes()
	data, err := filled(f, 0, 100).ToBytes()
	if err != nil {
		t.Fatal(err)
	}
	unsealed := bytes.Clone(data)
	header := binary.LittleEndian.Uint32(data[12:])
	copy(unsealed[header-32:header], old[header-32:header]) // census and checksums from before the keys
	copy(unsealed[len(data)-8:], old[len(data)-8:])
	copy(unsealed[header-32:], "unsealed")
	if _, err := Read(unsealed); !errors.Is(err, native.ErrUnsealed) {
		t.Errorf("%v", err)
	}
	g, err := ReadWith(unsealed, LoadOptions{Recover: true})
	if err != nil || !g.Equal(f) {
		t.Fatalf("%v", err)
	}
	if again, err := g.ToBytes(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("it is saved as another file: %v", err)
	}
}

func TestPhrozenWithAnotherHashIsOpenedByItsName(t *testing.T) {
	f, err := Make(MakeOptions{Format: "phrozen", Capacity: 100, FPR: 0.01, Hash: "xxh64"})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := filled(f, 0, 100).ToBytes()
	g, err := ReadWith(data, LoadOptions{Format: "phrozen", Hash: "xxh64"})
	if err != nil || !g.Equal(f) || !has(g, 0, 100) {
		t.Errorf("%v", err)
	}
	if g, err := ReadWith(data, LoadOptions{Format: "phrozen"}); err != nil || g.Equal(f) || has(g, 0, 100) {
		t.Error("opened with the usual hash it has the same keys")
	}
}

func TestOptionsThatAFormatHasNotAreRefused(t *testing.T) {
	for _, o := range []MakeOptions{
		{},
		{Format: "guava", Capacity: 10, FPR: 0.01},
		{Format: "phrozen"},
		{Format: "phrozen", Capacity: 10},
		{Format: "phrozen", Capacity: 10, FPR: math.NaN()},
		{Format: "phrozen", Capacity: 10, FPR: 0.01, Bits: 10, Probes: 1},
		{Format: "phrozen", Bits: 10},
		{Format: "phrozen", Bits: 10, Probes: 256},
		{Format: "phrozen", Bits: 1<<40 + 1, Probes: 1},
		{Format: "phrozen", Bits: 10, Probes: 1, Seed: 1},
		{Format: "phrozen", Bits: 10, Probes: 1, Variant: "json"},
		{Format: "phrozen", Bits: 10, Probes: 1, Hash: "siphash-1-3"},
		{Format: "portable", Bits: 10, Probes: 31},
		{Format: "portable", Bits: 1<<32 + 1, Probes: 1},
		{Format: "portable", Bits: 10, Probes: 1, Hash: "fnv1a-64"},
		{Format: "bits-and-blooms", Bits: 10, Probes: 1, Variant: "yaml"},
		{Format: "bits-and-blooms", Bits: 10, Probes: 1, Hash: "xxh64"},
		{Format: "native", Bits: 10},
		{Format: "native", Bits: 10, Probes: 31},
		{Format: "native", Bits: 10, Probes: 1, Alignment: 8},
		{Format: "native", Bits: 10, Probes: 1, StoreSecret: true},
		{Format: "native", Bits: 10, Probes: 1, Hash: "siphash-1-3"},
		{Format: "native", Bits: 10, Probes: 1, Hash: "md5"},
		{Format: "native", Bits: 10, Probes: 1, Metadata: make([]byte, 65537)},
	} {
		if f, err := Make(o); err == nil {
			t.Errorf("%+v: made %d bits", o, f.Cap())
		}
	}
}
