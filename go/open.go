package seen

// Opening: from a path or bytes to a filter. Loading copies the bits and checks every byte; mapping uses them where they
// are, checks in time independent of the size, and leaves the rest to Verify.

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"seen/internal/engine"
	"seen/internal/native"
	"seen/internal/regular"
)

// Load reads a filter from a regular file and checks all of it; [Read] takes what comes from elsewhere. It returns a *[Bloom], *[BlockedBloom] or *[SplitBlock], to which keys can
// be added; a *[View] of any other native kind; or a *[Foreign] of another library's file.
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

// Map makes a filter of a native file where it is, without reading it: in microseconds at any size. Header, lengths and the
// checksum of the page table are checked; [View.Verify] checks the rest. Another process that truncates the file while it
// is mapped makes lookups fault; one that replaces it, as Save does, or adds to it in place, as the C++ library can, does no
// harm: in the latter case answers change as keys come. [View.Close] lets it go.
//
// Where the system cannot map, or its bytes are of the other order, the file is loaded instead.
func Map(path string, options ...OpenOption) (*View, error) {
	view, err := mapFile(path, openingOf(options))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return view, nil
}

// Inspect reads what a native file says about itself, without its bits and without its secret.
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
	if o.format != FormatNative && (o.format != "" || !isNative(r)) {
		foreign, err := openForeign(r, size, o)
		if err != nil {
			return nil, err // not a nil *Foreign, which is a Filter
		}
		return foreign, nil
	}
	h, err := native.ReadHeader(r, size, o.recover)
	if err != nil {
		return nil, err
	}
	// Everything that can be said without the body is said before memory is taken for it.
	if _, err := h.Hasher(o.secret); err != nil {
		return nil, err
	}
	body, err := h.ReadBody(r)
	if err != nil {
		return nil, err
	}
	view, err := newView(h, body, o.secret)
	if err != nil {
		return nil, err
	}
	if err := engine.Verify(h, view.engine.Reader); err != nil {
		return nil, err
	}
	switch e := view.engine.Reader.(type) {
	case *engine.Bloom:
		return &Bloom{setOf[engine.Bloom](view, e, o.secret)}, nil
	case *engine.BlockedBloom:
		return &BlockedBloom{setOf[engine.BlockedBloom](view, e, o.secret)}, nil
	case *engine.SplitBlock:
		return &SplitBlock{setOf[engine.SplitBlock](view, e, o.secret)}, nil
	}
	return view, nil
}

func isNative(r io.ReaderAt) bool {
	var beginning [8]byte
	n, _ := r.ReadAt(beginning[:], 0)
	return native.Recognises(beginning[:n])
}

func newView(h *native.Header, body []uint64, secret []byte) (*View, error) {
	hasher, err := h.Hasher(secret)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(h, body)
	if err != nil {
		return nil, err
	}
	return &View{lookup: lookup[reader, *reader]{hasher: hasher, engine: reader{e}}, header: h, body: body}, nil
}

// setOf is the filter of a file that has been loaded, with the engine that was made of it.
func setOf[T any, E added[T]](v *View, e E, secret []byte) set[T, E] {
	h := v.header
	if secret == nil {
		secret = h.Secret
	}
	return set[T, E]{
		lookup:   lookup[T, E]{hasher: v.hasher, engine: *e},
		target:   Target{Capacity: h.Capacity, FPR: h.FPR},
		secret:   slices.Clone(secret),
		metadata: slices.Clone(h.Metadata),
	}
}

func mapFile(path string, o opening) (*View, error) {
	if o.format != "" && o.format != FormatNative {
		return nil, fmt.Errorf("files of %s cannot be mapped; load them", o.format)
	}
	file, size, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h, err := native.ReadHeader(file, size, o.recover)
	if err != nil {
		return nil, err
	}
	m, err := mapWords(file, h)
	if err != nil {
		return nil, err
	}
	view, err := newView(h, m.body, o.secret)
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

// mapping is a body where it is in its file, or, where that cannot be, read and verified.
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
