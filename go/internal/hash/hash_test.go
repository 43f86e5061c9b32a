package hash

import "testing"

var testSecret = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

func hasher(t testing.TB, name string, seed uint64) Hasher {
	id, known := Parse(name)
	if !known {
		t.Fatalf("%s is not a hash", name)
	}
	var secret []byte
	if id.Keyed() {
		secret = testSecret
	}
	h, err := New(id, seed, secret)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The table of docs/hashes.md.
func TestKnownAnswersAreThoseOfTheDocumentation(t *testing.T) {
	for _, row := range []struct {
		name                         string
		empty, foobar, number, check uint64
	}{
		{"xxh3-fold", 0x2d06800538d394c2, 0xd78fda63144c5c84, 0x4f477e581570a2d0, 0xccee381706a15589},
		{"xxh3-64", 0x2d06800538d394c2, 0xd78fda63144c5c84, 0xd5a6f8c838df27c8, 0xaf5b3e498c738e13},
		{"xxh64", 0xef46db3751d8e999, 0xa2aa05ed9085aaf9, 0xb556806fb6d14353, 0x322ff458a033a44f},
		{"murmur3-x64-128", 0, 0xbdd2ae7116c85a45, 0xb6acc39989d27df8, 0x9ed1b9415731bb1c},
		{"fnv1a-64", 0xcbf29ce484222325, 0x85944171f73967e8, 0xff3add6b3789daef, 0xd1b287b2a51544f1},
		{"fnv1a-64-splitmix", 0xc3817c016ba4ff30, 0x5df295413403de4f, 0xa4e6579fd9ba8f6d, 0x3f3ce7927924d55c},
		{"siphash-2-4", 0x726fdb47dd0e0e31, 0xf15e87a1187632c0, 0x2cbe815a255faf48, 0x5729cdde0f38afd7},
		{"siphash-1-3", 0xabac0158050fc4dc, 0x981455dbd699259b, 0x2d9b012a807294cb, 0x386cc891dcc01e63},
	} {
		h := hasher(t, row.name, 0)
		for _, each := range []struct {
			key       string
			got, want uint64
		}{
			{"", h.SumString(""), row.empty},
			{"foobar", h.SumString("foobar"), row.foobar},
			{"42", h.SumUint64(42), row.number},
			{"check", h.Check(), row.check},
		} {
			if each.got != each.want {
				t.Errorf("%s of %q: %016x, not %016x", row.name, each.key, each.got, each.want)
			}
		}
	}
}

// One number for every length up to 2100 and three seeds: the digests of all prefixes, folded in order. Computed with
// the library of xxHash itself.
func TestXXHOfEveryLengthIsThatOfTheLibrary(t *testing.T) {
	data := make([]byte, 2100)
	for i := range data {
		data[i] = byte(uint64(i+1) * prime64x1 >> 56)
	}
	for _, row := range []struct{ seed, xxh3, xxh64 uint64 }{
		{0, 0x673eb2acaa4fd730, 0x3bedb41d85e457f0},
		{42, 0x2abe59840d21e29a, 0x6bea41abf00135d1},
		{0x9e3779b97f4a7c15, 0xcd7bebf887ebb898, 0x56288dcf458685bb},
	} {
		var sum3, sum64 uint64
		for n := 0; n <= len(data); n++ {
			sum3 = (sum3 ^ XXH3(data[:n], row.seed)) * prime64x1
			sum64 = (sum64 ^ XXH64(data[:n], row.seed)) * prime64x1
		}
		if sum3 != row.xxh3 || sum64 != row.xxh64 {
			t.Errorf("seed %#x: %#x, %#x, not %#x, %#x", row.seed, sum3, sum64, row.xxh3, row.xxh64)
		}
	}
}

// The digests were computed with the integers of Python.
func TestXXH3FoldIsXXH3ButForEightBytes(t *testing.T) {
	for _, row := range []struct{ key, seed, want uint64 }{
		{0, 0, 0x618a77735cdb91e8},
		{1<<64 - 1, 0, 0xce83463669cfc450},
		{0xe220a8397b1dcdaf, 0, 0}, // the one that seed 0 flips to 0
		{0x0807060504030201, 77, 0xee74832741c4076a},
		{0x0807060504030201, 1<<64 - 1, 0xed1b717adacff9e6},
	} {
		h := hasher(t, "xxh3-fold", row.seed)
		if got := h.SumUint64(row.key); got != row.want {
			t.Errorf("%#x with seed %#x: %016x, not %016x", row.key, row.seed, got, row.want)
		}
	}
	fold, plain := hasher(t, "xxh3-fold", 77), hasher(t, "xxh3-64", 77)
	data := make([]byte, 300)
	for n := range data {
		data[n] = byte(n * 7)
		if key := data[:n]; (fold.Sum(key) == plain.Sum(key)) != (n != 8) {
			t.Errorf("%d bytes: %016x, and %016x by XXH3", n, fold.Sum(key), plain.Sum(key))
		}
	}
}

func TestAnIntegerIsItsEightLittleEndianBytes(t *testing.T) {
	for id := XXH3ID; id <= XXH3FoldID; id++ {
		h := hasher(t, id.String(), 0)
		if h.SumUint64(0x0807060504030201) != h.Sum([]byte{1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("%v: an integer and its bytes differ", id)
		}
	}
	for _, name := range []string{"xxh3-64", "xxh3-fold"} {
		h := hasher(t, name, 77)
		if h.SumUint64(0x0807060504030201) != h.Sum([]byte{1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("%s: a seeded integer and its bytes differ", name)
		}
	}
}

func TestSeedsAndSecretsThatDoNotFitAreRefused(t *testing.T) {
	for _, row := range []struct {
		id     ID
		seed   uint64
		secret []byte
	}{
		{0, 0, nil}, {9, 0, nil}, {0x8000, 0, nil},
		{XXH3FoldID, 0, testSecret}, {XXH3ID, 0, testSecret}, {FNV1aID, 1, nil}, {FNV1aMixedID, 1, nil}, {Murmur3ID, 1 << 32, nil},
		{SipHash24ID, 0, nil}, {SipHash24ID, 0, testSecret[:15]}, {SipHash13ID, 1, testSecret},
	} {
		if _, err := New(row.id, row.seed, row.secret); err == nil {
			t.Errorf("%v with seed %d and a secret of %d bytes is a hash", row.id, row.seed, len(row.secret))
		}
	}
}
