// Filters of Go libraries, written and asked by the libraries themselves. ../README.md has the contract:
//
//	peers write FORMAT VARIANT N FPR OUT   keys on standard input, one a line, in hexadecimal
//	peers ask FORMAT VARIANT FILE          prints 1 or 0 a line
package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
)

// A peer is one encoding of one library's filter.
type peer struct {
	write func(n uint, fpr float64, keys [][]byte) ([]byte, error)
	open  func(file []byte) (func(key []byte) bool, error)
}

// peers is filled by the other files: format, then variant.
var peers = map[string]map[string]peer{}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 6 && args[0] == "write":
		return write(args[1], args[2], args[3], args[4], args[5])
	case len(args) == 4 && args[0] == "ask":
		return ask(args[1], args[2], args[3])
	}
	return fmt.Errorf("usage: write FORMAT VARIANT N FPR OUT | ask FORMAT VARIANT FILE")
}

func find(format, variant string) (peer, error) {
	p, ok := peers[format][variant]
	if !ok {
		return p, fmt.Errorf("no %s %s here", format, variant)
	}
	return p, nil
}

func write(format, variant, capacity, rate, out string) error {
	p, err := find(format, variant)
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(capacity, 10, 32)
	if err != nil {
		return err
	}
	fpr, err := strconv.ParseFloat(rate, 64)
	if err != nil {
		return err
	}
	keys, err := readKeys(os.Stdin)
	if err != nil {
		return err
	}
	file, err := p.write(uint(n), fpr, keys)
	if err != nil {
		return err
	}
	return os.WriteFile(out, file, 0o644)
}

func ask(format, variant, path string) error {
	p, err := find(format, variant)
	if err != nil {
		return err
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	has, err := p.open(file)
	if err != nil {
		return err
	}
	keys, err := readKeys(os.Stdin)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for _, key := range keys {
		answer := "0\n"
		if has(key) {
			answer = "1\n"
		}
		if _, err := out.WriteString(answer); err != nil {
			return err
		}
	}
	return out.Flush()
}

func readKeys(in io.Reader) ([][]byte, error) {
	var keys [][]byte
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<30) // a key may be longer than the 64 KiB of a line that it takes otherwise
	for {
		if !lines.Scan() {
			return keys, lines.Err()
		}
		key, err := hex.DecodeString(lines.Text())
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
}

// A codec is how a value of a library becomes bytes, and bytes such a value.
type codec struct {
	encode func(value any) ([]byte, error)
	decode func(file []byte, value any) error
}

var binary = codec{
	encode: func(value any) ([]byte, error) {
		var file bytes.Buffer
		_, err := value.(io.WriterTo).WriteTo(&file)
		return file.Bytes(), err
	},
	decode: func(file []byte, value any) error {
		_, err := value.(io.ReaderFrom).ReadFrom(bytes.NewReader(file))
		return err
	},
}

var asJSON = codec{encode: json.Marshal, decode: json.Unmarshal}

var asGob = codec{
	encode: func(value any) ([]byte, error) {
		var file bytes.Buffer
		err := gob.NewEncoder(&file).Encode(value)
		return file.Bytes(), err
	},
	decode: func(file []byte, value any) error {
		return gob.NewDecoder(bytes.NewReader(file)).Decode(value)
	},
}

// coded makes a peer of a filter type: a new one to fill, an empty one to read into, how it adds and how it is asked.
func coded[F any](c codec, fresh func(n uint, fpr float64) F, empty func() F, add func(F, []byte),
	has func(F, []byte) bool) peer {
	return peer{
		write: func(n uint, fpr float64, keys [][]byte) ([]byte, error) {
			f := fresh(n, fpr)
			for _, key := range keys {
				add(f, key)
			}
			return c.encode(f)
		},
		open: func(file []byte) (func([]byte) bool, error) {
			f := empty()
			if err := c.decode(file, f); err != nil {
				return nil, err
			}
			return func(key []byte) bool { return has(f, key) }, nil
		},
	}
}
