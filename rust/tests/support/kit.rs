//! The conformance kit (`tests/kit` of the project): its tables, its keys, and the filters that its cases describe.
//!
//! Shared by the test that runs the kit and by the driver in `examples/kit.rs`.

#![allow(dead_code)] // each user takes some of it

use seenfilter::interop::{ForeignBloom, Format, Variant};
use seenfilter::{
    AnyFilter, BinaryFuse, BinaryFuseShape, BlockedBloomShape, BlockedCountingBloom, BlockedCountingBloomShape,
    BloomShape, CountingBloom, CountingBloomShape, Cuckoo, CuckooShape, Error, Filter, HashFunction, Key, KeyRef,
    OpenOptions, Plain, SaveOptions, ScalableBloom, ScalableBloomShape, ScalableClassicBloom, Secret, Shape,
    SplitBlockShape, Target,
};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A row of a table, by the names of its columns. An empty cell is as good as none.
pub struct Row {
    names: std::rc::Rc<Vec<String>>,
    cells: Vec<String>,
}

impl Row {
    pub fn get(&self, name: &str) -> Option<&str> {
        let column = self.names.iter().position(|each| each == name).unwrap_or_else(|| panic!("no column {name}"));
        self.cells.get(column).map(String::as_str).filter(|cell| !cell.is_empty())
    }
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).map(|cell| cell.parse().unwrap_or_else(|_| panic!("{name}: {cell} is not a number")))
    }
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        unhex(self.text(name))
    }
    pub fn target(&self) -> Option<Target> {
        Some(Target { capacity: self.number("capacity")?, fpr: self.number("fpr")? })
    }
    /// `bits=9586,probes=7`.
    pub fn fields(&self) -> HashMap<&str, u64> {
        let fields = self.text("fields").split(',').filter(|field| !field.is_empty());
        fields.filter_map(|field| field.split_once('=')).filter_map(|(name, x)| Some((name, x.parse().ok()?))).collect()
    }
    /// One of them; 0 where it is not given.
    pub fn field<T: std::str::FromStr + Default>(&self, name: &str) -> T {
        let fields = self.text("fields").split(',').filter_map(|field| field.split_once('='));
        fields.filter(|field| field.0 == name).find_map(|field| field.1.parse().ok()).unwrap_or_default()
    }
    pub fn save_options(&self) -> SaveOptions {
        SaveOptions {
            alignment: self.number("alignment").unwrap_or(64),
            store_secret: self.get("store_secret").is_some(),
        }
    }
    pub fn secret(&self) -> Option<Secret> {
        self.get("secret").map(|hex| Secret(unhex(hex).try_into().expect("a secret of 16 bytes")))
    }
    /// None: a function that is not known here.
    pub fn hash(&self) -> Option<HashFunction> {
        let name = self.get("hash").unwrap_or("xxh3-64");
        HashFunction::from_name(name, self.number("seed").unwrap_or(0), self.secret()).ok()
    }
}

pub fn table(kit: &Path, name: &str) -> Vec<Row> {
    let path = kit.join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(String::from).collect::<Vec<_>>());
    let names = std::rc::Rc::new(lines.next().unwrap_or_default());
    lines.map(|cells| Row { names: names.clone(), cells }).collect()
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal")).collect()
}

/// A key of a set: bytes, or a number.
pub enum KitKey {
    Bytes(Vec<u8>),
    Integer(u64),
}

impl Key for KitKey {
    fn as_key(&self) -> KeyRef<'_> {
        match self {
            KitKey::Bytes(bytes) => bytes.as_key(),
            KitKey::Integer(value) => value.as_key(),
        }
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// `NAME:FROM:COUNT`.
pub fn keys(set: &str) -> Vec<KitKey> {
    let mut parts = set.split(':');
    let name = parts.next().unwrap_or("");
    let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok()).expect("FROM:COUNT");
    let (from, count) = (number(), number());
    let key = |i: u64| match name {
        "text" => KitKey::Bytes(format!("key-{i}").into()),
        "integers" => KitKey::Integer(i.wrapping_mul(GOLDEN)),
        "bytes" => {
            let byte = |j: u64| ((i * 1024 + j + 1).wrapping_mul(GOLDEN) >> 56) as u8;
            KitKey::Bytes((0..i % 301).map(byte).collect())
        }
        _ => panic!("no set of keys {name}"),
    };
    (from..from + count).map(key).collect()
}

