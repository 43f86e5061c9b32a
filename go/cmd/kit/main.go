// Command kit is the Go driver of the conformance kit: it writes the kit's filters, and answers from the files that other
// languages wrote.
//
//	kit write KIT OUT      makes the filter of each case that it can, saves it as OUT/<name>, prints the name
//	kit read KIT IN OUT    loads IN/<name>, asks the probes, writes the bitmap of the answers to OUT/<name>, prints the name
//	kit beside FILE KEYS   maps a native file and asks the keys until all may be present, while another process adds them in
//	                       place; after a line on standard input, by when the file is sealed, verifies it. Says what is done
//
// Every second native file is mapped instead of loaded.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/kit"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "write":
		return each(args[1], func(_ int, c kit.Case, keys kit.KeyCache) error { return write(c, keys, args[2]) })
	case len(args) == 4 && args[0] == "read":
		return each(args[1], func(i int, c kit.Case, keys kit.KeyCache) error { return read(i, c, keys, args[2], args[3]) })
	}
	if len(args) == 3 && args[0] == "beside" {
		return beside(args[1], args[2])
	}
	return errors.New("usage: kit write KIT OUT | kit read KIT IN OUT | kit beside FILE KEYS")
}

func each(folder string, do func(i int, c kit.Case, keys kit.KeyCache) error) error {
	cases, err := kit.Cases(folder)
	if err != nil {
		return err
	}
	keys := kit.KeyCache{}
	for i, c := range cases {
		if err := do(i, c, keys); err != nil {
			return fmt.Errorf("%s: %w", c["name"], err)
		}
	}
	return nil
}

func write(c kit.Case, keys kit.KeyCache, folder string) error {
	if !c.Writable() {
		return nil
	}
	added, err := keys.Get(c["keys"])
	if err != nil {
		return err
	}
	f, err := c.Make(false, added)
	if err != nil {
		return err
	}
	if err := c.Save(f, filepath.Join(folder, c["name"])); err != nil {
		return err
	}
	fmt.Println(c["name"])
	return nil
}

func read(i int, c kit.Case, keys kit.KeyCache, in, out string) error {
	path := filepath.Join(in, c["name"])
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := open(path, c, i%2 == 1 && c.Format() == seen.FormatNative)
	if err != nil {
		return err
	}
	probes, err := keys.Get(c["probes"])
	if err != nil {
		return err
	}
	bitmap, _ := probes.Ask(f)
	if err := os.WriteFile(filepath.Join(out, c["name"]), bitmap, 0o666); err != nil {
		return err
	}
	fmt.Println(c["name"])
	return nil
}

func beside(path, set string) error {
	keys, err := kit.KeyCache{}.Get(set)
	if err != nil {
		return err
	}
	f, err := seen.Map(path)
	if err != nil {
		return err
	}
	fmt.Println("mapped")
	for deadline := time.Now().Add(time.Minute); ; {
		if _, yes := keys.Ask(f); yes == len(keys.Bytes) {
			break
		}
		if time.Now().After(deadline) {
			return errors.New("the keys do not come")
		}
	}
	fmt.Println("found")
	if err := f.Verify(); !errors.Is(err, seen.ErrUnsealed) {
		return fmt.Errorf("verified while it is written to: %v", err)
	}
	if _, err := seen.Map(path); !errors.Is(err, seen.ErrUnsealed) {
		return fmt.Errorf("mapped without a seal: %v", err)
	}
	fmt.Println("unsealed")
	_, _ = fmt.Scanln()
	if err := f.Verify(); err != nil {
		return err
	}
	fmt.Println("verified")
	return f.Close()
}

// open loads or maps a file; a mapped one stays so until the program ends.
func open(path string, c kit.Case, mapped bool) (seen.Filter, error) {
	if mapped {
		return seen.Map(path, c.OpenOptions()...)
	}
	return seen.Load(path, c.OpenOptions()...)
}
