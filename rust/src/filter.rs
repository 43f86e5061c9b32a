//! `Filter<Shape, Words>`: what users hold, written once for every kind and every way to hold words.
//!
//! ```text
//! key ──hash──► digest ──shape──► bits ──words──► plain, atomic or mapped memory
//! ```
//!
//! The hash is part of the filter: filters with different hashes are never combined, and a file names its hash. Batches are
//! hashed in tiles, so that the cache misses of many keys overlap.

use crate::batch;
use crate::error::Error;
use crate::hash::{Digest, HashFunction, Hasher};
use crate::health::Health;
use crate::key::Key;
use crate::kind::Kind;
use crate::math::{self, WEAK_FILL};
use crate::options::Target;
use crate::shape::{state_of, Shape};
use crate::words::{LineWords, OwnedWords, Plain, Words, LINE_WORDS};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// A filter: a shape, the bits, and the hash that keys go through.
///
/// Use it by the names [`Bloom`](crate::Bloom), [`BlockedBloom`](crate::BlockedBloom), [`SplitBlock`](crate::SplitBlock),
/// their `Concurrent` twins, which any thread may add to, and their `Mapped` ones, which live in a file.
#[derive(Clone, Debug)]
pub struct Filter<S, W> {
    pub(crate) shape: S,
    pub(crate) words: W,
    pub(crate) hash: Hasher,
    pub(crate) target: Target,
    pub(crate) metadata: Vec<u8>,
}

/// Filters are equal if shape, hash and bits are; target and metadata do not matter.
impl<S: Shape, V: Words, W: Words> PartialEq<Filter<S, V>> for Filter<S, W> {
    fn eq(&self, other: &Filter<S, V>) -> bool {
        self.shape == other.shape
            && self.hash == other.hash
            && (0..self.words.line_count()).all(|i| match (self.words.line(i), other.words.line(i)) {
                (Some(here), Some(there)) => (0..LINE_WORDS).all(|w| here.word(w) == there.word(w)),
                _ => false,
            })
    }
}

/// "bloom for 1000 keys at fpr 0.01, 1216 bytes": the kind, what it was made for, and its size.
impl<S: Shape, W: Words> fmt::Display for Filter<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(f, S::KIND, self.target, self.shape.bytes())
    }
}

/// The sentence that a filter is shown as.
pub(crate) fn describe(f: &mut fmt::Formatter<'_>, kind: Kind, target: Target, bytes: u64) -> fmt::Result {
    f.write_str(kind.name())?;
    if target.capacity != 0 {
        write!(f, " for {}", math::sizing::wish(target))?;
    }
    write!(f, ", {bytes} bytes")
}

