//! Bloom filters and their successors, with the files of the C++ library `seen`.
//!
//! ```
//! use seenfilter::{BlockedBloom, Target};
//!
//! let mut visited = BlockedBloom::new(Target { capacity: 1_000_000, fpr: 0.01 })?;
//! visited.add("alice");
//! assert!(visited.may_contain("alice"));
//! assert!(!visited.may_contain("bob")); // certainly new
//! # Ok::<(), seenfilter::Error>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`BlockedBloom`] | all bits of a key in one cache line: one cache miss per key |
//! | [`Bloom`] | the classic: the fewest bits of these, and any rate |
//! | [`SplitBlock`] | what Apache Parquet reads |
//! | [`ConcurrentBloom`], [`ConcurrentBlockedBloom`], [`ConcurrentSplitBlock`] | the same, added to through `&self` by any thread |
//! | [`MappedBloom`], [`MappedBlockedBloom`], [`MappedSplitBlock`] | the same in a file that is never read whole |
//! | [`Cuckoo`] | keys can be taken out and counted; two cache misses whatever the rate |
//! | [`CountingBloom`], [`BlockedCountingBloom`] | the same by counters, which merge and are never full |
//! | [`ScalableBloom`], [`ScalableClassicBloom`] | filters that grow with their keys and keep their rate |
//! | [`BinaryFuse`] | built once from all keys: the fewest bits here |
//! | [`AnyFilter`] | the filter of any file, of all fifteen kinds of the project and of other libraries |
//!
//! A key is bytes, text or an integer ([`Key`]); its digest comes from a [`HashFunction`], which is part of the filter and of
//! its file; [`OwnHash`] is one of your own. Sizes, digests, answers and files are the same in C++, C, Python, Go and Rust.
//!
//! # Threads
//!
//! All atomics are relaxed. A lookup sees every add that happens before it (by a join, a lock, a channel), no interleaving
//! loses an add, and `add` and `may_contain` never wait. Do not use a filter as a flag for other data.
//!
//! The words of a mapped file are read by relaxed atomic loads too, so that a process that changes the file in place changes
//! answers and nothing else: see `Filter::map`.
//!
//! # Features
//!
//! Without features the crate is `no_std` with `alloc`. `std` (default): files, streams, `std::error::Error` (without it errors
//! are `core::error::Error` from Rust 1.81 on). `mmap` (default): `map`. `serde`: filters serialise as their native bytes, in
//! base64 where people read the format. Unsafe code is forbidden without `mmap`. With it there is one unsafe line, in the module
//! that maps files, which takes their pages for atomic words.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
#![cfg_attr(feature = "mmap", deny(unsafe_code))] // which only `map` may allow itself
#![warn(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]

extern crate alloc;

/// The examples of the README, as tests.
#[cfg(all(doctest, feature = "mmap"))]
#[doc = include_str!("../README.md")]
struct Readme;

mod any;
mod batch;
mod cells;
mod change;
mod engine_filter;
mod error;
mod files;
mod filter;
mod hash;
mod health;
pub mod interop;
mod key;
mod kind;
#[cfg(feature = "mmap")]
mod map;
mod math;
mod native;
mod options;
#[cfg(feature = "std")]
mod pages;
mod probes;
#[cfg(feature = "std")]
mod replace;
#[cfg(feature = "serde")]
mod serde;
mod shape;
#[cfg(feature = "std")]
mod stream;
mod words;

pub use any::{AnyFilter, ReadOnly};
pub use engine_filter::EngineFilter;
pub use error::Error;
pub use filter::Filter;
pub use hash::{Digest, HashFunction, OwnHash, Secret};
pub use health::Health;
pub use key::{Key, KeyRef};
pub use kind::Kind;
#[cfg(feature = "mmap")]
pub use map::Mapped;
pub use options::{OpenOptions, SaveOptions, Target};
pub use shape::{
    BinaryFuseShape, BlockedBloomShape, BlockedCountingBloomShape, BloomShape, CountingBloomShape, CuckooShape,
    ScalableBloomShape, Shape, SplitBlockShape,
};
pub use words::Plain;
#[cfg(target_has_atomic = "64")]
pub use words::Shared;

