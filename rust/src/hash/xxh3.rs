//! XXH3-64 (Yann Collet), the default hash but for keys of 8 bytes, and the checksum of native files, written from its
//! specification.
//!
//! ```text
//! length   1-3     4-8    9-16     17-128        129-240        above
//!          one multiplication per word or two    16 bytes per   8 lanes of 64 bits, 64 bytes per step,
//!                                                multiplication scrambled every 1024 bytes
//! ```
//!
//! An integer key has 8 bytes: two multiplications, no branch on a length. The seed shifts the built-in secret; for keys
//! above 240 bytes a shifted copy of all of it is made first.

const P32_1: u64 = 0x9e37_79b1;
const P32_2: u64 = 0x85eb_ca77;
const P32_3: u64 = 0xc2b2_ae3d;
const P64_1: u64 = 0x9e37_79b1_85eb_ca87;
const P64_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P64_3: u64 = 0x1656_67b1_9e37_79f9;
const P64_4: u64 = 0x85eb_ca77_c2b2_ae63;
const P64_5: u64 = 0x27d4_eb2f_1656_67c5;

const STRIPE: usize = 64;
const SECRET_STEP: usize = 8;
const SECRET_BYTES: usize = 192;
const STRIPES_PER_BLOCK: usize = (SECRET_BYTES - STRIPE) / SECRET_STEP;

// The algorithm's constant.
#[rustfmt::skip]
const SECRET: [u8; SECRET_BYTES] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];

const fn secret64(at: usize) -> u64 {
    let mut word = 0;
    let mut i = 0;
    while i < 8 {
        word |= (SECRET[at + i] as u64) << (8 * i);
        i += 1;
    }
    word
}

const FLIP_0: u64 = secret64(56) ^ secret64(64);
const FLIP_3: u64 = (secret64(0) & 0xffff_ffff) ^ (secret64(0) >> 32);
const FLIP_8: u64 = secret64(8) ^ secret64(16);
const FLIP_16_LOW: u64 = secret64(24) ^ secret64(32);
const FLIP_16_HIGH: u64 = secret64(40) ^ secret64(48);

use super::{le32, le64};

/// The two halves of a product, xored.
#[inline]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn avalanche(mut h: u64) -> u64 {
    h ^= h >> 37;
    h = h.wrapping_mul(0x1656_6791_9e37_79f9);
    h ^ (h >> 32)
}

#[inline]
fn xxh64_avalanche(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(P64_2);
    h = (h ^ (h >> 29)).wrapping_mul(P64_3);
    h ^ (h >> 32)
}

// Keys of 4 to 8 bytes: `first` are the first four, `last` the last four, which may overlap.
#[inline]
fn four_to_eight(first: u32, last: u32, length: u64, seed: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9fb2_1c65_1e98_df25;
    let seed = seed ^ (u64::from((seed as u32).swap_bytes()) << 32);
    let mut h = (u64::from(last) + (u64::from(first) << 32)) ^ FLIP_8.wrapping_sub(seed);
    h ^= h.rotate_left(49) ^ h.rotate_left(24);
    h = h.wrapping_mul(MULTIPLIER);
    h ^= (h >> 35).wrapping_add(length);
    h = h.wrapping_mul(MULTIPLIER);
    h ^ (h >> 28)
}

/// The hash of an integer key: of its 8 little-endian bytes.
#[inline]
pub(crate) fn xxh3_64_integer(key: u64, seed: u64) -> u64 {
    four_to_eight(key as u32, (key >> 32) as u32, 8, seed)
}

/// XXH3-64 with a seed.
#[inline]
pub(crate) fn xxh3_64(key: &[u8], seed: u64) -> u64 {
    let length = key.len();
    if length > 16 {
        return longer(key, seed);
    }
    if length > 8 {
        let low = le64(key, 0) ^ FLIP_16_LOW.wrapping_add(seed);
        let high = le64(key, length - 8) ^ FLIP_16_HIGH.wrapping_sub(seed);
        let sum = (length as u64).wrapping_add(low.swap_bytes()).wrapping_add(high);
        return avalanche(sum.wrapping_add(fold(low, high)));
    }
    if length >= 4 {
        return four_to_eight(le32(key, 0), le32(key, length - 4), length as u64, seed);
    }
    if length == 0 {
        return xxh64_avalanche(seed ^ FLIP_0);
    }
    let (first, middle, last) = (key[0], key[length / 2], key[length - 1]);
    let combined = u32::from_le_bytes([last, length as u8, first, middle]);
    xxh64_avalanche(u64::from(combined) ^ FLIP_3.wrapping_add(seed))
}

