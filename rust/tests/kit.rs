//! The conformance kit of the project: sizes, digests, files byte for byte, answers, and files that must be refused.

#[path = "support/kit.rs"]
mod kit;

use kit::{bitmap, edited, keys, opened, opened_with, table, unhex, written, KitKey, Way};
use seenfilter::interop::{ForeignBloom, Format};
use seenfilter::{
    AnyFilter, BlockedBloomShape, BlockedCountingBloomShape, BloomShape, CountingBloomShape, CuckooShape, Error,
    HashFunction, Health, SaveOptions, Shape, SplitBlockShape,
};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/kit")
}

#[test]
fn sizes_are_the_same_integers() {
    let mut checked = 0;
    for row in table(&folder(), "sizes.tsv") {
        let Some(target) = row.target() else { panic!("a size without a target") };
        let planned = match row.text("kind") {
            "bloom" => BloomShape::plan(target).map(|s| format!("bits={},probes={}", s.bits, s.probes)),
            "blocked-bloom" => {
                BlockedBloomShape::plan(target).map(|s| format!("blocks={},probes={}", s.blocks, s.probes))
            }
            "split-block" => SplitBlockShape::plan(target).map(|s| format!("blocks={}", s.blocks)),
            "cuckoo" => CuckooShape::plan(target)
                .map(|s| format!("buckets={},fingerprint-bits={},chunks={}", s.buckets, s.fingerprint_bits, s.chunks)),
            "counting-bloom" => CountingBloomShape::plan(target)
                .map(|s| format!("counters={},probes={},counter-bits={}", s.counters, s.probes, s.counter_bits)),
            "blocked-counting-bloom" => BlockedCountingBloomShape::plan(target)
                .map(|s| format!("blocks={},probes={},counter-bits={}", s.blocks, s.probes, s.counter_bits)),
            _ => continue,
        };
        assert_eq!(planned.unwrap_or_default(), row.text("fields"), "{} {target:?}", row.text("kind"));
        checked += 1;
    }
    assert!(checked > 1850, "{checked}");
}

#[test]
fn portable_sizes_are_the_documents() {
    let (mut made, mut refused) = (0, 0);
    for row in table(&folder(), "portable_sizes.tsv") {
        let Some(target) = row.target() else { panic!("a size without a target") };
        if row.text("bits").parse().map_or(false, |bits: u64| bits > 1 << 28) {
            continue; // arrays of hundreds of megabytes; the unit tests of the sizing have some
        }
        let shape = ForeignBloom::new(Format::Portable, target).map(|f| f.shape());
        match shape {
            Ok(s) => assert_eq!(
                [s.bits.to_string(), s.probes.to_string()],
                [row.text("bits"), row.text("probes")],
                "{target:?}"
            ),
            Err(e) => assert_eq!(row.text("bits"), "", "{target:?}: {e}"),
        }
        *if row.text("bits").is_empty() { &mut refused } else { &mut made } += 1;
    }
    assert!(made > 300 && refused > 50, "{made}, {refused}");
}