/// The classic Bloom filter: k bits anywhere in m.
pub type Bloom = Filter<BloomShape, Plain>;
/// A Bloom filter with all bits of a key in one cache line: one cache miss per key.
///
/// The benchmark in the crate's repository (`bench`) compares filters of the same number of bits. A lookup of a single key takes
/// 0.3 to 0.6 of the time of [`Bloom`] in filters larger than the cache. Within the cache it takes about 0.7 for present keys,
/// but 1.0 to 1.1 for absent ones, up to 1.4 in batches. [`SplitBlock`] is close: slower for single keys within the cache, as
/// fast in batches beyond it.
pub type BlockedBloom = Filter<BlockedBloomShape, Plain>;
/// Apache Parquet's Bloom filter.
pub type SplitBlock = Filter<SplitBlockShape, Plain>;

/// A [`Bloom`] that any thread may add to and ask; the same bytes.
///
/// ```
/// use seenfilter::{ConcurrentBloom, Target};
/// let visited = ConcurrentBloom::new(Target { capacity: 10_000, fpr: 0.01 })?;
/// std::thread::scope(|threads| {
///     for thread in 0..4 {
///         let visited = &visited;
///         threads.spawn(move || (0..1000).for_each(|i| visited.add(&(1000 * thread + i))));
///     }
/// });
/// assert!((0..4000).all(|i| visited.may_contain(&i)));
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[cfg(target_has_atomic = "64")]
pub type ConcurrentBloom = Filter<BloomShape, Shared>;
/// A [`BlockedBloom`] that any thread may add to and ask; the same bytes.
#[cfg(target_has_atomic = "64")]
pub type ConcurrentBlockedBloom = Filter<BlockedBloomShape, Shared>;
/// A [`SplitBlock`] that any thread may add to and ask; the same bytes.
#[cfg(target_has_atomic = "64")]
pub type ConcurrentSplitBlock = Filter<SplitBlockShape, Shared>;

/// A cuckoo filter: keys can be taken out and counted, and a lookup costs two cache misses whatever the rate. It can be full.
pub type Cuckoo = EngineFilter<any::cuckoo::Cuckoo>;
/// A Bloom filter whose bits are counters, so that keys can be taken out: it takes four times the space of [`Bloom`].
pub type CountingBloom = EngineFilter<any::counting::Counting>;
/// A [`CountingBloom`] with all counters of a key in one cache line, for a fifth more space.
pub type BlockedCountingBloom = EngineFilter<any::counting::BlockedCounting>;
/// A filter that grows with its keys and keeps its rate: a chain of [`BlockedBloom`]s.
pub type ScalableBloom = EngineFilter<any::chain::Chain<BlockedBloomShape>>;
/// The same as a chain of [`Bloom`]s: a fifth smaller, and a cache miss for every probe.
pub type ScalableClassicBloom = EngineFilter<any::chain::Chain<BloomShape>>;
/// Built once from all its keys, and never changed: 9 bits per key at a rate of 1/256.
pub type BinaryFuse = EngineFilter<any::slots::FuseEngine>;

/// A [`Bloom`] in a file, for any number of readers.
#[cfg(feature = "mmap")]
pub type MappedBloom = Filter<BloomShape, Mapped>;
/// A [`BlockedBloom`] in a file, for any number of readers.
#[cfg(feature = "mmap")]
pub type MappedBlockedBloom = Filter<BlockedBloomShape, Mapped>;
/// A [`SplitBlock`] in a file, for any number of readers.
#[cfg(feature = "mmap")]
pub type MappedSplitBlock = Filter<SplitBlockShape, Mapped>;
