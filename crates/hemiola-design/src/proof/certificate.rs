//! Certificates: a pair that satisfies all conditions exactly lies near the written decimals.

use dashu::rational::RBig;
use hemiola_order::{Grammar, OrderError, Stages, Tree, Trees, Weights};
use hemiola_tableau::{Butcher, Exact, Method, Tableau};
use num_traits::Zero;

use crate::pair::partitions::FAST;
use crate::proof::assumption::Assumption;
use crate::proof::free_coefficients::FreeCoefficients;
use crate::proof::independent_equations::independent_equations;
use crate::proof::krawczyk::{Enclosure, System};
use crate::proof::relations::Relations;
use crate::proof::trees::{is_colored, trees};

/// The relations of higher orders would fill the memory.
const HIGHEST_ORDER: usize = 6;

/// A solution so near is the one that the decimals mean: doubles do not tell it from them.
const NEAR: f64 = 1e-15;
/// A bound is stated with this factor, so that the doubles of another machine, which may differ in the last digits, keep it.
const MARGIN: f64 = 1.0 + 1e-6;
/// A bound on the contraction that is stated is not below what rounding makes of it.
const LEAST_CONTRACTION: f64 = 1e-6;

/// The strength of the proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// All conditions hold as identities of the written numbers.
    Exact,
    /// An exact solution lies nearby.
    Enclosed {
        /// A bound on the distance of each coefficient from its decimals.
        radius: f64,
        /// A bound ε on what the equations miss at the decimals.
        residual: f64,
        /// A bound K ≤ ½ on the contraction of Krawczyk's operator in the ball of radius 2ε.
        contraction: f64,
    },
    /// The conditions hold to this many decimals; the existence of a solution is not proved.
    Verified {
        /// The decimals that the worst residual leaves.
        decimals: u32,
    },
}

/// A proof that can be checked without knowing how it was found.
///
/// Assumptions, conditions and polynomial coefficients are the equations that are solved; all other order conditions up to
/// the order follow from them by linear algebra over the rationals. The polynomial's coefficients are the stated rational
/// numbers; those up to the order are order conditions.
///
/// ```
/// use hemiola_design::{Certificate, Status};
/// let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let certificate = Certificate::new(&published, 2, &[]).unwrap();
/// // Eight printed decimals: a pair of order two lies that near.
/// assert!(matches!(certificate.status, Status::Enclosed { radius, .. } if radius < 1e-6));
/// assert!(certificate.holds(&published).unwrap());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The id of the method.
    pub method: String,
    /// The order p.
    pub order: usize,
    /// The simplifying assumptions, each with the stages at which it is imposed.
    pub assumptions: Vec<Assumption>,
    /// The conditions that are imposed, from which with the assumptions all others follow.
    pub conditions: Vec<Tree>,
    /// Powers of z beyond the order with the coefficients that the fast partition's polynomial is to have.
    pub polynomial: Vec<(usize, RBig)>,
    /// The strength of the proof.
    pub status: Status,
}

impl Certificate {
    /// Proves as much as possible about a pair (slow, fast) with rational coefficients, and of families with more partitions
    /// whether all conditions hold exactly.
    ///
    /// # Errors
    /// [`OrderError`] if the order is too high.
    pub fn new(method: &Method, order: usize, polynomial: &[(usize, RBig)]) -> Result<Self, OrderError> {
        let tableau = needed(method.exact());
        let can_be_proved = is_pair(&tableau) && order <= HIGHEST_ORDER;
        let chosen = if can_be_proved { independent_equations(&tableau, order, polynomial)? } else { Vec::new() };
        let id = method.id().to_owned();
        let status = Status::Verified { decimals: 0 };
        let polynomial = polynomial.to_vec();
        let mut certificate =
            Self { method: id, order, assumptions: Vec::new(), conditions: Vec::new(), polynomial, status };
        certificate.status = certificate.proved(&tableau)?;
        let mut nearest = if matches!(certificate.status, Status::Verified { .. }) { f64::INFINITY } else { 0.0 };
        for (assumptions, conditions) in chosen {
            // Assumptions that only nearly hold have a solution that is not quite so near: others may do without them.
            if nearest < NEAR {
                break;
            }
            let trial = Self { assumptions, conditions, ..certificate.clone() };
            if let Status::Enclosed { radius, residual, contraction } = trial.proved(&tableau)?
                && radius < nearest
            {
                nearest = radius;
                let contraction = contraction.max(LEAST_CONTRACTION) * MARGIN;
                let status = Status::Enclosed { radius: radius * MARGIN, residual: residual * MARGIN, contraction };
                certificate = Self { status, ..trial };
            }
        }
        Ok(certificate)
    }

