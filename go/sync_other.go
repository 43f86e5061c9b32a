//go:build !unix

package seen

// syncFolder does nothing where folders cannot be opened to be synced.
func syncFolder(string) error { return nil }
