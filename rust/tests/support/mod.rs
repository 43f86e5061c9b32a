//! Shared by several tests: the project's golden files and their keys.

#![allow(dead_code)] // each test takes some of it

mod random;
#[allow(unused_imports)]
pub use random::Random;
use std::fs;
use std::path::PathBuf;

/// A file of the project's tests.
pub fn test_data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests").join(name)
}

/// The bytes of a golden file.
pub fn golden(name: &str) -> Vec<u8> {
    let path = test_data("golden").join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {}", path.display(), e))
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The items of the list `name` of a JSON document that a program wrote: no item has a comma or a bracket in it.
pub fn list_in<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let begin = document.find(&format!("\"{name}\"")).unwrap_or_else(|| panic!("no {name}"));
    let begin = begin + document[begin..].find('[').unwrap() + 1;
    let inside = document[begin..begin + document[begin..].find(']').unwrap()].trim();
    if inside.is_empty() {
        return Vec::new();
    }
    inside.split(',').map(|item| item.trim().trim_matches('"')).collect()
}

/// The keys that the golden files of other libraries were made of, and keys that were not added.
pub struct GoldenKeys {
    pub added: Vec<Vec<u8>>,
    pub absent: Vec<Vec<u8>>,
}

pub fn golden_keys() -> GoldenKeys {
    let document = String::from_utf8(golden("keys.json")).unwrap();
    let keys = |name| list_in(&document, name).into_iter().map(unhex).collect();
    GoldenKeys { added: keys("added_hex"), absent: keys("absent_hex") }
}
