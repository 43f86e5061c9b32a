package bloom

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
)

// Native files of kind bloom: the container is internal/native's business, here is what its body means.

const (
	nativeName = "native"
	kindBloom  = 1 // kind and index rule of native files
)

func loadNative(data []byte, options LoadOptions) (*BloomFilter, error) {
	from := bytes.NewReader(data)
	h, err := native.ReadHeader(from, uint64(len(data)), options.Recover)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	if h.Kind != kindBloom || h.IndexRule != kindBloom {
		return nil, fmt.Errorf("native: offset 24: kind %d with index rule %d is not a classic Bloom filter: package seen opens it", h.Kind, h.IndexRule)
	}
	if len(h.Segments) != 1 || len(h.Segments[0].Shape) != 2 {
		return nil, fmt.Errorf("native: a bloom has one segment with a shape of two numbers: %w", native.ErrCorrupt)
	}
	m, k := h.Segments[0].Shape[0], h.Segments[0].Shape[1]
	if err := checkNativeShape(m, k); err != nil {
		return nil, fmt.Errorf("%w: %w", err, native.ErrCorrupt)
	}
	if want := 8 * nativeWords(m); h.Segments[0].Length != want {
		return nil, fmt.Errorf("native: %d bits make a segment of %d bytes; this one has %d: %w", m, want, h.Segments[0].Length, native.ErrCorrupt)
	}
	hasher, err := h.Hasher(options.Secret, nil)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	words, err := h.ReadBody(from)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	if interop.Grown(m, words) != m {
		return nil, fmt.Errorf("native: bits beyond the %d of the filter are set: %w", m, native.ErrCorrupt)
	}
	if ones := countOnes(words); ones != h.Census && !h.Unsealed {
		return nil, fmt.Errorf("native: %d bits are set, and the census says %d: %w", ones, h.Census, native.ErrCorrupt)
	}
	if !options.StoreSecret {
		h.Secret = nil
	} else if !h.Keyed {
		return nil, fmt.Errorf("native: %s has no secret that could be stored", h.Hash)
	} else if options.Secret != nil {
		h.Secret = bytes.Clone(options.Secret)
	}
	return nativeFilter(h, m, k, hasher, words), nil
}

func checkNativeShape(m, k uint64) error {
	if m < 1 || m > sizing.MaxBits {
		return fmt.Errorf("native: bits is %d; it must be from 1 to 2^40", m)
	}
	if k < 1 || k > sizing.MaxProbes {
		return fmt.Errorf("native: probes is %d; it must be from 1 to %d", k, sizing.MaxProbes)
	}
	return nil
}

// nativeWords is how many words hold so many bits in lines of 64 bytes.
func nativeWords(m uint64) uint64 { return (m + 511) / 512 * 8 }

func countOnes(words []uint64) (count uint64) {
	for _, w := range words {
		count += uint64(bits.OnesCount64(w))
	}
	return count
}

func nativeFilter(h *native.Header, m, k uint64, hasher hash.Hasher, words []uint64) *BloomFilter {
	file := interop.File{M: m, K: k, L: m, Words: words}
	b := bodyOf(&file, interop.Rule{Kind: interop.Chain, Hasher: hasher})
	b.header = h
	return filterOf(b)
}

// writeNative writes a snapshot.
func (b *body) writeNative(w io.Writer) error {
	words := b.Snapshot()
	h := *b.header // others may be writing at the same time, and writing lays the header out
	h.Segments = slices.Clone(h.Segments)
	h.Census = countOnes(words)
	_, err := h.WriteTo(w, words)
	return err
}

func makeNative(options MakeOptions) (*BloomFilter, error) {
	if options.Variant != "" {
		return nil, fmt.Errorf("native: it has no variants, and %q was asked for", options.Variant)
	}
	wish := options.wish()
	m, k := wish.Bits, wish.Probes
	switch byBits := m != 0 || k != 0; {
	case byBits == (wish.Capacity != 0 || wish.FPR != 0):
		return nil, fmt.Errorf("native: a filter has either a capacity and a rate, or bits and probes")
	case !byBits:
		var err error
		if m, k, err = sizing.Bloom(wish.Capacity, wish.FPR); err != nil {
			return nil, fmt.Errorf("native: %w", err)
		}
	}
	if err := checkNativeShape(m, k); err != nil {
		return nil, err
	}
	id := hash.DefaultID
	if options.Hash != "" {
		var ok bool
		if id, ok = hash.Parse(options.Hash); !ok {
			return nil, fmt.Errorf("native: no hash %q", options.Hash)
		}
	}
	hasher, err := hash.New(id, options.Seed, options.Secret)
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	h := &native.Header{
		Kind: kindBloom, IndexRule: kindBloom,
		Hash: id, Keyed: id.Keyed(), Seed: options.Seed, HashCheck: hasher.Check(),
		Capacity: wish.Capacity, FPR: wish.FPR,
		Segments:  []native.Segment{{Length: 8 * nativeWords(m), Shape: []uint64{m, k}}},
		Metadata:  bytes.Clone(options.Metadata),
		Alignment: options.Alignment,
	}
	if options.StoreSecret {
		if !id.Keyed() {
			return nil, fmt.Errorf("native: %s has no secret that could be stored", id)
		}
		h.Secret = bytes.Clone(options.Secret)
	}
	if _, err := h.Size(); err != nil { // refuses metadata and alignments that no file has
		return nil, fmt.Errorf("native: %w", err)
	}
	words, err := memory.Words(nativeWords(m))
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	return nativeFilter(h, m, k, hasher, words), nil
}
