//! Counting filters for a target: the same integers in every language (`docs/filters/counting_bloom.md`,
//! `docs/filters/blocked_counting_bloom.md`).
//!
//! ```text
//! anywhere      m and k of a classic filter, w bits each
//! in blocks     rate(load) = Σ load^i/i!·(1 − (1 − 1/L)^i)^k / Σ load^i/i!, i < 192; loads are 4096ths of a key per block
//! ```

use super::sizing::{bits_for, bits_per_key_q40, bloom_shape, check, too_many_bits, wish, MAX_BITS};
use crate::error::Error;
use crate::Target;
use alloc::format;

/// Counters and probes of a counting filter.
pub(crate) fn counting_shape(target: Target, width: u64) -> Result<(u64, u64), Error> {
    let most = MAX_BITS / width;
    match bloom_shape(target) {
        Ok((bits, _)) if bits > most => Err(too_many_bits(target, bits as f64 * width as f64)),
        Err(Error::TooLarge(detail)) => {
            let q40 = bits_per_key_q40(target.fpr);
            if bits_for(target.capacity, q40) > most {
                let counters = target.capacity as f64 * q40 as f64 / (1u64 << 40) as f64;
                return Err(too_many_bits(target, counters * width as f64));
            }
            Err(Error::TooLarge(detail))
        }
        other => other,
    }
}

/// The rate of many blocks with `load` < 64 keys each on average, by additions, multiplications and divisions in this order.
fn mixture(width: u64, probes: u64, load: f64) -> f64 {
    let keep = 1.0 - 1.0 / (512 / width / probes) as f64;
    let (mut sum, mut weights, mut t, mut q) = (0.0, 0.0, 1.0, 1.0);
    for i in 0..192 {
        let mut hit = 1.0 - q;
        let mut power = 1;
        while power < probes {
            hit = hit * hit;
            power *= 2;
        }
        sum += t * hit;
        weights += t;
        t = t * load / f64::from(i + 1);
        q *= keep;
    }
    sum / weights
}

/// The largest load at which the rate is at most `fpr`, in 4096ths of a key per block; 0 where there is none.
fn largest_load(fpr: f64, width: u64, probes: u64) -> u64 {
    let mut load = 0;
    for digit in (0..18).rev().map(|i| 1 << i) {
        if mixture(width, probes, (load + digit) as f64 / 4096.0) <= fpr {
            load += digit;
        }
    }
    load
}

/// Blocks and probes of a blocked counting filter; `probes` is a wish, or 0.
pub(crate) fn blocked_counting_shape(target: Target, width: u64, probes: u64) -> Result<(u64, u64), Error> {
    check(target)?;
    let (mut load, mut best) = (0, 0);
    for each in [4, 8, 16] {
        // The load is found by some twenty rates; whether it exceeds the best one so far, by one.
        if (probes == 0 || probes == each) && mixture(width, each, (load + 1) as f64 / 4096.0) <= target.fpr {
            load = largest_load(target.fpr, width, each);
            best = each;
        }
    }
    if load < 4096 / 16 {
        return Err(Error::TooLarge(format!(
            "{}: blocks of {} counters would take more than 16 blocks per key; counting-bloom takes less",
            wish(target),
            512 / width
        )));
    }
    let bits = target.capacity as f64 * 4096.0 / load as f64 * 512.0;
    if bits > MAX_BITS as f64 {
        return Err(too_many_bits(target, bits));
    }
    let blocks = (target.capacity * 4096 + load - 1) / load;
    if blocks > MAX_BITS / 512 {
        return Err(too_many_bits(target, blocks as f64 * 512.0));
    }
    Ok((blocks, best))
}
