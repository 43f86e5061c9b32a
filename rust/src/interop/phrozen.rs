//! Files of the Go package phrozen/bloom.
//!
//! ```text
//!  0   8   16
//!  m   k   ceil(m/64) words; bit i is in word i/64, mask 1 << (i mod 64)      all little-endian; nothing follows
//! ```
//!
//! FNV-1a unless the user brought another hash of 64 bits, which the file does not say; position i =
//! (low half + i·high half) mod m. docs/formats/phrozen.md is the specification.

use super::bits_and_blooms::Form;
use super::bytes::{ceil_div, used_bits, words_of, ByteOrder, Reader};
use super::shape::{Shape, MAX_PROBES};
use super::{corrupt, Detection};
use crate::Error;
use alloc::format;
use alloc::vec::Vec;

fn header(bytes: &[u8]) -> Result<Shape, Error> {
    let mut at = Reader::new(bytes, 0);
    let bits = u64::from_le_bytes(at.take("the header")?);
    let probes = u64::from_le_bytes(at.take("the header")?);
    let shape = Shape::checked(bits, probes, MAX_PROBES, |s| corrupt(format!("offset 0: {}", s)))?;
    let expected = 16 + 8 * ceil_div(bits, 64);
    if bytes.len() as u64 != expected {
        let there = bytes.len();
        return Err(corrupt(format!(
            "offset 0: {} bits make a file of {} bytes; this one has {}",
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
    let words = words_of(&bytes[16..], ByteOrder::Little);
    if used_bits(&words) > shape.bits {
        return Err(corrupt(format!("bits beyond the {} of the filter are set", shape.bits)));
    }
    Ok((shape, words, Form { length: shape.bits, ..Form::default() }))
}

pub(crate) fn write(shape: Shape, words: &[u64]) -> Vec<u8> {
    let mut file = Vec::with_capacity(16 + 8 * words.len());
    file.extend_from_slice(&shape.bits.to_le_bytes());
    file.extend_from_slice(&u64::from(shape.probes).to_le_bytes());
    for word in words {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file
}
