package bloom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/seenfilter/seen/go"
)

// Some descriptions of bits-and-blooms/bloom say that a file is m and k, little-endian, and then the bits. It never was. Such a file
// is refused, by name and without, so that no key of it is denied.
func TestAFileLaidOutAsSomeDescriptionsSayIsRefused(t *testing.T) {
	for _, n := range []uint{1, 7, 137, 1000, 5000} {
		for _, p := range []float64{0.3, 0.01, 1e-6} {
			for _, keys := range []int{1, int(n)/2 + 1, 3 * int(n)} {
				f := filled(NewWithEstimates(n, p), 0, keys)
				words := binary.LittleEndian.AppendUint64(nil, uint64(f.Cap()))
				words = binary.LittleEndian.AppendUint64(words, uint64(f.K()))
				for _, word := range f.BitSet().Words() {
					words = binary.LittleEndian.AppendUint64(words, word)
				}
				bare := words[:16+(f.Cap()+7)/8]
				for name, data := range map[string][]byte{"words": words, "bytes": bare, "a version and bytes": append([]byte{1}, bare...)} {
					what := fmt.Sprintf("%d bits, %d probes, %d keys, %s", f.Cap(), f.K(), keys, name)
					for _, format := range []string{"", "bits-and-blooms"} {
						if _, err := ReadWith(data, LoadOptions{Format: format}); err == nil {
							t.Errorf("%s: read as %q", what, format)
						}
					}
					g := New(1, 1)
					if _, err := g.ReadFrom(bytes.NewReader(data)); err == nil {
						t.Errorf("%s: ReadFrom", what)
					}
					if g.UnmarshalBinary(data) == nil || g.GobDecode(data) == nil {
						t.Errorf("%s: UnmarshalBinary or GobDecode", what)
					}
					if _, err := seen.Read(data); err == nil {
						t.Errorf("%s: seen.Read", what)
					}
				}
			}
		}
	}
}
