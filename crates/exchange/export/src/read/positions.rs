//! Positions of the numbers of a method in the text that it was read from.

use std::collections::BTreeMap;

use super::arrays::draft::{Draft, WrittenVector};
use super::error::TextPosition;

/// Lines and columns of the numbers of a method, by their paths in a method file. They count from 1, columns in
/// characters.
///
/// ```
/// use hemiola_export::{ImportFormat, read};
/// let text = b"A = [[0, 0],\n     [0.5, 0]]\nb = [0, 1]\norder = 2\n";
/// let reading = read(text, "midpoint.py", None)?;
/// let positions = &reading.positions[0];
/// assert_eq!(positions.of("partitions[0].a[1][0]"), (2, 7));
/// assert_eq!(positions.of("partitions[0].b"), (3, 5));
/// assert_eq!(positions.of("claims.order"), (4, 1));
/// # Ok::<(), hemiola_export::ReadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodPositions {
    places: BTreeMap<String, TextPosition>,
}

impl MethodPositions {
    /// Collects the positions of a draft.
    pub(super) fn new(draft: &Draft) -> Self {
        let mut places = BTreeMap::from([(String::new(), draft.place)]);
        places.extend(draft.claimed_at.iter().map(|(name, place)| (format!("claims.{name}"), *place)));
        for (index, part) in draft.parts.iter().enumerate() {
            let Ok(arrays) = part.arrays(draft) else { continue };
            let path = format!("partitions[{index}]");
            let (rows, place) = arrays.a;
            places.insert(format!("{path}.a"), place);
            for (i, row) in rows.into_iter().enumerate() {
                insert(&mut places, &format!("{path}.a[{i}]"), row);
            }
            insert(&mut places, &format!("{path}.b"), arrays.b);
            for (name, vector) in [("c", arrays.c), ("b_hat", arrays.b_hat)] {
                if let Some(vector) = vector {
                    insert(&mut places, &format!("{path}.{name}"), vector);
                }
            }
        }
        Self { places }
    }

    /// Creates the position of a table as a whole.
    pub(super) fn of_table(place: TextPosition) -> Self {
        Self { places: BTreeMap::from([(String::new(), place)]) }
    }

    /// Returns the line and the column of a path such as `partitions[0].a[2][1]`. A path without a position of its own
    /// has that of the innermost array around it, or of the method.
    #[must_use]
    pub fn of(&self, path: &str) -> (usize, usize) {
        let ends = path.match_indices(['.', '[']).map(|(end, _)| end).chain([path.len()]);
        let mut inner: Vec<&str> = ends.map(|end| &path[..end]).collect();
        inner.reverse();
        let found = inner.iter().chain([&""]).find_map(|path| self.places.get(*path));
        found.map_or((1, 1), |place| (place.line, place.column))
    }
}

/// Inserts the positions of a vector and of its entries.
fn insert(places: &mut BTreeMap<String, TextPosition>, path: &str, (numbers, place): WrittenVector) {
    for (i, number) in numbers.iter().enumerate() {
        places.extend(number.place().map(|place| (format!("{path}[{i}]"), place)));
    }
    places.insert(path.to_owned(), place);
}
