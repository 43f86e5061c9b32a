//! A native filter of any kind that answers: parameters, an engine of the kind, and the bytes of the body, loaded or mapped.

use super::chain::chain;
use super::counting::{blocked_counting, counting, partitioned, windowed};
use super::cuckoo::{cuckoo, growing};
use super::engine::{Engine, ShapeEngine};
use super::quotient::quotient;
use super::ribbon::ribbon;
use super::slots::{binary_fuse, xor};
use crate::batch;
use crate::error::Error;
use crate::files::{asked, check_census, check_index_rule, segment_shape};
use crate::hash::{Digest, HashFunction};
use crate::key::Key;
use crate::kind::Kind;
use crate::native::{self, Header, Segment, Source};
use crate::options::{OpenOptions, SaveOptions, Target};
use crate::shape::{BlockedBloomShape, BloomShape, Shape, SplitBlockShape};
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::path::Path;

/// A native filter of any of the fifteen kinds, to be asked.
///
/// It comes from [`AnyFilter`](crate::AnyFilter). Cloning it copies no bits.
#[derive(Clone, Debug)]
pub struct ReadOnly {
    kind: Kind,
    header: Header,
    hash: HashFunction,
    engine: Arc<dyn Engine>,
    body: Body,
}

#[derive(Clone)]
enum Body {
    Loaded(Arc<[u8]>),
    #[cfg(feature = "mmap")]
    Mapped(crate::map::MappedFile, core::ops::Range<usize>),
}

impl core::fmt::Debug for Body {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} bytes", self.bytes().len())
    }
}

impl Body {
    #[inline]
    fn bytes(&self) -> &[u8] {
        match self {
            Body::Loaded(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Body::Mapped(file, at) => file.bytes().get(at.clone()).unwrap_or(&[]),
        }
    }
}

/// As many parameters as a kind has.
fn fields<const N: usize>(segments: &[Segment]) -> Result<(&[u64; N], u64), Error> {
    match segments {
        [segment] => match segment.fields.as_slice().try_into() {
            Ok(fields) => Ok((fields, segment.length)),
            Err(_) => Err(Error::Corrupt(format!("there are {} parameters, not {N}", segment.fields.len()))),
        },
        _ => Err(Error::Corrupt(format!("there are {} segments, not 1", segments.len()))),
    }
}

fn shape_engine<S: Shape + Send + Sync + 'static>(segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    match segments {
        [segment] => Ok(Box::new(ShapeEngine(segment_shape::<S>(segment)?))),
        _ => Err(Error::Corrupt(format!("there are {} segments, not 1", segments.len()))),
    }
}

fn engine_for(kind: Kind, segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    // The kind's name before what is wrong with it.
    let made = match kind {
        Kind::Bloom => shape_engine::<BloomShape>(segments),
        Kind::BlockedBloom => shape_engine::<BlockedBloomShape>(segments),
        Kind::SplitBlock => shape_engine::<SplitBlockShape>(segments),
        Kind::PartitionedBloom => fields(segments).and_then(|(fields, length)| partitioned(fields, length)),
        Kind::CountingBloom => fields(segments).and_then(|(fields, length)| counting(fields, length)),
        Kind::BlockedCountingBloom => fields(segments).and_then(|(fields, length)| blocked_counting(fields, length)),
        Kind::ScalableBloom => chain::<BlockedBloomShape>(segments),
        Kind::ScalableClassicBloom => chain::<BloomShape>(segments),
        Kind::Cuckoo => fields(segments).and_then(|(fields, length)| cuckoo(fields, length)),
        Kind::GrowingCuckoo => growing(segments),
        Kind::Quotient => fields(segments).and_then(|(fields, length)| quotient(fields, length)),
        Kind::WindowedBloom => fields(segments).and_then(|(fields, length)| windowed(fields, length)),
        Kind::Xor => fields(segments).and_then(|(fields, length)| xor(fields, length)),
        Kind::BinaryFuse => fields(segments).and_then(|(fields, length)| binary_fuse(fields, length)),
        Kind::Ribbon => fields(segments).and_then(|(fields, length)| ribbon(fields, length)),
    };
    made.map_err(|e| e.about(kind.name()))
}

impl ReadOnly {
    // Everything that can be said before the body is read.
    fn prepare(header: &Header, options: OpenOptions) -> Result<(Kind, HashFunction, Arc<dyn Engine>), Error> {
        let kind = Kind::from_id(header.kind).ok_or_else(|| {
            Error::NewerVersion(format!("offset 24: kind {}; this release does not know it", header.kind))
        })?;
        check_index_rule(header)?;
        let engine = engine_for(kind, &header.segments)?;
        Ok((kind, header.hash_function(options.secret)?, engine.into()))
    }

