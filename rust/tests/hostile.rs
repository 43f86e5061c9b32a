//! Bytes from outside are hostile: whatever a file says, opening it gives an error or a filter that is safe to use, with no
//! panic and no more memory than a small multiple of the file.
//!
//! Golden files are cut at every length, every bit of their headers is flipped, and they are edited at random: native ones
//! with their checksums put right again, so that the lies reach what lies behind the checksums.

#[path = "support/repair.rs"]
mod repair;
mod support;
#[path = "support/watched.rs"]
mod watched;

use repair::{number, put, repair};
use seenfilter::interop::{ForeignBloom, Format};
use seenfilter::{
    AnyFilter, BinaryFuse, BlockedCountingBloom, Bloom, CountingBloom, Cuckoo, Error, Kind, ScalableBloom,
};
use std::fs;
use support::{golden, test_data, Random};
use watched::bytes_asked_for;

/// All golden files of one folder: name and bytes.
fn files_of(folder: &str) -> Vec<(String, Vec<u8>)> {
    let listed = fs::read_dir(test_data("golden").join(folder)).unwrap();
    let mut names: Vec<String> = listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| !name.ends_with(".json"));
    names.sort();
    assert!(!names.is_empty());
    names.into_iter().map(|name| format!("{folder}/{name}")).map(|name| (name.clone(), golden(&name))).collect()
}

fn native_files() -> Vec<(String, Vec<u8>)> {
    files_of("native-1")
}

fn foreign_files() -> Vec<(Format, String, Vec<u8>)> {
    let of = |format: Format| files_of(format.name()).into_iter().map(move |(name, bytes)| (format, name, bytes));
    Format::ALL.into_iter().flat_map(of).collect()
}

/// A file may cost so much memory to open, refused or not: itself a few times over, and a little for messages and tables.
fn allowance(bytes: &[u8]) -> usize {
    16 * bytes.len() + 65_536
}

/// What opens as a filter of any kind opens as one of its own, in as little memory, and can be changed and saved.
macro_rules! change {
    ($bytes:expr, $filter:ty, $change:expr) => {{
        let (opened, asked) = bytes_asked_for(|| <$filter>::from_bytes($bytes));
        let mut filter = opened.unwrap();
        assert!(asked <= allowance($bytes), "{} bytes of file asked for {asked}", $bytes.len());
        let change: fn(&mut $filter, &str) = $change;
        change(&mut filter, "key-0");
        change(&mut filter, "a key that is not in it");
        assert!(<$filter>::from_bytes(&filter.to_bytes().unwrap()).unwrap() == filter);
    }};
}

fn open_native(name: &str, bytes: &[u8]) -> Result<AnyFilter, Error> {
    let (opened, asked) = bytes_asked_for(|| AnyFilter::from_bytes(bytes));
    assert!(asked <= allowance(bytes), "{name}: {} bytes of file asked for {asked}", bytes.len());
    match opened.as_ref().ok().and_then(AnyFilter::kind) {
        Some(Kind::Cuckoo) => change!(bytes, Cuckoo, |filter, key| {
            let _ = (filter.add(key), filter.count(key), filter.remove(key), filter.remove("key-1"), filter.len());
        }),
        Some(Kind::CountingBloom) => change!(bytes, CountingBloom, |filter, key| {
            filter.add(key);
            assert!(filter.count(key) > 0 && filter.remove(key));
        }),
        Some(Kind::BlockedCountingBloom) => change!(bytes, BlockedCountingBloom, |filter, key| {
            filter.add(key);
            assert!(filter.count(key) > 0 && filter.remove(key));
        }),
        Some(Kind::ScalableBloom) => change!(bytes, ScalableBloom, |filter, key| {
            // A link more may be as large as the file says: only its writer knows whether that is sensible.
            if filter.shape().first_capacity < 10_000 && filter.shape().growth < 100.0 && filter.links() < 8 {
                assert!(filter.add(key).is_err() || filter.may_contain(key));
            }
        }),
        Some(Kind::BinaryFuse) => change!(bytes, BinaryFuse, |filter, key| {
            let _ = (filter.may_contain(key), filter.len());
        }),
        _ => {}
    }
    opened
}

