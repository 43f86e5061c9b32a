//! `EngineFilter<E>`: filters whose state is more than bits that are set. What all of them share is here; what changes them is
//! in a file for each family.
//!
//! ```text
//! key ──hash──► digest ──engine──► counters, slots or links of bits, in cells that the filter owns
//!
//! cuckoo         slots          fingerprints that move         add, remove, count; may be full
//! counting       counters       anywhere, or in one line       add, remove, count, merge
//! scalable       links          filters that grow              add, merge
//! binary_fuse    slots          solved once from all keys      build
//! ```
//!
//! An engine (`any::engine`) reads cells, and knows nothing of keys. The same one answers for files whose kind is known at run
//! time only, mapped ones among them: there nothing changes them.

mod binary_fuse;
mod counting;
mod cuckoo;
mod peel;
mod scalable;

use crate::any::engine::{bytes_of, EmptyEngine, OwnEngine};
use crate::batch;
use crate::cells::Memory;
use crate::error::Error;
use crate::files::{check_census, check_index_rule, check_kind, header_for, target_of};
use crate::hash::{Digest, HashFunction, Hasher};
use crate::health::Health;
use crate::key::Key;
use crate::kind::Kind;
use crate::math::sizing;
use crate::native::{self, Header, SliceSource, Source};
use crate::options::{OpenOptions, SaveOptions, Target};
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path;

/// A filter whose state is more than bits that are set.
///
/// Use it by the names [`Cuckoo`](crate::Cuckoo), [`CountingBloom`](crate::CountingBloom),
/// [`BlockedCountingBloom`](crate::BlockedCountingBloom), [`ScalableBloom`](crate::ScalableBloom),
/// [`ScalableClassicBloom`](crate::ScalableClassicBloom) and [`BinaryFuse`](crate::BinaryFuse).
#[derive(Clone, Debug)]
pub struct EngineFilter<E> {
    engine: E,
    memory: Memory,
    hash: Hasher,
    target: Target,
    metadata: Vec<u8>,
}

/// Filters are equal if shape, hash and bytes are; target and metadata do not matter. Filters of the same keys may differ where
/// the kind remembers their order.
impl<E: OwnEngine> PartialEq for EngineFilter<E> {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.engine == other.engine && self.memory == other.memory
    }
}

/// "cuckoo for 1000 keys at fpr 0.01, 1408 bytes": the kind, what it was made for, and its size.
impl<E: OwnEngine> fmt::Display for EngineFilter<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::filter::describe(f, E::KIND, self.target, self.memory.cells().len())
    }
}

/// Making empty filters.
impl<E: EmptyEngine> EngineFilter<E> {
    /// An empty filter for a target, with the default hash.
    ///
    /// # Errors
    /// No filter of the kind can meet the target, or there is no memory for it.
    ///
    /// ```
    /// use seenfilter::{Cuckoo, Target};
    /// let mut sessions = Cuckoo::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// sessions.add("alice")?;
    /// assert!(sessions.may_contain("alice") && !sessions.may_contain("bob"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn new(target: Target) -> Result<Self, Error> {
        Self::with_hash(target, HashFunction::default())
    }

    /// An empty filter for a target, with a hash of your choice.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_hash(target: Target, hash: HashFunction) -> Result<Self, Error> {
        Self::made(E::plan(target)?, hash, target)
    }

    /// An empty filter of a stated shape.
    ///
    /// # Errors
    /// The numbers are no shape, or there is no memory for it.
    ///
    /// ```
    /// use seenfilter::{CountingBloom, CountingBloomShape, HashFunction};
    /// let shape = CountingBloomShape { counters: 9600, probes: 7, counter_bits: 8 };
    /// let filter = CountingBloom::with_shape(shape, HashFunction::default())?;
    /// assert_eq!(filter.shape(), shape);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn with_shape(shape: E::Shape, hash: HashFunction) -> Result<Self, Error> {
        Self::made(shape, hash, Target::default())
    }

    /// An empty filter of a stated shape that remembers a target.
    ///
    /// # Errors
    /// As [`with_shape`](Self::with_shape), or the target is none that a filter can meet.
    pub fn with_shape_for(target: Target, shape: E::Shape, hash: HashFunction) -> Result<Self, Error> {
        sizing::check(target)?;
        Self::made(shape, hash, target)
    }

    fn made(shape: E::Shape, hash: HashFunction, target: Target) -> Result<Self, Error> {
        let engine = E::empty(shape)?;
        let memory = Memory::zeroed(bytes_of(&engine.segments()))?;
        Ok(EngineFilter { engine, memory, hash: Hasher::new(hash), target, metadata: Vec::new() })
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        self.memory.truncate(self.engine.cleared() as usize);
        self.memory.clear();
    }
}

