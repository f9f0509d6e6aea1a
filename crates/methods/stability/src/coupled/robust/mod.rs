//! Robust regions: stable for all couplings up to a strength and all frequency ratios of an interval.

use hemiola_number::vector::{Registers, Task, dispatch};
use std::f64::consts::TAU;

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use crate::eigenvalues::pair::radius_of_pair;
use crate::error::StabilityError;
use crate::lanes::{ComplexLanes, LANES};
use crate::map::field::Field;
use crate::map::robust_scheme::check_couplings;
use crate::map::scan::spectrum::{Entries, spectral_radius};
use crate::map::scan::stage_equations::{Solution, StageEquations, Systems, couplings};
use crate::map::scan::stages::{Scratch, StageRecursion};

/// Minimum number of phases in the initial sample, a multiple of [`LANES`].
const PHASES: usize = 16;
/// Number of largest values of the initial sample from which maxima are sought.
const STARTS: usize = 3;
/// Final step of the search as a fraction of the initial spacing: the error of an analytic maximum is at most of the
/// order of its square, and smaller after the last parabola.
const RESOLUTION: f64 = 1e-4;
/// Maximum number of search steps; a search that needs more is converging slowly to a pole.
const MOVES: usize = 200;
/// Ratio of the determinant of the stage equations to its largest initial value below which a pole is sought.
const SMALL: f64 = 1e-2;
/// Maximum number of steps in the search for a pole; at a double zero each step only halves the distance.
const ZERO_STEPS: usize = 40;
/// Width of the central differences for slopes, as a fraction of the initial spacing; their relative error is of the
/// order of its square.
const DIFFERENCE: f64 = 1e-5;

/// Supremum of ρ(S) over couplings and frequency ratios, as a field over ξ = z_ss.
///
/// z_ff = κξ and w = gκξ², with all complex coupling numbers |g| ≤ γ², or only real ones, and κ in an interval.
///
/// ρ of a matrix that depends holomorphically on g is subharmonic (Vesentini 1968): its supremum over the disk |g| ≤ γ²
/// is attained on the circle, unless S has a pole inside, where the field is infinite. Diagonally implicit pairs have
/// known poles. For other implicit pairs the winding number of det(I − [z_rq A^q]) along the circle counts its zeros
/// inside. Real couplings are sampled from end to end. From the largest values found, Newton's method looks for a zero
/// of the determinant on the circle or the line, and on the interval of κ.
///
/// The maximum over phase and κ starts from a regular sample of at least 16 phases and 8 ratios, ends included.
/// Parabolas improve its three largest peaks to about 1e-9. A peak narrower than the sample may be missed: the value is
/// a lower bound.
///
/// ```
/// use hemiola_stability::{Field, Robust};
/// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
/// let stable = |gamma| Robust::new(&pair, (4.0, 5.0), gamma).unwrap().at(-0.3, 0.5) <= 1.0;
/// assert!(stable(0.1) && !stable(0.9));
/// ```
#[derive(Clone, Debug)]
pub struct Robust {
    /// Number of stages s.
    stages: usize,
    kernel: StageSolver,
    kappa: (f64, f64),
    /// Squared coupling strength γ².
    strength: f64,
    is_real: bool,
    /// Points of the initial sample.
    places: Vec<CouplingPoint>,
}

/// Method of computing S.
#[derive(Clone, Debug)]
enum StageSolver {
    /// Stage by stage.
    Stages(StageRecursion),
    /// All stage equations at once.
    Equations(StageEquations),
}

/// Coupling number and frequency ratio, the latter as a fraction of the interval of κ.
#[derive(Clone, Copy, Debug)]
struct CouplingPoint {
    coupling: Complex64,
    ratio: f64,
}

