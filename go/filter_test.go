package seen_test

// The contract of every kind that can be made here, written once and tested of all of them.

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

var target = seen.Target{Capacity: 10_000, FPR: 0.01}

// writable is what the kinds that can be made have in common.
type writable interface {
	seen.Filter
	Add(key []byte)
	AddString(key string)
	AddUint64(key uint64)
	AddInt64(key int64)
	AddMany(keys [][]byte)
	AddStrings(keys []string)
	AddUint64s(keys []uint64)
	TestAndAdd(key []byte) bool
	TestAndAddString(key string) bool
	TestAndAddUint64(key uint64) bool
	TestAndAddInt64(key int64) bool
	TestOrAdd(key []byte) bool
	TestOrAddString(key string) bool
	TestOrAddUint64(key uint64) bool
	TestOrAddInt64(key int64) bool
	Clear()
	Bits() uint64
	Fill() float64
	EstimatedCount() float64
	EstimatedFPR() float64
	Saturated() bool
	Health() seen.Health
	Hash() seen.Hash
	Seed() uint64
	Target() seen.Target
	Metadata() []byte
	SetMetadata(metadata []byte) error
	Save(path string, options ...seen.SaveOption) error
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(data []byte) error
	MayContainStrings(keys []string, answers []bool) int
	MayContainUint64s(keys []uint64, answers []bool) int
}

// sequences are what kinds take besides batches.
type sequences interface {
	AddSeq(keys iter.Seq[[]byte])
	AddStringSeq(keys iter.Seq[string])
	AddUint64Seq(keys iter.Seq[uint64])
}

// sequencesThatFail are the same of kinds that may have no room.
type sequencesThatFail interface {
	AddSeq(keys iter.Seq[[]byte]) (int, error)
	AddStringSeq(keys iter.Seq[string]) (int, error)
	AddUint64Seq(keys iter.Seq[uint64]) (int, error)
}

// kind is how a kind is made, and what is done to two of them.
type kind struct {
	name      string
	make      func(seen.Target, ...seen.Option) (writable, error)
	merge     func(a, b writable) error
	intersect func(a, b writable) error
	equal     func(a, b writable) bool
	zero      func() writable
	none      func() writable // nil
}

// combinable is what a kind does with another filter of its own type.
type combinable[T any] interface {
	writable
	Merge(T) error
	Equal(T) bool
}

func kindOf[T combinable[T]](name string, make func(seen.Target, ...seen.Option) (T, error), zero func() T) kind {
	return kind{
		name: name,
		make: func(t seen.Target, o ...seen.Option) (writable, error) {
			f, err := make(t, o...)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
		merge:     func(a, b writable) error { return a.(T).Merge(b.(T)) },
		intersect: intersecting[T](zero()),
		equal:     func(a, b writable) bool { return a.(T).Equal(b.(T)) },
		zero:      func() writable { return zero() },
		none:      func() writable { var none T; return none },
	}
}

// intersecting is nil for a kind that has no Intersect.
func intersecting[T any](f any) func(a, b writable) error {
	if _, can := f.(interface{ Intersect(T) error }); !can {
		return nil
	}
	return func(a, b writable) error { return a.(interface{ Intersect(T) error }).Intersect(b.(T)) }
}

// combines are the ways to combine two filters of the kind.
func (k kind) combines() []func(a, b writable) error {
	if k.intersect == nil {
		return []func(a, b writable) error{k.merge}
	}
	return []func(a, b writable) error{k.merge, k.intersect}
}

var kinds = []kind{
	kindOf("Bloom", seen.NewBloom, func() *seen.Bloom { return new(seen.Bloom) }),
	kindOf("ConcurrentBloom", seen.NewConcurrentBloom, func() *seen.ConcurrentBloom { return new(seen.ConcurrentBloom) }),
	kindOf("BlockedBloom", seen.NewBlockedBloom, func() *seen.BlockedBloom { return new(seen.BlockedBloom) }),
	kindOf("ConcurrentBlockedBloom", seen.NewConcurrentBlockedBloom, func() *seen.ConcurrentBlockedBloom { return new(seen.ConcurrentBlockedBloom) }),
	kindOf("SplitBlock", seen.NewSplitBlock, func() *seen.SplitBlock { return new(seen.SplitBlock) }),
	kindOf("CountingBloom", seen.NewCountingBloom, func() *seen.CountingBloom { return new(seen.CountingBloom) }),
	kindOf("BlockedCountingBloom", seen.NewBlockedCountingBloom, func() *seen.BlockedCountingBloom { return new(seen.BlockedCountingBloom) }),
}

func eachKind(t *testing.T, do func(t *testing.T, k kind)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { do(t, k) })
	}
}

