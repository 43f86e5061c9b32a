//! A native filter of any kind that answers: an engine of the kind, made by the shape, and the bytes of the body, loaded or mapped.

use super::chain::Chain;
use super::counting::{partitioned, windowed, BlockedCounting, Counting};
use super::cuckoo::{growing, Cuckoo};
use super::engine::{only_shape, Engine, OwnEngine, ShapeEngine};
use super::quotient::quotient;
use super::ribbon::ribbon;
use super::slots::{xor, FuseEngine};
use crate::batch;
use crate::cells::{Cell, Cells};
use crate::error::Error;
use crate::files::{check_census, check_index_rule, segment_shape, target_of};
use crate::hash::{Digest, HashFunction, Hasher};
use crate::health::Health;
use crate::key::Key;
use crate::kind::Kind;
use crate::native::{self, Header, Segment, Source};
use crate::options::{OpenOptions, SaveOptions, Target};
use crate::shape::{BlockedBloomShape, BloomShape, Shape, SplitBlockShape};
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path;

/// A native filter of any of the fifteen kinds, to be asked.
///
/// It comes from [`AnyFilter`](crate::AnyFilter). Cloning it copies no bits.
#[derive(Clone, Debug)]
pub struct ReadOnly {
    kind: Kind,
    header: Header,
    hash: Hasher,
    engine: Arc<dyn Engine>,
    body: Body,
}

#[derive(Clone)]
enum Body {
    Loaded(Arc<[Cell]>),
    #[cfg(feature = "mmap")]
    Mapped(crate::map::Mapped),
}

impl core::fmt::Debug for Body {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} bytes", self.cells().len())
    }
}

impl Body {
    #[inline]
    fn cells(&self) -> Cells<'_> {
        match self {
            Body::Loaded(cells) => Cells(cells),
            #[cfg(feature = "mmap")]
            Body::Mapped(pages) => pages.cells(),
        }
    }

    /// The same at rest, so that a checksum is of the bytes that are written.
    fn still(&self) -> Result<Body, Error> {
        match self {
            Body::Loaded(_) => Ok(self.clone()),
            #[cfg(feature = "mmap")]
            Body::Mapped(..) => {
                let live = self.cells();
                let mut copy = cells_for(live.len())?;
                copy.extend(live.0.iter().map(|cell| Cell::new(cell.load())));
                Ok(Body::Loaded(copy.into()))
            }
        }
    }
}

/// Room for the cells of this many bytes.
fn cells_for(bytes: u64) -> Result<Vec<Cell>, Error> {
    let mut cells = Vec::new();
    let room = usize::try_from(bytes / 8).ok().and_then(|count| cells.try_reserve_exact(count).ok());
    room.ok_or_else(|| Error::NoMemory(format!("need {bytes} bytes of memory; there are not so many")))?;
    Ok(cells)
}

fn shape_engine<S: Shape + Send + Sync + 'static>(segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    match segments {
        [segment] => Ok(Box::new(ShapeEngine(segment_shape::<S>(segment)?))),
        _ => Err(Error::Corrupt(format!("there are {} segments, not 1", segments.len()))),
    }
}

fn own_engine<E: OwnEngine + 'static>(segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    Ok(Box::new(E::from_segments(segments)?))
}

fn engine_for(kind: Kind, segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    // The name of the kind begins the sentence.
    let made = match kind {
        Kind::Bloom => shape_engine::<BloomShape>(segments),
        Kind::BlockedBloom => shape_engine::<BlockedBloomShape>(segments),
        Kind::SplitBlock => shape_engine::<SplitBlockShape>(segments),
        Kind::PartitionedBloom => only_shape(segments).and_then(|(shape, length)| partitioned(shape, length)),
        Kind::CountingBloom => own_engine::<Counting>(segments),
        Kind::BlockedCountingBloom => own_engine::<BlockedCounting>(segments),
        Kind::ScalableBloom => own_engine::<Chain<BlockedBloomShape>>(segments),
        Kind::ScalableClassicBloom => own_engine::<Chain<BloomShape>>(segments),
        Kind::Cuckoo => own_engine::<Cuckoo>(segments),
        Kind::GrowingCuckoo => growing(segments),
        Kind::Quotient => only_shape(segments).and_then(|(shape, length)| quotient(shape, length)),
        Kind::WindowedBloom => only_shape(segments).and_then(|(shape, length)| windowed(shape, length)),
        Kind::Xor => only_shape(segments).and_then(|(shape, length)| xor(shape, length)),
        Kind::BinaryFuse => own_engine::<FuseEngine>(segments),
        Kind::Ribbon => only_shape(segments).and_then(|(shape, length)| ribbon(shape, length)),
    };
    made.map_err(|e| e.about(kind.name()))
}

