// Package native is the container of seen's own files: header, body, page table, and the checksums of all of it.
// docs/formats/native.md is the specification; what the body means is the engines' business.
//
//	0                104                H-40      H            B                   T           end
//	┌────────────────┬─────────┬────────┬─────────┬────────────┬───────────────────┬────────────┐
//	│ identity       │ entries │ zeros  │ trailer │ zeros      │ body              │ page table │
//	└────────────────┴─────────┴────────┴─────────┴────────────┴───────────────────┴────────────┘
//
// Bytes from outside are hostile: every length is checked against the true size before anything of that length is
// allocated, and sums cannot wrap, since each term is bounded first.
package native

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seenfilter/seen/go/internal/hash"
)

// The errors of files. Every error of this package wraps one of these.
var (
	ErrNotRecognised = errors.New("not a seen file")
	ErrCorrupt       = errors.New("the file is corrupt")
	ErrNewerVersion  = errors.New("the file was written by a newer release")
	ErrUnsealed      = errors.New("the file was never sealed")
)

const (
	magic      = "\x8dSEN1\r\n\x1a"
	draftMagic = "\x8dSEN0\r\n\x1a"

	majorVersion = 1
	minorVersion = 0

	identityBytes = 104
	trailerBytes  = 40
	line          = 64

	maxHeaderBytes = 262144
	maxBodyBytes   = 1 << 44
	smallestPage   = 65536
	maxPages       = 1024
	maxSegments    = 256
	maxFields      = 64

	keyEncodingBytes = 1
	hashFlagKeyed    = 1
	mustUnderstand   = 1

	tagSegment  = 1
	tagMetadata = 2
	tagSecret   = 3

	sealed   = "sealed!\n"
	unsealed = "unsealed"
)

// MaxMetadata is the most bytes of metadata a file takes.
const MaxMetadata = 65536

// The alignments that a body may have.
const (
	LineAlignment = 64
	PageAlignment = 4096
)

// Segment is a part of the body and the numbers that describe it.
type Segment struct {
	Offset, Length uint64 // bytes, within the body
	Shape          []uint64
}

// Header is all that a file says before its body.
type Header struct {
	Kind      uint16
	IndexRule uint16
	Hash      hash.ID
	Keyed     bool
	Seed      uint64
	HashCheck uint64
	Capacity  uint64
	FPR       float64
	Segments  []Segment
	Metadata  []byte
	Secret    []byte // nil unless the file holds it

	Census    uint64
	Unsealed  bool   // a file that was opened although neither census nor checksums speak for its body
	Alignment uint64 // of a header that is written; 0 is LineAlignment

	headerBytes, bodyOffset, bodyBytes, pageBytes uint64
	encoding                                      uint16
	tableSum                                      uint64
}

// BodyOffset is where the body begins in the file.
func (h *Header) BodyOffset() uint64 { return h.bodyOffset }

// BodyBytes is the length of the body.
func (h *Header) BodyBytes() uint64 { return h.bodyBytes }

// FileBytes is the length of the whole file.
func (h *Header) FileBytes() uint64 { return h.tableOffset() + 8*h.pages() }

func (h *Header) tableOffset() uint64 { return h.bodyOffset + h.bodyBytes }

func (h *Header) pages() uint64 { return (h.bodyBytes + h.pageBytes - 1) / h.pageBytes }

// Hasher is the hash that the file names, with the secret it holds or, where it holds none, the one that is given. A hash of
// its user's own is the function that is given, and nil where none was. Where the result computes another check value than the
// file's, it is not the hash the filter was made with.
func (h *Header) Hasher(secret []byte, own *hash.Own) (hash.Hasher, error) {
	if h.Secret != nil && secret == nil {
		secret = h.Secret
	}
	if h.Hash.IsOwn() {
		switch {
		case own == nil:
			return hash.Hasher{}, fmt.Errorf("offset 32: the filter was made with %v, its user's own; whoever opens it has to supply the function: %w", h.Hash, ErrWrongHash)
		case own.ID() != h.Hash:
			return hash.Hasher{}, fmt.Errorf("offset 32: the filter was made with %v, not with %v: %w", h.Hash, own.ID(), ErrWrongHash)
		}
	} else if !h.Hash.Known() {
		return hash.Hasher{}, fmt.Errorf("offset 32: hash %d is not known: %w", h.Hash, ErrNewerVersion)
	}
	if h.encoding != keyEncodingBytes {
		return hash.Hasher{}, fmt.Errorf("offset 34: key encoding %d is not known: %w", h.encoding, ErrWrongHash)
	}
	if h.Keyed != h.Hash.Keyed() {
		if h.Hash.IsOwn() {
			return hash.Hasher{}, fmt.Errorf("offset 36: %v has a secret in this file, and the function that was given takes none: %w", h.Hash, ErrWrongHash)
		}
		return hash.Hasher{}, fmt.Errorf("offset 36: keyed is %t, which %v is not: %w", h.Keyed, h.Hash, ErrCorrupt)
	}
	if !h.Keyed {
		secret = nil
	} else if secret == nil {
		return hash.Hasher{}, fmt.Errorf("the filter is keyed with %v: %w", h.Hash, ErrSecretRequired)
	}
	hasher, err := h.named(secret, own)
	if err != nil {
		return hasher, err
	}
	if check := hasher.Check(); check != h.HashCheck {
		switch {
		case h.Keyed:
			return hasher, fmt.Errorf("offset 48: the hash check is %016x, %016x with this secret: %w", h.HashCheck, check, ErrWrongSecret)
		case h.Hash.IsOwn():
			return hasher, fmt.Errorf("offset 48: the hash check is %016x, %016x by the function that was given as %v: %w", h.HashCheck, check, h.Hash, ErrWrongHash)
		}
		return hasher, fmt.Errorf("offset 48: the hash check is %016x, %016x by %v: %w", h.HashCheck, check, h.Hash, ErrWrongHash)
	}
	return hasher, nil
}

// named is the hash of the file's number and seed.
func (h *Header) named(secret []byte, own *hash.Own) (hash.Hasher, error) {
	if h.Hash.IsOwn() {
		return own.Hasher(h.Seed, secret)
	}
	hasher, err := hash.New(h.Hash, h.Seed, secret)
	if err != nil {
		err = fmt.Errorf("offset 40: %v: %w", err, ErrCorrupt)
	}
	return hasher, err
}

// DescribesTheSameAs says whether two headers are of filters whose bits mean the same and lie in the same place of a file.
func (h *Header) DescribesTheSameAs(other *Header) bool {
	return h.Kind == other.Kind && h.HashCheck == other.HashCheck && h.bodyOffset == other.bodyOffset &&
		slices.EqualFunc(h.Segments, other.Segments, func(a, b Segment) bool {
			return a.Length == b.Length && slices.Equal(a.Shape, b.Shape)
		})
}

// The errors of a filter's hash.
var (
	ErrSecretRequired = errors.New("its secret is required")
	ErrWrongHash      = errors.New("another hash")
	ErrWrongSecret    = fmt.Errorf("another secret: %w", ErrWrongHash)
)

// pageBytesFor is the smallest power of two from 65,536 up that divides a body into at most 1024 pages.
func pageBytesFor(bodyBytes uint64) uint64 {
	size := uint64(smallestPage)
	for size*maxPages < bodyBytes {
		size *= 2
	}
	return size
}

func roundUp(x, unit uint64) uint64 { return (x + unit - 1) / unit * unit }