func (k kind) new(t testing.TB, options ...seen.Option) writable {
	t.Helper()
	f, err := k.make(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAnEmptyFilterSaysNo(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		if f.MayContainString("") || f.MayContainString("a") || f.MayContainUint64(0) {
			t.Error("an empty filter says maybe")
		}
		if f.Fill() != 0 || f.EstimatedCount() != 0 || f.EstimatedFPR() != 0 || f.Saturated() {
			t.Errorf("an empty filter has fill %v, %v keys, rate %v", f.Fill(), f.EstimatedCount(), f.EstimatedFPR())
		}
	})
}

func TestWhatWasAddedIsFoundInWhateverWay(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		f.Add([]byte("bytes"))
		f.Add(nil)
		f.AddString("text")
		f.AddUint64(math.MaxUint64)
		f.AddInt64(-2)
		f.AddMany([][]byte{[]byte("many"), []byte("more")})
		f.AddStrings([]string{"string"})
		f.AddUint64s([]uint64{42})
		for _, each := range []struct {
			what string
			got  bool
		}{
			{"bytes as text", f.MayContainString("bytes")},
			{"the empty key", f.MayContainString("") && f.MayContain([]byte{})},
			{"text as bytes", f.MayContain([]byte("text"))},
			{"an integer as a signed one", f.MayContainInt64(-1)},
			{"a signed integer", f.MayContainUint64(math.MaxUint64 - 1)},
			{"an integer as bytes", f.MayContain([]byte{42, 0, 0, 0, 0, 0, 0, 0})},
			{"keys of a batch", f.MayContainString("many") && f.MayContainString("more") && f.MayContainString("string")},
		} {
			if !each.got {
				t.Errorf("%s is not found", each.what)
			}
		}
	})
}

func TestBatchesAnswerAsSingleKeysDo(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		var texts []string
		var keys [][]byte
		var numbers []uint64
		for i := range 1000 { // more than a tile, and no multiple of it
			texts = append(texts, fmt.Sprint("key-", i))
			keys = append(keys, []byte(texts[i]))
			numbers = append(numbers, uint64(i))
			if i%3 == 0 {
				f.AddString(texts[i])
				f.AddUint64(numbers[i])
			}
		}
		a, b, c := make([]bool, 1000), make([]bool, 1000), make([]bool, 1001)
		yes := []int{f.MayContainMany(keys, a), f.MayContainStrings(texts, b), f.MayContainUint64s(numbers, c)}
		counted := []int{0, 0, 0}
		for i := range keys {
			if a[i] != f.MayContain(keys[i]) || b[i] != a[i] || c[i] != f.MayContainUint64(numbers[i]) {
				t.Fatalf("key %d: the batches say %t, %t, %t", i, a[i], b[i], c[i])
			}
			for j, answer := range []bool{a[i], b[i], c[i]} {
				if answer {
					counted[j]++
				}
			}
		}
		for j := range yes {
			if yes[j] != counted[j] {
				t.Errorf("%d answers of maybe are said to be %d", counted[j], yes[j])
			}
		}
	})
}

func TestTestAndAddSaysWhatWasThereBefore(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		if f.TestAndAddString("a") || !f.TestAndAddString("a") || !f.TestAndAdd([]byte("a")) || !f.TestOrAdd([]byte("a")) {
			t.Error("text is told wrongly")
		}
		if f.TestAndAddUint64(7) || !f.TestAndAddInt64(7) || !f.MayContainUint64(7) {
			t.Error("an integer is told wrongly")
		}
		if f.TestOrAdd([]byte("b")) || !f.TestOrAddString("b") || !f.MayContainString("b") {
			t.Error("TestOrAdd is told wrongly")
		}
		if f.TestOrAddUint64(1<<64-1) || !f.TestOrAddInt64(-1) || f.TestOrAddInt64(-2) || !f.MayContainInt64(-2) {
			t.Error("TestOrAdd is told wrongly")
		}
	})
}