impl ReadOnly {
    // Whatever can be refused without the body is refused before it is read.
    fn prepare(header: &Header, options: OpenOptions) -> Result<(Kind, Hasher, Arc<dyn Engine>), Error> {
        let kind = Kind::from_id(header.kind).ok_or_else(|| {
            Error::NewerVersion(format!("offset 24: kind {}; this release does not know it", header.kind))
        })?;
        check_index_rule(header)?;
        let engine = engine_for(kind, &header.segments)?;
        Ok((kind, Hasher::new(header.hash_function(options)?), engine.into()))
    }

    pub(crate) fn read(header: Header, source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        let (kind, hash, engine) = Self::prepare(&header, options)?;
        let mut body = cells_for(header.body_bytes)?;
        // Pages are whole lines.
        native::read_body(&header, source, |page| {
            body.extend(page.chunks_exact(8).map(|word| Cell::new(crate::hash::le64(word, 0))));
        })?;
        engine.check_padding(Cells(&body))?;
        engine.check_content(Cells(&body))?;
        if header.sealed {
            check_census(header.census, engine.census(Cells(&body)))?;
        }
        Ok(ReadOnly { kind, header, hash, engine, body: Body::Loaded(body.into()) })
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_bytes(bytes: &[u8], options: OpenOptions) -> Result<Self, Error> {
        let mut source = native::SliceSource(bytes);
        Self::read(native::read_header(&mut source, options.recover)?, &mut source, options)
    }

    #[cfg(feature = "mmap")]
    pub(crate) fn map(source: &native::FileSource, options: OpenOptions) -> Result<Self, Error> {
        let (pages, header) = crate::map::Mapped::open(source, options.recover)?;
        let (kind, hash, engine) = Self::prepare(&header, options)?;
        let body = Body::Mapped(pages);
        engine.check_padding(body.cells())?;
        Ok(ReadOnly { kind, header, hash, engine, body })
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// Its hash function.
    #[must_use]
    pub fn hash(&self) -> HashFunction {
        self.hash.function()
    }
    /// The target it was made for; zeros if that is unknown.
    #[must_use]
    pub fn target(&self) -> Target {
        target_of(&self.header)
    }
    /// The user's own bytes.
    #[must_use]
    pub fn metadata(&self) -> &[u8] {
        &self.header.metadata
    }

    /// False: certainly never added, or removed, or forgotten. True: added, or a false positive.
    #[inline]
    pub fn may_contain<K: Key>(&self, key: K) -> bool {
        self.may_contain_digest(self.hash.digest(key))
    }
    /// The same for a digest.
    #[inline]
    #[must_use]
    pub fn may_contain_digest(&self, digest: Digest) -> bool {
        self.engine.may_contain(self.body.cells(), digest.0)
    }
    /// The answers for many keys.
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        let body = self.body.cells();
        batch::answers(keys, |answers| {
            batch::for_each_tile(&self.hash, keys, |at, digests| {
                self.engine.may_contain_tile(body, digests, &mut answers[at..at + digests.len()]);
            });
        })
    }

    /// The share of bits, counters or slots that are taken.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.engine.state(self.body.cells()).fill
    }
    /// How many keys it holds, judged by its fill unless the kind counts them.
    #[must_use]
    pub fn estimated_count(&self) -> f64 {
        self.engine.state(self.body.cells()).count
    }
    /// The rate of false positives as it is now.
    #[must_use]
    pub fn estimated_fpr(&self) -> f64 {
        self.engine.state(self.body.cells()).fpr
    }
    /// Whether it is fuller than any plan makes it.
    #[must_use]
    pub fn saturated(&self) -> bool {
        self.engine.state(self.body.cells()).saturated
    }

