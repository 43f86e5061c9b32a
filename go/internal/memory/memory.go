// Package memory takes the words of filters. A program in Go ends, beyond recovery, where it asks for more than the system
// gives, so a size beyond that of the machine is refused before.
package memory

import (
	"math"

	"github.com/seenfilter/seen/go/internal/fault"
)

// Check rejects a number of bytes that the machine does not have, if it tells. Memory that others use is not counted.
func Check(bytes uint64) error {
	if bytes > math.MaxInt {
		return fault.New(fault.NoMemory, "%d bytes of memory are needed; a program here can address %d", bytes, math.MaxInt)
	}
	if all, known := total(); known && bytes > all {
		return fault.New(fault.NoMemory, "%d bytes of memory are needed; this machine has %d", bytes, all)
	}
	return nil
}

// Words is a number of words, at most 2^60, all 0.
func Words(n uint64) ([]uint64, error) {
	if err := Check(8 * n); err != nil {
		return nil, err
	}
	return make([]uint64, n), nil
}
