package seen_test

// Files: what is saved is what is loaded, whole or not at all.

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

func TestAFileIsTheFilterThatWasSaved(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t, seen.WithSeed(42))
		for i := range uint64(1000) {
			f.AddUint64(i)
		}
		if err := f.SetMetadata([]byte("mine")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "f.seen")
		if err := f.Save(path, seen.WithAlignment(4096)); err != nil {
			t.Fatal(err)
		}
		loaded, err := seen.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		again, ok := loaded.(writable)
		if !ok {
			t.Fatalf("a %T came back", loaded)
		}
		if string(again.Metadata()) != "mine" || again.Seed() != 42 || again.Hash() != f.Hash() || again.Target() != target {
			t.Errorf("metadata %q, seed %d, hash %v, target %v", again.Metadata(), again.Seed(), again.Hash(), again.Target())
		}
		want, _ := f.MarshalBinary()
		got, _ := again.MarshalBinary()
		if !bytes.Equal(got, want) {
			t.Error("the loaded filter is saved as other bytes")
		}
		again.AddString("one more")
		if !again.MayContainString("one more") {
			t.Error("the loaded filter takes no key")
		}

		view, err := seen.Map(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(1000) {
			if !view.MayContainUint64(i) {
				t.Fatalf("key %d is not in the mapped file", i)
			}
		}
		if err := view.Verify(); err != nil {
			t.Error(err)
		}
		info, err := seen.Inspect(path)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(info), fmt.Sprint(view.Info()); a != b || a != fmt.Sprint(f.Info()) {
			t.Errorf("the file says\n%s\nthe view\n%s\nthe filter\n%v", a, b, f.Info())
		}
		if err := view.Close(); err != nil {
			t.Error(err)
		}
		if err := view.Close(); err == nil {
			t.Error("a view is closed twice")
		}

		zero := k.zero()
		if err := zero.UnmarshalBinary(want); err != nil {
			t.Fatal(err)
		}
		if !k.equal(zero, f) {
			t.Error("the unmarshalled filter is another one")
		}
		zero.AddString("more")
	})
}

func TestUnmarshalRefusesAnotherKindAndChangesNothing(t *testing.T) {
	bloom, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	bloom.AddString("a")
	blocked, err := seen.NewBlockedBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := blocked.MarshalBinary()
	if err := bloom.UnmarshalBinary(other); err == nil || !strings.Contains(err.Error(), "blocked-bloom") {
		t.Errorf("the error is %v", err)
	}
	if err := bloom.UnmarshalBinary(other[:100]); err == nil || !bloom.MayContainString("a") {
		t.Error("a refused file changed the filter")
	}
}

