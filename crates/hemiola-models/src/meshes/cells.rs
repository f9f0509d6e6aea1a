//! Periodic meshes of cells of several widths.

use crate::parameter::{Parameter, Range, Values};

/// The parameters of all meshes.
pub(super) const PARAMETERS: [Parameter; 5] = [
    Parameter::new("cells", "cells of the widest kind in a sequence", 4.0, "1").within(Range::Count),
    Parameter::new("meshes", "widths of cells", 2.0, "1").within(Range::Count),
    Parameter::new("refinement", "ratio of widths", 2.0, "1").within(Range::Count),
    Parameter::new("sequences", "sequences of all widths around the period", 1.0, "1").within(Range::Count),
    Parameter::choice(
        "pieces",
        "from one width to the next: pieces as long, of as many cells, or of fewer by the ratio",
        &["long", "many", "few"],
    ),
];

/// The most variables of a model on a mesh.
const MOST: usize = 20_000;

/// The most variables of a part alone: all its eigenvalues are computed. But at least so many cells, or the shortest waves are missing.
const MOST_ALONE: usize = 256;
const FEWEST_ALONE: usize = 4;

/// A period of length one: `sequences` times `cells` cells of the widest kind, then a piece of the next kind, …, which is as long
/// or has as many cells.
pub(super) struct Cells {
    /// The widths of the cells, from left to right.
    pub(super) widths: Vec<f64>,
    /// Their kinds, 0 the widest.
    pub(super) kinds: Vec<usize>,
    /// The number of kinds.
    pub(super) count: usize,
}

impl Cells {
    /// `None` if there are too many cells of `size` variables each.
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

    /// All cells, or those of one kind alone.
    pub(super) fn of(values: Values<'_>, size: usize, alone: Option<usize>) -> Option<Self> {
        match alone {
            None => Self::new(values, size),
            Some(kind) => Some(Self::alone(values, kind, (MOST_ALONE / size).max(FEWEST_ALONE))),
        }
    }

    /// Cells of one kind around a period of about the same length, or a shorter one if these were more than `most`.
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

/// How many cells of each kind a sequence has.
fn numbers(values: Values<'_>) -> Vec<usize> {
    // Whole numbers up to 30 by their range.
    let [cells, count, refinement] = ["cells", "meshes", "refinement"].map(|name| values.of(name) as usize);
    let next = |number: &usize| {
        Some(if values.is("pieces", "many") {
            *number
        } else if values.is("pieces", "few") {
            (number / refinement).max(1)
        } else {
            // Beyond the most cells there are it does not matter how many.
            number.saturating_mul(refinement)
        })
    };
    std::iter::successors(Some(cells), next).take(count).collect()
}

/// The width of the widest cells.
fn widest(values: Values<'_>, numbers: &[usize]) -> f64 {
    let [refinement, sequences] = ["refinement", "sequences"].map(|name| values.of(name));
    // The length of a sequence in widest cells.
    let lengths = numbers.iter().enumerate().map(|(kind, &number)| number as f64 * refinement.powi(-(kind as i32)));
    1.0 / (sequences * lengths.sum::<f64>())
}

/// Where the variables of cells are, which come kind by kind, `size` for each cell.
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

    /// The number of variables of each partition.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.members.iter().map(|members| members.len() * self.size).collect()
    }

    /// The names of all variables: of cell 7 (from 1) those of `names` with its number, `u7`.
    pub(super) fn names(&self, names: &[String]) -> Vec<String> {
        let of_cell = |cell: &usize| names.iter().map(|name| name.replace('#', &(cell + 1).to_string())).collect();
        self.members.iter().flatten().flat_map(|cell| -> Vec<String> { of_cell(cell) }).collect()
    }

    /// The values of all variables from those of each cell.
    pub(super) fn arranged(&self, cells: &[Vec<f64>]) -> Vec<f64> {
        self.members.iter().flatten().flat_map(|&cell| cells[cell].clone()).collect()
    }
}
