//! Base64 with padding [RFC 4648], in either alphabet.
//!
//! Both alphabets are read, even mixed; a writer chooses one. Letters outside of both, a length that is not a
//! multiple of four and bits after the last byte are refused.

use alloc::string::String;
use alloc::vec::Vec;

/// The two letters that the alphabets of base64 disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// - and _
    Url,
    /// + and /
    Standard,
}

const COMMON: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

fn letter(alphabet: Alphabet, value: u32) -> char {
    let last = match alphabet {
        Alphabet::Url => b"-_",
        Alphabet::Standard => b"+/",
    };
    let value = (value & 63) as usize;
    char::from(if value < 62 { COMMON[value] } else { last[value - 62] })
}

fn value(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' | b'+' => 62,
        b'_' | b'/' => 63,
        _ => return None,
    }))
}

/// The text of some bytes.
pub(crate) fn encode(bytes: &[u8], alphabet: Alphabet) -> String {
    let mut text = String::with_capacity((bytes.len() + 2) / 3 * 4);
    for some in bytes.chunks(3) {
        let byte = |i: usize| u32::from(*some.get(i).unwrap_or(&0));
        let three = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            text.push(if i <= some.len() { letter(alphabet, three >> (18 - 6 * i)) } else { '=' });
        }
    }
    text
}

/// The bytes of a text, where it is one that `encode` could have written.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() % 4 != 0 {
        return None;
    }
    let padding = text.iter().rev().take(2).take_while(|&&letter| letter == b'=').count();
    let letters = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for some in letters.chunks(4) {
        let mut four = 0;
        for i in 0..4 {
            four = four << 6 | some.get(i).map_or(Some(0), |&l| value(l))?;
        }
        let whole = some.len() - 1;
        bytes.extend_from_slice(&four.to_be_bytes()[1..1 + whole]);
        if whole < 3 && four << (8 + 8 * whole) != 0 {
            return None;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_are_encoded_and_decoded() {
        let examples =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, text) in examples {
            assert_eq!(encode(plain.as_bytes(), Alphabet::Url), text);
            assert_eq!(decode(text.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(encode(&[0xfb, 0xff], Alphabet::Url), "-_8=");
        assert_eq!(encode(&[0xfb, 0xff], Alphabet::Standard), "+/8=");
        assert_eq!(decode(b"-/8="), Some([0xfb, 0xff].to_vec()));
    }

    #[test]
    fn what_no_encoder_writes_is_refused() {
        for text in ["Z", "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm9v\n", "Zg==Zg==", "Z?==", "=Zg="] {
            assert_eq!(decode(text.as_bytes()), None, "{}", text);
        }
    }
}
