package seen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// View is a filter that can only be asked: its kind cannot be added to here, or it is mapped from its file. Any number of
// goroutines may ask it.
type View struct {
	lookup[reader, *reader]
	header *native.Header
	body   []uint64
	file   io.ReaderAt // of a mapped file; nil where the filter has been verified already
	close  func() error
	once   sync.Once
}

// reader is an engine whose kind is known only when its file is opened.
type reader struct{ engine.Reader }

// Info describes the filter.
func (f *View) Info() Info {
	f.must()
	info := infoOf(f.header)
	if f.header.Unsealed {
		info.Census = f.engine.Census()
	}
	return info
}

// Verify checks the pages of a mapped file against their checksums, and its census, as they are now. It reads the whole
// file. A filter that was loaded has been verified. Verify returns [ErrUnsealed] for a file that was never sealed, or that
// another process is writing to in place at this moment.
func (f *View) Verify() error {
	if f.isZero() {
		return hash.ErrZero
	}
	h := f.header
	if f.file != nil {
		// A writer takes the seal away and puts another one there.
		var err error
		if h, err = native.ReadHeader(f.file, f.header.FileBytes(), true); err != nil {
			return err
		}
		if !h.DescribesTheSameAs(f.header) {
			return fmt.Errorf("it was rewritten as another filter while it was mapped: %w", ErrCorrupt)
		}
	}
	if h.Unsealed {
		return fmt.Errorf("no checksum covers the bits: %w", ErrUnsealed)
	}
	if f.file == nil {
		return nil
	}
	if err := h.CheckPages(f.file, f.body); err != nil {
		return err
	}
	return engine.Verify(h, f.engine.Reader)
}

// WriteTo writes the filter as a native file. Of a mapped file it writes what is there now, after a check.
func (f *View) WriteTo(w io.Writer) (int64, error) {
	if f.isZero() {
		return 0, hash.ErrZero
	}
	if f.engine.Reader == (closed{}) {
		return 0, errClosed
	}
	h, body := *f.header, f.body
	h.Segments, h.Secret = slices.Clone(h.Segments), nil
	if f.file != nil || h.Unsealed {
		// Nobody has checked it, and it may be changing.
		body = slices.Clone(body)
		e, err := engine.Open(&h, body)
		if err != nil {
			return 0, err
		}
		h.Census, h.Unsealed = e.Census(), false
		if err := engine.Verify(&h, e); err != nil {
			return 0, err
		}
	}
	return h.WriteTo(w, body)
}

// MarshalBinary is the bytes of a native file.
func (f *View) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	_, err := f.WriteTo(&b)
	return b.Bytes(), err
}

// UnmarshalBinary makes this the filter, of any kind, of a native file's bytes, of which it has a copy. One of a hash of its user's own
// takes the function of this filter ([WithOwnHash]). After an error, and if this filter maps a file, it is as it was.
func (f *View) UnmarshalBinary(data []byte) error {
	return f.become(bytes.NewReader(data), uint64(len(data)))
}

// become makes this the filter of a native file.
func (f *View) become(r io.ReaderAt, size uint64) error {
	if f.close != nil {
		return fault.New(ErrInvalidArgument, "this filter maps a file; unmarshal into another one")
	}
	opened, err := openNative(r, size, opening{own: f.hasher.Own()})
	if err == nil {
		f.lookup, f.header, f.body = opened.lookup, opened.header, opened.body
	}
	return err
}

// Close lets a mapped file go. Nobody may be asking the filter, and it must not be asked afterwards. It does nothing to a
// filter that was loaded.
func (f *View) Close() error {
	if f.isZero() {
		return hash.ErrZero
	}
	if f.close == nil {
		return nil
	}
	err := errClosed
	f.once.Do(func() {
		f.engine.Reader, f.body = closed{}, nil
		f.file = closed{}
		err = f.close()
	})
	return err
}

var errClosed = errors.New("seen: the view is closed")

// closed stands in for a file that is no longer mapped: a panic that says so instead of a fault.
type closed struct{}

func (closed) MayContain(uint64) bool { panic(errClosed) }
func (closed) Census() uint64         { panic(errClosed) }
func (closed) ReadAt([]byte, int64) (int, error) {
	return 0, errClosed
}
