//! The portable lab format: k, m and the bits.
//!
//! ```text
//!  0   4        12
//!  k   m        bit i is byte i/8, mask 1 << (i mod 8)       integers little-endian; nothing follows
//! ```
//!
//! FNV-1a with a step of SplitMix64; position i = (low half + i·high half) mod m. There is no magic and no
//! checksum: that the length is the one m allows is a guess. docs/formats/portable.md is the specification.

use super::bare::BareFile;
use super::evidence::Evidence;
use super::Detection;
use crate::BloomShape;
use alloc::vec::Vec;

/// The format's limit on k.
pub(crate) const MAX_PROBES: u64 = 30;

/// The first probe is a number of 32 bits, so beyond it some bits would never be used: such filters are
/// read, but none is made.
pub(crate) const MAX_NEW_BITS: u64 = 1 << 32;

pub(crate) const FILE: BareFile = BareFile {
    header_bytes: 12,
    bits_at: 4,
    unit_bytes: 1,
    max_probes: MAX_PROBES,
    read: |at| {
        let probes = u32::from_le_bytes(at.take("the header")?);
        Ok((u64::from_le_bytes(at.take("the header")?), u64::from(probes)))
    },
};

pub(crate) fn write(shape: BloomShape, words: &[u64]) -> Vec<u8> {
    FILE.write([&shape.probes.to_le_bytes(), &shape.bits.to_le_bytes()], shape, words)
}

/// k, m and the one length that m allows are small numbers, and no proof. (The lowest byte of m is not fixed by the length.)
pub(crate) fn detect(bytes: &[u8]) -> Detection {
    if FILE.fits(bytes) {
        Evidence::of(bytes).fixed(1, 3).fixed(5, 7).weigh(Detection::Likely)
    } else {
        Detection::No
    }
}
