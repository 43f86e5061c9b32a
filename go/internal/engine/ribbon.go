package engine

// The ribbon filter, index rule 15: a key is a row of 64 coefficients at a slot, and its fingerprint is the exclusive or of
// the slots that the row names. A shard has up to three layers; keys that a layer had no room for are in the next one, as
// the bump bit of their bucket says. [Dillinger & Walzer 2021, "Ribbon filter"; Dillinger, Hübschle-Schneider, Sanders &
// Walzer 2022, "Fast Succinct Retrieval and Approximate Membership Using Ribbon"]
//
//	layer    slots in blocks of 64, bit by bit: all 64 lowest bits, all 64 second bits, …; the last block may be smaller
//	shard    layers one after another;   segment    shards, bump bits, seeds

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

const (
	rowBits      = 64
	bumpBucket   = 128 // slots to a bump bit
	bumpable     = 32  // of which keys in the first so many are bumped
	bumpUnit     = 4096
	maxRibbonAll = 1 << 37 // bytes
)

type layer struct {
	slots    uint64
	solution uint64 // byte at which the layer begins in the solution of its shard
	bumps    uint64 // byte at which its bump bits begin in those of its shard
}

type ribbon struct {
	shards
	width         uint
	layers        []layer
	solutionBytes uint64 // of a shard
	bumpBytes     uint64
}

func openRibbon(shape, segment []uint64) (*ribbon, error) {
	if err := count(shape, 7); err != nil {
		return nil, err
	}
	keys, width, count, setting := shape[0], shape[1], shape[2], shape[3]
	if err := within("keys", keys, 0, sizing.MaxBits); err != nil {
		return nil, err
	}
	if err := within("fingerprint-bits", width, 1, 32); err != nil {
		return nil, err
	}
	if err := within("setting", setting, 1, 3); err != nil {
		return nil, err
	}
	if err := checkShards(keys, count); err != nil {
		return nil, err
	}
	e := &ribbon{width: uint(width)}
	if err := e.lay(shape[4:]); err != nil {
		return nil, err
	}
	if (count == 0) != (len(e.layers) == 0) {
		return nil, fmt.Errorf("%d shards of %d layers", count, len(e.layers))
	}
	all := e.solutionBytes + e.bumpBytes
	if all > maxRibbonAll || count*all > maxRibbonAll {
		return nil, fmt.Errorf("%d shards of %d bytes; 2^37 are the most", count, all)
	}
	s, err := openShards(segment, keys, count, count*all)
	e.shards = s
	return e, err
}

// lay makes the layers by their numbers of slots, 0 for a layer that is not there.
func (e *ribbon) lay(slots []uint64) error {
	for i, m := range slots {
		if m == 0 {
			continue
		}
		if i != len(e.layers) {
			return errors.New("a layer is missing before another")
		}
		if err := within("slots", m, 1, sizing.MaxBits); err != nil {
			return err
		}
		e.layers = append(e.layers, layer{slots: m, solution: e.solutionBytes})
		e.solutionBytes += (m*uint64(e.width) + 7) / 8
	}
	for i := range e.layers {
		l := &e.layers[i]
		if len(e.layers) > 1 && (l.slots%rowBits != 0 || l.slots < 2*rowBits) {
			return fmt.Errorf("layer %d has %d slots; it must have a multiple of 64, at least 128", i, l.slots)
		}
		if i < len(e.layers)-1 {
			l.bumps = e.bumpBytes
			e.bumpBytes += 4 * ((l.slots + bumpUnit - 1) / bumpUnit)
		}
	}
	return nil
}

func (e *ribbon) MayContain(digest uint64) bool {
	if e.count == 0 {
		return false
	}
	shard, multiplier := e.shard(digest)
	x := digest
	if len(e.layers) == 1 {
		x *= multiplier
	}
	for i := range e.layers {
		l := &e.layers[i]
		start := uint64(0)
		if l.slots > rowBits {
			if i == 0 && len(e.layers) > 1 {
				start = e.place(digest, shard, l.slots-rowBits)
			} else {
				start, _ = bits.Mul64(x, l.slots-rowBits)
			}
		}
		if i < len(e.layers)-1 && start%bumpBucket < bumpable && e.bumped(shard, l, start/bumpBucket) {
			x *= multiplier
			continue
		}
		high, low := bits.Mul64(x, multiplier)
		row := low ^ high
		if l.slots < rowBits {
			row >>= rowBits - l.slots
		}
		return e.solves(shard, l, start, row|1, high)
	}
	return false
}

func (e *ribbon) bumped(shard uint64, l *layer, bucket uint64) bool {
	bytes := e.count*e.solutionBytes + shard*e.bumpBytes + l.bumps
	return words.Bits(e.words, 8*bytes+bucket, 1) != 0
}

// solves says whether the slots from start on that row names make the fingerprint, bit by bit.
func (e *ribbon) solves(shard uint64, l *layer, start, row, fingerprint uint64) bool {
	begin := 8 * (shard*e.solutionBytes + l.solution)
	block, skip := start/rowBits, uint(start%rowBits)
	here := begin + block*rowBits*uint64(e.width)
	next := here + rowBits*uint64(e.width)
	hereSlots, nextSlots := l.blockSlots(block), l.blockSlots(block+1)
	for j := uint64(0); j < uint64(e.width); j++ {
		column := words.Bits(e.words, here+j*hereSlots+uint64(skip), uint(hereSlots)-skip)
		if skip != 0 && nextSlots != 0 {
			column |= words.Bits(e.words, next+j*nextSlots, min(skip, uint(nextSlots))) << (rowBits - skip)
		}
		if uint64(bits.OnesCount64(column&row)&1) != fingerprint>>j&1 {
			return false
		}
	}
	return true
}

// blockSlots is the number of slots of a block: 64, fewer in the last, none behind it.
func (l *layer) blockSlots(block uint64) uint64 {
	if block*rowBits >= l.slots {
		return 0
	}
	return min(rowBits, l.slots-block*rowBits)
}
