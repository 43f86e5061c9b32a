//! Where the bytes of a file come from: memory, or an open file.

use crate::error::Error;
use alloc::format;

/// Bytes of known length, read at any place.
pub(crate) trait Source {
    fn len(&self) -> u64;
    /// Fills `into` with the bytes from `at` on.
    fn read(&mut self, at: u64, into: &mut [u8]) -> Result<(), Error>;
}

/// Bytes in memory.
pub(crate) struct SliceSource<'a>(pub &'a [u8]);

impl Source for SliceSource<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
    fn read(&mut self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        let from = usize::try_from(at).ok().and_then(|at| self.0.get(at..)?.get(..into.len()));
        into.copy_from_slice(from.ok_or_else(|| Error::Corrupt(format!("offset {at}: the bytes end too early")))?);
        Ok(())
    }
}

/// Cells in memory that others may change: what is read is a copy, and no two copies need agree.
#[cfg(feature = "mmap")]
pub(crate) struct CellSource<'a> {
    pub cells: crate::cells::Cells<'a>,
    /// Of the file, whose last bytes may make no whole cell.
    pub length: u64,
}

#[cfg(feature = "mmap")]
impl Source for CellSource<'_> {
    fn len(&self) -> u64 {
        self.length
    }
    fn read(&mut self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        if self.cells.copy(at, into) {
            return Ok(());
        }
        Err(Error::Corrupt(format!("offset {at}: the bytes end too early")))
    }
}

/// A file on disk. Its length is taken once: what another process cuts off meanwhile is an error when it is read.
#[cfg(feature = "std")]
pub(crate) struct FileSource {
    file: std::fs::File,
    length: u64,
}

#[cfg(feature = "std")]
impl FileSource {
    pub(crate) fn open(path: &std::path::Path) -> Result<Self, Error> {
        let io = |what: &str, source| Error::Io { doing: format!("{what} {}", path.display()), source };
        let file = std::fs::File::open(path).map_err(|e| io("open", e))?;
        let length = file.metadata().map_err(|e| io("stat", e))?.len();
        Ok(FileSource { file, length })
    }
    /// What `read` makes of a file; its errors name the file.
    pub(crate) fn read_with<T>(
        path: &std::path::Path,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Self::open(path).and_then(|mut source| read(&mut source)).map_err(|e| e.about(&format!("{}", path.display())))
    }
    #[cfg(feature = "mmap")]
    pub(crate) fn file(&self) -> &std::fs::File {
        &self.file
    }
}

#[cfg(feature = "std")]
impl Source for FileSource {
    fn len(&self) -> u64 {
        self.length
    }
    fn read(&mut self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        use std::io::{Read, Seek, SeekFrom};
        let read = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.read_exact(into));
        read.map_err(|source| Error::Io { doing: format!("read {} bytes at offset {at}", into.len()), source })
    }
}