    /// Whether it is still what was asked for: saturated, past its capacity or above its rate.
    #[must_use]
    pub fn health(&self) -> Health {
        Health::of(self.engine.state(self.body.cells()), self.target())
    }

    /// How much of its memory lies in huge pages at the moment, as Linux says it; none elsewhere. Where other memory shares a
    /// mapping with it this is the most that it can have.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn huge_page_bytes(&self) -> Option<u64> {
        let cells = self.body.cells();
        crate::pages::huge_page_bytes(cells.0.as_ptr() as usize, cells.len())
    }

    /// Checks what `map` did not: every page, the census, and the rules of the kind for its bytes, as they are now. It returns
    /// [`Error::Unsealed`] while another process writes to the file in place. A filter that was loaded has been checked.
    ///
    /// # Errors
    /// Something in the file is not as its checksums, its census or its kind want it, or a writer is at work.
    pub fn verify(&self) -> Result<(), Error> {
        match &self.body {
            Body::Loaded(_) => Ok(()),
            #[cfg(feature = "mmap")]
            Body::Mapped(pages) => {
                let header = pages.verified_header()?;
                self.engine.check_content(self.body.cells())?;
                check_census(header.census, self.engine.census(self.body.cells()))
            }
        }
    }

    /// Sets the bytes that files keep for the user, at most 65,536.
    ///
    /// # Errors
    /// There are more of them.
    pub fn set_metadata(&mut self, metadata: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.header.metadata = native::checked_metadata(metadata.into())?;
        Ok(())
    }

    /// The filter as a native file: the bytes that it came from, without a secret that they may have held.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(self.usual_options())
    }

    /// The same, with options instead of those that the file had.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes), or the alignment is neither 64 nor 4096.
    pub fn to_bytes_with(&self, options: SaveOptions) -> Result<Vec<u8>, Error> {
        let (header, body) = self.to_write(options)?;
        native::to_bytes(&header, &|at, page| copy_page(&body, at, page))
    }

    /// Writes the filter as a native file.
    ///
    /// # Errors
    /// The writer refuses.
    #[cfg(feature = "std")]
    pub fn write_to(&self, writer: impl std::io::Write) -> Result<(), Error> {
        self.write_to_with(writer, self.usual_options())
    }

    /// The same, with options instead of those that the file had.
    ///
    /// # Errors
    /// As [`write_to`](Self::write_to), or the alignment is neither 64 nor 4096.
    #[cfg(feature = "std")]
    pub fn write_to_with(&self, writer: impl std::io::Write, options: SaveOptions) -> Result<(), Error> {
        let (header, body) = self.to_write(options)?;
        crate::stream::write(writer, &header, &|at, page| copy_page(&body, at, page))
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old file or the new one is there, whole.
    /// The secret is left out, even if the file that the filter came from held it.
    ///
    /// # Errors
    /// The system refuses.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path, self.usual_options())
    }

    /// The same, with options instead of those that the file had.
    ///
    /// # Errors
    /// As [`save`](Self::save), or the alignment is neither 64 nor 4096.
    #[cfg(feature = "std")]
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<(), Error> {
        let (header, body) = self.to_write(options)?;
        crate::replace::replace(path.as_ref(), |append| {
            native::encode(&header, &|at, page: &mut [u8]| copy_page(&body, at, page), append)
        })
    }

    fn usual_options(&self) -> SaveOptions {
        SaveOptions { alignment: self.header.alignment, store_secret: false }
    }

    // The body at rest, and a header that seals it. A recovered file had no census, and a mapped one may have another now.
    fn to_write(&self, options: SaveOptions) -> Result<(Header, Body), Error> {
        let body = self.body.still()?;
        let census = self.engine.census(body.cells());
        let stored_secret = self.hash.function().secret().filter(|_| options.store_secret);
        let header = Header { alignment: options.alignment, stored_secret, census, ..self.header.clone() };
        Ok((header, body))
    }
}

/// "quotient for 1000 keys at fpr 0.01, 1216 bytes": the kind, what it was made for, and its size.
impl fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::filter::describe(f, self.kind, self.target(), self.body.cells().len())
    }
}

fn copy_page(body: &Body, at: u64, page: &mut [u8]) {
    let all_there = body.cells().copy(at, page);
    debug_assert!(all_there, "the header describes the body");
}
