package seen_test

// Kinds that keys are removed from, against an exact multiset.

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

// removable is what they have in common.
type removable interface {
	seen.Filter
	Remove(key []byte) bool
	RemoveString(key string) bool
	RemoveUint64(key uint64) bool
	RemoveInt64(key int64) bool
	Count(key []byte) uint64
	CountString(key string) uint64
	CountUint64(key uint64) uint64
	CountInt64(key int64) uint64
	Clear()
	EstimatedCount() float64
	MarshalBinary() ([]byte, error)
}

func removables(t *testing.T, capacity uint64) map[string]removable {
	t.Helper()
	target := seen.Target{Capacity: capacity, FPR: 0.01}
	counting, err1 := seen.NewCountingBloom(target)
	wide, err2 := seen.NewCountingBloom(target, seen.WithCounterBits(16))
	blocked, err3 := seen.NewBlockedCountingBloom(target)
	wideBlocked, err4 := seen.NewBlockedCountingBloom(target, seen.WithCounterBits(8), seen.WithProbes(16))
	cuckoo, err5 := seen.NewCuckoo(target)
	long, err6 := seen.NewCuckoo(target, seen.WithFingerprintBits(17))
	chunks, err7 := seen.NewCuckooShape(seen.CuckooShape{Buckets: max(capacity/2, 64), FingerprintBits: 13, Chunks: 4})
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		t.Fatal(err)
	}
	return map[string]removable{
		"counting": counting, "counting of 16 bits": wide, "blocked counting": blocked, "blocked counting of 8 bits": wideBlocked,
		"cuckoo": cuckoo, "cuckoo of 17 bits": long, "cuckoo in chunks": chunks,
	}
}

// add adds a key, whether or not the kind can be full.
func add(f any, key uint64) error {
	if f, never := f.(interface{ AddUint64(uint64) }); never {
		f.AddUint64(key)
		return nil
	}
	return f.(interface{ AddUint64(uint64) error }).AddUint64(key)
}

func TestRandomAddsAndRemovesAgreeWithAMultiset(t *testing.T) {
	for name, f := range removables(t, 500) {
		random := rand.New(rand.NewPCG(1, 2))
		empty := marshalled(t, f)
		model := map[uint64]uint64{}
		var held []uint64 // with repetitions
		for step := range 20_000 {
			switch {
			case len(held) == 0 || len(held) < 450 && random.IntN(100) < 55:
				key := random.Uint64N(2000)
				if model[key] == 3 {
					continue // of many equal keys a pair of buckets is full
				}
				if err := add(f, key); err != nil {
					t.Fatalf("%s: step %d: %v with %d keys", name, step, err, len(held))
				}
				model[key]++
				held = append(held, key)
			default:
				i := random.IntN(len(held))
				key := held[i]
				if !f.RemoveUint64(key) {
					t.Fatalf("%s: step %d: a key that was added is not removed", name, step)
				}
				model[key]--
				held[i] = held[len(held)-1]
				held = held[:len(held)-1]
			}
			if key := random.Uint64N(2000); f.CountUint64(key) < model[key] || f.MayContainUint64(key) != (f.CountUint64(key) > 0) {
				t.Fatalf("%s: step %d: key %d was added %d times and counts %d", name, step, key, model[key], f.CountUint64(key))
			}
			if step%4000 != 0 {
				continue
			}
			for key, times := range model {
				if count := f.CountUint64(key); count < times {
					t.Fatalf("%s: step %d: key %d was added %d times and counts %d", name, step, key, times, count)
				}
			}
			if c, exact := f.(*seen.Cuckoo); exact && c.Size() != uint64(len(held)) {
				t.Fatalf("%s: %d keys are said to be %d", name, len(held), c.Size())
			}
		}
		for _, key := range held {
			if !f.RemoveUint64(key) {
				t.Fatalf("%s: %d is not removed", name, key)
			}
		}
		if !bytes.Equal(marshalled(t, f), empty) {
			t.Errorf("%s: without its keys it is not an empty filter", name)
		}
	}
}