/// Making filters.
impl<S: Shape, W: OwnedWords> Filter<S, W> {
    /// An empty filter for a target, with the default hash.
    ///
    /// # Errors
    /// No filter of the kind can meet the target, or there is no memory for it.
    ///
    /// ```
    /// use seenfilter::{BlockedBloom, Target};
    /// let mut visited = BlockedBloom::new(Target { capacity: 1_000_000, fpr: 0.01 })?;
    /// visited.add("alice");
    /// assert!(visited.may_contain("alice"));
    /// assert!(!visited.may_contain("bob"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn new(target: Target) -> Result<Self, Error> {
        Self::with_hash(target, HashFunction::default())
    }

    /// An empty filter for a target, with a hash of your choice.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use seenfilter::{Bloom, HashFunction, Target};
    /// let filter = Bloom::with_hash(Target { capacity: 1000, fpr: 0.01 }, HashFunction::Xxh3Fold { seed: 42 })?;
    /// assert_eq!(filter.hash().seed(), 42);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn with_hash(target: Target, hash: HashFunction) -> Result<Self, Error> {
        Self::made(S::plan(target)?, hash, target)
    }

    /// An empty filter of a stated shape.
    ///
    /// # Errors
    /// The numbers are no shape, or there is no memory for it.
    ///
    /// ```
    /// use seenfilter::{Bloom, BloomShape, HashFunction};
    /// let filter = Bloom::with_shape(BloomShape { bits: 9600, probes: 7 }, HashFunction::default())?;
    /// assert_eq!(filter.shape().bits, 9600);
    /// assert!(Bloom::with_shape(BloomShape { bits: 9600, probes: 31 }, HashFunction::default()).is_err());
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn with_shape(shape: S, hash: HashFunction) -> Result<Self, Error> {
        Self::made(S::from_fields(&shape.fields())?, hash, Target::default())
    }

    /// An empty filter of a stated shape that remembers a target.
    ///
    /// # Errors
    /// As [`with_shape`](Self::with_shape), or the target is none that a filter can meet.
    ///
    /// ```
    /// use seenfilter::{BlockedBloom, BlockedBloomShape, HashFunction, Target};
    /// let target = Target { capacity: 300, fpr: 0.02 };
    /// let shape = BlockedBloomShape::plan_with_probes(target, 16)?;
    /// let filter = BlockedBloom::with_shape_for(target, shape, HashFunction::default())?;
    /// assert_eq!(filter.target(), target);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn with_shape_for(target: Target, shape: S, hash: HashFunction) -> Result<Self, Error> {
        math::sizing::check(target)?;
        Self::made(S::from_fields(&shape.fields())?, hash, target)
    }

    fn made(shape: S, hash: HashFunction, target: Target) -> Result<Self, Error> {
        let words = W::zeroed(shape.line_count())?;
        Ok(Filter { shape, words, hash: Hasher::new(hash), target, metadata: Vec::new() })
    }
}

/// Asking.
impl<S: Shape, W: Words> Filter<S, W> {
    /// False: certainly never added. True: added, or a false positive.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// filter.add(&42);
    /// assert!(filter.may_contain(&42) && !filter.may_contain("42"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    #[inline]
    pub fn may_contain<K: Key>(&self, key: K) -> bool {
        self.may_contain_digest(self.hash.digest(key))
    }

    /// The same for a digest.
    #[inline]
    pub fn may_contain_digest(&self, digest: Digest) -> bool {
        self.shape.may_contain(&self.words, digest.0)
    }

    /// The answers for many keys, which is faster than asking for one after another.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// filter.add("alice");
    /// assert_eq!(filter.may_contain_many(&["alice", "bob"]), [true, false]);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        batch::answers(keys, |answers| self.answer(keys, answers))
    }

    /// The same into memory of the caller; returns how many may be present.
    ///
    /// # Panics
    /// If there are not as many answers as keys.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// filter.add(&2);
    /// let mut answers = [false; 3];
    /// assert_eq!(filter.may_contain_into(&[1, 2, 3], &mut answers), 1);
    /// assert_eq!(answers, [false, true, false]);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn may_contain_into<K: Key>(&self, keys: &[K], answers: &mut [bool]) -> usize {
        batch::answers_into(keys, answers, |answers| self.answer(keys, answers))
    }

    fn answer<K: Key>(&self, keys: &[K], answers: &mut [bool]) {
        batch::for_each_tile(&self.hash, keys, |at, digests| {
            self.shape.may_contain_tile(&self.words, digests, &mut answers[at..at + digests.len()]);
        });
    }

    /// The digest of a key under the hash of this filter.
    #[inline]
    pub fn digest<K: Key>(&self, key: K) -> Digest {
        self.hash.digest(key)
    }
}

