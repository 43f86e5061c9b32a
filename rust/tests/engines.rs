//! Filters that are more than bits: each against an exact multiset, its files, and what it says of itself.

use seenfilter::*;
use std::collections::HashMap;

#[path = "support/random.rs"]
mod random;
use random::Random;

const TARGET: Target = Target { capacity: 2000, fpr: 0.01 };

/// What the kinds that keys can be taken out of have in common.
trait Changes {
    /// Whether there was room.
    fn put(&mut self, key: u64) -> bool;
    fn take(&mut self, key: u64) -> bool;
    fn count_of(&self, key: u64) -> u64;
    fn has(&self, key: u64) -> bool;
    /// The most that a count can be.
    const MOST: u64;
}

impl Changes for Cuckoo {
    const MOST: u64 = 8;
    fn put(&mut self, key: u64) -> bool {
        self.add(key).is_ok()
    }
    fn take(&mut self, key: u64) -> bool {
        self.remove(key)
    }
    fn count_of(&self, key: u64) -> u64 {
        self.count(key)
    }
    fn has(&self, key: u64) -> bool {
        self.may_contain(key)
    }
}

macro_rules! counters_change {
    ($($filter:ident),*) => {$(
        impl Changes for $filter {
            const MOST: u64 = 15;
            fn put(&mut self, key: u64) -> bool {
                self.add(key);
                true
            }
            fn take(&mut self, key: u64) -> bool {
                self.remove(key)
            }
            fn count_of(&self, key: u64) -> u64 {
                self.count(key)
            }
            fn has(&self, key: u64) -> bool {
                self.may_contain(key)
            }
        }
    )*};
}
counters_change!(CountingBloom, BlockedCountingBloom);

/// A hundred thousand random operations against an exact multiset.
fn agrees_with_a_multiset<F: Changes>(filter: &mut F) -> HashMap<u64, u64> {
    let (mut random, mut exact, mut refused, mut wrong) = (Random(7), HashMap::<u64, u64>::new(), 0, 0);
    for _ in 0..100_000 {
        let key = random.below(2500) as u64;
        let there = exact.get(&key).copied().unwrap_or(0);
        match random.below(8) {
            // Not so often that a counter would be stuck, or the slots of a few keys full.
            0..=2 if there < 3 => {
                if filter.put(key) {
                    exact.insert(key, there + 1);
                } else {
                    refused += 1;
                }
            }
            // Callers take out what they put in.
            0..=5 if there > 0 => {
                assert!(filter.take(key), "{key} is lost");
                exact.insert(key, there - 1);
            }
            _ => {
                let count = filter.count_of(key);
                assert!(count >= there && count <= F::MOST, "{key}: {count}, added {there} times");
                assert_eq!(filter.has(key), count > 0);
                wrong += u64::from(there == 0 && count > 0);
            }
        }
    }
    assert!(refused == 0 && wrong < 1500, "{refused} refused, {wrong} false positives");
    exact
}

#[test]
fn cuckoo_agrees_with_an_exact_multiset() {
    let mut filter = Cuckoo::new(Target { capacity: 10_000, fpr: 0.01 }).unwrap();
    let exact = agrees_with_a_multiset(&mut filter);
    assert_eq!(filter.len(), exact.values().sum::<u64>());
    assert_eq!(filter.estimated_count(), filter.len() as f64);
    for (key, count) in exact {
        (0..count).for_each(|_| assert!(filter.remove(key)));
    }
    assert!(filter.is_empty() && filter == Cuckoo::new(Target { capacity: 10_000, fpr: 0.01 }).unwrap());
}

fn counters_are_empty_in_the_end<E>(mut filter: EngineFilter<E>)
where
    EngineFilter<E>: Changes + Clone + PartialEq + std::fmt::Debug,
{
    let empty = filter.clone();
    for (key, count) in agrees_with_a_multiset(&mut filter) {
        (0..count).for_each(|_| assert!(filter.take(key)));
    }
    // Bit for bit, as long as none was stuck.
    assert!(filter == empty);
}

