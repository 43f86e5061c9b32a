//! The frame that Go's `encoding/gob` puts around a value that encodes itself.
//!
//! ```text
//!  stream   messages, each behind its length; all but the last define types, the last is the value
//!  message  number of the type, content; the number is negative where the content defines it
//!  value    0, length, bytes
//!  natural  one byte below 128, else the negated number of bytes and those, big-endian
//!  integer  natural 2x, or 2·~x + 1 of a negative x
//! ```
//!
//! The numbers of types depend on what else the process wrote, so the definitions are kept as they are.
//! A definition is a record: the one field 5, 6 or 7 (it encodes itself as gob, binary or text), therein
//! what all types have: a name and a number, both of which may be absent.

use super::bytes::Reader;
use crate::Error;
use alloc::vec::Vec;

/// The bytes before those of the value, as far as the value does not determine them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    definitions: Vec<u8>,
    type_number: u64,
}

impl Default for Frame {
    /// The frame that a process writes whose first value this is.
    fn default() -> Self {
        let definition = [0x0a, 0xff, 0x81, 0x05, 0x01, 0x02, 0xff, 0x84, 0x00, 0x00, 0x00];
        Frame { definitions: definition.to_vec(), type_number: 65 }
    }
}

impl Frame {
    /// The frame of a stream, and where in it the bytes of the value begin.
    pub(crate) fn parse(stream: &[u8]) -> Result<(Frame, usize), Error> {
        let mut defined: Option<u64> = None;
        let mut at = Reader::new(stream, 0);
        loop {
            let begin = at.at();
            let end = message_end(&mut at)?;
            let number = natural(&mut at)?;
            if number & 1 == 1 {
                // ~x is -(x + 1): the number of a definition is negative.
                let number = (number >> 1) + 1;
                if defined.replace(number).is_some() {
                    return Err(at.corrupt(format_args!("gob: a second type is defined")));
                }
                definition(&mut at)?;
                if at.at() != end {
                    return Err(at.corrupt(format_args!("gob: a definition that does not end with its message")));
                }
                continue;
            }
            let number = number >> 1;
            if defined != Some(number) {
                return Err(at.corrupt(format_args!("gob: type {} is not defined", number)));
            }
            if end != stream.len() {
                return Err(at.corrupt(format_args!("gob: {} bytes follow the value", stream.len() - end)));
            }
            if natural(&mut at)? != 0 {
                return Err(at.corrupt(format_args!("gob: a value that does not begin with 0")));
            }
            let length = natural(&mut at)?;
            if length != at.rest().len() as u64 {
                let left = at.rest().len();
                return Err(at.corrupt(format_args!("gob: {} bytes are announced, and {} follow", length, left)));
            }
            let frame = Frame { definitions: stream[..begin].to_vec(), type_number: number };
            return Ok((frame, at.at()));
        }
    }

    /// All of a stream that comes before the `length` bytes of its value.
    pub(crate) fn before(&self, length: u64) -> Vec<u8> {
        let mut value = Vec::new();
        put_natural(&mut value, self.type_number << 1);
        put_natural(&mut value, 0);
        put_natural(&mut value, length);
        let mut all = self.definitions.clone();
        put_natural(&mut all, value.len() as u64 + length);
        all.extend_from_slice(&value);
        all
    }
}

fn natural(at: &mut Reader<'_>) -> Result<u64, Error> {
    let first = at.take::<1>("a number")?[0];
    if first < 128 {
        return Ok(u64::from(first));
    }
    let bytes = 256 - usize::from(first);
    if bytes > 8 {
        return Err(at.corrupt(format_args!("gob: a number of {} bytes", bytes)));
    }
    let mut x = 0;
    for _ in 0..bytes {
        x = x << 8 | u64::from(at.take::<1>("a number")?[0]);
    }
    Ok(x)
}

fn put_natural(to: &mut Vec<u8>, x: u64) {
    if x < 128 {
        return to.push(x as u8);
    }
    let bytes = 8 - x.leading_zeros() / 8;
    to.push((256 - bytes) as u8);
    to.extend_from_slice(&x.to_be_bytes()[8 - bytes as usize..]);
}

/// Where the message ends whose length is next.
fn message_end(at: &mut Reader<'_>) -> Result<usize, Error> {
    let length = natural(at)?;
    let left = at.rest().len();
    if length > left as u64 {
        return Err(at.corrupt(format_args!("gob: a message of {} bytes, and {} are left", length, left)));
    }
    Ok(at.at() + length as usize)
}

/// Reads over {5, 6 or 7: {1: {1: name, 2: number}}}.
fn definition(at: &mut Reader<'_>) -> Result<(), Error> {
    if !(5..=7).contains(&natural(at)?) {
        return Err(at.corrupt(format_args!("gob: the type is not one that encodes itself")));
    }
    let mut field = natural(at)?;
    if field == 1 {
        let mut common = natural(at)?;
        if common == 1 {
            let name = natural(at)?;
            for _ in 0..name.min(at.rest().len() as u64 + 1) {
                at.take::<1>("the name of a type")?;
            }
            common = next_field(at, 1)?;
        }
        if common == 2 {
            natural(at)?;
            common = natural(at)?;
        }
        if common != 0 {
            return Err(at.corrupt(format_args!("gob: a record has no such field")));
        }
        field = natural(at)?;
    }
    if field != 0 || natural(at)? != 0 {
        return Err(at.corrupt(format_args!("gob: a definition that is not one")));
    }
    Ok(())
}

/// The number of the field that comes after field `last`; 0 at the end of the record.
fn next_field(at: &mut Reader<'_>, last: u64) -> Result<u64, Error> {
    let distance = natural(at)?;
    Ok(if distance == 0 { 0 } else { distance.saturating_add(last) })
}
