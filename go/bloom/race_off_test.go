//go:build !race

package bloom

const kitProbes = 100_000
