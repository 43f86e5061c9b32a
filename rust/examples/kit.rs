//! The driver of the conformance kit: writes the filters of all cases it can, or reads and asks the files of another writer.
//!
//! ```text
//! kit write KIT OUT         makes the filter of each case, saves it as OUT/<name>, prints the name
//! kit read KIT IN OUT       loads IN/<name> (every second case through a map), writes the answers to OUT/<name>
//! kit beside FILE KEYS      maps FILE and asks the keys until all may be present, while another process adds them in place;
//!                           after a line on standard input, by when it is sealed, verifies it. Says what is done
//! ```

#[path = "../tests/support/kit.rs"]
mod kit;

use kit::{bitmap, keys, opened, table, written, Way};
use seenfilter::AnyFilter;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

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

fn beside(path: &Path, set: &str) -> Result<(), Box<dyn Error>> {
    let (keys, filter) = (keys(set), AnyFilter::map(path)?);
    println!("mapped");
    let deadline = Instant::now() + Duration::from_secs(60);
    while filter.may_contain_many(&keys).contains(&false) {
        if Instant::now() > deadline {
            return Err("the keys do not come".into());
        }
    }
    println!("found");
    // What is copied of it meanwhile is a filter like any other, and says of its own bytes what is true.
    if AnyFilter::from_bytes(&filter.to_bytes()?)?.may_contain_many(&keys).contains(&false) {
        return Err("a copy has lost keys".into());
    }
    let outcomes = (filter.verify(), AnyFilter::map(path).map(|_| ()));
    if !matches!(outcomes, (Err(seenfilter::Error::Unsealed(_)), Err(seenfilter::Error::Unsealed(_)))) {
        return Err(format!("verified or mapped while it is written to: {outcomes:?}").into());
    }
    println!("unsealed");
    std::io::stdin().read_line(&mut String::new())?;
    filter.verify()?;
    println!("verified");
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["write", kit, out] => write(Path::new(kit), Path::new(out)),
        ["read", kit, from, out] => read(Path::new(kit), Path::new(from), Path::new(out)),
        ["beside", path, keys] => beside(Path::new(path), keys),
        _ => Err("usage: kit write KIT OUT | kit read KIT IN OUT | kit beside FILE KEYS".into()),
    };
    if let Err(e) = done {
        eprintln!("{e}");
        std::process::exit(1);
    }
}
