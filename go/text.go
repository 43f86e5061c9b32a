package seen

// Filters as text, for JSON, YAML, environments and whatever else takes texts: the base64 of their bytes. encoding/json and others
// look for MarshalText on values too, so a filter that is a field need not be a pointer.
//
// Package log/slog prefers a text to a printed form, so filters tell it what to log.

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"strconv"
	"strings"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/hash"
)

// MarshalText is the base64 of the bytes of a native file. A filter that is a field of a struct is so written to JSON. A zero value has
// no text: its error says so.
func (f kept[T, E]) MarshalText() ([]byte, error) {
	data, err := f.MarshalBinary()
	return textOf(data), err
}

// UnmarshalText makes this the filter whose MarshalText it is given, as UnmarshalBinary does with bytes.
func (f *kept[T, E]) UnmarshalText(text []byte) error {
	data, err := bytesOfText(text)
	if err != nil {
		return err
	}
	return f.UnmarshalBinary(data)
}

// LogValue is String: a log gets what the filter is, not its bits.
func (f kept[T, E]) LogValue() slog.Value { return slog.StringValue(f.String()) }

// MarshalText is the base64 of the bytes of a native file.
func (f *View) MarshalText() ([]byte, error) {
	data, err := f.MarshalBinary()
	return textOf(data), err
}

// UnmarshalText makes this the filter, of any kind, whose MarshalText it is given, as UnmarshalBinary does with bytes.
func (f *View) UnmarshalText(text []byte) error {
	data, err := bytesOfText(text)
	if err != nil {
		return err
	}
	return f.UnmarshalBinary(data)
}

// LogValue is String.
func (f *View) LogValue() slog.Value { return slog.StringValue(f.String()) }

// MarshalText is the format, a colon, and the base64 of the other library's file: "bits-and-blooms:AAAA…". A file does not say by
// which hash its keys were added. Where it is not the format's own, its name stands in between: "phrozen:xxh64:AAAA…".
func (f Foreign) MarshalText() ([]byte, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return nil, err
	}
	text := f.file.Format.String() + ":"
	if own := f.file.Format.Rule(); !own.SameAs(&f.rule) {
		text += Hash(f.rule.Hasher.ID()).String() + ":"
	}
	return append([]byte(text), textOf(data)...), nil
}

// UnmarshalText makes this the filter whose MarshalText it is given. One of a hash of its user's own takes the function of this filter
// ([WithOwnHash]). After an error this filter is as it was.
func (f *Foreign) UnmarshalText(text []byte) error {
	format, rest, there := bytes.Cut(text, []byte{':'})
	if !there {
		return fault.New(ErrNotRecognised, "the text does not begin with the name of a format and a colon")
	}
	how := opening{format: Format(format)}
	if name, data, named := bytes.Cut(rest, []byte{':'}); named {
		rest = data
		if number, own := strings.CutPrefix(string(name), "hash "); own {
			id, err := strconv.ParseUint(number, 0, 16)
			if how.own = f.rule.Hasher.Own(); err != nil || how.own == nil || how.own.ID() != hash.ID(id) {
				return fault.New(ErrWrongHash, "the filter was made with %s, its user's own; unmarshal it into a filter with that function", name)
			}
		} else {
			id, err := ParseHash(string(name))
			if err != nil {
				return err
			}
			how.hash = hash.ID(id)
		}
	}
	data, err := bytesOfText(rest)
	if err != nil {
		return err
	}
	if how.format == FormatNative {
		return fault.New(ErrWrongKind, "the text is of a native filter, not of one of another library")
	}
	opened, err := openForeign(bytes.NewReader(data), uint64(len(data)), how)
	if err == nil {
		*f = *opened
	}
	return err
}

// LogValue is String.
func (f Foreign) LogValue() slog.Value { return slog.StringValue(f.String()) }

func textOf(data []byte) []byte {
	if data == nil {
		return nil
	}
	return base64.StdEncoding.AppendEncode(nil, data)
}

func bytesOfText(text []byte) ([]byte, error) {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, fault.New(ErrNotRecognised, "the text is not the base64 of a filter: %v", err)
	}
	return data, nil
}