impl Robust {
    /// Prepares the field for all complex couplings |g| ≤ γ² and κ₁ ≤ κ ≤ κ₂.
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] unless the tableau has two partitions, [`StabilityError::OutOfRange`] if γ
    /// is negative or the interval is not positive and finite.
    pub fn new(tableau: &Tableau<f64>, kappa: (f64, f64), gamma: f64) -> Result<Self, StabilityError> {
        if tableau.partitions.len() != 2 {
            return Err(StabilityError::NotAPair { found: tableau.partitions.len() });
        }
        check_couplings(kappa, gamma)?;
        let kernel = match StageRecursion::new(tableau) {
            Some(stages) => StageSolver::Stages(stages),
            None => StageSolver::Equations(StageEquations::new(tableau)),
        };
        let (stages, strength) = (tableau.stages(), gamma * gamma);
        Ok(Self { stages, kernel, kappa, strength, is_real: false, places: Vec::new() }.prepared())
    }

    /// Restricts the couplings to real ones, −γ² ≤ g ≤ γ².
    #[must_use]
    pub fn real(self) -> Self {
        Self { is_real: true, ..self }.prepared()
    }

    fn prepared(self) -> Self {
        Self { places: self.places(), ..self }
    }

    fn ratio(&self, t: f64) -> f64 {
        let (low, high) = self.kappa;
        if t == 1.0 { high } else { low + (high - low) * t }
    }

    fn arguments(&self, xi: Complex64, place: CouplingPoint) -> [Complex64; 3] {
        let fast = self.ratio(place.ratio) * xi;
        [xi, fast, place.coupling * fast * xi]
    }

    /// Returns the number of initial samples in both directions; one in a direction without variation.
    fn samples(&self) -> [usize; 2] {
        // S is a polynomial, or a quotient of two, of degree at most s.
        let s = self.stages;
        let phases = PHASES.max((4 * s).next_multiple_of(LANES));
        let ratios = LANES.max(s + 4);
        [if self.strength == 0.0 { 1 } else { phases }, if self.kappa.0 == self.kappa.1 { 1 } else { ratios }]
    }

    /// Returns the spacing of the initial sample: of the angle or real coupling, and of the ratio. The circle has no
    /// end point.
    fn spacing(&self) -> [f64; 2] {
        let [phases, ratios] = self.samples();
        let part = |n: usize| if n > 1 { 1.0 / (n - 1) as f64 } else { 0.0 };
        let around = if phases > 1 { TAU / phases as f64 } else { 0.0 };
        [if self.is_real { 2.0 * self.strength * part(phases) } else { around }, part(ratios)]
    }

    /// Returns the points of the initial sample, ratio after ratio.
    fn places(&self) -> Vec<CouplingPoint> {
        let [phases, ratios] = self.samples();
        let [step, part] = self.spacing();
        let coupling = |i: usize| match self.is_real {
            true => Complex64::from(step * i as f64 - self.strength),
            false => Complex64::from_polar(self.strength, step * i as f64),
        };
        let couplings: Vec<Complex64> = (0..phases).map(coupling).collect();
        let row = |j: usize| couplings.iter().map(move |&coupling| CouplingPoint { coupling, ratio: j as f64 * part });
        (0..ratios).flat_map(row).collect()
    }

    /// Moves a point in both directions.
    fn moved(&self, place: CouplingPoint, [along, upwards]: [f64; 2]) -> CouplingPoint {
        let coupling = if self.is_real {
            Complex64::from((place.coupling.re + along).clamp(-self.strength, self.strength))
        } else {
            // (1 + iτ)²/(1 + τ²) with τ = tan(φ/2) ≈ φ/2 is a rotation, by about φ for small φ.
            let half = Complex64::new(1.0, 0.5 * along);
            place.coupling * (half * half / half.norm_sqr())
        };
        CouplingPoint { coupling, ratio: (place.ratio + upwards).clamp(0.0, 1.0) }
    }

    fn supremum(&self, xi: Complex64) -> f64 {
        let mut radii = RadiusSearch {
            robust: self,
            xi,
            scratch: Scratch::default(),
            systems: Systems::default(),
            determinants: [Complex64::ONE; LANES],
        };
        let mut values = Vec::with_capacity(self.places.len() + LANES);
        let mut determinants = Vec::with_capacity(self.places.len() + LANES);
        for chunk in self.places.chunks(LANES) {
            values.extend(radii.at_most_eight(chunk));
            determinants.extend(radii.determinants);
        }
        let values = &values[..self.places.len()];
        let determinant = determinants.iter().map(|value| value.norm()).fold(0.0, f64::max);
        if values.contains(&f64::INFINITY) || self.has_pole(xi, &determinants[..self.places.len()]) {
            return f64::INFINITY;
        }
        let mut peaks: Vec<(f64, usize)> =
            (0..values.len()).filter_map(|k| Some((self.prospect(values, k)?, k))).collect();
        peaks.sort_by(|(_, j), (_, k)| values[*k].total_cmp(&values[*j]));
        let mut largest = 0.0;
        for (prospect, k) in peaks.into_iter().take(STARTS) {
            if prospect > largest {
                let (place, found) = radii.climb(self.places[k], values[k]);
                if radii.is_near_pole(place, determinant) {
                    return f64::INFINITY;
                }
                largest = found.max(largest);
            }
        }
        largest
    }

    /// Bounds the maximum near a point of the initial sample; returns `None` if a neighbor is larger.
    ///
    /// If the vertex of a parabola lies next to the middle one of three samples, it exceeds this sample by at most a
    /// quarter of the sample's height above the lowest one; the bound allows for the whole height.
    fn prospect(&self, values: &[f64], k: usize) -> Option<f64> {
        let [phases, ratios] = self.samples();
        let (i, j) = (k % phases, k / phases);
        let mut lowest = values[k];
        for row in j.saturating_sub(1)..=(j + 1).min(ratios - 1) {
            for step in [phases - 1, 0, 1] {
                let outside = self.is_real && (if step == 1 { i + 1 == phases } else { i + step < phases && step > 0 });
                let neighbor = values[row * phases + if outside { i } else { (i + step) % phases }];
                if neighbor > values[k] {
                    return None;
                }
                lowest = lowest.min(neighbor);
            }
        }
        Some(2.0 * values[k] - lowest)
    }

    /// Returns whether the stage equations, with these initial determinants, are singular at some coupling.
    fn has_pole(&self, xi: Complex64, determinants: &[Complex64]) -> bool {
        if let StageSolver::Stages(stages) = &self.kernel {
            return stages.diagonals().iter().any(|&diagonal| self.is_singular(diagonal, xi));
        }
        let [phases, _] = self.samples();
        if self.is_real || phases == 1 {
            return false;
        }
        determinants.chunks(phases).any(|row| {
            let steps = (0..phases).map(|i| [row[i], row[(i + 1) % phases]]);
            row.iter().any(|value| !value.is_finite()) || steps.map(crossing).sum::<i32>() != 0
        })
    }

    /// Returns whether D = (1 − pξ)(1 − qκξ) − pqgκξ² vanishes for some coupling and ratio.
    ///
    /// With u = 1/κ this is (1 − pξ)(u − qξ) = pqgξ²: the left side covers a segment of the complex plane, and the
    /// right side a disk or a line.
    fn is_singular(&self, (p, q): (f64, f64), xi: Complex64) -> bool {
        let end = |u: f64| (1.0 - p * xi) * (u - q * xi);
        let (a, b) = (end(1.0 / self.kappa.1), end(1.0 / self.kappa.0));
        let reach = p * q * self.strength * xi * xi;
        let size = (1.0 + (p * xi).norm()) * (1.0 / self.kappa.0 + (q * xi).norm()) + reach.norm();
        let rounding = 4.0 * f64::EPSILON * size;
        let separation = if self.is_real {
            separation([a, b], [-reach, reach])
        } else {
            distance(Complex64::ZERO, [a, b]) - reach.norm()
        };
        separation <= rounding
    }
}

