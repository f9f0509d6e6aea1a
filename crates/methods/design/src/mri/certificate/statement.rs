//! The certificate, its proof and its check.

use dashu::rational::RBig;
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, SimplifyingAssumption};
use hemiola_order::Tree;
use hemiola_tableau::{Coefficient, Exact};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::system::MriSystem;
use crate::error::DesignError;
use crate::mri::form::MriForm;
use crate::mri::specification::SlowStability;
use crate::mri::stiff::StiffStability;
use crate::pair::decimals::DECIMALS;
use crate::proof::certificate::MOST_CONTRACTION;
use crate::proof::krawczyk::{Enclosure, enclosed};
use crate::refinement::decimals::refined;

/// The first line of the hashed text; a change of the text requires another name.
const TABLE: &str = "hemiola-multirate-table/1";

/// Decimals of the approximate solution. Even for ill-conditioned equations, its distance to the exact solution must be
/// far below the last decimal of a table.
pub(super) const SOLUTION_DECIMALS: usize = 80;

/// A proof that an exact method of the claimed orders lies within a few units of the last decimals of a table.
///
/// The unknowns are those of a design: abscissae, the forcing and the corrections of all rows without their first columns, one
/// diagonal entry of each implicit partition, then the forcing of the embedded row. The
/// [independent conditions](hemiola_multirate::ConsistentConditions::independent) of an internally consistent method imply
/// those of all trees, and Krawczyk's operator encloses a solution of them. For an L-stable implicit partition, R(∞) = 0 is one
/// more equation; |R(iy)| ≤ 1 is proved in exact arithmetic for the table, and by `scripts/check-certificate` for the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct MriCertificate {
    /// The id of the method.
    pub method: String,
    /// The digest of its exact coefficients.
    pub table: String,
    /// The order p.
    pub order: usize,
    /// The order of the embedded row.
    pub embedded_order: Option<usize>,
    /// The stability of the implicit partition alone; `Any` if nothing is stated.
    pub stability: SlowStability,
    /// The simplifying assumption that the exact method satisfies, if its conditions are dependent without one.
    pub assumption: Option<SimplifyingAssumption>,
    /// The conditions on the last stage. Together with the assumption they imply the conditions of all trees up to the
    /// order.
    pub conditions: Vec<Tree>,
    /// The conditions on the embedded row if there is an assumption; otherwise they are the conditions above up to its
    /// order.
    pub embedded_conditions: Vec<Tree>,
    /// An approximate solution with more decimals than the table.
    pub solution: Vec<RBig>,
    /// A bound of the distance between the exact solution and the table, unknown by unknown.
    pub radius: f64,
    /// A bound of the residuals at the approximate solution.
    pub residual: f64,
    /// A bound of ‖I − G′R‖ over the ball, at most ½.
    pub contraction: f64,
}

/// A reason why a certificate does not hold.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MriRefusal {
    /// The certificate belongs to another method or another table.
    #[error("it is about {found}, not {expected}")]
    Other {
        /// Subject of the certificate.
        found: String,
        /// The method or table.
        expected: String,
    },
    /// The method is not internally consistent, its stages start from different stages, or its implicit stages have
    /// different diagonal entries.
    #[error("the method does not have the form that multirate certificates require")]
    Form,
    /// A field does not fit the method.
    #[error("the field `{field}` does not fit the method")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// The radius is larger than a hundred units of the last decimal.
    #[error("the radius is {radius:e}; expected at most {most:e}")]
    Radius {
        /// The stated radius.
        radius: f64,
        /// The largest radius.
        most: f64,
    },
    /// The proof fails: no solution is enclosed.
    #[error("no solution is proved within the stated radius")]
    NoSolution,
    /// The stated residual is too large to prove the radius.
    #[error("the residual {residual:e} allows a solution at the distance {distance:e}, beyond the radius {radius:e}")]
    Far {
        /// The stated bound of the residual.
        residual: f64,
        /// The distance from the table that it allows.
        distance: f64,
        /// The stated radius.
        radius: f64,
    },
    /// A stated bound is smaller than the computed one.
    #[error("the {field} is {found:e}; the certificate states {stated:e}")]
    Bound {
        /// The field.
        field: &'static str,
        /// The stated bound.
        stated: f64,
        /// The computed bound.
        found: f64,
    },
}

