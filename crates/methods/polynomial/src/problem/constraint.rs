//! Constraint |R(z)|² ≤ b² along the boundary of a spectrum: the excess F = |R|² − b² and its derivatives.

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::Real;
use crate::basis::orthogonal::OrthogonalBasis;
use crate::basis::particular::ParticularPolynomial;
use crate::problem::curve::Curve;
use crate::problem::piece::{Bound, BoundaryPiece};

/// Polynomials of one order in one basis, with the constraints of all pieces.
#[derive(Clone, Debug)]
pub(crate) struct Constraints {
    pub(crate) order: usize,
    pub(crate) particular: ParticularPolynomial,
    pub(crate) basis: OrthogonalBasis,
    pub(crate) pieces: Vec<BoundaryPiece>,
}

/// Excess F at one point, with derivatives with respect to t, the scale h and the coefficients γ.
pub(crate) struct ConstraintExcess<T> {
    pub(crate) value: T,
    pub(crate) t: T,
    pub(crate) h: T,
    pub(crate) gamma: Vec<T>,
    /// Second derivatives, if requested.
    pub(crate) second: Option<SecondDerivatives<T>>,
}

/// Second derivatives of F; `phi` gives its Hessian in γ, F_γγ = 2 Re(φ̄ φ).
pub(crate) struct SecondDerivatives<T> {
    pub(crate) tt: T,
    pub(crate) ht: T,
    pub(crate) hh: T,
    pub(crate) t_gamma: Vec<T>,
    pub(crate) h_gamma: Vec<T>,
    pub(crate) phi: Vec<Complex<T>>,
}

impl<T: Real> ConstraintExcess<T> {
    pub(crate) fn to_f64(&self) -> ConstraintExcess<f64> {
        let all = |values: &[T]| values.iter().map(Real::to_f64).collect::<Vec<f64>>();
        let second = |second: &SecondDerivatives<T>| SecondDerivatives {
            tt: second.tt.to_f64(),
            ht: second.ht.to_f64(),
            hh: second.hh.to_f64(),
            t_gamma: all(&second.t_gamma),
            h_gamma: all(&second.h_gamma),
            phi: second.phi.iter().map(|phi| Complex::new(phi.re.to_f64(), phi.im.to_f64())).collect(),
        };
        ConstraintExcess {
            value: self.value.to_f64(),
            t: self.t.to_f64(),
            h: self.h.to_f64(),
            gamma: all(&self.gamma),
            second: self.second.as_ref().map(second),
        }
    }
}

/// Computes Σ γ_j f_j.
fn combination<T: Real>(gamma: &[T], values: &[Complex<T>], like: &T) -> Complex<T> {
    gamma.iter().zip(values).fold(Complex::like(like, (0.0, 0.0)), |sum, (gamma, value)| sum + value.scale(gamma))
}

impl Constraints {
    /// Computes R(z).
    pub(crate) fn value<T: Real>(&self, gamma: &[T], z: &Complex<T>) -> Complex<T> {
        let particular = self.particular.at(self.order, z, 0).swap_remove(0);
        particular + combination(gamma, &self.basis.at(z, false).value, &z.re)
    }

    /// Computes F at λ(t) on one piece for the polynomial with coefficients γ at scale h.
    pub(crate) fn excess<T: Real>(
        &self,
        gamma: &[T],
        h: &T,
        piece: usize,
        t: &T,
        with_second: bool,
    ) -> ConstraintExcess<T> {
        let piece = &self.pieces[piece];
        let place = piece.place(h, t);
        let [b2, b2_t, b2_tt, b2_h, b2_ht, b2_hh] = piece.bound.at(t, &place);
        let [z, z_t, z_tt, z_h, z_ht] = place;
        let jet = self.basis.at(&z, with_second);
        let particular = self.particular.at(self.order, &z, if with_second { 2 } else { 1 });
        let r = particular[0].clone() + combination(gamma, &jet.value, h);
        let r_z = particular[1].clone() + combination(gamma, &jet.first, h);
        let (r_t, r_h) = (r_z.times(&z_t), r_z.times(&z_h));
        let two = h.like(2.0);
        let twice = |f: &Complex<T>, g: &Complex<T>| two.times(&f.dot(g));
        let second = with_second.then(|| {
            let r_zz = particular[2].clone() + combination(gamma, &jet.second, h);
            let r_tt = r_zz.clone() * z_t.power(2) + r_z.clone() * z_tt;
            let r_ht = r_zz.clone() * z_h.clone() * z_t.clone() + r_z * z_ht;
            let r_hh = r_zz * z_h.power(2);
            let mixed = |r_x: &Complex<T>, z_x: &Complex<T>| {
                let pairs = jet.value.iter().zip(&jet.first);
                pairs.map(|(phi, phi_z)| twice(r_x, phi) + twice(&r, &phi_z.times(z_x))).collect()
            };
            SecondDerivatives {
                tt: twice(&r_t, &r_t) + twice(&r, &r_tt) - b2_tt,
                ht: twice(&r_h, &r_t) + twice(&r, &r_ht) - b2_ht,
                hh: twice(&r_h, &r_h) + twice(&r, &r_hh) - b2_hh,
                t_gamma: mixed(&r_t, &z_t),
                h_gamma: mixed(&r_h, &z_h),
                phi: jet.value.clone(),
            }
        });
        ConstraintExcess {
            value: r.norm_sqr() - b2,
            t: twice(&r, &r_t) - b2_t,
            h: twice(&r, &r_h) - b2_h,
            gamma: jet.value.iter().map(|phi| twice(&r, phi)).collect(),
            second,
        }
    }

