//! Hash functions: from a key to a 64-bit digest. Everything after that is arithmetic on the digest.
//!
//! The function, its seed or secret and the key encoding are part of a filter: compared on merge, written to files by the
//! numbers and names below, which never change. `docs/hashes.md` of the project says which one to take.

mod fnv1a;
mod murmur3;
mod own;
mod siphash;
mod xxh3;
mod xxh3_fold;
mod xxh64;

pub(crate) use fnv1a::{fnv1a_64, fnv1a_64_splitmix, splitmix64};
pub(crate) use murmur3::{murmur3_x64_128, murmur3_x64_128_four_words};
pub use own::OwnHash;
pub(crate) use own::FIRST_OWN;
pub(crate) use xxh3::xxh3_64;

use crate::error::Error;
use crate::key::{Key, KeyRef};
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

/// The checksum of native files.
#[inline]
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes, 0)
}

#[inline]
fn le32(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

#[inline]
pub(crate) fn le64(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// The 64 bits that a hash makes of a key. They decide everything about it.
///
/// Digests come from [`HashFunction::digest`], or from elsewhere if keys are uniform already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(
    /// The 64 bits.
    pub u64,
);

/// The 16 bytes of a keyed hash. They are never printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(
    /// The bytes.
    pub [u8; 16],
);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A hash function with its seed or secret.
///
/// ```
/// use seenfilter::HashFunction;
/// let hash = HashFunction::default();
/// assert_eq!(hash, HashFunction::Xxh3Fold { seed: 0 });
/// assert_eq!(hash.digest("foobar").0, 0xd78f_da63_144c_5c84);
/// assert_eq!(hash.digest(&42).0, 0x4f47_7e58_1570_a2d0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashFunction {
    /// XXH3-64 but for keys of 8 bytes, integers among them, which take one folded product: the default.
    Xxh3Fold {
        /// Any 64 bits.
        seed: u64,
    },
    /// XXH3-64.
    Xxh3_64 {
        /// Any 64 bits.
        seed: u64,
    },
    /// XXH64, as in Apache Parquet.
    Xxh64 {
        /// Any 64 bits.
        seed: u64,
    },
    /// MurmurHash3 x64-128, the first of its two words.
    Murmur3X64_128 {
        /// Any 32 bits.
        seed: u32,
    },
    /// FNV-1a 64, to read other people's filters: it has no avalanche.
    Fnv1a64,
    /// FNV-1a 64, then SplitMix64: the hash of the portable format.
    Fnv1a64Splitmix,
    /// SipHash-2-4, for keys chosen by strangers.
    SipHash24 {
        /// The secret, which strangers do not know.
        secret: Secret,
    },
    /// SipHash-1-3, the faster one for keys chosen by strangers.
    SipHash13 {
        /// The secret, which strangers do not know.
        secret: Secret,
    },
    /// A function of your own, with its seed.
    Own(OwnHash),
}

impl Default for HashFunction {
    fn default() -> Self {
        HashFunction::Xxh3Fold { seed: 0 }
    }
}

/// The key whose digest every native file stores: a wrong secret, or a function that computes something else, is noticed
/// when the file is opened.
const CHECK_KEY: &[u8] = b"have I seen this before?";

impl HashFunction {
    /// The digest of a key.
    #[inline]
    #[must_use]
    pub fn digest<K: Key>(&self, key: K) -> Digest {
        Hasher::new(*self).digest(key)
    }

    #[inline(never)]
    fn digest_otherwise(&self, bytes: &[u8]) -> u64 {
        match self {
            HashFunction::Xxh3Fold { .. } | HashFunction::Xxh3_64 { .. } => Hasher::new(*self).digest(bytes).0,
            HashFunction::Xxh64 { seed } => xxh64::xxh64(bytes, *seed),
            HashFunction::Murmur3X64_128 { seed } => murmur3_x64_128(bytes, u64::from(*seed))[0],
            HashFunction::Fnv1a64 => fnv1a_64(bytes),
            HashFunction::Fnv1a64Splitmix => fnv1a_64_splitmix(bytes),
            HashFunction::SipHash24 { secret } => siphash::siphash::<2, 4>(bytes, &secret.0),
            HashFunction::SipHash13 { secret } => siphash::siphash::<1, 3>(bytes, &secret.0),
            HashFunction::Own(own) => own.digest(bytes),
        }
    }