#[test]
fn digests_are_the_same() {
    let mut checked = 0;
    for row in table(&folder(), "hashes.tsv") {
        let hash = row.hash().unwrap_or_else(|| panic!("no hash {}", row.text("hash")));
        let key = row.bytes("key");
        assert_eq!(format!("{:016x}", hash.digest(&key).0), row.text("digest"), "{hash:?} {key:02x?}");
        checked += 1;
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn the_same_keys_make_the_same_bytes() {
    let mut by_kind = HashMap::new();
    for case in table(&folder(), "cases.tsv") {
        let Some(made) = written(&case) else { continue };
        let made = made.unwrap_or_else(|e| panic!("{}: {e}", case.text("name")));
        let expected = fs::read(folder().join(case.text("file"))).unwrap();
        assert!(made == expected, "{}: other bytes than the file's", case.text("name"));
        *by_kind.entry(format!("{} {}", case.text("format"), case.text("kind"))).or_insert(0) += 1;
    }
    assert_eq!(by_kind.len(), 9 + 3, "{by_kind:?}");
}

/// "past-capacity,above-fpr".
fn findings(health: &Health) -> String {
    let all =
        [(health.saturated, "saturated"), (health.past_capacity, "past-capacity"), (health.above_fpr, "above-fpr")];
    let found: Vec<_> = all.iter().filter(|one| one.0).map(|one| one.1).collect();
    assert_eq!(found.is_empty(), health.is_healthy());
    found.join(",")
}

#[test]
fn every_file_answers_as_it_should_and_is_written_back() {
    let (mut loaded, mut kinds) = (0, std::collections::HashSet::new());
    let mut sets = HashMap::new();
    for (i, case) in table(&folder(), "cases.tsv").iter().enumerate() {
        let path = folder().join(case.text("file"));
        let bytes = fs::read(&path).unwrap();
        let probes = sets.entry(case.text("probes").to_string()).or_insert_with(|| keys(case.text("probes")));
        // Through a map all of them, and one of the two ways to load.
        for way in [Way::Map(&path), if i % 2 == 0 { Way::Load(&path) } else { Way::Bytes(&bytes) }] {
            let Some(filter) = opened(case, way) else { continue };
            let filter = filter.unwrap_or_else(|e| panic!("{}: {e}", case.text("name")));
            let answers = filter.may_contain_many(probes);
            let bitmap = bitmap(&answers);
            let first = unhex(case.text("first"));
            assert_eq!(bitmap[..first.len()], first, "{}", case.text("name"));
            assert_eq!(
                answers.iter().filter(|&&yes| yes).count().to_string(),
                case.text("yes"),
                "{}",
                case.text("name")
            );
            assert_eq!(findings(&filter.health()), case.text("health"), "{}", case.text("name"));
            let digest = HashFunction::Xxh3_64 { seed: 0 }.digest(&bitmap).0;
            assert_eq!(format!("{digest:016x}"), case.text("answers"), "{}", case.text("name"));
            // One by one as in a batch.
            for (probe, answer) in probes.iter().zip(&answers).step_by(97) {
                assert_eq!(filter.may_contain(probe), *answer);
            }
            if let AnyFilter::Foreign(_) = filter {
                assert!(filter.to_bytes().unwrap() == bytes, "{}: written back otherwise", case.text("name"));
            } else {
                let alignment = case.number("alignment").unwrap_or(64);
                let written = |store_secret| filter.to_bytes_with(SaveOptions { alignment, store_secret }).unwrap();
                let is_stored = case.get("store_secret").is_some();
                assert!(written(is_stored) == bytes, "{}: written back otherwise", case.text("name"));
                // Only whoever asks for it has the secret in a file, whatever the file was that the filter came from.
                if let Some(secret) = case.secret() {
                    let holds = |bytes: &[u8]| bytes.windows(16).any(|window| window == secret.0);
                    assert!(!holds(&filter.to_bytes().unwrap()) && !holds(&written(false)) && holds(&written(true)));
                }
            }
            loaded += 1;
            kinds.insert(format!("{} {}", case.text("format"), case.text("kind")));
        }
    }
    assert_eq!(kinds.len(), 15 + 3, "{kinds:?}");
    assert!(loaded > 700, "{loaded}");
}

#[test]
fn hostile_files_are_refused() {
    let cases = table(&folder(), "cases.tsv");
    let by_file: HashMap<_, _> = cases.iter().map(|case| (case.text("file"), case)).collect();
    let mut bases = HashMap::new();
    let mut refused = 0;
    for row in table(&folder(), "hostile.tsv") {
        let base = bases.entry(row.text("base").to_string());
        let base = base.or_insert_with(|| fs::read(folder().join(row.text("base"))).unwrap());
        let bytes = edited(base.clone(), row.text("edits"));
        let Some(opened) = opened(by_file[row.text("base")], Way::Bytes(&bytes)) else { continue };
        assert!(opened.is_err(), "accepted: {} {} {}", row.text("base"), row.text("edits"), row.text("why"));
        refused += 1;
    }
    assert!(refused > 6000, "{refused}");
}

#[test]
fn hostile_files_that_can_be_mapped_are_safe_to_ask_and_fail_to_verify() {
    let cases = table(&folder(), "cases.tsv");
    let by_file: HashMap<_, _> = cases.iter().map(|case| (case.text("file"), case)).collect();
    let path = std::env::temp_dir().join(format!("seen-hostile-{}.seen", std::process::id()));
    let probes = keys("integers:0:200");
    let mut mapped = 0;
    for row in table(&folder(), "hostile.tsv") {
        let bytes = edited(fs::read(folder().join(row.text("base"))).unwrap(), row.text("edits"));
        // What load refuses for its header map refuses too; here the rest is of interest. A new file each: to write over
        // one again waits for the disk.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).unwrap();
        if let Some(Ok(seenfilter::AnyFilter::ReadOnly(filter))) = opened(by_file[row.text("base")], Way::Map(&path)) {
            filter.may_contain_many(&probes);
            let (count, fpr) = (filter.estimated_count(), filter.estimated_fpr());
            let sensible = count >= 0.0 && (0.0..=1.0).contains(&fpr) && filter.fill() >= 0.0;
            assert!(sensible, "{count} {fpr} {}: {} {}", filter.fill(), row.text("base"), row.text("edits"));
            assert!(filter.verify().is_err(), "verified: {} {}", row.text("base"), row.text("edits"));
            mapped += 1;
        }
    }
    fs::remove_file(&path).unwrap();
    assert!(mapped > 100, "{mapped}");
}

/// The name that an outcome has in the kit.
fn verdict<T>(outcome: &Result<T, Error>) -> String {
    let name = match outcome {
        Ok(_) => "ok",
        Err(Error::Corrupt(_)) => "corrupt",
        Err(Error::NotRecognised(_)) => "not_recognised",
        Err(Error::NewerVersion(_)) => "newer_version",
        Err(Error::WrongHash(_)) => "wrong_hash",
        Err(Error::SecretRequired(_)) => "secret_required",
        Err(Error::Unsealed(_)) => "unsealed",
        Err(other) => return format!("{other:?}"),
    };
    name.into()
}

#[test]
fn lying_files_have_the_same_verdicts_and_answers() {
    let cases = table(&folder(), "cases.tsv");
    let by_file: HashMap<_, _> = cases.iter().map(|case| (case.text("file"), case)).collect();
    let scratch = std::env::temp_dir().join(format!("seen-verdicts-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    let answers_of = |filter: &AnyFilter, probes: &[KitKey]| {
        format!("{:016x}", HashFunction::Xxh3_64 { seed: 0 }.digest(bitmap(&filter.may_contain_many(probes))).0)
    };
    let mut sets = HashMap::new();
    let mut wrong = Vec::new();
    let rows = table(&folder(), "verdicts.tsv");
    for (i, row) in rows.iter().enumerate() {
        let probes = sets.entry(row.text("probes").to_string()).or_insert_with(|| keys(row.text("probes")));
        let mut expect = |what: &str, got: &str, wanted: &str| {
            // A file that lies in several places may be refused for any of them.
            let refused = row.text("why") == "random" && what != "answers" && got != "ok" && wanted != "ok";
            if got != wanted && !refused {
                let (base, edits, why) = (row.text("base"), row.text("edits"), row.text("why"));
                wrong.push(format!("{what} of {base} with {edits} ({why}): {got}, not {wanted}"));
            }
        };
        let case = by_file[row.text("base")];
        let bytes = edited(fs::read(folder().join(row.text("base"))).unwrap(), row.text("edits"));
        let recover = row.get("recover").is_some();
        let loaded = opened_with(case, Way::Bytes(&bytes), recover).expect("a hash that is known");
        expect("load", &verdict(&loaded), row.text("load"));
        if let Ok(filter) = &loaded {
            expect("answers", &answers_of(filter, probes), row.text("answers"));
        }
        // A new file each: to write over one again waits for the disk.
        let path = scratch.join(i.to_string());
        fs::write(&path, &bytes).unwrap();
        let mapped = opened_with(case, Way::Map(&path), recover).expect("a hash that is known");
        expect("map", &verdict(&mapped), row.text("map"));
        if let Ok(filter) = &mapped {
            expect("verify", &verdict(&filter.verify()), row.text("verify"));
            let answers = answers_of(filter, probes);
            if let Some(wanted) = row.get("answers") {
                expect("answers", &answers, wanted);
            }
        }
    }
    fs::remove_dir_all(&scratch).unwrap();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows.len() > 3000, "{}", rows.len());
}
