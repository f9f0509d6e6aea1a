//! The equations that a correct reading must satisfy: order conditions, stability polynomials, row sums.

use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau, dot};

use crate::diagnose::claim::Claim;
use crate::diagnose::options::{DiagnoseOptions, PolynomialCoefficient};
use crate::diagnose::subject::ExtendedMethod;
use crate::diagnose::suspects::map_tableau;
use crate::engine::forward::ForwardSweep;
use crate::engine::gradient::value_and_gradient;
use crate::engine::jet::Jet;
use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::properties::row_sums::stages_off_row_sums;
use crate::trees::enumerate::{TreeId, Trees};
use crate::trees::grammar::{Grammar, NodeKind};
use crate::trees::tree::Tree;
use crate::verdict::cell::{Cell, TableauPosition};
use crate::verdict::uncertainty::Uncertainty;

/// An equation.
#[derive(Clone, Debug)]
enum Requirement {
    /// Σⱼ aᵢⱼ = cᵢ with the printed abscissa.
    RowSum { partition: usize, row: usize },
    /// Φ(t) = 1/γ(t) with the weights of the root's partition; Φ(t) = 0 for powers of θ other than |t|.
    Tree { tree: TreeId, root: usize, vanishes: bool },
    /// Σₖ dᵢₖ = bᵢ.
    End { partition: usize, column: usize },
    /// bᵀAᵏ⁻¹𝟙 = β_k.
    Polynomial(PolynomialCoefficient),
}

/// The equations of a claim up to some order.
pub(super) struct ClaimConditions {
    trees: Trees,
    requirements: Vec<Requirement>,
    /// Whether all partitions are explicit.
    is_explicit: bool,
    /// Number of the method's own partitions; the partitions after them hold further weights.
    partitions: usize,
}

impl ClaimConditions {
    /// Collects the equations; `row_sums` are the rows (partition, row) whose sums are given by the printed
    /// abscissae.
    pub(super) fn new(
        subject: &ExtendedMethod,
        options: &DiagnoseOptions,
        row_sums: &[(usize, usize)],
        order: usize,
    ) -> Result<Self, OrderError> {
        let partitions = subject.partitions;
        let grammar = match subject.claim {
            Claim::SeparableOrder => Grammar::separable(partitions),
            _ => Grammar::partitioned(partitions),
        };
        let trees = Trees::new(&grammar, order)?;
        let sums = row_sums.iter().map(|&(partition, row)| Requirement::RowSum { partition, row });
        let conditions = (1..=order).flat_map(|order| trees.of_order(order));
        let conditions = conditions.flat_map(|tree| of_tree(subject, &trees, tree));
        let ends = if subject.claim == Claim::DenseOrder { ends(subject) } else { Vec::new() };
        let polynomials = options.polynomials.iter().cloned().map(Requirement::Polynomial);
        let requirements = sums.chain(conditions).chain(ends).chain(polynomials).collect();
        Ok(Self { trees, requirements, is_explicit: subject.method.exact().is_explicit(), partitions })
    }

    pub(super) fn len(&self) -> usize {
        self.requirements.len()
    }

    /// Computes the residuals of all equations; `number` converts the coefficients of polynomials to the number
    /// type.
    pub(super) fn residuals<T: Scalar + Copy>(&self, tableau: &Tableau<T>, number: impl Fn(&Exact) -> T) -> Vec<T> {
        self.residuals_in(&mut ForwardSweep::new(), tableau, number)
    }

    /// Computes [`residuals`](Self::residuals) in memory that is reused.
    pub(super) fn residuals_in<T: Scalar + Copy>(
        &self,
        weights: &mut ForwardSweep<T>,
        tableau: &Tableau<T>,
        number: impl Fn(&Exact) -> T,
    ) -> Vec<T> {
        weights.fill(&self.trees, tableau);
        let weight = |tree, b: &[T]| weights.weight(&self.trees, tree, b);
        self.requirements.iter().map(|requirement| self.residual(requirement, weight, tableau, &number)).collect()
    }

    /// Computes the residual of one equation exactly.
    pub(super) fn exact_residual(&self, index: usize, tableau: &Tableau<Exact>) -> Exact {
        let mut weights = Weights::new(&self.trees, tableau, StageSolution::Solved);
        let weight = |tree, b: &[Exact]| dot(b, &weights.derivative_weight(tree));
        self.residual(&self.requirements[index], weight, tableau, Exact::clone)
    }

    /// Returns whether [`affine_in`](Self::affine_in) is certain. It is uncertain for an implicit A, because a path may
    /// pass through the same entry several times.
    pub(super) fn is_affinity_certain(&self, cell: Cell) -> bool {
        self.is_explicit || matches!(cell.place, TableauPosition::Weight { .. })
    }

