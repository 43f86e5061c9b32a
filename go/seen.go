// Package seen answers "have I seen this before?" in a few nanoseconds and a few bits a key, and is never wrong when it
// says no.
//
//	visited, err := seen.NewBloom(seen.Target{Capacity: 1_000_000, FPR: 0.01})
//	visited.AddString("https://example.org/")
//	if !visited.MayContainString("https://example.com/") { … } // certainly new
//	err = visited.Save("visited.seen")
//	filter, err := seen.Load("visited.seen")
//
// # Kinds
//
// [Bloom] is the smallest that keys can be added to and, while it fits the processor's cache, the kind to begin with;
// [BlockedBloom] touches one cache line a key, and is the faster one in filters larger than the cache; [SplitBlock] is what
// Apache Parquet reads; [ConcurrentBloom] and [ConcurrentBlockedBloom] take keys from several goroutines at once. All other
// kinds of seen's files (counting, growing, forgetting; cuckoo and quotient filters; xor, binary fuse, ribbon) are read
// and asked: [Load] and [Map] give a [Filter] of any file.
//
// The New functions make filters. The zero value of one, which is also what IntoConcurrent and IntoPlain leave behind, has
// no bits and is good for UnmarshalBinary only. A method that returns an error returns one that says so, every other
// panics with it: no key that is added to it gets lost in silence. Only printing it ("no filter") and comparing it work.
// Methods of a nil pointer panic.
//
// # Keys
//
// A key is bytes, a text (its bytes), or an integer (its 64-bit value as 8 little-endian bytes, so that AddInt64(-1) and
// AddUint64(1<<64-1) are one key). An empty key is a key. It is hashed to a 64-bit digest; the hash and its seed are part
// of the filter, stored in its file and compared when filters are merged. Nothing on the way of a key allocates.
//
// # Files
//
// Files are those of the C++ library and its other languages, byte for byte: the same keys, shape and seed make the
// same file everywhere. Sizes are computed to the same integers. Opening any bytes gives an error or a safe filter. Files
// of bits-and-blooms, phrozen and the portable format are read, added to and written as [Foreign].
//
// # Goroutines
//
// A plain filter is like a map: many readers, or one writer. The concurrent kinds can be asked and added to from any
// goroutine; an add that happens before a lookup, in the sense of Go's memory model, is seen by it.
package seen

import (
	"errors"

	"seen/internal/engine"
	"seen/internal/hash"
	"seen/internal/native"
)

// What can be wrong with a file or with two filters that are to be combined. Errors wrap one of these where it applies,
// and say where and why.
var (
	// ErrNotRecognised is of bytes that are no file of a known format, or could be of several.
	ErrNotRecognised = native.ErrNotRecognised
	// ErrCorrupt is of a file that is damaged, truncated or contradicts itself.
	ErrCorrupt = native.ErrCorrupt
	// ErrNewerVersion is of a file that only a newer release understands.
	ErrNewerVersion = native.ErrNewerVersion
	// ErrUnsealed is of a file that a program was writing to in place when it ended: [WithRecover] opens it.
	ErrUnsealed = native.ErrUnsealed
	// ErrSecretRequired is of a keyed file that is opened without its secret.
	ErrSecretRequired = native.ErrSecretRequired
	// ErrWrongHash is of a file made with another hash function, seed, key encoding or secret.
	ErrWrongHash = native.ErrWrongHash
	// ErrWrongSecret is of a keyed file that is opened with another secret than its own; it is an ErrWrongHash.
	ErrWrongSecret = native.ErrWrongSecret
	// ErrIncompatible is of filters that cannot be combined: their shapes, hashes or seeds differ.
	ErrIncompatible = errors.New("the filters cannot be combined")
)

// Target is what a filter is made for: so many keys, at so low a rate of false positives. Twice the keys turn a rate of
// 1 % into 15.7 %.
type Target struct {
	Capacity uint64  // keys, from 1
	FPR      float64 // strictly between 0 and 1
}

// Kind is the structure of a filter. The numbers are those of files.
type Kind uint16

