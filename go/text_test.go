package seen_test

// Filters as texts (JSON, logs) and in streams.

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/internal/hash"
)

// field is a struct with one field, the filter itself and no pointer to it.
func field(filter any) reflect.Value {
	value := reflect.ValueOf(filter).Elem()
	s := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "Filter", Type: value.Type()}})).Elem()
	s.Field(0).Set(value)
	return s
}

// throughJSON is a filter that was a field of a struct in JSON.
func throughJSON(t *testing.T, filter any) any {
	t.Helper()
	from := field(filter)
	data, err := json.Marshal(from.Interface())
	if err != nil {
		t.Fatal(err)
	}
	to := reflect.New(from.Type())
	if err := json.Unmarshal(data, to.Interface()); err != nil {
		t.Fatalf("%v: %.60s", err, data)
	}
	return to.Elem().Field(0).Addr().Interface()
}

func marshalled(t *testing.T, filter any) []byte {
	t.Helper()
	data, err := filter.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAFilterInAStructGoesThroughJSON(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t, seen.WithSeed(7))
		f.AddString("a key")
		if err := f.SetMetadata([]byte("the user's own")); err != nil {
			t.Fatal(err)
		}
		back := throughJSON(t, f).(writable)
		if !bytes.Equal(marshalled(t, back), marshalled(t, f)) || !back.MayContainString("a key") || back.MayContainString("another") {
			t.Errorf("%v came back as %v", f, back)
		}
		back.AddString("another")
		if f.MayContainString("another") || !back.MayContainString("another") {
			t.Error("it is not a filter of its own")
		}
		pointer, err := json.Marshal(f)
		if err != nil || pointer[0] != '"' {
			t.Errorf("%.60s, %v", pointer, err)
		}
	})
}

