//! Files that are a header and the bits, and nothing else: phrozen and the portable format.
//!
//! Neither has a magic or a checksum, so such a file is known by its length alone, which the header implies.

use super::bits_and_blooms::Form;
use super::bytes::{ceil_div, used_bits, words_of, ByteOrder, Reader};
use super::corrupt;
use super::shape::checked;
use crate::{BloomShape, Error};
use alloc::format;
use alloc::vec::Vec;

/// One such format.
pub(crate) struct BareFile {
    pub(crate) header_bytes: usize,
    /// Where the header has the number of bits.
    pub(crate) bits_at: usize,
    /// Bits are stored so many bytes at a time.
    pub(crate) unit_bytes: u64,
    pub(crate) max_probes: u64,
    /// The numbers of bits and of probes that a header states.
    pub(crate) read: fn(&mut Reader<'_>) -> Result<(u64, u64), Error>,
}

impl BareFile {
    fn shape(&self, bytes: &[u8]) -> Result<BloomShape, Error> {
        let (bits, probes) = (self.read)(&mut Reader::new(bytes, 0))?;
        let shape = checked(bits, probes, self.max_probes, |what| corrupt(format!("offset 0: {what}")))?;
        let (expected, there) = (self.file_bytes(shape), bytes.len());
        if there as u64 != expected {
            return Err(corrupt(format!(
                "offset {}: {bits} bits make a file of {expected} bytes; this one has {there}",
                self.bits_at
            )));
        }
        Ok(shape)
    }

    fn file_bytes(&self, shape: BloomShape) -> u64 {
        self.header_bytes as u64 + self.unit_bytes * ceil_div(shape.bits, 8 * self.unit_bytes)
    }

    /// Whether the header's numbers agree with the length.
    pub(crate) fn fits(&self, bytes: &[u8]) -> bool {
        self.shape(bytes).is_ok()
    }

    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<(BloomShape, Vec<u64>, Form), Error> {
        let shape = self.shape(bytes)?;
        let words = words_of(&bytes[self.header_bytes..], ByteOrder::Little);
        if used_bits(&words) > shape.bits {
            return Err(corrupt(format!("bits beyond the {} of the filter are set", shape.bits)));
        }
        Ok((shape, words, Form { length: shape.bits, ..Form::default() }))
    }

    /// The file of these bits: its header comes in two parts.
    pub(crate) fn write(&self, header: [&[u8]; 2], shape: BloomShape, words: &[u64]) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.header_bytes + 8 * words.len());
        header.iter().for_each(|part| file.extend_from_slice(part));
        words.iter().for_each(|word| file.extend_from_slice(&word.to_le_bytes()));
        file.truncate(self.file_bytes(shape) as usize);
        file
    }
}