    /// The name used in the project: `"xxh3-fold"`. All functions of users are called `"user-defined"`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        name_of(self.id()).unwrap_or("user-defined")
    }

    /// The name, and of a user's function the number.
    pub(crate) fn described(&self) -> String {
        match self {
            HashFunction::Own(own) => format!("hash {:#x}", own.id()),
            _ => self.name().to_string(),
        }
    }

    /// The seed; 0 if the function takes none.
    #[must_use]
    pub fn seed(&self) -> u64 {
        match self {
            HashFunction::Xxh3Fold { seed } | HashFunction::Xxh3_64 { seed } | HashFunction::Xxh64 { seed } => *seed,
            HashFunction::Murmur3X64_128 { seed } => u64::from(*seed),
            HashFunction::Own(own) => own.seed(),
            _ => 0,
        }
    }

    /// The secret of a keyed function.
    #[must_use]
    pub fn secret(&self) -> Option<Secret> {
        match self {
            HashFunction::SipHash24 { secret } | HashFunction::SipHash13 { secret } => Some(*secret),
            _ => None,
        }
    }

    /// A function by its name in the project. A keyed one needs a secret and takes no seed.
    ///
    /// # Errors
    /// There is no such function, a keyed one has no secret, or the seed is wider than it takes.
    ///
    /// ```
    /// use seenfilter::{HashFunction, Secret};
    /// let hash = HashFunction::from_name("siphash-1-3", 0, Some(Secret([7; 16])))?;
    /// assert_eq!(hash.name(), "siphash-1-3");
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn from_name(name: &str, seed: u64, secret: Option<Secret>) -> Result<Self, Error> {
        let id = (1..=8)
            .find(|&id| name_of(id) == Some(name))
            .ok_or_else(|| Error::InvalidArgument(format!("{name:?} is not the name of a hash function")))?;
        Self::from_parts(id, seed, secret)
    }

    /// How it differs from another function: both sides in words, or nothing if both make the same digests.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let sides = |what: &str, here: &dyn fmt::Display, there: &dyn fmt::Display| {
            Some(format!("{what} differ: {here} here, {there} there"))
        };
        if self == other {
            return None;
        }
        if self.id() != other.id() {
            return sides("hashes", &self.described(), &other.described());
        }
        if self.seed() != other.seed() {
            return sides("seeds", &self.seed(), &other.seed());
        }
        if let HashFunction::Own(_) = self {
            let check = |function: &Self| format!("{:016x}", function.check_value());
            return sides(&format!("the check values of {}", self.described()), &check(self), &check(other));
        }
        Some("secrets differ".to_string())
    }

    /// The number in files.
    pub(crate) fn id(&self) -> u16 {
        match self {
            HashFunction::Xxh3_64 { .. } => 1,
            HashFunction::Xxh64 { .. } => 2,
            HashFunction::Murmur3X64_128 { .. } => 3,
            HashFunction::Fnv1a64 => 4,
            HashFunction::Fnv1a64Splitmix => 5,
            HashFunction::SipHash24 { .. } => 6,
            HashFunction::SipHash13 { .. } => 7,
            HashFunction::Xxh3Fold { .. } => 8,
            HashFunction::Own(own) => own.id(),
        }
    }

    /// A function by its number in files.
    pub(crate) fn from_parts(id: u16, seed: u64, secret: Option<Secret>) -> Result<Self, Error> {
        let name = name_of(id).ok_or_else(|| Error::InvalidArgument(format!("hash function {id} is not built in")))?;
        let widest = match id {
            1 | 2 | 8 => u64::MAX,
            3 => u64::from(u32::MAX),
            _ => 0,
        };
        if seed > widest {
            return Err(Error::InvalidArgument(format!("{name} takes seeds up to {widest}; this one is {seed}")));
        }
        let keyed = || secret.ok_or_else(|| Error::SecretRequired(format!("{name} needs its 16-byte secret")));
        Ok(match id {
            1 => HashFunction::Xxh3_64 { seed },
            2 => HashFunction::Xxh64 { seed },
            3 => HashFunction::Murmur3X64_128 { seed: seed as u32 },
            4 => HashFunction::Fnv1a64,
            5 => HashFunction::Fnv1a64Splitmix,
            6 => HashFunction::SipHash24 { secret: keyed()? },
            7 => HashFunction::SipHash13 { secret: keyed()? },
            _ => HashFunction::Xxh3Fold { seed },
        })
    }

    pub(crate) fn check_value(&self) -> u64 {
        let check = self.digest(CHECK_KEY).0;
        match self {
            // The sentence alone would not tell it from XXH3: its first eight characters take the other path.
            HashFunction::Xxh3Fold { .. } => check ^ self.digest(&CHECK_KEY[..8]).0,
            _ => check,
        }
    }
}