/// Returns the signed number of crossings of the negative real axis by a straight segment; the sum along a closed path
/// is its winding number about the origin.
fn crossing([from, to]: [Complex64; 2]) -> i32 {
    if (from.im < 0.0) == (to.im < 0.0) {
        return 0;
    }
    let place = from.re - from.im * ((to.re - from.re) / (to.im - from.im));
    let sense = if to.im < 0.0 { 1 } else { -1 };
    sense * i32::from(place < 0.0)
}

impl Field for Robust {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.supremum(Complex64::new(x, y))
    }
}

/// Spectral radius ρ(S) at one ξ as a function of coupling and ratio.
struct RadiusSearch<'a> {
    robust: &'a Robust,
    xi: Complex64,
    scratch: Scratch,
    systems: Systems,
    /// Determinants of the stage equations at the last eight points, if these are solved all at once.
    determinants: [Complex64; LANES],
}

impl RadiusSearch<'_> {
    /// Computes the values at up to eight points; the last one is repeated.
    fn at_most_eight(&mut self, places: &[CouplingPoint]) -> [f64; LANES] {
        let place = |lane: usize| places[lane.min(places.len() - 1)];
        let points: [[Complex64; 3]; LANES] = std::array::from_fn(|lane| self.robust.arguments(self.xi, place(lane)));
        let mut z = [ComplexLanes::ZERO; 3];
        for (lane, point) in points.into_iter().enumerate() {
            z.iter_mut().zip(point).for_each(|(z, value)| z.set_lane(lane, value));
        }
        match &self.robust.kernel {
            StageSolver::Stages(stages) => dispatch(RadiusTask { stages, z, scratch: &mut self.scratch }),
            StageSolver::Equations(equations) => {
                z[2] = couplings(&z[2]);
                let solution = dispatch(StageEquationTask { equations, z, systems: &mut self.systems });
                self.determinants = std::array::from_fn(|lane| solution.determinant.lane(lane));
                std::array::from_fn(|lane| radius_in(&solution.entries, lane))
            }
        }
    }

    /// Climbs to the maximum near a point.
    ///
    /// It moves to the largest of eight neighbors as long as one is larger, and otherwise to the vertex of the
    /// paraboloid through all nine, with steps reduced to a quarter.
    fn climb(&mut self, mut place: CouplingPoint, mut largest: f64) -> (CouplingPoint, f64) {
        let [along, upwards] = self.robust.spacing();
        let mut size = 0.5;
        for _ in 0..MOVES {
            if size <= RESOLUTION || largest == f64::INFINITY {
                break;
            }
            let at = |[s, t]: [f64; 2]| self.robust.moved(place, [s * size * along, t * size * upwards]);
            let places = NEIGHBORS.map(at);
            let values = self.at_most_eight(&places);
            let best = (0..LANES).fold(0, |best, lane| if values[lane] > values[best] { lane } else { best });
            // Gains of the size of rounding would make the search wander.
            if values[best] > largest * (1.0 + 4.0 * f64::EPSILON) {
                (place, largest) = (places[best], values[best]);
                continue;
            }
            let [s, t] = vertex(&values, largest);
            let vertex = self.robust.moved(place, [s * size * along, t * size * upwards]);
            let value = self.at_most_eight(&[vertex])[0];
            if value > largest {
                (place, largest) = (vertex, value);
            }
            size *= 0.25;
        }
        (place, largest)
    }

    /// Returns whether Gauss–Newton steps from a point lead to a zero of the determinant of the stage equations, which
    /// is `largest` elsewhere.
    ///
    /// Elimination rounds the determinant by n ε times that value. Up to a factor, ρ(S) is the reciprocal of the
    /// determinant, so points that count as poles would otherwise have values above 1e12.
    fn is_near_pole(&mut self, mut place: CouplingPoint, largest: f64) -> bool {
        if matches!(self.robust.kernel, StageSolver::Stages(_)) {
            return false;
        }
        let rounding = 16.0 * (2 * self.robust.stages) as f64 * f64::EPSILON * largest;
        let spacing = self.robust.spacing();
        for step in 0..ZERO_STEPS {
            let at = |directions: [f64; 2]| {
                let [along, upwards] = [0, 1].map(|k| DIFFERENCE * directions[k] * spacing[k]);
                self.robust.moved(place, [along, upwards])
            };
            let places = [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].map(at);
            self.at_most_eight(&places);
            let [here, ahead, behind, above, below, ..] = self.determinants;
            if here.norm() <= rounding {
                return true;
            }
            if step == 0 && here.norm() > SMALL * largest {
                return false;
            }
            // At an end of the line or of the interval a difference is one-sided.
            let along = match self.robust.is_real {
                true => (places[1].coupling - places[2].coupling).re,
                false => 2.0 * DIFFERENCE * spacing[0],
            };
            let slope =
                |difference: Complex64, width: f64| if width > 0.0 { difference / width } else { Complex64::ZERO };
            let slopes = [slope(ahead - behind, along), slope(above - below, places[3].ratio - places[4].ratio)];
            let change = toward_zero(here, slopes);
            let [s, t] = [0, 1].map(|k| change[k].clamp(-spacing[k], spacing[k]));
            place = self.robust.moved(place, [s, t]);
        }
        false
    }
}

