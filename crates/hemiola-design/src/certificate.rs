//! What is proved of a design: that a pair which satisfies all conditions exactly lies beside the written decimals.

use dashu::rational::RBig;
use hemiola_order::{Kind, OrderError, Tree};
use hemiola_tableau::{Exact, Method, Tableau};

use crate::assumption::{Assumption, residuals};
use crate::consequences::Consequences;
use crate::pattern::{FAST, SLOW};
use crate::system::System;

/// Assumptions are looked for among what holds to this in doubles, which satisfy degenerate equations to half their digits.
const NEARLY: f64 = 1e-6;

/// Higher orders would take minutes.
const HIGHEST_ORDER: usize = 8;

/// How much is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// All conditions hold as identities of the written numbers.
    Exact,
    /// A true solution lies near.
    Enclosed {
        /// A bound on the distance of each coefficient from its decimals.
        radius: f64,
        /// A bound ε on what the equations miss at the decimals.
        residual: f64,
        /// A bound K ≤ ½ on the contraction of Krawczyk's operator in the ball of radius 2ε.
        contraction: f64,
    },
    /// The conditions hold to these decimals; that there is a solution is not proved.
    Verified {
        /// The decimals that the worst residual leaves.
        decimals: u32,
    },
}

/// A proof, in terms that can be checked without knowing how it was found.
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
    /// The simplifying assumptions that are imposed.
    pub assumptions: Vec<Assumption>,
    /// The conditions that are imposed, from which with the assumptions all others follow.
    pub conditions: Vec<Tree>,
    /// Powers of z beyond the order with the coefficients that the fast part's polynomial is to have.
    pub polynomial: Vec<(usize, RBig)>,
    /// What is proved of them.
    pub status: Status,
}

impl Certificate {
    /// Proves what can be proved of a pair (slow, fast) with rational coefficients.
    ///
    /// # Errors
    /// [`OrderError`] where the order is too high.
    pub fn new(method: &Method, order: usize, polynomial: &[(usize, RBig)]) -> Result<Self, OrderError> {
        let tableau = method.exact();
        let (assumptions, conditions) = equations(&tableau, order)?;
        let id = method.id().to_owned();
        let status = Status::Verified { decimals: 0 };
        let mut certificate =
            Self { method: id, order, assumptions, conditions, polynomial: polynomial.to_vec(), status };
        certificate.status = certificate.proved(&tableau)?;
        Ok(certificate)
    }

    /// Whether this is a proof about a method: every part of it is computed again.
    ///
    /// # Errors
    /// [`OrderError`] where the order is too high.
    pub fn holds(&self, method: &Method) -> Result<bool, OrderError> {
        let tableau = method.exact();
        if self.method != method.id() || !self.is_sound(&tableau) {
            return Ok(false);
        }
        Ok(match (self.status, self.proved(&tableau)?) {
            (Status::Exact, found) => found == Status::Exact,
            (
                Status::Enclosed { radius, residual, contraction },
                Status::Enclosed { radius: r, residual: e, contraction: k },
            ) => {
                // Doubles of other machines may differ in the last digits.
                let slack = 1.0 + 1e-6;
                r <= radius * slack && e <= residual * slack && k <= (contraction * slack).max(1e-6)
            }
            (Status::Enclosed { .. }, found) => found == Status::Exact,
            (Status::Verified { decimals }, _) => self.decimals(&tableau)? >= decimals,
        })
    }

    /// Whether the trees and partitions make sense for the tableau.
    fn is_sound(&self, tableau: &Tableau<Exact>) -> bool {
        let is_coloured = |tree: &Tree| tree.partitions().iter().all(|&r| r < tableau.partitions.len());
        let makes_sense = |assumption: &Assumption| match assumption {
            Assumption::Stages { left, right } => {
                let alike = left.kind() == right.kind() && left.order() == right.order() && left.order() <= self.order;
                alike && is_coloured(left) && is_coloured(right)
            }
            Assumption::Weights { b, a } => (*b).max(*a) < tableau.partitions.len(),
            Assumption::SharedWeights => true,
        };
        let order = 1..=HIGHEST_ORDER;
        let sizes = self.polynomial.iter().map(|(power, _)| *power).chain(self.conditions.iter().map(Tree::order));
        let is_small = order.contains(&self.order) && sizes.max().unwrap_or(0) <= tableau.stages().max(self.order);
        is_small
            && is_pair(tableau)
            && self.assumptions.iter().all(makes_sense)
            && self.conditions.iter().all(is_coloured)
    }

    fn proved(&self, tableau: &Tableau<Exact>) -> Result<Status, OrderError> {
        let verified = Status::Verified { decimals: self.decimals(tableau)? };
        if !is_pair(tableau) || !self.is_complete(tableau)? {
            return Ok(verified);
        }
        let system = System::new(tableau, &self.assumptions, &self.conditions, &self.polynomial);
        let status = system.enclose(tableau).map_or(verified, |found| Status::Enclosed {
            radius: found.radius,
            residual: found.residual,
            contraction: found.contraction,
        });
        Ok(if system.holds_exactly(tableau) { Status::Exact } else { status })
    }

