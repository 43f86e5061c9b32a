package interop

// How much a file's bytes prove: the odds that a file of anything else has them by accident. A byte whose value is fixed by
// the format counts for as many bits as that value is improbable in this file. So a 0 counts for much in a full filter, and
// for nothing in one of few keys, which is made of zeros. The command and every language weigh alike
// (docs/formats/README.md).

import (
	"math"
	"math/bits"
	"slices"
)

// Detection is how surely bytes are a file of a format.
type Detection uint8

// A file is opened without a name if one format finds it likely or certain, and no other finds it so much as fitting.
const (
	No      Detection = iota
	Fitting           // a few small numbers agree with the length, as those of anybody's header might
	Likely            // the same, with odds of less than one in 2^24 that another filter's content looks so: a guess
	Certain           // more than that: a number said twice, and odds of less than one in 2^32
)

const (
	likelyBits  = 24
	certainBits = 32
	pieceBytes  = 4096 // of a large file so many pieces are looked at
	pieces      = 16
	enoughBytes = 64 // the rest of a file tells how full it is if it has so many
	prior       = 4  // zeros that are counted beside those of the rest: few bytes allow no conclusion
)

type evidence struct {
	data  []byte
	fixed []span
}

type span struct{ begin, end int }

// fix counts bytes whose values are fixed if the file is what it is taken for.
func (e *evidence) fix(offset, count int) *evidence {
	e.fixed = append(e.fixed, span{offset, offset + count})
	return e
}

type shares struct{ bytes, zeros, ones, set int }

// count looks at the bytes of a piece, but for those that are fixed.
func (e *evidence) count(s *shares, begin, end int) {
	for at := begin; at < end; at++ {
		if slices.ContainsFunc(e.fixed, func(f span) bool { return at >= f.begin && at < f.end }) {
			continue
		}
		b := e.data[at]
		s.bytes++
		s.set += bits.OnesCount8(b)
		switch b {
		case 0:
			s.zeros++
		case 0xff:
			s.ones++
		}
	}
}

// rest is the bytes of the file that speak neither for nor against.
func (e *evidence) rest() (s shares) {
	if len(e.data) <= pieceBytes*pieces {
		e.count(&s, 0, len(e.data))
		return s
	}
	last := len(e.data) - pieceBytes
	for i := range pieces {
		offset := last / (pieces - 1) * i
		if i == pieces-1 {
			offset = last
		}
		e.count(&s, offset, offset+pieceBytes)
	}
	return s
}

// bitsOfByte is of a byte with so many bits set where a share of all bits is.
func bitsOfByte(set int, share float64) float64 {
	return min(8, -(float64(set)*math.Log2(share) + float64(8-set)*math.Log2(1-share)))
}

func (e *evidence) bits() (all float64) {
	r := e.rest()
	n := float64(r.bytes)
	zeros := min(8, -math.Log2((float64(r.zeros)+prior)/(n+prior)))
	fill := (float64(r.set) + 1) / (8*n + 2)
	for _, f := range e.fixed {
		for _, b := range e.data[f.begin:f.end] {
			switch set := bits.OnesCount8(b); {
			case set == 0:
				all += min(zeros, bitsOfByte(0, fill))
			case r.bytes >= enoughBytes:
				all += bitsOfByte(set, fill)
			case set < 8:
				all += bitsOfByte(set, float64(set)/8)
			case r.ones == 0:
				all += 8
			}
		}
	}
	return all
}

func (e *evidence) weigh(best Detection) Detection {
	switch all := e.bits(); {
	case all >= certainBits:
		return min(best, Certain)
	case all >= likelyBits:
		return min(best, Likely)
	}
	return Fitting
}