/// Computes the real s and t that minimize |d + s d₁ + t d₂|; a direction without slope is left unchanged.
fn toward_zero(d: Complex64, [d1, d2]: [Complex64; 2]) -> [f64; 2] {
    let dot = |x: Complex64, y: Complex64| x.re * y.re + x.im * y.im;
    let ([a, b, c], [p, q]) = ([dot(d1, d1), dot(d1, d2), dot(d2, d2)], [-dot(d1, d), -dot(d2, d)]);
    let determinant = a * c - b * b;
    // Slopes that are parallel up to rounding count as one direction.
    if determinant > f64::EPSILON.sqrt() * a * c {
        return [(c * p - b * q) / determinant, (a * q - b * p) / determinant];
    }
    if a >= c { [if a > 0.0 { p / a } else { 0.0 }, 0.0] } else { [0.0, q / c] }
}

/// Corners and side midpoints of a square, row by row.
const NEIGHBORS: [[f64; 2]; LANES] =
    [[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [-1.0, 0.0], [1.0, 0.0], [-1.0, 1.0], [0.0, 1.0], [1.0, 1.0]];

/// Computes the vertex of the paraboloid through the values at [`NEIGHBORS`] and in the middle, clamped to the square.
///
/// Returns the middle if there is no maximum. A direction without variation is left unchanged.
fn vertex(values: &[f64; LANES], middle: f64) -> [f64; 2] {
    let [v0, v1, v2, v3, v4, v5, v6, v7] = values;
    let slope = [0.5 * (v4 - v3), 0.5 * (v6 - v1)];
    let (second, mixed) = ([v4 + v3 - 2.0 * middle, v6 + v1 - 2.0 * middle], 0.25 * (v7 - v5 - v2 + v0));
    let determinant = second[0] * second[1] - mixed * mixed;
    let step = if second[0] < 0.0 && second[1] < 0.0 && determinant > 0.0 {
        let solved = |k: usize| (mixed * slope[1 - k] - second[1 - k] * slope[k]) / determinant;
        [solved(0), solved(1)]
    } else {
        [0, 1].map(|k| if second[k] < 0.0 { -slope[k] / second[k] } else { 0.0 })
    };
    step.map(|step| step.clamp(-1.0, 1.0))
}

/// Task that computes ρ(S) at eight points, stage by stage.
struct RadiusTask<'a> {
    stages: &'a StageRecursion,
    z: [ComplexLanes; 3],
    scratch: &'a mut Scratch,
}

