//! Methods of the library with the coefficients of a table, or nearly so.

use std::fmt;
use std::sync::OnceLock;

use num_traits::Zero;
use serde::Deserialize;

use super::{embedded_name, files};
use crate::{Claims, Coefficient, Method, Partition, Rounding};

/// Number of stages up to which methods are kept once they are read.
const MOST_KEPT: usize = 64;
/// Number of nonzero entries that must agree before a difference in the others is called one.
const FEWEST_EQUAL: usize = 5;
/// Largest difference of last digits, in units.
const MOST_UNITS: f64 = 9.5;

/// A method of the embedded library that a table repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryTwin {
    /// The id of the method in the library.
    pub id: String,
    /// The claims of the library.
    pub claims: Claims,
    /// The difference between the table and the method.
    pub difference: TwinDifference,
}

/// The difference between a table and a method.
#[derive(Clone, Debug, PartialEq)]
pub enum TwinDifference {
    /// All coefficients are equal.
    None,
    /// The coefficients are equal up to their digits.
    Rounding,
    /// Entries differ in their last digit only, by at most nine units. The entry is that with the largest difference.
    LastDigits {
        /// The entry with the largest difference.
        entry: EntryDifference,
        /// The difference, in units of the last digit of the table.
        units: usize,
    },
    /// One entry differs.
    OneEntry(EntryDifference),
}

/// An entry that differs between a table and a method of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDifference {
    /// The name of the entry: `a32`, `b̂4`, `c2`; with several partitions `a32 of fast`.
    pub name: String,
    /// The path of the entry in a method file.
    pub path: String,
    /// The coefficient of the table, as written.
    pub found: String,
    /// The coefficient of the library, as written.
    pub expected: String,
}

impl fmt::Display for LibraryTwin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = &self.id;
        match &self.difference {
            TwinDifference::None => write!(f, "this is `{id}`"),
            TwinDifference::Rounding => write!(f, "this is `{id}` up to the digits of the table"),
            TwinDifference::LastDigits { entry: EntryDifference { name, found, expected, .. }, units } => {
                let plural = if *units == 1 { "one unit".to_owned() } else { format!("{units} units") };
                write!(f, "this is `{id}` to {plural} in the last digit: {name} = {found} where `{id}` has {expected}")
            }
            TwinDifference::OneEntry(EntryDifference { name, found, expected, .. }) => {
                write!(f, "this is `{id}` but for {name} = {found} where `{id}` has {expected}")
            }
        }
    }
}

impl LibraryTwin {
    /// Finds the method of the embedded library with the coefficients of a table, or with all but one of them, at the same
    /// places. Returns `None` for a method of the library itself.
    ///
    /// ```
    /// use hemiola_tableau::{Method, library};
    /// let rk4 = library::method("rk4")?;
    /// assert_eq!(library::LibraryTwin::find(&rk4), None);
    /// let mine = rk4.to_json().replace("\"id\": \"rk4\"", "\"id\": \"mine\"").replacen("1/3", "1/2", 1);
    /// let twin = library::LibraryTwin::find(&Method::from_json(mine.as_bytes(), "mine.json")?);
    /// let text = twin.map(|twin| twin.to_string());
    /// assert_eq!(text.as_deref(), Some("this is `rk4` but for b2 = 1/2 where `rk4` has 1/3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(method: &Method) -> Option<Self> {
        if files::FILES.binary_search_by_key(&method.id(), |(id, _)| id).is_ok_and(|place| is_own(method, place)) {
            return None;
        }
        let mut twins: Vec<Self> =
            of_stages(method.stages()).iter().filter_map(|other| Self::of(method, other)).collect();
        twins.sort_by_key(|twin| twin.difference.rank());
        twins.into_iter().next()
    }

    /// Compares a table with a method of the library.
    fn of(method: &Method, other: &Method) -> Option<Self> {
        if method.partitions().len() != other.partitions().len() {
            return None;
        }
        let mut comparison = Comparison::new([method.rounding(), other.rounding()]);
        let partitions = method.partitions().iter().zip(other.partitions()).enumerate();
        let agrees = partitions.into_iter().all(|(k, (own, other))| {
            let of = if method.partitions().len() == 1 { String::new() } else { format!(" of {}", own.name) };
            comparison.partitions((k, &of), own, other)
        });
        let difference = if agrees { comparison.difference()? } else { return None };
        Some(Self { id: other.id().to_owned(), claims: other.claims(), difference })
    }

    /// Returns whether the difference is probably a misprint of the table, which has these orders: it lowers one of them
    /// below that of the library, or concerns an abscissa or last digits.
    #[must_use]
    pub fn is_misprint(&self, order: usize, embedded_order: Option<usize>) -> bool {
        let is_lower = |found: Option<usize>, claim: Option<usize>| found.zip(claim).is_some_and(|(x, y)| x < y);
        match &self.difference {
            TwinDifference::None | TwinDifference::Rounding => false,
            TwinDifference::LastDigits { .. } => true,
            TwinDifference::OneEntry(entry) => {
                entry.name.starts_with('c')
                    || is_lower(Some(order), self.claims.order)
                    || is_lower(embedded_order, self.claims.embedded_order)
            }
        }
    }
}

