package seen_test

// Filters that grow with their keys.

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/seenfilter/seen/go"
)

// growing is what the two kinds have in common.
type growing[F any] interface {
	seen.Filter
	seen.Mergeable[F]
	sequencesThatFail
	Add(key []byte) error
	AddString(key string) error
	AddUint64(key uint64) error
	AddInt64(key int64) error
	AddMany(keys [][]byte) (int, error)
	AddStrings(keys []string) (int, error)
	AddUint64s(keys []uint64) (int, error)
	TestAndAdd(key []byte) (bool, error)
	TestAndAddString(key string) (bool, error)
	TestAndAddUint64(key uint64) (bool, error)
	TestAndAddInt64(key int64) (bool, error)
	Links() int
	Shape() seen.ScalableShape
	Clear()
	Clone() F
	EstimatedCount() float64
	EstimatedFPR() float64
	Saturated() bool
	Health() seen.Health
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

func TestScalableFilters(t *testing.T) {
	t.Run("ScalableBloom", func(t *testing.T) { testGrowing(t, seen.NewScalableBloom, seen.NewScalableBloomShape) })
	t.Run("ScalableClassicBloom", func(t *testing.T) { testGrowing(t, seen.NewScalableClassicBloom, seen.NewScalableClassicBloomShape) })
}

func testGrowing[F growing[F]](t *testing.T, make func(seen.Target, ...seen.Option) (F, error), shaped func(seen.ScalableShape, ...seen.Option) (F, error)) {
	first := seen.Target{Capacity: 100, FPR: 0.01}
	f, err := make(first)
	if err != nil {
		t.Fatal(err)
	}
	empty := f.Clone()
	if f.Links() != 1 || f.MayContainString("") || f.EstimatedFPR() != 0 || f.Shape() != (seen.ScalableShape{FirstCapacity: 100, FPR: 0.01, Growth: 2, Tightening: 0.5}) {
		t.Errorf("%v with %d links", f, f.Links())
	}

	// As many keys as come are found, and the rate is that of the whole.
	const keys = 20_000
	links, counted := 1, 0.0
	for i := range uint64(keys) {
		there, err := f.TestAndAddUint64(i)
		if err != nil {
			t.Fatal(err)
		}
		if !there {
			counted++
		}
		if f.EstimatedCount() != counted || counted <= 100 && f.Links() != 1 {
			t.Fatalf("key %d: %v keys in %d links, where %v were absent", i, f.EstimatedCount(), f.Links(), counted)
		}
		links = max(links, f.Links())
	}
	if links != f.Links() || links < 8 {
		t.Errorf("%d links", f.Links())
	}
	for i := range uint64(keys) {
		if !f.MayContainUint64(i) {
			t.Fatalf("key %d is lost", i)
		}
	}
	const asked = 200_000
	yes := 0.0
	for i := range uint64(asked) {
		if f.MayContainUint64(1<<40 + i) {
			yes++
		}
	}
	if rate := f.EstimatedFPR(); rate > 0.0105 || math.Abs(yes-asked*rate) > 6*math.Sqrt(asked*rate)+0.02*asked*rate { // of the samples it takes
		t.Errorf("%v of %d absent keys, where the estimate is %v", yes, asked, rate)
	}
	if f.Saturated() || !f.Health().Healthy() || f.Health().MostFPR != 0.01 || !math.IsInf(f.Health().MostKeys, 1) {
		t.Errorf("%+v", f.Health())
	}

	// Duplicates take no room.
	before := marshalled(t, f)
	for i := range uint64(keys) {
		if there, err := f.TestAndAddInt64(int64(i)); !there || err != nil {
			t.Fatal(i, err)
		}
	}
	if !bytes.Equal(before, marshalled(t, f)) {
		t.Error("keys that are there changed it")
	}

	// What was saved goes on as what was not.
	again, err := make(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.UnmarshalBinary(before); err != nil || !again.Equal(f) || again.Links() != f.Links() {
		t.Fatal("another came back", err)
	}
	for i := range uint64(30_000) {
		if err := errors.Join(f.AddUint64(1<<20+i), again.AddUint64(1<<20+i)); err != nil {
			t.Fatal(err)
		}
	}
	if !again.Equal(f) || !bytes.Equal(marshalled(t, again), marshalled(t, f)) || f.Links() == links {
		t.Error("what was saved grows otherwise")
	}

	// Merged, they hold the keys of both, the links of both and the rate of both.
	other, err := make(seen.Target{Capacity: 77, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := other.AddStrings([]string{"a", "b", "a"}); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	both, err := f.United(other)
	if err != nil || !both.MayContainString("a") || !both.MayContainUint64(1) || f.MayContainString("a") || both.Links() != f.Links()+1 || !both.Saturated() {
		t.Errorf("%v, %v", both, err)
	}
	if both.EstimatedCount() != f.EstimatedCount()+2 {
		t.Errorf("%v keys and 2 are %v", f.EstimatedCount(), both.EstimatedCount())
	}
	if err := other.AddString("c"); err != nil || both.MayContainString("c") {
		t.Error("a merged filter shares its links")
	}
	links = both.Links()
	if err := both.Merge(both); err != nil || both.Links() != links {
		t.Error("it was merged with itself")
	}
	if err := both.Merge(empty); err != nil || both.Links() != links {
		t.Error("links without keys were taken over")
	}
	seeded, err := make(first, seen.WithSeed(3))
	if err != nil || !errors.Is(both.Merge(seeded), seen.ErrIncompatible) {
		t.Error("another seed is merged")
	}
	if err := seeded.AddString("x"); err != nil {
		t.Fatal(err)
	}
	for err = nil; err == nil; {
		err = seeded.Merge(seeded.Clone())
	}
	if !errors.Is(err, seen.ErrIncompatible) || seeded.Links() != 128 {
		t.Errorf("%d links: %v", seeded.Links(), err)
	}

	f.Clear()
	if !f.Equal(empty) || f.MayContainUint64(1) {
		t.Error("a cleared filter is not empty")
	}

	// A chain ends where there can be no next link; nothing has changed then.
	end, err := shaped(seen.ScalableShape{FirstCapacity: 1, FPR: 0.5, Growth: 1.000001, Tightening: 0.999})
	if err != nil {
		t.Fatal(err)
	}
	i := uint64(0)
	for ; err == nil && i < 1_000_000; i++ {
		err = end.AddUint64(i)
	}
	before = marshalled(t, end)
	if again := end.AddUint64(i); !errors.Is(err, seen.ErrTooLarge) || !errors.Is(again, seen.ErrTooLarge) || end.Links() != 255 || !bytes.Equal(before, marshalled(t, end)) {
		t.Errorf("%d links: %v", end.Links(), err)
	}
	strict, err := shaped(seen.ScalableShape{FirstCapacity: 10, FPR: 1e-4, Growth: 2, Tightening: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	for i := uint64(0); err == nil && i < 1000; i++ {
		err = strict.AddUint64(i)
	}
	if !errors.Is(err, seen.ErrTooLarge) {
		t.Errorf("%d links: %v", strict.Links(), err)
	}

	for _, bad := range []seen.ScalableShape{{}, {FirstCapacity: 1}, {FirstCapacity: 1, FPR: 0.1}, {FirstCapacity: 1, FPR: 0.1, Growth: 1, Tightening: 0.5},
		{FirstCapacity: 1, FPR: 0.1, Growth: 65537, Tightening: 0.5}, {FirstCapacity: 1, FPR: 0.1, Growth: 2, Tightening: 1}, {FPR: 0.1, Growth: 2, Tightening: 0.5},
		{FirstCapacity: 1, FPR: 0.1, Growth: math.NaN(), Tightening: 0.5}, {FirstCapacity: 1, FPR: math.NaN(), Growth: 2, Tightening: 0.5}} {
		if _, err := shaped(bad); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	for _, bad := range [][]seen.Option{{seen.WithGrowth(1, 0)}, {seen.WithGrowth(0, 2)}, {seen.WithProbes(8)}, {seen.WithCounterBits(4)}} {
		if _, err := make(first, bad...); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%v: %v", bad, err)
		}
	}

	key := [20]byte{1}
	if err := empty.Add(key[:]); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func(){
		"Add":        func() { _ = empty.Add(key[:]) },
		"TestAndAdd": func() { _, _ = empty.TestAndAdd(key[:]) },
		"MayContain": func() { empty.MayContain(key[:]) },
	} {
		if n := testing.AllocsPerRun(100, do); n != 0 {
			t.Errorf("%s allocates %v times", what, n)
		}
	}
}
