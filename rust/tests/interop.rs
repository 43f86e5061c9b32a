//! Files of other libraries: what they themselves wrote and answered is in the project's golden files.

mod support;

use seenfilter::interop::{Detection, ForeignBloom, Format, Variant};
use seenfilter::{BloomShape, Error, HashFunction, Target};
use support::{golden, golden_keys, list_in};

/// How a golden file was made.
enum Made {
    For(Target),
    Of(BloomShape),
}

struct Golden {
    file: &'static str,
    format: Format,
    variant: Variant,
    made: Made,
}

fn goldens() -> Vec<Golden> {
    use Format::*;
    let target = |capacity, fpr| Made::For(Target { capacity, fpr });
    let shape = |bits, probes| Made::Of(BloomShape { bits, probes });
    let rows = [
        ("bits-and-blooms/n137p01.bin", BitsAndBlooms, Variant::Binary, target(137, 0.01)),
        ("bits-and-blooms/n137p01.bitset-le.bin", BitsAndBlooms, Variant::BinaryLe, target(137, 0.01)),
        ("bits-and-blooms/n137p01.json.filter", BitsAndBlooms, Variant::Json, target(137, 0.01)),
        ("bits-and-blooms/n137p01.std.json.filter", BitsAndBlooms, Variant::JsonStd, target(137, 0.01)),
        ("bits-and-blooms/n137p01.gob", BitsAndBlooms, Variant::Gob, target(137, 0.01)),
        ("bits-and-blooms/n50p1_overfull.bin", BitsAndBlooms, Variant::Binary, target(50, 0.1)),
        ("bits-and-blooms/m1000k4.bin", BitsAndBlooms, Variant::Binary, shape(1000, 4)),
        ("bits-and-blooms/from20w_k7.bin", BitsAndBlooms, Variant::Binary, shape(1280, 7)),
        ("bits-and-blooms/m0k0.bin", BitsAndBlooms, Variant::Binary, shape(1, 1)),
        ("bits-and-blooms/m0k0.json.filter", BitsAndBlooms, Variant::Json, shape(1, 1)),
        ("phrozen/n137p01.bin", Phrozen, Variant::Binary, target(137, 0.01)),
        ("phrozen/n50p1_overfull.bin", Phrozen, Variant::Binary, target(50, 0.1)),
        ("phrozen/m1000k4.bin", Phrozen, Variant::Binary, shape(1000, 4)),
        ("portable/n137p0.01.bloom", Portable, Variant::Binary, target(137, 0.01)),
        ("portable/n40p0.1.bloom", Portable, Variant::Binary, target(40, 0.1)),
    ];
    rows.into_iter().map(|(file, format, variant, made)| Golden { file, format, variant, made }).collect()
}

impl Golden {
    fn empty(&self) -> ForeignBloom {
        let made = match self.made {
            Made::For(target) => ForeignBloom::new(self.format, target),
            Made::Of(shape) => ForeignBloom::with_shape(self.format, shape),
        };
        made.unwrap().in_variant(self.variant).unwrap()
    }

    fn manifest(&self) -> String {
        String::from_utf8(golden(&format!("{}.json", self.file))).unwrap()
    }

    fn added_count(&self) -> usize {
        let manifest = self.manifest();
        let after = &manifest[manifest.find("\"added_count\":").unwrap() + 14..];
        after[..after.find(',').unwrap()].trim().parse().unwrap()
    }
}

#[test]
fn every_golden_file_answers_as_its_library_did() {
    let keys = golden_keys();
    let probes: Vec<String> = (0..1000).map(|i| format!("probe-{i}")).collect();
    for each in goldens() {
        let f = ForeignBloom::from_bytes_as(each.format, &golden(each.file)).unwrap();
        let manifest = each.manifest();
        for key in &keys.added[..each.added_count()] {
            assert!(f.may_contain(key), "{}: {:?}", each.file, key);
        }
        let absent: Vec<&str> =
            keys.absent.iter().map(|key| if f.may_contain(key) { "true" } else { "false" }).collect();
        assert_eq!(absent, list_in(&manifest, "absent_answers"), "{}", each.file);
        let positives: Vec<usize> =
            list_in(&manifest, "probe_positives").into_iter().map(|i| i.parse().unwrap()).collect();
        let expected: Vec<bool> = (0..probes.len()).map(|i| positives.binary_search(&i).is_ok()).collect();
        assert_eq!(f.may_contain_many(&probes), expected, "{}", each.file);
        let singly: Vec<bool> = probes.iter().map(|probe| f.may_contain(probe)).collect();
        assert_eq!(singly, expected, "{}", each.file);
    }
}

