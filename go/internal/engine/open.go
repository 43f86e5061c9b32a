package engine

// From a header and a body to an engine: the table of the kinds, and what their shapes must satisfy.

import (
	"errors"
	"fmt"

	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// The numbers of the kinds in files. Rule says which index rule each has.
const (
	KindBloom uint16 = 1 + iota
	KindPartitionedBloom
	KindBlockedBloom
	KindSplitBlock
	KindCountingBloom
	KindBlockedCountingBloom
	KindScalableBloom
	KindCuckoo
	KindGrowingCuckoo
	KindQuotient
	KindWindowedBloom
	KindScalableClassicBloom
	KindXor
	KindBinaryFuse
	KindRibbon
)

// Reader is a filter that answers.
type Reader interface {
	// MayContain says whether a key of this digest may have been added.
	MayContain(digest uint64) bool
	// Census counts in the body what the header's census counts: set bits, or keys.
	Census() uint64
}

// A checker has rules about its body that take time to check.
type checker interface{ check() error }

// segment is the shape and the words of one segment of the body.
type segment struct {
	shape []uint64
	words []uint64
}

type kind struct {
	name   string
	fields []string // of the first segment
	open   func([]segment) (Reader, error)
}

var kinds = [...]kind{
	KindBloom:                {"bloom", []string{"bits", "probes"}, single(pointer(OpenBloom))},
	KindPartitionedBloom:     {"partitioned-bloom", []string{"bits", "probes"}, single(OpenPartitioned)},
	KindBlockedBloom:         {"blocked-bloom", []string{"blocks", "probes"}, single(pointer(OpenBlockedBloom))},
	KindSplitBlock:           {"split-block", []string{"blocks"}, single(pointer(OpenSplitBlock))},
	KindCountingBloom:        {"counting-bloom", []string{"counters", "probes", "counter-bits"}, single(pointer(openCounting))},
	KindBlockedCountingBloom: {"blocked-counting-bloom", []string{"blocks", "probes", "counter-bits"}, single(pointer(openBlockedCounting))},
	KindScalableBloom:        {"scalable-bloom", []string{"first-capacity", "fpr", "growth", "tightening"}, openChain[BlockedBloom](planBlockedBloom)},
	KindCuckoo:               {"cuckoo", []string{"buckets", "fingerprint-bits", "chunks"}, single(openCuckoo)},
	KindGrowingCuckoo:        {"growing-cuckoo", []string{"first-capacity", "fpr"}, openGrowingCuckoo},
	KindQuotient:             {"quotient", []string{"blocks", "remainder-bits"}, single(openQuotient)},
	KindWindowedBloom:        {"windowed-bloom", []string{"window", "slices", "period", "slice-bits", "probes", "clock"}, single(openWindowed)},
	KindScalableClassicBloom: {"scalable-classic-bloom", []string{"first-capacity", "fpr", "growth", "tightening"}, openChain[Bloom](planBloom)},
	KindXor:                  {"xor", []string{"keys", "fingerprint-bits", "shards", "block-length"}, single(openXor)},
	KindBinaryFuse:           {"binary-fuse", []string{"keys", "fingerprint-bits", "shards", "arity", "segment-length", "segments"}, single(openFuse)},
	KindRibbon:               {"ribbon", []string{"keys", "fingerprint-bits", "shards", "setting", "slots-0", "slots-1", "slots-2"}, single(openRibbon)},
}

func known(number uint16) bool { return number >= KindBloom && int(number) < len(kinds) }

// Name is the name of a kind, or "" if it is not known.
func Name(number uint16) string {
	if !known(number) {
		return ""
	}
	return kinds[number].name
}

// FieldNames are the names of the numbers in the shape of a kind's first segment.
func FieldNames(number uint16) []string {
	if !known(number) {
		return nil
	}
	return kinds[number].fields
}

// Rule is the index rule of a kind: of the same number, but for three whose first rules were drafts.
func Rule(kind uint16) uint16 {
	switch kind {
	case KindCuckoo, KindGrowingCuckoo, KindQuotient:
		return kind + 8
	}
	return kind
}

// Open is the engine over a body, if its kind and index rule are known, its shape is possible, and its lengths and padding
// are right. It takes no longer for a larger body; Verify checks the rest.
func Open(h *native.Header, body []uint64) (Reader, error) {
	if !known(h.Kind) {
		return nil, fmt.Errorf("offset 24: kind %d is not known: %w", h.Kind, native.ErrNewerVersion)
	}
	k := kinds[h.Kind]
	if h.IndexRule != Rule(h.Kind) {
		return nil, fmt.Errorf("offset 26: index rule %d of a %s is not known: %w", h.IndexRule, k.name, native.ErrNewerVersion)
	}
	parts := make([]segment, len(h.Segments))
	for i, s := range h.Segments {
		parts[i] = segment{s.Shape, body[s.Offset/8 : (s.Offset+s.Length)/8]}
	}
	reader, err := k.open(parts)
	if err != nil {
		return nil, fmt.Errorf("%s: %v: %w", k.name, err, native.ErrCorrupt)
	}
	return reader, nil
}

// Verify checks the rules of the kind for its body, and the census unless the file is unsealed.
func Verify(h *native.Header, r Reader) error {
	if c, ok := r.(checker); ok {
		if err := c.check(); err != nil {
			return fmt.Errorf("%s: %w: %w", kinds[h.Kind].name, err, native.ErrCorrupt)
		}
	}
	if h.Unsealed {
		return nil
	}
	if census := r.Census(); census != h.Census {
		return fmt.Errorf("%s: the census is %d by the header, %d by the body: %w", kinds[h.Kind].name, h.Census, census, native.ErrCorrupt)
	}
	return nil
}

// single opens kinds of one segment.
func single[R Reader](open func(shape, words []uint64) (R, error)) func([]segment) (Reader, error) {
	return func(parts []segment) (Reader, error) {
		if len(parts) != 1 {
			return nil, fmt.Errorf("%d segments, not 1", len(parts))
		}
		return open(parts[0].shape, parts[0].words)
	}
}

// pointer turns a function that opens values into one that opens pointers.
func pointer[T any](open func(shape, words []uint64) (T, error)) func(shape, words []uint64) (*T, error) {
	return func(shape, words []uint64) (*T, error) {
		value, err := open(shape, words)
		return &value, err
	}
}

func planBloom(capacity uint64, fpr float64) error {
	_, _, err := sizing.Bloom(capacity, fpr)
	return err
}

func planBlockedBloom(capacity uint64, fpr float64) error {
	_, _, err := sizing.BlockedBloom(capacity, fpr, 0)
	return err
}

var errPadding = errors.New("padding that is not zero")

func count(shape []uint64, want int) error {
	if len(shape) != want {
		return fmt.Errorf("a shape of %d numbers, not %d", len(shape), want)
	}
	return nil
}

func within(name string, value, least, most uint64) error {
	if value < least || value > most {
		return fmt.Errorf("%s is %d; it must be from %d to %d", name, value, least, most)
	}
	return nil
}

func checkLength(segment []uint64, bytes uint64) error {
	if uint64(len(segment))*8 != bytes {
		return fmt.Errorf("a segment of %d bytes; its shape makes it %d", 8*len(segment), bytes)
	}
	return nil
}

func roundUp(x, unit uint64) uint64 { return (x + unit - 1) / unit * unit }
