package bloom

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
)

const goroutines = 8

// together runs work in eight goroutines at once.
func together(work func(me int)) {
	var all sync.WaitGroup
	for me := range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			work(me)
		}()
	}
	all.Wait()
}

func key16(x uint64) (key [16]byte) {
	binary.LittleEndian.PutUint64(key[:], x)
	binary.LittleEndian.PutUint64(key[8:], x*0x9e3779b97f4a7c15)
	return key
}

// everyFormat is a filter of each format, for 20,000 keys.
func everyFormat(t *testing.T) (all []*BloomFilter) {
	for _, format := range []string{"bits-and-blooms", "native", "phrozen", "portable"} {
		f, err := Make(MakeOptions{Format: format, Capacity: 20_000, FPR: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

func TestConcurrentAddsEndInTheBytesOfAddsOneByOne(t *testing.T) {
	alone := everyFormat(t)
	for i, f := range everyFormat(t) {
		together(func(me int) {
			for x := range uint64(2000) {
				// Half of the keys are added by every goroutine, so that they meet in the same words.
				key := key16(x*goroutines + uint64(me)*(x%2))
				f.Add(key[:])
				if !f.Test(key[:]) {
					t.Error("a goroutine does not see its own add")
				}
			}
		})
		for me := range uint64(goroutines) {
			for x := range uint64(2000) {
				key := key16(x*goroutines + me*(x%2))
				alone[i].Add(key[:])
			}
		}
		if !f.Equal(alone[i]) {
			t.Errorf("%s: other bits than one by one", f.Format())
		}
	}
}

func TestOfRacersForANewKeyAtLeastOneIsTold(t *testing.T) {
	f := New(1<<20, 5)
	var first [500]atomic.Int32
	together(func(int) {
		for x := range first {
			if !f.TestAndAddString(fmt.Sprint("key-", x)) {
				first[x].Add(1)
			}
		}
	})
	for x := range first {
		if first[x].Load() == 0 {
			t.Errorf("nobody was first to add key %d", x)
		}
	}
}

func TestEveryMethodRunsBesideEveryOther(t *testing.T) {
	f := New(4096, 5)
	other := filled(New(4096, 5), 0, 20)
	longer := FromWithM(make([]uint64, 100), 4096, 5)
	data, _ := other.MarshalBinary()
	text, _ := other.MarshalJSON()
	together(func(me int) {
		for i := range 200 {
			f.AddString(fmt.Sprint(me, i))
			f.TestOrAddString("x")
			f.TestString("y")
			switch (me + i) % 8 {
			case 0:
				f.ClearAll()
			case 1:
				_ = f.Merge(other)
				_ = other.Merge(f)
				_ = f.Merge(f)
			case 2:
				_, _ = f.ReadFrom(bytes.NewReader(data))
			case 3:
				_ = f.UnmarshalJSON(text)
			case 4:
				_, _ = f.WriteTo(io.Discard)
				_, _ = f.MarshalJSON()
			case 5:
				_, _ = f.United(other)
				_, _ = f.Intersected(other)
				_ = f.Equal(other)
			case 6:
				_ = f.Merge(longer)
			case 7:
				f.Copy().ApproximatedSize()
				f.BitSet().Set(1)
				_, _ = f.Fill(), f.Cap()+f.K()
				_, _ = f.ToBytes()
			}
		}
	})
}

func TestNativeFiltersAreWrittenBySeveralAtOnce(t *testing.T) {
	f, _ := Make(MakeOptions{Format: "native", Capacity: 1000, FPR: 0.01})
	together(func(me int) {
		for i := range 20 {
			filled(f, 100*me+5*i, 100*me+5*i+5)
			data, err := f.ToBytes()
			if err != nil {
				t.Error(err)
			}
			if g, err := Read(data); err != nil || !has(g, 100*me, 100*me+5*i+5) {
				t.Errorf("a file without what was added before it was written: %v", err)
			}
		}
	})
}

// Whoever looks meanwhile has the old filter or the new one, whole.
func TestReplacingAFilterIsOneStep(t *testing.T) {
	odd, even := New(1<<16, 30), New(1<<16, 30)
	odd.AddString("odd")
	even.AddString("even")
	data := [2][]byte{}
	data[0], _ = even.MarshalBinary()
	data[1], _ = odd.MarshalBinary()
	f := odd.Copy()
	var stop atomic.Bool
	var writer sync.WaitGroup
	writer.Add(1)
	go func() {
		defer writer.Done()
		for i := 0; !stop.Load(); i++ {
			if err := f.UnmarshalBinary(data[i%2]); err != nil {
				t.Error(err)
			}
		}
	}()
	for range 3000 {
		set := f.BitSet()
		if !set.Equal(odd.BitSet()) && !set.Equal(even.BitSet()) {
			t.Fatal("a filter that never was")
		}
	}
	stop.Store(true)
	writer.Wait()
}
