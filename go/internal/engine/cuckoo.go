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

	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

var cuckooWidths = []uint64{8, 10, 12, 13, 14, 16, 17, 24, 32}

const (
	bucketSlots       = 4
	maxChunkBuckets   = 1 << 24
	maxChunks         = 1 << 26
	fingerprintChoice = 0x9e3779b1
)

type cuckoo struct {
	words   []uint64
	buckets uint64 // of all copies together
	chunks  uint64
	copies  uint64 // of link 0, a power of two; 1 but in a chain
	width   uint
	drop    uint // low bits of a fingerprint that do not choose the other bucket: those it has more than link 0's
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
	// The chunks have 2^s buckets each, but the last, which has what is left: less than twice as many.
	if n%2 != 0 || n/k > maxChunkBuckets || k > 1 && n/k < 16 || n>>(bits.Len64(n/k)-1) != k {
		return nil, fmt.Errorf("%d buckets are not an even number, or cannot be %d chunks of 2^4 to 2^24", n, k)
	}
	if err := checkLength(segment, roundUp(n*w/2+8, 64)); err != nil {
		return nil, err
	}
	if !words.ZeroFrom(segment, n*w*bucketSlots) {
		return nil, errPadding
	}
	return &cuckoo{words: segment, buckets: n, chunks: k, copies: 1, width: uint(w)}, nil
}

func (e *cuckoo) MayContain(digest uint64) bool {
	x := digest + digest<<32
	each := e.buckets / e.copies
	copied := (x ^ x>>35) & (e.copies - 1) * each
	first, fraction := bits.Mul64(x, each)
	fingerprint := max(fraction>>(64-e.width), 1)
	log := bits.Len64(e.buckets/e.chunks) - 1
	last := (e.chunks/e.copies - 1) << log
	start, size := first>>log<<log, uint64(1)<<log
	if first >= last {
		start, size = last, each-last
	}
	product := uint32(max(fingerprint>>e.drop, 1)) * fingerprintChoice
	choice := uint64((product^bits.RotateLeft32(product, -13))>>(32-log)) | 1
	other := choice - (first - start)
	if first-start > choice {
		other += size
	}
	return e.bucketHas(copied+first, fingerprint) || e.bucketHas(copied+start+other, fingerprint)
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
	for i := uint64(0); i < e.buckets*bucketSlots; i++ {
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
	each := roundUp((capacity+(capacity+18)/19+13+3)/4, 16)
	chunks := max(1, each/32768)
	copies := uint64(1)
	var all growingCuckoo
	for i, part := range parts[1:] {
		link, err := openCuckoo(part.shape, part.words)
		if err != nil {
			return nil, fmt.Errorf("link %d: %w", i, err)
		}
		if i > 0 && link.chunks == 2*copies*chunks {
			copies *= 2
		}
		if width := linkWidth(fpr, i); link.buckets != copies*each || link.chunks != copies*chunks || uint64(link.width) != width {
			return nil, fmt.Errorf("link %d has %d buckets in %d chunks and fingerprints of %d bits, not %d, %d and %d", i, link.buckets, link.chunks, link.width, copies*each, copies*chunks, width)
		}
		link.copies = copies
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
