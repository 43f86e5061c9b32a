package seen

// The methods that those kinds share that take any number of keys: adding, set algebra.

import (
	"iter"

	"github.com/seenfilter/seen/go/internal/engine"
)

// added is an engine that takes any number of keys.
type added[T any] interface {
	makeable[T]
	engine.Writable
}

type set[T any, E added[T]] struct{ kept[T, E] }

// newSet is an empty filter with this engine.
func newSet[T any, E added[T]](empty T, target Target, m making) (set[T, E], error) {
	k, err := newKept[T, E](empty, target, m)
	return set[T, E]{k}, err
}

// Add adds a key.
func (f *set[T, E]) Add(key []byte) { E(&f.engine).Add(f.hasher.Sum(key)) }

// AddString adds a text.
func (f *set[T, E]) AddString(key string) { E(&f.engine).Add(f.hasher.SumString(key)) }

// AddUint64 adds an integer.
func (f *set[T, E]) AddUint64(key uint64) { E(&f.engine).Add(f.hasher.SumUint64(key)) }

// AddInt64 adds an integer.
func (f *set[T, E]) AddInt64(key int64) { E(&f.engine).Add(f.hasher.SumUint64(uint64(key))) }

// AddMany adds many keys.
func (f *set[T, E]) AddMany(keys [][]byte) {
	for _, key := range keys {
		f.Add(key)
	}
}

// AddStrings adds many texts.
func (f *set[T, E]) AddStrings(keys []string) {
	for _, key := range keys {
		f.AddString(key)
	}
}

// AddUint64s adds many integers.
func (f *set[T, E]) AddUint64s(keys []uint64) {
	for _, key := range keys {
		E(&f.engine).Add(f.hasher.SumUint64(key))
	}
}

// AddSeq adds the keys of a sequence: of slices.Values, maps.Keys, or a function of your own.
func (f *set[T, E]) AddSeq(keys iter.Seq[[]byte]) {
	f.must()
	for key := range keys {
		f.Add(key)
	}
}

// AddStringSeq adds the texts of a sequence.
func (f *set[T, E]) AddStringSeq(keys iter.Seq[string]) {
	f.must()
	for key := range keys {
		f.AddString(key)
	}
}

// AddUint64Seq adds the integers of a sequence.
func (f *set[T, E]) AddUint64Seq(keys iter.Seq[uint64]) {
	f.must()
	for key := range keys {
		E(&f.engine).Add(f.hasher.SumUint64(key))
	}
}

// TestAndAdd adds a key and says whether it may have been present before. Of goroutines that race to add a new key to a
// concurrent filter, at least one is told false.
func (f *set[T, E]) TestAndAdd(key []byte) bool { return E(&f.engine).TestAndAdd(f.hasher.Sum(key)) }

// TestAndAddString is TestAndAdd of a text.
func (f *set[T, E]) TestAndAddString(key string) bool {
	return E(&f.engine).TestAndAdd(f.hasher.SumString(key))
}

// TestAndAddUint64 is TestAndAdd of an integer.
func (f *set[T, E]) TestAndAddUint64(key uint64) bool {
	return E(&f.engine).TestAndAdd(f.hasher.SumUint64(key))
}

// TestAndAddInt64 is TestAndAdd of an integer.
func (f *set[T, E]) TestAndAddInt64(key int64) bool { return f.TestAndAddUint64(uint64(key)) }

// TestOrAdd says whether a key may be present, and adds it only if it is not. Where keys are not counted it is the same as
// TestAndAdd, since adding a key whose bits are all set changes nothing.
func (f *set[T, E]) TestOrAdd(key []byte) bool { return E(&f.engine).TestOrAdd(f.hasher.Sum(key)) }

// TestOrAddString is TestOrAdd of a text.
func (f *set[T, E]) TestOrAddString(key string) bool {
	return E(&f.engine).TestOrAdd(f.hasher.SumString(key))
}

// TestOrAddUint64 is TestOrAdd of an integer.
func (f *set[T, E]) TestOrAddUint64(key uint64) bool {
	return E(&f.engine).TestOrAdd(f.hasher.SumUint64(key))
}

// TestOrAddInt64 is TestOrAdd of an integer.
func (f *set[T, E]) TestOrAddInt64(key int64) bool { return f.TestOrAddUint64(uint64(key)) }

// Clear takes all keys out. While it runs, the answers of a concurrent filter are unspecified, and keys that are added may
// be lost.
func (f *set[T, E]) Clear() { f.made().Clear() }

// stored is an engine of bits that filters of one shape can be combined in.
type stored[T any] interface {
	added[T]
	Stored() *engine.Store
}

// merge adds the keys of another filter to this one.
func merge[T any, E stored[T]](f, other *set[T, E]) error {
	if err := match("merge", f, other); err != nil {
		return err
	}
	E(&f.engine).Stored().Or(E(&other.engine).Stored())
	return nil
}

// intersect keeps the bits that both filters have: the keys of both, and false positives.
func intersect[T any, E stored[T]](f, other *set[T, E]) error {
	if err := match("intersect", f, other); err != nil {
		return err
	}
	E(&f.engine).Stored().And(E(&other.engine).Stored())
	return nil
}

// united is a filter of its own with the keys of both.
func united[T any, E stored[T]](f, other *set[T, E], shared bool) (both set[T, E], err error) {
	if err := match("united", f, other); err != nil {
		return both, err
	}
	both = f.copied(shared)
	return both, merge(&both, other)
}

// intersected is a filter of its own with the bits that both have.
func intersected[T any, E stored[T]](f, other *set[T, E], shared bool) (both set[T, E], err error) {
	if err := match("intersected", f, other); err != nil {
		return both, err
	}
	both = f.copied(shared)
	return both, intersect(&both, other)
}

func match[T any, E added[T]](what string, f, other *set[T, E]) error {
	if other == nil {
		return f.match(what, nil)
	}
	return f.match(what, &other.kept)
}

func (f *set[T, E]) equal(other *set[T, E]) bool {
	if other == nil {
		return false
	}
	return f.kept.equal(&other.kept)
}

// copied is this filter with words of its own, plain or shared.
func (f *set[T, E]) copied(shared bool) set[T, E] { return set[T, E]{f.kept.copied(shared)} }

// shared makes a filter safe for goroutines that has become another one without an error.
func (f *set[T, E]) shared(err error) error {
	if err == nil {
		E(&f.engine).Share(true)
	}
	return err
}

// taken is this filter's words in another one, after which this one is a zero value. Nobody else may be using it.
func (f *set[T, E]) taken(shared bool) set[T, E] {
	f.must()
	c := *f
	E(&c.engine).Share(shared)
	*f = set[T, E]{}
	return c
}
