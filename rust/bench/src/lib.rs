//! The contenders: filters of several crates behind one small trait, all with the same number of bits for the same keys.
//!
//! ```text
//!  fastbloom/sip        BloomFilter with its default hasher, SipHash-1-3
//!  fastbloom/fold       the same with foldhash, a fast one
//!  fastbloom-atomic/…   AtomicBloomFilter with either
//!  seen/…               bloom, concurrent-bloom, blocked-bloom and split-block with xxh3-fold, the default
//!  …/batch              the same filter, asked by may_contain_into
//! ```
//!
//! The number of bits is the one that a classic filter takes for the target; blocked kinds get as many, though they would
//! ask for a few per cent more. Keys are distinct, look random, and are passed a slice at a time, so that what a call
//! through the trait costs is shared by a thousand keys.

use std::hash::Hash;

/// How many keys are handed over at a time.
pub const CHUNK: usize = 1024;

/// A key of the benchmark.
pub trait BenchKey: seenfilter::Key + Hash + Clone + Sized + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Key number `i`.
    fn number(i: u64) -> Self;
}

fn mix(i: u64) -> u64 {
    let x = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl BenchKey for u64 {
    const NAME: &'static str = "u64";
    fn number(i: u64) -> u64 {
        mix(i)
    }
}

impl BenchKey for [u8; 16] {
    const NAME: &'static str = "16-bytes";
    fn number(i: u64) -> [u8; 16] {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&mix(i).to_le_bytes());
        key[8..].copy_from_slice(&mix(!i).to_le_bytes());
        key
    }
}

/// How large the filters are, and what they hold.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// How many keys are added.
    pub keys: u64,
    /// The rate that a classic filter of these bits has.
    pub fpr: f64,
}

impl Size {
    /// Bits of the classic filter.
    pub fn bits(self) -> u64 {
        self.shape().bits
    }

    fn shape(self) -> seenfilter::BloomShape {
        use seenfilter::Shape;
        seenfilter::BloomShape::plan(seenfilter::Target { capacity: self.keys, fpr: self.fpr }).unwrap()
    }
}

/// A filter in the comparison.
pub trait Contender<K> {
    /// Adds keys.
    fn add(&mut self, keys: &[K]);
    /// How many of the keys may be in, asked one by one.
    fn ask(&self, keys: &[K]) -> usize;
    /// The same by a batch, where the crate has such a call.
    fn ask_batch(&self, keys: &[K]) -> Option<usize>;
    /// Forgets all keys.
    fn clear(&mut self);
}

macro_rules! contender {
    (no_batch, $filter:expr, $keys:ident) => {{
        let _ = $keys;
        None
    }};
    (batch, $filter:expr, $keys:ident) => {{
        let mut answers = [false; CHUNK];
        Some($filter.may_contain_into($keys, &mut answers[..$keys.len()]))
    }};
    ($type:ident, $filter:ty, $add:ident, $ask:ident, $batch:ident) => {
        struct $type($filter);
        impl<K: BenchKey> Contender<K> for $type {
            fn add(&mut self, keys: &[K]) {
                for key in keys {
                    self.0.$add(key);
                }
            }
            fn ask(&self, keys: &[K]) -> usize {
                keys.iter().map(|key| usize::from(self.0.$ask(key))).sum()
            }
            fn ask_batch(&self, keys: &[K]) -> Option<usize> {
                contender!($batch, self.0, keys)
            }
            fn clear(&mut self) {
                self.0.clear();
            }
        }
    };
}

type Fold = foldhash::fast::RandomState;

contender!(FastSip, fastbloom::BloomFilter, insert, contains, no_batch);
contender!(FastFold, fastbloom::BloomFilter<Fold>, insert, contains, no_batch);
contender!(FastAtomicSip, fastbloom::AtomicBloomFilter, insert, contains, no_batch);
contender!(FastAtomicFold, fastbloom::AtomicBloomFilter<Fold>, insert, contains, no_batch);
contender!(SeenBloom, seenfilter::Bloom, add, may_contain, batch);
contender!(SeenConcurrent, seenfilter::ConcurrentBloom, add, may_contain, batch);
contender!(SeenBlocked, seenfilter::BlockedBloom, add, may_contain, batch);
contender!(SeenSplit, seenfilter::SplitBlock, add, may_contain, batch);

/// All contenders, empty.
pub fn contenders<K: BenchKey>(size: Size) -> Vec<(&'static str, Box<dyn Contender<K>>)> {
    let shape = size.shape();
    let (bits, keys) = (shape.bits as usize, size.keys as usize);
    let fast = || fastbloom::BloomFilter::with_num_bits(bits);
    let atomic = || fastbloom::AtomicBloomFilter::with_num_bits(bits);
    let bloom = || SeenBloom(seenfilter::Bloom::with_shape(shape, seenfilter::HashFunction::default()).unwrap());
    let concurrent =
        || SeenConcurrent(seenfilter::ConcurrentBloom::with_shape(shape, seenfilter::HashFunction::default()).unwrap());
    let probes = if size.fpr < 0.0005 { 16 } else { 8 };
    let blocked = || {
        let shape = seenfilter::BlockedBloomShape { blocks: (shape.bits + 511) / 512, probes };
        SeenBlocked(seenfilter::BlockedBloom::with_shape(shape, seenfilter::HashFunction::default()).unwrap())
    };
    let split = || {
        let shape = seenfilter::SplitBlockShape { blocks: (shape.bits + 255) / 256 };
        SeenSplit(seenfilter::SplitBlock::with_shape(shape, seenfilter::HashFunction::default()).unwrap())
    };
    vec![
        ("fastbloom/sip", Box::new(FastSip(fast().expected_items(keys)))),
        ("fastbloom/fold", Box::new(FastFold(fast().hasher(Fold::default()).expected_items(keys)))),
        ("fastbloom-atomic/sip", Box::new(FastAtomicSip(atomic().expected_items(keys)))),
        ("fastbloom-atomic/fold", Box::new(FastAtomicFold(atomic().hasher(Fold::default()).expected_items(keys)))),
        ("seen/bloom", Box::new(bloom())),
        ("seen/concurrent-bloom", Box::new(concurrent())),
        ("seen/blocked-bloom", Box::new(blocked())),
        ("seen/split-block", Box::new(split())),
    ]
}

/// So many keys from key number `from` on, made a chunk at a time and given to `each`.
pub fn each_chunk<K: BenchKey>(from: u64, count: u64, mut each: impl FnMut(&[K])) {
    let mut chunk = Vec::with_capacity(CHUNK);
    for i in from..from + count {
        chunk.push(K::number(i));
        if chunk.len() == CHUNK || i + 1 == from + count {
            each(&chunk);
            chunk.clear();
        }
    }
}

/// Keys to ask for: `present` ones among the first `size.keys`, in no order; otherwise some that were never added.
pub fn questions<K: BenchKey>(size: Size, present: bool, count: u64) -> Vec<K> {
    let pick = |i: u64| if present { mix(i ^ 0x5eed) % size.keys } else { (1 << 40) + i };
    (0..count).map(|i| K::number(pick(i))).collect()
}
