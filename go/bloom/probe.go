package bloom

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"seen/internal/interop"
)

// The probes of a key, pairwise: the even ones start from one word of the hash, the odd ones from another, and the two steps
// change places after every pair (internal/interop, Rule). A bit is tested before it is set: an atomic OR takes the cache line for
// itself, a load shares it, and in a filter at work most bits of most keys are set already.

// Add adds a key. It returns the filter, for chaining.
func (f *BloomFilter) Add(data []byte) *BloomFilter {
	f.s.now.Load().add(data)
	return f
}

// AddString adds a key. It returns the filter, for chaining.
func (f *BloomFilter) AddString(data string) *BloomFilter {
	return f.Add(bytesOf(data))
}

// Test tells whether a key may have been added. False is certain; true is wrong at the filter's rate.
func (f *BloomFilter) Test(data []byte) bool {
	return f.s.now.Load().test(data)
}

// TestString tells whether a key may have been added. False is certain; true is wrong at the filter's rate.
func (f *BloomFilter) TestString(data string) bool {
	return f.Test(bytesOf(data))
}

// TestAndAdd adds a key and returns what Test would have said before.
func (f *BloomFilter) TestAndAdd(data []byte) bool {
	return f.s.now.Load().add(data)
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

func (b *body) test(key []byte) bool {
	if b.rule.Kind == interop.Chain {
		return b.testChain(key)
	}
	even, odd, step, other := b.rule.Base(key)
	words, mod, k := b.words, b.mod, b.k
	for i := uint64(0); i < k; i += 2 {
		at := mod.Of(even + i*step)
		if atomic.LoadUint64(&words[at/64])>>(at%64)&1 == 0 {
			return false
		}
		if i+1 == k {
			break
		}
		at = mod.Of(odd + (i+1)*other)
		if atomic.LoadUint64(&words[at/64])>>(at%64)&1 == 0 {
			return false
		}
		step, other = other, step
	}
	return true
}

// add sets the bits of a key, and tells whether all were set. Up to eight probes at a time, it reads all their words before it
// changes the first: an atomic OR holds up every load behind it, so that misses of the cache would come one after another.
func (b *body) add(key []byte) bool {
	if b.rule.Kind == interop.Chain {
		return b.addChain(key)
	}
	even, odd, step, other := b.rule.Base(key)
	words, mod, k := b.words, b.mod, b.k
	present := true
	for i := uint64(0); i < k; i += 8 {
		var at [8]uint64
		missing := uint64(0) // bit j: probe i + j finds its bit unset
		n := min(8, k-i)
		for j := uint64(0); j < n; j += 2 {
			p := mod.Of(even + (i+j)*step)
			at[j%8] = p
			missing |= (^atomic.LoadUint64(&words[p/64]) >> (p % 64) & 1) << (j % 8)
			if j+1 == n {
				break
			}
			p = mod.Of(odd + (i+j+1)*other)
			at[(j+1)%8] = p
			missing |= (^atomic.LoadUint64(&words[p/64]) >> (p % 64) & 1) << ((j + 1) % 8)
			step, other = other, step
		}
		if missing != 0 {
			setMissing(words, &at, missing)
			present = false
		}
	}
	return present
}

// setMissing sets the bits at those of eight positions that missing names.
func setMissing(words []uint64, at *[8]uint64, missing uint64) {
	for ; missing != 0; missing &= missing - 1 {
		p := at[bits.TrailingZeros64(missing)%8]
		atomic.OrUint64(&words[p/64], 1<<(p%64)) // the old value is not asked for: that would be a loop of compare-and-swap
	}
}

// The native rule: each probe's word is the one before it times an odd number, its position the high half of the product with m
// (docs/formats/native.md, index rule 1).
const chainFactor = 0xf1357aea2e62a9c5

func (b *body) testChain(key []byte) bool {
	x := b.rule.Hasher.Sum(key)
	words, m := b.words, b.mod.M
	for range b.k {
		at, _ := bits.Mul64(x, m)
		if atomic.LoadUint64(&words[at/64])>>(at%64)&1 == 0 {
			return false
		}
		x *= chainFactor
	}
	return true
}

func (b *body) addChain(key []byte) bool {
	x := b.rule.Hasher.Sum(key)
	words, m, k := b.words, b.mod.M, b.k
	present := true
	for i := uint64(0); i < k; i += 8 {
		var at [8]uint64
		missing := uint64(0)
		for j := range min(8, k-i) {
			p, _ := bits.Mul64(x, m)
			at[j%8] = p
			missing |= (^atomic.LoadUint64(&words[p/64]) >> (p % 64) & 1) << (j % 8)
			x *= chainFactor
		}
		if missing != 0 {
			setMissing(words, &at, missing)
			present = false
		}
	}
	return present
}
