//! The checksums of a native file, written from its specification: hostile tests lie with it.

use seenfilter::HashFunction;

/// The integer of `bytes` bytes at an offset; 0 beyond the end.
pub fn number(file: &[u8], offset: usize, bytes: usize) -> u64 {
    let at = |i: usize| u64::from(*file.get(offset + i).unwrap_or(&0));
    (0..bytes).map(|i| at(i) << (8 * i)).sum()
}

pub fn put(file: &mut [u8], offset: usize, value: u64) {
    if let Some(place) = file.get_mut(offset..offset.saturating_add(8)) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    HashFunction::Xxh3_64 { seed: 0 }.digest(bytes).0
}

/// Puts all checksums right, as far as the header lets them be found; and the census, where it counts set bits.
pub fn repair(file: &mut [u8], census: bool) {
    let header = number(file, 12, 4) as usize;
    if !(144..=file.len()).contains(&header) {
        return;
    }
    let body_offset = number(file, 72, 8) as usize;
    let body_bytes = number(file, 80, 8) as usize;
    let page = number(file, 88, 8).max(1) as usize;
    let table = body_offset.saturating_add(body_bytes);
    if header <= body_offset && table <= file.len() && body_bytes / page < file.len() / 8 {
        let body = file[body_offset..table].to_vec();
        for (i, page) in body.chunks(page).enumerate() {
            put(file, table + 8 * i, checksum(page));
        }
        let pages = body.len() / page + usize::from(body.len() % page != 0);
        if let Some(sums) = file.get(table..table + 8 * pages) {
            put(file, header - 16, checksum(sums));
        }
        if census {
            put(file, header - 24, body.iter().map(|byte| u64::from(byte.count_ones())).sum());
        }
    }
    put(file, header - 40, checksum(&file[..header - 40]));
    put(file, header - 8, checksum(&file[header - 40..header - 8]));
}