impl MriCertificate {
    /// Proves the order conditions of a method with fifty decimals up to the claimed orders; `None` if the method has
    /// another form, or no solution could be enclosed.
    ///
    /// ```
    /// use hemiola_design::{MriCertificate, MriSpecification, design_mri};
    /// let design = design_mri(&MriSpecification { starts: 2, ..MriSpecification::new(3, 3) }, "mine", &())?;
    /// let certificate = design.certificate.ok_or("no proof")?;
    /// assert!(certificate.radius < 1e-49 && certificate.refusal(&design.method)?.is_none());
    /// assert!(MriCertificate::new(&hemiola_multirate::library::method("mri-gark-esdirk34a")?)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the order is too high.
    pub fn new(method: &InfinitesimalMethod) -> Result<Option<Self>, DesignError> {
        let stability = stability(method)?;
        for assumption in assumptions() {
            if let Some(certificate) = Self::under(assumption, stability, method)? {
                return Ok(Some(certificate));
            }
        }
        Ok(None)
    }

    /// Proves the conditions under an assumption.
    fn under(
        assumption: Option<SimplifyingAssumption>,
        stability: SlowStability,
        method: &InfinitesimalMethod,
    ) -> Result<Option<Self>, DesignError> {
        let Some((system, x)) = MriSystem::of(method, assumption, stability)? else { return Ok(None) };
        let start = x.iter().map(|x| x.as_rational().cloned().unwrap_or_default()).collect();
        let refined = refined(start, &system.middle(&x), SOLUTION_DECIMALS, |x| system.residuals(x));
        let Some(solution) = refined else { return Ok(None) };
        // State more than the smallest radius: another program may compute slightly less sharp bounds.
        let enclosure = enclosure(&system, &x, &solution, |least| least * 1.25);
        // A solution farther away says nothing about this table.
        let Some(Enclosure { radius, residual, contraction, .. }) =
            enclosure.filter(|enclosure| enclosure.radius <= largest_radius(method))
        else {
            return Ok(None);
        };
        let claims = method.claims();
        Ok(Some(Self {
            method: method.id().to_owned(),
            table: digest(method),
            order: claims.order.unwrap_or_default(),
            embedded_order: claims.embedded_order,
            stability,
            assumption,
            conditions: system.conditions(),
            embedded_conditions: system.embedded_conditions(),
            solution,
            radius,
            residual: residual * 1.25,
            contraction: (contraction * 1.25 + f64::EPSILON).min(0.5),
        }))
    }

    /// Returns the reason why this certificate does not hold for a method; `None` if it does. Every part of it is
    /// recomputed.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the order is too high.
    pub fn refusal(&self, method: &InfinitesimalMethod) -> Result<Option<MriRefusal>, DesignError> {
        for (found, expected) in [(&self.method, method.id().to_owned()), (&self.table, digest(method))] {
            if *found != expected {
                return Ok(Some(MriRefusal::Other { found: found.clone(), expected }));
            }
        }
        let Some((system, x)) = MriSystem::of(method, self.assumption, self.stability)? else {
            return Ok(Some(MriRefusal::Form));
        };
        let claims = method.claims();
        let fields = [
            ("order", claims.order == Some(self.order)),
            ("embedded_order", claims.embedded_order == self.embedded_order),
            ("stability", stability(method)? >= self.stability),
            ("conditions", self.conditions == system.conditions()),
            ("embedded_conditions", self.embedded_conditions == system.embedded_conditions()),
            ("solution", self.solution.len() == x.len()),
        ];
        if let Some((field, _)) = fields.into_iter().find(|(_, fits)| !fits) {
            return Ok(Some(MriRefusal::Field { field }));
        }
        let most = largest_radius(method);
        // NaN is not a valid radius.
        if !(self.radius > 0.0 && self.radius <= most) {
            return Ok(Some(MriRefusal::Radius { radius: self.radius, most }));
        }
        let Some(found) = enclosure(&system, &x, &self.solution, |_| self.radius) else {
            return Ok(Some(MriRefusal::NoSolution));
        };
        let bounds =
            [("residual", self.residual, found.residual), ("contraction", self.contraction, found.contraction)];
        let keeps = |stated: f64, found: f64| found <= stated;
        if let Some((field, stated, found)) = bounds.into_iter().find(|(_, stated, found)| !keeps(*stated, *found)) {
            return Ok(Some(MriRefusal::Bound { field, stated, found }));
        }
        if self.contraction > MOST_CONTRACTION {
            return Ok(Some(MriRefusal::Field { field: "contraction" }));
        }
        let (residual, radius) = (self.residual, self.radius);
        let distance = found.distance_for(residual);
        Ok((distance > radius).then_some(MriRefusal::Far { residual, distance, radius }))
    }
}

