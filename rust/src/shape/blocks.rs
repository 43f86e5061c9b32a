//! Filters of small blocks: all bits of a key in 512 bits, one cache line (index rule 3), or in 256 (index rule 4).
//!
//! ```text
//!  64-byte block            word 0    word 1        word 7
//!  digest ─┬─ high bits ──► block    [......1.][...1....] … [.1......]   k = 8: one bit per word
//!          └─ low 32 bits ─► × salt i >> 26 ──────────────────┘          k = 4: one in two words, k = 16: two in one
//! ```

use super::{out_of_range, Rule, Shape};
use crate::batch::TILE;
use crate::error::Error;
use crate::kind::Kind;
use crate::math::blocks::{blocked_shape, split_blocks, Lanes, BLOCKED, MAX_BLOCKS, SPLIT};
use crate::math::{mulhi, real};
use crate::words::{Words, WordsMut, LINE_WORDS};
use crate::Target;
use alloc::vec::Vec;

// Odd multipliers, one per lane: Apache Parquet's.
const SALTS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

#[inline]
fn salted(digest: u64, lane: usize) -> u32 {
    (digest as u32).wrapping_mul(SALTS[lane])
}

// The bits of a digest in the eight words of its block, for so many probes.
#[inline]
fn pattern<const PROBES: u32>(digest: u64) -> [u64; LINE_WORDS] {
    let mut masks = [0; LINE_WORDS];
    if PROBES == 4 {
        for lane in 0..4 {
            let at = salted(digest, lane) >> 25;
            let bit = 1u64 << (at & 63);
            // One of the lane's two words has the bit; no branch decides which.
            let high = u64::from(at >> 6).wrapping_neg();
            masks[2 * lane] = bit & !high;
            masks[2 * lane + 1] = bit & high;
        }
        return masks;
    }
    for (lane, mask) in masks.iter_mut().enumerate() {
        let p = salted(digest, lane);
        *mask = 1 << (p >> 26);
        if PROBES == 16 {
            *mask |= 1 << (p >> 20 & 63);
        }
    }
    masks
}

// All bits but one, by its number: a shift by a variable is three instructions where nothing newer than plain x86-64 is asked
// for, and this is a part of one.
const ALL_BUT: [u64; 64] = {
    let mut all_but = [0; 64];
    let mut i = 0;
    while i < 64 {
        all_but[i] = !(1 << i);
        i += 1;
    }
    all_but
};

// The same as `has(block, pattern)`, bit by bit. Words that are read atomically are read one by one, and to put eight of them
// into vectors again, where masks are made, takes longer than this.
#[inline]
fn has_each<const PROBES: u32>(block: &[u64; LINE_WORDS], digest: u64) -> bool {
    let mut all = u64::MAX;
    if PROBES == 4 {
        for lane in 0..4 {
            let at = (salted(digest, lane) >> 25) as usize;
            all &= block[2 * lane + (at >> 6)] | ALL_BUT[at & 63];
        }
        return all == u64::MAX;
    }
    for (lane, word) in block.iter().enumerate() {
        let p = salted(digest, lane) as usize;
        all &= word | ALL_BUT[p >> 26 & 63];
        if PROBES == 16 {
            all &= word | ALL_BUT[p >> 20 & 63];
        }
    }
    all == u64::MAX
}

// Whether a block has all these bits. No branch until the end: which bit is missing is not to be predicted.
#[inline]
fn has<const N: usize>(block: &[u64; N], masks: &[u64; N]) -> bool {
    block.iter().zip(masks).fold(0, |missing, (word, mask)| missing | (mask & !word)) == 0
}

// Answers for a tile of digests: first the first word of every block, which brings the blocks in with many loads under way at
// once; then the rest of them.
#[inline]
fn tile<const N: usize, W: Words>(
    words: &W,
    digests: &[u64],
    answers: &mut [bool],
    first_of: impl Fn(u64) -> usize,
    pattern: impl Fn(u64) -> [u64; N],
) {
    let mut firsts = [0; TILE];
    for (first, &digest) in firsts.iter_mut().zip(digests) {
        *first = words.word(first_of(digest));
    }
    for ((answer, &digest), &first) in answers.iter_mut().zip(digests).zip(&firsts) {
        let mut block = words.block(first_of(digest));
        block[0] = first;
        *answer = has(&block, &pattern(digest));
    }
}

