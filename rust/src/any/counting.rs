//! Kinds that are k positions in an array: slices of bits (partitioned), counters, counters in blocks, cells of a window.
//!
//! ```text
//! partitioned-bloom         position i in slice i          one bit
//! counting-bloom            positions of the classic       w bits; 0: absent
//! blocked-counting-bloom    one lane each of one block     w bits; 0: absent
//! windowed-bloom            positions of the classic       a bit per slice of time; their AND says which slices may hold it
//! ```

use super::engine::{check_zero_from, one_segment, only_shape, round_up, wrong, EmptyEngine, Engine, OwnEngine};
use crate::cells::{low_bits, Cells};
use crate::error::Error;
use crate::files::check_length;
use crate::health::{Limit, State};
use crate::kind::Kind;
use crate::math::sizing::{MAX_BITS, MAX_PROBES};
use crate::math::{self, mulhi, real, WEAK_FILL};
use crate::native::Segment;
use crate::probes::CHAIN;
use crate::shape::{BlockedCountingBloomShape, CountingBloomShape};
use crate::words::Words;
use crate::Target;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

fn check_probes(probes: u64) -> Result<u32, Error> {
    if probes == 0 || probes > MAX_PROBES {
        return Err(wrong("probes", probes, "from 1 to 30"));
    }
    Ok(probes as u32)
}

fn bytes_of_bits(bits: u64) -> u64 {
    round_up(bits, 512) / 8
}

/// The state of a filter with k cells per key among `total`, of which `used` are taken.
fn state_of(used: u64, total: u64, probes: u32) -> State {
    let fill = math::share(used, total);
    State {
        fill,
        count: math::estimated_count(used, total, probes.into()),
        fpr: real::powi(fill, probes),
        saturated: fill > WEAK_FILL,
        limit: Limit::Cells { cells: total, throws: f64::from(probes) },
    }
}

#[derive(Debug)]
struct Partitioned {
    slice_bits: u64,
    probes: u32,
}

/// Kind 2.
pub(crate) fn partitioned(shape: &[u64; 2], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [bits, probes] = *shape;
    let probes = check_probes(probes)?;
    if bits == 0 || bits > MAX_BITS || bits % u64::from(probes) != 0 {
        return Err(wrong("bits", bits, &format!("a multiple of {probes} probes, from 1 to 2^40")));
    }
    check_length(bytes_of_bits(bits), length)?;
    Ok(Box::new(Partitioned { slice_bits: bits / u64::from(probes), probes }))
}

impl Engine for Partitioned {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let mut x = digest;
        (0..u64::from(self.probes)).all(|i| {
            let at = i * self.slice_bits + mulhi(x, self.slice_bits);
            x = x.wrapping_mul(CHAIN);
            body.bits(at, 1) == 1
        })
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, self.slice_bits * u64::from(self.probes))
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        body.count_ones()
    }
    fn state(&self, body: Cells<'_>) -> State {
        state_of(body.count_ones(), self.slice_bits * u64::from(self.probes), self.probes)
    }
}

/// A kind whose keys have counters: where those of a digest are.
pub trait CounterEngine: EmptyEngine {
    /// Bits of a counter.
    fn width(&self) -> u32;
    fn counters(&self) -> u64;
    /// Calls `each` with the number of each counter of a digest, as long as it says true; one may come twice. Whether all did.
    fn visit(&self, digest: u64, each: impl FnMut(u64) -> bool) -> bool;
}

/// Kind 5.
#[derive(Clone, Debug, PartialEq)]
pub struct Counting {
    counters: u64,
    probes: u32,
    width: u32,
}

impl Counting {
    fn bytes(&self) -> u64 {
        bytes_of_bits(self.counters * u64::from(self.width))
    }
}

impl OwnEngine for Counting {
    type Shape = CountingBloomShape;
    const KIND: Kind = Kind::CountingBloom;

    fn shape(&self) -> CountingBloomShape {
        CountingBloomShape { counters: self.counters, probes: self.probes, counter_bits: self.width }
    }
    fn segments(&self) -> Vec<Segment> {
        one_segment([self.counters, self.probes.into(), self.width.into()].into(), self.bytes())
    }
    fn from_segments(segments: &[Segment]) -> Result<Self, Error> {
        let (&[counters, probes, width], length) = only_shape(segments)?;
        let probes = check_probes(probes)?;
        if ![2, 4, 8, 16].contains(&width) {
            return Err(wrong("counter-bits", width, "2, 4, 8 or 16"));
        }
        if counters == 0 || counters > MAX_BITS / width {
            return Err(wrong("counters", counters, "from 1 up, and all of them at most 2^40 bits"));
        }
        let engine = Counting { counters, probes, width: width as u32 };
        check_length(engine.bytes(), length)?;
        Ok(engine)
    }
}

