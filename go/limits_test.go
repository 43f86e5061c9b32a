package seen_test

// Things that must not be had: secrets in a log, filters of nothing, and more memory than there is.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/bloom"
)

func TestPrintingShowsNoSecret(t *testing.T) {
	secret := seen.Secret{0xa1, 0xb2, 0xc3, 0xd4, 0xa5, 0xb6, 0xc7, 0xd8, 0xe1, 0xf2, 0xe3, 0xf4, 0xe5, 0xf6, 0xe7, 0xf8}
	option := seen.WithSecret(secret)
	things := []any{secret, &secret, option, []any{option}, struct{ Mine seen.Secret }{secret}}
	for _, k := range kinds {
		things = append(things, k.new(t, option))
	}
	keyed, err := seen.NewBloom(target, option)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := keyed.Save(path, seen.WithStoredSecret()); err != nil {
		t.Fatal(err)
	}
	view, err := seen.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	things = append(things, *keyed, view, struct{ Filter seen.Filter }{keyed})

	// Its first bytes as each verb would show them; k0 and k1 are little-endian words of it.
	shown := []string{"161 178 195", "0xa1, 0xb2", hex.EncodeToString(secret[:3]), "A1B2C3", "d8c7b6a5", "241 178", `\xa1`,
		fmt.Sprint(uint64(0xd8c7b6a5d4c3b2a1)), "10100001 10110010"}
	for _, thing := range things {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%b"} {
			printed := fmt.Sprintf(verb, thing)
			for _, each := range shown {
				if strings.Contains(printed, each) {
					t.Errorf("%s of a %T shows %s", verb, thing, each)
				}
			}
		}
		var out strings.Builder
		slog.New(slog.NewTextHandler(&out, nil)).Info("", "thing", thing)
		if strings.Contains(out.String(), "161 178") {
			t.Errorf("a log shows a %T", thing)
		}
	}
}

func TestAFilterIsPrintedAsItsKindShapeAndHash(t *testing.T) {
	keyed, err := seen.NewBloomShape(seen.BloomShape{Bits: 9586, Probes: 7}, seen.WithSecret(seen.Secret{1}))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := seen.NewForeignShape(seen.FormatPhrozen, seen.BloomShape{Bits: 100, Probes: 3})
	if err != nil {
		t.Fatal(err)
	}
	var none *seen.Bloom
	for _, each := range []struct {
		thing any
		want  string
	}{
		{keyed, "bloom (bits 9586, probes 7) by siphash-1-3"},
		{*keyed, "bloom (bits 9586, probes 7) by siphash-1-3"},
		{foreign, "phrozen (bits 100, probes 3) by fnv1a-64"},
		{&seen.BlockedBloom{}, "no filter"},
		{&seen.Foreign{}, "no filter"},
		{&seen.View{}, "no filter"},
		{none, "<nil>"},
	} {
		if got := fmt.Sprintf("%+v", each.thing); got != each.want {
			t.Errorf("%q; want %q", got, each.want)
		}
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{"/dev/zero", folder, pipe(t, filepath.Join(folder, "pipe"))} {
		if _, err := os.Stat(path); err != nil {
			continue // not of this system
		}
		_, load := seen.Load(path)
		_, mapped := seen.Map(path)
		_, inspect := seen.Inspect(path)
		_, drop := bloom.Load(path)
		for name, err := range map[string]error{"Load": load, "Map": mapped, "Inspect": inspect, "bloom.Load": drop} {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("%s of %s: %v", name, path, err)
			}
		}
	}
}

func TestAZeroFilterIsNotWritten(t *testing.T) {
	type written interface {
		MarshalBinary() ([]byte, error)
		io.WriterTo
	}
	path := filepath.Join(t.TempDir(), "f")
	check := func(name string, f written, save error) {
		_, marshal := f.MarshalBinary()
		var out bytes.Buffer
		_, write := f.WriteTo(&out)
		for _, err := range []error{save, marshal, write} {
			if err == nil || !strings.Contains(err.Error(), "no bits") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if out.Len() != 0 {
			t.Errorf("%s: %d bytes are written", name, out.Len())
		}
	}
	for _, k := range kinds {
		zero := k.zero()
		check(k.name, zero.(written), zero.Save(path))
	}
	foreign := new(seen.Foreign)
	check("Foreign", foreign, foreign.Save(path))
	taken := kinds[0].new(t).(*seen.Bloom)
	taken.IntoConcurrent()
	check("taken", taken, taken.Save(path))
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 0 {
		t.Errorf("the folder has %v: %v", entries, err)
	}
}

func TestAFilterIsNotCombinedWithNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, k kind) {
		f := k.new(t)
		f.AddString("x")
		for _, nothing := range []writable{k.none(), k.zero()} {
			for _, combine := range k.combines() {
				if err := combine(f, nothing); !errors.Is(err, seen.ErrIncompatible) {
					t.Error(err)
				}
			}
			if k.equal(f, nothing) {
				t.Error("a filter equals nothing")
			}
		}
		if err := k.merge(k.zero(), f); !errors.Is(err, seen.ErrIncompatible) {
			t.Errorf("merge into nothing: %v", err)
		}
		if !f.MayContainString("x") {
			t.Error("the key is gone")
		}
	})
	foreign, err := seen.NewForeign(seen.FormatPhrozen, target)
	if err != nil {
		t.Fatal(err)
	}
	for _, nothing := range []*seen.Foreign{nil, {}} {
		if err := foreign.Merge(nothing); !errors.Is(err, seen.ErrIncompatible) {
			t.Errorf("Foreign: %v", err)
		}
	}
}
