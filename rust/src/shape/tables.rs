//! The shapes of kinds that are more than bits: counters, slots, chains.
//!
//! Each has `plan`, the shape for a target, and `plan_with`, which keeps what is wished for: a field of 0 is free.

use super::out_of_range;
use crate::error::Error;
use crate::math::counters::{blocked_counting_shape, counting_shape};
use crate::math::sizing::{self, bits_for, bits_per_key_with, probes_for, MAX_BITS, MAX_PROBES};
use crate::math::{cuckoo, fuse};
use crate::Target;
use alloc::format;

/// The shape of a cuckoo filter.
///
/// ```
/// use seenfilter::{CuckooShape, Target};
/// let target = Target { capacity: 1_000_000, fpr: 0.001 };
/// assert_eq!(CuckooShape::plan(target)?, CuckooShape { buckets: 263_162, fingerprint_bits: 13, chunks: 8 });
/// let wishes = CuckooShape { fingerprint_bits: 16, ..CuckooShape::default() };
/// assert_eq!(CuckooShape::plan_with(target, wishes)?.fingerprint_bits, 16);
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CuckooShape {
    /// Of four slots each, in all chunks together; an even number.
    pub buckets: u64,
    /// 8, 10, 12, 13, 14, 16, 17, 24 or 32.
    pub fingerprint_bits: u32,
    /// Parts of the table that a key never leaves, each of 2^s buckets, the last of fewer than twice as many; 0: as usual.
    pub chunks: u64,
}

impl CuckooShape {
    /// The smallest shape that takes a target's keys at its rate.
    ///
    /// # Errors
    /// No filter of the kind can meet the target.
    pub fn plan(target: Target) -> Result<Self, Error> {
        Self::plan_with(target, Self::default())
    }
    /// The same with what is wished for. With a number of buckets nothing is left to plan but the width.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), or no filter can have what is wished for.
    pub fn plan_with(target: Target, wishes: Self) -> Result<Self, Error> {
        let (buckets, width, chunks) = cuckoo::table_for(target, wishes.fingerprint_bits.into())?;
        let planned = CuckooShape { buckets, fingerprint_bits: width as u32, chunks };
        if wishes.buckets == 0 && wishes.chunks == 0 {
            return Ok(planned);
        }
        let buckets = if wishes.buckets == 0 { buckets } else { wishes.buckets };
        CuckooShape { buckets, chunks: wishes.chunks, ..planned }.whole()
    }
    /// With an even number of buckets, and the chunks that they fill.
    pub(crate) fn whole(self) -> Result<Self, Error> {
        if !cuckoo::WIDTHS.contains(&self.fingerprint_bits.into()) {
            return Err(cuckoo::not_a_width(self.fingerprint_bits.into()));
        }
        let most = MAX_BITS / (4 * u64::from(self.fingerprint_bits));
        if self.buckets == 0 || self.buckets > most {
            return Err(out_of_range("buckets", self.buckets, &format!("from 1 to {most} (2^40 bits)")));
        }
        if self.chunks > 1 && self.buckets / 16 < self.chunks {
            let range = format!("at most {}: a chunk has 16 of the {} buckets", self.buckets / 16, self.buckets);
            return Err(out_of_range("chunks", self.chunks, &range));
        }
        let (buckets, chunks) = cuckoo::whole_chunks(self.buckets, self.chunks);
        Ok(CuckooShape { buckets, chunks, ..self })
    }
}

/// The shape of a counting Bloom filter.
///
/// ```
/// use seenfilter::{CountingBloomShape, Target};
/// let shape = CountingBloomShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!(shape, CountingBloomShape { counters: 9_585_059, probes: 7, counter_bits: 4 });
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountingBloomShape {
    /// From 1 up; all of them together at most 2^40 bits.
    pub counters: u64,
    /// Counters of a key, from 1 to 30.
    pub probes: u32,
    /// 2, 4, 8 or 16.
    pub counter_bits: u32,
}

