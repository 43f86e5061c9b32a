//! What a kind must answer when all that is left of it is parameters and the bytes of a file.
//!
//! One file of this folder a family of kinds. Parameters are checked when an engine is made, before any byte is read;
//! whatever the bytes are, an engine reads nothing outside them.

use crate::error::Error;
use crate::files::check_padding;
use crate::hash::le64;
use crate::math::{self, WEAK_FILL};
use crate::shape::Shape;
use crate::words::{ByteLines, Words};
use alloc::format;
use core::fmt::Debug;

/// A kind over the bytes of a file's body.
pub(crate) trait Engine: Debug + Send + Sync {
    fn may_contain(&self, body: &[u8], digest: u64) -> bool;
    fn may_contain_tile(&self, body: &[u8], digests: &[u64], answers: &mut [bool]) {
        for (answer, &digest) in answers.iter_mut().zip(digests) {
            *answer = self.may_contain(body, digest);
        }
    }
    /// Checks what follows the last used bit, in time independent of the size.
    fn check_padding(&self, body: &[u8]) -> Result<(), Error>;
    /// Checks what takes reading everything.
    fn check_content(&self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }
    /// The count that a file keeps to notice that its body is another's.
    fn census(&self, body: &[u8]) -> u64;
    /// How full it is, how many keys it holds, and its rate, as the bytes are now.
    fn state(&self, body: &[u8]) -> State;
}

/// How a filter is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    pub fill: f64,
    pub count: f64,
    pub fpr: f64,
    pub saturated: bool,
}

/// The shapes that can be written too, over bytes that are only read.
#[derive(Debug)]
pub(crate) struct ShapeEngine<S>(pub S);

impl<S: Shape + Send + Sync> Engine for ShapeEngine<S> {
    fn may_contain(&self, body: &[u8], digest: u64) -> bool {
        self.0.may_contain(&ByteLines(body), digest)
    }
    fn may_contain_tile(&self, body: &[u8], digests: &[u64], answers: &mut [bool]) {
        self.0.may_contain_tile(&ByteLines(body), digests, answers);
    }
    fn check_padding(&self, body: &[u8]) -> Result<(), Error> {
        check_padding(&self.0, &ByteLines(body))
    }
    fn census(&self, body: &[u8]) -> u64 {
        ByteLines(body).count_ones()
    }
    fn state(&self, body: &[u8]) -> State {
        let (words, bits) = (ByteLines(body), self.0.bits());
        let set = words.count_ones();
        let fill = math::share(set, bits);
        let count = math::estimated_count(set, bits, self.0.throws_per_key());
        State { fill, count, fpr: self.0.rate(&words, set), saturated: fill > WEAK_FILL }
    }
}

/// The number of set bits.
pub(crate) fn count_ones(body: &[u8]) -> u64 {
    let words = body.chunks_exact(8);
    let tail: u64 = words.remainder().iter().map(|b| u64::from(b.count_ones())).sum();
    words.map(|bytes| u64::from(le64(bytes, 0).count_ones())).sum::<u64>() + tail
}

/// The 8 bytes from `at` on as a number; what lies behind the end is 0.
#[inline]
pub(crate) fn word_at(body: &[u8], at: u64) -> u64 {
    let tail = match usize::try_from(at) {
        Ok(at) => body.get(at..).unwrap_or(&[]),
        Err(_) => &[],
    };
    if let Some(word) = tail.get(..8) {
        return le64(word, 0);
    }
    tail.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// `width` bits from bit `at` on, lowest first; at most 57, or 64 where `at` is a multiple of 8.
#[inline]
pub(crate) fn bits_at(body: &[u8], at: u64, width: u32) -> u64 {
    (word_at(body, at / 8) >> (at % 8)) & low_bits(width)
}

/// So many ones.
#[inline]
pub(crate) fn low_bits(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// Refuses set bits from bit `bits` on.
pub(crate) fn check_zero_from(body: &[u8], bits: u64) -> Result<(), Error> {
    if ByteLines(body).is_zero_beyond(bits) {
        return Ok(());
    }
    Err(Error::Corrupt(format!("bits beyond the last of {bits} are set")))
}

/// Refuses a parameter.
pub(crate) fn wrong(name: &str, value: u64, range: &str) -> Error {
    Error::Corrupt(format!("{name} is {value}; it must be {range}"))
}

pub(crate) fn round_up(x: u64, unit: u64) -> u64 {
    (x + unit - 1) / unit * unit
}
