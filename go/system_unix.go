//go:build unix && !seen_nommap

// Mapping files, on systems of Unix's kind.

package seen

import (
	"os"
	"syscall"

	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/words"
)

// mapWords maps a file whose header has been read. The mapping stays when the file is closed.
func mapWords(file *os.File, h *native.Header) (mapping, error) {
	size := int(h.FileBytes())
	if uint64(size) != h.FileBytes() {
		return readInstead(file, h)
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return mapping{}, os.NewSyscallError("mmap", err)
	}
	// The file may have changed since its header was read; what counts from here on is what is mapped.
	body, fits := words.View(data[h.BodyOffset() : h.BodyOffset()+h.BodyBytes()])
	if !fits {
		_ = syscall.Munmap(data)
		return readInstead(file, h)
	}
	return mapping{body: body, bytes: data, close: func() error {
		return os.NewSyscallError("munmap", syscall.Munmap(data))
	}}, nil
}
