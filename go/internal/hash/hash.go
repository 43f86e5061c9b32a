// Package hash turns keys into 64-bit digests: the eight hashes that files name and those of users, behind one small value.
//
//	"alice" ──Hasher──► digest ──engine──► answer
//
// A Hasher is copied freely, never allocates, and lets no key escape: a caller's buffer may stay on its stack. The eight
// functions are written here; docs/hashes.md has the numbers, the names and known answers, which never change.
package hash

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/murmur3"
)

// ID is the number of a hash in files. Numbers from FirstOwnID up belong to users.
type ID uint16

// The hashes that files name.
const (
	XXH3ID       ID = 1
	XXH64ID      ID = 2
	Murmur3ID    ID = 3
	FNV1aID      ID = 4
	FNV1aMixedID ID = 5
	SipHash24ID  ID = 6
	SipHash13ID  ID = 7
	XXH3FoldID   ID = 8
)

// DefaultID is the hash of a filter whose user names none.
const DefaultID = XXH3FoldID

// names are those of docs/hashes.md, by number.
var names = [...]string{"", "xxh3-64", "xxh64", "murmur3-x64-128", "fnv1a-64", "fnv1a-64-splitmix", "siphash-2-4", "siphash-1-3", "xxh3-fold"}

// Known says whether a hash of this number is written here.
func (id ID) Known() bool { return id >= XXH3ID && id <= XXH3FoldID }

// Keyed says whether the hash takes a secret instead of a seed.
func (id ID) Keyed() bool { return id == SipHash24ID || id == SipHash13ID }

// String is the name of the hash, or its number if it is not known here.
func (id ID) String() string {
	if id.Known() {
		return names[id]
	}
	return fmt.Sprintf("hash %#x", uint16(id))
}

// Parse finds a hash by its name.
func Parse(name string) (ID, bool) {
	for i, each := range names {
		if each == name && i > 0 {
			return ID(i), true
		}
	}
	return 0, false
}

// SecretBytes is the length of the secret of a keyed hash.
const SecretBytes = 16

// RandomSecret is a new secret from the system.
func RandomSecret() ([SecretBytes]byte, error) {
	var secret [SecretBytes]byte
	_, err := rand.Read(secret[:])
	return secret, err
}

// ErrZero: the filter is a zero value. Every filter has a hash, so no key gets past a zero Hasher, which panics with this
// error in the last case of the choice among the hashes. The check costs the others nothing.
var ErrZero = errors.New("seen: the filter has no bits: it is a zero value, or another one took them; the New functions make filters")

// Hasher is a hash with its seed or its secret.
type Hasher struct {
	id     ID
	seed   uint64
	folds  bool   // XXH3Fold, which every integer asks first
	flip   uint64 // what its seed does to eight bytes
	k0, k1 uint64 // of a keyed hash, which has no seed
	own    *Own   // of a user's own
}

// New is the hash of this number with a seed, or with a secret if it is keyed.
func New(id ID, seed uint64, secret []byte) (Hasher, error) {
	switch {
	case id.IsOwn():
		return Hasher{}, fault.New(fault.InvalidArgument, "%v is its user's own, and no function was given for it", id)
	case !id.Known():
		return Hasher{}, fault.New(fault.InvalidArgument, "%v is not one of %v", id, names[1:])
	case id.Keyed() && len(secret) != SecretBytes:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v takes a secret of %d bytes, not of %d", id, SecretBytes, len(secret))
	case !id.Keyed() && secret != nil:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v takes no secret", id)
	case (id.Keyed() || id == FNV1aID || id == FNV1aMixedID) && seed != 0:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v takes no seed, and was given %d", id, seed)
	case id == Murmur3ID && seed > 1<<32-1:
		return Hasher{}, fault.New(fault.InvalidArgument, "%v takes a seed of 32 bits, and was given %d", id, seed)
	case id.Keyed():
		return Hasher{id: id, k0: le64(secret), k1: le64(secret[8:])}, nil
	case id == XXH3FoldID:
		return Hasher{id: id, seed: seed, folds: true, flip: flipOf(seed)}, nil
	}
	return Hasher{id: id, seed: seed}, nil
}

// ID is the number of the hash.
func (h *Hasher) ID() ID { return h.id }

