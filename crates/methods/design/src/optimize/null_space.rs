//! First-order analysis of the constraints: independent ones, and the directions that they leave free.
//!
//! Order conditions are redundant: 74 of them can be consistent in 35 unknowns. At a solution, Householder
//! reflections with column pivoting by the largest remaining gradient (Golub & Van Loan 2013, §5.4) find their
//! rank.

use hemiola_number::vector::{Registers, Task, dispatch};
use nalgebra::DVector;

use crate::simd::columns::PaddedColumns;
use crate::simd::lanes::{Chunk, WIDTH, add, dot};

/// Fraction of the largest gradient below which reduced gradients are redundant: redundant ones leave about 1e-15,
/// independent ones more than 1e-7 at any useful solution.
const RANK_TOLERANCE: f64 = 1e-10;

/// The QR factorization of the gradients of redundant constraints, with bases of range and null space.
pub(crate) struct NullSpace {
    /// The indices of independent constraints, on which the others depend.
    independent: Vec<usize>,
    constraints: usize,
    /// The reflections of Q = H₁H₂… with Hₖ = I − vₖvₖᵀ.
    reflections: PaddedColumns,
    /// The upper triangular factor R of the independent gradients.
    triangle: PaddedColumns,
}

impl NullSpace {
    pub(crate) fn new(gradients: PaddedColumns) -> Self {
        dispatch(Factorization { left: gradients })
    }

    /// Returns the number of directions that leave the constraints unchanged to first order.
    pub(crate) fn dimension(&self) -> usize {
        self.reflections.height() - self.independent.len()
    }

    /// Returns an orthonormal basis of these directions.
    pub(crate) fn basis(&self) -> PaddedColumns {
        let unknowns = self.reflections.height();
        dispatch(Reflected {
            null_space: self,
            columns: PaddedColumns::unit(unknowns, self.independent.len()..unknowns),
        })
    }

    /// Computes the Newton step of minimal norm for the independent constraints.
    pub(crate) fn newton_step(&self, residual: &DVector<f64>) -> DVector<f64> {
        dispatch(Step { null_space: self, residual })
    }

    /// Returns the components of vectors, given as columns, along the [basis](Self::basis).
    pub(crate) fn components(&self, columns: PaddedColumns) -> PaddedColumns {
        dispatch(Components { null_space: self, columns })
    }

    /// Computes the combination of the [basis](Self::basis) with these components.
    pub(crate) fn combination(&self, components: &[f64]) -> DVector<f64> {
        dispatch(Combination { null_space: self, components })
    }

    /// Computes multipliers λ of the independent constraints for which g + Jᵀλ is orthogonal to their span.
    pub(crate) fn multipliers(&self, gradient: &DVector<f64>) -> DVector<f64> {
        dispatch(Multipliers { null_space: self, gradient })
    }

    /// Applies a reflection: x ← Hₖx.
    #[inline(always)]
    fn reflect(&self, k: usize, x: &mut [Chunk]) {
        let (v, first) = (self.reflections.column(k), k / WIDTH);
        let share = dot(&v[first..], &x[first..]);
        add(&mut x[first..], -share, &v[first..]);
    }
}

struct Factorization {
    left: PaddedColumns,
}

impl Task for Factorization {
    type Output = NullSpace;

