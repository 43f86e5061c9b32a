// Go's filters on the keys of the C++ benchmark: JSON lines of its records (bench/core/records.hpp).
//
//	peers KEYS SIZE...
//
// For every size the files added, absent, half and present of KEYS (64-bit integers, little-endian); then a million keys
// of 16 bytes on 1, 2, 4 and 16 goroutines.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/FastFilter/xorfilter"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/greatroar/blobloom"
)

const rounds = 7

type record struct {
	Run        string    `json:"run"`
	Keys       int       `json:"keys"`
	Family     string    `json:"family"`
	Filter     string    `json:"filter"`
	Call       string    `json:"call"`
	Mix        string    `json:"mix"`
	Queries    string    `json:"queries"`
	Threads    int       `json:"threads"`
	Ns         []float64 `json:"ns"`
	BitsPerKey float64   `json:"bits_per_key"`
	Fpr        float64   `json:"fpr"`
}

func (r record) print() {
	text, err := json.Marshal(r)
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "go peers:", err)
		os.Exit(1)
	}
}

func integers(path string) []uint64 {
	data, err := os.ReadFile(path)
	check(err)
	keys := make([]uint64, len(data)/8)
	for i := range keys {
		keys[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return keys
}

func slices(data []byte, width int) [][]byte {
	keys := make([][]byte, len(data)/width)
	for i := range keys {
		keys[i] = data[width*i : width*(i+1) : width*(i+1)]
	}
	return keys
}

// bytes are the same integers as 8 bytes each, for filters that take bytes.
func bytesOf(keys []uint64) [][]byte {
	data := make([]byte, 8*len(keys))
	for i, key := range keys {
		binary.LittleEndian.PutUint64(data[8*i:], key)
	}
	return slices(data, 8)
}

// xxh-like finaliser for blobloom, which wants hashes: the price of a good one for 8 or 16 bytes.
func fold(key []byte) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for len(key) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(key)) * 0xff51afd7ed558ccd
		h ^= h >> 32
		key = key[8:]
	}
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

type filter struct {
	family, name string
	bits         func() float64
	build        func(keys [][]byte, ints []uint64)
	contains     func(key []byte, i uint64) bool
}

func filters() []*filter {
	var bb *bloom.BloomFilter
	var blob *blobloom.Filter
	var fuse *xorfilter.BinaryFuse8
	return []*filter{
		{"classic", "Go bits-and-blooms", func() float64 { return float64(bb.Cap()) },
			func(keys [][]byte, _ []uint64) {
				bb = bloom.NewWithEstimates(uint(len(keys)), 0.01)
				for _, key := range keys {
					bb.Add(key)
				}
			},
			func(key []byte, _ uint64) bool { return bb.Test(key) }},
		{"classic", "Go blobloom", func() float64 { return float64(blob.NumBits()) },
			func(keys [][]byte, _ []uint64) {
				blob = blobloom.NewOptimized(blobloom.Config{Capacity: uint64(len(keys)), FPRate: 0.01})
				for _, key := range keys {
					blob.Add(fold(key))
				}
			},
			func(key []byte, _ uint64) bool { return blob.Has(fold(key)) }},
		{"static", "Go xorfilter fuse8", func() float64 { return 8 * float64(len(fuse.Fingerprints)) },
			func(_ [][]byte, ints []uint64) {
				var err error
				fuse, err = xorfilter.PopulateBinaryFuse8(ints)
				check(err)
			},
			func(_ []byte, i uint64) bool { return fuse.Contains(i) }},
	}
}

func sized(folder string, n int) {
	at := func(name string) string { return fmt.Sprintf("%s/%s-%d.u64", folder, name, n) }
	added := integers(at("added"))
	addedBytes := bytesOf(added)
	for _, f := range filters() {
		build := []float64{}
		for r := 0; r <= min(rounds, max(1, 40_000_000/n)); r++ {
			begin := time.Now()
			f.build(addedBytes, added)
			if r > 0 {
				build = append(build, float64(time.Since(begin).Nanoseconds())/float64(n))
			}
		}
		out := record{Run: "go", Keys: n, Family: f.family, Filter: f.name, Threads: 1, BitsPerKey: f.bits() / float64(n)}
		rows := []record{}
		for _, mix := range []string{"absent", "half", "present"} {
			ints := integers(at(mix))
			keys := bytesOf(ints)
			ns := []float64{}
			found := 0
			for r := 0; r <= rounds; r++ {
				found = 0
				begin := time.Now()
				for i, key := range keys {
					if f.contains(key, ints[i]) {
						found++
					}
				}
				if r > 0 {
					ns = append(ns, float64(time.Since(begin).Nanoseconds())/float64(len(keys)))
				}
			}
			if mix == "absent" {
				out.Fpr = float64(found) / float64(len(keys))
			}
			row := out
			row.Call, row.Mix, row.Queries, row.Ns = "single", mix, "streamed", ns
			rows = append(rows, row)
		}
		out.Call, out.Ns = "build", build
		out.print()
		for _, row := range rows {
			row.Fpr = out.Fpr
			row.print()
		}
	}
}

