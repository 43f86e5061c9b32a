//! An engine answers for a kind from nothing but a shape and the bytes of a file.
//!
//! This folder has one file per family of kinds. A shape is checked when an engine is made, before any byte is read. An
//! engine reads nothing outside the bytes, whatever they are.

use crate::cells::Cells;
use crate::error::Error;
use crate::files::check_padding;
use crate::health::State;
use crate::kind::Kind;
use crate::native::Segment;
use crate::shape::{state_of, Shape};
use crate::words::Words;
use crate::Target;
use alloc::format;
use alloc::vec::Vec;
use core::fmt::Debug;

/// A kind over the words of a file's body.
pub trait Engine: Debug + Send + Sync {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool;
    fn may_contain_tile(&self, body: Cells<'_>, digests: &[u64], answers: &mut [bool]) {
        for (answer, &digest) in answers.iter_mut().zip(digests) {
            *answer = self.may_contain(body, digest);
        }
    }
    /// Checks the bits behind the last used one, which takes no longer in a larger file.
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error>;
    /// Checks the rules that take reading everything.
    fn check_content(&self, _: Cells<'_>) -> Result<(), Error> {
        Ok(())
    }
    /// The count that a file keeps, to notice that it has another's body.
    fn census(&self, body: Cells<'_>) -> u64;
    /// How full it is, how many keys it holds, and its rate, as the bytes are now.
    fn state(&self, body: Cells<'_>) -> State;
}

/// An engine whose kind has filters of its own here, with bytes that they own: [`EngineFilter`](crate::EngineFilter).
pub trait OwnEngine: Engine + Clone + PartialEq + Sized {
    /// What describes a filter.
    type Shape: Copy + PartialEq + Debug;
    const KIND: Kind;
    fn shape(&self) -> Self::Shape;
    /// What a file says of its body, from its first byte on.
    fn segments(&self) -> Vec<Segment>;
    /// Checks what a file says of its body.
    fn from_segments(segments: &[Segment]) -> Result<Self, Error>;
    /// Takes note of a body that is there now, and of its census: what is looked at for every key may be remembered.
    fn opened(&mut self, _body: Cells<'_>, _census: u64) {}
}

/// An engine that begins empty.
pub trait EmptyEngine: OwnEngine {
    fn plan(target: Target) -> Result<Self::Shape, Error>;
    /// The engine of a shape, whose bytes are all zero.
    fn empty(shape: Self::Shape) -> Result<Self, Error>;
    /// Forgets what it counted: its bytes are all zero again. Returns how many it has now.
    fn cleared(&mut self) -> u64;
}

/// The bytes that segments describe.
pub(crate) fn bytes_of(segments: &[Segment]) -> u64 {
    segments.iter().map(|segment| segment.length).sum()
}

/// The segment of a kind that has one.
pub(crate) fn one_segment(shape: Vec<u64>, length: u64) -> Vec<Segment> {
    [Segment { offset: 0, length, shape }].into()
}

/// The shape of a kind that has `N` numbers and one segment, and the length of its body.
pub(crate) fn only_shape<const N: usize>(segments: &[Segment]) -> Result<(&[u64; N], u64), Error> {
    match segments {
        [segment] => match segment.shape.as_slice().try_into() {
            Ok(shape) => Ok((shape, segment.length)),
            Err(_) => Err(Error::Corrupt(format!("a shape of {} numbers, not {N}", segment.shape.len()))),
        },
        _ => Err(Error::Corrupt(format!("there are {} segments, not 1", segments.len()))),
    }
}

/// The same error of a caller's argument.
pub(crate) fn as_argument(error: Error) -> Error {
    match error {
        Error::Corrupt(detail) => Error::InvalidArgument(detail),
        other => other,
    }
}

/// The shapes that can be written too, over bytes that are only read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShapeEngine<S>(pub S);

impl<S: Shape + Send + Sync> Engine for ShapeEngine<S> {
    fn may_contain(&self, body: Cells<'_>, digest: u64) -> bool {
        self.0.may_contain(&body, digest)
    }
    fn may_contain_tile(&self, body: Cells<'_>, digests: &[u64], answers: &mut [bool]) {
        self.0.may_contain_tile(&body, digests, answers);
    }
    fn check_padding(&self, body: Cells<'_>) -> Result<(), Error> {
        check_padding(&self.0, &body)
    }
    fn census(&self, body: Cells<'_>) -> u64 {
        body.count_ones()
    }
    fn state(&self, body: Cells<'_>) -> State {
        state_of(&self.0, &body)
    }
}

/// Refuses set bits from bit `bits` on.
pub(crate) fn check_zero_from(body: Cells<'_>, bits: u64) -> Result<(), Error> {
    if body.is_zero_beyond(bits) {
        return Ok(());
    }
    Err(Error::Corrupt(format!("bits beyond the last of {bits} are set")))
}

/// Refuses a number of a shape.
pub(crate) fn wrong(name: &str, value: u64, range: &str) -> Error {
    Error::Corrupt(format!("{name} is {value}; it must be {range}"))
}

pub(crate) fn round_up(x: u64, unit: u64) -> u64 {
    (x + unit - 1) / unit * unit
}
