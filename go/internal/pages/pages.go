// Package pages says how much of a filter lies in huge pages: fewer of them miss the tables that find memory.
//
//	7f2a40000000-7f2a48000000 rw-p 00000000 00:00 0          /proc/self/smaps of Linux: the mappings of the process,
//	AnonHugePages:    131072 kB                              each with a line per figure
//
// What a mapping has is not said to the page. The heap is a few mappings that all objects share, so of a filter on it this is the most that
// it can have; a mapped file is a mapping of its own.
package pages

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

// hugePage is the bytes of a huge page of x86-64. Of less than half of one nobody asks.
const hugePage = 2 << 20

var figures = []string{"AnonHugePages:", "FilePmdMapped:", "ShmemPmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:"}

// HugeBytes is how many bytes of these words lie in huge pages; not known where the system does not say.
func HugeBytes(words []uint64) (bytes uint64, known bool) {
	size := 8 * uint64(len(words))
	if size < hugePage/2 {
		return 0, true
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, false
	}
	defer maps.Close()
	return sum(maps, uint64(uintptr(unsafe.Pointer(&words[0]))), size), true
}

func sum(maps io.Reader, first, size uint64) uint64 {
	last := first + size
	found, overlap, here := uint64(0), uint64(0), uint64(0)
	lines := bufio.NewScanner(maps)
	lines.Buffer(nil, 1<<20) // a name of a file may be long, and stands in its line behind what is of interest
	for lines.Scan() {
		line := lines.Text()
		if begin, end, is := rangeOf(line); is {
			found += min(overlap, here)
			from, to := max(begin, first), min(end, last)
			overlap, here = max(to, from)-from, 0
			continue
		}
		for _, figure := range figures {
			if number, is := strings.CutPrefix(line, figure); is && overlap != 0 {
				kib, _ := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(number, "kB")), 10, 64)
				here += kib << 10
			}
		}
	}
	return found + min(overlap, here)
}

// rangeOf takes "7f2a40000000-7f2a48000000 rw-p …" apart.
func rangeOf(line string) (begin, end uint64, is bool) {
	addresses, _, _ := strings.Cut(line, " ")
	low, high, is := strings.Cut(addresses, "-")
	begin, err1 := strconv.ParseUint(low, 16, 64)
	end, err2 := strconv.ParseUint(high, 16, 64)
	return begin, end, is && err1 == nil && err2 == nil
}
