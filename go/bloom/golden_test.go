package bloom

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files that the libraries themselves wrote (tests/golden), with the libraries' own answers beside them.

const golden = "../../tests/golden"

// manifest is what lies beside a golden file.
type manifest struct {
	AddedCount     int    `json:"added_count"`
	AbsentAnswers  []bool `json:"absent_answers"`
	ProbePositives []int  `json:"probe_positives"`
	ApproxSize     uint32 `json:"approximated_size"`
	Popcount       uint   `json:"popcount"`
	Params         struct{ M, K uint }
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// goldenKeys are the keys that were added, in order, and some that never were.
func goldenKeys(t *testing.T) (added, absent [][]byte) {
	var keys struct {
		Added  []string `json:"added_hex"`
		Absent []string `json:"absent_hex"`
	}
	readJSON(t, filepath.Join(golden, "keys.json"), &keys)
	decode := func(all []string) (keys [][]byte) {
		for _, each := range all {
			key, err := hex.DecodeString(each)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		return keys
	}
	return decode(keys.Added), decode(keys.Absent)
}

// goldenFiles are the files of the three libraries by path, and their bytes.
func goldenFiles(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for _, format := range []string{"bits-and-blooms", "phrozen", "portable"} {
		manifests, _ := filepath.Glob(filepath.Join(golden, format, "*.json"))
		for _, each := range manifests {
			path := strings.TrimSuffix(each, ".json")
			if data, err := os.ReadFile(path); err == nil {
				files[path] = data
			}
		}
	}
	if len(files) < 15 {
		t.Fatalf("%d golden files; there are more", len(files))
	}
	return files
}

func TestFilesOfTheLibrariesAnswerAsTheLibrariesDo(t *testing.T) {
	added, absent := goldenKeys(t)
	for path, data := range goldenFiles(t) {
		var m manifest
		readJSON(t, path+".json", &m)
		f, err := LoadWith(path, LoadOptions{Format: filepath.Base(filepath.Dir(path))})
		if err != nil {
			t.Error(err)
			continue
		}
		for i, key := range added[:m.AddedCount] {
			if !f.Test(key) {
				t.Errorf("%s: added key %d is lost", path, i)
			}
		}
		for i, key := range absent {
			if f.Test(key) != m.AbsentAnswers[i] {
				t.Errorf("%s: absent key %d: %t", path, i, f.Test(key))
			}
		}
		var positives []int
		for i := range 1000 {
			if f.TestString(fmt.Sprint("probe-", i)) {
				positives = append(positives, i)
			}
		}
		if fmt.Sprint(positives) != fmt.Sprint(m.ProbePositives) {
			t.Errorf("%s: probes %v, want %v", path, positives, m.ProbePositives)
		}
		// Of a full filter the library converts infinity to an integer, which is a number of the machine's own.
		if m.Popcount != 0 && (f.BitSet().Count() != m.Popcount || f.Fill() < 1 && f.ApproximatedSize() != m.ApproxSize) {
			t.Errorf("%s: %d bits, about %d keys; want %d and %d", path, f.BitSet().Count(), f.ApproximatedSize(), m.Popcount, m.ApproxSize)
		}
		if got, err := f.ToBytes(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: saved, it is another file (%v)", path, err)
		}
	}
}

func TestTheContractsMethodsGiveTheOriginalsBytes(t *testing.T) {
	added, _ := goldenKeys(t)
	fill := func(f *BloomFilter) *BloomFilter {
		for _, key := range added {
			f.Add(key)
		}
		return f
	}
	asJSON := func(f *BloomFilter) ([]byte, error) { return json.Marshal(f) }
	binary := (*BloomFilter).MarshalBinary
	written := func(f *BloomFilter) ([]byte, error) {
		var out bytes.Buffer
		n, err := f.WriteTo(&out)
		if n != int64(out.Len()) {
			t.Errorf("WriteTo says %d bytes, and wrote %d", n, out.Len())
		}
		return out.Bytes(), err
	}
	var m0k0 manifest
	readJSON(t, golden+"/bits-and-blooms/m0k0.bin.json", &m0k0)
	few := New(0, 0)
	for _, key := range added[:m0k0.AddedCount] {
		few.Add(key)
	}
	for _, want := range []struct {
		file   string
		f      *BloomFilter
		encode func(*BloomFilter) ([]byte, error)
	}{
		{"n137p01.bin", fill(NewWithEstimates(137, 0.01)), binary},
		{"n137p01.bin", fill(NewWithEstimates(137, 0.01)), written},
		{"n137p01.json.filter", fill(NewWithEstimates(137, 0.01)), asJSON},
		{"n50p1_overfull.bin", fill(NewWithEstimates(50, 0.1)), binary},
		{"m1000k4.bin", fill(New(1000, 4)), binary},
		{"from20w_k7.bin", fill(From(make([]uint64, 20), 7)), binary},
		{"m0k0.bin", few, binary},
		{"m0k0.json.filter", few, asJSON},
	} {
		got, err := want.encode(want.f)
		expected, _ := os.ReadFile(filepath.Join(golden, "bits-and-blooms", want.file))
		if err != nil || !bytes.Equal(got, expected) {
			t.Errorf("%s: %v\n got %x\nwant %x", want.file, err, got, expected)
		}
	}
}

// The numbers of types in a gob depend on what the process encoded before, so the bytes around the filter may differ.
func TestGobsAreReadBothWays(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(golden, "bits-and-blooms", "n137p01.gob"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs BloomFilter
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&theirs); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(&theirs); err != nil {
		t.Fatal(err)
	}
	ours, err := Read(out.Bytes())
	if err != nil || !ours.Equal(&theirs) {
		t.Fatalf("%v", err)
	}
	if again, err := ours.ToBytes(); err != nil || !bytes.Equal(again, out.Bytes()) {
		t.Errorf("saved, it is another gob (%v)", err)
	}
}