    #[inline(always)]
    fn run<R: Registers>(self) -> NullSpace {
        let mut left = self.left;
        let (unknowns, constraints) = (left.height(), left.count());
        let mut squares: Vec<f64> = (0..constraints).map(|j| dot(left.column(j), left.column(j))).collect();
        let mut remaining: Vec<usize> = (0..constraints).collect();
        let (mut independent, mut rows) = (Vec::new(), Vec::new());
        let most = unknowns.min(constraints);
        let mut reflections = PaddedColumns::zero(unknowns, most);
        let mut largest = 0.0;
        for k in 0..most {
            let next = (1..remaining.len())
                .fold(0, |best, i| if squares[remaining[i]] > squares[remaining[best]] { i } else { best });
            let pivot = remaining[next];
            let norm = squares[pivot].sqrt();
            largest = norm.max(largest);
            if norm.is_nan() || norm <= RANK_TOLERANCE * largest {
                break;
            }
            remaining.remove(next);
            independent.push(pivot);
            let first = k / WIDTH;
            let v = reflections.column_mut(k);
            v.copy_from_slice(left.column(pivot));
            let diagonal = reflector(&mut v[first..], k % WIDTH, norm);
            // Row k of R; its entries are removed from the columns.
            let mut row = vec![0.0; constraints];
            row[pivot] = diagonal;
            for &j in &remaining {
                let x = &mut left.column_mut(j)[first..];
                let share = dot(&v[first..], x);
                add(x, -share, &v[first..]);
                row[j] = x[0][k % WIDTH];
                x[0][k % WIDTH] = 0.0;
                squares[j] = dot(x, x);
            }
            rows.push(row);
        }
        let mut triangle = PaddedColumns::zero(independent.len(), independent.len());
        for (p, &pivot) in independent.iter().enumerate() {
            let column = triangle.column_mut(p).as_flattened_mut();
            (0..=p).for_each(|k| column[k] = rows[k][pivot]);
        }
        NullSpace { independent, constraints, reflections, triangle }
    }
}

/// Overwrites x by v with H = I − vvᵀ, which maps x to a multiple of a unit vector; returns that multiple.
#[inline(always)]
fn reflector(x: &mut [Chunk], at: usize, norm: f64) -> f64 {
    // Choose the sign that avoids cancellation.
    let diagonal = if x[0][at] > 0.0 { -norm } else { norm };
    x[0][at] -= diagonal;
    // |v|² = 2
    let scale = 1.0 / (norm * x[0][at].abs()).sqrt();
    x.as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
    diagonal
}

struct Reflected<'a> {
    null_space: &'a NullSpace,
    columns: PaddedColumns,
}

impl Task for Reflected<'_> {
    type Output = PaddedColumns;

    /// Computes Q times columns.
    #[inline(always)]
    fn run<R: Registers>(self) -> PaddedColumns {
        let Self { null_space, mut columns } = self;
        for k in (0..null_space.independent.len()).rev() {
            (0..columns.count()).for_each(|j| null_space.reflect(k, columns.column_mut(j)));
        }
        columns
    }
}

struct Components<'a> {
    null_space: &'a NullSpace,
    columns: PaddedColumns,
}

impl Task for Components<'_> {
    type Output = PaddedColumns;

    /// Computes the last rows of Qᵀ times columns.
    #[inline(always)]
    fn run<R: Registers>(self) -> PaddedColumns {
        let Self { null_space, mut columns } = self;
        let rank = null_space.independent.len();
        let mut components = PaddedColumns::zero(columns.height() - rank, columns.count());
        for j in 0..columns.count() {
            let column = columns.column_mut(j);
            (0..rank).for_each(|k| null_space.reflect(k, column));
            let rest = &column.as_flattened()[rank..];
            components.column_mut(j).as_flattened_mut().iter_mut().zip(rest).for_each(|(x, y)| *x = *y);
        }
        components
    }
}

struct Combination<'a> {
    null_space: &'a NullSpace,
    components: &'a [f64],
}

impl Task for Combination<'_> {
    type Output = DVector<f64>;

    /// Computes Q times a vector whose first components vanish.
    #[inline(always)]
    fn run<R: Registers>(self) -> DVector<f64> {
        let Self { null_space, components } = self;
        let (rank, unknowns) = (null_space.independent.len(), null_space.reflections.height());
        let mut x = vec![[0.0; WIDTH]; unknowns.div_ceil(WIDTH)];
        x.as_flattened_mut()[rank..].iter_mut().zip(components).for_each(|(x, y)| *x = *y);
        (0..rank).rev().for_each(|k| null_space.reflect(k, &mut x));
        DVector::from_column_slice(&x.as_flattened()[..unknowns])
    }
}

