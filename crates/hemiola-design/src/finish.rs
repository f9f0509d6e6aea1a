//! From doubles to a method: coefficients refined in exact arithmetic and written as decimals.

use dashu::base::Abs;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::{Claims, Coefficient, Exact, Method, MethodError, Partition, Precision, Source, Tableau};

use crate::assumption::Assumption;
use crate::certificate::{Certificate, Status};
use crate::choice::equations as simplified;
use crate::dense::dense;
use crate::descent::{Minimum, newton_step};
use crate::embedded::embedded;
use crate::equations::Equations;
use crate::error::DesignError;
use crate::moments::with_last_stage;
use crate::search::largest;
use crate::specification::Specification;
use crate::system::System;

/// Decimals of the coefficients in the file: more than any arithmetic that the method will run in.
const DECIMALS: usize = 50;
/// Decimals carried while refining.
const WORKING_DECIMALS: usize = 56;
/// What rounding to these leaves in an equation that is a sum of some hundred products of numbers up to one.
const FINISHED: f64 = 1e-53;

/// Coefficients below this are the rounding of zeros.
const NOTHING: f64 = 1e-40;

/// A finished design.
#[derive(Clone, Debug)]
pub struct Design {
    /// The method, with coefficients of 50 decimals.
    pub method: Method,
    /// What is proved of it.
    pub certificate: Certificate,
    /// The stages at which the slow part is evaluated, from 0.
    pub slow_stages: Vec<usize>,
    /// The 2-norm of the principal error coefficients.
    pub error_norm: f64,
    /// The largest coefficient in absolute value.
    pub largest_coefficient: f64,
    /// The starts that were tried.
    pub tried: usize,
    /// The starts that satisfied all conditions.
    pub solved: usize,
    /// Whether the search was interrupted, in its starts or in its descents: repeating it may give another method.
    pub interrupted: bool,
    /// Whether the descent ended at a minimum rather than at its last step.
    pub converged: bool,
}

/// What is said of a search.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) tried: usize,
    pub(crate) solved: usize,
    pub(crate) interrupted: bool,
}

pub(crate) fn finish(
    specification: &Specification,
    equations: &Equations,
    slow_stages: &[usize],
    minimum: &Minimum,
    counts: Counts,
) -> Result<Design, DesignError> {
    let Counts { tried, solved, interrupted } = counts;
    let x = refined(equations, &minimum.x);
    let order = specification.order;
    let [_, fast] = specification.polynomials()?;
    let polynomial: Vec<(usize, RBig)> = fast.into_iter().flatten().enumerate().skip(order + 1).collect();
    let mut tableau = regular(equations, &x, order, &polynomial)?;
    if specification.structure.first_same_as_last {
        tableau = with_last_stage(&tableau);
    }
    // From all working decimals: rounded stages leave weights that no longer cancel.
    let extra = Extra {
        b_hat: specification.embedded.map(|wanted| embedded(&tableau, order, wanted)).transpose()?,
        dense: specification.dense.map(|wanted| dense(&tableau, wanted)).transpose()?,
    };
    let method = method(specification, &tableau, &extra, interrupted.then_some(tried))?;
    let certificate = Certificate::new(&method, order, &polynomial)?;
    refuse_missed(certificate.status)?;
    let method = with_precision(method, certificate.status)?;
    Ok(Design {
        method,
        certificate,
        slow_stages: slow_stages.to_vec(),
        error_norm: equations.error_norm(&minimum.x),
        largest_coefficient: largest(&minimum.x),
        tried,
        solved,
        interrupted,
        converged: minimum.converged,
    })
}

/// Where the refinement stalls, the decimals beyond the last residual are none of the solution: the method says how many are.
fn with_precision(method: Method, status: Status) -> Result<Method, MethodError> {
    let Status::Verified { decimals } = status else { return Ok(method) };
    let precision = Some(Precision { decimals: decimals.min(DECIMALS as u32) });
    let (partitions, source) = (method.partitions().to_vec(), method.source().clone());
    Method::new(method.id(), method.name(), partitions, method.claims(), precision, source)
}

/// A method claims its order: what a checkpoint of another hand gives as a solution may be none.
fn refuse_missed(status: Status) -> Result<(), DesignError> {
    /// Descents satisfy all conditions to 1e-13 before they are refined.
    const LEAST: u32 = 12;
    let Status::Verified { decimals: 0..LEAST } = status else { return Ok(()) };
    Err(DesignError::OutOfRange {
        name: "a solution of the conditions",
        found: "none".to_owned(),
        expected: "a start that satisfies them to rounding, as every search leaves them",
    })
}

