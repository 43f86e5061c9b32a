//! All contenders, in one run of criterion: `cargo bench`, or `cargo bench -- 'lookup/absent.*1000000'` for some.
//!
//! The contenders of a question follow one another at once. Criterion's figures are times per 1024 keys, and processor time
//! of the thread: what other programs take of the machine meanwhile is not counted.

use cpu_time::ThreadTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use seen_bench::{contenders, each_chunk, questions, BenchKey, Size, CHUNK};
use std::time::Duration;

const RATES: [f64; 2] = [0.01, 0.001];
/// Questions in turn: enough of them that a large filter's lines are not all in the cache, few enough that they are.
const QUESTIONS: u64 = 1 << 17;

/// Processor time of the thread, told as criterion tells wall time.
struct ProcessorTime;

impl Measurement for ProcessorTime {
    type Intermediate = ThreadTime;
    type Value = Duration;
    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }
    fn end(&self, begin: ThreadTime) -> Duration {
        begin.elapsed()
    }
    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }
    fn zero(&self) -> Duration {
        Duration::ZERO
    }
    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// `SEEN_BENCH_KEYS="1000 1000000"` takes some of the sizes.
fn sizes() -> Vec<u64> {
    let asked = std::env::var("SEEN_BENCH_KEYS").unwrap_or_else(|_| "1000 1000000 30000000".into());
    asked.split_whitespace().map(|size| size.parse().expect("a number of keys")).collect()
}

fn lookups<K: BenchKey>(c: &mut Criterion<ProcessorTime>) {
    for keys in sizes() {
        for fpr in RATES {
            let size = Size { keys, fpr };
            let mut all = contenders::<K>(size);
            for (_, filter) in &mut all {
                each_chunk(0, keys, |some| filter.add(some));
            }
            for (what, present) in [("present", true), ("absent", false)] {
                let asked = questions::<K>(size, present, QUESTIONS);
                let mut group = c.benchmark_group(format!("lookup/{what}/{}/{fpr}/{keys}", K::NAME));
                group.throughput(Throughput::Elements(CHUNK as u64));
                for (name, filter) in &all {
                    let mut chunks = asked.chunks_exact(CHUNK).cycle();
                    group.bench_function(BenchmarkId::from_parameter(name), |b| {
                        b.iter(|| filter.ask(chunks.next().unwrap_or(&[])))
                    });
                    if filter.ask_batch(&[]).is_some() {
                        group.bench_function(BenchmarkId::from_parameter(format!("{name}/batch")), |b| {
                            b.iter(|| filter.ask_batch(chunks.next().unwrap_or(&[])))
                        });
                    }
                }
                group.finish();
            }
        }
    }
}

fn adds<K: BenchKey>(c: &mut Criterion<ProcessorTime>) {
    for keys in sizes() {
        for fpr in RATES {
            let mut group = c.benchmark_group(format!("add/{}/{fpr}/{keys}", K::NAME));
            group.throughput(Throughput::Elements(CHUNK as u64));
            for (name, mut filter) in contenders::<K>(Size { keys, fpr }) {
                let mut added = 0;
                let mut chunk: Vec<K> = Vec::with_capacity(CHUNK);
                group.bench_function(BenchmarkId::from_parameter(name), |b| {
                    b.iter_custom(|rounds| {
                        let mut time = Duration::ZERO;
                        for _ in 0..rounds {
                            // Never beyond its capacity; what that takes is not its time.
                            if added >= keys {
                                filter.clear();
                                added = 0;
                            }
                            chunk.clear();
                            chunk.extend((added..added + CHUNK as u64).map(K::number));
                            added += CHUNK as u64;
                            let begin = ThreadTime::now();
                            filter.add(&chunk);
                            time += begin.elapsed();
                        }
                        time
                    })
                });
            }
            group.finish();
        }
    }
}

fn settings() -> Criterion<ProcessorTime> {
    // Hundreds of measurements: the noise of a shared machine is above what longer ones would gain.
    Criterion::default()
        .with_measurement(ProcessorTime)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
}

criterion_group! {
    name = filters;
    config = settings();
    targets = lookups::<u64>, lookups::<[u8; 16]>, adds::<u64>, adds::<[u8; 16]>
}
criterion_main!(filters);
