//! Files of the Go package bits-and-blooms/bloom, version 3.
//!
//! ```text
//!  0   8   16   24
//!  m   k   L    ceil(L/64) words; bit i is in word i/64, mask 1 << (i mod 64)       u64, big-endian
//! ```
//!
//! m is what positions are reduced by, L the length of the set of bits. They are equal but where the caller
//! brought words of his own, and where nothing was added to `New(0, 0)`; a bit from L on is 0, and the set
//! grows to the highest bit that is set. The same comes as JSON (m, k, and the rest as base64) and as a
//! gob. A switch of the writing process makes L and the words little-endian, another one takes the other
//! alphabet of base64; neither leaves a mark, so the order is the one in which L fits the length, and the
//! alphabet is told by its letters. docs/formats/bits-and-blooms.md is the specification.

use super::base64::{self, Alphabet};
use super::bytes::{ceil_div, used_bits, words_of, ByteOrder, Reader};
use super::evidence::Evidence;
use super::gob::Frame;
use super::json;
use super::shape::{checked, MAX_PROBES};
use super::{corrupt, Detection};
use crate::math::sizing::MAX_BITS;
use crate::{BloomShape, Error};
use alloc::format;
use alloc::vec::Vec;

/// The encodings of a file of bits-and-blooms; the other formats have one only, `Binary`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// `WriteTo`, `MarshalBinary`.
    #[default]
    Binary,
    /// `MarshalJSON`.
    Json,
    /// `encoding/gob`.
    Gob,
    /// `Binary` after `bitset.LittleEndian()`.
    BinaryLe,
    /// `Gob` after `bitset.LittleEndian()`.
    GobLe,
    /// `Json` after `bitset.Base64StdEncoding()`.
    JsonStd,
    /// `Json` after both switches.
    JsonStdLe,
    /// `Json` after `bitset.LittleEndian()`.
    JsonLe,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Binary,
    Json,
    Gob,
}

impl Variant {
    /// All variants there are.
    pub const ALL: [Variant; 8] = [
        Variant::Binary,
        Variant::Json,
        Variant::Gob,
        Variant::BinaryLe,
        Variant::GobLe,
        Variant::JsonStd,
        Variant::JsonStdLe,
        Variant::JsonLe,
    ];

    /// The name, as the `seen` command has it: `json-std-le`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Variant::Binary => "binary",
            Variant::Json => "json",
            Variant::Gob => "gob",
            Variant::BinaryLe => "binary-le",
            Variant::GobLe => "gob-le",
            Variant::JsonStd => "json-std",
            Variant::JsonStdLe => "json-std-le",
            Variant::JsonLe => "json-le",
        }
    }

    /// The variant of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.iter().copied().find(|v| v.name() == name)
    }

    fn parts(self) -> (Container, ByteOrder, Alphabet) {
        use {Alphabet::*, ByteOrder::*, Container::*};
        match self {
            Variant::Binary => (Binary, Big, Url),
            Variant::Json => (Json, Big, Url),
            Variant::Gob => (Gob, Big, Url),
            Variant::BinaryLe => (Binary, Little, Url),
            Variant::GobLe => (Gob, Little, Url),
            Variant::JsonStd => (Json, Big, Standard),
            Variant::JsonStdLe => (Json, Little, Standard),
            Variant::JsonLe => (Json, Little, Url),
        }
    }

    fn of(container: Container, order: ByteOrder, alphabet: Alphabet) -> Variant {
        let parts = (container, order, alphabet);
        // Only text has an alphabet, and no other reader says Standard.
        Variant::ALL.iter().copied().find(|v| v.parts() == parts).unwrap_or_default()
    }
}

/// All that a file has beside m, k and the bits, for writing it as it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub(crate) variant: Variant,
    /// L.
    pub(crate) length: u64,
    pub(crate) frame: Frame,
}

/// A file as numbers. There are as many words as L takes, no matter what m is.
type Parsed = (BloomShape, Vec<u64>, Form);

// --- writing

pub(crate) fn write(shape: BloomShape, words: &[u64], form: &Form) -> Vec<u8> {
    let (container, order, alphabet) = form.variant.parts();
    let length = form.length.max(used_bits(words));
    let count = ceil_div(length, 64) as usize;
    let mut set = Vec::with_capacity(8 + 8 * count);
    set.extend_from_slice(&order.store(length));
    for i in 0..count {
        set.extend_from_slice(&order.store(*words.get(i).unwrap_or(&0)));
    }
    if container == Container::Json {
        let b = base64::encode(&set, alphabet);
        return format!("{{\"m\":{},\"k\":{},\"b\":\"{}\"}}", shape.bits, shape.probes, b).into_bytes();
    }
    let mut file = match container {
        Container::Gob => form.frame.before(16 + set.len() as u64),
        _ => Vec::new(),
    };
    file.extend_from_slice(&shape.bits.to_be_bytes());
    file.extend_from_slice(&u64::from(shape.probes).to_be_bytes());
    file.extend_from_slice(&set);
    file
}

// --- reading

/// The order of bytes in which a length fits so many bytes of words, and that length.
fn order_of(length: [u8; 8], words: usize) -> Option<(ByteOrder, u64)> {
    let fits = |order: ByteOrder| {
        let bits = order.load(length);
        let fitting = bits <= 64 * MAX_BITS && words as u64 == 8 * ceil_div(bits, 64);
        Some((order, bits)).filter(|_| fitting)
    };
    fits(ByteOrder::Big).or_else(|| fits(ByteOrder::Little))
}

