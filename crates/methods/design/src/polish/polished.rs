//! Polishes a table of decimals.

use dashu::base::Abs;
use dashu::rational::RBig;
use hemiola_order::Grammar;
use hemiola_tableau::{Claims, Coefficient, Exact, Method, MethodError, Precision, Rounding, Source};

use crate::pair::decimals::decimal;
use crate::polish::equations::PolishEquations;
use crate::polish::error::PolishError;
use crate::polish::layout::DecimalUnknowns;
use crate::polish::newton::{NewtonFailure, PolishSolution, solve};
use crate::polish::proof::{PolishEnclosure, enclose};
use crate::proof::certificate::{Certificate, ProofStatus};

/// Largest number of decimals.
const MOST_DECIMALS: usize = 50;
/// Largest number of conditions. Each is a row of a matrix with one column per unknown, whose singular values are
/// computed.
const MOST_CONDITIONS: u128 = 10_000;
/// Largest error of a digit that was rounded or truncated, in units of the last place.
const UNITS: f64 = 1.0 + 1e-9;

/// Options for polishing a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolishOptions {
    /// The order whose conditions are imposed.
    pub order: usize,
    /// The number of decimals to write, at most 50.
    pub decimals: usize,
    /// Whether to compute the nearest point if the conditions leave a family.
    pub nearest: bool,
}

/// A polished table.
#[derive(Clone, Debug)]
pub struct Polished {
    /// The polished method.
    pub method: Method,
    /// The number of unknowns; equal decimals count once.
    pub unknowns: usize,
    /// The dimension of the family that the conditions leave; zero for an isolated solution.
    pub dimension: usize,
    /// The largest distance between a printed decimal and the solution, in units of its last place.
    pub moved: f64,
    /// The position of that decimal, such as `fast.a[3][2]`.
    pub farthest: String,
    /// Whether rounding or truncation of the digits explains the distance: no decimal moved by more than one unit
    /// of its last place or, in a family, by more than that in the root mean square.
    pub is_explained: bool,
    /// The proof for the written decimals; `None` if it failed.
    pub proof: Option<PolishEnclosure>,
    /// The designer's certificate for an explicit pair, if available. It proves that the remaining conditions also hold
    /// exactly.
    pub certificate: Option<Certificate>,
    /// Whether a dense output was dropped, because it belongs to the original table.
    pub lost_dense: bool,
}

/// Polishes a table of decimals.
///
/// ```
/// use hemiola_design::{PolishOptions, polish};
/// use hemiola_tableau::{Method, parse_number};
/// // Gauss's method of order four with eight decimals.
/// let text = br#"{ "format": "hemiola-method/1", "id": "gauss", "name": "Gauss", "claims": {"order": 4},
///     "precision": {"decimals": 8}, "partitions": [{ "name": "all",
///     "a": [["0.25", "-0.03867513"], ["0.53867513", "0.25"]], "b": ["1/2", "1/2"] }] }"#;
/// let method = Method::from_json(text, "gauss.json").unwrap();
/// let polished = polish(&method, PolishOptions { order: 4, decimals: 50, nearest: false }).unwrap();
/// let exact = parse_number("1/4-sqrt(3)/6").unwrap();
/// let found = polished.method.partitions()[0].a[0][1].value().clone();
/// assert!((found - exact).to_f64().abs() < 1e-49);
/// assert!(polished.proof.unwrap().radius < 1e-48);
/// ```
///
/// Returns a [`PolishError`] if there are no decimals, no solution is nearby, or the conditions leave a family and
/// its nearest point is not requested.
pub fn polish(method: &Method, options: PolishOptions) -> Result<Polished, PolishError> {
    if !(1..=MOST_DECIMALS).contains(&options.decimals) {
        return Err(PolishError::Decimals { found: options.decimals });
    }
    check_conditions(method, options.order)?;
    let mut best: Option<PolishAttempt> = None;
    // Equal digits may belong to different numbers, so the second attempt separates them.
    for ties in [true, false] {
        let layout = DecimalUnknowns::new(method, ties);
        if layout.unknowns.is_empty() {
            return Err(PolishError::NoDecimals);
        }
        let plain = PolishEquations::new(method, &layout, options.order)?;
        let assumed = plain.with_assumptions(method, options.order)?;
        for equations in [plain].into_iter().chain(assumed) {
            let attempt = attempt(method, &equations, options)?;
            if best.as_ref().is_none_or(|best| attempt.rank() < best.rank()) {
                best = Some(attempt);
            }
            if let Some(PolishAttempt { is_explained: true, outcome }) = best {
                return outcome;
            }
        }
    }
    best.map_or(Err(PolishError::NoDecimals), |best| best.outcome)
}

