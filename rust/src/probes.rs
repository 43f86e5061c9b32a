//! The probes of a classic Bloom filter, of one key and of a tile of keys: index rule 1.
//!
//! ```text
//! digest x ──► x·C⁰  x·C¹  x·C² …  ──► position i is the high word of (x·Cⁱ)·m
//! ```
//!
//! Testing probe by probe mispredicts a branch for every absent key; testing all k loads words in vain. Four at a time without
//! a branch is the best of both: at half fill 15 of 16 absent keys end after the first four. The powers of C are constants,
//! so that no position waits for the one before it.
//!
//! A tile goes through the probes in two stages, so that the misses of many keys overlap: two probes of every key, and
//! then all others at once of the keys that are left.
//!
//! ```text
//! 256 keys ── 2 probes ──► 256 present, or 64 absent ── k − 2 probes ──► answers
//! ```

use crate::batch::TILE;
use crate::math::mulhi;
use crate::words::{Words, WordsMut};

/// The factor that takes the number of one position to the next.
pub(crate) const CHAIN: u64 = 0xf135_7aea_2e62_a9c5;

/// The most probes that are tested without a branch between them.
const GROUP: usize = 8;

const POWERS: [u64; GROUP + 1] = {
    let mut powers = [1; GROUP + 1];
    let mut i = 1;
    while i <= GROUP {
        powers[i] = CHAIN.wrapping_mul(powers[i - 1]);
        i += 1;
    }
    powers
};

/// Position `i`, below `GROUP`, counted from the one whose number is `x`.
#[inline]
fn position(x: u64, i: usize, bits: u64) -> u64 {
    mulhi(x.wrapping_mul(POWERS[i]), bits)
}

/// Whether the next `N` bits of a key are all set. No branch: the loads overlap.
#[inline]
fn all_set<const N: usize, W: Words>(words: &W, bits: u64, x: u64) -> bool {
    let mut all = 1;
    for i in 0..N {
        let at = position(x, i, bits);
        all &= words.word((at / 64) as usize) >> (at % 64);
    }
    all & 1 == 1
}

/// Calls `$function::<N, W>` for a number `$count` of probes, up to `GROUP`, that is known only now.
macro_rules! with_count {
    ($count:expr, $function:ident::<_, $words:ident>($($argument:expr),*)) => {
        match $count {
            0 => $function::<0, $words>($($argument),*),
            1 => $function::<1, $words>($($argument),*),
            2 => $function::<2, $words>($($argument),*),
            3 => $function::<3, $words>($($argument),*),
            4 => $function::<4, $words>($($argument),*),
            5 => $function::<5, $words>($($argument),*),
            6 => $function::<6, $words>($($argument),*),
            7 => $function::<7, $words>($($argument),*),
            _ => $function::<GROUP, $words>($($argument),*),
        }
    };
}

/// Whether all bits of a key are set.
#[inline]
pub(crate) fn lookup<W: Words>(words: &W, bits: u64, probes: u32, digest: u64) -> bool {
    let mut x = digest;
    let mut left = probes;
    while left >= 4 {
        if !all_set::<4, W>(words, bits, x) {
            return false;
        }
        x = x.wrapping_mul(POWERS[4]);
        left -= 4;
    }
    match left {
        0 => true,
        1 => all_set::<1, W>(words, bits, x),
        2 => all_set::<2, W>(words, bits, x),
        _ => all_set::<3, W>(words, bits, x),
    }
}

/// A key of a tile that may still be in: the number of its next position, and which one it is.
type Candidate = (u64, u16);

/// Keeps the candidates whose next `N` bits are set; returns how many they are. No branch decides.
#[inline]
fn stage<const N: usize, W: Words>(words: &W, bits: u64, candidates: &mut [Candidate]) -> usize {
    let mut kept = 0;
    for i in 0..candidates.len() {
        let (x, key) = candidates[i];
        candidates[kept] = (x.wrapping_mul(POWERS[N]), key);
        kept += usize::from(all_set::<N, W>(words, bits, x));
    }
    kept
}

/// The answers for a tile.
pub(crate) fn lookup_tile<W: Words>(words: &W, bits: u64, probes: u32, digests: &[u64], answers: &mut [bool]) {
    let mut candidates: [Candidate; TILE] = [(0, 0); TILE];
    for (i, (candidate, &digest)) in candidates.iter_mut().zip(digests).enumerate() {
        *candidate = (digest, i as u16);
    }
    let mut count = digests.len().min(TILE);
    let mut left = probes as usize;
    let mut next = 2;
    while left != 0 {
        let now = left.min(next);
        count = with_count!(now, stage::<_, W>(words, bits, &mut candidates[..count]));
        left -= now;
        next = GROUP;
    }
    answers.fill(false);
    for &(_, key) in &candidates[..count] {
        if let Some(answer) = answers.get_mut(usize::from(key)) {
            *answer = true;
        }
    }
}

/// Sets the next `N` bits of a key. If words are shared, a key that is there already costs no write.
#[inline]
fn set_all<const N: usize, W: WordsMut>(words: &mut W, bits: u64, x: u64) {
    if W::IS_SHARED && all_set::<N, W>(words, bits, x) {
        return;
    }
    for i in 0..N {
        let at = position(x, i, bits);
        words.set((at / 64) as usize, 1 << (at % 64));
    }
}

/// Sets all bits of a key.
#[inline]
pub(crate) fn add<W: WordsMut>(words: &mut W, bits: u64, probes: u32, digest: u64) {
    let mut x = digest;
    let mut left = probes;
    while left >= 4 {
        set_all::<4, W>(words, bits, x);
        x = x.wrapping_mul(POWERS[4]);
        left -= 4;
    }
    match left {
        0 => {}
        1 => set_all::<1, W>(words, bits, x),
        2 => set_all::<2, W>(words, bits, x),
        _ => set_all::<3, W>(words, bits, x),
    }
}
