//! Quotient filters, kind 10: the sorted list of all fingerprints in a table of blocks of 64 slots.
//!
//! ```text
//! block of 64 slots   occupieds u64 │ runends u64 │ offset u16 │ 64 remainders of r bits
//! ```
//!
//! A fingerprint says where a digest lies among all, in 64·blocks·2^r steps: the quotient is its home slot, the remainder is
//! stored at or after it, in the run of its quotient. `check_content` reads everything and says whether it is what adding
//! keys makes. Without it (a map) answers follow the bytes, whatever they are, and no index is taken from them unchecked.

use super::engine::{check_zero_from, round_up, wrong, Engine};
use crate::cells::{low_bits, Cells};
use crate::error::Error;
use crate::files::check_length;
use crate::health::{Limit, State};
use crate::math;
use alloc::boxed::Box;
use alloc::format;

#[derive(Debug)]
struct Quotient {
    remainder_bits: u32,
    home_blocks: u64,
    blocks: u64, // with the tail
}

/// Kind 10.
pub(crate) fn quotient(shape: &[u64; 2], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [home_blocks, r] = *shape;
    if !(1..=1 << 32).contains(&home_blocks) {
        return Err(wrong("blocks", home_blocks, "from 1 to 2^32"));
    }
    if !(1..=56).contains(&r) || home_blocks >= 1 << (58 - r) {
        return Err(wrong("remainder-bits", r, "from 1 to 56, and 64·blocks·2^r below 2^64"));
    }
    let blocks = home_blocks + home_blocks.min(4);
    let table = Quotient { remainder_bits: r as u32, home_blocks, blocks };
    // At most 2^32 + 4 blocks of 466 bytes: no product of these wraps.
    check_length(round_up(table.count_at() + 8, 64), length)?;
    Ok(Box::new(table))
}

impl Quotient {
    fn block_bytes(&self) -> u64 {
        18 + 8 * u64::from(self.remainder_bits)
    }
    fn count_at(&self) -> u64 {
        self.blocks * self.block_bytes()
    }
    fn count(&self, body: Cells<'_>) -> u64 {
        body.bits(8 * (self.count_at()), 64)
    }
    fn capacity(&self) -> u64 {
        64 * self.home_blocks * 21 / 22
    }
    fn fingerprints(&self) -> u64 {
        self.home_blocks << (6 + self.remainder_bits)
    }
    fn slots(&self) -> u64 {
        64 * self.blocks
    }
    fn occupieds(&self, body: Cells<'_>, block: u64) -> u64 {
        body.bits(8 * (block * self.block_bytes()), 64)
    }
    fn runends(&self, body: Cells<'_>, block: u64) -> u64 {
        body.bits(8 * (block * self.block_bytes() + 8), 64)
    }
    fn offset(&self, body: Cells<'_>, block: u64) -> u64 {
        body.bits(8 * (block * self.block_bytes() + 16), 64) & 0xffff
    }
    fn is_runend(&self, body: Cells<'_>, slot: u64) -> bool {
        self.runends(body, slot / 64) >> (slot % 64) & 1 == 1
    }
    fn remainder(&self, body: Cells<'_>, slot: u64) -> u64 {
        let begin = 8 * (slot / 64 * self.block_bytes() + 18);
        body.bits(begin + slot % 64 * u64::from(self.remainder_bits), self.remainder_bits)
    }

    /// The slot of the `n`-th (from 1) set bit of runends from slot `from` on.
    fn select_runend(&self, body: Cells<'_>, from: u64, mut n: u32) -> Option<u64> {
        let mut block = from / 64;
        let mut word = if block < self.blocks { self.runends(body, block) & !low_bits((from % 64) as u32) } else { 0 };
        while block < self.blocks {
            if word.count_ones() >= n {
                for _ in 1..n {
                    word &= word - 1;
                }
                return Some(64 * block + u64::from(word.trailing_zeros()));
            }
            n -= word.count_ones();
            block += 1;
            word = if block < self.blocks { self.runends(body, block) } else { 0 };
        }
        None
    }