func TestKeysAreRemovedAndCountedInWhateverWay(t *testing.T) {
	for name, f := range removables(t, 500) {
		for range 2 {
			if err := errors.Join(add(f, 1<<64-1), addText(f, "text"), addBytes(f, []byte("bytes"))); err != nil {
				t.Fatal(err)
			}
		}
		if f.Count([]byte("text")) != 2 || f.CountString("bytes") != 2 || f.CountInt64(-1) != 2 || f.CountUint64(1<<64-1) != 2 || f.CountString("no") != 0 {
			t.Errorf("%s: keys are miscounted", name)
		}
		before := marshalled(t, f)
		if f.RemoveString("no") || f.Remove([]byte("none")) || f.RemoveInt64(-77) || f.RemoveUint64(77) || !bytes.Equal(before, marshalled(t, f)) {
			t.Errorf("%s: what was not added is removed", name)
		}
		if !f.Remove([]byte("text")) || !f.RemoveString("bytes") || !f.RemoveInt64(-1) || !f.MayContainString("text") || f.CountString("bytes") != 1 {
			t.Errorf("%s: one add too many is removed", name)
		}
		if !f.RemoveString("text") || !f.Remove([]byte("bytes")) || !f.RemoveUint64(1<<64-1) || f.MayContainString("text") || f.MayContainInt64(-1) {
			t.Errorf("%s: a key is still there", name)
		}
	}
}

func addText(f any, key string) error {
	if f, never := f.(interface{ AddString(string) }); never {
		f.AddString(key)
		return nil
	}
	return f.(interface{ AddString(string) error }).AddString(key)
}

func addBytes(f any, key []byte) error {
	if f, never := f.(interface{ Add([]byte) }); never {
		f.Add(key)
		return nil
	}
	return f.(interface{ Add([]byte) error }).Add(key)
}

func TestACounterThatIsFullIsStuck(t *testing.T) {
	for width, most := range map[int]uint64{2: 3, 4: 15, 8: 255} {
		f, err := seen.NewCountingBloom(target, seen.WithCounterBits(width))
		if err != nil {
			t.Fatal(err)
		}
		for range most + 5 {
			f.AddString("often")
		}
		if got := f.CountString("often"); got != most {
			t.Errorf("%d bits count to %d", width, got)
		}
		for range 2 * most {
			if !f.RemoveString("often") {
				t.Fatalf("%d bits: a stuck counter is lowered to 0", width)
			}
		}
		other := f.Clone()
		if err := other.Merge(f); err != nil || other.CountString("often") != most {
			t.Errorf("%d bits: a sum is %d, %v", width, other.CountString("often"), err)
		}
	}
}

func TestMergedCountersAreSums(t *testing.T) {
	for _, width := range []int{2, 4, 8, 16} {
		a, err := seen.NewCountingBloomShape(seen.CountingBloomShape{Counters: 101, Probes: 3, CounterBits: uint64(width)})
		if err != nil {
			t.Fatal(err)
		}
		b, both := a.Clone(), a.Clone()
		for i := range uint64(300) {
			a.AddUint64(i % 40)
			both.AddUint64(i % 40)
			if i%3 == 0 {
				b.AddUint64(i)
				both.AddUint64(i)
			}
		}
		sum, err := a.United(b)
		if err != nil || !sum.Equal(both) {
			t.Errorf("%d bits: a union is not the filter of all adds: %v", width, err)
		}
		if err := a.Merge(b); err != nil || !a.Equal(both) {
			t.Errorf("%d bits: a merged filter is not that of all adds: %v", width, err)
		}
	}
	a, err := seen.NewBlockedCountingBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	a.AddString("twice")
	if err := a.Merge(a); err != nil || a.CountString("twice") != 2 {
		t.Errorf("merged with itself it counts %d, %v", a.CountString("twice"), err)
	}
}

func TestCountersTestAndAddCountsAndTestOrAddDoesNot(t *testing.T) {
	f, err := seen.NewCountingBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	if f.TestAndAddString("a") || !f.TestAndAddString("a") || f.CountString("a") != 2 {
		t.Error("TestAndAdd does not count")
	}
	if !f.TestOrAddString("a") || f.TestOrAddString("b") || f.CountString("a") != 2 || f.CountString("b") != 1 {
		t.Error("TestOrAdd counts")
	}
}

