//! Building a binary fuse filter from all its keys: hashed, sorted, and solved shard by shard.
//!
//! ```text
//! keys ──hash──► digests ──sort──► different ones ──high bits──► shards ──solve──► tables, and a seed per shard
//! ```
//!
//! Sorting makes the result independent of the order of the keys. A shard is tried with seeds 0 to 31, and if none solves it all
//! shards are made a sixteenth larger. Every key is asked before a shard counts as solved (`peel`).

use super::peel::Peeler;
use super::EngineFilter;
use crate::any::engine::bytes_of;
use crate::any::engine::OwnEngine;
use crate::any::slots::{Fuse, FuseEngine, Slots};
use crate::batch;
use crate::cells::Memory;
use crate::error::Error;
use crate::hash::{Digest, HashFunction, Hasher};
use crate::key::Key;
use crate::math::{fuse, mulhi};
use crate::shape::{check_shards, BinaryFuseShape};
use crate::Target;
use alloc::format;
use alloc::vec::Vec;

const SEEDS_TRIED: u8 = 32;
const MOST_GROWTH: u64 = 8;

/// What a filter that was built can do.
impl EngineFilter<Slots<Fuse>> {
    /// Builds a filter from all its keys, with the default hash. Equal keys count once; the order does not matter.
    ///
    /// It takes the smallest slots that keep the rate: of 8 bits at 1/256, of 16 at 1/65536, of 32 at 2^-32, and 9.0 to 9.4 bits
    /// per key from 100,000 keys up where they have 8.
    ///
    /// # Errors
    /// There is no memory (beside the filter some 20 bytes for each key), the rate is beyond 32 bits, or the digests are not
    /// hashes: strangers who choose keys can see to that, unless the hash is keyed.
    ///
    /// ```
    /// use seenfilter::BinaryFuse;
    /// let known = BinaryFuse::build(["alice", "bob", "carol"], 0.004)?;
    /// assert!(known.may_contain("alice") && !known.may_contain("dave"));
    /// assert_eq!(known.len(), 3);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn build<K: Key>(keys: impl IntoIterator<Item = K>, fpr: f64) -> Result<Self, Error> {
        Self::build_with(keys, fpr, BinaryFuseShape::default(), HashFunction::default())
    }

    /// The same with a hash, and what `wishes` says of the shape: fingerprint bits (in place of the rate), arity (4 takes 5 %
    /// less space and one look more) and shards. A field of 0 is free; the others follow from the keys.
    ///
    /// # Errors
    /// As [`build`](Self::build), or no filter can have such a shape.
    ///
    /// ```
    /// use seenfilter::{BinaryFuse, BinaryFuseShape, HashFunction};
    /// let wishes = BinaryFuseShape { fingerprint_bits: 16, arity: 4, ..BinaryFuseShape::default() };
    /// let known = BinaryFuse::build_with(0..1000, 0.0, wishes, HashFunction::default())?;
    /// assert_eq!((known.shape().arity, known.target().fpr), (4, 1.0 / 65_536.0));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn build_with<K: Key>(
        keys: impl IntoIterator<Item = K>,
        fpr: f64,
        wishes: BinaryFuseShape,
        hash: HashFunction,
    ) -> Result<Self, Error> {
        let hasher = Hasher::new(hash);
        let keys = keys.into_iter();
        let mut digests = Vec::new();
        let mut has_memory = digests.try_reserve(keys.size_hint().0.min(1 << 24)).is_ok();
        batch::for_each_digest(&hasher, keys, |digest| {
            has_memory = has_memory && digests.try_reserve(1).is_ok();
            if has_memory {
                digests.push(digest);
            }
        });
        if !has_memory {
            return Err(Error::NoMemory(format!("build: no memory for more than {} digests", digests.len())));
        }
        Self::of_digests(digests, fpr, wishes, hasher)
    }

    /// The same from digests.
    ///
    /// # Errors
    /// As [`build_with`](Self::build_with).
    pub fn build_from_digests(
        digests: impl IntoIterator<Item = Digest>,
        fpr: f64,
        wishes: BinaryFuseShape,
        hash: HashFunction,
    ) -> Result<Self, Error> {
        let digests = digests.into_iter().map(|digest| digest.0).collect();
        Self::of_digests(digests, fpr, wishes, Hasher::new(hash))
    }

    fn of_digests(mut digests: Vec<u64>, fpr: f64, wishes: BinaryFuseShape, hash: Hasher) -> Result<Self, Error> {
        digests.sort_unstable();
        digests.dedup();
        let keys = digests.len() as u64;
        let fpr = match wishes.fingerprint_bits {
            0 => fpr,
            bits => 1.0 / (1u64 << bits.min(63)) as f64,
        };
        if !(fpr > 0.0 && fpr < 1.0) {
            return Err(Error::InvalidArgument(format!("fpr {fpr} is not a probability strictly between 0 and 1")));
        }
        if wishes.shards != 0 {
            check_shards(wishes.shards)?;
        }
        let shards = match (keys, wishes.shards) {
            (0, _) => 0,
            (_, 0) => fuse::shards_for(keys),
            (_, wished) => wished,
        };
        let ends = ends_of_shards(&digests, shards);
        let (mut engine, memory) = solved(&digests, &ends, fpr, BinaryFuseShape { shards, ..wishes })?;
        engine.opened(memory.cells(), keys);
        let target = Target { capacity: keys, fpr };
        Ok(EngineFilter { engine, memory, hash, target, metadata: Vec::new() })
    }

    /// The exact number of different keys in it.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.engine.shards.keys
    }

    /// Whether there is no key in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where the digests of each shard end.
