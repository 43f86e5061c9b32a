package seen

// Saving: a filter's header is made of what it is, and a file is replaced in one step. Readers have the old one or the new
// one, whole, and after a power cut the one or the other is there.

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"seen/internal/engine"
	"seen/internal/hash"
	"seen/internal/native"
	"seen/internal/replace"
	"seen/internal/words"
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

// Save writes the filter to a file, atomically and durably: to a temporary file beside it, which is synced and renamed, and
// the directory synced. After an error the old file is there as it was. Pipes and devices are written in place. What
// goroutines add to a concurrent filter meanwhile may be in the file, whole or in parts.
//
// Saves to one path may run at once: each has a temporary file of its own, .NAME.XXXXXXXX.seen-tmp, NAME being cut where that would
// be longer than a name can be. Through a symbolic link the file is saved that it leads to, which need not be there yet. A program that is killed
// while it saves leaves it behind, and no later save removes it, since it could be another program's at work.
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
		return 0, hash.ErrZero // no file could hold it: there is none without bits
	}
	h := f.header()
	for _, o := range options {
		o.saving(h)
	}
	if h.Secret != nil { // asked for
		if h.Secret = slices.Clone(f.secret); h.Secret == nil {
			return 0, fmt.Errorf("%v has no secret to store", f.Hash())
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
	opened, err := open(bytes.NewReader(data), uint64(len(data)), opening{secret: f.secret, format: FormatNative})
	if err != nil {
		return err
	}
	same, ok := opened.(interface{ loaded() *set[T, E] })
	if !ok {
		return fmt.Errorf("the bytes are of a %v, not of a %s", opened.Info().Kind, engine.Name(E(&f.engine).Kind()))
	}
	*f = *same.loaded()
	E(&f.engine).Share(shared)
	return nil
}

func (f *set[T, E]) loaded() *set[T, E] { return f }
