//! The conformance kit of the project: sizes, digests, files byte for byte, answers, and files that must be refused.

#[path = "support/kit.rs"]
mod kit;

use kit::{bitmap, edited, keys, opened, table, unhex, written, Way};
use seen::{BlockedBloomShape, BloomShape, HashFunction, Shape, SplitBlockShape};
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
            _ => continue,
        };
        assert_eq!(planned.unwrap_or_default(), row.text("fields"), "{} {target:?}", row.text("kind"));
        checked += 1;
    }
    assert!(checked > 900, "{checked}");
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
    assert_eq!(by_kind.len(), 6, "{by_kind:?}");
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
            let digest = HashFunction::default().digest(&bitmap).0;
            assert_eq!(format!("{digest:016x}"), case.text("answers"), "{}", case.text("name"));
            // One by one as in a batch.
            for (probe, answer) in probes.iter().zip(&answers).step_by(97) {
                assert_eq!(filter.may_contain(probe), *answer);
            }
            let options_were_usual = case.get("alignment").is_none() && case.get("store_secret").is_none();
            if options_were_usual || matches!(filter, seen::AnyFilter::ReadOnly(_)) {
                assert!(filter.to_bytes().unwrap() == bytes, "{}: written back otherwise", case.text("name"));
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
        // What load refuses for its header map refuses too; here the rest is of interest.
        fs::write(&path, bytes).unwrap();
        if let Some(Ok(seen::AnyFilter::ReadOnly(filter))) = opened(by_file[row.text("base")], Way::Map(&path)) {
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
