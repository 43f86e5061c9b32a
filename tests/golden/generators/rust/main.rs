//! Filters of Rust crates, written and asked by the crates themselves. ../README.md has the contract:
//!
//!     peers write FORMAT VARIANT N FPR OUT   keys on standard input, one a line, in hexadecimal
//!     peers ask FORMAT VARIANT FILE          prints 1 or 0 a line

use bloomfilter::Bloom;
use std::error::Error;
use std::hash::Hash;
use std::io::{Read, Write};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What the crate hashes: what `Hash` feeds it differs between a slice of bytes and text.
trait Key: Hash {
    fn of(bytes: &[u8]) -> Outcome<&Self>;
}

impl Key for [u8] {
    fn of(bytes: &[u8]) -> Outcome<&[u8]> {
        Ok(bytes)
    }
}

impl Key for str {
    fn of(bytes: &[u8]) -> Outcome<&str> {
        Ok(std::str::from_utf8(bytes)?)
    }
}

/// The same seed always, so that the same keys make the same file.
const SEED: [u8; 32] = *b"seed of the seen test programs 1";

fn write<K: Key + ?Sized>(n: usize, fpr: f64, keys: &[Vec<u8>], out: &str) -> Outcome<()> {
    let mut filter = Bloom::<K>::new_for_fp_rate_with_seed(n, fpr, &SEED)?;
    for key in keys {
        filter.set(K::of(key)?);
    }
    Ok(std::fs::write(out, filter.to_bytes())?)
}

fn ask<K: Key + ?Sized>(keys: &[Vec<u8>], file: &str) -> Outcome<()> {
    let filter = Bloom::<K>::from_bytes(std::fs::read(file)?)?;
    let mut answers = String::new();
    for key in keys {
        answers += if filter.check(K::of(key)?) { "1\n" } else { "0\n" };
    }
    Ok(std::io::stdout().write_all(answers.as_bytes())?)
}

fn bytes_of(line: &str) -> Outcome<Vec<u8>> {
    let digit = |c: char| c.to_digit(16).ok_or("no hexadecimal digit");
    let digits = line.chars().map(digit).collect::<Result<Vec<_>, _>>()?;
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

fn run() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let keys = input.lines().map(bytes_of).collect::<Outcome<Vec<_>>>()?;
    match args[..] {
        ["write", "rust-bloomfilter", "bytes", n, fpr, out] => write::<[u8]>(n.parse()?, fpr.parse()?, &keys, out),
        ["write", "rust-bloomfilter", "str", n, fpr, out] => write::<str>(n.parse()?, fpr.parse()?, &keys, out),
        ["ask", "rust-bloomfilter", "bytes", file] => ask::<[u8]>(&keys, file),
        ["ask", "rust-bloomfilter", "str", file] => ask::<str>(&keys, file),
        _ => Err("no such filter here; usage: write FORMAT VARIANT N FPR OUT | ask FORMAT VARIANT FILE".into()),
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("rust: {error}");
        std::process::exit(1);
    }
}
