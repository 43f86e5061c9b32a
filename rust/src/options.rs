//! The target of a filter, and the options for saving and opening one.

use crate::error::Error;
use crate::hash::{OwnHash, Secret};
use alloc::format;

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
/// Bloom::from_bytes_with(&bytes, OpenOptions::default().secret(secret))?;
/// # Ok::<(), seenfilter::Error>(())
/// ```
///
/// More fields may come, so it begins as `OpenOptions::default()`, which says what is to be otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The secret of a keyed file, unless it is stored there.
    pub secret: Option<Secret>,
    /// The function of a file whose hash is its user's own. Its seed does not matter: the file brings one. Files of other
    /// hashes take no notice of it.
    pub own_hash: Option<OwnHash>,
    /// Opens a file that was being written in place and was never sealed: no checksum covers it.
    pub recover: bool,
    /// Refuses files that are longer, from streams and elsewhere, before memory is taken for them.
    pub max_bytes: Option<u64>,
}

impl OpenOptions {
    /// The same with a secret for keyed files.
    #[must_use]
    pub fn secret(mut self, secret: Secret) -> Self {
        self.secret = Some(secret);
        self
    }
    /// The same with a function for files whose hash is their user's own.
    #[must_use]
    pub fn own_hash(mut self, own_hash: OwnHash) -> Self {
        self.own_hash = Some(own_hash);
        self
    }
    /// The same, opening files that were never sealed.
    #[must_use]
    pub fn recover(mut self, recover: bool) -> Self {
        self.recover = recover;
        self
    }
    /// The same with the length of the longest file that is opened.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = Some(max_bytes);
        self
    }

    /// Refuses a file of so many bytes if that is too many.
    pub(crate) fn check_length(&self, bytes: u64) -> Result<(), Error> {
        match self.max_bytes {
            Some(most) if bytes > most => {
                Err(Error::TooLarge(format!("the file has {bytes} bytes; the limit that was given is {most}")))
            }
            _ => Ok(()),
        }
    }
}
