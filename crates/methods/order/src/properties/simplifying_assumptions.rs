//! Butcher's simplifying assumptions, of each partition and of all partitions together.
//!
//! B(p): Σᵢ bᵢ cᵢᵏ⁻¹ = 1/k for k ≤ p; C(q): Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k for k ≤ q; D(r): Σᵢ bᵢ cᵢᵏ⁻¹ aᵢⱼ = bⱼ(1 − cⱼᵏ)/k
//! for k ≤ r (Butcher 1964; Hairer & Wanner 1996, §IV.5). They imply order p if p ≤ q + r + 1 and p ≤ 2q + 2.
//!
//! For several partitions, powers of an abscissa become products of abscissae of arbitrary partitions, and b and A also
//! belong to arbitrary partitions: Σᵢ bᵢʳ πᵢ = 1/k; Σⱼ aᵢⱼʳ πⱼ = (cᵢʳ)ᵏ/k; Σᵢ bᵢʳ πᵢ aᵢⱼᑫ = bⱼᑫ(1 − (cⱼᑫ)ᵏ)/k, with π a
//! product of k − 1 abscissae. If all partitions share b and c, these are the assumptions of Jay (1996) for Lobatto
//! IIIA–IIIB.

use hemiola_tableau::{Exact, Method, Scalar, Tableau, dot};

use crate::verdict::equations::{EquationJudge, Equations, VerifiedOrders};

/// The extent to which B, C and D hold for one set of coefficients.
///
/// No s-stage method satisfies more than B(2s), and none with abscissae other than zero more than C(s). The
/// assumptions are checked up to these numbers, and D up to s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimplifyingAssumptions {
    /// The largest p of B(p): the weights integrate polynomials of degree p − 1.
    pub b: VerifiedOrders,
    /// The largest q of C(q): the stages integrate polynomials of degree q − 1.
    pub c: VerifiedOrders,
    /// The largest r of D(r).
    pub d: VerifiedOrders,
}

impl SimplifyingAssumptions {
    /// Returns the stage order: the largest q of B(q) and C(q).
    pub(crate) fn stage_order(&self) -> usize {
        self.b.order.min(self.c.order)
    }
}

/// The simplifying assumptions of a method: of each partition by itself, and of all together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodAssumptions {
    /// The assumptions of each partition with its own coefficients.
    pub partitions: Vec<SimplifyingAssumptions>,
    /// The assumptions with products of abscissae of any partitions. For a single partition they equal its own.
    pub coupled: SimplifyingAssumptions,
}

/// Determines the simplifying assumptions that hold, exactly and to the precision of the coefficients.
///
/// ```
/// let gauss = hemiola_tableau::library::method("gauss-3").unwrap();
/// let assumptions = hemiola_order::simplifying_assumptions(&gauss).coupled;
/// // Hairer & Wanner 1996, CompletionTable IV.5.13: B(2s), C(s), D(s).
/// assert_eq!((assumptions.b.exact, assumptions.c.exact, assumptions.d.exact), (6, 3, 3));
/// ```
#[must_use]
pub fn simplifying_assumptions(method: &Method) -> MethodAssumptions {
    of_judge(&EquationJudge::new(method, None))
}

pub(crate) fn of_judge(judge: &EquationJudge) -> MethodAssumptions {
    let partitions: Vec<_> =
        (0..judge.exact.partitions.len()).map(|r| of_scope(judge, &PartitionScope::own(r))).collect();
    let coupled = match partitions[..] {
        [single] => single,
        _ => of_scope(judge, &PartitionScope::coupled(&judge.exact)),
    };
    MethodAssumptions { partitions, coupled }
}

fn of_scope(judge: &EquationJudge, scope: &PartitionScope) -> SimplifyingAssumptions {
    let s = judge.exact.stages();
    let reach = |letter, highest| judge.verified_orders(highest, |k| AssumptionEquations { letter, scope, k });
    SimplifyingAssumptions { b: reach(Letter::B, 2 * s), c: reach(Letter::C, s), d: reach(Letter::D, s) }
}

/// The partitions whose coefficients occur in an assumption.
struct PartitionScope {
    /// The partitions of A and b.
    partitions: Vec<usize>,
    /// Partitions with all distinct abscissae, each once.
    abscissae: Vec<usize>,
}

impl PartitionScope {
    fn own(partition: usize) -> Self {
        Self { partitions: vec![partition], abscissae: vec![partition] }
    }

    fn coupled(tableau: &Tableau<Exact>) -> Self {
        let all = &tableau.partitions;
        let is_new = |&r: &usize| !all[..r].iter().any(|earlier| earlier.c == all[r].c);
        Self { partitions: (0..all.len()).collect(), abscissae: (0..all.len()).filter(is_new).collect() }
    }

    /// Returns all products of `factors` abscissae, stage by stage.
    fn products<T: Scalar>(&self, tableau: &Tableau<T>, factors: usize) -> Vec<Vec<T>> {
        // Each product carries the index of its last factor, so that each product of commuting factors arises
        // once.
        let mut products = vec![(0, vec![T::one(); tableau.stages()])];
        for _ in 0..factors {
            let longer = products.iter().flat_map(|(last, product)| {
                (*last..self.abscissae.len())
                    .map(move |place| (place, times(product, &tableau.partitions[self.abscissae[place]].c)))
            });
            products = longer.collect();
        }
        products.into_iter().map(|(_, product)| product).collect()
    }
}

#[derive(Clone, Copy)]
enum Letter {
    B,
    C,
    D,
}

/// The equations of one assumption for one k.
struct AssumptionEquations<'a> {
    letter: Letter,
    scope: &'a PartitionScope,
    k: usize,
}

