package engine

// Cuckoo filters: a fingerprint of w bits in one of two buckets of four slots, the second found from the first and the
// fingerprint alone. A growing one is a chain of tables whose buckets are the same and whose fingerprints get longer.
// [Fan, Andersen, Kaminsky & Mitzenmacher 2014, "Cuckoo Filter: Practically Better Than Bloom"]

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"seen/internal/sizing"
	"seen/internal/words"
)

var cuckooWidths = []uint64{8, 10, 12, 13, 14, 16, 17, 24, 32}

const (
	bucketSlots       = 4
	maxChunkBuckets   = 1 << 24
	maxChunks         = 1 << 26
	fingerprintChoice = 0x9e3779b1
)

type cuckoo struct {
	words  []uint64
	chunk  uint64 // buckets of a chunk
	chunks uint64
	width  uint
	drop   uint // low bits of a fingerprint that do not choose the other bucket: those it has more than link 0's
}

func openCuckoo(shape, segment []uint64) (*cuckoo, error) {
	if err := count(shape, 3); err != nil {
		return nil, err
	}
	n, w, k := shape[0], shape[1], shape[2]
	if !slices.Contains(cuckooWidths, w) {
		return nil, fmt.Errorf("fingerprint-bits is %d; it must be one of %v", w, cuckooWidths)
	}
	if err := within("chunks", k, 1, maxChunks); err != nil {
		return nil, err
	}
	if err := within("buckets", n, 2, sizing.MaxBits/bucketSlots/w); err != nil {
		return nil, err
	}
	b := n / k
	unit := uint64(2)
	if k > 1 {
		unit = 16
	}
	if n%k != 0 || b == 0 || b%unit != 0 || b > maxChunkBuckets {
		return nil, fmt.Errorf("%d buckets in %d chunks, of which each must have a multiple of %d, at most 2^24", n, k, unit)
	}
	if err := checkLength(segment, roundUp(n*w/2+8, 64)); err != nil {
		return nil, err
	}
	if !words.ZeroFrom(segment, n*w*bucketSlots) {
		return nil, errPadding
	}
	return &cuckoo{words: segment, chunk: b, chunks: k, width: uint(w)}, nil
}

func (e *cuckoo) MayContain(digest uint64) bool {
	chunk := digest >> 32 * e.chunks >> 32
	first := digest & 0xffffffff * e.chunk >> 32
	fingerprint := max(digest*chain>>(64-e.width), 1)
	chooser := uint32(max(fingerprint>>e.drop, 1))
	choice := uint64(chooser*chooser*fingerprintChoice>>(33-bits.Len64(e.chunk))) | 1
	other := choice - first
	if first > choice {
		other += e.chunk
	}
	return e.bucketHas(chunk*e.chunk+first, fingerprint) || e.bucketHas(chunk*e.chunk+other, fingerprint)
}

func (e *cuckoo) bucketHas(bucket, fingerprint uint64) bool {
	at := bucket * bucketSlots * uint64(e.width)
	for slot := 0; slot < bucketSlots; slot++ {
		if words.Bits(e.words, at, e.width) == fingerprint {
			return true
		}
		at += uint64(e.width)
	}
	return false
}

func (e *cuckoo) Census() uint64 {
	taken := uint64(0)
	for i := uint64(0); i < e.chunk*e.chunks*bucketSlots; i++ {
		if words.Bits(e.words, i*uint64(e.width), e.width) != 0 {
			taken++
		}
	}
	return taken
}

type growingCuckoo []*cuckoo

func openGrowingCuckoo(parts []segment) (Reader, error) {
	if len(parts) < 2 {
		return nil, errors.New("a chain without links")
	}
	if err := count(parts[0].shape, 2); err != nil {
		return nil, err
	}
	if err := checkLength(parts[0].words, 0); err != nil {
		return nil, err
	}
	capacity, fpr := parts[0].shape[0], math.Float64frombits(parts[0].shape[1])
	if err := within("first-capacity", capacity, 1, sizing.MaxBits); err != nil {
		return nil, err
	}
	if !(fpr > 0 && fpr < 1) || !widthKeeps(32, fpr, 0) {
		return nil, fmt.Errorf("fpr is %v, which is not a rate that fingerprints keep", fpr)
	}
	capacity = max(capacity, 1000)
	buckets := (capacity + (capacity+18)/19 + 13 + 3) / 4
	chunks := max(1, buckets/32768)
	chunk := roundUp((buckets+chunks-1)/chunks, 16)
	var all growingCuckoo
	for i, part := range parts[1:] {
		link, err := openCuckoo(part.shape, part.words)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", i, err)
		}
		if i > 0 {
			chunks = all[i-1].chunks
			if link.chunks == 2*chunks {
				chunks = link.chunks
			}
		}
		if width := linkWidth(fpr, i); link.chunk != chunk || link.chunks != chunks || uint64(link.width) != width {
			return nil, fmt.Errorf("link %d has %d chunks of %d buckets and fingerprints of %d bits, not %d, %d and %d", i, link.chunks, link.chunk, link.width, chunks, chunk, width)
		}
		if i > 0 {
			link.drop = link.width - all[0].width
		}
		all = append(all, link)
	}
	return all, nil
}

// linkWidth is the shortest fingerprint that keeps the share of the rate that link i has.
func linkWidth(fpr float64, i int) uint64 {
	for _, width := range cuckooWidths {
		if widthKeeps(width, fpr, i) {
			return width
		}
	}
	return 32
}

func widthKeeps(width uint64, fpr float64, i int) bool {
	q := math.Ldexp(1, -int(width))
	return 8*q*(1+2*q) <= math.Ldexp(fpr, -(i+1))
}

func (l growingCuckoo) MayContain(digest uint64) bool {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].MayContain(digest) {
			return true
		}
	}
	return false
}

func (l growingCuckoo) Census() uint64 {
	total := uint64(0)
	for _, link := range l {
		total += link.Census()
	}
	return total
}