// The kinds of seen's files.
const (
	KindBloom                Kind = Kind(engine.KindBloom)
	KindPartitionedBloom     Kind = Kind(engine.KindPartitionedBloom)
	KindBlockedBloom         Kind = Kind(engine.KindBlockedBloom)
	KindSplitBlock           Kind = Kind(engine.KindSplitBlock)
	KindCountingBloom        Kind = Kind(engine.KindCountingBloom)
	KindBlockedCountingBloom Kind = Kind(engine.KindBlockedCountingBloom)
	KindScalableBloom        Kind = Kind(engine.KindScalableBloom)
	KindCuckoo               Kind = Kind(engine.KindCuckoo)
	KindGrowingCuckoo        Kind = Kind(engine.KindGrowingCuckoo)
	KindQuotient             Kind = Kind(engine.KindQuotient)
	KindWindowedBloom        Kind = Kind(engine.KindWindowedBloom)
	KindScalableClassicBloom Kind = Kind(engine.KindScalableClassicBloom)
	KindXor                  Kind = Kind(engine.KindXor)
	KindBinaryFuse           Kind = Kind(engine.KindBinaryFuse)
	KindRibbon               Kind = Kind(engine.KindRibbon)
)

// String is the name of the kind, the same in every language: "blocked-bloom".
func (k Kind) String() string { return engine.Name(uint16(k)) }

// Hash is a function from keys to digests. The numbers are those of files.
type Hash uint16

// The hashes. XXH3 is the default of all kinds but [SplitBlock], whose is XXH64. The SipHashes are for keys that strangers
// choose, and take a secret ([WithSecret]). FNV1a is there to read the filters of others: its digests are poor.
const (
	XXH3          Hash = Hash(hash.XXH3ID)
	XXH64         Hash = Hash(hash.XXH64ID)
	Murmur3       Hash = Hash(hash.Murmur3ID)
	FNV1a         Hash = Hash(hash.FNV1aID)
	FNV1aSplitMix Hash = Hash(hash.FNV1aMixedID)
	SipHash24     Hash = Hash(hash.SipHash24ID)
	SipHash13     Hash = Hash(hash.SipHash13ID)
)

// String is the name of the hash, the same in every language: "xxh3-64".
func (h Hash) String() string { return hash.ID(h).String() }

// ParseHash finds a hash by its name.
func ParseHash(name string) (Hash, error) {
	id, known := hash.Parse(name)
	if !known {
		return 0, errors.New(name + " is not the name of a hash")
	}
	return Hash(id), nil
}

// Secret is the key of a SipHash. Without it nobody can predict a digest, hence neither fill a filter nor find what it
// wrongly says "maybe" to. Printing one, in whatever way of package fmt, does not show it; secret[:] is its bytes.
type Secret [hash.SecretBytes]byte

// NewSecret is a random secret.
func NewSecret() (Secret, error) {
	secret, err := hash.RandomSecret()
	return secret, err
}

// Field is one number of a shape, with its name: "probes" 7.
type Field struct {
	Name  string
	Value uint64
}

// Info is what a filter or a file says about itself.
type Info struct {
	Format   string  // "native", "bits-and-blooms", …
	Kind     Kind    // of the native format; 0 of others
	Hash     Hash    // from 0x8000 up: its user's own
	Keyed    bool    // the hash has a secret
	Seed     uint64  // 0 where the hash has none
	Capacity uint64  // keys asked for; 0 unknown
	FPR      float64 // rate asked for; 0 unknown
	Shape    []Field // a real number as its IEEE-754 bits
	Links    int     // filters in a chain; 0 of other kinds
	Census   uint64  // set bits, or keys where the kind counts them
	Bytes    uint64  // of the filter itself, without header and checksums
	Metadata []byte  // its user's own
}

// Filter is what every kind can do. [Bloom], [BlockedBloom], [SplitBlock], [View] and [Foreign] satisfy it, and the concurrent
// kinds.
type Filter interface {
	// MayContain says whether a key may have been added; false is certain.
	MayContain(key []byte) bool
	// MayContainString is MayContain of a text.
	MayContainString(key string) bool
	// MayContainUint64 is MayContain of an integer.
	MayContainUint64(key uint64) bool
	// MayContainInt64 is MayContain of a signed integer.
	MayContainInt64(key int64) bool
	// MayContainMany answers for many keys, in order, and returns how many may be present. There must be room for the
	// answers.
	MayContainMany(keys [][]byte, answers []bool) int
	// Info describes the filter.
	Info() Info
}
