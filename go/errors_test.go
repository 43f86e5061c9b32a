package seen_test

// Errors have a class, so that no program needs to read their sentences. Each has one class only.

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seenfilter/seen/go"
)

// The classes, by the names of the kit.
var classes = map[string]error{
	"invalid_argument": seen.ErrInvalidArgument, "too_large": seen.ErrTooLarge, "no_memory": seen.ErrNoMemory,
	"corrupt": seen.ErrCorrupt, "not_recognised": seen.ErrNotRecognised, "newer_version": seen.ErrNewerVersion,
	"wrong_kind": seen.ErrWrongKind, "wrong_hash": seen.ErrWrongHash, "secret_required": seen.ErrSecretRequired,
	"unsealed": seen.ErrUnsealed, "incompatible": seen.ErrIncompatible, "unsupported": seen.ErrUnsupported,
}

// verdict is the name of an error's class in the kit, "ok" of nil; all names of an error with several, its sentence without.
func verdict(err error) string {
	if err == nil {
		return "ok"
	}
	var names []string
	for name, class := range classes {
		if errors.Is(err, class) {
			names = append(names, name)
		}
	}
	if names == nil {
		return err.Error()
	}
	return strings.Join(names, " and ")
}

func TestAnErrorHasOneClass(t *testing.T) {
	bloom, err := seen.NewBloom(target)
	if err != nil {
		t.Fatal(err)
	}
	split, err := seen.NewSplitBlock(target)
	if err != nil {
		t.Fatal(err)
	}
	data, err := bloom.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	keyed, err := seen.NewBloom(target, seen.WithSecret(seen.Secret{1}))
	if err != nil {
		t.Fatal(err)
	}
	keyedData, err := keyed.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	made := func(capacity uint64, fpr float64, options ...seen.Option) error {
		_, err := seen.NewBloom(seen.Target{Capacity: capacity, FPR: fpr}, options...)
		return err
	}
	foreign := func(format seen.Format, options ...seen.Option) error {
		_, err := seen.NewForeign(format, target, options...)
		return err
	}
	shaped := func(format seen.Format, bits, probes uint64) error {
		_, err := seen.NewForeignShape(format, seen.BloomShape{Bits: bits, Probes: probes})
		return err
	}
	read := func(data []byte, options ...seen.OpenOption) error {
		_, err := seen.Read(data, options...)
		return err
	}
	_, badShape := seen.NewBloomShape(seen.BloomShape{Bits: 10, Probes: 31})
	_, badBlocks := seen.NewBlockedBloomShape(seen.BlockedBloomShape{Blocks: 1, Probes: 5})
	_, noBlocks := seen.NewSplitBlockShape(seen.SplitBlockShape{})
	_, badProbes := seen.NewBlockedBloom(target, seen.WithProbes(5))
	_, steepBlocks := seen.NewBlockedBloom(seen.Target{Capacity: 1000, FPR: 1e-10})
	_, manyBlocks := seen.NewSplitBlock(seen.Target{Capacity: 1 << 35, FPR: 0.01})
	_, badName := seen.ParseHash("md5")
	_, unmapped := seen.Map("visited.bloom", seen.WithFormat(seen.FormatPortable))
	_, badAlignment := bloom.Encode(new(strings.Builder), seen.WithAlignment(65))
	_, noSecret := bloom.Encode(new(strings.Builder), seen.WithStoredSecret())
	for _, each := range []struct {
		err  error
		want string
	}{
		{made(0, 0.01), "invalid_argument"},
		{made(1, 2), "invalid_argument"},
		{made(1, math.NaN()), "invalid_argument"},
		{made(1<<40, 0.01), "too_large"},
		{made(1<<33, 1e-11), "too_large"},
		{made(1, 0.01, seen.WithProbes(7)), "invalid_argument"},
		{made(1, 0.01, seen.WithHash(99)), "invalid_argument"},
		{made(1, 0.01, seen.WithVariant("json")), "invalid_argument"},
		{made(1, 0.01, seen.WithHash(seen.SipHash24)), "secret_required"},
		{made(1, 0.01, seen.WithHash(seen.XXH3), seen.WithSecret(seen.Secret{})), "invalid_argument"},
		{badShape, "invalid_argument"},
		{badBlocks, "invalid_argument"},
		{noBlocks, "invalid_argument"},
		{badProbes, "invalid_argument"},
		{steepBlocks, "too_large"},
		{manyBlocks, "too_large"},
		{badName, "invalid_argument"},
		{foreign("guava"), "invalid_argument"},
		{foreign(seen.FormatPhrozen, seen.WithVariant("json")), "invalid_argument"},
		{foreign(seen.FormatBitsAndBlooms, seen.WithVariant("xml")), "invalid_argument"},
		{foreign(seen.FormatPortable, seen.WithHash(seen.XXH3)), "invalid_argument"},
		{foreign(seen.FormatPortable, seen.WithSeed(1)), "invalid_argument"},
		{shaped(seen.FormatPhrozen, 10, 256), "invalid_argument"},
		{shaped(seen.FormatPortable, 1<<33, 7), "invalid_argument"},
		{bloom.SetMetadata(make([]byte, 1<<17)), "invalid_argument"},
		{badAlignment, "invalid_argument"},
		{noSecret, "invalid_argument"},
		{split.UnmarshalBinary(data), "wrong_kind"},
		{bloom.Merge(nil), "incompatible"},
		{unmapped, "unsupported"},
		{read(nil), "not_recognised"},
		{read(data[:len(data)-1]), "corrupt"},
		{read([]byte("no filter"), seen.WithFormat(seen.FormatPhrozen)), "corrupt"},
		{read(keyedData), "secret_required"},
		{read(keyedData, seen.WithSecret(seen.Secret{2})), "wrong_hash"},
	} {
		if got := verdict(each.err); got != each.want {
			t.Errorf("%v: %s, not %s", each.err, got, each.want)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	for name, open := range map[string]func() error{
		"Load":    func() error { _, err := seen.Load(none); return err },
		"Map":     func() error { _, err := seen.Map(none); return err },
		"Inspect": func() error { _, err := seen.Inspect(none); return err },
	} {
		if err := open(); !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), none) != 1 {
			t.Errorf("%s: %v is not os.ErrNotExist of one file", name, err)
		}
	}
}