#[test]
fn the_same_keys_make_the_same_bytes_as_the_library() {
    let keys = golden_keys();
    for each in goldens() {
        let mut f = each.empty();
        for key in &keys.added[..each.added_count()] {
            f.add(key);
        }
        assert!(f.to_bytes() == golden(each.file), "{}", each.file);
    }
}

#[test]
fn every_golden_file_is_written_back_as_it_was_read() {
    for each in goldens() {
        let bytes = golden(each.file);
        let f = ForeignBloom::from_bytes_as(each.format, &bytes).unwrap();
        assert_eq!(f.variant(), each.variant, "{}", each.file);
        assert!(f.to_bytes() == bytes, "{}", each.file);
    }
}

#[test]
fn a_file_in_every_variant_holds_the_same_filter() {
    let f = ForeignBloom::from_bytes(&golden("bits-and-blooms/n137p01.gob")).unwrap();
    for variant in Variant::ALL {
        let bytes = f.clone().in_variant(variant).unwrap().to_bytes();
        let again = ForeignBloom::from_bytes(&bytes).unwrap();
        assert_eq!(again.variant(), variant);
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.in_variant(Variant::Binary).unwrap().to_bytes(), golden("bits-and-blooms/n137p01.bin"));
        assert_eq!(Variant::from_name(variant.name()), Some(variant));
    }
}

