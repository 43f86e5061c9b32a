package interop

import "sync/atomic"

// Bits is the bits of a filter that any number of goroutines may ask and add to: words in which bits are set by atomic OR, so
// that no interleaving loses one.
//
// The probes of a key are taken pairwise: the even ones start from one word of the hash, the odd ones from another, and the
// two steps change places after every pair (Rule).
type Bits struct {
	Words []uint64
	Mod   Remainder
	K     uint64
}

// Has says whether all bits of a key are set.
func (b *Bits) Has(even, odd, step, other uint64) bool {
	words, mod, k := b.Words, b.Mod, b.K
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

// Set sets all bits of a key. It does not ask for the old values, which would make each OR a loop of compare-and-swap.
//
// An add asks first (Has), and sets the bits of a key that is not there. Asking costs a new key little, since the first bit
// that is not set ends it, and spares keys that are there already, which are most in a filter at work, every write to memory
// that others share. Testing each bit before it is set is slower than either: every test waits for the atomic OR before it.
func (b *Bits) Set(even, odd, step, other uint64) {
	words, mod, k := b.Words, b.Mod, b.K
	for i := uint64(0); i < k; i += 2 {
		at := mod.Of(even + i*step)
		atomic.OrUint64(&words[at/64], 1<<(at%64))
		if i+1 == k {
			break
		}
		at = mod.Of(odd + (i+1)*other)
		atomic.OrUint64(&words[at/64], 1<<(at%64))
		step, other = other, step
	}
}

// Snapshot reads every word once.
func (b *Bits) Snapshot() []uint64 {
	words := make([]uint64, len(b.Words))
	for i := range words {
		words[i] = atomic.LoadUint64(&b.Words[i])
	}
	return words
}
