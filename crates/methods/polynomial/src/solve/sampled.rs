//! Problem on samples of the boundary, with a suitable basis.

use crate::arithmetic::complex::Complex;
use crate::basis::orthogonal::OrthogonalBasis;
use crate::basis::particular::{ParticularPolynomial, taylor};
use crate::problem::condition::LinearCondition;
use crate::problem::constraint::Constraints;
use crate::problem::piece::BoundaryPiece;
use crate::problem::sampling::{BoundarySample, samples};
use crate::solve::conic::ConicOptimum;

/// Size at which a particular polynomial costs digits that are needed to locate the contact points.
const LARGE: f64 = 1e4;

/// Sampled problem on which the search for an optimum works.
pub(crate) struct SampledProblem {
    pub(crate) stages: usize,
    pub(crate) constraints: Constraints,
    pub(crate) samples: Vec<BoundarySample>,
    /// Largest |λ| of the scaled pieces.
    pub(crate) reach: f64,
}

impl SampledProblem {
    pub(crate) fn new(stages: usize, order: usize, pieces: Vec<BoundaryPiece>) -> Self {
        let samples = samples(&pieces, stages);
        let modulus = |&(piece, t): &BoundarySample| {
            let piece: &BoundaryPiece = &pieces[piece];
            if piece.is_scaled { piece.z(1.0, t).norm_sqr().sqrt() } else { 0.0 }
        };
        let reach = samples.iter().map(modulus).fold(0.0, f64::max);
        let mut search = Self {
            stages,
            constraints: Constraints {
                order,
                particular: ParticularPolynomial::Taylor,
                basis: OrthogonalBasis::new(order + 1, 0, &[(1.0, 0.0)]),
                pieces,
            },
            samples,
            reach,
        };
        search.set_basis(1.0 / reach);
        search
    }

    /// Chooses a basis that is orthogonal on the samples at scale h, and a particular polynomial that is not large on
    /// them.
    pub(crate) fn set_basis(&mut self, h: f64) {
        let size = self.stages - self.constraints.order;
        let places = self.samples.iter().map(|&(piece, t)| self.constraints.pieces[piece].z(h, t));
        let places: Vec<(f64, f64)> = places.map(|z| (z.re, z.im)).collect();
        let Constraints { order, particular, basis, pieces } = &mut self.constraints;
        let all_scaled = pieces.iter().all(|piece| piece.is_scaled);
        *basis = if all_scaled && basis.size() == size && size > 0 {
            basis.clone().with_unit(h * self.reach)
        } else {
            OrthogonalBasis::new(*order + 1, size, &places)
        };
        let follows_exponential = pieces.iter().any(|piece| piece.curve.leaves_the_origin_upwards());
        let taylor = |&(x, y): &(f64, f64)| taylor(&Complex::new(x, y), *order).norm_sqr().sqrt();
        let is_large = places.iter().any(|place| taylor(place) > LARGE);
        *particular = if is_large && !follows_exponential && size > 0 {
            ParticularPolynomial::smallest(self.stages, *order, &places)
        } else {
            ParticularPolynomial::Taylor
        };
    }

    /// Solves the conic program at scale h.
    pub(crate) fn best(&mut self, h: f64) -> Option<ConicOptimum> {
        self.best_under(h, &[])
    }

    /// Solves the conic program at scale h under linear conditions.
    pub(crate) fn best_under(&mut self, h: f64, conditions: &[LinearCondition]) -> Option<ConicOptimum> {
        self.set_basis(h);
        self.constraints.best(h, &self.samples, conditions)
    }
}
