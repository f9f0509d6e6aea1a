//! The largest steps that do not increase the total variation of limited schemes.

use std::error::Error;

use hemiola_integrate::{Explicit, Stepper};
use hemiola_stability::monotonicity::ssp_coefficient;
use hemiola_tableau::{Method, library};

use crate::conservation_law::{Law, LimitedLaw, total_variation};
use crate::pairs::Pair;
use crate::{header, row};

/// Number of coarse cells.
const COARSE: usize = 40;
/// Duration of a run: the pulse crosses both interfaces.
const DURATION: f64 = 0.9;
/// Growth that counts as an increase, above rounding.
const GROWTH: f64 = 1e-10;
/// Trial steps, as ratios.
const FINENESS: f64 = 1.02;
/// Methods with one partition: SSP ones, and others.
const SINGLE: [&str; 6] = ["ssp-rk-2-2", "ssp-rk-3-3", "ssp-rk-4-3", "ssp-rk-5-4", "kutta-3", "rk4"];
/// Steps at which the total variation is shown, in units of τ.
const SHOWN_STEPS: [f64; 7] = [0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5];
/// Pairs of ours that were not designed for monotonicity.
const OTHER_PAIRS: [&str; 2] = ["hemiola-3-6", "hemiola-4-8"];

/// Property that no step may violate.
#[derive(Clone, Copy)]
enum Preserved {
    TotalVariation,
    Bounds,
}

/// Returns the largest step of a geometric sequence up to which all steps keep the property.
fn largest_step(method: &Method, system: &LimitedLaw, kept: Preserved, unit: f64) -> Result<f64, Box<dyn Error>> {
    let mut step = 0.05 * unit;
    while step < 20.0 * unit && keeps(method, system, kept, step)? {
        step *= FINENESS;
    }
    Ok(step / FINENESS)
}

fn keeps(method: &Method, system: &LimitedLaw, kept: Preserved, step: f64) -> Result<bool, Box<dyn Error>> {
    let mut stepper = Explicit::new(method, system)?;
    let mut y = system.pulse();
    let ends = |y: &[f64]| y.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
    let [low, high] = ends(&y);
    let mut before = total_variation(&y);
    for _ in 0..(DURATION / step).ceil() as usize {
        if stepper.step(system, 0.0, step, &mut y).is_err() {
            return Ok(false);
        }
        let after = total_variation(&y);
        let holds = match kept {
            Preserved::TotalVariation => after <= before + GROWTH,
            Preserved::Bounds => {
                let [least, most] = ends(&y);
                least >= low - GROWTH && most <= high + GROWTH
            }
        };
        if !holds {
            return Ok(false);
        }
        before = after;
    }
    Ok(true)
}

/// Returns the largest total variation of a run relative to that of the pulse; infinite if the run breaks off.
fn largest_variation(method: &Method, system: &LimitedLaw, step: f64) -> Result<f64, Box<dyn Error>> {
    let mut stepper = Explicit::new(method, system)?;
    let mut y = system.pulse();
    let start = total_variation(&y);
    let mut largest = start;
    for _ in 0..(DURATION / step).ceil() as usize {
        if stepper.step(system, 0.0, step, &mut y).is_err() {
            return Ok(f64::INFINITY);
        }
        largest = largest.max(total_variation(&y));
    }
    Ok(largest / start)
}

/// Returns a table of the largest total variations at some steps.
fn variations(methods: &[Pair], system: &LimitedLaw, unit: f64) -> Result<String, Box<dyn Error>> {
    let steps = SHOWN_STEPS.map(|step| format!("{step} τ"));
    let names: Vec<&str> = std::iter::once("Method").chain(steps.iter().map(String::as_str)).collect();
    let mut text =
        "\nLargest total variation of a run, relative to that of the pulse:\n\n".to_owned() + &header(&names);
    for (method, _) in methods {
        let mut cells = vec![method.id().to_owned()];
        for step in SHOWN_STEPS {
            let ratio = largest_variation(method, system, step * unit)?;
            cells.push(if ratio < 100.0 { format!("{ratio:.4}") } else { "> 100".to_owned() });
        }
        text += &row(&cells);
    }
    Ok(text)
}

pub(crate) fn report(pairs: &[Pair]) -> Result<String, Box<dyn Error>> {
    let euler = library::method("explicit-euler")?;
    let mut text = format!(
        "## Limited advection and Burgers' equation\n\n\
         A pulse on {COARSE} coarse and {} fine cells of half the width, finite volumes with minmod slopes, up to time \
         {DURATION}. τ is the largest step at which Euler's method on coarse cells never increases the total variation; for \
         bounds, at which it never leaves them. The columns are the largest steps, in units of τ, that do not \
         increase the total variation, or keep the bounds, in any step; trial steps have the ratio {FINENESS}. Expected: \
         half of C for methods with one partition, which must serve the fine cells; for pairs, min(C slow, C fast/2), \
         which suffices for bounds. Theory gives these steps if Euler's method keeps the property up to τ; beside the \
         interface it may stop at nine tenths of τ. The last column divides the step for the total variation by slow evaluations.\n",
        2 * COARSE,
    );
    for law in [Law::Advection, Law::Burgers] {
        let uniform = LimitedLaw::one_width(law, COARSE);
        let mesh = LimitedLaw::two_widths(law, COARSE);
        let unit = |kept| largest_step(&euler, &uniform, kept, 0.5 / COARSE as f64 / FINENESS);
        let units = [unit(Preserved::TotalVariation)?, unit(Preserved::Bounds)?];
        text += &format!(
            "\n{law:?}: τ is {:.3} coarse widths for the total variation and {:.3} for bounds.\n\n",
            units[0] * 2.0 * COARSE as f64,
            units[1] * 2.0 * COARSE as f64
        );
        text += &header(&["Method", "Slow", "Expected", "Total variation", "Bounds", "Per slow evaluation"]);
        let mut methods = Vec::new();
        for id in SINGLE {
            let method = library::method(id)?;
            methods.push((method.clone(), method.stages()));
        }
        methods.extend(pairs.iter().cloned());
        for id in OTHER_PAIRS {
            let method = library::method(id)?;
            let slow = method.exact().partitions[0].evaluated_stages().len();
            methods.push((method, slow));
        }
        for (method, slow) in &methods {
            let c = |k| ssp_coefficient(method, k).map(|c| c.value().unwrap_or(f64::INFINITY));
            let guaranteed = if method.partitions().len() == 1 { c(0)? / 2.0 } else { f64::min(c(0)?, c(1)? / 2.0) };
            let variation = largest_step(method, &mesh, Preserved::TotalVariation, units[0])? / units[0];
            let bounds = largest_step(method, &mesh, Preserved::Bounds, units[1])? / units[1];
            // Steps below the first trial are not told apart.
            let shown = |ratio: f64| if ratio < 0.05 { "< 0.05".to_owned() } else { format!("{ratio:.2}") };
            text += &row(&[
                method.id().to_owned(),
                slow.to_string(),
                format!("{guaranteed:.2}"),
                shown(variation),
                shown(bounds),
                shown(variation / *slow as f64),
            ]);
        }
        text += &variations(&methods, &mesh, units[0])?;
    }
    Ok(text)
}
