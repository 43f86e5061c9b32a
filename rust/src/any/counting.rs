//! Kinds that are k positions in an array: slices of bits (partitioned), counters, counters in blocks, cells of a window.
//!
//! ```text
//! partitioned-bloom         position i in slice i          one bit
//! counting-bloom            positions of the classic       w bits; 0: absent
//! blocked-counting-bloom    one lane each of one block     w bits; 0: absent
//! windowed-bloom            positions of the classic       a bit per slice of time; their AND says which slices may hold it
//! ```

use super::engine::{check_zero_from, round_up, wrong, Engine};
use crate::cells::{low_bits, Cells};
use crate::error::Error;
use crate::files::check_length;
use crate::health::{Limit, State};
use crate::math::sizing::{MAX_BITS, MAX_PROBES};
use crate::math::{self, mulhi, real, WEAK_FILL};
use crate::probes::CHAIN;
use crate::words::Words;
use alloc::boxed::Box;
use alloc::format;

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

#[derive(Debug)]
struct Counting {
    counters: u64,
    probes: u32,
    width: u32,
}

/// Kind 5.
pub(crate) fn counting(shape: &[u64; 3], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [counters, probes, width] = *shape;
    let probes = check_probes(probes)?;
    if ![2, 4, 8, 16].contains(&width) {
        return Err(wrong("counter-bits", width, "2, 4, 8 or 16"));
    }
    if counters == 0 || counters > MAX_BITS / width {
        return Err(wrong("counters", counters, "from 1 up, and all of them at most 2^40 bits"));
    }
    check_length(bytes_of_bits(counters * width), length)?;
    Ok(Box::new(Counting { counters, probes, width: width as u32 }))
}

fn nonzero(body: Cells<'_>, counters: u64, width: u32) -> u64 {
    (0..counters).filter(|&i| body.bits(i * u64::from(width), width) != 0).count() as u64
}

impl Engine for Counting {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let mut x = digest;
        (0..self.probes).all(|_| {
            let at = mulhi(x, self.counters);
            x = x.wrapping_mul(CHAIN);
            body.bits(at * u64::from(self.width), self.width) != 0
        })
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

#[derive(Debug)]
struct BlockedCounting {
    blocks: u64,
    probes: u32,
    width: u32,
    /// A lane is 2^this counters.
    lane_log: u32,
}

/// Kind 6.
pub(crate) fn blocked_counting(shape: &[u64; 3], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [blocks, probes, width] = *shape;
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
    let lane_log = (512 / (width * probes)).trailing_zeros();
    Ok(Box::new(BlockedCounting { blocks, probes: probes as u32, width: width as u32, lane_log }))
}

impl Engine for BlockedCounting {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let first = mulhi(digest, self.blocks) * u64::from(512 / self.width);
        let y = digest.wrapping_mul(CHAIN);
        (0..self.probes).all(|i| {
            let in_lane = y >> (64 - self.lane_log * (i + 1)) & low_bits(self.lane_log);
            let at = first + u64::from(i << self.lane_log) + in_lane;
            body.bits(at * u64::from(self.width), self.width) != 0
        })
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
