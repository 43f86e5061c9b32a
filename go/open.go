package seen

// Opening: from a path or bytes to a filter. Loading copies the bits and checks every byte. Mapping uses them where they
// are, checks what takes no longer in a larger file, and leaves the rest to Verify.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/regular"
)

// Load reads a filter from a regular file and checks all of it; [Read] takes bytes from elsewhere. It returns a *[Bloom],
// *[BlockedBloom] or *[SplitBlock], to which keys can be added; a *[View] for any other native kind; or a *[Foreign] for
// another library's file.
func Load(path string, options ...OpenOption) (Filter, error) {
	file, size, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	filter, err := open(file, size, openingOf(options))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return filter, nil
}

// Read is [Load] of the bytes of a file. The filter has a copy of them.
func Read(data []byte, options ...OpenOption) (Filter, error) {
	return open(bytes.NewReader(data), uint64(len(data)), openingOf(options))
}

// Map uses a native file where it is, without reading it: it takes microseconds at any size. It checks the header, the
// lengths and the checksum of the page table; [View.Verify] checks the rest. [View.Close] lets the file go.
//
// Other processes may replace the file meanwhile, as Save does. They may also add to it in place, as the C++ library can:
// answers then change as keys come. They must not truncate it, which makes lookups fault.
//
// If the system cannot map files, or has the other byte order, the file is loaded instead.
func Map(path string, options ...OpenOption) (*View, error) {
	o := openingOf(options)
	if o.format != "" && o.format != FormatNative {
		return nil, fault.New(ErrUnsupported, "%s: files of %s cannot be mapped; load them", path, o.format)
	}
	file, size, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	view, err := mapFile(file, size, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return view, nil
}

// Inspect reads the description of a native file. It needs neither the bits nor the secret.
func Inspect(path string) (Info, error) {
	file, size, err := regular.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer file.Close()
	h, err := native.ReadHeader(file, size, false)
	if err != nil {
		return Info{}, fmt.Errorf("%s: %w", path, err)
	}
	return infoOf(h), nil
}

func openingOf(options []OpenOption) (o opening) {
	for _, each := range options {
		each.opening(&o)
	}
	return o
}

func open(r io.ReaderAt, size uint64, o opening) (Filter, error) {
	if err := o.within(size); err != nil {
		return nil, err
	}
	if o.format != FormatNative && (o.format != "" || !isNative(r)) {
		foreign, err := openForeign(r, size, o)
		if err != nil {
			return nil, err // not a nil *Foreign, which is a Filter
		}
		return foreign, nil
	}
	view, err := openNative(r, size, o)
	if err != nil {
		return nil, err
	}
	switch e := view.engine.Reader.(type) {
	case *engine.Bloom:
		return &Bloom{setOf(view, e, o.secret)}, nil
	case *engine.BlockedBloom:
		return &BlockedBloom{setOf(view, e, o.secret)}, nil
	case *engine.SplitBlock:
		return &SplitBlock{setOf(view, e, o.secret)}, nil
	case *engine.Counting:
		return &CountingBloom{setOf(view, e, o.secret)}, nil
	case *engine.BlockedCounting:
		return &BlockedCountingBloom{setOf(view, e, o.secret)}, nil
	case *engine.Cuckoo:
		e.Recount()
		return &Cuckoo{keptOf(view, e, o.secret)}, nil
	case *engine.BlockedBloomChain:
		return &ScalableBloom{keptOf(view, e, o.secret)}, nil
	case *engine.BloomChain:
		return &ScalableClassicBloom{keptOf(view, e, o.secret)}, nil
	case *engine.Fuse:
		return &BinaryFuse{keptOf(view, e, o.secret)}, nil
	}
	return view, nil
}

// openNative is a native file that has been read and checked.
func openNative(r io.ReaderAt, size uint64, o opening) (*View, error) {
	h, err := native.ReadHeader(r, size, o.recover)
	if err != nil {
		return nil, err
	}
	// Whatever can be refused without the body is refused before memory is taken for it.
	if _, err := h.Hasher(o.secret, o.own); err != nil {
		return nil, err
	}
	body, err := h.ReadBody(r)
	if err != nil {
		return nil, err
	}
	view, err := newView(h, body, o)
	if err != nil {
		return nil, err
	}
	return view, engine.Verify(h, view.engine.Reader)
}

func isNative(r io.ReaderAt) bool {
	var beginning [8]byte
	n, _ := r.ReadAt(beginning[:], 0)
	return native.Recognises(beginning[:n])
}

func newView(h *native.Header, body []uint64, o opening) (*View, error) {
	hasher, err := h.Hasher(o.secret, o.own)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(h, body)
	if err != nil {
		return nil, err
	}
	return &View{lookup: lookup[reader, *reader]{hasher: hasher, engine: reader{e}}, header: h, body: body}, nil
}

// keptOf is the filter of a file that has been loaded, over the engine that was made for it.
func keptOf[T any, E makeable[T]](v *View, e E, secret []byte) kept[T, E] {
	h := v.header
	if secret == nil {
		secret = h.Secret
	}
	return kept[T, E]{
		lookup:   lookup[T, E]{hasher: v.hasher, engine: *e},
		target:   Target{Capacity: h.Capacity, FPR: h.FPR},
		secret:   slices.Clone(secret),
		metadata: slices.Clone(h.Metadata),
	}
}

func setOf[T any, E added[T]](v *View, e E, secret []byte) set[T, E] {
	return set[T, E]{keptOf(v, e, secret)}
}

func mapFile(file *os.File, size uint64, o opening) (*View, error) {
	if err := o.within(size); err != nil {
		return nil, err
	}
	h, err := native.ReadHeader(file, size, o.recover)
	if err != nil {
		return nil, err
	}
	m, err := mapWords(file, h)
	if err != nil {
		return nil, err
	}
	view, err := newView(h, m.body, o)
	if err == nil && m.verified {
		err = engine.Verify(h, view.engine.Reader)
	}
	if err != nil {
		_ = m.close()
		return nil, err
	}
	view.close = m.close
	if !m.verified {
		view.file = bytes.NewReader(m.bytes)
	}
	return view, nil
}

// mapping is a body where it lies in its file or, if the system cannot map, a copy that was read and verified.
type mapping struct {
	body     []uint64
	bytes    []byte // the whole file
	verified bool
	close    func() error
}

func readInstead(r io.ReaderAt, h *native.Header) (mapping, error) {
	body, err := h.ReadBody(r)
	return mapping{body: body, verified: true, close: func() error { return nil }}, err
}

// infoOf is what a header says.
func infoOf(h *native.Header) Info {
	info := Info{
		Format: string(FormatNative), Kind: Kind(h.Kind), Hash: Hash(h.Hash), Keyed: h.Keyed, Seed: h.Seed,
		Capacity: h.Capacity, FPR: h.FPR, Links: len(h.Segments) - 1, Census: h.Census, Metadata: slices.Clone(h.Metadata),
	}
	for _, s := range h.Segments {
		info.Bytes += s.Length
	}
	names := engine.FieldNames(h.Kind)
	for i, value := range h.Segments[0].Shape {
		if i < len(names) {
			info.Shape = append(info.Shape, Field{names[i], value})
		}
	}
	return info
}
