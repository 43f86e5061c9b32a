package engine

// Binary fuse filters: three or four slots in neighbouring segments, whose exclusive or is the key's fingerprint. [Graf & Lemire 2022,
// "Binary Fuse Filters"]

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/native"
	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// Fuse is index rule 14: slots in three or four neighbouring segments.
type Fuse struct {
	table
	arity  uint64
	length uint64 // of a segment, a power of two
	places uint64 // of the first slot

	all        uint64 // places of all shards
	log        uint   // of the length
	bytes      []byte // the words, where they can be had so: of one shard and slots of eight bits, three per key
	multiplier uint64 // of that shard
}

// newFuse is the filter over a table.
func newFuse(t table, arity, length, segments uint64) Fuse {
	e := Fuse{table: t, arity: arity, length: length}
	if length != 0 {
		e.places, e.log = (segments-arity+1)*length, uint(bits.TrailingZeros64(length))
		e.all = e.places * t.count
	}
	e.seeded()
	return e
}

// seeded takes note of the only seed, for the commonest filters.
func (e *Fuse) seeded() {
	e.bytes = nil
	if e.count == 1 && e.width == 8 && e.arity == 3 {
		_, e.multiplier = e.shard(0)
		e.bytes = words.Alias(e.words)
	}
}

func openFuse(shape, segment []uint64) (*Fuse, error) {
	if err := count(shape, 6); err != nil {
		return nil, err
	}
	arity, length, segments := shape[3], shape[4], shape[5]
	if err := checkArity(arity); err != nil {
		return nil, err
	}
	if length != 0 || segments != 0 {
		if length < 2 || length > 1<<18 || length&(length-1) != 0 {
			return nil, fmt.Errorf("segment-length is %d; it must be a power of two from 2 to 2^18", length)
		}
		if err := within("segments", segments, arity, sizing.MaxShardSlots); err != nil {
			return nil, err
		}
	}
	if shape[0] == 0 && segments != 0 {
		return nil, errors.New("segments without keys")
	}
	t, err := openTable(segment, shape[0], shape[1], shape[2], length*segments)
	if err != nil {
		return nil, err
	}
	e := newFuse(t, arity, length, segments)
	return &e, nil
}

func checkArity(arity uint64) error {
	if arity != 3 && arity != 4 {
		return fmt.Errorf("arity is %d; it must be 3 or 4", arity)
	}
	return nil
}

// slotsOf is the slots of a digest in its shard, of which a filter of three does not use the last, and the fingerprint.
func (e *Fuse) slotsOf(digest, shard, multiplier uint64) (at [4]uint64, fingerprint uint64) {
	z, y := bits.Mul64(digest, multiplier)
	first, _ := bits.Mul64(digest, e.all)
	first -= e.places * shard
	k := e.log & 31
	at[0] = first
	at[1] = e.length + first ^ y>>(64-k)
	at[2] = 2*e.length + first ^ (z & 0xffffffff >> (32 - k))
	at[3] = 3*e.length + first ^ y<<k>>(64-k)
	return at, z & words.Mask(e.width)
}

// MayContain says whether the slots of a digest are its fingerprint.
func (e *Fuse) MayContain(digest uint64) bool {
	if e.bytes != nil {
		z, y := bits.Mul64(digest, e.multiplier)
		first, _ := bits.Mul64(digest, e.all)
		all, length, k := e.bytes, e.length, e.log&31
		return byte(z)^all[first]^all[length+first^y>>(64-k)]^all[2*length+first^(z&0xffffffff>>(32-k))] == 0
	}
	if e.count == 0 {
		return false
	}
	shard, multiplier := e.shard(digest)
	at, fingerprint := e.slotsOf(digest, shard, multiplier)
	sum := e.slot(shard, at[0]) ^ e.slot(shard, at[1]) ^ e.slot(shard, at[2])
	if e.arity == 4 {
		sum ^= e.slot(shard, at[3])
	}
	return sum == fingerprint
}

// Kind is the number of the kind in files.
func (e *Fuse) Kind() uint16 { return KindBinaryFuse }

// Shape is the numbers that describe the filter in files.
func (e *Fuse) Shape() [6]uint64 {
	segments := uint64(0)
	if e.length != 0 {
		segments = e.slots / e.length
	}
	return [6]uint64{e.keys, uint64(e.width), e.count, e.arity, e.length, segments}
}

// Segments is the one segment of the filter.
func (e *Fuse) Segments() []native.Segment {
	shape := e.Shape()
	return []native.Segment{{Length: 8 * uint64(len(e.words)), Shape: shape[:]}}
}

// Bits is the number of bits of all slots.
func (e *Fuse) Bits() uint64 { return e.count * e.slots * uint64(e.width) }

// Fill is keys per slot.
func (e *Fuse) Fill() float64 {
	if e.keys == 0 {
		return 0
	}
	return float64(e.keys) / float64(e.count*e.slots)
}

// Full is false: nothing is added.
func (e *Fuse) Full() bool { return false }

// EstimatedCount is the number of keys.
func (e *Fuse) EstimatedCount() float64 { return float64(e.keys) }

// EstimatedFPR is that of fingerprints, and of equal digests.
func (e *Fuse) EstimatedFPR() float64 {
	if e.keys == 0 {
		return 0
	}
	return sizing.FingerprintRate(uint64(e.width)) + float64(e.keys)/(1<<32)/(1<<32)
}

// Same says whether another filter of the same shape has the same slots.
func (e *Fuse) Same(other *Fuse) bool { return slices.Equal(e.words, other.words) }

// Still is the words, and the number of keys.
func (e *Fuse) Still() ([]uint64, uint64) { return e.words, e.keys }

// Memory is the words.
func (e *Fuse) Memory() [][]uint64 { return [][]uint64{e.words} }

// Own puts a copy of the words in their place.
func (e *Fuse) Own(bool) {
	e.words = slices.Clone(e.words)
	e.seeded()
}
