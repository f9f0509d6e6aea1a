//! A map whose copies share their contents: a hash trie with copies on write (Bagwell 2001, without compression).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// Number of bits of the hash that select a branch at each level.
const BITS: u32 = 4;
const BRANCHES: usize = 1 << BITS;

/// Map from names to values. A copy takes constant time, and a change of a copy takes time logarithmic in the size.
#[derive(Clone, Debug)]
pub(crate) struct SharedMap<V> {
    root: Node<V>,
}

#[derive(Clone, Debug)]
enum Node<V> {
    /// Entries with the same beginning of their hashes.
    Leaf(Rc<Vec<(u64, Rc<str>, V)>>),
    Branch(Rc<[Node<V>; BRANCHES]>),
}

impl<V> Default for SharedMap<V> {
    fn default() -> Self {
        Self { root: Node::default() }
    }
}

impl<V> Default for Node<V> {
    fn default() -> Self {
        Self::Leaf(Rc::new(Vec::new()))
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

fn branch(hash: u64, level: u32) -> usize {
    (hash >> (BITS * level)) as usize % BRANCHES
}

impl<V: Clone> SharedMap<V> {
    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        let hash = hash(name);
        let (mut node, mut level) = (&self.root, 0);
        loop {
            match node {
                Node::Leaf(entries) => return entries.iter().find(|entry| *entry.1 == *name).map(|entry| &entry.2),
                Node::Branch(branches) => node = &branches[branch(hash, level)],
            }
            level += 1;
        }
    }

    pub(crate) fn insert(&mut self, name: &str, value: V) {
        self.root.insert(hash(name), name, value, 0);
    }

    /// Removes an entry and returns its value.
    pub(crate) fn remove(&mut self, name: &str) -> Option<V> {
        self.get(name)?;
        self.root.remove(hash(name), name, 0)
    }
}

impl<V: Clone> Node<V> {
    fn insert(&mut self, hash: u64, name: &str, value: V, level: u32) {
        /// Largest number of entries of a leaf above the last level.
        const MOST: usize = 8;
        match self {
            Self::Branch(branches) => {
                Rc::make_mut(branches)[branch(hash, level)].insert(hash, name, value, level + 1);
            }
            Self::Leaf(entries) => {
                let entries = Rc::make_mut(entries);
                if let Some(entry) = entries.iter_mut().find(|entry| *entry.1 == *name) {
                    entry.2 = value;
                    return;
                }
                entries.push((hash, Rc::from(name), value));
                if entries.len() > MOST && BITS * (level + 1) < u64::BITS {
                    let mut branches: [Self; BRANCHES] = std::array::from_fn(|_| Self::default());
                    for entry in std::mem::take(entries) {
                        if let Self::Leaf(leaf) = &mut branches[branch(entry.0, level)] {
                            Rc::make_mut(leaf).push(entry);
                        }
                    }
                    *self = Self::Branch(Rc::new(branches));
                }
            }
        }
    }

    fn remove(&mut self, hash: u64, name: &str, level: u32) -> Option<V> {
        match self {
            Self::Branch(branches) => Rc::make_mut(branches)[branch(hash, level)].remove(hash, name, level + 1),
            Self::Leaf(entries) => {
                let position = entries.iter().position(|entry| *entry.1 == *name)?;
                Some(Rc::make_mut(entries).swap_remove(position).2)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_contents() {
        let mut map = SharedMap::default();
        for k in 0..1000 {
            map.insert(&format!("name{k}"), k);
        }
        let before = map.clone();
        for k in (0..1000).step_by(2) {
            assert_eq!(map.remove(&format!("name{k}")), Some(k));
        }
        for k in (0..1000).step_by(3) {
            map.insert(&format!("name{k}"), -k);
        }
        for k in 0..1000 {
            let name = format!("name{k}");
            let expected = if k % 3 == 0 { Some(-k) } else { (k % 2 == 1).then_some(k) };
            assert_eq!(map.get(&name).copied(), expected, "{name}");
            assert_eq!(before.get(&name), Some(&k));
        }
        assert_eq!((map.remove("other"), map.get("other")), (None, None));
    }
}
