//! Figs. 4 and 5 and Table 8: the planar vehicle.

use hemiola_models::{Value, model};
use hemiola_tableau::library;
use num_complex::Complex64;

use crate::markdown::{digits, table};
use crate::shome_haug_jay::cars::{LargestStep, steady};
use crate::shome_haug_jay::measured::file;
use crate::{Report, ReportError, Watcher, block_eigenvalues, eigenvalue_figure, next};

/// The simulation of Figs. 4 and 5, in s.
const DURATION: f64 = 50.0;
/// The steps of Table 8 in s.
const TABLE_8: [(&str, &str, f64); 2] = [("RK2", "heun-2", 0.0005), ("2–5", "shome-haug-jay-2-5", 0.002)];
/// Vehicles in steady motion: as it is, slow, and slow with heavy wheels, in both coordinates of the rings.
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

pub(crate) fn part(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let vehicle = model("planar-vehicle", &[])?;
    next(watcher, "eigenvalues of the planar vehicle")?;
    let blocks = block_eigenvalues(&vehicle, DURATION)?;
    let largest = |values: &[Complex64]| values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let [slow, fast] = [largest(&blocks[0]), largest(&blocks[1])];
    let mut rows = Vec::new();
    for (name, changes) in VEHICLES {
        next(watcher, "largest steps of the planar vehicle")?;
        let vehicle = steady("planar-vehicle", changes)?;
        let mut before = None;
        for (label, id, printed) in TABLE_8 {
            let step = LargestStep::new(&library::method(id)?, &vehicle)?;
            let over = |rk2: (f64, f64)| [step.exit / rk2.0, step.simulation / rk2.1].map(|ratio| digits(ratio, 3));
            let ratios = before.map_or_else(Default::default, over);
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
    let text = format!(
        "\
## Figs. 4 and 5: eigenvalues of the blocks over 50 s

![Eigenvalues]({figure})

The largest slow eigenvalue has modulus {slow} 1/s, the largest fast one {fast} 1/s; imaginary parts are much larger than real parts except for the slips, as in the paper. The slow block has the suspension and no more: with the rings counted from their hubs the sidewalls' springs act on fast variables, and what the \
hub does on them, its spin against the torsion with √(1.16·10⁵/2) = 241 1/s, is in the coupling alone (in absolute coordinates it is the largest slow eigenvalue). So the blocks are a factor of {gap} apart, and what the hubs do is not.

## Table 8: largest steps on the planar vehicle

{steps}
The factor depends on two parameters that the paper does not print. At 20 m/s the fastest motion, of modulus 867 1/s, is a slip that oscillates with its ring's rotation, −160 ± 852i, whose damping helps RK2 (real modes of the slips decay at 117 1/s); the paper's vehicle is \
driven by torques, perhaps from rest, and in slow motion a slip and its ring's rotation oscillate almost undamped, the worst case for RK2. The form of the equations decides as well. In relative coordinates of the rings (the first rows; see below) 2–5 takes three to six times RK2's step, \
and the paper's four lies between; the ratio by simulation, which is nearer to the paper's criterion, is the same. In absolute coordinates 2–5 with light wheels is limited by its slow partition, whose two-stage polynomial is unstable on the imaginary axis: the hub's spin on the sidewall. There the factor of first exits reaches the paper's with both parameters as for a military vehicle, \
and simulation, which does not see slow growth, gives larger ones.

The steps of this table limit the growth of perturbations of steady motion, not truncation errors: a step of .002 s of 2–5 at 20 m/s changes the slips, and near .0025 s drives the friction into its nonlinear range, where simulation shows growth before the linear step matrix does. In absolute coordinates of the rings a run breaks off at this step (below).
",
        figure = file("eigenvalues"),
        slow = digits(slow, 4),
        fast = digits(fast, 4),
        gap = digits(fast / slow, 2),
        steps = table(&columns, rows),
    );
    Ok(Report {
        text,
        figures: vec![(
            file("eigenvalues"),
            eigenvalue_figure(&blocks, &["slow: chassis and hubs", "fast: rings and slips"]).into(),
        )],
    })
}
