package bloom_test

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/phrozen/bloom"
)

func Example() {
	visited := bloom.NewFilterFromProbability(1_000_000, 0.01)
	visited.Add([]byte("https://example.com/"))
	fmt.Println(visited.Contains([]byte("https://example.com/")), visited.Contains([]byte("https://example.org/")))
	// Output: true false
}

// The file says nothing of the hash: the filter that reads it has to have the same.
func ExampleWithHashFunc() {
	other := bloom.WithHashFunc(func() hash.Hash64 { return fnv.New64() })
	made := bloom.NewFilter(1000, 7, other)
	made.Add([]byte("alice"))
	data, err := made.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	restored := bloom.NewFilter(1, 1, other)
	if err := restored.UnmarshalBinary(data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(restored.Contains([]byte("alice")), restored.Contains([]byte("bob")))
	// Output: true false
}

// Package seen opens the same bytes, and so does every other language and the command.
func ExampleFilter_MarshalBinary() {
	made := bloom.NewFilterFromProbability(1000, 0.01)
	made.Add([]byte("alice"))
	data, err := made.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	filter, err := seen.Read(data, seen.WithFormat(seen.FormatPhrozen))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filter.MayContainString("alice"), filter.MayContainString("bob"))
	// Output: true false
}
