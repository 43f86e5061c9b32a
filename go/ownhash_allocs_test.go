//go:build !race

package seen

import (
	"strings"
	"testing"
)

// The race detector makes a pool forget what it was given.
func TestNoMethodOfAKeyAllocatesForAUsersHash(t *testing.T) {
	f, err := NewConcurrentBloom(Target{Capacity: 1000, FPR: 0.01}, ownHash)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a text that fits no buffer on a stack ", 10)
	for name, work := range map[string]func(){
		"Add":              func() { key := [9]byte{1}; f.Add(key[:]) },
		"MayContain":       func() { key := [9]byte{2}; f.MayContain(key[:]) },
		"AddString":        func() { f.AddString(long) },
		"MayContainString": func() { f.MayContainString("short") },
		"AddUint64":        func() { f.AddUint64(77) },
		"TestAndAdd":       func() { key := [40]byte{3}; f.TestAndAdd(key[:]) },
	} {
		if n := testing.AllocsPerRun(1000, work); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
