//! Creation of certificates: proves as much as possible about a table.

use dashu::rational::RBig;
use hemiola_order::{OrderError, Tree};
use hemiola_tableau::Method;
use num_traits::Zero;

use crate::proof::assumption::Assumption;
use crate::proof::certificate::check::{decimals_left, last_digit};
use crate::proof::certificate::digest::digest;
use crate::proof::certificate::statement::{Certificate, HIGHEST_ORDER, MOST_CONTRACTION, ProofStatus, is_pair};
use crate::proof::further_weights::{FurtherProof, FurtherWeights, WeightsKind};
use crate::proof::independent_equations::independent_equations;
use crate::proof::krawczyk::Enclosure;
use crate::proof::solution::{BEYOND, SolutionOffsets, decimals, rounded};
use crate::proof::table::Table;

/// Factor of the stated radius and residual, so that they also hold on other machines, whose doubles may differ in the
/// last digits.
const MARGIN: f64 = 1.0 + 1e-6;
/// Factor of the stated contraction. It is dominated by the rounding of the inverse, so its own digits differ.
const CONTRACTION_MARGIN: f64 = 10.0;
/// Smallest stated bound on the contraction; it exceeds the effect of rounding.
const LEAST_CONTRACTION: f64 = 1e-6;

impl Certificate {
    /// Proves as much as possible about a pair (slow, fast) with rational coefficients.
    ///
    /// For other numbers of partitions it determines whether all conditions hold exactly. Embedded weights and
    /// dense output are included up to the orders that the method claims.
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is too high.
    pub fn new(method: &Method, order: usize, polynomial: &[(usize, RBig)]) -> Result<Self, OrderError> {
        let table = Table::new(method);
        let mut certificate = Self {
            method: method.id().to_owned(),
            table: digest(method),
            order,
            assumptions: Vec::new(),
            conditions: Vec::new(),
            polynomial: polynomial.to_vec(),
            embedded: None,
            dense: None,
            solution: SolutionOffsets::default(),
            status: ProofStatus::Exact,
        };
        let worst = certificate.worst(&table.pair)?;
        let is_exact = worst.is_zero() && certificate.require_valid_fields(&table).is_ok();
        if !is_exact {
            certificate.status = ProofStatus::Verified { decimals: decimals_left(&worst) };
        }
        certificate.embedded = verified(WeightsKind::Embedded, method, is_exact)?;
        certificate.dense = verified(WeightsKind::Dense, method, is_exact)?;
        if is_exact || !is_pair(&table.pair) || order > HIGHEST_ORDER {
            return Ok(certificate);
        }
        // If an assumption holds only approximately, its solution is farther away than the digits allow; other
        // selections may not need it.
        for equations in independent_equations(&table.pair, order, polynomial)? {
            if let Some(enclosed) = certificate.enclosed(method, &table, equations)? {
                return Ok(enclosed);
            }
        }
        Ok(certificate)
    }

    /// Returns the certificate of a solution of some equations, with as many of the further weights as possible.
    fn enclosed(
        &self,
        method: &Method,
        table: &Table,
        (assumptions, conditions): (Vec<Assumption>, Vec<Tree>),
    ) -> Result<Option<Self>, OrderError> {
        let with_pair = |which: WeightsKind, further: &Option<FurtherWeights>| {
            let order = further.as_ref().map(|further| further.order);
            let Some(order) = order.filter(|order| which.can_have(table, *order, self.order)) else { return Ok(None) };
            let conditions = which.independent_conditions(table, [order, self.order], &assumptions)?;
            Ok(conditions.map(|conditions| FurtherWeights { order, proof: FurtherProof::WithPair(conditions) }))
        };
        let embedded = with_pair(WeightsKind::Embedded, &self.embedded)?;
        let dense = with_pair(WeightsKind::Dense, &self.dense)?;
        let pair = Self { assumptions, conditions, ..self.clone() };
        let both = [(&embedded, &dense), (&embedded, &None), (&None, &dense), (&None, &None)];
        for (k, (embedded, dense)) in both.into_iter().enumerate() {
            let trial = Self {
                embedded: embedded.clone().or_else(|| self.embedded.clone()),
                dense: dense.clone().or_else(|| self.dense.clone()),
                ..pair.clone()
            };
            let is_seen = both[..k].contains(&(embedded, dense));
            if !is_seen && let Some(found) = trial.solved(method, table)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Adds the solution of the equations if it agrees with all digits of the table.
    fn solved(&self, method: &Method, table: &Table) -> Result<Option<Self>, OrderError> {
        let Some(decimals) = decimals(method) else { return Ok(None) };
        let system = self.system(table);
        let to = decimals + BEYOND;
        let solution = system
            .refine(&table.extended, |value| rounded(value, to))
            .and_then(|solution| SolutionOffsets::between(&table.unknowns(), &table.extended, &solution, to));
        let Some(solution) = solution else { return Ok(None) };
        let mut trial = Self { solution, ..self.clone() };
        let Ok(found) = trial.enclosure(table, |least| least * MARGIN)? else { return Ok(None) };
        let Enclosure { residual, contraction, radius, .. } = found;
        let contraction = (contraction * CONTRACTION_MARGIN).clamp(LEAST_CONTRACTION * MARGIN, MOST_CONTRACTION);
        trial.status = ProofStatus::Enclosed { radius, residual: residual * MARGIN, contraction };
        Ok((radius <= last_digit(method)).then_some(trial))
    }
}

/// Determines the number of decimals to which further weights satisfy the claimed conditions or, for an exact pair,
/// whether they satisfy them exactly.
fn verified(which: WeightsKind, method: &Method, is_exact: bool) -> Result<Option<FurtherWeights>, OrderError> {
    let Some(order) = which.claimed_order(method).filter(|order| (1..=HIGHEST_ORDER).contains(order)) else {
        return Ok(None);
    };
    let of = |worst: hemiola_tableau::Exact| {
        let is_exact = is_exact && worst.is_zero();
        let decimals = decimals_left(&worst);
        if is_exact { FurtherProof::WithPair(Vec::new()) } else { FurtherProof::Verified { decimals } }
    };
    let worst = which.worst(method, order)?;
    Ok(worst.map(|worst| FurtherWeights { order, proof: of(worst) }))
}