#[test]
fn a_file_is_saved_and_loaded() {
    let folder = std::env::temp_dir().join(format!("seen-interop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("one.filter");
    for each in goldens() {
        let f = ForeignBloom::from_bytes_as(each.format, &golden(each.file)).unwrap();
        f.save(&path).unwrap();
        assert!(std::fs::read(&path).unwrap() == golden(each.file), "{}", each.file);
        if let Ok(unnamed) = ForeignBloom::load(&path) {
            assert_eq!(unnamed.format(), each.format);
        }
        assert_eq!(ForeignBloom::load_as(each.format, &path).unwrap().to_bytes(), f.to_bytes());
    }
    std::fs::write(&path, b"{").unwrap();
    let sentence = ForeignBloom::load_as(Format::BitsAndBlooms, &path).unwrap_err().to_string();
    assert!(sentence.starts_with(&path.display().to_string()), "{sentence}");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(ForeignBloom::load(&path), Err(Error::Io { .. })));
}

#[test]
fn detection_is_as_sure_as_the_bytes_allow() {
    for each in goldens() {
        let bytes = golden(each.file);
        let expected = match each.format {
            Format::BitsAndBlooms if each.file.ends_with("m0k0.bin") => Detection::Fitting,
            // What it says twice does not say whose hash filled it.
            Format::BitsAndBlooms | Format::Portable => Detection::Likely,
            Format::Phrozen => Detection::Fitting,
        };
        for format in Format::ALL {
            let found = format.detect(&bytes);
            let wanted = if format == each.format { expected } else { Detection::No };
            assert_eq!(found, wanted, "{} as {}", each.file, format.name());
        }
        match ForeignBloom::from_bytes(&bytes) {
            Ok(f) => assert_eq!((f.format(), f.is_guessed()), (each.format, expected == Detection::Likely)),
            Err(error) => {
                assert_eq!(expected, Detection::Fitting);
                assert!(error.to_string().contains(each.format.name()), "{error}");
            }
        }
    }
    assert!(matches!(ForeignBloom::from_bytes(b"no filter"), Err(Error::NotRecognised(_))));
    assert!(matches!(ForeignBloom::from_bytes(b""), Err(Error::NotRecognised(_))));
}

#[test]
fn files_of_nobodys_are_opened_by_name_alone() {
    let words = golden("phrozen/n137p01.bin").split_off(16);
    let file = |numbers: &[[u8; 8]]| [numbers.concat(), words.clone()].concat();
    let (m, k, n) = (1314_u64, 7_u64, 137_u64);
    let mut cuckoo = vec![0; 64]; // of seiflotfy/cuckoofilter, two keys: its first slots look like m and k
    cuckoo[0] = 0x80;
    cuckoo[1] = 1;
    cuckoo[8] = 0x17;
    for bytes in [
        file(&[m.to_le_bytes(), k.to_le_bytes()]),
        file(&[n.to_be_bytes(), k.to_be_bytes(), m.to_be_bytes()]),
        file(&[21_u64.to_be_bytes(), k.to_be_bytes(), m.to_be_bytes()]),
        file(&[k.to_le_bytes(), m.to_le_bytes()]),
        cuckoo,
    ] {
        assert!(matches!(ForeignBloom::from_bytes(&bytes), Err(Error::NotRecognised(_))), "{:?}", &bytes[..24]);
        assert!(matches!(seenfilter::AnyFilter::from_bytes(&bytes), Err(Error::NotRecognised(_))));
    }
}

#[test]
fn a_guess_is_asked_and_neither_merged_nor_saved() {
    let bytes = golden("portable/n137p0.01.bloom");
    let mut guess = ForeignBloom::from_bytes(&bytes).unwrap();
    let mut named = ForeignBloom::from_bytes_as(Format::Portable, &bytes).unwrap();
    assert!(guess.is_guessed() && !named.is_guessed());
    assert!(matches!(guess.merge(&named), Err(Error::NotRecognised(_))));
    assert!(matches!(named.merge(&guess), Err(Error::NotRecognised(_))));
    let path = std::env::temp_dir().join(format!("seen-guess-{}", std::process::id()));
    assert!(matches!(guess.save(&path), Err(Error::NotRecognised(_))));
    assert!(!path.exists());
    let again = ForeignBloom::from_bytes_as(Format::Portable, &bytes).unwrap();
    named.merge(&again).unwrap();
}

#[test]
fn a_set_that_is_shorter_than_m_grows_to_the_highest_bit_that_is_set() {
    // New(0, 0): m = k = 1, and no bit yet.
    let empty = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &[0, 0, 0, 0, 0, 0, 0, 1], &[0; 8]].concat();
    let mut f = ForeignBloom::from_bytes_as(Format::BitsAndBlooms, &empty).unwrap();
    assert_eq!(f.to_bytes(), empty);
    assert!(!f.may_contain("key-0"));
    let keys = golden_keys();
    assert!(!f.test_and_add(&keys.added[0]) && f.test_and_add(&keys.added[1]));
    assert_eq!(f.to_bytes(), golden("bits-and-blooms/m0k0.bin"));
}

#[test]
fn integers_are_their_eight_little_endian_bytes() {
    for format in Format::ALL {
        let mut f = ForeignBloom::new(format, Target { capacity: 100, fpr: 1e-6 }).unwrap();
        f.add(42);
        assert!(f.may_contain(42_u64.to_le_bytes()) && !f.may_contain("42"), "{}", format.name());
    }
}

#[test]
fn phrozen_takes_another_hash_and_the_others_do_not() {
    let target = Target { capacity: 100, fpr: 1e-6 };
    let hash = HashFunction::Xxh64 { seed: 0 };
    let mut f = ForeignBloom::new(Format::Phrozen, target).unwrap().hashed_with(hash).unwrap();
    f.add("alice");
    let again = ForeignBloom::from_bytes_as(Format::Phrozen, &f.to_bytes()).unwrap();
    assert!(!again.may_contain("alice"));
    assert!(again.hashed_with(hash).unwrap().may_contain("alice"));
    for format in [Format::BitsAndBlooms, Format::Portable] {
        assert!(ForeignBloom::new(format, target).unwrap().hashed_with(hash).is_err());
    }
    let seeded = HashFunction::Xxh64 { seed: 1 };
    assert!(ForeignBloom::new(Format::Phrozen, target).unwrap().hashed_with(seeded).is_err());
}

