// Package bloom is github.com/phrozen/bloom under another import path: the same names, the same answers, the same bytes.
//
//	filter := bloom.NewFilterFromProbability(1_000_000, 0.01)
//	filter.Add([]byte("alice"))                  // from any goroutine
//	if !filter.Contains([]byte("bob")) { … }     // certainly never added
//
// It takes the remainders by multiplication instead of division, computes FNV-1a without an object per key, and writes nothing
// for a key whose bits are all set. No operation on a key allocates, and no key escapes to the heap; a hash of your own
// ([WithHashFunc]) gets a copy of the key, which allocates if the key is longer than 64 KiB.
//
// A file, which is what MarshalBinary returns, is opened by package seen too (seen.FormatPhrozen), in C++, C, Python and Rust,
// and by the command (--format phrozen).
//
// # Concurrency
//
// Every method may run beside every other in any number of goroutines; the original promises it of Add and Contains.
//
//   - Bits are set by atomic OR, so no interleaving of adds loses one. A Contains sees every Add that happens before it.
//   - UnmarshalBinary puts the new filter in place in one step: a call sees the old filter or the new one, whole. An Add that
//     is under way meanwhile may go to the old one.
//   - MarshalBinary returns a snapshot: every key is in it whose Add happened before the call.
//
// # Where it differs from the original
//
//   - [WithHashFunc] may be applied to a filter later too, as the original's documentation suggests for one that was
//     unmarshalled. There the filter may go on with an object of the old hash; here it does not. A nil function is FNV-1a.
//   - m and k of zero are taken as one. The original answers maybe to every key if k is zero, and panics when a key is added if
//     m is zero. Negative numbers, more than 2^40 bits and more than the machine's memory panic at once.
//   - Bytes from outside are not trusted: UnmarshalBinary refuses an m of zero or above 2^40, a k of zero or above 255 and bits
//     beyond the last. MarshalBinary refuses what it could not read again, which is a k above 255. After an error the filter
//     is as it was.
//   - Methods of a zero Filter say that it is one, but for UnmarshalBinary, which fills it. The original marshals a filter of
//     no bits.
package bloom

import (
	"errors"
	"fmt"
	"hash"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/fault"
	keyhash "github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/memory"
)

// HashFunc makes hashes of 64 bits. A filter keeps those it has made and uses each for one key at a time.
type HashFunc func() hash.Hash64

// Option changes a filter: [WithHashFunc].
type Option func(*Filter)

// Filter is a Bloom filter that any number of goroutines may add to and ask. The zero value has no bits: UnmarshalBinary fills
// it. It must not be copied.
type Filter struct {
	now atomic.Pointer[body]
}

// body is a filter at one moment: bits that change, and what never does.
type body struct {
	interop.Bits // none of a zero filter whose hash was chosen
	rule         interop.Rule
}

var errZero = errors.New("bloom: a zero Filter has no bits; NewFilter makes filters, and UnmarshalBinary fills one")

// fnv1a is the rule of a filter whose user chooses no hash.
var fnv1a = interop.Phrozen.Rule()

// NewFilter creates a filter of m bits and k probes, each at least one.
func NewFilter(m int, k int, opts ...Option) *Filter {
	if m < 0 || k < 0 {
		panic(fault.New(fault.InvalidArgument, "bloom: a filter of %d bits and %d probes", m, k))
	}
	return newFilter(uint64(m), uint64(k), opts)
}

// NewFilterFromProbability creates a filter for n keys, of which p is the rate of false positives.
func NewFilterFromProbability(n int, p float64, opts ...Option) *Filter {
	if n < 0 {
		panic(fault.New(fault.InvalidArgument, "bloom: a filter for %d keys", n))
	}
	m, k := interop.RoundedUpPhrozen(uint64(n), p)
	return newFilter(m, k, opts)
}

func newFilter(m, k uint64, opts []Option) *Filter {
	m, k = max(1, m), max(1, k)
	if m > interop.MaxBits {
		panic(fault.New(fault.TooLarge, "bloom: a filter of %d bits; at most 2^40", m))
	}
	words, err := memory.Words(interop.WordsFor(m))
	if err != nil {
		panic(fmt.Errorf("bloom: a filter of %d bits: %w", m, err))
	}
	f := &Filter{}
	f.now.Store(&body{interop.Bits{Words: words, Mod: interop.By(m), K: k}, fnv1a})
	for _, option := range opts {
		option(f)
	}
	return f
}

// WithHashFunc chooses the hash of a filter instead of FNV-1a. Files do not name it: UnmarshalBinary keeps the hash of the
// filter that it fills, which has to be the one that the keys were added with.
func WithHashFunc(h HashFunc) Option {
	rule := fnv1a
	if h != nil {
		rule = ruleOf(h)
	}
	return func(f *Filter) {
		f.replace(func(b body) *body {
			b.rule = rule
			return &b
		})
	}
}

// ruleOf is double hashing by the halves of a user's digest.
func ruleOf(h HashFunc) interop.Rule {
	own := keyhash.OwnOf(keyhash.FirstOwnID, func() keyhash.Sum {
		state := h()
		return func(key []byte, _ uint64) uint64 {
			state.Reset()
			_, _ = state.Write(key) // which never returns an error, says package hash
			return state.Sum64()
		}
	})
	rule, err := interop.Phrozen.RuleBy(own)
	if err != nil {
		panic(err) // of a number that is a constant here
	}
	return rule
}

// replace puts another body in the place of this one, whatever it is by then.
func (f *Filter) replace(by func(body) *body) {
	for {
		old := f.now.Load()
		from := body{rule: fnv1a}
		if old != nil {
			from = *old
		}
		if f.now.CompareAndSwap(old, by(from)) {
			return
		}
	}
}

// live is the body of the moment; a zero filter panics.
func (f *Filter) live() *body {
	b := f.now.Load()
	if b == nil || b.K == 0 {
		panic(errZero)
	}
	return b
}

// Add adds a key.
func (f *Filter) Add(data []byte) {
	b := f.live()
	even, odd, step, other := b.rule.Base(data)
	if !b.Has(even, odd, step, other) {
		b.Set(even, odd, step, other)
	}
}

// Contains tells whether a key may have been added. False is certain; true is wrong at the filter's rate.
func (f *Filter) Contains(data []byte) bool {
	b := f.live()
	return b.Has(b.rule.Base(data))
}

// MarshalBinary returns the bytes of the original's file, for encoding.BinaryMarshaler. They do not name the hash.
func (f *Filter) MarshalBinary() ([]byte, error) {
	b := f.now.Load()
	if b == nil || b.K == 0 {
		return nil, errZero
	}
	file := interop.File{Format: interop.Phrozen, M: b.Mod.M, K: b.K, L: b.Mod.M, Words: b.Snapshot()}
	if err := file.Check(); err != nil {
		return nil, err
	}
	return file.Append(nil), nil
}

// UnmarshalBinary reads what MarshalBinary returns, here or in the original, for encoding.BinaryUnmarshaler. The filter keeps
// its hash.
func (f *Filter) UnmarshalBinary(data []byte) error {
	file, err := interop.Decode(data, interop.Phrozen)
	if err != nil {
		return err
	}
	f.replace(func(b body) *body {
		return &body{interop.Bits{Words: file.Words, Mod: interop.By(file.M), K: file.K}, b.rule}
	})
	return nil
}
