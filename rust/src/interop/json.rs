//! The one JSON document that bits-and-blooms writes: an object of m, k and b.
//!
//! Members may come in any order and with white space between them; each must come once, and no other.
//! The text of b may have escapes of ASCII characters, as some encoders write / or +.

use super::corrupt;
use crate::Error;
use alloc::format;
use alloc::vec::Vec;

/// The members; `b` is still base64.
pub(crate) struct Document {
    pub(crate) m: u64,
    pub(crate) k: u64,
    pub(crate) b: Vec<u8>,
}

/// Parses a whole document.
pub(crate) fn parse(text: &[u8]) -> Result<Document, Error> {
    let mut p = Parser { text, at: 0 };
    let (mut m, mut k, mut b) = (None, None, None);
    p.expect(b'{')?;
    loop {
        let name = p.string()?;
        p.expect(b':')?;
        let twice = match name.as_slice() {
            b"m" => m.replace(p.number()?).is_some(),
            b"k" => k.replace(p.number()?).is_some(),
            b"b" => b.replace(p.string()?).is_some(),
            _ => return Err(p.corrupt("the members must be m, k and b")),
        };
        if twice {
            return Err(p.corrupt("a member comes twice"));
        }
        if p.next() != Some(b',') {
            break;
        }
        p.at += 1;
    }
    p.expect(b'}')?;
    if p.next().is_some() {
        return Err(p.corrupt("something follows the document"));
    }
    match (m, k, b) {
        (Some(m), Some(k), Some(b)) => Ok(Document { m, k, b }),
        _ => Err(p.corrupt("the members must be m, k and b")),
    }
}

/// The m and the text of b, not to its end, where a text begins as the library writes one, to the letter:
/// `{"m":1314,"k":7,"b":"`.
pub(crate) fn begins_as_written(text: &[u8]) -> Option<(u64, &[u8])> {
    fn after_number<'a>(text: &'a [u8], name: &[u8]) -> Option<(u64, &'a [u8])> {
        let rest = text.strip_prefix(name)?;
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = core::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        Some((number, &rest[digits..]))
    }
    let (m, rest) = after_number(text, b"{\"m\":")?;
    let (_, rest) = after_number(rest, b",\"k\":")?;
    Some((m, rest.strip_prefix(b",\"b\":\"")?))
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn corrupt(&self, what: &str) -> Error {
        corrupt(format!("JSON: offset {}: {}", self.at, what))
    }

    /// The next byte that is not white space, which stays where it is.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.next() != Some(byte) {
            return Err(self.corrupt(&format!("{:?} was expected", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> Result<u64, Error> {
        let mut value: u64 = 0;
        self.next();
        let digits = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let leading_zero = digits > 1 && self.text[self.at] == b'0';
        if digits == 0 || leading_zero {
            return Err(self.corrupt("m and k must be whole numbers"));
        }
        for _ in 0..digits {
            let digit = u64::from(self.text[self.at] - b'0');
            value = match value.checked_mul(10).and_then(|x| x.checked_add(digit)) {
                Some(x) => x,
                None => return Err(self.corrupt("a number beyond 64 bits")),
            };
            self.at += 1;
        }
        Ok(value)
    }

    fn string(&mut self) -> Result<Vec<u8>, Error> {
        self.expect(b'"')?;
        let mut out = Vec::new();
        loop {
            let plain = self.text[self.at..].iter().take_while(|&&b| b != b'"' && b != b'\\' && b >= b' ').count();
            out.extend_from_slice(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.corrupt("a control character in a string")),
                None => return Err(self.corrupt("a string does not end")),
            }
        }
    }

    fn escape(&mut self) -> Result<u8, Error> {
        let short = self.text.get(self.at + 1).copied();
        if let Some(b @ (b'"' | b'\\' | b'/')) = short {
            self.at += 2;
            return Ok(b);
        }
        let digits = self.text.get(self.at + 2..self.at + 6).filter(|_| short == Some(b'u'));
        let code = digits
            .filter(|d| d.iter().all(u8::is_ascii_hexdigit))
            .and_then(|d| core::str::from_utf8(d).ok())
            .and_then(|d| u8::from_str_radix(d, 16).ok())
            .filter(u8::is_ascii);
        match code {
            Some(byte) => {
                self.at += 6;
                Ok(byte)
            }
            None => Err(self.corrupt("an escape that no filter has")),
        }
    }
}
