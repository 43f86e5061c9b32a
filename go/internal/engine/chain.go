package engine

import (
	"errors"
	"fmt"
	"math"
)

// links is a chain, index rules 7 and 12: filters that were added one after another as they filled up. A key may be
// present if it may be in one of them.
type links[T any, E interface {
	*T
	Reader
}] []*T

// maxGrowth and minGrowth bound the factor from a link to the next.
const (
	minGrowth = 1 + 1.0/(1<<32)
	maxGrowth = 65536
)

func openChain[T any, E interface {
	*T
	Reader
}](open func(shape, words []uint64) (E, error), plan func(capacity uint64, fpr float64) error) func([]segment) (Reader, error) {
	return func(parts []segment) (Reader, error) {
		if err := checkChain(parts, plan); err != nil {
			return nil, err
		}
		var all links[T, E]
		for i, part := range parts[1:] {
			link, err := openLink(part, open)
			if err != nil {
				return nil, fmt.Errorf("link %d: %w", i, err)
			}
			all = append(all, link)
		}
		return all, nil
	}
}

// checkChain checks what a chain says of itself; its first link must be one that can be planned.
func checkChain(parts []segment, plan func(capacity uint64, fpr float64) error) error {
	if len(parts) < 2 {
		return errors.New("a chain without links")
	}
	head := parts[0]
	if err := count(head.shape, 4); err != nil {
		return err
	}
	if err := checkLength(head.words, 0); err != nil {
		return err
	}
	fpr, growth, tightening := math.Float64frombits(head.shape[1]), math.Float64frombits(head.shape[2]), math.Float64frombits(head.shape[3])
	switch {
	case head.shape[0] == 0:
		return errors.New("first-capacity is 0; it must be from 1 up")
	case !(fpr > 0 && fpr < 1):
		return fmt.Errorf("fpr is %v; it must be strictly between 0 and 1", fpr)
	case !(growth >= minGrowth && growth <= maxGrowth):
		return fmt.Errorf("growth is %v; it must be from 1 + 2^-32 to 65536", growth)
	case !(tightening > 0 && tightening < 1):
		return fmt.Errorf("tightening is %v; it must be strictly between 0 and 1", tightening)
	}
	return plan(head.shape[0], fpr*(1-tightening))
}

func openLink[E Reader](part segment, open func(shape, words []uint64) (E, error)) (link E, err error) {
	const own = 3
	if len(part.shape) < own {
		return link, fmt.Errorf("a shape of %d numbers is too short", len(part.shape))
	}
	capacity, fpr, keys := part.shape[0], math.Float64frombits(part.shape[1]), part.shape[2]
	if capacity == 0 || keys > capacity {
		return link, fmt.Errorf("%d keys in a link for %d", keys, capacity)
	}
	if !(fpr > 0 && fpr < 1) || fpr < float64(capacity)/(1<<32)/(1<<32) {
		return link, fmt.Errorf("fpr is %v in a link for %d keys", fpr, capacity)
	}
	return open(part.shape[own:], part.words)
}

func (l links[T, E]) MayContain(digest uint64) bool {
	for i := len(l) - 1; i >= 0; i-- { // the newest link is the largest
		if E(l[i]).MayContain(digest) {
			return true
		}
	}
	return false
}

func (l links[T, E]) Census() uint64 {
	total := uint64(0)
	for _, link := range l {
		total += E(link).Census()
	}
	return total
}
