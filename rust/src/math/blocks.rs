//! How many blocks a filter of small blocks takes: the same integers in every language (`docs/sizing.md`, "Blocks").
//!
//! The rate of blocks that hold unequal numbers of keys is a Poisson mixture [Putze, Sanders, Singler 2007], summed here by
//! IEEE additions, multiplications and divisions in a stated order. Bits per key are searched on a grid of 1/32 bit.

use super::sizing::{bits_per_key_q40, check, number, too_many_bits, wish, MAX_BITS};
use crate::error::Error;
use crate::Target;
use alloc::format;

/// A block of equal lanes, each with its own bits of every key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    pub lanes: u32,
    pub lane_bits: u32,
    pub bits_per_lane: u32,
}

impl Lanes {
    pub(crate) const fn block_bits(self) -> u32 {
        self.lanes * self.lane_bits
    }

    /// Different bits that a key sets on the average: a little fewer than it throws where two fall into one lane.
    pub(crate) fn throws_per_key(self) -> f64 {
        let mut miss = 1.0;
        for _ in 0..self.bits_per_lane {
            miss *= 1.0 - 1.0 / f64::from(self.lane_bits);
        }
        f64::from(self.block_bits()) * (1.0 - miss)
    }
}

/// Parquet's block.
pub(crate) const SPLIT: Lanes = Lanes { lanes: 8, lane_bits: 32, bits_per_lane: 1 };

/// The numbers of probes a blocked filter may have, with their lanes.
pub(crate) const BLOCKED: [(u64, Lanes); 3] = [
    (4, Lanes { lanes: 4, lane_bits: 128, bits_per_lane: 1 }),
    (8, Lanes { lanes: 8, lane_bits: 64, bits_per_lane: 1 }),
    (16, Lanes { lanes: 8, lane_bits: 64, bits_per_lane: 2 }),
];

/// The most blocks of a blocked filter, and of a split-block one.
pub(crate) const MAX_BLOCKS: u64 = 1 << 31;

// Bits per key are planned in units of 1/32 bit, from 1 to 128 bits.
const UNIT: u64 = 32;
const MOST_PER_KEY: u64 = 4096;

// A split block is chosen by 32 bits of the digest: with more blocks than this they fill too unevenly to plan with.
const MAX_PLANNED_SPLIT_BLOCKS: u64 = 1 << 27;

/// The rate of many blocks with `load` ≤ 512 keys each on average.
fn rate(shape: Lanes, load: f64) -> f64 {
    let b = f64::from(shape.lane_bits);
    let (mut one, mut two) = (0.0, 0.0); // one bit, two different bits of a lane are set by i keys
    let (mut weight, mut total, mut sum) = (1.0, 0.0, 0.0);
    for i in 0..=64 + 2 * load as u32 {
        let mut rate = if shape.bits_per_lane == 1 { one } else { (one + (b - 1.0) * two) / b };
        let mut lanes = shape.lanes;
        while lanes > 1 {
            rate = rate * rate;
            lanes /= 2;
        }
        total += weight;
        sum += weight * rate;
        weight = weight * load / f64::from(i + 1);
        for _ in 0..shape.bits_per_lane {
            two += (one - two) * (2.0 / b);
            one += (1.0 - one) / b;
        }
    }
    // 32 bits make a pattern: equal ones count too.
    sum / total + load * 2.328_306_436_538_696_3e-10
}

/// The fewest 32nds of a bit per key that keep the rate; MOST_PER_KEY + 1 if 128 bits do not.
fn fewest_per_key(shape: Lanes, fpr: f64) -> u64 {
    let (mut low, mut high) = (UNIT, MOST_PER_KEY + 1);
    while low < high {
        let middle = (low + high) / 2;
        if rate(shape, f64::from(shape.block_bits()) * UNIT as f64 / middle as f64) <= fpr {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn blocks_for(keys: u64, per_key: u64, block_bits: u32) -> u128 {
    let unit = u128::from(UNIT) * u128::from(block_bits);
    (u128::from(keys) * u128::from(per_key) + unit - 1) / unit
}

fn out_of_reach(target: Target, kind: &str) -> Error {
    let bloom = bits_per_key_q40(target.fpr) as f64 / (1u64 << 40) as f64;
    let wish = wish(target);
    Error::TooLarge(format!("{wish}: {kind} would take more than 128 bits per key; bloom takes {}", number(bloom)))
}

/// Blocks and probes of a blocked filter for a target, of all numbers of probes that `wanted` likes; of equals the fewer.
pub(crate) fn blocked_shape(target: Target, wanted: impl Fn(u64) -> bool) -> Result<(u64, u64), Error> {
    check(target)?;
    let (per_key, probes) = BLOCKED
        .iter()
        .filter(|(probes, _)| wanted(*probes))
        .map(|&(probes, lanes)| (fewest_per_key(lanes, target.fpr), probes))
        .min()
        .unwrap_or((MOST_PER_KEY + 1, 0));
    if per_key > MOST_PER_KEY {
        return Err(out_of_reach(target, "blocked-bloom"));
    }
    let blocks = blocks_for(target.capacity, per_key, 512);
    if blocks > u128::from(MAX_BITS / 512) {
        return Err(too_many_bits(target, target.capacity as f64 * per_key as f64 / UNIT as f64));
    }
    Ok((blocks as u64, probes))
}

/// Blocks of a split-block filter for a target.
pub(crate) fn split_blocks(target: Target) -> Result<u64, Error> {
    check(target)?;
    let per_key = fewest_per_key(SPLIT, target.fpr);
    if per_key > MOST_PER_KEY {
        return Err(out_of_reach(target, "split-block"));
    }
    let blocks = blocks_for(target.capacity, per_key, SPLIT.block_bits());
    if blocks > u128::from(MAX_PLANNED_SPLIT_BLOCKS) {
        return Err(Error::TooLarge(format!(
            "{} need {blocks} split blocks, which spread keys evenly up to {MAX_PLANNED_SPLIT_BLOCKS} (4 GiB); \
             blocked-bloom goes further",
            wish(target)
        )));
    }
    Ok(blocks as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_the_specification() {
        let million = |fpr| Target { capacity: 1_000_000, fpr };
        assert_eq!(blocked_shape(million(0.01), |_| true).unwrap(), (19_776, 8));
        assert_eq!(blocked_shape(million(1e-4), |_| true).unwrap(), (44_739, 16));
        assert_eq!(split_blocks(million(0.01)).unwrap(), 41_138);
        assert!(blocked_shape(million(1e-12), |_| true).is_err());
        assert!(split_blocks(Target { capacity: 1 << 40, fpr: 0.01 }).is_err());
    }
}