    /// Returns for each equation whether it is affine in a cell.
    ///
    /// All equations are affine in a weight. Those of trees without branching are affine in an entry of an
    /// explicit A; for an implicit A this is only an approximation, good enough for a first step.
    pub(super) fn affine_in(&self, cell: Cell) -> Vec<bool> {
        let is_weight = matches!(cell.place, TableauPosition::Weight { .. });
        let is_affine = |requirement: &Requirement| match requirement {
            Requirement::Tree { tree, .. } => is_weight || is_path(&self.trees, *tree),
            Requirement::RowSum { .. } | Requirement::End { .. } | Requirement::Polynomial(_) => true,
        };
        self.requirements.iter().map(is_affine).collect()
    }

    /// Returns for each equation the largest residual that rounding and the stated precision explain.
    pub(super) fn tolerances(&self, uncertainty: &Uncertainty) -> Vec<f64> {
        let sizes = map_tableau(&uncertainty.nearest, |x| Jet::new(x.abs(), 0.0));
        let sizes = self.residuals(&sizes, |value| Jet::new(value.to_f64().abs(), 0.0));
        let relative = uncertainty.relative_change(1);
        let of_weight = |tree: &Tree, size| {
            // The uncertainty of the last bits of doubles needs no gradient: its share of the size is a
            // sufficient bound.
            let is_rounding = relative <= 4.0 * f64::EPSILON;
            let explained =
                if is_rounding { relative * tree.order() as f64 * size } else { uncertainty.explained(tree) };
            explained + rounding(tree.order(), uncertainty) * size
        };
        let tolerance = |(requirement, Jet { value: size, .. }): (&Requirement, Jet)| match requirement {
            Requirement::Tree { tree, root, .. } => of_weight(&self.rooted(*tree, *root), size),
            Requirement::Polynomial(known) => of_weight(&path(known.partition, known.power), size),
            Requirement::End { partition, column } => {
                let deltas = uncertainty.deltas.partitions.iter().skip(*partition).step_by(self.partitions);
                deltas.map(|butcher| butcher.b[*column]).sum::<f64>() + rounding(1, uncertainty) * size
            }
            Requirement::RowSum { partition, row } => {
                let Butcher { a, c, .. } = &uncertainty.deltas.partitions[*partition];
                a[*row].iter().sum::<f64>() + c[*row] + rounding(1, uncertainty) * size
            }
        };
        self.requirements.iter().zip(sizes).map(tolerance).collect()
    }

    /// Returns the tree with another partition's color at its root.
    fn rooted(&self, tree: TreeId, root: usize) -> Tree {
        Tree::new(NodeKind::Partition(root), self.trees.tree(tree).children().to_vec())
    }

    fn residual<T: Scalar>(
        &self,
        requirement: &Requirement,
        mut weight: impl FnMut(TreeId, &[T]) -> T,
        tableau: &Tableau<T>,
        number: impl Fn(&Exact) -> T,
    ) -> T {
        match requirement {
            Requirement::Tree { tree, root, vanishes } => {
                let weight = weight(*tree, &tableau.partitions[*root].b);
                if *vanishes { weight } else { weight - T::ratio(1, self.trees.density(*tree)) }
            }
            Requirement::End { partition, column } => {
                let mut weights = tableau.partitions.iter().skip(*partition).step_by(self.partitions);
                let own = weights.next().map_or_else(T::zero, |butcher| -butcher.b[*column].clone());
                weights.fold(own, |sum, butcher| sum + butcher.b[*column].clone())
            }
            Requirement::RowSum { partition, row } => {
                let Butcher { a, c, .. } = &tableau.partitions[*partition];
                a[*row].iter().fold(-c[*row].clone(), |sum, entry| sum + entry.clone())
            }
            Requirement::Polynomial(PolynomialCoefficient { partition, power, value }) => {
                moment(&tableau.partitions[*partition], *power) - number(value)
            }
        }
    }

    /// Computes the derivatives of one equation with respect to cells.
    pub(super) fn slopes(&self, index: usize, tableau: &Tableau<f64>, cells: &[Cell]) -> Vec<f64> {
        let of_weight = |tree: &Tree| {
            let (_, gradient) = value_and_gradient(tree, tableau);
            cells.iter().map(|cell| *cell.of(&gradient)).collect()
        };
        match &self.requirements[index] {
            Requirement::Tree { tree, root, .. } => of_weight(&self.rooted(*tree, *root)),
            Requirement::Polynomial(known) => of_weight(&path(known.partition, known.power)),
            Requirement::End { partition, column } => {
                let is_one = |cell: &Cell| {
                    cell.partition % self.partitions == *partition
                        && cell.place == TableauPosition::Weight { column: *column }
                };
                let sign = |cell: &Cell| if cell.partition < self.partitions { -1.0 } else { 1.0 };
                cells.iter().map(|cell| if is_one(cell) { sign(cell) } else { 0.0 }).collect()
            }
            Requirement::RowSum { partition, row } => {
                let inside = |cell: &Cell| cell.partition == *partition && cell.row() == Some(*row);
                cells.iter().map(|cell| f64::from(inside(cell))).collect()
            }
        }
    }
}

