package main

import (
	"bytes"
	le "encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/FastFilter/xorfilter"
)

func init() {
	peers["xorfilter-go"] = map[string]peer{
		"fuse8":  fuse[uint8](),
		"fuse16": fuse[uint16](),
		"fuse32": fuse[uint32](),
		"xor8":   {write: writeXor8, open: openXor8},
	}
}

// numbers takes keys of 8 little-endian bytes as the integers that these filters hold.
func numbers(keys [][]byte) ([]uint64, error) {
	var all []uint64
	for _, key := range keys {
		if len(key) != 8 {
			return nil, fmt.Errorf("a key of %d bytes; these filters hold integers of 8", len(key))
		}
		all = append(all, le.LittleEndian.Uint64(key))
	}
	return all, nil
}

func ofNumber(has func(uint64) bool) func([]byte) bool {
	return func(key []byte) bool { return has(le.LittleEndian.Uint64(key)) }
}

func fuse[T xorfilter.Unsigned]() peer {
	return peer{
		write: func(_ uint, _ float64, keys [][]byte) ([]byte, error) {
			all, err := numbers(keys)
			if err != nil {
				return nil, err
			}
			f, err := xorfilter.NewBinaryFuse[T](all)
			if err != nil {
				return nil, err
			}
			var file bytes.Buffer
			err = f.Save(&file)
			return file.Bytes(), err
		},
		open: func(file []byte) (func([]byte) bool, error) {
			f, err := xorfilter.LoadBinaryFuse[T](bytes.NewReader(file))
			if err != nil {
				return nil, err
			}
			return ofNumber(f.Contains), nil
		},
	}
}

func writeXor8(_ uint, _ float64, keys [][]byte) ([]byte, error) {
	all, err := numbers(keys)
	if err != nil {
		return nil, err
	}
	f, err := xorfilter.Populate(all)
	if err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

func openXor8(file []byte) (func([]byte) bool, error) {
	f := new(xorfilter.Xor8)
	if err := json.Unmarshal(file, f); err != nil {
		return nil, err
	}
	return ofNumber(f.Contains), nil
}
