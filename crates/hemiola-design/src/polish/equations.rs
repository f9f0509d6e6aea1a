//! All equations that a polished table satisfies.

use dashu::rational::RBig;
use hemiola_order::{Kind, OrderError, Tree};
use hemiola_tableau::{Butcher, Exact, Method, Tableau};
use nalgebra::{DMatrix, DVector};
use num_traits::Zero;

use crate::interval::bounds::Bounds;
use crate::polish::assumption::Component;
use crate::polish::equation::Equation;
use crate::polish::layout::Layout;
use crate::polish::row_sums::row_sums;
use crate::proof::independence::Span;
use crate::proof::trees::trees;

/// The equations of one layout of unknowns.
pub(crate) struct Equations<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) all: Vec<Equation>,
    /// The components of assumptions that vanish to the printed digits, also those that say nothing new.
    pub(crate) vanishing: Vec<Component>,
    pub(crate) partitions: usize,
    pub(crate) order: usize,
    /// The order of the embedded weights.
    pub(crate) embedded: Option<usize>,
}

impl<'a> Equations<'a> {
    pub(crate) fn new(method: &Method, layout: &'a Layout, order: usize) -> Result<Self, OrderError> {
        let partitions = method.partitions().len();
        let embedded = method.claims().embedded_order.filter(|_| method.partitions()[0].b_hat.is_some());
        let mut all = row_sums(method);
        all.extend(trees(partitions, order)?.into_iter().map(Equation::Order));
        if let Some(order) = embedded {
            all.extend(trees(partitions, order)?.iter().map(|tree| Equation::Order(moved_root(tree, partitions))));
        }
        Ok(Self { layout, all, vanishing: Vec::new(), partitions, order, embedded })
    }

    /// These equations with the simplifying assumptions that the printed digits satisfy; `None` if these say nothing new.
    pub(crate) fn with_assumptions(&self) -> Result<Option<Self>, OrderError> {
        let printed = self.layout.printed();
        let tableau = self.layout.tableau(&printed);
        let doubles = self.layout.converted(Exact::to_f64, |k| printed[k].to_f64().value());
        let slopes = |equation: &Equation| DVector::from_vec(self.layout.slopes(&equation.gradient(&doubles)));
        let is_sum = |equation: &Equation| !matches!(equation, Equation::Order(_));
        let (mut all, conditions): (Vec<Equation>, Vec<Equation>) = self.all.iter().cloned().partition(is_sum);
        let mut span = Span::default();
        for sum in &all {
            span.add(slopes(sum));
        }
        let (sums, mut vanishing) = (all.len(), Vec::new());
        for component in Component::all(&trees(self.partitions, self.order)?, self.partitions, tableau.stages(), self.order) {
            let gradient = slopes(&Equation::Assumed(component.clone()));
            let units = self.layout.unknowns.iter().map(|unknown| unknown.unit);
            let explained: f64 = gradient.iter().zip(units).map(|(slope, unit)| slope.abs() * unit).sum();
            // Doubles rule most of them out.
            let vanishes = component.value(&doubles).abs() <= explained + 1e-9
                && component.value(&tableau).to_f64().abs() <= explained;
            if vanishes {
                if span.add(gradient) {
                    all.push(Equation::Assumed(component.clone()));
                }
                vanishing.push(component);
            }
        }
        let says_more = all.len() > sums;
        all.extend(conditions);
        Ok(says_more.then_some(Self { all, vanishing, ..*self }))
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

    /// The derivatives of some equations, exactly.
    pub(crate) fn exact_jacobian(&self, chosen: &[usize], x: &[RBig]) -> Vec<Vec<Exact>> {
        let tableau = self.layout.tableau(x);
        chosen.iter().map(|&k| self.layout.slopes(&self.all[k].gradient(&tableau))).collect()
    }

    /// All tables whose unknowns differ by no more than a radius.
    pub(crate) fn ball(&self, x: &[RBig], radius: f64) -> Tableau<Bounds> {
        let fixed = |x: &Exact| if x.is_zero() { Bounds::zero() } else { Bounds::around(x, 0.0) };
        let unknown = |k: usize| Bounds::around(&Exact::from(x[k].clone()), radius);
        let mut ball = self.layout.converted(fixed, unknown);
        ball.partitions.iter_mut().for_each(|butcher| butcher.c = butcher.row_sums());
        ball
    }

    /// The derivatives all over such a ball.
    pub(crate) fn enclosed_jacobian(&self, ball: &Tableau<Bounds>) -> Vec<Vec<Bounds>> {
        self.all.iter().map(|equation| self.layout.slopes(&equation.gradient(ball))).collect()
    }

    /// The weights b, or the embedded ones, with the matrices.
    pub(crate) fn with_weights(&self, tableau: &Tableau<Bounds>, embedded: bool) -> Tableau<Bounds> {
        let (count, parts) = (self.partitions, &tableau.partitions);
        let part = |r: usize| {
            let weights = if embedded { &parts[count + r] } else { &parts[r] };
            Butcher { b: weights.b.clone(), ..parts[r].clone() }
        };
        Tableau { partitions: (0..count).map(part).collect() }
    }
}

/// The tree with its root in the weights of another partition.
pub(crate) fn moved_root(tree: &Tree, partitions: usize) -> Tree {
    match tree.kind() {
        Kind::Partition(color) => Tree::new(Kind::Partition(color + partitions), tree.children().to_vec()),
        Kind::Time(_) => tree.clone(),
    }
}
