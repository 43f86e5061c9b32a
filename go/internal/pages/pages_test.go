package pages

import (
	"strings"
	"testing"
)

const maps = `10000000-10400000 rw-p 00000000 00:00 0 
Size:               4096 kB
AnonHugePages:      2048 kB
20000000-20800000 r--s 00000000 08:01 42 /some/file with spaces and a-dash
FilePmdMapped:      6144 kB
Shared_Hugetlb:     2048 kB
VmFlags: rd
`

func TestFiguresCountForTheMappingsThatAFilterIsIn(t *testing.T) {
	for _, each := range []struct{ first, mib, want uint64 }{
		{0x10000000, 4, 2},
		{0x10200000, 4, 2}, // half of it: it may be that half
		{0x10000000, 1, 1}, // no more than it has
		{0x20000000, 8, 8}, // two figures
		{0x10000000, 264, 10},
		{0x30000000, 8, 0},
	} {
		if got := sum(strings.NewReader(maps), each.first, each.mib<<20); got != each.want<<20 {
			t.Errorf("%x, %d MiB: %d bytes", each.first, each.mib, got)
		}
	}
}