type shared struct {
	name     string
	reset    func(n uint64)
	add      func(key []byte)
	contains func(key []byte) bool
}

// phrozen is the design that github.com/phrozen/bloom describes: FNV-1a, two halves of 32 bits, atomic words, no locks.
// Its hasher comes from a pool there; here it is inlined, which is faster.
type phrozen struct {
	bits []atomic.Uint64
	m    uint64
	k    int
}

func newPhrozen(n uint64, p float64) *phrozen {
	m := uint64(math.Ceil(-float64(n) * math.Log(p) / (math.Ln2 * math.Ln2)))
	k := int(math.Round(float64(m) / float64(n) * math.Ln2))
	return &phrozen{make([]atomic.Uint64, (m+63)/64), m, k}
}

func (f *phrozen) halves(key []byte) (uint64, uint64) {
	h := uint64(14695981039346656037)
	for _, c := range key {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h >> 32, h & 0xffffffff
}

func (f *phrozen) Add(key []byte) {
	h1, h2 := f.halves(key)
	for i := 0; i < f.k; i++ {
		at := (h1 + uint64(i)*h2) % f.m
		f.bits[at/64].Or(1 << (at % 64))
	}
}

func (f *phrozen) Contains(key []byte) bool {
	h1, h2 := f.halves(key)
	for i := 0; i < f.k; i++ {
		at := (h1 + uint64(i)*h2) % f.m
		if f.bits[at/64].Load()&(1<<(at%64)) == 0 {
			return false
		}
	}
	return true
}

func sharedFilters() []shared {
	var bb *bloom.BloomFilter
	var lock sync.RWMutex
	var sync_ *blobloom.SyncFilter
	var ph *phrozen
	return []shared{
		{"Go bits-and-blooms", func(n uint64) { bb = bloom.NewWithEstimates(uint(n), 0.01) },
			func(key []byte) { lock.Lock(); bb.Add(key); lock.Unlock() }, // not safe without
			func(key []byte) bool { return bb.Test(key) }},
		{"Go phrozen's design", func(n uint64) { ph = newPhrozen(n, 0.01) },
			func(key []byte) { ph.Add(key) },
			func(key []byte) bool { return ph.Contains(key) }},
		{"Go blobloom Sync", func(n uint64) {
			sync_ = blobloom.NewSyncOptimized(blobloom.Config{Capacity: n, FPRate: 0.01})
		},
			func(key []byte) { sync_.Add(fold(key)) },
			func(key []byte) bool { return sync_.Has(fold(key)) }},
	}
}

// together runs a part of the keys on each goroutine and returns nanoseconds per key on the wall.
func together(threads int, keys int, work func(from, to int)) float64 {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for t := 0; t < threads; t++ {
		ready.Add(1)
		done.Add(1)
		go func(from, to int) {
			ready.Done()
			<-start
			work(from, to)
			done.Done()
		}(keys*t/threads, keys*(t+1)/threads)
	}
	ready.Wait()
	begin := time.Now()
	close(start)
	done.Wait()
	return float64(time.Since(begin).Nanoseconds()) / float64(keys)
}

var sink atomic.Uint64

func threads(folder string) {
	data, err := os.ReadFile(folder + "/added.16")
	check(err)
	added := slices(data, 16)
	data, err = os.ReadFile(folder + "/half.16")
	check(err)
	asked := slices(data, 16)
	n := len(added)
	for _, f := range sharedFilters() {
		for _, count := range []int{1, 2, 4, 16} {
			ns := map[string][]float64{}
			for r := 0; r <= rounds; r++ {
				f.reset(uint64(n))
				add := func(from, to int) {
					for _, key := range added[from:to] {
						f.add(key)
					}
				}
				ask := func(from, to int) {
					found := uint64(0)
					for _, key := range asked[from:to] {
						if f.contains(key) {
							found++
						}
					}
					sink.Add(found)
				}
				once := map[string]float64{"add": together(count, n, add), "again": together(count, n, add)}
				once["contains"] = together(count, n, ask)
				if f.name != "Go bits-and-blooms" { // a lookup beside an add is a race there
					once["both"] = together(count, n, func(from, to int) {
						found := uint64(0)
						for i := from; i < to; i++ {
							if i%2 == 0 {
								f.add(added[i])
							} else if f.contains(asked[i]) {
								found++
							}
						}
						sink.Add(found)
					})
				}
				if r > 0 {
					for call, spent := range once {
						ns[call] = append(ns[call], spent)
					}
				}
			}
			calls := []string{}
			for call := range ns {
				calls = append(calls, call)
			}
			sort.Strings(calls)
			for _, call := range calls {
				record{Run: "go", Keys: n, Family: "threads", Filter: f.name, Call: call, Threads: count, Ns: ns[call]}.print()
			}
		}
	}
}

func main() {
	if len(os.Args) < 3 {
		check(fmt.Errorf("usage: peers KEYS SIZE..."))
	}
	for _, text := range os.Args[2:] {
		n, err := strconv.Atoi(text)
		check(err)
		sized(os.Args[1], n)
	}
	threads(os.Args[1])
}
