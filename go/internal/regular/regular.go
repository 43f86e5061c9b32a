// Package regular opens files of which the size is known before they are read. A device may have no end, a pipe no writer, and
// a folder no bytes: none of them holds a filter.
package regular

import (
	"errors"
	"io"
	"os"

	"github.com/seenfilter/seen/go/internal/memory"
)

var errOther = errors.New("it is not a regular file")

// Open opens a regular file for reading and says how many bytes it has.
func Open(path string) (*os.File, uint64, error) {
	// Asked by name first: opening a pipe would wait for somebody to write to it.
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &os.PathError{Op: "open", Path: path, Err: errOther}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	// Another file may have the name by now; from here on it is this one.
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: errOther}
	}
	if err != nil {
		_ = file.Close()
		return nil, 0, err
	}
	return file, uint64(info.Size()), nil
}

// Read reads a regular file of the size that it has when it is opened, and no more.
func Read(path string) ([]byte, error) {
	file, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := memory.Check(size); err != nil { // a file may have a size and no blocks
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return data, nil
}
