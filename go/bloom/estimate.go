package bloom

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/interop"
)

// EstimateParameters returns the bits and probes for n keys at the false-positive rate p: m = ceil(−n·ln p/(ln 2)²) and
// k = ceil(m/n·ln 2), as the original rounds them.
func EstimateParameters(n uint, p float64) (m uint, k uint) {
	bits, probes := interop.RoundedUp(uint64(n), p)
	return uint(min(bits, math.MaxUint)), uint(min(probes, math.MaxUint))
}

// EstimateFalsePositiveRate measures the rate of a filter of m bits and k probes that holds n keys, by trial: it fills one, and asks
// for 100,000 keys that are not in it.
func EstimateFalsePositiveRate(m, k, n uint) (fpRate float64) {
	const rounds = 100_000
	f := New(m, k)
	var key [4]byte
	for i := range uint32(n) {
		binary.BigEndian.PutUint32(key[:], i)
		f.Add(key[:])
	}
	positives := 0
	for i := range uint32(rounds) {
		binary.BigEndian.PutUint32(key[:], i+uint32(n)+1)
		if f.Test(key[:]) {
			positives++
		}
	}
	return float64(positives) / rounds
}

// ApproximatedSize estimates how many keys were added from how many bits are set: −m/k·ln(1 − x/m), rounded [Swamidass & Baldi
// 2007]. A filter whose bits are all set gives the largest uint32.
func (f *BloomFilter) ApproximatedSize() uint32 {
	b := f.s.live()
	m := float64(b.Mod.M)
	size := math.Floor(-1*m/float64(b.K)*math.Log(1-float64(b.ones())/m) + 0.5)
	if !(size < math.MaxUint32) {
		return math.MaxUint32
	}
	return uint32(size)
}

// Fill returns the share of bits that are set, from 0 to 1. A filter as full as planned has about a half.
func (f *BloomFilter) Fill() float64 {
	b := f.s.live()
	return float64(b.ones()) / float64(b.Mod.M)
}

func (b *body) ones() (count uint64) {
	for i := range b.Words {
		count += uint64(bits.OnesCount64(atomic.LoadUint64(&b.Words[i])))
	}
	return count
}

// Locations returns the k positions of a key before the remainder by a filter's m is taken, for TestLocations of any filter.
func Locations(data []byte, k uint) []uint64 {
	var rule interop.Rule
	a, b, x, y := rule.Base(data)
	locations := make([]uint64, k)
	for i := range locations {
		locations[i] = interop.Location(a, b, x, y, uint64(i))
	}
	return locations
}

// TestLocations tells whether all locations, as Locations gave them, are set. A filter that was opened from a file of another
// format finds its keys elsewhere: it answers true, which says nothing.
func (f *BloomFilter) TestLocations(locs []uint64) bool {
	b := f.s.live()
	if b.rule.Kind != interop.FourWords {
		return true
	}
	for _, l := range locs {
		at := b.Mod.Of(l)
		if atomic.LoadUint64(&b.Words[at/64])>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}
