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
use crate::hash::{fnv1a_64, splitmix64};
use crate::{BloomShape, Error};
use alloc::format;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

/// The format's limit on k.
pub(crate) const MAX_PROBES: u64 = 30;

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

/// Asks the hash for its known answers, when the first filter of a process is made or opened: the format's document wants that,
/// since files hold no check value that would tell another hash.
pub(crate) fn self_check() -> Result<(), Error> {
    static PASSED: AtomicBool = AtomicBool::new(false);
    if !PASSED.load(Ordering::Relaxed) {
        check_hash(fnv1a_64, splitmix64)?;
        PASSED.store(true, Ordering::Relaxed);
    }
    Ok(())
}

fn check_hash(fnv1a: fn(&[u8]) -> u64, finish: fn(u64) -> u64) -> Result<(), Error> {
    let known: [(&str, u64, u64); 3] = [
        ("", 0xcbf2_9ce4_8422_2325, 0xc381_7c01_6ba4_ff30),
        ("a", 0xaf63_dc4c_8601_ec8c, 0x5f29_c2aa_dd9b_8527),
        ("foobar", 0x8594_4171_f739_67e8, 0x5df2_9541_3403_de4f),
    ];
    for (key, raw, digest) in known {
        for (what, is, expected) in
            [("FNV-1a", fnv1a(key.as_bytes()), raw), ("SplitMix64 after FNV-1a", finish(fnv1a(key.as_bytes())), digest)]
        {
            if is != expected {
                return Err(Error::WrongHash(format!(
                    "portable: {what} of {key:?} is {is:016x} here, and should be {expected:016x}: files would not be readable elsewhere"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_hash_fails_its_known_answers() {
        assert!(check_hash(fnv1a_64, splitmix64).is_ok() && self_check().is_ok());
        let fnv1: fn(&[u8]) -> u64 =
            |key| key.iter().fold(0xcbf2_9ce4_8422_2325, |h, &byte| h.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
        let unfinished: fn(u64) -> u64 = |x| x;
        for wrong in [check_hash(fnv1, splitmix64), check_hash(fnv1a_64, unfinished)] {
            assert!(matches!(wrong, Err(Error::WrongHash(_))));
        }
    }
}
