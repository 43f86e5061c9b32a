//! The layout that the static kinds share: tables of S shards, then a seed per shard, then zeros to a multiple of 64 bytes.
//!
//! A shard is the top bits of the digest; its seed makes the multiplier M, and d·M two words to choose slots and
//! fingerprints by. Where one of P places is chosen, all P·S places of all shards stand in the order of the digests.

use super::engine::{check_zero_from, round_up, wrong};
use crate::cells::Cells;
use crate::error::Error;
use crate::files::check_length;
use crate::math::mulhi;
use crate::probes::CHAIN;
use alloc::format;

/// Keys and shards of a static filter, and where its seeds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shards {
    pub keys: u64,
    pub shards: u64,
    seeds_at: u64,
    /// The multiplier of the only shard, once a body is there that stays.
    only: Option<u64>,
}

/// A digest in its shard.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub shard: u64,
    pub multiplier: u64,
    digest: u64,
    shards: u64,
}

impl Place {
    /// Which of `places` places of its shard the digest has.
    #[inline]
    pub(crate) fn of(&self, places: u64) -> u64 {
        mulhi(self.digest, places * self.shards) - places * self.shard
    }
    /// The halves of the 128-bit product of a number with the shard's multiplier: (low, high).
    #[inline]
    pub(crate) fn multiplied(&self, x: u64) -> (u64, u64) {
        let product = u128::from(x) * u128::from(self.multiplier);
        (product as u64, (product >> 64) as u64)
    }
}

/// M of a seed.
fn multiplier(seed: u8) -> u64 {
    CHAIN.wrapping_add(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c14))
}

impl Shards {
    /// Checks numbers of keys and shards before anything is computed from them.
    pub(crate) fn check_counts(keys: u64, shards: u64) -> Result<(), Error> {
        if shards > 1 << 24 || (shards != 0 && !shards.is_power_of_two()) {
            return Err(wrong("shards", shards, "a power of two, at most 2^24"));
        }
        if (keys == 0) != (shards == 0) {
            return Err(Error::Corrupt(format!("{keys} keys in {shards} shards; both are 0, or neither is")));
        }
        Ok(())
    }

    /// Tables of this many bytes in all.
    pub(crate) fn over(keys: u64, shards: u64, table_bytes: u64, length: u64) -> Result<Self, Error> {
        let all = Self::of(keys, shards, table_bytes);
        check_length(all.bytes(), length)?;
        Ok(all)
    }
    pub(crate) fn of(keys: u64, shards: u64, table_bytes: u64) -> Self {
        Shards { keys, shards, seeds_at: table_bytes, only: None }
    }

    /// The digest in the only shard, where what is to be known of that is remembered.
    #[inline]
    pub(crate) fn only_place(&self, digest: u64) -> Option<Place> {
        self.only.map(|multiplier| Place { shard: 0, multiplier, digest, shards: 1 })
    }

    /// The shard of a digest; none in a filter without keys.
    #[inline]
    pub(crate) fn place(&self, body: Cells<'_>, digest: u64) -> Option<Place> {
        let shard = mulhi(digest, self.shards);
        let seed = body.byte(self.seeds_at + shard)?;
        if self.shards == 0 {
            return None;
        }
        Some(self.place_in(shard, seed, digest))
    }

    /// A digest of a shard with this seed.
    #[inline]
    pub(crate) fn place_in(&self, shard: u64, seed: u8, digest: u64) -> Place {
        Place { shard, multiplier: multiplier(seed), digest, shards: self.shards }
    }

    /// Remembers what a body that stays says of the only shard.
    pub(crate) fn remember(&mut self, body: Cells<'_>) {
        if self.shards == 1 {
            self.only = body.byte(self.seeds_at).map(multiplier);
        }
    }

    /// Where the seed of a shard is in the body.
    pub(crate) fn seed_at(&self, shard: u64) -> u64 {
        self.seeds_at + shard
    }
    /// Bytes of the body.
    pub(crate) fn bytes(&self) -> u64 {
        round_up((self.seeds_at + self.shards).max(1), 64)
    }

    pub(crate) fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, 8 * (self.seeds_at + self.shards))
    }
}
