package interop

import (
	"fmt"
	"sync"

	"github.com/seenfilter/seen/go/internal/hash"
)

// portableSelfCheck asks the hash of the portable format for its known answers, when the first such filter of a process is
// made or opened: the format's document wants that, since files hold no check value that would tell another hash.
var portableSelfCheck = sync.OnceValue(func() error { return checkPortableHash(hash.FNV1a, hash.SplitMix) })

func checkPortableHash(fnv1a func([]byte) uint64, finish func(uint64) uint64) error {
	for _, known := range []struct {
		key           string
		fnv1a, digest uint64
	}{
		{"", 0xcbf29ce484222325, 0xc3817c016ba4ff30},
		{"a", 0xaf63dc4c8601ec8c, 0x5f29c2aadd9b8527},
		{"foobar", 0x85944171f73967e8, 0x5df295413403de4f},
	} {
		raw := fnv1a([]byte(known.key))
		if raw != known.fnv1a {
			return fmt.Errorf("portable: FNV-1a of %q is %016x here, and should be %016x: files would not be readable elsewhere", known.key, raw, known.fnv1a)
		}
		if digest := finish(raw); digest != known.digest {
			return fmt.Errorf("portable: SplitMix64 after FNV-1a of %q is %016x here, and should be %016x: files would not be readable elsewhere", known.key, digest, known.digest)
		}
	}
	return nil
}