impl TwinDifference {
    fn rank(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Rounding => 1,
            Self::LastDigits { .. } => 2,
            Self::OneEntry(_) => 3,
        }
    }
}

/// Returns whether a method has the coefficients of an embedded file.
fn is_own(method: &Method, place: usize) -> bool {
    let own = parsed(place);
    own.is_some_and(|own| own.partitions() == method.partitions())
}

fn parsed(place: usize) -> Option<Method> {
    let (id, text) = files::FILES.get(place)?;
    Method::from_json(text, &embedded_name(id)).ok()
}

/// Returns the methods of the embedded library with a number of stages; none for more stages than any of them has.
fn of_stages(stages: usize) -> &'static [Method] {
    static KEPT: [OnceLock<Vec<Method>>; MOST_KEPT] = [const { OnceLock::new() }; MOST_KEPT];
    let read = || {
        let places = (0..files::FILES.len()).filter(|place| may_have_stages(files::FILES[*place].1, stages));
        places.filter_map(parsed).filter(|method| method.stages() == stages).collect()
    };
    stages.checked_sub(1).and_then(|k| KEPT.get(k)).map_or(&[], |kept| kept.get_or_init(read).as_slice())
}

/// The number of weights of a file, which is read faster than its coefficients.
#[derive(Deserialize)]
struct Outline {
    partitions: Vec<OutlinePartition>,
}

#[derive(Deserialize)]
struct OutlinePartition {
    b: Option<Vec<serde::de::IgnoredAny>>,
}

/// Returns whether a file may contain a method with this number of stages; low-storage forms do not show it.
fn may_have_stages(text: &[u8], stages: usize) -> bool {
    let outline = serde_json::from_slice::<Outline>(text).ok();
    let weights = outline.and_then(|outline| outline.partitions.into_iter().next()?.b);
    weights.is_none_or(|weights| weights.len() == stages)
}

/// The entries of two tables that agree and that differ.
struct Comparison {
    roundings: [Rounding; 2],
    /// The number of nonzero entries that are equal or agree to their digits.
    agreeing: usize,
    /// Entries that differ, at most one unless the differences are of last digits, with the units.
    different: Vec<(EntryDifference, Option<f64>)>,
    is_rounded: bool,
}

impl Comparison {
    fn new(roundings: [Rounding; 2]) -> Self {
        Self { roundings, agreeing: 0, different: Vec::new(), is_rounded: false }
    }

    /// Compares the entries of a partition. Returns whether the tables may still be twins.
    fn partitions(&mut self, (k, of): (usize, &str), own: &Partition, other: &Partition) -> bool {
        let is_long = own.b.len() > 9;
        let place = |letter: &str, i: usize, j: usize| {
            let comma = if is_long { "," } else { "" };
            (format!("{letter}{}{comma}{}{of}", i + 1, j + 1), format!("partitions[{k}].{letter}[{i}][{j}]"))
        };
        let rows = own.a.iter().zip(&other.a).enumerate();
        let mut entries =
            rows.flat_map(|(i, (own, other))| own.iter().zip(other).enumerate().map(move |(j, pair)| (pair, i, j)));
        let vector = |array: &str, letter: &str, i: usize| {
            (format!("{letter}{}{of}", i + 1), format!("partitions[{k}].{array}[{i}]"))
        };
        entries.all(|(pair, i, j)| self.compare(pair, || place("a", i, j)))
            && own.b.iter().zip(&other.b).enumerate().all(|(i, pair)| self.compare(pair, || vector("b", "b", i)))
            && both(&own.b_hat, &other.b_hat)
                .enumerate()
                .all(|(i, pair)| self.compare(pair, || vector("b_hat", "b̂", i)))
            && both(&own.c, &other.c).enumerate().all(|(i, pair)| self.compare(pair, || vector("c", "c", i)))
    }

