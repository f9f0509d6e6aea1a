//! Verification of certificates: every part is recomputed from the table.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_order::{Grammar, OrderError, StageSolution, Tree, Trees, Weights};
use hemiola_tableau::{Exact, Method, Tableau};
use num_traits::Zero;

use crate::pair::partitions::FAST;
use crate::proof::certificate::digest::digest;
use crate::proof::certificate::refusal::CertificateRefusal;
use crate::proof::certificate::statement::{Certificate, ProofStatus, is_pair};
use crate::proof::free_coefficients::FreeCoefficients;
use crate::proof::further_weights::{FurtherProof, FurtherWeights, equations};
use crate::proof::krawczyk::{Enclosure, ProofSystem};
use crate::proof::relations::Relations;
use crate::proof::solution::decimals;
use crate::proof::table::Table;
use crate::proof::trees::trees;

/// The conditions of the pair, as named in refusals.
const ALL: &str = "conditions of the pair";

impl Certificate {
    /// Returns whether this certificate holds for a method. Recomputes every part of it.
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is too high.
    pub fn holds(&self, method: &Method) -> Result<bool, OrderError> {
        Ok(self.refusal(method)?.is_none())
    }

    /// Returns the reason why this certificate does not hold for a method; `None` if it holds. Recomputes every part of
    /// it.
    ///
    /// ```
    /// use hemiola_design::Certificate;
    /// use hemiola_tableau::library;
    /// let certificate = Certificate::new(&library::method("shome-haug-jay-2-5")?, 2, &[])?;
    /// let refusal = certificate.refusal(&library::method("hemiola-2-5")?)?.ok_or("another method")?;
    /// assert_eq!(refusal.to_string(), "it is about shome-haug-jay-2-5, not hemiola-2-5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is too high.
    pub fn refusal(&self, method: &Method) -> Result<Option<CertificateRefusal>, OrderError> {
        if self.method != method.id() {
            return Ok(Some(CertificateRefusal::Method {
                found: self.method.clone(),
                expected: method.id().to_owned(),
            }));
        }
        let expected = digest(method);
        if self.table != expected {
            return Ok(Some(CertificateRefusal::Table { found: self.table.clone(), expected }));
        }
        let table = Table::new(method);
        if let Err(refusal) = self.require_valid_fields(&table) {
            return Ok(Some(refusal));
        }
        if let Some(refusal) = self.refused_pair(method, &table)? {
            return Ok(Some(refusal));
        }
        for (which, FurtherWeights { order, proof }) in self.further() {
            let what = which.field();
            let worst = || Ok::<_, OrderError>(which.worst(method, *order)?.unwrap_or_else(|| Exact::from(2)));
            let refusal = match proof {
                // Further weights proved with the pair are part of its enclosure.
                FurtherProof::WithPair(_) if self.status != ProofStatus::Exact => None,
                FurtherProof::WithPair(_) => (!worst()?.is_zero()).then_some(CertificateRefusal::NotExact { what }),
                FurtherProof::Verified { decimals } => (!is_within(&worst()?, *decimals))
                    .then_some(CertificateRefusal::Decimals { what, decimals: *decimals }),
            };
            if refusal.is_some() {
                return Ok(refusal);
            }
        }
        Ok(None)
    }

    fn refused_pair(&self, method: &Method, table: &Table) -> Result<Option<CertificateRefusal>, OrderError> {
        Ok(match self.status {
            ProofStatus::Exact => {
                let worst = self.worst(&table.pair)?;
                (!worst.is_zero()).then_some(CertificateRefusal::NotExact { what: ALL })
            }
            ProofStatus::Verified { decimals } => {
                let worst = self.worst(&table.pair)?;
                (!is_within(&worst, decimals)).then_some(CertificateRefusal::Decimals { what: ALL, decimals })
            }
            ProofStatus::Enclosed { radius, residual, contraction } => {
                let unit = last_digit(method);
                // NaN is not a valid radius.
                if !(radius > 0.0 && radius <= unit) {
                    return Ok(Some(CertificateRefusal::Radius { radius, unit }));
                }
                let found = match self.enclosure(table, |_| radius)? {
                    Ok(found) => found,
                    Err(refusal) => return Ok(Some(refusal)),
                };
                let bounds = [("residual", residual, found.residual), ("contraction", contraction, found.contraction)];
                // NaN is not a bound.
                let keeps = |stated: f64, found: f64| found <= stated;
                let broken = bounds.into_iter().find(|(_, stated, found)| !keeps(*stated, *found));
                let distance = found.distance_for(residual);
                let is_far = distance > radius;
                let far = is_far.then_some(CertificateRefusal::Far { residual, distance, radius });
                broken.map(|(field, stated, found)| CertificateRefusal::Bound { field, stated, found }).or(far)
            }
        })
    }

