//! How much of a filter lies in huge pages, as the system says it: fewer of them miss the tables that find memory.
//!
//! ```text
//! 7f2a40000000-7f2a48000000 rw-p 00000000 00:00 0          /proc/self/smaps of Linux: the mappings of the process,
//! AnonHugePages:    131072 kB                              each with a line per figure
//! ```
//!
//! What a mapping has is not said to the page: where a filter shares one, what it is told is the most that it can have.

use std::io::{BufRead, BufReader};

/// Bytes of a page of x86-64 that is huge; of less than half of one nobody asks.
const HUGE_PAGE: u64 = 2 << 20;

const FIGURES: [&str; 5] =
    ["AnonHugePages:", "FilePmdMapped:", "ShmemPmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:"];

/// The bytes in huge pages of so many from an address on; none where the system does not say.
pub(crate) fn huge_page_bytes(address: usize, bytes: u64) -> Option<u64> {
    if bytes < HUGE_PAGE / 2 {
        return Some(0);
    }
    let maps = std::fs::File::open("/proc/self/smaps").ok()?;
    Some(sum(BufReader::new(maps), address as u64, bytes))
}

fn sum(maps: impl BufRead, first: u64, bytes: u64) -> u64 {
    let last = first.saturating_add(bytes);
    let (mut found, mut overlap, mut here) = (0, 0, 0);
    for line in maps.split(b'\n').map_while(Result::ok) {
        // A name of a file need not be text, and stands behind what is of interest.
        let line = String::from_utf8_lossy(&line);
        if let Some((begin, end)) = range_of(&line) {
            found += overlap.min(here);
            overlap = end.min(last).saturating_sub(begin.max(first));
            here = 0;
        } else if overlap != 0 && FIGURES.iter().any(|figure| line.starts_with(figure)) {
            let kib = line.split_ascii_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
            here += kib.unwrap_or(0) << 10;
        }
    }
    found + overlap.min(here)
}

/// "7f2a40000000-7f2a48000000 rw-p …"
fn range_of(line: &str) -> Option<(u64, u64)> {
    let (begin, end) = line.split(' ').next()?.split_once('-')?;
    Some((u64::from_str_radix(begin, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::sum;

    const MAPS: &str = "\
        10000000-10400000 rw-p 00000000 00:00 0 \n\
        Size:               4096 kB\n\
        AnonHugePages:      2048 kB\n\
        20000000-20800000 r--s 00000000 08:01 42 /some/file with spaces and a-dash\n\
        FilePmdMapped:      6144 kB\n\
        Shared_Hugetlb:     2048 kB\n\
        VmFlags: rd\n";

    #[test]
    fn figures_count_for_the_mappings_that_a_filter_is_in() {
        let mib = |mib: u64| mib << 20;
        for (first, bytes, expected) in [
            (0x1000_0000, mib(4), mib(2)),
            (0x1020_0000, mib(4), mib(2)),    // half of it: it may be that half
            (0x1000_0000, mib(1), mib(1)),    // no more than it has
            (0x2000_0000, mib(8), mib(8)),    // two figures
            (0x1000_0000, mib(264), mib(10)), // both mappings
            (0x3000_0000, mib(8), 0),
        ] {
            assert_eq!(sum(MAPS.as_bytes(), first, bytes), expected, "{first:x} {bytes}");
        }
    }
}
