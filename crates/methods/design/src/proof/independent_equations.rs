//! Selection of assumptions that nearly hold at a tableau, and of independent equations there.

use dashu::rational::RBig;
use hemiola_order::{NodeKind, OrderError, Tree};
use hemiola_tableau::{Exact, Tableau};
use num_traits::Zero;

use crate::interval::bounds::RealInterval;
use crate::pair::partitions::{FAST, SLOW};
use crate::proof::assumption::{Assumption, Vector};
use crate::proof::free_coefficients::FreeCoefficients;
use crate::proof::independence::GradientSpan;
use crate::proof::relations::Relations;
use crate::proof::trees::{chain, trees};

/// Thresholds below which values in doubles may be exactly zero. Before assumptions refine a degenerate solution, it is
/// known to half its digits. The second threshold serves cases in which the first mistakes small numbers for zero.
const NEARLY: [f64; 2] = [1e-6, 1e-10];

/// The equations to solve: assumptions, and conditions that together with them imply all others.
pub(crate) type Equations = (Vec<Assumption>, Vec<Tree>);

/// Selects such equations at a pair, in addition to those of the polynomial, in the order in which they should be
/// tried.
///
/// The first selection assumes everything that nearly holds. Later selections assume less, since some of it may not
/// hold exactly.
pub(crate) fn independent_equations(
    tableau: &Tableau<Exact>,
    order: usize,
    polynomial: &[(usize, RBig)],
) -> Result<Vec<Equations>, OrderError> {
    let trees = trees(tableau.partitions.len(), order)?;
    let select = |nearly: f64, left_out: Option<&Vector>, proportional: bool| {
        let mut selection = EquationSelection::new(tableau, nearly, left_out);
        selection.assume(order, &trees, proportional);
        let conditions = selection.conditions(polynomial, &trees);
        let relations = Relations::new(&selection.ball, order, &trees, &selection.assumptions);
        (relations.determine_all(&conditions), (selection.assumptions, conditions))
    };
    let mut all: Vec<Equations> = Vec::new();
    for nearly in NEARLY {
        let (suffice, chosen) = select(nearly, None, order > 4);
        if suffice {
            all.push(chosen);
            continue;
        }
        // Try without each assumption: it may follow from the other equations although no relation shows this.
        let fewer = chosen.0.iter().rev().map(|assumption| select(nearly, Some(&assumption.vector), order > 4));
        // At order four, five slow stages leave one direction for the differences of both matrices, because these are
        // orthogonal to bˢ, bˢc and bˢAˢ.
        let more = (order == 4).then(|| select(nearly, None, true));
        all.extend(fewer.chain(more).find_map(|(suffice, chosen)| suffice.then_some(chosen)));
    }
    all.dedup();
    Ok(all)
}

struct EquationSelection<'a> {
    tableau: &'a Tableau<Exact>,
    unknowns: FreeCoefficients,
    ball: Tableau<RealInterval>,
    nearly: f64,
    left_out: Option<&'a Vector>,
    /// The gradients of the imposed equations.
    span: GradientSpan,
    assumptions: Vec<Assumption>,
}

impl<'a> EquationSelection<'a> {
    fn new(tableau: &'a Tableau<Exact>, nearly: f64, left_out: Option<&'a Vector>) -> Self {
        let unknowns = FreeCoefficients::new(tableau);
        let ball = unknowns.ball(tableau, 0.0);
        Self { tableau, unknowns, ball, nearly, left_out, span: GradientSpan::default(), assumptions: Vec::new() }
    }

    /// Assumes that differences of stages vanish because of a weighted square or sum, then the properties of the
    /// weights.
    fn assume(&mut self, order: usize, trees: &[Tree], proportional: bool) {
        if order < 2 {
            return;
        }
        for size in [2, 3].into_iter().filter(|size| *size < order) {
            self.assume_stages(trees, size);
        }
        if proportional {
            self.assume_proportional();
        }
        let [slow, fast] = [SLOW, FAST];
        self.assume_all(Vector::ZeroWeights { b: slow });
        self.assume_all(Vector::ZeroWeights { b: fast });
        let is_nearly_shared = Vector::SharedWeights.at(self.tableau).iter().all(|x| self.is_small(x));
        if is_nearly_shared {
            self.assume_all(Vector::SharedWeights);
        }
        for b in [slow, fast] {
            if (Vector::Matrices { b }).at(self.tableau).iter().all(|x| self.is_small(x)) {
                self.assume_all(Vector::Matrices { b });
            }
        }
        for (b, a) in [(slow, slow), (fast, slow), (slow, fast), (fast, fast)] {
            self.assume_all(Vector::Weights { b, a });
        }
        // Up to order five, D(1) suffices.
        if order > 5 {
            for (b, a) in [(slow, slow), (fast, slow), (slow, fast), (fast, fast)] {
                self.assume_all(Vector::WeightedColumns { b, a });
            }
        }
    }

