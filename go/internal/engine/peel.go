package engine

// Building a binary fuse filter from digests: sort, count, choose a shape, solve shard by shard, grow if it must.
//
//	digests ──sort──► different ones ──high bits──► shards ──peel──► order ──backwards──► slots
//
// A slot that only one key reads can be given to it whatever the others hold. So keys are taken out by such slots until none is left, and
// put back in the reverse order. [Majewski, Wormald, Havas & Czech 1996] The order is prescribed by docs/formats/native.md, so that the
// same keys make the same bytes in every language.

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/seenfilter/seen/go/internal/fault"
	"github.com/seenfilter/seen/go/internal/memory"
	"github.com/seenfilter/seen/go/internal/sizing"
	"github.com/seenfilter/seen/go/internal/words"
)

const (
	seedsTried = 32
	stride     = 1024 // slots whose readers are looked at together
	queueSize  = 4096
)

// BuildFuse is the filter of these digests, which it sorts. A number of shards of 0 is chosen.
func BuildFuse(digests []uint64, width, arity, count uint64) (e Fuse, err error) {
	if err := checkArity(arity); err != nil {
		return e, fault.As(fault.InvalidArgument, err)
	}
	if err := sizing.CheckShards(count); err != nil {
		return e, err
	}
	digests = sorted(digests)
	keys := uint64(len(digests))
	if count == 0 || keys == 0 {
		count = sizing.Shards(keys)
	}
	parts, largest := make([][]uint64, count), 0
	for shard := range parts {
		end := sort.Search(len(digests), func(i int) bool {
			of, _ := bits.Mul64(digests[i], count)
			return of > uint64(shard)
		})
		parts[shard], digests = digests[:end], digests[end:]
		largest = max(largest, end)
	}
	if uint64(largest) > sizing.MaxShardSlots {
		return e, fault.New(fault.TooLarge, "a shard of %d keys; it must have fewer than 2^32 slots", largest)
	}
	for growth := range uint64(sizing.MaxGrowth + 1) {
		length, segments := sizing.Fuse(arity, uint64(largest), growth)
		slots := length * segments
		if slots > sizing.MaxShardSlots || count*slots > sizing.MaxBits/width {
			return e, fault.New(fault.TooLarge, "%d shards of %d slots of %d bits: a shard must have fewer than 2^32 slots, and all together at most 2^40 bits", count, slots, width)
		}
		tables := count * slots * width / 8
		body, err := memory.Words(max(roundUp(tables+count, 64), 64) / 8)
		if err != nil {
			return e, err
		}
		t := table{shards: shards{words: body, keys: keys, count: count, seeds: tables}, width: uint(width), slots: slots}
		e = newFuse(t, arity, length, segments)
		if e.solve(parts, largest) {
			return e, nil
		}
	}
	return Fuse{}, fault.New(fault.InvalidArgument, "the digests cannot be told apart by their bits: they are not hashes of keys")
}

// sorted puts digests in order, and leaves equal ones out. By bytes, from the lowest: digests are random, so every pass deals them out
// evenly. [Knuth, "The Art of Computer Programming" 3, 5.2.5]
func sorted(digests []uint64) []uint64 {
	if len(digests) < 256 {
		slices.Sort(digests)
		return slices.Compact(digests)
	}
	from, to := digests, make([]uint64, len(digests))
	for shift := 0; shift < 64; shift += 8 {
		var begins [256]int
		for _, digest := range from {
			begins[digest>>shift&255]++
		}
		total := 0
		for i, n := range begins {
			begins[i] = total
			total += n
		}
		for _, digest := range from {
			place := &begins[digest>>shift&255]
			to[*place] = digest
			*place++
		}
		from, to = to, from
	}
	return slices.Compact(from)
}

// peeler is the memory for solving one shard. Of every slot it keeps how many keys read it that are not taken out, and the exclusive or of
// their digests: where one is left, that is its digest.
type peeler struct {
	*Fuse
	shard   uint64
	digests []uint64
	readers []uint8
	sums    []uint64
	order   []uint32 // slots, as they were given to keys
	owners  []uint64 // and the keys
	queue   [queueSize]uint32
	at      spots
}

// spots is where keys of a shard have their slots: slotsOf of one shard and seed, in so few words that the compiler inlines them.
type spots struct {
	all, origin, multiplier, length uint64
	up, down, down2                 uint
}

func (p *peeler) spots(multiplier uint64) spots {
	k := p.log & 31
	return spots{p.all, p.places * p.shard, multiplier, p.length, k, 64 - k, 32 - k}
}

func (s *spots) first(digest uint64) uint64 {
	at, _ := bits.Mul64(digest, s.all)
	return at - s.origin
}

// others are the further slots of a key, of which a filter of three does not use the last.
func (s *spots) others(digest, first uint64) (b, c, d uint64) {
	z, y := bits.Mul64(digest, s.multiplier)
	return (s.length + first) ^ y>>(s.down&63), (2*s.length + first) ^ uint64(uint32(z))>>(s.down2&31), (3*s.length + first) ^ y<<(s.up&63)>>(s.down&63)
}

