package engine

// Filters of counters: a key may be present if none of its counters is 0. And windows, whose cells are not counted but
// cut into slices: a key may be present if one slice has all its cells.

import (
	"fmt"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// counting is index rule 5: counters at the positions of a Bloom.
type counting struct {
	store
	counters uint64
	probes   int
	width    uint
}

func openCounting(shape, segment []uint64) (*counting, error) {
	if err := count(shape, 3); err != nil {
		return nil, err
	}
	m, k, w := shape[0], shape[1], shape[2]
	if w != 2 && w != 4 && w != 8 && w != 16 {
		return nil, fmt.Errorf("counter-bits is %d; it must be 2, 4, 8 or 16", w)
	}
	if err := within("counters", m, 1, sizing.MaxBits/w); err != nil {
		return nil, err
	}
	if err := within("probes", k, 1, sizing.MaxProbes); err != nil {
		return nil, err
	}
	s, err := adopt(segment, m*w)
	return &counting{store: s, counters: m, probes: int(k), width: uint(w)}, err
}

func (e *counting) MayContain(digest uint64) bool {
	for i := e.probes; i > 0; i-- {
		at, _ := bits.Mul64(digest, e.counters)
		if words.Bits(e.words, at*uint64(e.width), e.width) == 0 {
			return false
		}
		digest *= chain
	}
	return true
}

// blockedCounting is index rule 6: a block of 512 bits is k lanes of counters, and a key has one in each.
type blockedCounting struct {
	store
	blocks uint64
	probes int
	width  uint
}

func openBlockedCounting(shape, segment []uint64) (*blockedCounting, error) {
	if err := count(shape, 3); err != nil {
		return nil, err
	}
	b, k, w := shape[0], shape[1], shape[2]
	if err := CheckBlockedBloom(b, k); err != nil {
		return nil, err
	}
	if w != 4 && w != 8 {
		return nil, fmt.Errorf("counter-bits is %d; it must be 4 or 8", w)
	}
	s, err := adopt(segment, 512*b)
	return &blockedCounting{store: s, blocks: b, probes: int(k), width: uint(w)}, err
}

func (e *blockedCounting) MayContain(digest uint64) bool {
	block, _ := bits.Mul64(digest, e.blocks)
	lane := 512 / uint64(e.width) / uint64(e.probes) // counters, a power of two
	choice := bits.TrailingZeros64(lane)
	rest := digest * chain
	counter := block * (512 / uint64(e.width))
	for i := e.probes; i > 0; i-- {
		rest = bits.RotateLeft64(rest, choice) // the next bits from the highest
		if words.Bits(e.words, (counter+rest&(lane-1))*uint64(e.width), e.width) == 0 {
			return false
		}
		counter += lane
	}
	return true
}

// windowed is index rule 11: cells with one bit per slice.
type windowed struct {
	store
	cells  uint64
	probes int
	width  uint // bits of a cell: slices + 1, rounded up to a power of two
	mask   uint64
}

func openWindowed(shape, segment []uint64) (*windowed, error) {
	if err := count(shape, 6); err != nil {
		return nil, err
	}
	window, slices, period, cells, probes, clock := shape[0], shape[1], shape[2], shape[3], shape[4], shape[5]
	if window == 0 {
		return nil, fmt.Errorf("window 0 is not a number of keys from 1 up")
	}
	if err := within("slices", slices, 1, 63); err != nil {
		return nil, err
	}
	width := uint64(1) << bits.Len64(slices)
	if err := within("slice-bits", cells, 1, sizing.MaxBits/width); err != nil {
		return nil, err
	}
	if err := within("probes", probes, 1, sizing.MaxProbes); err != nil {
		return nil, err
	}
	if period == 0 && clock >= 1<<63 {
		return nil, fmt.Errorf("clock is %d; it must be below 2^63", clock)
	}
	s, err := adopt(segment, cells*width)
	return &windowed{store: s, cells: cells, probes: int(probes), width: uint(width), mask: words.Mask(uint(slices) + 1)}, err
}

func (e *windowed) MayContain(digest uint64) bool {
	slices := e.mask
	for i := e.probes; i > 0 && slices != 0; i-- {
		at, _ := bits.Mul64(digest, e.cells)
		slices &= words.Bits(e.words, at*uint64(e.width), e.width)
		digest *= chain
	}
	return slices != 0
}

// check refuses bits of slices that do not exist.
func (e *windowed) check() error {
	var used uint64
	for at := uint(0); at < 64; at += e.width {
		used |= e.mask << at
	}
	for i, word := range e.words {
		if word&^used != 0 {
			return fmt.Errorf("word %d has a bit of a slice that is not there", i)
		}
	}
	return nil
}
