package bloom

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/kit"
)

// The conformance kit (tests/kit): every case that is a Bloom filter of one of the four formats is made, compared byte for byte, loaded
// and asked; every file that must be refused is refused.

const kitFolder = "../../tests/kit"

var kitKeys = kit.KeyCache{}

func keysOf(t *testing.T, set string) [][]byte {
	t.Helper()
	keys, err := kitKeys.Get(set)
	if err != nil {
		t.Fatal(err)
	}
	return keys.Bytes
}

// casesOfOurs are those that this package can make and read.
func casesOfOurs(t *testing.T) (ours []kit.Case) {
	t.Helper()
	cases, err := kit.Cases(kitFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c["format"] != nativeName || c["kind"] == "bloom" {
			ours = append(ours, c)
		}
	}
	if len(ours) < 90 {
		t.Fatalf("%d cases; the kit has more", len(ours))
	}
	return ours
}

func makeOptions(t *testing.T, c kit.Case) MakeOptions {
	t.Helper()
	fields, err := kit.Fields(c["fields"])
	if err != nil {
		t.Fatal(err)
	}
	number := func(column string) uint64 {
		x, _ := strconv.ParseUint(c[column], 10, 64) // 0 where the cell is empty
		return x
	}
	rate, _ := strconv.ParseFloat(c["fpr"], 64)
	return MakeOptions{
		Format: c["format"], Variant: c["variant"],
		Capacity: number("capacity"), FPR: rate, Bits: fields["bits"], Probes: fields["probes"],
		Hash: c["hash"], Seed: number("seed"), Secret: bytesIn(c["secret"]), StoreSecret: c["store_secret"] == "1",
		Metadata: bytesIn(c["metadata"]), Alignment: number("alignment"),
	}
}

func loadOptions(c kit.Case) LoadOptions {
	o := LoadOptions{Format: c["format"], Secret: bytesIn(c["secret"]), StoreSecret: c["store_secret"] == "1"}
	if c["format"] != nativeName {
		o.Hash = c["hash"]
	}
	return o
}

// bytesIn are the bytes of a cell, nil where it is empty.
func bytesIn(cell string) []byte {
	if cell == "" {
		return nil
	}
	b, err := hex.DecodeString(cell)
	if err != nil {
		panic(err)
	}
	return b
}

func TestTheKitsFiltersAreMadeToTheByte(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		f, err := Make(makeOptions(t, r))
		if err != nil {
			t.Errorf("%s: %v", r["name"], err)
			continue
		}
		for _, key := range keysOf(t, r["keys"]) {
			f.Add(key)
		}
		got, err := f.ToBytes()
		want, _ := os.ReadFile(filepath.Join(kitFolder, r["file"]))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; not the %d bytes of %s", r["name"], len(got), err, len(want), r["file"])
		}
	}
}

func TestTheKitsFilesAnswerAsTheyMust(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		path := filepath.Join(kitFolder, r["file"])
		f, err := LoadWith(path, loadOptions(r))
		if err != nil {
			t.Errorf("%s: %v", r["name"], err)
			continue
		}
		yes := 0
		answers := make([]bool, kitProbes)
		for i, key := range keysOf(t, r["probes"])[:kitProbes] {
			if answers[i] = f.Test(key); answers[i] {
				yes++
			}
		}
		bitmap := kit.Bitmap(answers)
		if first := hex.EncodeToString(bitmap[:128]); first != r["first"] {
			t.Errorf("%s: first answers %s, want %s", r["name"], first, r["first"])
		}
		if sum := fmt.Sprintf("%016x", hash.XXH3(bitmap, 0)); kitProbes == 100_000 && (sum != r["answers"] || strconv.Itoa(yes) != r["yes"]) {
			t.Errorf("%s: answers %s with %d yes, want %s with %s", r["name"], sum, yes, r["answers"], r["yes"])
		}
		got, err := f.ToBytes()
		if want, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read and saved, it is another file (%v)", r["name"], err)
		}
		// Only whoever asks for it has the secret in a file, whatever the file was that was loaded.
		if secret := bytesIn(r["secret"]); secret != nil {
			for _, store := range []bool{false, true} {
				f, err := LoadWith(path, LoadOptions{Secret: secret, StoreSecret: store})
				if err != nil {
					t.Fatal(err)
				}
				for _, each := range []*BloomFilter{f, f.Copy()} {
					if data, err := each.ToBytes(); err != nil || bytes.Contains(data, secret) != store {
						t.Errorf("%s: the secret is in the file: %t, and was asked for: %t (%v)", r["name"], !store, store, err)
					}
				}
			}
		}
	}
}

func TestTheKitsFilesAreKnownWithoutBeingNamedOrTheirNameIsAsked(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		f, err := LoadWith(filepath.Join(kitFolder, r["file"]), LoadOptions{Secret: bytesIn(r["secret"])})
		// An empty filter is small numbers and zeros.
		proves := r["format"] == "native" || r["format"] == "bits-and-blooms" && !strings.HasSuffix(r["keys"], ":0")
		if proves && (err != nil || f.Format() != r["format"]) {
			t.Errorf("%s: %v", r["name"], err)
		}
		if !proves && err != nil && !strings.Contains(err.Error(), r["format"]) || err == nil && f.Format() != r["format"] {
			t.Errorf("%s: %v", r["name"], err)
		}
	}
}

// edited applies the edits of a row of hostile.tsv.
func edited(t *testing.T, data []byte, edits string) []byte {
	data = bytes.Clone(data)
	for _, edit := range strings.Split(edits, ",") {
		where, what, _ := strings.Cut(edit, ":")
		if where == "cut" {
			n, _ := strconv.Atoi(what)
			data = data[:n]
			continue
		}
		some, err := hex.DecodeString(what)
		if err != nil {
			t.Fatal(err)
		}
		if where == "append" {
			data = append(data, some...)
			continue
		}
		at, err := strconv.Atoi(where)
		if err != nil {
			t.Fatal(err)
		}
		copy(data[at:at+len(some)], some)
	}
	return data
}

func TestTheKitsHostileFilesAreRefused(t *testing.T) {
	cases := map[string]kit.Case{}
	files := map[string][]byte{}
	for _, r := range casesOfOurs(t) {
		cases[r["file"]] = r
		files[r["file"]], _ = os.ReadFile(filepath.Join(kitFolder, r["file"]))
	}
	tried := 0
	rows, err := kit.Table(filepath.Join(kitFolder, "hostile.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		base, ours := cases[r["base"]]
		if !ours {
			continue
		}
		tried++
		data := edited(t, files[r["base"]], r["edits"])
		allocated := bytesAllocatedBy(func() {
			if _, err := ReadWith(data, loadOptions(base)); err == nil {
				t.Errorf("%s, %s (%s): loaded", r["base"], r["edits"], r["why"])
			}
		})
		if most := uint64(16*len(data) + 1<<16); allocated > most {
			t.Errorf("%s, %s (%s): %d bytes allocated", r["base"], r["edits"], r["why"], allocated)
		}
	}
	if tried < 500 {
		t.Errorf("only %d hostile files", tried)
	}
}

func bytesAllocatedBy(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
