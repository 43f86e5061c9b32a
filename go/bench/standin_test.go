package bench

import (
	"hash"
	"hash/fnv"
	"math"
	"sync"
	"sync/atomic"
)

// standIn is not phrozen/bloom, which the module proxy does not serve: it is a filter of ours made of the same parts, by the
// published rule (docs/formats/phrozen.md) and at the same costs. Those are a hash.Hash64 of the standard library taken from a pool for
// every key, one division a probe, and atomic words to which bits are set without a look at them.
type standIn struct {
	words []atomic.Uint64
	m, k  uint64
	pool  sync.Pool
}

func newStandIn(n int, p float64) *standIn {
	m := math.Ceil(-float64(n) * math.Log(p) / (math.Ln2 * math.Ln2))
	f := &standIn{m: uint64(m), k: uint64(math.Ceil(m / float64(n) * math.Ln2))}
	f.words = make([]atomic.Uint64, (f.m+63)/64)
	f.pool.New = func() any { return fnv.New64a() }
	return f
}

// positions yields the bits of a key.
func (f *standIn) positions(key []byte) func(func(uint64) bool) {
	return func(yield func(uint64) bool) {
		h := f.pool.Get().(hash.Hash64)
		h.Reset()
		_, _ = h.Write(key)
		digest := h.Sum64()
		f.pool.Put(h)
		low, high := digest&math.MaxUint32, digest>>32
		for i := range f.k {
			if !yield((low + i*high) % f.m) {
				return
			}
		}
	}
}

func (f *standIn) Add(key []byte) {
	for at := range f.positions(key) {
		f.words[at/64].Or(1 << (at % 64))
	}
}

func (f *standIn) Contains(key []byte) bool {
	for at := range f.positions(key) {
		if f.words[at/64].Load()>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}
