//! Whether a filter is still what was asked for.
//!
//! A filter at its capacity never alarms by chance. Where a kind counts its keys the bound is the capacity; where they are judged
//! by fill it is what the estimate gives six standard deviations above its mean. `include/seen/health.hpp` of the project has the
//! reasons, and the same numbers.

use crate::math::{self, real};
use crate::Target;

/// What is wrong with a filter, if anything, and the numbers behind it.
///
/// ```
/// use seenfilter::{Bloom, Target};
/// let mut filter = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
/// filter.add_many(&(0..1000).collect::<Vec<_>>());
/// assert!(filter.health().is_healthy());
/// filter.add_many(&(1000..2000).collect::<Vec<_>>());
/// let health = filter.health();
/// assert!(health.past_capacity && health.above_fpr && health.estimated_fpr > 0.1);
/// # Ok::<(), seenfilter::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Health {
    /// Fuller than any plan makes it.
    pub saturated: bool,
    /// `estimated_count` is above `most_keys`.
    pub past_capacity: bool,
    /// `estimated_fpr` is above `most_fpr`, and not by luck.
    pub above_fpr: bool,
    /// The share of bits, counters or slots in use.
    pub fill: f64,
    /// How many keys it holds.
    pub estimated_count: f64,
    /// The most keys that a filter at its capacity may seem to hold; infinite where it was made for no number of keys.
    pub most_keys: f64,
    /// The rate of false positives as it is now.
    pub estimated_fpr: f64,
    /// What was asked; 1 where nothing was. Of a window at least what chance gives a full one.
    pub most_fpr: f64,
}

impl Health {
    /// Nothing is wrong.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        !self.saturated && !self.past_capacity && !self.above_fpr
    }

    pub(crate) fn of(state: State, target: Target) -> Health {
        let State { fill, count, fpr, saturated, limit } = state;
        let mut is = Health {
            saturated,
            past_capacity: false,
            above_fpr: false,
            fill,
            estimated_count: count,
            most_keys: f64::INFINITY,
            estimated_fpr: fpr,
            most_fpr: 1.0,
        };
        if target.capacity == 0 || limit == Limit::Never {
            return is;
        }
        is.most_fpr = target.fpr;
        match limit {
            Limit::Never => {}
            Limit::Growing => is.above_fpr = saturated && fpr > is.most_fpr,
            Limit::Counted => is.limited_to(target.capacity as f64),
            Limit::Cells { cells, throws } => is.limited_to(math::most_keys(target.capacity, cells, throws)),
            // Slices fill up apart: one may be too full among others that are not.
            Limit::Slices { slices, keys, cells, probes } => {
                let most = math::most_set_bits(keys, cells, f64::from(probes)) / cells as f64;
                is.most_keys = f64::from(slices) * math::most_keys(keys, cells, f64::from(probes));
                is.most_fpr = is.most_fpr.max(math::any_of((0..slices).map(|_| real::powi(most, probes))));
                is.past_capacity = count > is.most_keys;
                is.above_fpr = fpr > is.most_fpr;
            }
        }
        is
    }

    fn limited_to(&mut self, most_keys: f64) {
        self.most_keys = most_keys;
        self.past_capacity = self.estimated_count > most_keys;
        self.above_fpr = self.past_capacity && self.estimated_fpr > self.most_fpr;
        self.saturated &= self.past_capacity; // a plan for a high rate is as full
    }
}

/// How a filter is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    pub fill: f64,
    pub count: f64,
    pub fpr: f64,
    pub saturated: bool,
    pub limit: Limit,
}

/// What a kind's capacity means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// It holds what it was built of.
    Never,
    /// It takes any number of keys at its rate.
    Growing,
    /// Keys are counted.
    Counted,
    /// Keys are judged by how many of these are not 0.
    Cells { cells: u64, throws: f64 },
    /// The same of each slice of a window, which is made for so many keys.
    Slices { slices: u32, keys: u64, cells: u64, probes: u32 },
}
