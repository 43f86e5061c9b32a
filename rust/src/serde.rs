//! Filters as serde values: the bytes of their native files, checked when they come back.
//!
//! The secret of a keyed hash is not among them, so a keyed filter is refused on the way back: save it instead.

use crate::filter::Filter;
use crate::shape::Shape;
use crate::words::{OwnedWords, Words};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

impl<S: Shape, W: Words> Serialize for Filter<S, W> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(Z::Error::custom)?)
    }
}

impl<'de, S: Shape, W: OwnedWords> Deserialize<'de> for Filter<S, W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(Bytes(PhantomData))
    }
}

struct Bytes<S, W>(PhantomData<(S, W)>);

impl<'de, S: Shape, W: OwnedWords> Visitor<'de> for Bytes<S, W> {
    type Value = Filter<S, W>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the bytes of a native {} filter", S::KIND)
    }
    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Filter::from_bytes(bytes).map_err(E::custom)
    }
    // Formats without bytes write them as a list of numbers. Their number is not believed before they come.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element::<u8>()? {
            bytes.push(byte);
        }
        Filter::from_bytes(&bytes).map_err(A::Error::custom)
    }
}
