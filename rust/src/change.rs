//! The methods that change a filter: adding, combining, clearing. They are written once, for `&mut self` and plain words, and for
//! `&self` and atomic ones.

use crate::batch::{for_each_digest, for_each_tile};
use crate::error::Error;
use crate::filter::Filter;
use crate::hash::Digest;
use crate::key::Key;
use crate::shape::Shape;
#[cfg(target_has_atomic = "64")]
use crate::words::{OwnedWords, Shared};
use crate::words::{Plain, Words, WordsMut, LINE_WORDS};
use core::ops::{BitAnd, BitOr};

// Everything that changes a filter, once for `&mut self` and plain words, once for `&self` and atomic ones.
macro_rules! changes {
    ($words:ty, [$($reference:tt)+], $self:ident, $access:expr, $maker:ident) => {
        impl<S: Shape> Filter<S, $words> {
            /// Adds a key.
            ///
            /// ```
            #[doc = concat!("use seenfilter::{", stringify!($maker), ", Target};")]
            #[doc = concat!("let mut filter = ", stringify!($maker), "::new(Target { capacity: 1000, fpr: 0.01 })?;")]
            /// filter.add("alice");
            /// filter.add(&[1u8, 2, 3]);
            /// filter.add(&-7);
            /// assert!(filter.may_contain(&-7));
            /// # #[allow(unused_mut)] fn unused() {}
            /// # Ok::<(), seenfilter::Error>(())
            /// ```
            #[inline]
            pub fn add<K: Key>($($reference)+ $self, key: K) {
                let digest = $self.hash.digest(key);
                $self.add_digest(digest);
            }

            /// Adds a digest.
            #[inline]
            pub fn add_digest($($reference)+ $self, digest: Digest) {
                let shape = $self.shape;
                shape.add($access, digest.0);
            }

            /// Adds many keys.
            pub fn add_many<K: Key>($($reference)+ $self, keys: &[K]) {
                let (shape, hash) = ($self.shape, $self.hash);
                for_each_tile(&hash, keys, |_, digests| {
                    for &digest in digests {
                        shape.add($access, digest);
                    }
                });
            }

            /// Adds a key and returns whether it may have been present before. Of threads that race to add a new key, at
            /// least one is told false.
            ///
            /// ```
            #[doc = concat!("use seenfilter::{", stringify!($maker), ", Target};")]
            #[doc = concat!("let mut filter = ", stringify!($maker), "::new(Target { capacity: 1000, fpr: 0.01 })?;")]
            /// assert!(!filter.test_and_add("alice"));
            /// assert!(filter.test_and_add("alice"));
            /// # #[allow(unused_mut)] fn unused() {}
            /// # Ok::<(), seenfilter::Error>(())
            /// ```
            #[inline]
            pub fn test_and_add<K: Key>($($reference)+ $self, key: K) -> bool {
                let (shape, digest) = ($self.shape, $self.hash.digest(key));
                shape.test_and_add($access, digest.0)
            }

            /// Returns whether a key may be present, and adds it only if it is not: a key that may be there costs no write.
            #[inline]
            pub fn test_or_add<K: Key>($($reference)+ $self, key: K) -> bool {
                let digest = $self.hash.digest(key);
                if $self.may_contain_digest(digest) {
                    return true;
                }
                $self.add_digest(digest);
                false
            }

            /// Adds all keys of another filter of the same shape and hash.
            ///
            /// # Errors
            /// [`Error::Incompatible`]: shape or hash differ, and nothing has changed.
            ///
            /// ```
            #[doc = concat!("use seenfilter::{", stringify!($maker), ", Target};")]
            #[doc = concat!("let mut here = ", stringify!($maker), "::new(Target { capacity: 1000, fpr: 0.01 })?;")]
            #[doc = concat!("let mut there = ", stringify!($maker), "::new(Target { capacity: 1000, fpr: 0.01 })?;")]
            /// there.add("alice");
            /// here.merge(&there)?;
            /// assert!(here.may_contain("alice"));
            #[doc = concat!("let other = ", stringify!($maker), "::new(Target { capacity: 1001, fpr: 0.01 })?;")]
            /// assert_eq!(here.merge(&other).unwrap_err().to_string(), "merge: bits differ: 9586 here, 9595 there");
            /// # #[allow(unused_mut)] fn unused() {}
            /// # Ok::<(), seenfilter::Error>(())
            /// ```
            pub fn merge<V: Words>($($reference)+ $self, other: &Filter<S, V>) -> Result<(), Error> {
                $self.check_same("merge", other)?;
                for_each_word(&other.words, |i, bits| WordsMut::set($access, i, bits));
                Ok(())
            }

            /// Keeps the keys that another filter of the same shape and hash holds too. Some other keys may stay.
            ///
            /// # Errors
            /// [`Error::Incompatible`]: shape or hash differ, and nothing has changed.
            pub fn intersect<V: Words>($($reference)+ $self, other: &Filter<S, V>) -> Result<(), Error> {
                $self.check_same("intersect", other)?;
                for_each_word(&other.words, |i, bits| WordsMut::keep($access, i, bits));
                Ok(())
            }

            /// Takes all keys out. While it runs, what other threads look up or add is unspecified.
            pub fn clear($($reference)+ $self) {
                for i in 0..$self.words.line_count() * LINE_WORDS {
                    WordsMut::keep($access, i, 0);
                }
            }
        }
    };
}