// solve fills all tables, and writes the seeds behind them; false if a shard cannot be solved.
func (e *Fuse) solve(parts [][]uint64, largest int) bool {
	p := &peeler{
		Fuse: e, readers: make([]uint8, e.slots), sums: make([]uint64, e.slots),
		order: make([]uint32, 0, largest), owners: make([]uint64, 0, largest),
	}
	for shard, digests := range parts {
		if !p.solve(uint64(shard), digests) {
			return false
		}
	}
	return true
}

// solve fills the table of a shard, with the first seed that succeeds.
func (p *peeler) solve(shard uint64, digests []uint64) bool {
	p.shard, p.digests = shard, digests
	for seed := range uint64(seedsTried) {
		multiplier := chain + seed*seedStep
		p.at = p.spots(multiplier)
		if !p.peel() {
			continue
		}
		p.assign(multiplier)
		words.Put(p.words, 8*(p.seeds+shard), 8, seed)
		p.seeded()
		if p.holds() {
			return true
		}
		for at := range p.slots {
			p.setSlot(shard, at, 0)
		}
	}
	return false
}

// peel takes out all keys; false if some cannot be.
func (p *peeler) peel() bool {
	clear(p.readers)
	clear(p.sums)
	p.order, p.owners = p.order[:0], p.owners[:0]
	added := 0
	for first, again := true, true; again; first = false {
		again = false
		for begin := uint64(0); begin < p.slots; begin += stride {
			end := min(begin+stride, p.slots)
			if first && !p.addReaders(&added, end) {
				return false
			}
			waiting := 0
			for slot := begin; slot < end; slot++ {
				if p.readers[slot] == 1 {
					p.queue[waiting] = uint32(slot)
					waiting++
				}
			}
			if !p.emptyQueue(waiting, end) {
				again = true
			}
		}
	}
	return len(p.order) == len(p.digests)
}

// addReaders makes the keys whose first slot is before end readers of their slots; false if a slot has 256.
func (p *peeler) addReaders(added *int, end uint64) bool {
	at, readers, sums, wrapped, four := p.at, p.readers, p.sums, uint8(0), p.arity == 4
	i := *added
	for ; i < len(p.digests); i++ {
		digest := p.digests[i]
		a := at.first(digest)
		if a >= end {
			break
		}
		b, c, d := at.others(digest, a)
		readers[a]++
		readers[b]++
		readers[c]++
		sums[a] ^= digest
		sums[b] ^= digest
		sums[c] ^= digest
		if readers[a] == 0 || readers[b] == 0 || readers[c] == 0 {
			wrapped = 1
		}
		if four {
			sums[d] ^= digest
			if readers[d]++; readers[d] == 0 {
				wrapped = 1
			}
		}
	}
	*added = i
	return wrapped == 0
}

// emptyQueue gives the slots that wait to their readers; slots before end join. False: one did not fit.
func (p *peeler) emptyQueue(tail int, end uint64) bool {
	at, readers, sums, queue, room := p.at, p.readers, p.sums, &p.queue, true
	for head := 0; head != tail; head++ {
		slot := queue[head%queueSize]
		if readers[slot] != 1 {
			continue
		}
		digest := sums[slot]
		p.order, p.owners = append(p.order, slot), append(p.owners, digest)
		fits := tail-head <= queueSize-int(p.arity)
		a := at.first(digest)
		b, c, d := at.others(digest, a)
		slots := [4]uint64{a, b, c, d}
		for _, each := range slots[:p.arity] {
			readers[each]--
			sums[each] ^= digest
			if readers[each] != 1 || each >= end {
				continue
			}
			if !fits {
				room = false
				continue
			}
			queue[tail%queueSize] = uint32(each)
			tail++
		}
	}
	return room
}

// assign sets the slots, the one that was given last first: the other slots of its key are settled by then.
func (p *peeler) assign(multiplier uint64) {
	table := words.Alias(p.words)
	if p.width != 8 {
		table = nil
	} else if table != nil {
		table = table[p.shard*p.slots:][:p.slots]
	}
	for i := len(p.order) - 1; i >= 0; i-- {
		at, value := p.slotsOf(p.owners[i], p.shard, multiplier)
		if table != nil {
			sum := byte(value) ^ table[at[0]] ^ table[at[1]] ^ table[at[2]]
			if p.arity == 4 {
				sum ^= table[at[3]]
			}
			table[p.order[i]] = sum
			continue
		}
		for _, slot := range at[:p.arity] {
			value ^= p.slot(p.shard, slot)
		}
		p.setSlot(p.shard, uint64(p.order[i]), value)
	}
}

// holds says whether every key is found.
func (p *peeler) holds() bool {
	for _, digest := range p.digests {
		if !p.MayContain(digest) {
			return false
		}
	}
	return true
}

func (t *table) setSlot(shard, at, value uint64) {
	words.Put(t.words, (shard*t.slots+at)*uint64(t.width), t.width, value)
}
