//! Changing a counting filter: adds raise the counters of a key, removals lower them.
//!
//! ```text
//! counters  0 3 0 0 1 0 0 2      add +1 each, remove −1 each; one at its maximum 2^w − 1 is stuck: it no longer knows
//!             ▲     ▲     ▲      how many adds it stands for, and stays
//! ```
//!
//! Where two probes of a key fall on one counter an add raises it twice and a removal lowers it twice.
//! [Fan, Cao, Almeida, Broder 2000]

use super::EngineFilter;
use crate::any::counting::CounterEngine;
use crate::batch;
use crate::cells::{low_bits, CellsMut, Memory};
use crate::error::Error;
use crate::filter::check_same_hash;
use crate::hash::Digest;
use crate::key::Key;
use alloc::format;

/// Calls `step` with a counter and puts what it returns in its place.
#[inline]
fn change(body: &mut CellsMut<'_>, width: u32, at: u64, step: impl FnOnce(u64) -> u64) {
    // No counter straddles two words: widths are divisors of 64.
    let (cell, shift) = ((at * u64::from(width) / 64) as usize, (at * u64::from(width) % 64) as u32);
    if let Some(cell) = body.0.get_mut(cell) {
        let word = cell.load();
        let (maximum, counter) = (low_bits(width), word >> shift & low_bits(width));
        if counter != maximum {
            cell.set(word & !(maximum << shift) | step(counter) << shift);
        }
    }
}

#[inline]
fn raise<E: CounterEngine>(engine: &E, memory: &mut Memory, digest: u64) {
    let (width, mut body) = (engine.width(), memory.cells_mut());
    engine.visit(digest, |at| {
        change(&mut body, width, at, |counter| counter + 1);
        true
    });
}

/// The words of two filters added counter by counter, each of which stops at its maximum.
fn sum(a: u64, b: u64, width: u32) -> u64 {
    let maximum = low_bits(width);
    (0..64 / width).map(|i| i * width).fold(0, |sum, shift| {
        let counter = ((a >> shift & maximum) + (b >> shift & maximum)).min(maximum);
        sum | counter << shift
    })
}

/// What a counting filter can do.
impl<E: CounterEngine> EngineFilter<E> {
    /// Adds a key.
    ///
    /// ```
    /// use seenfilter::{CountingBloom, Target};
    /// let mut sessions = CountingBloom::new(Target { capacity: 1000, fpr: 0.01 })?;
    /// sessions.add("alice");
    /// sessions.add("alice");
    /// assert_eq!(sessions.count("alice"), 2);
    /// assert!(sessions.remove("alice") && sessions.may_contain("alice"));
    /// assert!(sessions.remove("alice") && !sessions.may_contain("alice"));
    /// # Ok::<(), seenfilter::Error>(())
    /// ```
    #[inline]
    pub fn add<K: Key>(&mut self, key: K) {
        let digest = self.hash.digest(key);
        self.add_digest(digest);
    }

    /// Adds a digest.
    #[inline]
    pub fn add_digest(&mut self, digest: Digest) {
        raise(&self.engine, &mut self.memory, digest.0);
    }

    /// Adds many keys.
    pub fn add_many<K: Key>(&mut self, keys: &[K]) {
        let (engine, memory) = (&self.engine, &mut self.memory);
        batch::for_each_tile(&self.hash, keys, |_, digests| {
            digests.iter().for_each(|&digest| raise(engine, memory, digest));
        });
    }

    /// Adds a key once more, and returns whether it may have been present before.
    pub fn test_and_add<K: Key>(&mut self, key: K) -> bool {
        let digest = self.hash.digest(key);
        let present = self.may_contain_digest(digest);
        self.add_digest(digest);
        present
    }

    /// Takes out one add of a key; false, and nothing changed, if it tests absent. Only of keys that were added: for one that
    /// merely tests present it would lower the counters of others.
    pub fn remove<K: Key>(&mut self, key: K) -> bool {
        let digest = self.hash.digest(key);
        if !self.may_contain_digest(digest) {
            return false;
        }
        let (width, mut body) = (self.engine.width(), self.memory.cells_mut());
        self.engine.visit(digest.0, |at| {
            change(&mut body, width, at, |counter| counter.saturating_sub(1));
            true
        });
        true
    }

    /// How often a key was added and not removed, at most; 0 exactly where it tests absent. The maximum of a counter, 2^w − 1,
    /// means so often or more.
    #[must_use]
    pub fn count<K: Key>(&self, key: K) -> u64 {
        let (width, body) = (self.engine.width(), self.memory.cells());
        let mut least = low_bits(width);
        self.engine.visit(self.hash.digest(key).0, |at| {
            least = least.min(body.bits(at * u64::from(width), width));
            least != 0
        });
        least
    }

    /// The counters at their maximum, which stay there.
    #[must_use]
    pub fn stuck_counters(&self) -> u64 {
        let (width, body) = (self.engine.width(), self.memory.cells());
        let is_stuck = |&at: &u64| body.bits(at * u64::from(width), width) == low_bits(width);
        (0..self.engine.counters()).filter(is_stuck).count() as u64
    }

    /// Adds all adds to another filter of the same shape and hash.
    ///
    /// # Errors
    /// [`Error::Incompatible`]: shape or hash differ, and nothing has changed.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.engine != other.engine {
            let (here, there) = (self.engine.shape(), other.engine.shape());
            return Err(Error::Incompatible(format!("merge: shapes differ: {here:?} here, {there:?} there")));
        }
        check_same_hash("merge", &self.hash, &other.hash)?;
        let width = self.engine.width();
        for (here, there) in self.memory.cells_mut().0.iter_mut().zip(other.memory.cells().0) {
            here.set(sum(here.load(), there.load(), width));
        }
        Ok(())
    }
}

/// Adds every key, hashed a tile at a time.
impl<E: CounterEngine, K: Key> Extend<K> for EngineFilter<E> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let (engine, memory) = (&self.engine, &mut self.memory);
        batch::for_each_digest(&self.hash, keys, |digest| raise(engine, memory, digest));
    }
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn words_are_added_counter_by_counter_up_to_the_maximum() {
        assert_eq!(sum(0x10f2, 0x2013, 4), 0x30f5);
        assert_eq!(sum(0xff01, 0x0102, 8), 0xff03);
        assert_eq!(sum(u64::MAX, u64::MAX, 16), u64::MAX);
        assert_eq!(sum(0b0001_1011, 0b0001_0101, 2), 0b0010_1111);
    }
}
