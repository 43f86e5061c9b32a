package seen

// The methods that ask, shared by all filters: from a key to its digest, and to the engine.

import (
	"github.com/seenfilter/seen/go/internal/hash"
)

// asked is an engine that answers. T is the engine, E its address: the compiler makes a separate lookup for every engine, so
// that a key costs one call, and no probe an indirect one.
type asked[T any] interface {
	*T
	MayContain(digest uint64) bool
}

type lookup[T any, E asked[T]] struct {
	hasher hash.Hasher
	engine T
}

// must panics if this is a zero value.
func (f *lookup[T, E]) must() {
	if f.isZero() {
		panic(hash.ErrZero)
	}
}

// isZero says whether it is a zero value: every filter has a hash.
func (f *lookup[T, E]) isZero() bool { return f.hasher.ID() == 0 }

// tile is how many keys of a batch are hashed before they are looked up. Without hashes in between, the machine fetches many
// cache lines at once.
const tile = 128

// MayContain says whether a key may have been added; false is certain.
func (f *lookup[T, E]) MayContain(key []byte) bool {
	return E(&f.engine).MayContain(f.hasher.Sum(key))
}

// MayContainString says whether a text may have been added; false is certain.
func (f *lookup[T, E]) MayContainString(key string) bool {
	return E(&f.engine).MayContain(f.hasher.SumString(key))
}

// MayContainUint64 says whether an integer may have been added; false is certain.
func (f *lookup[T, E]) MayContainUint64(key uint64) bool {
	return E(&f.engine).MayContain(f.hasher.SumUint64(key))
}

// MayContainInt64 says whether an integer may have been added; false is certain.
func (f *lookup[T, E]) MayContainInt64(key int64) bool {
	return E(&f.engine).MayContain(f.hasher.SumUint64(uint64(key)))
}

// MayContainMany answers for many keys, in order, and returns how many may be present. It panics if there are fewer
// answers than keys.
func (f *lookup[T, E]) MayContainMany(keys [][]byte, answers []bool) int {
	return lookUp[T, E](&f.engine, &f.hasher, keys, answers)
}

// MayContainStrings answers for many texts, as MayContainMany does.
func (f *lookup[T, E]) MayContainStrings(keys []string, answers []bool) int {
	return lookUp[T, E](&f.engine, &f.hasher, keys, answers)
}

// MayContainUint64s answers for many integers, as MayContainMany does.
func (f *lookup[T, E]) MayContainUint64s(keys []uint64, answers []bool) int {
	return lookUp[T, E](&f.engine, &f.hasher, keys, answers)
}

// Hash is the function from keys to digests.
func (f *lookup[T, E]) Hash() Hash {
	f.must()
	return Hash(f.hasher.ID())
}

// Seed is the seed of the hash, 0 if it takes none.
func (f *lookup[T, E]) Seed() uint64 {
	f.must()
	return f.hasher.Seed()
}

func lookUp[T any, E asked[T], K hash.Key](engine E, hasher *hash.Hasher, keys []K, answers []bool) int {
	answers = answers[:len(keys)]
	var digests [tile]uint64
	found := 0
	for len(keys) > 0 {
		some := keys[:min(tile, len(keys))]
		hash.Sums(hasher, some, digests[:])
		for i, digest := range digests[:len(some)] {
			answer := engine.MayContain(digest)
			answers[i] = answer
			if answer {
				found++
			}
		}
		keys, answers = keys[len(some):], answers[len(some):]
	}
	return found
}
