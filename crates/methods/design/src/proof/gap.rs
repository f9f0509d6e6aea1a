//! The reason why a pair is verified but not proved.

use std::fmt;

use dashu::rational::RBig;
use hemiola_order::OrderError;
use hemiola_tableau::Method;

use crate::proof::certificate::HIGHEST_ORDER;
use crate::proof::independent_equations::independent_equations;

/// The reason why the conditions of a pair are verified to a number of decimals only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofGap {
    /// The order exceeds the largest order for which proofs exist.
    Order,
    /// The conditions are dependent near the pair, and no known relation explains it.
    Dependent,
    /// No solution is proved within a unit of the last decimal.
    Distant,
}

impl ProofGap {
    /// Returns whether another pair of the same order may have a proof.
    pub(crate) fn depends_on_the_pair(self) -> bool {
        self != Self::Order
    }

    /// Determines the reason for a pair without a proof.
    pub(crate) fn of(method: &Method, order: usize, polynomial: &[(usize, RBig)]) -> Result<Self, OrderError> {
        if order > HIGHEST_ORDER {
            return Ok(Self::Order);
        }
        let has_equations = !independent_equations(&method.exact(), order, polynomial)?.is_empty();
        Ok(if has_equations { Self::Distant } else { Self::Dependent })
    }
}

impl fmt::Display for ProofGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => write!(f, "proofs exist up to order {HIGHEST_ORDER}"),
            Self::Dependent => f.write_str(
                "at this pair some conditions depend on others in a way that the proof does not cover; \
                 try another seed",
            ),
            Self::Distant => f.write_str(
                "the equations differ so much in size, or are so nearly dependent, that no solution is proved \
                 within the last decimal; try fewer fast evaluations or another seed",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_apart() {
        let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
        // Its conditions are independent, and order seven has no proofs.
        assert_eq!(ProofGap::of(&method, 2, &[]).unwrap(), ProofGap::Distant);
        assert_eq!(ProofGap::of(&method, 7, &[]).unwrap(), ProofGap::Order);
        assert!(ProofGap::Order.to_string().contains("up to order 6"));
    }
}
