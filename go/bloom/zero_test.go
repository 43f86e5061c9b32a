package bloom

import (
	"slices"
	"testing"

	"github.com/seenfilter/seen/go/internal/zero"
)

func TestEveryMethodOfAZeroOrNilFilterFailsLoudly(t *testing.T) {
	types, err := zero.Types(".")
	if want := []string{"BloomFilter", "LoadOptions", "MakeOptions"}; err != nil || !slices.Equal(types, want) {
		t.Fatalf("there are %v: %v; this test knows %v", types, err, want)
	}
	for _, f := range []*BloomFilter{{}, nil} {
		for _, complaint := range zero.Complaints(f, t.TempDir(), errZero) {
			t.Error(complaint)
		}
	}
	if !new(BloomFilter).Equal(new(BloomFilter)) {
		t.Error("two filters of nothing differ")
	}
}
