package bloom

// Arguments that the types allow and that are refused by an error, in time.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written is every way of writing a filter, by name.
func written(f *BloomFilter, path string) map[string]error {
	errs := map[string]error{"Save": f.Save(path)}
	_, errs["ToBytes"] = f.ToBytes()
	_, errs["MarshalBinary"] = f.MarshalBinary()
	_, errs["GobEncode"] = f.GobEncode()
	_, errs["MarshalJSON"] = json.Marshal(f)
	var out bytes.Buffer
	if _, errs["WriteTo"] = f.WriteTo(&out); out.Len() != 0 {
		errs["WriteTo"] = nil
	}
	return errs
}

func TestWhatCouldNotBeReadAgainIsNotWritten(t *testing.T) {
	for _, each := range []struct {
		f    *BloomFilter
		want string
	}{
		{New(100_000, 300), "k is 300; it must be from 1 to 255"},
		{NewWithEstimates(1000, 1e-80), "k is 266; it must be from 1 to 255"},
		{FromWithM(make([]uint64, 1), 1<<24, 3), "m is 16777216, far beyond the 64 bits"},
	} {
		path := filepath.Join(t.TempDir(), "f")
		for name, err := range written(each.f, path) {
			if err == nil || !strings.Contains(err.Error(), each.want) {
				t.Errorf("%s: %v; want %q", name, err, each.want)
			}
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("a file is there: %v", err)
		}
		if !each.f.AddString("x").TestString("x") {
			t.Error("it does not work in memory either")
		}
	}
	f := New(100_000, 255) // the most
	for name, err := range written(f, filepath.Join(t.TempDir(), "f")) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	data, _ := f.ToBytes()
	if again, err := Read(data); err != nil || again.K() != 255 {
		t.Error(err)
	}
}

func TestAZeroFilterIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	errs := written(new(BloomFilter), path)
	errs["WriteNative"] = new(BloomFilter).WriteNative(new(bytes.Buffer))
	delete(errs, "MarshalJSON") // which the original has, and reads
	for name, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "zero BloomFilter") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a file is there: %v", err)
	}
}

func TestIndentedJSONIsReadAsDenseOneIs(t *testing.T) {
	for name, f := range map[string]BloomFilter{"zero": {}, "filled": *filled(New(1000, 4), 0, 100)} {
		data, err := json.MarshalIndent(f, "  ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		var again BloomFilter
		if err := json.Unmarshal(data, &again); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want, _ := json.Marshal(f)
		if got, err := json.Marshal(again); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
		for _, inside := range []string{"[" + string(data) + ", null ]", "[\n" + string(data) + "\r\n]"} {
			var list []BloomFilter
			if err := json.Unmarshal([]byte(inside), &list); err != nil {
				t.Errorf("%s in a list: %v", name, err)
			}
		}
	}
	for _, text := range []string{`{"m":0,"k":0}`, `{"m":0,"k":1,"b":null}`, `{"m": 0, "k": 0, "b": null} 1`, ``, ` `} {
		if new(BloomFilter).UnmarshalJSON([]byte(text)) == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestAFilterIsNotCombinedWithNothing(t *testing.T) {
	f := filled(New(1000, 4), 0, 100)
	for _, nothing := range []*BloomFilter{nil, {}} {
		for _, pair := range [][2]*BloomFilter{{f, nothing}, {nothing, f}, {nothing, nothing}} {
			a, b := pair[0], pair[1]
			_, union := a.United(b)
			_, intersection := a.Intersected(b)
			for verb, err := range map[string]error{"merge": a.Merge(b), "union": union, "intersect": intersection} {
				if err == nil || !strings.Contains(err.Error(), "zero BloomFilter") {
					t.Errorf("%s: %v", verb, err)
				}
			}
			if a.Equal(b) != (a == b) {
				t.Errorf("a filter and nothing are equal, or nothing and nothing are not")
			}
		}
	}
	if !has(f, 0, 100) {
		t.Error("the filter is another one")
	}
}
