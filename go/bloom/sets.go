package bloom

import (
	"fmt"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/interop"
)

// Two filters can be put together where a key has the same bits in both: the same m, k and rule.

// Merge adds all keys of g, which must have the same m and k. (Where g was made from a longer slice by FromWithM, the words are
// replaced by longer ones: then, and only then, what others add at this moment may be missed.)
func (f *BloomFilter) Merge(g *BloomFilter) error {
	other, err := g.current()
	if err == nil {
		_, err = f.current()
	}
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	b := f.s.live()
	if err := b.compatible(other, "merge"); err != nil {
		return err
	}
	length, words := other.bitSet()
	if len(words) > len(b.Words) {
		// Only filters from slices of different lengths come here: bits behind m, that no key has.
		b = b.with(append(b.Snapshot(), make([]uint64, len(words)-len(b.Words))...))
		f.s.now.Store(b)
	}
	for i, w := range words {
		if atomic.LoadUint64(&b.Words[i])|w != atomic.LoadUint64(&b.Words[i]) {
			atomic.OrUint64(&b.Words[i], w)
		}
	}
	if length > b.length.Load() { // under the lock: nobody else raises it
		b.length.Store(length)
	}
	return nil
}

// compatible refuses a filter in which the same key has other bits.
func (b *body) compatible(other *body, verb string) error {
	if b.Mod.M != other.Mod.M {
		return fmt.Errorf("%s: m differs: %d here, %d there", verb, b.Mod.M, other.Mod.M)
	}
	if b.K != other.K {
		return fmt.Errorf("%s: k differs: %d here, %d there", verb, b.K, other.K)
	}
	if !b.rule.SameAs(&other.rule) {
		return fmt.Errorf("%s: the hashes differ: those of %s here, of %s there", verb, b.about(), other.about())
	}
	return nil
}

// with is the same filter with other words.
func (b *body) with(words []uint64) *body {
	made := &body{Bits: interop.Bits{Words: words, Mod: b.Mod, K: b.K}, rule: b.rule, file: b.file, header: b.header}
	made.length.Store(b.length.Load())
	return made
}

// Copy returns another filter with the same keys.
func (f *BloomFilter) Copy() *BloomFilter {
	b := f.s.live()
	length, words := b.bitSet()
	made := b.with(words)
	made.length.Store(max(length, b.Mod.M)) // as in the original, whose copy begins with m bits
	return filterOf(made)
}

// United returns a filter with the keys of both, which must have the same m and k.
func (f *BloomFilter) United(other *BloomFilter) (*BloomFilter, error) {
	if _, err := f.current(); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	made := f.Copy()
	if err := made.Merge(other); err != nil {
		return nil, err
	}
	return made, nil
}

// Intersected returns a filter of the bits that both have, which must have the same m and k. It says maybe to every key that is in
// both, and to some more than a filter of those keys alone would.
func (f *BloomFilter) Intersected(other *BloomFilter) (*BloomFilter, error) {
	theirs, err := other.current()
	if err == nil {
		_, err = f.current()
	}
	if err != nil {
		return nil, fmt.Errorf("intersect: %w", err)
	}
	made := f.Copy()
	b := made.s.now.Load()
	if err := b.compatible(theirs, "intersect"); err != nil {
		return nil, err
	}
	_, words := theirs.bitSet()
	for i := range b.Words {
		if i < len(words) {
			b.Words[i] &= words[i]
		} else {
			b.Words[i] = 0
		}
	}
	return made, nil
}

// ClearAll removes all keys. It returns the filter, for chaining.
func (f *BloomFilter) ClearAll() *BloomFilter {
	f.s.live() // a zero filter has no lock either
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	b := f.s.live()
	length, words := b.bitSet()
	clear(words)
	made := b.with(words)
	made.length.Store(length)
	f.s.now.Store(made)
	return f
}

// Equal tells whether both have the same m, k, rule and bits, or none has any.
func (f *BloomFilter) Equal(g *BloomFilter) bool {
	b, none := f.current()
	other, noneThere := g.current()
	if none != nil || noneThere != nil {
		return none == noneThere
	}
	if b.Mod.M != other.Mod.M || b.K != other.K || !b.rule.SameAs(&other.rule) {
		return false
	}
	length, words := b.bitSet()
	theirLength, theirs := other.bitSet()
	if length != theirLength {
		return false
	}
	for i := range interop.WordsFor(length) {
		if words[i] != theirs[i] {
			return false
		}
	}
	return true
}
