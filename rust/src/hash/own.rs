//! A hash function that is not written here: its user's own, known by a number and by what it makes of a fixed sentence.
//!
//! ```text
//! number ≥ 0x8000, function, seed ──► OwnHash ──HashFunction::Own──► filter ──► file: number, seed, check value
//!                                        └──OpenOptions::own_hash──► the same number, the same check value: it opens
//! ```
//!
//! It is a pointer to a function, not a boxed closure, so that a [`HashFunction`](crate::HashFunction) stays a small value that
//! is copied, without an allocator. What such a function depends on is in its seed, which the file keeps.

use super::CHECK_KEY;
use crate::error::Error;
use alloc::format;
use core::fmt;

/// The first number that belongs to users.
pub(crate) const FIRST_OWN: u16 = 0x8000;

/// From a key and a seed to a digest.
type Sum = fn(&[u8], u64) -> u64;

/// A hash function of your own, with a number that you choose.
///
/// The file of a filter stores the number, the seed and what the function makes of a fixed sentence. It is opened with a
/// function of the same number that makes the same of the sentence; without one, or with another, the error is
/// [`Error::WrongHash`]. The same function in C++ or Go, by the same number, opens the same files.
///
/// All 64 bits of the digest must be good: a poor function raises the rate of false positives. The function must always make
/// the same digest of a key. It has no secret: for keys that strangers choose, take a SipHash.
///
/// ```
/// use seenfilter::{Bloom, Error, HashFunction, OpenOptions, OwnHash, Target};
///
/// // Keys that are uniform already (the first 8 bytes of a SHA-256, say) need no second hash.
/// fn prefix(key: &[u8], seed: u64) -> u64 {
///     key.get(..8).map_or(0, |first| u64::from_le_bytes(first.try_into().unwrap())) ^ seed
/// }
///
/// let own = OwnHash::new(0x8001, prefix)?;
/// let mut blobs = Bloom::with_hash(Target { capacity: 1000, fpr: 0.01 }, HashFunction::Own(own))?;
/// blobs.add(b"\x8f\x43\x43\x46\x64\x8f\x6b\x96 and so on");
/// let bytes = blobs.to_bytes()?;
///
/// assert!(matches!(Bloom::from_bytes(&bytes), Err(Error::WrongHash(_))));
/// let opened = Bloom::from_bytes_with(&bytes, OpenOptions::default().own_hash(own))?;
/// assert_eq!(opened, blobs);
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct OwnHash {
    id: u16,
    seed: u64,
    sum: Sum,
}

impl OwnHash {
    /// A function by its number, from 0x8000 up, with seed 0. It makes the digest of a key and of a seed, which it may ignore.
    ///
    /// # Errors
    /// The number is below 0x8000: those are for built-in functions.
    pub fn new(id: u16, sum: fn(&[u8], u64) -> u64) -> Result<Self, Error> {
        if id < FIRST_OWN {
            return Err(Error::InvalidArgument(format!(
                "a hash of your own has a number from {FIRST_OWN:#x} up, not {id:#x}"
            )));
        }
        Ok(OwnHash { id, seed: 0, sum })
    }

    /// The same function with another seed. A file that is opened brings its own.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        OwnHash { seed, ..self }
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u16 {
        self.id
    }

    /// Its seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    #[inline]
    pub(super) fn digest(&self, key: &[u8]) -> u64 {
        (self.sum)(key, self.seed)
    }
}

/// Functions cannot be compared: two are taken for the same if their numbers, seeds and check values are.
impl PartialEq for OwnHash {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.seed == other.seed && self.digest(CHECK_KEY) == other.digest(CHECK_KEY)
    }
}

impl Eq for OwnHash {}

impl fmt::Debug for OwnHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnHash {{ id: {:#x}, seed: {} }}", self.id, self.seed)
    }
}

impl From<OwnHash> for super::HashFunction {
    fn from(own: OwnHash) -> Self {
        super::HashFunction::Own(own)
    }
}
