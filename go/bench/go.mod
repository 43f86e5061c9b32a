module seen/bench

go 1.23

require (
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	seen v0.0.0
)

require github.com/bits-and-blooms/bitset v1.24.2

replace seen => ../
