//! Options that all kinds of designs share.

/// Options of sizes, order and starts.
pub(crate) struct SharedOptions<'a> {
    pub(crate) slow: Option<usize>,
    pub(crate) fast: Option<usize>,
    pub(crate) order: Option<usize>,
    pub(crate) slow_stages: Option<&'a [usize]>,
    pub(crate) embedded: Option<usize>,
    pub(crate) dense: Option<usize>,
    pub(crate) internal_weight: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) starts: Option<usize>,
    pub(crate) largest: Option<f64>,
    pub(crate) shared_weights: bool,
    pub(crate) shared_abscissae: bool,
}
