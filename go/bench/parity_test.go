package bench

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
	peer "github.com/bits-and-blooms/bloom/v3"

	"github.com/seenfilter/seen/go/bloom"
	phrozenbloom "github.com/seenfilter/seen/go/phrozen/bloom"
)

// Both libraries do the same things, and must answer and write the same.

// pair is a filter of each.
type pair struct {
	theirs *peer.BloomFilter
	ours   *bloom.BloomFilter
}

func randomKey(random *rand.Rand) []byte {
	key := make([]byte, random.IntN(70))
	for i := range key {
		key[i] = byte(random.Uint32())
	}
	return key
}

// randomPair is a filter of some shape, made in one of the ways there are.
func randomPair(random *rand.Rand) pair {
	m, k := uint(random.IntN(3000)), uint(random.IntN(40))
	words := make([]uint64, 1+random.IntN(40))
	for i := range words {
		words[i] = random.Uint64() & random.Uint64() & random.Uint64()
	}
	switch random.IntN(5) {
	case 0:
		return pair{peer.New(m, k), bloom.New(m, k)}
	case 1:
		return pair{peer.From(copied(words), k+1), bloom.From(words, k+1)}
	case 2:
		return pair{peer.FromWithM(copied(words), m+1, k+1), bloom.FromWithM(words, m+1, k+1)}
	case 3:
		n, p := uint(1+random.IntN(500)), 0.001+0.5*random.Float64()
		return pair{peer.NewWithEstimates(n, p), bloom.NewWithEstimates(n, p)}
	}
	return pair{peer.New(0, 0), bloom.New(0, 0)}
}

// copied is for the one of two filters that must not share words with the other.
func copied(words []uint64) []uint64 { return append([]uint64(nil), words...) }

// mustAgree compares all that both can say of themselves.
func (p pair) mustAgree(t *testing.T, what string) {
	t.Helper()
	if p.theirs.Cap() != p.ours.Cap() || p.theirs.K() != p.ours.K() {
		t.Fatalf("%s: m %d, k %d; want %d, %d", what, p.ours.Cap(), p.ours.K(), p.theirs.Cap(), p.theirs.K())
	}
	if !p.theirs.BitSet().Equal(p.ours.BitSet()) {
		t.Fatalf("%s: other bits: %d of %d, want %d of %d", what, p.ours.BitSet().Count(), p.ours.BitSet().Len(), p.theirs.BitSet().Count(), p.theirs.BitSet().Len())
	}
	if p.theirs.BitSet().Count() < p.theirs.Cap() && p.theirs.ApproximatedSize() != p.ours.ApproximatedSize() {
		t.Fatalf("%s: about %d keys, want %d", what, p.ours.ApproximatedSize(), p.theirs.ApproximatedSize())
	}
	for name, encode := range map[string][2]func() ([]byte, error){
		"binary": {p.theirs.MarshalBinary, p.ours.MarshalBinary},
		"JSON":   {p.theirs.MarshalJSON, p.ours.MarshalJSON},
		"gob":    {p.theirs.GobEncode, p.ours.GobEncode},
		"stream": {func() ([]byte, error) { return written(p.theirs) }, func() ([]byte, error) { return written(p.ours) }},
	} {
		want, err1 := encode[0]()
		got, err2 := encode[1]()
		if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s: %s: %v\n got %.100x\nwant %.100x (%v)", what, name, err2, got, want, err1)
		}
	}
}

func written(f io.WriterTo) ([]byte, error) {
	var out bytes.Buffer
	_, err := f.WriteTo(&out)
	return out.Bytes(), err
}

func TestTheSameOperationsGiveTheSameAnswersAndBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for round := range 300 {
		a := randomPair(random)
		a.mustAgree(t, "made")
		for step := range 60 {
			key := randomKey(random)
			var want, got any
			operation := random.IntN(9)
			switch operation {
			case 0, 1:
				want, got = a.theirs.Add(key).Cap(), a.ours.Add(key).Cap()
			case 2:
				want, got = a.theirs.TestString(string(key)), a.ours.TestString(string(key))
			case 3:
				want, got = a.theirs.TestAndAdd(key), a.ours.TestAndAdd(key)
			case 4:
				want, got = a.theirs.TestOrAddString(string(key)), a.ours.TestOrAddString(string(key))
			case 5:
				locations := peer.Locations(key, a.theirs.K())
				want, got = a.theirs.TestLocations(locations), a.ours.TestLocations(locations)
			case 6:
				other := randomPair(random)
				if step%2 == 0 {
					words := copied(other.theirs.BitSet().Words())
					other = pair{peer.FromWithM(copied(words), a.theirs.Cap(), a.theirs.K()), bloom.FromWithM(words, a.ours.Cap(), a.ours.K())}
				}
				want, got = a.theirs.Merge(other.theirs) == nil, a.ours.Merge(other.ours) == nil
			case 7:
				b := pair{a.theirs.Copy(), a.ours.Copy()}
				want, got = a.theirs.Equal(b.theirs), a.ours.Equal(b.ours)
				a = b
			case 8:
				if step%10 == 0 {
					a.theirs.ClearAll()
					a.ours.ClearAll()
				}
			}
			if want != got {
				t.Fatalf("round %d, step %d, operation %d: %v, want %v", round, step, operation, got, want)
			}
		}
		a.mustAgree(t, fmt.Sprint("round ", round))
	}
}

