//! Refinement to a nearby solution at which the equations are independent.

use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::{Exact, Tableau};

use crate::conditions::equations::{DesignEquations, row_scale};
use crate::error::DesignError;
use crate::pair::decimals::{NOTHING, rounded};
use crate::proof::assumption::Assumption;
use crate::proof::independent_equations::independent_equations;
use crate::proof::krawczyk::ProofSystem;

/// Residual left by rounding to the working decimals in an equation with some hundred products of numbers up to
/// one.
const FINISHED: f64 = 1e-53;

/// Refines to a nearby solution at which nearly satisfied simplifying assumptions hold exactly.
///
/// Together with the assumptions the equations are independent. The conditions alone may be degenerate, so that
/// only half of the digits converge. The equations do not include the structure: a solution that violates it is
/// rejected.
pub(crate) fn refine_to_regular(
    equations: &DesignEquations,
    x: &[RBig],
    order: usize,
    polynomial: &[(usize, RBig)],
) -> Result<Tableau<Exact>, DesignError> {
    let tableau = |x: &[RBig]| equations.unknowns.tableau(&x.iter().cloned().map(Exact::from).collect::<Vec<_>>());
    let plain = tableau(x);
    let refine = |(assumptions, conditions): (Vec<Assumption>, Vec<Tree>)| {
        ProofSystem::new(&plain, &assumptions, &conditions, polynomial).refine(&plain, rounded)
    };
    let Some(refined) = independent_equations(&plain, order, polynomial)?.into_iter().find_map(refine) else {
        return Ok(plain);
    };
    let entries = equations.unknowns.of_tableau(&refined);
    let moved: Vec<RBig> = entries.iter().filter_map(|entry| entry.as_rational().cloned()).collect();
    let worst = |x: &[RBig]| equations.exact_residuals(x).amax();
    // The equations of small polynomial coefficients are scaled.
    let scale = polynomial.iter().map(|(_, beta)| row_scale(beta.to_f64().value())).fold(1.0, f64::max);
    if worst(&moved) > worst(x).max(FINISHED * scale) {
        return Ok(plain);
    }
    // Entries that an assumption makes zero become exact zeros, and the refinement is repeated without them.
    let exact = |x: &RBig| if x.to_f64().value().abs() < NOTHING { RBig::ZERO } else { x.clone() };
    let zeroed: Vec<RBig> = moved.iter().map(exact).collect();
    if zeroed == moved { Ok(tableau(&moved)) } else { refine_to_regular(equations, &zeroed, order, polynomial) }
}
