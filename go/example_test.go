package seen_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/seenfilter/seen/go"
)

func Example() {
	visited, err := seen.NewBloom(seen.Target{Capacity: 1_000_000, FPR: 0.01}) // 1.14 MiB, 7 probes
	if err != nil {
		panic(err)
	}
	visited.AddString("https://example.org/")
	visited.AddUint64(42) // keys are texts, bytes or integers

	fmt.Println(visited.MayContainString("https://example.org/"))
	fmt.Println(visited.MayContainString("https://example.com/")) // certainly new
	// Output:
	// true
	// false
}

func ExampleNewBlockedBloom() {
	f, err := seen.NewBlockedBloom(seen.Target{Capacity: 1_000_000, FPR: 0.01})
	if err != nil {
		panic(err)
	}
	shape := f.Shape()
	fmt.Println(shape.Blocks, "blocks,", shape.Probes, "probes")
	// Output: 19776 blocks, 8 probes
}

func ExampleBloom_TestAndAdd() {
	f, err := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.001})
	if err != nil {
		panic(err)
	}
	for _, line := range []string{"a", "b", "a"} {
		if !f.TestAndAddString(line) {
			fmt.Println("first seen:", line)
		}
	}
	// Output:
	// first seen: a
	// first seen: b
}

func ExampleConcurrentBloom() {
	f, err := seen.NewConcurrentBloom(seen.Target{Capacity: 8000, FPR: 0.01})
	if err != nil {
		panic(err)
	}
	var all sync.WaitGroup
	for worker := range uint64(8) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range uint64(1000) {
				f.AddUint64(1000*worker + i)
			}
		}()
	}
	all.Wait()
	fmt.Println(f.MayContainUint64(7999))
	// Output: true
}

func ExampleBloom_Merge() {
	target := seen.Target{Capacity: 1000, FPR: 0.01}
	monday, _ := seen.NewBloom(target)
	tuesday, _ := seen.NewBloom(target)
	monday.AddString("alice")
	tuesday.AddString("bob")
	if err := monday.Merge(tuesday); err != nil {
		panic(err)
	}
	fmt.Println(monday.MayContainString("alice"), monday.MayContainString("bob"))

	larger, _ := seen.NewBloom(seen.Target{Capacity: 2000, FPR: 0.01})
	fmt.Println(monday.Merge(larger))
	// Output:
	// true true
	// merge: bits differ: 9586 here, 19171 there: the filters cannot be combined
}

func ExampleNewCuckoo() {
	sessions, err := seen.NewCuckoo(seen.Target{Capacity: 1000, FPR: 0.001})
	if err != nil {
		panic(err)
	}
	for range 9 {
		if err := sessions.AddString("alice"); err != nil {
			fmt.Println(err, sessions.CountString("alice"))
		}
	}
	fmt.Println(sessions.RemoveString("alice"), sessions.RemoveString("mallory"), sessions.Size())
	// Output:
	// the filter is full 8
	// true false 7
}

func ExampleNewCountingBloom() {
	open, err := seen.NewCountingBloom(seen.Target{Capacity: 1000, FPR: 0.01})
	if err != nil {
		panic(err)
	}
	open.AddStrings([]string{"alice", "bob", "alice"})
	open.RemoveString("bob")
	fmt.Println(open.CountString("alice"), open.MayContainString("bob"))
	// Output: 2 false
}

func ExampleBuildBinaryFuse() {
	words := map[string]bool{"ape": true, "bee": true, "cat": true}
	known, err := seen.BuildBinaryFuse(maps.Keys(words), 1.0/256)
	if err != nil {
		panic(err)
	}
	fmt.Println(known.MayContainString("bee"), known.Size())
	// Output: true 3
}

func ExampleNewScalableBloom() {
	visited, err := seen.NewScalableBloom(seen.Target{Capacity: 100, FPR: 0.01}, seen.WithGrowth(4, 0.5))
	if err != nil {
		panic(err)
	}
	for page := range uint64(1000) {
		if err := visited.AddUint64(page); err != nil {
			panic(err)
		}
	}
	fmt.Println(visited.Links(), visited.MayContainUint64(999))
	// Output: 3 true
}

