// Package seen answers "have I seen this before?" in a few nanoseconds and a few bits per key, and is never wrong when it
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
// Begin with [Bloom]: it takes the fewest bits of the kinds that keys can be added to without end, and is fast while it fits the
// processor's cache. [BlockedBloom] touches one cache line per key, and is faster in filters larger than the cache.
// [SplitBlock] is what Apache Parquet reads. [ConcurrentBloom] and [ConcurrentBlockedBloom] take keys from several
// goroutines at once.
//
// Where keys come and go there are [Cuckoo], which can be full, and the counters of [CountingBloom] and [BlockedCountingBloom].
// [ScalableBloom] and [ScalableClassicBloom] grow with their keys. [BinaryFuse] is built once from all its keys ([BuildBinaryFuse]).
//
// All other kinds of seen's files (partitioned, forgetting; growing cuckoo and quotient filters; xor, ribbon) are read and
// asked: [Load] and [Map] return a [Filter] for any file.
//
// The New functions make filters. A zero value has no bits and is good for UnmarshalBinary, UnmarshalText and ReadFrom only;
// IntoConcurrent and IntoPlain leave one behind. Its methods that return an error return one that says so, and all others panic with that
// error, so no added key is lost in silence. Printing it ("no filter") and comparing it work. Methods of a nil pointer
// panic.
//
// # Methods
//
// The kinds share their methods, which this package writes once for all of them:
//
//   - one key: [Bloom.Add], [Bloom.MayContain], [Bloom.TestAndAdd], [Bloom.TestOrAdd]. Each has a form for texts
//     ([Bloom.AddString]) and two for integers ([Bloom.AddUint64], [Bloom.AddInt64])
//   - many keys: [Bloom.AddMany], [Bloom.AddStrings], [Bloom.AddUint64s]; [Bloom.AddSeq], [Bloom.AddStringSeq], [Bloom.AddUint64Seq];
//     [Bloom.MayContainMany], [Bloom.MayContainStrings], [Bloom.MayContainUint64s]
//   - two filters: [Bloom.Merge], [Bloom.Intersect], [Bloom.United], [Bloom.Intersected], [Bloom.Equal]; of any kind: [Mergeable]
//   - keys that go, and how often they came: [Cuckoo.Remove], [Cuckoo.Count]
//   - the whole filter: [Bloom.Clear], [Bloom.Clone], [Bloom.IntoConcurrent]; [ConcurrentBloom.Snapshot],
//     [ConcurrentBloom.IntoPlain]
//   - what it is: [Bloom.Shape], [Bloom.Target], [Bloom.Hash], [Bloom.Seed], [Bloom.Metadata], [Bloom.Info]
//   - how full it is: [Bloom.Fill], [Bloom.EstimatedCount], [Bloom.EstimatedFPR], [Bloom.Saturated],
//     [Bloom.Health]
//   - files: [Bloom.Save], [Bloom.WriteTo], [Bloom.Encode], [Bloom.ReadFrom], [Bloom.MarshalBinary], [Bloom.UnmarshalBinary]
//   - texts, such as JSON: [Bloom.MarshalText], [Bloom.UnmarshalText]
//
// Kinds that may have no room for a key ([Cuckoo], [ScalableBloom], [ScalableClassicBloom]) return an error from what adds.
//
// # Keys
//
// A key is bytes, a text (its bytes), or an integer (its 64-bit value as 8 little-endian bytes, so that AddInt64(-1) and
// AddUint64(1<<64-1) are one key). An empty key is a key. A key is hashed to a 64-bit digest. The hash and its seed are
// part of the filter: they are stored in its file and compared when filters are merged. [WithOwnHash] brings a hash of your
// own. No method of a single key allocates.
//
// # Files
//
// Files are those of the C++ library and its other languages, byte for byte: the same keys, shape and seed make the
// same file everywhere. Sizes are computed to the same integers. Opening any bytes returns an error or a safe filter. Files
// of bits-and-blooms, phrozen and the portable format are read, added to and written as [Foreign].
//
// # Goroutines
//
// A plain filter is like a map: it may have many readers, or one writer. The concurrent kinds can be asked and added to
// from any goroutine. A lookup sees every add that happens before it, in the sense of Go's memory model.
package seen

