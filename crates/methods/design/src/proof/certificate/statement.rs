//! Certificates: a pair that satisfies all conditions exactly lies near the written decimals.

use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::{Exact, Tableau};

use crate::proof::assumption::Assumption;
use crate::proof::certificate::refusal::CertificateRefusal;
use crate::proof::further_weights::{FurtherProof, FurtherWeights, WeightsKind};
use crate::proof::solution::SolutionOffsets;
use crate::proof::table::Table;
use crate::proof::trees::is_colored;

/// Highest order of a proof; the relations of higher orders would exceed the memory.
pub(crate) const HIGHEST_ORDER: usize = 6;

/// Largest contraction for which the proof holds.
pub(crate) const MOST_CONTRACTION: f64 = 0.5;

/// The strength of the proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProofStatus {
    /// All conditions hold as identities of the written numbers.
    Exact,
    /// An exact solution lies nearby.
    Enclosed {
        /// A bound on the distance of each coefficient from its decimals, at most one unit of the last decimal.
        radius: f64,
        /// A bound ε on the residual of the equations at the certificate's [`SolutionOffsets`].
        residual: f64,
        /// A bound K ≤ ½ on the contraction of Krawczyk's operator on the ball of this radius about the table.
        contraction: f64,
    },
    /// The conditions hold to a number of decimals; the existence of a solution is not proved.
    Verified {
        /// The number of decimals to which the largest residual vanishes.
        decimals: u32,
    },
}

/// A proof that can be checked independently of the search.
///
/// Assumptions, conditions and polynomial coefficients are the imposed equations. All other conditions up to the order
/// follow from them by linear algebra over the rationals. The imposed coefficients of the polynomial are the stated
/// rational numbers; the coefficients up to the order are order conditions. The equations of embedded weights and dense
/// output are included if their proof is [`FurtherProof::WithPair`].
///
/// ```
/// use hemiola_design::{Certificate, ProofStatus};
/// let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let certificate = Certificate::new(&published, 2, &[]).unwrap();
/// // Eight printed decimals: a pair of order two agrees with all of them.
/// assert!(matches!(certificate.status, ProofStatus::Enclosed { radius, .. } if radius < 1e-8));
/// assert!(certificate.holds(&published).unwrap());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The id of the method.
    pub method: String,
    /// The digest of the exact coefficients of the table, including embedded weights and dense output.
    pub table: String,
    /// The order p.
    pub order: usize,
    /// The simplifying assumptions, with the stages at which each is imposed.
    pub assumptions: Vec<Assumption>,
    /// The imposed conditions; together with the assumptions they imply all others.
    pub conditions: Vec<Tree>,
    /// Powers of z beyond the order with the prescribed coefficients of the fast partition's polynomial.
    pub polynomial: Vec<(usize, RBig)>,
    /// The proof about the embedded weights.
    pub embedded: Option<FurtherWeights>,
    /// The proof about the dense output.
    pub dense: Option<FurtherWeights>,
    /// The solution to more decimals, if the status is [`ProofStatus::Enclosed`].
    pub solution: SolutionOffsets,
    /// The strength of the proof.
    pub status: ProofStatus,
}

impl Certificate {
    /// Returns the statements about embedded weights and dense output.
    pub(crate) fn further(&self) -> impl Iterator<Item = (WeightsKind, &FurtherWeights)> {
        let all = [(WeightsKind::Embedded, &self.embedded), (WeightsKind::Dense, &self.dense)];
        all.into_iter().filter_map(|(which, further)| further.as_ref().map(|further| (which, further)))
    }

    /// Checks that trees, stages and powers are valid for the table.
    pub(crate) fn require_valid_fields(&self, table: &Table) -> Result<(), CertificateRefusal> {
        let s = table.pair.stages();
        let makes_sense = |assumption: &Assumption| {
            let Assumption { vector, stages, imposed } = assumption;
            let are_stages = is_increasing(stages) && is_increasing(imposed) && stages.iter().all(|&stage| stage < s);
            are_stages && imposed.iter().all(|stage| stages.contains(stage)) && vector.is_sound(s, self.order)
        };
        let powers: Vec<usize> = self.polynomial.iter().map(|(power, _)| *power).collect();
        let are_conditions = |trees: &[Tree], order| trees.iter().all(|tree| is_colored(tree) && tree.order() <= order);
        let is_enclosed = matches!(self.status, ProofStatus::Enclosed { .. });
        // Equations belong to an enclosure; other proofs do not use them.
        let has_equations = !(self.assumptions.is_empty() && self.conditions.is_empty());
        let require = |holds: bool, field| if holds { Ok(()) } else { Err(CertificateRefusal::Field { field }) };
        let contracts = |status| match status {
            ProofStatus::Enclosed { contraction, .. } => contraction > 0.0 && contraction <= MOST_CONTRACTION,
            _ => true,
        };
        require(contracts(self.status), "contraction")?;
        require((1..=HIGHEST_ORDER).contains(&self.order), "order")?;
        require(is_pair(&table.pair) || !is_enclosed && is_family(&table.pair), "partitions")?;
        require(self.assumptions.iter().all(makes_sense), "assumptions")?;
        require(are_conditions(&self.conditions, self.order) && (is_enclosed || !has_equations), "conditions")?;
        let are_powers = is_increasing(&powers) && powers.iter().all(|power| (self.order + 1..=s).contains(power));
        require(are_powers && (is_pair(&table.pair) || powers.is_empty()), "polynomial")?;
        require(is_enclosed || self.solution == SolutionOffsets::default(), "solution")?;
        for (which, FurtherWeights { order, proof }) in self.further() {
            let fits = match proof {
                FurtherProof::WithPair(conditions) if is_enclosed => {
                    which.can_have(table, *order, self.order)
                        && conditions.len() == which.vectors(table).len()
                        && conditions.iter().all(|trees| are_conditions(trees, *order))
                }
                FurtherProof::WithPair(conditions) => conditions.is_empty() && self.status == ProofStatus::Exact,
                FurtherProof::Verified { .. } => true,
            };
            require(fits && (1..=HIGHEST_ORDER).contains(order), which.field())?;
        }
        Ok(())
    }
}

fn is_increasing(numbers: &[usize]) -> bool {
    numbers.windows(2).all(|pair| pair[0] < pair[1])
}

/// Returns whether there are two explicit partitions with rational coefficients and abscissae that are row sums.
pub(crate) fn is_pair(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.len() == 2 && is_explicit_and_rational(tableau)
}

/// Returns whether there is one such partition or more than two, for which only exact validity is certified.
fn is_family(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.len() != 2 && is_explicit_and_rational(tableau)
}

fn is_explicit_and_rational(tableau: &Tableau<Exact>) -> bool {
    let is_rational = |x: &Exact| x.as_rational().is_some();
    tableau.is_explicit()
        && tableau.partitions.iter().all(|butcher| {
            butcher.abscissae_are_row_sums() && butcher.a.iter().flatten().chain(&butcher.b).all(is_rational)
        })
}