fn open_foreign(format: Format, name: &str, bytes: &[u8]) -> Result<ForeignBloom, Error> {
    let (opened, asked) = bytes_asked_for(|| ForeignBloom::from_bytes_as(format, bytes));
    assert!(asked <= allowance(bytes), "{name}: {} bytes of file asked for {asked}", bytes.len());
    opened
}

/// Whatever was opened can be used.
fn use_native(filter: &AnyFilter) {
    for key in ["", "key-0", "a key of more than sixteen bytes"] {
        let _ = filter.may_contain(key);
    }
    let _ = filter.may_contain(u64::MAX);
}

fn use_foreign(name: &str, mut filter: ForeignBloom) {
    let written = filter.to_bytes();
    let again = ForeignBloom::from_bytes_as(filter.format(), &written).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(again.to_bytes(), written, "{name}");
    let _ = (filter.may_contain(""), filter.estimated_count(), filter.fill(), filter.estimated_fpr());
    filter.add("key");
    assert!(filter.may_contain("key"), "{name}");
    assert!(ForeignBloom::from_bytes_as(filter.format(), &filter.to_bytes()).unwrap().may_contain("key"), "{name}");
}

// --- streams

#[test]
fn a_stream_is_not_believed_before_its_bytes_come() {
    let good = golden("native-1/bloom.seen");
    for claimed in [good.len() as u64 + 1, 1 << 32, 1 << 44, u64::MAX] {
        let mut bytes = good.clone();
        put(&mut bytes, 16, claimed);
        repair(&mut bytes, false);
        let (read, asked) = bytes_asked_for(|| Bloom::read_from(&bytes[..]));
        let message = read.unwrap_err().to_string();
        assert!(message.contains("the stream ends"), "{message}");
        assert!(asked <= allowance(&bytes), "{claimed} claimed: {asked}");
        assert!(AnyFilter::read_from(&bytes[..]).is_err() && Cuckoo::read_from(&bytes[..]).is_err());
    }
    // Endless ones end where the caller says.
    let options = seenfilter::OpenOptions::default().max_bytes(1000);
    let (read, asked) = bytes_asked_for(|| AnyFilter::read_from_with(std::io::repeat(7), options));
    assert!(matches!(read, Err(Error::TooLarge(_))) && asked < 200_000, "{asked}");
    assert!(matches!(Bloom::read_from(std::io::repeat(7)), Err(Error::NotRecognised(_))));
    assert!(matches!(Bloom::read_from(std::io::empty()), Err(Error::NotRecognised(_))));
}

// --- native files

#[test]
fn the_repairing_of_checksums_is_right() {
    for (name, bytes) in native_files() {
        let mut damaged = bytes.clone();
        let header = number(&bytes, 12, 4) as usize;
        for offset in [header - 40, header - 16, header - 8, bytes.len() - 8] {
            damaged[offset] ^= 1;
        }
        assert!(AnyFilter::from_bytes(&damaged).is_err(), "{name}");
        repair(&mut damaged, false);
        assert!(damaged == bytes, "{name}");
    }
}

