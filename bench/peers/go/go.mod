module seen/bench/peers/go

go 1.23

require (
	github.com/FastFilter/xorfilter v0.5.1
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	github.com/greatroar/blobloom v0.8.1
)

require github.com/bits-and-blooms/bitset v1.24.2 // indirect
