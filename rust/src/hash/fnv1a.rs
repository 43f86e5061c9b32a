//! FNV-1a 64 (Fowler, Noll, Vo), raw and finished by SplitMix64.
//!
//! Raw FNV-1a has no avalanche and is here to read other people's filters; with SplitMix64 behind it, it is the hash of
//! the portable format.

/// FNV-1a of the bytes.
#[inline]
pub(crate) fn fnv1a_64(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |h, &byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// SplitMix64's step (Steele, Lea, Flood 2014): adds the golden ratio, then mixes.
#[inline]
pub(crate) fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// FNV-1a, then SplitMix64.
#[inline]
pub(crate) fn fnv1a_64_splitmix(key: &[u8]) -> u64 {
    splitmix64(fnv1a_64(key))
}