/// Asking.
impl<E: OwnEngine> EngineFilter<E> {
    /// False: certainly never added, or removed. True: added, or a false positive.
    #[inline]
    #[must_use]
    pub fn may_contain<K: Key>(&self, key: K) -> bool {
        self.may_contain_digest(self.hash.digest(key))
    }

    /// The same for a digest.
    #[inline]
    #[must_use]
    pub fn may_contain_digest(&self, digest: Digest) -> bool {
        self.engine.may_contain(self.memory.cells(), digest.0)
    }

    /// The answers for many keys, which is faster than asking for one after another.
    #[must_use]
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        batch::answers(keys, |answers| self.answer(keys, answers))
    }

    /// The same into memory of the caller; returns how many may be present.
    ///
    /// # Panics
    /// If there are not as many answers as keys.
    pub fn may_contain_into<K: Key>(&self, keys: &[K], answers: &mut [bool]) -> usize {
        batch::answers_into(keys, answers, |answers| self.answer(keys, answers))
    }

    fn answer<K: Key>(&self, keys: &[K], answers: &mut [bool]) {
        let body = self.memory.cells();
        batch::for_each_tile(&self.hash, keys, |at, digests| {
            self.engine.may_contain_tile(body, digests, &mut answers[at..at + digests.len()]);
        });
    }

    /// The digest of a key under the hash of this filter.
    #[inline]
    #[must_use]
    pub fn digest<K: Key>(&self, key: K) -> Digest {
        self.hash.digest(key)
    }
}

/// Describing a filter: what it is, and how full.
impl<E: OwnEngine> EngineFilter<E> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        E::KIND
    }
    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> E::Shape {
        self.engine.shape()
    }
    /// Its hash function.
    #[must_use]
    pub fn hash(&self) -> HashFunction {
        self.hash.function()
    }
    /// The target it was made for; zeros if that is unknown.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }
    /// The user's own bytes, kept in files.
    #[must_use]
    pub fn metadata(&self) -> &[u8] {
        &self.metadata
    }
    /// Sets the bytes that files keep for the user, at most 65,536.
    ///
    /// # Errors
    /// There are more of them.
    pub fn set_metadata(&mut self, metadata: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.metadata = native::checked_metadata(metadata.into())?;
        Ok(())
    }
    /// The share of counters, slots or bits that are taken.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.engine.state(self.memory.cells()).fill
    }
    /// How many keys it holds, judged by its fill unless the kind counts them.
    #[must_use]
    pub fn estimated_count(&self) -> f64 {
        self.engine.state(self.memory.cells()).count
    }
    /// The rate of false positives as it is now.
    #[must_use]
    pub fn estimated_fpr(&self) -> f64 {
        self.engine.state(self.memory.cells()).fpr
    }
    /// Whether it is fuller than any plan makes it.
    #[must_use]
    pub fn saturated(&self) -> bool {
        self.engine.state(self.memory.cells()).saturated
    }
    /// Whether it is still what was asked for: saturated, past its capacity or above its rate. It reads all of the filter.
    #[must_use]
    pub fn health(&self) -> Health {
        Health::of(self.engine.state(self.memory.cells()), self.target)
    }
}

/// Where it lies.
#[cfg(feature = "std")]
impl<E: OwnEngine> EngineFilter<E> {
    /// How much of its memory lies in huge pages at the moment, as Linux says it; none elsewhere. Where other memory shares a
    /// mapping with it this is the most that it can have.
    #[must_use]
    pub fn huge_page_bytes(&self) -> Option<u64> {
        let cells = self.memory.cells();
        crate::pages::huge_page_bytes(cells.0.as_ptr() as usize, cells.len())
    }
}

