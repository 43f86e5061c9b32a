//go:build race

package bloom

// Under the race detector a probe takes fifty times as long.
const kitProbes = 1024
