//! The native file, version 1: `docs/formats/native.md` of the project is the specification.
//!
//! ```text
//!  0                104                H-40      H            B                   T           end
//!  ┌────────────────┬─────────┬────────┬─────────┬────────────┬───────────────────┬────────────┐
//!  │ identity       │ entries │ zeros  │ trailer │ zeros      │ body              │ page table │
//!  └────────────────┴─────────┴────────┴─────────┴────────────┴───────────────────┴────────────┘
//! ```
//!
//! Reading: a [`Source`] of bytes → [`read_header`] → [`Header`], every bound checked before anything is allocated →
//! [`read_body`], page by page against the table. Writing: a `Header` and the pages of a body → bytes, in order.

mod read;
mod source;
mod write;

#[cfg(feature = "mmap")]
pub(crate) use read::check_table;
pub(crate) use read::{is_native, read_body, read_header};
#[cfg(feature = "mmap")]
pub(crate) use source::CellSource;
#[cfg(feature = "std")]
pub(crate) use source::{all_of, FileSource};
pub(crate) use source::{SliceSource, Source};
#[cfg(feature = "std")]
pub(crate) use write::encode;
pub(crate) use write::to_bytes;

use crate::error::Error;
use crate::hash::{self, HashFunction, OwnHash, Secret};
use crate::options::OpenOptions;
use alloc::format;
use alloc::vec::Vec;

const MAGIC: [u8; 8] = *b"\x8dSEN1\r\n\x1a";
const DRAFT_MAGIC: [u8; 8] = *b"\x8dSEN0\r\n\x1a";
const MAJOR: u16 = 1;
const IDENTITY_BYTES: usize = 104;
const TRAILER_BYTES: usize = 40;
const MAX_HEADER_BYTES: u64 = 262_144;
const MAX_BODY_BYTES: u64 = 1 << 44;
const MAX_SEGMENTS: usize = 256;
const MAX_FIELDS: usize = 64;
const SMALLEST_PAGE: u64 = 65_536;
const MOST_PAGES: u64 = 1024;
const SEALED: [u8; 8] = *b"sealed!\n";
const UNSEALED: [u8; 8] = *b"unsealed";
const TAG_SEGMENT: u16 = 1;
const TAG_METADATA: u16 = 2;
const TAG_SECRET: u16 = 3;
const MUST_UNDERSTAND: u16 = 1;
const KEYED: u32 = 1;
/// Key encoding 1: a key is its bytes, an integer its 8 little-endian ones.
const KEY_ENCODING: u16 = 1;

/// The most bytes of metadata.
const MAX_METADATA: usize = 65_536;

/// The user's own bytes, unless there are too many of them for a file.
pub(crate) fn checked_metadata(metadata: Vec<u8>) -> Result<Vec<u8>, Error> {
    if metadata.len() > MAX_METADATA {
        return Err(Error::InvalidArgument(format!(
            "metadata of {} bytes; the limit is {MAX_METADATA}",
            metadata.len()
        )));
    }
    Ok(metadata)
}

/// The end of the field that says how long a file is.
#[cfg(feature = "std")]
pub(crate) const LENGTH_END: usize = 24;

/// How long a file is, by its first `LENGTH_END` bytes.
#[cfg(feature = "std")]
pub(crate) fn claimed_length(beginning: &[u8]) -> Result<u64, Error> {
    if !is_native(beginning) {
        return Err(Error::NotRecognised("not a seen file".into()));
    }
    if beginning.len() < LENGTH_END {
        return Err(Error::Corrupt(format!("offset 0: {} bytes are too few for a seen file", beginning.len())));
    }
    Ok(hash::le64(beginning, 16))
}

/// Where a body may begin: after the header, rounded up to one of these.
pub(crate) const ALIGNMENTS: [u64; 2] = [64, 4096];

/// A segment of the body with the shape that describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub offset: u64,
    pub length: u64,
    pub shape: Vec<u64>,
}

