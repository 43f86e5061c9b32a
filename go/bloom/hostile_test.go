package bloom

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bytes from outside: an error or a filter that works, never a panic, a hang, or memory for a length alone.

// harmless loads bytes in every way there is, uses what comes, and fails if that took more memory than the bytes warrant.
func harmless(t *testing.T, data []byte) {
	t.Helper()
	allocated := bytesAllocatedBy(func() {
		for _, format := range []string{"", "native", "bits-and-blooms", "phrozen", "portable"} {
			f, err := ReadWith(data, LoadOptions{Format: format})
			if err != nil {
				continue
			}
			f.AddString("x")
			if !f.TestString("x") {
				t.Errorf("%s: a key is lost", f.Format())
			}
			saved, err := f.ToBytes()
			if err != nil {
				t.Error(err)
			}
			if g, err := ReadWith(saved, LoadOptions{Format: f.Format()}); err != nil || !g.Equal(f) {
				t.Errorf("%s: saved, it is not read again: %v", f.Format(), err)
			}
		}
		var f BloomFilter
		if f.UnmarshalBinary(data) == nil && !f.AddString("x").TestString("x") {
			t.Error("UnmarshalBinary: a key is lost")
		}
		_ = f.UnmarshalJSON(data)
		_ = f.GobDecode(data)
		_, _ = f.ReadFrom(bytes.NewReader(data))
	})
	// m may be a thousand times the file, and is loaded and saved several times over.
	if most := uint64(40_000*len(data) + 4<<20); allocated > most {
		t.Errorf("%d bytes allocated for %d", allocated, len(data))
	}
}

func TestGoldenFilesWithAnyByteChangedAreHarmless(t *testing.T) {
	files := goldenFiles(t)
	native := filepath.Join(golden, "native-1", "bloom.seen")
	files[native], _ = os.ReadFile(native)
	for path, data := range files {
		step := max(1, len(data)/150)
		for i := range data {
			if i >= 40 && i%step != 0 { // every byte of the headers, some of the rest
				continue
			}
			for _, value := range []byte{0, 1, 0x7f, 0x80, 0xff, data[i] ^ 0x10} {
				bad := bytes.Clone(data)
				bad[i] = value
				harmless(t, bad)
				if path == native && value != data[i] {
					if _, err := Read(bad); err == nil {
						t.Errorf("%s: byte %d changed, and nobody notices", path, i)
					}
				}
			}
		}
	}
}

func TestAnnouncedLengthsAloneTakeNoMemory(t *testing.T) {
	header := func(m, k, length uint64) (data []byte) {
		for _, x := range []uint64{m, k, length} {
			data = binary.BigEndian.AppendUint64(data, x)
		}
		return data
	}
	for _, data := range [][]byte{header(1<<40, 7, 1<<40), header(1<<39, 7, 1<<39), header(1<<63, 7, 1<<63), header(1<<40, 7, 0), header(100, 1<<63, 100)} {
		harmless(t, data)
		harmless(t, append(data, make([]byte, 1000)...))
		allocated := bytesAllocatedBy(func() {
			if _, err := New(1, 1).ReadFrom(io.MultiReader(bytes.NewReader(data), strings.NewReader("and no more"))); err == nil {
				t.Errorf("%x: read", data)
			}
		})
		if allocated > 4<<20 {
			t.Errorf("%x: %d bytes allocated", data, allocated)
		}
	}
}

func TestJSONAndGobBombsAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"m":1099511627776,"k":7,"b":"AAAAAAAAAAA="}`,
		`{"m":1,"k":4611686018427387904,"b":"AAAAAAAAAAA="}`,
		`{"m":18446744073709551615,"k":1,"b":"AAAAAAAAAAA="}`,
		`{"m":1,"k":1,"b":"//////////8="}`,
		`{"m":1,"k":1,"b":"` + strings.Repeat("A", 1000) + `"}`,
		strings.Repeat("[", 1_000_000),
		`{"m":0,"k":0,"b":"AAAAAAAAAAA="}`,
	} {
		var f BloomFilter
		if json.Unmarshal([]byte(text), &f) == nil {
			t.Errorf("%.60s: read", text)
		}
		harmless(t, []byte(text))
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(New(1000, 3)); err != nil {
		t.Fatal(err)
	}
	for i := range out.Len() {
		bad := bytes.Clone(out.Bytes())
		bad[i] ^= 0x81
		harmless(t, bad)
		var f BloomFilter
		_ = gob.NewDecoder(bytes.NewReader(bad)).Decode(&f)
	}
}

func TestAFailedCallChangesNothing(t *testing.T) {
	f := filled(New(1000, 3), 0, 50)
	before := f.Copy()
	for _, bad := range [][]byte{nil, {1}, make([]byte, 24), bytes.Repeat([]byte{0xff}, 50)} {
		_, stream := f.ReadFrom(bytes.NewReader(bad))
		for i, err := range []error{f.UnmarshalBinary(bad), f.UnmarshalJSON(bad), f.GobDecode(bad), stream} {
			if err == nil || !f.Equal(before) {
				t.Errorf("%x, call %d: %v", bad, i, err)
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, data := range goldenFiles(f) {
		f.Add(data)
	}
	if data, err := os.ReadFile(filepath.Join(golden, "native-1", "bloom.seen")); err == nil {
		f.Add(data)
	}
	f.Fuzz(harmless)
}
