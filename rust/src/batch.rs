//! Many keys at once: a tile of them is hashed before the first is asked for or added, so that their cache misses overlap.

use crate::hash::Hasher;
use crate::key::Key;
use alloc::vec;
use alloc::vec::Vec;

/// Keys of a tile: enough to fill a core's miss buffers several times, few enough for its first-level cache.
pub(crate) const TILE: usize = 256;

/// Hashes keys, a tile at a time, and hands the digests on with the number of the first.
#[inline]
pub(crate) fn for_each_tile<K: Key>(hash: &Hasher, keys: &[K], use_tile: impl FnMut(usize, &[u64])) {
    for_each_tile_of::<_, _, TILE>(keys, |some, digests| hash.digest_tile(some, digests), use_tile);
}

/// The same for tiles of another size, whose elements need not be keys.
#[inline]
pub(crate) fn for_each_tile_of<K, D: Copy + Default, const N: usize>(
    keys: &[K],
    hash_tile: impl Fn(&[K], &mut [D]),
    mut use_tile: impl FnMut(usize, &[D]),
) {
    let mut digests = [D::default(); N];
    for (tile, some) in keys.chunks(N).enumerate() {
        hash_tile(some, &mut digests);
        use_tile(tile * N, &digests[..some.len()]);
    }
}

/// Hashes the keys of an iterator, a tile at a time, and hands on one digest after the other.
#[inline]
pub(crate) fn for_each_digest<K: Key>(
    hash: &Hasher,
    keys: impl IntoIterator<Item = K>,
    mut use_digest: impl FnMut(u64),
) {
    let mut digests = [0; TILE];
    let mut count = 0;
    for key in keys {
        digests[count] = hash.digest(&key).0;
        count += 1;
        if count == TILE {
            digests.iter().for_each(|&digest| use_digest(digest));
            count = 0;
        }
    }
    digests[..count].iter().for_each(|&digest| use_digest(digest));
}

/// The answers that `ask` writes for these keys.
#[inline]
pub(crate) fn answers<K>(keys: &[K], ask: impl FnOnce(&mut [bool])) -> Vec<bool> {
    let mut answers = vec![false; keys.len()];
    ask(&mut answers);
    answers
}

/// The same into memory of the caller, and how many may be present.
///
/// # Panics
/// If there are not as many answers as keys.
#[inline]
pub(crate) fn answers_into<K>(keys: &[K], answers: &mut [bool], ask: impl FnOnce(&mut [bool])) -> usize {
    assert_eq!(keys.len(), answers.len(), "as many answers as keys");
    ask(answers);
    answers.iter().filter(|&&answer| answer).count()
}
