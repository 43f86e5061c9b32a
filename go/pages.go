package seen

import "github.com/seenfilter/seen/go/internal/pages"

// HugePageBytes is how much of the filter lies in huge pages at the moment, as Linux says it; elsewhere that is not known. What a mapping
// of memory has is not said to the page, and a filter on the heap shares one with other objects: of such a one it is the most that it can
// have. Of a filter below 1 MiB it is 0.
func (f *kept[T, E]) HugePageBytes() (bytes uint64, known bool) {
	known = true
	for _, words := range f.made().Memory() {
		more, says := pages.HugeBytes(words)
		bytes, known = bytes+more, known && says
	}
	return bytes, known
}

// HugePageBytes is how much of the filter lies in huge pages at the moment, as Linux says it; elsewhere that is not known. A mapped file
// is a mapping of memory by itself, so it is exact there.
func (f *View) HugePageBytes() (bytes uint64, known bool) {
	f.must()
	return pages.HugeBytes(f.body)
}
