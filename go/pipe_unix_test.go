//go:build unix

package seen_test

import (
	"syscall"
	"testing"
)

// pipe makes a pipe that nobody writes to.
func pipe(t *testing.T, path string) string {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