/// Newton steps with exact residuals and the Jacobian in doubles: each gains some fifteen digits.
fn refined(equations: &Equations, x: &[f64]) -> Vec<RBig> {
    const STEPS: usize = 40;
    let jacobian = equations.constraints(x).jacobian();
    let mut exact: Vec<RBig> = x.iter().map(|x| rounded(&RBig::try_from(*x).unwrap_or_default())).collect();
    let mut residual = equations.exact_residuals(&exact);
    for _ in 0..STEPS {
        let Some(step) = newton_step(&jacobian, &residual) else { break };
        let moved = |(x, step): (&RBig, &f64)| rounded(&(x + RBig::try_from(*step).unwrap_or_default()));
        let trial: Vec<RBig> = exact.iter().zip(step.iter()).map(moved).collect();
        let next = equations.exact_residuals(&trial);
        // At the last digits, rounding them stops the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (exact, residual) = (trial, next);
    }
    exact
}

/// The solution nearby at which simplifying assumptions hold that nearly do: with them the equations are independent, where
/// the conditions alone may be degenerate and let only half of the digits converge. The structure is no part of these equations: what
/// moves away from it is not taken.
fn regular(
    equations: &Equations,
    x: &[RBig],
    order: usize,
    polynomial: &[(usize, RBig)],
) -> Result<Tableau<Exact>, DesignError> {
    let tableau = |x: &[RBig]| equations.pattern.tableau(&x.iter().cloned().map(Exact::from).collect::<Vec<_>>());
    let plain = tableau(x);
    let refine = |(assumptions, conditions): (Vec<Assumption>, Vec<Tree>)| {
        System::new(&plain, &assumptions, &conditions, polynomial).refine(&plain, rounded)
    };
    let Some(refined) = simplified(&plain, order, polynomial)?.into_iter().find_map(refine) else { return Ok(plain) };
    let entries = equations.pattern.unknowns(&refined);
    let moved: Vec<RBig> = entries.iter().filter_map(|entry| entry.as_rational().cloned()).collect();
    let worst = |x: &[RBig]| equations.exact_residuals(x).amax();
    // The equations of small polynomial coefficients are scaled.
    let scales = polynomial.iter().map(|(_, beta)| beta.to_f64().value().abs()).filter(|beta| *beta > 0.0);
    let scale = scales.map(|beta| beta.powf(-0.75)).fold(1.0, f64::max);
    if worst(&moved) > worst(x).max(FINISHED * scale) {
        return Ok(plain);
    }
    // What an assumption makes zero is zero, and no unknown of what is left.
    let exact = |x: &RBig| if x.to_f64().value().abs() < NOTHING { RBig::ZERO } else { x.clone() };
    let zeroed: Vec<RBig> = moved.iter().map(exact).collect();
    if zeroed == moved { Ok(tableau(&moved)) } else { regular(equations, &zeroed, order, polynomial) }
}

/// The nearest number of [`WORKING_DECIMALS`] decimals.
pub(crate) fn rounded(value: &RBig) -> RBig {
    let scale = UBig::from(10u8).pow(WORKING_DECIMALS);
    let numerator: IBig = (value * RBig::from(IBig::from(scale.clone()))).round();
    RBig::from_parts(numerator, scale)
}

/// Weights beside b, by partition.
#[derive(Default)]
pub(crate) struct Extra {
    b_hat: Option<Vec<Vec<Exact>>>,
    dense: Option<Vec<Vec<Vec<Exact>>>>,
}