/// L and the words, which are all that `at` has left, of a file of `file_bytes`.
fn parse_set(mut at: Reader<'_>, m: u64, k: u64, file_bytes: usize) -> Result<(Parsed, ByteOrder), Error> {
    let announced = at.take("the length of the bits")?;
    let (order, length) = match order_of(announced, at.rest().len()) {
        Some(found) => found,
        None => {
            let (big, left) = (u64::from_be_bytes(announced), at.rest().len());
            return Err(at.corrupt(format_args!("a length of {} bits is announced; {} bytes follow", big, left)));
        }
    };
    let shape = checked(m, k, MAX_PROBES, corrupt)?;
    if length > MAX_BITS {
        return Err(at.corrupt(format_args!("a length of {} bits; it must be at most 2^40", length)));
    }
    if length < m && m / 8 > 1000 * file_bytes as u64 {
        return Err(at.corrupt(format_args!("m is {}, far beyond the {} bits that are there", m, length)));
    }
    let words = words_of(at.rest(), order);
    if used_bits(&words) > length {
        return Err(at.corrupt(format_args!("bits beyond the {} of the set are set", length)));
    }
    let form = Form { length, ..Form::default() };
    Ok(((shape, words, form), order))
}

/// A file that begins with m and k at `offset`.
fn parse_binary(bytes: &[u8], offset: usize) -> Result<(Parsed, ByteOrder), Error> {
    let mut at = Reader::new(bytes, offset);
    let m = u64::from_be_bytes(at.take("the header")?);
    let k = u64::from_be_bytes(at.take("the header")?);
    parse_set(at, m, k, bytes.len())
}

fn parse_json(text: &[u8]) -> Result<Parsed, Error> {
    let document = json::parse(text)?;
    let standard = document.b.iter().any(|&b| b == b'+' || b == b'/');
    let set = base64::decode(&document.b).ok_or_else(|| corrupt("member b is not base64"))?;
    let (mut parsed, order) = parse_set(Reader::new(&set, 0), document.m, document.k, text.len())?;
    let alphabet = if standard { Alphabet::Standard } else { Alphabet::Url };
    parsed.2.variant = Variant::of(Container::Json, order, alphabet);
    Ok(parsed)
}

pub(crate) fn parse(bytes: &[u8]) -> Result<Parsed, Error> {
    match bytes.first() {
        Some(b'{') => parse_json(bytes),
        // m is below 2^56, so a binary file begins with a 0; a gob begins with a length, which is not 0.
        Some(0) | None => {
            let (mut parsed, order) = parse_binary(bytes, 0)?;
            parsed.2.variant = Variant::of(Container::Binary, order, Alphabet::Url);
            Ok(parsed)
        }
        Some(_) => {
            let (frame, offset) = Frame::parse(bytes)?;
            let (mut parsed, order) = parse_binary(bytes, offset)?;
            parsed.2.variant = Variant::of(Container::Gob, order, Alphabet::Url);
            parsed.2.frame = frame;
            Ok(parsed)
        }
    }
}

// --- detection

// Likely at best: willf 2.0.0 wrote the same files with bits that another hash had chosen, and no file says which.

/// m, k and L agree with the length. Where m is L it is said twice; else it is three small numbers, as many a header has, and
/// nothing tells which of them is m.
fn detect_binary(bytes: &[u8], offset: usize) -> Detection {
    let mut at = Reader::new(bytes, offset);
    let mut next = || at.take::<8>("the header").ok();
    let (m, k, length) = match (next(), next(), next()) {
        (Some(m), Some(k), Some(length)) => (u64::from_be_bytes(m), u64::from_be_bytes(k), length),
        _ => return Detection::No,
    };
    if checked(m, k, MAX_PROBES, corrupt).is_err() {
        return Detection::No;
    }
    let found = order_of(length, at.rest().len());
    if let Some((order, length)) = found {
        let beyond = words_of(&bytes[bytes.len() - 8..], order)[0].checked_shr((length % 64) as u32);
        if length % 64 != 0 && beyond != Some(0) {
            return Detection::No; // bits of the last word from L on are 0
        }
    }
    match found {
        Some((_, length)) if length == m => Evidence::of(bytes)
            .fixed(0, offset)
            .fixed(offset, 7)
            .fixed(offset + 8, 7)
            .fixed(offset + 16, 8)
            .weigh(Detection::Likely),
        Some(_) => Detection::Fitting,
        None => Detection::No,
    }
}

/// The names to the letter, and a set of bits of length m: other text of these names may be anybody's.
fn detect_json(bytes: &[u8]) -> Detection {
    let (m, set) = match json::begins_as_written(bytes) {
        Some((m, text)) => (m, text.get(..12).and_then(base64::decode)),
        None => return Detection::No,
    };
    match set.as_deref() {
        Some([a, b, c, d, e, f, g, h, ..]) => {
            let length = [*a, *b, *c, *d, *e, *f, *g, *h];
            if u64::from_be_bytes(length) == m || u64::from_le_bytes(length) == m {
                Detection::Likely
            } else {
                Detection::Fitting
            }
        }
        _ => Detection::Fitting,
    }
}

pub(crate) fn detect(bytes: &[u8]) -> Detection {
    match bytes.first() {
        Some(b'{') => detect_json(bytes),
        None => Detection::No,
        Some(0) => detect_binary(bytes, 0),
        Some(_) => Frame::parse(bytes).map_or(Detection::No, |(_, offset)| detect_binary(bytes, offset)),
    }
}
