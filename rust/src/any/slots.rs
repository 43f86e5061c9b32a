//! Xor and binary fuse filters, kinds 13 and 14: a key's fingerprint is the exclusive or of its slots.
//!
//! ```text
//! xor           three slots, one in each third of a shard's table
//! binary fuse   three or four slots in as many neighbouring segments of L = 2^k slots
//! ```

use super::engine::{one_segment, only_shape, wrong, Engine, OwnEngine};
use super::shards::{Place, Shards};
use crate::cells::{low_bits, Cells};
use crate::error::Error;
use crate::health::{Limit, State};
use crate::kind::Kind;
use crate::math::sizing::MAX_BITS;
use crate::math::{self, mulhi};
use crate::native::Segment;
use crate::shape::BinaryFuseShape;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt::Debug;

/// Where the slots of a digest are in its shard's table; exclusive-ors what `slot` says of each.
pub trait Rule: Clone + PartialEq + Debug + Send + Sync {
    fn xor_of(&self, place: Place, low: u64, high: u64, slot: impl FnMut(u64) -> u64) -> u64;
}

#[derive(Clone, Debug, PartialEq)]
struct Xor {
    block_length: u64,
}

impl Rule for Xor {
    #[inline(always)]
    fn xor_of(&self, place: Place, low: u64, high: u64, mut slot: impl FnMut(u64) -> u64) -> u64 {
        let b = self.block_length;
        slot(place.of(b)) ^ slot(b + mulhi(low, b)) ^ slot(2 * b + mulhi(high << 32 | low >> 32, b))
    }
}

/// The rule of binary fuse filters.
#[derive(Clone, Debug, PartialEq)]
pub struct Fuse {
    pub(crate) arity: u32,
    length_log: u32,
    segments: u64,
}

impl Rule for Fuse {
    #[inline(always)]
    fn xor_of(&self, place: Place, low: u64, high: u64, mut slot: impl FnMut(u64) -> u64) -> u64 {
        let k = self.length_log;
        let first = place.of((self.segments - u64::from(self.arity) + 1) << k);
        let mut xor = slot(first)
            ^ slot((1 << k) + (first ^ low >> (64 - k)))
            ^ slot((2 << k) + (first ^ (high & 0xffff_ffff) >> (32 - k)));
        if self.arity == 4 {
            xor ^= slot((3 << k) + (first ^ (low >> (64 - 2 * k) & low_bits(k))));
        }
        xor
    }
}

/// Tables of slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Slots<R> {
    pub(crate) shards: Shards,
    pub(crate) rule: R,
    /// Slots of a shard.
    pub(crate) slots: u64,
    pub(crate) width: u32,
}

/// Kind 14.
pub(crate) type FuseEngine = Slots<Fuse>;

fn slots<R: Rule>(keys: u64, width: u64, shards: u64, slots: u64, rule: R, length: u64) -> Result<Slots<R>, Error> {
    if ![8, 16, 32].contains(&width) {
        return Err(wrong("fingerprint-bits", width, "8, 16 or 32"));
    }
    Shards::check_counts(keys, shards)?;
    if slots > u64::from(u32::MAX) || (slots == 0) != (shards == 0) {
        return Err(Error::Corrupt(format!(
            "{shards} shards of {slots} slots; at most 2^32 - 1, and none without keys"
        )));
    }
    // At most 2^24 times 2^32 slots of 4 bytes: no product wraps.
    if slots * shards * width > MAX_BITS {
        return Err(Error::Corrupt(format!(
            "{shards} shards of {slots} slots of {width} bits are more than 2^40 bits"
        )));
    }
    if keys > slots * shards {
        return Err(Error::Corrupt(format!("{keys} keys do not fit {} slots", slots * shards)));
    }
    let shards = Shards::over(keys, shards, slots * shards * (width / 8), length)?;
    Ok(Slots { shards, rule, slots, width: width as u32 })
}

/// Kind 13.
pub(crate) fn xor(shape: &[u64; 4], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [keys, width, shards, block_length] = *shape;
    if block_length > u64::from(u32::MAX) {
        return Err(wrong("block-length", block_length, "a third of at most 2^32 - 1 slots"));
    }
    Ok(Box::new(slots(keys, width, shards, 3 * block_length, Xor { block_length }, length)?))
}