func TestAKeyedFileOpensWithItsSecretOnly(t *testing.T) {
	secret, err := seen.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	f, err := seen.NewBloom(target, seen.WithSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("mallory")
	if f.Hash() != seen.SipHash13 {
		t.Errorf("a filter with a secret has %v", f.Hash())
	}
	folder := t.TempDir()
	without, with := filepath.Join(folder, "without"), filepath.Join(folder, "with")
	if err := f.Save(without); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(with, seen.WithStoredSecret()); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(without); bytes.Contains(data, secret[:]) {
		t.Error("the secret is in the file")
	}
	if _, err := seen.Load(without); !errors.Is(err, seen.ErrSecretRequired) {
		t.Errorf("without the secret: %v", err)
	}
	if _, err := seen.Map(without); !errors.Is(err, seen.ErrSecretRequired) {
		t.Errorf("mapped without the secret: %v", err)
	}
	if _, err := seen.Load(without, seen.WithSecret(seen.Secret{})); !errors.Is(err, seen.ErrWrongSecret) {
		t.Errorf("with another secret: %v", err)
	}
	if info, err := seen.Inspect(without); err != nil || !info.Keyed {
		t.Errorf("inspecting it: %v", err)
	}
	for path, options := range map[string][]seen.OpenOption{without: {seen.WithSecret(secret)}, with: nil} {
		g, err := seen.Load(path, options...)
		if err != nil {
			t.Fatal(err)
		}
		if !g.(*seen.Bloom).Equal(f) {
			t.Error("the keyed filter came back as another one")
		}
		// Whoever loads a file that holds it, and saves another one, has not asked for that.
		if data, err := g.(*seen.Bloom).MarshalBinary(); err != nil || bytes.Contains(data, secret[:]) {
			t.Errorf("the secret is written again, unasked: %v", err)
		}
	}
	plain, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.Save(filepath.Join(folder, "plain"), seen.WithStoredSecret()); err == nil {
		t.Error("a filter without a secret stored it")
	}
}

func TestErrorsOfTheWriterAreReported(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := f.MarshalBinary()
	for _, room := range []int{0, 1, 200, len(whole) - 1} {
		n, err := f.WriteTo(&limited{room})
		if !errors.Is(err, io.ErrShortWrite) || n != int64(room) {
			t.Errorf("with room for %d bytes: %d written, %v", room, n, err)
		}
	}
	if n, err := f.WriteTo(&limited{len(whole)}); err != nil || n != int64(len(whole)) {
		t.Errorf("%d of %d written, %v", n, len(whole), err)
	}
}

type limited struct{ room int }

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.room)
	l.room -= n
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestMetadataIsBounded(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.SetMetadata(make([]byte, 65_537)); err == nil {
		t.Error("65,537 bytes are accepted")
	}
	if err := f.SetMetadata(bytes.Repeat([]byte{7}, 65_536)); err != nil {
		t.Fatal(err)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	g, err := seen.Read(data)
	if err != nil || len(g.Info().Metadata) != 65_536 {
		t.Errorf("%v", err)
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	f, err := seen.NewBloomShape(seen.BloomShape{Bits: 1000, Probes: 3})
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		if _, err := seen.Read(data, seen.WithFormat(seen.FormatNative)); err == nil {
			t.Errorf("bit %d is flipped, and the file opens", bit)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	for n := range data {
		if _, err := seen.Read(data[:n], seen.WithFormat(seen.FormatNative)); err == nil {
			t.Errorf("cut to %d bytes it opens", n)
		}
	}
	if _, err := seen.Read(append(slices.Clone(data), 0)); err == nil {
		t.Error("a byte more, and it opens")
	}
}

func TestADamagedPageIsFoundByVerify(t *testing.T) {
	f, err := seen.NewBlockedBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f.seen")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[5000] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := seen.Load(path); !errors.Is(err, seen.ErrCorrupt) {
		t.Errorf("load: %v", err)
	}
	view, err := seen.Map(path)
	if err != nil {
		return // a system that reads instead of mapping has noticed already
	}
	defer view.Close()
	if err := view.Verify(); !errors.Is(err, seen.ErrCorrupt) {
		t.Errorf("verify: %v", err)
	}
}

func TestAnUnsealedFileOpensOnlyToBeRecovered(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		f.AddString("before")
		path := filepath.Join(t.TempDir(), "f.seen")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// As a program leaves the file that ended while it wrote in place: new bits, and the old census and checksums.
		f.AddString("after")
		changed, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		header := binary.LittleEndian.Uint32(data[12:])
		table := len(data) - 8*((len(data)-int(header)+65535)/65536)
		copy(data[header:table], changed[header:table])
		copy(data[header-32:], "unsealed")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}

		if _, err := seen.Load(path); !errors.Is(err, seen.ErrUnsealed) {
			t.Errorf("load: %v", err)
		}
		if _, err := seen.Map(path); !errors.Is(err, seen.ErrUnsealed) {
			t.Errorf("map: %v", err)
		}
		g, err := seen.Load(path, seen.WithRecover())
		if err != nil {
			t.Fatal(err)
		}
		view, err := seen.Map(path, seen.WithRecover())
		if err != nil {
			t.Fatal(err)
		}
		defer view.Close()
		for _, each := range []seen.Filter{g, view} {
			if !each.MayContainString("before") || !each.MayContainString("after") || each.Info().Census != f.Info().Census {
				t.Errorf("%T: keys are lost, or %d set bits are %d", each, f.Info().Census, each.Info().Census)
			}
		}
		if err := view.Verify(); !errors.Is(err, seen.ErrUnsealed) {
			t.Errorf("verify: %v", err)
		}
		// Saved again it is sealed, and the same file as without the interruption.
		if again, err := g.(writable).MarshalBinary(); err != nil || !bytes.Equal(again, changed) {
			t.Errorf("it is saved as another file: %v", err)
		}
		// What the header says is checked as ever.
		data[56] ^= 1
		if _, err := seen.Read(data, seen.WithRecover()); !errors.Is(err, seen.ErrCorrupt) {
			t.Errorf("a damaged header: %v", err)
		}
	})
}

func TestADamagedSealedFileIsNotRecovered(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	data[5000] ^= 1
	if _, err := seen.Read(data, seen.WithRecover()); !errors.Is(err, seen.ErrCorrupt) {
		t.Errorf("%v", err)
	}
}

func TestPathsThatAreNoFiltersAreErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "text")
	if err := os.WriteFile(path, []byte("some text that is not a filter at all, and long enough to be one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range []string{folder, path, filepath.Join(folder, "missing"), ""} {
		if _, err := seen.Load(each); err == nil {
			t.Errorf("%q is loaded", each)
		}
		if _, err := seen.Map(each); err == nil {
			t.Errorf("%q is mapped", each)
		}
		if _, err := seen.Inspect(each); err == nil {
			t.Errorf("%q is inspected", each)
		}
	}
}

