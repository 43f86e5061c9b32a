//! Who holds the bits, and how a word of them is touched. The bodies of all filters are written once over these traits.
//!
//! ```text
//! Plain    u64s               one writer or many readers       |= on a u64
//! Shared   AtomicU64s         any thread adds and asks         relaxed atomic OR
//! Mapped   a file in memory   readers only, here               relaxed atomic loads of little-endian words
//! ```
//!
//! A line is eight words, aligned to 64 bytes: a cache line, so that a block of 512 bits is one miss. Words are addressed by
//! their number in the whole array, which takes fewer instructions than a line and a place in it. Nothing here allocates for
//! a key. Words are numbers here; files hold them little-endian.

use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;
#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

pub(crate) const LINE_WORDS: usize = 8;
pub(crate) const LINE_BYTES: usize = 64;

/// Eight words of bits.
pub trait LineWords {
    /// Word `i`, below 8.
    fn word(&self, i: usize) -> u64;
}

/// Bits that can be read.
pub trait Words {
    /// How a line is held.
    type Line: LineWords;
    /// Whether others may change them meanwhile, so that a write costs more than a look, and a copy comes before a checksum.
    const IS_SHARED: bool = false;
    /// How many lines there are.
    fn line_count(&self) -> usize;
    /// Line `i`, if there is one.
    fn line(&self, i: usize) -> Option<&Self::Line>;

    /// Word `i` of the whole array; 0 beyond its end.
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.line(i / LINE_WORDS).map_or(0, |line| line.word(i % LINE_WORDS))
    }

    /// The `N` words of a block, which begins with word `first` and lies in one line.
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        let mut block = [0; N];
        if let Some(line) = self.line(first / LINE_WORDS) {
            for (i, word) in block.iter_mut().enumerate() {
                *word = line.word(first % LINE_WORDS + i);
            }
        }
        block
    }

    /// The number of set bits.
    fn count_ones(&self) -> u64 {
        let mut sum = 0;
        for i in 0..self.line_count() {
            if let Some(line) = self.line(i) {
                sum += (0..LINE_WORDS).map(|w| u64::from(line.word(w).count_ones())).sum::<u64>();
            }
        }
        sum
    }

    /// Whether nothing but zeros follows the first `bits` bits. Looks at the lines after them only.
    fn is_zero_beyond(&self, bits: u64) -> bool {
        let first = (bits / 512) as usize;
        (first..self.line_count()).all(|i| {
            (0..LINE_WORDS).all(|w| {
                let begin = (i * LINE_WORDS + w) as u64 * 64;
                let used = bits.saturating_sub(begin).min(64);
                let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
                self.line(i).map_or(0, |line| line.word(w)) & !mask == 0
            })
        })
    }

    /// The bytes of a file from line `from` on.
    fn write_bytes(&self, from: usize, into: &mut [u8]) {
        for (i, bytes) in into.chunks_exact_mut(LINE_BYTES).enumerate() {
            if let Some(line) = self.line(from + i) {
                for (w, word) in bytes.chunks_exact_mut(8).enumerate() {
                    word.copy_from_slice(&line.word(w).to_le_bytes());
                }
            }
        }
    }
}

/// Bits that can be changed.
pub trait WordsMut: Words {
    /// Sets bits of word `i`.
    fn set(&mut self, i: usize, mask: u64);
    /// Clears all bits of word `i` but these.
    fn keep(&mut self, i: usize, mask: u64);
    /// Sets bits of the words of a block.
    fn set_block<const N: usize>(&mut self, first: usize, masks: &[u64; N]);
}

/// Bits that a filter can own.
pub trait OwnedWords: Words + Sized {
    /// A number of lines of zeros.
    fn zeroed(lines: usize) -> Result<Self, Error>;
    /// The lines of a plain filter.
    fn from_plain(plain: Plain) -> Self;
}

