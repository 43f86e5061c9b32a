package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"seen/internal/hash"
	"seen/internal/interop"
)

// The conformance kit (tests/kit): every case that is a Bloom filter of one of the four formats is made, compared byte for byte, loaded
// and asked; every file that must be refused is refused.

const kit = "../../tests/kit"

type row map[string]string

func readTable(t *testing.T, name string) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(kit, name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		r := row{}
		for i, cell := range strings.Split(line, "\t") {
			r[columns[i]] = cell
		}
		rows = append(rows, r)
	}
	return rows
}

// casesOfOurs are those that this package can make and read.
func casesOfOurs(t *testing.T) (ours []row) {
	for _, r := range readTable(t, "cases.tsv") {
		_, foreign := interop.ParseFormat(r["format"])
		if foreign || r["format"] == nativeName && r["kind"] == "bloom" {
			ours = append(ours, r)
		}
	}
	if len(ours) < 90 {
		t.Fatalf("%d cases; the kit has more", len(ours))
	}
	return ours
}

func (r row) number(t *testing.T, column string) (x uint64) {
	if r[column] != "" {
		var err error
		if x, err = strconv.ParseUint(r[column], 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func (r row) hex(t *testing.T, column string) []byte {
	if r[column] == "" {
		return nil
	}
	b, err := hex.DecodeString(r[column])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (r row) makeOptions(t *testing.T) MakeOptions {
	o := MakeOptions{
		Format: r["format"], Variant: r["variant"], Capacity: r.number(t, "capacity"),
		Hash: r["hash"], Seed: r.number(t, "seed"), Secret: r.hex(t, "secret"), StoreSecret: r["store_secret"] == "1",
		Metadata: r.hex(t, "metadata"), Alignment: r.number(t, "alignment"),
	}
	if r["fpr"] != "" {
		o.FPR, _ = strconv.ParseFloat(r["fpr"], 64)
	}
	if r["fields"] != "" {
		if _, err := fmt.Sscanf(r["fields"], "bits=%d,probes=%d", &o.Bits, &o.Probes); err != nil {
			t.Fatalf("%s: fields %q: %v", r["name"], r["fields"], err)
		}
	}
	return o
}

func (r row) loadOptions(t *testing.T) LoadOptions {
	o := LoadOptions{Format: r["format"], Secret: r.hex(t, "secret")}
	if r["format"] != nativeName {
		o.Hash = r["hash"]
	}
	return o
}

// eachKey calls use with the keys of a set NAME:FROM:COUNT, at most so many of them; the slice is used again.
func eachKey(t *testing.T, set string, most int, use func(i int, key []byte)) {
	part := strings.Split(set, ":")
	from, _ := strconv.Atoi(part[1])
	count, err := strconv.Atoi(part[2])
	if err != nil {
		t.Fatalf("no set of keys: %q", set)
	}
	const golden = 0x9e3779b97f4a7c15
	var key []byte
	for n := range min(count, most) {
		i := uint64(from + n)
		key = key[:0]
		switch part[0] {
		case "text":
			key = strconv.AppendUint(append(key, "key-"...), i, 10)
		case "integers":
			key = binary.LittleEndian.AppendUint64(key, i*golden)
		case "bytes":
			for j := range i % 301 {
				key = append(key, byte((i*1024+j+1)*golden>>56))
			}
		}
		use(n, key)
	}
}

func TestTheKitsFiltersAreMadeToTheByte(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		f, err := Make(r.makeOptions(t))
		if err != nil {
			t.Errorf("%s: %v", r["name"], err)
			continue
		}
		eachKey(t, r["keys"], math.MaxInt, func(_ int, key []byte) { f.Add(key) })
		got, err := f.ToBytes()
		want, _ := os.ReadFile(filepath.Join(kit, r["file"]))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; not the %d bytes of %s", r["name"], len(got), err, len(want), r["file"])
		}
	}
}

func TestTheKitsFilesAnswerAsTheyMust(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		path := filepath.Join(kit, r["file"])
		f, err := OpenWith(path, r.loadOptions(t))
		if err != nil {
			t.Errorf("%s: %v", r["name"], err)
			continue
		}
		yes := 0
		answers := make([]byte, kitProbes/8)
		eachKey(t, r["probes"], kitProbes, func(i int, key []byte) {
			if f.Test(key) {
				yes++
				answers[i/8] |= 1 << (i % 8)
			}
		})
		if first := hex.EncodeToString(answers[:128]); first != r["first"] {
			t.Errorf("%s: first answers %s, want %s", r["name"], first, r["first"])
		}
		if sum := fmt.Sprintf("%016x", hash.XXH3(answers, 0)); kitProbes == 100_000 && (sum != r["answers"] || strconv.Itoa(yes) != r["yes"]) {
			t.Errorf("%s: answers %s with %d yes, want %s with %s", r["name"], sum, yes, r["answers"], r["yes"])
		}
		got, err := f.ToBytes()
		if want, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read and saved, it is another file (%v)", r["name"], err)
		}
	}
}

func TestTheKitsFilesAreKnownWithoutBeingNamed(t *testing.T) {
	for _, r := range casesOfOurs(t) {
		f, err := OpenWith(filepath.Join(kit, r["file"]), LoadOptions{Secret: r.hex(t, "secret")})
		if err != nil || f.Format() != r["format"] {
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
	cases := map[string]row{}
	files := map[string][]byte{}
	for _, r := range casesOfOurs(t) {
		cases[r["file"]] = r
		files[r["file"]], _ = os.ReadFile(filepath.Join(kit, r["file"]))
	}
	tried := 0
	for _, r := range readTable(t, "hostile.tsv") {
		base, ours := cases[r["base"]]
		if !ours {
			continue
		}
		tried++
		data := edited(t, files[r["base"]], r["edits"])
		allocated := bytesAllocatedBy(func() {
			if _, err := LoadWith(data, base.loadOptions(t)); err == nil {
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
