//! Figs. 4 and 5 and Table 8: the planar vehicle.

use std::f64::consts::TAU;

use hemiola_models::{Value, model, parameters};
use hemiola_number::Progress;
use hemiola_tableau::library;
use num_complex::Complex64;

use crate::eigenvalues::{block_eigenvalues, eigenvalue_figure};
use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::shome_haug_jay::cars::{LargestStep, blocks, steady};
use crate::shome_haug_jay::measured::{file, growing, imaginary_over_real, largest};

/// Duration of the simulation of Figs. 4 and 5, in s.
const DURATION: f64 = 50.0;
/// Step sizes of Table 8 in s.
const TABLE_8: [(&str, &str, f64); 2] = [("RK2", "heun-2", 0.0005), ("2–5", "shome-haug-jay-2-5", 0.002)];
/// Vehicles in steady motion: the original, a slow one, and a slow one with heavy wheels, in both coordinates of the
/// rings.
const VEHICLES: [(&str, &[Change]); 6] = [
    ("20 m/s", &[]),
    ("1 m/s", &[SLOW]),
    ("1 m/s, hubs of 8 kg m²", &[SLOW, HEAVY]),
    ("20 m/s, absolute", &[ABSOLUTE]),
    ("1 m/s, absolute", &[SLOW, ABSOLUTE]),
    ("1 m/s, hubs of 8 kg m², absolute", &[SLOW, HEAVY, ABSOLUTE]),
];
type Change = (&'static str, Value<'static>);
const SLOW: Change = ("speed", Value::Number(1.0));
const HEAVY: Change = ("hub-inertia", Value::Number(8.0));
const ABSOLUTE: Change = ("rings", Value::Word("absolute"));

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    let vehicle = model("planar-vehicle", &[])?;
    next(progress, "eigenvalues of the planar vehicle")?;
    let run = block_eigenvalues(&vehicle, DURATION)?;
    let [slow, fast] = [largest(&run[0]), largest(&run[1])];
    let slips = blocks(&steady("planar-vehicle", &[])?)?.block_eigenvalues(1)?;
    let fastest = slips.last().copied().unwrap_or_default();
    let decay = slips.iter().filter(|value| value.im == 0.0).map(|value| -value.re).fold(0.0, f64::max);
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for (name, changes) in VEHICLES {
        next(progress, "largest steps of the planar vehicle")?;
        let vehicle = steady("planar-vehicle", changes)?;
        let mut before = None;
        for (label, id, printed) in TABLE_8 {
            let step = LargestStep::new(&library::method(id)?, &vehicle)?;
            let over = |rk2: (f64, f64)| [step.exit / rk2.0, step.simulation / rk2.1];
            let ratios = before.map(over);
            found.extend(ratios.map(|ratios| (name, ratios)));
            let ratios = ratios.map_or_else(Default::default, |ratios| ratios.map(|ratio| digits(ratio, 3)));
            before = Some((step.exit, step.simulation));
            let steps = [printed, step.exit, step.visible, step.simulation].map(|step| digits(step, 4));
            rows.push([vec![name.to_owned(), label.to_owned()], steps.to_vec(), ratios.to_vec()].concat());
        }
    }
    let columns = [
        "vehicle",
        "method",
        ">paper, s",
        ">step matrix, s",
        ">visible, s",
        ">simulation, s",
        ">first exits, 2–5 over RK2 (paper 4)",
        ">by simulation",
    ];
    // Ratios of first exits of the formulations in relative coordinates.
    let relative = || found.iter().filter(|(name, _)| !name.contains("absolute")).map(|(_, ratios)| ratios[0]);
    let text = format!(
        "\
## Figs. 4 and 5: eigenvalues of the blocks over 50 s

![Eigenvalues]({figure})

The largest slow eigenvalue has modulus {slow} 1/s, the largest fast one {fast} 1/s, a factor of {gap} apart. Of the fast eigenvalues that oscillate “imaginary parts are much larger in magnitude than real parts”, as the paper says of this subsystem: {fast_ratio} times in the median; \
of the slow ones they are {slow_ratio} times as large. The slow block has the suspension and no more: with the rings counted from their hubs the sidewalls' springs act on fast variables, and what the \
hub does on them, its spin against the torsion with {spin} 1/s, is in the coupling alone (in absolute coordinates it is in the slow block). Alone, the slow part grows: over the run its rightmost eigenvalue is {growth} 1/s at most. With the rings held still beside their hubs nothing returns the vehicle to where it was; the coupling does, and the whole vehicle has no such eigenvalue \
at its start. So `hemiola system` has no decoupled step for pairs on this vehicle, and the ratio of the blocks alone promises more than the coupled vehicle keeps.

## Table 8: largest steps on the planar vehicle

{steps}
The factor depends on two parameters that the paper does not print. At 20 m/s the fastest motion, of modulus {modulus} 1/s, is a slip that oscillates with its ring's rotation, {fastest}, whose damping helps RK2 (real modes of the slips decay at {decay} 1/s at most); the paper's vehicle is \
driven by torques, perhaps from rest, and in slow motion a slip and its ring's rotation oscillate almost undamped, the worst case for RK2. The form of the equations decides as well. In relative coordinates of the rings (the first rows; see below) 2–5 takes {least} to {most} times RK2's step, \
where the paper has four; the ratio by simulation, which is nearer to the paper's criterion, is the same. In absolute coordinates 2–5 with light wheels is limited by its slow partition, whose two-stage polynomial is unstable on the imaginary axis: the hub's spin on the sidewall. There the factor of first exits reaches the paper's with both parameters as for a military vehicle, \
and simulation, which does not see slow growth, gives larger ones.

The steps of this table limit the growth of perturbations of steady motion, not truncation errors: a step of .002 s of 2–5 at 20 m/s changes the slips, and near .0025 s drives the friction into its nonlinear range, where simulation shows growth before the linear step matrix does. In absolute coordinates of the rings a run breaks off at this step (below).
",
        figure = file("eigenvalues"),
        slow = digits(slow, 4),
        fast = digits(fast, 4),
        gap = digits(fast / slow, 2),
        fast_ratio = digits(imaginary_over_real(&run[1]), 2),
        slow_ratio = digits(imaginary_over_real(&run[0]), 2),
        spin = digits(hub_spin()?, 3),
        growth = digits(growing(&run[0]), 2),
        modulus = digits(fastest.norm(), 3),
        fastest = oscillation(fastest),
        decay = digits(decay, 3),
        least = digits(relative().fold(f64::INFINITY, f64::min), 2),
        most = digits(relative().fold(0.0, f64::max), 2),
        steps = table(&columns, rows),
    );
    Ok(Report {
        text,
        figures: vec![(
            file("eigenvalues"),
            eigenvalue_figure(&run, &["slow: chassis and hubs", "fast: rings and slips"]).into(),
        )],
    })
}

/// Returns the angular frequency of a hub's spin on its ring's torsion, √(k/J) with k = J_belt (2πf)², in 1/s.
fn hub_spin() -> Result<f64, ReportError> {
    let table = parameters("planar-vehicle")?;
    let value = |name: &str| table.iter().find(|known| known.name == name).map_or(f64::NAN, |known| known.value);
    Ok(TAU * value("wind-up-frequency") * (value("belt-inertia") / value("hub-inertia")).sqrt())
}

/// Formats a complex conjugate pair.
fn oscillation(value: Complex64) -> String {
    format!("{} ± {}i", digits(value.re, 3).replace('-', "−"), digits(value.im.abs(), 3))
}
