//! Who holds the bits, and how a word of them is touched. The bodies of all filters are written once over these traits.
//!
//! ```text
//! Plain    Vec<Line>          one writer or many readers       |= on a u64
//! Shared   Vec<AtomicLine>    any thread adds and asks         relaxed atomic OR
//! Mapped   a file in memory   readers only                     little-endian bytes
//! ```
//!
//! A line is 64 bytes, aligned to 64: a cache line, so that a block of 512 bits is one miss. Everything on the way of a key
//! allocates nothing. Words are numbers here; files hold them little-endian.

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
    /// How many lines there are.
    fn line_count(&self) -> usize;
    /// Line `i`, if there is one.
    fn line(&self, i: usize) -> Option<&Self::Line>;

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
    /// Sets bits of a word.
    fn set(&mut self, line: usize, word: usize, mask: u64);
    /// Clears all bits of a word but these.
    fn keep(&mut self, line: usize, word: usize, mask: u64);
}

/// Bits that a filter can be made of.
pub trait OwnedWords: Words + Sized {
    /// So many lines of zeros.
    fn zeroed(lines: usize) -> Result<Self, Error>;
    /// The lines of a plain filter.
    fn from_plain(plain: Plain) -> Self;
}

impl<W: Words> Words for &W {
    type Line = W::Line;
    #[inline]
    fn line_count(&self) -> usize {
        (**self).line_count()
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&Self::Line> {
        (**self).line(i)
    }
}

/// Eight words, one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Line([u64; LINE_WORDS]);

impl LineWords for Line {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.0[i % LINE_WORDS]
    }
}

/// Words of one owner: many readers, or one writer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain(Vec<Line>);

fn reserve<T>(lines: usize) -> Result<Vec<T>, Error> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(lines)
        .map_err(|_| Error::NoMemory(format!("need {} bytes of memory; there are not so many", lines as u64 * 64)))?;
    Ok(vec)
}

impl Plain {
    pub(crate) fn with_capacity(lines: usize) -> Result<Self, Error> {
        Ok(Plain(reserve(lines)?))
    }

    /// Appends the lines that whole 64-byte pieces of a file hold.
    pub(crate) fn extend_from_bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.chunks_exact(LINE_BYTES).map(|piece| {
            let mut line = Line::default();
            for (word, bytes) in line.0.iter_mut().zip(piece.chunks_exact(8)) {
                *word = crate::hash::le64(bytes, 0);
            }
            line
        }));
    }

    pub(crate) fn copy_of<W: Words>(words: &W) -> Result<Self, Error> {
        let mut copy = Plain::with_capacity(words.line_count())?;
        for line in (0..words.line_count()).filter_map(|i| words.line(i)) {
            let mut made = Line::default();
            for (w, word) in made.0.iter_mut().enumerate() {
                *word = line.word(w);
            }
            copy.0.push(made);
        }
        Ok(copy)
    }
}

impl Words for Plain {
    type Line = Line;
    #[inline]
    fn line_count(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&Line> {
        self.0.get(i)
    }
}

impl WordsMut for Plain {
    #[inline]
    fn set(&mut self, line: usize, word: usize, mask: u64) {
        if let Some(line) = self.0.get_mut(line) {
            line.0[word % LINE_WORDS] |= mask;
        }
    }
    #[inline]
    fn keep(&mut self, line: usize, word: usize, mask: u64) {
        if let Some(line) = self.0.get_mut(line) {
            line.0[word % LINE_WORDS] &= mask;
        }
    }
}

impl OwnedWords for Plain {
    fn zeroed(lines: usize) -> Result<Self, Error> {
        let mut plain = Plain::with_capacity(lines)?;
        plain.0.resize(lines, Line::default());
        Ok(plain)
    }
    fn from_plain(plain: Plain) -> Self {
        plain
    }
}

/// Eight atomic words, one cache line.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
#[repr(align(64))]
pub struct AtomicLine([AtomicU64; LINE_WORDS]);

#[cfg(target_has_atomic = "64")]
impl LineWords for AtomicLine {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.0[i % LINE_WORDS].load(Ordering::Relaxed)
    }
}

/// Words that any thread may touch.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct Shared(Vec<AtomicLine>);

#[cfg(target_has_atomic = "64")]
impl Words for Shared {
    type Line = AtomicLine;
    #[inline]
    fn line_count(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&AtomicLine> {
        self.0.get(i)
    }
}

// Through a shared reference: that is the point of them.
#[cfg(target_has_atomic = "64")]
impl WordsMut for &Shared {
    // Bits that are there already are left alone: a line that is only read stays in every core's cache.
    #[inline]
    fn set(&mut self, line: usize, word: usize, mask: u64) {
        if let Some(line) = self.0.get(line) {
            let word = &line.0[word % LINE_WORDS];
            if word.load(Ordering::Relaxed) & mask != mask {
                word.fetch_or(mask, Ordering::Relaxed);
            }
        }
    }
    #[inline]
    fn keep(&mut self, line: usize, word: usize, mask: u64) {
        if let Some(line) = self.0.get(line) {
            line.0[word % LINE_WORDS].fetch_and(mask, Ordering::Relaxed);
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl OwnedWords for Shared {
    fn zeroed(lines: usize) -> Result<Self, Error> {
        let mut shared = Shared(reserve(lines)?);
        shared.0.resize_with(lines, || AtomicLine(Default::default()));
        Ok(shared)
    }
    fn from_plain(plain: Plain) -> Self {
        Shared(plain.0.into_iter().map(|line| AtomicLine(line.0.map(AtomicU64::new))).collect())
    }
}

impl LineWords for [u8; LINE_BYTES] {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        crate::hash::le64(self, i % LINE_WORDS * 8)
    }
}

/// The bytes of a file as lines; bytes after the last whole line are not there.
#[derive(Clone, Copy, Debug)]
pub struct ByteLines<'a>(pub &'a [u8]);

impl Words for ByteLines<'_> {
    type Line = [u8; LINE_BYTES];
    #[inline]
    fn line_count(&self) -> usize {
        self.0.len() / LINE_BYTES
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[u8; LINE_BYTES]> {
        let at = i.checked_mul(LINE_BYTES)?;
        self.0.get(at..)?.get(..LINE_BYTES)?.try_into().ok()
    }
}
