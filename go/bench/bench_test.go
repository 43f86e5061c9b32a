package bench

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"

	peer "github.com/bits-and-blooms/bloom/v3"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/bloom"
	phrozenbloom "github.com/seenfilter/seen/go/phrozen/bloom"
)

// One run, the same 16-byte keys for everybody: a million keys in a filter for a million at 1 %.

const (
	keyCount = 1_000_000
	fpr      = 0.01
)

type key [16]byte

// keysFrom are a million keys that look random, in order of nothing.
func keysFrom(start uint64) []key {
	keys := make([]key, keyCount)
	for i := range keys {
		x := (start + uint64(i)) * 0x9e3779b97f4a7c15
		binary.LittleEndian.PutUint64(keys[i][:], x)
		binary.LittleEndian.PutUint64(keys[i][8:], x^x>>29)
	}
	return keys
}

var present, absent = keysFrom(0), keysFrom(keyCount)

// A contender adds and asks many keys at a time, by methods of the concrete type: through an interface keys would escape and no call
// could be inlined, which costs the fast ones more than the slow ones.
type contender struct {
	name  string
	reset func()          // to an empty filter
	add   func([]key)     //
	ask   func([]key) int // how many are answered maybe
}

func contenders() []contender {
	var (
		original = peer.NewWithEstimates(keyCount, fpr)
		phrozen  = newStandIn(keyCount, fpr)
		dropIn   = bloom.NewWithEstimates(keyCount, fpr)
		instead  = phrozenbloom.NewFilterFromProbability(keyCount, fpr)
		plain    = must(seen.NewBloom)
		shared   = must(seen.NewConcurrentBloom)
		blocked  = must(seen.NewBlockedBloom)
	)
	return []contender{
		{"bits-and-blooms", func() { original = peer.NewWithEstimates(keyCount, fpr) }, func(k []key) {
			for i := range k {
				original.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if original.Test(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"phrozen-stand-in", func() { phrozen = newStandIn(keyCount, fpr) }, func(k []key) {
			for i := range k {
				phrozen.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if phrozen.Contains(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"go/bloom", func() { dropIn = bloom.NewWithEstimates(keyCount, fpr) }, func(k []key) {
			for i := range k {
				dropIn.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if dropIn.Test(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"go/phrozen/bloom", func() { instead = phrozenbloom.NewFilterFromProbability(keyCount, fpr) }, func(k []key) {
			for i := range k {
				instead.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if instead.Contains(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"seen.Bloom", func() { plain = must(seen.NewBloom) }, func(k []key) {
			for i := range k {
				plain.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if plain.MayContain(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"seen.ConcurrentBloom", func() { shared = must(seen.NewConcurrentBloom) }, func(k []key) {
			for i := range k {
				shared.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if shared.MayContain(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"seen.BlockedBloom", func() { blocked = must(seen.NewBlockedBloom) }, func(k []key) {
			for i := range k {
				blocked.Add(k[i][:])
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if blocked.MayContain(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
	}
}

func must[F any](make func(seen.Target, ...seen.Option) (F, error)) F {
	f, err := make(seen.Target{Capacity: keyCount, FPR: fpr})
	if err != nil {
		panic(err)
	}
	return f
}

// A piece is so many keys that a filter is back in the cache after the first few of them, also one that takes a single line per key, and so
// few that whatever else the machine does meanwhile meets every contender alike.
const pieces = 4

// BenchmarkSideBySide is of Bloom filters. Add is of new keys to a filter that was empty at the round's beginning.
func BenchmarkSideBySide(b *testing.B) {
	all := contenders()
	sideBySide(b, all, []operation{
		{"Add", pieces, func(i int, k []key) int { all[i].add(k); return 0 }, present, 0, 0},
		{"Present", pieces, func(i int, k []key) int { return all[i].ask(k) }, present, keyCount, keyCount},
		// Twenty standard deviations above 1 %: a contender that is worse is not comparable.
		{"Absent", pieces, func(i int, k []key) int { return all[i].ask(k) }, absent, 0, 12_000},
	})
}

// An operation is done to so many pieces of the keys, each by all contenders in turn. In the end a contender may have said "maybe" to so many
// keys, from least to most.
type operation struct {
	name        string
	pieces      int
	do          func(contender int, keys []key) (maybe int)
	keys        []key
	least, most int
}

// sideBySide reports for each contender the median time of its pieces over all rounds, and how many times as fast as the first that is. One
// iteration is a million keys for each.
func sideBySide(b *testing.B, all []contender, operations []operation) {
	runtime.LockOSThread() // the clock is the thread's
	defer runtime.UnlockOSThread()
	times := make([][][][]float64, len(operations)) // of a contender, of a piece, of a round
	for o := range times {
		times[o] = make([][][]float64, len(all))
		for i := range all {
			times[o][i] = make([][]float64, operations[o].pieces)
		}
	}
	for range b.N {
		for _, c := range all {
			c.reset()
		}
		runtime.GC() // now, and not within a piece
		for o, op := range operations {
			maybe := make([]int, len(all))
			for piece := range op.pieces {
				keys := op.keys[piece*keyCount/op.pieces : (piece+1)*keyCount/op.pieces]
				for i := range all {
					start := spent()
					maybe[i] += op.do(i, keys)
					taken := float64((spent() - start).Nanoseconds()) / float64(len(keys))
					times[o][i][piece] = append(times[o][i][piece], taken)
				}
			}
			for i, c := range all {
				if maybe[i] < op.least || maybe[i] > op.most {
					b.Fatalf("%s: %s: maybe to %d of %d keys", c.name, op.name, maybe[i], keyCount)
				}
			}
		}
	}
	if b.N == 1 { // the trial by which the testing package finds out how long it takes
		return
	}
	fmt.Println()
	for o, op := range operations {
		var first float64
		for i, c := range all {
			sum := 0.0
			for _, piece := range times[o][i] {
				slices.Sort(piece)
				sum += piece[len(piece)/2]
			}
			sum /= float64(op.pieces)
			if i == 0 {
				first = sum
			}
			fmt.Printf("%-8s %-22s %7.1f ns   %5.2f x\n", op.name, c.name, sum, first/sum)
		}
	}
}
