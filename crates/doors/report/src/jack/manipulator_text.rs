//! Effects of constant torques per period on the driver and on the motion of the manipulator.

use crate::jack::manipulator::{Arm, ArmControl, ArmRun, EIGHT, END, FIVE, PERIOD};
use crate::markdown::{digits, table};
use crate::report::{Report, ReportError};

/// Exponents of the tolerances 10⁻³ to 10⁻¹¹.
const EXPONENTS: [i32; 5] = [3, 5, 7, 9, 11];
/// Numbers of controller periods; the motion converges to that with continuous feedback.
const PERIODS: [u32; 6] = [50, 100, 200, 400, 800, 1600];

pub(crate) fn section() -> Result<Report, ReportError> {
    let mut arm = Arm::new()?;
    let periods = (END / PERIOD).round() as u32;
    let exact = arm.held(EIGHT, 1e-13, periods)?;
    let mut rows = Vec::new();
    let mut most = [0.0f64; 3];
    for exponent in EXPONENTS {
        let tolerance = 10f64.powi(-exponent);
        let anew = arm.replayed(ArmControl::Doubling, tolerance, &exact.torques)?;
        let across = arm.planned(ArmControl::Doubling, tolerance, &exact.torques)?;
        let five = arm.replayed(FIVE, tolerance, &exact.torques)?;
        let errors = [at_end(&anew, &exact), at_end(&across, &exact), at_end(&five, &exact)];
        most = [
            most[0].max(across.evaluations as f64 / anew.evaluations as f64),
            most[1].max(errors[0] / tolerance),
            most[2].max(errors[1] / errors[0]),
        ];
        let mut row = vec![digits(tolerance, 1)];
        for (run, error) in [&anew, &across, &five].into_iter().zip(errors) {
            row.extend([run.steps, run.rejected, run.evaluations].map(|count| count.to_string()));
            row.push(digits(error, 2));
        }
        rows.push(row);
    }
    let columns = [
        ">ε",
        ">anew in each period: steps",
        ">rejected",
        ">evaluations",
        ">error",
        ">one run: steps",
        ">rejected",
        ">evaluations",
        ">error",
        ">Dormand–Prince 5, anew: steps",
        ">rejected",
        ">evaluations",
        ">error",
    ];
    let text = TEXT
        .replace("{tolerances}", &table(&columns, rows))
        .replace("{most}", &digits(most[0], 2))
        .replace("{worse}", &digits(most[2], 1))
        .replace("{kept}", &digits(most[1], 2))
        .replace("{periods}", &held_table(&mut arm)?);
    Ok(Report { text, figures: Vec::new() })
}

fn at_end(run: &ArmRun, exact: &ArmRun) -> f64 {
    run.end().iter().zip(exact.end()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn held_table(arm: &mut Arm) -> Result<String, ReportError> {
    let fed = arm.fed(PERIODS[0])?;
    let mut before: Option<f64> = None;
    let mut rows = Vec::new();
    for periods in PERIODS {
        let apart = arm.held(EIGHT, 1e-12, periods)?.apart(&fed);
        let order = before.map_or_else(|| "–".to_owned(), |before| digits((before / apart).log2(), 2));
        rows.push(vec![digits(1e3 * END / f64::from(periods), 3), digits(apart, 2), order]);
        before = Some(apart);
    }
    Ok(table(&[">period, ms", ">largest difference", ">order"], rows))
}

const TEXT: &str = "\
## The manipulator with two links (D.2, D.5)

“Take the current robot joint configuration and velocity, and the input torque, at one point in time, and find the robot state at some
finite time later”; “torque is fixed over the period of integration”. The text has no data; the model `two-link-manipulator` is a small arm of ours
(0.5 and 0.4 m, 5 and 3 kg) that a controller with linear feedback lifts from hanging to its goal in 2 s. Every 10 ms it reads the state and commands
torques, which are held until the next reading. These torques, as Dormand and Prince's method of order 8 finds them with a tolerance of 10⁻¹³, are given to all runs; errors are
those of its end, the largest of angles in rad and speeds in rad/s. Without feedback the arm is unstable on its way up, and errors grow.

{tolerances}
The driver that begins anew with each torque, as the listing's is called for each sample, keeps its errors below {kept} ε. One run over all of the motion, to whose driver the same
torques are a function of time, has a jump every 10 ms, which it can only find by rejecting steps: up to {most} times as many evaluations at small tolerances, for errors up to {worse} times as large: a step that meets a jump just
before its end sees little of it. So the listing's approach, which looks expensive
on the smooth beam, suits its purpose. At large tolerances it is wasteful: each sample begins with 0.5 ms and ends where the sample does.

The effect of holding, compared with torques that follow the state continuously (largest difference of any 40 ms):

{periods}
At 40 ms the controller no longer holds the arm. With shorter periods, the effect of holding is of order one in the period: 10 ms change the motion far more than any tolerance in the table above, so that the accuracy of the integration hardly
matters for how well a held torque imitates a continuous one.
";
