//! Places of coefficients in the stages of a multirate method.

use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// The kind of a coefficient in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoefficientKind {
    /// The interval Δ.
    Interval,
    /// The coefficient of a power of τ in the forcing of a slow partition, for a column.
    Forcing {
        /// The partition, counted from 0; the fast one is 0.
        partition: usize,
        /// The power of τ.
        power: usize,
        /// The column j, from 0, of Y_{j+1}.
        column: usize,
    },
    /// A correction of a slow partition.
    Correction {
        /// The partition, counted from 0; the fast one is 0.
        partition: usize,
        /// The column.
        column: usize,
    },
    /// A coefficient of the start.
    Start {
        /// The column.
        column: usize,
    },
    /// A coefficient of the drift.
    Drift {
        /// The column.
        column: usize,
    },
}

/// The place of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CouplingPlace {
    /// The row, from 0: that of stage Y₂ first, the embedded one last.
    pub row: usize,
    /// The kind of the coefficient.
    pub kind: CoefficientKind,
}

impl CouplingPlace {
    /// Names the coefficient: `slow γ^0 of stage 3 for Y1`.
    #[must_use]
    pub fn text(&self, method: &InfinitesimalMethod) -> String {
        let row = match self.row {
            row if row < method.stages().len() => format!("stage {}", row + 2),
            _ => "the embedded row".to_owned(),
        };
        let name = |partition: usize| method.partitions().get(partition).map_or("slow", String::as_str);
        match self.kind {
            CoefficientKind::Interval => format!("Δ of {row}"),
            CoefficientKind::Forcing { partition, power, column } => {
                format!("{} γ^{power} of {row} for Y{}", name(partition), column + 1)
            }
            CoefficientKind::Correction { partition, column } => {
                format!("{} Γ of {row} for Y{}", name(partition), column + 1)
            }
            CoefficientKind::Start { column } => format!("α of {row} for Y{}", column + 1),
            CoefficientKind::Drift { column } => format!("γ of the drift of {row} for Y{}", column + 1),
        }
    }

    /// Returns whether two coefficients of one row or one column may have been exchanged: they have the same kind.
    pub(super) fn may_be_exchanged(&self, other: &Self) -> bool {
        use CoefficientKind::{Correction, Drift, Forcing, Interval, Start};
        match (self.kind, other.kind) {
            (Interval, Interval) => true,
            (Forcing { partition: p, power: k, column: i }, Forcing { partition: q, power: l, column: j }) => {
                p == q && (self.row == other.row && (k == l || i == j) || k == l && i == j)
            }
            (Correction { partition: p, column: i }, Correction { partition: q, column: j }) => {
                p == q && (self.row == other.row || i == j)
            }
            (Start { column: i }, Start { column: j }) | (Drift { column: i }, Drift { column: j }) => {
                self.row == other.row || i == j
            }
            _ => false,
        }
    }
}

/// Returns the kinds of the coefficients of a row, in the order of [`InfinitesimalStage::coefficients`].
pub(super) fn kinds<T>(row: &InfinitesimalStage<T>) -> Vec<CoefficientKind> {
    let mut kinds = vec![CoefficientKind::Interval];
    for (slow, powers) in row.forcing.iter().enumerate() {
        for (power, columns) in powers.iter().enumerate() {
            let kind = |column| CoefficientKind::Forcing { partition: slow + 1, power, column };
            kinds.extend((0..columns.len()).map(kind));
        }
    }
    for (slow, columns) in row.correction.iter().enumerate() {
        kinds.extend((0..columns.len()).map(|column| CoefficientKind::Correction { partition: slow + 1, column }));
    }
    kinds.extend((0..row.start.len()).map(|column| CoefficientKind::Start { column }));
    kinds.extend((0..row.drift.len()).map(|column| CoefficientKind::Drift { column }));
    kinds
}
