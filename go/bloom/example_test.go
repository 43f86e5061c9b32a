package bloom_test

import (
	"fmt"
	"sync"

	"github.com/seenfilter/seen/go/bloom"
)

func Example() {
	visited := bloom.NewWithEstimates(1_000_000, 0.01)
	visited.AddString("https://example.com/")
	fmt.Println(visited.TestString("https://example.com/"), visited.TestString("https://example.org/"))
	// Output: true false
}

// Goroutines share a filter without a lock.
func ExampleBloomFilter_TestAndAddString() {
	visited := bloom.NewWithEstimates(1000, 0.001)
	var workers sync.WaitGroup
	for range 8 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for page := range 100 {
				if !visited.TestAndAddString(fmt.Sprint("page ", page)) {
					continue // fetch it: at least one worker comes here for every page
				}
			}
		}()
	}
	workers.Wait()
	fmt.Println(visited.TestString("page 99"), visited.TestString("page 100"))
	// Output: true false
}

// A filter of another library goes on in its own format. Nothing in a file of phrozen tells that it is one.
func ExampleReadWith() {
	theirs, err := bloom.Make(bloom.MakeOptions{Format: "phrozen", Capacity: 1000, FPR: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := theirs.AddString("alice").ToBytes()

	filter, err := bloom.ReadWith(data, bloom.LoadOptions{Format: "phrozen"})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter.AddString("bob")
	fmt.Println(filter.Format(), filter.TestString("alice"), filter.TestString("bob"))
	// Output: phrozen true true
}
