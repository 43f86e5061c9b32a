//! Cuckoo filters, kind 8, and chains of them that grow, kind 9: fingerprints of w bits, four slots per bucket, two buckets
//! per key. 0 is an empty slot.
//!
//! ```text
//! x = digest·(2^32 + 1)      x·N / 2^64: the whole part is the first bucket, the top w bits of the fraction are t, 1 if 0
//! chunks of 2^s buckets, of which the last has what is left        other bucket = (h(t) − first) mod B, in a chunk of B
//! ```
//!
//! In a chain N is that of link 0, of which every link is some copies, and h is computed from the bits of t that link 0
//! has, so that a key has the same two buckets in its copy in every link.

use super::chain::range_of;
use super::engine::{
    as_argument, check_zero_from, one_segment, only_shape, round_up, wrong, EmptyEngine, Engine, OwnEngine,
};
use crate::cells::Cells;
use crate::error::Error;
use crate::files::check_length;
use crate::health::{Limit, State};
use crate::kind::Kind;
use crate::math::cuckoo::{width_for, WIDTHS};
use crate::math::{self, sizing};
use crate::native::Segment;
use crate::shape::CuckooShape;
use crate::Target;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

const MOST_CHUNK_BUCKETS: u64 = 1 << 24;
const MOST_CHUNKS: u64 = 1 << 26;
pub(crate) const SLOTS: u64 = 4;

/// Of a number that is not 0, rounded down.
fn log2(n: u64) -> u32 {
    63 - n.leading_zeros()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    buckets: u64,
    pub width: u32,
    chunks: u64,
    /// Of link 0, a power of two; 1 but in a chain.
    copies: u64,
    /// Low bits of a fingerprint that do not say where its other bucket is.
    dropped: u32,
    /// The lowest bit of as many slots as a word takes, four or two.
    ones: u64,
}

impl Table {
    fn checked(buckets: u64, width: u64, chunks: u64) -> Result<Self, Error> {
        if !WIDTHS.contains(&width) {
            return Err(wrong("fingerprint-bits", width, "8, 10, 12, 13, 14, 16, 17, 24 or 32"));
        }
        if buckets == 0 || buckets > sizing::MAX_BITS / (SLOTS * width) {
            return Err(wrong("buckets", buckets, "from 1 up, and all of them at most 2^40 bits"));
        }
        let each = buckets.checked_div(chunks).unwrap_or(0);
        if chunks > MOST_CHUNKS || each == 0 || chunks > 1 && each < 16 || buckets >> log2(each) != chunks {
            let range = format!("as many of 2^s, 16 at least, as {buckets} buckets are, at most 2^26");
            return Err(wrong("chunks", chunks, &range));
        }
        if each > MOST_CHUNK_BUCKETS || buckets % 2 != 0 {
            return Err(wrong("buckets", buckets, "an even number, and at most 2^24 a chunk"));
        }
        let lanes = if width <= 16 { 4 } else { 2 };
        let ones = (0..lanes).fold(0, |ones, i| ones | 1 << (i * width));
        Ok(Table { buckets, width: width as u32, chunks, copies: 1, dropped: 0, ones })
    }

    fn bytes(&self) -> u64 {
        round_up(self.buckets * u64::from(self.width) / 2 + 8, 64)
    }

    pub(crate) fn slots(&self) -> u64 {
        SLOTS * self.buckets
    }

    pub(crate) fn slot(&self, body: Cells<'_>, i: u64) -> u64 {
        body.bits(i * u64::from(self.width), self.width)
    }

    /// The chunk of a bucket of the first copy: its first bucket, and how many there are.
    #[inline]
    pub(crate) fn chunk_of(&self, bucket: u64) -> (u64, u64) {
        let log = log2(self.buckets / self.chunks);
        let last = (self.chunks / self.copies - 1) << log;
        if bucket >= last {
            (last, self.buckets / self.copies - last)
        } else {
            (bucket >> log << log, 1 << log)
        }
    }

    /// The other bucket, both in their copy.
    #[inline]
    pub(crate) fn other(&self, bucket: u64, fingerprint: u64) -> u64 {
        let (start, size) = self.chunk_of(bucket);
        let log = log2(self.buckets / self.chunks);
        let product = ((fingerprint >> self.dropped) as u32).max(1).wrapping_mul(0x9e37_79b1);
        let h = u64::from((product ^ product.rotate_right(13)) >> (32 - log)) | 1;
        let from_start = bucket - start;
        start + if h >= from_start { h - from_start } else { h + size - from_start }
    }