/// A hash function as filters hold it: what the seed of the default does to integers is computed once, not per key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hasher {
    function: HashFunction,
    flip: u64,
}

impl Hasher {
    #[inline]
    pub(crate) fn new(function: HashFunction) -> Self {
        let flip = match function {
            HashFunction::Xxh3Fold { seed } => xxh3_fold::flip_of(seed),
            _ => 0,
        };
        Hasher { function, flip }
    }

    #[inline]
    pub(crate) fn function(&self) -> HashFunction {
        self.function
    }

    /// The digest of a key.
    #[inline]
    pub(crate) fn digest<K: Key>(&self, key: K) -> Digest {
        use HashFunction::{Xxh3Fold, Xxh3_64};
        // These two first and inlined; the others are a call away, so that they cost them nothing.
        Digest(match (self.function, key.as_key()) {
            (Xxh3Fold { .. }, KeyRef::Integer(value)) => xxh3_fold::eight(value, self.flip),
            (Xxh3Fold { .. }, KeyRef::Bytes(bytes)) if bytes.len() == 8 => xxh3_fold::eight(le64(bytes, 0), self.flip),
            (Xxh3Fold { seed } | Xxh3_64 { seed }, KeyRef::Bytes(bytes)) => xxh3_64(bytes, seed),
            (Xxh3_64 { seed }, KeyRef::Integer(value)) => xxh3::xxh3_64_integer(value, seed),
            (_, KeyRef::Integer(value)) => self.function.digest_otherwise(&value.to_le_bytes()),
            (_, KeyRef::Wide(value)) => return self.digest(value.to_le_bytes()),
            (_, KeyRef::Bytes(bytes)) => self.function.digest_otherwise(bytes),
        })
    }

    /// The digests of a tile of keys.
    #[inline]
    pub(crate) fn digest_tile<K: Key>(&self, keys: &[K], digests: &mut [u64]) {
        // The default is told apart here, once per tile.
        if let HashFunction::Xxh3Fold { seed } = self.function {
            let hash = Hasher { function: HashFunction::Xxh3Fold { seed }, flip: self.flip };
            keys.iter().zip(digests).for_each(|(key, digest)| *digest = hash.digest(key).0);
        } else {
            keys.iter().zip(digests).for_each(|(key, digest)| *digest = self.digest(key).0);
        }
    }
}

/// Whether the function of this number takes a secret.
pub(crate) fn is_keyed(id: u16) -> bool {
    matches!(id, 6 | 7)
}

