//go:build unix

package replace

import "os"

// syncFolder makes a rename in a folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if closing := folder.Close(); err == nil {
		err = closing
	}
	return err
}