    /// Compares two entries. Returns whether the tables may still be twins.
    fn compare(&mut self, (x, y): (&Coefficient, &Coefficient), names: impl FnOnce() -> (String, String)) -> bool {
        if x.value() == y.value() {
            self.agreeing += usize::from(!x.value().is_zero());
            return true;
        }
        let distance = (x.value().clone() - y.value().clone()).to_f64().abs();
        let [of_x, of_y] = [self.roundings[0].of(x), self.roundings[1].of(y)];
        if distance <= (of_x + of_y) * (1.0 + 1e-9) + 2.0 * f64::EPSILON * y.value().to_f64().abs() {
            self.agreeing += 1;
            self.is_rounded = true;
            return true;
        }
        let units = self.roundings[0].unit(x).map(|unit| (distance - of_y) / unit);
        let units = units.map(|units| (units - 0.5).max(0.0)).filter(|units| *units <= MOST_UNITS);
        let (name, path) = names();
        let [found, expected] = [x, y].map(|coefficient| coefficient.text().to_owned());
        self.different.push((EntryDifference { name, path, found, expected }, units));
        self.different.len() == 1 || self.different.iter().all(|(_, units)| units.is_some())
    }

    fn difference(mut self) -> Option<TwinDifference> {
        if self.different.is_empty() {
            return Some(if self.is_rounded { TwinDifference::Rounding } else { TwinDifference::None });
        }
        if self.agreeing < FEWEST_EQUAL {
            return None;
        }
        self.different.sort_by(|(_, x), (_, y)| y.unwrap_or(f64::MAX).total_cmp(&x.unwrap_or(f64::MAX)));
        let (entry, units) = self.different.into_iter().next()?;
        Some(match units {
            Some(units) => TwinDifference::LastDigits { entry, units: units.ceil().max(1.0) as usize },
            None => TwinDifference::OneEntry(entry),
        })
    }
}

/// Iterates over the entries of two vectors if both exist.
fn both<'a>(
    own: &'a Option<Vec<Coefficient>>,
    other: &'a Option<Vec<Coefficient>>,
) -> impl Iterator<Item = (&'a Coefficient, &'a Coefficient)> {
    own.iter().zip(other).flat_map(|(own, other)| own.iter().zip(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{ids, method};

    /// Returns a method of the library as a table with one text replaced.
    fn altered(id: &str, old: &str, new: &str) -> Method {
        let text = method(id).unwrap().to_json().replace(&format!("\"id\": \"{id}\""), "\"id\": \"mine\"");
        assert!(text.contains(old), "{id} has no {old}");
        Method::from_json(text.replacen(old, new, 1).as_bytes(), "mine.json").unwrap()
    }

    #[test]
    fn one_wrong_entry_is_named() {
        let twin = LibraryTwin::find(&altered("dormand-prince-5", "19372/6561", "19372/6651")).unwrap();
        assert_eq!(
            twin.to_string(),
            "this is `dormand-prince-5` but for a51 = 19372/6651 where `dormand-prince-5` has 19372/6561"
        );
        assert!(twin.is_misprint(1, Some(1)) && !twin.is_misprint(5, Some(4)));
    }

    #[test]
    fn copies_are_recognized() {
        let copy = LibraryTwin::find(&altered("rk4", "\"id\"", "\"id\"")).unwrap();
        assert_eq!((copy.to_string().as_str(), copy.is_misprint(4, None)), ("this is `rk4`", false));
        // Two of six entries differ: another method.
        let text = altered("kutta-3", "1/2", "1/3").to_json().replacen("\"2\"", "\"3\"", 1);
        assert_eq!(LibraryTwin::find(&Method::from_json(text.as_bytes(), "mine.json").unwrap()), None);
    }

    #[test]
    fn rounded_copies_and_last_digits_are_told_apart() {
        let table = |b: &str| {
            let text = format!(
                r#"{{"format": "hemiola-method/1", "id": "mine", "name": "Mine", "partitions": [{{"name": "all",
                "a": [["0","0","0","0"],["0.33333333","0","0","0"],["-0.33333333","1","0","0"],["1","-1","1","0"]],
                "b": {b}}}]}}"#
            );
            LibraryTwin::find(&Method::from_json(text.as_bytes(), "mine.json").unwrap()).unwrap()
        };
        let exact = table(r#"["0.125","0.375","0.375","0.125"]"#);
        assert_eq!(exact.difference, TwinDifference::Rounding);
        let twin = LibraryTwin::find(&altered("rk4", "1/6", "0.16666667")).unwrap();
        assert_eq!(twin.difference, TwinDifference::Rounding);
        let twin = LibraryTwin::find(&altered("rk4", "1/6", "0.16666668")).unwrap();
        assert!(matches!(twin.difference, TwinDifference::LastDigits { units: 1, .. }), "{twin}");
    }

    #[test]
    fn methods_of_the_library_are_no_twins_of_themselves() {
        assert!(ids().all(|id| LibraryTwin::find(&method(id).unwrap()).is_none()));
    }
}
