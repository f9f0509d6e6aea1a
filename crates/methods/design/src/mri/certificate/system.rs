//! The equations that a table and its embedded row satisfy, in the unknowns of their form.

use hemiola_multirate::{ConsistentConditions, InfinitesimalMethod};
use hemiola_tableau::{Exact, Scalar};
use nalgebra::DMatrix;

use crate::error::DesignError;
use crate::interval::bounds::RealInterval;
use crate::interval::dual::IntervalDual;
use crate::mri::embedded::EmbeddedForm;
use crate::mri::form::MriForm;

/// The reduced order conditions of the last stage and of the embedded one.
pub(super) struct MriSystem {
    form: MriForm,
    conditions: ConsistentConditions,
    embedded: Option<(EmbeddedForm, ConsistentConditions)>,
}

impl MriSystem {
    /// Returns the equations for the orders that a method claims, and its unknowns; `None` if the method has another
    /// form, is not internally consistent or claims no order.
    pub(super) fn of(method: &InfinitesimalMethod) -> Result<Option<(Self, Vec<Exact>)>, DesignError> {
        let claims = method.claims();
        let Some(order) = claims.order else { return Ok(None) };
        let partitions = method.partitions().len();
        let rows = method.exact_rows();
        let (stages, further) = rows.split_at(method.stages().len());
        let Some((form, mut x)) = MriForm::of_rows(stages) else { return Ok(None) };
        let mut embedded = None;
        if let [row] = further {
            let (Some(order), Some(last)) = (claims.embedded_order, stages.last()) else { return Ok(None) };
            let own = EmbeddedForm { columns: stages.len() - 1, powers: form.powers, parts: partitions - 1 };
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
            embedded = Some((own, ConsistentConditions::new(partitions, order)?));
        }
        Ok(Some((Self { form, conditions: ConsistentConditions::new(partitions, order)?, embedded }, x)))
    }

    /// Returns the conditions of the last stage.
    pub(super) fn conditions(&self) -> &ConsistentConditions {
        &self.conditions
    }

    /// Computes all residuals.
    pub(super) fn residuals<T: Scalar>(&self, x: &[T]) -> Vec<T> {
        let (own, further) = x.split_at(self.form.unknowns());
        let rows = self.form.rows(own);
        let mut residuals = self.conditions.residuals(&rows);
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