changes!(Plain, [&mut], self, &mut self.words, Bloom);
#[cfg(target_has_atomic = "64")]
changes!(Shared, [&], self, &mut &self.words, ConcurrentBloom);

fn for_each_word<W: Words>(words: &W, mut use_word: impl FnMut(usize, u64)) {
    for i in 0..words.line_count() * LINE_WORDS {
        use_word(i, words.word(i));
    }
}

/// Adds every key, hashed a tile at a time.
///
/// ```
/// use seenfilter::{Bloom, Target};
/// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
/// filter.extend((0..10).map(|i| format!("user-{i}")));
/// assert!(filter.may_contain("user-7"));
/// # Ok::<(), seenfilter::Error>(())
/// ```
impl<S: Shape, K: Key> Extend<K> for Filter<S, Plain> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let (shape, words) = (self.shape, &mut self.words);
        for_each_digest(&self.hash, keys, |digest| shape.add(words, digest));
    }
}

/// Through a shared reference: that is the point of them.
///
/// ```
/// use seenfilter::{ConcurrentBloom, Target};
/// let filter = ConcurrentBloom::new(Target { capacity: 1000, fpr: 0.01 })?;
/// (&filter).extend(["alice", "bob"]);
/// assert!(filter.may_contain("bob"));
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[cfg(target_has_atomic = "64")]
impl<S: Shape, K: Key> Extend<K> for &Filter<S, Shared> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let (shape, mut words) = (self.shape, &self.words);
        for_each_digest(&self.hash, keys, |digest| shape.add(&mut words, digest));
    }
}

/// New filters of two.
impl<S: Shape, W: Words> Filter<S, W> {
    /// A filter of all keys of both, which must have the same shape and hash; it has the target and metadata of this one.
    ///
    /// # Errors
    /// [`Error::Incompatible`]: shape or hash differ. Or there is no memory.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let target = Target { capacity: 1000, fpr: 0.01 };
    /// let (mut here, mut there) = (Bloom::new(target)?, Bloom::new(target)?);
    /// here.add("alice");
    /// there.add("bob");
    /// assert!(here.united(&there)?.may_contain("bob"));
    /// assert_eq!((&here | &there)?, here.united(&there)?);
    /// assert!(!(&here & &there)?.may_contain("bob"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn united<V: Words>(&self, other: &Filter<S, V>) -> Result<Filter<S, Plain>, Error> {
        self.check_same("united", other)?;
        let mut both = self.snapshot()?;
        both.merge(other)?;
        Ok(both)
    }

    /// A filter of the keys that both hold, and perhaps some others; it has the target and metadata of this one.
    ///
    /// # Errors
    /// As [`united`](Self::united).
    pub fn intersected<V: Words>(&self, other: &Filter<S, V>) -> Result<Filter<S, Plain>, Error> {
        self.check_same("intersected", other)?;
        let mut both = self.snapshot()?;
        both.intersect(other)?;
        Ok(both)
    }
}

/// `&a | &b` is [`a.united(&b)`](Filter::united).
impl<S: Shape, V: Words, W: Words> BitOr<&Filter<S, V>> for &Filter<S, W> {
    type Output = Result<Filter<S, Plain>, Error>;
    fn bitor(self, other: &Filter<S, V>) -> Self::Output {
        self.united(other)
    }
}

/// `&a & &b` is [`a.intersected(&b)`](Filter::intersected).
impl<S: Shape, V: Words, W: Words> BitAnd<&Filter<S, V>> for &Filter<S, W> {
    type Output = Result<Filter<S, Plain>, Error>;
    fn bitand(self, other: &Filter<S, V>) -> Self::Output {
        self.intersected(other)
    }
}

#[cfg(target_has_atomic = "64")]
impl<S: Shape> Filter<S, Plain> {
    /// The same filter for many threads.
    pub fn into_concurrent(self) -> Filter<S, Shared> {
        let Filter { shape, words, hash, target, metadata } = self;
        Filter { shape, words: Shared::from_plain(words), hash, target, metadata }
    }
}
