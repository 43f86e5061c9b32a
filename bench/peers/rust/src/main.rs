//! Rust's filters on the keys of the C++ benchmark: JSON lines of its records (bench/core/records.hpp).
//!
//!     peers KEYS SIZE...
use std::time::Instant;
use xorf::Filter;

const ROUNDS: usize = 7;
const MIXES: [&str; 3] = ["absent", "half", "present"];

fn integers(folder: &str, name: &str, n: usize) -> Vec<u64> {
    let bytes = std::fs::read(format!("{folder}/{name}-{n}.u64")).expect("the keys of seen_bench --write-keys");
    bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect()
}

/// Rounds of a call, nanoseconds an operation; the first warms up.
fn timed(operations: usize, rounds: usize, mut call: impl FnMut()) -> Vec<f64> {
    (0..=rounds)
        .map(|_| {
            let begin = Instant::now();
            call();
            begin.elapsed().as_nanos() as f64 / operations as f64
        })
        .skip(1)
        .collect()
}

struct Keys {
    n: usize,
    added: Vec<u64>,
    asked: [Vec<u64>; 3],
}

fn measure<F>(family: &str, name: &str, keys: &Keys, build: impl Fn(&[u64]) -> F, bits: impl Fn(&F) -> usize, has: impl Fn(&F, u64) -> bool) {
    let mut filter = build(&keys.added);
    let built = timed(keys.n, ROUNDS.min(40_000_000 / keys.n).max(1), || filter = build(&keys.added));
    let mut found = 0;
    let lookups: Vec<_> = keys.asked.iter().enumerate().map(|(i, asked)| {
        let mut here = 0;
        let ns = timed(asked.len(), ROUNDS, || here = asked.iter().filter(|&&key| has(&filter, std::hint::black_box(key))).count());
        if i == 0 {
            found = here;
        }
        ns
    }).collect();
    let fpr = found as f64 / keys.asked[0].len() as f64;
    let bits_per_key = bits(&filter) as f64 / keys.n as f64;
    let print = |call: &str, mix: &str, queries: &str, ns: &[f64]| {
        println!(
            "{{\"run\":\"rust\",\"keys\":{},\"family\":\"{family}\",\"filter\":\"{name}\",\"call\":\"{call}\",\"mix\":\"{mix}\",\"queries\":\"{queries}\",\"threads\":1,\"ns\":{ns:?},\"bits_per_key\":{bits_per_key},\"fpr\":{fpr}}}",
            keys.n
        );
    };
    print("build", "", "", &built);
    for (mix, ns) in MIXES.iter().zip(&lookups) {
        print("single", mix, "streamed", ns);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    for size in &args[2..] {
        let n: usize = size.parse().expect("a number of keys");
        let keys = Keys { n, added: integers(&args[1], "added", n), asked: MIXES.map(|mix| integers(&args[1], mix, n)) };
        measure(
            "classic",
            "Rust fastbloom",
            &keys,
            |added| fastbloom::BloomFilter::with_false_pos(0.01).seed(&42).items(added.iter()),
            |f| f.num_bits(),
            |f, key| f.contains(&key),
        );
        measure(
            "static",
            "Rust xorf fuse8",
            &keys,
            |added| xorf::BinaryFuse8::try_from(added).expect("different keys"),
            |f| 8 * f.len(),
            |f, key| f.contains(&key),
        );
        measure("static", "Rust xorf xor8", &keys, |added| xorf::Xor8::from(added), |f| 8 * f.len(), |f, key| f.contains(&key));
    }
}
