//! A kind has a number, for files, and a name, for people. Neither ever changes.

use core::fmt;

/// The kinds of native filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum Kind {
    /// The classic: k bits anywhere.
    Bloom = 1,
    /// k bits, each in a slice of its own.
    PartitionedBloom = 2,
    /// All bits of a key in one cache line.
    BlockedBloom = 3,
    /// Apache Parquet's: eight bits in 256.
    SplitBlock = 4,
    /// Counters instead of bits.
    CountingBloom = 5,
    /// Counters in one cache line.
    BlockedCountingBloom = 6,
    /// A chain of blocked filters that grows.
    ScalableBloom = 7,
    /// Fingerprints in one of two buckets.
    Cuckoo = 8,
    /// A chain of cuckoo filters that grows.
    GrowingCuckoo = 9,
    /// Sorted fingerprints in a table.
    Quotient = 10,
    /// Keys that were added lately.
    WindowedBloom = 11,
    /// A chain of classic filters that grows.
    ScalableClassicBloom = 12,
    /// Static, three slots per key.
    Xor = 13,
    /// Static, three or four neighbouring slots per key.
    BinaryFuse = 14,
    /// Static, the fewest bits.
    Ribbon = 15,
}

impl Kind {
    /// All kinds, by their numbers in files, from 1 on.
    pub const ALL: [Kind; 15] = [
        Kind::Bloom,
        Kind::PartitionedBloom,
        Kind::BlockedBloom,
        Kind::SplitBlock,
        Kind::CountingBloom,
        Kind::BlockedCountingBloom,
        Kind::ScalableBloom,
        Kind::Cuckoo,
        Kind::GrowingCuckoo,
        Kind::Quotient,
        Kind::WindowedBloom,
        Kind::ScalableClassicBloom,
        Kind::Xor,
        Kind::BinaryFuse,
        Kind::Ribbon,
    ];

    /// The name used in the project: `"blocked-bloom"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bloom => "bloom",
            Kind::PartitionedBloom => "partitioned-bloom",
            Kind::BlockedBloom => "blocked-bloom",
            Kind::SplitBlock => "split-block",
            Kind::CountingBloom => "counting-bloom",
            Kind::BlockedCountingBloom => "blocked-counting-bloom",
            Kind::ScalableBloom => "scalable-bloom",
            Kind::Cuckoo => "cuckoo",
            Kind::GrowingCuckoo => "growing-cuckoo",
            Kind::Quotient => "quotient",
            Kind::WindowedBloom => "windowed-bloom",
            Kind::ScalableClassicBloom => "scalable-classic-bloom",
            Kind::Xor => "xor",
            Kind::BinaryFuse => "binary-fuse",
            Kind::Ribbon => "ribbon",
        }
    }

    /// The number in files.
    #[must_use]
    pub fn id(self) -> u16 {
        self as u16
    }

    /// A kind by its number in files.
    #[must_use]
    pub fn from_id(id: u16) -> Option<Kind> {
        Kind::ALL.get(usize::from(id).wrapping_sub(1)).copied()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
