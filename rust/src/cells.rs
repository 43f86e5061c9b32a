//! The words of a file as they lie in it: little-endian, loaded into memory or mapped from the file.
//!
//! ```text
//! Loaded   cells of our own                          read-only engines of `any`
//! Mapped   cells that are the pages of the file      another process may set bits in them meanwhile
//! Memory   cells of our own that change              counters, slots and chains: `engine_filter`
//! ```
//!
//! A cell is read whole, by a relaxed atomic load. A plain load would be undefined behaviour beside a writable map of another
//! process, which the C++ library has (`map_writable`); both compile to the same instruction. A page that is mapped for
//! reading allows only loads that fit a register: 64 bits on 64-bit machines, 32 elsewhere. There a word takes two loads, and
//! a reader may get one half from before a change and one from after it.
//!
//! Without the feature `mmap` nobody else can change a cell, and it is a plain number.

use crate::error::Error;
use crate::words::{Aligned, LineWords, Words, WordsMut, LINE_BYTES, LINE_WORDS};
use core::ops::Range;

#[cfg(feature = "mmap")]
mod cell {
    #[cfg(not(target_pointer_width = "64"))]
    use core::sync::atomic::AtomicU32;
    #[cfg(target_pointer_width = "64")]
    use core::sync::atomic::AtomicU64;
    use core::sync::atomic::Ordering::Relaxed;

    #[cfg(target_pointer_width = "64")]
    #[repr(transparent)]
    pub struct Cell(AtomicU64);

    #[cfg(target_pointer_width = "64")]
    impl Cell {
        pub(crate) fn new(word: u64) -> Self {
            Cell(AtomicU64::new(word.to_le()))
        }
        #[inline]
        pub(crate) fn load(&self) -> u64 {
            u64::from_le(self.0.load(Relaxed))
        }
        #[inline]
        pub(crate) fn set(&mut self, word: u64) {
            *self.0.get_mut() = word.to_le();
        }
    }

    #[cfg(not(target_pointer_width = "64"))]
    #[repr(transparent)]
    pub struct Cell([AtomicU32; 2]);

    #[cfg(not(target_pointer_width = "64"))]
    impl Cell {
        pub(crate) fn new(word: u64) -> Self {
            Cell([AtomicU32::new((word as u32).to_le()), AtomicU32::new(((word >> 32) as u32).to_le())])
        }
        #[inline]
        pub(crate) fn load(&self) -> u64 {
            let half = |i: usize| u64::from(u32::from_le(self.0[i].load(Relaxed)));
            half(0) | half(1) << 32
        }
        #[inline]
        pub(crate) fn set(&mut self, word: u64) {
            *self = Cell::new(word);
        }
    }
}

#[cfg(not(feature = "mmap"))]
mod cell {
    pub struct Cell(u64);

    impl Cell {
        pub(crate) fn new(word: u64) -> Self {
            Cell(word)
        }
        #[inline]
        pub(crate) fn load(&self) -> u64 {
            self.0
        }
        #[inline]
        pub(crate) fn set(&mut self, word: u64) {
            self.0 = word;
        }
    }
}

/// One word of a file.
pub use cell::Cell;

impl Default for Cell {
    fn default() -> Self {
        Cell::new(0)
    }
}

impl LineWords for [Cell; LINE_WORDS] {
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self[i % LINE_WORDS].load()
    }
}

/// A part of a file: whole cells, read by bytes or bits.
#[derive(Clone, Copy)]
pub struct Cells<'a>(pub &'a [Cell]);

impl<'a> Cells<'a> {
    /// How many bytes there are.
    pub(crate) fn len(self) -> u64 {
        8 * self.0.len() as u64
    }

