// Package replace puts a file in the place of another in one step: a temporary file beside it is written, synced and renamed, and the
// folder synced. Readers have the old one or the new one, whole; after a power cut the one or the other is there, and after an error the
// old one as it was.
//
// Temporary files have random names, so that any number of programs can replace one file at once without locks, which the
// standard library does not have on every system. The price is that one which is killed leaves its temporary file for good.
package replace

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File writes a file in the place of another. Pipes and devices are written where they are; a link stays, and its target is replaced.
func File(path string, write func(io.Writer) error) error {
	mode := os.FileMode(0o666)
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	if old, err := os.Stat(path); err == nil {
		if !old.Mode().IsRegular() {
			return writeInPlace(path, write)
		}
		mode = old.Mode().Perm()
	}
	temporary, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	err = write(temporary)
	if err == nil {
		err = temporary.Sync()
	}
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// createBeside makes a new file in the folder of path, with a name that nobody else has.
func createBeside(path string, mode os.FileMode) (*os.File, error) {
	folder, name := filepath.Split(path)
	for {
		file, err := os.OpenFile(fmt.Sprintf("%s.%s.%08x.seen-tmp", folder, name, rand.Uint32()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !os.IsExist(err) {
			return file, err
		}
	}
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
