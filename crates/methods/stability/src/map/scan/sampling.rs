//! Evaluation of S at all points of a window, eight points at a time, rows in parallel.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hemiola_number::parallel;
use hemiola_number::vector::dispatch;
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::guard::PrecisionGuard;
use super::plane::{Kind, Plane};
use super::quantity::{MapQuery, Quantity};
use super::rows::{PlaneKernel, RowTask};
use crate::error::StabilityError;
use crate::lanes::LANES;
use crate::map::field::{Field, Sampled};
use crate::map::window::Window;
use crate::schemes::scheme::StabilityScheme;

/// Scheme for two components on a plane of its stability region, prepared for many points.
///
/// As a [`Field`] it is ρ(S), or another [`Quantity`] of S.
///
/// ```
/// use hemiola_stability::{Field, Scan, Slice, Window};
/// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
/// let scan = Scan::new(&pair, Slice::ray(5.0, 0.01))?;
/// let window = Window { x: (-1.0, 0.0), y: (-1.0, 1.0), cells: (100, 200) };
/// let radii = scan.sample(&window);
/// assert_eq!(radii.len(), 101 * 201);
/// assert_eq!(radii[100 * 101 + 100], 1.0); // ξ = 0 in the last column of the middle row
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scan {
    kernel: PlaneKernel,
    quantity: Quantity,
    /// Whether conjugate points have the same answers.
    is_symmetric: bool,
    /// Guard of explicit pairs at points where doubles may not suffice.
    guard: Option<Arc<PrecisionGuard>>,
}