import (
	"errors"

	"github.com/seenfilter/seen/go/internal/engine"
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// The classes of errors, for errors.Is. The sentence of an error says where and why. Errors of the system are those of
// package os.
var (
	// ErrInvalidArgument: an argument is outside its range, or does not go with the others.
	ErrInvalidArgument = fault.InvalidArgument
	// ErrTooLarge: the arguments are valid, but no filter of the kind is that large.
	ErrTooLarge = fault.TooLarge
	// ErrNoMemory: this machine does not have that much memory.
	ErrNoMemory = fault.NoMemory
	// ErrNotRecognised: the bytes are not a file of a known format, or could be of several.
	ErrNotRecognised = native.ErrNotRecognised
	// ErrCorrupt: the file is damaged, is truncated or contradicts itself.
	ErrCorrupt = native.ErrCorrupt
	// ErrNewerVersion: only a newer release understands the file.
	ErrNewerVersion = native.ErrNewerVersion
	// ErrUnsealed: a program that was writing to the file in place ended before it sealed it. [WithRecover] opens it.
	ErrUnsealed = native.ErrUnsealed
	// ErrSecretRequired: a keyed file was opened without its secret.
	ErrSecretRequired = native.ErrSecretRequired
	// ErrWrongHash: the file was made with another hash function, seed, key encoding or secret.
	ErrWrongHash = native.ErrWrongHash
	// ErrWrongSecret: a keyed file was opened with a secret other than its own. It is an ErrWrongHash too.
	ErrWrongSecret = native.ErrWrongSecret
	// ErrWrongKind: the bytes are of another kind than the filter that is to hold them.
	ErrWrongKind = errors.New("another kind of filter")
	// ErrUnsupported: the format has no such operation.
	ErrUnsupported = errors.New("the format has no such operation")
	// ErrFull: there is no room for the key, and nothing has changed.
	ErrFull = errors.New("the filter is full")
	// ErrIncompatible: the filters cannot be combined, since their shapes, hashes or seeds differ.
	ErrIncompatible = errors.New("the filters cannot be combined")
)

// Target is what a filter is made for: a number of keys, and a rate of false positives. Twice the keys turn a rate of 1 %
// into 15.7 %.
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

// The hashes. XXH3Fold is the default of all kinds: XXH3 but for keys of eight bytes, integers among them, which take one
// folded product. XXH64 makes the bits of Apache Parquet in a [SplitBlock]. The SipHashes are for keys that strangers
// choose, and take a secret ([WithSecret]). FNV1a serves to read the filters of others: its digests are poor.
const (
	XXH3Fold      Hash = Hash(hash.XXH3FoldID)
	XXH3          Hash = Hash(hash.XXH3ID)
	XXH64         Hash = Hash(hash.XXH64ID)
	Murmur3       Hash = Hash(hash.Murmur3ID)
	FNV1a         Hash = Hash(hash.FNV1aID)
	FNV1aSplitMix Hash = Hash(hash.FNV1aMixedID)
	SipHash24     Hash = Hash(hash.SipHash24ID)
	SipHash13     Hash = Hash(hash.SipHash13ID)
)

// FirstOwnHash is the first number for hashes of your own ([WithOwnHash]).
const FirstOwnHash Hash = Hash(hash.FirstOwnID)

// String is the name of the hash, the same in every language: "xxh3-fold"; of a hash of your own its number: "hash 0x8001".
func (h Hash) String() string { return hash.ID(h).String() }

// ParseHash finds a hash by its name.
func ParseHash(name string) (Hash, error) {
	id, known := hash.Parse(name)
	if !known {
		return 0, fault.New(fault.InvalidArgument, "%s is not the name of a hash", name)
	}
	return Hash(id), nil
}

// Secret is the 16 bytes of a keyed hash. Nobody can predict a digest without it, so nobody can fill a filter on purpose, or
// find the keys that it wrongly says "maybe" to. Package fmt prints it as "secret", with every verb; secret[:] is its bytes.
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

// Info describes a filter or a file.
type Info struct {
	Format   string  // "native", "bits-and-blooms", …
	Kind     Kind    // 0 in formats other than native
	Hash     Hash    // from FirstOwnHash up: a hash of the user's own
	Keyed    bool    // the hash has a secret
	Seed     uint64  // 0 if the hash takes none
	Capacity uint64  // keys asked for; 0 if unknown
	FPR      float64 // rate asked for; 0 if unknown
	Shape    []Field // a real number as its IEEE-754 bits
	Links    int     // filters in a chain; 0 in kinds without
	Census   uint64  // set bits, or keys if the kind counts them
	Bytes    uint64  // of the filter itself, without header and checksums
	Metadata []byte  // the user's own
}

// Filter is what every kind can do. All types of filters satisfy it.
type Filter interface {
	// MayContain says whether a key may have been added; false is certain.
	MayContain(key []byte) bool
	// MayContainString is MayContain of a text.
	MayContainString(key string) bool
	// MayContainUint64 is MayContain of an integer.
	MayContainUint64(key uint64) bool
	// MayContainInt64 is MayContain of a signed integer.
	MayContainInt64(key int64) bool
	// MayContainMany answers for many keys, in order, and returns how many may be present. It needs as many answers as
	// keys.
	MayContainMany(keys [][]byte, answers []bool) int
	// Info describes the filter.
	Info() Info
}

// Mergeable is a kind whose filters can be united, F being the filter itself: a *Bloom is a Mergeable[*Bloom]. So one function can
// unite the filters of many workers, of whatever kind.
type Mergeable[F any] interface {
	Filter
	// Merge adds all keys of another filter.
	Merge(other F) error
	// United is a new filter with the keys of both.
	United(other F) (F, error)
	// Equal says whether two filters are the same.
	Equal(other F) bool
}
