package main

import (
	"fmt"

	cuckoo "github.com/seiflotfy/cuckoofilter"
)

func init() {
	peers["seiflotfy-cuckoo"] = map[string]peer{
		"plain": {
			write: func(n uint, _ float64, keys [][]byte) ([]byte, error) {
				f := cuckoo.NewFilter(n)
				err := insert(f.Insert, keys)
				return f.Encode(), err
			},
			open: func(file []byte) (func([]byte) bool, error) {
				f, err := cuckoo.Decode(file)
				if err != nil {
					return nil, err
				}
				return f.Lookup, nil
			},
		},
		// It makes its first filter for 10000 keys, and begins a second one after about 3700.
		"scalable": {
			write: func(_ uint, _ float64, keys [][]byte) ([]byte, error) {
				f := cuckoo.NewScalableCuckooFilter()
				err := insert(f.Insert, keys)
				return f.Encode(), err
			},
			open: func(file []byte) (func([]byte) bool, error) {
				f, err := cuckoo.DecodeScalableFilter(file)
				if err != nil {
					return nil, err
				}
				return f.Lookup, nil
			},
		},
	}
}

func insert(add func([]byte) bool, keys [][]byte) error {
	for i, key := range keys {
		if !add(key) {
			return fmt.Errorf("no place for key %d", i)
		}
	}
	return nil
}