impl Task for RadiusTask<'_> {
    type Output = [f64; LANES];

    #[inline(always)]
    fn run<R: Registers>(self) -> [f64; LANES] {
        spectral_radius(&self.stages.entries(self.z, self.scratch)).0
    }
}

/// Task that computes S at eight points by the stage equations.
struct StageEquationTask<'a> {
    equations: &'a StageEquations,
    z: [ComplexLanes; 3],
    systems: &'a mut Systems,
}

impl Task for StageEquationTask<'_> {
    type Output = Solution;

    #[inline(always)]
    fn run<R: Registers>(self) -> Solution {
        self.equations.solved(self.z, self.systems)
    }
}

/// Computes ρ(S) in a lane; infinite if S is NaN.
fn radius_in(entries: &Entries, lane: usize) -> f64 {
    let [ss, sf, fs, ff] = entries.map(|entry| entry.lane(lane));
    let radius = radius_of_pair([[ss, sf], [fs, ff]]);
    if radius < f64::INFINITY { radius } else { f64::INFINITY }
}

/// Computes the distance of a point from a segment.
fn distance(point: Complex64, [a, b]: [Complex64; 2]) -> f64 {
    let direction = b - a;
    let length = direction.norm_sqr();
    let along = ((point - a) * direction.conj()).re;
    let nearest = if length > 0.0 { a + direction * (along / length).clamp(0.0, 1.0) } else { a };
    (point - nearest).norm()
}

/// Computes the distance of two segments: zero if they cross, otherwise the smallest distance of an end from the other
/// segment.
fn separation([a, b]: [Complex64; 2], [c, d]: [Complex64; 2]) -> f64 {
    let side = |p: Complex64, q: Complex64, r: Complex64| ((q - p).conj() * (r - p)).im;
    if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
        return 0.0;
    }
    let ends = [(a, [c, d]), (b, [c, d]), (c, [a, b]), (d, [a, b])];
    ends.iter().fold(f64::INFINITY, |least, &(point, segment)| least.min(distance(point, segment)))
}

#[cfg(test)]
mod tests;
