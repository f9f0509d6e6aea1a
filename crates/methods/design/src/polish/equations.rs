//! The system of equations of a polished table.

use dashu::rational::RBig;
use hemiola_order::{NodeKind, OrderError, Tree};
use hemiola_tableau::{Exact, Method};
use nalgebra::{DMatrix, DVector};
use num_traits::Zero;

use crate::interval::bounds::RealInterval;
use crate::polish::assumption::AssumptionComponent;
use crate::polish::equation::PolishEquation;
use crate::polish::layout::DecimalUnknowns;
use crate::polish::row_sums::row_sums;
use crate::proof::independence::GradientSpan;
use crate::proof::trees::trees;

/// Smallest residual, of numbers up to some hundred, that rounding in doubles does not explain.
const DOUBTFUL: f64 = 1e-9;

/// The equations for one layout of unknowns.
pub(crate) struct PolishEquations<'a> {
    pub(crate) layout: &'a DecimalUnknowns,
    pub(crate) all: Vec<PolishEquation>,
}

impl<'a> PolishEquations<'a> {
    pub(crate) fn new(method: &Method, layout: &'a DecimalUnknowns, order: usize) -> Result<Self, OrderError> {
        let count = method.partitions().len();
        let mut all = row_sums(method);
        all.extend(trees(count, order)?.into_iter().map(PolishEquation::Order));
        let embedded = method.claims().embedded_order.filter(|_| method.partitions()[0].b_hat.is_some());
        if let Some(order) = embedded {
            let rooted = |tree: Tree| match tree.kind() {
                NodeKind::Partition(color) => {
                    PolishEquation::Order(Tree::new(NodeKind::Partition(count + color), tree.children().to_vec()))
                }
                NodeKind::Time(_) => PolishEquation::Order(tree),
            };
            all.extend(trees(count, order)?.into_iter().map(rooted));
        }
        Ok(Self { layout, all })
    }

    /// Adds the simplifying assumptions that the printed digits satisfy; `None` if they are dependent on the row
    /// sums.
    pub(crate) fn with_assumptions(&self, method: &Method, order: usize) -> Result<Option<Self>, OrderError> {
        let printed = self.layout.printed();
        let tableau = self.layout.tableau(&printed);
        let doubles = self.layout.converted(Exact::to_f64, |k| printed[k].to_f64().value());
        let slopes = |equation: &PolishEquation| DVector::from_vec(self.layout.slopes(&equation.gradient(&doubles)));
        let is_sum = |equation: &PolishEquation| !matches!(equation, PolishEquation::Order(_));
        let (mut all, conditions): (Vec<PolishEquation>, Vec<PolishEquation>) =
            self.all.iter().cloned().partition(is_sum);
        let mut span = GradientSpan::default();
        for sum in &all {
            span.add(slopes(sum));
        }
        let (sums, count) = (all.len(), method.partitions().len());
        for component in AssumptionComponent::all(&trees(count, order)?, count, method.stages(), order) {
            let equation = PolishEquation::Assumed(component);
            let gradient = slopes(&equation);
            let units = self.layout.unknowns.iter().map(|unknown| unknown.unit);
            let explained: f64 = gradient.iter().zip(units).map(|(slope, unit)| slope.abs() * unit).sum();
            // Evaluation in doubles excludes most of them.
            let vanishes = equation.residual(&doubles, Exact::to_f64).abs() <= explained + DOUBTFUL
                && equation.residual(&tableau, Exact::clone).to_f64().abs() <= explained;
            if vanishes && span.add(gradient) {
                all.push(equation);
            }
        }
        let says_more = all.len() > sums;
        all.extend(conditions);
        Ok(says_more.then_some(Self { layout: self.layout, all }))
    }

    pub(crate) fn residuals(&self, x: &[RBig]) -> Vec<Exact> {
        let tableau = self.layout.tableau(x);
        self.all.iter().map(|equation| equation.residual(&tableau, Exact::clone)).collect()
    }

    pub(crate) fn residual_doubles(&self, x: &[RBig]) -> DVector<f64> {
        DVector::from_iterator(self.all.len(), self.residuals(x).iter().map(Exact::to_f64))
    }

    pub(crate) fn jacobian(&self, x: &[RBig]) -> DMatrix<f64> {
        let tableau = self.layout.converted(Exact::to_f64, |k| x[k].to_f64().value());
        let rows: Vec<Vec<f64>> =
            self.all.iter().map(|equation| self.layout.slopes(&equation.gradient(&tableau))).collect();
        DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i][j])
    }

    /// Computes the derivatives of some equations exactly.
    pub(crate) fn exact_jacobian(&self, chosen: &[usize], x: &[RBig]) -> Vec<Vec<Exact>> {
        let tableau = self.layout.tableau(x);
        chosen.iter().map(|&k| self.layout.slopes(&self.all[k].gradient(&tableau))).collect()
    }

    /// Encloses the derivatives at all tables whose unknowns differ from `x` by at most `radius`.
    pub(crate) fn enclosed_jacobian(&self, x: &[RBig], radius: f64) -> Vec<Vec<RealInterval>> {
        let fixed = |x: &Exact| if x.is_zero() { RealInterval::zero() } else { RealInterval::around(x, 0.0) };
        let unknown = |k: usize| RealInterval::around(&Exact::from(x[k].clone()), radius);
        let tableau = self.layout.converted(fixed, unknown);
        self.all.iter().map(|equation| self.layout.slopes(&equation.gradient(&tableau))).collect()
    }
}
