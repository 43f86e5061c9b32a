//! Changing a filter that grows: a chain of filters, each larger and stricter than the one before.
//!
//! ```text
//! link      0        1            2            …          capacity ceil(n0·r^i), rate p0·s^i, p0 = fpr·(1 − s)
//! keys   [ n0 ] [   n0·r   ] [      n0·r²      ]
//! ```
//!
//! A key that some link may hold already is left alone; any other goes to the newest link that has room, and is counted
//! there. Where none has, a link is made first, of r times the largest capacity and s times the strictest rate so far.
//! [Almeida, Baquero, Preguiça, Hutchison 2007]

use super::EngineFilter;
use crate::any::chain::{Chain, Link, LinkShape, MOST_LINKS};
use crate::any::engine::Engine;
use crate::batch;
use crate::error::Error;
use crate::filter::check_same_hash;
use crate::hash::Digest;
use crate::key::Key;
use crate::words::{Words, WordsMut};
use crate::Target;
use alloc::format;
use alloc::vec::Vec;

/// What a filter that grows can do.
impl<S: LinkShape> EngineFilter<Chain<S>> {
    /// Adds a key, unless it may be there already. The filter grows where it has to.
    ///
    /// # Errors
    /// There is no memory for the next link, or there can be none: the chain has 255, or the next rate is beyond reach.
    /// Nothing has changed then.
    ///
    /// ```
    /// use seenfilter::{ScalableBloom, Target};
    /// let mut visited = ScalableBloom::new(Target { capacity: 100, fpr: 0.01 })?; // at first; any number may come
    /// for page in 0..10_000 {
    ///     visited.add(page)?;
    /// }
    /// assert!((0..10_000).all(|page| visited.may_contain(page)));
    /// assert!(visited.links() > 5 && visited.estimated_fpr() < 0.011);
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
        self.test_and_add_digest(digest).map(|_| ())
    }

    /// Adds many keys, one after the other.
    ///
    /// # Errors
    /// As [`add`](Self::add); the keys before the one that failed are in.
    pub fn add_many<K: Key>(&mut self, keys: &[K]) -> Result<(), Error> {
        let hash = self.hash;
        let mut outcome = Ok(());
        batch::for_each_tile(&hash, keys, |_, digests| {
            for &digest in digests {
                if outcome.is_ok() {
                    outcome = self.add_digest(Digest(digest));
                }
            }
        });
        outcome
    }

    /// Adds a key and returns whether it may have been present before.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn test_and_add<K: Key>(&mut self, key: K) -> Result<bool, Error> {
        let digest = self.hash.digest(key);
        self.test_and_add_digest(digest)
    }

    fn test_and_add_digest(&mut self, digest: Digest) -> Result<bool, Error> {
        if self.may_contain_digest(digest) {
            return Ok(true);
        }
        let index = match self.engine.links.iter().rposition(Link::has_room) {
            Some(index) => index,
            None => self.grow()?,
        };
        if let Some(link) = self.engine.links.get_mut(index) {
            link.filter.0.add(&mut self.memory.part_mut(link.at.clone()), digest.0);
            link.keys += 1;
        }
        Ok(false)
    }

    /// Makes the next link, and says which it is.
    fn grow(&mut self) -> Result<usize, Error> {
        let links = &self.engine.links;
        if links.len() == MOST_LINKS {
            return Err(Error::TooLarge(format!("add: the chain has {MOST_LINKS} links, and all are full")));
        }
        let no_next = |why: &str| Error::TooLarge(format!("add: there can be no next link: {why}"));
        let largest = links.iter().map(|link| link.made_for.capacity).max().unwrap_or(0);
        let strictest = links.iter().map(|link| link.made_for.fpr).fold(1.0, f64::min);
        let shape = self.engine.shape;
        let capacity = shape.capacity_after(largest).ok_or_else(|| no_next("it would hold more than 2^64 keys"))?;
        let end = links.last().map_or(0, |link| link.at.end);
        let next = Link::planned(Target { capacity, fpr: strictest * shape.tightening }, end)
            .map_err(|e| no_next(&format!("{e}")))?;
        self.memory = self.memory.longer_by(next.at.len() as u64)?;
        self.engine.links.push(next);
        Ok(self.engine.links.len() - 1)
    }

    /// How many links it has.
    #[must_use]
    pub fn links(&self) -> usize {
        self.engine.links.len()
    }

    /// The sum of the links' rates: above the rate of the chain even if every link is full.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.engine.links.iter().map(|link| link.made_for.fpr).sum()
    }

    /// Takes over copies of another chain's links, those without a key excepted, whatever their shapes. The rate is then the sum
    /// of both, and keys of both chains are counted twice.
    ///
    /// # Errors
    /// [`Error::Incompatible`]: the hashes differ, or there would be more than 255 links; nothing has changed then. The same
    /// where there is no memory.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        check_same_hash("merge", &self.hash, &other.hash)?;
        let theirs = other.memory.cells();
        let has_keys = |link: &&Link<S>| link.keys != 0 || link.filter.census(link.body(theirs)) != 0;
        let taken: Vec<&Link<S>> = other.engine.links.iter().filter(has_keys).collect();
        let here = self.engine.links.len();
        if here + taken.len() > MOST_LINKS {
            let there = taken.len();
            return Err(Error::Incompatible(format!(
                "merge: too many links: {here} here, {there} there; a chain has at most {MOST_LINKS}"
            )));
        }
        let mut end = self.engine.links.last().map_or(0, |link| link.at.end);
        self.memory = self.memory.longer_by(taken.iter().map(|link| link.at.len() as u64).sum())?;
        for link in taken {
            let copy = Link { at: end..end + link.at.len(), ..link.clone() };
            end = copy.at.end;
            let (from, mut to) = (link.body(theirs), self.memory.part_mut(copy.at.clone()));
            (0..from.0.len()).for_each(|i| to.set(i, from.word(i)));
            self.engine.links.push(copy);
        }
        Ok(())
    }
}

/// Adds every key.
///
/// # Panics
/// Where [`add`](EngineFilter::add) has an error: there is no memory for the next link, or there can be none.
impl<S: LinkShape, K: Key> Extend<K> for EngineFilter<Chain<S>> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let hash = self.hash;
        batch::for_each_digest(&hash, keys, |digest| {
            if let Err(error) = self.add_digest(Digest(digest)) {
                panic!("extend: {error}");
            }
        });
    }
}

/// A filter of any number of keys, at a rate of 1 %: it begins with room for as many as the iterator promises, 1000 at least.
///
/// Filters that cannot grow have no such conversion: an iterator does not know how many keys it has, and says no rate.
///
/// # Panics
/// As `extend`.
///
/// ```
/// use seenfilter::ScalableBloom;
/// let visited: ScalableBloom = ["alice", "bob"].into_iter().collect();
/// assert!(visited.may_contain("bob") && !visited.may_contain("carol"));
/// ```
impl<S: LinkShape, K: Key> FromIterator<K> for EngineFilter<Chain<S>> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let keys = keys.into_iter();
        // A promise is believed up to 64 MB.
        let capacity = keys.size_hint().0.clamp(1000, 1 << 25) as u64;
        let mut filter = match Self::new(Target { capacity, fpr: 0.01 }) {
            Ok(filter) => filter,
            Err(error) => panic!("collect: {error}"),
        };
        filter.extend(keys);
        filter
    }
}