/// The name of a function by its number in files.
pub(crate) fn name_of(id: u16) -> Option<&'static str> {
    const NAMES: [&str; 8] = [
        "xxh3-64",
        "xxh64",
        "murmur3-x64-128",
        "fnv1a-64",
        "fnv1a-64-splitmix",
        "siphash-2-4",
        "siphash-1-3",
        "xxh3-fold",
    ];
    NAMES.get(usize::from(id).wrapping_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTIONS: [(HashFunction, [u64; 4]); 8] = {
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < 16 {
            bytes[i] = i as u8;
            i += 1;
        }
        let secret = Secret(bytes);
        [
            (
                HashFunction::Xxh3Fold { seed: 0 },
                [0x2d06800538d394c2, 0xd78fda63144c5c84, 0x4f477e581570a2d0, 0xccee381706a15589],
            ),
            (
                HashFunction::Xxh3_64 { seed: 0 },
                [0x2d06800538d394c2, 0xd78fda63144c5c84, 0xd5a6f8c838df27c8, 0xaf5b3e498c738e13],
            ),
            (
                HashFunction::Xxh64 { seed: 0 },
                [0xef46db3751d8e999, 0xa2aa05ed9085aaf9, 0xb556806fb6d14353, 0x322ff458a033a44f],
            ),
            (HashFunction::Murmur3X64_128 { seed: 0 }, [0, 0xbdd2ae7116c85a45, 0xb6acc39989d27df8, 0x9ed1b9415731bb1c]),
            (HashFunction::Fnv1a64, [0xcbf29ce484222325, 0x85944171f73967e8, 0xff3add6b3789daef, 0xd1b287b2a51544f1]),
            (
                HashFunction::Fnv1a64Splitmix,
                [0xc3817c016ba4ff30, 0x5df295413403de4f, 0xa4e6579fd9ba8f6d, 0x3f3ce7927924d55c],
            ),
            (
                HashFunction::SipHash24 { secret },
                [0x726fdb47dd0e0e31, 0xf15e87a1187632c0, 0x2cbe815a255faf48, 0x5729cdde0f38afd7],
            ),
            (
                HashFunction::SipHash13 { secret },
                [0xabac0158050fc4dc, 0x981455dbd699259b, 0x2d9b012a807294cb, 0x386cc891dcc01e63],
            ),
        ]
    };

    #[test]
    fn every_function_gives_the_known_answers() {
        for (hash, [empty, foobar, integer, check]) in FUNCTIONS {
            assert_eq!(hash.digest("").0, empty, "{}", hash.name());
            assert_eq!(hash.digest("foobar").0, foobar, "{}", hash.name());
            assert_eq!(hash.digest(42).0, integer, "{}", hash.name());
            assert_eq!(hash.check_value(), check, "{}", hash.name());
        }
    }

    // The digests were computed with the integers of Python.
    #[test]
    fn xxh3_fold_is_xxh3_but_for_eight_bytes() {
        for (key, seed, digest) in [
            (0, 0, 0x618a77735cdb91e8),
            (u64::MAX, 0, 0xce83463669cfc450),
            (0xe220a8397b1dcdaf, 0, 0), // the one that seed 0 flips to 0
            (0x0807060504030201, 77, 0xee74832741c4076a),
            (0x0807060504030201, u64::MAX, 0xed1b717adacff9e6),
        ] {
            assert_eq!(HashFunction::Xxh3Fold { seed }.digest(key).0, digest, "{key:#x} with seed {seed:#x}");
        }
        let bytes: alloc::vec::Vec<u8> = (0..300u16).map(|i| (i * 7) as u8).collect();
        let (fold, plain) = (HashFunction::Xxh3Fold { seed: 77 }, HashFunction::Xxh3_64 { seed: 77 });
        for length in 0..bytes.len() {
            let key = &bytes[..length];
            assert_eq!(fold.digest(key) == plain.digest(key), length != 8, "{length} bytes");
        }
    }

    #[test]
    fn an_integer_is_its_eight_bytes_to_every_function() {
        for (hash, _) in FUNCTIONS {
            for value in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
                assert_eq!(hash.digest(value), hash.digest(value.to_le_bytes()), "{}", hash.name());
            }
            let wide = 0x0123_4567_89ab_cdef_0000_0000_0000_002a_u128;
            assert_eq!(hash.digest(wide), hash.digest(wide.to_le_bytes()), "{}", hash.name());
            assert_ne!(hash.digest(42u128), hash.digest(42), "{}", hash.name());
            assert_eq!(hash.digest(-1i8), hash.digest(u64::MAX));
            assert_eq!(hash.digest(42u8), hash.digest(42i64));
        }
    }

    #[test]
    fn a_function_is_found_by_its_name_and_by_its_number() {
        for (hash, _) in FUNCTIONS {
            assert_eq!(HashFunction::from_name(hash.name(), 0, hash.secret()).unwrap(), hash);
        }
        assert!(HashFunction::from_name("md5", 0, None).is_err());
        assert!(matches!(HashFunction::from_name("siphash-2-4", 0, None), Err(Error::SecretRequired(_))));
        assert!(HashFunction::from_name("murmur3-x64-128", 1 << 32, None).is_err());
        assert!(HashFunction::from_name("fnv1a-64", 1, None).is_err());
    }

    #[test]
    fn the_four_words_are_those_of_the_key_and_of_the_key_with_a_byte_more() {
        let bytes: alloc::vec::Vec<u8> = (0..70u8).map(|i| i.wrapping_mul(73)).collect();
        for length in 0..bytes.len() {
            let [a, b, c, d] = murmur3_x64_128_four_words(&bytes[..length]);
            let mut longer = bytes[..length].to_vec();
            longer.push(1);
            assert_eq!([a, b], murmur3_x64_128(&bytes[..length], 0));
            assert_eq!([c, d], murmur3_x64_128(&longer, 0));
        }
    }
}
