//! Elementary weights, a method's counterparts of the elementary differentials.
//!
//! Ψ(•) = 1, Ψ([u₁…u_m]) = Π A^{color(u_l)} Ψ(u_l), taken stage by stage, and Φ(t) = Σᵢ bᵢ Ψᵢ(t) (Hairer, Nørsett
//! & Wanner 1993, §II.15). Ψ depends only on the forest below the root, so all root colors share it.

use hemiola_tableau::{Scalar, Tableau, dot};

use crate::trees::enumerate::{ForestId, TreeId, Trees};
use crate::trees::grammar::NodeKind;

/// The solution of the stage equations of an implicit method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StageSolution {
    /// The stage equations are satisfied: a Runge–Kutta method.
    #[default]
    Solved,
    /// Newton iterations from k⁽⁰⁾ = f(y): a linearized implicit method (Gerdts 2003, generalized to q iterations).
    Linearized {
        /// The number q of iterations, at least 1.
        iterations: usize,
    },
}

/// Elementary weights of a tableau, computed on demand.
pub struct Weights<'a, T> {
    trees: &'a Trees,
    tableau: &'a Tableau<T>,
    stages: StageSolution,
    /// Ψ of each forest at each iterate: one entry for [`StageSolution::Solved`], q + 1 for q iterations.
    psi: Vec<Option<Vec<NewtonIterate<T>>>>,
    /// The contribution of each tree as a child, at each iterate.
    pushed: Vec<Option<Vec<NewtonIterate<T>>>>,
}

/// A value and the last Newton correction of it; the correction is empty for solved stages.
#[derive(Clone)]
struct NewtonIterate<T> {
    value: Vec<T>,
    correction: Vec<T>,
}

impl<'a, T: Scalar> Weights<'a, T> {
    /// Creates the weights of a tableau for these trees, without computing any of them.
    ///
    /// ```
    /// use hemiola_order::{Grammar, StageSolution, Trees, Weights};
    /// let trees = Trees::new(&Grammar::partitioned(1), 2).unwrap();
    /// let tableau = hemiola_tableau::library::method("heun-2").unwrap().to_f64();
    /// let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
    /// let tree = trees.of_order(2)[0];
    /// assert_eq!(weights.elementary_weight(tree), 0.5); // Σ bᵢcᵢ
    /// ```
    #[must_use]
    pub fn new(trees: &'a Trees, tableau: &'a Tableau<T>, stages: StageSolution) -> Self {
        let (forest_count, tree_count) = (trees.forest_count(), trees.tree_count());
        Self { trees, tableau, stages, psi: vec![None; forest_count], pushed: vec![None; tree_count] }
    }

    /// Computes Φ(t) = Σᵢ bᵢ Ψᵢ(t), with the weights of the root's color.
    pub fn elementary_weight(&mut self, tree: TreeId) -> T {
        let NodeKind::Partition(color) = self.trees.kind(tree) else {
            return T::zero();
        };
        let psi = self.derivative_weight(tree);
        dot(&self.tableau.partitions[color].b, &psi)
    }

    /// Computes Φ(t) − 1/γ(t).
    pub fn residual(&mut self, tree: TreeId) -> T {
        self.elementary_weight(tree) - T::ratio(1, self.trees.density(tree))
    }

    /// Computes Ψ(t), one number for each stage.
    pub fn derivative_weight(&mut self, tree: TreeId) -> Vec<T> {
        let forest = self.trees.forest_of(tree);
        self.fill_forest(forest);
        self.psi[forest.index()]
            .as_ref()
            .and_then(|iterates| iterates.last())
            .map(NewtonIterate::sum)
            .unwrap_or_default()
    }

    fn iterates(&self) -> usize {
        match self.stages {
            StageSolution::Solved => 1,
            StageSolution::Linearized { iterations } => iterations + 1,
        }
    }

