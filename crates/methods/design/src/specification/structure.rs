//! Requirements on the coefficients of a design beyond the order conditions.

use std::collections::BTreeMap;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use crate::pair::partitions::FAST;
use crate::pair::place::CoefficientIndex;
use crate::specification::entry::{Bound, Entry};

/// Requirements on the coefficients.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Structure {
    /// The largest modulus of a coefficient.
    pub largest_coefficient: f64,
    /// Whether cˢ = cᶠ at every stage.
    #[serde(skip_serializing_if = "Not::not")]
    pub shared_abscissae: bool,
    /// Whether bˢ = bᶠ, so that the fast weights vanish where the slow partition is not evaluated.
    #[serde(skip_serializing_if = "Not::not")]
    pub shared_weights: bool,
    /// Whether a stage with the rows bˢ and bᶠ is appended. Its evaluations are those of the first stage of the
    /// next step, so they cost nothing; embedded weights and dense output may use them.
    #[serde(skip_serializing_if = "Not::not")]
    pub first_same_as_last: bool,
    /// Whether all weights are non-negative.
    #[serde(skip_serializing_if = "Not::not")]
    pub non_negative_weights: bool,
    /// Whether all abscissae lie in the step, 0 ≤ c ≤ 1.
    #[serde(skip_serializing_if = "Not::not")]
    pub abscissae_in_step: bool,
    /// Whether the abscissae of each partition are non-decreasing over its evaluated stages.
    #[serde(skip_serializing_if = "Not::not")]
    pub increasing_abscissae: bool,
    /// Whether every fast stage uses only the previous and the first fast evaluation (Vermeire 2019): two numbers
    /// per stage.
    #[serde(skip_serializing_if = "Not::not")]
    pub fast_chain: bool,
    /// The largest relative increase of the objective for which coefficients are set to zero, smallest first; zero
    /// retains all coefficients.
    #[serde(skip_serializing_if = "is_zero")]
    pub sparsity: f64,
    /// Values or ranges of single coefficients; they replace the bound on all coefficients.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<Entry, Bound>,
}

/// Returns whether a weight is zero and hence omitted from files.
pub(crate) fn is_zero(weight: &f64) -> bool {
    *weight == 0.0
}

impl Default for Structure {
    /// Bounds all coefficients by one and requires nothing else.
    fn default() -> Self {
        Self {
            largest_coefficient: 1.0,
            shared_abscissae: false,
            shared_weights: false,
            first_same_as_last: false,
            non_negative_weights: false,
            abscissae_in_step: false,
            increasing_abscissae: false,
            fast_chain: false,
            sparsity: 0.0,
            bounds: BTreeMap::new(),
        }
    }
}

impl Structure {
    /// Returns whether a choice of slow stages is compatible with shared abscissae and weights.
    pub(crate) fn allows_slow_stages(&self, slow_stages: &[usize], stages: usize) -> bool {
        let begins = slow_stages.first() == Some(&0);
        let ends = slow_stages.last().is_some_and(|last| last + 1 == stages);
        (begins || !self.shared_abscissae) && (ends || !self.shared_weights)
    }

    /// Returns whether a coefficient is an unknown.
    pub(crate) fn allows(&self, place: &CoefficientIndex, stages: usize, slow_stages: &[usize]) -> bool {
        let CoefficientIndex { partition, row, column } = *place;
        if self.bound(place, stages).is_some_and(Bound::is_zero) {
            return false;
        }
        match (row == stages, partition) {
            (true, FAST) => !self.shared_weights || slow_stages.contains(&column),
            (false, FAST) => !self.fast_chain || column == 0 || column + 1 == row,
            _ => true,
        }
    }

    /// Returns the requirement on a single coefficient, if there is one.
    pub(crate) fn bound(&self, place: &CoefficientIndex, stages: usize) -> Option<&Bound> {
        let row = Some(place.row).filter(|row| *row < stages);
        self.bounds.get(&Entry { partition: place.partition, row, column: place.column })
    }
}

