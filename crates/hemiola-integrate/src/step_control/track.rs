//! States on the way of a run.

/// States at some times, no nearer to each other than a spacing.
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
    /// Without states yet; a spacing of zero keeps all.
    #[must_use]
    pub fn new(spacing: f64) -> Self {
        Self { spacing, ..Self::default() }
    }

    /// Adds a state where it is far enough from the last one.
    pub fn add(&mut self, t: f64, y: &[f64]) {
        if self.times.last().is_none_or(|last| (t - last).abs() >= self.spacing) {
            self.times.push(t);
            self.states.push(y.to_vec());
        }
    }

    /// The same with states farther from each other.
    #[must_use]
    pub fn thinned(&self, spacing: f64) -> Self {
        let mut thin = Self::new(spacing);
        for (&t, state) in self.times.iter().zip(&self.states) {
            thin.add(t, state);
        }
        thin
    }
}
