//! Reading native files: the one decoder, for bytes from anywhere.
//!
//! Bytes are hostile until every bound is checked: lengths against the true length before memory is taken, sums only of
//! terms that were bounded before. Errors name the offset.

use super::*;
use crate::hash::{checksum, le64};
use alloc::string::String;
use alloc::vec;

fn corrupt(at: u64, what: String) -> Error {
    Error::Corrupt(format!("offset {at}: {what}"))
}

fn newer(at: u64, what: String) -> Error {
    Error::NewerVersion(format!("offset {at}: {what}; this release (format 1.0) does not know it"))
}

/// Whether the bytes begin as a native file, of this version, the draft before it or a later one.
pub(crate) fn is_native(beginning: &[u8]) -> bool {
    beginning.starts_with(&MAGIC) || beginning.starts_with(&DRAFT_MAGIC)
}

// Numbers of a header, whose length is known to be enough.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }
    fn u32(&self, at: usize) -> u32 {
        u32::from(self.u16(at)) | u32::from(self.u16(at + 2)) << 16
    }
    fn u64(&self, at: usize) -> u64 {
        le64(self.0, at)
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&b| b == 0)
}

/// The header, all of it checked, and the page table's checksum. `recover` accepts a file that was never sealed.
pub(crate) fn read_header(source: &mut dyn Source, recover: bool) -> Result<Header, Error> {
    let length = source.len();
    let mut fixed = vec![0; length.min(IDENTITY_BYTES as u64) as usize];
    source.read(0, &mut fixed)?;
    if fixed.starts_with(&DRAFT_MAGIC) {
        return Err(Error::Unsupported("a file of the draft before version 1 of the format; build it again".into()));
    }
    if !fixed.starts_with(&MAGIC) {
        return Err(Error::NotRecognised("not a seen file".into()));
    }
    if length < (IDENTITY_BYTES + TRAILER_BYTES) as u64 {
        return Err(corrupt(0, format!("{length} bytes are too few for a seen file")));
    }
    let identity = Fields(&fixed);
    if identity.u16(8) != MAJOR {
        return Err(newer(8, format!("format version {}.{}", identity.u16(8), identity.u16(10))));
    }
    let header_bytes = u64::from(identity.u32(12));
    if header_bytes < (IDENTITY_BYTES + TRAILER_BYTES) as u64
        || header_bytes % 64 != 0
        || header_bytes > MAX_HEADER_BYTES.min(length)
    {
        return Err(corrupt(12, format!("a header of {header_bytes} bytes in a file of {length}")));
    }
    let mut bytes = vec![0; header_bytes as usize];
    source.read(0, &mut bytes)?;
    let trailer = bytes.len() - TRAILER_BYTES;
    let fields = Fields(&bytes);
    if checksum(&bytes[..trailer]) != fields.u64(trailer) {
        return Err(corrupt(trailer as u64, "the header's checksum does not match".into()));
    }
    let mut header = parse_identity(&fields, header_bytes, length)?;
    parse_entries(&bytes, &mut header)?;
    parse_seal(&bytes, recover, &mut header)?;
    let mut gap = vec![0; (header.body_offset - header_bytes) as usize];
    source.read(header_bytes, &mut gap)?;
    if !is_zero(&gap) {
        return Err(corrupt(header_bytes, "padding that is not zero".into()));
    }
    Ok(header)
}

fn parse_identity(f: &Fields<'_>, header_bytes: u64, length: u64) -> Result<Header, Error> {
    if f.u64(16) != length {
        return Err(corrupt(16, format!("the header says {} bytes, the file has {length}", f.u64(16))));
    }
    if f.u32(28) != 0 {
        return Err(newer(28, "a flag that must be understood".into()));
    }
    if f.u32(36) & !KEYED != 0 {
        return Err(newer(36, "a hash flag that must be understood".into()));
    }
    let fpr = f64::from_bits(f.u64(64));
    if !(0.0..1.0).contains(&fpr) {
        return Err(corrupt(64, "the stored fpr is not a probability below 1".into()));
    }
    let (body_offset, body_bytes) = (f.u64(72), f.u64(80));
    let alignment = ALIGNMENTS.iter().find(|&&alignment| body_offset == round_up(header_bytes, alignment));
    let alignment = *alignment
        .ok_or_else(|| corrupt(72, format!("the body begins at {body_offset}, not right after the header")))?;
    if body_bytes > MAX_BODY_BYTES || body_bytes % 64 != 0 {
        return Err(corrupt(80, format!("a body of {body_bytes} bytes")));
    }
    if f.u64(88) != page_bytes_for(body_bytes) {
        let right = page_bytes_for(body_bytes);
        return Err(corrupt(88, format!("pages of {} bytes, where this body has pages of {right}", f.u64(88))));
    }
    let all = body_offset + body_bytes + 8 * pages_of(body_bytes);
    if all != length {
        return Err(corrupt(80, format!("header, body and page table make {all} bytes, the file has {length}")));
    }
    if f.u32(100) != 0 {
        return Err(corrupt(100, "a reserved field is not zero".into()));
    }
    Ok(Header {
        kind: f.u16(24),
        index_rule: f.u16(26),
        hash: f.u16(32),
        key_encoding: f.u16(34),
        keyed: f.u32(36) & KEYED != 0,
        seed: f.u64(40),
        hash_check: f.u64(48),
        capacity: f.u64(56),
        fpr,
        alignment,
        body_offset,
        body_bytes,
        segments: Vec::new(),
        metadata: Vec::new(),
        stored_secret: None,
        sealed: true,
        census: 0,
        table_checksum: 0,
    })
}

