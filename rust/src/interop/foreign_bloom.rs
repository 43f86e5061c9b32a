//! A Bloom filter of another library: its bits, its rule, its hash and its file.
//!
//! Rule and hash are chosen when a filter is made or opened, never per key. The array of a file is kept as
//! it is: where bits-and-blooms has fewer bits than m, the missing ones are 0, and it grows as they are set.

use super::bits_and_blooms::{self, Form};
use super::bytes::ceil_div;
use super::rule::{FastMod, FourWords, Positions, WordsOf};
use super::shape::{checked, rounded_up, rounded_up_phrozen};
use super::{detect_one, invalid, phrozen, portable, Format, Variant};
use crate::batch;
use crate::health::{Health, Limit, State};
use crate::math::sizing::{bloom_shape, portable_shape, MAX_PORTABLE_BITS};
use crate::math::{self, WEAK_FILL};
#[cfg(feature = "std")]
use crate::OpenOptions;
use crate::{BloomShape, Error, HashFunction, Key, KeyRef, Target};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
#[cfg(feature = "std")]
use std::path::Path;

/// Keys that are hashed before the first of them is asked for: their misses of the cache then overlap.
const TILE: usize = 32;

/// A Bloom filter in the format of another library.
///
/// ```
/// use seenfilter::interop::{ForeignBloom, Format};
/// use seenfilter::Target;
///
/// let mut known = ForeignBloom::new(Format::BitsAndBlooms, Target { capacity: 1000, fpr: 0.01 })?;
/// known.add("alice");
/// let file = known.to_bytes(); // what the Go package would write
/// let again = ForeignBloom::from_bytes_as(Format::BitsAndBlooms, &file)?;
/// assert!(again.may_contain("alice") && !again.may_contain("bob"));
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone)]
pub struct ForeignBloom {
    format: Format,
    hash: HashFunction,
    words_of: WordsOf,
    shape: BloomShape,
    modulus: FastMod,
    words: Vec<u64>,
    form: Form,
    guessed: bool,
}

