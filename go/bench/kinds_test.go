package bench

import (
	"slices"
	"testing"

	"github.com/FastFilter/xorfilter"
	cuckoofilter "github.com/seiflotfy/cuckoofilter"

	"github.com/seenfilter/seen/go"
)

// BenchmarkSideBySideCuckoo is of cuckoo filters with fingerprints of eight bits. That of cuckoofilter is for 2^20 keys at that, a power of
// two, where the other is for a million.
func BenchmarkSideBySideCuckoo(b *testing.B) {
	theirs := cuckoofilter.NewFilter(keyCount)
	ours := newCuckoo(b)
	all := []contender{
		{"cuckoofilter", func() { theirs = cuckoofilter.NewFilter(keyCount) }, func(k []key) {
			for i := range k {
				if !theirs.Insert(k[i][:]) {
					b.Fatal("cuckoofilter is full")
				}
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if theirs.Lookup(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
		{"seen.Cuckoo", func() { ours = newCuckoo(b) }, func(k []key) {
			for i := range k {
				if err := ours.Add(k[i][:]); err != nil {
					b.Fatal(err)
				}
			}
		}, func(k []key) (yes int) {
			for i := range k {
				if ours.MayContain(k[i][:]) {
					yes++
				}
			}
			return yes
		}},
	}
	remove := []func([]key) int{
		func(k []key) (removed int) {
			for i := range k {
				if theirs.Delete(k[i][:]) {
					removed++
				}
			}
			return removed
		},
		func(k []key) (removed int) {
			for i := range k {
				if ours.Remove(k[i][:]) {
					removed++
				}
			}
			return removed
		},
	}
	sideBySide(b, all, []operation{
		{"Add", pieces, func(i int, k []key) int { all[i].add(k); return 0 }, present, 0, 0},
		{"Present", pieces, func(i int, k []key) int { return all[i].ask(k) }, present, keyCount, keyCount},
		{"Absent", pieces, func(i int, k []key) int { return all[i].ask(k) }, absent, 0, 32_000},
		{"Remove", pieces, func(i int, k []key) int { return remove[i](k) }, present, keyCount, keyCount},
	})
}

func newCuckoo(b *testing.B) *seen.Cuckoo {
	f, err := seen.NewCuckoo(seen.Target{Capacity: keyCount, FPR: 0.03})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkSideBySideStatic is of binary fuse filters with fingerprints of eight bits, built of a million integers in one go. Those of
// xorfilter are taken for hashes: to keep that apart, both libraries get numbers that are.
func BenchmarkSideBySideStatic(b *testing.B) {
	numbers, others := numbersOf(present), numbersOf(absent)
	var theirs *xorfilter.BinaryFuse8
	var ours *seen.BinaryFuse
	all := []contender{{name: "xorfilter", reset: func() {}}, {name: "seen.BinaryFuse", reset: func() {}}}
	build := []func(){
		func() { theirs, _ = xorfilter.PopulateBinaryFuse8(slices.Clone(numbers)) }, // it may change what it is given
		func() { ours, _ = seen.BuildBinaryFuse(slices.Values(numbers), 1.0/256) },
	}
	// A piece of the keys is the same piece of the numbers.
	ask := func(of []uint64) func(i int, k []key) int {
		at := []int{0, 0}
		return func(i int, k []key) (yes int) {
			piece := of[at[i] : at[i]+len(k)]
			at[i] = (at[i] + len(k)) % len(of)
			for _, number := range piece {
				if i == 0 && theirs.Contains(number) || i == 1 && ours.MayContainUint64(number) {
					yes++
				}
			}
			return yes
		}
	}
	sideBySide(b, all, []operation{
		{"Build", 1, func(i int, _ []key) int { build[i](); return 0 }, present, 0, 0},
		{"Present", pieces, ask(numbers), present, keyCount, keyCount},
		{"Absent", pieces, ask(others), absent, 0, 5_000},
	})
}

// numbersOf are integers that look random, as many as the keys.
func numbersOf(keys []key) []uint64 {
	numbers := make([]uint64, len(keys))
	for i := range keys {
		for _, b := range keys[i][:8] {
			numbers[i] = numbers[i]<<8 | uint64(b)
		}
	}
	return numbers
}
