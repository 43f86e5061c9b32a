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

use super::splitmix64;
use super::xxh3::fold;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
// Of [Steele & Vigna 2022].
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

/// What a seed does to keys of 8 bytes.
#[inline]
pub(super) fn flip_of(seed: u64) -> u64 {
    splitmix64(seed)
}

/// The hash of 8 bytes, as a little-endian number.
#[inline]
pub(super) fn eight(key: u64, flip: u64) -> u64 {
    fold(key ^ flip, GOLDEN).wrapping_mul(MULTIPLIER)
}
