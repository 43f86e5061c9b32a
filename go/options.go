package seen

// The options for making, opening and saving a filter. Each is of a type that only the functions take where it means
// something.

import (
	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// Option says how a filter is made: [WithHash], [WithOwnHash], [WithSeed], [WithSecret]; [WithProbes] for a [BlockedBloom],
// [WithVariant] for a [Foreign].
type Option interface{ making(*making) }

// OpenOption says how a file is opened: [WithSecret], [WithOwnHash], [WithFormat], [WithRecover]; [WithHash] for a phrozen
// file.
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
}

type opening struct {
	secret  []byte
	format  Format
	hash    hash.ID   // of a file that does not name its own
	own     *hash.Own // of a file whose hash is its user's own
	recover bool
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