pub(crate) fn method(
    specification: &Specification,
    tableau: &Tableau<Exact>,
    extra: &Extra,
    interrupted: Option<usize>,
) -> Result<Method, MethodError> {
    let Specification { slow, fast, order, .. } = specification;
    let vector = |values: &[Exact]| values.iter().map(coefficient).collect::<Result<Vec<_>, _>>();
    let mut partitions = Vec::new();
    let matrix = |rows: &[Vec<Exact>]| rows.iter().map(|row| vector(row)).collect::<Result<Vec<_>, _>>();
    for (part, (name, butcher)) in ["slow", "fast"].into_iter().zip(&tableau.partitions).enumerate() {
        let (name, a, b) = (name.to_owned(), matrix(&butcher.a)?, vector(&butcher.b)?);
        let b_hat = extra.b_hat.as_ref().map(|weights| vector(&weights[part])).transpose()?;
        let dense = extra.dense.as_ref().map(|weights| matrix(&weights[part])).transpose()?;
        partitions.push(Partition { name, a, b, c: None, b_hat, dense });
    }
    let mut note = specification.wishes();
    if let Some(tried) = interrupted {
        note += &format!(" The search was interrupted after {tried} starts: repeating it may give another method.");
    }
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: format!("Designed dual-rate pair {slow}–{fast} of order {order}"),
        note: Some(note),
        ..Source::default()
    };
    let claims = Claims {
        order: Some(*order),
        embedded_order: extra.b_hat.as_ref().and(specification.embedded),
        dense_order: extra.dense.as_ref().and(specification.dense),
        ..Claims::default()
    };
    let precision = Some(Precision { decimals: DECIMALS as u32 });
    Method::new(
        &format!("dual-rate-{slow}-{fast}"),
        &format!("Hemiola {slow}–{fast}, order {order}"),
        partitions,
        claims,
        precision,
        source,
    )
}

/// A number as a decimal with [`DECIMALS`] places.
pub(crate) fn coefficient(value: &Exact) -> Result<Coefficient, MethodError> {
    decimal(value, DECIMALS)
}

/// A rational number as a decimal with so many places.
pub(crate) fn decimal(value: &Exact, decimals: usize) -> Result<Coefficient, MethodError> {
    let scale = UBig::from(10u8).pow(decimals);
    let scaled = value.as_rational().map(|value| nearest(&(value * RBig::from(IBig::from(scale))))).unwrap_or_default();
    let text = if scaled.is_zero() || value.to_f64().abs() < NOTHING {
        "0".to_owned()
    } else {
        let sign = if scaled < IBig::ZERO { "-" } else { "" };
        let digits = format!("{:0>width$}", scaled.abs().to_string(), width = decimals + 1);
        let (whole, part) = digits.split_at(digits.len() - decimals);
        format!("{sign}{whole}.{part}")
    };
    Coefficient::parse(&text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text,
        problem,
    })
}

/// The nearest integer, of two the even one: halves that add up to an integer still do.
fn nearest(x: &RBig) -> IBig {
    let floor = x.floor();
    let rest = x - RBig::from(floor.clone());
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let is_odd = floor.clone() % IBig::from(2) != IBig::ZERO;
    if rest > half || rest == half && is_odd { floor + IBig::ONE } else { floor }
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use dashu::integer::IBig;
    use dashu::rational::RBig;
    use std::ops::ControlFlow;

    use crate::{DesignError, Search, Specification, Start};

    #[test]
    fn starts_that_solve_nothing_make_no_method() {
        let specification =
            Specification { starts: 1, slow_stages: Some(vec![0, 3]), ..Specification::new(2, 4, None).unwrap() };
        let found = |value: f64| {
            // 2 + 4 weights, and below the diagonals 3 and 6 entries.
            let start = Start { number: 0, solution: Some(vec![value; 15]) };
            Search::new(&specification, vec![start]).unwrap().run(|_| ControlFlow::Continue(()))
        };
        // From here the descents find none; a start nearby they bring back to the conditions.
        assert!(matches!(found(0.0), Err(DesignError::OutOfRange { .. })), "{:?}", found(0.0));
    }

    #[test]
    fn zeros_say_what_they_cost() {
        let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None).unwrap() };
        specification.structure.sparsity = 0.1;
        let design = crate::design(&specification, |_| ControlFlow::Continue(())).unwrap();
        let note = design.method.source().note.clone().unwrap();
        assert!(note.contains("with coefficients set to zero at its cost"), "{note}");
    }

    #[test]
    fn halves_that_add_up_still_do() {
        let tie = |units: i64| RBig::from_parts(IBig::from(2 * units + 1), 2u8.into());
        assert_eq!(nearest(&tie(562)) + nearest(&tie(437)), IBig::from(1000));
        assert_eq!([nearest(&tie(-3)), nearest(&tie(-2))], [IBig::from(-2), IBig::from(-2)]);
        assert_eq!(nearest(&RBig::from_parts(IBig::from(7), 3u8.into())), IBig::from(2));
    }
}