impl Equations for AssumptionEquations<'_> {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let products = self.scope.products(tableau, self.k - 1);
        let each = self.scope.partitions.iter().flat_map(|&r| products.iter().map(move |product| (r, product)));
        match self.letter {
            Letter::B => each.map(|(r, product)| self.quadrature(tableau, r, product)).collect(),
            Letter::C => each.flat_map(|(r, product)| self.stages(tableau, r, product)).collect(),
            Letter::D => each.flat_map(|(r, product)| self.adjoint(tableau, r, product)).collect(),
        }
    }
}

impl AssumptionEquations<'_> {
    fn reciprocal<T: Scalar>(&self) -> T {
        T::ratio(1, self.k as u64)
    }

    fn power<T: Scalar>(&self, x: &T) -> T {
        (0..self.k).fold(T::one(), |power, _| power * x.clone())
    }

    /// Computes Σ bᵢπᵢ − 1/k.
    fn quadrature<T: Scalar>(&self, tableau: &Tableau<T>, r: usize, product: &[T]) -> T {
        dot(&tableau.partitions[r].b, product) - self.reciprocal()
    }

    /// Computes Σⱼ aᵢⱼπⱼ − cᵢᵏ/k.
    fn stages<T: Scalar>(&self, tableau: &Tableau<T>, r: usize, product: &[T]) -> Vec<T> {
        let butcher = &tableau.partitions[r];
        let expected = butcher.c.iter().map(|c| self.power(c) * self.reciprocal());
        butcher.times(product).into_iter().zip(expected).map(|(found, expected)| found - expected).collect()
    }

    /// Computes Σᵢ bᵢπᵢaᵢⱼ − bⱼ(1 − cⱼᵏ)/k for the A of each partition.
    fn adjoint<T: Scalar>(&self, tableau: &Tableau<T>, r: usize, product: &[T]) -> Vec<T> {
        let weighted = times(&tableau.partitions[r].b, product);
        let of_partition = |&q: &usize| {
            let butcher = &tableau.partitions[q];
            let residual = |j: usize| {
                let column: Vec<T> = butcher.a.iter().map(|row| row[j].clone()).collect();
                let expected = butcher.b[j].clone() * (T::one() - self.power(&butcher.c[j])) * self.reciprocal();
                dot(&weighted, &column) - expected
            };
            (0..butcher.stages()).map(residual).collect::<Vec<T>>()
        };
        self.scope.partitions.iter().flat_map(of_partition).collect()
    }
}

fn times<T: Scalar>(x: &[T], y: &[T]) -> Vec<T> {
    x.iter().zip(y).map(|(x, y)| x.clone() * y.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn letters(assumptions: &SimplifyingAssumptions) -> (usize, usize, usize) {
        assert_eq!(assumptions.b.order, assumptions.b.exact);
        (assumptions.b.exact, assumptions.c.exact, assumptions.d.exact)
    }

    #[test]
    fn known_families() {
        // Hairer & Wanner 1996, Table IV.5.13: Gauss B(2s) C(s) D(s); Radau IA 2s−1, s−1, s; Radau IIA 2s−1, s, s−1;
        // Lobatto IIIA 2s−2, s, s−2; IIIB 2s−2, s−2, s; IIIC 2s−2, s−1, s−1.
        for (family, stages, expected) in [
            ("gauss", 1..=4, [(2, 0), (1, 0), (1, 0)]),
            ("radau-ia", 1..=3, [(2, 1), (1, 1), (1, 0)]),
            ("radau-iia", 1..=3, [(2, 1), (1, 0), (1, 1)]),
            ("lobatto-iiia", 2..=5, [(2, 2), (1, 0), (1, 2)]),
            ("lobatto-iiib", 2..=5, [(2, 2), (1, 2), (1, 0)]),
            ("lobatto-iiic", 2..=5, [(2, 2), (1, 1), (1, 1)]),
        ] {
            for s in stages {
                let method = library::method(&format!("{family}-{s}")).unwrap();
                let [b, c, d] = expected.map(|(times, less)| times * s - less);
                let found = letters(&simplifying_assumptions(&method).coupled);
                assert_eq!(found, (b, c, d), "{family}-{s}");
            }
        }
    }

    #[test]
    fn explicit_methods_know_the_row_sums_only() {
        // RK4: B(4), C(1), D(1) (Hairer, Nørsett & Wanner 1993, §II.1).
        let rk4 = simplifying_assumptions(&library::method("rk4").unwrap());
        assert_eq!(letters(&rk4.coupled), (4, 1, 1));
        assert_eq!(rk4.partitions, [rk4.coupled]);
    }

    #[test]
    fn coupled_assumptions_of_the_lobatto_pair() {
        // Jay 1996: the pair shares B(2s−2); C(s) and C(s−2), D(s−2) and D(s) leave C(s−2), D(s−2) for both.
        let pair = simplifying_assumptions(&library::method("lobatto-iiia-iiib-4").unwrap());
        assert_eq!(pair.partitions.iter().map(letters).collect::<Vec<_>>(), [(6, 4, 2), (6, 2, 4)]);
        assert_eq!(letters(&pair.coupled), (6, 2, 2));
    }

    #[test]
    fn what_holds_to_printed_decimals_holds_to_precision() {
        let pair = simplifying_assumptions(&library::method("shome-haug-jay-2-5").unwrap());
        // The row sums are the abscissae by definition; the quadrature is rounded to eight decimals.
        assert_eq!(pair.partitions[1].c, VerifiedOrders { order: 1, as_stated: 1, exact: 1 });
        assert_eq!(pair.coupled.b, VerifiedOrders { order: 2, as_stated: 2, exact: 0 });
    }
}