/// Polishes a table to the nearest point that satisfies given equations.
///
/// # Errors
/// Returns a [`PolishError`] if no solution is nearby.
pub(crate) fn polish_equations(
    method: &Method,
    equations: &PolishEquations,
    options: PolishOptions,
) -> Result<Polished, PolishError> {
    attempt(method, equations, options)?.outcome
}

/// The outcome of one set of equations.
struct PolishAttempt {
    /// Whether the printed digits explain the distance to a solution.
    is_explained: bool,
    outcome: Result<Polished, PolishError>,
}

impl PolishAttempt {
    fn none(order: usize, failure: &NewtonFailure) -> Self {
        Self { is_explained: false, outcome: Err(PolishError::NoSolution { order, residual: failure.residual }) }
    }

    /// Ranks a solution nearby before a distant one, and that before none.
    fn rank(&self) -> u8 {
        match (self.is_explained, &self.outcome) {
            (true, _) => 0,
            (false, Err(PolishError::NoSolution { .. })) => 2,
            (false, _) => 1,
        }
    }
}

/// Returns an error for an order without conditions, and for too many conditions.
fn check_conditions(method: &Method, order: usize) -> Result<(), PolishError> {
    if order == 0 {
        return Err(PolishError::NoOrder);
    }
    let order = method.claims().embedded_order.map_or(order, |embedded| order.max(embedded));
    let counts = Grammar::partitioned(method.partitions().len()).counts(order)?;
    let found = counts.into_iter().fold(0, u128::saturating_add);
    if found > MOST_CONDITIONS {
        return Err(PolishError::TooManyConditions { order, found, most: MOST_CONDITIONS });
    }
    Ok(())
}

fn attempt(method: &Method, equations: &PolishEquations, options: PolishOptions) -> Result<PolishAttempt, PolishError> {
    let PolishOptions { order, decimals, nearest } = options;
    let layout = equations.layout;
    let unit = layout.unknowns.iter().map(|unknown| unknown.unit).fold(0.0, f64::max);
    let mut solution = match solve(equations, unit) {
        Ok(solution) => solution,
        Err(failure) => return Ok(PolishAttempt::none(order, &failure)),
    };
    let unknowns = layout.unknowns.len();
    if solution.dimension > 0 {
        let is_explained = is_explained(layout, &solution.x, solution.dimension);
        if !nearest {
            let outcome = Err(PolishError::Family { order, dimension: solution.dimension, unknowns });
            return Ok(PolishAttempt { is_explained, outcome });
        }
        solution = match crate::polish::newton::nearest(equations, solution) {
            Ok(solution) => solution,
            Err(failure) => return Ok(PolishAttempt::none(order, &failure)),
        };
    }
    let PolishSolution { x, chosen, dimension } = solution;
    let written: Vec<RBig> = x.iter().map(|x| as_written(x, decimals)).collect::<Result<_, _>>()?;
    let polished = assembled(method, layout, &written, options)?;
    let certificate = Certificate::new(&polished, order, &[])?;
    let (moved, farthest) = farthest(method, layout, &x);
    let is_explained = is_explained(layout, &x, dimension);
    let polished = Polished {
        proof: enclose(equations, &chosen, &written),
        certificate: Some(certificate)
            .filter(|found| matches!(found.status, ProofStatus::Enclosed { .. } | ProofStatus::Exact)),
        method: polished,
        unknowns,
        dimension,
        moved,
        farthest,
        is_explained,
        lost_dense: method.partitions()[0].dense.is_some(),
    };
    Ok(PolishAttempt { is_explained, outcome: Ok(polished) })
}

/// Rounds a number to the written decimals.
fn as_written(x: &RBig, decimals: usize) -> Result<RBig, MethodError> {
    let text = decimal(&Exact::from(x.clone()), decimals)?;
    Ok(text.value().as_rational().cloned().unwrap_or_default())
}

