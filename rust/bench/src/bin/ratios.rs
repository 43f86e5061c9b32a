//! The same comparison by ratios, for machines that do other things meanwhile: `cargo run --release --bin ratios [KEYS...]`.
//!
//! Contenders take turns, a slice of the questions each, many times over. A row is a contender's time divided by the time of
//! `fastbloom/sip` and of `fastbloom/fold` in the same turn: the median over all turns. Whatever else the machine does
//! slows neighbours in time alike, and the median forgets the turns it hit.

use seen_bench::{contenders, questions, BenchKey, Size, CHUNK};
use std::time::Instant;

const QUESTIONS: u64 = 1 << 20;
const TURNS: usize = 101;
const SLICE: usize = 4 * CHUNK;

type Ask<'a, K> = Box<dyn Fn(&[K]) -> usize + 'a>;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn seconds(mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    call();
    begin.elapsed().as_secs_f64()
}

/// Prints what took how long: `times[contender][turn]`, of `keys` keys per turn.
fn print(title: &str, names: &[&str], times: &[Vec<f64>], keys: usize) {
    println!("\n{title}\n\n| | ns per key | to fastbloom/sip | to fastbloom/fold |\n|---|---|---|---|");
    for (name, mine) in names.iter().zip(times) {
        let to = |other: &[f64]| median(mine.iter().zip(other).map(|(a, b)| a / b).collect());
        let ns = 1e9 * median(mine.clone()) / keys as f64;
        println!("| {name} | {ns:.1} | {:.2} | {:.2} |", to(&times[0]), to(&times[1]));
    }
}

fn compare<K: BenchKey>(size: Size) {
    let mut all = contenders::<K>(size);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let mut times = vec![Vec::new(); all.len()];
    // Adding: a slice of the keys to one after another, until all have all; small filters many times.
    let slice = (size.keys / 128).clamp(CHUNK as u64, 1 << 18).min(size.keys);
    while times[0].len() < 100 {
        all.iter_mut().for_each(|(_, filter)| filter.clear());
        for from in (0..size.keys).step_by(slice as usize) {
            let some: Vec<K> = (from..size.keys.min(from + slice)).map(K::number).collect();
            for (i, (_, filter)) in all.iter_mut().enumerate() {
                times[i].push(seconds(|| some.chunks(CHUNK).for_each(|chunk| filter.add(chunk))) / some.len() as f64);
            }
        }
    }
    let title = format!("{} keys, {} %, {}", size.keys, 100.0 * size.fpr, K::NAME);
    print(&format!("add: {title}"), &names, &times, 1);
    for (what, present) in [("present", true), ("absent", false)] {
        let asked = questions::<K>(size, present, QUESTIONS);
        let mut asks: Vec<(String, Ask<K>)> = Vec::new();
        for (name, filter) in &all {
            asks.push((name.to_string(), Box::new(|some| filter.ask(some))));
            if filter.ask_batch(&[]).is_some() {
                asks.push((format!("{name}/batch"), Box::new(|some| filter.ask_batch(some).unwrap_or(0))));
            }
        }
        let mut times = vec![Vec::new(); asks.len()];
        for turn in 0..TURNS {
            for (i, (_, ask)) in asks.iter().enumerate() {
                // Every question is new to the filter it is put to.
                let begin = (turn * asks.len() + i) * SLICE % (asked.len() - SLICE);
                times[i].push(seconds(|| {
                    let yes: usize = asked[begin..begin + SLICE].chunks(CHUNK).map(ask).sum();
                    std::hint::black_box(yes);
                }));
            }
        }
        let names: Vec<&str> = asks.iter().map(|(name, _)| name.as_str()).collect();
        print(&format!("lookup, {what}: {title}"), &names, &times, SLICE);
    }
}

fn main() {
    let asked: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().expect("a number of keys")).collect();
    let sizes = if asked.is_empty() { vec![1_000, 1_000_000, 30_000_000] } else { asked };
    for keys in sizes {
        for fpr in [0.01, 0.001] {
            compare::<u64>(Size { keys, fpr });
            compare::<[u8; 16]>(Size { keys, fpr });
        }
    }
}
