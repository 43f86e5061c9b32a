//! Filters as serde values: the bytes of their native files, checked when they come back.
//!
//! ```text
//! Filter, EngineFilter, ReadOnly      the bytes; a text in base64 where people read the format (JSON, YAML, TOML)
//! AnyFilter, ForeignBloom             {"format": "portable", "hash": "", "file": the same}
//! ```
//!
//! A file of another library does not say what it is, so its format and, unless it is the library's own, the name of its hash
//! stand beside it. The secret of a keyed hash is not among the bytes, so a keyed filter is refused on the way back: save it
//! instead. A mapped filter comes back as a plain one.

use crate::any::engine::OwnEngine;
use crate::engine_filter::EngineFilter;
use crate::error::Error;
use crate::filter::Filter;
use crate::interop::base64::{self, Alphabet};
use crate::interop::{ForeignBloom, Format};
use crate::shape::Shape;
use crate::words::{OwnedWords, Words};
use crate::{AnyFilter, HashFunction, OpenOptions, ReadOnly};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

/// Bytes of a file.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&base64::encode(&self.0, Alphabet::Standard))
        } else {
            serializer.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(BytesVisitor)
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        }
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a filter's file, in a text as base64")
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        base64::decode(text.as_bytes()).map(Bytes).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.into()))
    }
    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }
    // Formats without bytes write them as a list of numbers. Their number is not believed before they come.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element::<u8>()? {
            bytes.push(byte);
        }
        Ok(Bytes(bytes))
    }
}

fn serialize_file<Z: Serializer>(file: Result<Vec<u8>, Error>, serializer: Z) -> Result<Z::Ok, Z::Error> {
    Bytes(file.map_err(Z::Error::custom)?).serialize(serializer)
}

impl<S: Shape, W: Words> Serialize for Filter<S, W> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serialize_file(self.to_bytes(), serializer)
    }
}

impl<'de, S: Shape, W: OwnedWords> Deserialize<'de> for Filter<S, W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Filter::from_bytes(&Bytes::deserialize(deserializer)?.0).map_err(D::Error::custom)
    }
}

impl<E: OwnEngine> Serialize for EngineFilter<E> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serialize_file(self.to_bytes(), serializer)
    }
}

impl<'de, E: OwnEngine> Deserialize<'de> for EngineFilter<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        EngineFilter::from_bytes(&Bytes::deserialize(deserializer)?.0).map_err(D::Error::custom)
    }
}

impl Serialize for ReadOnly {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serialize_file(self.to_bytes(), serializer)
    }
}

impl<'de> Deserialize<'de> for ReadOnly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Bytes::deserialize(deserializer)?.0;
        ReadOnly::from_bytes(&bytes, OpenOptions::default()).map_err(D::Error::custom)
    }
}

/// A file with what it does not say itself.
struct Named {
    format: String,
    hash: String,
    file: Bytes,
}

const NATIVE: &str = "native";
const FIELDS: &[&str] = &["format", "hash", "file"];

impl Named {
    fn foreign(filter: &ForeignBloom) -> Result<Self, Error> {
        let (format, hash) = (filter.format(), filter.hash());
        if filter.is_guessed() {
            return Err(Error::NotRecognised(format!("the format of the filter, {}, is a guess", format.name())));
        }
        let hash = match hash {
            _ if hash == format.hash() => "",
            HashFunction::Own(_) => return Err(Error::Unsupported("a function of one's own has no name".into())),
            _ => hash.name(),
        };
        Ok(Named { format: format.name().to_owned(), hash: hash.to_owned(), file: Bytes(filter.to_bytes()) })
    }

    fn into_foreign(self) -> Result<ForeignBloom, Error> {
        let format = Format::from_name(&self.format)
            .ok_or_else(|| Error::NotRecognised(format!("{:?} is not the name of a format", self.format)))?;
        let filter = ForeignBloom::from_bytes_as(format, &self.file.0)?;
        if self.hash.is_empty() {
            return Ok(filter);
        }
        filter.hashed_with(HashFunction::from_name(&self.hash, 0, None)?)
    }
}

impl Serialize for Named {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut fields = serializer.serialize_struct("Filter", FIELDS.len())?;
        fields.serialize_field(FIELDS[0], &self.format)?;
        fields.serialize_field(FIELDS[1], &self.hash)?;
        fields.serialize_field(FIELDS[2], &self.file)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Filter", FIELDS, NamedVisitor)
    }
}

struct NamedVisitor;

impl<'de> Visitor<'de> for NamedVisitor {
    type Value = Named;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a filter's format, hash and file")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Named, A::Error> {
        let missing = |field| A::Error::missing_field(field);
        Ok(Named {
            format: list.next_element()?.ok_or_else(|| missing(FIELDS[0]))?,
            hash: list.next_element()?.ok_or_else(|| missing(FIELDS[1]))?,
            file: list.next_element()?.ok_or_else(|| missing(FIELDS[2]))?,
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
        let (mut format, mut hash, mut file) = (None, None, None);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "format" => format = Some(map.next_value()?),
                "hash" => hash = Some(map.next_value()?),
                "file" => file = Some(map.next_value()?),
                other => return Err(A::Error::unknown_field(other, FIELDS)),
            }
        }
        let missing = |field| A::Error::missing_field(field);
        Ok(Named {
            format: format.ok_or_else(|| missing(FIELDS[0]))?,
            hash: hash.unwrap_or_default(),
            file: file.ok_or_else(|| missing(FIELDS[2]))?,
        })
    }
}

impl Serialize for ForeignBloom {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Named::foreign(self).map_err(Z::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ForeignBloom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Named::deserialize(deserializer)?.into_foreign().map_err(D::Error::custom)
    }
}

impl Serialize for AnyFilter {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let named = match self {
            AnyFilter::Foreign(filter) => Named::foreign(filter),
            native => native.to_bytes().map(|file| Named {
                format: NATIVE.to_owned(),
                hash: String::new(),
                file: Bytes(file),
            }),
        };
        named.map_err(Z::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = Named::deserialize(deserializer)?;
        if named.format == NATIVE {
            return AnyFilter::from_native_bytes(&named.file.0).map_err(D::Error::custom);
        }
        named.into_foreign().map(AnyFilter::Foreign).map_err(D::Error::custom)
    }
}
