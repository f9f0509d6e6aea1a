//! Residuals of the equations of a design, evaluated exactly from the coefficients of a method.

use hemiola_order::{Grammar, NodeKind, StageSolution, Tree, Trees, Weights};
use hemiola_tableau::{Exact, Method, dot};

use crate::error::DesignError;
use crate::pair::partitions::{FAST, SLOW};
use crate::specification::definition::Specification;

/// The subject of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Equation {
    /// An order condition of the slow or of the fast partition alone.
    Order(Tree),
    /// A coupling condition: both partitions occur.
    Coupling(Tree),
    /// A coefficient of a partition's stability polynomial: the partition and the power of z.
    Polynomial(usize, usize),
}

/// An equation with its right-hand side and its residual.
#[derive(Clone, Debug)]
pub struct Residual {
    /// The equation.
    pub equation: Equation,
    /// The right-hand side.
    pub expected: Exact,
    /// Left-hand side minus right-hand side, rounded once.
    pub residual: f64,
}

/// Returns the residuals of all order and coupling conditions, then of the coefficients of the stability
/// polynomials beyond the order.
///
/// # Errors
/// Returns [`DesignError::Order`] if the order is too high.
///
/// ```
/// use hemiola_design::{Specification, residuals};
/// let specification = Specification::new(2, 5, None).unwrap();
/// let published = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let residuals = residuals(&specification, &published).unwrap();
/// assert_eq!(residuals.len(), 6 + 3);
/// assert!(residuals.iter().all(|equation| equation.residual.abs() < 1e-8)); // eight printed decimals
/// ```
pub fn residuals(specification: &Specification, method: &Method) -> Result<Vec<Residual>, DesignError> {
    let order = specification.order;
    let trees = Trees::new(&Grammar::partitioned(2), order)?;
    let exact = method.exact();
    let mut weights = Weights::new(&trees, &exact, StageSolution::Solved);
    let ids = (1..=order).flat_map(|n| trees.of_order(n));
    let mut residuals: Vec<Residual> = ids
        .map(|id| Residual {
            expected: Exact::from_ratio(1, trees.density(id)),
            residual: weights.residual(id).to_f64(),
            equation: equation(trees.tree(id)),
        })
        .collect();
    for (partition, polynomial) in specification.polynomials()?.into_iter().enumerate() {
        let butcher = &exact.partitions[partition];
        let mut power = vec![Exact::from(1); butcher.stages()];
        for (k, beta) in polynomial.into_iter().flatten().enumerate().skip(1) {
            if k > order {
                let expected = Exact::from(beta);
                let residual = (dot(&butcher.b, &power) - expected.clone()).to_f64();
                residuals.push(Residual { equation: Equation::Polynomial(partition, k), expected, residual });
            }
            power = butcher.times(&power);
        }
    }
    Ok(residuals)
}

fn equation(tree: Tree) -> Equation {
    let alone = [SLOW, FAST].into_iter().any(|r| tree.kind() == NodeKind::Partition(r) && tree.is_monochromatic(r));
    if alone { Equation::Order(tree) } else { Equation::Coupling(tree) }
}