#[cfg(test)]
mod tests {

    use dashu::rational::RBig;
    use hemiola_tableau::{Exact, Tableau};

    use super::*;
    use crate::proof::certificate::ProofStatus;
    use crate::refinement::design::Design;
    use crate::unknowns::free_entries::Unknowns;
    use crate::{Specification, design};

    /// Tolerance for sums of decimals with fifty digits.
    const TINY: f64 = 1e-48;

    fn designed((slow, fast, starts): (usize, usize, usize), structure: &Structure) -> Design {
        let base = Specification::new(slow, fast, None).unwrap();
        design(&Specification { structure: structure.clone(), starts, ..base }, &()).unwrap()
    }

    /// Checks that a design with a requirement has a property and a design without it does not.
    fn shows(size: (usize, usize, usize), wish: &Structure, property: impl Fn(&Tableau<Exact>) -> bool) {
        let with = designed(size, wish);
        assert!(property(&with.method.exact()), "{size:?} {wish:?}\n{}", with.method.to_json());
        assert!(!matches!(with.certificate.status, ProofStatus::Verified { decimals } if decimals < 45));
        let without = designed(size, &Structure::default());
        assert!(!property(&without.method.exact()), "{size:?} {wish:?} makes no difference");
        assert!(with.error_norm >= without.error_norm * (1.0 - 1e-9));
    }

    fn wish(change: impl FnOnce(&mut Structure)) -> Structure {
        let mut structure = Structure::default();
        change(&mut structure);
        structure
    }

    fn agree(x: &[Exact], y: &[Exact]) -> bool {
        x.iter().zip(y).all(|(x, y)| (x.clone() - y.clone()).to_f64().abs() < TINY)
    }

    /// Returns the largest violation of an inequality by a pair whose coefficients all have the same value. Small
    /// errors often satisfy inequalities by themselves; such a pair does not.
    fn worst(structure: &Structure, value: f64) -> f64 {
        let of = |structure: &Structure| {
            let unknowns = Unknowns::new(4, &[0, 2], structure);
            unknowns.worst(&vec![value; unknowns.places().len()])
        };
        assert!(of(&Structure::default()) < 0.0);
        of(structure)
    }

    #[test]
    fn abscissae_are_shared() {
        let shared = |t: &Tableau<Exact>| agree(&t.partitions[0].c, &t.partitions[1].c);
        shows((2, 5, 24), &wish(|s| s.shared_abscissae = true), shared);
        shows((1, 4, 24), &wish(|s| s.shared_abscissae = true), shared);
    }

    #[test]
    fn weights_are_shared() {
        let shared = |t: &Tableau<Exact>| agree(&t.partitions[0].b, &t.partitions[1].b);
        shows((2, 4, 24), &wish(|s| s.shared_weights = true), shared);
        shows((3, 5, 24), &wish(|s| s.shared_weights = true), shared);
    }

    #[test]
    fn both_are_shared() {
        let both = |s: &mut Structure| (s.shared_abscissae, s.shared_weights) = (true, true);
        shows((3, 6, 24), &wish(both), |t| {
            let [slow, fast] = [&t.partitions[0], &t.partitions[1]];
            agree(&slow.c, &fast.c) && agree(&slow.b, &fast.b)
        });
    }

    #[test]
    fn weights_are_not_negative() {
        let positive = |t: &Tableau<Exact>| t.partitions.iter().flat_map(|part| &part.b).all(|b| b.to_f64() >= 0.0);
        let wanted = wish(|s| s.non_negative_weights = true);
        assert!(positive(&designed((3, 6, 48), &wanted).method.exact()));
        assert!((worst(&wanted, -0.3) - 0.3).abs() < 1e-11 && worst(&wanted, 0.3) < 0.0);
    }

