//! Writing native files: header, body page by page, page table. The pages are asked for twice, since the header that comes
//! first holds the checksum of the table that comes last.

use super::*;
use crate::hash::checksum;
use alloc::vec;

fn put_entry(into: &mut Vec<u8>, tag: u16, flags: u16, value: &[u8]) {
    into.extend_from_slice(&tag.to_le_bytes());
    into.extend_from_slice(&flags.to_le_bytes());
    into.extend_from_slice(&(value.len() as u32).to_le_bytes());
    into.extend_from_slice(value);
    into.resize(round_up(into.len() as u64, 8) as usize, 0);
}

fn entries(header: &Header) -> (Vec<u8>, u32) {
    let mut bytes = Vec::new();
    let mut count = 0;
    for segment in &header.segments {
        let mut value = Vec::new();
        for word in [segment.offset, segment.length].iter().chain(&segment.shape) {
            value.extend_from_slice(&word.to_le_bytes());
        }
        put_entry(&mut bytes, TAG_SEGMENT, MUST_UNDERSTAND, &value);
        count += 1;
    }
    if !header.metadata.is_empty() {
        put_entry(&mut bytes, TAG_METADATA, 0, &header.metadata);
        count += 1;
    }
    if let Some(secret) = &header.stored_secret {
        put_entry(&mut bytes, TAG_SECRET, 0, &secret.0);
        count += 1;
    }
    (bytes, count)
}

fn encode_header(header: &Header, table_checksum: u64) -> Result<Vec<u8>, Error> {
    let (entries, entry_count) = entries(header);
    let header_bytes = round_up((IDENTITY_BYTES + entries.len() + TRAILER_BYTES) as u64, 64);
    if header_bytes > MAX_HEADER_BYTES {
        return Err(Error::TooLarge(format!("a header of {header_bytes} bytes; the limit is {MAX_HEADER_BYTES}")));
    }
    let body_offset = round_up(header_bytes, header.alignment);
    let mut bytes = Vec::with_capacity(body_offset as usize);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&MAJOR.to_le_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&(header_bytes as u32).to_le_bytes());
    let file_bytes = body_offset + header.body_bytes + 8 * header.page_count();
    bytes.extend_from_slice(&file_bytes.to_le_bytes());
    bytes.extend_from_slice(&header.kind.to_le_bytes());
    bytes.extend_from_slice(&header.index_rule.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&header.hash.to_le_bytes());
    bytes.extend_from_slice(&header.key_encoding.to_le_bytes());
    bytes.extend_from_slice(&u32::from(header.keyed).to_le_bytes());
    for word in [
        header.seed,
        header.hash_check,
        header.capacity,
        header.fpr.to_bits(),
        body_offset,
        header.body_bytes,
        header.page_bytes(),
        u64::from(entry_count),
    ] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&entries);
    bytes.resize(header_bytes as usize - TRAILER_BYTES, 0);
    let identity_checksum = checksum(&bytes);
    let trailer = bytes.len();
    bytes.extend_from_slice(&identity_checksum.to_le_bytes());
    bytes.extend_from_slice(&SEALED);
    bytes.extend_from_slice(&header.census.to_le_bytes());
    bytes.extend_from_slice(&table_checksum.to_le_bytes());
    let seal_checksum = checksum(&bytes[trailer..]);
    bytes.extend_from_slice(&seal_checksum.to_le_bytes());
    bytes.resize(body_offset as usize, 0);
    Ok(bytes)
}

/// Writes a file in order. `page_at(at, into)` gives the body's bytes from `at` on.
pub(crate) fn encode(
    header: &Header,
    page_at: &dyn Fn(u64, &mut [u8]),
    write: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    if !ALIGNMENTS.contains(&header.alignment) {
        return Err(Error::InvalidArgument(format!("alignment is {}; it must be 64 or 4096", header.alignment)));
    }
    let mut page = vec![0; header.page_bytes().min(header.body_bytes) as usize];
    let mut for_each_page = |use_page: &mut dyn FnMut(&[u8]) -> Result<(), Error>| {
        let mut at = 0;
        while at < header.body_bytes {
            let size = (header.body_bytes - at).min(page.len() as u64);
            let page = &mut page[..size as usize];
            page_at(at, page);
            use_page(page)?;
            at += size;
        }
        Ok(())
    };
    let mut table = Vec::with_capacity(8 * header.page_count() as usize);
    for_each_page(&mut |page| {
        table.extend_from_slice(&checksum(page).to_le_bytes());
        Ok(())
    })?;
    write(&encode_header(header, checksum(&table))?)?;
    for_each_page(write)?;
    write(&table)
}

/// The whole file in memory.
pub(crate) fn to_bytes(header: &Header, page_at: &dyn Fn(u64, &mut [u8])) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    encode(header, page_at, &mut |piece| {
        bytes
            .try_reserve(piece.len())
            .map_err(|_| Error::NoMemory(format!("need {} bytes of memory more", piece.len())))?;
        bytes.extend_from_slice(piece);
        Ok(())
    })?;
    Ok(bytes)
}
