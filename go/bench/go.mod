module github.com/seenfilter/seen/go/bench

go 1.23

require (
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	github.com/seenfilter/seen/go v0.0.0
)

require (
	github.com/FastFilter/xorfilter v0.4.2-0.20260120015552-4e5a4d9df65a
	github.com/bits-and-blooms/bitset v1.24.2
	github.com/seiflotfy/cuckoofilter v0.0.0-20240715131351-a2f2c23f1771
)

require github.com/dgryski/go-metro v0.0.0-20200812162917-85c65e2d0165 // indirect

replace github.com/seenfilter/seen/go => ../
