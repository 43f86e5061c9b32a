//! Chains that grow: kinds 7 and 12, links of blocked or of classic filters, oldest first. A key may be present if one of
//! the links says so.

use super::engine::{wrong, EmptyEngine, Engine, OwnEngine, ShapeEngine};
use crate::cells::Cells;
use crate::error::Error;
use crate::files::segment_shape;
use crate::hash::splitmix64;
use crate::health::{Limit, State};
use crate::kind::Kind;
use crate::math::{self, sizing};
use crate::native::Segment;
use crate::shape::{BlockedBloomShape, BloomShape, ScalableBloomShape, Shape};
use crate::Target;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

/// The most links: a file has room for 256 segments, and the chain's own shape takes one.
pub(crate) const MOST_LINKS: usize = 255;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link<S> {
    pub filter: ShapeEngine<S>,
    pub made_for: Target,
    pub keys: u64,
    /// Where its bytes are in the body.
    pub at: Range<usize>,
}

impl<S> Link<S> {
    pub(crate) fn body<'a>(&self, body: Cells<'a>) -> Cells<'a> {
        body.part(self.at.clone())
    }
    pub(crate) fn has_room(&self) -> bool {
        self.keys < self.made_for.capacity
    }
}

impl<S: Shape> Link<S> {
    /// An empty link that begins at byte `from`.
    pub(crate) fn planned(made_for: Target, from: usize) -> Result<Self, Error> {
        let shape = S::plan(made_for)?;
        let length = usize::try_from(shape.bytes()).ok().and_then(|length| from.checked_add(length));
        let end = length.ok_or_else(|| {
            Error::TooLarge(format!("{} are more than this machine can address", sizing::wish(made_for)))
        })?;
        Ok(Link { filter: ShapeEngine(shape), made_for, keys: 0, at: from..end })
    }
}

/// A shape of links.
pub trait LinkShape: Shape + Send + Sync {
    /// The kind of a chain of them.
    const CHAIN: Kind;
}

impl LinkShape for BlockedBloomShape {
    const CHAIN: Kind = Kind::ScalableBloom;
}

impl LinkShape for BloomShape {
    const CHAIN: Kind = Kind::ScalableClassicBloom;
}

/// Kinds 7 and 12.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain<S> {
    pub(crate) shape: ScalableBloomShape,
    pub(crate) links: Vec<Link<S>>,
}

/// The range of a segment in a body that is in memory.
pub(crate) fn range_of(segment: &Segment) -> Range<usize> {
    segment.offset as usize..(segment.offset + segment.length) as usize
}

impl<S: LinkShape> OwnEngine for Chain<S> {
    type Shape = ScalableBloomShape;
    const KIND: Kind = S::CHAIN;

    fn shape(&self) -> ScalableBloomShape {
        self.shape
    }
    fn segments(&self) -> Vec<Segment> {
        let ScalableBloomShape { first_capacity, fpr, growth, tightening } = self.shape;
        let own = [first_capacity, fpr.to_bits(), growth.to_bits(), tightening.to_bits()];
        let mut segments = Vec::from([Segment { offset: 0, length: 0, shape: own.into() }]);
        for link in &self.links {
            let mut shape = Vec::from([link.made_for.capacity, link.made_for.fpr.to_bits(), link.keys]);
            shape.extend(link.filter.0.fields());
            segments.push(Segment { offset: link.at.start as u64, length: link.at.len() as u64, shape });
        }
        segments
    }
    fn from_segments(segments: &[Segment]) -> Result<Self, Error> {
        let (first, links) = match segments {
            [first, links @ ..] if !links.is_empty() => (first, links),
            _ => return Err(Error::Corrupt("a chain has 1 to 255 links; this one has none".into())),
        };
        let shape = check_chain::<S>(first)?;
        let links = links
            .iter()
            .enumerate()
            .map(|(i, segment)| link(segment).map_err(|e| Error::Corrupt(format!("link {i}: {e}"))));
        Ok(Chain { shape, links: links.collect::<Result<_, _>>()? })
    }
}

impl<S: LinkShape> EmptyEngine for Chain<S> {
    fn plan(target: Target) -> Result<ScalableBloomShape, Error> {
        Ok(ScalableBloomShape::plan(target))
    }
    fn empty(shape: ScalableBloomShape) -> Result<Self, Error> {
        Ok(Chain { shape, links: [Link::planned(shape.first_link()?, 0)?].into() })
    }
    fn cleared(&mut self) -> u64 {
        self.links.truncate(1);
        self.links.iter_mut().map(|link| (link.keys = 0, link.at.len() as u64).1).sum()
    }
}

fn check_chain<S: Shape>(segment: &Segment) -> Result<ScalableBloomShape, Error> {
    let shape = match *segment.shape.as_slice() {
        [first_capacity, fpr, growth, tightening] if segment.length == 0 => ScalableBloomShape {
            first_capacity,
            fpr: f64::from_bits(fpr),
            growth: f64::from_bits(growth),
            tightening: f64::from_bits(tightening),
        },
        _ => return Err(Error::Corrupt("the first segment of a chain has a shape of 4 numbers and no bytes".into())),
    };
    let first = shape.first_link().map_err(|e| Error::Corrupt(format!("{e}")))?;
    S::plan(first).map_err(|e| Error::Corrupt(format!("link 0: {e}")))?;
    Ok(shape)
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
            saturated: self.links.iter().map(|link| link.made_for.fpr).sum::<f64>() > self.shape.fpr * (1.0 + 1e-9),
            limit: Limit::Growing,
        }
    }
}
