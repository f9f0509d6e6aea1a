//! Lane change as an optimal control problem.

use std::sync::Arc;

use hemiola_models::SingleTrack;

use super::track::LaneTrack;
use crate::calculus::{Number, Smooth};
use crate::problem::{ControlProblem, Guess};
use crate::sqp::Ranges;
use crate::steps::ProblemSizes;

/// Lane change in minimum time. The car starts with its steering at rest at the beginning of the track and stays on the
/// track at all grid points until its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneChange {
    /// Car.
    pub car: SingleTrack,
    /// Initial speed, in m/s.
    pub speed: f64,
    /// Track.
    pub track: LaneTrack,
    /// Largest steering rate, in rad/s.
    pub steering_rate: f64,
}

impl Default for LaneChange {
    fn default() -> Self {
        Self { car: SingleTrack::default(), speed: 25.0, track: LaneTrack::default(), steering_rate: 0.5 }
    }
}

/// Single-track car as a function of z = (seven states, steering rate, t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteeredCar(pub SingleTrack);

impl Smooth for SteeredCar {
    fn inputs(&self) -> usize {
        9
    }

    fn outputs(&self) -> usize {
        7
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        let &[x, y, v, beta, psi, omega, delta, rate, _] = z else { return };
        out.copy_from_slice(&self.0.lift::<N>().rate(&[x, y, v, beta, psi, omega, delta], rate));
    }
}

/// Distances of the car's center from both edges, minus half its width.
struct TrackClearance(LaneTrack);

impl Smooth for TrackClearance {
    fn inputs(&self) -> usize {
        9
    }

    fn outputs(&self) -> usize {
        2
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        let half = self.0.width / 2.0;
        out[0] = z[1] - self.0.right(z[0]) - half;
        out[1] = self.0.left(z[0]) - z[1] - half;
    }
}

/// Duration as a function of (y(0), y(T), T).
struct FinalTime;

impl Smooth for FinalTime {
    fn inputs(&self) -> usize {
        15
    }

    fn outputs(&self) -> usize {
        1
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        out[0] = z[14];
    }
}

impl LaneChange {
    /// Builds the optimal control problem.
    #[must_use]
    pub fn problem(&self) -> ControlProblem {
        let free = f64::INFINITY;
        let [begin, end] = self.track.ends;
        let around = |lower: Vec<f64>, upper: Vec<f64>| Ranges { lower, upper };
        ControlProblem {
            local: ProblemSizes { states: 7, controls: 1, parameters: 0 },
            dynamics: Arc::new(SteeredCar(self.car)),
            ends: Arc::new(FinalTime),
            boundary: Ranges::default(),
            path: Some((Arc::new(TrackClearance(self.track)), around(vec![0.0; 2], vec![free; 2]))),
            // The equations hold for a car that moves forward only.
            states: around(
                vec![-free, -free, 1.0, -1.5, -free, -free, -1.5],
                vec![free, free, free, 1.5, free, free, 1.5],
            ),
            initial: around(
                vec![begin, -free, self.speed, 0.0, 0.0, 0.0, 0.0],
                vec![begin, free, self.speed, 0.0, 0.0, 0.0, 0.0],
            ),
            terminal: around(
                vec![end, -free, -free, -free, 0.0, -free, -free],
                vec![end, free, free, free, 0.0, free, free],
            ),
            controls: around(vec![-self.steering_rate], vec![self.steering_rate]),
            parameters: Ranges::default(),
            duration: [0.1, 1000.0],
        }
    }

    /// Builds a first guess: a drive along the middle of the track at the initial speed, without steering.
    #[must_use]
    pub fn guess(&self) -> Guess {
        const POINTS: usize = 101;
        let [begin, end] = self.track.ends;
        let state = |k: usize| {
            let x = begin + (end - begin) * k as f64 / (POINTS - 1) as f64;
            let middle = (self.track.left(x) + self.track.right(x)) / 2.0;
            vec![x, middle, self.speed, 0.0, 0.0, 0.0, 0.0]
        };
        Guess {
            states: (0..POINTS).map(state).collect(),
            controls: vec![vec![0.0]; POINTS],
            duration: (end - begin) / self.speed,
            parameters: Vec::new(),
        }
    }
}
