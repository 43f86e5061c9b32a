package seen_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seenfilter/seen/go"
	"github.com/seenfilter/seen/go/bloom"
)

func TestMoreThanTheMachinesMemoryIsRefused(t *testing.T) {
	most := uint64(1) << 40 // bits
	var machine syscall.Sysinfo_t
	if err := syscall.Sysinfo(&machine); err != nil {
		t.Fatal(err)
	}
	total := (uint64(machine.Totalram) + uint64(machine.Totalswap)) * uint64(machine.Unit)
	if total >= most/8 {
		t.Skip("this machine has memory for every filter")
	}
	errs := map[string]error{}
	_, errs["Bloom"] = seen.NewBloomShape(seen.BloomShape{Bits: most, Probes: 1})
	_, errs["ConcurrentBloom"] = seen.NewConcurrentBloomShape(seen.BloomShape{Bits: most, Probes: 1})
	_, errs["BlockedBloom"] = seen.NewBlockedBloomShape(seen.BlockedBloomShape{Blocks: most / 512, Probes: 8})
	_, errs["Foreign"] = seen.NewForeignShape(seen.FormatPhrozen, seen.BloomShape{Bits: most, Probes: 1})
	_, errs["Make native"] = bloom.Make(bloom.MakeOptions{Format: "native", Bits: most, Probes: 1})
	_, errs["Make phrozen"] = bloom.Make(bloom.MakeOptions{Format: "phrozen", Bits: most, Probes: 1})
	want := fmt.Sprintf("%d bytes of memory are needed; this machine has %d", most/8, total)
	if bits.UintSize == 64 {
		func() {
			defer func() { errs["New"], _ = recover().(error) }()
			bloom.New(uint(most), 1)
		}()
	} else { // no program can have it, whatever the machine has
		want = fmt.Sprintf("%d bytes of memory are needed; a program here can address %d", most/8, math.MaxInt)
	}
	for name, err := range errs {
		if !errors.Is(err, seen.ErrNoMemory) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if total > most/16 {
		return // the last is for machines that cannot have it
	}
	if _, err := seen.NewSplitBlockShape(seen.SplitBlockShape{Blocks: most / 512}); !errors.Is(err, seen.ErrNoMemory) {
		t.Error("a SplitBlock is made")
	}
}

// A file may have a size and no blocks.
func TestAHollowFileLargerThanMemoryIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hollow")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<43); err != nil {
		t.Skip(err)
	}
	_, load := seen.Load(path)
	_, drop := bloom.Load(path)
	for _, err := range []error{load, drop} {
		if !errors.Is(err, seen.ErrNoMemory) {
			t.Error(err)
		}
	}
}