struct Step<'a> {
    null_space: &'a NullSpace,
    residual: &'a DVector<f64>,
}

impl Task for Step<'_> {
    type Output = DVector<f64>;

    /// Computes −QR⁻ᵀr.
    #[inline(always)]
    fn run<R: Registers>(self) -> DVector<f64> {
        let Self { null_space, residual } = self;
        let (rank, unknowns) = (null_space.independent.len(), null_space.reflections.height());
        let mut x = vec![[0.0; WIDTH]; unknowns.div_ceil(WIDTH)];
        for (p, &row) in null_space.independent.iter().enumerate() {
            let column = null_space.triangle.column(p);
            // Unknowns not solved for yet are zero.
            let sum = dot(column, &x[..column.len()]);
            x.as_flattened_mut()[p] = (-residual[row] - sum) / column.as_flattened()[p];
        }
        (0..rank).rev().for_each(|k| null_space.reflect(k, &mut x));
        DVector::from_column_slice(&x.as_flattened()[..unknowns])
    }
}

struct Multipliers<'a> {
    null_space: &'a NullSpace,
    gradient: &'a DVector<f64>,
}

impl Task for Multipliers<'_> {
    type Output = DVector<f64>;

    /// Computes −R⁻¹Qᵀg.
    #[inline(always)]
    fn run<R: Registers>(self) -> DVector<f64> {
        let Self { null_space, gradient } = self;
        let mut x = PaddedColumns::padded(gradient.as_slice());
        let rank = null_space.independent.len();
        (0..rank).for_each(|k| null_space.reflect(k, &mut x));
        let mut multipliers = DVector::zeros(null_space.constraints);
        for p in (0..rank).rev() {
            let column = null_space.triangle.column(p);
            let multiplier = -x.as_flattened()[p] / column.as_flattened()[p];
            add(&mut x[..column.len()], multiplier, column);
            multipliers[null_space.independent[p]] = multiplier;
        }
        multipliers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn redundant_constraints_are_left_out() {
        // The third gradient is the sum of the others.
        let rows = [[1.0, 2.0, 0.0, 1.0], [0.0, 1.0, 1.0, 3.0], [1.0, 3.0, 1.0, 4.0]];
        let jacobian = DMatrix::from_fn(3, 4, |i, j| rows[i][j]);
        let mut gradients = PaddedColumns::zero(4, 3);
        (0..3).for_each(|i| gradients.column_mut(i).as_flattened_mut()[..4].copy_from_slice(&rows[i]));
        let null_space = NullSpace::new(gradients);
        let basis = null_space.basis().matrix();
        assert_eq!((null_space.independent.len(), null_space.dimension(), basis.ncols()), (2, 2, 2));
        assert!((&jacobian * &basis).amax() < 1e-14);
        assert!((basis.transpose() * &basis - DMatrix::identity(2, 2)).amax() < 1e-15);
        let columns = PaddedColumns::unit(4, 0..4);
        assert!((null_space.components(columns).matrix() - basis.transpose()).amax() < 1e-15);
        let combined = null_space.combination(&[0.5, -2.0]);
        assert!((combined - &basis * DVector::from_vec(vec![0.5, -2.0])).amax() < 1e-15);
        let residual = &jacobian * DVector::from_vec(vec![0.3, -0.1, 0.2, 0.7]);
        let step = null_space.newton_step(&residual);
        assert!((&jacobian * &step + &residual).amax() < 1e-14);
        // Minimal norm: no component in the null space.
        assert!((basis.transpose() * step).amax() < 1e-14);
        let gradient = jacobian.transpose() * DVector::from_vec(vec![1.0, 2.0, 3.0]);
        let multipliers = null_space.multipliers(&gradient);
        assert!((jacobian.transpose() * multipliers + gradient).amax() < 1e-13);
    }
}
