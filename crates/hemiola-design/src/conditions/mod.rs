pub(crate) mod elementary_weights;
pub(crate) mod equations;
pub(crate) mod forests;
pub(crate) mod residual;
