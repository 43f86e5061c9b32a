package bloom_test

// A program that was written for github.com/phrozen/bloom, with every name that it exports: only the import path is another.

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"fmt"
	"hash"
	"hash/crc64"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seenfilter/seen/go/phrozen/bloom"
)

// What a program may rely on, and the compiler says whether it may.
var (
	_ func(m int, k int, opts ...bloom.Option) *bloom.Filter     = bloom.NewFilter
	_ func(n int, p float64, opts ...bloom.Option) *bloom.Filter = bloom.NewFilterFromProbability
	_ func(h bloom.HashFunc) bloom.Option                        = bloom.WithHashFunc
	_ func(*bloom.Filter, []byte)                                = (*bloom.Filter).Add
	_ func(*bloom.Filter, []byte) bool                           = (*bloom.Filter).Contains
	_ encoding.BinaryMarshaler                                   = (*bloom.Filter)(nil)
	_ encoding.BinaryUnmarshaler                                 = (*bloom.Filter)(nil)
	_ bloom.HashFunc                                             = fnv.New64a
	_ bloom.HashFunc                                             = func() hash.Hash64 { return crc64.New(crc64.MakeTable(crc64.ECMA)) }
	_ bloom.Option                                               = func(*bloom.Filter) {}
)

// guard is a table with a filter in front, as a program has it: by value, made later, and by options of its own.
type guard struct {
	bloom.Filter
	rows  map[string]int
	reads int
}

func (g *guard) get(key string) (int, bool) {
	if !g.Contains([]byte(key)) {
		return 0, false
	}
	g.reads++
	row, there := g.rows[key]
	return row, there
}

func TestAProgramOfTheOriginalRunsWithAnotherImportPath(t *testing.T) {
	options := []bloom.Option{bloom.WithHashFunc(func() hash.Hash64 { return fnv.New64() })}
	made := bloom.NewFilterFromProbability(1000, 0.01, options...)
	rows := map[string]int{}
	for i := range 1000 {
		key := fmt.Sprint("row ", i)
		rows[key] = i
		made.Add([]byte(key))
	}
	data, err := made.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	table := guard{rows: rows}
	options[0](&table.Filter)
	if err := table.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if row, there := table.get(key); !there || row != rows[key] {
			t.Fatalf("%s: %d, %t", key, row, there)
		}
	}
	table.reads = 0
	for i := range 1000 {
		table.get(fmt.Sprint("no row ", i))
	}
	// 10 are expected; six standard deviations of 3.1 more are 29.
	if table.reads > 29 {
		t.Errorf("%d of 1000 lookups of missing rows were not spared", table.reads)
	}
}

func TestAFilterGoesThroughGobAndFiles(t *testing.T) {
	f := bloom.NewFilter(4096, 5)
	f.Add(nil)
	f.Add([]byte("alice"))
	var stream bytes.Buffer
	if err := gob.NewEncoder(&stream).Encode(struct{ Seen *bloom.Filter }{f}); err != nil {
		t.Fatal(err)
	}
	var back struct{ Seen *bloom.Filter }
	if err := gob.NewDecoder(&stream).Decode(&back); err != nil {
		t.Fatal(err)
	}
	data, _ := f.MarshalBinary()
	path := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	read, _ := os.ReadFile(path)
	var restored bloom.Filter
	if err := restored.UnmarshalBinary(read); err != nil {
		t.Fatal(err)
	}
	for _, g := range []*bloom.Filter{back.Seen, &restored} {
		again, err := g.MarshalBinary()
		if err != nil || !bytes.Equal(again, data) || !g.Contains([]byte{}) || !g.Contains([]byte("alice")) || g.Contains([]byte("bob")) {
			t.Errorf("another filter (%v)", err)
		}
	}
}

func TestGoroutinesShareAFilterWithoutALock(t *testing.T) {
	f := bloom.NewFilterFromProbability(8000, 0.01)
	var all sync.WaitGroup
	for me := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 1000 {
				key := []byte(fmt.Sprint(me, " ", i))
				f.Add(key)
				if !f.Contains(key) {
					t.Error("a goroutine does not see its own add")
				}
			}
		}()
	}
	all.Wait()
	for me := range 8 {
		for i := range 1000 {
			if !f.Contains([]byte(fmt.Sprint(me, " ", i))) {
				t.Fatalf("key %d of goroutine %d is lost", i, me)
			}
		}
	}
}

func TestTheMethodsAreThoseOfTheOriginal(t *testing.T) {
	var names []string
	for filter, i := reflect.TypeFor[*bloom.Filter](), 0; i < filter.NumMethod(); i++ {
		names = append(names, filter.Method(i).Name)
	}
	if want := []string{"Add", "Contains", "MarshalBinary", "UnmarshalBinary"}; !slices.Equal(names, want) {
		t.Errorf("%v; want %v", names, want)
	}
}
