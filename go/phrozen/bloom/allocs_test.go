//go:build !race

package bloom

import "testing"

// The race detector makes a pool forget what it was given.
func TestNoOperationOnAKeyAllocates(t *testing.T) {
	for name, options := range map[string][]Option{"FNV-1a": nil, "a hash with a state": {WithHashFunc(newSum64)}} {
		f, x := NewFilter(100_000, 7, options...), uint64(0)
		for operation, work := range map[string]func(){
			"Add":      func() { x++; key := key16(x); f.Add(key[:]) },
			"Contains": func() { x++; key := key16(x); f.Contains(key[:]) },
		} {
			if n := testing.AllocsPerRun(1000, work); n != 0 {
				t.Errorf("%s by %s allocates %v times", operation, name, n)
			}
		}
	}
}