    /// Whether this certificate holds for a method: every part of it is recomputed.
    ///
    /// # Errors
    /// [`OrderError`] if the order is too high.
    pub fn holds(&self, method: &Method) -> Result<bool, OrderError> {
        let tableau = needed(method.exact());
        if self.method != method.id() || !self.is_sound(&tableau) {
            return Ok(false);
        }
        Ok(match (self.status, self.proved(&tableau)?) {
            (Status::Exact, found) => found == Status::Exact,
            (
                Status::Enclosed { radius, residual, contraction },
                Status::Enclosed { radius: r, residual: e, contraction: k },
            ) => r <= radius && e <= residual && k <= contraction,
            (Status::Enclosed { .. }, _) => false,
            (Status::Verified { decimals: said }, _) => {
                let trees = trees(tableau.partitions.len(), self.order)?;
                decimals(self.worst(&tableau, &trees).as_ref()) >= said
            }
        })
    }

    /// Whether the trees, stages and powers make sense for the tableau.
    fn is_sound(&self, tableau: &Tableau<Exact>) -> bool {
        let s = tableau.stages();
        let makes_sense = |assumption: &Assumption| {
            let Assumption { vector, stages, imposed } = assumption;
            let are_stages = is_increasing(stages) && is_increasing(imposed) && stages.iter().all(|&stage| stage < s);
            are_stages && imposed.iter().all(|stage| stages.contains(stage)) && vector.is_sound(s, self.order)
        };
        let powers: Vec<usize> = self.polynomial.iter().map(|(power, _)| *power).collect();
        let claims_nothing_of_pairs = || {
            self.assumptions.is_empty()
                && self.conditions.is_empty()
                && self.polynomial.is_empty()
                && is_family(tableau)
        };
        (1..=HIGHEST_ORDER).contains(&self.order)
            && (is_pair(tableau) || claims_nothing_of_pairs())
            && self.assumptions.iter().all(makes_sense)
            && self.conditions.iter().all(|tree| is_colored(tree) && tree.order() <= self.order)
            && is_increasing(&powers)
            && powers.iter().all(|power| (self.order + 1..=s).contains(power))
    }

    fn proved(&self, tableau: &Tableau<Exact>) -> Result<Status, OrderError> {
        if is_family(tableau) {
            let (exact, decimals) = of_family(tableau, self.order)?;
            let is_exact = exact && self.is_sound(tableau);
            return Ok(if is_exact { Status::Exact } else { Status::Verified { decimals } });
        }
        let trees = trees(tableau.partitions.len(), self.order)?;
        let worst = self.worst(tableau, &trees);
        let verified = Status::Verified { decimals: decimals(worst.as_ref()) };
        if !self.is_sound(tableau) {
            return Ok(verified);
        }
        if worst.is_some_and(|worst| worst.is_zero()) {
            return Ok(Status::Exact);
        }
        let system = System::new(tableau, &self.assumptions, &self.conditions, &self.polynomial);
        let Some(Enclosure { residual, contraction, radius }) = system.enclose(tableau) else { return Ok(verified) };
        let ball = FreeCoefficients::new(tableau).ball(tableau, radius);
        let relations = Relations::new(&ball, self.order, &trees, &self.assumptions);
        let all_follow = relations.determine_all(&self.conditions);
        Ok(if all_follow { Status::Enclosed { radius, residual, contraction } } else { verified })
    }

    /// The largest absolute value of what the conditions up to the order and the polynomial miss; `None` without a fast partition.
    fn worst(&self, tableau: &Tableau<Exact>, trees: &[Tree]) -> Option<Exact> {
        let has_fast = tableau.partitions.len() > FAST || self.polynomial.is_empty();
        has_fast.then(|| System::new(tableau, &[], trees, &self.polynomial).worst(tableau))
    }
}

