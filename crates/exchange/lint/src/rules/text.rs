//! Checks of text: the source, and statements about the structure in the name and the note.

use std::path::Path;

use hemiola_tableau::{Method, Source};

use crate::facts::StructureFacts;
use crate::finding::{LintFinding, Rule};

/// Endings of design files of pairs and families, and the command of a design. Methods generated from these need no year
/// of publication.
const DESIGNS: [&str; 3] = [".design.json", ".family.json", "hemiola design "];

pub(crate) fn findings(file: &str, method: &Method, facts: Option<&StructureFacts>) -> Vec<LintFinding> {
    let mut found = publication(file, method.id(), method.source());
    found.extend(facts.into_iter().flat_map(|facts| structure(method, facts)));
    found
}

/// Checks the source of a method, and its id against the name of the file.
pub(crate) fn publication(file: &str, id: &str, source: &Source) -> Vec<LintFinding> {
    let path = Path::new(file);
    let is_method_file = path.extension().is_some_and(|extension| extension == "json");
    let expected = path.file_stem().map(|stem| stem.to_string_lossy()).filter(|stem| is_method_file && stem != id);
    let misnamed = expected.map(|expected| {
        let message = format!("the id is {id:?}; expected {expected:?}, as in the file name");
        LintFinding::new(Rule::Id, "id", message)
    });
    incomplete(source).into_iter().chain(misnamed).collect()
}

fn incomplete(source: &Source) -> Option<LintFinding> {
    let missing = [
        ("authors", source.authors.trim().is_empty()),
        ("title", source.title.trim().is_empty()),
        ("year", source.year.is_none()),
        ("where", source.place.as_ref().is_none_or(|place| place.trim().is_empty())),
    ];
    let missing: Vec<&str> = missing.iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| *name).collect();
    let is_designed = missing == ["year"]
        && source.place.as_ref().is_some_and(|place| DESIGNS.iter().any(|design| place.contains(design)));
    let message = format!("the source lacks {}", missing.join(", "));
    (!missing.is_empty() && !is_designed).then(|| LintFinding::new(Rule::Source, "source", message))
}

/// Checks statements about the structure; negated ones are ignored.
fn structure(method: &Method, facts: &StructureFacts) -> Vec<LintFinding> {
    let texts = [("name", method.name()), ("source.note", method.source().note.as_deref().unwrap_or_default())];
    let mut found = Vec::new();
    for (path, text) in texts {
        let text = text.to_lowercase().replace('-', " ");
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| is_said(&text, phrase));
        if says(&["first same as last", "fsal"]) && !facts.first_same_as_last {
            let message = "says first same as last, but the last stage is not the result of the step or the first \
            stage is implicit";
            found.push(LintFinding::new(Rule::Note, path, message));
        }
        if says(&["stiffly accurate"]) && !facts.stiffly_accurate {
            let message = "says stiffly accurate, but the last row of A differs from b in some partition";
            found.push(LintFinding::new(Rule::Note, path, message));
        }
        if let Some(stated) = stage_order(&text)
            && stated != facts.stage_order
        {
            let message = format!("says stage order {stated}; has stage order {}", facts.stage_order);
            found.push(LintFinding::new(Rule::Note, path, message));
        }
    }
    found
}

/// Returns whether a phrase occurs as separate words and no negation precedes it in its sentence.
fn is_said(text: &str, phrase: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(place, _)| {
        let (before, after) = (&text[..place], &text[place + phrase.len()..]);
        let sentence = before.rsplit(['.', ';']).next().unwrap_or_default();
        let is_negated =
            sentence.split_whitespace().any(|word| matches!(word, "not" | "no" | "non" | "without" | "never"));
        !is_negated && !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

/// Returns the number after “stage order”, unless it refers to a weaker kind of stage order.
fn stage_order(text: &str) -> Option<usize> {
    const PHRASE: &str = "stage order ";
    let (place, _) = text.match_indices(PHRASE).find(|(place, _)| {
        let before = text[..*place].trim_end();
        !["weak", "pseudo", "linear"].iter().any(|word| before.ends_with(word))
    })?;
    let digits: String = text[place + PHRASE.len()..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{is_said, stage_order};

    #[test]
    fn phrases_count_unless_they_are_negated() {
        assert!(is_said("an fsal pair", "fsal") && is_said("stiffly accurate.", "stiffly accurate"));
        assert!(is_said("not symplectic; stiffly accurate", "stiffly accurate"));
        assert!(!is_said("not stiffly accurate", "stiffly accurate") && !is_said("fsalx, afsal", "fsal"));
    }

    #[test]
    fn stage_orders_are_numbers_after_the_words() {
        assert_eq!(stage_order("l stable, with stage order 2, and"), Some(2));
        assert_eq!(stage_order("weak stage order 3"), None);
        assert_eq!(stage_order("weak stage order 3 and stage order 1"), Some(1));
        assert_eq!(stage_order("of high stage order"), None);
    }
}