func TestTheRateIsTheOneAskedFor(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t, seen.WithSeed(1))
		for i := range target.Capacity {
			f.AddUint64(i)
		}
		const asked = 200_000
		yes := 0
		for i := range uint64(asked) {
			if f.MayContainUint64(target.Capacity + i) {
				yes++
			}
		}
		// The planned rate is within 2 % of the one asked for; six standard deviations of a binomial on top are exceeded once
		// in 10^9 seeds.
		mean := asked * target.FPR * 1.02
		if limit := mean + 6*math.Sqrt(mean); float64(yes) > limit {
			t.Errorf("%d of %d absent keys are said to be there; %.0f are the most", yes, asked, limit)
		}
		if e := f.EstimatedFPR(); math.Abs(e-target.FPR) > 0.2*target.FPR {
			t.Errorf("the estimated rate is %v", e)
		}
		if n := f.EstimatedCount(); math.Abs(n-10_000) > 300 {
			t.Errorf("the estimated count is %v", n)
		}
		if f.Saturated() {
			t.Error("a filter at capacity is saturated")
		}
		for i := range 4 * target.Capacity {
			f.AddUint64(i)
		}
		if !f.Saturated() {
			t.Error("a filter with four times its keys is not saturated")
		}
	})
}

func TestAFilterAtItsCapacityIsHealthyAndAtTwiceItIsNot(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		capacity := f.Target().Capacity
		if h := f.Health(); !h.Healthy() || h.EstimatedCount != 0 {
			t.Errorf("fresh: %+v", h)
		}
		for i := range capacity {
			f.AddUint64(i)
		}
		h := f.Health()
		if !h.Healthy() || h.EstimatedCount != f.EstimatedCount() || h.EstimatedFPR != f.EstimatedFPR() || h.Fill != f.Fill() {
			t.Errorf("at capacity: %+v", h)
		}
		if most := float64(capacity); h.MostKeys < most || h.MostKeys > 1.1*most || h.MostFPR != f.Target().FPR {
			t.Errorf("bounds: %+v", h)
		}
		for i := range capacity {
			f.AddUint64(capacity + i)
		}
		if h := f.Health(); h.Healthy() || !h.PastCapacity || !h.AboveFPR {
			t.Errorf("at twice the capacity: %+v", h)
		}
	})
}

// Six standard deviations are passed once in 10^9 filters.
func TestNoFilterAtItsCapacityAlarmsByChance(t *testing.T) {
	digest := uint64(1)
	for _, capacity := range []uint64{1, 3, 20, 500} {
		for _, fpr := range []float64{0.9, 0.1, 0.01, 1e-6} {
			for range 50 {
				f, err := seen.NewBloom(seen.Target{Capacity: capacity, FPR: fpr})
				if err != nil {
					t.Fatal(err)
				}
				for range capacity {
					digest *= 0xd1342543de82ef95
					f.AddUint64(digest)
				}
				if h := f.Health(); !h.Healthy() {
					t.Fatalf("%d at %v: %+v", capacity, fpr, h)
				}
			}
		}
	}
}

func TestWithoutACapacityOnlySaturationIsFound(t *testing.T) {
	shaped, err := seen.NewBloomShape(seen.BloomShape{Bits: 1000, Probes: 7})
	foreign, err2 := seen.NewForeignShape(seen.FormatPortable, seen.BloomShape{Bits: 1000, Probes: 7})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, f := range []interface {
		AddUint64(uint64)
		Health() seen.Health
	}{shaped, foreign} {
		for i := range uint64(100) {
			f.AddUint64(i)
		}
		if h := f.Health(); !h.Healthy() || !math.IsInf(h.MostKeys, 1) || h.MostFPR != 1 {
			t.Errorf("%+v", h)
		}
		for i := range uint64(1000) {
			f.AddUint64(i)
		}
		if h := f.Health(); !h.Saturated || h.PastCapacity || h.AboveFPR {
			t.Errorf("%+v", h)
		}
	}
}

func TestMergeHoldsTheKeysOfBoth(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		a, b, both := k.new(t), k.new(t), k.new(t)
		for i := range uint64(500) {
			a.AddUint64(i)
			b.AddUint64(1000 + i)
			both.AddUint64(i)
			both.AddUint64(1000 + i)
		}
		if k.equal(a, b) {
			t.Error("filters of different keys are equal")
		}
		if err := k.merge(a, b); err != nil {
			t.Fatal(err)
		}
		if !k.equal(a, both) {
			t.Error("the merged filter is not the filter of both")
		}
	})
}

func TestIntersectKeepsTheCommonKeys(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		if k.intersect == nil {
			t.Skip("counters are not intersected")
		}
		a, b := k.new(t), k.new(t)
		for i := range uint64(500) {
			a.AddUint64(i)
			b.AddUint64(i + 250)
		}
		if err := k.intersect(a, b); err != nil {
			t.Fatal(err)
		}
		lost, kept := 0, 0
		for i := range uint64(250) {
			if !a.MayContainUint64(i + 250) {
				lost++
			}
			if a.MayContainUint64(i) {
				kept++
			}
		}
		if lost != 0 || kept > 25 {
			t.Errorf("%d common keys are lost, %d others kept", lost, kept)
		}
	})
}

