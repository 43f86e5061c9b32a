module github.com/seenfilter/seen/go

go 1.23

require github.com/bits-and-blooms/bitset v1.24.2