fn ends_of_shards(digests: &[u64], shards: u64) -> Vec<usize> {
    (1..=shards).map(|next| digests.partition_point(|&digest| mulhi(digest, shards) < next)).collect()
}

fn solved(digests: &[u64], ends: &[usize], fpr: f64, wishes: BinaryFuseShape) -> Result<(FuseEngine, Memory), Error> {
    let begins = core::iter::once(&0).chain(ends);
    let largest = begins.clone().zip(ends).map(|(begin, end)| end - begin).max().unwrap_or(0);
    'larger: for growth in 0..=MOST_GROWTH {
        let shape = BinaryFuseShape::fit(fpr, wishes, digests.len() as u64, largest as u64, growth)?;
        let engine = FuseEngine::of(&shape);
        let mut memory = Memory::zeroed(bytes_of(&engine.segments()))?;
        let mut peeler = Peeler::new(&engine, largest)?;
        for (shard, (&begin, &end)) in begins.clone().zip(ends).enumerate() {
            let (shard, own) = (shard as u64, digests.get(begin..end).unwrap_or(&[]));
            let seed = match (0..SEEDS_TRIED).find(|&seed| peeler.solve(&engine, shard, seed, own)) {
                Some(seed) => seed,
                None => continue 'larger,
            };
            let mut body = memory.cells_mut();
            for (i, &slot) in peeler.slots.iter().enumerate() {
                let value = u64::from(slot) & crate::cells::low_bits(engine.width);
                body.set_bits((shard * engine.slots + i as u64) * u64::from(engine.width), engine.width, value);
            }
            body.set_bits(8 * engine.shards.seed_at(shard), 8, seed.into());
        }
        return Ok((engine, memory));
    }
    Err(Error::InvalidArgument(
        "build: the digests cannot be told apart by their bits: they are not hashes of keys".into(),
    ))
}

/// A filter of these keys at a rate of 1 % or better: [`build`](EngineFilter::build) with the default hash.
///
/// # Panics
/// Where `build` has an error. For keys that strangers choose, take `build_with` and a keyed hash.
impl<K: Key> FromIterator<K> for EngineFilter<Slots<Fuse>> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        match Self::build(keys, 0.01) {
            Ok(filter) => filter,
            Err(error) => panic!("collect: {error}"),
        }
    }
}
