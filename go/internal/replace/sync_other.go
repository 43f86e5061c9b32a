//go:build !unix

package replace

// syncFolder does nothing where folders cannot be opened to be synced.
func syncFolder(string) error { return nil }
