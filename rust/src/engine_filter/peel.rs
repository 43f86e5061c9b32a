//! Solving a shard of a binary fuse filter: a table in which the few slots of a key exclusive-or to its fingerprint.
//!
//! Every key is an edge between the slots it reads. A slot that only one key reads can be given to that key: whatever the
//! key's other slots hold in the end, this one makes up for it. Once the key is taken out others become free, and so on. If no
//! key is left, the slots are filled in the reverse order. [Majewski, Wormald, Havas, Czech 1996; Walzer 2021]
//!
//! ```text
//! readers     [ 2 1 0 3 1 . . . . ]     per slot: keys that read it and are not taken out
//! links       [ ^ k ^ ^ k . . . . ]     per slot: exclusive or of those keys' numbers; one reader: its number
//! order       [ 1 4 … ]                 per key: slots in the order in which they were given away
//! ```
//!
//! The order decides the bytes, which are the same in every language: the slots are looked at in strides of 1024, from the
//! first. Those of a stride with one reader join a queue, in order; then the queue is emptied from the front. A slot that
//! still has one reader is given to it, each slot of that key has one reader less, and those that have one left and lie in
//! this stride or before it join the queue, in the order of the key's slots. A queue of 4096 takes no more: slots that it
//! cannot take are left, and after the last stride all slots are looked at again from the first, as long as that happens. Keys
//! become readers as the first sweep comes to their first slot. A slot that is never given away is 0.

use crate::any::shards::Place;
use crate::any::slots::{FuseEngine, Rule};
use crate::error::Error;
use alloc::format;
use alloc::vec::Vec;

const STRIDE: usize = 1024;
const QUEUE: usize = 4096;

/// So many zeros, or an error where there is no memory for them.
pub(super) fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>, Error> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(count).map_err(|_| {
        let bytes = count.saturating_mul(core::mem::size_of::<T>());
        Error::NoMemory(format!("build: need {bytes} bytes of memory; there are not so many"))
    })?;
    zeros.resize(count, T::default());
    Ok(zeros)
}

/// The memory of a solver, for one shard after the other.
pub(super) struct Peeler {
    arity: usize,
    readers: Vec<u8>,
    links: Vec<u32>,
    order: Vec<u32>,
    queue: Vec<u32>,
    /// What was solved: the slots of the shard.
    pub slots: Vec<u32>,
}

/// A shard with a seed: where the slots of its keys are.
#[derive(Clone, Copy)]
struct Edges<'a> {
    engine: &'a FuseEngine,
    shard: u64,
    seed: u8,
    digests: &'a [u64],
}

impl Edges<'_> {
    fn place(&self, number: usize) -> (Place, u64) {
        let digest = self.digests.get(number).copied().unwrap_or(0);
        (self.engine.shards.place_in(self.shard, self.seed, digest), digest)
    }

    /// The slots of a key, as many as it reads, and its fingerprint.
    #[inline]
    fn slots_of(&self, number: usize) -> ([usize; 4], u32) {
        let (place, digest) = self.place(number);
        let (low, high) = place.multiplied(digest);
        let (mut slots, mut known) = ([0; 4], 0);
        self.engine.rule.xor_of(place, low, high, |slot| {
            slots[known & 3] = slot as usize;
            known += 1;
            0
        });
        (slots, high as u32)
    }
}

impl Peeler {
    /// For shards of so many keys at most.
    pub(super) fn new(engine: &FuseEngine, keys: usize) -> Result<Self, Error> {
        let slots = engine.slots as usize;
        Ok(Peeler {
            arity: engine.rule.arity as usize,
            readers: zeros(slots)?,
            links: zeros(slots)?,
            order: zeros(keys)?,
            queue: zeros(QUEUE)?,
            slots: zeros(slots)?,
        })
    }

    /// Solves a shard from its digests, ascending and different, and asks for each of them. False: not with this seed.
    pub(super) fn solve(&mut self, engine: &FuseEngine, shard: u64, seed: u8, digests: &[u64]) -> bool {
        let edges = Edges { engine, shard, seed, digests };
        for numbers in [&mut self.links, &mut self.slots] {
            numbers.iter_mut().for_each(|number| *number = 0);
        }
        self.readers.iter_mut().for_each(|count| *count = 0);
        if !self.take_out_all(edges) {
            return false;
        }
        self.assign(edges);
        // Whatever might be wrong above, a key that is not found is never a filter's.
        let mask = crate::cells::low_bits(engine.width) as u32;
        (0..digests.len()).all(|number| {
            let (slots, fingerprint) = edges.slots_of(number);
            slots[..self.arity].iter().fold(fingerprint, |xor, &slot| xor ^ self.slots[slot]) & mask == 0
        })
    }

    fn take_out_all(&mut self, edges: Edges<'_>) -> bool {
        let (slots, mut taken, mut added) = (self.slots.len(), 0, 0);
        let (mut is_first, mut again) = (true, true);
        while again {
            again = false;
            for begin in (0..slots).step_by(STRIDE) {
                let end = slots.min(begin + STRIDE);
                if is_first && !self.add_readers(edges, &mut added, end) {
                    return false;
                }
                let mut waiting = 0;
                for slot in begin..end {
                    if self.readers[slot] == 1 {
                        self.queue[waiting] = slot as u32;
                        waiting += 1;
                    }
                }
                again |= !self.empty_queue(edges, waiting, end, &mut taken);
            }
            is_first = false;
        }
        taken == edges.digests.len()
    }

    /// Makes readers of the keys from number `next` on whose first slot is before `end`. False if a slot has 256 of them: such
    /// digests are not hashes.
    fn add_readers(&mut self, edges: Edges<'_>, next: &mut usize, end: usize) -> bool {
        let mut wrapped = false;
        while *next < edges.digests.len() {
            let (slots, _) = edges.slots_of(*next);
            if slots[0] >= end {
                break;
            }
            for &slot in &slots[..self.arity] {
                self.readers[slot] = self.readers[slot].wrapping_add(1);
                wrapped |= self.readers[slot] == 0;
                self.links[slot] ^= *next as u32;
            }
            *next += 1;
        }
        !wrapped
    }

    /// Empties a queue of `tail` slots; slots before `end` join it. False: one did not fit.
    fn empty_queue(&mut self, edges: Edges<'_>, mut tail: usize, end: usize, taken: &mut usize) -> bool {
        let (mut head, mut has_room) = (0, true);
        while head != tail {
            let slot = self.queue[head % QUEUE] as usize;
            if self.readers[slot] == 1 {
                let number = self.links[slot];
                self.order[*taken] = slot as u32;
                *taken += 1;
                let fits = tail - head <= QUEUE - self.arity;
                let (slots, _) = edges.slots_of(number as usize);
                for &at in &slots[..self.arity] {
                    self.readers[at] -= 1;
                    self.links[at] ^= number;
                    if self.readers[at] == 1 && at < end {
                        if fits {
                            self.queue[tail % QUEUE] = at as u32;
                            tail += 1;
                        }
                        has_room &= fits;
                    }
                }
                self.links[slot] = number;
            }
            head += 1;
        }
        has_room
    }

    /// The slot given away last comes first: its key's other slots are settled by then.
    fn assign(&mut self, edges: Edges<'_>) {
        for &slot in self.order[..edges.digests.len()].iter().rev() {
            let slot = slot as usize;
            let (slots, fingerprint) = edges.slots_of(self.links[slot] as usize);
            // Its own is 0 by now.
            self.slots[slot] = slots[..self.arity].iter().fold(fingerprint, |xor, &at| xor ^ self.slots[at]);
        }
    }
}
