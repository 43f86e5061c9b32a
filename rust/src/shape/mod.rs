//! The shapes of filters, and with them the rule that says where the bits of a digest lie.
//!
//! ```text
//! BloomShape          k bits anywhere in m       xᵢ₊₁ = xᵢ·C, position i is the high word of xᵢ·m
//! BlockedBloomShape   one 512-bit block of B     the high word of d·B; one or two bits per lane from the low half of d
//! SplitBlockShape     one 256-bit block of B     Apache Parquet's; two lanes per word
//! ```
//!
//! A rule sees digests and words only. It does not know whether words are plain, atomic or mapped.

mod blocks;
mod bloom;
mod tables;

pub use blocks::{BlockedBloomShape, SplitBlockShape};
pub use bloom::BloomShape;
pub(crate) use tables::check_shards;
pub use tables::{BinaryFuseShape, BlockedCountingBloomShape, CountingBloomShape, CuckooShape, ScalableBloomShape};

use crate::error::Error;
use crate::health::{Limit, State};
use crate::kind::Kind;
use crate::math::{self, WEAK_FILL};
use crate::words::{Words, WordsMut};
use crate::Target;
use alloc::format;
use alloc::vec::Vec;
use core::fmt::Debug;

/// What describes a filter of a kind: a few numbers.
///
/// Implemented by [`BloomShape`], [`BlockedBloomShape`] and [`SplitBlockShape`], and by nothing else.
pub trait Shape: Rule {
    /// The shape for a target: the same integers in every language of the project.
    ///
    /// # Errors
    /// No filter of the kind can meet the target.
    fn plan(target: Target) -> Result<Self, Error>;
    /// The kind of filter it is the shape of.
    fn kind(&self) -> Kind {
        Self::KIND
    }
    /// Bytes of memory the bits take: whole cache lines.
    fn bytes(&self) -> u64 {
        self.line_count() as u64 * 64
    }
}

/// The rule of a shape; not to be named outside.
pub trait Rule: Copy + Eq + Debug {
    const KIND: Kind;
    const FIELD_NAMES: &'static [&'static str];
    fn fields(&self) -> Vec<u64>;
    /// `fields` are as many as there are names.
    fn from_fields(fields: &[u64]) -> Result<Self, Error>;
    /// Bits of the array; what lies behind them in the last line stays zero.
    fn bits(&self) -> u64;
    fn line_count(&self) -> usize {
        ((self.bits() + 511) / 512) as usize
    }
    fn may_contain<W: Words>(&self, words: &W, digest: u64) -> bool;
    /// Many answers at once: arranged so that cache misses of many keys overlap.
    fn may_contain_tile<W: Words>(&self, words: &W, digests: &[u64], answers: &mut [bool]);
    fn add<W: WordsMut>(&self, words: &mut W, digest: u64);
    /// Adds a digest and returns whether it may have been present before. Of threads that race to add a new one, whichever
    /// looked first is told that it was absent.
    #[inline]
    fn test_and_add<W: WordsMut>(&self, words: &mut W, digest: u64) -> bool {
        let present = self.may_contain(words, digest);
        if !present {
            self.add(words, digest);
        }
        present
    }
    /// The average number of different bits per key.
    fn throws_per_key(&self) -> f64;
    /// The rate as the bits are now.
    fn rate<W: Words>(&self, words: &W, set_bits: u64) -> f64;
}

/// How a filter of this shape is doing.
pub(crate) fn state_of<S: Shape, W: Words>(shape: &S, words: &W) -> State {
    let (set, bits, throws) = (words.count_ones(), shape.bits(), shape.throws_per_key());
    let fill = math::share(set, bits);
    State {
        fill,
        count: math::estimated_count(set, bits, throws),
        fpr: shape.rate(words, set),
        saturated: fill > WEAK_FILL,
        limit: Limit::Cells { cells: bits, throws },
    }
}

fn out_of_range(name: &str, value: u64, range: &str) -> Error {
    Error::InvalidArgument(format!("{name} is {value}; it must be {range}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{OwnedWords, Plain};

    fn positions<S: Rule>(shape: S, digest: u64) -> Vec<u64> {
        let mut words = Plain::zeroed(shape.line_count()).unwrap();
        shape.add(&mut words, digest);
        (0..shape.bits()).filter(|&at| words.word((at / 64) as usize) >> (at % 64) & 1 == 1).collect()
    }

    #[test]
    fn positions_are_those_of_the_specification() {
        const DIGEST: u64 = 0x9e37_79b9_7f4a_7c15;
        let blocked = |probes| positions(BlockedBloomShape { blocks: 1000, probes }, DIGEST);
        assert_eq!(blocked(4), [316508, 316578, 316696, 316888]);
        let eight = [316462, 316497, 316556, 316652, 316685, 316799, 316841, 316915];
        assert_eq!(blocked(8), eight);
        let mut sixteen = [&eight[..], &[316446, 316494, 316548, 316625, 316672, 316793, 316827, 316891]].concat();
        sixteen.sort_unstable();
        assert_eq!(blocked(16), sixteen);
        let split = positions(SplitBlockShape { blocks: 1000 }, DIGEST);
        assert_eq!(split, [158231, 158248, 158278, 158326, 158342, 158399, 158420, 158457]);
    }
}
