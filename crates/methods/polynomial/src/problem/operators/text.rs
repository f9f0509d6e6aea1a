//! Descriptions of operators, such as `waves-2d:dg=3` or `euler-2d:dg=3,mach=0..0.5,angle=0..45`.

use super::system::Equation;
use crate::error::PolynomialError;
use crate::problem::advection::{Discretization, parse_degree};

/// A discretized system of equations with ranges of flows.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::problem) struct Operator {
    pub(super) equation: Equation,
    pub(super) dimensions: usize,
    pub(super) discretization: Discretization,
    /// Whether fluxes are those of Rusanov in place of the characteristic ones.
    pub(super) rusanov: bool,
    /// Least and greatest speed of the flow over that of sound.
    pub(super) mach: [f64; 2],
    /// Least and greatest angle between the flow and the first direction, in degrees.
    pub(super) angle: [f64; 2],
    /// The number of intervals between the wave numbers 0 and π along a direction.
    pub(super) waves: usize,
    /// The text.
    text: String,
}

/// Largest number of intervals of wave numbers.
const MOST_WAVES: usize = 256;
/// Largest number of unknowns of a cell.
const MOST_UNKNOWNS: usize = 200;
/// Largest number of eigenvalues of all modes and flows.
const MOST_EIGENVALUES: u64 = 10_000_000;