/// Answers as a bitmap, the first in the lowest bit of the first byte.
pub fn bitmap(answers: &[bool]) -> Vec<u8> {
    answers.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &answer| byte << 1 | u8::from(answer))).collect()
}

/// The bytes of a filter of a kind that begins empty; `$plan` makes its shape from a target and wishes.
macro_rules! engine_case {
    ($case:expr, $filter:ty, $plan:expr, $wishes:expr, $add:expr) => {{
        let (case, hash, wishes) = ($case, $case.hash()?, $wishes);
        let make = || {
            let mut filter = match (case.target(), case.get("fields")) {
                (Some(target), None) => <$filter>::with_hash(target, hash)?,
                (Some(target), Some(_)) => <$filter>::with_shape_for(target, $plan(target, wishes)?, hash)?,
                (None, _) => <$filter>::with_shape(wishes, hash)?,
            };
            filter.set_metadata(case.bytes("metadata"))?;
            $add(&mut filter, &keys(case.text("keys")))?;
            filter.to_bytes_with(case.save_options())
        };
        Some(make())
    }};
}

/// The bytes of the case's filter; none where it is not for us to write.
pub fn written(case: &Row) -> Option<Result<Vec<u8>, Error>> {
    match (case.text("format"), case.text("kind")) {
        ("native", "bloom") => written_native::<BloomShape>(case, |fields| BloomShape {
            bits: fields["bits"],
            probes: fields["probes"] as u32,
        }),
        ("native", "blocked-bloom") => {
            let wish = case.target().zip(case.fields().get("probes").copied());
            written_native::<BlockedBloomShape>(case, |fields| match wish {
                Some((target, probes)) => BlockedBloomShape::plan_with_probes(target, probes as u32).expect("a plan"),
                None => BlockedBloomShape { blocks: fields["blocks"], probes: fields["probes"] as u32 },
            })
        }
        ("native", "split-block") => {
            written_native::<SplitBlockShape>(case, |fields| SplitBlockShape { blocks: fields["blocks"] })
        }
        ("native", "cuckoo") => {
            let wishes = CuckooShape {
                buckets: case.field("buckets"),
                fingerprint_bits: case.field("fingerprint-bits"),
                chunks: case.field("chunks"),
            };
            engine_case!(case, Cuckoo, CuckooShape::plan_with, wishes, |filter: &mut Cuckoo, keys: &[KitKey]| {
                assert_eq!(filter.add_many(keys), keys.len());
                Ok(())
            })
        }
        ("native", "counting-bloom") => {
            let wishes = CountingBloomShape {
                counters: case.field("counters"),
                probes: case.field("probes"),
                counter_bits: case.field("counter-bits"),
            };
            let add = |filter: &mut CountingBloom, keys: &[KitKey]| {
                filter.add_many(keys);
                Ok(())
            };
            engine_case!(case, CountingBloom, CountingBloomShape::plan_with, wishes, add)
        }
        ("native", "blocked-counting-bloom") => {
            let wishes = BlockedCountingBloomShape {
                blocks: case.field("blocks"),
                probes: case.field("probes"),
                counter_bits: case.field("counter-bits"),
            };
            let add = |filter: &mut BlockedCountingBloom, keys: &[KitKey]| {
                filter.extend(keys);
                Ok(())
            };
            engine_case!(case, BlockedCountingBloom, BlockedCountingBloomShape::plan_with, wishes, add)
        }
        ("native", "scalable-bloom") => {
            engine_case!(case, ScalableBloom, chain_planned, chain_shape(case), ScalableBloom::add_many)
        }
        ("native", "scalable-classic-bloom") => {
            engine_case!(case, ScalableClassicBloom, chain_planned, chain_shape(case), ScalableClassicBloom::add_many)
        }
        ("native", "binary-fuse") => written_fuse(case),
        _ => written_foreign(case),
    }
}

fn chain_shape(case: &Row) -> ScalableBloomShape {
    ScalableBloomShape {
        first_capacity: case.field("first-capacity"),
        fpr: case.field("fpr"),
        growth: case.field("growth"),
        tightening: case.field("tightening"),
    }
}

fn chain_planned(target: Target, wishes: ScalableBloomShape) -> Result<ScalableBloomShape, Error> {
    Ok(ScalableBloomShape::plan_with(target, wishes))
}

