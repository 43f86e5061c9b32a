package seen

// The options for making, opening and saving a filter. Each is of a type that only the functions take where it means
// something.

import (
	"seen/internal/fault"
	"seen/internal/hash"
	"seen/internal/native"
)

// Option says how a filter is made: [WithHash], [WithSeed], [WithSecret]; [WithProbes] for a [BlockedBloom], [WithVariant] for a
// [Foreign].
type Option interface{ making(*making) }

// OpenOption says how a file is opened: [WithSecret], [WithFormat], [WithRecover]; [WithHash] for a phrozen file.
type OpenOption interface{ opening(*opening) }

// SaveOption says how a filter is saved: [WithAlignment], [WithStoredSecret].
type SaveOption interface{ saving(*native.Header) }

type making struct {
	hash    hash.ID
	seed    uint64
	secret  []byte
	probes  uint64
	variant string
}

type opening struct {
	secret  []byte
	format  Format
	hash    hash.ID // of a file that does not name its own
	recover bool
}

type makingFunc func(*making)

func (f makingFunc) making(m *making) { f(m) }

// HashOption is what [WithHash] returns: an option for making and for opening.
type HashOption struct{ hash hash.ID }

// WithHash chooses the hash of a new filter; a SipHash needs [WithSecret] too. A native file names its own hash. A phrozen
// file does not: for it, this option says which hash its user had chosen.
func WithHash(h Hash) HashOption { return HashOption{hash.ID(h)} }

func (o HashOption) making(m *making)   { m.hash = o.hash }
func (o HashOption) opening(p *opening) { p.hash = o.hash }

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

// hasher is the hash that was asked for, or the default of the kind.
func (m making) hasher(usual hash.ID) (hash.Hasher, error) {
	if m.variant != "" {
		return hash.Hasher{}, fault.New(fault.InvalidArgument, "a native filter has no variants")
	}
	id := m.hash
	if id == 0 {
		id = usual
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