    /// The two buckets of a digest, in all copies, and its fingerprint.
    #[inline]
    pub(crate) fn place(&self, digest: u64) -> ([u64; 2], u64) {
        let each = self.buckets / self.copies;
        let x = digest.wrapping_add(digest << 32);
        let copy = (x ^ x >> 35) & (self.copies - 1);
        let product = u128::from(x) * u128::from(each);
        let first = (product >> 64) as u64;
        let fingerprint = (product as u64 >> (64 - self.width)).max(1);
        ([copy * each + first, copy * each + self.other(first, fingerprint)], fingerprint)
    }

    #[inline]
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let ([first, second], fingerprint) = self.place(digest);
        // No branch between the buckets: which of them has it is not to be predicted, and their misses overlap.
        self.equal_slots(body, first, fingerprint) | self.equal_slots(body, second, fingerprint) != 0
    }

    /// Marks of the slots of a bucket that hold this, in the order of the slots: the lowest is right, and there is none where no
    /// slot does. As many slots are compared at once as a word takes: x − 1 borrows from the top bit of a lane only where x, or
    /// a lane below it, is 0.
    #[inline]
    fn equal_slots(&self, body: Cells<'_>, bucket: u64, fingerprint: u64) -> u64 {
        let marks = |first: u64, ones: u64| {
            let x = body.window((SLOTS * bucket + first) * u64::from(self.width)) ^ fingerprint.wrapping_mul(ones);
            x.wrapping_sub(ones) & !x & ones << (self.width - 1)
        };
        if self.width <= 16 {
            return marks(0, self.ones);
        }
        // Two lanes at a time: marks of the first two are below those of the others.
        let (low, high) = (marks(0, self.ones), marks(2, self.ones));
        let pair = |marks: u64| (marks >> (self.width - 1) & 1) | (marks >> (2 * self.width - 1) & 1) << 1;
        pair(low) | pair(high) << 2
    }

    /// The first slot of a bucket that holds this; 0 finds an empty one.
    #[inline]
    pub(crate) fn find(&self, body: Cells<'_>, bucket: u64, fingerprint: u64) -> Option<u64> {
        let marks = self.equal_slots(body, bucket, fingerprint);
        let lane = if self.width <= 16 { self.width } else { 1 };
        if marks == 0 {
            None
        } else {
            Some(u64::from(marks.trailing_zeros() / lane))
        }
    }

    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, self.slots() * u64::from(self.width))
    }

    fn used(&self, body: Cells<'_>) -> u64 {
        (0..self.slots()).filter(|&i| self.slot(body, i) != 0).count() as u64
    }

    // Of the 8 slots of two buckets each is used with the table's load, and holds a given fingerprint with 2^-w, or twice
    // that for 1, which stands for 0 too.
    fn rate(&self, used: u64) -> f64 {
        let q = 1.0 / (1u64 << self.width) as f64;
        let load = math::share(used, self.slots());
        -math::real::exp_m1(8.0 * load * math::real::ln_1p(-(q + 2.0 * q * q)))
    }

    fn state(&self, body: Cells<'_>) -> State {
        let used = self.used(body);
        let fill = math::share(used, self.slots());
        State { fill, count: used as f64, fpr: self.rate(used), saturated: fill > 0.95, limit: Limit::Counted }
    }
}

/// Kind 8.
#[derive(Clone, Debug)]
pub struct Cuckoo {
    pub(crate) table: Table,
    /// Slots that are taken, of a filter that is changed.
    pub(crate) used: u64,
}

impl PartialEq for Cuckoo {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

impl OwnEngine for Cuckoo {
    type Shape = CuckooShape;
    const KIND: Kind = Kind::Cuckoo;

