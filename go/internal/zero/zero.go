// Package zero calls every method of a filter that nobody made, for tests: no type may take a key and forget it.
package zero

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

// Quiet are the methods that a filter which nobody made may answer: those that fill it, print it or compare it.
var Quiet = []string{"UnmarshalBinary", "UnmarshalJSON", "UnmarshalText", "GobDecode", "ReadFrom", "String", "Format", "Equal", "MarshalJSON"}

// Complaints calls each method of filter, a pointer, with arguments that a filter would take, and says which of them neither
// panics with the error what nor returns it. Of a nil pointer any panic will do.
func Complaints(filter any, folder string, what error) (complaints []string) {
	v := reflect.ValueOf(filter)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if slices.Contains(Quiet, name) && !takesNothing(v.Method(i).Type()) || name == "String" || name == "LogValue" {
			continue
		}
		if got := outcome(v.Method(i), folder); !errors.Is(got, what) && !(v.IsNil() && got != nil) {
			complaints = append(complaints, fmt.Sprintf("%v.%s: %v", v.Type(), name, got))
		}
	}
	return complaints
}

// takesNothing tells Format, the name of a format, from Format, which prints.
func takesNothing(method reflect.Type) bool {
	return method.NumIn() == 0 && method.NumOut() == 1 && method.Out(0).Kind() == reflect.String
}

// outcome is what a call panics with, or the error that it returns; nil where it does neither.
func outcome(method reflect.Value, folder string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			var is bool
			if err, is = p.(error); !is {
				err = fmt.Errorf("%v", p)
			}
		}
	}()
	var in []reflect.Value
	for i := range method.Type().NumIn() {
		if i+1 == method.Type().NumIn() && method.Type().IsVariadic() {
			break
		}
		in = append(in, argument(method.Type().In(i), folder))
	}
	out := method.Call(in)
	if len(out) > 0 {
		if err, is := out[len(out)-1].Interface().(error); is {
			return err
		}
	}
	return nil
}

// argument is one value of a type: a slice of one element, a stream, a path.
func argument(t reflect.Type, folder string) reflect.Value {
	switch {
	case t.Kind() == reflect.Slice:
		one := reflect.MakeSlice(t, 1, 1)
		one.Index(0).Set(argument(t.Elem(), folder))
		return one
	case t.Kind() == reflect.Func: // a sequence of one
		return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			in[0].Call([]reflect.Value{argument(in[0].Type().In(0), folder)})
			return nil
		})
	case t.Kind() == reflect.String:
		return reflect.ValueOf(folder + "/f").Convert(t)
	case t == reflect.TypeFor[io.Writer](), t == reflect.TypeFor[io.Reader]():
		return reflect.ValueOf(new(bytes.Buffer))
	case t.Kind() == reflect.Pointer:
		return reflect.New(t.Elem())
	}
	return reflect.Zero(t)
}

// Types are the names of the exported types that the sources of a folder declare.
func Types(folder string) (names []string, err error) {
	isSource := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), folder, isSource, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			if t, is := n.(*ast.TypeSpec); is && t.Name.IsExported() {
				names = append(names, t.Name.Name)
			}
			return true
		})
	}
	slices.Sort(names)
	return names, nil
}
