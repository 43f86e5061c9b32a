//go:build !unix || seen_nommap

// Systems that do not map files. The tag seen_nommap chooses this anywhere, for tests.

package seen

import (
	"os"

	"github.com/seenfilter/seen/go/internal/native"
)

// mapWords reads and verifies the file, where the system has no mmap that the standard library knows.
func mapWords(file *os.File, h *native.Header) (mapping, error) { return readInstead(file, h) }
