//! Which variable of the program is what.

use crate::steps::Local;

/// Where states are variables of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shooting {
    /// At both ends alone.
    Single,
    /// At every point of the control grid.
    Multiple,
    /// At every so many points, and at both ends.
    Every(usize),
}

/// A grid of equally spaced points with controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// N, at least 2.
    pub points: usize,
    /// The steps of the method from point to point.
    pub steps: usize,
    /// Where states are variables.
    pub shooting: Shooting,
    /// Whether controls are linear between points and continuous, rather than constant from each point on.
    pub is_linear: bool,
}

/// The places of variables: at each point the state, if it is one, and the controls; then the duration and the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) local: Local,
    /// The grid points where states are variables.
    pub(crate) nodes: Vec<usize>,
    states: Vec<usize>,
    controls: Vec<usize>,
    pub(crate) duration: usize,
    pub(crate) size: usize,
}

impl Layout {
    pub(crate) fn new(local: Local, grid: &Grid) -> Self {
        let every = match grid.shooting {
            Shooting::Single => grid.points - 1,
            Shooting::Multiple => 1,
            Shooting::Every(count) => count.max(1),
        };
        let mut nodes: Vec<usize> = (0..grid.points - 1).step_by(every).collect();
        nodes.push(grid.points - 1);
        let (mut states, mut controls, mut place) = (Vec::new(), Vec::new(), 0);
        for point in 0..grid.points {
            if nodes[states.len()] == point {
                states.push(place);
                place += local.states;
            }
            controls.push(place);
            place += local.controls;
        }
        let size = place + 1 + local.parameters;
        Self { local, nodes, states, controls, duration: place, size }
    }

    /// The number of segments between states.
    pub(crate) fn segments(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The variables of the state at a node.
    pub(crate) fn state(&self, node: usize) -> std::ops::Range<usize> {
        self.states[node]..self.states[node] + self.local.states
    }

    /// The variables of the controls at a grid point.
    pub(crate) fn control(&self, point: usize) -> std::ops::Range<usize> {
        self.controls[point]..self.controls[point] + self.local.controls
    }

    /// The duration and the parameters.
    pub(crate) fn globals(&self) -> std::ops::Range<usize> {
        self.duration..self.size
    }

    /// ξ of a node: its state, its controls, the duration and the parameters.
    pub(crate) fn extended(&self, node: usize) -> Vec<usize> {
        self.state(node).chain(self.control(self.nodes[node])).chain(self.globals()).collect()
    }

    /// The variables of a segment: ξ of its first node, then the controls of the points up to its last.
    pub(crate) fn segment(&self, segment: usize) -> Vec<usize> {
        let later = self.nodes[segment] + 1..=self.nodes[segment + 1];
        let mut indices = self.extended(segment);
        indices.extend(later.flat_map(|point| self.control(point)));
        indices
    }

    /// Where the controls of a point stand among the variables of a segment.
    pub(crate) fn control_in_segment(&self, segment: usize, point: usize) -> usize {
        let (first, local) = (self.nodes[segment], self.local);
        if point == first {
            local.states
        } else {
            local.states + local.controls + 1 + local.parameters + (point - first - 1) * local.controls
        }
    }

    /// The arguments at the ends: y(0), y(T), p, T.
    pub(crate) fn ends(&self) -> Vec<usize> {
        let parameters = self.duration + 1..self.size;
        self.state(0).chain(self.state(self.segments())).chain(parameters).chain([self.duration]).collect()
    }
}
