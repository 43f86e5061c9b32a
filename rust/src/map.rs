//! Files mapped into memory. The only unsafe line of the crate is here.
//!
//! What it relies on: nobody changes the file's bytes in place while it is mapped. Files are replaced, never rewritten, by
//! [`Filter::save`](crate::Filter::save) and by the other languages of the project; a file that another process truncates is
//! a bus error on reading beyond its new end.
#![allow(unsafe_code)]

use crate::error::Error;
use crate::native::{self, FileSource, Header, SliceSource};
use crate::words::{Words, LINE_BYTES};
use alloc::format;
use alloc::sync::Arc;
use memmap2::Mmap;
use std::path::Path;

/// A whole file in memory.
#[derive(Clone, Debug)]
pub struct MappedFile(Arc<Mmap>);

/// What `make` makes of a mapped file; its errors name the file.
pub(crate) fn open_with<T>(path: &Path, make: impl FnOnce(MappedFile) -> Result<T, Error>) -> Result<T, Error> {
    open(path).and_then(make).map_err(|e| e.about(&format!("{}", path.display())))
}

fn open(path: &Path) -> Result<MappedFile, Error> {
    let source = FileSource::open(path)?;
    // SAFETY: the file is only read, through a shared slice; that nobody writes to it in place is the caller's part, stated
    // at `Filter::map` and `AnyFilter::map`. Whatever the bytes are, no index is taken from them unchecked.
    let map = unsafe { Mmap::map(source.file()) };
    let map = map.map_err(|source| Error::Io { doing: format!("map {}", path.display()), source })?;
    Ok(MappedFile(Arc::new(map)))
}

impl MappedFile {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The header, checked, and the page table.
    pub(crate) fn header(&self, recover: bool) -> Result<Header, Error> {
        let mut source = SliceSource(self.bytes());
        let header = native::read_header(&mut source, recover)?;
        native::check_table(&header, &mut source)?;
        Ok(header)
    }
}

/// The bits of a filter in a mapped file.
#[derive(Clone, Debug)]
pub struct Mapped {
    file: MappedFile,
    begin: usize,
    end: usize,
}

impl Mapped {
    /// The body of a file whose header was checked.
    pub(crate) fn new(file: MappedFile, header: &Header) -> Self {
        let begin = header.body_offset as usize;
        Mapped { file, begin, end: begin + header.body_bytes as usize }
    }

    pub(crate) fn verify(&self) -> Result<(), Error> {
        let header = self.file.header(false)?;
        native::read_body(&header, &mut SliceSource(self.file.bytes()), |_| {})?;
        crate::files::check_census(header.census, self.count_ones())
    }
}

impl Words for Mapped {
    type Line = [u8; LINE_BYTES];
    #[inline]
    fn line_count(&self) -> usize {
        (self.end - self.begin) / LINE_BYTES
    }
    #[inline]
    fn line(&self, i: usize) -> Option<&[u8; LINE_BYTES]> {
        let at = i.checked_mul(LINE_BYTES)?.checked_add(self.begin)?;
        self.file.0.get(at..self.end)?.get(..LINE_BYTES)?.try_into().ok()
    }
}
