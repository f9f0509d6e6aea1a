//! Simplifying assumptions, which make order conditions dependent and imply some of them.

use hemiola_tableau::Scalar;

use super::evaluate::{Values, abscissa, path, root_weight, slow_tree};
use super::program::Root;
use super::shape::Shape;
use crate::stage::InfinitesimalStage;

/// A simplifying assumption of Butcher (1964) for internally consistent multirate methods.
///
/// If a method satisfies an assumption, its order conditions are dependent. The equations of the assumption together
/// with the conditions that it does not imply are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimplifyingAssumption {
    /// C(2): stage order two of the slow partitions, Σⱼ aᵢⱼ cⱼ = cᵢ²/2 at the ends of all stages.
    C2,
    /// C(2) up to a factor: the defects Σⱼ aᵢⱼ cⱼ − cᵢ²/2 of a second slow partition are a constant multiple of those
    /// of the first. The equations imply this proportionality if the first defect of the first partition does not
    /// vanish.
    ProportionalC2,
    /// D(1): Σᵢ bᵢ aᵢⱼ = bⱼ (1 − cⱼ) for each stage j but the first, for a slow child of a root of any color. The first
    /// follows from order two.
    D1,
}

impl SimplifyingAssumption {
    /// All assumptions.
    pub const ALL: [Self; 3] = [Self::C2, Self::ProportionalC2, Self::D1];

    /// Returns the name used in the literature.
    ///
    /// ```
    /// use hemiola_multirate::SimplifyingAssumption;
    /// assert_eq!(SimplifyingAssumption::C2.name(), "C(2)");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C2 => "C(2)",
            Self::ProportionalC2 => "proportional C(2)",
            Self::D1 => "D(1)",
        }
    }

    /// Returns whether the assumption concerns the rows that a method shares with its embedded method, rather than the
    /// last row.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::D1)
    }

    /// Returns whether the condition of a tree follows from this assumption and conditions of other trees.
    pub(super) fn implies(self, shape: &Shape) -> bool {
        match self {
            Self::C2 | Self::ProportionalC2 => {
                let first = if self == Self::C2 { 1 } else { 2 };
                let is_replaced = |child: &Shape| child.color >= first && child.is_slow_above_a_leaf();
                let here = shape.color > 0 && shape.children.iter().any(is_replaced);
                here || shape.children.iter().any(|child| self.implies(child))
            }
            // Σ bᵢ aᵢⱼ uⱼ = Σ bⱼ uⱼ − Σ bⱼ cⱼ uⱼ has the trees [u] and [u, l] of slow color.
            Self::D1 => shape.leaves == 0 && matches!(&shape.children[..], [child] if child.color > 0),
        }
    }

    /// Computes the residuals of the assumption for the rows of an internally consistent method; the last row is the result
    /// of the step.
    #[must_use]
    pub fn residuals<T: Scalar>(self, rows: &[InfinitesimalStage<T>]) -> Vec<T> {
        let parts = 0..rows.first().map_or(0, |row| row.forcing.len());
        let abscissae = abscissa(rows);
        let c = &abscissae.at_end;
        match self {
            Self::C2 => parts.flat_map(|part| defects(rows, part, &abscissae)).collect(),
            Self::ProportionalC2 => {
                let all: Vec<Vec<T>> = parts.map(|part| defects(rows, part, &abscissae)).collect();
                let Some((first, others)) = all.split_first() else { return Vec::new() };
                let minors = |other: &Vec<T>| {
                    let minor = |j: usize| other[j].clone() * first[0].clone() - other[0].clone() * first[j].clone();
                    (1..first.len()).map(minor).collect::<Vec<T>>()
                };
                others.iter().flat_map(minors).collect()
            }
            Self::D1 => {
                let path = path(rows);
                let entries = rows.iter().flat_map(|row| row.forcing.iter().flatten().chain(&row.correction));
                let columns = entries.map(Vec::len).max().unwrap_or(0);
                let mut residuals = Vec::new();
                for (j, part) in (1..columns).flat_map(|j| parts.clone().map(move |part| (j, part))) {
                    let weight = |color: usize, forest: &Values<T>| {
                        let root = Root { color, forest: vec![0], density: 1 };
                        root_weight(rows, &path, &root, std::slice::from_ref(forest))
                    };
                    let unit = unit(rows, j);
                    let b = weight(part + 1, &unit);
                    let child = slow_tree(rows, part, &unit, true);
                    let wanted = b.clone() - b * c[j].clone();
                    residuals.extend((0..=parts.end).map(|color| weight(color, &child) - wanted.clone()));
                }
                residuals
            }
        }
    }
}

/// Computes Σⱼ aᵢⱼ cⱼ − cᵢ²/2 of the stages between the first and the last one, which has order two by its own condition.
fn defects<T: Scalar>(rows: &[InfinitesimalStage<T>], part: usize, abscissae: &Values<T>) -> Vec<T> {
    let found = slow_tree(rows, part, abscissae, false).at_end;
    let defect = |(x, c): (&T, &T)| x.clone() - c.clone() * c.clone() * T::ratio(1, 2);
    found[1..rows.len()].iter().zip(&abscissae.at_end[1..]).map(defect).collect()
}

/// Returns the values that are one at the stage j, from 0, and zero at the others.
fn unit<T: Scalar>(rows: &[InfinitesimalStage<T>], j: usize) -> Values<T> {
    let at_end = (0..=rows.len()).map(|stage| if stage == j { T::one() } else { T::zero() }).collect();
    Values { along: Vec::new(), at_end }
}
