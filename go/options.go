package seen

// The options for making, opening and saving a filter. Each is of a type that only the functions take where it means
// something.

import (
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// Option says how a filter is made: [WithHash], [WithOwnHash], [WithSeed], [WithSecret]; [WithProbes] for a [BlockedBloom]
// and a [BlockedCountingBloom], [WithCounterBits] for both kinds of counters, [WithFingerprintBits] for a [Cuckoo] and a [BinaryFuse],
// [WithArity] and [WithShards] for a [BinaryFuse], [WithGrowth] for a [ScalableBloom], [WithVariant] for a [Foreign].
type Option interface{ making(*making) }

// OpenOption says how a file is opened: [WithSecret], [WithOwnHash], [WithFormat], [WithRecover], [WithMaxBytes]; [WithHash] for a
// phrozen file.
type OpenOption interface{ opening(*opening) }

// SaveOption says how a filter is saved: [WithAlignment], [WithStoredSecret].
type SaveOption interface{ saving(*native.Header) }

type making struct {
	hash    hash.ID
	own     *hash.Own // of that number, if it is a user's
	seed    uint64
	secret  []byte
	probes  uint64
	variant string

	counterBits     uint64
	fingerprintBits uint64
	growth          float64
	tightening      float64
	arity           uint64
	shards          uint64
}

// wishes rejects what a kind does not take. Those that it does are gone from m by then.
func (m *making) wishes() error {
	for _, each := range []struct {
		given bool
		what  string
	}{
		{m.probes != 0, "the probes of this kind follow from its target or its shape"},
		{m.counterBits != 0, "this kind takes no wish for counter-bits, or has a shape that says them"},
		{m.fingerprintBits != 0, "this kind takes no wish for fingerprint-bits, or has a shape that says them"},
		{m.growth != 0 || m.tightening != 0, "this kind does not grow, or has a shape that says how"},
		{m.arity != 0, "this kind takes no wish for an arity"},
		{m.shards != 0, "this kind has no shards"},
	} {
		if each.given {
			return fault.New(fault.InvalidArgument, "%s", each.what)
		}
	}
	return nil
}

type opening struct {
	secret  []byte
	format  Format
	hash    hash.ID   // of a file that does not name its own
	own     *hash.Own // of a file whose hash is its user's own
	recover bool
	most    uint64 // bytes of a file; 0 for any number
}

type makingFunc func(*making)

func (f makingFunc) making(m *making) { f(m) }

// HashOption is what [WithHash] and [WithOwnHash] return: an option for making and for opening.
type HashOption struct {
	hash hash.ID
	own  *hash.Own
}

// WithHash chooses the hash of a new filter; a SipHash needs [WithSecret] too. A native file names its own hash. A phrozen
// file does not: for it, this option says which hash its user had chosen.
func WithHash(h Hash) HashOption { return HashOption{hash: hash.ID(h)} }

// WithOwnHash is a hash function of your own, for making a filter and for opening its file. You choose its number from
// [FirstOwnHash] up. It makes the digest of a key, with the seed of the filter ([WithSeed], 0 otherwise), which it may ignore.
//
//	filter, err := seen.NewBloom(target, seen.WithOwnHash(0x8001, mine))
//	opened, err := seen.Load("visited.seen", seen.WithOwnHash(0x8001, mine))
//
// The file stores the number, the seed and what the function makes of a fixed sentence. It is opened with a function of the
// same number that makes the same of the sentence; without one, or with another, the error is [ErrWrongHash]. A native file of
// a built-in hash takes no notice of the option, so one function may be offered to every native file. The same function in
// C++ or Rust, by the same number, opens the same files. A phrozen file stores nothing of its hash: for it, this option is
// the function that its user had chosen, and a wrong one loses its keys.
//
// All 64 bits of the digest must be good: a poor function raises the rate of false positives. The function must always make
// the same digest of a key, and must be safe for goroutines if the filter is. It gets a copy of the key, which it must not
// keep; for a key longer than 64 KiB the copy allocates. It has no secret: for keys that strangers choose, take a SipHash.
func WithOwnHash(number Hash, sum func(key []byte, seed uint64) uint64) HashOption {
	return HashOption{hash.ID(number), hash.NewOwn(hash.ID(number), sum)}
}

func (o HashOption) making(m *making)   { m.hash, m.own = o.hash, o.own }
func (o HashOption) opening(p *opening) { p.hash, p.own = o.hash, o.own }

// WithSeed makes another function of the hash, but not a safe one. Filters with different seeds cannot be merged.
func WithSeed(seed uint64) Option { return makingFunc(func(m *making) { m.seed = seed }) }

// WithProbes fixes the bits per key of a [BlockedBloom] for a target: 4, 8 or 16, instead of the number that takes the
// fewest bits.
func WithProbes(probes int) Option {
	return makingFunc(func(m *making) { m.probes = uint64(max(probes, 1)) })
}

// WithCounterBits fixes the bits of a counter for a target: 2, 4, 8 or 16 of a [CountingBloom], 4 or 8 of a [BlockedCountingBloom].
func WithCounterBits(bits int) Option {
	return makingFunc(func(m *making) { m.counterBits = uint64(max(bits, 1)) })
}

// WithFingerprintBits fixes the bits of a fingerprint: of a [Cuckoo] for a target 8, 10, 12, 13, 14, 16, 17, 24 or 32, of a [BinaryFuse]
// 8, 16 or 32.
func WithFingerprintBits(bits int) Option {
	return makingFunc(func(m *making) { m.fingerprintBits = uint64(max(bits, 1)) })
}

// WithGrowth says how the links of a [ScalableBloom] for a target follow one another: the capacity of each is so many times that of the one
// before (above 1, up to 65536; 2 unless said), and its rate is that of the one before, tightened (times a number between 0 and 1; 0.5
// unless said). A 0 is the usual one.
func WithGrowth(growth, tightening float64) Option {
	return makingFunc(func(m *making) { m.growth, m.tightening = growth, tightening })
}

// WithArity is how many slots a key of a [BinaryFuse] has: 3, or 4, which takes 4 to 5 % less space and one more cache miss.
func WithArity(slots int) Option {
	return makingFunc(func(m *making) { m.arity = uint64(max(slots, 1)) })
}

// WithShards is into how many parts a [BinaryFuse] is divided, a power of two. Unless said it is one below 2^23 keys, and then as many as
// have 2^19 to 2^20 keys each.
func WithShards(shards int) Option {
	return makingFunc(func(m *making) { m.shards = uint64(max(shards, 1)) })
}

// WithVariant chooses the encoding of a [Foreign] of bits-and-blooms: "binary", "json", "gob", "binary-le", "gob-le",
// "json-le", "json-std", "json-std-le".
func WithVariant(variant string) Option { return makingFunc(func(m *making) { m.variant = variant }) }

// SecretOption is what [WithSecret] returns: an option for making and for opening.
type SecretOption struct{ secret Secret }

// WithSecret gives a keyed filter its secret, when it is made and when its file is opened. A filter made with a secret and
// without [WithHash] has SipHash13. The secret stays out of files unless [WithStoredSecret] asks for it.
func WithSecret(secret Secret) SecretOption { return SecretOption{secret} }

func (o SecretOption) making(m *making)   { m.secret = o.secret[:] }
func (o SecretOption) opening(p *opening) { p.secret = o.secret[:] }

// within is an error for a file with more bytes than it may have.
func (o *opening) within(bytes uint64) error {
	if o.most != 0 && bytes > o.most {
		return fault.New(ErrTooLarge, "a file of %d bytes; at most %d are wanted", bytes, o.most)
	}
	return nil
}

func makingOf(options []Option) (m making) {
	for _, o := range options {
		o.making(&m)
	}
	return m
}

// hasher is the hash that was asked for, or the default.
func (m making) hasher() (hash.Hasher, error) {
	if m.variant != "" {
		return hash.Hasher{}, fault.New(fault.InvalidArgument, "a native filter has no variants")
	}
	if m.own != nil {
		return m.own.Hasher(m.seed, m.secret)
	}
	id := m.hash
	if id == 0 {
		id = hash.DefaultID
		if m.secret != nil {
			id = hash.SipHash13ID
		}
	}
	if id.Keyed() && m.secret == nil {
		return hash.Hasher{}, fault.New(ErrSecretRequired, "%v takes a secret (WithSecret)", id)
	}
	return hash.New(id, m.seed, m.secret)
}

type formatOption Format

func (o formatOption) opening(p *opening) { p.format = Format(o) }

// WithFormat names the format of a file whose bytes do not prove it: files of other libraries have no magic.
func WithFormat(f Format) OpenOption { return formatOption(f) }

type recoverOption struct{}

func (recoverOption) opening(p *opening) { p.recover = true }

// WithRecover opens a native file even if a program that wrote to it in place ended before it sealed it ([ErrUnsealed]).
// Every key that was synced is in it. Only the header, the lengths and the rules of the kind are checked, since no checksum
// covers the bits. Save writes a sealed file again. A sealed file is checked as usual.
func WithRecover() OpenOption { return recoverOption{} }

type mostOption uint64

func (m mostOption) opening(p *opening) { p.most = max(uint64(m), 1) }

// WithMaxBytes is the most bytes that a file may have. A larger one is [ErrTooLarge], before any more of it is read.
func WithMaxBytes(bytes uint64) OpenOption { return mostOption(bytes) }

type savingFunc func(*native.Header)

func (f savingFunc) saving(h *native.Header) { f(h) }

// WithAlignment begins the bits at a multiple of 64 bytes in the file, which is the default, or of 4096, so that whole pages
// can be mapped.
func WithAlignment(bytes int) SaveOption {
	return savingFunc(func(h *native.Header) { h.Alignment = uint64(max(bytes, 1)) })
}

// WithStoredSecret writes the secret of a keyed filter to its file. Whoever reads the file can then forge keys.
func WithStoredSecret() SaveOption { return storedSecret{} }

type storedSecret struct{}

func (storedSecret) saving(h *native.Header) { h.Secret = []byte{} }
