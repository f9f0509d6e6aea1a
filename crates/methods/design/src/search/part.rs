//! Shares of a search, for several machines.

use std::fmt;
use std::str::FromStr;

/// The K-th of N shares of a search, K/N: every N-th start from the K-th on.
///
/// Each start depends only on its number. The shares are therefore independent, and expensive starts are spread
/// over all of them.
///
/// ```
/// use hemiola_design::SearchShare;
/// let part: SearchShare = "2/3".parse().unwrap();
/// assert_eq!((0..7).filter(|&start| part.contains(start)).collect::<Vec<_>>(), [1, 4]);
/// assert_eq!(part.to_string(), "2/3");
/// assert!("4/3".parse::<SearchShare>().is_err() && "0/3".parse::<SearchShare>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchShare {
    number: usize,
    of: usize,
}

impl SearchShare {
    pub(crate) const WHOLE: Self = Self { number: 1, of: 1 };

    /// Returns whether a start belongs to this share; starts are numbered from 0.
    #[must_use]
    pub fn contains(self, start: usize) -> bool {
        start % self.of == self.number - 1
    }

    /// Returns the number of starts in this share out of `starts`.
    #[must_use]
    pub fn count(self, starts: usize) -> usize {
        (starts + self.of - self.number) / self.of
    }

    /// Returns K.
    #[must_use]
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns N.
    #[must_use]
    pub fn of(self) -> usize {
        self.of
    }
}

impl fmt::Display for SearchShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for SearchShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Self { number, of });
        // More than a million shares would be empty.
        let part = part.filter(|part| (1..=part.of).contains(&part.number) && part.of <= 1_000_000);
        part.ok_or_else(|| format!("found {text}; expected K/N with 1 ≤ K ≤ N ≤ 1000000, such as 3/16"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_complete() {
        for (starts, of) in [(0, 1), (7, 3), (16, 16), (5, 8)] {
            let parts: Vec<SearchShare> = (1..=of).map(|number| SearchShare { number, of }).collect();
            for start in 0..starts {
                assert_eq!(parts.iter().filter(|part| part.contains(start)).count(), 1);
            }
            for part in parts {
                assert_eq!(part.count(starts), (0..starts).filter(|&start| part.contains(start)).count());
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "3", "/", "1/0", "0/0", "-1/4", "5/4", "1/4/2", "1.5/2", "1/1000001"] {
            assert!(text.parse::<SearchShare>().is_err_and(|problem| problem.contains("3/16")), "{text}");
        }
    }
}
