//! Layout of the variables of the program.

use crate::steps::ProblemSizes;

/// Grid points whose states are variables of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShootingNodes {
    /// Both ends only.
    Single,
    /// Every point of the control grid.
    Multiple,
    /// Every kth point and both ends.
    Every(usize),
}

/// Control grid of equally spaced points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlGrid {
    /// Number of points N, at least 2.
    pub points: usize,
    /// Number of steps of the method per interval.
    pub steps: usize,
    /// Grid points whose states are variables.
    pub shooting: ShootingNodes,
    /// Whether controls are continuous and piecewise linear rather than constant on each interval.
    pub is_linear: bool,
}

/// Indices of the variables: at each point the state, if it is a variable, and the controls; then the duration and the
/// parameters.
#[derive(Clone, Debug)]
pub(crate) struct VariableLayout {
    pub(crate) local: ProblemSizes,
    /// Grid points whose states are variables.
    pub(crate) nodes: Vec<usize>,
    states: Vec<usize>,
    controls: Vec<usize>,
    pub(crate) duration: usize,
    pub(crate) size: usize,
}

impl VariableLayout {
    pub(crate) fn new(local: ProblemSizes, grid: &ControlGrid) -> Self {
        let every = match grid.shooting {
            ShootingNodes::Single => grid.points - 1,
            ShootingNodes::Multiple => 1,
            ShootingNodes::Every(count) => count.max(1),
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

    /// Returns the number of segments between nodes.
    pub(crate) fn segments(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns the variables of the state at a node.
    pub(crate) fn state(&self, node: usize) -> std::ops::Range<usize> {
        self.states[node]..self.states[node] + self.local.states
    }

    /// Returns the variables of the controls at a grid point.
    pub(crate) fn control(&self, point: usize) -> std::ops::Range<usize> {
        self.controls[point]..self.controls[point] + self.local.controls
    }

    /// Returns the variables of the duration and the parameters.
    pub(crate) fn globals(&self) -> std::ops::Range<usize> {
        self.duration..self.size
    }

    /// Returns the variables ξ of a node: its state, its controls, the duration and the parameters.
    pub(crate) fn extended(&self, node: usize) -> Vec<usize> {
        self.state(node).chain(self.control(self.nodes[node])).chain(self.globals()).collect()
    }

    /// Returns the variables of a segment: ξ of its first node, then the controls of the points up to its last.
    pub(crate) fn segment(&self, segment: usize) -> Vec<usize> {
        let later = self.nodes[segment] + 1..=self.nodes[segment + 1];
        let mut indices = self.extended(segment);
        indices.extend(later.flat_map(|point| self.control(point)));
        indices
    }

    /// Returns the position of the controls of a point among the variables of a segment.
    pub(crate) fn control_in_segment(&self, segment: usize, point: usize) -> usize {
        let (first, local) = (self.nodes[segment], self.local);
        if point == first {
            local.states
        } else {
            local.states + local.controls + 1 + local.parameters + (point - first - 1) * local.controls
        }
    }

    /// Returns the arguments of the boundary functions: y(0), y(T), p, T.
    pub(crate) fn ends(&self) -> Vec<usize> {
        let parameters = self.duration + 1..self.size;
        self.state(0).chain(self.state(self.segments())).chain(parameters).chain([self.duration]).collect()
    }
}
