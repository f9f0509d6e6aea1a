//! Periodic meshes with cells of several widths.

use crate::parameter::{AdmissibleValues, Parameter, Values};

/// Parameters of all meshes.
pub(super) const PARAMETERS: [Parameter; 5] = [
    Parameter::new("cells", "cells of the widest kind in a sequence", 4.0, "1").within(AdmissibleValues::Count),
    Parameter::new("meshes", "widths of cells", 2.0, "1").within(AdmissibleValues::Count),
    Parameter::new("refinement", "ratio of widths", 2.0, "1").within(AdmissibleValues::Count),
    Parameter::new("sequences", "sequences of all widths around the period", 1.0, "1").within(AdmissibleValues::Count),
    Parameter::choice(
        "pieces",
        "next piece: same length, same number of cells, or fewer cells by the ratio of widths",
        &["long", "many", "few"],
    ),
];

/// Maximum number of variables of a model on a mesh.
const MOST: usize = 20_000;

/// Maximum number of variables of a part alone, since all its eigenvalues are computed. A minimum number of cells
/// ensures that the shortest waves are present.
const MOST_ALONE: usize = 256;
const FEWEST_ALONE: usize = 4;

/// A mesh on a period of length one: `sequences` times `cells` cells of the widest kind, followed by pieces of the
/// narrower kinds. The parameter `pieces` determines whether successive pieces have the same length, the same number of
/// cells, or fewer cells by the ratio of the widths.
pub(super) struct Cells {
    /// The widths of the cells, from left to right.
    pub(super) widths: Vec<f64>,
    /// The kinds of the cells; 0 is the widest.
    pub(super) kinds: Vec<usize>,
    /// The number of kinds.
    pub(super) count: usize,
}

impl Cells {
    /// Creates the mesh; `None` if there are too many cells of `size` variables each.
    fn new(values: Values<'_>, size: usize) -> Option<Self> {
        let numbers = numbers(values);
        let [refinement, sequences] = ["refinement", "sequences"].map(|name| values.of(name) as usize);
        let (mut widths, mut kinds) = (Vec::new(), Vec::new());
        for _ in 0..sequences {
            let mut width = widest(values, &numbers);
            for (kind, number) in numbers.iter().enumerate() {
                if (widths.len().saturating_add(*number)).saturating_mul(size) > MOST {
                    return None;
                }
                widths.resize(widths.len() + number, width);
                kinds.resize(widths.len(), kind);
                width /= refinement as f64;
            }
        }
        let count = numbers.len();
        Some(Self { widths, kinds, count })
    }

    /// Creates the mesh of all cells, or of those of one kind alone.
    pub(super) fn of(values: Values<'_>, size: usize, alone: Option<usize>) -> Option<Self> {
        match alone {
            None => Self::new(values, size),
            Some(kind) => Some(Self::alone(values, kind, (MOST_ALONE / size).max(FEWEST_ALONE))),
        }
    }

    /// Creates cells of one kind around a period of about the same length, or a shorter one if there would be more than
    /// `most` cells.
    fn alone(values: Values<'_>, kind: usize, most: usize) -> Self {
        let width = widest(values, &numbers(values)) / values.of("refinement").powi(kind as i32);
        let number = (width.recip().round() as usize).clamp(1, most);
        Self { widths: vec![width; number], kinds: vec![0; number], count: 1 }
    }

    pub(super) fn len(&self) -> usize {
        self.widths.len()
    }

    pub(super) fn left(&self, cell: usize) -> usize {
        if cell == 0 { self.len() - 1 } else { cell - 1 }
    }

    pub(super) fn right(&self, cell: usize) -> usize {
        if cell + 1 == self.len() { 0 } else { cell + 1 }
    }

    pub(super) fn centers(&self) -> impl Iterator<Item = f64> {
        self.widths.iter().scan(0.0, |left, width| {
            *left += width;
            Some(*left - width / 2.0)
        })
    }
}

/// Returns the number of cells of each kind in a sequence.
fn numbers(values: Values<'_>) -> Vec<usize> {
    // The ranges of the parameters admit integers up to 30.
    let [cells, count, refinement] = ["cells", "meshes", "refinement"].map(|name| values.of(name) as usize);
    let next = |number: &usize| {
        Some(if values.is("pieces", "many") {
            *number
        } else if values.is("pieces", "few") {
            (number / refinement).max(1)
        } else {
            // Numbers beyond the maximum may saturate.
            number.saturating_mul(refinement)
        })
    };
    std::iter::successors(Some(cells), next).take(count).collect()
}

/// Returns the width of the widest cells.
fn widest(values: Values<'_>, numbers: &[usize]) -> f64 {
    let [refinement, sequences] = ["refinement", "sequences"].map(|name| values.of(name));
    // Lengths of the pieces in widest cells.
    let lengths = numbers.iter().enumerate().map(|(kind, &number)| number as f64 * refinement.powi(-(kind as i32)));
    1.0 / (sequences * lengths.sum::<f64>())
}

/// Positions of cell variables in the state, ordered by kind with `size` for each cell.
pub(super) struct Layout {
    /// The first variable of each cell.
    pub(super) first: Vec<usize>,
    /// The cells of each kind.
    pub(super) members: Vec<Vec<usize>>,
    size: usize,
}

impl Layout {
    pub(super) fn new(kinds: &[usize], count: usize, size: usize) -> Self {
        let members: Vec<Vec<usize>> =
            (0..count).map(|kind| (0..kinds.len()).filter(|&cell| kinds[cell] == kind).collect()).collect();
        let mut first = vec![0; kinds.len()];
        for (position, &cell) in members.iter().flatten().enumerate() {
            first[cell] = position * size;
        }
        Self { first, members, size }
    }

    /// Returns the number of variables of each partition.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.members.iter().map(|members| members.len() * self.size).collect()
    }

    /// Returns the names of all variables. Those of cell 7, counted from 1, are `names` with the number in place of
    /// `#`, such as `u7`.
    pub(super) fn names(&self, names: &[String]) -> Vec<String> {
        let of_cell = |cell: &usize| names.iter().map(|name| name.replace('#', &(cell + 1).to_string())).collect();
        self.members.iter().flatten().flat_map(|cell| -> Vec<String> { of_cell(cell) }).collect()
    }

    /// Orders the values of each cell as the variables of the state.
    pub(super) fn arranged(&self, cells: &[Vec<f64>]) -> Vec<f64> {
        self.members.iter().flatten().flat_map(|&cell| cells[cell].clone()).collect()
    }
}