    /// Assumes that trees agree along a spanning forest whose edges are the pairs that agree at the most stages.
    fn assume_stages(&mut self, trees: &[Tree], size: usize) {
        let alike = |tree: &&Tree| tree.order() == size && tree.kind() == NodeKind::Partition(FAST);
        let alike: Vec<&Tree> = trees.iter().filter(alike).collect();
        let mut edges = Vec::new();
        for (i, &left) in alike.iter().enumerate() {
            for (k, &right) in alike[..i].iter().enumerate() {
                let vector = Vector::Stages { left: left.clone(), right: right.clone() };
                let stages = self.zeros(&vector);
                edges.push((stages, vector, i, k));
            }
        }
        edges.sort_by_key(|(stages, ..)| std::cmp::Reverse(stages.len()));
        let mut group: Vec<usize> = (0..alike.len()).collect();
        for (stages, vector, i, k) in edges {
            if group[i] != group[k] && !stages.is_empty() {
                let (kept, lost) = (group[i], group[k]);
                group.iter_mut().filter(|g| **g == lost).for_each(|g| *g = kept);
                let imposed = self.independent(&vector, &stages);
                // Omit stages at which it follows from smaller trees in a way that no relation shows.
                self.push(Assumption { vector, stages: imposed.clone(), imposed });
            }
        }
    }

    /// Assumes that Aˢc − c²/2 and Aᶠc − c²/2 are proportional at the slow stages.
    fn assume_proportional(&mut self) {
        let leaf = || Tree::new(NodeKind::Partition(FAST), Vec::new());
        let node = |r: usize, below: Vec<Tree>| Tree::new(NodeKind::Partition(r), below);
        let [left, right] = [FAST, SLOW].map(|q| node(FAST, vec![node(q, vec![leaf()])]));
        let base = node(FAST, vec![leaf(), leaf()]);
        let [x, y] = [&left, &right].map(|tree| crate::proof::assumption::difference(tree, &base, self.tableau));
        let slow = self.tableau.partitions[SLOW].evaluated_stages();
        let size = |j: &usize| x[*j].to_f64().abs().min(y[*j].to_f64().abs());
        let weighted = slow.iter().copied().filter(|&j| !self.is_small(&self.tableau.partitions[SLOW].b[j]));
        let Some(pivot) = weighted.max_by(|i, j| size(i).total_cmp(&size(j))) else { return };
        let vector = Vector::Proportional { left, right, base, pivot };
        let at = vector.at(self.tableau);
        let bound = self.nearly * size(&pivot);
        let has_no_zero = size(&pivot) > self.nearly.sqrt() && !self.is_small(&(x[pivot].clone() - y[pivot].clone()));
        if has_no_zero && slow.iter().all(|&j| at[j].to_f64().abs() < bound) {
            let stages: Vec<usize> = slow.into_iter().filter(|j| self.varies(&vector, *j)).collect();
            let imposed = self.independent(&vector, &stages);
            self.push(Assumption { vector, stages, imposed });
        }
    }

    /// Assumes that a vector vanishes where it nearly does, unless this adds no equation.
    fn assume_all(&mut self, vector: Vector) {
        let stages = self.zeros(&vector);
        let imposed = self.independent(&vector, &stages);
        self.push(Assumption { vector, stages, imposed });
    }

    fn push(&mut self, assumption: Assumption) {
        if !assumption.imposed.is_empty() {
            self.assumptions.push(assumption);
        }
    }

    fn is_small(&self, value: &Exact) -> bool {
        value.to_f64().abs() < self.nearly
    }

    /// Returns the stages at which a vector nearly vanishes, but not by structure.
    fn zeros(&self, vector: &Vector) -> Vec<usize> {
        let at = vector.at(self.tableau);
        (0..at.len()).filter(|&j| self.is_small(&at[j]) && self.varies(vector, j)).collect()
    }

    fn varies(&self, vector: &Vector, stage: usize) -> bool {
        !vector.at(&self.ball)[stage].is_zero()
    }

    /// Returns the stages at which the gradients are independent of each other and of the imposed equations.
    fn independent(&mut self, vector: &Vector, stages: &[usize]) -> Vec<usize> {
        if self.left_out == Some(vector) {
            return Vec::new();
        }
        let gradients = self.unknowns.gradients(vector, &self.ball);
        stages.iter().copied().filter(|&stage| self.span.add_enclosed(&gradients[stage])).collect()
    }

    /// Returns the conditions whose gradients are independent, in addition to those of the polynomial.
    fn conditions(&mut self, polynomial: &[(usize, RBig)], trees: &[Tree]) -> Vec<Tree> {
        for (power, _) in polynomial {
            let gradient = self.unknowns.weight_gradient(&chain(FAST, *power), &self.ball);
            self.span.add_enclosed(&gradient);
        }
        let mut conditions = Vec::new();
        for tree in trees {
            let gradient = self.unknowns.weight_gradient(tree, &self.ball);
            if self.span.add_enclosed(&gradient) {
                conditions.push(tree.clone());
            }
        }
        conditions
    }
}