impl CountingBloomShape {
    /// The smallest shape that holds a target's keys at its rate, with counters of 4 bits.
    ///
    /// # Errors
    /// No filter of the kind can meet the target.
    pub fn plan(target: Target) -> Result<Self, Error> {
        Self::plan_with(target, Self::default())
    }
    /// The same with what is wished for.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), or no filter can have what is wished for.
    pub fn plan_with(target: Target, wishes: Self) -> Result<Self, Error> {
        let counter_bits = if wishes.counter_bits == 0 { 4 } else { wishes.counter_bits };
        check_counter_bits(counter_bits, &[2, 4, 8, 16], "2, 4, 8 or 16")?;
        let planned = counting_shape(target, counter_bits.into());
        let (counters, probes) = match (wishes.counters, u64::from(wishes.probes), planned) {
            (0, 0, planned) => planned?,
            (counters, 0, Ok(_) | Err(Error::TooLarge(_))) if counters != 0 => {
                (counters, probes_for(counters.min(MAX_BITS), target.capacity).clamp(1, MAX_PROBES))
            }
            (0, probes, Ok(_)) => {
                check_probes(probes)?;
                let per_key = bits_per_key_with(target.fpr, probes).min(8_388_608.0);
                (bits_for(target.capacity, (per_key * (1u64 << 40) as f64) as u64), probes)
            }
            (_, _, Err(error @ Error::InvalidArgument(_))) | (0, _, Err(error)) => return Err(error),
            (counters, probes, _) => (counters, probes),
        };
        let probes = u32::try_from(probes).unwrap_or(u32::MAX);
        let shape = CountingBloomShape { counters, probes, counter_bits };
        shape.check()?;
        Ok(shape)
    }
    pub(crate) fn check(self) -> Result<(), Error> {
        check_counter_bits(self.counter_bits, &[2, 4, 8, 16], "2, 4, 8 or 16")?;
        check_probes(self.probes.into())?;
        if self.counters == 0 || self.counters > MAX_BITS / u64::from(self.counter_bits) {
            return Err(out_of_range("counters", self.counters, "from 1 up, and all of them at most 2^40 bits"));
        }
        Ok(())
    }
}

/// The shape of a counting Bloom filter with all counters of a key in one cache line.
///
/// ```
/// use seenfilter::{BlockedCountingBloomShape, Target};
/// let shape = BlockedCountingBloomShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!(shape, BlockedCountingBloomShape { blocks: 89_300, probes: 8, counter_bits: 4 });
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockedCountingBloomShape {
    /// Of 512 bits each, from 1 to 2^31.
    pub blocks: u64,
    /// Counters of a key: 4, 8 or 16.
    pub probes: u32,
    /// 4 or 8.
    pub counter_bits: u32,
}

impl BlockedCountingBloomShape {
    /// The smallest shape that holds a target's keys at its rate, with counters of 4 bits.
    ///
    /// # Errors
    /// No filter of the kind can meet the target.
    pub fn plan(target: Target) -> Result<Self, Error> {
        Self::plan_with(target, Self::default())
    }
    /// The same with what is wished for.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), or no filter can have what is wished for.
    pub fn plan_with(target: Target, wishes: Self) -> Result<Self, Error> {
        sizing::check(target)?;
        let counter_bits = if wishes.counter_bits == 0 { 4 } else { wishes.counter_bits };
        let mut shape = BlockedCountingBloomShape { counter_bits, ..wishes };
        BlockedCountingBloomShape { blocks: 1, probes: shape.probes.max(4), counter_bits }.check()?;
        if shape.blocks == 0 || shape.probes == 0 {
            let (blocks, probes) = blocked_counting_shape(target, counter_bits.into(), shape.probes.into())?;
            if shape.blocks == 0 {
                shape.blocks = blocks;
            }
            shape.probes = probes as u32;
        }
        shape.check()?;
        Ok(shape)
    }
    pub(crate) fn check(self) -> Result<(), Error> {
        if self.blocks == 0 || self.blocks > MAX_BITS / 512 {
            return Err(out_of_range("blocks", self.blocks, "from 1 to 2^31"));
        }
        if ![4, 8, 16].contains(&self.probes) {
            return Err(out_of_range("probes", self.probes.into(), "4, 8 or 16"));
        }
        check_counter_bits(self.counter_bits, &[4, 8], "4 or 8")
    }
}

