//go:build !unix

package seen

import (
	"os"

	"seen/internal/native"
)

// mapWords reads and verifies the file, where the system has no mmap that the standard library knows.
func mapWords(file *os.File, h *native.Header) (mapping, error) { return readInstead(file, h) }
