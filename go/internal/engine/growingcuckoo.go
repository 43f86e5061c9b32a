package engine

// Growing cuckoo filters: a chain of tables whose buckets are the same and whose fingerprints get longer.

import (
	"errors"
	"fmt"
	"math"

	"github.com/seenfilter/seen/go/internal/sizing"
)

type growingCuckoo []*Cuckoo

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
		link.divide(copies)
		if i > 0 {
			link.drop = link.width - all[0].width
		}
		all = append(all, link)
	}
	return all, nil
}

// linkWidth is the shortest fingerprint that keeps the share of the rate that link i has.
func linkWidth(fpr float64, i int) uint64 {
	for _, width := range sizing.CuckooWidths {
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
