//! Systems of equations for elementary weights of trees: values and derivatives of their residuals.

use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_order::Tree;
use nalgebra::{DMatrix, DVector};

use crate::conditions::forests::{EvaluatedForests, Forests};
use crate::pair::coefficients::PairCoefficients;
use crate::simd::columns::PaddedColumns;
use crate::simd::lanes::WeightNumber;
use crate::unknowns::slopes::Slopes;

/// Residuals and their gradients with respect to the unknowns.
pub(crate) struct Linearization {
    pub(crate) residual: DVector<f64>,
    pub(crate) gradients: PaddedColumns,
}

impl Linearization {
    pub(crate) fn jacobian(&self) -> DMatrix<f64> {
        self.gradients.matrix().transpose()
    }
}

/// A system of equations for elementary weights of trees.
#[derive(Clone, Default)]
pub(crate) struct WeightSystem {
    forests: Forests,
    rows: Vec<WeightEquation>,
}

/// An equation scale·(Φ(t) − expected) = 0.
#[derive(Clone, Copy)]
struct WeightEquation {
    color: usize,
    forest: usize,
    expected: f64,
    scale: f64,
}

impl WeightSystem {
    /// Adds the scaled equation Φ(t) − 1/γ(t) = 0 for every tree.
    pub(crate) fn push_trees(&mut self, trees: &[Tree], scale: impl Fn(&Tree) -> f64) {
        trees.iter().for_each(|tree| self.push_tree(tree, scale(tree)));
    }

    /// Adds the scaled equation Φ(t) − 1/γ(t) = 0.
    pub(crate) fn push_tree(&mut self, tree: &Tree, scale: f64) {
        let (color, forest) = self.forests.tree(tree);
        self.rows.push(WeightEquation { color, forest, expected: 1.0 / tree.density() as f64, scale });
    }

    /// Adds the scaled equation bᵀAᵏ⁻¹𝟙 = β, where k is `power`: the elementary weight of a tall tree.
    pub(crate) fn push_power(&mut self, color: usize, power: usize, beta: f64, scale: f64) {
        let forest = self.forests.tall(color, power);
        self.rows.push(WeightEquation { color, forest, expected: beta, scale });
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn residual(&self, at: &PairCoefficients) -> DVector<f64> {
        dispatch(Residuals { system: self, at })
    }

    /// Computes residuals and gradients, with `more` empty rows for further equations.
    pub(crate) fn linearization(&self, at: &PairCoefficients, unknowns: &impl Slopes, more: usize) -> Linearization {
        dispatch(Gradients { system: self, at, unknowns, more })
    }

    /// Computes Jᵀw without J, for weights w that may depend on the index of the row and on its residual.
    pub(crate) fn pulled_back<T: WeightNumber>(
        &self,
        at: &PairCoefficients<T>,
        weight: impl Fn(usize, T) -> T,
    ) -> PairCoefficients<T> {
        dispatch(Pulled { system: self, at, weight })
    }

    /// Computes half the sum of the squared residuals.
    pub(crate) fn value(&self, at: &PairCoefficients) -> f64 {
        self.residual(at).norm_squared() / 2.0
    }

    /// Computes the gradient of [`value`](Self::value).
    pub(crate) fn gradient<T: WeightNumber>(&self, at: &PairCoefficients<T>) -> PairCoefficients<T> {
        self.pulled_back(at, |_, residual| residual)
    }
}

impl WeightEquation {
    #[inline(always)]
    fn residual<T: WeightNumber>(&self, at: &EvaluatedForests<T>) -> T {
        (at.weight(self.color, self.forest) - T::from(self.expected)) * T::from(self.scale)
    }
}

struct Residuals<'a> {
    system: &'a WeightSystem,
    at: &'a PairCoefficients,
}

impl Task for Residuals<'_> {
    type Output = DVector<f64>;

    #[inline(always)]
    fn run<R: Registers>(self) -> DVector<f64> {
        let Self { system, at } = self;
        let evaluated = system.forests.evaluate(at);
        DVector::from_iterator(system.rows.len(), system.rows.iter().map(|row| row.residual(&evaluated)))
    }
}

