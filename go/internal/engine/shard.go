package engine

// The static kinds share this: the digest chooses one of S shards by its high bits, a shard has a seed, and the digest
// times an odd number of that seed gives all else. Xor and binary fuse filters are tables of fingerprints, some of which,
// exclusive-ored, are that of the key. [Graf & Lemire 2020, "Xor Filters"; 2022, "Binary Fuse Filters"]

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

// seedStep is what one seed differs from the next by.
const seedStep = 0x9e3779b97f4a7c14

type shards struct {
	words []uint64
	keys  uint64
	count uint64
	seeds uint64 // byte at which the seeds begin
}

// openShards checks what all static kinds have in common: tables of a given length, and the seeds behind them.
func openShards(segment []uint64, keys, count, tables uint64) (shards, error) {
	s := shards{words: segment, keys: keys, count: count, seeds: tables}
	if err := checkLength(segment, max(roundUp(tables+count, 64), 64)); err != nil {
		return s, err
	}
	if !words.ZeroFrom(segment, 8*(tables+count)) {
		return s, errPadding
	}
	return s, nil
}

func checkShards(keys, count uint64) error {
	if err := sizing.CheckShards(count); err != nil {
		return err
	}
	if (keys == 0) != (count == 0) {
		return fmt.Errorf("%d keys in %d shards; both are 0, or neither is", keys, count)
	}
	return nil
}

func (s *shards) Census() uint64 { return s.keys }

// shard is the shard of a digest and the odd number that its seed makes.
func (s *shards) shard(digest uint64) (shard, multiplier uint64) {
	shard, _ = bits.Mul64(digest, s.count)
	return shard, chain + words.Bits(s.words, 8*(s.seeds+shard), 8)*seedStep
}

// place chooses one of so many places of a shard by the digest's bits below those that chose the shard.
func (s *shards) place(digest, shard, places uint64) uint64 {
	at, _ := bits.Mul64(digest, places*s.count)
	return at - places*shard
}

// table is slots of fingerprints of 8, 16 or 32 bits, the same number per shard.
type table struct {
	shards
	width uint
	slots uint64
}

func openTable(segment []uint64, keys, width, count, slots uint64) (table, error) {
	t := table{width: uint(width), slots: slots}
	if !slices.Contains(sizing.SlotWidths, width) {
		return t, fmt.Errorf("fingerprint-bits is %d; it must be 8, 16 or 32", width)
	}
	if err := checkShards(keys, count); err != nil {
		return t, err
	}
	if (count == 0) != (slots == 0) || slots > sizing.MaxShardSlots {
		return t, fmt.Errorf("%d shards of %d slots", count, slots)
	}
	if count*slots > sizing.MaxBits/width || keys > count*slots {
		return t, fmt.Errorf("%d keys in %d shards of %d slots of %d bits", keys, count, slots, width)
	}
	s, err := openShards(segment, keys, count, count*slots*width/8)
	t.shards = s
	return t, err
}

func (t *table) slot(shard, at uint64) uint64 {
	return words.Bits(t.words, (shard*t.slots+at)*uint64(t.width), t.width)
}

// xor is index rule 13: one slot in each of three blocks.
type xor struct {
	table
	block uint64
}

func openXor(shape, segment []uint64) (*xor, error) {
	if err := count(shape, 4); err != nil {
		return nil, err
	}
	block := shape[3]
	if block > sizing.MaxShardSlots/3 {
		return nil, fmt.Errorf("block-length is %d; three make a shard of fewer than 2^32 slots", block)
	}
	t, err := openTable(segment, shape[0], shape[1], shape[2], 3*block)
	return &xor{table: t, block: block}, err
}

func (e *xor) MayContain(digest uint64) bool {
	if e.count == 0 {
		return false
	}
	shard, multiplier := e.shard(digest)
	z, y := bits.Mul64(digest, multiplier)
	second, _ := bits.Mul64(y, e.block)
	third, _ := bits.Mul64(z<<32|y>>32, e.block)
	sum := e.slot(shard, e.place(digest, shard, e.block)) ^ e.slot(shard, e.block+second) ^ e.slot(shard, 2*e.block+third)
	return sum == z&words.Mask(e.width)
}
