//! The region of absolute monotonicity of one or more partitions.

use dashu::rational::RBig;
use hemiola_number::{Counter, Progress, parallel};
use hemiola_tableau::{Butcher, Exact, Method, influential_stages};
use num_traits::Zero;

use crate::error::StabilityError;
use crate::monotonicity::linear_solve::Rows;
use crate::monotonicity::radius::{MonotoneConditions, MonotonicityRadius, certified_radius};
use crate::monotonicity::ray::MonotonicityRay;

/// Ratio of the two components of the outermost directions, relative to the size of the region.
const NEAR_AXIS: u32 = 1_000_000;
/// Largest number of points of a boundary.
const MOST_POINTS: usize = 10_000;

/// Region of absolute monotonicity of the partitions of a method.
///
/// A point (r₁, …, r_N) ≥ 0 belongs to the region if (I + Σ rᵢKᵢ)⁻¹[e, r₁K₁, …, r_N K_N] exists and is nonnegative,
/// Kᵢ = [Aᵢ 0; bᵢᵀ 0] (Higueras 2006, for additive methods). With every point, the region contains the box between the
/// origin and this point. If each fᵢ is contractive under Euler steps up to hᵢ, the method is contractive for h ≤ min
/// rᵢhᵢ. A partition with rᵢ = 0 is absent: its Kᵢ is not restricted. For one partition the region is [0, C] with the
/// SSP coefficient C (Ferracina & Spijker 2005).
///
/// Stages without influence on the step are removed first. Coefficients are taken as written, except that decimals
/// count as zero if they vanish to their precision.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_stability::monotonicity::MonotonicityRegion;
/// // The explicit partition alone is SSPRK(2,2), with r = 1; together the partitions have r = 2 − √2.
/// let region = MonotonicityRegion::new(&hemiola_tableau::library::method("imex-ssp2-222")?);
/// let [half, two] = [RBig::from_parts(1.into(), 2u8.into()), RBig::from(2)];
/// assert!(!region.contains(&[two.clone(), two])?);
/// assert!(region.contains(&[half, RBig::ZERO])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MonotonicityRegion {
    /// The matrix K of each partition.
    matrices: Vec<Rows<Exact>>,
}

impl MonotonicityRegion {
    /// Prepares the region of all partitions of a method.
    #[must_use]
    pub fn new(method: &Method) -> Self {
        Self { matrices: augmented(&significant(method)) }
    }

    /// Prepares the region of one partition, counted from 0, by itself.
    ///
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] if there is no such partition.
    pub fn of_partition(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let expected = method.partitions().len();
        let butcher = significant(method).into_iter().nth(partition);
        let butcher = butcher.ok_or(StabilityError::WrongSize { found: partition + 1, expected })?;
        Ok(Self { matrices: augmented(&[butcher]) })
    }

    /// Returns whether a point, one number for each partition, belongs to the region.
    ///
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] unless there is one number for each partition,
    /// [`StabilityError::OutOfRange`] if one is negative.
    pub fn contains(&self, point: &[RBig]) -> Result<bool, StabilityError> {
        Ok(self.ray(point)?.hold_at(&Exact::from(1)))
    }

    /// Computes the largest t for which t·`direction` belongs to the region.
    ///
    /// # Errors
    /// Returns the errors of [`contains`](Self::contains).
    pub fn radius_along(&self, direction: &[RBig]) -> Result<MonotonicityRadius, StabilityError> {
        Ok(certified_radius(&self.ray(direction)?))
    }

    /// Computes the outline of a pair's region, with `points` points inside the quadrant.
    ///
    /// `progress` counts the points.
    ///
    /// ```
    /// use hemiola_stability::monotonicity::MonotonicityRegion;
    /// let method = hemiola_tableau::library::method("imex-ssp2-222")?;
    /// let outline = MonotonicityRegion::new(&method).outline(16, &())?;
    /// assert!(outline.axes[0] == Some(1.0) && outline.boundary.len() == 16);
    /// assert!(outline.boundary.is_sorted_by(|p, q| p[0] >= q[0] && p[1] <= q[1]), "the region is a union of boxes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] unless there are two partitions, [`StabilityError::OutOfRange`] for more
    /// than 10 000 points, [`StabilityError::Interrupted`] if `progress` stops the computation.
    pub fn outline(&self, points: usize, progress: &dyn Progress) -> Result<RegionOutline, StabilityError> {
        if self.matrices.len() != 2 {
            return Err(StabilityError::NotAPair { found: self.matrices.len() });
        }
        if points > MOST_POINTS {
            let (name, value, expected) = ("the number of points", points as f64, "at most 10 000");
            return Err(StabilityError::OutOfRange { name, value, expected });
        }
        let radius = |direction: [RBig; 2]| Ok::<_, StabilityError>(self.radius_along(&direction)?.value());
        let axes = [radius([RBig::ONE, RBig::ZERO])?, radius([RBig::ZERO, RBig::ONE])?];
        let diagonal = radius([RBig::ONE, RBig::ONE])?;
        let scales = axes.map(|axis| scale(axis, diagonal));
        let counter = Counter::new(progress, "points", Some(points));
        let at = |k: usize| {
            let [first, second] = shares(k, points);
            let direction = [first * &scales[0], second * &scales[1]];
            let sides = direction.each_ref().map(|side| side.to_f64().value());
            let found = counter.run(|| radius(direction)).unwrap_or(Err(StabilityError::Interrupted))?;
            Ok(found.map(|t| sides.map(|side| t * side)))
        };
        let boundary: Vec<Result<Option<[f64; 2]>, StabilityError>> = parallel::map(points, at);
        let boundary = boundary.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
        Ok(RegionOutline { axes, diagonal, boundary })
    }

    /// Prepares the conditions along a direction.
    pub(crate) fn ray(&self, direction: &[RBig]) -> Result<MonotonicityRay, StabilityError> {
        let (found, expected) = (direction.len(), self.matrices.len());
        if found != expected {
            return Err(StabilityError::WrongSize { found, expected });
        }
        if let Some(negative) = direction.iter().find(|r| **r < RBig::ZERO) {
            let (name, value) = ("a radius", negative.to_f64().value());
            return Err(StabilityError::OutOfRange { name, value, expected: "a number of at least 0" });
        }
        let direction: Vec<Exact> = direction.iter().cloned().map(Exact::from).collect();
        Ok(MonotonicityRay::new(&self.matrices, &direction))
    }
}

