//! SipHash-2-4 and -1-3 (Aumasson, Bernstein 2012): without the 16-byte secret nobody can predict a digest.
//!
//! C rounds per word of the key, D rounds at the end.

use super::le64;

#[inline]
fn rounds(v: &mut [u64; 4], count: usize) {
    for _ in 0..count {
        v[0] = v[0].wrapping_add(v[1]);
        v[2] = v[2].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].rotate_left(32);
        v[2] = v[2].wrapping_add(v[1]);
        v[0] = v[0].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].rotate_left(32);
    }
}

/// SipHash-C-D of the bytes under a secret.
#[inline]
pub(crate) fn siphash<const C: usize, const D: usize>(key: &[u8], secret: &[u8; 16]) -> u64 {
    let (k0, k1) = (le64(secret, 0), le64(secret, 8));
    let mut v = [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ];
    let words = key.chunks_exact(8);
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    last[7] = key.len() as u8;
    for word in words.map(|bytes| le64(bytes, 0)).chain([u64::from_le_bytes(last)]) {
        v[3] ^= word;
        rounds(&mut v, C);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(&mut v, D);
    v[0] ^ v[1] ^ v[2] ^ v[3]
}
