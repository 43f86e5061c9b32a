//! XXH3 with a path of its own for keys of 8 bytes, integers among them: the default hash.
//!
//! ```text
//! 8 bytes, or an integer x     fold(x ^ flip, G) · C      fold(a, b): the low and the high half of a·b, xored
//! anything else                XXH3-64 with the seed      flip: splitmix64(seed);  G: 2^64 over the golden ratio
//! ```
//!
//! The high half of the product carries every bit of the key down, the multiplication carries it up again, to the bits that
//! index rules take first. The seed is mixed once per filter, not per key (`Hasher`). Even seed 0 flips bits, so that the one
//! key whose digest is 0 is a number like any other, and not 0 itself. `docs/hashes.md` says what it does not promise.

use super::xxh3::{fold, xxh3_64};
use super::{le64, splitmix64};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
// Of [Steele & Vigna 2022].
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// What a seed does to keys of 8 bytes.
#[inline]
pub(super) fn flip_of(seed: u64) -> u64 {
    splitmix64(seed)
}

/// The hash of an integer key: of its 8 little-endian bytes.
#[inline]
pub(super) fn xxh3_fold_integer(key: u64, flip: u64) -> u64 {
    fold(key ^ flip, GOLDEN).wrapping_mul(MULTIPLIER)
}

/// The hash of bytes, with a seed and what that does to 8 of them.
#[inline]
pub(super) fn xxh3_fold(key: &[u8], seed: u64, flip: u64) -> u64 {
    if key.len() == 8 {
        xxh3_fold_integer(le64(key, 0), flip)
    } else {
        xxh3_64(key, seed)
    }
}
