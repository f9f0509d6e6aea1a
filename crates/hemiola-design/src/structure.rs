//! What the coefficients of a design are to satisfy beside the conditions.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::entry::{Bound, Entry};
use crate::error::DesignError;
use crate::pattern::{FAST, Form, Place, SLOW};
use crate::specification::{Specification, require};

/// Wishes for the coefficients.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Structure {
    /// The largest coefficient allowed, in absolute value.
    pub largest_coefficient: f64,
    /// cˢ = cᶠ at every stage.
    pub shared_abscissae: bool,
    /// bˢ = bᶠ: the fast weights vanish where the slow part is not evaluated.
    pub shared_weights: bool,
    /// One more stage with the rows bˢ and bᶠ, whose evaluations are those of the next step's first stage: it costs nothing,
    /// and embedded weights and dense output may use it.
    pub first_same_as_last: bool,
    /// All weights are non-negative.
    pub non_negative_weights: bool,
    /// All abscissae lie in the step: 0 ≤ c ≤ 1.
    pub abscissae_in_step: bool,
    /// Every part's abscissae do not decrease from each stage that it is evaluated at to the next.
    pub increasing_abscissae: bool,
    /// Every fast stage leans on the one before it and on the first alone (Vermeire 2019): two numbers a stage.
    pub fast_chain: bool,
    /// Coefficients are set to zero, the smallest first, as long as the objective grows by no more than this part in all;
    /// zero leaves all coefficients as they are.
    pub sparsity: f64,
    /// What single coefficients are to be, in place of the bound on all.
    pub bounds: BTreeMap<Entry, Bound>,
}

impl Default for Structure {
    /// Coefficients up to one, and nothing else.
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
    pub(crate) fn validate(&self, specification: &Specification) -> Result<(), DesignError> {
        let bound = self.largest_coefficient;
        require(bound > 0.0 && bound.is_finite(), "the largest coefficient", &bound, "a positive number")?;
        let sparsity = self.sparsity;
        require(sparsity >= 0.0 && sparsity.is_finite(), "the sparsity", &sparsity, "a number that is not negative")?;
        for (entry, bound) in &self.bounds {
            valid_bound(entry, bound, specification)?;
        }
        self.refuse_impossible(specification)
    }

    /// Wishes that contradict each other by a theorem.
    fn refuse_impossible(&self, specification: &Specification) -> Result<(), DesignError> {
        let Specification { slow, fast, slow_stages, .. } = specification;
        let impossible = |wish: String, theorem| Err(DesignError::Impossible { wish, theorem });
        if self.bounds.is_empty() && self.largest_coefficient * (*slow as f64) < 1.0 {
            let wish = format!("{slow} slow weights up to {}", self.largest_coefficient);
            return impossible(wish, "the weights of each part sum to one, the condition of order 1");
        }
        if *slow == 1 && *fast > 1 && self.shared_abscissae && self.shared_weights {
            let wish = format!("shared abscissae and shared weights with one slow and {fast} fast evaluations");
            return impossible(wish, "shared abscissae need the first stage to be slow, shared weights the last");
        }
        let Some(stages) = slow_stages.as_deref().filter(|stages| !self.suits(stages, *fast)) else { return Ok(()) };
        let counted: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
        let wish = |what: &str| format!("{what} with the slow stages {}", counted.join(", "));
        if self.shared_abscissae && stages[0] != 0 {
            return impossible(
                wish("shared abscissae"),
                "the slow abscissae vanish up to the first slow stage, and fast stages with vanishing abscissae there repeat \
                 the first fast evaluation",
            );
        }
        impossible(
            wish("shared weights"),
            "fast weights vanish where the slow part is not evaluated, and without its weight the last stage does not count",
        )
    }

    /// Whether slow stages can have what is shared.
    pub(crate) fn suits(&self, slow_stages: &[usize], stages: usize) -> bool {
        let begins = slow_stages.first() == Some(&0);
        let ends = slow_stages.last().is_some_and(|last| last + 1 == stages);
        (begins || !self.shared_abscissae) && (ends || !self.shared_weights)
    }

    /// Whether a coefficient is an unknown at all.
    pub(crate) fn allows(&self, place: &Place, stages: usize, slow_stages: &[usize]) -> bool {
        let Place { partition, row, column } = *place;
        if self.bound(place, stages).is_some_and(Bound::is_zero) {
            return false;
        }
        match (row == stages, partition) {
            (true, FAST) => !self.shared_weights || slow_stages.contains(&column),
            (false, FAST) => !self.fast_chain || column == 0 || column + 1 == row,
            _ => true,
        }
    }

    fn bound(&self, place: &Place, stages: usize) -> Option<&Bound> {
        let row = Some(place.row).filter(|row| *row < stages);
        self.bounds.get(&Entry { partition: place.partition, row, column: place.column })
    }

