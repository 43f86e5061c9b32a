package seen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// Hashes of users: who has the function opens the file, and nobody else does.

const ownNumber Hash = 0x8001

// ownSum is the function of tests/golden/native-1/bloom-own-hash.seen, which C++ and Rust define too.
func ownSum(key []byte, seed uint64) uint64 {
	h := 0xcbf29ce484222325 ^ seed
	for _, b := range key {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	h = (h ^ h>>32) * 0x9fb21c651e98df25
	return h ^ h>>29
}

// impostor differs from it in one bit of the digests of long keys alone.
func impostor(key []byte, seed uint64) uint64 {
	h := ownSum(key, seed)
	if len(key) > 20 {
		h ^= 1
	}
	return h
}

var ownHash = WithOwnHash(ownNumber, ownSum)

const ownGolden = "../tests/golden/native-1/bloom-own-hash.seen"

// ownFilter is the filter of the golden file.
func ownFilter(t *testing.T, options ...Option) *Bloom {
	t.Helper()
	f, err := NewBloom(Target{Capacity: 1000, FPR: 0.01}, append([]Option{ownHash, WithSeed(42)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		f.AddString(fmt.Sprint("key-", i))
	}
	return f
}

func bytesOfFilter(t *testing.T, f interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAFileOfAUsersHashIsThatOfCppToTheByte(t *testing.T) {
	data, err := os.ReadFile(ownGolden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOfFilter(t, ownFilter(t)), data) {
		t.Error("the same keys make another file here")
	}
	var manifest struct {
		HashCheck      string `json:"hash_check"`
		ProbePositives []int  `json:"probe_positives"`
	}
	text, err := os.ReadFile(ownGolden + ".json")
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(ownGolden, ownHash)
	if err != nil {
		t.Fatal(err)
	}
	mapped, err := Map(ownGolden, ownHash)
	if err != nil {
		t.Fatal(err)
	}
	defer mapped.Close()
	for _, f := range []Filter{loaded, mapped} {
		for i := range 1000 {
			if !f.MayContainString(fmt.Sprint("key-", i)) {
				t.Fatalf("key %d is lost", i)
			}
		}
		var positives []int
		for i := range 1000 {
			if f.MayContainString(fmt.Sprint("probe-", i)) {
				positives = append(positives, i)
			}
		}
		if !slices.Equal(positives, manifest.ProbePositives) {
			t.Errorf("%T: probes %v; want %v", f, positives, manifest.ProbePositives)
		}
	}
	if b := loaded.(*Bloom); b.Hash() != ownNumber || b.Seed() != 42 || fmt.Sprintf("%016x", b.hasher.Check()) != strings.TrimPrefix(manifest.HashCheck, "0x") {
		t.Errorf("%v, seed %d, check %016x; want %s", b.Hash(), b.Seed(), b.hasher.Check(), manifest.HashCheck)
	}
}

// altered is a sealed file with another header.
func altered(t *testing.T, data []byte, change func(*native.Header)) []byte {
	t.Helper()
	r := bytes.NewReader(data)
	h, err := native.ReadHeader(r, uint64(len(data)), false)
	if err != nil {
		t.Fatal(err)
	}
	body, err := h.ReadBody(r)
	if err != nil {
		t.Fatal(err)
	}
	change(h)
	var out bytes.Buffer
	if _, err := h.WriteTo(&out, body); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAFileOfAUsersHashOpensWithItsFunctionOnly(t *testing.T) {
	file := bytesOfFilter(t, ownFilter(t))
	builtIn := bytesOfFilter(t, filledBloom(t))
	check := func(sum hash.Sum, seed uint64) string {
		return fmt.Sprintf("%016x", sum([]byte("have I seen this before?"), seed))
	}
	other, fake := WithOwnHash(0x8002, ownSum), WithOwnHash(ownNumber, impostor)
	editedCheck := altered(t, file, func(h *native.Header) { h.HashCheck ^= 1 })
	for _, row := range []struct {
		name    string
		data    []byte
		options []OpenOption
		want    []string // of the sentence; none where it opens
	}{
		{"its function", file, []OpenOption{ownHash}, nil},
		{"a secret that nobody asked for", file, []OpenOption{ownHash, WithSecret(Secret{7})}, nil},
		{"no function", file, nil, []string{"offset 32", "hash 0x8001", "whoever opens it has to supply the function"}},
		{"a built-in hash", file, []OpenOption{WithHash(XXH3)}, []string{"offset 32", "hash 0x8001"}},
		{"another number", file, []OpenOption{other}, []string{"offset 32", "made with hash 0x8001, not with hash 0x8002"}},
		{"another function", file, []OpenOption{fake}, []string{"offset 48", check(ownSum, 42), check(impostor, 42), "hash 0x8001"}},
		{"no function at all", file, []OpenOption{WithOwnHash(ownNumber, nil)}, []string{"hash 0x8001", "nil"}},
		{"an edited check", editedCheck, []OpenOption{ownHash}, []string{"offset 48", check(ownSum, 42)}},
		{"an edited seed", altered(t, file, func(h *native.Header) { h.Seed = 43 }), []OpenOption{ownHash}, []string{"offset 48", check(ownSum, 42), check(ownSum, 43)}},
		{"another number in the file", altered(t, file, func(h *native.Header) { h.Hash = 0xffff }), []OpenOption{ownHash}, []string{"made with hash 0xffff, not with hash 0x8001"}},
		{"a built-in number in the file", altered(t, file, func(h *native.Header) { h.Hash = hash.XXH3ID }), []OpenOption{ownHash}, []string{"offset 48"}},
		{"a secret in the file", altered(t, file, func(h *native.Header) { h.Keyed, h.Secret = true, make([]byte, 16) }), []OpenOption{ownHash}, []string{"offset 36", "hash 0x8001 has a secret in this file"}},
		{"a built-in file", builtIn, []OpenOption{ownHash}, nil},
		{"a built-in file that claims to be one", altered(t, builtIn, func(h *native.Header) { h.Hash = hash.FirstOwnID + 1 }), []OpenOption{ownHash}, []string{"offset 48"}},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, row.data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, read := Read(row.data, row.options...)
		_, loaded := Load(path, row.options...)
		view, mapped := Map(path, row.options...)
		if mapped == nil {
			mapped = view.Verify()
			_ = view.Close()
		}
		for _, err := range []error{read, loaded, mapped} {
			if row.want == nil {
				if err != nil {
					t.Errorf("%s: %v", row.name, err)
				}
				continue
			}
			if row.name != "no function at all" && !errors.Is(err, ErrWrongHash) || err == nil {
				t.Errorf("%s: %v", row.name, err)
				continue
			}
			for _, part := range row.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %v; want %q", row.name, err, part)
				}
			}
		}
		if info, err := Inspect(path); err != nil || info.Capacity != 1000 {
			t.Errorf("%s: not inspected without the function: %v", row.name, err)
		}
	}
}

func filledBloom(t *testing.T) *Bloom {
	t.Helper()
	f, err := NewBloom(Target{Capacity: 1000, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Under a user's number, with a function that computes the same, a file of any kind answers as it did.
func TestEveryKindIsAskedWithAUsersHash(t *testing.T) {
	same := func(key []byte, seed uint64) uint64 {
		h, err := hash.New(hash.XXH3FoldID, seed, nil)
		if err != nil {
			panic(err)
		}
		return h.Sum(key)
	}
	files, err := filepath.Glob("../tests/golden/native-1/*.seen")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	asked := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, err := Read(data)
		if err != nil || before.Info().Hash != XXH3Fold {
			continue
		}
		after, err := Read(altered(t, data, func(h *native.Header) {
			h.Hash, h.HashCheck = hash.ID(ownNumber), same([]byte("have I seen this before?"), h.Seed)
		}), WithOwnHash(ownNumber, same))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		asked++
		for i := range 2000 {
			key := fmt.Sprint("key-", i)
			if before.MayContainString(key) != after.MayContainString(key) || before.MayContainUint64(uint64(i)) != after.MayContainUint64(uint64(i)) {
				t.Fatalf("%s: another answer for %s", path, key)
			}
		}
	}
	if asked < 20 {
		t.Errorf("%d files were asked", asked)
	}
}

func TestEveryFilterThatIsMadeTakesAUsersHash(t *testing.T) {
	type made interface {
		Filter
		Add([]byte)
		AddString(string)
		AddUint64(uint64)
		Hash() Hash
		MarshalBinary() ([]byte, error)
		UnmarshalBinary([]byte) error
	}
	target := Target{Capacity: 1000, FPR: 0.01}
	options := []Option{ownHash, WithSeed(5)}
	for name, fresh := range map[string]func() (made, error){
		"bloom":                    func() (made, error) { return NewBloom(target, options...) },
		"blocked-bloom":            func() (made, error) { return NewBlockedBloom(target, options...) },
		"split-block":              func() (made, error) { return NewSplitBlock(target, options...) },
		"concurrent bloom":         func() (made, error) { return NewConcurrentBloom(target, options...) },
		"concurrent blocked-bloom": func() (made, error) { return NewConcurrentBlockedBloom(target, options...) },
	} {
		f, err := fresh()
		if err != nil {
			t.Fatal(err)
		}
		f.AddString("alice")
		f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 0})
		f.AddUint64(7)
		f.Add(nil)
		text := fmt.Sprintf("%v", f)
		if f.Hash() != ownNumber || !strings.HasSuffix(text, "by hash 0x8001") {
			t.Errorf("%s: %v; %s", name, f.Hash(), text)
		}
		answers := make([]bool, 4)
		keys := [][]byte{[]byte("alice"), {7, 0, 0, 0, 0, 0, 0, 0}, {}, []byte("bob")}
		if f.MayContainMany(keys, answers); fmt.Sprint(answers) != "[true true true false]" || !f.MayContainUint64(0x0007060504030201) {
			t.Errorf("%s: %v", name, answers)
		}
		// A filter of the same hash opens the bytes; one of another does not, and stays as it was.
		again, _ := fresh()
		if err := again.UnmarshalBinary(bytesOfFilter(t, f)); err != nil || !again.MayContainString("alice") {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(bytesOfFilter(t, again), bytesOfFilter(t, f)) {
			t.Errorf("%s: saved again, it is another file", name)
		}
	}
	plain := filledBloom(t)
	before := bytesOfFilter(t, plain)
	if err := plain.UnmarshalBinary(bytesOfFilter(t, ownFilter(t))); !errors.Is(err, ErrWrongHash) || !bytes.Equal(bytesOfFilter(t, plain), before) {
		t.Errorf("a filter of another hash opened it: %v", err)
	}
}

func TestFiltersOfOtherFunctionsAreNotMerged(t *testing.T) {
	f := ownFilter(t)
	before := bytesOfFilter(t, f)
	fresh := func(options ...Option) *Bloom {
		t.Helper()
		g, err := NewBloom(Target{Capacity: 1000, FPR: 0.01}, options...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	sentence := []byte("have I seen this before?")
	checks := fmt.Sprintf("the check values of hash 0x8001 differ: %016x here, %016x there", ownSum(sentence, 42), impostor(sentence, 42))
	for want, other := range map[string]*Bloom{
		"hashes differ: hash 0x8001 here, xxh3-fold there":   fresh(),
		"hashes differ: hash 0x8001 here, hash 0x8002 there": fresh(WithOwnHash(0x8002, ownSum), WithSeed(42)),
		"seeds differ: 42 here, 0 there":                     fresh(ownHash),
		checks:                                               fresh(WithOwnHash(ownNumber, impostor), WithSeed(42)),
	} {
		for _, err := range []error{f.Merge(other), f.Intersect(other)} {
			if !errors.Is(err, ErrIncompatible) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		}
		if f.Equal(other) || !bytes.Equal(bytesOfFilter(t, f), before) {
			t.Errorf("%s: the filter is another one", want)
		}
	}
	same := fresh(WithOwnHash(ownNumber, func(key []byte, seed uint64) uint64 { return ownSum(key, seed) }), WithSeed(42))
	same.AddString("one more")
	if err := f.Merge(same); err != nil || !f.MayContainString("one more") {
		t.Errorf("the same function by another name: %v", err)
	}
}

func TestAFunctionThatCannotBeAHashIsRefused(t *testing.T) {
	target := Target{Capacity: 1000, FPR: 0.01}
	for want, options := range map[string][]Option{
		"a hash of your own has a number from 0x8000 up, not 0x7fff": {WithOwnHash(0x7fff, ownSum)},
		"hash 0x8001 is your own, and its function is nil":           {WithOwnHash(ownNumber, nil)},
		"hash 0x8001 is your own, and takes no secret":               {ownHash, WithSecret(Secret{})},
		"hash 0x8001 is its user's own, and no function was given":   {WithHash(ownNumber)},
	} {
		if _, err := NewBloom(target, options...); !errors.Is(err, ErrInvalidArgument) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for _, format := range []Format{FormatBitsAndBlooms, FormatPortable} {
		if _, err := NewForeign(format, target, ownHash); !errors.Is(err, ErrInvalidArgument) || !strings.Contains(err.Error(), "hash 0x8001") {
			t.Errorf("%s: %v", format, err)
		}
	}
	if f, err := NewBloom(target, ownHash, WithHash(XXH64)); err != nil || f.Hash() != XXH64 {
		t.Errorf("the last option does not count: %v", err)
	}
}

func TestPhrozenTakesAUsersHash(t *testing.T) {
	f, err := NewForeign(FormatPhrozen, Target{Capacity: 1000, FPR: 0.01}, ownHash)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("alice")
	opened, err := Read(bytesOfFilter(t, f), ownHash, WithFormat(FormatPhrozen))
	if err != nil {
		t.Fatal(err)
	}
	g := opened.(*Foreign)
	if !g.MayContainString("alice") || g.MayContainString("bob") || g.Info().Hash != ownNumber {
		t.Error("another filter")
	}
	if err := f.Merge(g); err != nil {
		t.Error(err)
	}
	usual, _ := NewForeign(FormatPhrozen, Target{Capacity: 1000, FPR: 0.01})
	fake, _ := NewForeign(FormatPhrozen, Target{Capacity: 1000, FPR: 0.01}, WithOwnHash(ownNumber, impostor))
	for _, other := range []*Foreign{usual, fake} {
		if err := f.Merge(other); !errors.Is(err, ErrIncompatible) {
			t.Errorf("merged: %v", err)
		}
	}
}

// What a function does with the key that it gets harms nobody's key.
func TestAFunctionGetsACopyOfTheKey(t *testing.T) {
	var kept [][]byte
	greedy := func(key []byte, seed uint64) uint64 {
		h := ownSum(key, seed)
		kept = append(kept, key)
		clear(key[:cap(key)])
		return h
	}
	f, err := NewBloom(Target{Capacity: 1000, FPR: 0.01}, WithOwnHash(ownNumber, greedy))
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a long key ", 10_000) // beyond what is kept of the copies
	key := []byte("bytes")
	f.AddString("a text, which is read-only memory")
	f.AddString(long)
	f.Add(key)
	if string(key) != "bytes" || !f.MayContainString("a text, which is read-only memory") || !f.MayContainString(long) || !f.MayContain(key) {
		t.Error("a key has changed")
	}
}

func TestGoroutinesShareAFilterOfAUsersHash(t *testing.T) {
	target := Target{Capacity: 16_000, FPR: 0.01}
	f, err := NewConcurrentBloom(target, ownHash)
	if err != nil {
		t.Fatal(err)
	}
	alone, _ := NewBloom(target, ownHash)
	var all sync.WaitGroup
	for me := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 2000 {
				key := fmt.Sprint("key ", i*8+me*(i%2))
				f.AddString(key)
				if !f.MayContainString(key) {
					t.Error("a goroutine does not see its own add")
				}
			}
		}()
	}
	all.Wait()
	for me := range 8 {
		for i := range 2000 {
			alone.AddString(fmt.Sprint("key ", i*8+me*(i%2)))
		}
	}
	if !f.Snapshot().Equal(alone) {
		t.Error("other bits than one by one")
	}
}
