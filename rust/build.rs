//! Tells the crate what its compiler can do: `Key` explains itself from Rust 1.78 on, and errors without a standard library are
//! errors to everybody from 1.81 on. No `cfg` of the language says so.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(explains_traits, core_error)");
    let said = std::env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("--version").output().ok());
    // "rustc 1.78.0 (9b00956e5 2024-04-29)"; whatever is not understood is an old one.
    let minor = said.and_then(|said| {
        let version = String::from_utf8(said.stdout).ok()?;
        version.split('.').nth(1)?.parse::<u32>().ok()
    });
    if minor >= Some(78) {
        println!("cargo:rustc-cfg=explains_traits");
    }
    if minor >= Some(81) {
        println!("cargo:rustc-cfg=core_error");
    }
}
