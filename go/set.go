package seen

// The methods that all kinds share that keys can be added to: adding, set algebra, estimates.

import (
	"fmt"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// added is an engine that keys can be added to.
type added[T any] interface {
	*T
	engine.Writable
}

type set[T any, E added[T]] struct {
	lookup[T, E]
	target   Target
	secret   []byte
	metadata []byte
}

// newSet is an empty filter of this engine.
func newSet[T any, E added[T]](empty T, target Target, m making) (s set[T, E], err error) {
	hasher, err := m.hasher()
	if err != nil {
		return s, err
	}
	return set[T, E]{lookup: lookup[T, E]{hasher: hasher, engine: empty}, target: target, secret: slices.Clone(m.secret)}, nil
}

// made is the engine of a filter, and panics if this is a zero value. Adding and asking do without: the hash checks it.
func (f *set[T, E]) made() E {
	f.must()
	return &f.engine
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

// TestOrAdd says whether a key may be present, and adds it only if it is not. For these kinds it is the same as TestAndAdd,
// since adding a key whose bits are all set changes nothing.
func (f *set[T, E]) TestOrAdd(key []byte) bool { return f.TestAndAdd(key) }

// TestOrAddString is TestOrAdd of a text.
func (f *set[T, E]) TestOrAddString(key string) bool { return f.TestAndAddString(key) }

// TestOrAddUint64 is TestOrAdd of an integer.
func (f *set[T, E]) TestOrAddUint64(key uint64) bool { return f.TestAndAddUint64(key) }

// TestOrAddInt64 is TestOrAdd of an integer.
func (f *set[T, E]) TestOrAddInt64(key int64) bool { return f.TestAndAddInt64(key) }

// Clear takes all keys out. While it runs, the answers of a concurrent filter are unspecified, and keys that are added may
// be lost.
func (f *set[T, E]) Clear() { f.made().Clear() }

// Bits is the number of bits of the filter.
func (f *set[T, E]) Bits() uint64 { return f.made().Bits() }

// Fill is the share of the bits that are set: about one half at capacity.
func (f *set[T, E]) Fill() float64 {
	e := f.made()
	return float64(e.Census()) / float64(e.Bits())
}

// EstimatedCount is how many different keys the filter holds, judged by its fill. The estimate is weak once the filter is
// saturated, and infinite when it is full.
func (f *set[T, E]) EstimatedCount() float64 { return f.made().EstimatedCount() }

// EstimatedFPR is the rate of false positives as the filter is now.
func (f *set[T, E]) EstimatedFPR() float64 { return f.made().EstimatedFPR() }

// Saturated says whether more than 0.7 of the bits are set: the rate is then far above plan.
func (f *set[T, E]) Saturated() bool { return f.Fill() > weakFill }

// Target is what the filter was made for; zero if it was made by its shape.
func (f *set[T, E]) Target() Target {
	f.must()
	return f.target
}

// Metadata is the user's own bytes, which are saved with the filter.
func (f *set[T, E]) Metadata() []byte {
	f.must()
	return slices.Clone(f.metadata)
}

// SetMetadata changes the user's own bytes. A file takes 65,536 of them.
func (f *set[T, E]) SetMetadata(metadata []byte) error {
	if f.isZero() {
		return hash.ErrZero
	}
	if len(metadata) > native.MaxMetadata {
		return fault.New(fault.InvalidArgument, "metadata of %d bytes; a file takes %d", len(metadata), native.MaxMetadata)
	}
	f.metadata = slices.Clone(metadata)
	return nil
}

// Info describes the filter.
func (f *set[T, E]) Info() Info {
	e := f.made()
	h := f.header()
	h.Census = e.Census()
	return infoOf(h)
}

// merge adds the keys of another filter to this one.
func (f *set[T, E]) merge(other *set[T, E]) error {
	if err := f.match("merge", other); err != nil {
		return err
	}
	E(&f.engine).Or(E(&other.engine).Live())
	return nil
}

// intersect keeps the bits that both filters have: the keys of both, and false positives.
func (f *set[T, E]) intersect(other *set[T, E]) error {
	if err := f.match("intersect", other); err != nil {
		return err
	}
	E(&f.engine).And(E(&other.engine).Live())
	return nil
}

func (f *set[T, E]) equal(other *set[T, E]) bool {
	if other != nil && f.isZero() && other.isZero() {
		return true
	}
	return f.match("", other) == nil && E(&f.engine).Same(E(&other.engine).Live())
}

// match is an error that says how two filters differ in anything but their bits.
func (f *set[T, E]) match(what string, other *set[T, E]) error {
	if other == nil {
		return fmt.Errorf("%s: nil is not a filter: %w", what, ErrIncompatible)
	}
	if f.isZero() || other.isZero() {
		return fmt.Errorf("%s: %w: %w", what, hash.ErrZero, ErrIncompatible)
	}
	here, there := E(&f.engine).Shape(), E(&other.engine).Shape()
	for i, name := range engine.FieldNames(E(&f.engine).Kind()) {
		if here[i] != there[i] {
			return fmt.Errorf("%s: %s differ: %d here, %d there: %w", what, name, here[i], there[i], ErrIncompatible)
		}
	}
	if difference := f.hasher.DifferenceTo(&other.hasher); difference != "" {
		return fmt.Errorf("%s: %s: %w", what, difference, ErrIncompatible)
	}
	return nil
}

// copied is this filter with words of its own, plain or shared.
func (f *set[T, E]) copied(shared bool) set[T, E] {
	f.must()
	c := *f
	c.metadata = slices.Clone(f.metadata)
	E(&c.engine).Replace(E(&f.engine).Snapshot())
	E(&c.engine).Share(shared)
	return c
}

// taken is this filter's words in another one, after which this one is a zero value. Nobody else may be using it.
func (f *set[T, E]) taken(shared bool) set[T, E] {
	f.must()
	c := *f
	E(&c.engine).Share(shared)
	*f = set[T, E]{}
	return c
}

// The methods that ask are those of lookup. They stand here again because documentation lists the methods of a type that an
// exported one embeds, but not those of a type that this one embeds in turn.

// MayContain says whether a key may have been added; false is certain.
func (f *set[T, E]) MayContain(key []byte) bool { return f.lookup.MayContain(key) }

// MayContainString says whether a text may have been added; false is certain.
func (f *set[T, E]) MayContainString(key string) bool { return f.lookup.MayContainString(key) }

// MayContainUint64 says whether an integer may have been added; false is certain.
func (f *set[T, E]) MayContainUint64(key uint64) bool { return f.lookup.MayContainUint64(key) }

// MayContainInt64 says whether an integer may have been added; false is certain.
func (f *set[T, E]) MayContainInt64(key int64) bool { return f.lookup.MayContainInt64(key) }

// MayContainMany answers for many keys, in order, and returns how many may be present. It panics if there are fewer
// answers than keys.
func (f *set[T, E]) MayContainMany(keys [][]byte, answers []bool) int {
	return f.lookup.MayContainMany(keys, answers)
}

// MayContainStrings answers for many texts, as MayContainMany does.
func (f *set[T, E]) MayContainStrings(keys []string, answers []bool) int {
	return f.lookup.MayContainStrings(keys, answers)
}

// MayContainUint64s answers for many integers, as MayContainMany does.
func (f *set[T, E]) MayContainUint64s(keys []uint64, answers []bool) int {
	return f.lookup.MayContainUint64s(keys, answers)
}

// Hash is the function from keys to digests.
func (f *set[T, E]) Hash() Hash { return f.lookup.Hash() }

// Seed is the seed of the hash, 0 if it takes none.
func (f *set[T, E]) Seed() uint64 { return f.lookup.Seed() }