/// Whether all conditions of three and more partitions hold exactly, for every mixture of them, and to how many decimals they do.
fn of_family(tableau: &Tableau<Exact>, order: usize) -> Result<(bool, u32), OrderError> {
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
    let mut weights = Weights::new(&trees, tableau, Stages::Solved);
    let (mut is_exact, mut worst) = (true, Exact::from(0));
    for tree in (1..=order).flat_map(|order| trees.of_order(order)) {
        let missed = weights.residual(tree);
        is_exact &= missed.is_zero();
        if missed.to_f64().abs() > worst.to_f64().abs() {
            worst = missed.abs();
        }
    }
    Ok((is_exact, decimals(Some(&worst))))
}

/// The decimals to which a residual vanishes.
fn decimals(worst: Option<&Exact>) -> u32 {
    const MOST: f64 = 300.0;
    worst.map_or(0, |worst| (-worst.to_f64().log10()).floor().clamp(0.0, MOST) as u32)
}

/// A tableau without last stages that no other stage and no weight uses: what embedded weights and dense output add for themselves
/// leaves the conditions as they are, but not their unknowns.
fn needed(mut tableau: Tableau<Exact>) -> Tableau<Exact> {
    let is_unused =
        |butcher: &Butcher<Exact>, j: usize| butcher.b[j].is_zero() && butcher.a.iter().all(|row| row[j].is_zero());
    while tableau.stages() > 1 && tableau.partitions.iter().all(|butcher| is_unused(butcher, butcher.b.len() - 1)) {
        for butcher in &mut tableau.partitions {
            butcher.a.pop();
            butcher.a.iter_mut().for_each(|row| row.truncate(row.len() - 1));
            butcher.b.pop();
            butcher.c.pop();
        }
    }
    tableau
}

fn is_increasing(numbers: &[usize]) -> bool {
    numbers.windows(2).all(|pair| pair[0] < pair[1])
}

/// Two explicit partitions with abscissae that are row sums and rational coefficients.
fn is_pair(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.len() == 2 && is_explicit_and_rational(tableau)
}

/// More of them: only what holds exactly is certified of these.
fn is_family(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.len() > 2 && is_explicit_and_rational(tableau)
}

