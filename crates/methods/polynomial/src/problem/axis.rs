//! Half-lines on which stability is required.

use std::fmt;

/// Half-line on which stability is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Imaginary axis, z = iy with y ≥ 0: undamped oscillations.
    Imaginary,
    /// Negative real axis, z = −x with x ≥ 0: pure decay.
    Real,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Imaginary => "imaginary axis",
            Self::Real => "negative real axis",
        })
    }
}
