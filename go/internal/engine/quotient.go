package engine

// The quotient filter: a sorted list of fingerprints, which say where a digest lies among all of them. Each block of 64 slots
// has three numbers that say where a run lies: occupied quotients, ends of runs, slots that earlier blocks reach into.
// [Pandey, Bender, Johnson & Patro 2017, "A General-Purpose Counting Filter"]
//
// A mapped body is not trusted: offsets and runs may point anywhere, so every slot is compared with the end.

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/seenfilter/seen/go/internal/words"
)

type quotient struct {
	words        []uint64
	r            uint
	named        uint64 // blocks that quotients name
	blocks       uint64 // with the tail
	fingerprints uint64 // how many different ones there are
}

const (
	quotientHead = 18 // bytes of a block before its remainders
	quotientTail = 4  // blocks after those that quotients name
	blockSlots   = 64
)

func openQuotient(shape, segment []uint64) (*quotient, error) {
	if err := count(shape, 2); err != nil {
		return nil, err
	}
	if err := within("blocks", shape[0], 1, 1<<32); err != nil {
		return nil, err
	}
	if err := within("remainder-bits", shape[1], 1, 56); err != nil {
		return nil, err
	}
	if shape[0] >= 1<<(58-shape[1]) {
		return nil, fmt.Errorf("blocks %d and remainder-bits %d tell more apart than 64 bits do", shape[0], shape[1])
	}
	e := &quotient{words: segment, r: uint(shape[1]), named: shape[0]}
	e.blocks = e.named + min(quotientTail, e.named)
	e.fingerprints = e.named * blockSlots << e.r
	end := e.blocks * e.blockBits()
	if err := checkLength(segment, roundUp(end/8+8, 64)); err != nil {
		return nil, err
	}
	if !words.ZeroFrom(segment, end+64) {
		return nil, errPadding
	}
	if most := 21 * blockSlots * e.named / 22; e.Census() > most {
		return nil, fmt.Errorf("%d fingerprints; there is room for %d", e.Census(), most)
	}
	return e, nil
}

func (e *quotient) blockBits() uint64 { return 8*quotientHead + blockSlots*uint64(e.r) }

func (e *quotient) occupieds(block uint64) uint64 {
	return words.Bits(e.words, block*e.blockBits(), 64)
}
func (e *quotient) runends(block uint64) uint64 {
	return words.Bits(e.words, block*e.blockBits()+64, 64)
}
func (e *quotient) offset(block uint64) uint64 {
	return words.Bits(e.words, block*e.blockBits()+128, 16)
}

func (e *quotient) endsRun(slot uint64) bool {
	return e.runends(slot/blockSlots)>>(slot%blockSlots)&1 != 0
}

func (e *quotient) remainder(slot uint64) uint64 {
	return words.Bits(e.words, slot/blockSlots*e.blockBits()+8*quotientHead+slot%blockSlots*uint64(e.r), e.r)
}

// Census is the stored number of fingerprints, which check compares with those that are there.
func (e *quotient) Census() uint64 { return words.Bits(e.words, e.blocks*e.blockBits(), 64) }

func (e *quotient) MayContain(digest uint64) bool {
	fingerprint, _ := bits.Mul64(digest, e.fingerprints)
	quotient, remainder := fingerprint>>e.r, fingerprint&words.Mask(e.r)
	block := quotient / blockSlots
	upto := e.occupieds(block) << (63 - quotient%blockSlots)
	if upto>>63 == 0 {
		return false
	}
	slot, found := e.selectRunend(blockSlots*block+e.offset(block), bits.OnesCount64(upto))
	if !found {
		return false
	}
	for { // backwards, since only the end of the run is known
		there := e.remainder(slot)
		if there <= remainder {
			return there == remainder
		}
		if slot == 0 || slot <= quotient || e.endsRun(slot-1) {
			return false
		}
		slot--
	}
}

// selectRunend is the slot of the t-th end of a run from a slot on.
func (e *quotient) selectRunend(from uint64, t int) (slot uint64, found bool) {
	block, skip := from/blockSlots, from%blockSlots
	for ; block < e.blocks; block++ {
		ends := e.runends(block) >> skip << skip
		if n := bits.OnesCount64(ends); n < t {
			t -= n
			skip = 0
			continue
		}
		for ; t > 1; t-- {
			ends &= ends - 1
		}
		return blockSlots*block + uint64(bits.TrailingZeros64(ends)), true
	}
	return 0, false
}

// check walks through all runs in order: the same fingerprints are the same bytes, so everything else must be empty.
func (e *quotient) check() error {
	next, total := uint64(0), uint64(0) // the first slot after all runs so far
	slots := blockSlots * e.blocks
	for block := uint64(0); block < e.blocks; block++ {
		if over := max(next, blockSlots*block) - blockSlots*block; e.offset(block) != over {
			return fmt.Errorf("block %d has the offset %d, not %d", block, e.offset(block), over)
		}
		occupied := e.occupieds(block)
		if block >= e.named && occupied != 0 {
			return fmt.Errorf("block %d is named by no quotient, and occupied", block)
		}
		for ; occupied != 0; occupied &= occupied - 1 {
			begin := max(next, blockSlots*block+uint64(bits.TrailingZeros64(occupied)))
			if err := e.checkEmpty(next, begin); err != nil {
				return err
			}
			for next = begin; ; next++ {
				if next >= slots {
					return errors.New("a run does not end")
				}
				if next > begin && e.remainder(next) < e.remainder(next-1) {
					return fmt.Errorf("remainders descend in slot %d", next)
				}
				total++
				if e.endsRun(next) {
					break
				}
			}
			next++
		}
	}
	if err := e.checkEmpty(next, slots); err != nil {
		return err
	}
	if total != e.Census() {
		return fmt.Errorf("%d fingerprints are said to be there, and %d are", e.Census(), total)
	}
	return nil
}

func (e *quotient) checkEmpty(from, to uint64) error {
	for slot := from; slot < to; slot++ {
		if e.remainder(slot) != 0 || e.endsRun(slot) {
			return fmt.Errorf("slot %d is empty, and has bits set", slot)
		}
	}
	return nil
}