impl<W: Words> Words for &W {
    type Line = W::Line;
    const IS_SHARED: bool = W::IS_SHARED;
    #[inline]
    fn line_count(&self) -> usize {
        (**self).line_count()
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&Self::Line> {
        (**self).line(i)
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        (**self).word(i)
    }
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        (**self).block(first)
    }
}

impl LineWords for [u64; LINE_WORDS] {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self[i % LINE_WORDS]
    }
}

/// Words whose first lies at the beginning of a cache line: those before it in the allocation are skipped.
///
/// If it does not (an allocator may move what grows), lookups are slower, and nothing is wrong.
#[derive(Default)]
pub(crate) struct Aligned<T> {
    buffer: Vec<T>,
    skip: usize,
}

// Nobody wants to read a million words.
impl<T> core::fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} words", self.words().len())
    }
}

impl<T: Default> Aligned<T> {
    pub(crate) fn with_capacity(lines: usize) -> Result<Self, Error> {
        let mut buffer: Vec<T> = Vec::new();
        // A number beyond the addresses of a 32-bit machine is not memory either.
        let words = lines.checked_mul(LINE_WORDS).and_then(|words| words.checked_add(LINE_WORDS - 1));
        words.and_then(|words| buffer.try_reserve_exact(words).ok()).ok_or_else(|| {
            Error::NoMemory(format!("need {} bytes of memory; there are not so many", lines as u64 * LINE_BYTES as u64))
        })?;
        let skip = buffer.as_ptr().align_offset(LINE_BYTES).min(LINE_WORDS - 1);
        buffer.resize_with(skip, T::default);
        Ok(Aligned { buffer, skip })
    }

    pub(crate) fn zeroed(lines: usize) -> Result<Self, Error> {
        let mut made = Self::with_capacity(lines)?;
        made.buffer.resize_with(made.skip + lines * LINE_WORDS, T::default);
        Ok(made)
    }
}

impl<T> Aligned<T> {
    #[inline]
    pub(crate) fn words(&self) -> &[T] {
        self.buffer.get(self.skip..).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [T] {
        self.buffer.get_mut(self.skip..).unwrap_or(&mut [])
    }

    /// Appends words; there is room for as many as were asked for.
    pub(crate) fn extend(&mut self, words: impl Iterator<Item = T>) {
        self.buffer.extend(words);
    }

    /// Lets go of all but the first words.
    pub(crate) fn truncate(&mut self, words: usize) {
        self.buffer.truncate(self.skip.saturating_add(words));
    }

    #[inline]
    fn block<const N: usize>(&self, first: usize) -> Option<&[T; N]> {
        self.words().get(first..)?.get(..N)?.try_into().ok()
    }
}

/// Words of one owner: many readers, or one writer.
#[derive(Debug, Default)]
pub struct Plain(Aligned<u64>);

impl Clone for Plain {
    fn clone(&self) -> Self {
        // Not the derived one, which would copy what is skipped and align nothing.
        let words = self.0.words();
        let mut copy = Plain::default();
        if let Ok(aligned) = Aligned::with_capacity(words.len() / LINE_WORDS) {
            copy.0 = aligned;
        }
        copy.0.buffer.extend_from_slice(words);
        copy
    }
}

impl PartialEq for Plain {
    fn eq(&self, other: &Self) -> bool {
        self.0.words() == other.0.words()
    }
}

impl Eq for Plain {}

impl Plain {
    pub(crate) fn with_capacity(lines: usize) -> Result<Self, Error> {
        Ok(Plain(Aligned::with_capacity(lines)?))
    }

    /// Appends the lines that whole 64-byte pieces of a file hold.
    pub(crate) fn extend_from_bytes(&mut self, bytes: &[u8]) {
        for line in bytes.chunks_exact(LINE_BYTES) {
            self.0.buffer.extend(line.chunks_exact(8).map(|word| crate::hash::le64(word, 0)));
        }
    }