// By hand: functions of references are not Debug in Rust 1.63.
impl fmt::Debug for ForeignBloom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ForeignBloom");
        out.field("format", &self.format).field("hash", &self.hash).field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl ForeignBloom {
    // --- making and opening

    /// An empty filter for so many keys at this rate, as large as the library itself would make it.
    ///
    /// # Errors
    /// The format has no filter for the target, or there is no memory for it.
    pub fn new(format: Format, target: Target) -> Result<Self, Error> {
        let shape = match format {
            Format::BitsAndBlooms | Format::Phrozen => {
                bloom_shape(target)?; // what native sizing rejects, nobody can have
                if format == Format::Phrozen {
                    rounded_up_phrozen(target)
                } else {
                    rounded_up(target)
                }
            }
            Format::Portable => {
                let (bits, probes) = portable_shape(target)?;
                BloomShape { bits, probes: probes as u32 }
            }
        };
        Self::with_shape(format, shape)
    }

    /// An empty filter of this shape. Formats other than the portable one take up to 255 probes.
    ///
    /// # Errors
    /// The format has no such filter, or there is no memory for it.
    pub fn with_shape(format: Format, shape: BloomShape) -> Result<Self, Error> {
        let named = |what| invalid(format!("{}: {}", format.name(), what));
        let shape = checked(shape.bits, u64::from(shape.probes), format.max_probes(), named)?;
        if format == Format::Portable {
            if shape.bits > MAX_PORTABLE_BITS {
                return Err(named(format!(
                    "bits is {}; the first probe reaches only 2^32: use the native format",
                    shape.bits
                )));
            }
            portable::self_check()?;
        }
        let words = vec![0; ceil_div(shape.bits, 64) as usize];
        Ok(Self::over(format, shape, words, Form { length: shape.bits, ..Form::default() }))
    }

    /// Opens the bytes of a file of any format. If they do not tell which, the error lists the formats that fit. If they look
    /// like a format and do not prove it, the filter is a guess ([`is_guessed`](Self::is_guessed)).
    ///
    /// # Errors
    /// They do not tell one format, or are no file of it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (format, guessed) = detect_one(bytes)?;
        Ok(ForeignBloom { guessed, ..Self::from_bytes_as(format, bytes)? })
    }

    /// Opens the bytes of a file of this format.
    ///
    /// # Errors
    /// They are no file of the format.
    pub fn from_bytes_as(format: Format, bytes: &[u8]) -> Result<Self, Error> {
        let (shape, words, form) = match format {
            Format::BitsAndBlooms => bits_and_blooms::parse(bytes)?,
            Format::Phrozen => phrozen::FILE.parse(bytes)?,
            Format::Portable => {
                portable::self_check()?;
                portable::FILE.parse(bytes)?
            }
        };
        Ok(Self::over(format, shape, words, form))
    }

    fn over(format: Format, shape: BloomShape, words: Vec<u64>, form: Form) -> Self {
        let (hash, words_of) = format.own_hash();
        ForeignBloom { format, hash, words_of, shape, modulus: FastMod::new(shape.bits), words, form, guessed: false }
    }

    /// Whether the format was neither named ([`from_bytes_as`](Self::from_bytes_as)) nor proven by the bytes. Such a filter
    /// can be asked, and changed in memory. It cannot be merged or saved, which could destroy a file of another format.
    #[must_use]
    pub fn is_guessed(&self) -> bool {
        self.guessed
    }

    fn check_named(&self, what: &str) -> Result<(), Error> {
        if !self.guessed {
            return Ok(());
        }
        let name = self.format.name();
        Err(Error::NotRecognised(format!(
            "{what}: this looks like a {name} file, but nothing in it proves it: name the format (load_as)"
        )))
    }

    /// The same bits, to be written in another encoding.
    ///
    /// # Errors
    /// The format has no such variant.
    ///
    /// ```
    /// # use seenfilter::interop::{ForeignBloom, Format, Variant};
    /// # use seenfilter::BloomShape;
    /// let shape = BloomShape { bits: 1, probes: 1 };
    /// let f = ForeignBloom::with_shape(Format::BitsAndBlooms, shape)?.in_variant(Variant::Json)?;
    /// assert_eq!(f.to_bytes(), br#"{"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAA=="}"#);
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn in_variant(mut self, variant: Variant) -> Result<Self, Error> {
        if self.format != Format::BitsAndBlooms && variant != Variant::Binary {
            return Err(invalid(format!("{}: no variant {} can be chosen", self.format.name(), variant.name())));
        }
        self.form.variant = variant;
        Ok(self)
    }

    /// The same bits, asked and added to with another hash. Only phrozen leaves the hash to its user. A filter that is opened
    /// with a hash other than its writer's answers at random.
    ///
    /// # Errors
    /// Files of the format are not made with such a hash.
    pub fn hashed_with(mut self, hash: HashFunction) -> Result<Self, Error> {
        match self.format.words_of(hash) {
            Some(words_of) => self.words_of = words_of,
            None => {
                return Err(invalid(format!(
                    "{}: its files are not made with {}",
                    self.format.name(),
                    hash.described()
                )))
            }
        }
        self.hash = hash;
        Ok(self)
    }

    /// The bytes of a file: the very ones that were opened, if nothing was added since.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self.format {
            Format::BitsAndBlooms => bits_and_blooms::write(self.shape, &self.words, &self.form),
            Format::Phrozen => phrozen::write(self.shape, &self.words),
            Format::Portable => portable::write(self.shape, &self.words),
        }
    }

    /// Writes the bytes of a file.
    ///
    /// # Errors
    /// The writer refuses, or the filter is a guess.
    #[cfg(feature = "std")]
    pub fn write_to(&self, writer: impl std::io::Write) -> Result<(), Error> {
        self.check_named("write_to")?;
        crate::stream::write_bytes(writer, &self.to_bytes())
    }

    /// Reads a file of whichever format it is from a stream, all of which it is.
    ///
    /// # Errors
    /// The reader refuses, or the bytes do not tell one format.
    #[cfg(feature = "std")]
    pub fn read_from(reader: impl std::io::Read) -> Result<Self, Error> {
        Self::from_bytes(&crate::stream::read_any(reader, OpenOptions::default())?)
    }

    /// Reads a file of this format from a stream, all of which it is.
    ///
    /// # Errors
    /// The reader refuses, or the bytes are no file of the format.
    #[cfg(feature = "std")]
    pub fn read_from_as(format: Format, reader: impl std::io::Read) -> Result<Self, Error> {
        Self::from_bytes_as(format, &crate::stream::read_any(reader, OpenOptions::default())?)
    }

    /// Saves to a file, which is replaced in one step: after an error or a crash the old one or the new one is there, whole.
    ///
    /// # Errors
    /// The system refuses, or the format is a guess.
    #[cfg(feature = "std")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.check_named("save")?;
        crate::replace::replace(path.as_ref(), |write| write(&self.to_bytes()))
    }

    /// Loads a file of whichever format it is, as [`from_bytes`](Self::from_bytes) tells.
    ///
    /// # Errors
    /// The system refuses, or the bytes do not tell one format.
    #[cfg(feature = "std")]
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        from_file(path.as_ref(), Self::from_bytes)
    }

    /// Loads a file of this format.
    ///
    /// # Errors
    /// The system refuses, or the file is none of the format.
    #[cfg(feature = "std")]
    pub fn load_as(format: Format, path: impl AsRef<Path>) -> Result<Self, Error> {
        from_file(path.as_ref(), |bytes| Self::from_bytes_as(format, bytes))
    }

    // --- what it is

    /// The format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The encoding in which it is written.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.form.variant
    }

    /// The hash function.
    #[must_use]
    pub fn hash(&self) -> HashFunction {
        self.hash
    }

    /// The number of bits, by which positions are reduced, and of bits per key.
    #[must_use]
    pub fn shape(&self) -> BloomShape {
        self.shape
    }

    // --- keys

    #[inline]
    fn positions(&self, words: FourWords) -> Positions {
        Positions::new(words, self.modulus, self.shape.probes)
    }

    #[inline]
    fn words_of<K: Key>(&self, key: K) -> FourWords {
        match key.as_key() {
            KeyRef::Bytes(bytes) => (self.words_of)(&self.hash, bytes),
            KeyRef::Integer(value) => (self.words_of)(&self.hash, &value.to_le_bytes()),
            KeyRef::Wide(value) => (self.words_of)(&self.hash, &value.to_le_bytes()),
        }
    }

    /// Adds a key.
    pub fn add<K: Key>(&mut self, key: K) {
        self.test_and_add(key);
    }

    /// Adds a key, and says whether it may have been in before.
    pub fn test_and_add<K: Key>(&mut self, key: K) -> bool {
        let mut present = true;
        for at in self.positions(self.words_of(key)) {
            let (word, mask) = ((at / 64) as usize, 1 << (at % 64));
            if word >= self.words.len() {
                self.words.resize(word + 1, 0);
            }
            present &= self.words[word] & mask != 0;
            self.words[word] |= mask;
        }
        present
    }

    /// Whether a key may have been added; if not, it certainly was not.
    pub fn may_contain<K: Key>(&self, key: K) -> bool {
        self.has(self.words_of(key))
    }

    #[inline]
    fn has(&self, words: FourWords) -> bool {
        self.positions(words).all(|at| {
            let word = self.words.get((at / 64) as usize).copied().unwrap_or(0);
            word >> (at % 64) & 1 != 0
        })
    }

    /// Adds many keys.
    pub fn add_many<K: Key>(&mut self, keys: &[K]) {
        keys.iter().for_each(|key| self.add(key));
    }

    /// The answers for many keys, in their order.
    pub fn may_contain_many<K: Key>(&self, keys: &[K]) -> Vec<bool> {
        batch::answers(keys, |answers| self.answer(keys, answers))
    }

    /// The same into memory of the caller; returns how many may be present.
    ///
    /// # Panics
    /// Where there are not as many answers as keys.
    pub fn may_contain_into<K: Key>(&self, keys: &[K], answers: &mut [bool]) -> usize {
        batch::answers_into(keys, answers, |answers| self.answer(keys, answers))
    }

    fn answer<K: Key>(&self, keys: &[K], answers: &mut [bool]) {
        let hash_tile = |some: &[K], words: &mut [FourWords]| {
            some.iter().zip(words).for_each(|(key, words)| *words = self.words_of(key));
        };
        batch::for_each_tile_of::<_, _, TILE>(keys, hash_tile, |at, tile| {
            answers[at..].iter_mut().zip(tile).for_each(|(answer, &words)| *answer = self.has(words));
        });
    }

    // --- the whole

    /// Adds all keys of a filter of the same shape and hash; nothing changes where it is another.
    ///
    /// # Errors
    /// [`Error::Incompatible`]: format, hash or shape differ. Or the format of one is a guess.
    pub fn merge(&mut self, other: &ForeignBloom) -> Result<(), Error> {
        let differ = |what: &str, here: &dyn core::fmt::Display, there: &dyn core::fmt::Display| {
            Err(Error::Incompatible(format!("merge: {} differ: {} here, {} there", what, here, there)))
        };
        self.check_named("merge")?;
        other.check_named("merge")?;
        if self.format != other.format {
            return differ("formats", &self.format.name(), &other.format.name());
        }
        if let Some(difference) = self.hash.difference(&other.hash) {
            return Err(Error::Incompatible(format!("merge: {difference}")));
        }
        if self.shape.bits != other.shape.bits {
            return differ("bits", &self.shape.bits, &other.shape.bits);
        }
        if self.shape.probes != other.shape.probes {
            return differ("probes", &self.shape.probes, &other.shape.probes);
        }
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (here, there) in self.words.iter_mut().zip(&other.words) {
            *here |= there;
        }
        self.form.length = self.form.length.max(other.form.length);
        Ok(())
    }

    fn array_bits(&self) -> u64 {
        self.shape.bits.max(self.form.length)
    }

    fn set_bits(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// How much of its memory lies in huge pages at the moment, as Linux says it; none elsewhere. Where other memory shares a
    /// mapping with it this is the most that it can have.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn huge_page_bytes(&self) -> Option<u64> {
        crate::pages::huge_page_bytes(self.words.as_ptr() as usize, 8 * self.words.len() as u64)
    }

    /// The share of bits that are set.
    #[must_use]
    pub fn fill(&self) -> f64 {
        math::share(self.set_bits(), self.array_bits())
    }

    /// About how many different keys were added, from the bits that are set; infinite where all are.
    #[must_use]
    pub fn estimated_count(&self) -> f64 {
        math::estimated_count(self.set_bits(), self.array_bits(), f64::from(self.shape.probes))
    }

    /// The false-positive rate that the bits which are set make: fill^probes.
    #[must_use]
    pub fn estimated_fpr(&self) -> f64 {
        math::real::powi(self.fill(), self.shape.probes)
    }

    /// Whether it is saturated, which is all that can be said of a file that does not name its capacity.
    #[must_use]
    pub fn health(&self) -> Health {
        let (bits, throws) = (self.array_bits(), f64::from(self.shape.probes));
        let (fill, count, fpr) = (self.fill(), self.estimated_count(), self.estimated_fpr());
        let limit = Limit::Cells { cells: bits, throws };
        Health::of(State { fill, count, fpr, saturated: fill > WEAK_FILL, limit }, Target::default())
    }
}

/// "portable, 1280 bytes": the format, and the size of its bits.
impl fmt::Display for ForeignBloom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} bytes", self.format.name(), 8 * self.words.len())
    }
}

#[cfg(feature = "std")]
fn from_file(path: &Path, open: impl FnOnce(&[u8]) -> Result<ForeignBloom, Error>) -> Result<ForeignBloom, Error> {
    crate::native::FileSource::read_with(path, |source| open(&crate::native::all_of(source)?))
}
