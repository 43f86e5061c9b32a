//! Hashes of users: who has the function opens the file, and nobody else does.

#[path = "support/repair.rs"]
mod repair;
mod support;

use repair::{number, put, repair};
use seenfilter::interop::{ForeignBloom, Format};
use seenfilter::{
    AnyFilter, Bloom, ConcurrentBloom, Error, Filter, HashFunction, OpenOptions, OwnHash, Plain, Secret, Shape, Target,
};
use std::fs;
use support::{golden, list_in, test_data};

const TARGET: Target = Target { capacity: 1000, fpr: 0.01 };
const SENTENCE: &[u8] = b"have I seen this before?";

/// The function of tests/golden/native-1/bloom-own-hash.seen, which C++ and Go define too.
fn mix(key: &[u8], seed: u64) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325 ^ seed;
    for byte in key {
        h = (h ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    h = (h ^ h >> 32).wrapping_mul(0x9fb2_1c65_1e98_df25);
    h ^ h >> 29
}

/// Differs from it in one bit of the digests of long keys alone.
fn impostor(key: &[u8], seed: u64) -> u64 {
    mix(key, seed) ^ u64::from(key.len() > 20)
}

/// The same by another name.
fn mix_again(key: &[u8], seed: u64) -> u64 {
    mix(key, seed)
}

/// The default as a function of somebody's own.
fn xxh3_fold(key: &[u8], seed: u64) -> u64 {
    HashFunction::Xxh3Fold { seed }.digest(key).0
}

fn own() -> OwnHash {
    OwnHash::new(0x8001, mix).unwrap()
}

fn with(own_hash: OwnHash) -> OpenOptions {
    OpenOptions::default().own_hash(own_hash)
}

/// The filter of the golden file.
fn made() -> Bloom {
    let mut filter = Bloom::with_hash(TARGET, own().with_seed(42).into()).unwrap();
    (0..1000).for_each(|i| filter.add(format!("key-{i}")));
    filter
}

/// The file with another header behind right checksums.
fn altered(bytes: &[u8], change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut altered = bytes.to_vec();
    change(&mut altered);
    repair(&mut altered, false);
    altered
}

/// Another hash number in the 16 bits at offset 32.
fn renumbered(bytes: &[u8], id: u16) -> Vec<u8> {
    altered(bytes, |file| file[32..34].copy_from_slice(&id.to_le_bytes()))
}

#[test]
fn the_file_of_a_users_hash_is_that_of_cpp_to_the_byte() {
    let bytes = golden("native-1/bloom-own-hash.seen");
    assert!(made().to_bytes().unwrap() == bytes);
    let manifest = fs::read_to_string(test_data("golden/native-1/bloom-own-hash.seen.json")).unwrap();
    let positives: Vec<usize> = list_in(&manifest, "probe_positives").into_iter().map(|i| i.parse().unwrap()).collect();
    let path = test_data("golden/native-1/bloom-own-hash.seen");
    let mapped = AnyFilter::map_with(&path, with(own())).unwrap();
    mapped.verify().unwrap();
    for filter in [AnyFilter::load_with(&path, with(own())).unwrap(), mapped] {
        assert!((0..1000).all(|i| filter.may_contain(format!("key-{i}"))));
        let probes: Vec<String> = (0..1000).map(|i| format!("probe-{i}")).collect();
        let answers = filter.may_contain_many(&probes);
        assert_eq!((0..1000).filter(|&i| answers[i]).collect::<Vec<_>>(), positives);
    }
    let hash = Bloom::load_with(&path, with(own().with_seed(7))).unwrap().hash(); // the file's seed counts
    assert_eq!((hash.name(), hash.seed()), ("user-defined", 42));
    assert!(manifest.contains(&format!("{:016x}", hash.digest(SENTENCE).0)));
}

#[test]
fn the_file_of_a_users_hash_opens_with_its_function_only() {
    let file = made().to_bytes().unwrap();
    let built_in = Bloom::new(TARGET).unwrap().to_bytes().unwrap();
    let check = |sum: fn(&[u8], u64) -> u64, seed| format!("{:016x}", sum(SENTENCE, seed));
    let number_of = |id| OwnHash::new(id, mix).unwrap();
    let fake = OwnHash::new(0x8001, impostor).unwrap();
    let with_secret = with(own()).secret(Secret([7; 16]));

    let opens = |bytes: &[u8], options: OpenOptions| {
        Bloom::from_bytes_with(bytes, options).unwrap();
        AnyFilter::from_bytes_with(bytes, options).unwrap();
    };
    opens(&file, with(own()));
    opens(&file, with_secret); // a secret that nobody asked for
    opens(&built_in, with(own()));

    let refused = |bytes: &[u8], options: OpenOptions, parts: &[&str]| {
        let folder = std::env::temp_dir().join(format!("seen-own-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("f.seen");
        fs::write(&path, bytes).unwrap();
        let errors = [
            Bloom::from_bytes_with(bytes, options).unwrap_err(),
            AnyFilter::from_bytes_with(bytes, options).unwrap_err(),
            AnyFilter::load_with(&path, options).unwrap_err(),
            AnyFilter::map_with(&path, options).unwrap_err(),
            seenfilter::MappedBloom::map_with(&path, options).unwrap_err(),
        ];
        fs::remove_dir_all(&folder).unwrap();
        for error in errors {
            let message = error.to_string();
            assert!(matches!(error, Error::WrongHash(_)), "{message}");
            parts.iter().for_each(|part| assert!(message.contains(part), "{message}; want {part}"));
        }
    };
    refused(&file, OpenOptions::default(), &["offset 32", "hash 0x8001", "has to supply the function"]);
    refused(&file, with(number_of(0x8002)), &["offset 32", "made with hash 0x8001, not with hash 0x8002"]);
    refused(&file, with(fake), &["offset 48", "hash 0x8001", &check(mix, 42), &check(impostor, 42)]);
    let edited = altered(&file, |file| file[48] ^= 1);
    refused(&edited, with(own()), &["offset 48", &check(mix, 42)]);
    let edited = altered(&file, |file| put(file, 40, 43)); // its seed
    refused(&edited, with(own()), &["offset 48", &check(mix, 42), &check(mix, 43)]);
    refused(&renumbered(&file, 0xffff), with(own()), &["made with hash 0xffff, not with hash 0x8001"]);
    refused(&renumbered(&file, 1), with(own()), &["offset 48"]);
    refused(&renumbered(&built_in, 0x8001), with(own()), &["offset 48"]);
    let keyed = altered(&file, |file| put(file, 36, number(file, 36, 8) | 1));
    refused(&keyed, with_secret, &["offset 36", "hash 0x8001 has a secret in this file"]);
    let encoded = altered(&file, |file| file[34] = 2);
    refused(&encoded, with(own()), &["offset 34"]);
}

/// Under a user's number, with a function that computes the same, a file of any kind answers as it did.
#[test]
fn every_kind_is_asked_with_a_users_hash() {
    let own = OwnHash::new(0x9abc, xxh3_fold).unwrap();
    let keys: Vec<String> = (0..2000).map(|i| format!("key-{i}")).collect();
    let mut asked = 0;
    for entry in fs::read_dir(test_data("golden/native-1")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().map_or(true, |extension| extension != "seen") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if number(&bytes, 32, 2) != 8 {
            continue;
        }
        let before = AnyFilter::from_bytes(&bytes).unwrap();
        let check = xxh3_fold(b"have I seen this before?", number(&bytes, 40, 8));
        let renumbered =
            altered(&renumbered(&bytes, 0x9abc), |file| file[48..56].copy_from_slice(&check.to_le_bytes()));
        let after = AnyFilter::from_bytes_with(&renumbered, with(own)).unwrap();
        assert_eq!(before.may_contain_many(&keys), after.may_contain_many(&keys), "{}", path.display());
        for (i, key) in keys.iter().enumerate() {
            assert_eq!(before.may_contain(key), after.may_contain(key));
            assert_eq!(before.may_contain(i), after.may_contain(i));
        }
        let again = AnyFilter::from_bytes_with(&after.to_bytes().unwrap(), with(own)).unwrap();
        assert_eq!(before.may_contain_many(&keys), again.may_contain_many(&keys), "{}", path.display());
        asked += 1;
    }
    assert!(asked >= 20, "{asked} files");
}

fn takes_it<S: Shape + std::fmt::Debug>() {
    let hash = HashFunction::Own(own().with_seed(5));
    let mut filter = Filter::<S, Plain>::with_hash(TARGET, hash).unwrap();
    filter.add("alice");
    filter.add(7);
    filter.add("");
    filter.add_many(&["bob", "carol"]);
    for key in ["alice", "bob", "carol", "", "\x07\0\0\0\0\0\0\0"] {
        assert!(filter.may_contain(key), "{key:?}");
    }
    assert!(!filter.may_contain("dave"));
    assert_eq!(filter.hash().digest("alice").0, mix(b"alice", 5));
    let bytes = filter.to_bytes().unwrap();
    let opened = Filter::<S, Plain>::from_bytes_with(&bytes, with(own())).unwrap();
    assert_eq!(opened, filter);
    assert!(opened.to_bytes().unwrap() == bytes);
}

#[test]
fn every_filter_that_is_made_takes_a_users_hash() {
    takes_it::<seenfilter::BloomShape>();
    takes_it::<seenfilter::BlockedBloomShape>();
    takes_it::<seenfilter::SplitBlockShape>();
}

#[test]
fn filters_of_other_functions_are_not_merged() {
    let mut here = made();
    let before = here.to_bytes().unwrap();
    let (mine, theirs) = (mix(SENTENCE, 42), impostor(SENTENCE, 42));
    let of = |id, sum: fn(&[u8], u64) -> u64, seed| {
        Bloom::with_hash(TARGET, OwnHash::new(id, sum).unwrap().with_seed(seed).into()).unwrap()
    };
    for (there, difference) in [
        (Bloom::new(TARGET).unwrap(), "hashes differ: hash 0x8001 here, xxh3-fold there".to_string()),
        (of(0x8002, mix, 42), "hashes differ: hash 0x8001 here, hash 0x8002 there".to_string()),
        (of(0x8001, mix, 0), "seeds differ: 42 here, 0 there".to_string()),
        (
            of(0x8001, impostor, 42),
            format!("the check values of hash 0x8001 differ: {mine:016x} here, {theirs:016x} there"),
        ),
    ] {
        for error in [here.merge(&there).unwrap_err(), here.intersect(&there).unwrap_err()] {
            assert!(matches!(error, Error::Incompatible(_)), "{error}");
            assert!(error.to_string().ends_with(&difference), "{error}; want {difference}");
        }
        assert_ne!(here, there);
        assert!(here.to_bytes().unwrap() == before);
    }
    let mut same = of(0x8001, mix_again, 42);
    same.add("one more");
    here.merge(&same).unwrap();
    assert!(here.may_contain("one more"));
}

#[test]
fn numbers_below_those_of_users_are_refused() {
    for id in [0, 1, 7, 0x7fff] {
        let error = OwnHash::new(id, mix).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument(_)));
        assert_eq!(error.to_string(), format!("a hash of your own has a number from 0x8000 up, not {id:#x}"));
    }
    let own = OwnHash::new(0xffff, mix).unwrap().with_seed(9);
    assert_eq!((own.id(), own.seed()), (0xffff, 9));
    assert_eq!(format!("{own:?}"), "OwnHash { id: 0xffff, seed: 9 }");
    assert!(HashFunction::from_name("user-defined", 0, None).is_err());
}

#[test]
fn phrozen_takes_a_users_hash_and_other_formats_do_not() {
    let hash = HashFunction::Own(own());
    let mut here = ForeignBloom::new(Format::Phrozen, TARGET).unwrap().hashed_with(hash).unwrap();
    here.add("alice");
    let there = ForeignBloom::from_bytes_as(Format::Phrozen, &here.to_bytes()).unwrap().hashed_with(hash).unwrap();
    assert!(there.may_contain("alice") && !there.may_contain("bob"));
    here.merge(&there).unwrap();
    let fake = HashFunction::Own(OwnHash::new(0x8001, impostor).unwrap());
    let error = here.merge(&there.hashed_with(fake).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("merge: the check values of hash 0x8001 differ: "), "{error}");
    for format in [Format::BitsAndBlooms, Format::Portable] {
        let error = ForeignBloom::new(format, TARGET).unwrap().hashed_with(hash).unwrap_err();
        assert!(error.to_string().ends_with("its files are not made with hash 0x8001"), "{error}");
    }
}

#[test]
fn threads_share_a_filter_of_a_users_hash() {
    let shared = ConcurrentBloom::with_hash(TARGET, own().into()).unwrap();
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let shared = &shared;
            threads.spawn(move || (0..1000).for_each(|i| shared.add(i * 8 + thread * (i % 2))));
        }
    });
    let mut alone = Bloom::with_hash(TARGET, own().into()).unwrap();
    for thread in 0..8 {
        (0..1000).for_each(|i| alone.add(i * 8 + thread * (i % 2)));
    }
    assert_eq!(shared, alone);
}
