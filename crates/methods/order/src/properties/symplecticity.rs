//! Quadratic first integrals and symplectic forms that a method conserves.
//!
//! The condition on a pair of partitions is M^{rq}ᵢⱼ = bᵢʳ aᵢⱼᑫ + bⱼᑫ aⱼᵢʳ − bᵢʳ bⱼᑫ = 0. A method with one
//! partition and M = 0 conserves all quadratic invariants (Cooper 1987) and is symplectic (Lasagni, Sanz-Serna,
//! Suris 1988): Hairer, Lubich & Wanner, *Geometric Numerical Integration* (2006), Theorems IV.2.2 and VI.4.3. A
//! pair conserves yᵀDz if M^{12} = 0 and b¹ = b² (Theorems IV.2.4 and VI.4.6).

use hemiola_tableau::{Method, Scalar, Tableau};

use crate::verdict::condition::Verdict;
use crate::verdict::equations::{EquationJudge, Equations};

/// The verdicts on symplecticity, for each interpretation of the partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symplecticity {
    /// Each partition contains coordinates *and* their momenta (a single partition contains all of them): M^{rr} = 0,
    /// and all partitions have equal weights. First integrals Σ y_rᵀ D_r y_r are also conserved.
    pub within: Verdict,
    /// The two partitions are the coordinates q and the momenta p of a general Hamiltonian H(q, p): M^{12} = 0 and b¹ =
    /// b² (Hairer, Lubich & Wanner 2006, Theorem VI.4.6). First integrals yᵀDz are also conserved. `None` unless there
    /// are two partitions.
    pub conjugate: Option<Verdict>,
    /// The verdict for separable H = T(p) + U(q), where M^{12} = 0 alone suffices (Hairer, Lubich & Wanner 2006,
    /// Theorem VI.4.6).
    pub conjugate_separable: Option<Verdict>,
}

impl Symplecticity {
    /// Returns whether all quadratic first integrals are conserved, within and across partitions.
    #[must_use]
    pub fn quadratic_invariants(&self) -> Verdict {
        self.within.max(self.conjugate.unwrap_or(Verdict::Exact))
    }
}

/// Determines whether a method is symplectic. The conditions are sufficient, and necessary for irreducible
/// methods (Hairer, Lubich & Wanner 2006, §VI.7.3).
///
/// ```
/// use hemiola_order::{Verdict, symplecticity};
/// let verlet = symplecticity(&hemiola_tableau::library::method("stormer-verlet").unwrap());
/// assert_eq!(verlet.conjugate, Some(Verdict::Exact));
/// assert_eq!(symplecticity(&hemiola_tableau::library::method("rk4").unwrap()).within, Verdict::Fails);
/// ```
#[must_use]
pub fn symplecticity(method: &Method) -> Symplecticity {
    of_judge(&EquationJudge::new(method, None))
}

pub(crate) fn of_judge(judge: &EquationJudge) -> Symplecticity {
    let partitions = judge.exact.partitions.len();
    let equal_weights = (1..partitions).map(|q| judge.verdict(&EqualWeights(0, q)));
    let equal_weights = equal_weights.max().unwrap_or(Verdict::Exact);
    let own = (0..partitions).map(|r| judge.verdict(&Bilinear(r, r)));
    let separable = (partitions == 2).then(|| judge.verdict(&Bilinear(0, 1)));
    Symplecticity {
        within: own.fold(equal_weights, Verdict::max),
        conjugate: separable.map(|verdict| verdict.max(equal_weights)),
        conjugate_separable: separable,
    }
}

/// The condition M^{rq} = 0 for two partitions.
struct Bilinear(usize, usize);

impl Equations for Bilinear {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let (r, q) = (&tableau.partitions[self.0], &tableau.partitions[self.1]);
        let residual = |i: usize, j: usize| {
            let (b_i, b_j) = (r.b[i].clone(), q.b[j].clone());
            b_i.clone() * q.a[i][j].clone() + b_j.clone() * r.a[j][i].clone() - b_i * b_j
        };
        let s = tableau.stages();
        (0..s).flat_map(|i| (0..s).map(move |j| (i, j))).map(|(i, j)| residual(i, j)).collect()
    }
}

/// The condition b^r = b^q for two partitions.
struct EqualWeights(usize, usize);

impl Equations for EqualWeights {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let (r, q) = (&tableau.partitions[self.0].b, &tableau.partitions[self.1].b);
        r.iter().zip(q).map(|(r, q)| r.clone() - q.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn of(id: &str) -> Symplecticity {
        symplecticity(&library::method(id).unwrap())
    }

    #[test]
    fn single_methods() {
        // Hairer, Lubich & Wanner 2006, §VI.4.1: Gauss methods are symplectic, Lobatto IIIA, IIIB, IIIC and Radau are not.
        for id in ["gauss-1", "gauss-2", "gauss-3", "gauss-4", "implicit-midpoint", "lobatto-iiid-3", "qin-zhang-2"] {
            let found = of(id);
            assert_eq!((found.within, found.conjugate), (Verdict::Exact, None), "{id}");
            assert_eq!(found.quadratic_invariants(), Verdict::Exact);
        }
        for id in ["rk4", "lobatto-iiia-3", "lobatto-iiib-3", "lobatto-iiic-3", "radau-iia-2", "explicit-euler"] {
            assert_eq!(of(id).within, Verdict::Fails, "{id}");
        }
    }

    #[test]
    fn pairs() {
        // Symplectic Euler, Lobatto IIIA–IIIB (Hairer, Lubich & Wanner 2006, §IV.2.2) and IIIC–IIIC* (Jay 1996).
        for id in ["lobatto-iiia-iiib-2", "lobatto-iiia-iiib-4", "lobatto-iiic-iiic-star-3", "symplectic-euler"] {
            let found = of(id);
            assert_eq!(found.conjugate, Some(Verdict::Exact), "{id}");
            assert_eq!(found.within, Verdict::Fails, "{id}");
        }
        // Explicit symplectic methods of separable systems have different weights.
        for id in ["ruth-3", "candy-rozmus-4", "mclachlan-2"] {
            let found = of(id);
            assert_eq!(found.conjugate, Some(Verdict::Fails), "{id}");
            assert_ne!(found.conjugate_separable, Some(Verdict::Fails), "{id}");
        }
        assert_eq!(of("imex-ssp2-222").conjugate_separable, Some(Verdict::Fails));
    }
}