impl Operator {
    /// Reads a description; `None` if the text names no operator.
    pub(in crate::problem) fn parse(text: &str) -> Option<Result<Self, PolynomialError>> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let (equation, dimensions) = name.rsplit_once('-')?;
        let equation = match equation {
            "advection" => Equation::Advection,
            "waves" => Equation::Waves,
            "euler" => Equation::Euler,
            "maxwell" => Equation::Maxwell,
            _ => return None,
        };
        let dimensions = ["1d", "2d", "3d"].iter().position(|known| *known == dimensions)? + 1;
        Some(Self::with(equation, dimensions, settings, text))
    }

    fn with(equation: Equation, dimensions: usize, settings: &str, text: &str) -> Result<Self, PolynomialError> {
        let invalid = |part: &str, expected: &'static str| PolynomialError::InvalidOperator {
            text: text.to_owned(),
            part: part.to_owned(),
            expected,
        };
        let mut discretization = None;
        // Eigenvalues of acoustic and electromagnetic waves need an iteration for each mode.
        let waves = match (equation, dimensions) {
            (_, 1) | (Equation::Advection, 2) => 48,
            (Equation::Waves | Equation::Maxwell, 2) | (Equation::Advection, _) => 13,
            (_, 2) => 10,
            _ => 4,
        };
        let mut found = Self {
            equation,
            dimensions,
            discretization: Discretization::Galerkin(0),
            rusanov: false,
            mach: if equation == Equation::Euler { [0.0, 0.5] } else { [0.0; 2] },
            angle: if dimensions == 1 { [0.0; 2] } else { [0.0, 45.0] },
            waves,
            text: text.to_owned(),
        };
        for part in settings.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| invalid(part, "KEY=VALUE"))?;
            let number = || value.parse::<f64>().ok().and_then(parse_degree);
            let degree = || number().ok_or_else(|| invalid(part, "a degree from 0 to 9"));
            match key {
                "dg" => discretization = Some(Discretization::Galerkin(degree()?)),
                "dgsem" => discretization = Some(Discretization::SpectralElements(degree()?)),
                "upwind" | "fv" => {
                    let order = number().filter(|order| [1, 3, 5].contains(order));
                    let order = order.ok_or_else(|| invalid(part, "order 1, 3 or 5"))?;
                    discretization = Some(Discretization::Differences(order));
                }
                "flux" => {
                    found.rusanov = match value {
                        "upwind" => false,
                        "rusanov" => true,
                        _ => return Err(invalid(part, "flux=upwind or flux=rusanov")),
                    }
                }
                "mach" if equation == Equation::Euler => {
                    let fits = |[low, high]: &[f64; 2]| (0.0..=100.0).contains(low) && (*low..=100.0).contains(high);
                    let expected = "a Mach number or a range such as mach=0..0.5, from 0 to 100";
                    found.mach = range(value).filter(fits).ok_or_else(|| invalid(part, expected))?;
                }
                "angle" if dimensions > 1 && [Equation::Euler, Equation::Advection].contains(&equation) => {
                    let fits = |[low, high]: &[f64; 2]| (0.0..=90.0).contains(low) && (*low..=90.0).contains(high);
                    let expected = "an angle in degrees or a range such as angle=0..45, from 0 to 90";
                    found.angle = range(value).filter(fits).ok_or_else(|| invalid(part, expected))?;
                }
                "waves" => {
                    let number = value.parse().ok().filter(|number| (1..=MOST_WAVES).contains(number));
                    found.waves = number.ok_or_else(|| invalid(part, "1 to 256 intervals of wave numbers"))?;
                }
                _ => {
                    let expected =
                        "dg, dgsem, upwind or fv, flux, waves; for flows mach (euler) and angle (2-D and 3-D)";
                    return Err(invalid(part, expected));
                }
            }
        }
        found.discretization = discretization
            .ok_or_else(|| invalid("no discretization", "a discretization such as dg=3, dgsem=3, upwind=5 or fv=3"))?;
        let unknowns = found.discretization.size().pow(dimensions as u32) * found.variables();
        if unknowns > MOST_UNKNOWNS {
            return Err(invalid(&format!("{unknowns} unknowns in a cell"), "at most 200 (use a lower degree)"));
        }
        // The largest product needs 64 bits, more than `usize` has in a browser.
        let modes = (found.waves as u64 + 1) * (2 * found.waves as u64).pow(dimensions as u32 - 1);
        if unknowns as u64 * modes * found.flows().len() as u64 > MOST_EIGENVALUES {
            return Err(invalid(&format!("waves={}", found.waves), "at most ten million eigenvalues (reduce waves)"));
        }
        Ok(found)
    }

    /// Returns the number of variables of the largest coupled system.
    fn variables(&self) -> usize {
        match self.equation {
            Equation::Advection => 1,
            Equation::Maxwell if self.dimensions == 3 => 6,
            _ => self.dimensions + 1,
        }
    }

    /// Returns the error for a mode whose eigenvalues were not found.
    pub(super) fn not_found(&self) -> PolynomialError {
        PolynomialError::InvalidOperator {
            text: self.text.clone(),
            part: "eigenvalues".to_owned(),
            expected: "a convergent iteration (use another number of waves)",
        }
    }

    /// Returns the velocities of the flows whose spectra are united: the ends and the middle of each range.
    pub(super) fn flows(&self) -> Vec<Vec<f64>> {
        let speeds = match self.equation {
            Equation::Advection => vec![1.0],
            _ => samples(self.mach),
        };
        let mut flows = Vec::new();
        for speed in speeds {
            // Flows along the diagonal of the square or of the cube have the fastest modes.
            let diagonal = if self.dimensions == 3 { 2f64.sqrt().atan().to_degrees() } else { 45.0 };
            let is_between = self.angle[0] < diagonal && diagonal < self.angle[1];
            let is_new = diagonal != f64::midpoint(self.angle[0], self.angle[1]);
            let diagonal = (is_between && is_new).then_some(diagonal);
            let angles: Vec<f64> =
                if speed == 0.0 { vec![0.0] } else { samples(self.angle).into_iter().chain(diagonal).collect() };
            for (sin, cos) in angles.into_iter().map(|angle| angle.to_radians().sin_cos()) {
                match self.dimensions {
                    1 => flows.push(vec![speed]),
                    2 => flows.push(vec![speed * cos, speed * sin]),
                    // In three dimensions, the component across the first direction lies along the second one, or
                    // between it and the third.
                    _ => {
                        flows.push(vec![speed * cos, speed * sin, 0.0]);
                        if sin > 0.0 {
                            let part = speed * sin * std::f64::consts::FRAC_1_SQRT_2;
                            flows.push(vec![speed * cos, part, part]);
                        }
                    }
                }
            }
        }
        flows
    }
}

fn samples([low, high]: [f64; 2]) -> Vec<f64> {
    if low < high { vec![low, f64::midpoint(low, high), high] } else { vec![low] }
}

/// Reads `A` or `A..B`.
fn range(text: &str) -> Option<[f64; 2]> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    Some([low.parse().ok()?, high.parse().ok()?])
}