#[test]
fn counting_filters_agree_with_an_exact_multiset() {
    let target = Target { capacity: 10_000, fpr: 0.01 };
    counters_are_empty_in_the_end(CountingBloom::new(target).unwrap());
    counters_are_empty_in_the_end(BlockedCountingBloom::new(target).unwrap());
}

#[test]
fn a_full_cuckoo_filter_says_so_and_has_changed_nothing() {
    let mut filter = Cuckoo::new(Target { capacity: 1000, fpr: 0.01 }).unwrap();
    let keys: Vec<u64> = (0..5000).collect();
    let added = filter.add_many(&keys);
    assert!((1000..1300).contains(&added), "{added}");
    assert_eq!(filter.len(), added as u64);
    assert!(keys[..added].iter().all(|key| filter.may_contain(key)), "moving has lost a key");
    let before = filter.clone();
    let error = filter.add(keys[added]).unwrap_err();
    assert!(matches!(error, Error::Full(_)), "{error}");
    assert_eq!(error.to_string(), format!("add: no room for another key: {added} of 1072 slots are taken"));
    assert!(filter == before && filter.saturated() && filter.health().past_capacity);
    // One key fits eight times.
    let mut same = Cuckoo::new(TARGET).unwrap();
    (0..8).for_each(|_| same.add("alice").unwrap());
    assert!(same.add("alice").is_err() && same.count("alice") == 8 && same.len() == 8);
    same.clear();
    assert!(same.is_empty() && !same.may_contain("alice") && same.add("alice").is_ok());
}

#[test]
fn a_stuck_counter_stays() {
    let shape = CountingBloomShape { counters: 1000, probes: 3, counter_bits: 2 };
    let mut filter = CountingBloom::with_shape(shape, HashFunction::default()).unwrap();
    for _ in 0..5 {
        filter.add("alice");
    }
    assert_eq!((filter.count("alice"), filter.stuck_counters()), (3, 3));
    for _ in 0..5 {
        assert!(filter.remove("alice"));
    }
    assert!(filter.may_contain("alice") && filter.stuck_counters() == 3);
}

#[test]
fn merged_counters_are_those_of_all_adds() {
    let keys: Vec<u64> = (0..1500).collect();
    let (mut a, mut b) = (CountingBloom::new(TARGET).unwrap(), CountingBloom::new(TARGET).unwrap());
    let mut both = a.clone();
    a.add_many(&keys[..1000]);
    b.extend(&keys[500..]);
    both.extend(keys[..1000].iter().chain(&keys[500..]));
    a.merge(&b).unwrap();
    assert!(a == both);
    let other = CountingBloom::new(Target { capacity: 2001, ..TARGET }).unwrap();
    let message = a.merge(&other).unwrap_err().to_string();
    assert!(message.contains("differ") && message.contains("19171") && message.contains("there"), "{message}");
    let seeded = CountingBloom::with_hash(TARGET, HashFunction::Xxh3Fold { seed: 1 }).unwrap();
    assert_eq!(a.merge(&seeded).unwrap_err().to_string(), "merge: seeds differ: 0 here, 1 there");
    assert!(a == both);
}