    /// Linear forms of the unknowns that are zero.
    pub(crate) fn equalities(&self, places: &[Place], stages: usize, slow_stages: &[usize]) -> Vec<Form> {
        let mut forms = Vec::new();
        if self.shared_abscissae {
            forms.extend((0..stages).map(|i| difference(row_sum(places, SLOW, i), row_sum(places, FAST, i))));
        }
        if self.shared_weights {
            let weight = |partition, column| entry(places, Place { partition, row: stages, column });
            forms.extend(slow_stages.iter().map(|&j| difference(weight(SLOW, j), weight(FAST, j))));
        }
        for (j, place) in places.iter().enumerate() {
            if let Some(Bound::Fixed(value)) = self.bound(place, stages) {
                // Integers are doubles, fractions are not.
                let [numerator, denominator] =
                    [value.numerator().to_f64().value(), value.denominator().to_f64().value()];
                forms.push(Form { terms: vec![(j, denominator)], right: numerator });
            }
        }
        forms.retain(|form| !form.terms.is_empty());
        forms
    }

    /// Linear forms of the unknowns that are not positive, the bounds on single coefficients among them.
    pub(crate) fn inequalities(&self, places: &[Place], stages: usize, slow_stages: &[usize]) -> Vec<Form> {
        let mut forms: Vec<Form> =
            places.iter().enumerate().flat_map(|(j, place)| self.single_bounds(j, place, stages)).collect();
        if self.non_negative_weights {
            let weights = (0..places.len()).filter(|&j| places[j].row == stages);
            forms.extend(weights.map(|j| at_least(&[(j, 1.0)], 0.0)));
        }
        if self.abscissae_in_step {
            for (partition, i) in [SLOW, FAST].into_iter().flat_map(|r| (0..stages).map(move |i| (r, i))) {
                let abscissa = row_sum(places, partition, i);
                forms.extend([at_least(&abscissa, 0.0), Form { terms: abscissa, right: 1.0 }]);
            }
        }
        if self.increasing_abscissae {
            let fast: Vec<usize> = (0..stages).collect();
            for (partition, rows) in [(SLOW, slow_stages), (FAST, &fast)] {
                let pair = |pair: &[usize]| {
                    difference(row_sum(places, partition, pair[0]), row_sum(places, partition, pair[1]))
                };
                forms.extend(rows.windows(2).map(pair));
            }
        }
        forms.retain(|form| !form.terms.is_empty());
        forms
    }

    /// What bounds an unknown by itself.
    fn single_bounds(&self, j: usize, place: &Place, stages: usize) -> Vec<Form> {
        let (low, high) = match self.bound(place, stages) {
            Some(Bound::Fixed(_)) => return Vec::new(),
            Some(Bound::Between(low, high)) => (*low, *high),
            None => (-self.largest_coefficient, self.largest_coefficient),
        };
        vec![Form { terms: vec![(j, 1.0)], right: high }, at_least(&[(j, 1.0)], low)]
    }
}

/// Whether a bound makes sense for the pair.
fn valid_bound(entry: &Entry, bound: &Bound, specification: &Specification) -> Result<(), DesignError> {
    /// Equations q·x = p are solved to some 1e-13, as the order conditions are.
    const LARGEST_DENOMINATOR: u32 = 1000;
    let Specification { fast, slow_stages, .. } = specification;
    let Entry { partition, row, column } = *entry;
    let exists = partition <= FAST && row.is_none_or(|row| row < *fast && column < row) && column < *fast;
    require(exists, "a bounded coefficient", entry, "a weight, or an entry of A below the diagonal")?;
    let is_evaluated = partition == FAST || slow_stages.as_ref().is_some_and(|stages| stages.contains(&column));
    let expected = "a coefficient at one of the given slow stages, or bounds that allow zero";
    require(is_evaluated || bound.allows_zero(), "a bounded coefficient", entry, expected)?;
    let structure = &specification.structure;
    let place = Place { partition, row: row.unwrap_or(*fast), column };
    let slow = slow_stages.clone().unwrap_or_else(|| (0..*fast).collect());
    let is_unknown = bound.allows_zero() || structure.allows(&place, *fast, &slow);
    require(is_unknown, "a bounded coefficient", entry, "one that the rest of the structure does not make zero")?;
    match bound {
        Bound::Fixed(value) => {
            let small = value.denominator() <= &LARGEST_DENOMINATOR.into() && value.to_f64().value().abs() <= 1e3;
            require(small, "a fixed coefficient", value, "a fraction with a denominator up to 1000, at most 1000")
        }
        Bound::Between(low, high) => {
            let (found, expected) = (format!("[{low}, {high}]"), "two numbers, the smaller one first");
            require(low < high && low.is_finite() && high.is_finite(), "the bounds of a coefficient", &found, expected)
        }
    }
}