fn parse_entries(bytes: &[u8], header: &mut Header) -> Result<(), Error> {
    let end = bytes.len() - TRAILER_BYTES;
    let fields = Fields(bytes);
    let mut at = IDENTITY_BYTES;
    for _ in 0..fields.u32(96) {
        if end - at < 8 {
            return Err(corrupt(at as u64, "the header ends inside an entry".into()));
        }
        let (tag, flags, length) = (fields.u16(at), fields.u16(at + 2), u64::from(fields.u32(at + 4)));
        let padded = round_up(length, 8);
        if padded > (end - at - 8) as u64 {
            return Err(corrupt(at as u64 + 4, format!("an entry of {length} bytes does not fit the header")));
        }
        let (value, padding) = bytes[at + 8..at + 8 + padded as usize].split_at(length as usize);
        match tag {
            0 => return Err(corrupt(at as u64, "padding where an entry is due".into())),
            TAG_SEGMENT => parse_segment(value, at as u64, header)?,
            TAG_METADATA if value.len() > MAX_METADATA => {
                return Err(corrupt(at as u64 + 4, format!("metadata of {length} bytes")));
            }
            TAG_METADATA => header.metadata = value.into(),
            TAG_SECRET => {
                let secret =
                    value.try_into().map_err(|_| corrupt(at as u64 + 4, format!("a secret of {length} bytes")))?;
                header.stored_secret = Some(Secret(secret));
            }
            _ if flags & MUST_UNDERSTAND != 0 => {
                return Err(newer(at as u64, format!("an entry of type {tag} that must be understood")));
            }
            _ => {}
        }
        if !is_zero(padding) {
            return Err(corrupt(at as u64, "padding that is not zero".into()));
        }
        at += 8 + padded as usize;
    }
    if !is_zero(&bytes[at..end]) {
        return Err(corrupt(at as u64, "padding that is not zero".into()));
    }
    let covered = header.segments.last().map_or(0, |s| s.offset + s.length);
    if header.segments.is_empty() || covered != header.body_bytes {
        let all = header.body_bytes;
        return Err(corrupt(IDENTITY_BYTES as u64, format!("the segments cover {covered} of {all} bytes of body")));
    }
    Ok(())
}

fn parse_segment(value: &[u8], at: u64, header: &mut Header) -> Result<(), Error> {
    if value.len() < 16 || value.len() % 8 != 0 || value.len() > 16 + 8 * MAX_FIELDS {
        return Err(corrupt(at, format!("a segment entry of {} bytes", value.len())));
    }
    if header.segments.len() == MAX_SEGMENTS {
        return Err(corrupt(at, "more than 256 segments".into()));
    }
    let (offset, length) = (le64(value, 0), le64(value, 8));
    let expected = header.segments.last().map_or(0, |s| s.offset + s.length);
    if offset != expected || length % 64 != 0 || length > header.body_bytes - offset {
        let number = header.segments.len();
        return Err(corrupt(at, format!("segment {number} does not follow the one before it")));
    }
    let shape = value[16..].chunks_exact(8).map(|bytes| le64(bytes, 0)).collect();
    header.segments.push(Segment { offset, length, shape });
    Ok(())
}

fn parse_seal(bytes: &[u8], recover: bool, header: &mut Header) -> Result<(), Error> {
    let at = bytes.len() - 32;
    let seal = &bytes[at..at + 8];
    if seal == UNSEALED {
        header.sealed = false;
        if recover {
            return Ok(());
        }
        return Err(Error::Unsealed(format!(
            "offset {at}: the file was being written in place and never sealed; open it with recover"
        )));
    }
    if seal != SEALED {
        return Err(corrupt(at as u64, "the seal is neither whole nor open".into()));
    }
    if checksum(&bytes[at - 8..at + 24]) != le64(bytes, at + 24) {
        return Err(corrupt(at as u64 + 24, "the seal's checksum does not match".into()));
    }
    header.census = le64(bytes, at + 8);
    header.table_checksum = le64(bytes, at + 16);
    Ok(())
}

/// The page table, checked against the header unless the file is unsealed: nobody vouches for it then.
pub(crate) fn check_table(header: &Header, source: &mut dyn Source) -> Result<Vec<u8>, Error> {
    let at = header.body_offset + header.body_bytes;
    let mut table = vec![0; 8 * header.page_count() as usize];
    source.read(at, &mut table)?;
    if header.sealed && checksum(&table) != header.table_checksum {
        return Err(corrupt(at, "the checksum of the page table does not match".into()));
    }
    Ok(table)
}

/// Hands the body on, page by page, each checked first.
pub(crate) fn read_body(header: &Header, source: &mut dyn Source, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
    let table = check_table(header, source)?;
    let page_bytes = header.page_bytes().min(header.body_bytes) as usize;
    let mut page = Vec::new();
    page.try_reserve_exact(page_bytes).map_err(|_| Error::NoMemory(format!("need {page_bytes} bytes of memory")))?;
    page.resize(page_bytes, 0);
    let mut at = 0;
    for stored in table.chunks_exact(8) {
        let size = (header.body_bytes - at).min(page_bytes as u64);
        let page = &mut page[..size as usize];
        source.read(header.body_offset + at, page)?;
        if header.sealed && checksum(page) != le64(stored, 0) {
            return Err(corrupt(
                header.body_offset + at,
                format!("the {size} bytes from here do not match their checksum"),
            ));
        }
        each(page);
        at += size;
    }
    Ok(())
}
