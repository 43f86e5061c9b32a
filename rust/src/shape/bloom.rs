//! The classic Bloom filter: k bits anywhere in m, index rule 1.

use super::{out_of_range, Rule, Shape};
use crate::error::Error;
use crate::kind::Kind;
use crate::math::sizing::{bloom_shape, MAX_BITS, MAX_PROBES};
use crate::math::{real, share};
use crate::probes;
use crate::words::{Words, WordsMut};
use crate::Target;
use alloc::vec::Vec;

/// The shape of a classic Bloom filter.
///
/// ```
/// use seenfilter::{BloomShape, Shape, Target};
/// let shape = BloomShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!(shape, BloomShape { bits: 9_585_059, probes: 7 });
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BloomShape {
    /// Bits of the array, from 1 to 2^40.
    pub bits: u64,
    /// Bits per key, from 1 to 30; in a filter of another library up to 255.
    pub probes: u32,
}

impl Shape for BloomShape {
    fn plan(target: Target) -> Result<Self, Error> {
        let (bits, probes) = bloom_shape(target)?;
        Ok(BloomShape { bits, probes: probes as u32 })
    }
}

impl Rule for BloomShape {
    const KIND: Kind = Kind::Bloom;
    const FIELD_NAMES: &'static [&'static str] = &["bits", "probes"];

    fn fields(&self) -> Vec<u64> {
        [self.bits, self.probes.into()].into()
    }
    fn from_fields(fields: &[u64]) -> Result<Self, Error> {
        let (bits, probes) = (fields[0], fields[1]);
        if bits == 0 || bits > MAX_BITS {
            return Err(out_of_range("bits", bits, "from 1 to 2^40"));
        }
        if probes == 0 || probes > MAX_PROBES {
            return Err(out_of_range("probes", probes, "from 1 to 30"));
        }
        Ok(BloomShape { bits, probes: probes as u32 })
    }
    fn bits(&self) -> u64 {
        self.bits
    }

    #[inline]
    fn may_contain<W: Words>(&self, words: &W, digest: u64) -> bool {
        probes::lookup(words, self.bits, self.probes, digest)
    }
    fn may_contain_tile<W: Words>(&self, words: &W, digests: &[u64], answers: &mut [bool]) {
        probes::lookup_tile(words, self.bits, self.probes, digests, answers);
    }
    #[inline]
    fn add<W: WordsMut>(&self, words: &mut W, digest: u64) {
        probes::add(words, self.bits, self.probes, digest);
    }
    fn throws_per_key(&self) -> f64 {
        self.probes.into()
    }
    fn rate<W: Words>(&self, _: &W, set_bits: u64) -> f64 {
        real::powi(share(set_bits, self.bits), self.probes)
    }
}