    /// Proves that a solution lies in a ball about the table and that all conditions hold there. `radius` maps the
    /// smallest provable radius to the radius of the ball.
    pub(crate) fn enclosure(
        &self,
        table: &Table,
        radius: impl FnOnce(f64) -> f64,
    ) -> Result<Result<Enclosure, CertificateRefusal>, OrderError> {
        let unknowns = table.unknowns();
        let Some(solution) = self.solution.beside(&unknowns, &table.extended) else {
            return Ok(Err(CertificateRefusal::Field { field: "solution" }));
        };
        let Some(enclosure) = self.system(table).enclose(&table.extended, &solution, radius) else {
            return Ok(Err(CertificateRefusal::NoSolution));
        };
        let ball = FreeCoefficients::new(&table.pair).ball(&table.pair, enclosure.radius);
        let trees = trees(table.pair.partitions.len(), self.order)?;
        let relations = Relations::new(&ball, self.order, &trees, &self.assumptions);
        if !relations.determine_all(&self.conditions) {
            return Ok(Err(CertificateRefusal::Open { what: ALL }));
        }
        let ball = unknowns.ball(&table.extended, enclosure.radius);
        for (which, FurtherWeights { order, proof }) in self.further() {
            if let FurtherProof::WithPair(conditions) = proof
                && !which.all_follow(table, &ball, [*order, self.order], &self.assumptions, conditions)?
            {
                return Ok(Err(CertificateRefusal::Open { what: which.field() }));
            }
        }
        Ok(Ok(enclosure))
    }

    /// Returns the imposed equations.
    pub(crate) fn system(&self, table: &Table) -> ProofSystem {
        let mut further = Vec::new();
        for (which, FurtherWeights { proof, .. }) in self.further() {
            if let FurtherProof::WithPair(conditions) = proof {
                let vectors = which.vectors(table).into_iter().zip(conditions);
                further.extend(vectors.flat_map(|((vector, power), trees)| equations(vector, power, trees)));
            }
        }
        let is_enclosed = |further: &&FurtherWeights| matches!(further.proof, FurtherProof::WithPair(_));
        let sums = self.dense.as_ref().filter(is_enclosed).map(|_| table.ends());
        ProofSystem::new(&table.pair, &self.assumptions, &self.conditions, &self.polynomial).extended(
            table.unknowns(),
            further,
            sums.unwrap_or_default(),
        )
    }

    /// Returns the largest residual of the conditions up to the order and of the polynomial.
    pub(crate) fn worst(&self, tableau: &Tableau<Exact>) -> Result<Exact, OrderError> {
        if is_pair(tableau) {
            let trees: Vec<Tree> = trees(tableau.partitions.len(), self.order)?;
            return Ok(ProofSystem::new(tableau, &[], &trees, &self.polynomial).worst(tableau));
        }
        if tableau.partitions.len() <= FAST && !self.polynomial.is_empty() {
            // Without a fast partition there is no such polynomial.
            return Ok(Exact::from(2));
        }
        of_family(tableau, self.order)
    }
}

/// Returns the largest residual of all order and coupling conditions for any number of partitions.
fn of_family(tableau: &Tableau<Exact>, order: usize) -> Result<Exact, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
    let mut weights = Weights::new(&trees, tableau, StageSolution::Solved);
    let mut worst = Exact::from(0);
    for tree in (1..=order).flat_map(|order| trees.of_order(order)) {
        let missed = weights.residual(tree).abs();
        if (worst.clone() - missed.clone()).sign().is_lt() {
            worst = missed;
        }
    }
    Ok(worst)
}

/// Returns whether a residual is at most 10⁻ⁿ.
fn is_within(worst: &Exact, decimals: u32) -> bool {
    decimals <= MOST_DECIMALS && !(worst.clone() - power_of_tenth(decimals)).sign().is_gt()
}

/// Returns the number of decimals to which a residual vanishes.
pub(crate) fn decimals_left(worst: &Exact) -> u32 {
    let near = (-worst.to_f64().log10()).floor().clamp(0.0, f64::from(MOST_DECIMALS)) as u32;
    // Doubles are not accurate enough near a power of ten.
    if is_within(worst, near) { near } else { near.saturating_sub(1) }
}

/// Largest number of decimals; smaller powers of ten are not doubles.
const MOST_DECIMALS: u32 = 300;

fn power_of_tenth(decimals: u32) -> Exact {
    Exact::from(RBig::from_parts(IBig::ONE, UBig::from(10u8).pow(decimals as usize)))
}

/// Returns one unit of the last digit of a table; zero if it has no decimals.
pub(crate) fn last_digit(method: &Method) -> f64 {
    // Parse the nearest double; computed powers of ten may differ from it.
    decimals(method).map_or(0.0, |decimals| format!("1e-{decimals}").parse().unwrap_or(0.0))
}
