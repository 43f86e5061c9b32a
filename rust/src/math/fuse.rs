//! The table of a binary fuse filter for a number of keys: the same integers in every language. How the numbers were measured
//! is at the top of `include/seen/math/binary_fuse.hpp` of the project.
//!
//! ```text
//! segments of L = 2^k slots, C of them to begin in, and arity − 1 more      C ≥ b·n/L − e, n ≤ L²/crowd
//! ```

use super::real;

/// What was measured for an arity.
struct Sizing {
    /// Keys at C = 1, by k.
    single: [u64; 13],
    /// Slots for 1000 keys, by k; 0: too short for any.
    per_mille: [u64; 19],
    eighths: u64,
    crowd: u64,
}

const THREE: Sizing = Sizing {
    single: [0, 1, 3, 10, 23, 61, 137, 292, 598, 1218, 2463, 4962, 9960],
    per_mille: [
        0, 0, 0, 2200, 1680, 1150, 1190, 1185, 1180, 1172, 1155, 1135, 1125, 1115, 1114, 1114, 1114, 1114, 1114,
    ],
    eighths: 3,
    crowd: 9,
};
const FOUR: Sizing = Sizing {
    single: [0, 2, 6, 18, 41, 88, 184, 376, 763, 1548, 3110, 6252, 12552],
    per_mille: [
        0, 0, 0, 1400, 1370, 1270, 1220, 1175, 1142, 1114, 1090, 1072, 1062, 1052, 1052, 1052, 1052, 1052, 1052,
    ],
    eighths: 6,
    crowd: 2,
};

/// Slots of a segment, and segments, for so many keys in a shard, fewer than 2^32; enlarged `growth` times by a sixteenth.
pub(crate) fn segments_for(arity: u64, keys: u64, growth: u64) -> (u64, u64) {
    if keys == 0 {
        return (0, 0);
    }
    let sizing = if arity == 3 { &THREE } else { &FOUR };
    let (mut length, mut segments) = (0, 0);
    for (k, &per_mille) in sizing.per_mille.iter().enumerate() {
        let each = 1u64 << k;
        let begins = if sizing.single.get(k).map_or(false, |&most| keys <= most) {
            1
        } else if per_mille != 0 && (k >= 14 || keys <= 256 * each) && keys <= each * each / sizing.crowd {
            let (slots, spared) = ((keys * per_mille + 999) / 1000, each * sizing.eighths / 8);
            ((slots - slots.min(spared) + each - 1) / each).max(2)
        } else {
            continue;
        };
        let found = begins + arity - 1;
        if segments == 0 || found * each < segments * length {
            (length, segments) = (each, found);
        }
    }
    (length, segments + growth * ((segments + 15) / 16))
}

/// Shards for so many keys: none for none, one below 2^23, then a power of two with 2^19 to 2^20 keys in each.
pub(crate) fn shards_for(keys: u64) -> u64 {
    const SHARDED: u64 = 1 << 23;
    match keys {
        0 => 0,
        _ if keys < SHARDED => 1,
        _ => (1 << (63 - (keys >> 19).leading_zeros())).min(1 << 24),
    }
}

/// Keys to expect in the fullest of so many shards. [Raab & Steger 1998]
pub(crate) fn expected_largest_shard(keys: u64, shards: u64) -> u64 {
    if shards <= 1 {
        return keys;
    }
    let mean = keys as f64 / shards as f64;
    let above = real::exp(real::ln(2.0 * mean * real::ln(shards as f64)) / 2.0);
    super::ceil(mean + above)
}
