package main

import boom "github.com/tylertreat/BoomFilters"

// Readers of this library want a filter that its constructor has made: the hash function is not in the file.
func init() {
	all := map[string]peer{}
	peers["boomfilters"] = all
	for ending, c := range map[string]codec{"": binary, "-gob": asGob} {
		all["classic"+ending] = coded(c, boom.NewBloomFilter,
			func() *boom.BloomFilter { return boom.NewBloomFilter(1, 0.5) },
			func(f *boom.BloomFilter, key []byte) { f.Add(key) }, (*boom.BloomFilter).Test)
		all["counting"+ending] = counting(c, 4)
		all["counting-3"+ending] = counting(c, 3) // counters that lie across bytes
		all["partitioned"+ending] = coded(c, boom.NewPartitionedBloomFilter,
			func() *boom.PartitionedBloomFilter { return boom.NewPartitionedBloomFilter(1, 0.5) },
			func(f *boom.PartitionedBloomFilter, key []byte) { f.Add(key) }, (*boom.PartitionedBloomFilter).Test)
		all["scalable"+ending] = coded(c,
			func(n uint, fpr float64) *boom.ScalableBloomFilter { return boom.NewScalableBloomFilter(n, fpr, 0.8) },
			func() *boom.ScalableBloomFilter { return boom.NewScalableBloomFilter(1, 0.5, 0.8) },
			func(f *boom.ScalableBloomFilter, key []byte) { f.Add(key) }, (*boom.ScalableBloomFilter).Test)
		// N is a number of cells, of three bits here.
		all["stable"+ending] = coded(c,
			func(n uint, fpr float64) *boom.StableBloomFilter { return boom.NewStableBloomFilter(n, 3, fpr) },
			func() *boom.StableBloomFilter { return boom.NewStableBloomFilter(1, 3, 0.5) },
			func(f *boom.StableBloomFilter, key []byte) { f.Add(key) }, (*boom.StableBloomFilter).Test)
		all["inverse"+ending] = coded(c,
			func(n uint, _ float64) *boom.InverseBloomFilter { return boom.NewInverseBloomFilter(n) },
			func() *boom.InverseBloomFilter { return boom.NewInverseBloomFilter(1) },
			func(f *boom.InverseBloomFilter, key []byte) { f.Add(key) }, (*boom.InverseBloomFilter).Test)
	}
}

func counting(c codec, bits uint8) peer {
	return coded(c,
		func(n uint, fpr float64) *boom.CountingBloomFilter { return boom.NewCountingBloomFilter(n, bits, fpr) },
		func() *boom.CountingBloomFilter { return boom.NewCountingBloomFilter(1, bits, 0.5) },
		func(f *boom.CountingBloomFilter, key []byte) { f.Add(key) }, (*boom.CountingBloomFilter).Test)
}
