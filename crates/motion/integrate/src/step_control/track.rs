//! States recorded during a run.

/// States at times at least a spacing apart.
///
/// ```
/// let mut track = hemiola_integrate::Track::new(0.1);
/// for k in 0..=10 {
///     track.add(0.04 * f64::from(k), &[f64::from(k)]);
/// }
/// assert_eq!(track.states, [[0.0], [3.0], [6.0], [9.0]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The times.
    pub times: Vec<f64>,
    /// The state at each time.
    pub states: Vec<Vec<f64>>,
    spacing: f64,
}

impl Track {
    /// Creates an empty track. A spacing of zero keeps all states.
    #[must_use]
    pub fn new(spacing: f64) -> Self {
        Self { spacing, ..Self::default() }
    }

    /// Adds a state if it is far enough from the last one.
    pub fn add(&mut self, t: f64, y: &[f64]) {
        if self.times.last().is_none_or(|last| (t - last).abs() >= self.spacing) {
            self.times.push(t);
            self.states.push(y.to_vec());
        }
    }

    /// Returns a copy with a larger spacing.
    #[must_use]
    pub fn thinned(&self, spacing: f64) -> Self {
        let mut thin = Self::new(spacing);
        for (&t, state) in self.times.iter().zip(&self.states) {
            thin.add(t, state);
        }
        thin
    }
}
