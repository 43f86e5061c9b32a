package seen_test

// Filters that nobody made: zero values, what another filter took the bits of, and nil pointers. They fail, loudly and all
// alike.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/zero"
)

// Every exported type is a filter, which is walked here, or data, whose zero value means something.
var (
	filterTypes = []any{
		new(seen.Bloom), new(seen.BlockedBloom), new(seen.SplitBlock), new(seen.ConcurrentBloom), new(seen.ConcurrentBlockedBloom),
		new(seen.CountingBloom), new(seen.BlockedCountingBloom), new(seen.Cuckoo), new(seen.ScalableBloom), new(seen.ScalableClassicBloom),
		new(seen.BinaryFuse), new(seen.View), new(seen.Foreign),
	}
	dataTypes = []string{
		"BloomShape", "BlockedBloomShape", "SplitBlockShape", "CountingBloomShape", "BlockedCountingBloomShape", "CuckooShape",
		"ScalableShape", "BinaryFuseShape", "Key", "Target", "Kind", "Hash", "Secret", "Field", "Info", "Filter", "Mergeable", "Format",
		"Option", "OpenOption", "SaveOption", "HashOption", "SecretOption", "Health",
	}
)

func TestEveryExportedTypeIsAFilterThatIsWalkedOrData(t *testing.T) {
	there, err := zero.Types(".")
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(dataTypes)
	for _, f := range filterTypes {
		want = append(want, fmt.Sprintf("%T", f)[len("*seen."):])
	}
	slices.Sort(want)
	if !slices.Equal(there, want) {
		t.Errorf("there are %v; this test knows %v", there, want)
	}
}

func TestEveryMethodOfAZeroFilterFailsLoudly(t *testing.T) {
	for _, f := range filterTypes {
		for _, complaint := range zero.Complaints(f, t.TempDir(), hash.ErrZero) {
			t.Error(complaint)
		}
		if text := fmt.Sprint(f); text != "no filter" {
			t.Errorf("%T is printed as %q", f, text)
		}
	}
	if !new(seen.Bloom).Equal(new(seen.Bloom)) {
		t.Error("two filters of nothing differ")
	}
}

func TestEveryMethodOfANilFilterFailsLoudly(t *testing.T) {
	for _, f := range filterTypes {
		none := reflect.Zero(reflect.TypeOf(f)).Interface()
		for _, complaint := range zero.Complaints(none, t.TempDir(), hash.ErrZero) {
			t.Error(complaint)
		}
	}
}

func TestWhatAFilterWasMadeIntoLeavesAZeroValueBehind(t *testing.T) {
	bloom, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	blocked, err := seen.NewBlockedBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	bloom.AddString("x")
	shared, sharedBlocks := bloom.IntoConcurrent(), blocked.IntoConcurrent()
	plain := shared.IntoPlain()
	sharedBlocks.IntoPlain()
	if !plain.MayContainString("x") {
		t.Error("the key is lost")
	}
	for _, f := range []any{bloom, blocked, shared, sharedBlocks} {
		for _, complaint := range zero.Complaints(f, t.TempDir(), hash.ErrZero) {
			t.Error(complaint)
		}
	}
	if err := bloom.Merge(new(seen.Bloom)); !errors.Is(err, hash.ErrZero) || !errors.Is(err, seen.ErrIncompatible) {
		t.Error(err)
	}
}
