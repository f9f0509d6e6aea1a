//! What is drawn: |R_r| of one partition, and ρ(S) of a coupled pair along a ray.

use std::sync::Arc;

use hemiola_tableau::{Butcher, Tableau};
use num_complex::Complex64;

use crate::contour::Window;
use crate::error::StabilityError;
use crate::field::Field;
use crate::function::StabilityFunction;
use crate::matrix::{Matrix, radius_of_pair, ray_coefficients};
use crate::scheme::Scheme;

/// |R| of one partition's stability function, as a function of z.
///
/// ```
/// use num_complex::Complex64;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
/// let r = hemiola_stability::modulus(&rk4.partitions[0]);
/// assert!((r(Complex64::new(0.0, 8f64.sqrt())) - 1.0).abs() < 1e-14);
/// ```
pub fn modulus(butcher: &Butcher<f64>) -> impl Fn(Complex64) -> f64 + Sync + use<> {
    let function = StabilityFunction::new(butcher);
    move |z| function.at(z).norm()
}

/// The coupled problem along the ray z_ss = ξ, z_ff = κξ, z_sf z_fs = g κ ξ², with coupling number g.
///
/// For explicit pairs S(ξ) is a polynomial with matrix coefficients; other schemes are asked for their matrix at each ξ.
#[derive(Clone, Debug)]
pub struct CoupledRay {
    scheme: Arc<dyn Scheme>,
    z: Matrix,
    coefficients: Option<Vec<[[Complex64; 2]; 2]>>,
}

impl CoupledRay {
    /// The ray with frequency ratio `kappa` and coupling number `coupling`.
    ///
    /// ```
    /// use hemiola_stability::CoupledRay;
    /// use num_complex::Complex64;
    /// let pair = hemiola_tableau::library::method("mprk-p2").unwrap().to_f64();
    /// let ray = CoupledRay::new(&pair, 2.0, 0.04).unwrap();
    /// assert!(ray.spectral_radius(Complex64::new(-0.1, 0.1)) < 1.0);
    /// assert!(ray.spectral_radius(Complex64::new(0.0, 9.0)) > 1.0);
    /// ```
    ///
    /// # Errors
    /// [`StabilityError::NotAPair`] where the tableau has not two partitions, [`StabilityError::OutOfRange`] where a
    /// parameter is not finite.
    pub fn new(tableau: &Tableau<f64>, kappa: f64, coupling: f64) -> Result<Self, StabilityError> {
        if tableau.partitions.len() != 2 {
            return Err(StabilityError::NotAPair { found: tableau.partitions.len() });
        }
        let ray = Self::of(tableau.clone(), kappa, coupling)?;
        let pair = |m: &Matrix| [[m[0][0], m[0][1]], [m[1][0], m[1][1]]];
        let coefficients = tableau.is_explicit().then(|| ray_coefficients(tableau, &ray.z).iter().map(pair).collect());
        Ok(Self { coefficients, ..ray })
    }

    /// The ray of any scheme for two components.
    ///
    /// ```
    /// use hemiola_stability::{CoupledRay, SingularPerturbation};
    /// use num_complex::Complex64;
    /// let ray = CoupledRay::of(SingularPerturbation::default(), 100.0, 0.01).unwrap();
    /// assert!(ray.spectral_radius(Complex64::new(-0.1, 1.0)) < 1.0);
    /// ```
    ///
    /// # Errors
    /// [`StabilityError::OutOfRange`] where a parameter is not finite.
    pub fn of(scheme: impl Scheme + 'static, kappa: f64, coupling: f64) -> Result<Self, StabilityError> {
        for (name, value) in [("kappa", kappa), ("the coupling g", coupling)] {
            if !value.is_finite() {
                return Err(StabilityError::OutOfRange { name, value, expected: "a finite number" });
            }
        }
        // Eigenvalues depend on the product z_sf z_fs alone: equal factors keep the matrix balanced.
        let factor = Complex64::from(coupling * kappa).sqrt();
        let z = vec![vec![Complex64::ONE, factor], vec![factor, Complex64::from(kappa)]];
        Ok(Self { scheme: Arc::new(scheme), z, coefficients: None })
    }

    /// ρ(S(ξ)), and infinity at a pole.
    #[must_use]
    pub fn spectral_radius(&self, xi: Complex64) -> f64 {
        if let Some(coefficients) = &self.coefficients {
            let mut s = [[Complex64::ZERO; 2]; 2];
            for c in coefficients.iter().rev() {
                for r in 0..2 {
                    for q in 0..2 {
                        s[r][q] = s[r][q] * xi + c[r][q];
                    }
                }
            }
            return radius_of_pair(s);
        }
        let z: Matrix = self.z.iter().map(|row| row.iter().map(|z| z * xi).collect()).collect();
        self.scheme.spectral_radius(&z)
    }
}

/// The search for a region begins with a box of this half width.
const SMALLEST_SEARCH: f64 = 4.0;

/// A window with a margin around the region near the origin where `radius` (ρ or |R|) is at most one; `None` where the
/// region reaches farther than `farthest`, as an A-stable method's does.
///
/// ```
/// use num_complex::Complex64;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
/// let modulus = hemiola_stability::modulus(&rk4.partitions[0]);
/// let radius = |x: f64, y: f64| modulus(Complex64::new(x, y));
/// let window = hemiola_stability::region_window(&radius, 64.0, 400).unwrap();
/// assert!(window.x.0 < -2.8 && window.x.0 > -4.0 && window.y.1 > 2.9 && window.y.1 < 4.0);
/// ```
pub fn region_window(radius: &(impl Field + ?Sized), farthest: f64, cells: usize) -> Option<Window> {
    // A box much larger than the region would let it slip between the probes: boxes are doubled until one holds it.
    let boxes = std::iter::successors(Some(SMALLEST_SEARCH), |extent| Some(2.0 * extent));
    boxes.take_while(|extent| *extent < 2.0 * farthest).find_map(|extent| {
        let window = window_within(radius, extent, cells);
        (window.x.0 > -extent && window.x.1 < extent && window.y.1 < extent).then_some(window)
    })
}

/// The window around what lies in the box of half width `extent`.
fn window_within(radius: &(impl Field + ?Sized), extent: f64, cells: usize) -> Window {
    const PROBES: usize = 120;
    let mut reach = (extent, extent, extent);
    // Each pass looks at the box that the last one left.
    for _ in 0..3 {
        let (left, right, height) = reach;
        let probe = Window { x: (-left, right), y: (0.0, height), cells: (PROBES, PROBES) };
        let values = radius.sample(&probe);
        let mut found = (0.0f64, 0.0f64, 0.0f64);
        for (index, _) in values.iter().enumerate().filter(|(_, value)| **value <= 1.0) {
            let [x, y] = probe.point(index % (PROBES + 1), index / (PROBES + 1));
            found = (found.0.max(-x), found.1.max(x), found.2.max(y));
        }
        // One probe cell of margin keeps what lies between the grid points.
        let cell = ((left + right) / PROBES as f64, height / PROBES as f64);
        let within = |found: f64, cell: f64| (found + cell).min(extent);
        reach = (within(found.0, cell.0), within(found.1, cell.0), within(found.2, cell.1));
    }
    let (left, right, height) = reach;
    let margin = 0.06 * (left + right).max(2.0 * height);
    Window { x: (-left - margin, right + margin), y: (-height - margin, height + margin), cells: (cells, cells) }
}
