//! Replacing a file in one step: a temporary beside it, synced, renamed over it, and the folder synced.
//!
//! After success the file survives a power cut; after an error or a crash the old file or the new one is there, whole. After
//! an error no temporary is left. Its name, `.NAME.PROCESS-NUMBER.seen-tmp`, has the process and a number in it, so that
//! simultaneous saves do not collide. NAME is cut if the whole would be too long for a name. Links stay: the file at the end
//! of the chain is replaced, or made if it does not exist. Pipes and devices are written in place.

use crate::error::Error;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Appends bytes to the new file.
type Append<'a> = dyn FnMut(&[u8]) -> Result<(), Error> + 'a;

/// Calls `fill` with a function that appends to the new file, then puts that in place.
pub(crate) fn replace(path: &Path, fill: impl FnOnce(&mut Append<'_>) -> Result<(), Error>) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(old) if !old.is_file() && !old.is_dir() => return write_in_place(path, fill),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(io("look at", path)(error)),
        _ => {}
    }
    let path = end_of_links(path)?;
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

fn write_in_place(path: &Path, fill: impl FnOnce(&mut Append<'_>) -> Result<(), Error>) -> Result<(), Error> {
    let mut file = File::options().write(true).open(path).map_err(io("open", path))?;
    fill(&mut |bytes| file.write_all(bytes).map_err(io("write", path)))
}

/// Where a chain of symbolic links ends, whether or not there is a file.
fn end_of_links(path: &Path) -> Result<PathBuf, Error> {
    const MOST_LINKS: u32 = 40; // as many as Linux follows
    let mut at = path.to_path_buf();
    for _ in 0..=MOST_LINKS {
        match fs::read_link(&at) {
            Ok(named) => at = at.parent().unwrap_or(Path::new("")).join(named),
            Err(_) => return Ok(at), // it is not a link, or there is nothing
        }
    }
    let loops = std::io::Error::new(ErrorKind::InvalidInput, "too many levels of symbolic links");
    Err(io("follow the links from", path)(loops))
}

/// The beginning of a name: whole characters in at most this many bytes.
fn cut(name: &OsStr, room: usize) -> Cow<'_, OsStr> {
    if name.len() <= room {
        return Cow::Borrowed(name);
    }
    let mut text = name.to_string_lossy().into_owned();
    let end = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.truncate(end);
    Cow::Owned(text.into())
}

fn temporary_beside(path: &Path) -> Result<PathBuf, Error> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| Error::InvalidArgument(format!("{} is not the name of a file", path.display())))?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    const LONGEST_NAME: usize = 255; // bytes, of nearly every file system
    let mark = format!(".{}-{number}.seen-tmp", std::process::id());
    let mut hidden = OsString::from(".");
    hidden.push(cut(name, LONGEST_NAME - 1 - mark.len()));
    hidden.push(mark);
    Ok(path.with_file_name(hidden))
}

fn write_and_rename(
    temporary: &Path,
    path: &Path,
    fill: impl FnOnce(&mut Append<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    // Errors name the file that was asked for, and not one that is gone when they are read.
    let mut file = File::create(temporary).map_err(io("create", path))?;
    fill(&mut |bytes| file.write_all(bytes).map_err(io("write", path)))?;
    if let Ok(old) = fs::metadata(path) {
        file.set_permissions(old.permissions()).map_err(io("set the permissions of", path))?;
    }
    file.sync_all().map_err(io("sync", path))?;
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
