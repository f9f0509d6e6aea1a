//! Nested squares of cells of several widths on a periodic square.

use crate::parameter::{AdmissibleValues, Parameter, Values};

/// Parameters of the mesh.
pub(super) const PARAMETERS: [Parameter; 4] = [
    Parameter::new("cells", "widest cells along a side of the period", 4.0, "1").within(AdmissibleValues::Count),
    Parameter::new("meshes", "widths of cells, each half the one before", 2.0, "1").within(AdmissibleValues::Count),
    Parameter::new("patch", "side of the refined square in widest cells", 2.0, "1").within(AdmissibleValues::Count),
    Parameter::new("ring", "cells of a width around the narrower ones", 1.0, "1").within(AdmissibleValues::Count),
];

/// Largest number of cells of the narrowest width along the period.
const MOST_PLACES: usize = 960;
/// Largest number of variables.
const MOST_VARIABLES: usize = 24_000;

/// A cell: its width's number, from the widest, and the coordinates of its lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) level: usize,
    pub(super) corner: [f64; 2],
    pub(super) width: f64,
}

/// A face between two cells, across an axis; half of a wide cell's side if the cells differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) axis: usize,
    /// The cells below and above.
    pub(super) cells: [usize; 2],
    /// The place of the wide cell in `cells`, and which half of its side this is.
    pub(super) wide: Option<(usize, usize)>,
}

/// Cells sorted by width, widest first, and the faces of each width's cells.
pub(super) struct Quadtree {
    pub(super) cells: Vec<Cell>,
    /// The first cell of each width, and the end.
    pub(super) starts: Vec<usize>,
    /// The faces with at least one cell of each width.
    pub(super) faces: Vec<Vec<Face>>,
}

impl Quadtree {
    /// Creates a mesh of a period; `None` if the squares do not fit or there are too many cells of `size` variables.
    pub(super) fn of(values: Values<'_>, period: f64, size: usize) -> Option<Self> {
        let [base, meshes, patch, ring] = ["cells", "meshes", "patch", "ring"].map(|name| values.of(name) as usize);
        let places = base.checked_shl(meshes as u32 - 1).filter(|places| meshes <= 8 && *places <= MOST_PLACES)?;
        let squares = squares(base, meshes, patch, ring)?;
        let (mut cells, mut starts, mut owner) = (Vec::new(), vec![0], vec![0; places * places]);
        for (level, &[low, high]) in squares.iter().enumerate() {
            let width = places / (base << level);
            let inner = squares.get(level + 1).map(|square| square.map(|end| end / 2));
            let is_inner = |k: usize| inner.is_some_and(|[low, high]| (low..high).contains(&k));
            for (i, j) in (low..high).flat_map(|i| (low..high).map(move |j| (i, j))) {
                if is_inner(i) && is_inner(j) {
                    continue;
                }
                for place in
                    (i * width..(i + 1) * width).flat_map(|x| (j * width..(j + 1) * width).map(move |y| (x, y)))
                {
                    owner[place.0 * places + place.1] = cells.len();
                }
                let unit = period / (base << level) as f64;
                cells.push(Cell { level, corner: [i as f64 * unit, j as f64 * unit], width: unit });
                if cells.len() * size > MOST_VARIABLES {
                    return None;
                }
            }
            starts.push(cells.len());
        }
        let all = faces(&cells, &owner, places, period);
        let of_level = |level: usize| {
            let is_of = |face: &&Face| face.cells.iter().any(|&cell| cells[cell].level == level);
            all.iter().filter(is_of).copied().collect()
        };
        Some(Self { faces: (0..meshes).map(of_level).collect(), cells, starts })
    }

    /// Returns the number of variables of each partition.
    pub(super) fn sizes(&self, size: usize) -> Vec<usize> {
        self.starts.windows(2).map(|ends| (ends[1] - ends[0]) * size).collect()
    }
}

/// Returns the ends of the square of each level in its own cells; `None` if a square is empty or not smaller
/// than the one around it.
fn squares(base: usize, meshes: usize, patch: usize, ring: usize) -> Option<Vec<[usize; 2]>> {
    let mut squares = vec![[0, base]];
    for level in 1..meshes {
        let [low, high] = squares[level - 1];
        let margin = if level == 1 { base.checked_sub(patch)? / 2 } else { ring };
        let end = if level == 1 { margin + patch } else { high.checked_sub(margin)? };
        let start = low + margin;
        if start >= end || [start, end] == [low, high] {
            return None;
        }
        squares.push([2 * start, 2 * end]);
    }
    Some(squares)
}

/// Returns all faces, each once: from every cell upwards along both axes.
fn faces(cells: &[Cell], owner: &[usize], places: usize, period: f64) -> Vec<Face> {
    let place = |x: f64| (x / period * places as f64).round() as usize % places;
    let mut faces = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        let width = (cell.width / period * places as f64).round() as usize;
        let [x, y] = cell.corner.map(place);
        for axis in 0..2 {
            let beyond = |along: usize| {
                let [x, y] = if axis == 0 { [x + width, y + along] } else { [x + along, y + width] };
                owner[x % places * places + y % places]
            };
            let other = beyond(0);
            let face = |other: usize, wide: Option<(usize, usize)>| Face { axis, cells: [index, other], wide };
            if cells[other].level > cell.level {
                faces.extend([face(other, Some((0, 0))), face(beyond(width / 2), Some((0, 1)))]);
            } else if cells[other].level < cell.level {
                // A narrow cell at an odd place lies along the upper half of its neighbor.
                let along = if axis == 0 { y } else { x };
                faces.push(face(other, Some((1, along / width % 2))));
            } else {
                faces.push(face(other, None));
            }
        }
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_nested() {
        assert_eq!(squares(6, 3, 3, 1), Some(vec![[0, 6], [2, 8], [6, 14]]));
        assert_eq!(squares(6, 2, 7, 1), None);
        assert_eq!(squares(6, 3, 1, 1), None);
        assert_eq!(squares(4, 2, 4, 1), None);
    }
}
