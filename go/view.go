package seen

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/seenfilter/seen/go/internal/engine"
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

// Close lets a mapped file go. Nobody may be asking the filter, and it must not be asked afterwards. It does nothing to a
// filter that was loaded.
func (f *View) Close() error {
	if f.isZero() {
		return hash.ErrZero
	}
	if f.close == nil {
		return nil
	}
	err := errors.New("seen: the view is closed already")
	f.once.Do(func() {
		f.engine.Reader, f.body = closed{}, nil
		f.file = closed{}
		err = f.close()
	})
	return err
}

// closed stands in for a file that is no longer mapped: a panic that says so instead of a fault.
type closed struct{}

func (closed) MayContain(uint64) bool { panic("seen: the view is closed") }
func (closed) Census() uint64         { panic("seen: the view is closed") }
func (closed) ReadAt([]byte, int64) (int, error) {
	return 0, errors.New("seen: the view is closed")
}
