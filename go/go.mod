module seen

go 1.23

require github.com/bits-and-blooms/bitset v1.24.2