fn check_counter_bits(bits: u32, allowed: &[u32], range: &str) -> Result<(), Error> {
    if !allowed.contains(&bits) {
        return Err(out_of_range("counter-bits", bits.into(), range));
    }
    Ok(())
}

fn check_probes(probes: u64) -> Result<(), Error> {
    if probes == 0 || probes > MAX_PROBES {
        return Err(out_of_range("probes", probes, "from 1 to 30"));
    }
    Ok(())
}

/// The shape of a filter that grows: what its first link holds, and how the next ones follow.
///
/// ```
/// use seenfilter::{ScalableBloomShape, Target};
/// let shape = ScalableBloomShape::plan(Target { capacity: 1000, fpr: 0.01 });
/// assert_eq!(shape, ScalableBloomShape { first_capacity: 1000, fpr: 0.01, growth: 2.0, tightening: 0.5 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScalableBloomShape {
    /// Keys of the first link.
    pub first_capacity: u64,
    /// The rate of the whole chain, however long it gets.
    pub fpr: f64,
    /// The capacity of a link over that of the one before, above 1 up to 65536.
    pub growth: f64,
    /// The rate of a link over that of the one before, strictly between 0 and 1.
    pub tightening: f64,
}

impl ScalableBloomShape {
    /// A chain whose first link holds the target's keys; each of the next twice as many, at half the rate.
    #[must_use]
    pub fn plan(target: Target) -> Self {
        Self::plan_with(target, Self::default())
    }
    /// The same with what is wished for.
    #[must_use]
    pub fn plan_with(target: Target, wishes: Self) -> Self {
        let or = |wish: f64, otherwise: f64| if wish == 0.0 { otherwise } else { wish };
        ScalableBloomShape {
            first_capacity: if wishes.first_capacity == 0 { target.capacity } else { wishes.first_capacity },
            fpr: or(wishes.fpr, target.fpr),
            growth: or(wishes.growth, 2.0),
            tightening: or(wishes.tightening, 0.5),
        }
    }
    /// What link 0 is made for.
    pub(crate) fn first_link(self) -> Result<Target, Error> {
        let (growth, tightening) = (self.growth, self.tightening);
        sizing::check(Target { capacity: self.first_capacity, fpr: self.fpr })?;
        if !(1.0 + 1.0 / 4_294_967_296.0..=65_536.0).contains(&growth) {
            return Err(Error::InvalidArgument(format!("growth is {growth}; it must be from 1 + 2^-32 to 65536")));
        }
        if !(tightening > 0.0 && tightening < 1.0) {
            return Err(Error::InvalidArgument(format!(
                "tightening is {tightening}; it must be strictly between 0 and 1"
            )));
        }
        Ok(Target { capacity: self.first_capacity, fpr: self.fpr * (1.0 - tightening) })
    }
    /// ceil(capacity·growth), growth in units of 2^-32; none where that is 2^64 or more.
    pub(crate) fn capacity_after(self, capacity: u64) -> Option<u64> {
        let growth = (self.growth * 4_294_967_296.0) as u64;
        let product = u128::from(capacity) * u128::from(growth);
        if product >> 32 >= u128::from(u64::MAX) {
            return None;
        }
        Some(((product + 0xffff_ffff) >> 32) as u64)
    }
}

