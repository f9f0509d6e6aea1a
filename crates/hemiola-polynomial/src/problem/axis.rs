//! The two half-lines on which stability is wanted.

use std::fmt;

/// The half-line on which stability is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// z = iy with y ≥ 0: oscillations without damping.
    Imaginary,
    /// z = −x with x ≥ 0: pure decay.
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
