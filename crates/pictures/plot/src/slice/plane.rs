//! Points of a slice in the space of Z.

use hemiola_stability as stability;
use hemiola_stability::Plane;
use num_complex::Complex64;

use crate::slice::Slice;

/// Largest |z| of the faster part on real planes of the step, beyond the limits of most explicit methods.
const FARTHEST: f64 = 6.0;

/// Ranges of two axes.
type Window = ((f64, f64), (f64, f64));

impl Slice {
    /// Returns the map from the plane to (z_ss, z_ff, w), or `None` if the slice is not a plane in that space.
    ///
    /// ```
    /// use hemiola_plot::Slice;
    /// let slice: Slice = "kappa-gamma:z=i".parse()?;
    /// let [slow, fast, product] = slice.plane().expect("a plane").at(5.0, 0.2);
    /// assert_eq!((slow.im, fast.im), (1.0, 5.0));
    /// assert!((product.re + 0.2).abs() < 1e-15);
    /// # Ok::<(), hemiola_plot::SliceError>(())
    /// ```
    #[must_use]
    pub fn plane(&self) -> Option<Plane> {
        self.polynomials().map(Plane::from).or_else(|| self.parameters())
    }

    /// Returns a complex plane.
    pub(crate) fn polynomials(&self) -> Option<stability::Slice> {
        match self {
            Self::Coupled { kappa, coupling } => Some(ray(*kappa, *coupling)),
            Self::Gil { alpha, beta } => Some(ray(*alpha, (beta * beta).into())),
            Self::Plane(entries) | Self::Additive(entries) => entries.polynomials(),
            _ => None,
        }
    }

    /// Returns a plane of real parameters.
    fn parameters(&self) -> Option<Plane> {
        Some(match self.clone() {
            Self::Parameters(entries) => Plane::real(move |x, y| entries.at(x, y)),
            Self::KappaGamma { slow, sign } => Plane::real(move |kappa, gamma| {
                let fast = slow * kappa;
                [slow, fast, slow * fast * (sign.factor() * gamma * gamma)]
            }),
            Self::StepCoupling { slow, fast } => {
                Plane::real(move |h, g| [slow * h, fast * h, slow * fast * (g * h * h)])
            }
            Self::DampingFrequency { kappa, coupling } => Plane::real(move |zeta, omega| {
                let slow = Complex64::new(-zeta, ((1.0 - zeta) * (1.0 + zeta)).sqrt()) * omega;
                [slow, slow * kappa, slow * slow * kappa * coupling]
            }),
            _ => return None,
        })
    }

    /// Returns the plane without coupling, for comparison; `None` if there is no coupling, or if the coupling is an
    /// axis.
    pub(crate) fn decoupled(&self) -> Option<Plane> {
        match self {
            Self::Coupled { .. } | Self::Gil { .. } | Self::Plane(_) => {
                let plane = self.polynomials()?;
                let product = [Complex64::ZERO; 3];
                (plane.product != product).then(|| Plane::from(stability::Slice { product, ..plane }))
            }
            Self::DampingFrequency { kappa, coupling } if *coupling != Complex64::ZERO => {
                Self::DampingFrequency { kappa: *kappa, coupling: Complex64::ZERO }.parameters()
            }
            Self::Values(values) => values.without_coupling()?.decoupled(),
            _ => None,
        }
    }

    /// Returns the default ranges of a real plane. The ranges of complex planes depend on the method.
    #[must_use]
    pub fn default_window(&self) -> Option<Window> {
        let farthest = |largest: f64| if largest > 0.0 { FARTHEST / largest } else { FARTHEST };
        match self {
            // The exact problem is singular at g = 1.
            Self::KappaGamma { .. } => Some(((0.0, 10.0), (0.0, 1.0))),
            Self::StepCoupling { slow, fast } => Some(((0.0, farthest(slow.norm().max(fast.norm()))), (-1.0, 1.0))),
            Self::DampingFrequency { kappa, .. } => Some(((0.0, 1.0), (0.0, farthest(kappa.abs().max(1.0))))),
            Self::Parameters(_) => Some(((0.0, 1.0), (0.0, 1.0))),
            // The profile is the infimum up to κ/κ* = 10, which is rarely attained beyond 3.
            Self::Profile { .. } => Some(((0.1, 3.0), (0.0, 0.5))),
            // The union of all windows.
            Self::Values(values) => values.slices().iter().filter_map(Self::default_window).reduce(|one, other| {
                let wider = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
                (wider(one.0, other.0), wider(one.1, other.1))
            }),
            _ => None,
        }
    }
}

fn ray(kappa: f64, coupling: Complex64) -> stability::Slice {
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    stability::Slice { slow: [zero, one], fast: [zero, kappa.into()], product: [zero, zero, coupling * kappa] }
}
