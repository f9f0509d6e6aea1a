//! Enums of the libraries as values of options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Value of an option, with its word and its description. A word without a description is an accepted synonym.
pub(crate) type Choice<T> = (T, &'static str, &'static str);

/// Enum whose variants are the values of an option.
pub(crate) trait Choices: Copy + PartialEq + Send + Sync + 'static {
    const ALL: &'static [Choice<Self>];

    /// Returns the word for the value.
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(value, ..)| *value == self).map_or("", |(_, word, _)| word)
    }

    /// Returns the value with the word.
    fn from_word(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, word, _)| *word == text).map(|(value, ..)| *value)
    }
}

/// Reads a value by its word. Help and errors list all words.
pub(crate) fn choice<T: Choices>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL
        .iter()
        .map(|(_, word, description)| PossibleValue::new(*word).help(*description).hide(description.is_empty()));
    PossibleValuesParser::new(values)
        .try_map(move |text| T::from_word(&text).ok_or("expected one of the listed values"))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};
    use hemiola::figure::{Legend, Style};

    use super::*;

    #[test]
    fn words_and_synonyms_are_read_and_only_words_are_listed() {
        let read = |word: &'static str| {
            let option = Arg::new("style").value_parser(choice::<Style>());
            let parsed = Command::new("draw").arg(option).try_get_matches_from(["draw", word]);
            parsed.map(|matches| matches.get_one::<Style>("style").copied())
        };
        assert_eq!(read("colour").unwrap(), Some(Style::Color));
        assert_eq!(read("monochrome").unwrap(), Some(Style::Monochrome));
        let complaint = read("grey").unwrap_err().to_string();
        assert!(complaint.contains("color, monochrome") && !complaint.contains("colour"), "{complaint}");
        assert_eq!((Style::Color.word(), Legend::Hidden.word()), ("color", "none"));
    }
}