// Seed is the seed, 0 if the hash takes none.
func (h *Hasher) Seed() uint64 { return h.seed }

// Own is the user's function; nil of a hash that is written here.
func (h *Hasher) Own() *Own { return h.own }

// SameAs says whether two hashes make the same digests of all keys. Functions cannot be compared: two of a user's are taken
// for the same if their numbers, seeds and check values are.
func (h *Hasher) SameAs(other *Hasher) bool {
	if h.own == nil || other.own == nil {
		return *h == *other
	}
	return h.id == other.id && h.seed == other.seed && h.Check() == other.Check()
}

// DifferenceTo is how two hashes differ, with both sides in words; empty if they are the same.
func (h *Hasher) DifferenceTo(other *Hasher) string {
	switch {
	case h.SameAs(other):
		return ""
	case h.id != other.id:
		return fmt.Sprintf("hashes differ: %v here, %v there", h.id, other.id)
	case h.seed != other.seed:
		return fmt.Sprintf("seeds differ: %d here, %d there", h.seed, other.seed)
	case h.own != nil:
		return fmt.Sprintf("the check values of %v differ: %016x here, %016x there", h.id, h.Check(), other.Check())
	}
	return "secrets differ"
}

// Check is the hash of a fixed text. It is stored in files, so that another seed, secret or implementation is noticed. The
// text alone would not tell XXH3Fold from XXH3: its first eight characters take the other path.
func (h *Hasher) Check() uint64 {
	const text = "have I seen this before?"
	check := h.SumString(text)
	if h.id == XXH3FoldID {
		check ^= h.SumString(text[:8])
	}
	return check
}

// Sum is the digest of a key.
func (h *Hasher) Sum(key []byte) uint64 {
	if len(key) == 8 {
		return h.SumUint64(le64(key))
	}
	if h.id == XXH3FoldID || h.id == XXH3ID {
		return XXH3(key, h.seed)
	}
	return h.sumOther(key)
}

// SumString is the digest of a text, which is its bytes.
func (h *Hasher) SumString(key string) uint64 {
	return h.Sum(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// SumUint64 is the digest of an integer: of its eight little-endian bytes. The default hash stands here, in so few words that
// the compiler inlines it into every method of an integer. The compiler's budget for that is used up.
func (h *Hasher) SumUint64(key uint64) (digest uint64) {
	if h.folds {
		digest, key = bits.Mul64(key^h.flip, golden)
		return (digest ^ key) * multiplier
	}
	return h.sumOtherUint64(key)
}

func (h *Hasher) sumOtherUint64(key uint64) uint64 {
	if h.id == XXH3ID {
		return xxh3Word(key, h.seed)
	}
	var bytes [8]byte
	binary.LittleEndian.PutUint64(bytes[:], key)
	return h.sumOther(bytes[:])
}

// Key is what a batch of keys consists of.
type Key interface{ []byte | string | uint64 }

// Sums are the digests of some keys, at the beginning of digests. What they are is found out once for all of them: a function
// for each type, passed as a value, would be an indirect call per key.
func Sums[K Key](h *Hasher, keys []K, digests []uint64) {
	digests = digests[:len(keys)]
	switch keys := any(keys).(type) {
	case []uint64:
		for i, key := range keys {
			digests[i] = h.SumUint64(key)
		}
	case []string:
		for i, key := range keys {
			digests[i] = h.SumString(key)
		}
	case [][]byte:
		for i, key := range keys {
			digests[i] = h.Sum(key)
		}
	}
}

func (h *Hasher) sumOther(key []byte) uint64 {
	switch h.id {
	case XXH64ID:
		return XXH64(key, h.seed)
	case Murmur3ID:
		sum, _ := murmur3.Sum128Seed(key, uint32(h.seed))
		return sum
	case FNV1aID:
		return FNV1a(key)
	case FNV1aMixedID:
		return FNV1aMixed(key)
	case SipHash24ID:
		return SipHash(key, h.k0, h.k1, 2, 4)
	case SipHash13ID:
		return SipHash(key, h.k0, h.k1, 1, 3)
	}
	if h.own != nil {
		return h.own.sum(key, h.seed)
	}
	panic(ErrZero)
}