fn longer(key: &[u8], seed: u64) -> u64 {
    if key.len() <= 240 {
        return medium(key, seed);
    }
    if seed == 0 {
        return long(key, &SECRET);
    }
    let mut secret = SECRET;
    for (shifted, words) in secret.chunks_exact_mut(16).zip(SECRET.chunks_exact(16)) {
        shifted[..8].copy_from_slice(&le64(words, 0).wrapping_add(seed).to_le_bytes());
        shifted[8..].copy_from_slice(&le64(words, 8).wrapping_sub(seed).to_le_bytes());
    }
    long(key, &secret)
}

#[inline]
fn mix16(key: &[u8], at: usize, secret: usize, seed: u64) -> u64 {
    let low = le64(key, at) ^ le64(&SECRET, secret).wrapping_add(seed);
    let high = le64(key, at + 8) ^ le64(&SECRET, secret + 8).wrapping_sub(seed);
    fold(low, high)
}

fn medium(key: &[u8], seed: u64) -> u64 {
    let length = key.len();
    let mut sum = (length as u64).wrapping_mul(P64_1);
    let mut mix = |at: usize, secret: usize| sum = sum.wrapping_add(mix16(key, at, secret, seed));
    if length <= 128 {
        // Pairs from both ends towards the middle.
        for pair in 0..(length + 31) / 32 {
            mix(16 * pair, 32 * pair);
            mix(length - 16 * (pair + 1), 32 * pair + 16);
        }
        return avalanche(sum);
    }
    for i in 0..8 {
        mix(16 * i, 16 * i);
    }
    sum = avalanche(sum);
    let mut mix = |at: usize, secret: usize| sum = sum.wrapping_add(mix16(key, at, secret, seed));
    for i in 8..length / 16 {
        mix(16 * i, 16 * (i - 8) + 3);
    }
    mix(length - 16, 136 - 17);
    avalanche(sum)
}

#[inline]
fn accumulate(lanes: &mut [u64; 8], stripe: &[u8], secret: &[u8]) {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(stripe.chunks_exact(8)) {
        *word = le64(bytes, 0);
    }
    let mut keyed = words;
    for (word, bytes) in keyed.iter_mut().zip(secret.chunks_exact(8)) {
        *word ^= le64(bytes, 0);
    }
    for i in 0..8 {
        let product = (keyed[i] & 0xffff_ffff).wrapping_mul(keyed[i] >> 32);
        lanes[i] = lanes[i].wrapping_add(words[i ^ 1]).wrapping_add(product);
    }
}

fn long(key: &[u8], secret: &[u8; SECRET_BYTES]) -> u64 {
    const BLOCK: usize = STRIPE * STRIPES_PER_BLOCK;
    let mut lanes = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1];
    // The last stripe ends with the key and is taken apart from the others, even where it would be one of them.
    let whole_blocks = (key.len() - 1) / BLOCK;
    let (blocks, rest) = key.split_at(whole_blocks * BLOCK);
    for block in blocks.chunks_exact(BLOCK) {
        for (i, stripe) in block.chunks_exact(STRIPE).enumerate() {
            accumulate(&mut lanes, stripe, &secret[SECRET_STEP * i..]);
        }
        for (lane, words) in lanes.iter_mut().zip(secret[SECRET_BYTES - STRIPE..].chunks_exact(8)) {
            *lane = ((*lane ^ (*lane >> 47)) ^ le64(words, 0)).wrapping_mul(P32_1);
        }
    }
    for (i, stripe) in rest[..(rest.len() - 1) / STRIPE * STRIPE].chunks_exact(STRIPE).enumerate() {
        accumulate(&mut lanes, stripe, &secret[SECRET_STEP * i..]);
    }
    accumulate(&mut lanes, &key[key.len() - STRIPE..], &secret[SECRET_BYTES - STRIPE - 7..]);

    let mut sum = (key.len() as u64).wrapping_mul(P64_1);
    for (i, pair) in lanes.chunks_exact(2).enumerate() {
        let at = 11 + 16 * i;
        sum = sum.wrapping_add(fold(pair[0] ^ le64(secret, at), pair[1] ^ le64(secret, at + 8)));
    }
    avalanche(sum)
}
