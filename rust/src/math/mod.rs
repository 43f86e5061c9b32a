//! Sizes and rates: pure functions of numbers, the same integers in every language.

pub(crate) mod blocks;
pub(crate) mod counters;
pub(crate) mod cuckoo;
pub(crate) mod fuse;
pub(crate) mod real;
pub(crate) mod sizing;

/// The high 64 bits of a 128-bit product: which of `n` equal parts of [0, 2^64) holds `x`.
#[inline]
pub(crate) fn mulhi(x: u64, n: u64) -> u64 {
    ((u128::from(x) * u128::from(n)) >> 64) as u64
}

/// The estimated number of different keys behind `set` of `bits` bits, `throws` of them per key: infinity when all are set.
/// [Swamidass & Baldi 2007]
pub(crate) fn estimated_count(set: u64, bits: u64, throws: f64) -> f64 {
    if set == 0 || bits == 0 {
        return 0.0;
    }
    if set >= bits {
        return f64::INFINITY;
    }
    let m = bits as f64;
    // Subtract where it is exact: in whole numbers when few bits are left empty.
    let log_empty = if set <= bits / 2 { real::ln_1p(-(set as f64) / m) } else { real::ln((bits - set) as f64 / m) };
    -m / throws * log_empty
}

/// The set bits of a filter of so many keys at most, `throws` of them per key: six standard deviations and a bit above the mean.
/// [Kolchin et al. 1978]
pub(crate) fn most_set_bits(keys: u64, bits: u64, throws: f64) -> f64 {
    let m = bits as f64;
    let all = throws * keys as f64;
    let load = all / m;
    let mean = if bits > 1 { -m * real::exp_m1(all * real::ln_1p(-1.0 / m)) } else { m };
    let variance = m * real::exp(-2.0 * load) * (real::exp_m1(load) - load);
    let most = mean + 6.0 * real::exp(real::ln(variance.max(0.0)) / 2.0) + 1.0;
    most.min(m)
}

/// What `estimated_count` gives of so many different keys at most; infinite where all bits are within that.
pub(crate) fn most_keys(keys: u64, bits: u64, throws: f64) -> f64 {
    let (m, most) = (bits as f64, most_set_bits(keys, bits, throws));
    if most < m {
        -m / throws * real::ln_1p(-most / m)
    } else {
        f64::INFINITY
    }
}

/// A filter fuller than this is far above its planned rate, and estimates of its keys are weak.
pub(crate) const WEAK_FILL: f64 = 0.7;

/// The smallest whole number that is not below `x`, which is not negative; beyond 9e18 some number as large.
pub(crate) fn ceil(x: f64) -> u64 {
    let whole = x.min(9e18) as u64;
    if (whole as f64) < x {
        whole + 1
    } else {
        whole
    }
}

/// The share of `bits` that `set` is; 0 of nothing.
pub(crate) fn share(set: u64, bits: u64) -> f64 {
    if bits == 0 {
        0.0
    } else {
        set as f64 / bits as f64
    }
}

/// The chance that some of several independent filters says yes to an absent key.
pub(crate) fn any_of(rates: impl Iterator<Item = f64>) -> f64 {
    -real::exp_m1(rates.map(|rate| real::ln_1p(-rate)).sum())
}
