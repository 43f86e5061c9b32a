// Package kit reads the conformance kit of tests/kit: what a filter of given keys is, to the byte, and what it answers, in
// every language. The package's tests and the driver (cmd/kit) share it; tests/kit/README.md describes the tables.
package kit

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seenfilter/seen/go"
)

const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, from which the kit makes its keys

// Table reads a table: one map per row, from the names of the columns to the cells.
func Table(path string) ([]map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	var names []string
	var rows []map[string]string
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if names == nil {
			names = cells
			continue
		}
		if len(cells) != len(names) {
			return nil, fmt.Errorf("%s: row %d has %d cells, not %d", path, len(rows)+1, len(cells), len(names))
		}
		row := make(map[string]string, len(cells))
		for i, cell := range cells {
			row[names[i]] = cell
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// Case is a row of cases.tsv.
type Case map[string]string

// Cases are the rows of cases.tsv of a kit that can be read here.
func Cases(folder string) ([]Case, error) {
	rows, err := Table(filepath.Join(folder, "cases.tsv"))
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, row := range rows {
		if c := Case(row); c.known() {
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// Format is whose file the case is.
func (c Case) Format() seen.Format { return seen.Format(c["format"]) }

// known says whether format, kind and hash are known here.
func (c Case) known() bool {
	if c["hash"] != "" {
		if _, err := seen.ParseHash(c["hash"]); err != nil {
			return false
		}
	}
	switch c.Format() {
	case seen.FormatNative:
		for k := seen.KindBloom; k <= seen.KindRibbon; k++ {
			if k.String() == c["kind"] {
				return true
			}
		}
	case seen.FormatBitsAndBlooms, seen.FormatPhrozen, seen.FormatPortable:
		return true
	}
	return false
}

// Filter is one that can be made and saved here.
type Filter interface {
	seen.Filter
	io.WriterTo
}

// The kinds that can be made here.
var kinds = []string{
	"bloom", "blocked-bloom", "split-block", "counting-bloom", "blocked-counting-bloom", "scalable-bloom", "scalable-classic-bloom", "cuckoo",
	"binary-fuse",
}

// Writable says whether the case's filter can be made here.
func (c Case) Writable() bool {
	return c.Format() != seen.FormatNative || slices.Contains(kinds, c["kind"])
}

// Make is the case's filter of the keys; concurrent where its kind has such a twin and it is asked for.
func (c Case) Make(concurrent bool, keys Keys) (Filter, error) {
	r := cells{c: c}
	target := seen.Target{Capacity: r.integer("capacity"), FPR: r.real("fpr")}
	fields := r.fields()
	options := r.options(fields, target)
	if r.err != nil {
		return nil, r.err
	}
	if c["kind"] == "binary-fuse" {
		f, err := keys.build(target.FPR, options...)
		return f, errors.Join(err, r.err)
	}
	f, err := c.make(target, fields, options, concurrent)
	if err != nil {
		return nil, err
	}
	if err := keys.addTo(f); err != nil {
		return nil, err
	}
	if native, ok := f.(interface{ SetMetadata([]byte) error }); ok {
		if err := native.SetMetadata(r.bytes("metadata")); err != nil {
			return nil, err
		}
	}
	return f, r.err
}

func (c Case) make(target seen.Target, fields map[string]uint64, options []seen.Option, concurrent bool) (Filter, error) {
	bloom := seen.BloomShape{Bits: fields["bits"], Probes: fields["probes"]}
	blocked := seen.BlockedBloomShape{Blocks: fields["blocks"], Probes: fields["probes"]}
	counting := seen.CountingBloomShape{Counters: fields["counters"], Probes: fields["probes"], CounterBits: fields["counter-bits"]}
	blockedCounting := seen.BlockedCountingBloomShape{Blocks: fields["blocks"], Probes: fields["probes"], CounterBits: fields["counter-bits"]}
	cuckoo := seen.CuckooShape{Buckets: fields["buckets"], FingerprintBits: fields["fingerprint-bits"], Chunks: fields["chunks"]}
	real := func(name string) float64 { return math.Float64frombits(fields[name]) }
	scalable := seen.ScalableShape{FirstCapacity: fields["first-capacity"], FPR: real("fpr"), Growth: real("growth"), Tightening: real("tightening")}
	shaped := target.Capacity == 0
	switch {
	case c.Format() != seen.FormatNative && shaped:
		return seen.NewForeignShape(c.Format(), bloom, options...)
	case c.Format() != seen.FormatNative:
		return seen.NewForeign(c.Format(), target, options...)
	case c["kind"] == "bloom" && shaped && concurrent:
		return seen.NewConcurrentBloomShape(bloom, options...)
	case c["kind"] == "bloom" && shaped:
		return seen.NewBloomShape(bloom, options...)
	case c["kind"] == "bloom" && concurrent:
		return seen.NewConcurrentBloom(target, options...)
	case c["kind"] == "bloom":
		return seen.NewBloom(target, options...)
	case c["kind"] == "blocked-bloom" && shaped && concurrent:
		return seen.NewConcurrentBlockedBloomShape(blocked, options...)
	case c["kind"] == "blocked-bloom" && shaped:
		return seen.NewBlockedBloomShape(blocked, options...)
	case c["kind"] == "blocked-bloom" && concurrent:
		return seen.NewConcurrentBlockedBloom(target, options...)
	case c["kind"] == "blocked-bloom":
		return seen.NewBlockedBloom(target, options...)
	case c["kind"] == "split-block" && shaped:
		return seen.NewSplitBlockShape(seen.SplitBlockShape{Blocks: fields["blocks"]}, options...)
	case c["kind"] == "split-block":
		return seen.NewSplitBlock(target, options...)
	case c["kind"] == "counting-bloom" && shaped:
		return seen.NewCountingBloomShape(counting, options...)
	case c["kind"] == "counting-bloom":
		return seen.NewCountingBloom(target, options...)
	case c["kind"] == "blocked-counting-bloom" && shaped:
		return seen.NewBlockedCountingBloomShape(blockedCounting, options...)
	case c["kind"] == "blocked-counting-bloom":
		return seen.NewBlockedCountingBloom(target, options...)
	case c["kind"] == "cuckoo" && shaped:
		return seen.NewCuckooShape(cuckoo, options...)
	case c["kind"] == "cuckoo":
		return seen.NewCuckoo(target, options...)
	case c["kind"] == "scalable-bloom" && shaped:
		return seen.NewScalableBloomShape(scalable, options...)
	case c["kind"] == "scalable-bloom":
		return seen.NewScalableBloom(target, options...)
	case c["kind"] == "scalable-classic-bloom" && shaped:
		return seen.NewScalableClassicBloomShape(scalable, options...)
	case c["kind"] == "scalable-classic-bloom":
		return seen.NewScalableClassicBloom(target, options...)
	}
	return nil, fmt.Errorf("a %s cannot be made here", c["kind"])
}

// Save saves the case's filter as the case says.
func (c Case) Save(f Filter, path string) error {
	switch f := f.(type) {
	case interface {
		Save(string, ...seen.SaveOption) error
	}:
		return f.Save(path, c.saveOptions()...)
	case interface{ Save(string) error }:
		return f.Save(path)
	}
	return fmt.Errorf("%T cannot be saved", f)
}

// Encode writes what Save saves.
func (c Case) Encode(f Filter, w io.Writer) error {
	native, ok := f.(interface {
		Encode(io.Writer, ...seen.SaveOption) (int64, error)
	})
	if !ok {
		_, err := f.WriteTo(w)
		return err
	}
	_, err := native.Encode(w, c.saveOptions()...)
	return err
}

func (c Case) saveOptions() (options []seen.SaveOption) {
	if alignment, err := strconv.Atoi(c["alignment"]); err == nil {
		options = append(options, seen.WithAlignment(alignment))
	}
	if c["store_secret"] != "" {
		options = append(options, seen.WithStoredSecret())
	}
	return options
}

// OpenOptions are what the case's file is opened with.
func (c Case) OpenOptions() []seen.OpenOption {
	options := []seen.OpenOption{seen.WithFormat(c.Format())}
	if c["secret"] != "" {
		options = append(options, seen.WithSecret(c.secret()))
	}
	if c.Format() != seen.FormatNative && c["hash"] != "" {
		if h, err := seen.ParseHash(c["hash"]); err == nil {
			options = append(options, seen.WithHash(h))
		}
	}
	return options
}

func (c Case) secret() (s seen.Secret) {
	raw, _ := hex.DecodeString(c["secret"])
	copy(s[:], raw)
	return s
}

// cells reads the cells of a case, and keeps the first error.
type cells struct {
	c   Case
	err error
}

func (r *cells) keep(err error) {
	if r.err == nil && err != nil {
		r.err = err
	}
}

func (r *cells) integer(name string) uint64 {
	if r.c[name] == "" {
		return 0
	}
	n, err := strconv.ParseUint(r.c[name], 10, 64)
	r.keep(err)
	return n
}

func (r *cells) real(name string) float64 {
	if r.c[name] == "" {
		return 0
	}
	x, err := strconv.ParseFloat(r.c[name], 64)
	r.keep(err)
	return x
}

func (r *cells) bytes(name string) []byte {
	b, err := hex.DecodeString(r.c[name])
	r.keep(err)
	return b
}

func (r *cells) fields() map[string]uint64 {
	fields, err := Fields(r.c["fields"])
	r.keep(err)
	return fields
}

// Fields takes "bits=9586,probes=7" apart. Real numbers are their bits.
func Fields(text string) (map[string]uint64, error) {
	fields := map[string]uint64{}
	if text == "" {
		return fields, nil
	}
	for _, each := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(each, "=")
		if name == "fpr" || name == "growth" || name == "tightening" {
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, err
			}
			fields[name] = math.Float64bits(x)
			continue
		}
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return nil, err
		}
		fields[name] = n
	}
	return fields, nil
}

func (r *cells) options(fields map[string]uint64, target seen.Target) []seen.Option {
	var options []seen.Option
	if r.c["hash"] != "" {
		h, err := seen.ParseHash(r.c["hash"])
		r.keep(err)
		options = append(options, seen.WithHash(h))
	}
	if seed := r.integer("seed"); seed != 0 {
		options = append(options, seen.WithSeed(seed))
	}
	if r.c["secret"] != "" {
		options = append(options, seen.WithSecret(r.c.secret()))
	}
	if r.c["variant"] != "" {
		options = append(options, seen.WithVariant(r.c["variant"]))
	}
	if target.Capacity == 0 && r.c["kind"] != "binary-fuse" {
		return options // the fields are the shape; beside a target they are wishes
	}
	for _, wish := range []struct {
		name string
		with func(int) seen.Option
	}{
		{"probes", seen.WithProbes}, {"counter-bits", seen.WithCounterBits}, {"fingerprint-bits", seen.WithFingerprintBits},
		{"arity", seen.WithArity}, {"shards", seen.WithShards},
	} {
		if fields[wish.name] != 0 {
			options = append(options, wish.with(int(fields[wish.name])))
		}
	}
	if growth, tightening := fields["growth"], fields["tightening"]; growth != 0 || tightening != 0 {
		options = append(options, seen.WithGrowth(math.Float64frombits(growth), math.Float64frombits(tightening)))
	}
	return options
}

// Keys is a set of keys of the kit, as what they are; the others are nil.
type Keys struct {
	Texts    []string
	Integers []uint64
	Bytes    [][]byte // of any set
}

// ParseKeys makes the keys of "text:0:1000".
func ParseKeys(text string) (Keys, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return Keys{}, fmt.Errorf("%q is not a set of keys", text)
	}
	from, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return Keys{}, err
	}
	count, err := strconv.ParseUint(parts[2], 10, 64)
	if err != nil {
		return Keys{}, err
	}
	var k Keys
	for i := from; i < from+count; i++ {
		switch parts[0] {
		case "text":
			key := "key-" + strconv.FormatUint(i, 10)
			k.Texts, k.Bytes = append(k.Texts, key), append(k.Bytes, []byte(key))
		case "integers":
			k.Integers = append(k.Integers, i*golden)
			k.Bytes = append(k.Bytes, binary.LittleEndian.AppendUint64(nil, i*golden))
		case "bytes":
			key := make([]byte, i%301)
			for j := range key {
				key[j] = byte((i*1024 + uint64(j) + 1) * golden >> 56)
			}
			k.Bytes = append(k.Bytes, key)
		default:
			return Keys{}, fmt.Errorf("%q is not a set of keys", text)
		}
	}
	return k, nil
}

