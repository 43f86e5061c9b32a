package engine

// Cuckoo filters: a fingerprint of w bits in one of two buckets of four slots, the second found from the first and the
// fingerprint alone.
// [Fan, Andersen, Kaminsky & Mitzenmacher 2014, "Cuckoo Filter: Practically Better Than Bloom"]

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

const (
	bucketSlots       = 4
	fingerprintChoice = 0x9e3779b1
	mostSteps         = 500 // buckets that are looked at for room before an add gives up
)

// Cuckoo is one table, index rule 16.
type Cuckoo struct {
	words   []uint64
	buckets uint64 // of all copies together
	chunks  uint64
	copies  uint64 // of link 0, a power of two; 1 but in a chain
	width   uint
	drop    uint   // low bits of a fingerprint that do not choose the other bucket: those it has more than link 0's
	used    uint64 // slots that are taken, once counted
	// A bucket is read in one or two words, group by group of lanes of one slot each.
	lanes      uint   // slots of a group
	ones, tops uint64 // the lowest, the highest bit of each lane
}

// checkCuckoo rejects shapes that a Cuckoo cannot have. Chunks have 2^s buckets each, but the last, which has what is left: less than
// twice as many.
func checkCuckoo(n, w, k uint64) (Cuckoo, error) {
	if !slices.Contains(sizing.CuckooWidths, w) {
		return Cuckoo{}, fmt.Errorf("fingerprint-bits is %d; it must be one of %v", w, sizing.CuckooWidths)
	}
	if err := within("chunks", k, 1, sizing.MaxCuckooChunks); err != nil {
		return Cuckoo{}, err
	}
	if err := within("buckets", n, 2, sizing.MaxBits/bucketSlots/w); err != nil {
		return Cuckoo{}, err
	}
	if n%2 != 0 || n/k > sizing.MaxCuckooChunkBuckets || k > 1 && n/k < 16 || n>>(bits.Len64(n/k)-1) != k {
		return Cuckoo{}, fmt.Errorf("%d buckets are not an even number, or cannot be %d chunks of 2^4 to 2^24", n, k)
	}
	e := Cuckoo{buckets: n, chunks: k, copies: 1, width: uint(w), lanes: bucketSlots}
	if w > 16 {
		e.lanes = 2
	}
	for i := range e.lanes {
		e.ones |= 1 << (i * e.width)
	}
	e.tops = e.ones << (e.width - 1)
	return e, nil
}

// bytes is the length of the segment: with room for a word after the last slot.
func (e *Cuckoo) bytes() uint64 { return roundUp(e.buckets*uint64(e.width)/2+8, 64) }

// NewCuckoo is an empty filter. The buckets are made an even number; chunks of 0 are chosen.
func NewCuckoo(buckets, width, chunks uint64) (Cuckoo, error) {
	if buckets <= sizing.MaxBits {
		buckets, chunks = sizing.WholeCuckooChunks(buckets, chunks)
	}
	e, err := checkCuckoo(buckets, width, chunks)
	if err != nil {
		return e, fault.As(fault.InvalidArgument, err)
	}
	e.words, err = memory.Words(e.bytes() / 8)
	return e, err
}

func openCuckoo(shape, segment []uint64) (*Cuckoo, error) {
	if err := count(shape, 3); err != nil {
		return nil, err
	}
	e, err := checkCuckoo(shape[0], shape[1], shape[2])
	if err != nil {
		return nil, err
	}
	if err := checkLength(segment, e.bytes()); err != nil {
		return nil, err
	}
	if !words.ZeroFrom(segment, e.buckets*uint64(e.width)*bucketSlots) {
		return nil, errPadding
	}
	e.words = segment
	return &e, nil
}

// place is where a digest may lie: the buckets of its chunk from start on, the two of its pair counted from there, and what is stored.
type place struct {
	start, size   uint64
	first, second uint64
	fingerprint   uint64
}

func (e *Cuckoo) find(digest uint64) (p place) {
	x := digest + digest<<32
	each := e.buckets / e.copies
	copied := (x ^ x>>35) & (e.copies - 1) * each
	first, fraction := bits.Mul64(x, each)
	p.fingerprint = max(fraction>>(64-e.width), 1)
	log := bits.Len64(e.buckets/e.chunks) - 1
	last := (e.chunks/e.copies - 1) << log
	p.start, p.size = first>>log<<log, uint64(1)<<log
	if first >= last {
		p.start, p.size = last, each-last
	}
	p.first = first - p.start
	p.second = e.other(p.size, p.first, p.fingerprint)
	p.start += copied
	return p
}

