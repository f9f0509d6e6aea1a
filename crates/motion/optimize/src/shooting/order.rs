//! Order of state constraints: the number of differentiations along the equations until a control appears.

use nalgebra::DMatrix;

use super::solution::ControlOptimum;
use super::transcription::Transcription;

/// Constraints with larger multipliers count as active.
const HELD: f64 = 1e-6;

impl Transcription {
    /// Returns the orders of the state constraints and state bounds that are active at an optimum, ascending and
    /// without repetition. Constraints that no control reaches have no order.
    ///
    /// The dependencies are those of the first derivatives at all grid points: an entry that is zero at all of them is
    /// taken to be zero everywhere.
    pub(crate) fn orders(&self, optimum: &ControlOptimum) -> Vec<usize> {
        let held = self.active_constraints(optimum);
        // There are no states if the iterations ended without values.
        if held.iter().all(Vec::is_empty) || optimum.found.states.len() < self.grid.points {
            return Vec::new();
        }
        let local = self.problem.local;
        let arguments: Vec<Vec<f64>> = (0..self.grid.points)
            .map(|point| self.path_arguments(&optimum.solution.x, point, &optimum.found.states[point]))
            .collect();
        let dynamics = dependencies(&*self.problem.dynamics, &arguments);
        let [path, bounds] = held;
        let mut rows: Vec<Vec<bool>> = Vec::new();
        if let Some((function, _)) = self.problem.path.as_ref().filter(|_| !path.is_empty()) {
            let all = dependencies(&**function, &arguments);
            rows.extend(path.iter().map(|&k| all.row(k).iter().copied().collect()));
        }
        rows.extend(bounds.iter().map(|&k| (0..local.arguments()).map(|column| column == k).collect()));
        let controls = local.states..local.states + local.controls;
        let mut orders: Vec<usize> =
            rows.into_iter().filter_map(|row| order(row, &dynamics, local.states, &controls)).collect();
        orders.sort_unstable();
        orders.dedup();
        orders
    }

    /// Lists the path constraints and the bounded states with nonzero multipliers. Fixed states at the ends are not
    /// path constraints.
    fn active_constraints(&self, optimum: &ControlOptimum) -> [Vec<usize>; 2] {
        let is_held = |multiplier: f64| multiplier.abs() > HELD;
        let path = (0..self.path_size())
            .filter(|&k| optimum.path_multipliers.iter().any(|multipliers| is_held(multipliers[k])))
            .collect();
        let holds = |place: usize, state: usize, point: usize| match self.layout.nodes.binary_search(&point) {
            Ok(node) => {
                let k = self.layout.state(node).start + state;
                self.variables.lower[k] < self.variables.upper[k] && is_held(optimum.solution.bound_multipliers[k])
            }
            Err(_) => self.bound_row(point).is_some_and(|row| is_held(optimum.solution.multipliers[row + place])),
        };
        let bounds = self.bounded.iter().enumerate();
        let bounds = bounds.filter(|&(place, &state)| (0..self.grid.points).any(|point| holds(place, state, point)));
        [path, bounds.map(|(_, &state)| state).collect()]
    }
}

/// Finds the dependencies of a function's values (rows) on its arguments (columns) at any of several points.
fn dependencies(function: &dyn crate::calculus::Differentiable, places: &[Vec<f64>]) -> DMatrix<bool> {
    let (rows, columns) = (function.outputs(), function.inputs());
    let mut found = DMatrix::from_element(rows, columns, false);
    let mut jacobian = vec![0.0; rows * columns];
    for place in places {
        function.jacobian(place, &mut jacobian);
        for (k, _) in jacobian.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            found[(k / columns, k % columns)] = true;
        }
    }
    found
}

/// Returns the number of derivatives along the equations after which a function with these dependencies contains a
/// control.
fn order(
    mut row: Vec<bool>,
    dynamics: &DMatrix<bool>,
    states: usize,
    controls: &std::ops::Range<usize>,
) -> Option<usize> {
    // Nothing new appears after as many derivatives as there are states.
    for order in 0..=states {
        if controls.clone().any(|control| row[control]) {
            return Some(order);
        }
        let next = (0..row.len()).map(|column| (0..states).any(|state| row[state] && dynamics[(state, column)]));
        row = next.collect();
    }
    None
}
