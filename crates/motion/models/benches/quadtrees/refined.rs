//! The solution on a mesh with half the widths, for flows without an exact solution.

use crate::problem::{Law, accurate};

/// Nodes of the Gauss quadrature with four nodes on [−1, 1].
const NODES: [f64; 4] =
    [-0.861_136_311_594_052_6, -0.339_981_043_584_856_3, 0.339_981_043_584_856_3, 0.861_136_311_594_052_6];

/// A cell: the number of its width, and its place among the cells of this width along each axis.
type Cell = (usize, [usize; 2]);

/// Returns the state at a time at the nodes of a mesh, from the mesh on which each of its cells is four.
///
/// The squares of both meshes coincide if an even number of cells surrounds the refined one.
pub(crate) fn solution(law: Law, widths: usize, [base, patch]: [f64; 2], end: f64, steps: u64) -> Vec<f64> {
    assert!((base - patch) % 2.0 == 0.0, "{base} cells around {patch}: expected an even number in between");
    let fine = accurate(&law.model(widths, [2.0 * base, 2.0 * patch, 2.0]), end, steps);
    let of_fine = cells(widths, [base, patch, 1.0].map(|count| 2 * count as usize));
    let variables = law.facts().0;
    let mut state = Vec::new();
    for (level, place) in cells(widths, [base, patch, 1.0].map(|count| count as usize)) {
        for variable in 0..variables {
            for (x, y) in NODES.iter().flat_map(|x| NODES.iter().map(move |y| (*x, *y))) {
                let child = |axis: usize, x: f64| 2 * place[axis] + usize::from(x > 0.0);
                let child = (level, [child(0, x), child(1, y)]);
                let cell = of_fine.iter().position(|cell| *cell == child).unwrap();
                let block = &fine[(cell * variables + variable) * 16..][..16];
                let [along, across] = [x, y].map(|x| weights(2.0 * x + if x > 0.0 { -1.0 } else { 1.0 }));
                let values = block.iter().enumerate();
                state.push(values.map(|(node, value)| value * along[node / 4] * across[node % 4]).sum());
            }
        }
    }
    state
}

/// Evaluates the polynomials of Lagrange through the nodes.
fn weights(x: f64) -> [f64; 4] {
    std::array::from_fn(|i| (0..4).filter(|&k| k != i).map(|k| (x - NODES[k]) / (NODES[i] - NODES[k])).product::<f64>())
}

/// Returns the cells of nested squares in the order of the model: `base` wide cells along the period, a square of `patch` of them
/// refined, with `ring` cells of each further width around the next one.
fn cells(widths: usize, [base, patch, ring]: [usize; 3]) -> Vec<Cell> {
    let mut squares = vec![[0, base]];
    for level in 1..widths {
        let [low, high] = squares[level - 1];
        let margin = if level == 1 { (base - patch) / 2 } else { ring };
        let end = if level == 1 { margin + patch } else { high - margin };
        squares.push([2 * (low + margin), 2 * end]);
    }
    let mut cells = Vec::new();
    for (level, &[low, high]) in squares.iter().enumerate() {
        let inner = squares.get(level + 1).map(|square| square.map(|end| end / 2));
        let is_inner = |k: usize| inner.is_some_and(|[low, high]| (low..high).contains(&k));
        let places = (low..high).flat_map(|i| (low..high).map(move |j| [i, j]));
        cells.extend(places.filter(|[i, j]| !(is_inner(*i) && is_inner(*j))).map(|place| (level, place)));
    }
    cells
}