#[test]
fn a_chain_grows_and_keeps_its_rate() {
    fn check<E>(mut filter: EngineFilter<E>, add: impl Fn(&mut EngineFilter<E>, u64) -> bool)
    where
        EngineFilter<E>: Sized,
        E: Sized,
    {
        let mut random = Random(11);
        let keys: Vec<u64> = (0..30_000).map(|_| random.next()).collect();
        // A false positive is taken for a key that is there: one in a hundred.
        let new = keys.iter().filter(|&&key| !add(&mut filter, key)).count();
        assert!(new > 29_500, "{new}");
        let _ = filter;
    }
    let first = Target { capacity: 100, fpr: 0.01 };
    check(ScalableBloom::new(first).unwrap(), |filter, key| filter.test_and_add(key).unwrap());
    check(ScalableClassicBloom::new(first).unwrap(), |filter, key| filter.test_and_add(key).unwrap());

    let mut random = Random(12);
    let mut filter = ScalableBloom::new(first).unwrap();
    let keys: Vec<u64> = (0..30_000).map(|_| random.next()).collect();
    filter.add_many(&keys[..100]).unwrap();
    assert_eq!(filter.links(), 1);
    filter.add_many(&keys).unwrap();
    assert!(keys.iter().all(|key| filter.may_contain(key)));
    assert!(filter.links() >= 8 && filter.bound() < 0.01, "{} {}", filter.links(), filter.bound());
    let asked = 400_000;
    let hits = (0..asked).filter(|_| filter.may_contain(random.next())).count() as f64;
    let expected = filter.estimated_fpr() * f64::from(asked);
    assert!((hits - expected).abs() < 6.0 * expected.sqrt() + 0.01 * expected, "{hits} of {expected}");
    assert!(filter.estimated_fpr() < 0.011 && filter.health().is_healthy());
    assert!((filter.estimated_count() - 30_000.0).abs() < 300.0, "{}", filter.estimated_count());
    // It goes on from its file as it would have gone on itself.
    let mut loaded = ScalableBloom::from_bytes(&filter.to_bytes().unwrap()).unwrap();
    let more: Vec<u64> = (0..30_000).map(|_| random.next()).collect();
    filter.add_many(&more).unwrap();
    loaded.add_many(&more).unwrap();
    assert!(loaded == filter && loaded.links() > 8);
    filter.clear();
    assert!(filter == ScalableBloom::new(first).unwrap() && filter.links() == 1);
}

#[test]
fn merged_chains_hold_the_keys_of_both() {
    let first = Target { capacity: 50, fpr: 0.01 };
    let (mut a, mut b) = (ScalableBloom::new(first).unwrap(), ScalableBloom::new(first).unwrap());
    a.extend(0..1000);
    b.extend(1000..1020);
    let (links, bound) = (a.links(), a.bound());
    a.merge(&b).unwrap();
    assert!((0..1020).all(|key| a.may_contain(key)));
    assert_eq!(a.links(), links + 1);
    assert!(a.bound() > bound && a.saturated());
    // An empty link is not taken over.
    a.merge(&ScalableBloom::new(first).unwrap()).unwrap();
    assert_eq!(a.links(), links + 1);
    // New keys go to the link with room that the other brought.
    a.extend(2000..2010);
    assert_eq!(a.links(), links + 1);
    let again = ScalableBloom::from_bytes(&a.to_bytes().unwrap()).unwrap();
    assert!(again == a);
    // At most 255 links, and nothing has changed where there would be more.
    let mut long = b.clone();
    while long.links() * 2 <= 255 {
        long.merge(&long.clone()).unwrap();
    }
    let before = long.clone();
    let error = long.merge(&before).unwrap_err();
    assert!(matches!(error, Error::Incompatible(_)), "{error}");
    assert!(long == before);
}

#[test]
fn a_chain_at_its_end_says_so() {
    let shape = ScalableBloomShape { first_capacity: 10, fpr: 1e-7, growth: 1.0 + 1e-6, tightening: 1e-3 };
    let mut filter = ScalableBloom::with_shape(shape, HashFunction::default()).unwrap();
    let error = (0..100).find_map(|key| filter.add(key).err()).unwrap();
    assert!(error.to_string().starts_with("add: there can be no next link: "), "{error}");
    let before = filter.clone();
    assert!((1000..1010).any(|key| filter.add(key).is_err()) && filter == before);
}