func TestFiltersThatDifferAreNotCombined(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		a := k.new(t)
		a.AddString("a")
		other, err := k.make(seen.Target{Capacity: 20_000, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		secret := seen.Secret{1}
		keyed, rekeyed := k.new(t, seen.WithSecret(secret)), k.new(t, seen.WithSecret(seen.Secret{2}))
		for _, each := range []struct {
			what string
			a, b writable
		}{
			{"here", a, other},
			{"seeds differ: 0 here, 5 there", a, k.new(t, seen.WithSeed(5))},
			{"hashes differ", a, k.new(t, seen.WithHash(seen.Murmur3))},
			{"secrets differ", keyed, rekeyed},
		} {
			before, _ := each.a.MarshalBinary()
			for _, combine := range k.combines() {
				err := combine(each.a, each.b)
				if !errors.Is(err, seen.ErrIncompatible) || !strings.Contains(err.Error(), each.what) {
					t.Errorf("%q is not the error: %v", each.what, err)
				}
			}
			if after, _ := each.a.MarshalBinary(); !bytes.Equal(before, after) {
				t.Errorf("%s: a refused merge changed the filter", each.what)
			}
			if k.equal(each.a, each.b) {
				t.Errorf("%s: they are equal", each.what)
			}
		}
	})
}

func TestClearForgetsAllKeys(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		f.AddString("a")
		f.Clear()
		if f.MayContainString("a") || !k.equal(f, k.new(t)) {
			t.Error("a cleared filter is not empty")
		}
	})
}

func TestNothingOnTheWayOfAKeyAllocates(t *testing.T) {
	for _, h := range []seen.Hash{seen.XXH3Fold, seen.XXH3, seen.XXH64, seen.Murmur3, seen.FNV1aSplitMix, seen.SipHash13} {
		eachKind(t, func(t *testing.T, k kind) {
			options := []seen.Option{seen.WithHash(h)}
			if h == seen.SipHash13 {
				options = append(options, seen.WithSecret(seen.Secret{}))
			}
			f := k.new(t, options...)
			key, i := [16]byte{1, 2, 3}, uint64(0)
			keys, texts, numbers, answers := [][]byte{key[:]}, []string{"a text"}, []uint64{3}, []bool{false}
			for what, do := range map[string]func(){
				"Add":              func() { f.Add(key[:]) },
				"AddString":        func() { f.AddString("a text that is longer than a register") },
				"AddUint64":        func() { f.AddUint64(i) },
				"TestAndAdd":       func() { f.TestAndAdd(key[:]) },
				"MayContain":       func() { f.MayContain(key[:]) },
				"MayContainString": func() { f.MayContainString("a text that is longer than a register") },
				"MayContainInt64":  func() { f.MayContainInt64(-3) },
				"AddUint64s":       func() { f.AddUint64s(numbers) },
				"MayContainMany":   func() { f.MayContainMany(keys, answers) },
				"of texts":         func() { f.MayContainStrings(texts, answers) },
				"of integers":      func() { f.MayContainUint64s(numbers, answers) },
			} {
				if n := testing.AllocsPerRun(100, func() { do(); i++ }); n != 0 {
					t.Errorf("%v: %s allocates %v times", h, what, n)
				}
			}
		})
	}
}

// A caller's buffer stays on its stack: no key escapes.
func TestNoKeyEscapes(t *testing.T) {
	bloom, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := seen.NewForeign(seen.FormatBitsAndBlooms, target)
	if err != nil {
		t.Fatal(err)
	}
	i := byte(0)
	for what, do := range map[string]func(){
		"Bloom":   func() { key := [16]byte{i}; bloom.Add(key[:]); bloom.MayContain(key[:]) },
		"Foreign": func() { key := [16]byte{i}; foreign.Add(key[:]); foreign.MayContain(key[:]); foreign.AddUint64(7) },
	} {
		if n := testing.AllocsPerRun(100, func() { do(); i++ }); n != 0 {
			t.Errorf("%s: a key escapes: %v allocations", what, n)
		}
	}
}

