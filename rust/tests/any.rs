//! Filters whose kind is known at run time only: what is checked when, and how they are written.

mod support;

use seenfilter::interop::{ForeignBloom, Format};
use seenfilter::{AnyFilter, Bloom, Error, HashFunction, OpenOptions, SaveOptions, Secret, Target};
use std::fs;
use std::path::PathBuf;
use support::golden;

const TARGET: Target = Target { capacity: 1000, fpr: 0.01 };
fn recovering() -> OpenOptions {
    OpenOptions::default().recover(true)
}

/// A file of its own for a test, deleted at the end of it.
struct Scratch(PathBuf);

impl Scratch {
    fn with(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("seen-any-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn unsealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let seal = bytes.windows(8).position(|window| window == b"sealed!\n").unwrap();
    bytes[seal..seal + 8].copy_from_slice(b"unsealed");
    bytes
}

/// One file that is read whole as a filter of its own, one that only answers.
fn two_kinds() -> [Vec<u8>; 2] {
    [golden("native-1/bloom.seen"), golden("native-1/cuckoo.seen")]
}

#[test]
fn a_flipped_bit_that_a_map_lets_through_is_found_by_verify() {
    for bytes in two_kinds() {
        let file = Scratch::with("verify", &bytes);
        AnyFilter::map(&file.0).unwrap().verify().unwrap();
        AnyFilter::load(&file.0).unwrap().verify().unwrap();
        let body = u64::from_le_bytes(bytes[72..80].try_into().unwrap()) as usize;
        let mut flipped = bytes;
        flipped[body + 8] ^= 1;
        let file = Scratch::with("flipped", &flipped);
        assert!(matches!(AnyFilter::map(&file.0).unwrap().verify(), Err(Error::Corrupt(_))));
    }
}

#[test]
fn errors_name_the_file_however_it_is_opened() {
    let file = Scratch::with("named", b"\x8dSEN1\r\n\x1a and no more");
    let errors = [
        AnyFilter::load(&file.0).unwrap_err(),
        AnyFilter::map(&file.0).unwrap_err(),
        Bloom::load(&file.0).unwrap_err(),
        seenfilter::MappedBloom::map(&file.0).unwrap_err(),
    ];
    for message in errors.map(|error| error.to_string()) {
        assert!(message.starts_with(&format!("{}: ", file.0.display())), "{message}");
    }
}

#[test]
fn what_was_loaded_or_is_of_another_library_verifies() {
    let foreign = ForeignBloom::new(Format::Phrozen, TARGET).unwrap().to_bytes();
    let named = ForeignBloom::from_bytes_as(Format::Phrozen, &foreign).unwrap();
    AnyFilter::Foreign(named).verify().unwrap();
    for bytes in two_kinds() {
        AnyFilter::from_bytes_with(&unsealed(bytes), recovering()).unwrap().verify().unwrap();
    }
}

#[test]
fn an_unsealed_file_is_recovered_and_written_whole() {
    for bytes in two_kinds() {
        let open = unsealed(bytes.clone());
        assert!(matches!(AnyFilter::from_bytes(&open), Err(Error::Unsealed(_))));
        let file = Scratch::with("unsealed", &open);
        assert!(matches!(AnyFilter::map(&file.0), Err(Error::Unsealed(_))));
        let mapped = AnyFilter::map_with(&file.0, recovering()).unwrap();
        assert!(matches!(mapped.verify(), Err(Error::Unsealed(_))));
        for filter in [mapped, AnyFilter::load_with(&file.0, recovering()).unwrap()] {
            assert!(filter.to_bytes().unwrap() == bytes, "{:?}", filter.kind());
            filter.save(&file.0).unwrap();
            assert!(fs::read(&file.0).unwrap() == bytes, "{:?}", filter.kind());
        }
    }
}

#[test]
fn metadata_and_alignment_are_written_for_every_kind() {
    let page = SaveOptions { alignment: 4096, ..SaveOptions::default() };
    for bytes in two_kinds() {
        let file = Scratch::with("options", &bytes);
        for mut filter in [AnyFilter::load(&file.0).unwrap(), AnyFilter::map(&file.0).unwrap()] {
            filter.set_metadata("of a test").unwrap();
            assert!(matches!(filter.set_metadata(vec![0; 65_537]), Err(Error::InvalidArgument(_))));
            filter.save_with(&file.0, page).unwrap();
            let written = fs::read(&file.0).unwrap();
            assert!(written == filter.to_bytes_with(page).unwrap());
            assert_eq!(written[72..80], 4096u64.to_le_bytes());
            let again = AnyFilter::from_bytes(&written).unwrap();
            assert_eq!((again.metadata(), again.kind()), (&b"of a test"[..], filter.kind()));
            assert!(filter.to_bytes_with(SaveOptions { alignment: 128, ..page }).is_err());
        }
    }
}

#[test]
fn a_secret_is_written_only_when_asked() {
    let secret = Secret([9; 16]);
    let filter = Bloom::with_hash(TARGET, HashFunction::SipHash13 { secret }).unwrap();
    let file = Scratch::with("secret", &filter.to_bytes().unwrap());
    let options = OpenOptions::default().secret(secret);
    let store = SaveOptions { store_secret: true, ..SaveOptions::default() };
    for filter in [AnyFilter::load_with(&file.0, options).unwrap(), AnyFilter::map_with(&file.0, options).unwrap()] {
        let stored = filter.to_bytes_with(store).unwrap();
        let stored = AnyFilter::from_bytes(&stored).unwrap();
        let without = stored.to_bytes_with(SaveOptions::default()).unwrap();
        assert!(!without.windows(16).any(|window| window == secret.0), "the secret is in the file");
    }
}

#[test]
fn a_file_of_another_library_takes_no_options() {
    let bytes = ForeignBloom::new(Format::Phrozen, TARGET).unwrap().to_bytes();
    let mut filter = AnyFilter::Foreign(ForeignBloom::from_bytes_as(Format::Phrozen, &bytes).unwrap());
    let file = Scratch::with("foreign", b"before");
    for options in [
        SaveOptions { alignment: 4096, ..SaveOptions::default() },
        SaveOptions { store_secret: true, ..SaveOptions::default() },
    ] {
        assert!(matches!(filter.to_bytes_with(options), Err(Error::Unsupported(_))));
        assert!(matches!(filter.save_with(&file.0, options), Err(Error::Unsupported(_))));
    }
    assert_eq!(fs::read(&file.0).unwrap(), b"before");
    let message = filter.set_metadata("of a test").unwrap_err().to_string();
    assert_eq!(message, "a file of phrozen has no place for metadata");
    filter.save_with(&file.0, SaveOptions::default()).unwrap();
    assert_eq!(fs::read(&file.0).unwrap(), bytes);
}

/// The same figures as in C++: links of a chain overlap less than independent ones, and that is measured alike.
#[test]
fn the_rate_of_a_chain_is_estimated_as_elsewhere() {
    for (name, expected) in [
        ("scalable-bloom-by-parameters", 0.005300148400708),
        ("scalable-bloom-grown", 0.004241386226494),
        ("scalable-bloom-slow", 0.001969979126075),
        ("scalable-classic-bloom-fast", 0.020193347220562),
        ("scalable-classic-bloom-one-key-links", 0.120680721263377),
        ("scalable-classic-bloom-slow", 0.012494659504687),
    ] {
        let path = support::test_data("kit/files").join(format!("{name}.seen"));
        let rate = AnyFilter::load(&path).unwrap().estimated_fpr();
        assert!((rate / expected - 1.0).abs() < 1e-9, "{name}: {rate}, not {expected}");
    }
}

/// Whatever another process writes over a file, and whenever: the filter that maps it answers, counts and copies.
#[cfg(unix)]
#[test]
fn a_map_is_safe_beside_whoever_writes_over_its_file() {
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicBool, Ordering};
    let keys: Vec<u64> = (0..2000).collect();
    let with_secret = SaveOptions { store_secret: true, ..SaveOptions::default() };
    let listed = fs::read_dir(support::test_data("golden").join("native-1")).unwrap();
    let names: Vec<String> = listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in names.iter().filter(|name| name.ends_with(".seen")) {
        let bytes = golden(&format!("native-1/{name}"));
        let file = Scratch::with("written-over", &bytes);
        let mapped = match AnyFilter::map(&file.0) {
            Err(Error::SecretRequired(_) | Error::WrongHash(_)) => continue,
            opened => opened.unwrap(),
        };
        let written = fs::OpenOptions::new().write(true).open(&file.0).unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                let mut random = support::Random(7);
                for i in 0..20_000 {
                    if i > 50 && is_done.load(Ordering::Relaxed) {
                        break;
                    }
                    // Header and all.
                    let at = random.below(bytes.len() - 8) as u64;
                    written.write_at(&random.next().to_le_bytes(), at).unwrap();
                }
            });
            for _ in 0..20 {
                let _ = mapped.may_contain_many(&keys);
                let (count, fpr) = (mapped.estimated_count(), mapped.estimated_fpr());
                assert!(count >= 0.0 && (0.0..=1.0).contains(&fpr), "{name}: {count} {fpr}");
                // A copy is of the shape that was checked and has checksums of its own: load refuses it for nothing but
                // what the kind says of its bytes.
                match AnyFilter::from_bytes(&mapped.to_bytes_with(with_secret).unwrap()) {
                    Ok(copy) => assert_eq!(copy.kind(), mapped.kind()),
                    Err(Error::Corrupt(why)) => assert!(!why.contains("checksum"), "{name}: {why}"),
                    Err(other) => panic!("{name}: {other}"),
                }
            }
            is_done.store(true, Ordering::Relaxed);
        });
        assert!(mapped.verify().is_err(), "{name}: verified");
        // As it was, it verifies again.
        written.write_at(&bytes, 0).unwrap();
        mapped.verify().unwrap();
    }
}
