//! Slices of the stability region: the mapped part of the space of Z, and its text notation.

mod entries;
mod error;
mod keys;
mod labels;
mod plane;
mod text;
mod values;

use hemiola_stability::Growth;
use num_complex::Complex64;

pub use entries::Entries;
pub use error::SliceError;
pub use values::Values;

/// A two-dimensional slice of a method's stability region, or a curve through it.
///
/// ```
/// use hemiola_plot::Slice;
/// let slice: Slice = "coupled:kappa=5,g=0.04".parse()?;
/// assert_eq!(slice, Slice::Coupled { kappa: 5.0, coupling: 0.04.into() });
/// let slice: Slice = "plane:ss=-0.1+0.5i,ff=z,w=0.2z".parse()?;
/// assert_eq!(slice.to_string(), "plane:ss=-0.1+0.5i,ff=z,w=0.2z");
/// # Ok::<(), hemiola_plot::SliceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Slice {
    /// Each partition alone, |R_r(z)| in the plane of z: `partitions`.
    #[default]
    Partitions,
    /// A coupled pair in the plane of ξ = z_ss: `coupled:kappa=…,g=…`.
    Coupled {
        /// κ = z_ff / z_ss.
        kappa: f64,
        /// The coupling number g = z_sf z_fs / (z_ss z_ff).
        coupling: Complex64,
    },
    /// A coupled pair in the parameters of Gil, Sanfelice & Nikravesh (2013), (51), that is κ = α and g = β²:
    /// `gil:alpha=…,beta=…`.
    Gil {
        /// α = λ_f / λ_s.
        alpha: f64,
        /// β = δ / λ_f = μ / λ_s for the coupling δ of the fast part to the slow one and μ of the slow part to the fast
        /// one.
        beta: f64,
    },
    /// Affine functions z_ss and z_ff of z with their coupling: `plane:ss=…,ff=…,w=…`, or `sf=…,fs=…` or `g=…` for `w`.
    Plane(Entries),
    /// Frequency ratio against coupling strength: x = κ, y = γ, z_ff = κ z_ss, g = ±γ²: `kappa-gamma:z=…,sign=±`.
    KappaGamma {
        /// z_ss.
        slow: Complex64,
        /// Sign of g = ±γ².
        sign: Sign,
    },
    /// Step against coupling number: x = h, y = g, z_ss = hλ_s, z_ff = hλ_f: `step-coupling:slow=…,fast=…`.
    StepCoupling {
        /// λ_s.
        slow: Complex64,
        /// λ_f.
        fast: Complex64,
    },
    /// Damping against frequency: x = ζ, y = ω, z_ss = ω(−ζ + i√(1−ζ²)), z_ff = κ z_ss:
    /// `damping-frequency:kappa=…,g=…`.
    DampingFrequency {
        /// κ = z_ff / z_ss.
        kappa: f64,
        /// The coupling number g.
        coupling: Complex64,
    },
    /// Z as an arbitrary function of two real parameters x and y: `parameters:ss=…,ff=…,w=…`, or `sf=…,fs=…` or `g=…`
    /// for `w`.
    Parameters(Entries),
    /// All couplings |g| ≤ γ² simultaneously, in the plane of ξ = z_ss: `robust:kappa=0.5..3,gamma=0.2,phase=all`.
    Robust {
        /// Smallest and largest κ.
        kappa: (f64, f64),
        /// γ ≥ 0.
        gamma: f64,
        /// Phases of the couplings.
        phases: Phases,
    },
    /// The additive problem y' = λ₁y + λ₂y, with growth factor tr S − 1, in the plane of z: z_ss = z₁, z_ff = z₂, w =
    /// z₁z₂: `additive:first=…,second=…`.
    Additive(Entries),
    /// The additive problem for all z_I in a wedge simultaneously, |arg(−z_I)| ≤ θ and |z_I| ≤ ρ, in the plane of z_E
    /// of the explicit partition: `joint:wedge=90,radius=inf`.
    Joint {
        /// θ in degrees, at most 90.
        wedge: f64,
        /// Radius ρ, which may be infinite.
        radius: f64,
    },
    /// Step ratio t*/t₀ at the damping ratio ζ, whose infimum over κ is the coupled profile, with x = κ/κ*, y = γ:
    /// `profile:zeta=…,sign=±,growth=practical`.
    Profile {
        /// Damping ratio ζ of both parts.
        zeta: f64,
        /// Sign of g = ±γ².
        sign: Sign,
        /// Growth criterion that limits the step.
        growth: Growth,
    },
    /// Dispersion and dissipation along the imaginary axis, as curves over y: `imaginary`.
    Imaginary,
    /// Regions of absolute monotonicity of pairs, in the plane of r₁ and r₂: `monotonicity`.
    Monotonicity,
    /// Several values of one key, overlaid: `coupled:kappa=5,g=0.01,0.04`.
    Values(Values),
}

/// The sign of a real coupling number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// g = γ².
    #[default]
    Plus,
    /// g = −γ².
    Minus,
}

/// Phases of the couplings |g| ≤ γ² of a robust region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phases {
    /// Complex couplings of all phases.
    #[default]
    All,
    /// Real couplings.
    Real,
}

impl Slice {
    /// Returns whether the axes are the real and the imaginary part of one number, which requires equal units.
    #[must_use]
    pub fn is_complex(&self) -> bool {
        use Slice::{Additive, Coupled, Gil, Joint, Partitions, Plane, Robust};
        match self {
            Self::Values(values) => values.slices().iter().all(Self::is_complex),
            _ => matches!(
                self,
                Partitions | Coupled { .. } | Gil { .. } | Plane(_) | Robust { .. } | Additive(_) | Joint { .. }
            ),
        }
    }

    /// Returns whether a complex plane is symmetric about the real axis.
    ///
    /// ```
    /// use hemiola_plot::Slice;
    /// assert!("plane:ss=-0.1,ff=z,w=0.2z".parse::<Slice>()?.is_symmetric());
    /// assert!(!"plane:ss=-0.1+0.5i,ff=z,w=0.2z".parse::<Slice>()?.is_symmetric());
    /// # Ok::<(), hemiola_plot::SliceError>(())
    /// ```
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        match self {
            Self::Values(values) => values.slices().iter().all(Self::is_symmetric),
            _ => self.is_complex() && self.polynomials().is_none_or(|plane| plane.is_real()),
        }
    }
}

impl Sign {
    /// Returns ±1.
    #[must_use]
    pub fn factor(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }
}

#[cfg(test)]
mod tests;
