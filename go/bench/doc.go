// Package bench compares the Go packages with the libraries whose place they take: every answer and every byte in its tests, time in
// its benchmarks. It is a module of its own so that nobody else has to fetch those libraries.
package bench
