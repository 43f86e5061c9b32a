// Package fault gives errors a class for programs beside the sentence for people.
//
//	fault.New(fault.TooLarge, "%d keys need …", n)     errors.Is(err, seen.ErrTooLarge); the sentence does not repeat the class
//
// A class is attached where it is known what the caller did: one check of a number is an invalid argument when a filter is
// made, and a corrupt file when one is opened.
package fault

import (
	"errors"
	"fmt"
)

// The classes that several packages give. The others are in internal/native, and in package seen itself.
var (
	InvalidArgument = errors.New("an argument is outside its range")
	TooLarge        = errors.New("such a filter would be too large")
	NoMemory        = errors.New("this machine does not have that much memory")
)

type fault struct {
	class error
	text  string
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.class }

// New is an error of a class.
func New(class error, format string, arguments ...any) error {
	return &fault{class, fmt.Sprintf(format, arguments...)}
}

// As is an error of a class with the sentence of another one, and nil for nil.
func As(class, err error) error {
	if err == nil {
		return nil
	}
	return &fault{class, err.Error()}
}
