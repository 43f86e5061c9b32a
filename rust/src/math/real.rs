//! Logarithms and exponentials, for builds without a standard library; used in all builds, so that all agree.
//!
//! ```text
//! ln x       x = 2^k·(1 + f), s = f/(2 + f):  ln(1 + f) = f − f²/2 + s·(f²/2 + 2s²/3 + 2s⁴/5 + …)     |s| < 0.172
//! e^x        x = k·ln 2 + r:  2^k·(1 + r + r²/2! + …)                                                 |r| < 0.347
//! ```
//!
//! The series are cut where a term is below 2^-58 of the sum; the relative error is below 2^-51. [Abramowitz & Stegun
//! 1964, 4.1.27, 4.2.1; the differences by Kahan's quotients: Higham 2002, "Accuracy and Stability of Numerical
//! Algorithms", 1.14.1]

// ln 2 in two parts: the first has 32 bits to spare, so that k times it is exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The natural logarithm; −∞ of 0, NaN of less.
pub(crate) fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    // Denormals are scaled into the normal range first.
    let (x, scaled) = if x < f64::MIN_POSITIVE { (x * 18_014_398_509_481_984.0, 54) } else { (x, 0) };
    let mut exponent = (x.to_bits() >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((x.to_bits() & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > core::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut sum = 0.0;
    for i in (1..=12).rev() {
        sum = z * (2.0 / f64::from(2 * i + 1) + sum);
    }
    let half = f * f / 2.0;
    let k = (exponent - scaled) as f64;
    k * LN2_HIGH - ((half - (s * (half + sum) + k * LN2_LOW)) - f)
}

/// e to the power of x.
pub(crate) fn exp(x: f64) -> f64 {
    if x.is_nan() || x > 709.8 {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x < -745.2 {
        return 0.0;
    }
    let turns = x * core::f64::consts::LOG2_E;
    let k = (turns + if turns < 0.0 { -0.5 } else { 0.5 }) as i64;
    let r = (x - k as f64 * LN2_HIGH) - k as f64 * LN2_LOW;
    let mut sum = 1.0;
    for i in (1..=15).rev() {
        sum = 1.0 + r / f64::from(i) * sum;
    }
    // In two steps: 2^k alone may not be a normal double.
    let half = k / 2;
    sum * power_of_two(half) * power_of_two(k - half)
}

fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// ln(1 + x), exact for small x too.
pub(crate) fn ln_1p(x: f64) -> f64 {
    let one_more = 1.0 + x;
    if one_more == 1.0 {
        return x;
    }
    if one_more == f64::INFINITY || one_more <= 0.0 {
        return ln(one_more);
    }
    ln(one_more) * (x / (one_more - 1.0))
}

/// e^x − 1, exact for small x too.
pub(crate) fn exp_m1(x: f64) -> f64 {
    let power = exp(x);
    if power == 1.0 {
        return x;
    }
    let less = power - 1.0;
    if less == -1.0 || power == f64::INFINITY {
        return less;
    }
    less * x / ln(power)
}

/// x to the power of a whole number.
pub(crate) fn powi(mut x: f64, mut n: u32) -> f64 {
    let mut power = 1.0;
    while n != 0 {
        if n & 1 == 1 {
            power *= x;
        }
        x *= x;
        n >>= 1;
    }
    power
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    fn assert_close(ours: f64, theirs: f64, at: f64) {
        let error = if ours == theirs { 0.0 } else { ((ours - theirs) / theirs).abs() };
        assert!(error < 1e-15, "at {at}: {ours} is not {theirs}");
    }

    #[test]
    fn logarithms_and_powers_are_those_of_the_standard_library() {
        let mut x = 1e-320;
        while x < 1e300 {
            assert_close(ln(x), x.ln(), x);
            x *= 1.37;
        }
        for i in -7000..7000 {
            let x = f64::from(i) / 10.0;
            assert_close(exp(x), x.exp(), x);
        }
        let mut x = 1e-18;
        while x < 0.9999 {
            assert_close(ln_1p(-x), (-x).ln_1p(), -x);
            assert_close(ln_1p(x), x.ln_1p(), x);
            assert_close(exp_m1(-x), (-x).exp_m1(), -x);
            x *= 1.171;
        }
        assert!((powi(0.73, 30) / 0.73f64.powi(30) - 1.0).abs() < 1e-14, "thirty roundings");
    }

    #[test]
    fn the_ends_of_the_range_are_what_they_should_be() {
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(1.0), 0.0);
        assert!(ln(-1.0).is_nan());
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1000.0), 0.0);
        assert_eq!(exp(1000.0), f64::INFINITY);
        assert_eq!(ln_1p(-1.0), f64::NEG_INFINITY);
        assert_eq!(exp_m1(-800.0), -1.0);
    }
}
