//! Requirements on single coefficients, by name.

use std::fmt;
use std::str::FromStr;

use dashu::rational::RBig;

use crate::error::DesignError;
use crate::pair::partitions::NAMES;

/// A coefficient of a pair. Its name counts from 1, as in papers: `fast.a[3][2]` or `slow.b[1]`.
///
/// ```
/// use hemiola_design::Entry;
/// let entry: Entry = "fast.a[3][2]".parse().unwrap();
/// assert_eq!(entry, Entry { partition: 1, row: Some(2), column: 1 });
/// assert_eq!(entry.to_string(), "fast.a[3][2]");
/// assert!("fast.a[3]".parse::<Entry>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The partition: 0 for slow, 1 for fast.
    pub partition: usize,
    /// The row of A from 0; `None` for the weights b.
    pub row: Option<usize>,
    /// The column from 0.
    pub column: usize,
}

/// The value or range of a single coefficient, which replaces the bound on all coefficients.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// A fixed value.
    Fixed(RBig),
    /// A range from the first number to the second.
    Between(f64, f64),
}

impl Bound {
    /// Returns whether the coefficient may be zero.
    pub(crate) fn allows_zero(&self) -> bool {
        match self {
            Self::Fixed(value) => value.is_zero(),
            Self::Between(low, high) => *low <= 0.0 && *high >= 0.0,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Self::Fixed(value) if value.is_zero())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { partition, row, column } = self;
        let part = NAMES.get(*partition).unwrap_or(&"?");
        match row {
            Some(row) => write!(f, "{part}.a[{}][{}]", row + 1, column + 1),
            None => write!(f, "{part}.b[{}]", column + 1),
        }
    }
}

impl FromStr for Entry {
    type Err = DesignError;

    fn from_str(text: &str) -> Result<Self, DesignError> {
        let expected = "a coefficient such as fast.a[3][2] or slow.b[1], counted from 1";
        let unknown =
            || DesignError::OutOfRange { name: "the name of a coefficient", found: format!("{text:?}"), expected };
        let read = || {
            let (part, rest) = text.split_once('.')?;
            let partition = NAMES.iter().position(|name| *name == part)?;
            let (array, indices) = rest.split_at_checked(1)?;
            let inner = indices.strip_prefix('[')?.strip_suffix(']')?;
            let mut numbers = inner.split("][").map(|number| number.parse::<usize>().ok()?.checked_sub(1));
            let (first, second) = (numbers.next()??, numbers.next());
            let entry = match (array, second) {
                ("a", Some(second)) => Self { partition, row: Some(first), column: second? },
                ("b", None) => Self { partition, row: None, column: first },
                _ => return None,
            };
            // Accept only the canonical form, which is written back unchanged.
            (numbers.next().is_none() && entry.to_string() == text).then_some(entry)
        };
        read().ok_or_else(unknown)
    }
}