    /// Whether all conditions follow from those that are imposed.
    fn is_complete(&self, tableau: &Tableau<Exact>) -> Result<bool, OrderError> {
        let mut consequences = Consequences::new(self.order, evaluated(tableau))?;
        for assumption in &self.assumptions {
            consequences.assume(assumption);
        }
        for tree in &self.conditions {
            consequences.impose(tree);
        }
        let all = consequences.trees.clone();
        Ok(all.iter().all(|tree| !consequences.impose(tree)))
    }

    /// The decimals to which every condition up to the order and the polynomial hold.
    fn decimals(&self, tableau: &Tableau<Exact>) -> Result<u32, OrderError> {
        let trees = Consequences::new(self.order, evaluated(tableau))?.trees;
        let system = System::new(tableau, &[], &trees, &self.polynomial);
        let worst = system.worst(tableau);
        const MOST: f64 = 300.0;
        Ok((-worst.log10()).floor().clamp(0.0, MOST) as u32)
    }
}

/// Two explicit partitions with abscissae that are row sums and rational coefficients.
fn is_pair(tableau: &Tableau<Exact>) -> bool {
    let is_rational = |x: &Exact| x.as_rational().is_some();
    tableau.partitions.len() == 2
        && tableau.is_explicit()
        && tableau.partitions.iter().all(|butcher| {
            butcher.abscissae_are_row_sums() && butcher.a.iter().flatten().chain(&butcher.b).all(is_rational)
        })
}

fn evaluated(tableau: &Tableau<Exact>) -> Vec<Vec<usize>> {
    tableau.partitions.iter().map(hemiola_tableau::Butcher::evaluated_stages).collect()
}

/// The assumptions that nearly hold at a tableau, and the conditions that do not follow from them and from smaller ones.
pub(crate) fn equations(tableau: &Tableau<Exact>, order: usize) -> Result<(Vec<Assumption>, Vec<Tree>), OrderError> {
    let mut consequences = Consequences::new(order, evaluated(tableau))?;
    let mut assumptions = Vec::new();
    if is_pair(tableau) {
        let nearly = |assumption: &Assumption| {
            residuals(assumption, tableau).iter().all(|(_, residual)| residual.to_f64().abs() < NEARLY)
        };
        let mut try_it = |assumption: Assumption, consequences: &mut Consequences| {
            // With b shared, D(1) of the one is D(1) of the other: what says nothing new would not be independent.
            if nearly(&assumption) && consequences.assume(&assumption) {
                assumptions.push(assumption);
            }
        };
        for (left, right) in stage_pairs(&consequences.trees, order) {
            if !consequences.agree(&left, &right) {
                try_it(Assumption::Stages { left, right }, &mut consequences);
            }
        }
        try_it(Assumption::SharedWeights, &mut consequences);
        for (b, a) in [(SLOW, SLOW), (FAST, SLOW), (SLOW, FAST), (FAST, FAST)].into_iter().filter(|_| order > 1) {
            try_it(Assumption::Weights { b, a }, &mut consequences);
        }
    }
    let all = consequences.trees.clone();
    let conditions = all.into_iter().filter(|tree| consequences.impose(tree)).collect();
    Ok((assumptions, conditions))
}

/// Trees of one size that may agree at all stages of their root's partition; the fast one's include the slow one's.
fn stage_pairs(trees: &[Tree], order: usize) -> Vec<(Tree, Tree)> {
    let mut pairs = Vec::new();
    for size in 2..order {
        for root in [FAST, SLOW] {
            let alike = |tree: &&Tree| tree.order() == size && tree.kind() == Kind::Partition(root);
            let alike: Vec<&Tree> = trees.iter().filter(alike).collect();
            for (i, left) in alike.iter().enumerate() {
                pairs.extend(alike[..i].iter().map(|right| ((*left).clone(), (*right).clone())));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Design, Specification, design};
    use dashu::integer::IBig;
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

    #[test]
    fn designs_of_orders_two_to_four_are_enclosed() {
        for (slow, fast, starts, assumptions) in
            [(2, 5, 6, 0), (3, 6, 4, 1), (3, 7, 8, 1), (4, 6, 4, 4), (4, 8, 6, 3), (4, 10, 3, 4)]
        {
            let design = designed(slow, fast, starts);
            let certificate = &design.certificate;
            let Status::Enclosed { radius, contraction, .. } = certificate.status else {
                panic!("{slow}–{fast}: {:?}", certificate.status)
            };
            assert!(radius < 1e-30 && contraction < 1e-6, "{slow}–{fast}: {radius:e}, {contraction:e}");
            assert_eq!(certificate.assumptions.len(), assumptions, "{slow}–{fast}");
            assert!(certificate.holds(&design.method).unwrap());
            assert!(!certificate.holds(&spoiled(&design.method)).unwrap());
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
        too_much.assumptions.push(Assumption::Weights { b: 0, a: 0 });
        assert!(refused(too_much));
        let at_most = Certificate { status: Status::Verified { decimals: 45 }, ..certificate };
        assert!(at_most.holds(&method).unwrap());
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
