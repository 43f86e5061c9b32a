package seen_test

// The conformance kit of tests/kit: the same bytes, answers, sizes and digests as every other language, and the same files
// refused.

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/interop"
	"github.com/seenfilter/seen/go/internal/kit"
)

const kitFolder = "../tests/kit"

var kitKeys = kit.KeyCache{}

func kitCases(t *testing.T) []kit.Case {
	cases, err := kit.Cases(kitFolder)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 100 {
		t.Fatalf("the kit has only %d cases for this language", len(cases))
	}
	return cases
}

func kitSet(t *testing.T, text string) kit.Keys {
	keys, err := kitKeys.Get(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestKitFiltersAreTheSameBytesInEveryLanguage(t *testing.T) {
	written := 0
	for _, c := range kitCases(t) {
		if !c.Writable() {
			continue
		}
		want, err := os.ReadFile(filepath.Join(kitFolder, c["file"]))
		if err != nil {
			t.Fatal(err)
		}
		for _, concurrent := range []bool{false, true} {
			f, err := c.Make(concurrent, kitSet(t, c["keys"]))
			if err != nil {
				t.Errorf("%s: %v", c["name"], err)
				continue
			}
			var got bytes.Buffer
			if err := c.Encode(f, &got); err != nil {
				t.Errorf("%s: %v", c["name"], err)
				continue
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s: %s", c["name"], firstDifference(got.Bytes(), want))
			}
		}
		written++
	}
	if written < 300 {
		t.Errorf("only %d filters were written", written)
	}
}

func firstDifference(got, want []byte) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("byte %d is %02x, not %02x", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d bytes, not %d", len(got), len(want))
}

func TestKitFilesAnswerAsInEveryLanguage(t *testing.T) {
	for i, c := range kitCases(t) {
		path := filepath.Join(kitFolder, c["file"])
		f, err := seen.Load(path, c.OpenOptions()...)
		if err != nil {
			t.Errorf("%s: %v", c["name"], err)
			continue
		}
		checkAnswers(t, c, f)
		if c.Format() != seen.FormatNative || i%2 == 0 {
			continue
		}
		view, err := seen.Map(path, c.OpenOptions()...)
		if err != nil {
			t.Errorf("%s: map: %v", c["name"], err)
			continue
		}
		checkAnswers(t, c, view)
		if err := view.Verify(); err != nil {
			t.Errorf("%s: verify: %v", c["name"], err)
		}
		if err := view.Close(); err != nil {
			t.Errorf("%s: close: %v", c["name"], err)
		}
	}
}

func checkAnswers(t *testing.T, c kit.Case, f seen.Filter) {
	bitmap, yes := kitSet(t, c["probes"]).Ask(f)
	if asked, ok := f.(interface{ Health() seen.Health }); ok { // views have no estimates
		if got := findings(asked.Health()); got != c["health"] {
			t.Errorf("%s: health: %q, not %q: %+v", c["name"], got, c["health"], asked.Health())
		}
	}
	if sum := fmt.Sprintf("%016x", hash.XXH3(bitmap, 0)); sum != c["answers"] || strconv.Itoa(yes) != c["yes"] {
		first := hex.EncodeToString(bitmap[:min(128, len(bitmap))])
		t.Errorf("%s: %d answers of maybe and %s, not %s and %s; the first are\n%s\n%s", c["name"], yes, sum, c["yes"], c["answers"], first, c["first"])
	}
}

// findings is the column health: "past-capacity,above-fpr".
func findings(h seen.Health) string {
	var found []string
	for _, one := range []struct {
		is   bool
		name string
	}{{h.Saturated, "saturated"}, {h.PastCapacity, "past-capacity"}, {h.AboveFPR, "above-fpr"}} {
		if one.is {
			found = append(found, one.name)
		}
	}
	return strings.Join(found, ",")
}

func TestKitSizesAreTheSameIntegersInEveryLanguage(t *testing.T) {
	rows, err := kit.Table(filepath.Join(kitFolder, "sizes.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, row := range rows {
		capacity, err := strconv.ParseUint(row["capacity"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		fpr, err := strconv.ParseFloat(row["fpr"], 64)
		if err != nil {
			t.Fatal(err)
		}
		got, planned := plan(row["kind"], seen.Target{Capacity: capacity, FPR: fpr})
		if !planned {
			continue
		}
		compared++
		if got != row["fields"] {
			t.Errorf("%s for %d keys at %s: %q, not %q", row["kind"], capacity, row["fpr"], got, row["fields"])
		}
	}
	if compared < 1800 {
		t.Errorf("only %d sizes were compared", compared)
	}
}

func TestKitPortableSizesAreTheDocumentsInEveryLanguage(t *testing.T) {
	rows, err := kit.Table(filepath.Join(kitFolder, "portable_sizes.tsv"))
	if err != nil || len(rows) < 500 {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		var wish interop.Wish
		if wish.Capacity, err = strconv.ParseUint(row["capacity"], 10, 64); err != nil {
			t.Fatal(err)
		}
		if wish.FPR, err = strconv.ParseFloat(row["fpr"], 64); err != nil {
			t.Fatal(err)
		}
		m, k, err := interop.Shape(interop.Portable, wish)
		got := fieldsOr(err, fmt.Sprintf("%d, %d", m, k))
		if want := strings.Trim(row["bits"]+", "+row["probes"], ", "); got != want {
			t.Errorf("%d keys at %s: %q, not %q (%v)", wish.Capacity, row["fpr"], got, want, err)
		}
	}
}

// plan is the fields that a kind has for a target, "" where it is refused.
func plan(kind string, target seen.Target) (fields string, planned bool) {
	switch kind {
	case "bloom":
		s, err := seen.PlanBloom(target)
		return fieldsOr(err, fmt.Sprintf("bits=%d,probes=%d", s.Bits, s.Probes)), true
	case "blocked-bloom":
		s, err := seen.PlanBlockedBloom(target)
		return fieldsOr(err, fmt.Sprintf("blocks=%d,probes=%d", s.Blocks, s.Probes)), true
	case "split-block":
		s, err := seen.PlanSplitBlock(target)
		return fieldsOr(err, fmt.Sprintf("blocks=%d", s.Blocks)), true
	case "counting-bloom":
		s, err := seen.PlanCountingBloom(target)
		return fieldsOr(err, fmt.Sprintf("counters=%d,probes=%d,counter-bits=%d", s.Counters, s.Probes, s.CounterBits)), true
	case "blocked-counting-bloom":
		s, err := seen.PlanBlockedCountingBloom(target)
		return fieldsOr(err, fmt.Sprintf("blocks=%d,probes=%d,counter-bits=%d", s.Blocks, s.Probes, s.CounterBits)), true
	case "cuckoo":
		s, err := seen.PlanCuckoo(target)
		return fieldsOr(err, fmt.Sprintf("buckets=%d,fingerprint-bits=%d,chunks=%d", s.Buckets, s.FingerprintBits, s.Chunks)), true
	}
	return "", false
}

func fieldsOr(err error, fields string) string {
	if err != nil {
		return ""
	}
	return fields
}

func TestKitDigestsAreTheSameInEveryLanguage(t *testing.T) {
	rows, err := kit.Table(filepath.Join(kitFolder, "hashes.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		id, known := hash.Parse(row["hash"])
		if !known {
			continue
		}
		var seed uint64
		var secret []byte
		if row["seed"] != "" {
			seed, _ = strconv.ParseUint(row["seed"], 10, 64)
		}
		if row["secret"] != "" {
			secret, _ = hex.DecodeString(row["secret"])
		}
		key, err := hex.DecodeString(row["key"])
		if err != nil {
			t.Fatal(err)
		}
		h, err := hash.New(id, seed, secret)
		if err != nil {
			t.Errorf("%s: %v", row["hash"], err)
			continue
		}
		if got := fmt.Sprintf("%016x", h.Sum(key)); got != row["digest"] {
			t.Errorf("%s, seed %s, of %q: %s, not %s", row["hash"], row["seed"], row["key"], got, row["digest"])
		}
	}
}

func TestKitHostileFilesAreRefused(t *testing.T) {
	rows, err := kit.Table(filepath.Join(kitFolder, "hostile.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]kit.Case{}
	for _, c := range kitCases(t) {
		byFile[c["file"]] = c
	}
	files := map[string][]byte{}
	for _, row := range rows {
		c, readable := byFile[row["base"]]
		if !readable {
			continue
		}
		if files[row["base"]] == nil {
			if files[row["base"]], err = os.ReadFile(filepath.Join(kitFolder, row["base"])); err != nil {
				t.Fatal(err)
			}
		}
		data := edit(t, files[row["base"]], row["edits"])
		if _, err := seen.Read(data, c.OpenOptions()...); err == nil {
			t.Errorf("%s with %s (%s) was opened", row["base"], row["edits"], row["why"])
		}
	}
}

func edit(t *testing.T, file []byte, edits string) []byte {
	data := bytes.Clone(file)
	for _, each := range strings.Split(edits, ",") {
		what, value, _ := strings.Cut(each, ":")
		switch what {
		case "cut":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			data = data[:n]
		case "append":
			data = append(data, unhex(t, value)...)
		default:
			at, err := strconv.Atoi(what)
			if err != nil {
				t.Fatal(err)
			}
			copy(data[at:], unhex(t, value))
		}
	}
	return data
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
