//! Symmetry of methods under time reversal.
//!
//! The adjoint of a method has a*ᵢⱼ = b_{s+1−j} − a_{s+1−i,s+1−j}, b*ⱼ = b_{s+1−j}. A method is therefore
//! symmetric if a_{s+1−i,s+1−j} + aᵢⱼ = bⱼ for all i, j, and a partitioned method if this holds for every
//! partition (Hairer, Lubich & Wanner, *Geometric Numerical Integration*, 2006, Theorem V.2.3 and §V.2.2).

use hemiola_tableau::{Method, Scalar, Tableau};

use crate::verdict::condition::Verdict;
use crate::verdict::equations::{EquationJudge, Equations};

/// The verdicts on the symmetry of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// For general systems: all partitions under one reversal of the stages.
    pub general: Verdict,
    /// For two partitions whose derivatives depend only on each other. The stages of one partition are then
    /// evaluations of the other, and each partition's evaluations are reversed separately.
    pub separable: Option<Verdict>,
}

/// Determines whether a method is symmetric, with its stages in the given order. Stages that no partition
/// evaluates do not count.
///
/// ```
/// use hemiola_order::{Verdict, symmetry};
/// let method = |id| hemiola_tableau::library::method(id).unwrap();
/// assert_eq!(symmetry(&method("implicit-midpoint")).general, Verdict::Exact);
/// assert_eq!(symmetry(&method("rk4")).general, Verdict::Fails);
/// ```
#[must_use]
pub fn symmetry(method: &Method) -> Symmetry {
    of_judge(&EquationJudge::new(method, None))
}

pub(crate) fn of_judge(judge: &EquationJudge) -> Symmetry {
    let evaluated: Vec<Vec<usize>> =
        judge.exact.partitions.iter().map(hemiola_tableau::Butcher::evaluated_stages).collect();
    let by_any: Vec<usize> =
        (0..judge.exact.stages()).filter(|i| evaluated.iter().any(|stages| stages.contains(i))).collect();
    let reversal = |partition, rows: &[usize], columns: &[usize]| {
        judge.verdict(&Reversal { partition, rows: rows.to_vec(), columns: columns.to_vec() })
    };
    let worst = |verdicts: &mut dyn Iterator<Item = Verdict>| verdicts.max().unwrap_or(Verdict::Exact);
    let general = worst(&mut (0..evaluated.len()).map(|r| reversal(r, &by_any, &by_any)));
    // The stages of partition r are used where the other partition is evaluated.
    let separable = match &evaluated[..] {
        [first, second] => Some(reversal(0, second, first).max(reversal(1, first, second))),
        _ => None,
    };
    Symmetry { general, separable }
}

/// The condition a_{i'j'} + a_{ij} = b_j, where i ↦ i' reverses `rows` and j ↦ j' reverses `columns`.
struct Reversal {
    partition: usize,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Equations for Reversal {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let butcher = &tableau.partitions[self.partition];
        let mut residuals = Vec::with_capacity(self.rows.len() * self.columns.len());
        for (&i, &reversed_i) in self.rows.iter().zip(self.rows.iter().rev()) {
            for (&j, &reversed_j) in self.columns.iter().zip(self.columns.iter().rev()) {
                let sum = butcher.a[reversed_i][reversed_j].clone() + butcher.a[i][j].clone();
                residuals.push(sum - butcher.b[j].clone());
            }
        }
        residuals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn of(id: &str) -> Symmetry {
        symmetry(&library::method(id).unwrap())
    }

    #[test]
    fn single_methods() {
        // Hairer, Lubich & Wanner 2006, §V.2.1: Gauss, Lobatto IIIA and IIIB are symmetric; IIIC and Radau are not.
        for id in ["gauss-1", "gauss-2", "gauss-3", "gauss-4", "lobatto-iiia-4", "lobatto-iiib-3", "implicit-midpoint"]
        {
            assert_eq!(of(id), Symmetry { general: Verdict::Exact, separable: None }, "{id}");
        }
        for id in ["rk4", "explicit-euler", "implicit-euler", "radau-iia-3", "lobatto-iiic-3", "dormand-prince-5"] {
            assert_eq!(of(id).general, Verdict::Fails, "{id}");
        }
    }

    #[test]
    fn pairs() {
        for id in ["lobatto-iiia-iiib-2", "lobatto-iiia-iiib-5", "stormer-verlet"] {
            assert_eq!(of(id), Symmetry { general: Verdict::Exact, separable: Some(Verdict::Exact) }, "{id}");
        }
        assert_eq!(of("symplectic-euler").separable, Some(Verdict::Fails));
        // A palindromic composition, explicit for separable systems (Candy & Rozmus 1991, order 4).
        assert_ne!(of("candy-rozmus-4").separable, Some(Verdict::Fails));
        assert_eq!(of("ruth-3").separable, Some(Verdict::Fails));
    }
}