#[test]
fn merge_has_the_keys_of_both_and_refuses_another_shape() {
    let target = Target { capacity: 100, fpr: 1e-6 };
    for format in Format::ALL {
        let mut a = ForeignBloom::new(format, target).unwrap();
        let mut b = a.clone();
        a.add("alice");
        b.add("bob");
        a.merge(&b).unwrap();
        assert!(a.may_contain("alice") && a.may_contain("bob") && !b.may_contain("alice"));
        let before = a.to_bytes();
        let other = ForeignBloom::with_shape(format, BloomShape { bits: a.shape().bits, probes: 5 }).unwrap();
        let sentence = a.merge(&other).unwrap_err().to_string();
        assert_eq!(sentence, format!("merge: probes differ: {} here, 5 there", a.shape().probes));
        assert_eq!(a.to_bytes(), before);
    }
}

#[test]
fn estimates_come_from_the_bits() {
    let f = ForeignBloom::from_bytes(&golden("bits-and-blooms/n137p01.bin")).unwrap();
    // The library's own ApproximatedSize is 138, of 684 bits set.
    assert_eq!(f.estimated_count().round(), 138.0);
    assert_eq!(f.fill(), 684.0 / 1314.0);
    assert!((f.estimated_fpr() - (684.0_f64 / 1314.0).powi(7)).abs() < 1e-15);
    let empty = ForeignBloom::new(Format::Portable, Target { capacity: 1, fpr: 0.5 }).unwrap();
    assert_eq!((empty.estimated_count(), empty.fill()), (0.0, 0.0));
}

#[test]
fn what_is_no_target_or_shape_is_refused() {
    for format in Format::ALL {
        for (capacity, fpr) in [(0, 0.01), (10, 0.0), (10, 1.0), (10, f64::NAN), (u64::MAX, 0.01)] {
            assert!(ForeignBloom::new(format, Target { capacity, fpr }).is_err(), "{capacity} {fpr}");
        }
        for (bits, probes) in [(0, 1), (1, 0), (1, 256), (1 << 41, 7)] {
            assert!(ForeignBloom::with_shape(format, BloomShape { bits, probes }).is_err(), "{bits} {probes}");
        }
    }
    let beyond = BloomShape { bits: (1 << 32) + 1, probes: 7 };
    assert!(ForeignBloom::with_shape(Format::Portable, beyond).is_err());
}

#[test]
fn what_the_library_would_not_write_is_refused() {
    let as_text = |text: &str| ForeignBloom::from_bytes_as(Format::BitsAndBlooms, text.as_bytes());
    assert!(as_text(r#"{"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#).is_ok());
    assert!(as_text("{ \"b\" : \"AAAAAAAAAAEAAAAAAAAAAQ==\" ,\n\"k\":1, \"m\" :1}\n").is_ok());
    for (text, why) in [
        (r#"{"m":1,"k":1}"#, "no b"),
        (r#"{"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ==","x":1}"#, "another member"),
        (r#"{"m":1,"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "a member twice"),
        (r#"{"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}}"#, "something after it"),
        (r#"{"m":-1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "a negative number"),
        (r#"{"m":1.0,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "a fraction"),
        (r#"{"m":18446744073709551616,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "a number beyond 64 bits"),
        (r#"{"m":1,"k":0,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "no probes"),
        (r#"{"m":1,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAw=="}"#, "a bit beyond L"),
        (r#"{"m":1,"k":1,"b":"AAAAAAAAAAIAAAAAAAAA"}"#, "words that are cut"),
        (r#"{"m":1000000000,"k":1,"b":"AAAAAAAAAAEAAAAAAAAAAQ=="}"#, "m far beyond the bits"),
    ] {
        assert!(as_text(text).is_err(), "{why}");
    }
}
