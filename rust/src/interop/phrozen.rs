//! Files of the Go package phrozen/bloom.
//!
//! ```text
//!  0   8   16
//!  m   k   ceil(m/64) words; bit i is in word i/64, mask 1 << (i mod 64)      all little-endian; nothing follows
//! ```
//!
//! FNV-1a unless the user brought another hash of 64 bits, which the file does not say; position i =
//! (low half + i·high half) mod m. docs/formats/phrozen.md is the specification.

use super::bare::BareFile;
use super::shape::MAX_PROBES;
use super::Detection;
use crate::BloomShape;
use alloc::vec::Vec;

pub(crate) const FILE: BareFile = BareFile {
    header_bytes: 16,
    bits_at: 0,
    unit_bytes: 8,
    max_probes: MAX_PROBES,
    read: |at| {
        let bits = u64::from_le_bytes(at.take("the header")?);
        Ok((bits, u64::from_le_bytes(at.take("the header")?)))
    },
};

pub(crate) fn write(shape: BloomShape, words: &[u64]) -> Vec<u8> {
    FILE.write([&shape.bits.to_le_bytes(), &u64::from(shape.probes).to_le_bytes()], shape, words)
}

/// m, k and words are what anybody would write, and others do. Nothing tells whose hash set the bits.
pub(crate) fn detect(bytes: &[u8]) -> Detection {
    if FILE.fits(bytes) {
        Detection::Fitting
    } else {
        Detection::No
    }
}
