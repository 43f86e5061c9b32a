//! Ribbon filters, kind 15: a key's fingerprint is the exclusive or of the slots that 64 bits of its digest choose, from its
//! starting slot on.
//!
//! ```text
//! shard: layer 0 [64-slot blocks: r words, word j = bit j of the slots] layer 1 … │ bump bits of all shards │ seeds
//! ```
//!
//! A bump bit says that the keys that start in the first quarter of a bucket of 128 slots went on to the next layer.

use super::engine::{wrong, Engine};
use super::shards::Shards;
use super::slots::static_state;
use crate::cells::{low_bits, Cells};
use crate::error::Error;
use crate::health::State;
use crate::math::mulhi;
use crate::math::sizing::MAX_BITS;
use alloc::boxed::Box;
use alloc::format;

#[derive(Debug)]
struct Ribbon {
    shards: Shards,
    bits: u32,
    layers: usize,
    slots: [u64; 3],
    solution_bytes: u64,
    bump_bytes: u64,
}

fn layer_bytes(slots: u64, bits: u64) -> u64 {
    (slots * bits + 7) / 8
}

fn layer_bump_bytes(slots: u64) -> u64 {
    4 * ((slots + 4095) / 4096)
}

/// Kind 15.
pub(crate) fn ribbon(shape: &[u64; 7], length: u64) -> Result<Box<dyn Engine>, Error> {
    let [keys, bits, shards, setting, slots @ ..] = *shape;
    if !(1..=32).contains(&bits) {
        return Err(wrong("fingerprint-bits", bits, "from 1 to 32"));
    }
    if !(1..=3).contains(&setting) {
        return Err(wrong("setting", setting, "1 (compact), 2 (balanced) or 3 (fast)"));
    }
    if keys > MAX_BITS {
        return Err(wrong("keys", keys, "at most 2^40"));
    }
    Shards::check_counts(keys, shards)?;
    let layers = slots.iter().take_while(|&&m| m != 0).count();
    if (shards == 0) != (layers == 0) || slots[layers..].iter().any(|&m| m != 0) {
        return Err(Error::Corrupt(
            "a layer of no slots comes before one of some, or there are slots without shards".into(),
        ));
    }
    for &m in &slots[..layers] {
        if m > MAX_BITS || (layers > 1 && (m < 128 || m % 64 != 0)) {
            return Err(wrong("slots", m, "at most 2^40, and of several layers a multiple of 64 from 128 up"));
        }
    }
    let solution_bytes: u64 = slots[..layers].iter().map(|&m| layer_bytes(m, bits)).sum();
    let bump_bytes: u64 = slots[..layers.saturating_sub(1)].iter().map(|&m| layer_bump_bytes(m)).sum();
    if shards != 0 && solution_bytes + bump_bytes > MAX_BITS / 8 / shards {
        return Err(Error::Corrupt(format!("the slots of {shards} shards take more than 2^40 bits")));
    }
    let shards = Shards::over(keys, shards, shards * (solution_bytes + bump_bytes), length)?;
    Ok(Box::new(Ribbon { shards, bits: bits as u32, layers, slots, solution_bytes, bump_bytes }))
}

impl Ribbon {
    /// The exclusive or of the slots from `start` on that `choice` has bits for, in a layer that begins at byte `at`.
    fn xor_of(&self, body: Cells<'_>, at: u64, slots: u64, start: u64, choice: u64) -> u64 {
        let mut answer = 0;
        // The 64 slots lie in one block or two; each has its bits j side by side.
        let (block, shift) = (start / 64, (start % 64) as u32);
        for (block, choice) in
            [(block, choice << shift), (block + 1, if shift == 0 { 0 } else { choice >> (64 - shift) })]
        {
            if choice == 0 || 64 * block >= slots {
                continue;
            }
            let width = (slots - 64 * block).min(64) as u32;
            let begin = 8 * at + 64 * block * u64::from(self.bits);
            for j in 0..self.bits {
                let column = body.bits(begin + u64::from(j) * u64::from(width), width);
                answer ^= u64::from((column & choice).count_ones() & 1) << j;
            }
        }
        answer
    }
}

impl Engine for Ribbon {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        let place = match self.shards.place(body, digest) {
            Some(place) => place,
            None => return false,
        };
        let mut solution = place.shard * self.solution_bytes;
        let mut bumps = self.shards.shards * self.solution_bytes + place.shard * self.bump_bytes;
        let mut x = digest;
        if self.layers == 1 {
            x = place.multiplied(x).0;
        }
        let mut is_digest = self.layers > 1;
        for layer in 0..self.layers {
            let m = self.slots[layer];
            let start = match m.checked_sub(64) {
                None | Some(0) => 0,
                Some(starts) if is_digest => place.of(starts),
                Some(starts) => mulhi(x, starts),
            };
            let (low, high) = place.multiplied(x);
            let is_last = layer + 1 == self.layers;
            if !is_last && start % 128 < 32 && body.bits(8 * bumps + start / 128, 1) == 1 {
                x = low;
                is_digest = false;
                solution += layer_bytes(m, self.bits.into());
                bumps += layer_bump_bytes(m);
                continue;
            }
            let mut choice = low ^ high;
            if m < 64 {
                choice >>= 64 - m;
            }
            return self.xor_of(body, solution, m, start, choice | 1) == high & low_bits(self.bits);
        }
        false
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        self.shards.check_padding(body)
    }
    fn census(&self, _: Cells<'_>) -> u64 {
        self.shards.keys
    }
    fn state(&self, _: Cells<'_>) -> State {
        static_state(&self.shards, self.slots.iter().sum(), self.bits)
    }
}
