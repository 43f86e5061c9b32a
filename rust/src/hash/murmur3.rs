//! MurmurHash3 x64-128 (Austin Appleby, public domain algorithm), the hash of bits-and-blooms and phrozen.
//!
//! ```text
//! 16 bytes ─► k1, k2       h1 ^= k1·C1 rotl 31 ·C2;  h1 = (h1 rotl 27 + h2)·5 + 0x52dce729
//!                          h2 ^= k2·C2 rotl 33 ·C1;  h2 = (h2 rotl 31 + h1)·5 + 0x38495ab5
//! the last 0 to 15 bytes, zero-filled, only do the xor; then the length, and both words are finalised
//! ```
//!
//! A native digest is the first of the two words; other libraries use both, and those of the key with a byte appended.

use super::le64;

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

#[inline]
fn mix1(word: u64) -> u64 {
    word.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

#[inline]
fn mix2(word: u64) -> u64 {
    word.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

#[inline]
fn fmix(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// The hash in the making: whole blocks first, then what is left of the key.
#[derive(Clone, Copy)]
struct State {
    h1: u64,
    h2: u64,
}

impl State {
    #[inline]
    fn absorb(&mut self, block: &[u8]) {
        self.h1 ^= mix1(le64(block, 0));
        self.h1 = self.h1.rotate_left(27).wrapping_add(self.h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        self.h2 ^= mix2(le64(block, 8));
        self.h2 = self.h2.rotate_left(31).wrapping_add(self.h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }

    // `tail` are the last bytes, zero-filled: a word of zeros mixes to zero, so missing words need no care.
    #[inline]
    fn finish(self, tail: &[u8; 16], length: usize) -> [u64; 2] {
        let mut a = self.h1 ^ mix1(le64(tail, 0)) ^ length as u64;
        let mut b = self.h2 ^ mix2(le64(tail, 8)) ^ length as u64;
        a = a.wrapping_add(b);
        b = b.wrapping_add(a);
        a = fmix(a);
        b = fmix(b);
        a = a.wrapping_add(b);
        [a, b.wrapping_add(a)]
    }
}

// The state after all whole blocks, and the rest, zero-filled.
#[inline]
fn absorb_blocks(key: &[u8], seed: u64) -> (State, [u8; 16]) {
    let mut state = State { h1: seed, h2: seed };
    let blocks = key.chunks_exact(16);
    let mut tail = [0; 16];
    tail[..blocks.remainder().len()].copy_from_slice(blocks.remainder());
    for block in blocks {
        state.absorb(block);
    }
    (state, tail)
}

/// Both words of MurmurHash3 x64-128. The usual seed has 32 bits; some libraries start from a whole word.
#[inline]
pub(crate) fn murmur3_x64_128(key: &[u8], seed: u64) -> [u64; 2] {
    let (state, tail) = absorb_blocks(key, seed);
    state.finish(&tail, key.len())
}

/// The words of a key, and those of the key with a byte 1 after it, seed 0. The blocks are read once.
// bits-and-blooms uses these.
#[inline]
pub(crate) fn murmur3_x64_128_four_words(key: &[u8]) -> [u64; 4] {
    let (mut state, mut tail) = absorb_blocks(key, 0);
    let [a, b] = state.finish(&tail, key.len());
    let left = key.len() % 16;
    tail[left] = 1;
    if left == 15 {
        state.absorb(&tail);
        tail = [0; 16];
    }
    let [c, d] = state.finish(&tail, key.len() + 1);
    [a, b, c, d]
}
