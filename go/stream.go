package seen

// Filters from streams: the body of an answer over HTTP, a pipe, a part of something larger.
//
// A native file says at byte 16 how long it is, so just its bytes are read, and what follows in the stream is left there. Nobody has to be
// believed: memory grows with what has come, to half as much again as is there already, and never beyond what the machine has.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/words"
)

// ReadFrom is [Load] of a stream. Of a native file it reads just the bytes, and leaves what follows them. Files of other libraries
// ([WithFormat], or recognised) do not say how long they are: these are read to the end of the stream. [WithMaxBytes] bounds what
// a stranger may send.
func ReadFrom(r io.Reader, options ...OpenOption) (Filter, error) {
	filter, _, err := readFrom(r, openingOf(options))
	return filter, err
}

// ReadFrom makes this the filter of a native file in a stream, as UnmarshalBinary does with bytes, and says how many bytes it read: just
// those of the file. So what WriteTo has written several times is read as many times. After an error this filter is as it was.
func (f *kept[T, E]) ReadFrom(r io.Reader) (int64, error) {
	filter, read, err := readFrom(r, openingOf([]OpenOption{f}))
	return read, f.become(filter, err)
}

// ReadFrom makes this the filter, of any kind, of a native file in a stream, and says how many bytes it read: just those of the file.
func (f *View) ReadFrom(r io.Reader) (int64, error) {
	data, read, err := readFile(r, opening{format: FormatNative})
	if err != nil {
		return read, err
	}
	return read, f.become(whole(data), uint64(len(data)))
}

func readFrom(r io.Reader, o opening) (Filter, int64, error) {
	data, read, err := readFile(r, o)
	if err != nil {
		return nil, read, err
	}
	filter, err := open(whole(data), uint64(len(data)), o)
	return filter, read, err
}

// whole is a file in memory that nobody else has: its body may stay where it is.
type whole []byte

// ReadAt copies, as readers do.
func (w whole) ReadAt(to []byte, offset int64) (int, error) {
	if offset >= int64(len(w)) {
		return 0, io.EOF
	}
	n := copy(to, w[offset:])
	if n < len(to) {
		return n, io.EOF
	}
	return n, nil
}

// Words is the words of a part of the file, where they are.
func (w whole) Words(offset, size uint64) ([]uint64, bool) {
	return words.View(w[offset : offset+size])
}

// identity is how much of a native file says how long it is.
const identity = 24

// readFile reads the bytes of one file. Memory is taken in words, so that a body need not be copied.
func readFile(r io.Reader, o opening) (data []byte, read int64, err error) {
	data, err = more(r, nil, identity)
	read = int64(len(data))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, read, err
	}
	isNative := native.Recognises(data)
	if o.format == FormatNative && !isNative || len(data) < identity && isNative {
		return nil, read, fmt.Errorf("a stream that begins so, or ends so early: %w", ErrNotRecognised)
	}
	if !isNative || o.format != "" && o.format != FormatNative {
		for err == nil {
			if err = o.within(uint64(len(data))); err == nil {
				data, err = more(r, data, 2*uint64(len(data)))
			}
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		return data, int64(len(data)), err
	}
	size := binary.LittleEndian.Uint64(data[16:])
	if err == nil {
		err = errors.Join(o.within(size), memory.Check(size))
	}
	for err == nil && uint64(len(data)) < size {
		data, err = more(r, data, min(size, max(1<<16, uint64(len(data))*3/2)))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the stream ends after %d bytes of a file of %d: %w: %w", len(data), size, io.ErrUnexpectedEOF, ErrCorrupt)
	}
	return data, int64(len(data)), err
}

// more reads until there are so many bytes; io.ErrUnexpectedEOF if the stream ends before.
func more(r io.Reader, data []byte, size uint64) ([]byte, error) {
	have := len(data)
	if size > uint64(cap(data)) {
		if err := memory.Check(size); err != nil {
			return data, err
		}
		data = append(words.Aligned(size)[:0], data...)
	}
	n, err := io.ReadFull(r, data[have:size])
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return data[:have+n], err
}