    fn fill_forest(&mut self, forest: ForestId) {
        if self.psi[forest.index()].is_some() {
            return;
        }
        let ones = || vec![T::one(); self.tableau.stages()];
        let psi = match self.trees.split(forest) {
            None => (0..self.iterates()).map(|_| NewtonIterate { value: ones(), correction: Vec::new() }).collect(),
            Some((tree, rest)) => {
                self.fill_pushed(tree);
                self.fill_forest(rest);
                match (&self.pushed[tree.index()], &self.psi[rest.index()]) {
                    (Some(tree), Some(rest)) => self.products(tree, rest),
                    _ => Vec::new(),
                }
            }
        };
        self.psi[forest.index()] = Some(psi);
    }

    /// Computes Π a_l + Σ_l w_l Π_{k≠l} a_k, extended by one more factor a + w.
    fn products(&self, tree: &[NewtonIterate<T>], rest: &[NewtonIterate<T>]) -> Vec<NewtonIterate<T>> {
        let mut products: Vec<NewtonIterate<T>> = tree
            .iter()
            .zip(rest)
            .map(|(tree, rest)| {
                let value = times(&tree.value, &rest.value);
                let correction = match (tree.correction.is_empty(), rest.correction.is_empty()) {
                    (true, true) => Vec::new(),
                    (true, false) => times(&tree.value, &rest.correction),
                    (false, true) => times(&tree.correction, &rest.value),
                    (false, false) => {
                        plus(&times(&tree.value, &rest.correction), &times(&tree.correction, &rest.value))
                    }
                };
                NewtonIterate { value, correction }
            })
            .collect();
        if self.stages != StageSolution::Solved {
            // k⁽⁰⁾ = f(y) has no derivatives: Ψ⁽⁰⁾ vanishes except for a single node.
            products[0] = NewtonIterate { value: vec![T::zero(); self.tableau.stages()], correction: Vec::new() };
        }
        products
    }

    fn fill_pushed(&mut self, tree: TreeId) {
        if self.pushed[tree.index()].is_some() {
            return;
        }
        let pushed = match self.trees.kind(tree) {
            NodeKind::Time(color) => {
                let c = &self.tableau.partitions[color].c;
                (0..self.iterates()).map(|_| NewtonIterate { value: c.clone(), correction: Vec::new() }).collect()
            }
            NodeKind::Partition(color) => {
                let forest = self.trees.forest_of(tree);
                self.fill_forest(forest);
                let psi = self.psi[forest.index()].as_deref().unwrap_or_default();
                self.push(color, psi)
            }
        };
        self.pushed[tree.index()] = Some(pushed);
    }

    /// Computes a = AΨ for solved stages; a = AΨ⁽ᵐ⁻¹⁾, w = A(Ψ⁽ᵐ⁾ − Ψ⁽ᵐ⁻¹⁾) for iterates.
    fn push(&self, color: usize, psi: &[NewtonIterate<T>]) -> Vec<NewtonIterate<T>> {
        let butcher = &self.tableau.partitions[color];
        if self.stages == StageSolution::Solved {
            return psi
                .iter()
                .map(|psi| NewtonIterate { value: butcher.times(&psi.value), correction: Vec::new() })
                .collect();
        }
        let images: Vec<Vec<T>> = psi.iter().map(|psi| butcher.times(&psi.sum())).collect();
        let zero = NewtonIterate { value: vec![T::zero(); butcher.stages()], correction: Vec::new() };
        let steps = images.windows(2).map(|pair| {
            let correction = pair[1].iter().zip(&pair[0]).map(|(new, old)| new.clone() - old.clone()).collect();
            NewtonIterate { value: pair[0].clone(), correction }
        });
        std::iter::once(zero).chain(steps).collect()
    }
}

impl<T: Scalar> NewtonIterate<T> {
    fn sum(&self) -> Vec<T> {
        if self.correction.is_empty() { self.value.clone() } else { plus(&self.value, &self.correction) }
    }
}

fn times<T: Scalar>(x: &[T], y: &[T]) -> Vec<T> {
    x.iter().zip(y).map(|(x, y)| x.clone() * y.clone()).collect()
}

fn plus<T: Scalar>(x: &[T], y: &[T]) -> Vec<T> {
    x.iter().zip(y).map(|(x, y)| x.clone() + y.clone()).collect()
}