fn written_fuse(case: &Row) -> Option<Result<Vec<u8>, Error>> {
    let wishes = BinaryFuseShape {
        fingerprint_bits: case.field("fingerprint-bits"),
        shards: case.field("shards"),
        arity: case.field("arity"),
        ..BinaryFuseShape::default()
    };
    let hash = case.hash()?;
    let make = || {
        let fpr = case.number("fpr").unwrap_or(0.0);
        let mut filter = BinaryFuse::build_with(keys(case.text("keys")), fpr, wishes, hash)?;
        filter.set_metadata(case.bytes("metadata"))?;
        filter.to_bytes_with(case.save_options())
    };
    Some(make())
}

fn written_native<S: Shape>(case: &Row, stated: impl Fn(&HashMap<&str, u64>) -> S) -> Option<Result<Vec<u8>, Error>> {
    let (hash, fields) = (case.hash()?, case.fields());
    let make = || {
        let mut filter = match (case.target(), fields.is_empty()) {
            (Some(target), true) => Filter::<S, Plain>::with_hash(target, hash)?,
            (Some(target), false) => Filter::<S, Plain>::with_shape_for(target, stated(&fields), hash)?,
            (None, _) => Filter::<S, Plain>::with_shape(stated(&fields), hash)?,
        };
        filter.set_metadata(case.bytes("metadata"))?;
        filter.add_many(&keys(case.text("keys")));
        filter.to_bytes_with(case.save_options())
    };
    Some(make())
}

/// The variant that a case names; the usual one where it names none.
fn variant(case: &Row) -> Option<Variant> {
    Variant::from_name(case.get("variant").unwrap_or("binary"))
}

fn written_foreign(case: &Row) -> Option<Result<Vec<u8>, Error>> {
    let (format, variant) = (Format::from_name(case.text("format"))?, variant(case)?);
    let make = || {
        let mut filter = ForeignBloom::new(format, case.target().expect("a target"))?.in_variant(variant)?;
        if case.get("hash").is_some() {
            filter = filter.hashed_with(case.hash().expect("a hash"))?;
        }
        keys(case.text("keys")).iter().for_each(|key| filter.add(key));
        Ok(filter.to_bytes())
    };
    Some(make())
}

/// How a file of the case's is opened.
pub enum Way<'a> {
    Bytes(&'a [u8]),
    Load(&'a Path),
    Map(&'a Path),
}

/// The filter of a case's file; none where it is not for us to read.
pub fn opened(case: &Row, way: Way<'_>) -> Option<Result<AnyFilter, Error>> {
    opened_with(case, way, false)
}

/// The same, where `recover` opens native files that were never sealed.
pub fn opened_with(case: &Row, way: Way<'_>, recover: bool) -> Option<Result<AnyFilter, Error>> {
    let mut options = OpenOptions::default().recover(recover);
    options.secret = case.secret();
    if case.text("format") == "native" {
        case.hash()?;
        return Some(match way {
            Way::Bytes(bytes) => AnyFilter::from_bytes_with(bytes, options),
            Way::Load(path) => AnyFilter::load_with(path, options),
            Way::Map(path) => AnyFilter::map_with(path, options),
        });
    }
    let format = Format::from_name(case.text("format"))?;
    let open = |bytes: &[u8]| {
        let filter = ForeignBloom::from_bytes_as(format, bytes)?;
        Ok(AnyFilter::Foreign(match case.hash() {
            Some(hash) if case.get("hash").is_some() => filter.hashed_with(hash)?,
            _ => filter,
        }))
    };
    Some(match way {
        Way::Bytes(bytes) => open(bytes),
        Way::Load(path) | Way::Map(path) => fs::read(path)
            .map_err(|source| Error::Io { doing: format!("read {}", path.display()), source })
            .and_then(|bytes| open(&bytes)),
    })
}

/// A file of the kit after a row's edits.
pub fn edited(mut bytes: Vec<u8>, edits: &str) -> Vec<u8> {
    for edit in edits.split(',') {
        match edit.split_once(':').expect("an edit") {
            ("cut", length) => bytes.truncate(length.parse().expect("a length")),
            ("append", hex) => bytes.extend(unhex(hex)),
            (offset, hex) => {
                let (at, new) = (offset.parse::<usize>().expect("an offset"), unhex(hex));
                bytes[at..at + new.len()].copy_from_slice(&new);
            }
        }
    }
    bytes
}
