package seen

// Opening any bytes gives an error, or a filter that is safe to ask. Checksums keep a fuzzer out of what lies behind them,
// so they are made right first: `go test -fuzz FuzzRead`.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go/internal/hash"
	"github.com/seenfilter/seen/go/internal/native"
)

// resealed is the bytes with checksums that match, as far as their lengths allow.
func resealed(data []byte) []byte {
	le := binary.LittleEndian
	data = bytes.Clone(data)
	if len(data) < 144 {
		return data
	}
	le.PutUint64(data[16:], uint64(len(data)))
	header, bodyOffset, bodyBytes, pageBytes := uint64(le.Uint32(data[12:])), le.Uint64(data[72:]), le.Uint64(data[80:]), le.Uint64(data[88:])
	size := uint64(len(data))
	if header < 144 || header > size {
		return data
	}
	if bodyOffset <= size && bodyBytes <= size-bodyOffset && pageBytes >= 1<<16 {
		table := data[bodyOffset+bodyBytes:]
		for page := uint64(0); page*pageBytes < bodyBytes && 8*page+8 <= uint64(len(table)); page++ {
			end := min((page+1)*pageBytes, bodyBytes)
			le.PutUint64(table[8*page:], hash.XXH3(data[bodyOffset+page*pageBytes:bodyOffset+end], 0))
		}
		le.PutUint64(data[header-16:], hash.XXH3(table, 0))
	}
	le.PutUint64(data[header-40:], hash.XXH3(data[:header-40], 0))
	le.PutUint64(data[header-8:], hash.XXH3(data[header-40:header-8], 0))
	return data
}

// unsealed is the bytes as a program leaves them that ended while it wrote to the file in place.
func unsealed(data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) >= 144 {
		if header := uint64(binary.LittleEndian.Uint32(data[12:])); header >= 144 && header <= uint64(len(data)) {
			copy(data[header-32:], "unsealed")
		}
	}
	return data
}

// askAll asks a filter, in every way, for keys that lead everywhere.
func askAll(f Filter) {
	keys := make([][]byte, 300)
	for i := range keys {
		keys[i] = binary.LittleEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15)
		f.MayContainUint64(uint64(i))
	}
	f.MayContainString("")
	f.MayContainMany(keys, make([]bool, len(keys)))
}

// changeAll adds keys to a filter, and removes some, where its kind can. A chain that claims to have held very many keys would take
// much memory for more.
func changeAll(f Filter) {
	var links []native.Segment
	switch f := f.(type) {
	case *ScalableBloom:
		links = f.engine.Segments()[1:]
	case *ScalableClassicBloom:
		links = f.engine.Segments()[1:]
	}
	for _, link := range links {
		if link.Shape[0] > 1<<16 {
			return
		}
	}
	for i := range uint64(50) {
		switch f := f.(type) {
		case interface{ AddUint64(uint64) }:
			f.AddUint64(i)
		case interface{ AddUint64(uint64) error }:
			_ = f.AddUint64(i)
		}
	}
	if f, can := f.(interface {
		RemoveUint64(uint64) bool
		CountUint64(uint64) uint64
	}); can {
		for i := range uint64(25) {
			f.RemoveUint64(i)
			f.CountUint64(i)
		}
	}
}

func tryAll(t *testing.T, data []byte, format Format) {
	f, err := Read(data, WithFormat(format), WithRecover())
	if format == "" {
		streamed, streaming := ReadFrom(bytes.NewReader(data), WithRecover())
		if err == nil && streaming != nil {
			t.Fatalf("it opens, and not from a stream: %v", streaming)
		} else if streaming == nil {
			askAll(streamed)
		}
	}
	if err != nil {
		if f != nil {
			t.Error("an error and a filter")
		}
		return
	}
	askAll(f)
	f.Info()
	changeAll(f)
	if foreign, ok := f.(*Foreign); ok && foreign.Guessed() {
		if _, err := foreign.MarshalBinary(); !errors.Is(err, ErrNotRecognised) {
			t.Fatalf("a guess is saved: %v", err)
		}
		return
	}
	switch f := f.(type) {
	case interface{ MarshalBinary() ([]byte, error) }:
		again, err := f.MarshalBinary()
		if err != nil {
			t.Fatalf("it opens and is not saved: %v", err)
		}
		// A secret that the file held is not written again unless it is asked for.
		if _, err := Read(again, WithFormat(format)); err != nil && !errors.Is(err, ErrSecretRequired) {
			t.Fatalf("it is saved and does not open: %v", err)
		}
	}
}

// tryMapped is what Map does with a file: a body that nobody has verified.
func tryMapped(data []byte) {
	r := bytes.NewReader(data)
	h, err := native.ReadHeader(r, uint64(len(data)), true)
	if err != nil {
		return
	}
	body, _ := h.ReadBody(r)
	if body == nil {
		return
	}
	view, err := newView(h, body, opening{})
	if err != nil {
		return
	}
	askAll(view)
	view.Info()
	view.file = r
	_ = view.Verify()
}

func seeds(f *testing.F) {
	for _, folder := range []string{"native-1", "bits-and-blooms", "phrozen", "portable"} {
		files, err := filepath.Glob("../tests/golden/" + folder + "/*")
		if err != nil || len(files) == 0 {
			f.Fatalf("no golden files of %s: %v", folder, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, ".json") {
				continue
			}
			if data, err := os.ReadFile(path); err == nil && len(data) < 6000 {
				f.Add(data)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []Format{"", FormatNative, FormatBitsAndBlooms, FormatPhrozen, FormatPortable} {
			tryAll(t, data, format)
		}
		whole := resealed(data)
		tryAll(t, whole, FormatNative)
		tryMapped(whole)
		tryMapped(unsealed(whole))
		tryAll(t, unsealed(whole), FormatNative)
	})
}

// A little of what the fuzzer does at length: each byte of each golden file is turned into a few others.
func TestMutatedFilesAreRefusedOrSafe(t *testing.T) {
	files, err := filepath.Glob("../tests/golden/native-1/*.seen")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files")
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, len(data)/400)
		for at := 0; at < len(data); at += step {
			if at > 256 {
				at += int(hash.SplitMix(uint64(at)) % uint64(step))
			}
			if at >= len(data) {
				break
			}
			old := data[at]
			for _, value := range []byte{0, 0xff, old ^ 1, old ^ 0x80} {
				data[at] = value
				whole := resealed(data)
				tryAll(t, whole, FormatNative)
				tryMapped(whole)
				tryMapped(unsealed(whole))
				tryAll(t, unsealed(whole), FormatNative)
			}
			data[at] = old
		}
	}
}
