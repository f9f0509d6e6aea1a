//! The order of state constraints: how often one has to be differentiated along the equations until a control appears.

use nalgebra::DMatrix;

use super::solution::Optimum;
use super::transcription::Transcription;

/// Constraints with larger multipliers hold the path.
const HELD: f64 = 1e-6;

impl Transcription {
    /// The orders of the constraints and bounds of states that hold an optimum, ascending and each but once; those that no control reaches have none.
    ///
    /// The dependencies are those of the first derivatives at all grid points: what is zero at all of them is taken to be zero everywhere.
    pub(crate) fn orders(&self, optimum: &Optimum) -> Vec<usize> {
        let held = self.held(optimum);
        // Where the iterations ended without values, there are no states.
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

    /// The path constraints and the bounded states with multipliers. Fixed states at the ends are no constraints on the path.
    fn held(&self, optimum: &Optimum) -> [Vec<usize>; 2] {
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

/// Dependencies of the values of a function (rows) on its arguments (columns) at any of several points.
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

/// Number of derivatives along the equations after which a function with these dependencies contains a control.
fn order(
    mut row: Vec<bool>,
    dynamics: &DMatrix<bool>,
    states: usize,
    controls: &std::ops::Range<usize>,
) -> Option<usize> {
    // After as many derivatives as there are states, nothing new appears.
    for order in 0..=states {
        if controls.clone().any(|control| row[control]) {
            return Some(order);
        }
        let next = (0..row.len()).map(|column| (0..states).any(|state| row[state] && dynamics[(state, column)]));
        row = next.collect();
    }
    None
}