impl FuseEngine {
    /// The engine of a shape that was made by `BinaryFuseShape::fit`.
    pub(crate) fn of(shape: &BinaryFuseShape) -> Self {
        let slots = shape.segment_length * shape.segments;
        let table_bytes = slots * shape.shards * u64::from(shape.fingerprint_bits / 8);
        let shards = Shards::of(shape.keys, shape.shards, table_bytes);
        Slots { shards, rule: Fuse::of(shape), slots, width: shape.fingerprint_bits }
    }
}

impl Fuse {
    fn of(shape: &BinaryFuseShape) -> Self {
        let length_log = shape.segment_length.max(1).trailing_zeros();
        Fuse { arity: shape.arity, length_log, segments: shape.segments }
    }
}

impl OwnEngine for FuseEngine {
    type Shape = BinaryFuseShape;
    const KIND: Kind = Kind::BinaryFuse;

    fn shape(&self) -> BinaryFuseShape {
        BinaryFuseShape {
            keys: self.shards.keys,
            fingerprint_bits: self.width,
            shards: self.shards.shards,
            arity: self.rule.arity,
            segment_length: if self.slots == 0 { 0 } else { 1 << self.rule.length_log },
            segments: self.rule.segments,
        }
    }
    fn segments(&self) -> Vec<Segment> {
        let BinaryFuseShape { keys, fingerprint_bits, shards, arity, segment_length, segments } = self.shape();
        let shape = [keys, fingerprint_bits.into(), shards, arity.into(), segment_length, segments];
        one_segment(shape.into(), self.shards.bytes())
    }
    fn opened(&mut self, body: Cells<'_>, _: u64) {
        self.shards.remember(body);
    }
    fn from_segments(all: &[Segment]) -> Result<Self, Error> {
        let (&[keys, width, shards, arity, segment_length, segments], length) = only_shape(all)?;
        if arity != 3 && arity != 4 {
            return Err(wrong("arity", arity, "3 or 4"));
        }
        // Both are 0 in a filter without keys.
        if segment_length != 0 || segments != 0 {
            if !segment_length.is_power_of_two() || !(2..=1 << 18).contains(&segment_length) {
                return Err(wrong("segment-length", segment_length, "a power of two from 2 to 2^18"));
            }
            if !(arity..=u64::from(u32::MAX)).contains(&segments) {
                return Err(wrong("segments", segments, &format!("from {arity} to 2^32 - 1")));
            }
        }
        let rule = Fuse { arity: arity as u32, length_log: segment_length.max(1).trailing_zeros(), segments };
        slots(keys, width, shards, segment_length * segments, rule, length)
    }
}

impl<R: Rule> Slots<R> {
    #[inline(always)]
    fn holds<const WIDTH: u32>(&self, body: Cells<'_>, digest: u64, place: Place) -> bool {
        let (low, high) = place.multiplied(digest);
        let first = place.shard * self.slots;
        // Slots are whole bytes and straddle no cells. What lies above a slot in its cell is masked away at the end.
        let slot = |slot| body.rest_of_cell((first + slot) * u64::from(WIDTH));
        (self.rule.xor_of(place, low, high, slot) ^ high) & low_bits(WIDTH) == 0
    }

    fn holds_in(&self, body: Cells<'_>, digest: u64, place: Place) -> bool {
        match self.width {
            8 => self.holds::<8>(body, digest, place),
            16 => self.holds::<16>(body, digest, place),
            _ => self.holds::<32>(body, digest, place),
        }
    }
}

impl<R: Rule> Engine for Slots<R> {
    #[inline]
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        // The commonest first, with what is known of it as constants: one shard, and slots of a byte.
        match (self.shards.only_place(digest), self.width) {
            (Some(place), 8) => self.holds::<8>(body, digest, place),
            (Some(place), _) => self.holds_in(body, digest, place),
            (None, _) => self.shards.place(body, digest).map_or(false, |place| self.holds_in(body, digest, place)),
        }
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        self.shards.check_padding(body)
    }
    fn census(&self, _: Cells<'_>) -> u64 {
        self.shards.keys
    }
    fn state(&self, _: Cells<'_>) -> State {
        static_state(&self.shards, self.slots, self.width)
    }
}

/// How a static filter is doing: as on its first day.
pub(crate) fn static_state(shards: &Shards, slots: u64, width: u32) -> State {
    State {
        fill: math::share(shards.keys, slots * shards.shards),
        count: shards.keys as f64,
        fpr: if shards.keys == 0 { 0.0 } else { 1.0 / (1u64 << width) as f64 },
        saturated: false,
        limit: Limit::Never,
    }
}
