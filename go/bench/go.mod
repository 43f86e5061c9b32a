module github.com/seenfilter/seen/go/bench

go 1.23

require (
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	github.com/seenfilter/seen/go v0.0.0
)

require github.com/bits-and-blooms/bitset v1.24.2

replace github.com/seenfilter/seen/go => ../
