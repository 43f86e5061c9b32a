//! How much a file's bytes prove: the odds that a file of anything else has them by accident.
//!
//! A byte with only one possible value counts for as many bits as it is improbable in this file: a 0 for much in a filter that is
//! full, and for nothing in one of few keys, which is made of zeros. The command and every language weigh alike
//! (docs/formats/README.md).

use super::Detection;
use crate::math::real::ln;
use alloc::vec::Vec;
use core::ops::Range;

const LIKELY_BITS: f64 = 24.0;
const CERTAIN_BITS: f64 = 32.0;
/// Of a large file so many pieces of so many bytes are looked at, the first and the last among them.
const PIECES: usize = 16;
const PIECE_BYTES: usize = 4096;
/// The rest of a file tells how full it is if it has so many bytes.
const ENOUGH_BYTES: f64 = 64.0;
/// Zeros that are counted beside those of the rest: of few bytes nothing can be concluded.
const PRIOR: f64 = 4.0;

pub(crate) struct Evidence<'a> {
    bytes: &'a [u8],
    fixed: Vec<Range<usize>>,
}

#[derive(Default)]
struct Shares {
    bytes: f64,
    zeros: f64,
    ones: f64,
    set: f64,
}

impl Shares {
    fn count(&mut self, byte: u8) {
        self.bytes += 1.0;
        self.set += f64::from(byte.count_ones());
        self.zeros += if byte == 0 { 1.0 } else { 0.0 };
        self.ones += if byte == 0xff { 1.0 } else { 0.0 };
    }
}

/// Of a byte with so many bits set where a share of all bits is.
fn bits_of_byte(set: u32, share: f64) -> f64 {
    let (set, unset) = (f64::from(set), f64::from(8 - set));
    let ones = if set == 0.0 { 0.0 } else { set * ln(share) };
    let zeros = if unset == 0.0 { 0.0 } else { unset * ln(1.0 - share) };
    (-(ones + zeros) / core::f64::consts::LN_2).min(8.0)
}

impl<'a> Evidence<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Evidence { bytes, fixed: Vec::new() }
    }

    /// Counts bytes with only one possible value, if the file is what it is taken for.
    pub(crate) fn fixed(mut self, offset: usize, count: usize) -> Self {
        self.fixed.push(offset..offset + count);
        self
    }

    /// The bytes of the file that speak neither for nor against.
    fn rest(&self) -> Shares {
        let mut found = Shares::default();
        let mut count = |piece: Range<usize>| {
            for at in piece.filter(|at| !self.fixed.iter().any(|fixed| fixed.contains(at))) {
                found.count(self.bytes[at]);
            }
        };
        if self.bytes.len() <= PIECES * PIECE_BYTES {
            count(0..self.bytes.len());
        } else {
            let last = self.bytes.len() - PIECE_BYTES;
            for i in 0..PIECES {
                let offset = if i + 1 == PIECES { last } else { last / (PIECES - 1) * i };
                count(offset..offset + PIECE_BYTES);
            }
        }
        found
    }

    fn bits(&self) -> f64 {
        let rest = self.rest();
        let zeros = (-ln((rest.zeros + PRIOR) / (rest.bytes + PRIOR)) / core::f64::consts::LN_2).min(8.0);
        let fill = (rest.set + 1.0) / (8.0 * rest.bytes + 2.0);
        let weight = |byte: &u8| match byte.count_ones() {
            0 => zeros.min(bits_of_byte(0, fill)),
            set if rest.bytes >= ENOUGH_BYTES => bits_of_byte(set, fill),
            8 => f64::from(u8::from(rest.ones == 0.0)) * 8.0,
            set => bits_of_byte(set, f64::from(set) / 8.0),
        };
        self.fixed.iter().flat_map(|at| &self.bytes[at.clone()]).map(weight).sum()
    }

    /// Certain, likely or fitting by the bits, and at most `best`.
    pub(crate) fn weigh(&self, best: Detection) -> Detection {
        let bits = self.bits();
        let found = if bits >= CERTAIN_BITS {
            Detection::Certain
        } else if bits >= LIKELY_BITS {
            Detection::Likely
        } else {
            Detection::Fitting
        };
        found.min(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a large file pieces are looked at. What is fixed and lies in none of them is not taken from their shares.
    #[test]
    fn bytes_outside_the_pieces_are_not_taken_from_their_shares() {
        let mut bytes = alloc::vec![0xff; 1 << 20];
        bytes[8192..8192 + 64].fill(0);
        for count in [8, 64] {
            let bits = Evidence::of(&bytes).fixed(8192, count).bits();
            assert!((bits - 8.0 * count as f64).abs() < 1e-9, "{count} zeros weigh {bits} bits");
        }
    }
}