// madeFilters is one filter of each type that can be made, with the key "a key".
func madeFilters(t *testing.T) (all []seen.Filter) {
	t.Helper()
	for _, k := range kinds {
		all = append(all, k.new(t))
	}
	cuckoo, err1 := seen.NewCuckoo(target)
	scalable, err2 := seen.NewScalableBloom(seen.Target{Capacity: 10, FPR: 0.01})
	classic, err3 := seen.NewScalableClassicBloom(seen.Target{Capacity: 10, FPR: 0.01})
	fuse, err4 := seen.BuildBinaryFuse(slices.Values([]string{"a key", "b"}), 0.01)
	foreign, err5 := seen.NewForeign(seen.FormatPhrozen, target)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	all = append(all, cuckoo, scalable, classic, foreign)
	for _, f := range all {
		if err := addText(f, "a key"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint64(50) {
		if err := errors.Join(scalable.AddUint64(i), classic.AddUint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	return append(all, fuse)
}

func TestEveryTypeGoesThroughJSONAndStreamsAndFiles(t *testing.T) {
	all := madeFilters(t)
	if len(all) != len(filterTypes)-1 { // but views
		t.Errorf("%d types of %d are tried", len(all), len(filterTypes))
	}
	for _, f := range all {
		data := marshalled(t, f)
		if _, is := f.(*seen.Foreign); is {
			continue // its files do not say what they are
		}
		path := filepath.Join(t.TempDir(), "f.seen")
		if err := f.(interface {
			Save(string, ...seen.SaveOption) error
		}).Save(path); err != nil {
			t.Fatal(err)
		}
		streamed := reflect.New(reflect.TypeOf(f).Elem()).Interface()
		if n, err := streamed.(io.ReaderFrom).ReadFrom(bytes.NewReader(data)); err != nil || n != int64(len(data)) {
			t.Errorf("%T: %d bytes, %v", f, n, err)
		}
		loaded, err := seen.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%T", loaded), strings.Replace(fmt.Sprintf("%T", f), "Concurrent", "", 1); got != want {
			t.Errorf("a %s is loaded as %s", want, got)
		}
		for how, back := range map[string]any{"json": throughJSON(t, f), "stream": streamed, "file": loaded} {
			if !bytes.Equal(marshalled(t, back), data) || !back.(seen.Filter).MayContainString("a key") || back.(seen.Filter).MayContainString("other") {
				t.Errorf("%T came back from %s as another", f, how)
			}
		}
		other := any(new(seen.Cuckoo))
		if _, is := f.(*seen.Cuckoo); is {
			other = new(seen.BinaryFuse)
		}
		if err := other.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(data); !errors.Is(err, seen.ErrWrongKind) {
			t.Errorf("a %T became a %T: %v", f, other, err)
		}
	}
}

func TestAFilterThatNobodyMadeIsNotJSON(t *testing.T) {
	for _, f := range filterTypes {
		if reflect.TypeOf(f) == reflect.TypeFor[*seen.View]() {
			continue // views are not copied
		}
		if data, err := json.Marshal(field(f).Interface()); !errors.Is(err, hash.ErrZero) {
			t.Errorf("%T: %s, %v", f, data, err)
		}
	}
	var none struct{ Filter *seen.Bloom }
	if data, err := json.Marshal(none); err != nil || string(data) != `{"Filter":null}` {
		t.Errorf("%s, %v", data, err)
	}
}

func TestConcurrentFiltersAreMarshalledAndReadBesideAdds(t *testing.T) {
	for _, k := range kinds {
		if !strings.HasPrefix(k.name, "Concurrent") {
			continue
		}
		for name, again := range map[string]func(f, to writable) error{
			"binary": func(f, to writable) error { return to.UnmarshalBinary(marshalled(t, f)) },
			"text": func(f, to writable) error {
				text, err := f.(interface{ MarshalText() ([]byte, error) }).MarshalText()
				return errors.Join(err, to.(interface{ UnmarshalText([]byte) error }).UnmarshalText(text))
			},
			"stream": func(f, to writable) error {
				_, err := to.(io.ReaderFrom).ReadFrom(bytes.NewReader(marshalled(t, f)))
				return err
			},
		} {
			f := k.new(t)
			f.AddString("before")
			var adding sync.WaitGroup
			adding.Add(1)
			go func() {
				defer adding.Done()
				for i := range uint64(2000) {
					f.AddUint64(i)
				}
			}()
			back := k.zero()
			if err := again(f, back); err != nil {
				t.Fatal(name, err)
			}
			adding.Wait()
			if !back.MayContainString("before") {
				t.Errorf("%s %s: a key is lost", k.name, name)
			}
			for range 4 { // what came back is shared, too
				adding.Add(1)
				go func() {
					defer adding.Done()
					for i := range uint64(500) {
						back.AddUint64(i)
					}
				}()
			}
			adding.Wait()
			for i := range uint64(500) {
				if !back.MayContainUint64(i) {
					t.Fatalf("%s %s: %d is lost", k.name, name, i)
				}
			}
		}
	}
}

func TestTextsThatAreNoFiltersAreRefused(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("kept")
	text, err := f.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(text)
	damaged[len(damaged)/2] ^= 'A' ^ 'B' // A is what zeros are
	block, err := seen.NewSplitBlock(target)
	if err != nil {
		t.Fatal(err)
	}
	other, err := block.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range []struct {
		text string
		want error
	}{
		{"", seen.ErrNotRecognised}, {"no base64!", seen.ErrNotRecognised}, {"AAAA", seen.ErrNotRecognised},
		{string(text[:len(text)/2/4*4]), seen.ErrCorrupt}, {string(damaged), seen.ErrCorrupt}, {string(other), seen.ErrWrongKind},
	} {
		if err := f.UnmarshalText([]byte(each.text)); !errors.Is(err, each.want) {
			t.Errorf("%.20q: %v, not %v", each.text, err, each.want)
		}
		if !f.MayContainString("kept") {
			t.Fatal("an error changed the filter")
		}
	}
}

func TestAKeyedFilterIsUnmarshalledIntoOneWithItsSecret(t *testing.T) {
	secret := seen.Secret{1, 2, 3}
	f, err := seen.NewBloom(target, seen.WithSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	text, err := f.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var none seen.Bloom
	if err := none.UnmarshalText(text); !errors.Is(err, seen.ErrSecretRequired) {
		t.Error(err)
	}
	same, err := seen.NewBloom(target, seen.WithSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	if err := same.UnmarshalText(text); err != nil || !same.MayContainString("a") {
		t.Error(err)
	}
}

func TestForeignFiltersGoThroughJSON(t *testing.T) {
	own := seen.WithOwnHash(0x8001, func(key []byte, seed uint64) uint64 { return hash.XXH3(key, seed+1) })
	for _, each := range []struct {
		format  seen.Format
		options []seen.Option
		begins  string
	}{
		{seen.FormatBitsAndBlooms, nil, "bits-and-blooms:"},
		{seen.FormatBitsAndBlooms, []seen.Option{seen.WithVariant("json")}, "bits-and-blooms:"},
		{seen.FormatPortable, nil, "portable:"},
		{seen.FormatPhrozen, nil, "phrozen:"},
		{seen.FormatPhrozen, []seen.Option{seen.WithHash(seen.XXH64)}, "phrozen:xxh64:"},
		{seen.FormatPhrozen, []seen.Option{own}, "phrozen:hash 0x8001:"},
	} {
		f, err := seen.NewForeign(each.format, seen.Target{Capacity: 100, FPR: 0.01}, each.options...)
		if err != nil {
			t.Fatal(err)
		}
		f.AddString("a key")
		text, err := f.MarshalText()
		if err != nil || !strings.HasPrefix(string(text), each.begins) {
			t.Fatalf("%.40s, %v", text, err)
		}
		if strings.Contains(each.begins, "0x") {
			var none seen.Foreign
			if err := none.UnmarshalText(text); !errors.Is(err, seen.ErrWrongHash) {
				t.Error(err)
			}
			with := f.Clone()
			with.Clear()
			if err := with.UnmarshalText(text); err != nil || !with.MayContainString("a key") {
				t.Error(err)
			}
			continue
		}
		back := throughJSON(t, f).(*seen.Foreign)
		if !bytes.Equal(marshalled(t, back), marshalled(t, f)) || !back.MayContainString("a key") || back.Guessed() {
			t.Errorf("%v came back as %v", f, back)
		}
	}
	for _, text := range []string{"", "AAAA", "native:AAAA", "phrozen:no base64", "phrozen:nohash:AAAA", "phrozen:hash 9:AAAA", "nothing:AAAA"} {
		if err := new(seen.Foreign).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a filter", text)
		}
	}
}

func TestViewsOfEveryKindGoThroughJSON(t *testing.T) {
	files, err := filepath.Glob("../tests/golden/native-1/*.seen")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	views := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var view seen.View
		if err := view.UnmarshalBinary(data); err != nil {
			continue // of a secret or a hash of its own
		}
		mapped, err := seen.Map(path)
		if err != nil {
			t.Fatal(err)
		}
		views++
		for _, f := range []*seen.View{&view, mapped} {
			text, err := json.Marshal(struct{ Filter *seen.View }{f})
			if err != nil {
				t.Fatal(path, err)
			}
			var back struct{ Filter *seen.View }
			if err := json.Unmarshal(text, &back); errors.Is(err, seen.ErrSecretRequired) {
				continue // it is not written without being asked for
			} else if err != nil {
				t.Fatal(path, err)
			}
			if got := marshalled(t, back.Filter); !bytes.Equal(got, marshalled(t, f)) || len(got) > len(data) {
				t.Errorf("%s: another file came back", path)
			}
		}
		if _, err := mapped.ReadFrom(bytes.NewReader(data)); !errors.Is(err, seen.ErrInvalidArgument) {
			t.Errorf("a mapped file is let go: %v", err)
		}
		if err := mapped.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := mapped.MarshalBinary(); err == nil {
			t.Error("a closed view is written")
		}
	}
	if views < 15 {
		t.Errorf("only %d files were seen", views)
	}
}

func TestLogsGetNoBits(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	for name, handler := range map[string]func(io.Writer) slog.Handler{
		"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
		"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	} {
		var out bytes.Buffer
		slog.New(handler(&out)).Info("made", "filter", f, "value", *f)
		if strings.Count(out.String(), f.String()) != 2 || out.Len() > 400 {
			t.Errorf("%s: %.400s", name, out.String())
		}
	}
}

func TestSeveralFiltersInOneStream(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		var stream bytes.Buffer
		for i := range uint64(3) {
			f := k.new(t)
			f.AddUint64(i)
			stream.Write(marshalled(t, f))
		}
		stream.WriteString("the rest")
		reader := iotest.HalfReader(&stream)
		for i := range uint64(3) {
			f := k.zero()
			n, err := f.(io.ReaderFrom).ReadFrom(reader)
			if err != nil || n != int64(len(marshalled(t, f))) {
				t.Fatalf("%d bytes, %v", n, err)
			}
			if !f.MayContainUint64(i) || f.MayContainUint64(i+1) {
				t.Errorf("filter %d is another", i)
			}
		}
		if rest, err := io.ReadAll(reader); string(rest) != "the rest" {
			t.Errorf("%q, %v is left", rest, err)
		}
	})
}

func TestStreamsThatEndEarlyAreRefused(t *testing.T) {
	f, err := seen.NewBloom(seen.Target{Capacity: 10, FPR: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	data := marshalled(t, f)
	f.AddString("kept")
	for n := range data {
		read, err := f.ReadFrom(iotest.OneByteReader(bytes.NewReader(data[:n])))
		if want := seen.ErrCorrupt; n >= 24 && !errors.Is(err, want) || n < 24 && !errors.Is(err, seen.ErrNotRecognised) || read != int64(n) {
			t.Fatalf("%d bytes: %d, %v", n, read, err)
		}
		if !f.MayContainString("kept") {
			t.Fatal("an error changed the filter")
		}
	}
	broken := errors.New("the line is broken")
	for n := range data {
		if _, err := seen.ReadFrom(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	opened, err := seen.ReadFrom(bytes.NewReader(data))
	if _, is := opened.(*seen.Bloom); !is || err != nil {
		t.Errorf("%T, %v", opened, err)
	}
}

// zeros never ends.
type zeros struct{ given int }

func (z *zeros) Read(to []byte) (int, error) {
	clear(to)
	z.given += len(to)
	if z.given > 1<<22 {
		return 0, errors.New("enough")
	}
	return len(to), nil
}

func TestAStreamIsNotBelievedWhatItSaysOfItsLength(t *testing.T) {
	for _, size := range []uint64{0, 1, 100, 1 << 26, 1 << 40, 1 << 44, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		var beginning [24]byte
		copy(beginning[:], "\x8dSEN1\r\n\x1a\x01")
		binary.LittleEndian.PutUint64(beginning[16:], size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := seen.ReadFrom(io.MultiReader(bytes.NewReader(beginning[:]), &zeros{}))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("a file of %d bytes is opened", size)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<25 {
			t.Errorf("a stream of 4 MiB that says %d bytes took %d of memory", size, took)
		}
	}
}

func TestFilesMayBeTooLargeForTheirReader(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	data := marshalled(t, f)
	foreign, err := seen.NewForeign(seen.FormatPhrozen, target)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(...seen.OpenOption) (seen.Filter, error){
		"load":   func(o ...seen.OpenOption) (seen.Filter, error) { return seen.Load(path, o...) },
		"map":    func(o ...seen.OpenOption) (seen.Filter, error) { return seen.Map(path, o...) },
		"read":   func(o ...seen.OpenOption) (seen.Filter, error) { return seen.Read(data, o...) },
		"stream": func(o ...seen.OpenOption) (seen.Filter, error) { return seen.ReadFrom(bytes.NewReader(data), o...) },
		"endless": func(o ...seen.OpenOption) (seen.Filter, error) {
			if o[0] == seen.WithMaxBytes(uint64(len(data))) {
				return seen.ReadFrom(bytes.NewReader(marshalled(t, foreign)), o[0], seen.WithFormat(seen.FormatPhrozen))
			}
			return seen.ReadFrom(&zeros{}, o[0], seen.WithFormat(seen.FormatPhrozen))
		},
	} {
		if _, err := open(seen.WithMaxBytes(uint64(len(data)))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, most := range []uint64{0, 1, uint64(len(data)) - 1} {
			if _, err := open(seen.WithMaxBytes(most)); !errors.Is(err, seen.ErrTooLarge) {
				t.Errorf("%s: at most %d: %v", name, most, err)
			}
		}
	}
}

func TestForeignFilesAreReadFromStreams(t *testing.T) {
	f, err := seen.NewForeign(seen.FormatPhrozen, target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	opened, err := seen.ReadFrom(iotest.OneByteReader(bytes.NewReader(marshalled(t, f))), seen.WithFormat(seen.FormatPhrozen))
	if err != nil || !opened.MayContainString("a") || opened.MayContainString("b") {
		t.Error(err)
	}
}

func TestFiltersGoThroughGob(t *testing.T) {
	type state struct {
		Bloom  seen.Bloom
		Shared *seen.ConcurrentBloom
	}
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	shared := f.Clone().IntoConcurrent()
	var stream bytes.Buffer
	if err := gob.NewEncoder(&stream).Encode(state{*f, shared}); err != nil {
		t.Fatal(err)
	}
	var back state
	if err := gob.NewDecoder(&stream).Decode(&back); err != nil || !back.Bloom.MayContainString("a") || !back.Shared.MayContainString("a") {
		t.Error(err)
	}
}

func TestSequencesAreAdded(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t).(interface {
			writable
			sequences
		})
		f.AddSeq(slices.Values([][]byte{[]byte("bytes"), nil}))
		f.AddStringSeq(maps.Keys(map[string]int{"text": 1, "more": 2}))
		f.AddUint64Seq(func(yield func(uint64) bool) { _ = yield(7) && yield(8) })
		for _, found := range []bool{f.MayContainString("bytes"), f.MayContain(nil), f.MayContainString("text"),
			f.MayContainString("more"), f.MayContainUint64(7), f.MayContainUint64(8)} {
			if !found {
				t.Error("a key of a sequence is lost")
			}
		}
		if f.MayContainUint64(9) {
			t.Error("a key too many")
		}
	})
}

// reduce is what Mergeable is for.
func reduce[F seen.Mergeable[F]](first F, others ...F) (all F, err error) {
	all = first
	for _, each := range others {
		if all, err = all.United(each); err != nil {
			return all, err
		}
	}
	return all, nil
}

func TestUnitedAndIntersectedAreNewFilters(t *testing.T) {
	testCombined(t, seen.NewBloom)
	testCombined(t, seen.NewConcurrentBloom)
	testCombined(t, seen.NewBlockedBloom)
	testCombined(t, seen.NewConcurrentBlockedBloom)
	testCombined(t, seen.NewSplitBlock)
}

func testCombined[F interface {
	combinable[F]
	seen.Mergeable[F]
	Intersected(F) (F, error)
}](t *testing.T, make func(seen.Target, ...seen.Option) (F, error)) {
	a, err := make(target)
	if err != nil {
		t.Fatal(err)
	}
	b, err := make(target)
	if err != nil {
		t.Fatal(err)
	}
	a.AddStrings([]string{"a", "both"})
	b.AddStrings([]string{"b", "both"})
	all, err := reduce(a, b)
	if err != nil || !all.MayContainString("a") || !all.MayContainString("b") || a.MayContainString("b") || b.MayContainString("a") {
		t.Errorf("%T: %v", a, err)
	}
	common, err := a.Intersected(b)
	if err != nil || !common.MayContainString("both") || common.MayContainString("a") || !a.MayContainString("a") {
		t.Errorf("%T: %v", a, err)
	}
	merged := a
	if err := merged.Merge(b); err != nil || !merged.Equal(all) {
		t.Errorf("%T: what is united is not what is merged: %v", a, err)
	}
	other, err := make(target, seen.WithSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, combine := range map[string]func(F) (F, error){"united": a.United, "intersected": a.Intersected} {
		if _, err := combine(other); !errors.Is(err, seen.ErrIncompatible) || !strings.HasPrefix(fmt.Sprint(err), name) {
			t.Errorf("%T: %v", a, err)
		}
		var none F
		if _, err := combine(none); !errors.Is(err, seen.ErrIncompatible) {
			t.Errorf("%T: %v", a, err)
		}
	}
}

func TestAnErrorOfSaveNamesThePathThatWasAskedFor(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "nodir", "x.seen")
	var of *os.PathError
	if err := f.Save(path); !errors.Is(err, os.ErrNotExist) || !errors.As(err, &of) || of.Path != path {
		t.Error(err)
	}
}

func TestAFileThatSaysItIsTooLargeIsReadNoFurther(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	stream := bytes.NewReader(marshalled(t, f))
	if _, err := seen.ReadFrom(stream, seen.WithMaxBytes(100)); !errors.Is(err, seen.ErrTooLarge) {
		t.Error(err)
	}
	if read := int(stream.Size()) - stream.Len(); read > 100 {
		t.Errorf("%d bytes were read", read)
	}
}

func TestAViewOfAnUnsealedFileIsWrittenSealed(t *testing.T) {
	f, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	f.AddString("a")
	data := marshalled(t, f)
	header := binary.LittleEndian.Uint32(data[12:])
	copy(data[header-32:], "unsealed")
	clear(data[header-24 : header-16]) // the census
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	view, err := seen.Map(path, seen.WithRecover())
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	again, err := seen.Read(marshalled(t, view))
	if err != nil || !again.MayContainString("a") {
		t.Error(err)
	}
}
