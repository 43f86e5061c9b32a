//! From {capacity, fpr} to bits and probes of a classic filter, in integers: `docs/sizing.md` of the project.
//!
//! A size is part of a file, and math libraries differ in the last bit of a logarithm, so none is used but where the number
//! of probes is clamped. *q40* counts units of 2^-40; every product has 128 bits.
//!
//! ```text
//! q = ceil(log2(1/p)/ln 2)      in q40, the logarithm by forty squarings
//! m = ceil(n·q / 2^40)          k = round(m/n·ln 2), within 1 to 30
//! ```

use super::real;
use crate::error::Error;
use crate::Target;
use alloc::format;
use alloc::string::String;

/// The largest filter: 2^40 bits, 128 GiB.
pub(crate) const MAX_BITS: u64 = 1 << 40;

/// The most probes of a native filter: 30 give 1e-9, and each is a cache miss.
pub(crate) const MAX_PROBES: u64 = 30;

/// 1/ln 2 in units of 2^-63, rounded up.
const INVERSE_LN2_Q63: u64 = 0xb8aa_3b29_5c17_f0bc;

/// log2(1/p) in units of 2^-40, for 0 < p ≤ 1. [logarithms by squaring: Knuth, "The Art of Computer Programming" 1, 1.2.2]
fn log2_inverse_q40(p: f64) -> u64 {
    let raw = p.to_bits();
    let (exponent, fraction) = (raw >> 52, raw & 0x000f_ffff_ffff_ffff);
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let shift = u64::from(mantissa.leading_zeros());
    // p = mantissa·2^−unit.
    let unit = if exponent == 0 { 1074 } else { 1075 - exponent };
    ((unit + shift - 63) << 40) - log2_digits(mantissa << shift, 40)
}

/// The first `count` binary digits of log2(x/2^63) after the point, for x ≥ 2^63.
fn log2_digits(mut x: u64, count: u32) -> u64 {
    let mut log = 0;
    for _ in 0..count {
        let square = u128::from(x) * u128::from(x);
        let one = (square >> 127) as u64;
        log = log << 1 | one;
        x = (square >> (63 + one)) as u64;
    }
    log
}

/// The bits a classic filter spends on a key, in units of 2^-40.
pub(crate) fn bits_per_key_q40(p: f64) -> u64 {
    let product = u128::from(log2_inverse_q40(p)) * u128::from(INVERSE_LN2_Q63);
    ((product + (1 << 63) - 1) >> 63) as u64
}

/// `keys` times `q40` units of 2^-40, rounded up; u64::MAX where that does not fit 63 bits.
pub(crate) fn bits_for(keys: u64, q40: u64) -> u64 {
    let product = u128::from(keys) * u128::from(q40);
    if product >> 103 != 0 {
        return u64::MAX;
    }
    ((product + (1 << 40) - 1) >> 40) as u64
}

/// round(bits/keys·ln 2), not clamped; `bits` < 2^63, `keys` > 0.
pub(crate) fn probes_for(bits: u64, keys: u64) -> u64 {
    const LN2_Q64: u64 = 0xb172_17f7_d1cf_79ab; // floor(2^64·ln 2)
    let twice = ((u128::from(bits) * u128::from(LN2_Q64)) >> 63) as u64;
    (twice / keys + 1) / 2
}

/// The fewest bits per key at which the textbook rate (1−e^(−kn/m))^k is p with a given k, rounded up to a multiple of 2^-10.
pub(crate) fn bits_per_key_with(p: f64, probes: u64) -> f64 {
    let k = probes as f64;
    let units = -1024.0 * k / real::ln_1p(-real::exp(real::ln(p) / k));
    super::ceil(units) as f64 / 1024.0
}

/// Rejects targets that no filter can meet: no keys, a rate that is not a probability, or one that equal digests alone exceed.
pub(crate) fn check(target: Target) -> Result<(), Error> {
    check_range(target)?;
    let collisions = target.capacity as f64 * 5.421_010_862_427_522e-20; // 2^-64
    if collisions > target.fpr {
        return Err(Error::TooLarge(format!(
            "{}: equal 64-bit digests alone give a rate of {}, above the one asked for",
            wish(target),
            number(collisions)
        )));
    }
    Ok(())
}

fn check_range(target: Target) -> Result<(), Error> {
    if target.capacity == 0 {
        return Err(Error::InvalidArgument("capacity 0 is not a number of keys from 1 up".into()));
    }
    if !(target.fpr > 0.0 && target.fpr < 1.0) {
        let fpr = number(target.fpr);
        return Err(Error::InvalidArgument(format!("fpr {fpr} is not a probability strictly between 0 and 1")));
    }
    Ok(())
}

/// Bits and probes of a classic filter for a target.
pub(crate) fn bloom_shape(target: Target) -> Result<(u64, u64), Error> {
    check_range(target)?;
    let q40 = bits_per_key_q40(target.fpr);
    let mut bits = bits_for(target.capacity, q40);
    let too_large = |bits: f64| Err(too_many_bits(target, bits));
    if bits > MAX_BITS {
        return too_large(target.capacity as f64 * q40 as f64 / (1u64 << 40) as f64);
    }
    check(target)?;
    let best = probes_for(bits, target.capacity);
    let probes = best.clamp(1, MAX_PROBES);
    if probes != best {
        let per_key = bits_per_key_with(target.fpr, probes).min(8_388_608.0);
        bits = bits_for(target.capacity, (per_key * (1u64 << 40) as f64) as u64);
        if bits > MAX_BITS {
            return too_large(target.capacity as f64 * per_key);
        }
    }
    Ok((bits, probes))
}

