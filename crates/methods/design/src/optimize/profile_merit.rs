//! The coupled profile reached by a solution, by the definition of the profile.

use hemiola_stability::{CoupledProfile, coupled_profile};
use hemiola_tableau::Exact;

use crate::error::DesignError;
use crate::optimize::problem::Problem;
use crate::specification::definition::Specification;
use crate::specification::method::{ExtraWeights, method};
use crate::unknowns::free_entries::Unknowns;

/// Computes the coupled profile of a solution.
pub(crate) fn profile(
    specification: &Specification,
    unknowns: &Unknowns,
    x: &[f64],
    damping: f64,
    gammas: &[f64],
) -> Result<CoupledProfile, DesignError> {
    let exact: Vec<Exact> = x.iter().filter_map(|&x| Exact::from_f64(x)).collect();
    let method = method(specification, &unknowns.tableau(&exact), &ExtraWeights::default(), None)?;
    Ok(coupled_profile(&method, damping, gammas)?)
}

/// Computes √(errors² + Σ (weight × shortfall of the profile)²); `None` if no profile is requested.
///
/// The objective only steers toward the profile; minima are compared by the profile itself.
pub(crate) fn profile_merit(specification: &Specification, problem: &Problem, x: &[f64]) -> Option<f64> {
    let wish = specification.objective.coupling.as_ref()?;
    let [errors, _] = problem.shares(x);
    let Ok(found) = profile(specification, problem.unknowns(), x, wish.damping, &wish.gammas) else {
        return Some(f64::INFINITY);
    };
    let misses = found.values.iter().zip(&wish.profile).map(|(at, wanted)| (wanted - at.practical.value).max(0.0));
    Some((2.0 * errors + misses.map(|miss| (wish.weight * miss).powi(2)).sum::<f64>()).sqrt())
}
