//! The values that conditions require, in the order of their computation.

use std::collections::HashMap;

use super::shape::Shape;

/// One value: a forest or a tree, along all stages and at their ends.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) step: Step,
    /// Whether the polynomials along the stages are needed, or only the values at their ends.
    pub(super) along: bool,
}

/// The computation of a value from earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The abscissa.
    Abscissa,
    /// The product of two values.
    Product(usize, usize),
    /// The tree whose root has this color above a forest.
    Tree { color: usize, forest: usize },
}

/// A condition on the last stage.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) color: usize,
    /// The forest below the root: the product of these values.
    pub(super) forest: Vec<usize>,
    /// γ of the tree.
    pub(super) density: u64,
}

/// All values and conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) values: Vec<Value>,
    pub(super) roots: Vec<Root>,
}

impl Program {
    pub(super) fn new(shapes: &[Shape]) -> Self {
        let mut builder = Builder::default();
        for shape in shapes {
            // Keep the last factor separate: the integral of a product does not require the polynomial of the product.
            let forest = match shape.children.split_last() {
                Some((last, rest)) => {
                    let last = builder.tree(last);
                    let rest = (!rest.is_empty() || shape.leaves > 0).then(|| builder.forest(shape.leaves, rest));
                    rest.into_iter().chain([last]).collect()
                }
                None => vec![builder.forest(shape.leaves, &[])],
            };
            builder.program.roots.push(Root { color: shape.color, forest, density: shape.density() });
        }
        builder.program.mark();
        builder.program
    }

    /// Finds the values whose polynomials are needed.
    fn mark(&mut self) {
        for root in self.roots.iter().filter(|root| root.color == 0) {
            root.forest.iter().for_each(|&value| self.values[value].along = true);
        }
        for k in (0..self.values.len()).rev() {
            let needed = match self.values[k].step {
                Step::Product(x, y) if self.values[k].along => vec![x, y],
                Step::Tree { color: 0, forest } => vec![forest],
                _ => Vec::new(),
            };
            needed.into_iter().for_each(|value| self.values[value].along = true);
        }
    }
}

#[derive(Default)]
struct Builder {
    program: Program,
    trees: HashMap<Shape, usize>,
    forests: HashMap<(usize, Vec<Shape>), usize>,
}

impl Builder {
    fn push(&mut self, step: Step) -> usize {
        self.program.values.push(Value { step, along: false });
        self.program.values.len() - 1
    }

    /// Returns the value of a nonempty forest.
    fn forest(&mut self, leaves: usize, children: &[Shape]) -> usize {
        let key = (leaves, children.to_vec());
        if let Some(&known) = self.forests.get(&key) {
            return known;
        }
        let value = match children.split_last() {
            None if leaves <= 1 => self.push(Step::Abscissa),
            None => {
                let (rest, one) = (self.forest(leaves - 1, &[]), self.forest(1, &[]));
                self.push(Step::Product(rest, one))
            }
            Some((only, [])) if leaves == 0 => self.tree(only),
            Some((last, rest)) => {
                let (rest, last) = (self.forest(leaves, rest), self.tree(last));
                self.push(Step::Product(rest, last))
            }
        };
        self.forests.insert(key, value);
        value
    }

    fn tree(&mut self, shape: &Shape) -> usize {
        if let Some(&known) = self.trees.get(shape) {
            return known;
        }
        let forest = self.forest(shape.leaves, &shape.children);
        let value = self.push(Step::Tree { color: shape.color, forest });
        self.trees.insert(shape.clone(), value);
        value
    }
}
