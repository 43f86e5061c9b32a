//! Native files in streams: written to anything that takes bytes, and read from anything that gives them.
//!
//! A header says how long its file is, so that a filter can stand among other data: no byte behind it is read. Nothing is
//! believed before it comes: memory grows with the bytes that are there, never with a length that a header claims.

use crate::error::Error;
use crate::native::{self, Header};
use crate::options::OpenOptions;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use std::io::{Read, Write};

/// How much is asked for at first; every time as much more as there is.
const FIRST_PIECE: usize = 1 << 16;

fn io(doing: &str) -> impl FnOnce(std::io::Error) -> Error + '_ {
    move |source| Error::Io { doing: doing.to_string(), source }
}

/// Writes a native file.
pub(crate) fn write(mut writer: impl Write, header: &Header, page_at: &dyn Fn(u64, &mut [u8])) -> Result<(), Error> {
    native::encode(header, page_at, &mut |bytes| writer.write_all(bytes).map_err(io("write the filter")))?;
    writer.flush().map_err(io("write the filter"))
}

/// Writes bytes that are a file already.
pub(crate) fn write_bytes(mut writer: impl Write, bytes: &[u8]) -> Result<(), Error> {
    writer.write_all(bytes).and_then(|()| writer.flush()).map_err(io("write the filter"))
}

/// The bytes of the native file that a stream begins with; what follows it is left in the stream.
pub(crate) fn read_native(mut reader: impl Read, options: OpenOptions) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    read_up_to(&mut reader, native::LENGTH_END as u64, &mut bytes)?;
    let length = native::claimed_length(&bytes)?;
    read_rest(reader, length, options, bytes)
}

/// The bytes of a file of any format: a native one, and no more, or else all that there are.
pub(crate) fn read_any(mut reader: impl Read, options: OpenOptions) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    read_up_to(&mut reader, native::LENGTH_END as u64, &mut bytes)?;
    if native::is_native(&bytes) {
        let length = native::claimed_length(&bytes)?;
        return read_rest(reader, length, options, bytes);
    }
    // One more than may come, to tell.
    let most = options.max_bytes.unwrap_or(u64::MAX);
    read_up_to(&mut reader, most.saturating_add(1), &mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::TooLarge(format!("the stream has more than {most} bytes, the limit that was given")));
    }
    Ok(bytes)
}

fn read_rest(mut reader: impl Read, length: u64, options: OpenOptions, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    options.check_length(length)?;
    read_up_to(&mut reader, length, &mut bytes)?;
    let there = bytes.len() as u64;
    if there < length {
        return Err(Error::Corrupt(format!("offset {there}: the stream ends, where the header says {length} bytes")));
    }
    Ok(bytes)
}

/// Reads until there are so many bytes, or the stream ends.
fn read_up_to(reader: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
    while (bytes.len() as u64) < length {
        let more = (length - bytes.len() as u64).min(bytes.len().max(FIRST_PIECE) as u64);
        bytes
            .try_reserve(more as usize)
            .map_err(|_| Error::NoMemory(format!("need {more} bytes of memory more; there are not so many")))?;
        let read = reader.by_ref().take(more).read_to_end(bytes).map_err(io("read the filter"))?;
        if (read as u64) < more {
            return Ok(());
        }
    }
    Ok(())
}
