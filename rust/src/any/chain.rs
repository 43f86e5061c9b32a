//! Chains that grow: kinds 7 and 12, links of blocked or of classic filters, oldest first. A key may be present if one of
//! the links says so.

use super::engine::{wrong, Engine, ShapeEngine};
use crate::cells::Cells;
use crate::error::Error;
use crate::files::segment_shape;
use crate::hash::splitmix64;
use crate::health::{Limit, State};
use crate::math::{self, sizing};
use crate::native::Segment;
use crate::shape::Shape;
use crate::Target;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Debug)]
struct Link<S> {
    filter: ShapeEngine<S>,
    made_for: Target,
    keys: u64,
    at: Range<usize>,
}

impl<S> Link<S> {
    fn body<'a>(&self, body: Cells<'a>) -> Cells<'a> {
        body.part(self.at.clone())
    }
}

#[derive(Debug)]
struct Chain<S> {
    fpr: f64,
    links: Vec<Link<S>>,
}

/// The range of a segment in a body that is in memory.
pub(crate) fn range_of(segment: &Segment) -> Range<usize> {
    segment.offset as usize..(segment.offset + segment.length) as usize
}

/// Kinds 7 and 12.
pub(crate) fn chain<S: Shape + Send + Sync + 'static>(segments: &[Segment]) -> Result<Box<dyn Engine>, Error> {
    let (first, links) = match segments {
        [first, links @ ..] if !links.is_empty() => (first, links),
        _ => return Err(Error::Corrupt("a chain has 1 to 255 links; this one has none".into())),
    };
    let fpr = check_chain::<S>(first)?;
    let links = links
        .iter()
        .enumerate()
        .map(|(i, segment)| link(segment).map_err(|e| Error::Corrupt(format!("link {i}: {e}"))));
    Ok(Box::new(Chain::<S> { fpr, links: links.collect::<Result<_, _>>()? }))
}

fn check_chain<S: Shape>(segment: &Segment) -> Result<f64, Error> {
    let (capacity, fpr, growth, tightening) = match *segment.shape.as_slice() {
        [capacity, fpr, growth, tightening] if segment.length == 0 => {
            (capacity, f64::from_bits(fpr), f64::from_bits(growth), f64::from_bits(tightening))
        }
        _ => return Err(Error::Corrupt("the first segment of a chain has a shape of 4 numbers and no bytes".into())),
    };
    sizing::check(Target { capacity, fpr }).map_err(|e| Error::Corrupt(format!("{e}")))?;
    if !(1.0 + 1.0 / 4_294_967_296.0..=65_536.0).contains(&growth) {
        return Err(Error::Corrupt(format!("growth is {growth}; it must be from 1 + 2^-32 to 65536")));
    }
    if !(tightening > 0.0 && tightening < 1.0) {
        return Err(Error::Corrupt(format!("tightening is {tightening}; it must be strictly between 0 and 1")));
    }
    S::plan(Target { capacity, fpr: fpr * (1.0 - tightening) }).map_err(|e| Error::Corrupt(format!("link 0: {e}")))?;
    Ok(fpr)
}

fn link<S: Shape>(segment: &Segment) -> Result<Link<S>, Error> {
    let (made_for, keys, shape) = match segment.shape.as_slice() {
        [capacity, fpr, keys, shape @ ..] => (Target { capacity: *capacity, fpr: f64::from_bits(*fpr) }, *keys, shape),
        shape => return Err(Error::Corrupt(format!("has a shape of {} numbers", shape.len()))),
    };
    sizing::check(made_for)?;
    if keys > made_for.capacity {
        return Err(wrong("keys", keys, &format!("at most its capacity of {}", made_for.capacity)));
    }
    let filter = Segment { shape: shape.into(), ..*segment };
    Ok(Link { filter: ShapeEngine(segment_shape(&filter)?), made_for, keys, at: range_of(segment) })
}

impl<S: Shape + Send + Sync> Chain<S> {
    /// The chance that some link says yes to an absent key: the sum of the links' rates, less the links that say yes beyond
    /// the first that does. Links that grew one after the other avoid one another, links of a merge do not, so that
    /// overlap is measured, by digests that nobody added; where it cannot matter they count as independent.
    fn rate(&self, body: Cells<'_>, rates: &[f64]) -> f64 {
        const NO_OVERLAP: f64 = 0.004;
        const SAMPLES: u64 = 1 << 16;
        let sum: f64 = rates.iter().sum();
        if sum < NO_OVERLAP {
            return math::any_of(rates.iter().copied());
        }
        let links: Vec<_> = self.links.iter().map(|link| (&link.filter, link.body(body))).collect();
        let beyond_first = |digest| {
            links.iter().filter(|(filter, bits)| filter.may_contain(*bits, digest)).count().saturating_sub(1) as u64
        };
        let overlap: u64 = (0..SAMPLES).map(|i| beyond_first(splitmix64(i))).sum();
        (sum - overlap as f64 / SAMPLES as f64).clamp(0.0, 1.0)
    }
}

impl<S: Shape + Send + Sync> Engine for Chain<S> {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        // The newest is the largest and holds most keys.
        self.links.iter().rev().any(|link| link.filter.may_contain(link.body(body), digest))
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        self.links.iter().try_for_each(|link| link.filter.check_padding(link.body(body)))
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        self.links.iter().map(|link| link.filter.census(link.body(body))).sum()
    }
    fn state(&self, body: Cells<'_>) -> State {
        let states: Vec<_> = self.links.iter().map(|link| (link, link.filter.state(link.body(body)))).collect();
        let (mut set, mut bytes) = (0.0, 0.0);
        for (link, state) in &states {
            set += state.fill * link.at.len() as f64;
            bytes += link.at.len() as f64;
        }
        State {
            fill: set / bytes,
            count: self.links.iter().map(|link| link.keys as f64).sum(),
            fpr: self.rate(body, &states.iter().map(|(_, state)| state.fpr).collect::<Vec<_>>()),
            // The links promise more errors than the chain was asked for: a merge does that, growth never.
            saturated: self.links.iter().map(|link| link.made_for.fpr).sum::<f64>() > self.fpr * (1.0 + 1e-9),
            limit: Limit::Growing,
        }
    }
}