func ExampleBloom_MarshalText() {
	type state struct {
		Name  string
		Known seen.Bloom
	}
	known, err := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.01})
	if err != nil {
		panic(err)
	}
	known.AddString("alice")
	text, err := json.Marshal(state{"users", *known})
	if err != nil {
		panic(err)
	}
	var back state
	if err := json.Unmarshal(text, &back); err != nil {
		panic(err)
	}
	fmt.Println(back.Name, back.Known.MayContainString("alice"))
	// Output: users true
}

func ExampleReadFrom() {
	f, err := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.01})
	if err != nil {
		panic(err)
	}
	f.AddString("alice")
	var body bytes.Buffer // of an answer over HTTP, say
	if _, err := f.WriteTo(&body); err != nil {
		panic(err)
	}
	filter, err := seen.ReadFrom(&body, seen.WithMaxBytes(1<<20))
	if err != nil {
		panic(err)
	}
	fmt.Println(filter.Info().Kind, filter.MayContainString("alice"))
	// Output: bloom true
}

func ExampleLoad() {
	folder, _ := os.MkdirTemp("", "seen")
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "users.seen")

	f, _ := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.01})
	f.AddString("alice")
	if err := f.Save(path); err != nil {
		panic(err)
	}
	filter, err := seen.Load(path) // of any kind
	if err != nil {
		panic(err)
	}
	fmt.Println(filter.Info().Kind, filter.MayContainString("alice"))
	if bloom, ok := filter.(*seen.Bloom); ok {
		bloom.AddString("bob")
	}
	// Output: bloom true
}

func ExampleMap() {
	folder, _ := os.MkdirTemp("", "seen")
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "users.seen")

	f, _ := seen.NewBlockedBloom(seen.Target{Capacity: 1000, FPR: 0.01})
	f.AddString("alice")
	if err := f.Save(path, seen.WithAlignment(4096)); err != nil {
		panic(err)
	}
	view, err := seen.Map(path)
	if err != nil {
		panic(err)
	}
	defer view.Close()
	fmt.Println(view.MayContainString("alice"), view.MayContainString("mallory"))
	// Output: true false
}

func ExampleWithSecret() {
	secret, err := seen.NewSecret()
	if err != nil {
		panic(err)
	}
	logins, err := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.01}, seen.WithSecret(secret))
	if err != nil {
		panic(err)
	}
	logins.AddString("mallory") // cannot know which other keys now seem to be there
	data, _ := logins.MarshalBinary()
	_, err = seen.Read(data)
	fmt.Println(err)
	filter, err := seen.Read(data, seen.WithSecret(secret))
	fmt.Println(filter.MayContainString("mallory"), err)
	// Output:
	// the filter is keyed with siphash-1-3: its secret is required
	// true <nil>
}

// Keys that are uniform already (the first 8 bytes of a SHA-256, say) need no second hash.
func prefixHash(key []byte, seed uint64) uint64 {
	if len(key) < 8 {
		return seed
	}
	return binary.LittleEndian.Uint64(key) ^ seed
}

func ExampleWithOwnHash() {
	own := seen.WithOwnHash(0x8001, prefixHash) // the hash of the project's examples/custom_hash.cpp
	blobs, err := seen.NewBloom(seen.Target{Capacity: 1000, FPR: 0.01}, own)
	if err != nil {
		panic(err)
	}
	blobs.AddString("\x8f\x43\x43\x46\x64\x8f\x6b\x96 and so on")
	data, _ := blobs.MarshalBinary()

	_, err = seen.Read(data)
	fmt.Println(err)
	_, err = seen.Read(data, seen.WithOwnHash(0x8002, prefixHash))
	fmt.Println(err)
	filter, err := seen.Read(data, own)
	fmt.Println(filter.MayContainString("\x8f\x43\x43\x46\x64\x8f\x6b\x96 and so on"), err)
	// Output:
	// offset 32: the filter was made with hash 0x8001, its user's own; whoever opens it has to supply the function: another hash
	// offset 32: the filter was made with hash 0x8001, not with hash 0x8002: another hash
	// true <nil>
}

func ExampleNewForeign() {
	// A file that github.com/bits-and-blooms/bloom reads.
	f, err := seen.NewForeign(seen.FormatBitsAndBlooms, seen.Target{Capacity: 1000, FPR: 0.01}, seen.WithVariant("json"))
	if err != nil {
		panic(err)
	}
	f.AddString("alice")
	data, _ := f.MarshalBinary()
	fmt.Println(string(data[:18]))
	// Output: {"m":9586,"k":7,"b
}
