//! The portable lab format: k, m and the bits.
//!
//! ```text
//!  0   4        12
//!  k   m        bit i is byte i/8, mask 1 << (i mod 8)       integers little-endian; nothing follows
//! ```
//!
//! FNV-1a with a step of SplitMix64; position i = (low half + i·high half) mod m. There is no magic and no
//! checksum, so a file is recognised by its length alone. docs/formats/portable.md is the specification.

use super::bits_and_blooms::Form;
use super::bytes::{ceil_div, used_bits, words_of, ByteOrder, Reader};
use super::shape::Shape;
use super::{corrupt, Detection};
use crate::Error;
use alloc::format;
use alloc::vec::Vec;

/// The format's limit on k.
pub(crate) const MAX_PROBES: u64 = 30;

/// The first probe is a number of 32 bits, so beyond it some bits would never be used: such filters are
/// read, but none is made.
pub(crate) const MAX_NEW_BITS: u64 = 1 << 32;

fn header(bytes: &[u8]) -> Result<Shape, Error> {
    let mut at = Reader::new(bytes, 0);
    let probes = u32::from_le_bytes(at.take("the header")?);
    let bits = u64::from_le_bytes(at.take("the header")?);
    let shape = Shape::checked(bits, u64::from(probes), MAX_PROBES, |s| corrupt(format!("offset 0: {}", s)))?;
    let expected = 12 + ceil_div(bits, 8);
    if bytes.len() as u64 != expected {
        let there = bytes.len();
        return Err(corrupt(format!(
            "offset 4: {} bits make a file of {} bytes; this one has {}",
            bits, expected, there
        )));
    }
    Ok(shape)
}

pub(crate) fn detect(bytes: &[u8]) -> Detection {
    match header(bytes) {
        Ok(_) => Detection::Likely,
        Err(_) => Detection::No,
    }
}

pub(crate) fn parse(bytes: &[u8]) -> Result<(Shape, Vec<u64>, Form), Error> {
    let shape = header(bytes)?;
    let words = words_of(&bytes[12..], ByteOrder::Little);
    if used_bits(&words) > shape.bits {
        return Err(corrupt(format!("bits beyond the {} of the filter are set", shape.bits)));
    }
    Ok((shape, words, Form { length: shape.bits, ..Form::default() }))
}

pub(crate) fn write(shape: Shape, words: &[u64]) -> Vec<u8> {
    let end = 12 + ceil_div(shape.bits, 8) as usize;
    let mut file = Vec::with_capacity(12 + 8 * words.len());
    file.extend_from_slice(&shape.probes.to_le_bytes());
    file.extend_from_slice(&shape.bits.to_le_bytes());
    for word in words {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.truncate(end);
    file
}