// addTo adds the keys in order, texts as texts and integers as integers.
func (k Keys) addTo(f Filter) error {
	switch f := f.(type) {
	case interface {
		Add([]byte)
		AddString(string)
		AddUint64(uint64)
	}:
		return k.each(
			func(key string) error { f.AddString(key); return nil },
			func(key uint64) error { f.AddUint64(key); return nil },
			func(key []byte) error { f.Add(key); return nil })
	case interface {
		Add([]byte) error
		AddString(string) error
		AddUint64(uint64) error
	}:
		return k.each(f.AddString, f.AddUint64, f.Add)
	}
	return fmt.Errorf("%T takes no keys", f)
}

func (k Keys) each(text func(string) error, integer func(uint64) error, bytes func([]byte) error) error {
	switch {
	case k.Texts != nil:
		return eachOf(k.Texts, text)
	case k.Integers != nil:
		return eachOf(k.Integers, integer)
	}
	return eachOf(k.Bytes, bytes)
}

func eachOf[K any](keys []K, do func(K) error) error {
	for _, key := range keys {
		if err := do(key); err != nil {
			return err
		}
	}
	return nil
}

// build is a filter that is built of all keys.
func (k Keys) build(fpr float64, options ...seen.Option) (Filter, error) {
	switch {
	case k.Texts != nil:
		return seen.BuildBinaryFuse(slices.Values(k.Texts), fpr, options...)
	case k.Integers != nil:
		return seen.BuildBinaryFuse(slices.Values(k.Integers), fpr, options...)
	}
	return seen.BuildBinaryFuse(slices.Values(k.Bytes), fpr, options...)
}

