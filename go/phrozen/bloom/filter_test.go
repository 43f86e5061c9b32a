package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/zero"
)

const golden = "../../../tests/golden"

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden, path))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func decoded(t *testing.T, texts []string) (keys [][]byte) {
	t.Helper()
	for _, text := range texts {
		key, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

func TestFilesOfTheLibraryAreMadeReadAndAnsweredAsItDoes(t *testing.T) {
	var keys struct {
		Added  []string `json:"added_hex"`
		Absent []string `json:"absent_hex"`
	}
	readJSON(t, "keys.json", &keys)
	added, absent := decoded(t, keys.Added), decoded(t, keys.Absent)
	for name, made := range map[string]*Filter{
		"n137p01.bin":        NewFilterFromProbability(137, 0.01),
		"n50p1_overfull.bin": NewFilterFromProbability(50, 0.1),
		"m1000k4.bin":        NewFilter(1000, 4, WithHashFunc(fnv.New64a)),
	} {
		var manifest struct {
			AddedCount     int    `json:"added_count"`
			AbsentAnswers  []bool `json:"absent_answers"`
			ProbePositives []int  `json:"probe_positives"`
		}
		readJSON(t, "phrozen/"+name+".json", &manifest)
		data, err := os.ReadFile(filepath.Join(golden, "phrozen", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range added[:manifest.AddedCount] {
			made.Add(key)
		}
		if got, err := made.MarshalBinary(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: other bytes (%v)\n got %x\nwant %x", name, err, got, data)
		}
		var read Filter
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		for i, key := range absent {
			if read.Contains(key) != manifest.AbsentAnswers[i] {
				t.Errorf("%s: absent key %d: %t", name, i, read.Contains(key))
			}
		}
		var positives []int
		for i := range 1000 {
			if read.Contains([]byte(fmt.Sprint("probe-", i))) {
				positives = append(positives, i)
			}
		}
		if !slices.Equal(positives, manifest.ProbePositives) {
			t.Errorf("%s: probes %v, want %v", name, positives, manifest.ProbePositives)
		}
	}
}

// sum64 is a hash of no library: it takes its whole key in one call, and gives no sense to a second.
type sum64 struct {
	hash.Hash64
	state  uint64
	writes int
}

func (s *sum64) Reset() { s.state, s.writes = 7, 0 }
func (s *sum64) Write(key []byte) (int, error) {
	for _, b := range key {
		s.state = (s.state ^ uint64(b)) * 0x9fb21c651e98df25
	}
	s.writes++
	return len(key), nil
}
func (s *sum64) Sum64() uint64 {
	if s.writes != 1 {
		return 0
	}
	return s.state ^ s.state>>29
}

func newSum64() hash.Hash64 { return new(sum64) }

// asForeign is the function of sum64 for package seen.
func asForeign(key []byte, _ uint64) uint64 {
	var s sum64
	s.Reset()
	_, _ = s.Write(key)
	return s.Sum64()
}

func TestFilesMoveBothWaysWithPackageSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for round := range 60 {
		m, k := 1+random.IntN(5000), 1+random.IntN(255)
		var options []Option
		var opening []seen.OpenOption
		switch round % 3 {
		case 1:
			options = []Option{WithHashFunc(newSum64)}
			opening = []seen.OpenOption{seen.WithOwnHash(0x9000, asForeign)}
		case 2:
			options = []Option{WithHashFunc(fnv.New64a)}
			opening = []seen.OpenOption{seen.WithHash(seen.FNV1a)}
		}
		f := NewFilter(m, k, options...)
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		opened, err := seen.Read(data, append(opening, seen.WithFormat(seen.FormatPhrozen))...)
		if err != nil {
			t.Fatal(err)
		}
		foreign := opened.(*seen.Foreign)
		for range 40 {
			key := make([]byte, random.IntN(200))
			for i := range key {
				key[i] = byte(random.Uint32())
			}
			if f.Contains(key) != foreign.MayContain(key) {
				t.Fatalf("m %d, k %d: %t here, %t in package seen", m, k, f.Contains(key), foreign.MayContain(key))
			}
			if random.IntN(2) == 0 {
				f.Add(key)
				foreign.Add(key)
			}
		}
		here, _ := f.MarshalBinary()
		there, _ := foreign.MarshalBinary()
		if !bytes.Equal(here, there) {
			t.Fatalf("m %d, k %d: other bytes than package seen", m, k)
		}
		if err := f.UnmarshalBinary(there); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSizesAreThoseOfTheOriginalsFormula(t *testing.T) {
	for _, want := range []struct {
		n    int
		p    float64
		m, k uint64
	}{
		{1_000_000, 0.01, 9585059, 7}, {10_000, 0.01, 95851, 7}, {137, 0.01, 1314, 7}, {1, 0.5, 2, 2}, {1000, 0.5, 1443, 2}, {4_759_404, 0x1p-31, 212_857_425, 32},
		{0, 0.01, 1, 1}, {1000, 1, 1, 1}, {1000, 7, 1, 1}, {1000, -1, 1, 1}, {1000, math.NaN(), 1, 1},
	} {
		if b := NewFilterFromProbability(want.n, want.p).now.Load(); b.Mod.M != want.m || b.K != want.k {
			t.Errorf("%d keys at %v: m %d, k %d; want %d, %d", want.n, want.p, b.Mod.M, b.K, want.m, want.k)
		}
	}
}

// panicOf is what a call panics with.
func panicOf(call func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	call()
	return nil
}

func TestNumbersThatNoFilterHas(t *testing.T) {
	for _, each := range []struct {
		call func()
		want error
	}{
		{func() { NewFilter(-1, 3) }, seen.ErrInvalidArgument},
		{func() { NewFilter(3, -1) }, seen.ErrInvalidArgument},
		{func() { NewFilterFromProbability(-1, 0.5) }, seen.ErrInvalidArgument},
		{func() { newFilter(1<<40+1, 3, nil) }, seen.ErrTooLarge},
		{func() { NewFilterFromProbability(1, 0) }, seen.ErrTooLarge},
		{func() { NewFilterFromProbability(math.MaxInt32, 1e-300) }, seen.ErrTooLarge},
	} {
		if err := panicOf(each.call); !errors.Is(err, each.want) {
			t.Errorf("%v; want %v", err, each.want)
		}
	}
	f := NewFilter(0, 0)
	if f.Contains([]byte("x")) {
		t.Error("an empty filter says maybe")
	}
	f.Add([]byte("x"))
	if !f.Contains([]byte("x")) {
		t.Error("a key is lost")
	}
}

func TestWhatCouldNotBeReadAgainIsNotWritten(t *testing.T) {
	for k, written := range map[int]bool{255: true, 256: false} {
		f := NewFilter(10_000, k)
		f.Add([]byte("x"))
		data, err := f.MarshalBinary()
		if (err == nil) != written || (err != nil && !strings.Contains(err.Error(), "k is 256; it must be from 1 to 255")) {
			t.Errorf("k %d: %v", k, err)
		}
		if written && new(Filter).UnmarshalBinary(data) != nil {
			t.Errorf("k %d: not read", k)
		}
		if !f.Contains([]byte("x")) || f.Contains([]byte("y")) {
			t.Errorf("k %d: it does not work in memory either", k)
		}
	}
}

func TestTheHashIsKeptByUnmarshalAndChangedByItsOption(t *testing.T) {
	made := NewFilter(5000, 4, WithHashFunc(newSum64))
	key := []byte("a key of another hash")
	made.Add(key)
	data, _ := made.MarshalBinary()

	kept, later, without := NewFilter(9, 1, WithHashFunc(newSum64)), new(Filter), new(Filter)
	for _, f := range []*Filter{kept, later, without} {
		if err := f.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
	}
	if !kept.Contains(key) || without.Contains(key) || later.Contains(key) {
		t.Error("the hash of the filter is not what it asks with")
	}
	WithHashFunc(newSum64)(later)
	if !later.Contains(key) {
		t.Error("a hash that was chosen later is not taken")
	}
	WithHashFunc(nil)(kept)
	if kept.Contains(key) {
		t.Error("a nil function is not FNV-1a")
	}
}

func TestHostileBytesAreRefusedAndChangeNothing(t *testing.T) {
	header := func(m, k uint64, words int) []byte {
		data := binary.LittleEndian.AppendUint64(nil, m)
		return append(binary.LittleEndian.AppendUint64(data, k), make([]byte, 8*words)...)
	}
	f := NewFilter(1000, 3)
	f.Add([]byte("x"))
	before, _ := f.MarshalBinary()
	stray := header(100, 3, 2)
	stray[len(stray)-1] = 0x80
	for name, data := range map[string][]byte{
		"nothing": nil, "less than a header": make([]byte, 15), "an m of 0": header(0, 3, 0), "a k of 0": header(64, 0, 1),
		"a k of 256": header(64, 256, 1), "a word too few": header(65, 3, 1), "a word too many": header(64, 3, 2),
		"half a word more": append(header(64, 3, 1), 1, 2, 3, 4), "bits beyond the last": stray,
		"an m that wraps": header(math.MaxUint64, 3, 0), "an m without its bits": header(1<<40, 3, 1),
		"an m beyond 2^40": header(1<<40+1, 3, 1),
	} {
		for _, g := range []*Filter{f, new(Filter)} {
			if err := g.UnmarshalBinary(data); err == nil || !strings.HasPrefix(err.Error(), "phrozen: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if after, _ := f.MarshalBinary(); !bytes.Equal(after, before) {
		t.Error("a refused file changed the filter")
	}
}

func TestEveryMethodOfAZeroOrNilFilterFailsLoudly(t *testing.T) {
	types, err := zero.Types(".")
	if want := []string{"Filter", "HashFunc", "Option"}; err != nil || !slices.Equal(types, want) {
		t.Fatalf("there are %v: %v; this test knows %v", types, err, want)
	}
	chosen := new(Filter)
	WithHashFunc(newSum64)(chosen)
	for _, f := range []*Filter{{}, chosen, nil} {
		for _, complaint := range zero.Complaints(f, t.TempDir(), errZero) {
			t.Error(complaint)
		}
	}
}

const goroutines = 8

func together(work func(me int)) {
	var all sync.WaitGroup
	for me := range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			work(me)
		}()
	}
	all.Wait()
}

func key16(x uint64) (key [16]byte) {
	binary.LittleEndian.PutUint64(key[:], x)
	binary.LittleEndian.PutUint64(key[8:], x*0x9e3779b97f4a7c15)
	return key
}

func TestConcurrentAddsEndInTheBytesOfAddsOneByOne(t *testing.T) {
	for name, options := range map[string][]Option{"FNV-1a": nil, "a hash with a state": {WithHashFunc(newSum64)}} {
		f, alone := NewFilterFromProbability(20_000, 0.01, options...), NewFilterFromProbability(20_000, 0.01, options...)
		// Half of the keys are added by every goroutine, so that they meet in the same words.
		keyOf := func(me, x uint64) [16]byte { return key16(x*goroutines + me*(x%2)) }
		together(func(me int) {
			for x := range uint64(2000) {
				key := keyOf(uint64(me), x)
				f.Add(key[:])
				if !f.Contains(key[:]) {
					t.Errorf("%s: a goroutine does not see its own add", name)
				}
			}
		})
		for me := range uint64(goroutines) {
			for x := range uint64(2000) {
				key := keyOf(me, x)
				alone.Add(key[:])
			}
		}
		here, _ := f.MarshalBinary()
		if want, _ := alone.MarshalBinary(); !bytes.Equal(here, want) {
			t.Errorf("%s: other bits than one by one", name)
		}
	}
}

// Whoever looks meanwhile has the old filter or the new one, whole.
func TestEveryMethodRunsBesideEveryOtherOfGoroutines(t *testing.T) {
	odd, even := NewFilter(3000, 30), NewFilter(5000, 20)
	odd.Add([]byte("odd"))
	even.Add([]byte("even"))
	var data [2][]byte
	data[0], _ = even.MarshalBinary()
	data[1], _ = odd.MarshalBinary()
	f := NewFilter(3000, 30)
	together(func(me int) {
		for i := range 300 {
			switch (me + i) % 4 {
			case 0:
				if err := f.UnmarshalBinary(data[i/4%2]); err != nil {
					t.Error(err)
				}
			case 1:
				got, err := f.MarshalBinary()
				if m := binary.LittleEndian.Uint64(got); err != nil || m != 3000 && m != 5000 || new(Filter).UnmarshalBinary(got) != nil {
					t.Errorf("a filter that never was: %v", err)
				}
			case 2:
				WithHashFunc([]HashFunc{newSum64, nil}[i/4%2])(f)
			case 3:
				f.Add([]byte("x"))
				f.Contains([]byte("y"))
			}
		}
	})
}

func FuzzUnmarshalBinary(f *testing.F) {
	files, _ := filepath.Glob(golden + "/phrozen/*.bin")
	for _, path := range files {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read Filter
		if read.UnmarshalBinary(data) != nil {
			return
		}
		if again, err := read.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("written, it is another file (%v)", err)
		}
		read.Add(data)
		if !read.Contains(data) {
			t.Fatal("a key is lost")
		}
	})
}