// The mean over blocks, which differ, of each one's own rate.
fn rate_of_blocks<W: Words>(words: &W, lanes: Lanes, blocks: u64) -> f64 {
    let words_per_block = lanes.block_bits() as usize / 64;
    let mut sum = 0.0;
    for block in 0..blocks as usize {
        let first = block * words_per_block;
        let word = |i: usize| words.word(first + i);
        let mut rate = 1.0;
        for lane in 0..lanes.lanes as usize {
            let set = match lanes.lane_bits {
                32 => (word(lane / 2) >> (lane % 2 * 32) & 0xffff_ffff).count_ones(),
                64 => word(lane).count_ones(),
                _ => word(2 * lane).count_ones() + word(2 * lane + 1).count_ones(),
            };
            rate *= real::powi(f64::from(set) / f64::from(lanes.lane_bits), lanes.bits_per_lane);
        }
        sum += rate;
    }
    sum / blocks as f64
}

/// The shape of a blocked Bloom filter: all bits of a key in one cache line.
///
/// ```
/// use seenfilter::{BlockedBloomShape, Shape, Target};
/// let shape = BlockedBloomShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!(shape, BlockedBloomShape { blocks: 19_776, probes: 8 });
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedBloomShape {
    /// Blocks of 512 bits, from 1 to 2^31.
    pub blocks: u64,
    /// Bits of a key: 4, 8 or 16.
    pub probes: u32,
}

impl BlockedBloomShape {
    /// The smallest shape for a target with 4, 8 or 16 probes, where the best of the three is not wanted.
    ///
    /// # Errors
    /// No filter with so many probes can meet the target, or there can be none with so many.
    ///
    /// ```
    /// use seenfilter::{BlockedBloomShape, Target};
    /// let shape = BlockedBloomShape::plan_with_probes(Target { capacity: 1_000_000, fpr: 0.01 }, 4)?;
    /// assert_eq!(shape.probes, 4);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn plan_with_probes(target: Target, probes: u32) -> Result<Self, Error> {
        Self::from_fields(&[1, probes.into()])?;
        let (blocks, _) = blocked_shape(target, |each| each == u64::from(probes))?;
        Ok(BlockedBloomShape { blocks, probes })
    }

    fn lanes(&self) -> Lanes {
        BLOCKED.iter().find(|(probes, _)| *probes == u64::from(self.probes)).map_or(SPLIT, |(_, lanes)| *lanes)
    }

    // The first word of a digest's block.
    #[inline]
    fn first_of(&self, digest: u64) -> usize {
        mulhi(digest, self.blocks) as usize * LINE_WORDS
    }

    #[inline]
    fn ask<const PROBES: u32, W: Words>(&self, words: &W, digest: u64) -> bool {
        let block = words.block(self.first_of(digest));
        if W::IS_SHARED {
            return has_each::<PROBES>(&block, digest);
        }
        has(&block, &pattern::<PROBES>(digest))
    }

    #[inline]
    fn put<const PROBES: u32, W: WordsMut>(&self, words: &mut W, digest: u64) {
        // Where words are shared, a key that is there costs no write.
        if !(W::IS_SHARED && self.ask::<PROBES, W>(words, digest)) {
            words.set_block(self.first_of(digest), &pattern::<PROBES>(digest));
        }
    }
}

impl Shape for BlockedBloomShape {
    fn plan(target: Target) -> Result<Self, Error> {
        let (blocks, probes) = blocked_shape(target, |_| true)?;
        Ok(BlockedBloomShape { blocks, probes: probes as u32 })
    }
}

