package seen_test

// Several goroutines at once. Run with -race: it must be silent.

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seenfilter/seen/go"
)

const (
	goroutines = 8
	keysOfEach = 20_000
)

var concurrentKinds = []kind{kinds[1], kinds[3]}

// together runs goroutines at once, and waits for all of them.
func together(do func(worker uint64)) {
	var all sync.WaitGroup
	for worker := range uint64(goroutines) {
		all.Add(1)
		go func() {
			defer all.Done()
			do(worker)
		}()
	}
	all.Wait()
}

func eachConcurrentKind(t *testing.T, do func(t *testing.T, k kind)) {
	for _, k := range concurrentKinds {
		t.Run(k.name, func(t *testing.T) { do(t, k) })
	}
}

func TestNoAddIsLostAmongGoroutines(t *testing.T) {
	eachConcurrentKind(t, func(t *testing.T, k kind) {
		f, alone := k.new(t), k.new(t)
		together(func(worker uint64) {
			for i := range uint64(keysOfEach) {
				f.AddUint64(worker*keysOfEach + i)
				if !f.MayContainUint64(worker*keysOfEach + i) {
					t.Errorf("worker %d does not find its key %d", worker, i)
					return
				}
			}
		})
		for i := range uint64(goroutines * keysOfEach) {
			alone.AddUint64(i)
		}
		if !k.equal(f, alone) {
			t.Error("the filter is not the one that a single goroutine makes")
		}
	})
}

func TestOneOfRacingGoroutinesIsToldThatAKeyIsNew(t *testing.T) {
	eachConcurrentKind(t, func(t *testing.T, k kind) {
		f, err := k.make(seen.Target{Capacity: 100_000, FPR: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		const races = 2000
		var news [races]atomic.Int32
		together(func(uint64) {
			for i := range uint64(races) {
				if !f.TestAndAddUint64(i) {
					news[i].Add(1)
				}
			}
		})
		// A key that the others make a false positive is told to be present to everybody: at most 1 in 100,000.
		nobody := 0
		for i := range news {
			if news[i].Load() == 0 {
				nobody++
			}
		}
		if nobody > 1 {
			t.Errorf("%d of %d keys were new to nobody", nobody, races)
		}
	})
}

func TestGoroutinesSaveMergeAndCountBesideAdders(t *testing.T) {
	eachConcurrentKind(t, func(t *testing.T, k kind) {
		f, other := k.new(t), k.new(t)
		for i := range uint64(100) {
			f.AddUint64(i)
			other.AddUint64(1 << 40)
		}
		together(func(worker uint64) {
			for i := range uint64(keysOfEach / 100) {
				switch worker {
				case 0:
					data, err := f.MarshalBinary()
					if err != nil {
						t.Error(err)
						return
					}
					g, err := seen.Read(data)
					if err != nil {
						t.Errorf("a file that was written beside adders: %v", err)
						return
					}
					for j := range uint64(100) {
						if !g.MayContainUint64(j) {
							t.Errorf("key %d, added before, is not in the file", j)
							return
						}
					}
				case 1:
					if err := k.merge(f, other); err != nil {
						t.Error(err)
						return
					}
				case 2:
					if f.Fill() <= 0 || f.EstimatedCount() <= 0 || f.EstimatedFPR() < 0 {
						t.Error("the estimates are not numbers of keys")
						return
					}
				default:
					f.AddUint64(worker*keysOfEach + i)
				}
			}
		})
		for worker := uint64(3); worker < goroutines; worker++ {
			for i := range uint64(keysOfEach / 100) {
				if !f.MayContainUint64(worker*keysOfEach + i) {
					t.Fatalf("key %d of worker %d is lost", i, worker)
				}
			}
		}
		if !f.MayContainUint64(1 << 40) {
			t.Error("the merged key is lost")
		}
	})
}

func TestAPlainFilterBecomesOneForGoroutinesAndBack(t *testing.T) {
	plain, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	plain.AddString("a")
	shared := plain.Clone().IntoConcurrent()
	together(func(worker uint64) { shared.AddUint64(worker) })
	snapshot := shared.Snapshot()
	shared.AddString("later")
	if snapshot.MayContainString("later") || !snapshot.MayContainString("a") || !snapshot.MayContainUint64(7) {
		t.Error("the snapshot is not the filter as it was")
	}
	if back := shared.IntoPlain(); !back.MayContainString("later") {
		t.Error("the plain filter lost a key")
	}
	var zero seen.ConcurrentBloom
	data, _ := plain.MarshalBinary()
	if err := zero.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	together(func(worker uint64) { zero.AddUint64(worker) }) // under -race: it is a concurrent one
}

func TestManyGoroutinesAskAPlainFilterAndAView(t *testing.T) {
	f, err := seen.NewBlockedBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	path := t.TempDir() + "/f.seen"
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	view, err := seen.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	together(func(uint64) {
		for range 1000 {
			if !f.MayContainString("a") || !view.MayContainString("a") {
				t.Error("a key is not found")
				return
			}
		}
	})
}