/// Returns the strongest stability of the implicit partition; `Any` without one.
fn stability(method: &InfinitesimalMethod) -> Result<SlowStability, DesignError> {
    let form = MriForm::of_rows(&method.exact_rows()[..method.stages().len()]);
    let stiff = form.map_or(Ok(None), |(form, _)| StiffStability::new(method, &form))?;
    Ok(stiff.map_or(SlowStability::Any, |stiff| stiff.class()))
}

/// Returns the assumptions to try in turn.
fn assumptions() -> impl Iterator<Item = Option<SimplifyingAssumption>> {
    std::iter::once(None).chain(SimplifyingAssumption::ALL.map(Some))
}

fn enclosure(system: &MriSystem, x: &[Exact], solution: &[RBig], radius: impl FnOnce(f64) -> f64) -> Option<Enclosure> {
    let nearby: Vec<Exact> = solution.iter().cloned().map(Exact::from).collect();
    let size = |x: &Exact| x.to_f64().abs();
    let distance = x.iter().zip(&nearby).map(|(x, y)| size(&(x.clone() - y.clone()))).fold(0.0, f64::max);
    let residuals: Vec<f64> = system.residuals(&nearby).iter().map(size).collect();
    let found = enclosed(&residuals, distance, |radius| system.jacobian(x, radius), radius);
    found.filter(|enclosure| system.has_pivot(x, enclosure.radius))
}

/// Returns a hundred units of the last decimal: that of the stated precision or, without one, of a finished design. A
/// solution may be farther away than half a unit, because all coefficients are rounded, including those that the others
/// determine.
fn largest_radius(method: &InfinitesimalMethod) -> f64 {
    let decimals = method.precision().map_or(DECIMALS as u32, |precision| precision.decimals);
    // Parse the nearest double; computed powers of ten may differ from it.
    format!("1e-{}", decimals.saturating_sub(2)).parse().unwrap_or(0.0)
}

/// Computes the SHA-256 of the exact coefficients, as `sha256:` and 64 digits.
///
/// The hashed text has a line for each stage with its interval and the number of the stage from which it starts.
/// Partition by partition, a line for each power of the forcing and a line for the corrections follow, then a line for
/// a start and a line for a drift, if present. The embedded stage comes last.
fn digest(method: &InfinitesimalMethod) -> String {
    let mut lines = vec![TABLE.to_owned()];
    let number = |x: &Coefficient| x.value().as_rational().map_or_else(|| x.text().to_owned(), ToString::to_string);
    let mut add = |kind: &str, row: &InfinitesimalStage<Coefficient>| {
        lines.push(format!("{kind} {} {}", row.from, number(&row.interval)));
        let line = |name: &str, columns: &[Coefficient]| {
            let words = std::iter::once(name.to_owned()).chain(columns.iter().map(number));
            words.collect::<Vec<_>>().join(" ")
        };
        for (powers, correction) in row.forcing.iter().zip(&row.correction) {
            lines.extend(powers.iter().map(|columns| line("forcing", columns)));
            lines.push(line("correction", correction));
        }
        let combined = [("start", &row.start), ("drift", &row.drift)].into_iter().filter(|(_, row)| !row.is_empty());
        lines.extend(combined.map(|(name, columns)| line(name, columns)));
    };
    method.stages().iter().for_each(|row| add("stage", row));
    method.embedded().into_iter().for_each(|row| add("embedded", row));
    let hash = Sha256::digest((lines.join("\n") + "\n").as_bytes());
    hash.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}
