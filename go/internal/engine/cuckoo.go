package engine

// Cuckoo filters: a fingerprint of w bits in one of two buckets of four slots, the second found from the first and the
// fingerprint alone.
// [Fan, Andersen, Kaminsky & Mitzenmacher 2014, "Cuckoo Filter: Practically Better Than Bloom"]

import (
	"encoding/binary"
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

// Cuckoo is one table, index rule 16. Where a slot lies in its bucket is counted in bits.
type Cuckoo struct {
	words   []uint64
	bytes   []byte // the same memory, where it can be had
	buckets uint64 // of all copies together
	chunks  uint64
	copies  uint64 // of link 0, a power of two; 1 but in a chain
	width   uint
	drop    uint   // low bits of a fingerprint that do not choose the other bucket: those it has more than link 0's
	used    uint64 // slots that are taken, once counted

	each uint64 // buckets of a copy
	last uint64 // the first bucket of its last chunk
	log  uint   // chunks but the last have 2^log buckets

	// A bucket is looked at in groups of slots that fit a word, one or two of them.
	group            uint64 // bits of a group
	ones, tops, mask uint64 // of each slot the lowest bit, the highest, and all
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
	e := Cuckoo{buckets: n, chunks: k, width: uint(w), group: bucketSlots * w}
	if e.group > 64 {
		e.group /= 2
	}
	for at := uint64(0); at < e.group; at += w {
		e.ones |= 1 << at
	}
	e.tops, e.mask = e.ones<<(w-1), words.Mask(uint(e.group))
	e.divide(1)
	return e, nil
}

// divide makes the table so many copies of one.
func (e *Cuckoo) divide(copies uint64) {
	e.copies, e.each = copies, e.buckets/copies
	e.log = uint(bits.Len64(e.buckets/e.chunks) - 1)
	e.last = (e.chunks/copies - 1) << e.log
}

// over makes these the words of the filter.
func (e *Cuckoo) over(all []uint64) { e.words, e.bytes = all, words.Alias(all) }

// length is that of the segment: with room for a word after the last slot.
func (e *Cuckoo) length() uint64 { return roundUp(e.buckets*uint64(e.width)/2+8, 64) }

// NewCuckoo is an empty filter. The buckets are made an even number; chunks of 0 are chosen.
func NewCuckoo(buckets, width, chunks uint64) (Cuckoo, error) {
	if buckets <= sizing.MaxBits {
		buckets, chunks = sizing.WholeCuckooChunks(buckets, chunks)
	}
	e, err := checkCuckoo(buckets, width, chunks)
	if err != nil {
		return e, fault.As(fault.InvalidArgument, err)
	}
	all, err := memory.Words(e.length() / 8)
	e.over(all)
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
	if err := checkLength(segment, e.length()); err != nil {
		return nil, err
	}
	if !words.ZeroFrom(segment, e.buckets*uint64(e.width)*bucketSlots) {
		return nil, errPadding
	}
	e.over(segment)
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
	first, fraction := bits.Mul64(x, e.each)
	p.fingerprint = max(fraction>>((64-e.width)&63), 1)
	p.start, p.size = first>>(e.log&63)<<(e.log&63), uint64(1)<<(e.log&63)
	if first >= e.last {
		p.start, p.size = e.last, e.each-e.last
	}
	p.first = first - p.start
	p.second = e.other(p.size, p.first, p.fingerprint)
	if e.copies != 1 {
		p.start += (x ^ x>>35) & (e.copies - 1) * e.each
	}
	return p
}

// other is the other bucket of a fingerprint in a chunk of so many buckets; its own inverse.
func (e *Cuckoo) other(size, bucket, fingerprint uint64) uint64 {
	product := uint32(max(fingerprint>>(e.drop&63), 1)) * fingerprintChoice
	choice := uint64((product^bits.RotateLeft32(product, -13))>>((32-e.log)&31)) | 1
	other := choice - bucket
	if bucket > choice {
		other += size
	}
	return other
}

// MayContain says whether a bucket of a digest has its fingerprint.
func (e *Cuckoo) MayContain(digest uint64) bool {
	if e.bytes == nil || e.width > 16 || e.copies != 1 {
		return e.asked(digest)
	}
	// As find and bits do, and up to the first bucket that has it.
	x := digest + digest<<32
	first, fraction := bits.Mul64(x, e.each)
	fingerprint := max(fraction>>((64-e.width)&63), 1)
	all, width, wanted := e.bytes, uint64(e.width), e.ones*fingerprint
	at := first * bucketSlots * width
	slots := binary.LittleEndian.Uint64(all[at>>3:])>>(at&7)&e.mask ^ wanted
	if e.zeros(slots) != 0 {
		return true
	}
	start, size := first>>(e.log&63)<<(e.log&63), uint64(1)<<(e.log&63)
	if first >= e.last {
		start, size = e.last, e.each-e.last
	}
	at = (start + e.other(size, first-start, fingerprint)) * bucketSlots * width
	slots = binary.LittleEndian.Uint64(all[at>>3:])>>(at&7)&e.mask ^ wanted
	return e.zeros(slots) != 0
}

// asked is MayContain of any table.
func (e *Cuckoo) asked(digest uint64) bool {
	p := e.find(digest)
	wanted, stride := e.ones*p.fingerprint, bucketSlots*uint64(e.width)
	first, second := (p.start+p.first)*stride, (p.start+p.second)*stride
	for slot := uint64(0); slot < stride; slot += e.group {
		if e.zeros(e.bits(first+slot)^wanted)|e.zeros(e.bits(second+slot)^wanted) != 0 {
			return true
		}
	}
	return false
}

// bits is a group of slots, from a bit of the table on. There is a word to spare behind the last slot, and no group that does not begin
// with a byte has more than 56 bits.
func (e *Cuckoo) bits(at uint64) uint64 {
	if e.bytes != nil {
		return binary.LittleEndian.Uint64(e.bytes[at>>3:]) >> (at & 7) & e.mask
	}
	return words.Bits(e.words, at, uint(e.group))
}

// zeros has the top bit set of the first slot that is 0 in a group, and maybe of others after it: a slot of 0 borrows. It is 0 if there
// is none.
func (e *Cuckoo) zeros(group uint64) uint64 { return (group - e.ones) & ^group & e.tops }

// none is where no slot begins.
const none = 64 * bucketSlots

// slotWith is where the first slot of a bucket begins that holds a fingerprint, or nothing (0); none if there is no such slot.
func (e *Cuckoo) slotWith(bucket, fingerprint uint64) uint {
	at := bucket * bucketSlots * uint64(e.width)
	if all := e.bytes; all != nil && e.width <= 16 {
		slots := binary.LittleEndian.Uint64(all[at>>3:])>>(at&7)&e.mask ^ e.ones*fingerprint
		if found := e.zeros(slots); found != 0 {
			return uint(bits.TrailingZeros64(found)) + 1 - e.width
		}
		return none
	}
	for slot := uint64(0); slot < bucketSlots*uint64(e.width); slot += e.group {
		if found := e.zeros(e.bits(at+slot) ^ e.ones*fingerprint); found != 0 {
			return uint(slot) + uint(bits.TrailingZeros64(found)) + 1 - e.width
		}
	}
	return none
}

func (e *Cuckoo) load(bucket uint64, slot uint) uint64 {
	return words.Bits(e.words, bucket*bucketSlots*uint64(e.width)+uint64(slot), e.width)
}

func (e *Cuckoo) put(bucket uint64, slot uint, fingerprint uint64) {
	words.Put(e.words, bucket*bucketSlots*uint64(e.width)+uint64(slot), e.width, fingerprint)
}

// Add adds a digest; false, and nothing has changed, if there is no room. The emptier of its two buckets takes the fingerprint. If both
// are full, fingerprints move to their own other buckets until a slot comes free. No choice is random.
func (e *Cuckoo) Add(digest uint64) bool {
	p := e.find(digest)
	first, second := e.slotWith(p.start+p.first, 0), e.slotWith(p.start+p.second, 0)
	switch {
	case first == none && second == none:
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
		for slot := uint(0); slot < bucketSlots*e.width; slot += e.width {
			other := e.other(p.size, here, e.load(p.start+here, slot))
			if other == from {
				continue
			}
			if free := e.slotWith(p.start+other, 0); free != none {
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
		if slot := e.slotWith(bucket, p.fingerprint); slot != none {
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
	for slot := uint(0); slot < bucketSlots*e.width; slot += e.width {
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
	return []native.Segment{{Length: e.length(), Shape: shape[:]}}
}

// Still is the words, and the number of keys.
func (e *Cuckoo) Still() ([]uint64, uint64) { return e.words, e.used }

// Memory is the words.
func (e *Cuckoo) Memory() [][]uint64 { return [][]uint64{e.words} }

// Own puts a copy of the words in their place.
func (e *Cuckoo) Own(bool) { e.over(slices.Clone(e.words)) }