    #[test]
    fn abscissae_lie_in_the_step() {
        let inside = |c: &Exact| c.to_f64() >= 0.0 && (c.clone() - Exact::from(1)).to_f64() <= TINY;
        let in_step = |t: &Tableau<Exact>| t.partitions.iter().flat_map(|part| &part.c).all(inside);
        let wanted = wish(|s| s.abscissae_in_step = true);
        assert!(in_step(&designed((1, 4, 24), &wanted).method.exact()));
        // c₄ = 1 for four stages: the bound is attained, not crossed.
        assert!(in_step(&designed((4, 6, 48), &wanted).method.exact()));
        // The largest abscissa is c₄ = 3·0.4 of the fast partition, the smallest −3·0.4.
        assert!(worst(&wanted, 0.3) < 0.0);
        assert!((worst(&wanted, 0.4) - 0.2).abs() < 1e-11 && (worst(&wanted, -0.4) - 1.2).abs() < 1e-11);
    }

    #[test]
    fn abscissae_increase() {
        let increasing = |t: &Tableau<Exact>| {
            let rises = |c: &[&Exact]| c.windows(2).all(|pair| (pair[1].clone() - pair[0].clone()).to_f64() >= -TINY);
            let stages = t.partitions[0].evaluated_stages();
            rises(&stages.iter().map(|&i| &t.partitions[0].c[i]).collect::<Vec<_>>())
                && rises(&t.partitions[1].c.iter().collect::<Vec<_>>())
        };
        let wanted = wish(|s| s.increasing_abscissae = true);
        assert!(increasing(&designed((2, 5, 48), &wanted).method.exact()));
        // The fast abscissae decrease by 0.3 from stage to stage.
        assert!((worst(&wanted, -0.3) - 0.3).abs() < 1e-11 && worst(&wanted, 0.3) < 0.0);
    }

    #[test]
    fn the_fast_part_is_a_chain() {
        let chain = |t: &Tableau<Exact>| {
            let a = &t.partitions[1].a;
            let others = (0..a.len()).flat_map(|i| (1..i.saturating_sub(1)).map(move |j| (i, j)));
            others.into_iter().all(|(i, j)| a[i][j].to_f64() == 0.0)
        };
        shows((3, 6, 24), &wish(|s| s.fast_chain = true), chain);
    }

    #[test]
    fn zeros_cost_no_more_than_their_price() {
        let size = (2, 4, 24);
        let full = designed(size, &Structure::default());
        let sparse = designed(size, &wish(|s| s.sparsity = 0.1));
        let zeros = |design: &Design| {
            let exact = design.method.exact();
            let entries = exact.partitions.iter().flat_map(|part| part.a.iter().flatten().chain(&part.b));
            entries.filter(|x| x.to_f64() == 0.0).count()
        };
        assert!(zeros(&sparse) >= zeros(&full) + 2, "{} and {}", zeros(&sparse), zeros(&full));
        assert!(sparse.error_norm <= 1.1 * full.error_norm && sparse.error_norm > full.error_norm);
        assert!(matches!(sparse.certificate.status, ProofStatus::Exact | ProofStatus::Enclosed { .. }));
    }

    #[test]
    fn single_coefficients_are_bounded() {
        let name = |text: &str| text.parse::<Entry>().unwrap();
        let third = RBig::from_parts(1.into(), 3u8.into());
        let bounds = [
            (name("fast.a[3][2]"), Bound::Fixed(third.clone())),
            (name("fast.b[2]"), Bound::Fixed(RBig::ZERO)),
            (name("fast.a[4][1]"), Bound::Between(-0.75, -0.5)),
        ];
        let wish = wish(|s| s.bounds = bounds.into_iter().collect());
        shows((2, 4, 48), &wish, |t| {
            let fast = &t.partitions[1];
            let distance = (fast.a[2][1].clone() - Exact::from(third.clone())).to_f64().abs();
            let between = (-0.75..=-0.5).contains(&fast.a[3][0].to_f64());
            distance < TINY && fast.b[1].to_f64() == 0.0 && between
        });
    }
}
