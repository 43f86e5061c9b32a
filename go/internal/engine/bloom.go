package engine

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// chain is the odd number that takes one probe of a key to the next: x, x·chain, x·chain², … modulo 2^64.
const chain = 0xf1357aea2e62a9c5

// Bloom is the classic filter, index rule 1: position i is the high half of xᵢ·m.
type Bloom struct {
	Store
	probes int
}

// CheckBloom rejects shapes that a Bloom cannot have.
func CheckBloom(bits, probes uint64) error {
	if err := within("bits", bits, 1, sizing.MaxBits); err != nil {
		return err
	}
	return within("probes", probes, 1, sizing.MaxProbes)
}

// NewBloom is an empty filter.
func NewBloom(bits, probes uint64, shared bool) (Bloom, error) {
	if err := CheckBloom(bits, probes); err != nil {
		return Bloom{}, fault.As(fault.InvalidArgument, err)
	}
	empty, err := newStore(bits, shared)
	return Bloom{Store: empty, probes: int(probes)}, err
}

// OpenBloom is the filter whose words are given.
func OpenBloom(shape, segment []uint64) (Bloom, error) {
	if err := count(shape, 2); err != nil {
		return Bloom{}, err
	}
	if err := CheckBloom(shape[0], shape[1]); err != nil {
		return Bloom{}, err
	}
	s, err := adopt(segment, shape[0])
	return Bloom{Store: s, probes: int(shape[1])}, err
}

// Add adds a digest. To a shared filter it adds as TestAndAdd does.
func (e *Bloom) Add(digest uint64) {
	if e.shared {
		e.TestAndAdd(digest)
		return
	}
	w, m := e.words, e.size
	for i := e.probes; i > 0; i-- {
		at, _ := bits.Mul64(digest, m)
		w[at>>6] |= 1 << (at & 63)
		digest *= chain
	}
}

// MayContain says whether all bits of a digest are set.
func (e *Bloom) MayContain(digest uint64) bool {
	w, m := e.words, e.size
	for i := e.probes; i > 0; i-- {
		at, _ := bits.Mul64(digest, m)
		if !has(&w[at>>6], 1<<(at&63)) {
			return false
		}
		digest *= chain
	}
	return true
}

// TestAndAdd adds a digest and says whether all its bits had been set. Of goroutines that race to add a new one at least
// one is told false: the one that set the bit that was set last.
//
// It asks first, up to the first bit that is not set, and then sets all bits without looking again: a look at each would
// wait for the atomic OR before it. A word that has the bit already is not written.
func (e *Bloom) TestAndAdd(digest uint64) bool {
	if e.MayContain(digest) {
		return true
	}
	if !e.shared {
		e.Add(digest)
		return false
	}
	w, m := e.words, e.size
	for i := e.probes; i > 0; i-- {
		at, _ := bits.Mul64(digest, m)
		atomic.OrUint64(&w[at>>6], 1<<(at&63))
		digest *= chain
	}
	return false
}

// Kind is the number of the kind in files.
func (e *Bloom) Kind() uint16 { return KindBloom }

// Probes is the number of bits per key.
func (e *Bloom) Probes() int { return e.probes }

// TestOrAdd is TestAndAdd: to add a key whose bits are all set changes nothing.
func (e *Bloom) TestOrAdd(digest uint64) bool { return e.TestAndAdd(digest) }

// Same says whether another filter of the same shape has the same bits.
func (e *Bloom) Same(other *Bloom) bool { return e.same(&other.Store) }

// Segments is the one segment of the filter.
func (e *Bloom) Segments() []native.Segment { return e.segment(e.size, uint64(e.probes)) }

func (e *Bloom) chainKind() uint16 { return KindScalableClassicBloom }

// Plan makes this an empty filter for a target.
func (e *Bloom) Plan(capacity uint64, fpr float64) error {
	bits, probes, err := sizing.Bloom(capacity, fpr)
	if err == nil {
		*e, err = NewBloom(bits, probes, false)
	}
	return err
}

// Adopt makes this the filter whose words are given.
func (e *Bloom) Adopt(shape, segment []uint64) (err error) {
	*e, err = OpenBloom(shape, segment)
	return err
}

// EstimatedCount is how many different keys explain the set bits.
func (e *Bloom) EstimatedCount() float64 { return KeysBehind(e.Census(), e.size) / float64(e.probes) }

// MostKeys is the most that EstimatedCount says of so many keys, but for once in 10^9.
func (e *Bloom) MostKeys(keys uint64) float64 { return MostKeys(keys, e.size, float64(e.probes)) }

// EstimatedFPR is the rate that follows from the set bits.
func (e *Bloom) EstimatedFPR() float64 {
	return math.Pow(float64(e.Census())/float64(e.size), float64(e.probes))
}

// MostKeys is the most keys that a filter of so many may seem to hold, throws of m bits each: with as many set bits as six
// standard deviations and a bit above the mean; infinite where all bits are within that. [Kolchin et al. 1978]
//
// More set bits than the mean are fewer coincidences than expected, whose number has a thinner tail than a normal variable. So
// it holds for few keys too.
func MostKeys(keys, bits uint64, throws float64) float64 {
	m, mean := float64(bits), float64(bits)
	all := throws * float64(keys)
	load := all / m
	if bits > 1 {
		mean = -m * math.Expm1(all*math.Log1p(-1/m))
	}
	variance := m * math.Exp(-2*load) * (math.Expm1(load) - load)
	most := mean + 6*math.Sqrt(max(0, variance)) + 1
	if most >= m {
		return math.Inf(1)
	}
	return -m / throws * math.Log1p(-most/m)
}

// KeysBehind is how many random throws set this many of the bits: -m·ln(1 - X/m). [Swamidass & Baldi 2007]
func KeysBehind(set, bits uint64) float64 {
	switch m := float64(bits); {
	case set == 0:
		return 0
	case set >= bits:
		return math.Inf(1)
	case set <= bits/2:
		return -m * math.Log1p(-float64(set)/m)
	default: // subtract where it is exact
		return -m * math.Log(float64(bits-set)/m)
	}
}

// Partitioned is index rule 2: probe i falls into the i-th of k equal parts.
type Partitioned struct {
	Store
	part   uint64
	probes int
}

// OpenPartitioned is the filter whose words are given.
func OpenPartitioned(shape, segment []uint64) (*Partitioned, error) {
	if err := count(shape, 2); err != nil {
		return nil, err
	}
	m, k := shape[0], shape[1]
	if err := CheckBloom(m, k); err != nil {
		return nil, err
	}
	if m%k != 0 {
		return nil, fmt.Errorf("bits %d is not a multiple of probes %d", m, k)
	}
	s, err := adopt(segment, m)
	return &Partitioned{Store: s, part: m / k, probes: int(k)}, err
}

// MayContain says whether all bits of a digest are set.
func (e *Partitioned) MayContain(digest uint64) bool {
	begin := uint64(0)
	for i := e.probes; i > 0; i-- {
		at, _ := bits.Mul64(digest, e.part)
		if words.Bits(e.words, begin+at, 1) == 0 {
			return false
		}
		begin += e.part
		digest *= chain
	}
	return true
}
