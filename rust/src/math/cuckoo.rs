//! The table of a cuckoo filter for a target: the same integers in every language (`docs/filters/cuckoo.md`, "Size and rate").
//!
//! ```text
//! slots = ceil(20·n/19) + 13, and up to 19 more below 1000 keys        w: the fewest bits with 7.6/2^w·(1 + 2/2^w) ≤ fpr
//! ```

use super::sizing::{check, number, too_many_bits, wish, MAX_BITS};
use crate::error::Error;
use crate::Target;
use alloc::format;

/// The widths that a fingerprint may have.
pub(crate) const WIDTHS: [u64; 9] = [8, 10, 12, 13, 14, 16, 17, 24, 32];

/// Buckets of a planned chunk, where there are several.
const CHUNK_BUCKETS: u64 = 32_768;

/// An upper bound of the rate of these fingerprints at a load of `eighths`/8: two products of doubles, from left to right.
pub(crate) fn rate_ceiling(width: u64, eighths: f64) -> f64 {
    let q = 1.0 / (1u64 << width) as f64;
    eighths * q * (1.0 + 2.0 * q)
}

/// The fewest bits whose rate at a load of `eighths`/8 is at most this.
pub(crate) fn width_for(fpr: f64, eighths: f64) -> Option<u64> {
    WIDTHS.iter().copied().find(|&width| rate_ceiling(width, eighths) <= fpr)
}

pub(crate) fn not_a_width(width: u64) -> Error {
    Error::InvalidArgument(format!("fingerprint-bits is {width}; it must be 8, 10, 12, 13, 14, 16, 17, 24 or 32"))
}

/// Buckets and chunks as they are made: an even number of buckets, and as many chunks of a power of two as they fill. 0 chunks:
/// as many of 32,768 buckets as there are, or one.
pub(crate) fn whole_chunks(buckets: u64, chunks: u64) -> (u64, u64) {
    let buckets = (buckets + 1) / 2 * 2;
    let chunks = if chunks == 0 { (buckets / CHUNK_BUCKETS).max(1) } else { chunks };
    if buckets == 0 || (chunks > 1 && chunks > buckets / 16) {
        return (buckets, chunks); // whoever checks them says why not
    }
    (buckets, buckets >> (63 - (buckets / chunks).leading_zeros()))
}

/// Buckets, width and chunks for a target; `wished` is a width, or 0.
pub(crate) fn table_for(target: Target, wished: u64) -> Result<(u64, u64, u64), Error> {
    check(target)?;
    if wished != 0 && !WIDTHS.contains(&wished) {
        return Err(not_a_width(wished));
    }
    let least = width_for(target.fpr, 7.6);
    let width = if wished != 0 { wished } else { least.unwrap_or(32) };
    if target.capacity > MAX_BITS / 8 {
        return Err(too_many_bits(target, target.capacity as f64 * width as f64 / 0.95));
    }
    let keys = target.capacity;
    let extra = 13 + if keys < 1000 { (1000 - keys) * 19 / 1000 } else { 0 };
    let mut slots = (20 * keys + 18) / 19 + extra;
    if least.map_or(true, |least| width < least) {
        let eighths = target.fpr / rate_ceiling(width, 1.0); // the load that keeps the rate
        if eighths < 4.0 || eighths.is_nan() {
            return Err(Error::InvalidArgument(format!(
                "{}: fingerprints of {width} bits give no rate below {}",
                wish(target),
                number(rate_ceiling(width, 4.0))
            )));
        }
        slots = slots.max(super::ceil(8.0 * keys as f64 / eighths));
    }
    let mut buckets = (slots + 3) / 4;
    if buckets > 20 && buckets < 32 {
        buckets = 32;
    }
    if buckets > 48 && buckets < 64 {
        buckets = 64;
    }
    let (buckets, chunks) = whole_chunks(buckets, 0);
    let bits = 4.0 * buckets as f64 * width as f64;
    if bits > MAX_BITS as f64 {
        return Err(too_many_bits(target, bits));
    }
    Ok((buckets, width, chunks))
}
