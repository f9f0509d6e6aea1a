//! Certificates: a pair that satisfies all conditions exactly lies near the written decimals.

use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::{Exact, Tableau};

use crate::proof::assumption::Assumption;
use crate::proof::certificate::refusal::Refusal;
use crate::proof::further_weights::{FurtherProof, FurtherWeights, Which};
use crate::proof::solution::Solution;
use crate::proof::table::Table;
use crate::proof::trees::is_colored;

/// The relations of higher orders would fill the memory.
pub(crate) const HIGHEST_ORDER: usize = 6;

/// The proof needs this contraction.
pub(crate) const MOST_CONTRACTION: f64 = 0.5;

/// The strength of the proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// All conditions hold as identities of the written numbers.
    Exact,
    /// An exact solution lies nearby.
    Enclosed {
        /// A bound on the distance of each coefficient from its decimals: at most a unit of the last of them.
        radius: f64,
        /// A bound ε on what the equations miss at the certificate's [`Solution`].
        residual: f64,
        /// A bound K ≤ ½ on the contraction of Krawczyk's operator, all over the ball of the radius about the table.
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
/// numbers; those up to the order are order conditions. Embedded weights and dense output are part of the equations where
/// their proof says so.
///
/// ```
/// use hemiola_design::{Certificate, Status};
/// let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let certificate = Certificate::new(&published, 2, &[]).unwrap();
/// // Eight printed decimals: a pair of order two agrees with all of them.
/// assert!(matches!(certificate.status, Status::Enclosed { radius, .. } if radius < 1e-8));
/// assert!(certificate.holds(&published).unwrap());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The id of the method.
    pub method: String,
    /// The digest of the exact coefficients of the table, embedded weights and dense output included.
    pub table: String,
    /// The order p.
    pub order: usize,
    /// The simplifying assumptions, each with the stages at which it is imposed.
    pub assumptions: Vec<Assumption>,
    /// The conditions that are imposed, from which with the assumptions all others follow.
    pub conditions: Vec<Tree>,
    /// Powers of z beyond the order with the coefficients that the fast partition's polynomial is to have.
    pub polynomial: Vec<(usize, RBig)>,
    /// What is proved of the embedded weights.
    pub embedded: Option<FurtherWeights>,
    /// What is proved of the dense output.
    pub dense: Option<FurtherWeights>,
    /// The solution to more decimals, of an enclosed one.
    pub solution: Solution,
    /// The strength of the proof.
    pub status: Status,
}

impl Certificate {
    /// What it says of embedded weights and dense output.
    pub(crate) fn further(&self) -> impl Iterator<Item = (Which, &FurtherWeights)> {
        let all = [(Which::Embedded, &self.embedded), (Which::Dense, &self.dense)];
        all.into_iter().filter_map(|(which, further)| further.as_ref().map(|further| (which, further)))
    }

    /// Whether the trees, stages and powers make sense for the table.
    pub(crate) fn require_sense(&self, table: &Table) -> Result<(), Refusal> {
        let s = table.pair.stages();
        let makes_sense = |assumption: &Assumption| {
            let Assumption { vector, stages, imposed } = assumption;
            let are_stages = is_increasing(stages) && is_increasing(imposed) && stages.iter().all(|&stage| stage < s);
            are_stages && imposed.iter().all(|stage| stages.contains(stage)) && vector.is_sound(s, self.order)
        };
        let powers: Vec<usize> = self.polynomial.iter().map(|(power, _)| *power).collect();
        let are_conditions = |trees: &[Tree], order| trees.iter().all(|tree| is_colored(tree) && tree.order() <= order);
        let is_enclosed = matches!(self.status, Status::Enclosed { .. });
        // Equations belong to an enclosure; nothing is made of them elsewhere.
        let has_equations = !(self.assumptions.is_empty() && self.conditions.is_empty());
        let require = |holds: bool, field| if holds { Ok(()) } else { Err(Refusal::Field { field }) };
        let contracts = |status| match status {
            Status::Enclosed { contraction, .. } => contraction > 0.0 && contraction <= MOST_CONTRACTION,
            _ => true,
        };
        require(contracts(self.status), "contraction")?;
        require((1..=HIGHEST_ORDER).contains(&self.order), "order")?;
        require(is_pair(&table.pair) || !is_enclosed && is_family(&table.pair), "partitions")?;
        require(self.assumptions.iter().all(makes_sense), "assumptions")?;
        require(are_conditions(&self.conditions, self.order) && (is_enclosed || !has_equations), "conditions")?;
        let are_powers = is_increasing(&powers) && powers.iter().all(|power| (self.order + 1..=s).contains(power));
        require(are_powers && (is_pair(&table.pair) || powers.is_empty()), "polynomial")?;
        require(is_enclosed || self.solution == Solution::default(), "solution")?;
        for (which, FurtherWeights { order, proof }) in self.further() {
            let fits = match proof {
                FurtherProof::WithPair(conditions) if is_enclosed => {
                    which.can_have(table, *order, self.order)
                        && conditions.len() == which.vectors(table).len()
                        && conditions.iter().all(|trees| are_conditions(trees, *order))
                }
                FurtherProof::WithPair(conditions) => conditions.is_empty() && self.status == Status::Exact,
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

/// Two explicit partitions with abscissae that are row sums and rational coefficients.
pub(crate) fn is_pair(tableau: &Tableau<Exact>) -> bool {
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