/// The shape of a binary fuse filter, which follows from its keys. In wishes the fingerprint bits, shards and arity count.
///
/// ```
/// use seenfilter::{BinaryFuseShape, Target};
/// let shape = BinaryFuseShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!((shape.fingerprint_bits, shape.segment_length * shape.segments), (8, 1_130_496));
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryFuseShape {
    /// Different keys in it.
    pub keys: u64,
    /// 8, 16 or 32: the rate is 2 to the power of minus so much.
    pub fingerprint_bits: u32,
    /// Equal parts that are built one by one; a power of two, 0 where there are no keys.
    pub shards: u64,
    /// Slots that a key reads, 3 or 4.
    pub arity: u32,
    /// Slots of a segment: a power of two from 2 to 2^18.
    pub segment_length: u64,
    /// Segments of one shard.
    pub segments: u64,
}

impl BinaryFuseShape {
    /// The shape to expect of a filter of so many different keys, at the target's rate.
    ///
    /// # Errors
    /// No filter of the kind can meet the target.
    pub fn plan(target: Target) -> Result<Self, Error> {
        Self::plan_with(target, Self::default())
    }
    /// The same with the fingerprint bits, the shards and the arity that are wished for.
    ///
    /// # Errors
    /// As [`plan`](Self::plan), or no filter can have what is wished for.
    pub fn plan_with(target: Target, wishes: Self) -> Result<Self, Error> {
        sizing::check(target)?;
        let shards = if wishes.shards == 0 { fuse::shards_for(target.capacity) } else { wishes.shards };
        check_shards(shards)?;
        let largest = fuse::expected_largest_shard(target.capacity, shards);
        Self::fit(target.fpr, BinaryFuseShape { shards, ..wishes }, target.capacity, largest, 0)
    }
    /// The shape for keys that are counted, so many in the fullest shard; each growth is a sixteenth more.
    pub(crate) fn fit(fpr: f64, wishes: Self, keys: u64, largest: u64, growth: u64) -> Result<Self, Error> {
        let fingerprint_bits = match wishes.fingerprint_bits {
            0 => width_for(fpr)?,
            8 | 16 | 32 => wishes.fingerprint_bits,
            other => return Err(out_of_range("fingerprint-bits", other.into(), "8, 16 or 32")),
        };
        let arity = if wishes.arity == 0 { 3 } else { wishes.arity };
        if arity != 3 && arity != 4 {
            return Err(out_of_range("arity", arity.into(), "3 or 4"));
        }
        if largest > u64::from(u32::MAX) {
            return Err(Error::TooLarge(format!("a shard of {largest} keys; it must have fewer than 2^32")));
        }
        let (segment_length, segments) = fuse::segments_for(arity.into(), largest, growth);
        let slots = segment_length * segments;
        if slots > u64::from(u32::MAX) || slots * wishes.shards > MAX_BITS / u64::from(fingerprint_bits) {
            return Err(Error::TooLarge(format!(
                "{} shards of {slots} slots of {fingerprint_bits} bits; a shard has fewer than 2^32, all at most 2^40 bits",
                wishes.shards
            )));
        }
        Ok(BinaryFuseShape { keys, fingerprint_bits, shards: wishes.shards, arity, segment_length, segments })
    }
}

pub(crate) fn check_shards(shards: u64) -> Result<(), Error> {
    if shards > 1 << 24 || !shards.is_power_of_two() {
        return Err(out_of_range("shards", shards, "a power of two, at most 2^24"));
    }
    Ok(())
}

/// The fewest bits of a slot that keep a rate.
fn width_for(fpr: f64) -> Result<u32, Error> {
    let keeps = |bits: &u32| 1.0 / (1u64 << bits) as f64 <= fpr;
    [8, 16, 32].iter().copied().find(keeps).ok_or_else(|| {
        Error::InvalidArgument(format!(
            "fpr {}: fingerprints of 32 bits give no rate below 2.33e-10",
            sizing::number(fpr)
        ))
    })
}
