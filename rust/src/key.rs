//! A key is bytes, text (its UTF-8 bytes), or an integer.
//!
//! An integer is hashed as the 8 little-endian bytes of its value, sign-extended to 64 bits: `42u8` and `42i64` are one key,
//! `-1` and `0xffff_ffff_u32` are two, and the text `"42"` is a third. An empty key is a key. This is key encoding 1 of
//! native files.
//!
//! A `u128` is its 16 little-endian bytes, and so never the same key as a smaller integer; other languages give those bytes.
//! (A UUID is better its own 16 bytes, `uuid.as_bytes()`, which is how others write it.)
//!
//! No keys are: a `bool` and a `char`; a slice of anything but bytes; a tuple, whose parts would run into one another; a `Path`,
//! which is bytes on one system and 16-bit units on another: say `path.to_str()`, or the bytes that you mean.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// A key as hash functions see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRef<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// An integer, sign-extended to 64 bits: the same key as its 8 little-endian bytes.
    Integer(u64),
    /// A wide integer: the same key as its 16 little-endian bytes.
    Wide(u128),
}

/// A type whose values can be keys of a filter.
///
/// ```
/// use seenfilter::{Bloom, Key, KeyRef, Target};
/// struct User { id: u32 }
/// impl Key for User {
///     fn as_key(&self) -> KeyRef<'_> { self.id.as_key() }
/// }
/// let mut users = Bloom::new(Target { capacity: 1000, fpr: 0.01 })?;
/// users.add(User { id: 7 });
/// assert!(users.may_contain(7));
/// # Ok::<(), seenfilter::Error>(())
/// ```
///
/// A key is lent or given: `add("alice")`, `add(&name)`, `add(42)`.
#[cfg_attr(
    explains_traits,
    diagnostic::on_unimplemented(
        message = "a key is text, bytes or an integer, and `{Self}` is none of them",
        label = "not a key",
        note = "give what identifies it (an id, a name, its bytes), or implement `seenfilter::Key` for your own type"
    )
)]
pub trait Key {
    /// The bytes or the integer to hash.
    fn as_key(&self) -> KeyRef<'_>;
}

macro_rules! bytes_are_keys {
    ($($type:ty),*) => {$(
        impl Key for $type {
            #[inline]
            fn as_key(&self) -> KeyRef<'_> {
                KeyRef::Bytes(self.as_ref())
            }
        }
    )*};
}
bytes_are_keys!([u8], str, String, Vec<u8>);

impl<const N: usize> Key for [u8; N] {
    #[inline]
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::Bytes(self)
    }
}

macro_rules! integers_are_keys {
    ($wide:ty: $($type:ty),*) => {$(
        impl Key for $type {
            #[inline]
            fn as_key(&self) -> KeyRef<'_> {
                KeyRef::Integer(*self as $wide as u64)
            }
        }
    )*};
}
integers_are_keys!(u64: u8, u16, u32, u64, usize);
integers_are_keys!(i64: i8, i16, i32, i64, isize);

impl Key for u128 {
    #[inline]
    fn as_key(&self) -> KeyRef<'_> {
        KeyRef::Wide(*self)
    }
}

macro_rules! what_leads_to_a_key_is_one {
    ($($type:ty),*) => {$(
        impl<K: Key + ?Sized> Key for $type {
            #[inline]
            fn as_key(&self) -> KeyRef<'_> {
                (**self).as_key()
            }
        }
    )*};
}
what_leads_to_a_key_is_one!(&K, &mut K, Box<K>, Rc<K>);
#[cfg(target_has_atomic = "ptr")]
what_leads_to_a_key_is_one!(alloc::sync::Arc<K>);

impl<K: Key + alloc::borrow::ToOwned + ?Sized> Key for Cow<'_, K> {
    #[inline]
    fn as_key(&self) -> KeyRef<'_> {
        (**self).as_key()
    }
}
