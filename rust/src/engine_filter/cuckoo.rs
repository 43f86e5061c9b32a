//! Changing a cuckoo filter: a fingerprint goes to the emptier of its two buckets, and where both are full others make room.
//!
//! ```text
//! root a  [x x x x]──►[x x x x]──►[x x . x]     each arrow: one of four fingerprints, to its other bucket
//! root c  [x x x x]──►…
//! ```
//!
//! The search for room is breadth first, in the chunk of the key, through at most 500 buckets. Nothing moves before the whole
//! way is known, and moving begins at its free end: a search that finds nothing has changed nothing. No choice is random, so
//! the bytes are a function of the operations and their order, the same in every language.
//! [Fan, Andersen, Kaminsky, Mitzenmacher 2014]

use super::EngineFilter;
use crate::any::cuckoo::{Cuckoo, Table, SLOTS};
use crate::batch;
use crate::cells::{CellsMut, Memory};
use crate::error::Error;
use crate::hash::Digest;
use crate::key::Key;
use alloc::format;

/// Buckets that a search comes to before it gives up.
const MOST_STEPS: usize = 500;

/// A full bucket, and from where: over slot `slot` of the bucket of step `parent`.
#[derive(Clone, Copy, Default)]
struct Step {
    bucket: u64,
    parent: u16,
    slot: u8,
}

impl Table {
    fn set_slot(&self, body: &mut CellsMut<'_>, bucket: u64, slot: u64, fingerprint: u64) {
        body.set_bits((SLOTS * bucket + slot) * u64::from(self.width), self.width, fingerprint);
    }

    fn get(&self, memory: &Memory, bucket: u64, slot: u64) -> u64 {
        self.slot(memory.cells(), SLOTS * bucket + slot)
    }

    /// False: there is no room, and nothing has changed.
    fn add(&self, memory: &mut Memory, digest: u64) -> bool {
        let ([first, second], fingerprint) = self.place(digest);
        let (in_first, in_second) = (self.find(memory.cells(), first, 0), self.find(memory.cells(), second, 0));
        let (bucket, slot) = match (in_first, in_second) {
            (Some(a), Some(b)) if b < a => (second, b),
            (Some(a), _) => (first, a),
            (None, Some(b)) => (second, b),
            (None, None) => match self.make_room(memory, [first, second]) {
                Some(place) => place,
                None => return false,
            },
        };
        self.set_slot(&mut memory.cells_mut(), bucket, slot, fingerprint);
        true
    }

    /// Moves fingerprints until a slot of one of two full buckets is free, and says which.
    fn make_room(&self, memory: &mut Memory, pair: [u64; 2]) -> Option<(u64, u64)> {
        let mut steps = [Step::default(); MOST_STEPS];
        // Either root counts as reached from the other.
        steps[0] = Step { bucket: pair[0], parent: 1, slot: 0 };
        steps[1] = Step { bucket: pair[1], parent: 0, slot: 0 };
        let mut known = 2;
        let mut at = 0;
        while at < known {
            let here = steps[at].bucket;
            let mut others = [0; SLOTS as usize];
            for (slot, other) in others.iter_mut().enumerate() {
                *other = self.other(here, self.get(memory, here, slot as u64));
            }
            let found =
                others.iter().enumerate().find_map(|(slot, &other)| Some((slot, self.find(memory.cells(), other, 0)?)));
            if let Some((slot, free)) = found {
                return Some(self.walk(memory, &steps, at, slot, (others[slot], free)));
            }
            let from = steps[usize::from(steps[at].parent)].bucket;
            for (slot, &bucket) in others.iter().enumerate() {
                // Not back to where we came from.
                if known < MOST_STEPS && bucket != from {
                    steps[known] = Step { bucket, parent: at as u16, slot: slot as u8 };
                    known += 1;
                }
            }
            at += 1;
        }
        None
    }