// Ask asks for all keys as a batch, as what they are where the filter takes them so, and returns the bitmap of the answers.
func (k Keys) Ask(f seen.Filter) (bitmap []byte, yes int) {
	answers := make([]bool, len(k.Bytes))
	if typed, ok := f.(interface {
		MayContainStrings([]string, []bool) int
		MayContainUint64s([]uint64, []bool) int
	}); ok && k.Texts != nil {
		yes = typed.MayContainStrings(k.Texts, answers)
	} else if ok && k.Integers != nil {
		yes = typed.MayContainUint64s(k.Integers, answers)
	} else {
		yes = f.MayContainMany(k.Bytes, answers)
	}
	return Bitmap(answers), yes
}

// Bitmap has answer i as bit i mod 8 of byte i/8.
func Bitmap(answers []bool) []byte {
	bitmap := make([]byte, (len(answers)+7)/8)
	for i, answer := range answers {
		if answer {
			bitmap[i/8] |= 1 << (i % 8)
		}
	}
	return bitmap
}

// KeyCache makes each set of keys once.
type KeyCache map[string]Keys

// Get is ParseKeys, remembered.
func (c KeyCache) Get(text string) (Keys, error) {
	if k, made := c[text]; made {
		return k, nil
	}
	k, err := ParseKeys(text)
	if err == nil {
		c[text] = k
	}
	return k, err
}
