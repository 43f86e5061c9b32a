package seen

// A filter that can be made here: what it is, and how full. Its files are in save.go, text.go and stream.go.

import (
	"fmt"
	"iter"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// makeable is an engine that can be made here. What it holds is compared with Same if its shape is the same.
type makeable[T any] interface {
	*T
	engine.Made
	Same(other *T) bool
}

type kept[T any, E makeable[T]] struct {
	lookup[T, E]
	target   Target
	secret   []byte
	metadata []byte
}

// newKept is a filter with this engine.
func newKept[T any, E makeable[T]](made T, target Target, m making) (k kept[T, E], err error) {
	if err := m.wishes(); err != nil {
		return k, err
	}
	hasher, err := m.hasher()
	if err != nil {
		return k, err
	}
	return keptBy[T, E](made, hasher, target, m), nil
}

// keptBy is the same where the hash is there already.
func keptBy[T any, E makeable[T]](made T, hasher hash.Hasher, target Target, m making) kept[T, E] {
	return kept[T, E]{lookup: lookup[T, E]{hasher: hasher, engine: made}, target: target, secret: slices.Clone(m.secret)}
}

// made is the engine of a filter, and panics if this is a zero value. Adding and asking do without: the hash checks it.
func (f *kept[T, E]) made() E {
	f.must()
	return &f.engine
}

// Bits is the number of bits of the filter.
func (f *kept[T, E]) Bits() uint64 { return f.made().Bits() }

// Fill is the share of the bits that are set, about one half at capacity; of the counters or slots in use where it has these.
func (f *kept[T, E]) Fill() float64 { return f.made().Fill() }

// EstimatedCount is how many different keys the filter holds, judged by its fill; kinds that count their keys say how many they
// are. The estimate is weak once the filter is saturated, and infinite when it is full.
func (f *kept[T, E]) EstimatedCount() float64 { return f.made().EstimatedCount() }

// EstimatedFPR is the rate of false positives as the filter is now.
func (f *kept[T, E]) EstimatedFPR() float64 { return f.made().EstimatedFPR() }

// Saturated says whether the filter is fuller than usual plans make it: more than 0.7 of its bits are set, more than 0.95 of
// the slots of a [Cuckoo] are taken, or the rates of a chain's links add up to more than was asked.
func (f *kept[T, E]) Saturated() bool { return f.made().Full() }

// Target is what the filter was made for; zero if it was made by its shape.
func (f *kept[T, E]) Target() Target {
	f.must()
	return f.target
}

// Metadata is the user's own bytes, which are saved with the filter.
func (f *kept[T, E]) Metadata() []byte {
	f.must()
	return slices.Clone(f.metadata)
}

// SetMetadata changes the user's own bytes. A file takes 65,536 of them.
func (f *kept[T, E]) SetMetadata(metadata []byte) error {
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
func (f *kept[T, E]) Info() Info {
	e := f.made()
	h := f.header()
	h.Census = e.Census()
	return infoOf(h)
}

func (f *kept[T, E]) equal(other *kept[T, E]) bool {
	if other != nil && f.isZero() && other.isZero() {
		return true
	}
	return f.match("", other) == nil && E(&f.engine).Same(&other.engine)
}

// match is an error that says how two filters differ in anything but what they hold.
func (f *kept[T, E]) match(what string, other *kept[T, E]) error {
	if err := f.matchHash(what, other); err != nil {
		return err
	}
	here, there := E(&f.engine).Segments()[0].Shape, E(&other.engine).Segments()[0].Shape
	for i, name := range engine.FieldNames(E(&f.engine).Kind()) {
		if here[i] != there[i] {
			return fmt.Errorf("%s: %s differ: %d here, %d there: %w", what, name, here[i], there[i], ErrIncompatible)
		}
	}
	return nil
}

// matchHash is the same of anything but what they hold and their shapes.
func (f *kept[T, E]) matchHash(what string, other *kept[T, E]) error {
	if other == nil {
		return fmt.Errorf("%s: nil is not a filter: %w", what, ErrIncompatible)
	}
	if f.isZero() || other.isZero() {
		return fmt.Errorf("%s: %w: %w", what, hash.ErrZero, ErrIncompatible)
	}
	if difference := f.hasher.DifferenceTo(&other.hasher); difference != "" {
		return fmt.Errorf("%s: %s: %w", what, difference, ErrIncompatible)
	}
	return nil
}

// copied is this filter with an engine of its own, plain or shared.
func (f *kept[T, E]) copied(shared bool) kept[T, E] {
	f.must()
	c := *f
	c.metadata = slices.Clone(f.metadata)
	E(&c.engine).Own(shared)
	return c
}

// addAll adds the keys of a sequence up to one that fails, and says how many it added.
func addAll[K any](keys iter.Seq[K], add func(K) error) (added int, err error) {
	for key := range keys {
		if err := add(key); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}
