package bloom

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/seenfilter/seen/go/internal/interop"
)

// Add adds a key. It returns the filter, for chaining.
func (f *BloomFilter) Add(data []byte) *BloomFilter {
	f.s.add(data)
	return f
}

// AddString adds a key. It returns the filter, for chaining.
func (f *BloomFilter) AddString(data string) *BloomFilter {
	return f.Add(bytesOf(data))
}

// Test tells whether a key may have been added. False is certain; true is wrong at the filter's rate.
func (f *BloomFilter) Test(data []byte) bool {
	return f.s.test(data)
}

// TestString tells whether a key may have been added. False is certain; true is wrong at the filter's rate.
func (f *BloomFilter) TestString(data string) bool {
	return f.Test(bytesOf(data))
}

// TestAndAdd adds a key and returns what Test would have said before.
func (f *BloomFilter) TestAndAdd(data []byte) bool {
	return f.s.add(data)
}

// TestAndAddString adds a key and returns what TestString would have said before.
func (f *BloomFilter) TestAndAddString(data string) bool {
	return f.TestAndAdd(bytesOf(data))
}

// TestOrAdd adds a key if it is not there, and returns what Test would have said before. Adding a key that is there changes no bit,
// so it is TestAndAdd.
func (f *BloomFilter) TestOrAdd(data []byte) bool {
	return f.TestAndAdd(data)
}

// TestOrAddString adds a key if it is not there, and returns what TestString would have said before.
func (f *BloomFilter) TestOrAddString(data string) bool {
	return f.TestAndAdd(bytesOf(data))
}

// bytesOf are the bytes of a text, not copied. Nothing here writes to a key or keeps it.
func bytesOf(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text))
}

func (s *state) test(key []byte) bool {
	b := s.live()
	if b.rule.Kind == interop.Chain {
		return b.chainIsSet(b.rule.Hasher.Sum(key))
	}
	return b.Has(b.rule.Base(key))
}

// add sets the bits of a key, and tells whether all were set.
func (s *state) add(key []byte) bool {
	b := s.live()
	if b.rule.Kind == interop.Chain {
		x := b.rule.Hasher.Sum(key)
		if b.chainIsSet(x) {
			return true
		}
		b.setChain(x)
		return false
	}
	even, odd, step, other := b.rule.Base(key)
	if b.Has(even, odd, step, other) {
		return true
	}
	b.Set(even, odd, step, other)
	return false
}

// The native rule: each probe's word is the one before it times an odd number, its position the high half of the product with m
// (docs/formats/native.md, index rule 1).
const chainFactor = 0xf1357aea2e62a9c5

func (b *body) chainIsSet(x uint64) bool {
	words, m := b.Words, b.Mod.M
	for range b.K {
		at, _ := bits.Mul64(x, m)
		if atomic.LoadUint64(&words[at/64])>>(at%64)&1 == 0 {
			return false
		}
		x *= chainFactor
	}
	return true
}

func (b *body) setChain(x uint64) {
	words, m := b.Words, b.Mod.M
	for range b.K {
		at, _ := bits.Mul64(x, m)
		atomic.OrUint64(&words[at/64], 1<<(at%64))
		x *= chainFactor
	}
}