func TestEachReadsWhatTheOtherWrote(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range 200 {
		a := randomPair(random)
		for range 50 {
			key := randomKey(random)
			a.theirs.Add(key)
			a.ours.Add(key)
		}
		data, _ := a.theirs.MarshalBinary()
		text, _ := json.Marshal(a.theirs)
		var gobs bytes.Buffer
		_ = gob.NewEncoder(&gobs).Encode(a.theirs)
		for i, b := range []pair{{new(peer.BloomFilter), new(bloom.BloomFilter)}, {new(peer.BloomFilter), new(bloom.BloomFilter)}, {new(peer.BloomFilter), new(bloom.BloomFilter)}} {
			var err error
			switch i {
			case 0: // theirs to ours, ours to theirs
				mine, _ := a.ours.MarshalBinary()
				if err = b.ours.UnmarshalBinary(data); err == nil {
					err = b.theirs.UnmarshalBinary(mine)
				}
			case 1:
				mine, _ := json.Marshal(a.ours)
				if err = json.Unmarshal(text, b.ours); err == nil {
					err = json.Unmarshal(mine, b.theirs)
				}
			case 2:
				var mine bytes.Buffer
				_ = gob.NewEncoder(&mine).Encode(a.ours)
				loaded, loading := bloom.ReadWith(gobs.Bytes(), bloom.LoadOptions{Format: "bits-and-blooms"}) // of few keys
				if err = gob.NewDecoder(&gobs).Decode(b.ours); err == nil {
					err = gob.NewDecoder(&mine).Decode(b.theirs)
				}
				if loading != nil || !loaded.Equal(b.ours) {
					t.Fatalf("a gob's file: %v", loading)
				}
			}
			if err != nil {
				t.Fatalf("encoding %d: %v", i, err)
			}
			b.mustAgree(t, fmt.Sprint("encoding ", i))
			if !b.ours.Equal(a.ours) || !b.theirs.Equal(a.theirs) {
				t.Fatalf("encoding %d: another filter", i)
			}
		}
	}
}

func TestTheFunctionsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 20_000 {
		n, p := uint(1+random.Uint64()>>(34+random.IntN(30))), random.Float64()/float64(uint64(1)<<random.IntN(40))
		wantM, wantK := theirs.EstimateParameters(n, p)
		if m, k := ours.EstimateParameters(n, p); p > 0 && (m != wantM || k != wantK) {
			t.Fatalf("%d keys at %v: %d, %d; want %d, %d", n, p, m, k, wantM, wantK)
		}
	}
	for k := range uint(50) {
		key := randomKey(random)
		if want, got := theirs.Locations(key, k), ours.Locations(key, k); fmt.Sprint(want) != fmt.Sprint(got) {
			t.Fatalf("locations %x, want %x", got, want)
		}
	}
	if want, got := theirs.EstimateFalsePositiveRate(10_000, 7, 1000), ours.EstimateFalsePositiveRate(10_000, 7, 1000); want != got {
		t.Errorf("rate %v, want %v", got, want)
	}
}

// The switches of the bit set are the process's: both libraries follow them. The last test, since one cannot be turned back.
func TestTheSwitchesOfTheBitSetAreFollowed(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	bitset.LittleEndian()
	defer bitset.BigEndian()
	for i := range 20 {
		if i == 10 {
			bitset.Base64StdEncoding()
		}
		a := pair{peer.New(2000, 5), bloom.New(2000, 5)}
		for range 200 {
			key := randomKey(random)
			a.theirs.Add(key)
			a.ours.Add(key)
		}
		a.mustAgree(t, "after a switch")
		data, _ := a.theirs.MarshalBinary()
		text, _ := a.theirs.MarshalJSON()
		var streamed, unmarshalled bloom.BloomFilter
		if _, err := streamed.ReadFrom(bytes.NewReader(data)); err != nil || !streamed.Equal(a.ours) {
			t.Fatal(err)
		}
		if err := unmarshalled.UnmarshalJSON(text); err != nil || !unmarshalled.Equal(a.ours) {
			t.Fatal(err)
		}
	}
}

func TestTheStandInIsPhrozensFilter(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	stand := newStandIn(500, 0.01)
	f, err := bloom.Make(bloom.MakeOptions{Format: "phrozen", Capacity: 500, FPR: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	instead := phrozenbloom.NewFilterFromProbability(500, 0.01)
	for range 500 {
		key := randomKey(random)
		stand.Add(key)
		f.Add(key)
		instead.Add(key)
	}
	want, _ := f.ToBytes()
	if got, err := instead.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the drop-in has another file: %v", err)
	}
	words := f.BitSet().Words()
	if uint64(f.Cap()) != stand.m || uint64(f.K()) != stand.k {
		t.Fatalf("m %d, k %d; want %d, %d", stand.m, stand.k, f.Cap(), f.K())
	}
	for i := range words {
		if stand.words[i].Load() != words[i] {
			t.Fatalf("word %d differs", i)
		}
	}
}
