//! Derivatives of elementary weights with respect to all coefficients, by the adjoint of the recursion.

use hemiola_tableau::{Butcher, Tableau};

use crate::grammar::Kind;
use crate::trees::{TreeId, Trees};
use crate::weights::{Stages, Weights};

/// Elementary weights of a tableau of doubles together with their gradients.
pub struct Gradients<'a> {
    trees: &'a Trees,
    tableau: &'a Tableau<f64>,
    weights: Weights<'a, f64>,
}

impl<'a> Gradients<'a> {
    /// Gradients of a tableau's elementary weights for these trees.
    ///
    /// ```
    /// use hemiola_order::{Gradients, Grammar, Trees};
    /// let trees = Trees::new(&Grammar::partitioned(1), 2).unwrap();
    /// let tableau = hemiola_tableau::library::method("heun-2").unwrap().to_f64();
    /// // Σ bᵢcᵢ = b₁a₁₁ + … : its derivative with respect to a₂₁ is b₂.
    /// let (value, gradient) = Gradients::new(&trees, &tableau).value_and_gradient(trees.of_order(2)[0]);
    /// assert_eq!((value, gradient.partitions[0].a[1][0]), (0.5, 0.5));
    /// ```
    #[must_use]
    pub fn new(trees: &'a Trees, tableau: &'a Tableau<f64>) -> Self {
        Self { trees, tableau, weights: Weights::new(trees, tableau, Stages::Solved) }
    }

    /// Φ(t) and ∂Φ(t)/∂(A, b) in the shape of the tableau; in place of c stand the derivatives with respect to the
    /// abscissae that time leaves use.
    pub fn value_and_gradient(&mut self, tree: TreeId) -> (f64, Tableau<f64>) {
        let mut gradient = zeros_like(self.tableau);
        let Kind::Partition(colour) = self.trees.kind(tree) else {
            return (0.0, gradient);
        };
        let b = &self.tableau.partitions[colour].b;
        let psi = self.weights.derivative_weight(tree);
        let value = b.iter().zip(&psi).map(|(b, psi)| b * psi).sum();
        gradient.partitions[colour].b.copy_from_slice(&psi);
        self.descend(tree, b, &mut gradient);
        (value, gradient)
    }

    /// Adds the derivatives that pass through the children of a node, given those with respect to its Ψ.
    fn descend(&mut self, tree: TreeId, adjoint: &[f64], gradient: &mut Tableau<f64>) {
        let children: Vec<TreeId> = self.trees.children(tree).collect();
        let pushed: Vec<Vec<f64>> = children.iter().map(|&child| self.pushed(child)).collect();
        for (l, &child) in children.iter().enumerate() {
            let mut factor = adjoint.to_vec();
            for (k, other) in pushed.iter().enumerate() {
                if k != l {
                    factor.iter_mut().zip(other).for_each(|(factor, other)| *factor *= other);
                }
            }
            match self.trees.kind(child) {
                Kind::Time(colour) => add(&mut gradient.partitions[colour].c, &factor, 1.0),
                Kind::Partition(colour) => {
                    let psi = self.weights.derivative_weight(child);
                    let butcher = &self.tableau.partitions[colour];
                    for (row, &factor) in gradient.partitions[colour].a.iter_mut().zip(&factor) {
                        add(row, &psi, factor);
                    }
                    let mut below = vec![0.0; psi.len()];
                    for (row, &factor) in butcher.a.iter().zip(&factor) {
                        add(&mut below, row, factor);
                    }
                    self.descend(child, &below, gradient);
                }
            }
        }
    }

    fn pushed(&mut self, child: TreeId) -> Vec<f64> {
        match self.trees.kind(child) {
            Kind::Time(colour) => self.tableau.partitions[colour].c.clone(),
            Kind::Partition(colour) => {
                let psi = self.weights.derivative_weight(child);
                self.tableau.partitions[colour].times(&psi)
            }
        }
    }
}

fn add(sum: &mut [f64], x: &[f64], factor: f64) {
    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor * x);
}

/// A tableau of the same shape with zero entries.
pub(crate) fn zeros_like(tableau: &Tableau<f64>) -> Tableau<f64> {
    let s = tableau.stages();
    let zero = Butcher { a: vec![vec![0.0; s]; s], b: vec![0.0; s], c: vec![0.0; s] };
    Tableau { partitions: vec![zero; tableau.partitions.len()] }
}