// other is the other bucket of a fingerprint in a chunk of so many buckets; its own inverse.
func (e *Cuckoo) other(size, bucket, fingerprint uint64) uint64 {
	product := uint32(max(fingerprint>>e.drop, 1)) * fingerprintChoice
	log := bits.Len64(e.buckets/e.chunks) - 1
	choice := uint64((product^bits.RotateLeft32(product, -13))>>(32-log)) | 1
	other := choice - bucket
	if bucket > choice {
		other += size
	}
	return other
}

// MayContain says whether a bucket of a digest has its fingerprint.
func (e *Cuckoo) MayContain(digest uint64) bool {
	p := e.find(digest)
	return e.slotWith(p.start+p.first, p.fingerprint) < bucketSlots || e.slotWith(p.start+p.second, p.fingerprint) < bucketSlots
}

// slotWith is the first slot of a bucket that holds a fingerprint, or nothing (0); 4 if there is none.
func (e *Cuckoo) slotWith(bucket, fingerprint uint64) uint {
	at := bucket * bucketSlots * uint64(e.width)
	for slot := uint(0); slot < bucketSlots; slot += e.lanes {
		// A lane of 0 borrows, which shows in its top bit; the lowest that shows is right, and others are of no interest.
		x := words.Bits(e.words, at+uint64(slot*e.width), e.lanes*e.width) ^ e.ones*fingerprint
		if empty := (x - e.ones) & ^x & e.tops; empty != 0 {
			return slot + uint(bits.TrailingZeros64(empty))/e.width
		}
	}
	return bucketSlots
}

func (e *Cuckoo) at(bucket uint64, slot uint) uint64 {
	return (bucket*bucketSlots + uint64(slot)) * uint64(e.width)
}

func (e *Cuckoo) load(bucket uint64, slot uint) uint64 {
	return words.Bits(e.words, e.at(bucket, slot), e.width)
}

func (e *Cuckoo) put(bucket uint64, slot uint, fingerprint uint64) {
	words.Put(e.words, e.at(bucket, slot), e.width, fingerprint)
}

// Add adds a digest; false, and nothing has changed, if there is no room. The emptier of its two buckets takes the fingerprint. If both
// are full, fingerprints move to their own other buckets until a slot comes free. No choice is random.
func (e *Cuckoo) Add(digest uint64) bool {
	p := e.find(digest)
	first, second := e.slotWith(p.start+p.first, 0), e.slotWith(p.start+p.second, 0)
	switch {
	case first == bucketSlots && second == bucketSlots:
		bucket, slot, found := e.makeRoom(&p)
		if !found {
			return false
		}
		e.put(p.start+bucket, slot, p.fingerprint)
	case first <= second:
		e.put(p.start+p.first, first, p.fingerprint)
	default:
		e.put(p.start+p.second, second, p.fingerprint)
	}
	e.used++
	return true
}

// step is a full bucket that a search has come to, over a slot of the bucket of its parent.
type step struct {
	bucket uint32
	parent uint16
	slot   uint8
}

// makeRoom moves fingerprints until a slot of the pair is free, and says which that is: the shortest way, breadth first. Nothing is moved
// before the whole way is known, and then from its free end.
func (e *Cuckoo) makeRoom(p *place) (bucket uint64, slot uint, found bool) {
	var steps [mostSteps]step
	steps[0] = step{bucket: uint32(p.first), parent: 1} // either counts as reached from the other
	steps[1] = step{bucket: uint32(p.second), parent: 0}
	known := 2
	for at := 0; at < known; at++ {
		here := uint64(steps[at].bucket)
		from := uint64(steps[steps[at].parent].bucket)
		for slot := range uint(bucketSlots) {
			other := e.other(p.size, here, e.load(p.start+here, slot))
			if other == from {
				continue
			}
			if free := e.slotWith(p.start+other, 0); free < bucketSlots {
				bucket, slot = e.walk(p.start, steps[:], at, slot, other, free)
				return bucket, slot, true
			}
			if known < mostSteps {
				steps[known] = step{uint32(other), uint16(at), uint8(slot)}
				known++
			}
		}
	}
	return 0, 0, false
}

