//! Filters whose kind is known at run time only, because a file says it.
//!
//! ```text
//! bytes ──magic──► native ──kind──► a filter of a type of its own       the kinds that are made here
//!            │                 └──► an engine that only answers         the other kinds, and everything that is mapped
//!            └────► another library's: interop
//! ```

pub(crate) mod chain;
pub(crate) mod counting;
pub(crate) mod cuckoo;
pub(crate) mod engine;
mod quotient;
mod read_only;
mod ribbon;
pub(crate) mod shards;
pub(crate) mod slots;

pub use read_only::ReadOnly;

use crate::error::Error;
use crate::health::Health;
use crate::interop::ForeignBloom;
use crate::key::Key;
use crate::kind::Kind;
use crate::native::{self, SliceSource, Source};
use crate::options::{OpenOptions, SaveOptions, Target};
use crate::{
    BinaryFuse, BlockedBloom, BlockedCountingBloom, Bloom, CountingBloom, Cuckoo, ScalableBloom, ScalableClassicBloom,
    SplitBlock,
};
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path;

/// The filter of any file.
///
/// ```
/// use seenfilter::{AnyFilter, BlockedBloom, Kind, Target};
/// let mut made = BlockedBloom::new(Target { capacity: 100, fpr: 0.01 })?;
/// made.add("alice");
/// let filter = AnyFilter::from_bytes(&made.to_bytes()?)?;
/// assert_eq!(filter.kind(), Some(Kind::BlockedBloom));
/// assert!(filter.may_contain("alice"));
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnyFilter {
    /// A native bloom filter, loaded.
    Bloom(Bloom),
    /// A native blocked-bloom filter, loaded.
    BlockedBloom(BlockedBloom),
    /// A native split-block filter, loaded.
    SplitBlock(SplitBlock),
    /// A native cuckoo filter, loaded.
    Cuckoo(Cuckoo),
    /// A native counting-bloom filter, loaded.
    CountingBloom(CountingBloom),
    /// A native blocked-counting-bloom filter, loaded.
    BlockedCountingBloom(BlockedCountingBloom),
    /// A native scalable-bloom filter, loaded.
    ScalableBloom(ScalableBloom),
    /// A native scalable-classic-bloom filter, loaded.
    ScalableClassicBloom(ScalableClassicBloom),
    /// A native binary-fuse filter, loaded.
    BinaryFuse(BinaryFuse),
    /// A native filter of another kind, or one that is mapped. It can be asked and written back, nothing else.
    ReadOnly(ReadOnly),
    /// A filter of another library.
    Foreign(ForeignBloom),
}

// Calls the same method of each variant.
macro_rules! each {
    ($self:expr, $filter:ident => $call:expr) => {
        each_native!($self, $filter => $call, $filter => $call)
    };
}

// The same of each native filter, and something else of another library's.
macro_rules! each_native {
    ($self:expr, $filter:ident => $call:expr, $foreign:pat => $otherwise:expr) => {
        match $self {
            AnyFilter::Bloom($filter) => $call,
            AnyFilter::BlockedBloom($filter) => $call,
            AnyFilter::SplitBlock($filter) => $call,
            AnyFilter::Cuckoo($filter) => $call,
            AnyFilter::CountingBloom($filter) => $call,
            AnyFilter::BlockedCountingBloom($filter) => $call,
            AnyFilter::ScalableBloom($filter) => $call,
            AnyFilter::ScalableClassicBloom($filter) => $call,
            AnyFilter::BinaryFuse($filter) => $call,
            AnyFilter::ReadOnly($filter) => $call,
            AnyFilter::Foreign($foreign) => $otherwise,
        }
    };
}

