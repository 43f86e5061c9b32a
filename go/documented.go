package seen

// Methods that stand once more because documentation lists the methods of a type that an exported one embeds, but not those of a type
// that this one embeds in turn: those of lookup in kept, and those of both in set. TestEveryMethodIsDocumentedWithItsType sees to it that
// none is missing.

import (
	"fmt"
	"io"
	"log/slog"
)

// MayContain says whether a key may have been added; false is certain.
func (f *kept[T, E]) MayContain(key []byte) bool { return f.lookup.MayContain(key) }

// MayContainString says whether a text may have been added; false is certain.
func (f *kept[T, E]) MayContainString(key string) bool { return f.lookup.MayContainString(key) }

// MayContainUint64 says whether an integer may have been added; false is certain.
func (f *kept[T, E]) MayContainUint64(key uint64) bool { return f.lookup.MayContainUint64(key) }

// MayContainInt64 says whether an integer may have been added; false is certain.
func (f *kept[T, E]) MayContainInt64(key int64) bool { return f.lookup.MayContainInt64(key) }

// MayContainMany answers for many keys, in order, and returns how many may be present. It panics if there are fewer
// answers than keys.
func (f *kept[T, E]) MayContainMany(keys [][]byte, answers []bool) int {
	return f.lookup.MayContainMany(keys, answers)
}

// MayContainStrings answers for many texts, as MayContainMany does.
func (f *kept[T, E]) MayContainStrings(keys []string, answers []bool) int {
	return f.lookup.MayContainStrings(keys, answers)
}

// MayContainUint64s answers for many integers, as MayContainMany does.
func (f *kept[T, E]) MayContainUint64s(keys []uint64, answers []bool) int {
	return f.lookup.MayContainUint64s(keys, answers)
}

// Hash is the function from keys to digests.
func (f *kept[T, E]) Hash() Hash { return f.lookup.Hash() }

// Seed is the seed of the hash, 0 if it takes none.
func (f *kept[T, E]) Seed() uint64 { return f.lookup.Seed() }

// MayContain says whether a key may have been added; false is certain.
func (f *set[T, E]) MayContain(key []byte) bool { return f.lookup.MayContain(key) }

// MayContainString says whether a text may have been added; false is certain.
func (f *set[T, E]) MayContainString(key string) bool { return f.lookup.MayContainString(key) }

// MayContainUint64 says whether an integer may have been added; false is certain.
func (f *set[T, E]) MayContainUint64(key uint64) bool { return f.lookup.MayContainUint64(key) }

// MayContainInt64 says whether an integer may have been added; false is certain.
func (f *set[T, E]) MayContainInt64(key int64) bool { return f.lookup.MayContainInt64(key) }

// MayContainMany answers for many keys, in order, and returns how many may be present. It panics if there are fewer
// answers than keys.
func (f *set[T, E]) MayContainMany(keys [][]byte, answers []bool) int {
	return f.lookup.MayContainMany(keys, answers)
}

// MayContainStrings answers for many texts, as MayContainMany does.
func (f *set[T, E]) MayContainStrings(keys []string, answers []bool) int {
	return f.lookup.MayContainStrings(keys, answers)
}

// MayContainUint64s answers for many integers, as MayContainMany does.
func (f *set[T, E]) MayContainUint64s(keys []uint64, answers []bool) int {
	return f.lookup.MayContainUint64s(keys, answers)
}

// Hash is the function from keys to digests.
func (f *set[T, E]) Hash() Hash { return f.lookup.Hash() }

// Seed is the seed of the hash, 0 if it takes none.
func (f *set[T, E]) Seed() uint64 { return f.lookup.Seed() }

// Bits is the number of bits of the filter.
func (f *set[T, E]) Bits() uint64 { return f.kept.Bits() }

// Fill is the share of the bits that are set, about one half at capacity; of the counters or slots in use where it has these.
func (f *set[T, E]) Fill() float64 { return f.kept.Fill() }

// EstimatedCount is how many different keys the filter holds, judged by its fill; kinds that count their keys say how many they
// are. The estimate is weak once the filter is saturated, and infinite when it is full.
func (f *set[T, E]) EstimatedCount() float64 { return f.kept.EstimatedCount() }

// EstimatedFPR is the rate of false positives as the filter is now.
func (f *set[T, E]) EstimatedFPR() float64 { return f.kept.EstimatedFPR() }

