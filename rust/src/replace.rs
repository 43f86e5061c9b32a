//! Replacing a file in one step: a temporary beside it, synced, renamed over it, and the folder synced.
//!
//! After success the file survives a power cut; after an error or a crash the old file or the new one is there, whole. After
//! an error no temporary is left. Its name has the process and a number in it, so that saves at once do not meet.

use crate::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Appends bytes to the new file.
type Append<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + 'a;

/// Calls `fill` with a function that appends to the new file, then puts that in place.
pub(crate) fn replace(path: &Path, fill: impl FnOnce(&mut Append<'_>) -> Result<(), Error>) -> Result<(), Error> {
    // Through a link to the file it leads to; a new file has no such path yet.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let temporary = temporary_beside(&path)?;
    let done = write_and_rename(&temporary, &path, fill);
    if done.is_err() {
        // Of the two errors the first is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    done?;
    sync_folder(&path)
}

fn io(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let doing = format!("{what} {}", path.display());
    |source| Error::Io { doing, source }
}

fn temporary_beside(path: &Path) -> Result<PathBuf, Error> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| Error::InvalidArgument(format!("{} is not the name of a file", path.display())))?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{number}.seen-tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn write_and_rename(
    temporary: &Path,
    path: &Path,
    fill: impl FnOnce(&mut Append<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut file = File::create(temporary).map_err(io("create", temporary))?;
    fill(&mut |bytes| file.write_all(bytes).map_err(io("write", temporary)))?;
    if let Ok(old) = fs::metadata(path) {
        file.set_permissions(old.permissions()).map_err(io("set the permissions of", temporary))?;
    }
    file.sync_all().map_err(io("sync", temporary))?;
    fs::rename(temporary, path).map_err(io("replace", path))
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<(), Error> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io("sync the folder", folder))
}

// Elsewhere a folder cannot be opened as a file, and renames are durable when the system says so.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<(), Error> {
    Ok(())
}
