//! Files of other libraries: read, asked, added to, made, and written back byte for byte.
//!
//! ```text
//!  file ──parse──► shape, words, the rest of its header
//!                     │
//!                     ▼
//!  ForeignBloom: the library's rule and hash over these words ──write──► the same file
//! ```
//!
//! | format | library | told by |
//! |---|---|---|
//! | [`Format::BitsAndBlooms`] | the Go package bits-and-blooms/bloom, version 3: binary, JSON and gob | m and L, which are one number said twice: a guess, as willf 2.0.0 wrote such files with another hash |
//! | [`Format::Phrozen`] | the Go package phrozen/bloom | its name only |
//! | [`Format::Portable`] | the portable lab format | its length: a guess |
//!
//! A file whose format is guessed ([`ForeignBloom::is_guessed`]) can be asked, and its copy in memory be changed. It is
//! neither merged nor saved, for it may be another's. None has a magic or a checksum: a flipped bit goes unnoticed, so what is read is *unverified*. Lengths
//! are checked against the bytes that are there before anything is allocated. Nothing a library does
//! wrongly is put right: its bits mean what it does.

mod bare;
pub(crate) mod base64;
mod bits_and_blooms;
mod bytes;
mod evidence;
mod foreign_bloom;
mod gob;
mod json;
mod phrozen;
mod portable;
mod rule;
mod shape;

pub use bits_and_blooms::Variant;
pub use foreign_bloom::ForeignBloom;

use crate::hash::{fnv1a_64, fnv1a_64_splitmix, murmur3_x64_128_four_words};
use crate::{Error, HashFunction};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use rule::{halves, WordsOf};

fn corrupt(what: impl Into<String>) -> Error {
    Error::Corrupt(what.into())
}

fn invalid(what: impl Into<String>) -> Error {
    Error::InvalidArgument(what.into())
}

/// A library whose files are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Go package bits-and-blooms/bloom, version 3.
    BitsAndBlooms,
    /// The Go package phrozen/bloom.
    Phrozen,
    /// The portable lab format.
    Portable,
}

/// How surely some bytes are a file of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detection {
    /// They are not.
    No,
    /// A few small numbers agree with the length, as those of anybody's header might: the format has to be named.
    Fitting,
    /// The same, with odds of less than one in 2^24 that the content of another filter looks so: a guess.
    Likely,
    /// A number that is said twice, and odds of less than one in 2^32.
    Certain,
}

impl Format {
    /// All formats there are.
    pub const ALL: [Format; 3] = [Format::BitsAndBlooms, Format::Phrozen, Format::Portable];

    /// The name, as the `seen` command has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::BitsAndBlooms => "bits-and-blooms",
            Format::Phrozen => "phrozen",
            Format::Portable => "portable",
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// How surely these are the bytes of a file of the format; little of them is read.
    #[must_use]
    pub fn detect(self, bytes: &[u8]) -> Detection {
        match self {
            Format::BitsAndBlooms => bits_and_blooms::detect(bytes),
            Format::Phrozen => phrozen::detect(bytes),
            Format::Portable => portable::detect(bytes),
        }
    }

    fn max_probes(self) -> u64 {
        match self {
            Format::BitsAndBlooms | Format::Phrozen => shape::MAX_PROBES,
            Format::Portable => portable::MAX_PROBES,
        }
    }

    /// The hash that the library itself takes.
    #[must_use]
    pub fn hash(self) -> HashFunction {
        self.own_hash().0
    }

    fn own_hash(self) -> (HashFunction, WordsOf) {
        match self {
            Format::BitsAndBlooms => {
                (HashFunction::Murmur3X64_128 { seed: 0 }, |_, key| murmur3_x64_128_four_words(key))
            }
            Format::Phrozen => (HashFunction::Fnv1a64, |_, key| halves(fnv1a_64(key))),
            Format::Portable => (HashFunction::Fnv1a64Splitmix, |_, key| halves(fnv1a_64_splitmix(key))),
        }
    }

    /// From the bytes of a key to four words with this hash, where the format can have it.
    fn words_of(self, hash: HashFunction) -> Option<WordsOf> {
        use HashFunction::*;
        let (own, words_of) = self.own_hash();
        match hash {
            _ if hash == own => Some(words_of),
            // Its user may have brought any with 64 bits and no secret.
            _ if self != Format::Phrozen => None,
            Xxh3Fold { seed: 0 }
            | Xxh3_64 { seed: 0 }
            | Xxh64 { seed: 0 }
            | Murmur3X64_128 { seed: 0 }
            | Fnv1a64Splitmix
            | Own(_) => Some(|hash, key| halves(hash.digest(key).0)),
            _ => None,
        }
    }
}

/// The one format that claims these bytes, and whether that is a guess. All are asked: two claims are not an answer.
fn detect_one(bytes: &[u8]) -> Result<(Format, bool), Error> {
    let claims: Vec<_> = Format::ALL
        .iter()
        .map(|&format| (format, format.detect(bytes)))
        .filter(|claim| claim.1 != Detection::No)
        .collect();
    match claims.as_slice() {
        [] => Err(Error::NotRecognised("no format that is read here looks so".into())),
        [(format, how)] if *how >= Detection::Likely => Ok((*format, *how != Detection::Certain)),
        _ => {
            if let [(format, _)] = claims.as_slice() {
                let name = format.name();
                return Err(Error::NotRecognised(format!(
                    "the content does not tell its format; it may be {name}, which has to be named (load_as)"
                )));
            }
            let names: Vec<_> = claims.iter().map(|claim| claim.0.name()).collect();
            let names = names.join(" or ");
            Err(Error::NotRecognised(format!(
                "the content does not tell its format; it could be {names}: name it (load_as)"
            )))
        }
    }
}