impl EmptyEngine for Counting {
    fn plan(target: Target) -> Result<CountingBloomShape, Error> {
        CountingBloomShape::plan(target)
    }
    fn empty(shape: CountingBloomShape) -> Result<Self, Error> {
        shape.check()?;
        Ok(Counting { counters: shape.counters, probes: shape.probes, width: shape.counter_bits })
    }
    fn cleared(&mut self) -> u64 {
        self.bytes()
    }
}

impl CounterEngine for Counting {
    fn width(&self) -> u32 {
        self.width
    }
    fn counters(&self) -> u64 {
        self.counters
    }
    #[inline]
    fn visit(&self, digest: u64, mut each: impl FnMut(u64) -> bool) -> bool {
        let mut x = digest;
        (0..self.probes).all(|_| {
            let at = mulhi(x, self.counters);
            x = x.wrapping_mul(CHAIN);
            each(at)
        })
    }
}

fn nonzero(body: Cells<'_>, counters: u64, width: u32) -> u64 {
    (0..counters).filter(|&i| body.bits(i * u64::from(width), width) != 0).count() as u64
}

impl Engine for Counting {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        self.visit(digest, |at| body.rest_of_cell(at * u64::from(self.width)) & low_bits(self.width) != 0)
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, self.counters * u64::from(self.width))
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        body.count_ones()
    }
    fn state(&self, body: Cells<'_>) -> State {
        state_of(nonzero(body, self.counters, self.width), self.counters, self.probes)
    }
}

/// Kind 6.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockedCounting {
    blocks: u64,
    probes: u32,
    width: u32,
    /// A lane is 2^this counters.
    lane_log: u32,
}

impl BlockedCounting {
    fn new(blocks: u64, probes: u32, width: u32) -> Self {
        BlockedCounting { blocks, probes, width, lane_log: (512 / (width * probes)).trailing_zeros() }
    }
}

impl OwnEngine for BlockedCounting {
    type Shape = BlockedCountingBloomShape;
    const KIND: Kind = Kind::BlockedCountingBloom;

    fn shape(&self) -> BlockedCountingBloomShape {
        BlockedCountingBloomShape { blocks: self.blocks, probes: self.probes, counter_bits: self.width }
    }
    fn segments(&self) -> Vec<Segment> {
        one_segment([self.blocks, self.probes.into(), self.width.into()].into(), 64 * self.blocks)
    }
    fn from_segments(segments: &[Segment]) -> Result<Self, Error> {
        let (&[blocks, probes, width], length) = only_shape(segments)?;
        if blocks == 0 || blocks > 1 << 31 {
            return Err(wrong("blocks", blocks, "from 1 to 2^31"));
        }
        if ![4, 8, 16].contains(&probes) {
            return Err(wrong("probes", probes, "4, 8 or 16"));
        }
        if width != 4 && width != 8 {
            return Err(wrong("counter-bits", width, "4 or 8"));
        }
        check_length(blocks * 64, length)?;
        Ok(Self::new(blocks, probes as u32, width as u32))
    }
}

impl EmptyEngine for BlockedCounting {
    fn plan(target: Target) -> Result<BlockedCountingBloomShape, Error> {
        BlockedCountingBloomShape::plan(target)
    }
    fn empty(shape: BlockedCountingBloomShape) -> Result<Self, Error> {
        shape.check()?;
        Ok(Self::new(shape.blocks, shape.probes, shape.counter_bits))
    }
    fn cleared(&mut self) -> u64 {
        64 * self.blocks
    }
}

impl CounterEngine for BlockedCounting {
    fn width(&self) -> u32 {
        self.width
    }
    fn counters(&self) -> u64 {
        self.blocks * u64::from(512 / self.width)
    }
    #[inline]
    fn visit(&self, digest: u64, mut each: impl FnMut(u64) -> bool) -> bool {
        let first = mulhi(digest, self.blocks) * u64::from(512 / self.width);
        let y = digest.wrapping_mul(CHAIN);
        (0..self.probes).all(|i| {
            let in_lane = y >> (64 - self.lane_log * (i + 1)) & low_bits(self.lane_log);
            each(first + u64::from(i << self.lane_log) + in_lane)
        })
    }
}