/// Outline of the region of absolute monotonicity of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionOutline {
    /// The largest r of each partition if the other is absent; `None` if it is unbounded. The boundary may end before
    /// these points, since the presence of a partition is a restriction even for small r.
    pub axes: [Option<f64>; 2],
    /// The largest r of both partitions together; `None` if it is unbounded.
    pub diagonal: Option<f64>,
    /// Points (r₁, r₂) of the boundary, from the first axis to the second. Directions without bound have no point.
    pub boundary: Vec<[f64; 2]>,
}

/// Returns the shares of both axes in direction k of `count`. The outermost directions are so close to the axes that
/// the ends of the boundary are those of the region.
fn shares(k: usize, count: usize) -> [RBig; 2] {
    let near = RBig::from_parts(1.into(), NEAR_AXIS.into());
    match k {
        0 if count > 1 => [RBig::ONE, near],
        k if k + 1 == count && count > 1 => [near, RBig::ONE],
        k => [RBig::from(count - k), RBig::from(k + 1)],
    }
}

/// Returns the size of the region along an axis, which scales the directions: three times the diagonal radius if it is
/// unbounded.
fn scale(axis: Option<f64>, diagonal: Option<f64>) -> RBig {
    let size = axis.or(diagonal.map(|diagonal| 3.0 * diagonal)).filter(|size| *size > 0.0);
    size.and_then(|size| RBig::try_from(size).ok()).unwrap_or(RBig::ONE)
}

/// Returns the tableaus with zeros in place of decimals that agree with zero to their precision.
pub(crate) fn significant(method: &Method) -> Vec<Butcher<Exact>> {
    let rounding = method.rounding();
    let tableau = method.tableau(|coefficient| {
        let value = coefficient.value();
        if value.to_f64().abs() <= rounding.of(coefficient) { Exact::zero() } else { value.clone() }
    });
    tableau.partitions
}

/// Returns K = [A 0; bᵀ 0] of each partition, restricted to the stages with influence on the step.
fn augmented(partitions: &[Butcher<Exact>]) -> Vec<Rows<Exact>> {
    let stages = influential_stages(partitions);
    let row = |row: &Vec<Exact>| {
        let entries = stages.iter().map(|&j| row[j].clone());
        entries.chain([Exact::zero()]).collect::<Vec<Exact>>()
    };
    let matrix = |butcher: &Butcher<Exact>| {
        let rows = stages.iter().map(|&i| row(&butcher.a[i]));
        rows.chain([row(&butcher.b)]).collect()
    };
    partitions.iter().map(matrix).collect()
}