#[test]
fn a_native_file_cut_short_is_refused_at_every_length() {
    for (name, bytes) in native_files() {
        for length in 0..bytes.len() {
            assert!(open_native(&name, &bytes[..length]).is_err(), "{name} cut to {length}");
            if length % 8 == 0 && length >= 144 {
                // The same, and the file says so itself.
                let mut cut = bytes[..length].to_vec();
                put(&mut cut, 16, length as u64);
                repair(&mut cut, false);
                assert!(open_native(&name, &cut).is_err(), "{name} cut to {length}, and saying so");
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(open_native(&name, &longer).is_err(), "{name}");
    }
}

#[test]
fn a_flipped_bit_of_a_native_file_is_refused() {
    for (name, bytes) in native_files() {
        let header = number(&bytes, 12, 4) as usize;
        // All of the header, and some of what follows.
        let places = (0..8 * header).chain((8 * header..8 * bytes.len()).step_by(101));
        for bit in places {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(open_native(&name, &flipped).is_err(), "{name}: bit {bit}");
        }
    }
}

#[test]
fn a_flipped_bit_behind_right_checksums_is_refused_or_harmless() {
    for (name, bytes) in native_files() {
        let header = number(&bytes, 12, 4) as usize;
        for bit in 0..8 * header {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            repair(&mut flipped, false);
            if let Ok(filter) = open_native(&name, &flipped) {
                use_native(&filter);
            }
        }
    }
}

/// Values that sums and products stumble over.
const EDGES: [u64; 16] =
    [0, 1, 2, 3, 63, 64, 65, 255, 256, 4096, 1 << 31, 1 << 32, 1 << 40, 1 << 63, u64::MAX - 63, u64::MAX];

fn edit(random: &mut Random, file: &mut [u8], header: usize) {
    for _ in 0..1 + random.below(3) {
        // Mostly numbers of the header, where the lies are.
        let offset = if random.below(4) != 0 { random.below(header.max(8) / 8) * 8 } else { random.below(file.len()) };
        let old = number(file, offset, 8);
        match random.below(6) {
            0 => put(file, offset, EDGES[random.below(EDGES.len())]),
            1 => put(file, offset, old.wrapping_add(1)),
            2 => put(file, offset, old.wrapping_sub(1)),
            3 => put(file, offset, old.wrapping_mul(2)),
            4 => put(file, offset, random.next() >> random.below(64)),
            _ => {
                let at = random.below(file.len());
                file[at] = random.next() as u8;
            }
        }
    }
}

#[test]
fn random_edits_behind_right_checksums_are_refused_or_harmless() {
    let files = native_files();
    let mut random = Random(1);
    let mut opened = 0;
    for round in 0..60_000 {
        let (name, bytes) = &files[round % files.len()];
        let mut file = bytes.clone();
        let header = number(&file, 12, 4) as usize;
        if random.below(20) == 0 {
            file.truncate(random.below(file.len() / 64) * 64 + 64);
            let length = file.len() as u64;
            put(&mut file, 16, length);
        }
        edit(&mut random, &mut file, header);
        repair(&mut file, random.below(2) == 0);
        if let Ok(filter) = open_native(name, &file) {
            use_native(&filter);
            opened += 1;
        }
    }
    // Were none opened, the edits would not reach what lies behind the checksums.
    assert!(opened > 600, "{opened}");
}

// --- foreign files

#[test]
fn a_foreign_file_cut_short_is_refused_at_every_length() {
    for (format, name, bytes) in foreign_files() {
        for length in 0..bytes.len() {
            assert!(open_foreign(format, &name, &bytes[..length]).is_err(), "{name} cut to {length}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(open_foreign(format, &name, &longer).is_err(), "{name}");
    }
}

#[test]
fn a_foreign_file_with_a_flipped_bit_is_refused_or_harmless() {
    for (format, name, bytes) in foreign_files() {
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(filter) = open_foreign(format, &name, &flipped) {
                use_foreign(&name, filter);
            }
        }
    }
}

#[test]
fn random_edits_of_foreign_files_are_refused_or_harmless() {
    let files = foreign_files();
    let mut random = Random(2);
    let mut opened = 0;
    for round in 0..60_000 {
        let (_, name, bytes) = &files[round % files.len()];
        let mut file = bytes.clone();
        if random.below(10) == 0 {
            file.truncate(1 + random.below(file.len()));
        }
        if file.len() < 16 {
            continue;
        }
        edit(&mut random, &mut file, 32);
        for format in Format::ALL {
            assert!(bytes_asked_for(|| format.detect(&file)).1 <= allowance(&file), "{name}");
            if let Ok(filter) = open_foreign(format, name, &file) {
                use_foreign(name, filter);
                opened += 1;
            }
        }
        let _ = ForeignBloom::from_bytes(&file);
    }
    assert!(opened > 600, "{opened}");
}
