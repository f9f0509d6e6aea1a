//! Tableaus of a method, one for each partition of a system.

use hemiola_tableau::{Butcher, Coefficient, Exact, Method};

use crate::error::MethodMismatch;

/// The coefficients of one partition in doubles.
#[derive(Clone, Debug)]
pub(crate) struct PartitionTableau {
    /// A, b and c.
    pub(crate) butcher: Butcher<f64>,
    /// b − b̂, rounded once.
    pub(crate) difference: Option<Vec<f64>>,
    /// Coefficients dᵢₖ of the dense output's weights bᵢ(θ) = Σₖ dᵢₖθᵏ, k = 1 ….
    pub(crate) dense: Option<Vec<Vec<f64>>>,
}

/// Returns the tableaus of a method for a system with a number of partitions. The tableau of a method with one
/// partition is used for all of them.
///
/// # Errors
/// [`MethodMismatch::Partitions`] if the method has neither one partition nor the number of the system.
pub(crate) fn partition_tableaus(method: &Method, partitions: usize) -> Result<Vec<PartitionTableau>, MethodMismatch> {
    let found = method.partitions().len();
    if found != 1 && found != partitions {
        return Err(MethodMismatch::Partitions { method: method.id().to_owned(), found, expected: partitions });
    }
    let butchers = method.to_f64().partitions;
    let part = |r: usize| {
        let r = if found == 1 { 0 } else { r };
        let partition = &method.partitions()[r];
        let doubles = |row: &[Coefficient]| row.iter().map(|x| x.value().to_f64()).collect::<Vec<f64>>();
        let difference = |(b, b_hat): (&Coefficient, &Coefficient)| -> f64 {
            let difference: Exact = b.value().clone() - b_hat.value().clone();
            difference.to_f64()
        };
        let hat = partition.b_hat.as_ref();
        PartitionTableau {
            butcher: butchers[r].clone(),
            difference: hat.map(|hat| partition.b.iter().zip(hat).map(difference).collect()),
            dense: partition.dense.as_ref().map(|rows| rows.iter().map(|row| doubles(row)).collect()),
        }
    };
    Ok((0..partitions).map(part).collect())
}

/// Optional results of a stepper. They may cost evaluations that the steps themselves do not need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Whether to compute the error estimate by the embedded weights.
    pub estimate: bool,
    /// Whether to provide dense output.
    pub dense: bool,
}

impl Extras {
    /// Checks that the method provides the required extras.
    pub(crate) fn expect(self, method: &Method, parts: &[PartitionTableau]) -> Result<(), MethodMismatch> {
        let method = || method.id().to_owned();
        if self.estimate && parts.iter().any(|part| part.difference.is_none()) {
            return Err(MethodMismatch::NoEstimate { method: method() });
        }
        if self.dense && parts.iter().any(|part| part.dense.is_none()) {
            return Err(MethodMismatch::NoDenseOutput { method: method() });
        }
        Ok(())
    }
}