fn is_explicit_and_rational(tableau: &Tableau<Exact>) -> bool {
    let is_rational = |x: &Exact| x.as_rational().is_some();
    tableau.is_explicit()
        && tableau.partitions.iter().all(|butcher| {
            butcher.abscissae_are_row_sums() && butcher.a.iter().flatten().chain(&butcher.b).all(is_rational)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Design, Specification, Vector, design};
    use dashu::integer::IBig;
    use hemiola_order::Kind;
    use std::ops::ControlFlow;

    fn designed(slow: usize, fast: usize, starts: usize) -> Design {
        let specification = Specification { starts, ..Specification::new(slow, fast, None).unwrap() };
        design(&specification, |_| ControlFlow::Continue(())).unwrap()
    }

    /// The method with another twentieth decimal in one coefficient.
    fn spoiled(method: &Method) -> Method {
        let text = method.partitions()[1].b[0].text();
        let digit = text.find('.').unwrap() + 20;
        let other = if &text[digit..=digit] == "5" { "6" } else { "5" };
        let changed = format!("{}{other}{}", &text[..digit], &text[digit + 1..]);
        Method::from_json(method.to_json().replace(text, &changed).as_bytes(), "spoiled").unwrap()
    }

    fn is_enclosed(method: &Method, certificate: &Certificate) {
        let Status::Enclosed { radius, contraction, .. } = certificate.status else {
            panic!("{}: {:?}", method.id(), certificate.status)
        };
        assert!(radius < 1e-30 && contraction < 1e-5, "{}: {radius:e}, {contraction:e}", method.id());
        assert!(certificate.holds(method).unwrap());
        assert!(!certificate.holds(&spoiled(method)).unwrap());
    }

    #[test]
    fn families_are_exact_or_not_proved() {
        for (id, order) in [("hemiola-family-2-4-8", 2), ("hemiola-family-4-6-12", 4)] {
            let family = hemiola_tableau::library::method(id).unwrap();
            let certificate = Certificate::new(&family, order, &[]).unwrap();
            assert!(certificate.status == Status::Exact && certificate.holds(&family).unwrap(), "{id}");
            let more = Certificate { order: order + 1, ..certificate.clone() };
            assert!(!more.holds(&family).unwrap(), "{id}");
            let other = hemiola_tableau::library::method("mprk-2a23").unwrap();
            assert!(!certificate.holds(&other).unwrap());
        }
        // Fifteen decimals of a published one.
        let rounded = hemiola_tableau::library::method("perk-4-10-6-5").unwrap();
        let status = Certificate::new(&rounded, 4, &[]).unwrap().status;
        assert!(matches!(status, Status::Verified { decimals: 13..=16 }), "{status:?}");
    }

    #[test]
    fn designs_of_orders_two_to_four_are_enclosed() {
        for (slow, fast, starts) in [(2, 5, 6), (3, 6, 4), (3, 7, 8), (4, 6, 4), (4, 8, 6), (4, 10, 3)] {
            let design = designed(slow, fast, starts);
            is_enclosed(&design.method, &design.certificate);
        }
    }

    /// A method of order five with the optimal polynomial.
    fn of_order_five(text: &str, slow: usize, fast: usize) -> (Method, Vec<(usize, RBig)>) {
        let [_, polynomial] = Specification::new(slow, fast, None).unwrap().polynomials().unwrap();
        let beyond = polynomial.into_iter().flatten().enumerate().skip(6).collect();
        (Method::from_json(text.as_bytes(), "a design").unwrap(), beyond)
    }

    #[test]
    fn methods_of_order_five_are_enclosed() {
        // Slow stages with D(1), and with differences that are proportional instead of zero.
        for (text, slow, fast) in [
            (include_str!("../../tests/data/dual-rate-6-8.json"), 6, 8),
            (include_str!("../../tests/data/dual-rate-6-9.json"), 6, 9),
        ] {
            let (method, polynomial) = of_order_five(text, slow, fast);
            let certificate = Certificate::new(&method, 5, &polynomial).unwrap();
            is_enclosed(&method, &certificate);
            for k in 0..certificate.assumptions.len() {
                let mut fewer = certificate.clone();
                fewer.assumptions.remove(k);
                assert!(!fewer.holds(&method).unwrap(), "{}", certificate.assumptions[k]);
            }
        }
    }

    #[test]
    fn vanishing_fast_weights_are_imposed() {
        // The slow weights are the fast ones, and only they do not vanish.
        let mut specification = Specification::new(4, 6, None).unwrap();
        (specification.seed, specification.starts) = (3, 12);
        specification.slow_stages = Some(vec![0, 2, 4, 5]);
        let Design { method, certificate, .. } = design(&specification, |_| ControlFlow::Continue(())).unwrap();
        is_enclosed(&method, &certificate);
    }

    #[test]
    fn fields_out_of_range_are_refused() {
        let Design { method, certificate, .. } = designed(3, 6, 4);
        let refused = |spoil: &dyn Fn(&mut Certificate)| {
            let mut spoiled = certificate.clone();
            spoil(&mut spoiled);
            !spoiled.holds(&method).unwrap()
        };
        assert!(!refused(&|_| ()));
        assert!(refused(&|c| c.assumptions[0].stages.push(6)) && refused(&|c| c.assumptions[0].imposed.push(0)));
        assert!(refused(&|c| c.assumptions[0].imposed.reverse()) && refused(&|c| c.order = 0));
        assert!(refused(&|c| c.order = 99) && refused(&|c| c.polynomial[0].0 = 0));
        assert!(refused(&|c| c.polynomial[0].0 = 7) && refused(&|c| c.polynomial.reverse()));
        assert!(refused(&|c| c.polynomial.push(c.polynomial[0].clone())));
        let time = || Tree::new(Kind::Partition(0), vec![Tree::new(Kind::Time(0), Vec::new())]);
        assert!(refused(&|c| c.conditions.push(time())));
        assert!(refused(&|c| c.conditions.push(Tree::parse("[τ_m]_s", &["s", "f", "m"]).unwrap())));
        assert!(refused(&|c| c.conditions.push(Tree::parse("[τ_s,τ_s,τ_s]_s", &["s", "f"]).unwrap())));
        assert!(refused(&|c| c.assumptions[0].vector = Vector::Weights { b: 2, a: 0 }));
        let below = |status| refused(&move |c: &mut Certificate| c.status = status);
        let Status::Enclosed { radius, residual, contraction } = certificate.status else { panic!() };
        assert!(below(Status::Enclosed { radius, residual, contraction: 0.0 }));
        assert!(below(Status::Enclosed { radius, residual: 0.0, contraction }));
        assert!(below(Status::Enclosed { radius: f64::NAN, residual, contraction }));
        assert!(below(Status::Verified { decimals: 60 }));
    }

    #[test]
    fn other_methods_than_pairs_are_not_proved() {
        for id in ["rk4", "gauss-3", "shome-haug-jay-2-5"] {
            let method = hemiola_tableau::library::method(id).unwrap();
            let power = vec![(3, RBig::from(1u8)), (5, RBig::from(1u8))];
            let certificate = Certificate::new(&method, 2, &power).unwrap();
            assert_eq!(certificate.status, Status::Verified { decimals: 0 }, "{id}");
        }
    }

    #[test]
    fn spoiled_certificates_are_refused() {
        let Design { method, certificate, .. } = designed(3, 6, 4);
        let refused = |spoiled: Certificate| !spoiled.holds(&method).unwrap();
        let Status::Enclosed { radius, residual, contraction } = certificate.status else {
            panic!("nothing is proved")
        };
        assert!(refused(Certificate { status: Status::Exact, ..certificate.clone() }));
        let smaller = Status::Enclosed { radius: radius / 2.0, residual, contraction };
        assert!(refused(Certificate { status: smaller, ..certificate.clone() }));
        assert!(refused(Certificate { conditions: certificate.conditions[1..].to_vec(), ..certificate.clone() }));
        assert!(refused(Certificate { assumptions: Vec::new(), ..certificate.clone() }));
        assert!(refused(Certificate { order: 4, ..certificate.clone() }));
        let mut moved = certificate.clone();
        moved.polynomial[0].1 += RBig::from_parts(IBig::ONE, 1_000_000_u32.into());
        assert!(refused(moved));
        // D(1) is no property of this method.
        let mut too_much = certificate.clone();
        let vector = Vector::Weights { b: 0, a: 0 };
        too_much.assumptions.push(Assumption { vector, stages: vec![0], imposed: vec![0] });
        assert!(refused(too_much));
        let at_most = Certificate { status: Status::Verified { decimals: 45 }, ..certificate };
        assert!(at_most.holds(&method).unwrap());
    }

    #[test]
    fn a_stage_for_other_weights_takes_nothing_from_the_proof() {
        let mut specification = Specification { starts: 6, ..Specification::new(4, 8, None).unwrap() };
        specification.structure.first_same_as_last = true;
        specification.embedded = Some(3);
        let design = design(&specification, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(design.method.stages(), 9);
        assert!(matches!(design.certificate.status, Status::Enclosed { radius, .. } if radius < 1e-40));
        assert!(design.certificate.holds(&design.method).unwrap());
    }

    /// With shared abscissae the best 2–5 pair ends where some weights all but agree: to 1e-7, as far as a flat minimum is found.
    #[test]
    fn what_only_nearly_holds_is_not_assumed() {
        let mut specification = Specification::new(2, 5, None).unwrap();
        specification.structure.shared_abscissae = true;
        let found = design(&specification, |_| ControlFlow::Continue(())).unwrap();
        is_enclosed(&found.method, &found.certificate);
        assert!(matches!(found.certificate.status, Status::Enclosed { radius, .. } if radius < 1e-40));
    }

    #[test]
    fn the_classical_method_is_exact() {
        let rk4 = hemiola_tableau::library::method("rk4").unwrap();
        let mut partitions = vec![rk4.partitions()[0].clone(); 2];
        for (partition, name) in partitions.iter_mut().zip(["slow", "fast"]) {
            name.clone_into(&mut partition.name);
        }
        let pair = Method::new("rk-pair", "RK4 twice", partitions, rk4.claims(), None, rk4.source().clone()).unwrap();
        let certificate = Certificate::new(&pair, 4, &[]).unwrap();
        assert_eq!(certificate.status, Status::Exact);
        assert!(certificate.holds(&pair).unwrap());
        assert!(!matches!(Certificate::new(&pair, 5, &[]).unwrap().status, Status::Exact | Status::Enclosed { .. }));
    }
}