    /// The cells of these bytes, whose ends are multiples of 8; none if they are not all there.
    pub(crate) fn part(self, bytes: Range<usize>) -> Cells<'a> {
        Cells(self.0.get(bytes.start / 8..bytes.end / 8).unwrap_or(&[]))
    }

    /// Line `i`, if there is one.
    #[inline]
    pub(crate) fn whole_line(self, i: usize) -> Option<&'a [Cell; LINE_WORDS]> {
        let first = i.checked_mul(LINE_WORDS)?;
        self.0.get(first..)?.get(..LINE_WORDS)?.try_into().ok()
    }

    /// Copies the bytes from `at`, a multiple of 8, on; false if there are fewer.
    pub(crate) fn copy(self, at: u64, into: &mut [u8]) -> bool {
        let cells = usize::try_from(at / 8).ok().and_then(|first| self.0.get(first..)).unwrap_or(&[]);
        if at % 8 != 0 || cells.len() < (into.len() + 7) / 8 {
            return false;
        }
        for (bytes, cell) in into.chunks_mut(8).zip(cells) {
            bytes.copy_from_slice(&cell.load().to_le_bytes()[..bytes.len()]);
        }
        true
    }

    /// The byte at `at`, if there is one.
    #[inline]
    pub(crate) fn byte(self, at: u64) -> Option<u8> {
        let cell = self.0.get(usize::try_from(at / 8).ok()?)?;
        Some((cell.load() >> (at % 8 * 8)) as u8)
    }

    /// Cell `i`; 0 behind the end.
    #[inline]
    fn at(self, i: u64) -> u64 {
        usize::try_from(i).ok().and_then(|i| self.0.get(i)).map_or(0, Cell::load)
    }

    /// `width` bits, at most 64, from bit `at` on, lowest first; bits behind the end are 0.
    #[inline]
    pub(crate) fn bits(self, at: u64, width: u32) -> u64 {
        let (cell, shift) = (at / 64, (at % 64) as u32);
        let mut bits = self.at(cell) >> shift;
        if shift + width > 64 {
            bits |= self.at(cell + 1) << (64 - shift);
        }
        bits & low_bits(width)
    }

    /// The bits from bit `at` to the end of its cell.
    #[inline]
    pub(crate) fn rest_of_cell(self, at: u64) -> u64 {
        self.at(at / 64) >> (at % 64)
    }

    /// The 64 bits from bit `at` on, without a branch: whether they lie in one cell is as good as random.
    #[inline]
    pub(crate) fn window(self, at: u64) -> u64 {
        let (cell, shift) = (at / 64, (at % 64) as u32);
        self.at(cell) >> shift | self.at(cell + 1) << 1 << (63 - shift)
    }
}

/// A number of ones.
#[inline]
pub(crate) fn low_bits(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

impl Words for Cells<'_> {
    type Line = [Cell; LINE_WORDS];
    // A copy comes before a checksum.
    const IS_SHARED: bool = true;
    #[inline]
    fn line_count(&self) -> usize {
        self.0.len() / LINE_WORDS
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[Cell; LINE_WORDS]> {
        self.whole_line(i)
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.0.get(i).map_or(0, Cell::load)
    }
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        let mut block = [0; N];
        if let Some(cells) = self.0.get(first..).and_then(|rest| rest.get(..N)) {
            block.iter_mut().zip(cells).for_each(|(to, from)| *to = from.load());
        }
        block
    }
    fn write_bytes(&self, from: usize, into: &mut [u8]) {
        self.copy((from * LINE_BYTES) as u64, into);
    }
}

/// Cells that one owner changes.
pub(crate) struct CellsMut<'a>(pub &'a mut [Cell]);

impl CellsMut<'_> {
    /// Makes `width` bits, at most 64, from bit `at` on those of a number that has no others. Behind the end nothing happens.
    #[inline]
    pub(crate) fn set_bits(&mut self, at: u64, width: u32, value: u64) {
        let (cell, shift) = ((at / 64) as usize, (at % 64) as u32);
        if let Some(low) = self.0.get_mut(cell) {
            low.set(low.load() & !(low_bits(width) << shift) | value << shift);
        }
        if shift + width > 64 {
            if let Some(high) = self.0.get_mut(cell + 1) {
                let there = 64 - shift;
                high.set(high.load() & !(low_bits(width) >> there) | value >> there);
            }
        }
    }
}

