//! Titles of panels, in one or two lines.

use crate::text::{Font, Label, size};

/// Separators after which a title may be broken, the best first.
const SEPARATORS: [&str; 2] = [": ", ", "];

/// Splits a title into two lines if it is wider than `room` and can be broken.
pub(super) fn title_lines(title: &str, room: f64, font: &Font) -> Vec<String> {
    let width = |text: &str| Label::new(text, font).width(size::LABEL);
    if width(title) <= room {
        return vec![title.to_owned()];
    }
    let wider = |&at: &usize| width(title[..at].trim_end()).max(width(&title[at..]));
    let narrowest = |places: Vec<usize>| places.into_iter().min_by(|a, b| wider(a).total_cmp(&wider(b)));
    let best = SEPARATORS.into_iter().filter_map(|separator| narrowest(breaks(title, separator)));
    let best: Vec<usize> = best.collect();
    let fitting = best.iter().copied().find(|at| wider(at) <= room);
    match fitting.or_else(|| narrowest(best)) {
        Some(at) => vec![title[..at].trim_end().to_owned(), title[at..].to_owned()],
        None => vec![title.to_owned()],
    }
}

/// Returns the positions after a separator at which no markup is open.
fn breaks(title: &str, separator: &str) -> Vec<usize> {
    let count = |text: &str, letter: char| text.matches(letter).count();
    let is_closed = |at: &usize| {
        let before = &title[..*at];
        count(before, '*') % 2 == 0 && count(before, '{') == count(before, '}')
    };
    title.match_indices(separator).map(|(at, found)| at + found.len()).filter(is_closed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_broken_in_the_middle() {
        let lines = |title: &str, room| title_lines(title, room, &Font::Sans);
        let title = "(b) *ζ* = 0.05, *g* = *γ*^{2}: shome-haug-jay-2-5";
        assert_eq!(lines(title, 400.0), [title]);
        assert_eq!(lines(title, 110.0), ["(b) *ζ* = 0.05, *g* = *γ*^{2}:", "shome-haug-jay-2-5"]);
        assert_eq!(lines("*κ* = 5, *g* = 0.04", 50.0), ["*κ* = 5,", "*g* = 0.04"]);
        // Markup is not split, and text without a separator remains whole.
        assert_eq!(lines("*a, b*_{c, d}", 5.0), ["*a, b*_{c, d}"]);
        assert_eq!(lines("a-long-name-without-a-place-to-break-it", 50.0).len(), 1);
        assert_eq!(lines("", 5.0), [""]);
    }
}
