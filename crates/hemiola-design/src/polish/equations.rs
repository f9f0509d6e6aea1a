//! What a polished table satisfies: order conditions, those of the embedded weights, and row sums.

use dashu::rational::RBig;
use hemiola_order::{Kind, OrderError, Tree, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau};
use nalgebra::{DMatrix, DVector};
use num_traits::{One, Zero};

use crate::interval::bounds::Bounds;
use crate::polish::layout::Layout;
use crate::proof::trees::{trees, weight};

/// One equation.
#[derive(Clone, Debug)]
pub(crate) enum Equation {
    /// Σⱼ aᵢⱼ of a partition is a number.
    RowSum { partition: usize, row: usize, sum: Exact },
    /// Σⱼ aᵢⱼ of a partition is that of the first.
    SharedSum { partition: usize, row: usize },
    /// Φ(t) = 1/γ(t).
    Order(Tree),
}

impl Equation {
    fn residual<T: Scalar>(&self, tableau: &Tableau<T>, number: impl Fn(&Exact) -> T) -> T {
        let sum = |partition: usize, row: usize| {
            tableau.partitions[partition].a[row].iter().fold(T::zero(), |sum, entry| sum + entry.clone())
        };
        match self {
            Self::RowSum { partition, row, sum: wanted } => sum(*partition, *row) - number(wanted),
            Self::SharedSum { partition, row } => sum(*partition, *row) - sum(0, *row),
            Self::Order(tree) => weight(tree, tableau) - T::ratio(1, tree.density()),
        }
    }

    /// The derivatives with respect to all entries.
    fn gradient<T: Scalar>(&self, tableau: &Tableau<T>) -> Tableau<T> {
        if let Self::Order(tree) = self {
            return value_and_gradient(tree, tableau).1;
        }
        let s = tableau.stages();
        let zero = Butcher { a: vec![vec![T::zero(); s]; s], b: vec![T::zero(); s], c: Vec::new() };
        let mut gradient = Tableau { partitions: vec![zero; tableau.partitions.len()] };
        let mut fill = |partition: usize, row: usize, by: T| gradient.partitions[partition].a[row].fill(by);
        match self {
            Self::RowSum { partition, row, .. } => fill(*partition, *row, T::one()),
            Self::SharedSum { partition, row } => {
                fill(*partition, *row, T::one());
                fill(0, *row, -T::one());
            }
            Self::Order(_) => {}
        }
        gradient
    }
}

/// The equations of one layout of unknowns.
pub(crate) struct Equations<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) all: Vec<Equation>,
}

impl<'a> Equations<'a> {
    pub(crate) fn new(method: &Method, layout: &'a Layout, order: usize) -> Result<Self, OrderError> {
        let count = method.partitions().len();
        let mut all = row_sums(method);
        all.extend(trees(count, order)?.into_iter().map(Equation::Order));
        let embedded = method.claims().embedded_order.filter(|_| method.partitions()[0].b_hat.is_some());
        if let Some(order) = embedded {
            let rooted = |tree: Tree| match tree.kind() {
                Kind::Partition(color) => {
                    Equation::Order(Tree::new(Kind::Partition(count + color), tree.children().to_vec()))
                }
                Kind::Time(_) => Equation::Order(tree),
            };
            all.extend(trees(count, order)?.into_iter().map(rooted));
        }
        Ok(Self { layout, all })
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

    /// The derivatives at all tables whose unknowns differ by no more than a radius.
    pub(crate) fn enclosed_jacobian(&self, x: &[RBig], radius: f64) -> Vec<Vec<Bounds>> {
        let fixed = |x: &Exact| if x.is_zero() { Bounds::zero() } else { Bounds::around(x, 0.0) };
        let unknown = |k: usize| Bounds::around(&Exact::from(x[k].clone()), radius);
        let tableau = self.layout.converted(fixed, unknown);
        self.all.iter().map(|equation| self.layout.slopes(&equation.gradient(&tableau))).collect()
    }
}

/// Row sums that are printed as exact numbers, or are 0 or 1 or those of the first partition to all digits.
fn row_sums(method: &Method) -> Vec<Equation> {
    let (exact, rounding) = (method.exact(), method.rounding());
    let partitions = method.partitions();
    let known = |partition: usize, row: usize| -> f64 {
        // One unit for each entry: digits may have been cut off.
        partitions[partition].a[row].iter().filter_map(|x| rounding.unit(x)).sum::<f64>()
    };
    let sums: Vec<Vec<Exact>> = exact.partitions.iter().map(Butcher::row_sums).collect();
    let mut all = Vec::new();
    for (partition, part) in partitions.iter().enumerate() {
        for row in 0..method.stages() {
            let near = |wanted: &Exact| {
                (sums[partition][row].clone() - wanted.clone()).to_f64().abs() <= known(partition, row)
            };
            let printed = part.c.as_ref().map(|c| &c[row]);
            let meant = printed.filter(|c| rounding.unit(c).is_none()).map(|c| c.value().clone());
            let simple = || [Exact::zero(), Exact::one()].into_iter().find(near);
            if known(partition, row) == 0.0 {
                continue;
            }
            if let Some(sum) = meant.filter(near).or_else(simple) {
                all.push(Equation::RowSum { partition, row, sum });
            } else if partition > 0 {
                let apart = (sums[partition][row].clone() - sums[0][row].clone()).to_f64().abs();
                if apart <= known(partition, row) + known(0, row) {
                    all.push(Equation::SharedSum { partition, row });
                }
            }
        }
    }
    all
}
