//! Reading and writing the integers and words of foreign files.
//!
//! Nothing here allocates by a number that a file states: what is taken is cut from bytes that are
//! there, so memory is bounded by the file's own length.

use super::corrupt;
use crate::Error;
use alloc::format;
use alloc::vec::Vec;

/// The order of the bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Big,
    Little,
}

impl ByteOrder {
    pub(crate) fn load(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::Big => u64::from_be_bytes(bytes),
            ByteOrder::Little => u64::from_le_bytes(bytes),
        }
    }

    pub(crate) fn store(self, value: u64) -> [u8; 8] {
        match self {
            ByteOrder::Big => value.to_be_bytes(),
            ByteOrder::Little => value.to_le_bytes(),
        }
    }
}

/// A place in bytes that came from outside.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Reader { bytes, at }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// All that has not been read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    /// The next `N` bytes; `what` they belong to is said where they are missing.
    pub(crate) fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Error> {
        let mut taken = [0; N];
        match self.rest().get(..N) {
            Some(some) => taken.copy_from_slice(some),
            None => {
                let size = self.bytes.len();
                return Err(corrupt(format!("ends within {}: it has {} bytes", what, size)));
            }
        }
        self.at += N;
        Ok(taken)
    }

    /// An error at this place.
    pub(crate) fn corrupt(&self, what: core::fmt::Arguments<'_>) -> Error {
        corrupt(format!("offset {}: {}", self.at, what))
    }
}

/// ceil(a / b), without overflow.
pub(crate) fn ceil_div(a: u64, b: u64) -> u64 {
    a / b + u64::from(a % b != 0)
}

/// The words of an array of bits; a last word that is cut short is filled up with zeros.
pub(crate) fn words_of(bytes: &[u8], order: ByteOrder) -> Vec<u64> {
    let word = |some: &[u8]| {
        let mut whole = [0; 8];
        whole[..some.len()].copy_from_slice(some);
        order.load(whole)
    };
    bytes.chunks(8).map(word).collect()
}

/// The number of bits up to the highest that is set.
pub(crate) fn used_bits(words: &[u64]) -> u64 {
    match words.iter().rposition(|&word| word != 0) {
        Some(i) => 64 * i as u64 + u64::from(64 - words[i].leading_zeros()),
        None => 0,
    }
}