/// log2(1/p) as (log, scale) for log·2^−scale. For p above a half, d = 1 − p is exact, and d := 2d − d² squares p, until d
/// is a half or more. d keeps 64 significant digits, so a p next to 1 loses none.
fn log2_inverse(p: f64) -> (u64, u32) {
    const DIGITS: u32 = 53;
    let (small, squared) = if p > 0.5 { (1.0 - p, true) } else { (p, false) };
    // small = x·2^−(64 + zeros)
    let raw = small.to_bits();
    let (exponent, fraction) = (raw >> 52, raw & 0x000f_ffff_ffff_ffff);
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let shift = mantissa.leading_zeros();
    let mut x = mantissa << shift;
    let mut zeros = if exponent == 0 { 1074 } else { 1075 - exponent as u32 } + shift - 64;
    if !squared {
        return ((u64::from(zeros + 1) << DIGITS) - log2_digits(x, DIGITS), DIGITS);
    }
    let mut scale = DIGITS;
    while zeros > 0 {
        let product = u128::from(x) * u128::from((x >> (zeros + 1)).wrapping_neg()); // d times 1 − d/2
        let one = (product >> 127) as u32;
        x = (product >> (63 + one)) as u64;
        zeros -= one;
        scale += 1;
    }
    let rest = x.wrapping_neg();
    let shift = rest.leading_zeros();
    ((u64::from(shift + 1) << DIGITS) - log2_digits(rest << shift, DIGITS), scale)
}

/// The most bits of a portable filter that is made: its first probe is a number of 32 bits, so beyond it some bits would never
/// be used. Larger ones are read.
pub(crate) const MAX_PORTABLE_BITS: u64 = 1 << 32;

/// Bits and probes of a portable filter, as the format's document has them: m = ceil(−n·ln p/(ln 2)²) and k = round(m/n·ln 2),
/// within 1 to 30. Where k is clamped m stays, other than in [`bloom_shape`], and the rate is missed.
pub(crate) fn portable_shape(target: Target) -> Result<(u64, u64), Error> {
    check_range(target)?;
    let (log, scale) = log2_inverse(target.fpr);
    let shift = log.leading_zeros();
    let per_key = (u128::from(log << shift) * u128::from(INVERSE_LN2_Q63)) >> 64;
    let product = u128::from(target.capacity) * per_key;
    let scale = scale + shift - 1;
    let bits = (product >> scale) + u128::from(product << (128 - scale) != 0);
    if bits > u128::from(MAX_PORTABLE_BITS) {
        return Err(Error::TooLarge(format!(
            "{} need {} bits; the limit of the portable format is 2^32 (512 MiB)",
            wish(target),
            number(bits as f64)
        )));
    }
    let bits = bits as u64;
    Ok((bits, probes_for(bits, target.capacity).clamp(1, MAX_PROBES)))
}

/// "1e18 keys at fpr 0.01".
pub(crate) fn wish(target: Target) -> String {
    let keys = if target.capacity == 1 { "key" } else { "keys" };
    format!("{} {keys} at fpr {}", target.capacity, number(target.fpr))
}

/// The error of a size beyond 2^40 bits.
pub(crate) fn too_many_bits(target: Target, bits: f64) -> Error {
    Error::TooLarge(format!("{} need {} bits; the limit is 2^40 (128 GiB)", wish(target), number(bits)))
}

/// The shorter of the two ways to write a number: 0.01, 1e-9.
pub(crate) fn number(x: f64) -> String {
    let (plain, scientific) = (format!("{x}"), format!("{x:e}"));
    if plain.len() <= scientific.len() {
        plain
    } else {
        scientific
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_specification() {
        for (capacity, fpr, shape) in [
            (1_000_000, 0.01, (9_585_059, 7)),
            (1_000_000_000, 0.001, (14_377_587_567, 10)),
            (137, 0.01, (1314, 7)),
            (40, 0.1, (192, 3)),
            (1_000_000, 0.05, (6_235_225, 4)),
            (1_000_000, 1e-6, (28_755_176, 20)),
            (1_000_000, 1e-9, (43_132_763, 30)),
        ] {
            assert_eq!(bloom_shape(Target { capacity, fpr }).unwrap(), shape, "{capacity} {fpr}");
        }
        assert_eq!(log2_inverse_q40(0.01), 7_304_997_133_929);
        assert_eq!(bits_per_key_q40(0.01), 10_538_883_138_828);
        assert_eq!(log2_inverse_q40(0.5), 1 << 40);
    }

    // The larger ones of tests/kit/portable_sizes.tsv; tests/kit.rs makes the others.
    #[test]
    fn portable_sizes_are_the_documents() {
        for (capacity, fpr, shape) in [
            (1000, 1e-12, (57_511, 30)),
            (1000, 0.8, (465, 1)),
            (60_000_000, 1e-12, (3_450_621_016, 30)),
            (123_456_789, 1e-6, (3_550_021_589, 20)),
            (1 << 53, 1.0 - f64::EPSILON / 2.0, (3, 1)),
        ] {
            assert_eq!(portable_shape(Target { capacity, fpr }).unwrap(), shape, "{capacity} {fpr}");
        }
        assert!(matches!(portable_shape(Target { capacity: 1 << 32, fpr: 0.5 }), Err(Error::TooLarge(_))));
    }

    #[test]
    fn what_no_filter_can_give_is_refused() {
        for (capacity, fpr) in
            [(0, 0.01), (1, 0.0), (1, 1.0), (1, -0.5), (1, f64::NAN), (u64::MAX, 0.01), (1 << 37, 1e-9)]
        {
            assert!(bloom_shape(Target { capacity, fpr }).is_err(), "{capacity} {fpr}");
        }
        assert!(matches!(bloom_shape(Target { capacity: 1, fpr: 1e-300 }), Err(Error::TooLarge(_))));
    }
}