struct Gradients<'a, S> {
    system: &'a WeightSystem,
    at: &'a PairCoefficients,
    unknowns: &'a S,
    more: usize,
}

impl<S: Slopes> Task for Gradients<'_, S> {
    type Output = Linearization;

    #[inline(always)]
    fn run<R: Registers>(self) -> Linearization {
        let Self { system, at, unknowns, more } = self;
        let evaluated = system.forests.evaluate(at);
        let mut residual = DVector::zeros(system.rows.len() + more);
        let count = unknowns.count();
        let mut gradients = PaddedColumns::zero(count, residual.len());
        let mut gradient = PairCoefficients::zero(at.stages);
        for (i, row) in system.rows.iter().enumerate() {
            residual[i] = row.residual(&evaluated);
            gradient.entries.fill(0.0);
            evaluated.add_gradient(row.color, row.forest, &mut gradient);
            let column = &mut gradients.column_mut(i).as_flattened_mut()[..count];
            unknowns.pull(&gradient, column);
            column.iter_mut().for_each(|slope| *slope *= row.scale);
        }
        Linearization { residual, gradients }
    }
}

struct Pulled<'a, T, W> {
    system: &'a WeightSystem,
    at: &'a PairCoefficients<T>,
    weight: W,
}

impl<T: WeightNumber, W: Fn(usize, T) -> T> Task for Pulled<'_, T, W> {
    type Output = PairCoefficients<T>;

    #[inline(always)]
    fn run<R: Registers>(self) -> PairCoefficients<T> {
        let Self { system, at, weight } = self;
        let evaluated = system.forests.evaluate(at);
        let term = |(i, row): (usize, &WeightEquation)| {
            let weight = weight(i, row.residual(&evaluated)) * T::from(row.scale);
            (row.color, row.forest, weight)
        };
        evaluated.gradient_of_sum(system.rows.iter().enumerate().map(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::lanes::EightPoints;
    use crate::specification::structure::Structure;
    use crate::unknowns::free_entries::Unknowns;
    use hemiola_number::vector::Instructions;
    use hemiola_order::{Grammar, Trees};

    #[test]
    fn all_instructions_round_alike() {
        let trees = Trees::new(&Grammar::partitioned(2), 4).unwrap();
        let mut system = WeightSystem::default();
        system
            .push_trees(&(1..=4).flat_map(|n| trees.of_order(n)).map(|id| trees.tree(id)).collect::<Vec<_>>(), |_| 1.0);
        let unknowns = Unknowns::new(9, &[0, 3, 7], &Structure::default());
        let x: Vec<f64> = (0..unknowns.places().len()).map(|i| 0.3 + 0.2 * (i as f64).sin()).collect();
        let points: Vec<EightPoints> =
            x.iter().map(|x| EightPoints(std::array::from_fn(|k| x + 0.01 * k as f64))).collect();
        let (at, eight) = (unknowns.coefficients(&x), unknowns.coefficients(&points));
        let results = |instructions: Instructions| {
            let Linearization { residual, gradients } =
                instructions.run(Gradients { system: &system, at: &at, unknowns: &unknowns, more: 0 });
            let pulled = instructions.run(Pulled { system: &system, at: &eight, weight: |_, residual| residual });
            let lanes: Vec<[f64; 8]> = unknowns.restrict(&pulled).iter().map(|slope| slope.0).collect();
            (residual, gradients.matrix(), lanes)
        };
        let expected = results(Instructions::PORTABLE);
        assert!(Instructions::all().all(|instructions| results(instructions) == expected));
        // Compare with the first of the eight points, for which additions have another order.
        let alone = unknowns.restrict(&system.gradient(&at));
        assert!(alone.iter().zip(&expected.2).all(|(x, lanes)| (x - lanes[0]).abs() < 1e-13 * (1.0 + x.abs())));
    }
}
