//! Shapes of foreign filters: their limits, and the sizing of two Go libraries.

use crate::math::real::ln;
use crate::math::sizing::MAX_BITS;
use crate::{BloomShape, Error, Target};
use alloc::format;
use core::f64::consts::LN_2;

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

/// m = -n·ln p/(ln 2)^2 and k = m/n·ln 2, both rounded up and at least 1: bits-and-blooms.
///
/// The libraries compute in doubles, and so does this, in their order.
pub(crate) fn rounded_up(target: Target) -> BloomShape {
    sized(target, |bits, keys| LN_2 * bits / keys)
}

/// The same for phrozen, which divides before it multiplies. Where k is next to a whole number, as for 4,759,404 keys at
/// 2^-31, the two differ.
pub(crate) fn rounded_up_phrozen(target: Target) -> BloomShape {
    sized(target, |bits, keys| bits / keys * LN_2)
}

fn sized(target: Target, probes: impl Fn(f64, f64) -> f64) -> BloomShape {
    let keys = target.capacity as f64;
    let bits = ceil(-keys * ln(target.fpr) / (LN_2 * LN_2));
    let probes = ceil(probes(bits as f64, keys)).clamp(1, u64::from(u32::MAX));
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
        let numbers = |BloomShape { bits, probes }| (bits, probes);
        let sized = |capacity, fpr| numbers(rounded_up(Target { capacity, fpr }));
        assert_eq!(sized(137, 0.01), (1314, 7));
        assert_eq!(sized(50, 0.1), (240, 4));
        assert_eq!(sized(1_000_000, 0.001), (14_377_588, 10));
        // Of these each library has its own.
        let target = Target { capacity: 4_759_404, fpr: 1.0 / (1u64 << 31) as f64 };
        assert_eq!(numbers(rounded_up(target)), (212_857_425, 31));
        assert_eq!(numbers(rounded_up_phrozen(target)), (212_857_425, 32));
    }
}