impl Scan {
    /// Prepares ρ(S) of a pair. Explicit and diagonally implicit pairs are fast; others solve their stage equations at
    /// each point.
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] if the tableau does not have two partitions, [`StabilityError::OutOfRange`]
    /// if a coefficient of a slice is not finite.
    pub fn new(tableau: &Tableau<f64>, plane: impl Into<Plane>) -> Result<Self, StabilityError> {
        if tableau.partitions.len() != 2 {
            return Err(StabilityError::NotAPair { found: tableau.partitions.len() });
        }
        let plane = plane.into();
        let is_symmetric = match &plane.0 {
            Kind::Slice(slice) => slice.checked()?.is_real(),
            Kind::Real(_) => false,
        };
        let guard = PrecisionGuard::new(tableau, &plane).map(Arc::new);
        Ok(Self { kernel: PlaneKernel::new(tableau, plane), quantity: Quantity::Radius, is_symmetric, guard })
    }

    /// Prepares ρ of any scheme for two components; it evaluates the matrix at each point with couplings z_sf = z_fs =
    /// √w.
    ///
    /// The value is infinite where the scheme has no matrix.
    ///
    /// ```
    /// use hemiola_stability::{Field, Scan, SingularPerturbation, Slice};
    /// let scan = Scan::of(SingularPerturbation::default(), Slice::ray(100.0, 0.01));
    /// assert!(scan.at(-0.1, 1.0) < 1.0 && !scan.is_vectorized());
    /// ```
    #[must_use]
    pub fn of(scheme: impl StabilityScheme + 'static, plane: impl Into<Plane>) -> Self {
        let kernel = PlaneKernel::Scheme(Arc::new(scheme), plane.into());
        Self { kernel, quantity: Quantity::Radius, is_symmetric: false, guard: None }
    }

    /// Selects another quantity.
    #[must_use]
    pub fn quantity(self, quantity: Quantity) -> Self {
        Self { quantity, ..self }
    }

    /// Computes ρ(S) at one point: infinite at poles and where S overflows.
    ///
    /// ```
    /// use hemiola_stability::{Scan, Slice};
    /// use num_complex::Complex64;
    /// let pair = hemiola_tableau::library::method("mprk-p2").unwrap().to_f64();
    /// let scan = Scan::new(&pair, Slice::ray(2.0, 0.04))?;
    /// assert!(scan.spectral_radius(Complex64::new(-0.1, 0.1)) < 1.0);
    /// assert_eq!(scan.spectral_radius(Complex64::new(1e200, 0.0)), f64::INFINITY);
    /// # Ok::<(), hemiola_stability::StabilityError>(())
    /// ```
    #[must_use]
    pub fn spectral_radius(&self, xi: Complex64) -> f64 {
        self.point(xi.re, xi.im, MapQuery::Value(Quantity::Radius))
    }

    /// Computes ρ(S) at all grid points, row by row from below: infinite at poles and where S overflows.
    ///
    /// The errors are a few roundings of |S|; near a double eigenvalue they are the square root of that. If the slice
    /// is real and the window symmetric about the real axis, only the upper half is computed.
    #[must_use]
    pub fn spectral_radii(&self, window: &Window) -> Vec<f64> {
        self.map(window, MapQuery::Value(Quantity::Radius)).values
    }

    /// Returns whether ρ(S) ≤ 1 + `margin` at all grid points, row by row from below.
    ///
    /// The decision uses the Schur–Cohn–Jury conditions on trace and determinant, without eigenvalues. If an eigenvalue
    /// lies on the circle up to rounding, rounding decides the result; with a margin such as 1e-9, methods that
    /// conserve energy exactly count as stable.
    ///
    /// ```
    /// use hemiola_stability::{Scan, Slice, Window};
    /// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
    /// let window = Window { x: (-2.0, 1.0), y: (-2.0, 2.0), cells: (60, 80) };
    /// let scan = Scan::new(&pair, Slice::ray(5.0, 0.01))?;
    /// let stable = scan.stable(&window, 0.0);
    /// let radii = scan.spectral_radii(&window);
    /// assert!(stable.iter().zip(&radii).all(|(stable, radius)| *stable == (*radius <= 1.0)));
    /// # Ok::<(), hemiola_stability::StabilityError>(())
    /// ```
    #[must_use]
    pub fn stable(&self, window: &Window, margin: f64) -> Vec<bool> {
        let answers = self.map(window, MapQuery::Stable((1.0 + margin).recip())).values;
        answers.into_iter().map(|answer| answer > 0.0).collect()
    }

    fn point(&self, x: f64, y: f64, question: MapQuery) -> f64 {
        let mut out = [0.0; LANES];
        dispatch(RowTask { kernel: &self.kernel, question, x: &[x; LANES], y, out: &mut out });
        match &self.guard {
            Some(guard) => guard.watch_point(question.quantity(), question.level()).answer([x, y], out[0]).0,
            None => out[0],
        }
    }

    /// Computes the answers at all grid points.
    fn map(&self, window: &Window, question: MapQuery) -> Sampled {
        let quantity = question.quantity();
        let Some(watch) = self.guard.as_ref().and_then(|guard| guard.watch(window, quantity, question.level())) else {
            return Sampled { values: self.map_in_doubles(window, question), in_more_digits: 0 };
        };
        let mut values = self.map_in_doubles(window, MapQuery::Value(quantity));
        let open = AtomicUsize::new(0);
        parallel::fill(&mut values, PART, |k, part| {
            let mut count = 0;
            for (i, value) in part.iter_mut().enumerate() {
                let (answer, is_open) = watch.answer(window.place(k * PART + i), *value);
                *value = question.answer(answer);
                count += usize::from(is_open);
            }
            open.fetch_add(count, Ordering::Relaxed);
        });
        Sampled { values, in_more_digits: open.into_inner() }
    }

    fn map_in_doubles(&self, window: &Window, question: MapQuery) -> Vec<f64> {
        let (columns, rows) = (window.cells.0 + 1, window.cells.1 + 1);
        // Points beyond the last one fill its block; their answers are dropped.
        let x: Vec<f64> =
            (0..columns.next_multiple_of(LANES)).map(|i| window.point(i.min(columns - 1), 0)[0]).collect();
        let mirrored = if self.is_symmetric && window.y.0 == -window.y.1 { rows / 2 } else { 0 };
        let mut map = vec![0.0; columns * rows];
        let (below, above) = map.split_at_mut(mirrored * columns);
        parallel::fill(above, columns, |j, out| {
            let y = window.point(0, mirrored + j)[1];
            let mut row = vec![0.0; x.len()];
            dispatch(RowTask { kernel: &self.kernel, question, x: &x, y, out: &mut row });
            out.copy_from_slice(&row[..columns]);
        });
        let mirror = |j: usize| &above[(rows - 1 - j - mirrored) * columns..][..columns];
        parallel::fill(below, columns, |j, out| out.copy_from_slice(mirror(j)));
        map
    }
}

/// Number of points in a part of a guarded map. Parts must be small, because some points take a thousand times longer
/// than others.
const PART: usize = 256;

impl Field for Scan {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.point(x, y, MapQuery::Value(self.quantity))
    }

    fn sample(&self, window: &Window) -> Vec<f64> {
        self.sampled(window).values
    }

    fn is_vectorized(&self) -> bool {
        !matches!(self.kernel, PlaneKernel::Scheme(..) | PlaneKernel::Equations(..))
    }

    fn count_refined(&self, window: &Window) -> usize {
        let question = MapQuery::Value(self.quantity);
        let watched = self.guard.as_ref().and_then(|guard| guard.watch(window, self.quantity, question.level()));
        if watched.is_some() { self.map(window, question).in_more_digits } else { 0 }
    }

    fn sampled(&self, window: &Window) -> Sampled {
        self.map(window, MapQuery::Value(self.quantity))
    }
}