    /// Converts the constraints to the precision of `like`, for polynomials of the same form.
    pub(crate) fn prepared<T: Real>(&self, like: &T) -> Self {
        Self { particular: self.particular.prepared(self.order, like), ..self.clone() }
    }

    /// Computes β_{p+1} … β_s.
    pub(crate) fn free_coefficients<T: Real>(&self, gamma: &[T], like: &T) -> Vec<T> {
        let degree = self.order + gamma.len();
        let mut sums = self.particular.free_coefficients(degree, self.order, like);
        for (gamma, column) in gamma.iter().zip(self.basis.monomials(like, gamma.len())) {
            sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += gamma.clone() * value);
        }
        sums
    }

    /// Returns 2m, the lowest power of y in |R(iy)|² − 1.
    pub(crate) fn lowest_power(&self) -> usize {
        self.order + 2 - self.order % 2
    }

    /// Returns the distance along the imaginary axis within which R follows eᶻ and |R|² − 1 is small.
    ///
    /// As a unit it balances the multipliers.
    pub(crate) fn reach(&self) -> f64 {
        (1.0 + 0.75 * self.order as f64).min(self.basis.unit())
    }

    /// Computes the coefficient of y²ᵐ in F for a piece that leaves the origin along the imaginary axis, in units of
    /// [`reach`](Self::reach).
    ///
    /// At the origin F = y²ᵐG with G(0) linear in γ, and F ≤ 0 becomes G(0) ≤ 0.
    pub(crate) fn excess_at_origin<T: Real>(&self, gamma: &[T], h: &T, piece: usize) -> ConstraintExcess<T> {
        let (p, power) = (self.order, self.lowest_power());
        let (m, one) = (power / 2, h.like(1.0));
        let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        let factorials: Vec<T> = (1..=p.max(1))
            .scan(one.clone(), |factorial, k| {
                *factorial = factorial.clone() * h.like(k as f64);
                Some(factorial.clone())
            })
            .collect();
        let inverse = |k: usize| one.clone() / k.checked_sub(1).map_or(one.clone(), |k| factorials[k].clone());
        // |R(iy)|² = Σ_{j+k even} (−1)^{(j−k)/2} β_j β_k y^{j+k}.
        let known =
            (power - p..=p).fold(h.like(0.0), |sum, k| sum + inverse(k) * inverse(power - k) * h.like(sign(m + k)));
        let rows = self.basis.monomials(h, 2).into_iter().map(|column| {
            let [first, second] = [0, 1].map(|k| column.get(k).cloned().unwrap_or_else(|| h.like(0.0)));
            let free = if p.is_multiple_of(2) { second - first } else { first };
            free * h.like(2.0 * sign(m))
        });
        let unit = h.like(self.reach());
        let scale = unit.power(power);
        let rows: Vec<T> = rows.map(|row| row * scale.clone()).collect();
        let free = rows.iter().zip(gamma).fold(known * scale, |sum, (row, gamma)| sum + row.clone() * gamma.clone());
        // b² = 1 − εt²ᵐ with t = y/(h|λ(1)|).
        let damping =
            match &self.pieces[piece] {
                BoundaryPiece {
                    curve: Curve::Segment { to, .. }, bound: Bound::Power { epsilon, exponent }, ..
                } if *exponent == power => h.like(*epsilon) * (unit / (h.clone() * h.like(to.1))).power(power),
                _ => h.like(0.0),
            };
        let zero = h.like(0.0);
        let by_h = |n: usize| damping.clone() * h.like(n as f64) / h.clone();
        ConstraintExcess {
            value: free + damping.clone(),
            t: zero.clone(),
            h: -by_h(power),
            second: Some(SecondDerivatives {
                tt: h.like(-1.0),
                ht: zero.clone(),
                hh: by_h(power * (power + 1)) / h.clone(),
                t_gamma: vec![zero.clone(); rows.len()],
                h_gamma: vec![zero.clone(); rows.len()],
                phi: vec![Complex::like(h, (0.0, 0.0)); rows.len()],
            }),
            gamma: rows,
        }
    }
}