    fn shape(&self) -> CuckooShape {
        let Table { buckets, width, chunks, .. } = self.table;
        CuckooShape { buckets, fingerprint_bits: width, chunks }
    }
    fn segments(&self) -> Vec<Segment> {
        let Table { buckets, width, chunks, .. } = self.table;
        one_segment([buckets, width.into(), chunks].into(), self.table.bytes())
    }
    fn from_segments(segments: &[Segment]) -> Result<Self, Error> {
        let (&[buckets, width, chunks], length) = only_shape(segments)?;
        let table = Table::checked(buckets, width, chunks)?;
        check_length(table.bytes(), length)?;
        Ok(Cuckoo { table, used: 0 })
    }
    fn opened(&mut self, _: Cells<'_>, census: u64) {
        self.used = census;
    }
}

impl EmptyEngine for Cuckoo {
    fn plan(target: Target) -> Result<CuckooShape, Error> {
        CuckooShape::plan(target)
    }
    fn empty(shape: CuckooShape) -> Result<Self, Error> {
        let CuckooShape { buckets, fingerprint_bits, chunks } = shape.whole()?;
        let table = Table::checked(buckets, fingerprint_bits.into(), chunks).map_err(as_argument)?;
        Ok(Cuckoo { table, used: 0 })
    }
    fn cleared(&mut self) -> u64 {
        self.used = 0;
        self.table.bytes()
    }
}

impl Engine for Cuckoo {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        self.table.may_contain(body, digest)
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        self.table.check_padding(body)
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        self.table.used(body)
    }
    fn state(&self, body: Cells<'_>) -> State {
        self.table.state(body)
    }
}

#[derive(Debug)]
struct Growing {
    fpr: f64,
    links: Vec<(Table, Range<usize>)>,
}

/// The width of link `index`; none for link 0 if no width keeps its share of the rate.
fn link_width(fpr: f64, index: usize) -> Option<u64> {
    let rate = (0..=index).fold(fpr, |rate, _| rate / 2.0);
    width_for(rate, 8.0).or(if index == 0 { None } else { Some(32) })
}

fn first_link(target: Target) -> Result<Table, Error> {
    sizing::check(target)?;
    let width = link_width(target.fpr, 0)
        .ok_or_else(|| Error::Corrupt(format!("{}: no fingerprints keep that rate", sizing::wish(target))))?;
    if target.capacity > sizing::MAX_BITS / 8 {
        return Err(Error::Corrupt(format!("{} need more than 2^40 bits", sizing::wish(target))));
    }
    let slots = (20 * target.capacity.max(1000) + 18) / 19 + 13;
    let buckets = round_up((slots + 3) / 4, 16);
    Table::checked(buckets, width, (buckets / 32_768).max(1))
}

/// Kind 9.
pub(crate) fn growing(segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    let (shape, links) = match segments {
        [Segment { shape, length: 0, .. }, links @ ..] if shape.len() == 2 && !links.is_empty() => (shape, links),
        _ => {
            let what =
                "a growing-cuckoo filter has a segment with a shape of 2 numbers and no bytes, then 1 to 255 links";
            return Err(Error::Corrupt(what.into()));
        }
    };
    let target = Target { capacity: shape[0], fpr: f64::from_bits(shape[1]) };
    let first = first_link(target).map_err(|e| Error::Corrupt(format!("{e}")))?;
    let mut growing = Growing { fpr: target.fpr, links: Vec::new() };
    let mut copies = 1;
    for (i, segment) in links.iter().enumerate() {
        if i != 0 && segment.shape.get(2) == Some(&(2 * copies * first.chunks)) {
            copies *= 2;
        }
        let width = link_width(target.fpr, i).unwrap_or(32);
        let expected = [copies * first.buckets, width, copies * first.chunks];
        if segment.shape != expected {
            return Err(Error::Corrupt(format!(
                "link {i} does not follow from the one before: {} buckets of {width} bits or twice as many would",
                expected[0]
            )));
        }
        let mut table = Table::checked(expected[0], width, expected[2])?;
        table.copies = copies;
        table.dropped = table.width - first.width;
        check_length(table.bytes(), segment.length)?;
        growing.links.push((table, range_of(segment)));
    }
    Ok(Box::new(growing))
}

impl Growing {
    fn links<'a>(&'a self, body: Cells<'a>) -> impl DoubleEndedIterator<Item = (&'a Table, Cells<'a>)> {
        self.links.iter().map(move |(table, at)| (table, body.part(at.clone())))
    }
}

impl Engine for Growing {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        self.links(body).rev().any(|(table, body)| table.may_contain(body, digest))
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        self.links(body).try_for_each(|(table, body)| table.check_padding(body))
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        self.links(body).map(|(table, body)| table.used(body)).sum()
    }
    fn state(&self, body: Cells<'_>) -> State {
        let used = self.census(body);
        let fpr = math::any_of(self.links(body).map(|(table, body)| table.rate(table.used(body))));
        State {
            fill: math::share(used, self.links.iter().map(|(table, _)| table.slots()).sum()),
            count: used as f64,
            fpr,
            saturated: fpr > self.fpr,
            limit: Limit::Growing,
        }
    }
}
