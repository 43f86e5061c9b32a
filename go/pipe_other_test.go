//go:build !unix

package seen_test

import "testing"

// pipe is a path where nothing is: pipes have no names here.
func pipe(_ *testing.T, path string) string { return path }