// The golden files: one of each kind, with what it says maybe to among probe-0 … probe-999.
func TestGoldenFilesAnswerAsTheirManifestsSay(t *testing.T) {
	manifests, err := filepath.Glob("../tests/golden/native-1/*.json")
	if err != nil || len(manifests) < 15 {
		t.Fatalf("%d golden files, %v", len(manifests), err)
	}
	for _, path := range manifests {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Kind           string `json:"kind"`
			Hash           string `json:"hash"`
			Capacity       uint64 `json:"capacity"`
			Census         uint64 `json:"census"`
			Metadata       string `json:"metadata"`
			ProbePositives []int  `json:"probe_positives"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if m.Hash == "user-defined" {
			continue // ownhash_test.go has its function
		}
		var options []seen.OpenOption
		if strings.HasPrefix(m.Hash, "siphash") {
			options = append(options, seen.WithSecret(seen.Secret{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}))
		}
		f, err := seen.Load(strings.TrimSuffix(path, ".json"), options...)
		if err != nil {
			t.Error(err)
			continue
		}
		info := f.Info()
		if info.Kind.String() != m.Kind || info.Hash.String() != m.Hash || info.Capacity != m.Capacity || info.Census != m.Census || string(info.Metadata) != m.Metadata {
			t.Errorf("%s: %+v", path, info)
		}
		var positives []int
		for i := range 1000 {
			if f.MayContainString(fmt.Sprint("probe-", i)) {
				positives = append(positives, i)
			}
		}
		if fmt.Sprint(positives) != fmt.Sprint(m.ProbePositives) {
			t.Errorf("%s: maybe to %v, not %v", path, positives, m.ProbePositives)
		}
	}
}

func TestForeignFilesAreWrittenBackByteForByte(t *testing.T) {
	for _, format := range []seen.Format{seen.FormatBitsAndBlooms, seen.FormatPhrozen, seen.FormatPortable} {
		manifests, err := filepath.Glob("../tests/golden/" + string(format) + "/*.json")
		if err != nil || len(manifests) == 0 {
			t.Fatalf("%s: no golden files, %v", format, err)
		}
		for _, manifest := range manifests {
			path := strings.TrimSuffix(manifest, ".json")
			data, err := os.ReadFile(path)
			if err != nil {
				continue // vectors.json, and filters that are JSON themselves
			}
			f, err := seen.Read(data, seen.WithFormat(format))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			foreign := f.(*seen.Foreign)
			if back, err := foreign.MarshalBinary(); err != nil || !bytes.Equal(back, data) {
				t.Errorf("%s is written back differently", path)
			}
			if foreign.Format() != format || foreign.Info().Format != string(format) {
				t.Errorf("%s is of %s", path, foreign.Format())
			}
			copied := foreign.Clone()
			copied.AddString("a key that nobody added before")
			if !copied.MayContainString("a key that nobody added before") {
				t.Errorf("%s takes no key", path)
			}
			if err := foreign.Merge(copied); err != nil || !foreign.MayContainString("a key that nobody added before") {
				t.Errorf("%s does not merge: %v", path, err)
			}
		}
	}
}

func TestAForeignFilterTellsWhatWasThereAndHowMany(t *testing.T) {
	for _, format := range []seen.Format{seen.FormatBitsAndBlooms, seen.FormatPhrozen, seen.FormatPortable} {
		f, err := seen.NewForeign(format, seen.Target{Capacity: 10_000, FPR: 0.001})
		if err != nil {
			t.Fatal(err)
		}
		if f.EstimatedCount() != 0 {
			t.Errorf("%s: an empty filter has %v keys", format, f.EstimatedCount())
		}
		if f.TestAndAddString("a") || !f.TestAndAddString("a") || !f.TestAndAdd([]byte("a")) {
			t.Errorf("%s: a text is told wrongly", format)
		}
		if f.TestAndAddUint64(1<<64-1) || !f.TestAndAddInt64(-1) || !f.MayContain([]byte("\xff\xff\xff\xff\xff\xff\xff\xff")) {
			t.Errorf("%s: an integer is told wrongly", format)
		}
		for i := range uint64(5000) {
			f.AddUint64(i)
		}
		if n := f.EstimatedCount(); n < 4900 || n > 5100 { // ten standard deviations, and the same keys every time
			t.Errorf("%s: 5002 keys are estimated as %v", format, n)
		}
	}
}

func TestForeignFiltersThatDifferAreNotMerged(t *testing.T) {
	base := seen.BloomShape{Bits: 1000, Probes: 4}
	f, err := seen.NewForeignShape(seen.FormatPhrozen, base)
	if err != nil {
		t.Fatal(err)
	}
	for what, make := range map[string]func() (*seen.Foreign, error){
		"formats": func() (*seen.Foreign, error) { return seen.NewForeignShape(seen.FormatPortable, base) },
		"bits": func() (*seen.Foreign, error) {
			return seen.NewForeignShape(seen.FormatPhrozen, seen.BloomShape{Bits: 1001, Probes: 4})
		},
		"probes": func() (*seen.Foreign, error) {
			return seen.NewForeignShape(seen.FormatPhrozen, seen.BloomShape{Bits: 1000, Probes: 5})
		},
		"hashes": func() (*seen.Foreign, error) {
			return seen.NewForeignShape(seen.FormatPhrozen, base, seen.WithHash(seen.XXH64))
		},
	} {
		other, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Merge(other); !errors.Is(err, seen.ErrIncompatible) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
