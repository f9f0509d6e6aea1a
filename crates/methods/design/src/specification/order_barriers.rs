//! Order barriers.

use crate::error::DesignError;

/// Smallest number of stages of an explicit method of order p = 1, 2, … (Butcher 2016, §32).
pub(crate) const STAGES_FOR_ORDER: [usize; 8] = [1, 2, 3, 4, 6, 7, 9, 11];

/// Returns the highest order that a number of slow evaluations allows: 1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8 for 1 to 11.
///
/// ```
/// let orders: Vec<usize> = (1..=6).map(hemiola_design::highest_order).collect();
/// assert_eq!(orders, [1, 2, 3, 4, 4, 5]);
/// ```
#[must_use]
pub fn highest_order(slow: usize) -> usize {
    STAGES_FOR_ORDER.iter().take_while(|&&needed| needed <= slow).count()
}

/// Returns an error for an embedded order that no pair with `slow` slow evaluations can have; `reused` means that
/// the last stage is the first of the next step.
pub(crate) fn refuse_impossible_embedded(
    slow: usize,
    order: usize,
    reused: bool,
    wanted: usize,
) -> Result<(), DesignError> {
    if wanted == 0 || wanted >= order {
        let expected = "an order from 1 to one below that of the pair";
        return Err(DesignError::OutOfRange { name: "the embedded order", found: wanted.to_string(), expected });
    }
    // At the stages 2, 3, 4 let U have the rows b, bc, bA and V the columns c, c², Ac − c²/2. By the conditions of
    // order 4, UV vanishes except for a regular leading block. The only possible null vector of V is therefore e₃,
    // but c₂ ≠ 0 excludes it. Thus V is regular, and 𝟙, c, c², Ac are independent at the four stages.
    if (slow, order, wanted, reused) == (4, 4, 3, false) {
        let theorem = "the four conditions of order 3 determine four weights, so that b̂ = b (Hairer, Nørsett & Wanner 1993, §II.4); \
                       first-same-as-last adds a stage";
        let wish = format!("embedded order {wanted} for a pair of order {order} with {slow} slow evaluations");
        return Err(DesignError::Impossible { wish, theorem });
    }
    Ok(())
}

/// Smallest number of stages of an explicit continuous method of order 1, 2, … for all θ (Owren & Zennaro 1991).
const STAGES_FOR_DENSE_ORDER: [usize; 5] = [1, 2, 4, 6, 8];

/// Returns an error for an order of dense output that no pair with `slow` slow evaluations can have; `reused` means
/// that the last stage is the first of the next step.
pub(crate) fn refuse_impossible_dense(
    slow: usize,
    order: usize,
    reused: bool,
    wanted: usize,
) -> Result<(), DesignError> {
    if wanted == 0 || wanted > order {
        let expected = "an order from 1 to that of the pair";
        return Err(DesignError::OutOfRange {
            name: "the order of the dense output",
            found: wanted.to_string(),
            expected,
        });
    }
    let highest = STAGES_FOR_DENSE_ORDER.iter().take_while(|&&needed| needed <= slow + usize::from(reused)).count();
    // The theorem covers orders up to 5.
    if wanted > highest && highest < STAGES_FOR_DENSE_ORDER.len() {
        let theorem = "explicit methods of dense order 1, 2, 3, 4, 5 need 1, 2, 4, 6, 8 stages (Owren & Zennaro 1991); \
                       first-same-as-last adds one";
        let wish = format!("dense output of order {wanted} for a pair with {slow} slow evaluations");
        return Err(DesignError::Impossible { wish, theorem });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_dense_orders_name_the_theorem() {
        let error = refuse_impossible_dense(4, 4, false, 4).unwrap_err().to_string();
        assert!(error.starts_with("dense output of order 4 for a pair with 4 slow evaluations: impossible"), "{error}");
        assert!(error.contains("Owren & Zennaro 1991"));
        assert!(refuse_impossible_dense(3, 3, false, 3).is_err() && refuse_impossible_dense(3, 3, true, 3).is_ok());
        assert!(refuse_impossible_dense(6, 5, false, 4).is_ok() && refuse_impossible_dense(6, 5, true, 5).is_err());
        assert!(matches!(refuse_impossible_dense(3, 3, true, 4), Err(DesignError::OutOfRange { .. })));
    }

    #[test]
    fn impossible_embedded_orders_name_the_theorem() {
        let error = refuse_impossible_embedded(4, 4, false, 3).unwrap_err().to_string();
        assert!(
            error.starts_with("embedded order 3 for a pair of order 4 with 4 slow evaluations: impossible"),
            "{error}"
        );
        assert!(error.contains("§II.4"));
        assert!(
            refuse_impossible_embedded(4, 4, true, 3).is_ok() && refuse_impossible_embedded(4, 4, false, 2).is_ok()
        );
        assert!(refuse_impossible_embedded(5, 4, false, 3).is_ok());
        for wanted in [0, 3, 4] {
            assert!(matches!(refuse_impossible_embedded(3, 3, false, wanted), Err(DesignError::OutOfRange { .. })));
        }
    }
}