    // The first slot from `from` up to `until` that is not empty.
    fn first_used(&self, body: Cells<'_>, from: u64, until: u64) -> Option<u64> {
        (from..until).find(|&slot| self.is_runend(body, slot) || self.remainder(body, slot) != 0)
    }
}

impl Engine for Quotient {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let fingerprint = math::mulhi(digest, self.fingerprints());
        let (quotient, remainder) = (fingerprint >> self.remainder_bits, fingerprint & low_bits(self.remainder_bits));
        let block = quotient / 64;
        // One bit decides for most absent keys, and is in one cell, where all 64 are in two.
        if body.bits(8 * block * self.block_bytes() + quotient % 64, 1) == 0 {
            return false;
        }
        let occupieds = self.occupieds(body, block);
        let runs = (occupieds & low_bits((quotient % 64) as u32 + 1)).count_ones();
        let last = match self.select_runend(body, 64 * block + self.offset(body, block), runs) {
            Some(slot) => slot,
            None => return false,
        };
        // From the end of the run back to its beginning; remainders ascend, so a smaller one ends the search.
        let mut slot = last;
        while slot >= quotient {
            let there = self.remainder(body, slot);
            if there <= remainder {
                return there == remainder;
            }
            if slot == quotient || self.is_runend(body, slot - 1) {
                return false;
            }
            slot -= 1;
        }
        false
    }

    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_zero_from(body, 8 * (self.count_at() + 8))?;
        let (count, capacity) = (self.count(body), self.capacity());
        if count > capacity {
            return Err(Error::Corrupt(format!("it counts {count} keys and has room for {capacity}")));
        }
        Ok(())
    }

    fn check_content(&self, body: Cells<'_>) -> Result<(), Error> {
        let corrupt = |what: &str, at: u64| Err(Error::Corrupt(format!("{what} {at}")));
        let (mut end, mut found) = (0, 0); // the slot after the last remainder; remainders so far
        for block in 0..self.blocks {
            if self.offset(body, block) != end.max(64 * block) - 64 * block {
                return corrupt("the offset is wrong in block", block);
            }
            let mut occupieds = self.occupieds(body, block);
            if block >= self.home_blocks && occupieds != 0 {
                return corrupt("a quotient is beyond the last, in block", block);
            }
            while occupieds != 0 {
                let quotient = 64 * block + u64::from(occupieds.trailing_zeros());
                occupieds &= occupieds - 1;
                if let Some(slot) = self.first_used(body, end, quotient) {
                    return corrupt("no run owns slot", slot);
                }
                end = end.max(quotient);
                let mut before = 0;
                loop {
                    if end >= self.slots() {
                        return corrupt("no end to the run of quotient", quotient);
                    }
                    let remainder = self.remainder(body, end);
                    if remainder < before {
                        return corrupt("remainders out of order in slot", end);
                    }
                    before = remainder;
                    end += 1;
                    found += 1;
                    if self.is_runend(body, end - 1) {
                        break;
                    }
                }
            }
        }
        if let Some(slot) = self.first_used(body, end, self.slots()) {
            return corrupt("no run owns slot", slot);
        }
        let count = self.count(body);
        if found != count {
            return Err(Error::Corrupt(format!("it counts {count} keys and holds {found}")));
        }
        Ok(())
    }

    fn census(&self, body: Cells<'_>) -> u64 {
        self.count(body)
    }

    fn state(&self, body: Cells<'_>) -> State {
        let count = self.count(body);
        State {
            fill: math::share(count, 64 * self.home_blocks),
            count: count as f64,
            fpr: -math::real::exp_m1(count as f64 * math::real::ln_1p(-1.0 / self.fingerprints() as f64)),
            saturated: count >= self.capacity(),
            limit: Limit::Counted,
        }
    }
}
