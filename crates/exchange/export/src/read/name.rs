//! Ids from the names of tables in programs.

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

/// Returns the id, with a number appended if another method already has it.
pub(super) fn unused(id: String, used: &[String]) -> String {
    let numbered = (2..).map(|k| format!("{id}-{k}"));
    std::iter::once(id.clone()).chain(numbered).find(|id| !used.contains(id)).unwrap_or(id)
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
        assert_eq!(unused("a".to_owned(), &["a".to_owned(), "a-2".to_owned()]), "a-3");
    }
}
