//! Where other libraries put the bits of a key.
//!
//! ```text
//!  key ──hash──► h0 h1 h2 h3        position i = (h[i mod 2] + i·h[j]) mod m,   j = 2 3 3 2 2 3 3 2 …
//! ```
//!
//! That is bits-and-blooms, with two Murmur hashes of two words each. The rule of phrozen and of the
//! portable format, (a + i·b) mod m, is the same with h0 = h1 = a and h2 = h3 = b; so there is one rule,
//! and a format is a function from bytes to four words, chosen when a filter is opened.
//! Sums and products wrap at 64 bits.
//!
//! The remainder is a remainder: it is taken by two multiplications [Barrett 1986], never by the
//! multiply-shift that maps to the same range and is another function.

use crate::hash::HashFunction;
use crate::math::mulhi;

/// The four words that the positions of a key are made of.
pub(crate) type FourWords = [u64; 4];

/// From the bytes of a key to its four words, with the hash of the filter.
pub(crate) type WordsOf = fn(&HashFunction, &[u8]) -> FourWords;

/// The words of a digest whose halves are a, the lower, and b.
pub(crate) fn halves(digest: u64) -> FourWords {
    let (a, b) = (digest & 0xffff_ffff, digest >> 32);
    [a, a, b, b]
}

/// x mod m for one m, without a division.
///
/// With M = floor((2^64 - 1) / m) the high half of x·M is floor(x / m) or one less, for all x and m; so
/// what is left of x is the remainder or m more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastMod {
    divisor: u64,
    magic: u64,
}

impl FastMod {
    /// `divisor` is not 0.
    pub(crate) fn new(divisor: u64) -> Self {
        FastMod { divisor, magic: u64::MAX / divisor }
    }

    #[inline]
    pub(crate) fn of(self, x: u64) -> u64 {
        let rest = x.wrapping_sub(mulhi(x, self.magic).wrapping_mul(self.divisor));
        if rest >= self.divisor {
            rest - self.divisor
        } else {
            rest
        }
    }
}

/// The positions of a key, one after another.
pub(crate) struct Positions {
    words: FourWords,
    modulus: FastMod,
    i: u64,
    probes: u64,
}

impl Positions {
    #[inline]
    pub(crate) fn new(words: FourWords, modulus: FastMod, probes: u32) -> Self {
        Positions { words, modulus, i: 0, probes: u64::from(probes) }
    }
}

impl Iterator for Positions {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.i == self.probes {
            return None;
        }
        let i = self.i;
        self.i += 1;
        // Bit 1 of i + 1: 0 1 1 0 0 1 1 0 …
        let factor = self.words[2 + ((i + 1) >> 1 & 1) as usize];
        let sum = self.words[(i & 1) as usize].wrapping_add(i.wrapping_mul(factor));
        Some(self.modulus.of(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remainder_is_the_remainder() {
        let mut x: u64 = 1;
        for round in 0..20_000_u32 {
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            let divisor = (x >> (round % 64)).max(1);
            let by = FastMod::new(divisor);
            for value in [0, 1, divisor - 1, divisor, divisor.wrapping_add(1), x, x.rotate_left(29), u64::MAX] {
                assert_eq!(by.of(value), value % divisor, "{} mod {}", value, divisor);
            }
        }
    }

    #[test]
    fn factors_alternate_in_pairs_after_the_first() {
        let all = Positions::new([0, 0, 1, 1000], FastMod::new(u64::MAX), 9);
        assert_eq!(all.collect::<alloc::vec::Vec<_>>(), [0, 1000, 2000, 3, 4, 5000, 6000, 7, 8]);
    }
}
