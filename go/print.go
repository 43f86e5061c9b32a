package seen

// Printing. What is printed ends in logs, so neither a secret nor the bits of a filter are: fmt would show both, since it
// reads unexported fields too. Format is what it asks first, whatever the verb.

import (
	"fmt"
	"io"
	"strings"
)

const hidden = "secret"

// Format prints that it is a secret, not which.
func (Secret) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hidden) }

// Format prints that it is a secret, not which.
func (SecretOption) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hidden) }

// String is the kind, the shape and the hash of the filter: "bloom (bits 9586, probes 7) by xxh3-64".
func (f set[T, E]) String() string {
	if f.isZero() {
		return "no filter"
	}
	return describe(infoOf(f.header()))
}

// Format prints String, whatever the verb.
func (f set[T, E]) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, f.String()) }

// String is the kind, the shape and the hash of the filter.
func (f *View) String() string {
	if f.header == nil {
		return "no filter"
	}
	return describe(infoOf(f.header))
}

// Format prints String, whatever the verb.
func (f *View) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, f.String()) }

// String is the format, the shape and the hash of the filter.
func (f Foreign) String() string {
	if f.isZero() {
		return "no filter"
	}
	return describe(f.description())
}

func describe(info Info) string {
	if info.Hash == 0 {
		return "no filter"
	}
	name := info.Format
	if info.Kind != 0 {
		name = info.Kind.String()
	}
	shape := make([]string, len(info.Shape))
	for i, field := range info.Shape {
		shape[i] = fmt.Sprintf("%s %d", field.Name, field.Value)
	}
	return fmt.Sprintf("%s (%s) by %v", name, strings.Join(shape, ", "), info.Hash)
}
