//! Errors are values: a class for programs, and a sentence for people that names both sides.

use alloc::string::String;
use core::fmt;

/// Why a call failed. A failed call has changed nothing.
///
/// ```
/// use seenfilter::{Bloom, Error, Target};
/// let error = Bloom::new(Target { capacity: 1000, fpr: 2.0 }).unwrap_err();
/// assert!(matches!(error, Error::InvalidArgument(_)));
/// assert_eq!(error.to_string(), "fpr 2 is not a probability strictly between 0 and 1");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An argument is outside its range: capacity 0, fpr 2, probes 31.
    InvalidArgument(String),
    /// The arguments are valid, but the filter would be larger than one can be.
    TooLarge(String),
    /// This machine does not have that much memory.
    NoMemory(String),
    /// No writer of the format can have produced these bytes, or a checksum does not match.
    Corrupt(String),
    /// The bytes are not a file of a format known here, or could be of several.
    NotRecognised(String),
    /// A later release wrote the file, or it uses a feature that must be understood and is not.
    NewerVersion(String),
    /// The file is good, but of another kind than the one asked for.
    WrongKind(String),
    /// The file is good, but was made with another hash function, seed, key encoding or secret.
    WrongHash(String),
    /// A keyed file was opened without its secret.
    SecretRequired(String),
    /// The file was being written in place and was never sealed: open it with `recover`.
    Unsealed(String),
    /// There is no room for another key; the filter is unchanged.
    Full(String),
    /// The two filters cannot be combined: their shapes, hashes or seeds differ.
    Incompatible(String),
    /// This kind or format has no such operation.
    Unsupported(String),
    /// The operating system refused.
    #[cfg(feature = "std")]
    Io {
        /// The call that failed, with the name of the file.
        doing: String,
        /// The reason that the system gives.
        source: std::io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InvalidArgument(detail)
            | Error::TooLarge(detail)
            | Error::NoMemory(detail)
            | Error::Corrupt(detail)
            | Error::NotRecognised(detail)
            | Error::NewerVersion(detail)
            | Error::WrongKind(detail)
            | Error::WrongHash(detail)
            | Error::SecretRequired(detail)
            | Error::Unsealed(detail)
            | Error::Full(detail)
            | Error::Incompatible(detail)
            | Error::Unsupported(detail) => f.write_str(detail),
            #[cfg(feature = "std")]
            Error::Io { doing, source } => write!(f, "{doing}: {source}"),
        }
    }
}

// The sentence has the reason in it, so the source is what is behind the reason: whoever prints the whole chain, as `anyhow`
// does, reads each once.
#[cfg(feature = "std")]
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => std::error::Error::source(source),
            _ => None,
        }
    }
}

#[cfg(all(not(feature = "std"), core_error))]
impl core::error::Error for Error {}

// With a standard library or without.
#[cfg(core_error)]
const _: fn() = || {
    fn is_an_error<E: core::error::Error + Send + Sync + 'static>() {}
    is_an_error::<Error>();
};

impl Error {
    /// The same error with a name before its sentence: the file it is about.
    pub(crate) fn about(self, name: &str) -> Self {
        let named = |detail: String| alloc::format!("{name}: {detail}");
        match self {
            Error::InvalidArgument(detail) => Error::InvalidArgument(named(detail)),
            Error::TooLarge(detail) => Error::TooLarge(named(detail)),
            Error::NoMemory(detail) => Error::NoMemory(named(detail)),
            Error::Corrupt(detail) => Error::Corrupt(named(detail)),
            Error::NotRecognised(detail) => Error::NotRecognised(named(detail)),
            Error::NewerVersion(detail) => Error::NewerVersion(named(detail)),
            Error::WrongKind(detail) => Error::WrongKind(named(detail)),
            Error::WrongHash(detail) => Error::WrongHash(named(detail)),
            Error::SecretRequired(detail) => Error::SecretRequired(named(detail)),
            Error::Unsealed(detail) => Error::Unsealed(named(detail)),
            Error::Full(detail) => Error::Full(named(detail)),
            Error::Incompatible(detail) => Error::Incompatible(named(detail)),
            Error::Unsupported(detail) => Error::Unsupported(named(detail)),
            #[cfg(feature = "std")]
            io @ Error::Io { .. } => io,
        }
    }
}
