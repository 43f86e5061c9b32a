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
	"github.com/seenfilter/seen/go/internal/words"
)

// header describes the filter, all but its census.
func (f *set[T, E]) header() *native.Header {
	e := E(&f.engine)
	return &native.Header{
		Kind: e.Kind(), IndexRule: e.Kind(),
		Hash: f.hasher.ID(), Keyed: f.hasher.ID().Keyed(), Seed: f.hasher.Seed(), HashCheck: f.hasher.Check(),
		Capacity: f.target.Capacity, FPR: f.target.FPR,
		Segments: []native.Segment{{Length: 8 * uint64(len(e.Live())), Shape: e.Shape()}},
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
func (f *set[T, E]) Save(path string, options ...SaveOption) error {
	return replace.File(path, func(w io.Writer) error {
		_, err := f.Encode(w, options...)
		return err
	})
}

// WriteTo writes the filter as a native file.
func (f *set[T, E]) WriteTo(w io.Writer) (int64, error) { return f.Encode(w) }

// Encode is WriteTo with options.
func (f *set[T, E]) Encode(w io.Writer, options ...SaveOption) (int64, error) {
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
	body := E(&f.engine).Still()
	h.Census = words.Count(body)
	return h.WriteTo(w, body)
}

// MarshalBinary is the bytes of a native file.
func (f *set[T, E]) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := f.Encode(&b)
	return b.Bytes(), err
}

func (f *set[T, E]) unmarshal(data []byte, shared bool) error {
	opened, err := open(bytes.NewReader(data), uint64(len(data)), opening{secret: f.secret, own: f.hasher.Own(), format: FormatNative})
	if err != nil {
		return err
	}
	same, ok := opened.(interface{ loaded() *set[T, E] })
	if !ok {
		return fault.New(ErrWrongKind, "the bytes are of a %v, not of a %s", opened.Info().Kind, engine.Name(E(&f.engine).Kind()))
	}
	*f = *same.loaded()
	E(&f.engine).Share(shared)
	return nil
}

func (f *set[T, E]) loaded() *set[T, E] { return f }
