package engine

// Windows of keys: the cells of a Bloom, cut into slices. A key may be present if one slice has all its cells.

import (
	"fmt"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// windowed is index rule 11: cells with one bit per slice.
type windowed struct {
	Store
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
	return &windowed{Store: s, cells: cells, probes: int(probes), width: uint(width), mask: words.Mask(uint(slices) + 1)}, err
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
