package bloom

import (
	"strings"
	"testing"
)

func TestNoOperationOnAKeyAllocates(t *testing.T) {
	long := strings.Repeat("a text that fits no buffer on a stack ", 10)
	for _, f := range everyFormat(t) {
		x := uint64(0)
		for name, work := range map[string]func(){
			"Add":         func() { x++; key := key16(x); f.Add(key[:]) },
			"Test":        func() { x++; key := key16(x); f.Test(key[:]) },
			"TestAndAdd":  func() { x++; key := key16(x); f.TestAndAdd(key[:]) },
			"TestOrAdd":   func() { x++; key := key16(x); f.TestOrAdd(key[:]) },
			"AddString":   func() { f.AddString(long) },
			"TestString":  func() { f.TestString(long) },
			"TestOrAddS.": func() { f.TestOrAddString(long); f.TestAndAddString(long) },
		} {
			if n := testing.AllocsPerRun(1000, work); n != 0 {
				t.Errorf("%s of a %s filter allocates %v times", name, f.Format(), n)
			}
		}
	}
}
