package hash

// A hash that is not written here: its user's own, known by a number and by what it makes of a fixed text.
//
//	key ──copied──► scratch ──user's function──► digest
//
// The user's function gets a copy of the key. A function that the compiler does not see could keep its argument, so every key
// that might be passed to it would have to live on the heap, those of the hashes above too; and it could write to the bytes of
// a text. The copy comes from a pool, so no key of up to 64 KiB allocates, and a function that keeps it spoils nothing but its
// own digests.

import (
	"sync"

	"github.com/seenfilter/seen/go/internal/fault"
)

// FirstOwnID is the first number that belongs to users.
const FirstOwnID ID = 0x8000

// IsOwn says whether a hash of this number is its user's own.
func (id ID) IsOwn() bool { return id >= FirstOwnID }

// Sum is a user's function from a key and a seed to a digest.
type Sum = func(key []byte, seed uint64) uint64

// Own is a user's hash function.
type Own struct {
	id    ID
	given bool
	pool  sync.Pool // of *worker
}

// worker hashes one key at a time.
type worker struct {
	key []byte
	sum Sum
}

// The copies of longer keys are not kept.
const mostScratch = 1 << 16

// NewOwn is a user's function. It is called by several goroutines at once.
func NewOwn(id ID, sum Sum) *Own {
	own := OwnOf(id, func() Sum { return sum })
	own.given = sum != nil
	return own
}

// OwnOf is a user's function that has a state: each call of more makes one that is used for one key at a time.
func OwnOf(id ID, more func() Sum) *Own {
	own := &Own{id: id, given: true}
	own.pool.New = func() any { return &worker{key: make([]byte, 0, 64), sum: more()} }
	return own
}

// ID is the number of the function.
func (o *Own) ID() ID { return o.id }

// Hasher is the function with a seed.
func (o *Own) Hasher(seed uint64, secret []byte) (Hasher, error) {
	switch {
	case !o.id.IsOwn():
		return Hasher{}, fault.New(fault.InvalidArgument, "a hash of your own has a number from %#x up, not %#x", uint16(FirstOwnID), uint16(o.id))
	case !o.given:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v is your own, and its function is nil", o.id)
	case secret != nil:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v is your own, and takes no secret", o.id)
	}
	return Hasher{id: o.id, seed: seed, own: o}, nil
}

func (o *Own) sum(key []byte, seed uint64) uint64 {
	w := o.pool.Get().(*worker)
	w.key = append(w.key[:0], key...)
	digest := w.sum(w.key, seed)
	if len(key) > mostScratch {
		w.key = nil
	}
	o.pool.Put(w)
	return digest
}