/// Bytes and files.
impl<E: OwnEngine> EngineFilter<E> {
    /// The filter as a native file in memory.
    ///
    /// # Errors
    /// There is no memory for it.
    ///
    /// ```
    /// use seenfilter::{Cuckoo, Target};
    /// let mut sessions = Cuckoo::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// sessions.add("alice")?;
    /// let mut again = Cuckoo::from_bytes(&sessions.to_bytes()?)?;
    /// assert!(again == sessions && again.remove("alice"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(SaveOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), or the alignment is neither 64 nor 4096.
    pub fn to_bytes_with(&self, options: SaveOptions) -> Result<Vec<u8>, Error> {
        native::to_bytes(&self.header(options), &|at, page| self.copy_page(at, page))
    }

    /// Writes the filter as a native file.
    ///
    /// # Errors
    /// The writer refuses.
    #[cfg(feature = "std")]
    pub fn write_to(&self, writer: impl std::io::Write) -> Result<(), Error> {
        self.write_to_with(writer, SaveOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to), or the alignment is neither 64 nor 4096.
    #[cfg(feature = "std")]
    pub fn write_to_with(&self, writer: impl std::io::Write, options: SaveOptions) -> Result<(), Error> {
        crate::stream::write(writer, &self.header(options), &|at, page| self.copy_page(at, page))
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old file or the new one is there, whole.
    ///
    /// # Errors
    /// The system refuses.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path, SaveOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`save`](Self::save), or the alignment is neither 64 nor 4096.
    #[cfg(feature = "std")]
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<(), Error> {
        crate::replace::replace(path.as_ref(), |append| {
            native::encode(&self.header(options), &|at, page: &mut [u8]| self.copy_page(at, page), append)
        })
    }

    /// A filter from the bytes of a native file, all of them checked.
    ///
    /// # Errors
    /// They are no file of this kind, or its hash is not to be had.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_with(bytes, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with(bytes: &[u8], options: OpenOptions) -> Result<Self, Error> {
        Self::read(&mut SliceSource(bytes), options)
    }

    /// Reads a native file from a stream, all of it checked, and no byte that follows it.
    ///
    /// # Errors
    /// The reader refuses or ends early, or it is no file of this kind.
    #[cfg(feature = "std")]
    pub fn read_from(reader: impl std::io::Read) -> Result<Self, Error> {
        Self::read_from_with(reader, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`read_from`](Self::read_from), or it is longer than `max_bytes`.
    #[cfg(feature = "std")]
    pub fn read_from_with(reader: impl std::io::Read, options: OpenOptions) -> Result<Self, Error> {
        Self::from_bytes_with(&crate::stream::read_native(reader, options)?, options)
    }

    /// Loads a native file, all of it checked.
    ///
    /// # Errors
    /// The system refuses, or it is no file of this kind.
    #[cfg(feature = "std")]
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    #[cfg(feature = "std")]
    pub fn load_with(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self, Error> {
        native::FileSource::read_with(path.as_ref(), |source| Self::read(source, options))
    }

    fn read(source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        options.check_length(source.len())?;
        Self::read_body(native::read_header(source, options.recover)?, source, options)
    }

    pub(crate) fn read_body(header: Header, source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        check_kind(&header, E::KIND)?;
        check_index_rule(&header)?;
        let mut engine = E::from_segments(&header.segments).map_err(|e| e.about(E::KIND.name()))?;
        let hash = Hasher::new(header.hash_function(options)?);
        let mut memory = Memory::with_capacity(header.body_bytes)?;
        native::read_body(&header, source, |page| memory.extend_from_bytes(page))?;
        engine.check_padding(memory.cells())?;
        engine.check_content(memory.cells())?;
        let census = engine.census(memory.cells());
        if header.sealed {
            check_census(header.census, census)?;
        }
        engine.opened(memory.cells(), census);
        Ok(EngineFilter { engine, memory, hash, target: target_of(&header), metadata: header.metadata })
    }

    fn header(&self, options: SaveOptions) -> Header {
        let (segments, census) = (self.engine.segments(), self.engine.census(self.memory.cells()));
        header_for(E::KIND, self.hash.function(), self.target, segments, census, &self.metadata, options)
    }

    fn copy_page(&self, at: u64, page: &mut [u8]) {
        let all_there = self.memory.cells().copy(at, page);
        debug_assert!(all_there, "the header describes the body");
    }
}
