//! The crate beside those that it takes the place of, at one rate: `cargo run --release --bin peers [KEYS...]`.
//!
//! Every filter is built of the same distinct keys (u64) for a rate of 1/256, with the size that it chooses itself. Times are
//! processor time of the thread, the least of some rounds in which the contenders take turns. Keys of static filters are there
//! at once, those of others come one by one.

use cpu_time::ThreadTime;
use seen_bench::BenchKey;
use seenfilter::{BinaryFuse, BlockedBloom, BlockedCountingBloom, Bloom, CountingBloom, Cuckoo, ScalableBloom, Target};
use std::hint::black_box;
use xorf::Filter as _;

const FPR: f64 = 1.0 / 256.0;
const ROUNDS: usize = 7;
/// Questions of a round, and of the count of false positives.
const QUESTIONS: u64 = 1 << 19;

type Fold = foldhash::fast::RandomState;

/// A filter that was built.
struct Built {
    bytes: usize,
    ask: Box<dyn Fn(&[u64]) -> usize>,
    ask_batch: Option<Box<dyn Fn(&[u64], &mut [bool]) -> usize>>,
}

type Build = fn(&[u64]) -> Built;

/// A contender of this crate: `$make` builds it from `keys`.
macro_rules! ours {
    ($keys:ident => $make:expr) => {
        |$keys| {
            let filter = std::rc::Rc::new($make);
            let bytes = filter.to_bytes().expect("memory").len();
            let (one, many) = (filter.clone(), filter);
            Built {
                bytes,
                ask: Box::new(move |keys| keys.iter().filter(|&&key| one.may_contain(key)).count()),
                ask_batch: Some(Box::new(move |keys, answers| many.may_contain_into(keys, answers))),
            }
        }
    };
}

fn target(keys: &[u64]) -> Target {
    Target { capacity: keys.len() as u64, fpr: FPR }
}

const CONTENDERS: [(&str, Build); 11] = [
    ("fastbloom, as it comes", |keys| {
        let mut filter = fastbloom::BloomFilter::with_false_pos(FPR).expected_items(keys.len());
        for key in keys {
            filter.insert(key);
        }
        let bytes = filter.num_bits() / 8;
        Built {
            bytes,
            ask: Box::new(move |keys| keys.iter().filter(|&key| filter.contains(key)).count()),
            ask_batch: None,
        }
    }),
    ("fastbloom with foldhash", |keys| {
        let filter = fastbloom::BloomFilter::with_false_pos(FPR).hasher(Fold::default());
        let mut filter = filter.expected_items(keys.len());
        for key in keys {
            filter.insert(key);
        }
        let bytes = filter.num_bits() / 8;
        Built {
            bytes,
            ask: Box::new(move |keys| keys.iter().filter(|&key| filter.contains(key)).count()),
            ask_batch: None,
        }
    }),
    ("xorf::BinaryFuse8", |keys| {
        let filter = xorf::BinaryFuse8::try_from(keys).expect("distinct keys");
        let bytes = filter.fingerprints.len();
        Built {
            bytes,
            ask: Box::new(move |keys| keys.iter().filter(|&key| filter.contains(key)).count()),
            ask_batch: None,
        }
    }),
    (
        "Bloom",
        ours!(keys => {
            let mut filter = Bloom::new(target(keys)).expect("a plan");
            keys.iter().for_each(|key| filter.add(key));
            filter
        }),
    ),
    (
        "BlockedBloom",
        ours!(keys => {
            let mut filter = BlockedBloom::new(target(keys)).expect("a plan");
            keys.iter().for_each(|key| filter.add(key));
            filter
        }),
    ),
    ("BinaryFuse", ours!(keys => BinaryFuse::build(keys, FPR).expect("memory"))),
    (
        "BinaryFuse, arity 4",
        ours!(keys => {
            let wishes = seenfilter::BinaryFuseShape { arity: 4, ..seenfilter::BinaryFuseShape::default() };
            BinaryFuse::build_with(keys, FPR, wishes, seenfilter::HashFunction::default()).expect("memory")
        }),
    ),
    (
        "Cuckoo",
        ours!(keys => {
            let mut filter = Cuckoo::new(target(keys)).expect("a plan");
            keys.iter().for_each(|key| filter.add(key).expect("room"));
            filter
        }),
    ),
    (
        "CountingBloom",
        ours!(keys => {
            let mut filter = CountingBloom::new(target(keys)).expect("a plan");
            keys.iter().for_each(|key| filter.add(key));
            filter
        }),
    ),
    (
        "BlockedCountingBloom",
        ours!(keys => {
            let mut filter = BlockedCountingBloom::new(target(keys)).expect("a plan");
            keys.iter().for_each(|key| filter.add(key));
            filter
        }),
    ),
    (
        "ScalableBloom, from 1000 keys",
        ours!(keys => {
            let mut filter = ScalableBloom::new(Target { capacity: 1000, fpr: FPR }).expect("a plan");
            keys.iter().for_each(|key| filter.add(key).expect("memory"));
            filter
        }),
    ),
];

/// Nanoseconds of processor time.
fn nanoseconds<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let begin = ThreadTime::now();
    let returned = black_box(call());
    (returned, begin.elapsed().as_nanos() as f64)
}

fn compare(count: u64) {
    let keys: Vec<u64> = (0..count).map(u64::number).collect();
    let present: Vec<u64> =
        (0..QUESTIONS).map(|i| keys[(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize % keys.len()]).collect();
    let absent: Vec<u64> = (0..QUESTIONS).map(|i| u64::number((1 << 40) + i)).collect();
    let mut answers = vec![false; QUESTIONS as usize];
    // build, present, absent, and the last two as batches
    let mut least = [[f64::INFINITY; 5]; CONTENDERS.len()];
    let mut built = Vec::new();
    for round in 0..ROUNDS {
        for (i, (_, build)) in CONTENDERS.iter().enumerate() {
            // To build a large one takes long enough to be measured in a few rounds.
            if round < 3 || count < 100_000 {
                let (filter, time) = nanoseconds(|| build(&keys));
                least[i][0] = least[i][0].min(time / count as f64);
                if round == 0 {
                    built.push(filter);
                }
            }
        }
        for (filter, least) in built.iter().zip(&mut least) {
            for (asked, column) in [(&present, 1), (&absent, 2)] {
                let (_, time) = nanoseconds(|| (filter.ask)(asked));
                least[column] = least[column].min(time / QUESTIONS as f64);
                if let Some(ask) = &filter.ask_batch {
                    let (_, time) = nanoseconds(|| ask(asked, &mut answers));
                    least[column + 2] = least[column + 2].min(time / QUESTIONS as f64);
                }
            }
        }
    }
    println!(
        "\n| {count} keys, ns | bits per key | rate, % | build | present | absent | present, batch | absent, batch |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for ((name, _), (filter, least)) in CONTENDERS.iter().zip(built.iter().zip(&least)) {
        let bits = 8.0 * filter.bytes as f64 / count as f64;
        let rate = 100.0 * (filter.ask)(&absent) as f64 / QUESTIONS as f64;
        print!("| {name} | {bits:.2} | {rate:.2} |");
        for time in least {
            print!(" {} |", if time.is_finite() { format!("{time:.1}") } else { String::new() });
        }
        println!();
    }
}

fn main() {
    let asked: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().expect("a number of keys")).collect();
    for keys in if asked.is_empty() { vec![10_000, 1_000_000] } else { asked } {
        compare(keys);
    }
}