    pub(crate) fn copy_of<W: Words>(words: &W) -> Result<Self, Error> {
        let mut copy = Plain::with_capacity(words.line_count())?;
        for line in (0..words.line_count()).filter_map(|i| words.line(i)) {
            copy.0.buffer.extend((0..LINE_WORDS).map(|w| line.word(w)));
        }
        Ok(copy)
    }
}

impl Words for Plain {
    type Line = [u64; LINE_WORDS];
    #[inline]
    fn line_count(&self) -> usize {
        self.0.words().len() / LINE_WORDS
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[u64; LINE_WORDS]> {
        self.0.block(i.checked_mul(LINE_WORDS)?)
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.0.words().get(i).copied().unwrap_or(0)
    }
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        self.0.block(first).copied().unwrap_or([0; N])
    }
}

impl WordsMut for Plain {
    #[inline]
    fn set(&mut self, i: usize, mask: u64) {
        if let Some(word) = self.0.words_mut().get_mut(i) {
            *word |= mask;
        }
    }
    #[inline]
    fn keep(&mut self, i: usize, mask: u64) {
        if let Some(word) = self.0.words_mut().get_mut(i) {
            *word &= mask;
        }
    }
    #[inline]
    fn set_block<const N: usize>(&mut self, first: usize, masks: &[u64; N]) {
        if let Some(block) = self.0.words_mut().get_mut(first..).and_then(|rest| rest.get_mut(..N)) {
            block.iter_mut().zip(masks).for_each(|(word, mask)| *word |= mask);
        }
    }
}

impl OwnedWords for Plain {
    fn zeroed(lines: usize) -> Result<Self, Error> {
        Ok(Plain(Aligned::zeroed(lines)?))
    }
    fn from_plain(plain: Plain) -> Self {
        plain
    }
}

/// Words that any thread may touch.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct Shared(Aligned<AtomicU64>);

#[cfg(target_has_atomic = "64")]
impl LineWords for [AtomicU64; LINE_WORDS] {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self[i % LINE_WORDS].load(Ordering::Relaxed)
    }
}

#[cfg(target_has_atomic = "64")]
impl Words for Shared {
    type Line = [AtomicU64; LINE_WORDS];
    const IS_SHARED: bool = true;
    #[inline]
    fn line_count(&self) -> usize {
        self.0.words().len() / LINE_WORDS
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[AtomicU64; LINE_WORDS]> {
        self.0.block(i.checked_mul(LINE_WORDS)?)
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.0.words().get(i).map_or(0, |word| word.load(Ordering::Relaxed))
    }
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        let mut block = [0; N];
        if let Some(words) = self.0.block::<N>(first) {
            block.iter_mut().zip(words).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
        }
        block
    }
}

// Through a shared reference: that is the point of them.
#[cfg(target_has_atomic = "64")]
impl WordsMut for &Shared {
    #[inline]
    fn set(&mut self, i: usize, mask: u64) {
        if let Some(word) = self.0.words().get(i) {
            word.fetch_or(mask, Ordering::Relaxed);
        }
    }
    #[inline]
    fn keep(&mut self, i: usize, mask: u64) {
        if let Some(word) = self.0.words().get(i) {
            word.fetch_and(mask, Ordering::Relaxed);
        }
    }
    #[inline]
    fn set_block<const N: usize>(&mut self, first: usize, masks: &[u64; N]) {
        if let Some(block) = self.0.block::<N>(first) {
            for (word, &mask) in block.iter().zip(masks) {
                word.fetch_or(mask, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl OwnedWords for Shared {
    fn zeroed(lines: usize) -> Result<Self, Error> {
        Ok(Shared(Aligned::zeroed(lines)?))
    }
    fn from_plain(plain: Plain) -> Self {
        let Aligned { buffer, skip } = plain.0;
        Shared(Aligned { buffer: buffer.into_iter().map(AtomicU64::new).collect(), skip })
    }
}