/// Returns the conditions that a claim imposes through a tree.
fn of_tree(subject: &ExtendedMethod, trees: &Trees, tree: TreeId) -> Vec<Requirement> {
    let NodeKind::Partition(color) = trees.kind(tree) else { return Vec::new() };
    let own = Requirement::Tree { tree, root: color, vanishes: false };
    let further = |kind: usize, vanishes| Requirement::Tree { tree, root: subject.further(kind, color), vanishes };
    match subject.claim {
        Claim::SeparableOrder => vec![own],
        // The stages serve both b and b̂, each up to its own order.
        Claim::Order | Claim::EmbeddedOrder => {
            let order = trees.order(tree);
            let own = Some(own).filter(|_| subject.has_own_order(order));
            own.into_iter().chain(subject.has_further_order(order).then(|| further(0, false))).collect()
        }
        Claim::DenseOrder => (0..subject.kinds()).map(|kind| further(kind, kind + 1 != trees.order(tree))).collect(),
    }
}

/// Returns the conditions that the dense output ends in the result of the step.
fn ends(subject: &ExtendedMethod) -> Vec<Requirement> {
    let stages = subject.method.stages();
    let of = |partition: usize| (0..stages).map(move |column| Requirement::End { partition, column });
    (0..subject.partitions).flat_map(of).collect()
}

/// Returns the rounding error of a weight computed in doubles, relative to its size (as in `check`).
fn rounding(order: usize, uncertainty: &Uncertainty) -> f64 {
    0.5 * f64::EPSILON * (order * (uncertainty.nearest.stages() + 3) + 4) as f64
}

/// Computes bᵀAᵏ⁻¹𝟙.
pub(super) fn moment<T: Scalar>(butcher: &Butcher<T>, power: usize) -> T {
    let ones = vec![T::one(); butcher.stages()];
    dot(&butcher.b, &(1..power).fold(ones, |vector, _| butcher.times(&vector)))
}

/// Returns the tree of `power` nodes without branching.
pub(super) fn path(partition: usize, power: usize) -> Tree {
    let kind = NodeKind::Partition(partition);
    (1..power).fold(Tree::new(kind, Vec::new()), |tree, _| Tree::new(kind, vec![tree]))
}

fn is_path(trees: &Trees, tree: TreeId) -> bool {
    let mut children = trees.children(tree);
    let first = children.next();
    children.next().is_none() && first.is_none_or(|child| is_path(trees, child))
}

/// Returns the rows whose sums are given by the printed abscissae: those of partitions in which most abscissae
/// are the row sums.
pub(super) fn printed_row_sums(method: &Method) -> Vec<(usize, usize)> {
    let off = stages_off_row_sums(method);
    let partitions = method.partitions().iter().zip(&off).enumerate();
    let told = partitions.filter(|(_, (partition, off))| partition.c.is_some() && 2 * off.len() < method.stages());
    told.flat_map(|(partition, _)| (0..method.stages()).map(move |row| (partition, row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;
    use num_traits::Zero;

    #[test]
    fn a_right_table_satisfies_everything() {
        let method = library::method("rk4").unwrap();
        let value = Exact::from_ratio(1, 24);
        let polynomials = vec![PolynomialCoefficient { partition: 0, power: 4, value }];
        let options = DiagnoseOptions { order: 4, polynomials, ..DiagnoseOptions::default() };
        let subject = ExtendedMethod::new(&method, &options, false).unwrap();
        let conditions = ClaimConditions::new(&subject, &options, &[(0, 2)], 4).unwrap();
        assert_eq!(conditions.len(), 1 + 8 + 1);
        let exact = method.exact();
        assert!((0..conditions.len()).all(|index| conditions.exact_residual(index, &exact).is_zero()));
        let cell = Cell { partition: 0, place: TableauPosition::Matrix { row: 1, column: 0 } };
        // The trees [τ,τ], [τ,τ,τ], [[τ],τ] and [[τ,τ]] up to order four branch.
        assert_eq!(conditions.affine_in(cell).iter().filter(|affine| **affine).count(), 6);
        assert_eq!(conditions.slopes(9, &method.to_f64(), &[cell]), [1.0 / 12.0]);
    }

    #[test]
    fn abscissae_that_are_no_row_sums_tell_nothing() {
        assert!(printed_row_sums(&library::method("lobatto-iiia-iiib-2").unwrap()).iter().all(|&(r, _)| r == 0));
    }
}