impl Words for CellsMut<'_> {
    type Line = [Cell; LINE_WORDS];
    #[inline]
    fn line_count(&self) -> usize {
        self.0.len() / LINE_WORDS
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[Cell; LINE_WORDS]> {
        Cells(self.0).whole_line(i)
    }
}

impl WordsMut for CellsMut<'_> {
    #[inline]
    fn set(&mut self, i: usize, mask: u64) {
        if let Some(cell) = self.0.get_mut(i) {
            cell.set(cell.load() | mask);
        }
    }
    #[inline]
    fn keep(&mut self, i: usize, mask: u64) {
        if let Some(cell) = self.0.get_mut(i) {
            cell.set(cell.load() & mask);
        }
    }
    #[inline]
    fn set_block<const N: usize>(&mut self, first: usize, masks: &[u64; N]) {
        (0..N).for_each(|i| self.set(first + i, masks[i]));
    }
}

/// The cells of a filter that changes them, the first at the beginning of a cache line; whole lines.
#[derive(Debug, Default)]
pub(crate) struct Memory(Aligned<Cell>);

impl Memory {
    fn lines(bytes: u64) -> usize {
        usize::try_from(bytes / LINE_BYTES as u64).unwrap_or(usize::MAX)
    }
    /// So many zeros, a multiple of 64.
    pub(crate) fn zeroed(bytes: u64) -> Result<Self, Error> {
        Ok(Memory(Aligned::zeroed(Self::lines(bytes))?))
    }
    /// Room for so many bytes.
    pub(crate) fn with_capacity(bytes: u64) -> Result<Self, Error> {
        Ok(Memory(Aligned::with_capacity(Self::lines(bytes))?))
    }
    /// Appends bytes of a file, whole cells.
    pub(crate) fn extend_from_bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.chunks_exact(8).map(|word| Cell::new(crate::hash::le64(word, 0))));
    }
    /// A copy.
    pub(crate) fn copied(&self) -> Result<Self, Error> {
        self.longer_by(0)
    }
    /// A copy with so many zeros behind it.
    pub(crate) fn longer_by(&self, bytes: u64) -> Result<Self, Error> {
        let mut longer = Self::with_capacity(self.cells().len().saturating_add(bytes))?;
        longer.0.extend(self.cells().0.iter().map(|cell| Cell::new(cell.load())));
        longer.0.extend((0..bytes / 8).map(|_| Cell::default()));
        Ok(longer)
    }
    /// Lets go of all but the first bytes.
    pub(crate) fn truncate(&mut self, bytes: usize) {
        self.0.truncate(bytes / 8);
    }
    pub(crate) fn clear(&mut self) {
        self.cells_mut().0.iter_mut().for_each(|cell| cell.set(0));
    }
    #[inline]
    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells(self.0.words())
    }
    #[inline]
    pub(crate) fn cells_mut(&mut self) -> CellsMut<'_> {
        CellsMut(self.0.words_mut())
    }
    /// The cells of these bytes, whose ends are multiples of 8.
    #[inline]
    pub(crate) fn part_mut(&mut self, bytes: Range<usize>) -> CellsMut<'_> {
        CellsMut(self.0.words_mut().get_mut(bytes.start / 8..bytes.end / 8).unwrap_or(&mut []))
    }
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let (here, there) = (self.cells().0, other.cells().0);
        here.len() == there.len() && here.iter().zip(there).all(|(a, b)| a.load() == b.load())
    }
}

impl Clone for Memory {
    // As the clone of a vector: memory that there is not ends the program.
    fn clone(&self) -> Self {
        let mut copy = self.copied().unwrap_or_default();
        if copy.cells().len() != self.cells().len() {
            copy.0.extend(self.cells().0.iter().map(|cell| Cell::new(cell.load())));
        }
        copy
    }
}