    pub(crate) fn read(header: Header, source: &mut dyn Source, options: OpenOptions) -> Result<Self, Error> {
        let (kind, hash, engine) = Self::prepare(&header, options)?;
        let mut body = Vec::new();
        let bytes = usize::try_from(header.body_bytes).unwrap_or(usize::MAX);
        body.try_reserve_exact(bytes)
            .map_err(|_| Error::NoMemory(format!("need {bytes} bytes of memory; there are not so many")))?;
        native::read_body(&header, source, |page| body.extend_from_slice(page))?;
        engine.check_padding(&body)?;
        engine.check_content(&body)?;
        if header.sealed {
            check_census(header.census, engine.census(&body))?;
        }
        Ok(ReadOnly { kind, header, hash, engine, body: Body::Loaded(body.into()) })
    }

    #[cfg(feature = "mmap")]
    pub(crate) fn map(file: crate::map::MappedFile, options: OpenOptions) -> Result<Self, Error> {
        let header = file.header(options.recover)?;
        let (kind, hash, engine) = Self::prepare(&header, options)?;
        let begin = header.body_offset as usize;
        let body = Body::Mapped(file, begin..begin + header.body_bytes as usize);
        engine.check_padding(body.bytes())?;
        Ok(ReadOnly { kind, header, hash, engine, body })
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// Its hash function.
    pub fn hash(&self) -> HashFunction {
        self.hash
    }
    /// What it was made for; zeros where that is unknown.
    pub fn target(&self) -> Target {
        asked(&self.header)
    }
    /// The user's own bytes.
    pub fn metadata(&self) -> &[u8] {
        &self.header.metadata
    }

    /// False: certainly never added, or removed, or forgotten. True: added, or a false positive.
    #[inline]
    pub fn may_contain<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.may_contain_digest(self.hash.digest(key))
    }
    /// The same for a digest.
    #[inline]
    pub fn may_contain_digest(&self, digest: Digest) -> bool {
        self.engine.may_contain(self.body.bytes(), digest.0)
    }
    /// The answers for many keys.
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        let body = self.body.bytes();
        batch::answers(keys, |answers| {
            batch::for_each_tile(&self.hash, keys, |at, digests| {
                self.engine.may_contain_tile(body, digests, &mut answers[at..at + digests.len()]);
            });
        })
    }

    /// The share of bits, counters or slots that are taken.
    pub fn fill(&self) -> f64 {
        self.engine.state(self.body.bytes()).fill
    }
    /// How many keys it holds: judged by its fill where it cannot know.
    pub fn estimated_count(&self) -> f64 {
        self.engine.state(self.body.bytes()).count
    }
    /// The rate of false positives as it is now.
    pub fn estimated_fpr(&self) -> f64 {
        self.engine.state(self.body.bytes()).fpr
    }
    /// Fuller than any plan makes it.
    pub fn saturated(&self) -> bool {
        self.engine.state(self.body.bytes()).saturated
    }

    /// Checks what `map` did not: every page, the census, and what the kind says of its bytes. What was loaded was checked then.
    pub fn verify(&self) -> Result<(), Error> {
        match &self.body {
            Body::Loaded(_) => Ok(()),
            #[cfg(feature = "mmap")]
            Body::Mapped(file, _) => {
                if !self.header.sealed {
                    return Err(Error::Unsealed("the file was never sealed: nothing in it speaks for its body".into()));
                }
                native::read_body(&self.header, &mut native::SliceSource(file.bytes()), |_| {})?;
                self.engine.check_content(self.body.bytes())?;
                check_census(self.header.census, self.engine.census(self.body.bytes()))
            }
        }
    }

    /// Sets the bytes that files keep for the user, at most 65,536.
    pub fn set_metadata(&mut self, metadata: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.header.metadata = native::checked_metadata(metadata.into())?;
        Ok(())
    }

    /// The filter as a native file: the bytes that it came from.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        native::to_bytes(&self.sealed_header(), &|at, page| self.copy_page(at, page))
    }

    /// The same, with options instead of those that the file had.
    pub fn to_bytes_with(&self, options: SaveOptions) -> Result<Vec<u8>, Error> {
        native::to_bytes(&self.header_with(options), &|at, page| self.copy_page(at, page))
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old one or the new one is there, whole.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_as(path.as_ref(), &self.sealed_header())
    }

    /// The same, with options instead of those that the file had.
    #[cfg(feature = "std")]
    pub fn save_with(&self, path: impl AsRef<Path>, options: SaveOptions) -> Result<(), Error> {
        self.save_as(path.as_ref(), &self.header_with(options))
    }

    #[cfg(feature = "std")]
    fn save_as(&self, path: &Path, header: &Header) -> Result<(), Error> {
        crate::replace::replace(path, |append| {
            native::encode(header, &|at, page: &mut [u8]| self.copy_page(at, page), append)
        })
    }

    fn copy_page(&self, at: u64, page: &mut [u8]) {
        page.copy_from_slice(&self.body.bytes()[at as usize..at as usize + page.len()]);
    }

    // What is written is sealed, so the census of a recovered file, which had none, is taken now.
    fn sealed_header(&self) -> Header {
        let mut header = self.header.clone();
        if !header.sealed {
            header.census = self.engine.census(self.body.bytes());
        }
        header
    }

    fn header_with(&self, options: SaveOptions) -> Header {
        let stored_secret = self.hash.secret().filter(|_| options.store_secret);
        Header { alignment: options.alignment, stored_secret, ..self.sealed_header() }
    }
}
