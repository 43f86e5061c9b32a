//! The target of a filter, and the options for saving and opening one.

use crate::hash::{OwnHash, Secret};

/// What a filter is made for: a number of keys, and a rate of false positives.
///
/// ```
/// use seenfilter::Target;
/// let target = Target { capacity: 1_000_000, fpr: 0.01 };
/// # let _ = target;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// Keys, from 1 up. In the target of an opened file 0 means unknown.
    pub capacity: u64,
    /// The probability that an absent key is said to be present, strictly between 0 and 1. In the target of an opened file 0
    /// means unknown.
    pub fpr: f64,
}

/// How a native file is written.
///
/// ```
/// use seenfilter::{Bloom, SaveOptions, Target};
/// let filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
/// let bytes = filter.to_bytes_with(SaveOptions { alignment: 4096, ..SaveOptions::default() })?;
/// assert_eq!(Bloom::from_bytes(&bytes)?, filter);
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaveOptions {
    /// Where the body begins: at a multiple of 64 bytes, or of 4096 so that whole pages can be mapped.
    pub alignment: u64,
    /// Writes the secret of a keyed hash into the file: whoever reads it can then forge keys.
    pub store_secret: bool,
}

impl Default for SaveOptions {
    fn default() -> Self {
        SaveOptions { alignment: 64, store_secret: false }
    }
}

/// How a file is opened.
///
/// ```
/// use seenfilter::{Bloom, Error, HashFunction, OpenOptions, Secret, Target};
/// let secret = Secret([7; 16]);
/// let target = Target { capacity: 100, fpr: 0.01 };
/// let filter = Bloom::with_hash(target, HashFunction::SipHash13 { secret })?;
/// let bytes = filter.to_bytes()?;
/// assert!(matches!(Bloom::from_bytes(&bytes), Err(Error::SecretRequired(_))));
/// Bloom::from_bytes_with(&bytes, OpenOptions { secret: Some(secret), ..OpenOptions::default() })?;
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// The secret of a keyed file, unless it is stored there.
    pub secret: Option<Secret>,
    /// The function of a file whose hash is its user's own. Its seed does not matter: the file brings one. Files of other
    /// hashes take no notice of it.
    pub own_hash: Option<OwnHash>,
    /// Opens a file that was being written in place and was never sealed: no checksum covers it.
    pub recover: bool,
}
