//! The driver of the conformance kit: writes the filters of all cases it can, or reads and asks the files of another writer.
//!
//! ```text
//! kit write KIT OUT         makes the filter of each case, saves it as OUT/<name>, prints the name
//! kit read KIT IN OUT       loads IN/<name> (every second case through a map), writes the answers to OUT/<name>
//! ```

#[path = "../tests/support/kit.rs"]
mod kit;

use kit::{bitmap, keys, opened, table, written, Way};
use std::error::Error;
use std::fs;
use std::path::Path;

fn write(kit: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    for case in table(kit, "cases.tsv") {
        if let Some(bytes) = written(&case) {
            let name = case.text("name");
            fs::write(out.join(name), bytes.map_err(|e| format!("{name}: {e}"))?)?;
            println!("{name}");
        }
    }
    Ok(())
}

fn read(kit: &Path, from: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    for (i, case) in table(kit, "cases.tsv").iter().enumerate() {
        let name = case.text("name");
        let path = from.join(name);
        if !path.exists() {
            continue;
        }
        let way = if i % 2 == 0 { Way::Map(&path) } else { Way::Load(&path) };
        if let Some(filter) = opened(case, way) {
            let answers = filter.map_err(|e| format!("{name}: {e}"))?.may_contain_many(&keys(case.text("probes")));
            fs::write(out.join(name), bitmap(&answers))?;
            println!("{name}");
        }
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["write", kit, out] => write(Path::new(kit), Path::new(out)),
        ["read", kit, from, out] => read(Path::new(kit), Path::new(from), Path::new(out)),
        _ => Err("usage: kit write KIT OUT | kit read KIT IN OUT".into()),
    };
    if let Err(e) = done {
        eprintln!("{e}");
        std::process::exit(1);
    }
}