// Saturated says whether the filter is fuller than usual plans make it: more than 0.7 of its bits are set, more than 0.95 of
// the slots of a [Cuckoo] are taken, or the rates of a chain's links add up to more than was asked.
func (f *set[T, E]) Saturated() bool { return f.kept.Saturated() }

// Target is what the filter was made for; zero if it was made by its shape.
func (f *set[T, E]) Target() Target { return f.kept.Target() }

// Metadata is the user's own bytes, which are saved with the filter.
func (f *set[T, E]) Metadata() []byte { return f.kept.Metadata() }

// SetMetadata changes the user's own bytes. A file takes 65,536 of them.
func (f *set[T, E]) SetMetadata(metadata []byte) error { return f.kept.SetMetadata(metadata) }

// Info describes the filter.
func (f *set[T, E]) Info() Info { return f.kept.Info() }

// Save writes the filter to a file, atomically and durably: it writes a temporary file beside it, syncs and renames it, and
// syncs the directory. After an error the old file is as it was. Pipes and devices are written in place. Keys that
// goroutines add to a concurrent filter meanwhile may be in the file, with all their bits or some of them.
//
// Saves to one path may run at once: each has a temporary file of its own, .NAME.XXXXXXXX.seen-tmp, where NAME is cut if the
// whole would be too long for a name. If the path is a symbolic link, the file that it leads to is saved; that file need
// not exist yet. A program that is killed while it saves leaves its temporary file behind. No later save removes it, since
// it could belong to a program that is still running.
func (f *set[T, E]) Save(path string, options ...SaveOption) error {
	return f.kept.Save(path, options...)
}

// WriteTo writes the filter as a native file.
func (f *set[T, E]) WriteTo(w io.Writer) (int64, error) { return f.kept.WriteTo(w) }

// Encode is WriteTo with options.
func (f *set[T, E]) Encode(w io.Writer, options ...SaveOption) (int64, error) {
	return f.kept.Encode(w, options...)
}

// MarshalBinary is the bytes of a native file.
func (f set[T, E]) MarshalBinary() ([]byte, error) { return f.kept.MarshalBinary() }

// UnmarshalBinary makes this the filter of a native file's bytes, which must be of its kind. A keyed one is opened with the
// secret in the bytes or, if they hold none, with the secret of this filter; one of a hash of its user's own with the function
// of this filter ([WithOwnHash]). After an error this filter is as it was.
func (f *set[T, E]) UnmarshalBinary(data []byte) error { return f.kept.UnmarshalBinary(data) }

// MarshalText is the base64 of the bytes of a native file. A filter that is a field of a struct is so written to JSON. A zero value has
// no text: its error says so.
func (f set[T, E]) MarshalText() ([]byte, error) { return f.kept.MarshalText() }

// UnmarshalText makes this the filter whose MarshalText it is given, as UnmarshalBinary does with bytes.
func (f *set[T, E]) UnmarshalText(text []byte) error { return f.kept.UnmarshalText(text) }

// LogValue is String: a log gets what the filter is, not its bits.
func (f set[T, E]) LogValue() slog.Value { return f.kept.LogValue() }

// ReadFrom makes this the filter of a native file in a stream, as UnmarshalBinary does with bytes, and says how many bytes it read: just
// those of the file. So what WriteTo has written several times is read as many times. After an error this filter is as it was.
func (f *set[T, E]) ReadFrom(r io.Reader) (int64, error) { return f.kept.ReadFrom(r) }

// Health says whether the filter is still what was asked for. It reads all bits.
func (f *set[T, E]) Health() Health { return f.kept.Health() }

// HugePageBytes is how much of the filter lies in huge pages at the moment, as Linux says it; elsewhere that is not known. What a mapping
// of memory has is not said to the page, and a filter on the heap shares one with other objects: of such a one it is the most that it can
// have. Of a filter below 1 MiB it is 0.
func (f *set[T, E]) HugePageBytes() (bytes uint64, known bool) { return f.kept.HugePageBytes() }

// String is the kind, the shape and the hash of the filter: "bloom (bits 9586, probes 7) by xxh3-fold".
func (f set[T, E]) String() string { return f.kept.String() }

// Format prints String, with every verb.
func (f set[T, E]) Format(s fmt.State, verb rune) { f.kept.Format(s, verb) }