impl AnyFilter {
    /// The filter that the bytes of a file hold, checked as its format allows.
    ///
    /// # Errors
    /// No format knows them, or several could, or they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes_with(bytes, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with(bytes: &[u8], options: OpenOptions) -> Result<Self, Error> {
        options.check_length(bytes.len() as u64)?;
        if native::is_native(bytes) {
            return Self::read_native(&mut SliceSource(bytes), options);
        }
        ForeignBloom::from_bytes(bytes).map(AnyFilter::Foreign)
    }

    /// Reads a file from a stream, checked as its format allows. No byte that follows a native file is read; of other
    /// libraries' files nobody can say where they end, so all of the stream is taken for one.
    ///
    /// # Errors
    /// The reader refuses or ends early, or no format knows the bytes.
    ///
    /// ```
    /// use seenfilter::{AnyFilter, Bloom, Target};
    /// let mut sent = Vec::new();
    /// Bloom::new(Target { capacity: 100, fpr: 0.01 })?.write_to(&mut sent)?;
    /// assert!(!AnyFilter::read_from(&sent[..])?.may_contain("alice"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
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
        Self::from_bytes_with(&crate::stream::read_any(reader, options)?, options)
    }

    /// Loads a file, checked as its format allows.
    ///
    /// # Errors
    /// The system refuses, or no format knows the file.
    ///
    /// ```
    /// use seenfilter::{AnyFilter, Bloom, Target};
    /// # let folder = std::env::temp_dir().join(format!("seen-doc-any-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.add("alice");
    /// filter.save(folder.join("visited.seen"))?;
    /// assert!(AnyFilter::load(folder.join("visited.seen"))?.may_contain("alice"));
    /// let mapped = AnyFilter::map(folder.join("visited.seen"))?;
    /// assert!(mapped.may_contain("alice"));
    /// mapped.verify()?;
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
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

    #[cfg(feature = "std")]
    fn read(source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        options.check_length(source.len())?;
        if begins_native(source)? {
            return Self::read_native(source, options);
        }
        ForeignBloom::from_bytes(&native::all_of(source)?).map(AnyFilter::Foreign)
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_native_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_native(&mut SliceSource(bytes), OpenOptions::default())
    }

    fn read_native(source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        let header = native::read_header(source, options.recover)?;
        Ok(match Kind::from_id(header.kind) {
            Some(Kind::Bloom) => AnyFilter::Bloom(Bloom::read_body(header, source, options)?),
            Some(Kind::BlockedBloom) => AnyFilter::BlockedBloom(BlockedBloom::read_body(header, source, options)?),
            Some(Kind::SplitBlock) => AnyFilter::SplitBlock(SplitBlock::read_body(header, source, options)?),
            Some(Kind::Cuckoo) => AnyFilter::Cuckoo(Cuckoo::read_body(header, source, options)?),
            Some(Kind::CountingBloom) => AnyFilter::CountingBloom(CountingBloom::read_body(header, source, options)?),
            Some(Kind::BlockedCountingBloom) => {
                AnyFilter::BlockedCountingBloom(BlockedCountingBloom::read_body(header, source, options)?)
            }
            Some(Kind::ScalableBloom) => AnyFilter::ScalableBloom(ScalableBloom::read_body(header, source, options)?),
            Some(Kind::ScalableClassicBloom) => {
                AnyFilter::ScalableClassicBloom(ScalableClassicBloom::read_body(header, source, options)?)
            }
            Some(Kind::BinaryFuse) => AnyFilter::BinaryFuse(BinaryFuse::read_body(header, source, options)?),
            _ => AnyFilter::ReadOnly(ReadOnly::read(header, source, options)?),
        })
    }

    /// Opens a native file without reading it: its pages come when keys ask for them. Another library's file is loaded.
    ///
    /// Another process may replace the file or change it in place, as for [`Filter::map`](crate::Filter::map); it must not
    /// cut it.
    ///
    /// # Errors
    /// The system refuses, or no format knows the file.
    #[cfg(feature = "mmap")]
    pub fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::map_with(path, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`map`](Self::map).
    #[cfg(feature = "mmap")]
    pub fn map_with(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self, Error> {
        native::FileSource::read_with(path.as_ref(), |source| {
            if begins_native(source)? {
                return ReadOnly::map(source, options).map(AnyFilter::ReadOnly);
            }
            Self::read(source, options)
        })
    }

    /// Checks what [`map`](Self::map) did not: every page, the census, and the rules of the kind for its bytes. A filter that
    /// was loaded has been checked, as far as its format allows.
    ///
    /// # Errors
    /// Something in the file is not as its checksums, its census or its kind want it, or a writer is at work.
    pub fn verify(&self) -> Result<(), Error> {
        match self {
            AnyFilter::ReadOnly(filter) => filter.verify(),
            _ => Ok(()),
        }
    }

    /// The kind of a native filter; none for another library's.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        match self {
            AnyFilter::Bloom(_) => Some(Kind::Bloom),
            AnyFilter::BlockedBloom(_) => Some(Kind::BlockedBloom),
            AnyFilter::SplitBlock(_) => Some(Kind::SplitBlock),
            AnyFilter::Cuckoo(_) => Some(Kind::Cuckoo),
            AnyFilter::CountingBloom(_) => Some(Kind::CountingBloom),
            AnyFilter::BlockedCountingBloom(_) => Some(Kind::BlockedCountingBloom),
            AnyFilter::ScalableBloom(_) => Some(Kind::ScalableBloom),
            AnyFilter::ScalableClassicBloom(_) => Some(Kind::ScalableClassicBloom),
            AnyFilter::BinaryFuse(_) => Some(Kind::BinaryFuse),
            AnyFilter::ReadOnly(filter) => Some(filter.kind()),
            AnyFilter::Foreign(_) => None,
        }
    }

    /// False: certainly never added. True: added, or a false positive.
    pub fn may_contain<K: Key>(&self, key: K) -> bool {
        each!(self, filter => filter.may_contain(key))
    }

    /// The answers for many keys, which is faster than asking for one after another.
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        each!(self, filter => filter.may_contain_many(keys))
    }

    /// How many different keys it holds, judged by its fill unless the kind counts them.
    #[must_use]
    pub fn estimated_count(&self) -> f64 {
        each!(self, filter => filter.estimated_count())
    }

    /// The share of bits, counters or slots that are taken.
    #[must_use]
    pub fn fill(&self) -> f64 {
        each!(self, filter => filter.fill())
    }

    /// The rate of false positives as it is now.
    #[must_use]
    pub fn estimated_fpr(&self) -> f64 {
        each!(self, filter => filter.estimated_fpr())
    }

    /// Whether it is still what was asked for: saturated, past its capacity or above its rate.
    #[must_use]
    pub fn health(&self) -> Health {
        each!(self, filter => filter.health())
    }

    /// How much of its memory lies in huge pages at the moment, as Linux says it; none elsewhere. Where other memory shares a
    /// mapping with it this is the most that it can have.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn huge_page_bytes(&self) -> Option<u64> {
        each!(self, filter => filter.huge_page_bytes())
    }

    /// The target that a native filter was made for; zeros if that is unknown.
    #[must_use]
    pub fn target(&self) -> Target {
        each_native!(self, filter => filter.target(), _ => Target::default())
    }

    /// The user's own bytes in a native file.
    #[must_use]
    pub fn metadata(&self) -> &[u8] {
        each_native!(self, filter => filter.metadata(), _ => &[])
    }

    /// Sets the bytes that native files keep for the user, at most 65,536; another library's have no place for them.
    ///
    /// # Errors
    /// There are more of them, or the filter is of another library.
    pub fn set_metadata(&mut self, metadata: impl Into<Vec<u8>>) -> Result<(), Error> {
        each_native!(self, filter => filter.set_metadata(metadata), filter => {
            let name = filter.format().name();
            Err(Error::Unsupported(alloc::format!("a file of {name} has no place for metadata")))
        })
    }

    /// The filter as a file of its format.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        each_native!(self, filter => filter.to_bytes(), filter => Ok(filter.to_bytes()))
    }

    /// The same, with options. Another library's file takes none but the defaults.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), or the format does not have the options.
    ///
    /// ```
    /// use seenfilter::{AnyFilter, Bloom, SaveOptions, Target};
    /// let bytes = Bloom::new(Target { capacity: 100, fpr: 0.01 })?.to_bytes()?;
    /// let mut filter = AnyFilter::from_bytes(&bytes)?;
    /// filter.set_metadata("made on Monday")?;
    /// let bytes = filter.to_bytes_with(SaveOptions { alignment: 4096, ..SaveOptions::default() })?;
    /// assert_eq!(AnyFilter::from_bytes(&bytes)?.metadata(), b"made on Monday");
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn to_bytes_with(&self, options: SaveOptions) -> Result<Vec<u8>, Error> {
        each_native!(self, filter => filter.to_bytes_with(options), filter => {
            without_options(filter, options).map(ForeignBloom::to_bytes)
        })
    }

    /// Writes the filter as a file of its format.
    ///
    /// # Errors
    /// The writer refuses.
    #[cfg(feature = "std")]
    pub fn write_to(&self, writer: impl std::io::Write) -> Result<(), Error> {
        each!(self, filter => filter.write_to(writer))
    }

    /// The same, with options as [`to_bytes_with`](Self::to_bytes_with) takes them.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to), or the format does not have the options.
    #[cfg(feature = "std")]
    pub fn write_to_with(&self, writer: impl std::io::Write, options: SaveOptions) -> Result<(), Error> {
        each_native!(self, filter => filter.write_to_with(writer, options), filter => {
            without_options(filter, options)?.write_to(writer)
        })
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old file or the new one is there, whole.
    ///
    /// # Errors
    /// The system refuses, or the format is a guess.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        each!(self, filter => filter.save(path))
    }

    /// The same, with options as [`to_bytes_with`](Self::to_bytes_with) takes them.
    ///
    /// # Errors
    /// As [`save`](Self::save), or the format does not have the options.
    #[cfg(feature = "std")]
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<(), Error> {
        each_native!(self, filter => filter.save_with(path, options), filter => {
            without_options(filter, options)?.save(path)
        })
    }
}

/// What a filter of its type shows.
impl fmt::Display for AnyFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, filter => fmt::Display::fmt(filter, f))
    }
}

#[cfg(feature = "std")]
fn begins_native(source: &mut dyn Source) -> Result<bool, Error> {
    let mut beginning = alloc::vec![0; source.len().min(8) as usize];
    source.read(0, &mut beginning)?;
    Ok(native::is_native(&beginning))
}

// Another library's filter, if its file is not asked for what only a native one has.
fn without_options(filter: &ForeignBloom, options: SaveOptions) -> Result<&ForeignBloom, Error> {
    if options != SaveOptions::default() {
        return Err(Error::Unsupported(alloc::format!(
            "a file of {} has neither an alignment nor a secret to be chosen",
            filter.format().name()
        )));
    }
    Ok(filter)
}