#[test]
fn a_static_filter_holds_its_keys_and_few_others() {
    let mut random = Random(13);
    for count in [0usize, 1, 2, 3, 10, 100, 1000, 30_000, 300_000] {
        let keys: Vec<u64> = (0..count).map(|_| random.next()).collect();
        for (fingerprint_bits, arity) in [(8, 3), (8, 4), (16, 3), (32, 3)] {
            if count > 30_000 && (fingerprint_bits, arity) != (8, 3) {
                continue;
            }
            let wishes = BinaryFuseShape { fingerprint_bits, arity, ..BinaryFuseShape::default() };
            let filter = BinaryFuse::build_with(&keys, 0.5, wishes, HashFunction::default()).unwrap();
            assert_eq!(filter.len(), count as u64);
            assert!(keys.iter().all(|key| filter.may_contain(key)), "{count} {fingerprint_bits} {arity}");
            let asked: u32 = 200_000;
            let hits = (0..asked).filter(|_| filter.may_contain(random.next())).count() as f64;
            let expected = if count == 0 { 0.0 } else { f64::from(asked) / (1u64 << fingerprint_bits) as f64 };
            // Binomial; six sigma, and a few for rates near 0.
            assert!((hits - expected).abs() <= 6.0 * expected.sqrt() + 3.0, "{hits} of {expected} at {count}");
            let again = BinaryFuse::from_bytes(&filter.to_bytes().unwrap()).unwrap();
            assert!(again == filter && again.len() == count as u64);
        }
    }
}

#[test]
fn neither_order_nor_repetition_shows_in_a_static_filter() {
    let keys: Vec<String> = (0..5000).map(|i| format!("key-{i}")).collect();
    let once = BinaryFuse::build(&keys, 0.004).unwrap();
    let twice = BinaryFuse::build(keys.iter().rev().chain(&keys), 0.004).unwrap();
    assert_eq!(twice.to_bytes().unwrap(), once.to_bytes().unwrap());
    assert_eq!(once.target(), Target { capacity: 5000, fpr: 0.004 });
    let digests: Vec<Digest> = keys.iter().map(|key| once.digest(key)).collect();
    let shape = BinaryFuseShape::default();
    let of_digests = BinaryFuse::build_from_digests(digests, 0.004, shape, HashFunction::default()).unwrap();
    assert!(of_digests == once);
    // Several shards answer alike.
    let wishes = BinaryFuseShape { shards: 8, ..BinaryFuseShape::default() };
    let sharded = BinaryFuse::build_with(&keys, 0.004, wishes, HashFunction::default()).unwrap();
    assert_eq!(sharded.shape().shards, 8);
    assert!(keys.iter().all(|key| sharded.may_contain(key)));
}

#[test]
fn what_cannot_be_built_is_refused() {
    for fpr in [0.0, 1.0, -1.0, f64::NAN, 1e-12] {
        let error = BinaryFuse::build([1, 2, 3], fpr).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument(_)), "{fpr}: {error}");
    }
    for wishes in [
        BinaryFuseShape { fingerprint_bits: 12, ..BinaryFuseShape::default() },
        BinaryFuseShape { arity: 5, ..BinaryFuseShape::default() },
        BinaryFuseShape { shards: 3, ..BinaryFuseShape::default() },
    ] {
        assert!(BinaryFuse::build_with([1, 2, 3], 0.01, wishes, HashFunction::default()).is_err(), "{wishes:?}");
    }
    // Digests that no hash makes: they agree in all the bits that are looked at.
    let digests = (0..4096).map(|i| Digest(u64::MAX - i));
    let error = BinaryFuse::build_from_digests(digests, 0.01, BinaryFuseShape::default(), HashFunction::default());
    assert!(error.unwrap_err().to_string().contains("not hashes"));
}

