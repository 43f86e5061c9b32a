// Package replace puts a file in the place of another in one step: a temporary file beside it is written, synced and renamed, and the
// folder synced. Readers have the old one or the new one, whole; after a power cut the one or the other is there, and after an error the
// old one as it was.
//
// Temporary files have random names, so that any number of programs can replace one file at once without locks, which the
// standard library does not have on every system. The price is that one which is killed leaves its temporary file for good.
package replace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"unicode/utf8"
)

const (
	longestName = 255 // bytes, of nearly every file system
	mostLinks   = 40  // as many as Linux follows
)

var errLinks = errors.New("too many levels of symbolic links")

// File writes a file in the place of another. Pipes and devices are written where they are. Links stay: the file at the end of the chain is
// replaced, or made where there is none.
func File(path string, write func(io.Writer) error) error {
	old, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !old.Mode().IsRegular() {
		return writeInPlace(path, write)
	}
	isThere := err == nil
	if path, err = endOfLinks(path); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if isThere {
		mode = old.Mode().Perm()
	}
	temporary, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	if err = fill(temporary, path, mode, isThere, write); err != nil {
		_ = os.Remove(temporary.Name())
		return asked(err, temporary.Name(), path)
	}
	return syncFolder(folderOf(path))
}

// fill writes the temporary file and puts it in its place.
func fill(temporary *os.File, path string, mode os.FileMode, isThere bool, write func(io.Writer) error) error {
	err := write(temporary)
	if err == nil && isThere { // what the umask took
		err = temporary.Chmod(mode)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	return err
}

// asked is an error of the temporary file as one of the file that was asked for, whose name the caller knows.
func asked(err error, temporary, path string) error {
	if of, is := err.(*os.PathError); is && of.Path == temporary {
		return &os.PathError{Op: of.Op, Path: path, Err: of.Err}
	}
	if of, is := err.(*os.LinkError); is {
		return &os.PathError{Op: of.Op, Path: path, Err: of.Err}
	}
	return err
}

// folderOf is a path without its last part, and nothing else is taken for redundant: what is before a ".." may be a link.
func folderOf(path string) string {
	if folder, _ := filepath.Split(path); folder != "" {
		return folder
	}
	return "."
}

// endOfLinks is where a chain of symbolic links ends, whether or not there is a file.
func endOfLinks(path string) (string, error) {
	at := path
	for range mostLinks + 1 {
		named, err := os.Readlink(at)
		if err != nil { // it is not a link, or there is nothing
			return at, nil
		}
		if !filepath.IsAbs(named) {
			folder, _ := filepath.Split(at)
			named = folder + named
		}
		at = named
	}
	return "", &os.PathError{Op: "readlink", Path: path, Err: errLinks}
}

// createBeside makes a new file in the folder of path, with a name that nobody else has.
func createBeside(path string, mode os.FileMode) (*os.File, error) {
	folder, name := filepath.Split(path)
	for {
		mark := fmt.Sprintf(".%08x.seen-tmp", rand.Uint32())
		hidden := folder + "." + cut(name, longestName-1-len(mark)) + mark
		file, err := os.OpenFile(hidden, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !os.IsExist(err) {
			return file, asked(err, hidden, path)
		}
	}
}

// cut is the beginning of a name, in at most so many bytes and whole characters.
func cut(name string, room int) string {
	if len(name) <= room {
		return name
	}
	for room > 0 && !utf8.RuneStart(name[room]) {
		room--
	}
	return name[:room]
}

func writeInPlace(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
