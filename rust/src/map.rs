//! Files mapped into memory. The only unsafe line of the crate is here.
//!
//! Why that line is sound, and what it does not promise:
//!
//! - Nobody has to leave the file alone. Its pages are never taken for bytes or numbers of ours: they are [`Cell`]s, which are
//!   read atomically, so that a process that changes them meanwhile (the C++ library's `map_writable` sets bits in place, any
//!   program may do worse) changes answers and nothing else.
//! - Bounds do not come from memory that changes: the header is copied out and checked, and its lengths hold from then on.
//!   No index is taken from the words unchecked.
//! - If another process cuts the file while it is mapped, a read beyond the new end is a bus error: the system ends the
//!   program. No reader of mapped files can prevent that; `load` can.
#![allow(unsafe_code)]

use crate::cells::{Cell, Cells};
use crate::error::Error;
use crate::native::{self, CellSource, FileSource, Header, Source};
use crate::words::{Words, LINE_WORDS};
use alloc::format;
use alloc::sync::Arc;
use memmap2::{MmapOptions, MmapRaw};

/// Pages of a file: all of them, or those of the body.
#[derive(Clone, Debug)]
struct Pages(Arc<MmapRaw>);

impl Pages {
    /// A number of bytes of an open file from `offset` on.
    fn of(source: &FileSource, offset: u64, bytes: u64) -> Result<Self, Error> {
        let io = |source| Error::Io { doing: "map the file".into(), source };
        let bytes = usize::try_from(bytes)
            .map_err(|_| Error::NoMemory(format!("{bytes} bytes are more than this machine has addresses for")))?;
        let map = MmapOptions::new().offset(offset).len(bytes).map_raw_read_only(source.file()).map_err(io)?;
        if map.as_ptr().align_offset(core::mem::align_of::<Cell>()) != 0 {
            return Err(Error::Unsupported("the system maps files at odd addresses; load it".into()));
        }
        Ok(Pages(Arc::new(map)))
    }

    /// All whole cells.
    #[inline]
    fn cells(&self) -> Cells<'_> {
        let (first, count) = (self.0.as_ptr().cast::<Cell>(), self.0.len() / core::mem::size_of::<Cell>());
        // SAFETY: the map has that many bytes, is readable, stays while `self` is borrowed, and begins at an address that is
        // right for a cell (`of`). A cell is any 8 bytes and is read by relaxed atomic loads of at most the size of a
        // register, which are defined for pages that are mapped for reading and for memory that others write to.
        Cells(unsafe { core::slice::from_raw_parts(first, count) })
    }
}

/// The bits of a filter in a mapped file.
///
/// Another process may change them. A lookup then answers by what each word is when it is read, and counting and copying read
/// word by word.
#[derive(Clone, Debug)]
pub struct Mapped {
    // A map of its own, so that a lookup has one length to look at.
    body: Pages,
    whole: Pages,
    opened: Arc<Header>,
}

impl Mapped {
    /// The body of a file, and its header, which is checked, with the page table.
    pub(crate) fn open(source: &FileSource, recover: bool) -> Result<(Self, Header), Error> {
        let whole = Pages::of(source, 0, source.len())?;
        let header = header_of(&whole, recover)?;
        let body = Pages::of(source, header.body_offset, header.body_bytes)?;
        Ok((Mapped { body, whole, opened: Arc::new(header.clone()) }, header))
    }

    /// Checks every page, and returns the header as it is now. It must still say what it said when the file was opened, except
    /// for the seal, which a writer removes and restores.
    pub(crate) fn verified_header(&self) -> Result<Header, Error> {
        let (header, opened) = (header_of(&self.whole, false)?, &self.opened);
        let is_same = header.kind == opened.kind
            && header.body_offset == opened.body_offset
            && header.segments == opened.segments
            && header.hash_check == opened.hash_check;
        if !is_same {
            return Err(Error::Corrupt("it was rewritten as another filter while it was mapped".into()));
        }
        native::read_body(&header, &mut source_of(&self.whole), |_| {})?;
        Ok(header)
    }

    pub(crate) fn verify(&self) -> Result<(), Error> {
        crate::files::check_census(self.verified_header()?.census, self.count_ones())
    }

    #[inline]
    pub(crate) fn cells(&self) -> Cells<'_> {
        self.body.cells()
    }
}

fn source_of(whole: &Pages) -> CellSource<'_> {
    CellSource { cells: whole.cells(), length: whole.0.len() as u64 }
}

fn header_of(whole: &Pages, recover: bool) -> Result<Header, Error> {
    let mut source = source_of(whole);
    let header = native::read_header(&mut source, recover)?;
    native::check_table(&header, &mut source)?;
    Ok(header)
}

impl Words for Mapped {
    type Line = [Cell; LINE_WORDS];
    const IS_SHARED: bool = true;
    #[inline]
    fn line_count(&self) -> usize {
        self.cells().line_count()
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[Cell; LINE_WORDS]> {
        self.cells().whole_line(i)
    }
    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.cells().word(i)
    }
    #[inline]
    fn block<const N: usize>(&self, first: usize) -> [u64; N] {
        self.cells().block(first)
    }
}