/// The abscissa c_i = Σ_j a_ij.
fn row_sum(places: &[Place], partition: usize, row: usize) -> Vec<(usize, f64)> {
    let is_in_row = |j: &usize| places[*j].partition == partition && places[*j].row == row;
    (0..places.len()).filter(is_in_row).map(|j| (j, 1.0)).collect()
}

fn entry(places: &[Place], place: Place) -> Vec<(usize, f64)> {
    places.iter().position(|other| *other == place).map(|j| (j, 1.0)).into_iter().collect()
}

fn difference(mut left: Vec<(usize, f64)>, right: Vec<(usize, f64)>) -> Form {
    left.extend(right.into_iter().map(|(j, factor)| (j, -factor)));
    Form { terms: left, right: 0.0 }
}

/// The form that is not positive where the terms sum to `low` or more.
fn at_least(terms: &[(usize, f64)], low: f64) -> Form {
    Form { terms: terms.iter().map(|&(j, factor)| (j, -factor)).collect(), right: -low }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use dashu::rational::RBig;
    use hemiola_tableau::{Exact, Tableau};

    use super::*;
    use crate::certificate::Status;
    use crate::finish::Design;
    use crate::pattern::Pattern;
    use crate::{Stability, design};

    /// Fifty decimals, and the sums of some of them.
    const TINY: f64 = 1e-48;

    fn designed((slow, fast, starts): (usize, usize, usize), structure: &Structure) -> Design {
        let base = Specification::new(slow, fast, None).unwrap();
        design(&Specification { structure: structure.clone(), starts, ..base }, |_| ControlFlow::Continue(())).unwrap()
    }

    /// Designs with and without a wish: the first has a property, the second has not.
    fn shows(size: (usize, usize, usize), wish: &Structure, property: impl Fn(&Tableau<Exact>) -> bool) {
        let with = designed(size, wish);
        assert!(property(&with.method.exact()), "{size:?} {wish:?}\n{}", with.method.to_json());
        assert!(!matches!(with.certificate.status, Status::Verified { decimals } if decimals < 45));
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

    /// By how much a pair with one number for all coefficients violates the worst inequality. Small errors often keep
    /// inequalities by themselves: here is what does not.
    fn worst(structure: &Structure, value: f64) -> f64 {
        let of = |structure: &Structure| {
            let pattern = Pattern::new(4, &[0, 2], structure);
            pattern.worst(&vec![value; pattern.places().len()])
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
        // c₄ = 1 for four stages: the bound is touched, not crossed.
        assert!(in_step(&designed((4, 6, 48), &wanted).method.exact()));
        // c₄ = 3·0.4 of the fast part is the largest, −3·0.4 the smallest.
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
        // c of the fast part falls by 0.3 from stage to stage.
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
        assert!(matches!(sparse.certificate.status, Status::Exact | Status::Enclosed { .. }));
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

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let base = Specification::new(2, 5, None).unwrap();
        let refused = |structure: Structure, slow_stages: Option<Vec<usize>>| {
            let specification = Specification { structure, slow_stages, ..base.clone() };
            match specification.validate() {
                Err(DesignError::Impossible { wish, .. }) => wish,
                other => panic!("{other:?}"),
            }
        };
        let abscissae = wish(|s| s.shared_abscissae = true);
        assert_eq!(refused(abscissae.clone(), Some(vec![1, 4])), "shared abscissae with the slow stages 2, 5");
        let weights = wish(|s| s.shared_weights = true);
        assert_eq!(refused(weights.clone(), Some(vec![0, 2])), "shared weights with the slow stages 1, 3");
        assert_eq!(refused(wish(|s| s.largest_coefficient = 0.4), None), "2 slow weights up to 0.4");
        for (structure, stages) in [(abscissae, vec![0, 3]), (weights, vec![1, 4])] {
            let good = Specification { structure, slow_stages: Some(stages), ..base.clone() };
            assert!(good.validate().is_ok());
        }
        let both = wish(|s| (s.shared_abscissae, s.shared_weights) = (true, true));
        let one = Specification { structure: both, ..Specification::new(1, 3, None).unwrap() };
        assert!(matches!(one.validate(), Err(DesignError::Impossible { .. })));
        for (entry, bound) in [
            ("fast.a[2][2]", Bound::Fixed(RBig::ZERO)),
            ("fast.b[6]", Bound::Fixed(RBig::ZERO)),
            ("slow.b[2]", Bound::Fixed(RBig::ONE)),
            ("fast.b[2]", Bound::Between(1.0, 0.5)),
            ("fast.b[2]", Bound::Between(0.0, f64::NAN)),
            ("fast.b[2]", Bound::Fixed(RBig::from_parts(1.into(), 1001u32.into()))),
        ] {
            let structure = wish(|s| s.bounds = [(entry.parse().unwrap(), bound)].into());
            let bad = Specification { structure, stability: [Stability::Free, Stability::Free], ..base.clone() };
            assert!(matches!(bad.validate(), Err(DesignError::OutOfRange { .. })), "{entry}");
        }
    }
}