/// Returns the distance by which each unknown moved, in units of its last place.
fn moves<'a>(layout: &'a DecimalUnknowns, x: &'a [RBig]) -> impl Iterator<Item = f64> + 'a {
    layout.unknowns.iter().zip(x).map(|(unknown, x)| (x - &unknown.printed).abs().to_f64().value() / unknown.unit)
}

fn is_explained(layout: &DecimalUnknowns, x: &[RBig], dimension: usize) -> bool {
    if dimension == 0 {
        return moves(layout, x).all(|moved| moved <= UNITS);
    }
    // If the digits are right, some point of the family lies within one unit in every unknown, and the nearest
    // point is no farther.
    let squares: f64 = moves(layout, x).map(|moved| moved * moved).sum();
    (squares / x.len() as f64).sqrt() <= UNITS
}

fn farthest(method: &Method, layout: &DecimalUnknowns, x: &[RBig]) -> (f64, String) {
    let most = moves(layout, x).enumerate().max_by(|(_, x), (_, y)| x.total_cmp(y));
    let (k, moved) = most.unwrap_or_default();
    let slot = layout.unknowns[k].places[0].0;
    let count = method.partitions().len();
    let name = &method.partitions()[slot.partition % count].name;
    let column = slot.column + 1;
    let place = match (slot.row < method.stages(), slot.partition < count) {
        (true, _) => format!("{name}.a[{}][{column}]", slot.row + 1),
        (false, true) => format!("{name}.b[{column}]"),
        (false, false) => format!("{name}.b_hat[{column}]"),
    };
    (moved, place)
}

/// Returns the method with new decimals in place of the old.
fn assembled(
    method: &Method,
    layout: &DecimalUnknowns,
    x: &[RBig],
    options: PolishOptions,
) -> Result<Method, PolishError> {
    let decimals = options.decimals;
    let mut partitions = method.partitions().to_vec();
    let count = partitions.len();
    for (unknown, x) in layout.unknowns.iter().zip(x) {
        for (slot, is_negative) in &unknown.places {
            let value = if *is_negative { -x } else { x.clone() };
            let part = &mut partitions[slot.partition % count];
            let place = match (slot.partition < count, part.a.get_mut(slot.row)) {
                (true, Some(row)) => Some(&mut row[slot.column]),
                (true, None) => part.b.get_mut(slot.column),
                (false, _) => part.b_hat.as_mut().and_then(|weights| weights.get_mut(slot.column)),
            };
            if let Some(place) = place {
                *place = decimal(&Exact::from(value), decimals)?;
            }
        }
    }
    for part in &mut partitions {
        part.dense = None;
        let Some(c) = &mut part.c else { continue };
        for (c, row) in c.iter_mut().zip(&part.a) {
            *c = abscissa(c, row, method.rounding(), decimals)?;
        }
    }
    let note = format!(
        "Polished by Hemiola: the decimals satisfy the conditions of order {} to their last place.",
        options.order
    );
    let note = method.source().note.as_ref().map_or(note.clone(), |before| format!("{before} {note}"));
    let source = Source { note: Some(note), ..method.source().clone() };
    let claims = Claims { order: Some(options.order), dense_order: None, ..method.claims() };
    let precision = Some(Precision { decimals: decimals as u32 });
    Ok(Method::new(method.id(), method.name(), partitions, claims, precision, source)?)
}

/// Returns the abscissa as printed if it is exact or not a row sum, otherwise the new row sum.
fn abscissa(
    printed: &Coefficient,
    row: &[Coefficient],
    rounding: Rounding,
    decimals: usize,
) -> Result<Coefficient, PolishError> {
    let Some(unit) = rounding.unit(printed) else { return Ok(printed.clone()) };
    let sum = row.iter().fold(Exact::from(0), |sum, entry| sum + entry.value().clone());
    let apart = (sum.clone() - printed.value().clone()).to_f64().abs();
    let is_sum = apart <= (row.len() + 1) as f64 * unit;
    match sum.as_rational() {
        Some(_) if is_sum => Ok(decimal(&sum, decimals)?),
        _ => Ok(printed.clone()),
    }
}
