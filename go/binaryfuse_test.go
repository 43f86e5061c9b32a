package seen_test

// The filter that is built of all its keys.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seenfilter/seen/go"
)

func integers(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func TestABinaryFuseHoldsAllItsKeysAtAnyNumber(t *testing.T) {
	numbers := []uint64{1000, 4999, 9960, 9961, 100_000}
	for n := range uint64(150) {
		numbers = append(numbers, n)
	}
	for _, n := range numbers {
		for _, options := range [][]seen.Option{nil, {seen.WithArity(4)}, {seen.WithFingerprintBits(16), seen.WithShards(4)}} {
			f, err := seen.BuildBinaryFuse(integers(n), 0.004, options...)
			if err != nil {
				t.Fatalf("%d keys: %v", n, err)
			}
			for i := range n {
				if !f.MayContainUint64(i) {
					t.Fatalf("key %d of %d is not there", i, n)
				}
			}
			if f.Size() != n || f.EstimatedCount() != float64(n) || !f.Health().Healthy() || f.Target().Capacity != n {
				t.Errorf("%d keys: %v", n, f)
			}
			if n == 0 && (f.MayContainString("") || f.EstimatedFPR() != 0) {
				t.Error("a filter of nothing says maybe")
			}
		}
	}
}

func TestABinaryFusesRateIsThatOfItsFingerprints(t *testing.T) {
	const asked = 3_000_000
	for bits, most := range map[int]float64{8: 1.0 / 256, 16: 1.0 / 65536} {
		f, err := seen.BuildBinaryFuse(integers(20_000), 0, seen.WithFingerprintBits(bits))
		if err != nil {
			t.Fatal(err)
		}
		yes := 0.0
		for i := range uint64(asked) {
			if f.MayContainUint64(1<<40 + i) {
				yes++
			}
		}
		mean := asked * most
		if math.Abs(yes-mean) > 6*math.Sqrt(mean) || f.Target().FPR != most { // once in 10^9
			t.Errorf("%d bits: %v of %d absent keys, where %v were expected", bits, yes, asked, mean)
		}
	}
}

func TestABinaryFuseOfTheSameKeysIsTheSameFilter(t *testing.T) {
	texts := make([]string, 5000)
	for i := range texts {
		texts[i] = fmt.Sprint("key-", i)
	}
	want, err := seen.BuildBinaryFuse(slices.Values(texts), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	many := append(slices.Clone(texts), texts[:777]...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(many), func(i, j int) { many[i], many[j] = many[j], many[i] })
	got, err := seen.BuildBinaryFuse(slices.Values(many), 0.01)
	if err != nil || !got.Equal(want) || !bytes.Equal(marshalled(t, got), marshalled(t, want)) {
		t.Errorf("another order makes another filter: %v", err)
	}
	// A sequence may show every key in the same memory.
	reused := func(yield func([]byte) bool) {
		var key []byte
		for _, text := range many {
			if key = append(key[:0], text...); !yield(key) {
				return
			}
		}
	}
	if got, err = seen.BuildBinaryFuse(iter.Seq[[]byte](reused), 0.01); err != nil || !got.Equal(want) {
		t.Errorf("bytes make another filter than texts: %v", err)
	}
	other, err := seen.BuildBinaryFuse(slices.Values(texts[1:]), 0.01)
	if err != nil || other.Equal(want) || want.Equal(nil) || !want.Clone().Equal(want) {
		t.Error("filters of other keys are equal")
	}
}

func TestWhatABinaryFuseCannotBe(t *testing.T) {
	for _, bad := range []float64{0, 1, -1, math.NaN(), 1e-10} {
		if _, err := seen.BuildBinaryFuse(integers(3), bad); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("a rate of %v: %v", bad, err)
		}
	}
	for _, bad := range [][]seen.Option{{seen.WithArity(2)}, {seen.WithArity(5)}, {seen.WithShards(3)}, {seen.WithShards(1 << 25)}, {seen.WithFingerprintBits(9)},
		{seen.WithProbes(8)}, {seen.WithGrowth(2, 0)}, {seen.WithHash(seen.SipHash13)}, {seen.WithHash(99)}} {
		if _, err := seen.BuildBinaryFuse(integers(3), 0.01, bad...); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	// Digests that agree in their highest bits are no hashes: all keys begin in a few slots.
	same := seen.WithOwnHash(0x8001, func(key []byte, _ uint64) uint64 { return binary.LittleEndian.Uint64(key) })
	if _, err := seen.BuildBinaryFuse(integers(100_000), 0.01, same); !errors.Is(err, seen.ErrInvalidArgument) {
		t.Errorf("digests that are numbers: %v", err)
	}
}

func TestALookupInABinaryFuseAllocatesNothing(t *testing.T) {
	f, err := seen.BuildBinaryFuse(integers(1000), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	key := [20]byte{1}
	if n := testing.AllocsPerRun(100, func() { f.MayContain(key[:]); f.MayContainString("a text"); f.MayContainUint64(3) }); n != 0 {
		t.Errorf("it allocates %v times", n)
	}
}
