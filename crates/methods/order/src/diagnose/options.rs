//! Options of a diagnosis.

use hemiola_tableau::{Exact, Method};

use crate::diagnose::claim::Claim;
use crate::error::OrderError;

/// Known facts about a method besides its tableau.
#[derive(Clone, Debug, Default)]
pub struct DiagnoseOptions {
    /// The claimed order.
    pub order: usize,
    /// The claim that states this order.
    pub claim: Claim,
    /// The partitions whose tableaus are known to be correct, counted from 0.
    pub given: Vec<usize>,
    /// Known coefficients of stability polynomials.
    pub polynomials: Vec<PolynomialCoefficient>,
}

/// A coefficient β_k of the stability polynomial of one partition of an explicit method: bᵀAᵏ⁻¹𝟙 = β_k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolynomialCoefficient {
    /// The partition, counted from 0.
    pub partition: usize,
    /// The power k of z, at least 1.
    pub power: usize,
    /// The coefficient.
    pub value: Exact,
}

impl DiagnoseOptions {
    /// Checks that the known facts are consistent with the method.
    pub(crate) fn validate(&self, method: &Method) -> Result<(), OrderError> {
        let partitions = method.partitions().len();
        let named = self.given.iter().chain(self.polynomials.iter().map(|known| &known.partition));
        if let Some(&partition) = named.into_iter().find(|partition| **partition >= partitions) {
            return Err(OrderError::NoPartition { partition, partitions });
        }
        let stages = method.stages();
        match self.polynomials.iter().find(|known| !(1..=stages).contains(&known.power)) {
            Some(known) => Err(OrderError::NoPower { power: known.power, stages }),
            None => Ok(()),
        }
    }
}
