//! Horner's scheme.

use dashu::rational::RBig;

use crate::implementation::stages::Term;

/// Builds the stages Y_{j+1} = y + α_j h f(Y_j) with α_j = β_{s−j}/β_{s−j−1}; returns `None` if a coefficient vanishes.
pub(crate) fn stages(beta: &[RBig]) -> Option<Vec<Vec<Term>>> {
    if beta.iter().any(RBig::is_zero) {
        return None;
    }
    let ratios = beta.windows(2).rev().map(|pair| (&pair[1] / &pair[0]).to_f64().value());
    Some(ratios.enumerate().map(|(j, ratio)| stage(j, ratio)).collect())
}

fn stage(j: usize, ratio: f64) -> Vec<Term> {
    match j {
        0 => vec![Term::new(0, 1.0, ratio)],
        _ => vec![Term::new(0, 1.0, 0.0), Term::new(j, 0.0, ratio)],
    }
}
