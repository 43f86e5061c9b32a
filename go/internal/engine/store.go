// Package engine is the arithmetic of the kinds: from a digest to positions, and from the words there to an answer. It
// knows neither keys nor files. docs/formats/native.md has the index rules.
//
//	digest ──index rule──► positions ──store──► words
//
// The kinds that can be made here (bloom, blocked-bloom, split-block) keep their words in a store, which is either plain
// (many readers or one writer) or shared by goroutines. All others are read.
package engine

import (
	"math/bits"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/words"
)

// store is the bits of a filter.
//
// Words are always loaded atomically: on amd64 that is the same instruction, and on arm64 one that costs little. Stores
// are atomic only in a shared filter, where they cost much: a bit that is set already is not set again.
type store struct {
	words  []uint64
	shared bool
}

func newStore(bits uint64, shared bool) (store, error) {
	all, err := memory.Words(bodyBytes(bits) / 8)
	return store{words: all, shared: shared}, err
}

// bodyBytes is the length of a segment of this many bits: whole cache lines.
func bodyBytes(bits uint64) uint64 { return (bits + 511) / 512 * 64 }

// Writable is a filter that keys can be added to.
type Writable interface {
	Reader
	Add(digest uint64)
	TestAndAdd(digest uint64) bool

	Kind() uint16
	Bits() uint64
	Shape() []uint64
	EstimatedCount() float64
	EstimatedFPR() float64
	MostKeys(keys uint64) float64

	Clear()
	Or(other []uint64)
	And(other []uint64)
	Same(other []uint64) bool
	Snapshot() []uint64
	Still() []uint64
	Replace(words []uint64)
	Share(shared bool)
	Live() []uint64
}

// set sets the bits of mask in a word.
func (s *store) set(word *uint64, mask uint64) {
	if !s.shared {
		*word |= mask
	} else if atomic.LoadUint64(word)&mask != mask {
		atomic.OrUint64(word, mask)
	}
}

// has says whether all bits of mask are set in a word.
func has(word *uint64, mask uint64) bool { return atomic.LoadUint64(word)&mask == mask }

// Share makes the store safe for several goroutines, or plain again. Nobody else may be using it meanwhile.
func (s *store) Share(shared bool) { s.shared = shared }

// Live are the words themselves.
func (s *store) Live() []uint64 { return s.words }

// Replace puts other words in the place of these.
func (s *store) Replace(words []uint64) { s.words = words }

// Still is the words at rest: the words themselves of a plain store, a snapshot of a shared one.
func (s *store) Still() []uint64 {
	if s.shared {
		return s.Snapshot()
	}
	return s.words
}

// Snapshot is a copy of the words, each read once.
func (s *store) Snapshot() []uint64 {
	all := make([]uint64, len(s.words))
	for i := range all {
		all[i] = atomic.LoadUint64(&s.words[i])
	}
	return all
}

// Census is the number of set bits.
func (s *store) Census() uint64 {
	total := 0
	for i := range s.words {
		total += bits.OnesCount64(atomic.LoadUint64(&s.words[i]))
	}
	return uint64(total)
}

// Clear sets every bit to 0.
func (s *store) Clear() {
	if !s.shared {
		clear(s.words)
		return
	}
	for i := range s.words {
		atomic.StoreUint64(&s.words[i], 0)
	}
}

// Or sets the bits that are set in other, which has as many words.
func (s *store) Or(other []uint64) {
	for i := range s.words {
		s.set(&s.words[i], atomic.LoadUint64(&other[i]))
	}
}

// And clears the bits that are clear in other, which has as many words.
func (s *store) And(other []uint64) {
	for i := range s.words {
		mask := atomic.LoadUint64(&other[i])
		if s.shared {
			atomic.AndUint64(&s.words[i], mask)
		} else {
			s.words[i] &= mask
		}
	}
}

// Same says whether other has the same bits.
func (s *store) Same(other []uint64) bool {
	for i := range s.words {
		if atomic.LoadUint64(&s.words[i]) != atomic.LoadUint64(&other[i]) {
			return false
		}
	}
	return true
}

// adopt takes the words of a segment, if it has the length for this many bits and is zero behind the last of them.
func adopt(segment []uint64, bits uint64) (store, error) {
	if err := checkLength(segment, bodyBytes(bits)); err != nil {
		return store{}, err
	}
	if !words.ZeroFrom(segment, bits) {
		return store{}, errPadding
	}
	return store{words: segment}, nil
}
