//! Ids from the names of tables in programs.

use std::collections::{HashMap, HashSet};

/// Parts of a name that describe the kind of object, not the method.
const PREFIXES: [&str; 5] = ["ARKODE_", "ARK_", "construct", "TS_", "butcher_"];
const SUFFIXES: [&str; 10] = [
    "ConstantCacheActual",
    "ConstantCache",
    "ESDIRKIMEXTableau",
    "Tableau",
    "_tableau",
    "_table",
    "_coupling",
    "_step",
    "_method",
    "Cache",
];

/// Removes these prefixes from a name.
pub(super) fn bare(name: &str) -> &str {
    let mut bare = name;
    for prefix in PREFIXES {
        bare = bare.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(bare);
    }
    for suffix in SUFFIXES {
        bare = bare.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(bare);
    }
    bare
}

/// Converts a name to lower-case words joined by hyphens. Words are separated by any character that is not an ASCII
/// letter or digit, and by a capital after a small letter.
pub(super) fn slug(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut slug = String::new();
    let mut before = ' ';
    for character in name.chars() {
        let letter = unaccented(character);
        if letter.is_ascii_alphanumeric() {
            let begins_word = slug.ends_with(|c: char| c != '-') && before.is_lowercase() && character.is_uppercase();
            if begins_word {
                slug.push('-');
            }
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        before = character;
    }
    slug.truncate(LONGEST);
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "method".to_owned() } else { slug.to_owned() }
}

fn unaccented(character: char) -> char {
    match character {
        'à'..='å' | 'À'..='Å' => 'a',
        'è'..='ë' | 'È'..='Ë' => 'e',
        'ì'..='ï' => 'i',
        'ò'..='ö' | 'ø' | 'Ò'..='Ö' | 'Ø' => 'o',
        'ù'..='ü' | 'Ù'..='Ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

/// Ids that methods of a text already have.
#[derive(Debug, Default)]
pub(super) struct UsedIds {
    ids: HashSet<String>,
    /// The last number appended to an id.
    numbers: HashMap<String, usize>,
}

impl UsedIds {
    /// Returns the id, with a number appended if another method already has it.
    pub(super) fn unused(&mut self, id: &str) -> String {
        if !self.ids.contains(id) {
            return id.to_owned();
        }
        let last = self.numbers.entry(id.to_owned()).or_insert(1);
        loop {
            *last += 1;
            let numbered = format!("{id}-{last}");
            if !self.ids.contains(&numbered) {
                return numbered;
            }
        }
    }

    /// Records the id of a method.
    pub(super) fn insert(&mut self, id: &str) {
        self.ids.insert(id.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ids() {
        let id = |name: &str| slug(bare(name));
        assert_eq!(id("ARKODE_BOGACKI_SHAMPINE_4_2_3"), "bogacki-shampine-4-2-3");
        assert_eq!(id("constructBogakiShampine3"), "bogaki-shampine3");
        assert_eq!(id("Tsit5ConstantCacheActual"), "tsit5");
        assert_eq!(id("TSRK3BS"), "tsrk3bs");
        assert_eq!(id("Söderlind RK4(3)"), "soderlind-rk4-3");
        assert_eq!(id("日本"), "method");
        assert!(hemiola_tableau::is_id(&id(&"Ab".repeat(200))));
        let mut used = UsedIds::default();
        ["a", "a-2"].into_iter().for_each(|id| used.insert(id));
        assert_eq!((used.unused("a"), used.unused("b")), ("a-3".to_owned(), "b".to_owned()));
    }
}
