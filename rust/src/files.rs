//! Filters to bytes and back: memory, files, and files mapped into memory.
//!
//! `load` and `from_bytes` check everything, down to the last bit. `map` checks what takes no longer for a larger file
//! (header, page table's checksum, padding), and leaves pages and census to `verify`.

use crate::error::Error;
use crate::filter::Filter;
use crate::hash::{HashFunction, Hasher};
use crate::kind::Kind;
use crate::native::{self, Header, Segment, SliceSource, Source};
use crate::options::{OpenOptions, SaveOptions, Target};
use crate::shape::Shape;
use crate::words::{OwnedWords, Plain, Words, LINE_BYTES};
use alloc::format;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::path::Path;

impl<S: Shape, W: Words> Filter<S, W> {
    /// The filter as a native file in memory.
    ///
    /// # Errors
    /// There is no memory for it.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.add("alice");
    /// let bytes = filter.to_bytes()?;
    /// assert_eq!(Bloom::from_bytes(&bytes)?, filter);
    /// assert!(Bloom::from_bytes(&bytes[1..]).is_err());
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
        if W::IS_SHARED {
            // A copy first: it may change between its checksum and its bytes.
            return self.snapshot()?.to_bytes_with(options);
        }
        native::to_bytes(&self.header(options), &|at, page| self.write_page(at, page))
    }

    /// Writes the filter as a native file.
    ///
    /// # Errors
    /// The writer refuses.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.add("alice");
    /// let mut sent = Vec::new(); // or a socket, a pipe, a compressor
    /// filter.write_to(&mut sent)?;
    /// sent.extend(b"and more");
    /// let mut stream = &sent[..];
    /// assert_eq!(Bloom::read_from(&mut stream)?, filter);
    /// assert_eq!(stream, b"and more");
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
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
        if W::IS_SHARED {
            return self.snapshot()?.write_to_with(writer, options);
        }
        crate::stream::write(writer, &self.header(options), &|at, page| self.write_page(at, page))
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old file or the new one is there, whole.
    ///
    /// # Errors
    /// The system refuses.
    ///
    /// ```
    /// use seenfilter::{Bloom, Target};
    /// # let folder = std::env::temp_dir().join(format!("seen-doc-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.add("alice");
    /// filter.save(folder.join("visited.seen"))?;
    /// assert!(Bloom::load(folder.join("visited.seen"))?.may_contain("alice"));
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
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
        if W::IS_SHARED {
            return self.snapshot()?.save_with(path, options);
        }
        crate::replace::replace(path.as_ref(), |append| {
            native::encode(&self.header(options), &|at, page: &mut [u8]| self.write_page(at, page), append)
        })
    }

    fn header(&self, options: SaveOptions) -> Header {
        let segments = [Segment { offset: 0, length: self.shape.bytes(), shape: self.shape.fields() }];
        let (hash, census) = (self.hash.function(), self.set_bits());
        header_for(S::KIND, hash, self.target, segments.into(), census, &self.metadata, options)
    }

    fn write_page(&self, at: u64, page: &mut [u8]) {
        self.words.write_bytes(at as usize / LINE_BYTES, page);
    }
}

impl<S: Shape, W: OwnedWords> Filter<S, W> {
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
    /// Memory grows with what comes, whatever length the file claims; the stream takes as much memory as the filter meanwhile.
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
        let (shape, hash) = shape_and_hash::<S>(&header, options)?;
        let mut plain = Plain::with_capacity(shape.line_count())?;
        native::read_body(&header, source, |page| plain.extend_from_bytes(page))?;
        check_padding(&shape, &plain)?;
        if header.sealed {
            check_census(header.census, plain.count_ones())?;
        }
        Ok(Filter { shape, words: W::from_plain(plain), hash, target: target_of(&header), metadata: header.metadata })
    }
}

pub(crate) fn target_of(header: &Header) -> Target {
    Target { capacity: header.capacity, fpr: header.fpr }
}

/// The shape and the hash of a file that is to be of this kind.
fn shape_and_hash<S: Shape>(header: &Header, options: OpenOptions) -> Result<(S, Hasher), Error> {
    check_kind(header, S::KIND)?;
    check_index_rule(header)?;
    if header.segments.len() != 1 {
        return Err(Error::Corrupt(format!("a {} filter has one segment, not {}", S::KIND, header.segments.len())));
    }
    Ok((segment_shape(&header.segments[0])?, Hasher::new(header.hash_function(options)?)))
}

/// Refuses a file of another kind.
pub(crate) fn check_kind(header: &Header, kind: Kind) -> Result<(), Error> {
    if header.kind != kind.id() {
        let there = Kind::from_id(header.kind).map_or("of a later kind", Kind::name);
        return Err(Error::WrongKind(format!("offset 24: the file is {there}, not {kind}")));
    }
    Ok(())
}

/// A kind's index rule has its number, but for cuckoo, growing-cuckoo and quotient, whose first rules were drafts.
fn index_rule(kind: u16) -> u16 {
    if (8..=10).contains(&kind) {
        kind + 8
    } else {
        kind
    }
}

