// Package bloom is github.com/bits-and-blooms/bloom/v3 under another import path, safe for concurrent use: the same names, the
// same answers, the same bytes in binary, JSON and gob.
//
//	filter := bloom.NewWithEstimates(1_000_000, 0.01)
//	filter.AddString("love")                  // from any goroutine
//	if filter.TestString("love") { … }        // from any goroutine
//
// It allocates nothing per key, and takes remainders by multiplication instead of division. It also opens files of three other
// formats, [Load] and [Read]: native ones of kind bloom, and those of phrozen/bloom and of the portable lab format. Such a filter
// goes on with the rule and the hash of its file, and [BloomFilter.Save] writes it in its own format.
//
// # Concurrency
//
// Every method may run beside every other in any number of goroutines, but for reading into a zero BloomFilter.
//
//   - Bits are words changed by atomic OR, so no interleaving of adds loses one. An Add that happened before a Test is seen by
//     it. Without such an order the Test may see a part of the key and say no.
//   - Of goroutines racing to TestAndAdd a new key at least one is told false.
//   - ClearAll, ReadFrom and the Unmarshal methods put new words in place in one step: a call sees the old filter or the new one,
//     whole. An Add that is under way meanwhile may go to the old words, as if it had come before.
//   - Merge sets bits in place: beside it, lookups see more and more of the other filter, and no add is lost.
//   - What is written, copied, counted or compared is a snapshot: every key is in that was added before the call began.
//
// # Where it differs from the original
//
//   - BitSet returns a snapshot, since the live words are atomic: to change the filter, add to it.
//   - A filter made by From or FromWithM uses the slice it was given, as in the original, until ClearAll replaces the words; where
//     m asks for more words than the slice has, it is copied. Others must not touch the slice meanwhile.
//   - Nothing hangs or panics on bad numbers: k and m are at least 1 in FromWithM too, and EstimateParameters answers in numbers
//     where the original converts NaN. More than 2^40 bits, or more than the machine's memory, panic at once.
//   - Bytes from outside are not trusted: lengths that do not fit, more than 255 probes, bits beyond the end and bytes after it are
//     errors, and nothing is allocated for a length alone. A failed call leaves the filter as it was.
//   - What could not be read again is not written: a filter of more than 255 probes, or one whose m is far beyond the slice that
//     FromWithM was given, works in memory, and every way of writing it is an error. So it is of a zero BloomFilter, but for JSON.
package bloom

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/bits-and-blooms/bitset"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
)

// A BloomFilter is a set of keys that answers "surely not" or "maybe". The zero value holds nothing and is only good for
// reading into: other methods return an error or panic, but for Equal and MarshalJSON, which the original has of nothing. A copy of the struct is the same filter, use Copy for another one.
type BloomFilter struct {
	s *state
}

// state is where the words of the moment are found.
type state struct {
	now atomic.Pointer[body]
	mu  sync.Mutex // of those who replace the words by what they read from them
}

// body is a filter but for its identity: a shape that never changes, and words in which bits are set.
type body struct {
	interop.Bits
	rule   interop.Rule
	length atomic.Uint64  // of the set of bits, before what adds made of it; see bitSet
	file   interop.File   // how it is saved: all but the bits
	header *native.Header // the same of a native filter; nil otherwise
}

var errZero = errors.New("bloom: a zero BloomFilter has no bits; New and NewWithEstimates make filters")

// live is the words of the moment; a zero filter, which has no state, panics.
func (s *state) live() *body {
	if s == nil {
		panic(errZero)
	}
	return s.now.Load()
}

// current is the words of the moment, if there are any.
func (f *BloomFilter) current() (*body, error) {
	if f == nil || f.s == nil {
		return nil, errZero
	}
	return f.s.now.Load(), nil
}

func filterOf(b *body) *BloomFilter {
	f := &BloomFilter{new(state)}
	f.s.now.Store(b)
	return f
}

// bodyOf is the filter of a file, with its own rule.
func bodyOf(file *interop.File, rule interop.Rule) *body {
	b := &body{Bits: interop.Bits{Words: file.Words, Mod: interop.By(file.M), K: file.K}, rule: rule, file: *file}
	b.file.Words = nil
	b.length.Store(file.L)
	return b
}

// original is a new filter as bits-and-blooms has it, with m and k at least one.
func original(m, k, length uint64, words []uint64) *BloomFilter {
	file := interop.File{Format: interop.BitsAndBlooms, Variant: "binary", M: max(1, m), K: max(1, k), L: length, Words: words}
	return filterOf(bodyOf(&file, file.Format.Rule()))
}

// New creates a filter of m bits and k probes, each at least one.
func New(m uint, k uint) *BloomFilter {
	return sized(uint64(m), uint64(k))
}

// sized is New with numbers that a uint of 32 bits may not hold: they are too large there, and not something else.
func sized(m, k uint64) *BloomFilter {
	return original(m, k, m, make([]uint64, wordsFor(max(1, m))))
}

func wordsFor(m uint64) uint64 {
	if m > interop.MaxBits {
		panic(fault.New(fault.TooLarge, "bloom: a filter of %d bits; at most 2^40", m))
	}
	words := interop.WordsFor(m)
	if err := memory.Check(8 * words); err != nil {
		panic(fmt.Errorf("bloom: a filter of %d bits: %w", m, err))
	}
	return words
}

// NewWithEstimates creates a filter for about n keys at the false-positive rate fp.
func NewWithEstimates(n uint, fp float64) *BloomFilter {
	return sized(interop.RoundedUp(uint64(n), fp))
}

// From creates a filter of len(data)·64 bits and k probes in data, which keeps the bits it has.
func From(data []uint64, k uint) *BloomFilter {
	return over(data, uint64(len(data))*64, uint64(k))
}

// FromWithM creates a filter of m bits and k probes in data, which keeps the bits it has.
func FromWithM(data []uint64, m, k uint) *BloomFilter {
	return over(data, uint64(m), uint64(k))
}

func over(data []uint64, m, k uint64) *BloomFilter {
	length := uint64(len(data)) * 64
	if need := wordsFor(max(1, m)); need > uint64(len(data)) {
		data = append(make([]uint64, 0, need), data...)[:need]
	}
	return original(m, k, length, data)
}

// Cap returns m, the number of bits, or the largest uint where that is less.
func (f *BloomFilter) Cap() uint { return uint(min(f.s.live().Mod.M, math.MaxUint)) }

// K returns the number of probes.
func (f *BloomFilter) K() uint { return uint(f.s.live().K) }

// BitSet returns a snapshot of the bits. The live ones are atomic words, so unlike the original's set it does not change with the
// filter, nor the filter with it.
func (f *BloomFilter) BitSet() *bitset.BitSet {
	length, words := f.s.live().bitSet()
	return bitset.FromWithLength(uint(length), words[:interop.WordsFor(length)])
}

// bitSet returns a snapshot of the words, and the length of the set of bits: what it was made with or merged to, or one more than
// the highest bit that is set. The original counts it up with every bit; it is only ever seen in files.
func (b *body) bitSet() (length uint64, words []uint64) {
	length = b.length.Load() // before the words: a merge raises it after them
	words = b.Snapshot()
	return interop.Grown(length, words), words
}