impl Engine for BlockedCounting {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        // No branch: they lie in one line, and which of them is 0 is not to be predicted.
        let (width, mut all) = (u64::from(self.width), true);
        self.visit(digest, |at| {
            all &= body.rest_of_cell(at * width) & low_bits(self.width) != 0;
            true
        });
        all
    }
    fn check_padding(&self, _: Cells<'_>) -> Result<(), Error> {
        Ok(())
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        body.count_ones()
    }
    fn state(&self, body: Cells<'_>) -> State {
        let counters = self.blocks * u64::from(512 / self.width);
        let lane = 1 << self.lane_log;
        let mut sum = 0.0;
        let mut used = 0;
        for block in 0..self.blocks {
            let mut rate = 1.0;
            for i in 0..u64::from(self.probes) {
                let first = block * 512 + i * lane * u64::from(self.width);
                let taken = (0..lane).filter(|j| body.bits(first + j * u64::from(self.width), self.width) != 0);
                let taken = taken.count() as u64;
                used += taken;
                rate *= math::share(taken, lane);
            }
            sum += rate;
        }
        State { fpr: sum / self.blocks as f64, ..state_of(used, counters, self.probes) }
    }
}

#[derive(Debug)]
struct Windowed {
    slices: u32,
    slice_keys: u64,
    cells: u64,
    probes: u32,
    width: u32,
}

/// Kind 11.
pub(crate) fn windowed(shape: &[u64; 6], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [window, slices, period, cells, probes, clock] = *shape;
    if window == 0 {
        return Err(wrong("window", window, "from 1 up"));
    }
    if slices == 0 || slices > 63 {
        return Err(wrong("slices", slices, "from 1 to 63"));
    }
    let probes = check_probes(probes)?;
    let width = (slices + 1).next_power_of_two();
    if cells == 0 || cells > MAX_BITS / width {
        return Err(wrong("slice-bits", cells, "from 1 up, and all slices at most 2^40 bits"));
    }
    if period == 0 && clock >> 63 != 0 {
        return Err(wrong("clock", clock, "a number of adds below 2^63"));
    }
    check_length(bytes_of_bits(cells * width), length)?;
    let slice_keys = window / slices + u64::from(window % slices != 0);
    Ok(Box::new(Windowed { slices: slices as u32, slice_keys, cells, probes, width: width as u32 }))
}

impl Windowed {
    fn cell(&self, body: Cells<'_>, i: u64) -> u64 {
        body.bits(i * u64::from(self.width), self.width)
    }
}

impl Engine for Windowed {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let mut x = digest;
        let mut slices = low_bits(self.slices + 1);
        for _ in 0..self.probes {
            slices &= self.cell(body, mulhi(x, self.cells));
            x = x.wrapping_mul(CHAIN);
        }
        slices != 0
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, self.cells * u64::from(self.width))
    }
    fn check_content(&self, body: Cells<'_>) -> Result<(), Error> {
        let outside = !low_bits(self.slices + 1);
        match (0..self.cells).find(|&i| self.cell(body, i) & outside != 0) {
            Some(cell) => Err(Error::Corrupt(format!("cell {cell} has a bit beyond the last slice"))),
            None => Ok(()),
        }
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        body.count_ones()
    }
    fn state(&self, body: Cells<'_>) -> State {
        let mut set = [0; 64];
        for i in 0..self.cells {
            let mut cell = self.cell(body, i) & low_bits(self.slices + 1);
            while cell != 0 {
                set[cell.trailing_zeros() as usize] += 1;
                cell &= cell - 1;
            }
        }
        let each = || set[..=self.slices as usize].iter().map(|&set| state_of(set, self.cells, self.probes));
        State {
            fill: each().map(|state| state.fill).sum::<f64>() / f64::from(self.slices + 1),
            count: each().map(|state| state.count).sum(),
            fpr: math::any_of(each().map(|state| state.fpr)),
            saturated: each().any(|state| state.saturated),
            limit: Limit::Slices {
                slices: self.slices + 1,
                keys: self.slice_keys,
                cells: self.cells,
                probes: self.probes,
            },
        }
    }
}