/// The header of a file: everything before its body.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub kind: u16,
    pub index_rule: u16,
    pub hash: u16,
    pub key_encoding: u16,
    pub keyed: bool,
    pub seed: u64,
    pub hash_check: u64,
    pub capacity: u64,
    pub fpr: f64,
    /// Of the body: 64 or 4096.
    pub alignment: u64,
    pub body_offset: u64,
    pub body_bytes: u64,
    pub segments: Vec<Segment>,
    pub metadata: Vec<u8>,
    pub stored_secret: Option<Secret>,
    pub sealed: bool,
    pub census: u64,
    pub table_checksum: u64,
}

impl Header {
    pub(crate) fn page_bytes(&self) -> u64 {
        page_bytes_for(self.body_bytes)
    }
    pub(crate) fn page_count(&self) -> u64 {
        pages_of(self.body_bytes)
    }

    /// The function that hashes its keys, with the secret given or stored; a user's own is the one that is given. Any other
    /// is refused.
    pub(crate) fn hash_function(&self, options: OpenOptions) -> Result<HashFunction, Error> {
        let is_own = self.hash >= hash::FIRST_OWN;
        let function = if is_own { self.own_hash(options.own_hash)? } else { self.built_in_hash(options.secret)? };
        let check = function.check_value();
        if check != self.hash_check {
            return Err(Error::WrongHash(format!(
                "offset 48: {} with this {} gives {check:016x} for the check key, the file has {:016x}",
                function.described(),
                if is_own {
                    "function"
                } else if self.keyed {
                    "secret"
                } else {
                    "seed"
                },
                self.hash_check
            )));
        }
        Ok(function)
    }

    fn check_key_encoding(&self) -> Result<(), Error> {
        if self.key_encoding != KEY_ENCODING {
            let encoding = self.key_encoding;
            return Err(Error::WrongHash(format!("offset 34: key encoding {encoding}; this release knows 1 only")));
        }
        Ok(())
    }

    fn own_hash(&self, given: Option<OwnHash>) -> Result<HashFunction, Error> {
        let id = self.hash;
        let own = given.ok_or_else(|| {
            Error::WrongHash(format!(
                "offset 32: the filter was made with hash {id:#x}, its user's own; whoever opens it has to supply the function"
            ))
        })?;
        if own.id() != id {
            let there = own.id();
            return Err(Error::WrongHash(format!(
                "offset 32: the filter was made with hash {id:#x}, not with hash {there:#x}"
            )));
        }
        self.check_key_encoding()?;
        if self.keyed {
            return Err(Error::WrongHash(format!(
                "offset 36: hash {id:#x} has a secret in this file, and the function that was given takes none"
            )));
        }
        Ok(HashFunction::Own(own.with_seed(self.seed)))
    }

    fn built_in_hash(&self, secret: Option<Secret>) -> Result<HashFunction, Error> {
        let name = hash::name_of(self.hash).ok_or_else(|| {
            let id = self.hash;
            Error::NewerVersion(format!("offset 32: hash {id}; this release does not know it"))
        })?;
        self.check_key_encoding()?;
        if hash::is_keyed(self.hash) != self.keyed {
            let marked = if self.keyed { "keyed" } else { "unkeyed" };
            return Err(Error::Corrupt(format!("offset 36: {name} is marked {marked}")));
        }
        HashFunction::from_parts(self.hash, self.seed, secret.or(self.stored_secret)).map_err(|e| match e {
            Error::InvalidArgument(detail) => Error::Corrupt(format!("offset 40: {detail}")),
            other => other,
        })
    }
}

fn round_up(x: u64, unit: u64) -> u64 {
    (x + unit - 1) / unit * unit
}

fn page_bytes_for(body_bytes: u64) -> u64 {
    let mut page = SMALLEST_PAGE;
    while page * MOST_PAGES < body_bytes {
        page *= 2;
    }
    page
}

fn pages_of(body_bytes: u64) -> u64 {
    let page = page_bytes_for(body_bytes);
    (body_bytes + page - 1) / page
}