/// Describing a filter: what it is, and how full.
impl<S: Shape, W: Words> Filter<S, W> {
    /// Its shape, which [`with_shape`](Self::with_shape) takes.
    pub fn shape(&self) -> S {
        self.shape
    }
    /// Its hash function.
    pub fn hash(&self) -> HashFunction {
        self.hash.function()
    }
    /// The target it was made for; zeros if that is unknown.
    pub fn target(&self) -> Target {
        self.target
    }
    /// The user's own bytes, kept in files.
    pub fn metadata(&self) -> &[u8] {
        &self.metadata
    }
    /// Sets the bytes that files keep for the user, at most 65,536.
    ///
    /// # Errors
    /// There are more of them.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.set_metadata("made on Monday")?;
    /// assert_eq!(Bloom::from_bytes(&filter.to_bytes()?)?.metadata(), b"made on Monday");
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn set_metadata(&mut self, metadata: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.metadata = crate::native::checked_metadata(metadata.into())?;
        Ok(())
    }
    /// The number of set bits.
    pub fn set_bits(&self) -> u64 {
        self.words.count_ones()
    }
    /// The share of the bits that are set; about one half at capacity.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// filter.add_many(&(0..1000).collect::<Vec<_>>());
    /// assert!((filter.fill() - 0.5).abs() < 0.05);
    /// assert!((filter.estimated_count() - 1000.0).abs() < 50.0);
    /// assert!(filter.estimated_fpr() < 0.02);
    /// assert!(!filter.saturated());
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn fill(&self) -> f64 {
        math::share(self.set_bits(), self.shape.bits())
    }
    /// How many different keys it holds, judged by its fill. The estimate is weak once saturated, and infinite when full.
    pub fn estimated_count(&self) -> f64 {
        math::estimated_count(self.set_bits(), self.shape.bits(), self.shape.throws_per_key())
    }
    /// The rate of false positives as the bits are now.
    pub fn estimated_fpr(&self) -> f64 {
        self.shape.rate(&self.words, self.set_bits())
    }
    /// Whether more than 0.7 of the bits are set: the rate is then far above plan, and estimates are weak.
    pub fn saturated(&self) -> bool {
        self.fill() > WEAK_FILL
    }
    /// Whether it is still what was asked for: saturated, past its capacity or above its rate. It reads all bits.
    pub fn health(&self) -> Health {
        Health::of(state_of(&self.shape, &self.words), self.target)
    }
    /// How much of its memory lies in huge pages at the moment, as Linux says it; none elsewhere. Where other memory shares a
    /// mapping with it this is the most that it can have.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn huge_page_bytes(&self) -> Option<u64> {
        let first = self.words.line(0).map_or(0, |line| line as *const W::Line as usize);
        crate::pages::huge_page_bytes(first, self.shape.bytes())
    }
    /// A plain copy. It holds every key whose add to a concurrent filter happened before.
    ///
    /// # Errors
    /// There is no memory for it.
    ///
    /// ```
    /// use seenfilter::{ConcurrentBloom, Target};
    /// let shared = ConcurrentBloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// shared.add("alice");
    /// assert!(shared.snapshot()?.may_contain("alice"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn snapshot(&self) -> Result<Filter<S, Plain>, Error> {
        Ok(self.with_words(Plain::copy_of(&self.words)?))
    }

    pub(crate) fn with_words<V>(&self, words: V) -> Filter<S, V> {
        let metadata = self.metadata.clone();
        Filter { shape: self.shape, words, hash: self.hash, target: self.target, metadata }
    }

    pub(crate) fn check_same<V: Words>(&self, what: &str, other: &Filter<S, V>) -> Result<(), Error> {
        for ((name, here), there) in S::FIELD_NAMES.iter().zip(self.shape.fields()).zip(other.shape.fields()) {
            if here != there {
                return Err(Error::Incompatible(format!("{what}: {name} differ: {here} here, {there} there")));
            }
        }
        check_same_hash(what, &self.hash, &other.hash)
    }
}

/// Refuses to combine filters whose hashes differ.
pub(crate) fn check_same_hash(what: &str, here: &Hasher, there: &Hasher) -> Result<(), Error> {
    match here.function().difference(&there.function()) {
        Some(difference) => Err(Error::Incompatible(format!("{what}: {difference}"))),
        None => Ok(()),
    }
}
