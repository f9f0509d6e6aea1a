//! The equations of a table and its embedded row in the unknowns of an [`MriForm`].

use hemiola_multirate::{ConsistentConditions, InfinitesimalMethod, SimplifyingAssumption};
use hemiola_order::Tree;
use hemiola_tableau::{Exact, Scalar};
use nalgebra::DMatrix;

use crate::error::DesignError;
use crate::interval::bounds::RealInterval;
use crate::interval::dual::IntervalDual;
use crate::mri::embedded::EmbeddedForm;
use crate::mri::form::MriForm;
use crate::mri::specification::{SlowPart, SlowStability};
use crate::mri::stiff::scaled_limit_at_infinity;

/// The reduced order conditions of the last stage and of the embedded one, the equations of an assumption, and R(∞) = 0.
pub(super) struct MriSystem {
    form: MriForm,
    conditions: ConsistentConditions,
    assumption: Option<SimplifyingAssumption>,
    embedded: Option<(EmbeddedForm, ConsistentConditions)>,
    /// The implicit partition whose R(∞) vanishes.
    damped: Option<usize>,
}

impl MriSystem {
    /// Returns the equations for the orders that a method claims, under an assumption, with R(∞) = 0 of an L-stable partition,
    /// and its unknowns; `None` if the method has another form, is not internally consistent or claims no order.
    pub(super) fn of(
        method: &InfinitesimalMethod,
        assumption: Option<SimplifyingAssumption>,
        stability: SlowStability,
    ) -> Result<Option<(Self, Vec<Exact>)>, DesignError> {
        let claims = method.claims();
        let Some(order) = claims.order else { return Ok(None) };
        let parts = method.partitions().len() - 1;
        let rows = method.exact_rows();
        let (stages, further) = rows.split_at(method.stages().len());
        let Some((form, mut x)) = MriForm::of_rows(stages) else { return Ok(None) };
        // Proportional defects are divided by the first one of an explicit partition, −c₂²/2.
        if assumption == Some(SimplifyingAssumption::ProportionalC2) && form.part != SlowPart::Additive {
            return Ok(None);
        }
        let mut embedded = None;
        if let [row] = further {
            let (Some(order), Some(last)) = (claims.embedded_order, stages.last()) else { return Ok(None) };
            let own = EmbeddedForm { columns: stages.len() - 1, powers: form.powers, parts };
            let mut columns = row.forcing.iter().flatten();
            let has_shape = row.forcing.iter().all(|powers| powers.len() == own.powers)
                && columns.all(|columns| columns.len() == own.columns + 1);
            if !has_shape {
                return Ok(None);
            }
            let unknowns = own.unknowns_of(row);
            if own.row(last, &unknowns) != *row {
                return Ok(None);
            }
            x.extend(unknowns);
            let shared = assumption.filter(|assumption| assumption.is_shared());
            embedded = Some((own, ConsistentConditions::independent(stages, order, shared)?));
        }
        let conditions = ConsistentConditions::independent(stages, order, assumption)?;
        let damped = form.implicit_part().filter(|_| stability == SlowStability::LStable);
        Ok(Some((Self { form, conditions, assumption, embedded, damped }, x)))
    }

    /// Returns the conditions of the last stage.
    pub(super) fn conditions(&self) -> Vec<Tree> {
        trees(&self.conditions)
    }

    /// Returns the conditions of the embedded stage if they differ from those of the last stage up to its order.
    pub(super) fn embedded_conditions(&self) -> Vec<Tree> {
        let embedded = self.embedded.as_ref().filter(|_| self.assumption.is_some());
        embedded.map(|(_, conditions)| trees(conditions)).unwrap_or_default()
    }

    /// Returns whether c₂ ≠ 0 in the ball of a radius about a point, where proportional defects are divided by −c₂²/2.
    pub(super) fn has_pivot(&self, x: &[Exact], radius: f64) -> bool {
        self.assumption != Some(SimplifyingAssumption::ProportionalC2)
            || x.first().is_some_and(|c| c.to_f64() > 2.0 * radius)
    }

    /// Computes all residuals.
    pub(super) fn residuals<T: Scalar>(&self, x: &[T]) -> Vec<T> {
        let (own, further) = x.split_at(self.form.unknowns());
        let rows = self.form.rows(own);
        let mut residuals = self.conditions.residuals(&rows);
        residuals.extend(self.assumption.into_iter().flat_map(|assumption| assumption.residuals(&rows)));
        residuals.extend(self.damped.map(|part| scaled_limit_at_infinity(&rows, part)));
        if let Some((form, conditions)) = &self.embedded {
            residuals.extend(conditions.residuals(&form.rows(&rows, further)));
        }
        residuals
    }

    /// Encloses the derivatives of all residuals over the ball of a radius about a point.
    pub(super) fn jacobian(&self, x: &[Exact], radius: f64) -> Vec<Vec<RealInterval>> {
        let count = x.len();
        let unknown = |(k, x): (usize, &Exact)| IntervalDual::unknown(RealInterval::around(x, radius), k, count);
        let ball: Vec<IntervalDual> = x.iter().enumerate().map(unknown).collect();
        self.residuals(&ball).into_iter().map(|residual| residual.gradient(count)).collect()
    }

    /// Computes the derivatives of all residuals in doubles.
    pub(super) fn middle(&self, x: &[Exact]) -> DMatrix<f64> {
        let rows = self.jacobian(x, 0.0);
        DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i][j].middle())
    }
}

fn trees(conditions: &ConsistentConditions) -> Vec<Tree> {
    conditions.conditions().iter().map(|condition| condition.tree.clone()).collect()
}