// walk moves the fingerprint of a slot of step at to a free one, then the one that led there to the slot now free, and so on. It returns
// the slot of a root that is free in the end.
func (e *Cuckoo) walk(start uint64, steps []step, at int, slot uint, toBucket uint64, toSlot uint) (uint64, uint) {
	for {
		here := uint64(steps[at].bucket)
		e.put(start+toBucket, toSlot, e.load(start+here, slot))
		if at < 2 {
			return here, slot
		}
		toBucket, toSlot = here, slot
		slot, at = uint(steps[at].slot), int(steps[at].parent)
	}
}

// Remove takes out one fingerprint equal to that of a digest; false, and nothing has changed, if there is none.
func (e *Cuckoo) Remove(digest uint64) bool {
	p := e.find(digest)
	for _, bucket := range [2]uint64{p.start + p.first, p.start + p.second} {
		if slot := e.slotWith(bucket, p.fingerprint); slot < bucketSlots {
			e.put(bucket, slot, 0)
			e.used--
			return true
		}
	}
	return false
}

// Count is how many fingerprints equal to that of a digest its buckets have, eight at most.
func (e *Cuckoo) Count(digest uint64) (n uint64) {
	p := e.find(digest)
	for slot := range uint(bucketSlots) {
		if e.load(p.start+p.first, slot) == p.fingerprint {
			n++
		}
		if e.load(p.start+p.second, slot) == p.fingerprint {
			n++
		}
	}
	return n
}

// Census is the number of slots that are taken.
func (e *Cuckoo) Census() uint64 {
	taken := uint64(0)
	for i := uint64(0); i < e.slots(); i++ {
		if words.Bits(e.words, i*uint64(e.width), e.width) != 0 {
			taken++
		}
	}
	return taken
}

// Recount counts the slots that are taken, for a filter that is going to be changed.
func (e *Cuckoo) Recount() { e.used = e.Census() }

// Size is the number of keys.
func (e *Cuckoo) Size() uint64 { return e.used }

func (e *Cuckoo) slots() uint64 { return e.buckets * bucketSlots }

// Kind is the number of the kind in files.
func (e *Cuckoo) Kind() uint16 { return KindCuckoo }

// Shape is the numbers that describe the filter in files.
func (e *Cuckoo) Shape() [3]uint64 { return [3]uint64{e.buckets, uint64(e.width), e.chunks} }

// Bits is the number of bits of all slots.
func (e *Cuckoo) Bits() uint64 { return e.slots() * uint64(e.width) }

// Fill is the share of the slots that are taken.
func (e *Cuckoo) Fill() float64 { return float64(e.used) / float64(e.slots()) }

// Full says whether more than 19 slots in 20 are taken: the next add may find no room.
func (e *Cuckoo) Full() bool { return e.used > e.slots()/20*19+e.slots()%20*19/20 }

// EstimatedCount is the number of keys, which is known.
func (e *Cuckoo) EstimatedCount() float64 { return float64(e.used) }

// MostKeys is the number itself, since keys are counted.
func (e *Cuckoo) MostKeys(keys uint64) float64 { return float64(keys) }

// EstimatedFPR is the rate with the keys that it has.
func (e *Cuckoo) EstimatedFPR() float64 {
	return sizing.CuckooRate(uint64(e.width), e.buckets, e.used)
}

// Clear takes all keys out.
func (e *Cuckoo) Clear() {
	clear(e.words)
	e.used = 0
}

// Same says whether another filter of the same shape has the same slots.
func (e *Cuckoo) Same(other *Cuckoo) bool { return slices.Equal(e.words, other.words) }

// Segments is the one segment of the filter.
func (e *Cuckoo) Segments() []native.Segment {
	shape := e.Shape()
	return []native.Segment{{Length: e.bytes(), Shape: shape[:]}}
}

// Still is the words, and the number of keys.
func (e *Cuckoo) Still() ([]uint64, uint64) { return e.words, e.used }

// Own puts a copy of the words in their place.
func (e *Cuckoo) Own(bool) { e.words = slices.Clone(e.words) }
