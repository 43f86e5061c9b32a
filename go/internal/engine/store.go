// Package engine is the arithmetic of the kinds: from a digest to positions, and from the words there to an answer. It
// knows neither keys nor files. docs/formats/native.md has the index rules.
//
//	digest ──index rule──► positions ──store──► words
//
// Filters of bits and counters keep their words in a Store, which is either plain (many readers or one writer) or shared by
// goroutines. Kinds that cannot be made here are read.
package engine

import (
	"math/bits"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/words"
)

// Made is a filter that can be made here, hence saved.
type Made interface {
	Reader
	Kind() uint16
	Bits() uint64
	Fill() float64 // share of the bits, counters or slots in use
	Full() bool    // fuller than any plan makes it
	EstimatedCount() float64
	EstimatedFPR() float64

	// Segments describes the body. Still is its words and their census; words that others may be changing are copied.
	Segments() []native.Segment
	Still() (body []uint64, census uint64)
	// Memory is the words where they lie.
	Memory() [][]uint64
	// Own gives a copy of the filter words of its own, plain or shared.
	Own(shared bool)
}

// Writable is a filter that takes any number of keys.
type Writable interface {
	Made
	Add(digest uint64)
	TestAndAdd(digest uint64) bool
	TestOrAdd(digest uint64) bool
	Clear()
	Share(shared bool)
}

// Judged is a filter whose number of keys is judged by its fill: MostKeys is the most that it may seem to hold where it holds so
// many.
type Judged interface {
	MostKeys(keys uint64) float64
}

// WeakFill is the share above which a filter is fuller than usual plans make it, and estimates are weak.
const WeakFill = 0.7

// Store is the bits of a filter.
//
// Words are always loaded atomically: on amd64 that is the same instruction, and on arm64 one that costs little. Stores
// are atomic only in a shared filter, where they cost much: a bit that is set already is not set again.
type Store struct {
	words  []uint64
	size   uint64 // bits
	shared bool
}

func newStore(bits uint64, shared bool) (Store, error) {
	all, err := memory.Words(bodyBytes(bits) / 8)
	return Store{words: all, size: bits, shared: shared}, err
}

// adopt takes the words of a segment, if it has the length for this many bits and is zero behind the last of them.
func adopt(segment []uint64, bits uint64) (Store, error) {
	if err := checkLength(segment, bodyBytes(bits)); err != nil {
		return Store{}, err
	}
	if !words.ZeroFrom(segment, bits) {
		return Store{}, errPadding
	}
	return Store{words: segment, size: bits}, nil
}

// bodyBytes is the length of a segment of this many bits: whole cache lines.
func bodyBytes(bits uint64) uint64 { return (bits + 511) / 512 * 64 }

// set sets the bits of mask in a word.
func (s *Store) set(word *uint64, mask uint64) {
	if !s.shared {
		*word |= mask
	} else if atomic.LoadUint64(word)&mask != mask {
		atomic.OrUint64(word, mask)
	}
}

// has says whether all bits of mask are set in a word.
func has(word *uint64, mask uint64) bool { return atomic.LoadUint64(word)&mask == mask }

// Share makes the store safe for several goroutines, or plain again. Nobody else may be using it meanwhile.
func (s *Store) Share(shared bool) { s.shared = shared }

// Bits is the number of bits.
func (s *Store) Bits() uint64 { return s.size }

// Fill is the share of the bits that are set.
func (s *Store) Fill() float64 { return float64(s.Census()) / float64(s.size) }

// Full says whether the filter is fuller than usual plans make it.
func (s *Store) Full() bool { return s.Fill() > WeakFill }

// Stored is the bits of a filter that embeds them.
func (s *Store) Stored() *Store { return s }

// Still is the words at rest, and how many of their bits are set.
func (s *Store) Still() ([]uint64, uint64) {
	body := s.words
	if s.shared {
		body = s.snapshot()
	}
	return body, words.Count(body)
}

// Memory is the words.
func (s *Store) Memory() [][]uint64 { return [][]uint64{s.words} }

// Own puts a copy of the words in their place, plain or shared.
func (s *Store) Own(shared bool) { s.words, s.shared = s.snapshot(), shared }

// snapshot is a copy of the words, each read once.
func (s *Store) snapshot() []uint64 {
	all := make([]uint64, len(s.words))
	for i := range all {
		all[i] = atomic.LoadUint64(&s.words[i])
	}
	return all
}

// segment describes these words.
func (s *Store) segment(shape ...uint64) []native.Segment {
	return []native.Segment{{Length: 8 * uint64(len(s.words)), Shape: shape}}
}

// Census is the number of set bits.
func (s *Store) Census() uint64 {
	total := 0
	for i := range s.words {
		total += bits.OnesCount64(atomic.LoadUint64(&s.words[i]))
	}
	return uint64(total)
}

// Clear sets every bit to 0.
func (s *Store) Clear() {
	if !s.shared {
		clear(s.words)
		return
	}
	for i := range s.words {
		atomic.StoreUint64(&s.words[i], 0)
	}
}

// Or sets the bits that are set in other, which has as many words.
func (s *Store) Or(other *Store) {
	for i := range s.words {
		s.set(&s.words[i], atomic.LoadUint64(&other.words[i]))
	}
}

// And clears the bits that are clear in other, which has as many words.
func (s *Store) And(other *Store) {
	for i := range s.words {
		mask := atomic.LoadUint64(&other.words[i])
		if s.shared {
			atomic.AndUint64(&s.words[i], mask)
		} else {
			s.words[i] &= mask
		}
	}
}

// same says whether other, which has as many words, has the same bits.
func (s *Store) same(other *Store) bool {
	for i := range s.words {
		if atomic.LoadUint64(&s.words[i]) != atomic.LoadUint64(&other.words[i]) {
			return false
		}
	}
	return true
}
