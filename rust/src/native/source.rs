//! Where the bytes of a file come from: memory, or an open file.

use crate::error::Error;
use alloc::format;

/// Bytes of known length, read at any place.
pub(crate) trait Source {
    fn len(&self) -> u64;
    /// Fills `into` with the bytes from `at` on.
    fn read(&mut self, at: u64, into: &mut [u8]) -> Result<(), Error>;
}

/// All bytes of a source.
#[cfg(feature = "std")]
pub(crate) fn all_of(source: &mut dyn Source) -> Result<alloc::vec::Vec<u8>, Error> {
    let mut bytes = alloc::vec::Vec::new();
    let length = usize::try_from(source.len()).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(length)
        .map_err(|_| Error::NoMemory(format!("need {length} bytes of memory; there are not so many")))?;
    bytes.resize(length, 0);
    source.read(0, &mut bytes)?;
    Ok(bytes)
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

/// A regular file. Its length is taken once: what another process cuts off meanwhile is an error when it is read.
#[cfg(feature = "std")]
pub(crate) struct FileSource {
    file: std::fs::File,
    path: std::path::PathBuf,
    length: u64,
}

#[cfg(feature = "std")]
impl FileSource {
    pub(crate) fn open(path: &std::path::Path) -> Result<Self, Error> {
        let io = |source| Error::Io { doing: format!("open {}", path.display()), source };
        let regular = |metadata: std::fs::Metadata| {
            // A device may have no end, a pipe no writer, and a folder no bytes: none of them holds a filter.
            let refused = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a regular file");
            metadata.is_file().then_some(metadata.len()).ok_or_else(refused)
        };
        // Asked by name first, since to open a pipe is to wait for its writer; another file may have the name afterwards.
        std::fs::metadata(path).and_then(regular).map_err(io)?;
        let file = std::fs::File::open(path).map_err(io)?;
        let length = file.metadata().and_then(regular).map_err(io)?;
        Ok(FileSource { file, path: path.into(), length })
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
        read.map_err(|source| Error::Io {
            doing: format!("read {} bytes at offset {at} of {}", into.len(), self.path.display()),
            source,
        })
    }
}