func TestACuckooTakesItsCapacityAndSaysWhenItIsFull(t *testing.T) {
	for _, capacity := range []uint64{1, 2, 8, 60, 1000, 40_000} {
		f, err := seen.NewCuckoo(seen.Target{Capacity: capacity, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		for i := range capacity {
			if err := f.AddUint64(i); err != nil {
				t.Fatalf("key %d of %d: %v", i, capacity, err)
			}
		}
		if f.Saturated() || !f.Health().Healthy() || f.Size() != capacity || f.EstimatedCount() != float64(capacity) {
			t.Errorf("%d keys: %+v", capacity, f.Health())
		}
		next := capacity
		for ; ; next++ {
			before, size := marshalled(t, f), f.Size()
			err := f.AddUint64(next)
			if err == nil && next < 100*capacity+1000 {
				continue
			}
			if !errors.Is(err, seen.ErrFull) || !bytes.Equal(before, marshalled(t, f)) || f.Size() != size {
				t.Fatalf("a refused key: %v, or it changed something", err)
			}
			break
		}
		if capacity >= 1000 && (f.Fill() < 0.96 || !f.Saturated() || !f.Health().PastCapacity) {
			t.Errorf("full with %d keys, %v of the slots: %+v", next, f.Fill(), f.Health())
		}
		for i := range next {
			if !f.MayContainUint64(i) {
				t.Fatalf("key %d of %d is lost", i, next)
			}
		}
		again := new(seen.Cuckoo)
		if err := again.UnmarshalBinary(marshalled(t, f)); err != nil || !again.Equal(f) || again.Size() != f.Size() {
			t.Errorf("another came back: %v", err)
		}
		if !again.RemoveUint64(0) || again.AddUint64(0) != nil {
			t.Error("there is no room where a key was")
		}
	}
}

func TestOneKeyFitsACuckooEightTimes(t *testing.T) {
	f, err := seen.NewCuckoo(target)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if err := f.AddString("again"); err != nil || f.CountString("again") != uint64(i+1) {
			t.Fatal(i, err)
		}
	}
	if n, err := f.AddStrings([]string{"other", "again", "more"}); n != 1 || !errors.Is(err, seen.ErrFull) || f.MayContainString("more") {
		t.Errorf("%d of a batch, %v", n, err)
	}
	if there, err := f.TestOrAddString("again"); !there || err != nil {
		t.Error("TestOrAdd adds what is there")
	}
	if there, err := f.TestOrAddUint64(5); there || err != nil || !f.MayContainInt64(5) {
		t.Error("TestOrAdd adds nothing")
	}
	for i := range f.Size() {
		if i < 8 && !f.RemoveString("again") {
			t.Fatal("an add is lost")
		}
	}
	if f.RemoveString("again") || f.Size() != 2 {
		t.Errorf("%d keys are left", f.Size())
	}
}

func TestACuckoosRateIsTheOneAskedFor(t *testing.T) {
	for _, fpr := range []float64{0.03, 0.01, 0.001, 2e-4} {
		f, err := seen.NewCuckoo(seen.Target{Capacity: 100_000, FPR: fpr})
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(100_000) {
			if err := f.AddUint64(i); err != nil {
				t.Fatal(err)
			}
		}
		const asked = 1_000_000
		yes := 0.0
		for i := range uint64(asked) {
			if f.MayContainUint64(1<<40 + i) {
				yes++
			}
		}
		mean := asked * f.EstimatedFPR()
		if spread := 6 * math.Sqrt(mean); math.Abs(yes-mean) > spread || f.EstimatedFPR() > fpr { // once in 10^9
			t.Errorf("%v of %d absent keys, where %v were expected and %v asked for", yes, asked, mean, fpr*asked)
		}
	}
}

func TestACuckoosOptionsAndShapes(t *testing.T) {
	for _, bad := range []seen.CuckooShape{{}, {Buckets: 2}, {Buckets: 2, FingerprintBits: 9}, {FingerprintBits: 8}, {Buckets: 1 << 60, FingerprintBits: 8},
		{Buckets: math.MaxUint64, FingerprintBits: 8}, {Buckets: 32, FingerprintBits: 8, Chunks: 3}, {Buckets: 64, FingerprintBits: 8, Chunks: 1 << 40}} {
		if _, err := seen.NewCuckooShape(bad); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	odd, err := seen.NewCuckooShape(seen.CuckooShape{Buckets: 99_999, FingerprintBits: 12})
	if err != nil || odd.Shape() != (seen.CuckooShape{Buckets: 100_000, FingerprintBits: 12, Chunks: 3}) {
		t.Errorf("%+v, %v", odd.Shape(), err)
	}
	for _, bad := range [][]seen.Option{{seen.WithProbes(4)}, {seen.WithCounterBits(4)}, {seen.WithFingerprintBits(11)}, {seen.WithArity(3)},
		{seen.WithGrowth(2, 0)}, {seen.WithShards(2)}, {seen.WithVariant("json")}} {
		if _, err := seen.NewCuckoo(target, bad...); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := seen.NewBloom(target, seen.WithFingerprintBits(8)); !errors.Is(err, seen.ErrInvalidArgument) {
		t.Error(err)
	}
}

func TestCountersOptionsAndShapes(t *testing.T) {
	for _, bad := range []seen.CountingBloomShape{{}, {Counters: 1, Probes: 1}, {Counters: 1, Probes: 1, CounterBits: 3}, {Probes: 1, CounterBits: 4},
		{Counters: 1, CounterBits: 4}, {Counters: 1, Probes: 31, CounterBits: 4}, {Counters: 1<<38 + 1, Probes: 1, CounterBits: 4}} {
		if _, err := seen.NewCountingBloomShape(bad); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	for _, bad := range []seen.BlockedCountingBloomShape{{}, {Blocks: 1, Probes: 8}, {Blocks: 1, Probes: 8, CounterBits: 2}, {Probes: 8, CounterBits: 4},
		{Blocks: 1, Probes: 3, CounterBits: 4}, {Blocks: 1<<31 + 1, Probes: 8, CounterBits: 4}} {
		if _, err := seen.NewBlockedCountingBloomShape(bad); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	for _, bits := range []int{0, 1, 3, 32} {
		if _, err := seen.NewCountingBloom(target, seen.WithCounterBits(bits)); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("counters of %d bits: %v", bits, err)
		}
	}
	small, err := seen.NewCountingBloom(target, seen.WithCounterBits(2))
	if err != nil {
		t.Fatal(err)
	}
	usual, err := seen.NewCountingBloom(target)
	if err != nil || small.Merge(usual) == nil || !strings.Contains(fmt.Sprint(small.Merge(usual)), "counter-bits differ: 2 here, 4 there") {
		t.Error(small.Merge(usual))
	}
}

func TestNothingOnTheWayOfARemovableKeyAllocates(t *testing.T) {
	for name, f := range removables(t, 10_000) {
		key, i := [16]byte{1, 2, 3}, uint64(0)
		for what, do := range map[string]func(){
			"add":    func() { _ = add(f, i); f.RemoveUint64(i) },
			"Add":    func() { _ = addBytes(f, key[:]); f.Remove(key[:]) },
			"Count":  func() { f.Count(key[:]) },
			"lookup": func() { f.MayContain(key[:]) },
		} {
			if n := testing.AllocsPerRun(100, func() { do(); i++ }); n != 0 {
				t.Errorf("%s: %s allocates %v times", name, what, n)
			}
		}
	}
	crowded, err := seen.NewCuckooShape(seen.CuckooShape{Buckets: 64, FingerprintBits: 8})
	if err != nil {
		t.Fatal(err)
	}
	for i := uint64(0); crowded.AddUint64(i) == nil; i++ {
	}
	if n := testing.AllocsPerRun(10, func() { _ = crowded.AddUint64(7) }); n != 0 {
		t.Errorf("a search for room allocates %v times", n)
	}
}
