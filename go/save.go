package seen

// Saving: the header describes the filter, and a file is replaced in one step. Readers find the old file or the new one,
// whole, and so does whoever looks after a power cut.

import (
	"bytes"
	"io"
	"slices"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/replace"
)

// header describes the filter, all but its census.
func (f *kept[T, E]) header() *native.Header {
	e := E(&f.engine)
	return &native.Header{
		Kind: e.Kind(), IndexRule: engine.Rule(e.Kind()),
		Hash: f.hasher.ID(), Keyed: f.hasher.ID().Keyed(), Seed: f.hasher.Seed(), HashCheck: f.hasher.Check(),
		Capacity: f.target.Capacity, FPR: f.target.FPR,
		Segments: e.Segments(),
		Metadata: f.metadata,
	}
}

// Save writes the filter to a file, atomically and durably: it writes a temporary file beside it, syncs and renames it, and
// syncs the directory. After an error the old file is as it was. Pipes and devices are written in place. Keys that
// goroutines add to a concurrent filter meanwhile may be in the file, with all their bits or some of them.
//
// Saves to one path may run at once: each has a temporary file of its own, .NAME.XXXXXXXX.seen-tmp, where NAME is cut if the
// whole would be too long for a name. If the path is a symbolic link, the file that it leads to is saved; that file need
// not exist yet. A program that is killed while it saves leaves its temporary file behind. No later save removes it, since
// it could belong to a program that is still running.
func (f *kept[T, E]) Save(path string, options ...SaveOption) error {
	return replace.File(path, func(w io.Writer) error {
		_, err := f.Encode(w, options...)
		return err
	})
}

// WriteTo writes the filter as a native file.
func (f *kept[T, E]) WriteTo(w io.Writer) (int64, error) { return f.Encode(w) }

// Encode is WriteTo with options.
func (f *kept[T, E]) Encode(w io.Writer, options ...SaveOption) (int64, error) {
	if f.isZero() {
		return 0, hash.ErrZero // a file holds at least one bit
	}
	h := f.header()
	for _, o := range options {
		o.saving(h)
	}
	if h.Secret != nil { // asked for
		if h.Secret = slices.Clone(f.secret); h.Secret == nil {
			return 0, fault.New(fault.InvalidArgument, "%v has no secret to store", f.Hash())
		}
	}
	var body []uint64
	body, h.Census = E(&f.engine).Still()
	return h.WriteTo(w, body)
}

// MarshalBinary is the bytes of a native file.
func (f kept[T, E]) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := f.Encode(&b)
	return b.Bytes(), err
}

// UnmarshalBinary makes this the filter of a native file's bytes, which must be of its kind. A keyed one is opened with the
// secret in the bytes or, if they hold none, with the secret of this filter; one of a hash of its user's own with the function
// of this filter ([WithOwnHash]). After an error this filter is as it was.
func (f *kept[T, E]) UnmarshalBinary(data []byte) error {
	opened, err := Read(data, f)
	return f.become(opened, err)
}

// opening makes a filter an option for opening another that is to take its place.
func (f *kept[T, E]) opening(o *opening) {
	o.secret, o.own, o.format = f.secret, f.hasher.Own(), FormatNative
}

// become makes this the filter that was opened.
func (f *kept[T, E]) become(opened Filter, err error) error {
	if err != nil {
		return err
	}
	same, is := opened.(interface{ loaded() *kept[T, E] })
	if !is {
		return fault.New(ErrWrongKind, "the bytes are of a %v, not of a %s", opened.Info().Kind, engine.Name(E(&f.engine).Kind()))
	}
	*f = *same.loaded()
	return nil
}

func (f *kept[T, E]) loaded() *kept[T, E] { return f }