#[test]
fn shapes_that_are_none_are_refused_with_the_number_and_its_range() {
    let hash = HashFunction::default();
    let cuckoo = |buckets, fingerprint_bits, chunks| {
        Cuckoo::with_shape(CuckooShape { buckets, fingerprint_bits, chunks }, hash).map(|filter| filter.shape())
    };
    for (shape, why) in [
        (cuckoo(0, 12, 1), "buckets is 0"),
        (cuckoo(64, 11, 1), "fingerprint-bits is 11"),
        (cuckoo(64, 12, 8), "chunks is 8"),
        (cuckoo(u64::MAX, 12, 1), "buckets is 18446744073709551615"),
        (cuckoo(1 << 27, 8, 1), "at most 2^24 a chunk"),
    ] {
        let error = shape.unwrap_err();
        assert!(matches!(error, Error::InvalidArgument(_)) && error.to_string().contains(why), "{error}");
    }
    // An odd number of buckets is made even, and chunks are those that are filled.
    assert_eq!(cuckoo(65, 12, 0).unwrap(), CuckooShape { buckets: 66, fingerprint_bits: 12, chunks: 1 });
    let counting = |counters, probes, counter_bits| {
        CountingBloom::with_shape(CountingBloomShape { counters, probes, counter_bits }, hash)
    };
    for (shape, why) in [
        (counting(0, 3, 4), "counters is 0"),
        (counting(100, 31, 4), "probes is 31"),
        (counting(100, 3, 5), "counter-bits is 5"),
        (counting(1 << 39, 3, 4), "counters is 549755813888"),
    ] {
        let error = shape.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let shape = BlockedCountingBloomShape { blocks: 1, probes: 5, counter_bits: 4 };
    assert!(BlockedCountingBloom::with_shape(shape, hash).is_err());
    for (growth, tightening) in [(1.0, 0.5), (2.0, 1.0), (f64::NAN, 0.5), (2.0, 0.0), (70_000.0, 0.5)] {
        let shape = ScalableBloomShape { first_capacity: 10, fpr: 0.01, growth, tightening };
        assert!(ScalableBloom::with_shape(shape, hash).is_err(), "{shape:?}");
    }
    for target in [Target { capacity: 0, fpr: 0.01 }, Target { capacity: 10, fpr: 1.0 }, Target::default()] {
        assert!(Cuckoo::new(target).is_err() && CountingBloom::new(target).is_err());
        assert!(BlockedCountingBloom::new(target).is_err() && ScalableBloom::new(target).is_err());
    }
}

#[test]
fn a_batch_answers_as_single_keys_do_and_files_come_back() {
    macro_rules! check {
        ($($filter:ident: $add:expr),*) => {$({
            let mut filter = $filter::with_hash(TARGET, HashFunction::Xxh64 { seed: 5 }).unwrap();
            let keys: Vec<u64> = (0..1000).collect();
            $add(&mut filter, &keys);
            filter.set_metadata("of a test").unwrap();
            let asked: Vec<u64> = (0..3000).collect();
            let answers = filter.may_contain_many(&asked);
            assert!(asked.iter().zip(&answers).all(|(key, &answer)| filter.may_contain(key) == answer));
            assert!(answers[..1000].iter().all(|&answer| answer));
            let mut into = vec![false; 3000];
            let yes = filter.may_contain_into(&asked, &mut into);
            assert_eq!((yes, &into), (answers.iter().filter(|&&yes| yes).count(), &answers));
            // To bytes, streams and files.
            let bytes = filter.to_bytes().unwrap();
            let mut written = Vec::new();
            filter.write_to(&mut written).unwrap();
            assert_eq!(written, bytes);
            let path = std::env::temp_dir().join(format!("seen-engine-{}-{}", stringify!($filter), std::process::id()));
            filter.save(&path).unwrap();
            for back in [$filter::from_bytes(&bytes), $filter::read_from(&bytes[..]), $filter::load(&path)] {
                let back = back.unwrap();
                assert!(back == filter && back.metadata() == b"of a test" && back.target() == TARGET);
                assert_eq!((back.shape(), back.hash(), back.kind()), (filter.shape(), filter.hash(), filter.kind()));
            }
            let mapped = AnyFilter::map(&path).unwrap();
            assert_eq!(mapped.may_contain_many(&asked), answers);
            mapped.verify().unwrap();
            assert_eq!(mapped.to_string(), filter.to_string());
            // Of any kind, and changed.
            let AnyFilter::$filter(mut any) = AnyFilter::load(&path).unwrap() else { panic!("another kind") };
            any.clear();
            assert!(any == $filter::with_hash(TARGET, HashFunction::Xxh64 { seed: 5 }).unwrap());
            assert!(any != filter);
            std::fs::remove_file(&path).unwrap();
            // What it says of itself.
            assert!(format!("{filter}").starts_with(&format!("{} for 2000 keys at fpr 0.01, ", filter.kind())));
            assert!(filter.fill() > 0.1 && filter.health().is_healthy() && !filter.saturated());
            assert!((filter.estimated_count() - 1000.0).abs() < 60.0, "{}", filter.estimated_count());
            let other = Bloom::new(TARGET).unwrap().to_bytes().unwrap();
            let message = $filter::from_bytes(&other).unwrap_err().to_string();
            assert_eq!(message, format!("offset 24: the file is bloom, not {}", filter.kind()));
        })*};
    }
    check!(
        Cuckoo: |filter: &mut Cuckoo, keys: &[u64]| assert_eq!(filter.add_many(keys), keys.len()),
        CountingBloom: |filter: &mut CountingBloom, keys: &[u64]| filter.add_many(keys),
        BlockedCountingBloom: |filter: &mut BlockedCountingBloom, keys: &[u64]| filter.add_many(keys),
        ScalableBloom: |filter: &mut ScalableBloom, keys: &[u64]| filter.add_many(keys).unwrap(),
        ScalableClassicBloom: |filter: &mut ScalableClassicBloom, keys: &[u64]| filter.add_many(keys).unwrap()
    );
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    fn check<T: std::fmt::Debug>(bytes: &[u8], open: impl Fn(&[u8]) -> Result<T, Error>) {
        open(bytes).unwrap();
        for at in 0..bytes.len() {
            for bit in [0, 3, 7] {
                let mut flipped = bytes.to_vec();
                flipped[at] ^= 1 << bit;
                assert!(open(&flipped).is_err(), "bit {bit} of byte {at}");
            }
            assert!(open(&bytes[..at]).is_err(), "{at} bytes");
        }
        assert!(open(&[bytes, &[0]].concat()).is_err());
    }
    let few = Target { capacity: 20, fpr: 0.02 };
    let mut cuckoo = Cuckoo::new(few).unwrap();
    assert_eq!(cuckoo.add_many(&[1, 2, 3]), 3);
    check(&cuckoo.to_bytes().unwrap(), Cuckoo::from_bytes);
    let mut counting = CountingBloom::new(few).unwrap();
    counting.extend(0..20);
    check(&counting.to_bytes().unwrap(), CountingBloom::from_bytes);
    let mut chain = ScalableBloom::new(few).unwrap();
    chain.extend(0..50);
    check(&chain.to_bytes().unwrap(), ScalableBloom::from_bytes);
    check(&BinaryFuse::build(0..20, 0.02).unwrap().to_bytes().unwrap(), BinaryFuse::from_bytes);
}

#[test]
fn what_lies_in_huge_pages_is_said_where_the_system_says_it() {
    let (small, large) = (Bloom::new(TARGET).unwrap(), Bloom::new(Target { capacity: 10_000_000, fpr: 0.01 }).unwrap());
    assert_eq!(small.huge_page_bytes(), Some(0));
    let any = AnyFilter::from_bytes(&large.to_bytes().unwrap()).unwrap();
    for bytes in [large.huge_page_bytes(), any.huge_page_bytes()] {
        assert_eq!(bytes.is_some(), std::path::Path::new("/proc/self/smaps").exists());
        assert!(bytes.unwrap_or(0) <= 13_000_000, "{bytes:?}");
    }
}
