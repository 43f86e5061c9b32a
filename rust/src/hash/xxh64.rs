//! XXH64 (Yann Collet), the hash of Apache Parquet's filters, written from its specification.
//!
//! Four lanes take 32 bytes a step; what is left goes in by 8, 4 and 1.

use super::{le32, le64};

const P1: u64 = 0x9e37_79b1_85eb_ca87;
const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const P3: u64 = 0x1656_67b1_9e37_79f9;
const P4: u64 = 0x85eb_ca77_c2b2_ae63;
const P5: u64 = 0x27d4_eb2f_1656_67c5;

#[inline]
fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1)
}

/// XXH64 with a seed.
pub(crate) fn xxh64(key: &[u8], seed: u64) -> u64 {
    let steps = key.chunks_exact(32);
    let mut rest = steps.remainder();
    let mut h = seed.wrapping_add(P5);
    if key.len() >= 32 {
        let mut lanes = [seed.wrapping_add(P1).wrapping_add(P2), seed.wrapping_add(P2), seed, seed.wrapping_sub(P1)];
        for step in steps {
            for (i, lane) in lanes.iter_mut().enumerate() {
                *lane = round(*lane, le64(step, 8 * i));
            }
        }
        h = lanes[0]
            .rotate_left(1)
            .wrapping_add(lanes[1].rotate_left(7))
            .wrapping_add(lanes[2].rotate_left(12))
            .wrapping_add(lanes[3].rotate_left(18));
        for lane in lanes {
            h = (h ^ round(0, lane)).wrapping_mul(P1).wrapping_add(P4);
        }
    }
    h = h.wrapping_add(key.len() as u64);
    while rest.len() >= 8 {
        h = (h ^ round(0, le64(rest, 0))).rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
        rest = &rest[8..];
    }
    if rest.len() >= 4 {
        h = (h ^ u64::from(le32(rest, 0)).wrapping_mul(P1)).rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
        rest = &rest[4..];
    }
    for &byte in rest {
        h = (h ^ u64::from(byte).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
    h = (h ^ (h >> 33)).wrapping_mul(P2);
    h = (h ^ (h >> 29)).wrapping_mul(P3);
    h ^ (h >> 32)
}
