package main

import (
	"bytes"
	"compress/gzip"

	"github.com/AndreasBriese/bbloom"
	"github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom/v3"
	willf "github.com/willf/bloom"
)

func init() {
	codecs := map[string]codec{"binary": binary, "json": asJSON, "gob": asGob}
	peers["bits-and-blooms"] = map[string]peer{}
	peers["willf"] = map[string]peer{}
	for name, c := range codecs {
		peers["bits-and-blooms"][name] = coded(c, bits.NewWithEstimates,
			func() *bits.BloomFilter { return new(bits.BloomFilter) },
			func(f *bits.BloomFilter, key []byte) { f.Add(key) }, (*bits.BloomFilter).Test)
		peers["willf"][name] = coded(c, willf.NewWithEstimates,
			func() *willf.BloomFilter { return new(willf.BloomFilter) },
			func(f *willf.BloomFilter, key []byte) { f.Add(key) }, (*willf.BloomFilter).Test)
	}
	peers["bbloom"] = map[string]peer{"json": {write: writeBbloom, open: openBbloom}}
	peers["dcso"] = map[string]peer{
		"plain": {
			write: func(n uint, fpr float64, keys [][]byte) ([]byte, error) { return writeDCSO(n, fpr, keys, false) },
			open:  func(file []byte) (func([]byte) bool, error) { return openDCSO(file, false) },
		},
		"gzip": {
			write: func(n uint, fpr float64, keys [][]byte) ([]byte, error) { return writeDCSO(n, fpr, keys, true) },
			open:  func(file []byte) (func([]byte) bool, error) { return openDCSO(file, true) },
		},
	}
}

func writeBbloom(n uint, fpr float64, keys [][]byte) ([]byte, error) {
	f := bbloom.New(float64(n), fpr)
	for _, key := range keys {
		f.Add(key)
	}
	return f.JSONMarshal(), nil
}

func openBbloom(file []byte) (func([]byte) bool, error) {
	f := bbloom.JSONUnmarshal(file)
	return f.Has, nil
}

// The library ends a file with any bytes of its user; some are here, so that they are read over.
func writeDCSO(n uint, fpr float64, keys [][]byte, packed bool) ([]byte, error) {
	f := bloom.Initialize(uint64(n), fpr)
	for _, key := range keys {
		f.Add(key)
	}
	f.Data = []byte("data of the user")
	var file bytes.Buffer
	if !packed {
		err := f.Write(&file)
		return file.Bytes(), err
	}
	zip := gzip.NewWriter(&file)
	if err := f.Write(zip); err != nil {
		return nil, err
	}
	err := zip.Close()
	return file.Bytes(), err
}

func openDCSO(file []byte, packed bool) (func([]byte) bool, error) {
	f, err := bloom.LoadFromBytes(file, packed)
	if err != nil {
		return nil, err
	}
	return f.Check, nil
}