impl Rule for BlockedBloomShape {
    const KIND: Kind = Kind::BlockedBloom;
    const FIELD_NAMES: &'static [&'static str] = &["blocks", "probes"];

    fn fields(&self) -> Vec<u64> {
        [self.blocks, self.probes.into()].into()
    }
    fn from_fields(fields: &[u64]) -> Result<Self, Error> {
        let (blocks, probes) = (fields[0], fields[1]);
        if blocks == 0 || blocks > MAX_BLOCKS {
            return Err(out_of_range("blocks", blocks, "from 1 to 2^31"));
        }
        if !BLOCKED.iter().any(|(allowed, _)| *allowed == probes) {
            return Err(out_of_range("probes", probes, "4, 8 or 16"));
        }
        Ok(BlockedBloomShape { blocks, probes: probes as u32 })
    }
    fn bits(&self) -> u64 {
        self.blocks * 512
    }

    #[inline]
    fn may_contain<W: Words>(&self, words: &W, digest: u64) -> bool {
        match self.probes {
            4 => self.ask::<4, W>(words, digest),
            8 => self.ask::<8, W>(words, digest),
            _ => self.ask::<16, W>(words, digest),
        }
    }

    fn may_contain_tile<W: Words>(&self, words: &W, digests: &[u64], answers: &mut [bool]) {
        let first_of = |digest| self.first_of(digest);
        match self.probes {
            4 => tile(words, digests, answers, first_of, pattern::<4>),
            8 => tile(words, digests, answers, first_of, pattern::<8>),
            _ => tile(words, digests, answers, first_of, pattern::<16>),
        }
    }

    #[inline]
    fn add<W: WordsMut>(&self, words: &mut W, digest: u64) {
        match self.probes {
            4 => self.put::<4, W>(words, digest),
            8 => self.put::<8, W>(words, digest),
            _ => self.put::<16, W>(words, digest),
        }
    }

    fn throws_per_key(&self) -> f64 {
        self.lanes().throws_per_key()
    }
    fn rate<W: Words>(&self, words: &W, _: u64) -> f64 {
        rate_of_blocks(words, self.lanes(), self.blocks)
    }
}

/// The shape of a split-block Bloom filter, Apache Parquet's.
///
/// ```
/// use seenfilter::{Shape, SplitBlockShape, Target};
/// let shape = SplitBlockShape::plan(Target { capacity: 1_000_000, fpr: 0.01 })?;
/// assert_eq!(shape, SplitBlockShape { blocks: 41_138 });
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitBlockShape {
    /// Blocks of 256 bits, from 1 to 2^31.
    pub blocks: u64,
}

impl SplitBlockShape {
    // The first word of a digest's block: half a line.
    #[inline]
    fn first_of(&self, digest: u64) -> usize {
        (((digest >> 32) * self.blocks) >> 32) as usize * 4
    }

    #[inline]
    fn masks(digest: u64) -> [u64; 4] {
        let mut masks = [0; 4];
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask = 1 << (salted(digest, 2 * i) >> 27) | 1 << (32 + (salted(digest, 2 * i + 1) >> 27));
        }
        masks
    }
}

impl Shape for SplitBlockShape {
    fn plan(target: Target) -> Result<Self, Error> {
        Ok(SplitBlockShape { blocks: split_blocks(target)? })
    }
}

impl Rule for SplitBlockShape {
    const KIND: Kind = Kind::SplitBlock;
    const FIELD_NAMES: &'static [&'static str] = &["blocks"];

    fn fields(&self) -> Vec<u64> {
        [self.blocks].into()
    }
    fn from_fields(fields: &[u64]) -> Result<Self, Error> {
        let blocks = fields[0];
        if blocks == 0 || blocks > MAX_BLOCKS {
            return Err(out_of_range("blocks", blocks, "from 1 to 2^31"));
        }
        Ok(SplitBlockShape { blocks })
    }
    fn bits(&self) -> u64 {
        self.blocks * 256
    }

    #[inline]
    fn may_contain<W: Words>(&self, words: &W, digest: u64) -> bool {
        has(&words.block(self.first_of(digest)), &Self::masks(digest))
    }

    fn may_contain_tile<W: Words>(&self, words: &W, digests: &[u64], answers: &mut [bool]) {
        tile(words, digests, answers, |digest| self.first_of(digest), Self::masks);
    }

    #[inline]
    fn add<W: WordsMut>(&self, words: &mut W, digest: u64) {
        if !(W::IS_SHARED && self.may_contain(words, digest)) {
            words.set_block(self.first_of(digest), &Self::masks(digest));
        }
    }

    fn throws_per_key(&self) -> f64 {
        SPLIT.throws_per_key()
    }
    fn rate<W: Words>(&self, words: &W, _: u64) -> f64 {
        rate_of_blocks(words, SPLIT, self.blocks)
    }
}