func TestImpossibleTargetsAndOptionsAreRefused(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		for _, bad := range []seen.Target{
			{}, {Capacity: 1}, {FPR: 0.5}, {Capacity: 1, FPR: 1}, {Capacity: 1, FPR: -1}, {Capacity: 1, FPR: math.NaN()},
			{Capacity: math.MaxUint64, FPR: 0.01}, {Capacity: 1 << 60, FPR: 0.99}, {Capacity: 1 << 50, FPR: 1e-15},
		} {
			if _, err := k.make(bad); err == nil {
				t.Errorf("%+v is a target", bad)
			}
		}
		for what, bad := range map[string][]seen.Option{
			"a secret for a hash without":  {seen.WithHash(seen.XXH3), seen.WithSecret(seen.Secret{})},
			"a keyed hash without secret":  {seen.WithHash(seen.SipHash24)},
			"a seed for a hash without":    {seen.WithHash(seen.FNV1a), seen.WithSeed(1)},
			"a hash that is not there":     {seen.WithHash(99)},
			"a variant of a native filter": {seen.WithVariant("json")},
			"probes that no kind has":      {seen.WithProbes(5)},
		} {
			if _, err := k.make(target, bad...); err == nil {
				t.Errorf("%s is accepted", what)
			}
		}
	})
	for _, bad := range []seen.BloomShape{{}, {Bits: 1}, {Probes: 1}, {Bits: 1<<40 + 1, Probes: 1}, {Bits: 1, Probes: 31}} {
		if _, err := seen.NewBloomShape(bad); err == nil {
			t.Errorf("%+v is a shape", bad)
		}
	}
	for _, bad := range []seen.BlockedBloomShape{{}, {Blocks: 1}, {Blocks: 1, Probes: 5}, {Blocks: 1<<31 + 1, Probes: 8}} {
		if _, err := seen.NewBlockedBloomShape(bad); err == nil {
			t.Errorf("%+v is a shape", bad)
		}
	}
	if _, err := seen.NewSplitBlockShape(seen.SplitBlockShape{}); err == nil {
		t.Error("no blocks are a shape")
	}
}

func TestAFilterTellsTheShapeThatWasPlanned(t *testing.T) {
	bloom, err1 := seen.NewBloom(target)
	concurrent, err2 := seen.NewConcurrentBloom(target)
	blocked, err3 := seen.NewBlockedBloom(target)
	concurrentBlocked, err4 := seen.NewConcurrentBlockedBloom(target)
	split, err5 := seen.NewSplitBlock(target)
	stated := seen.BloomShape{Bits: 1000, Probes: 40} // more probes than a native filter has
	foreign, err6 := seen.NewForeignShape(seen.FormatBitsAndBlooms, stated)
	plan, err7 := seen.PlanBloom(target)
	blockedPlan, err8 := seen.PlanBlockedBloom(target)
	splitPlan, err9 := seen.PlanSplitBlock(target)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, err9); err != nil {
		t.Fatal(err)
	}
	for _, each := range []struct{ got, want any }{
		{bloom.Shape(), plan}, {concurrent.Shape(), plan},
		{blocked.Shape(), blockedPlan}, {concurrentBlocked.Shape(), blockedPlan},
		{split.Shape(), splitPlan}, {foreign.Shape(), stated},
	} {
		if each.got != each.want {
			t.Errorf("%+v instead of %+v", each.got, each.want)
		}
	}
}

func TestACloneIsAnotherFilter(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	c := f.Clone()
	if !c.Equal(f) {
		t.Error("a clone differs")
	}
	c.AddString("b")
	if f.MayContainString("b") || !c.MayContainString("a") {
		t.Error("a clone shares its bits")
	}
}

func TestWhatLiesInHugePagesIsNoMoreThanTheFilter(t *testing.T) {
	small, err1 := seen.NewCuckoo(target)
	large, err2 := seen.NewBloomShape(seen.BloomShape{Bits: 1 << 28, Probes: 3})
	path := filepath.Join(t.TempDir(), "f")
	if err := errors.Join(err1, err2, large.Save(path)); err != nil {
		t.Fatal(err)
	}
	view, err := seen.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	_, err = os.Stat("/proc/self/smaps")
	if bytes, known := small.HugePageBytes(); bytes != 0 || !known {
		t.Errorf("%d bytes of a small filter, known: %t", bytes, known)
	}
	for _, f := range []interface{ HugePageBytes() (uint64, bool) }{large, view} {
		if bytes, known := f.HugePageBytes(); bytes > 1<<25 || known != (err == nil) {
			t.Errorf("%T: %d bytes, known: %t", f, bytes, known)
		}
	}
}