    /// Moves every fingerprint on the way, from its free end on; the slot of a root that is to be filled now.
    fn walk(&self, memory: &mut Memory, steps: &[Step], last: usize, slot: usize, free: (u64, u64)) -> (u64, u64) {
        let (mut at, mut slot, mut to) = (last, slot as u64, free);
        loop {
            let from = (steps[at].bucket, slot);
            let moved = self.get(memory, from.0, from.1);
            self.set_slot(&mut memory.cells_mut(), to.0, to.1, moved);
            if at < 2 {
                return from;
            }
            to = from;
            slot = steps[at].slot.into();
            at = steps[at].parent.into();
        }
    }
}

/// What a cuckoo filter can do.
impl EngineFilter<Cuckoo> {
    /// Adds a key. One key fits eight times.
    ///
    /// # Errors
    /// [`Error::Full`]: there is no room, and nothing has changed. Up to the planned capacity that has odds near 10^-6.
    ///
    /// ```
    /// use seenfilter::{Cuckoo, Error, Target};
    /// let mut few = Cuckoo::new(Target { capacity: 10, fpr: 0.01 })?;
    /// let full = (0..1000).map(|i| few.add(i)).find_map(Result::err).unwrap();
    /// assert!(matches!(full, Error::Full(_)));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn add<K: Key>(&mut self, key: K) -> Result<(), Error> {
        let digest = self.hash.digest(key);
        self.add_digest(digest)
    }

    /// Adds a digest.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_digest(&mut self, digest: Digest) -> Result<(), Error> {
        if !self.engine.table.add(&mut self.memory, digest.0) {
            return Err(self.full());
        }
        self.engine.used += 1;
        Ok(())
    }

    fn full(&self) -> Error {
        let (used, slots) = (self.engine.used, self.engine.table.slots());
        Error::Full(format!("add: no room for another key: {used} of {slots} slots are taken"))
    }

    /// Adds keys from the front until one finds no room; returns how many were added.
    pub fn add_many<K: Key>(&mut self, keys: &[K]) -> usize {
        let (table, memory) = (self.engine.table, &mut self.memory);
        let mut added = 0;
        let mut has_room = true;
        batch::for_each_tile(&self.hash, keys, |_, digests| {
            for &digest in digests {
                has_room = has_room && table.add(memory, digest);
                added += usize::from(has_room);
            }
        });
        self.engine.used += added as u64;
        added
    }

    /// Takes a key out; false, and nothing changed, if it tests absent. Only of keys that were added: one that merely tests
    /// present shares another's fingerprint, which would be lost.
    ///
    /// ```
    /// use seenfilter::{Cuckoo, Target};
    /// let mut sessions = Cuckoo::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// sessions.add("alice")?;
    /// assert!(sessions.remove("alice") && !sessions.remove("alice"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    pub fn remove<K: Key>(&mut self, key: K) -> bool {
        let table = self.engine.table;
        let (buckets, fingerprint) = table.place(self.hash.digest(key).0);
        for bucket in buckets {
            if let Some(slot) = table.find(self.memory.cells(), bucket, fingerprint) {
                table.set_slot(&mut self.memory.cells_mut(), bucket, slot, 0);
                self.engine.used -= 1;
                return true;
            }
        }
        false
    }

    /// How often a key was added at most, from 0 to 8; 0 exactly where it tests absent.
    #[must_use]
    pub fn count<K: Key>(&self, key: K) -> u64 {
        let table = self.engine.table;
        let (buckets, fingerprint) = table.place(self.hash.digest(key).0);
        let all = buckets.iter().flat_map(|&bucket| (0..SLOTS).map(move |slot| (bucket, slot)));
        all.filter(|&(bucket, slot)| table.get(&self.memory, bucket, slot) == fingerprint).count() as u64
    }

    /// The exact number of keys in it, equal ones counted as often as they were added.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.engine.used
    }

    /// Whether there is no key in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.engine.used == 0
    }
}
