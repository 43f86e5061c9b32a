//! Shapes of foreign filters: their limits, and the sizing of two Go libraries.

use crate::math::real::ln;
use crate::math::sizing::MAX_BITS;
use crate::{BloomShape, Error, Target};
use alloc::format;

/// More probes than any library plans for (a rate of 1e-38 takes 127): more is a broken file, or one to
/// wear us out.
pub(crate) const MAX_PROBES: u64 = 255;

/// A shape within the limits; `error` makes the error of a sentence about it.
pub(crate) fn checked(
    bits: u64,
    probes: u64,
    max_probes: u64,
    error: impl Fn(alloc::string::String) -> Error,
) -> Result<BloomShape, Error> {
    if !(1..=MAX_BITS).contains(&bits) {
        return Err(error(format!("bits is {}; it must be from 1 to 2^40", bits)));
    }
    if probes < 1 || probes > max_probes {
        return Err(error(format!("probes is {}; it must be from 1 to {}", probes, max_probes)));
    }
    Ok(BloomShape { bits, probes: probes as u32 })
}

/// m = -n·ln p/(ln 2)^2 and k = m/n·ln 2, both rounded up and at least 1: bits-and-blooms and phrozen.
///
/// The libraries compute in doubles, and so does this, in their order.
pub(crate) fn rounded_up(target: Target) -> BloomShape {
    let ln2 = core::f64::consts::LN_2;
    let keys = target.capacity as f64;
    let bits = ceil(-keys * ln(target.fpr) / (ln2 * ln2));
    let probes = ceil(ln2 * bits as f64 / keys).clamp(1, u64::from(u32::MAX));
    BloomShape { bits: bits.max(1), probes: probes as u32 }
}

/// Without the standard library there is no f64::ceil. Beyond 2^64 it is u64::MAX, of NaN 0.
fn ceil(x: f64) -> u64 {
    let whole = x as u64;
    whole.saturating_add(u64::from((whole as f64) < x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_libraries() {
        let sized = |capacity, fpr| {
            let BloomShape { bits, probes } = rounded_up(Target { capacity, fpr });
            (bits, probes)
        };
        assert_eq!(sized(137, 0.01), (1314, 7));
        assert_eq!(sized(50, 0.1), (240, 4));
        assert_eq!(sized(1_000_000, 0.001), (14_377_588, 10));
    }
}
