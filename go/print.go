package seen

// Printing. Printed text ends in logs, so neither a secret nor the bits of a filter may be in it. Package fmt would show
// both, since it reads unexported fields too, but asks Format first, with every verb.

import (
	"fmt"
	"io"
	"strings"
)

const hidden = "secret"

// Format prints the word "secret".
func (Secret) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hidden) }

// Format prints the word "secret".
func (SecretOption) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, hidden) }

// String is the kind, the shape and the hash of the filter: "bloom (bits 9586, probes 7) by xxh3-fold".
func (f kept[T, E]) String() string {
	if f.isZero() {
		return "no filter"
	}
	return describe(infoOf(f.header()))
}

// Format prints String, with every verb.
func (f kept[T, E]) Format(s fmt.State, verb rune) { _, _ = io.WriteString(s, f.String()) }

// String is the kind, the shape and the hash of the filter.
func (f *View) String() string {
	if f.header == nil {
		return "no filter"
	}
	return describe(infoOf(f.header))
}

// Format prints String, with every verb.
func (f *View) Format(s fmt.State, verb rune) { _, _ = io.WriteString(s, f.String()) }

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
