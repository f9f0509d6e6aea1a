//! Vectors and matrices in three dimensions over any [`Number`].

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::algebra::number::Number;

/// A vector (x, y, z).
///
/// ```
/// use hemiola_multibody::Vec3;
/// let [x, y] = [Vec3([1.0, 0.0, 0.0]), Vec3([0.0, 1.0, 0.0])];
/// assert_eq!((x.cross(y), x.dot(x + y)), (Vec3([0.0, 0.0, 1.0]), 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<N>(pub [N; 3]);

impl<N: Number> Vec3<N> {
    /// Returns the zero vector.
    #[must_use]
    pub fn zero() -> Self {
        Self([N::zero(); 3])
    }

    /// Creates a vector of constants.
    #[must_use]
    pub fn constant(v: [f64; 3]) -> Self {
        Self(v.map(N::constant))
    }

    /// Computes v · w.
    #[must_use]
    pub fn dot(self, w: Self) -> N {
        let (Self([a, b, c]), Self([x, y, z])) = (self, w);
        a * x + b * y + c * z
    }

    /// Computes v × w.
    #[must_use]
    pub fn cross(self, w: Self) -> Self {
        let (Self([a, b, c]), Self([x, y, z])) = (self, w);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// Computes v · v.
    #[must_use]
    pub fn square(self) -> N {
        self.dot(self)
    }

    pub(crate) fn re(self) -> [f64; 3] {
        self.0.map(|x| x.re())
    }
}

impl<N: Number> Add for Vec3<N> {
    type Output = Self;
    fn add(self, w: Self) -> Self {
        let (Self([a, b, c]), Self([x, y, z])) = (self, w);
        Self([a + x, b + y, c + z])
    }
}

impl<N: Number> Sub for Vec3<N> {
    type Output = Self;
    fn sub(self, w: Self) -> Self {
        let (Self([a, b, c]), Self([x, y, z])) = (self, w);
        Self([a - x, b - y, c - z])
    }
}

impl<N: Number> Neg for Vec3<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<N: Number> Mul<N> for Vec3<N> {
    type Output = Self;
    fn mul(self, factor: N) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}

impl<N: Number> AddAssign for Vec3<N> {
    fn add_assign(&mut self, w: Self) {
        *self = *self + w;
    }
}

impl<N: Number> SubAssign for Vec3<N> {
    fn sub_assign(&mut self, w: Self) {
        *self = *self - w;
    }
}

/// A 3×3 matrix, row by row.
///
/// ```
/// use hemiola_multibody::{Mat3, Vec3};
/// let quarter = Mat3([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
/// assert_eq!(quarter.times(Vec3([1.0, 0.0, 0.0])), quarter.column(0));
/// assert_eq!(quarter.transposed_times(quarter.column(0)), Vec3([1.0, 0.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<N>(pub [[N; 3]; 3]);

impl<N: Number> Mat3<N> {
    pub(crate) fn identity() -> Self {
        let [o, l] = [N::zero(), N::one()];
        Self([[l, o, o], [o, l, o], [o, o, l]])
    }

    pub(crate) fn row(&self, i: usize) -> Vec3<N> {
        Vec3(self.0[i])
    }

    /// Returns column j, counted from 0.
    #[must_use]
    pub fn column(&self, j: usize) -> Vec3<N> {
        Vec3([0, 1, 2].map(|i| self.0[i][j]))
    }

    /// Computes A v.
    #[must_use]
    pub fn times(&self, v: Vec3<N>) -> Vec3<N> {
        Vec3([0, 1, 2].map(|i| self.row(i).dot(v)))
    }

    /// Computes A v for a constant v: products with doubles are cheaper for dual numbers.
    pub(crate) fn times_constant(&self, v: [f64; 3]) -> Vec3<N> {
        Vec3([0, 1, 2].map(|i| self.0[i][0] * v[0] + self.0[i][1] * v[1] + self.0[i][2] * v[2]))
    }

    /// Computes Aᵀv.
    #[must_use]
    pub fn transposed_times(&self, v: Vec3<N>) -> Vec3<N> {
        Vec3([0, 1, 2].map(|j| self.column(j).dot(v)))
    }

    pub(crate) fn product(&self, other: &Self) -> Self {
        Self([0, 1, 2].map(|i| [0, 1, 2].map(|j| self.row(i).dot(other.column(j)))))
    }
}

/// A symmetric matrix (xx, yy, zz, xy, xz, yz).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sym3<N>(pub(crate) [N; 6]);

impl<N: Number> Sym3<N> {
    pub(crate) fn zero() -> Self {
        Self([N::zero(); 6])
    }

    pub(crate) fn times(&self, v: Vec3<N>) -> Vec3<N> {
        let (Self([xx, yy, zz, xy, xz, yz]), Vec3([x, y, z])) = (*self, v);
        Vec3([xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z])
    }

    /// Computes R A Rᵀ for a constant A.
    pub(crate) fn rotated(a: &[f64; 6], r: &Mat3<N>) -> Self {
        let [xx, yy, zz, xy, xz, yz] = *a;
        let (p, q) = if xy == 0.0 && xz == 0.0 && yz == 0.0 {
            // With the columns rₖ of R: R A Rᵀ = Σ aₖ rₖ rₖᵀ = a_z I + Σ (aₖ − a_z) rₖ rₖᵀ for diagonal A.
            (r.column(0) * N::constant(xx - zz), r.column(1) * N::constant(yy - zz))
        } else {
            return Self::rotated_full(a, r);
        };
        let (c, d) = (r.column(0), r.column(1));
        let entry = |i: usize, j: usize| p.0[i] * c.0[j] + q.0[i] * d.0[j];
        Self([entry(0, 0) + zz, entry(1, 1) + zz, entry(2, 2) + zz, entry(0, 1), entry(0, 2), entry(1, 2)])
    }

    fn rotated_full(a: &[f64; 6], r: &Mat3<N>) -> Self {
        let [xx, yy, zz, xy, xz, yz] = *a;
        let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        // Columns of A Rᵀ: column i is A times row i of R.
        let product = [0, 1, 2].map(|i| {
            let [x, y, z] = r.0[i];
            Vec3(rows.map(|row| x * row[0] + y * row[1] + z * row[2]))
        });
        let entry = |i: usize, j: usize| r.row(i).dot(product[j]);
        Self([entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)])
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(entry, other)| *entry += other);
    }

    /// Adds factor · v vᵀ.
    pub(crate) fn add_square(&mut self, v: Vec3<N>, factor: N) {
        let w = v * factor;
        let (Vec3([a, b, c]), Vec3([x, y, z])) = (v, w);
        self.add(&Self([a * x, b * y, c * z, a * y, a * z, b * z]));
    }
}