/// The header of a filter's file.
pub(crate) fn header_for(
    kind: Kind,
    hash: HashFunction,
    target: Target,
    segments: Vec<Segment>,
    census: u64,
    metadata: &[u8],
    options: SaveOptions,
) -> Header {
    Header {
        kind: kind.id(),
        index_rule: index_rule(kind.id()),
        hash: hash.id(),
        key_encoding: 1,
        keyed: hash.secret().is_some(),
        seed: hash.seed(),
        hash_check: hash.check_value(),
        capacity: target.capacity,
        fpr: target.fpr,
        alignment: options.alignment,
        body_offset: 0,
        body_bytes: segments.iter().map(|segment| segment.length).sum(),
        segments,
        metadata: metadata.into(),
        stored_secret: hash.secret().filter(|_| options.store_secret),
        sealed: true,
        census,
        table_checksum: 0,
    }
}

pub(crate) fn check_index_rule(header: &Header) -> Result<(), Error> {
    let (kind, rule) = (header.kind, header.index_rule);
    let known = index_rule(kind);
    if rule != known {
        return Err(Error::NewerVersion(format!(
            "offset 26: index rule {rule} for kind {kind}; this release knows {known} only"
        )));
    }
    Ok(())
}

/// The shape of a segment, which must describe its length.
pub(crate) fn segment_shape<S: Shape>(segment: &Segment) -> Result<S, Error> {
    shape_of(&segment.shape, segment.length)
}

pub(crate) fn shape_of<S: Shape>(fields: &[u64], length: u64) -> Result<S, Error> {
    let kind = S::KIND;
    if fields.len() != S::FIELD_NAMES.len() {
        let (right, there) = (S::FIELD_NAMES.len(), fields.len());
        return Err(Error::Corrupt(format!("a {kind} filter has a shape of {right} numbers, not {there}")));
    }
    let shape = S::from_fields(fields).map_err(|e| Error::Corrupt(format!("{e}")))?;
    check_length(shape.bytes(), length)?;
    Ok(shape)
}

pub(crate) fn check_length(described: u64, there: u64) -> Result<(), Error> {
    if described != there {
        return Err(Error::Corrupt(format!("the shape describes {described} bytes, the body has {there}")));
    }
    Ok(())
}

pub(crate) fn check_padding<S: Shape, W: Words>(shape: &S, words: &W) -> Result<(), Error> {
    if !words.is_zero_beyond(shape.bits()) {
        return Err(Error::Corrupt(format!("bits beyond the last of {} are set", shape.bits())));
    }
    Ok(())
}

pub(crate) fn check_census(stored: u64, counted: u64) -> Result<(), Error> {
    if stored != counted {
        return Err(Error::Corrupt(format!("the census is {counted}, the file says {stored}")));
    }
    Ok(())
}

/// Filters that live in a file.
#[cfg(feature = "mmap")]
impl<S: Shape> Filter<S, crate::map::Mapped> {
    /// Opens a file without reading it: its pages come when keys ask for them.
    ///
    /// Another process may replace the file, as [`save`](Filter::save) does: this filter keeps the old one. It may also change
    /// the file in place. Keys that the C++ library's `map_writable` adds are found here as soon as they are written, and
    /// anything else that is written over the bits changes answers, nothing more: shape and lengths stay those of the header
    /// when it was opened. It must not cut the file: a read beyond the new end is a bus error, which ends the program.
    ///
    /// # Errors
    /// The system refuses, or it is no file of this kind.
    ///
    /// ```
    /// use seenfilter::{Bloom, MappedBloom, Target};
    /// # let folder = std::env::temp_dir().join(format!("seen-doc-map-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// let mut filter = Bloom::new(Target { capacity: 100, fpr: 0.01 })?;
    /// filter.add("alice");
    /// filter.save(folder.join("visited.seen"))?;
    /// let mapped = MappedBloom::map(folder.join("visited.seen"))?;
    /// assert!(mapped.may_contain("alice"));
    /// mapped.verify()?;
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::map_with(path, OpenOptions::default())
    }

    /// The same, with options.
    ///
    /// # Errors
    /// As [`map`](Self::map).
    pub fn map_with(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self, Error> {
        native::FileSource::read_with(path.as_ref(), |source| Self::over(source, options))
    }

    fn over(source: &native::FileSource, options: OpenOptions) -> Result<Self, Error> {
        let (words, header) = crate::map::Mapped::open(source, options.recover)?;
        let (shape, hash) = shape_and_hash::<S>(&header, options)?;
        check_padding(&shape, &words)?;
        Ok(Filter { shape, words, hash, target: target_of(&header), metadata: header.metadata })
    }

    /// Reads the whole file and checks what `map` did not: every page, and the census, as they are now. It returns
    /// [`Error::Unsealed`] while another process writes to the file in place.
    ///
    /// # Errors
    /// Something in the file is not as its checksums, its census or its kind want it, or a writer is at work.
    pub fn verify(&self) -> Result<(), Error> {
        self.words.verify()
    }
}
