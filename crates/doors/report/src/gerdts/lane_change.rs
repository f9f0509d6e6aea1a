//! The double lane change: optima on grids of the paper's sizes.

use hemiola_number::Progress;
use hemiola_optimize::sqp::{SolverOptions, Status};
use hemiola_optimize::{ControlGrid, ControlOptimum, Guess, LaneChange, ShootingNodes, StepRule, Transcription};
use hemiola_tableau::{Scheme, library};

use crate::drives::{lane_change_drive, lane_change_figure};
use crate::markdown::table;
use crate::papers::GERDTS as NAME;
use crate::report::{Report, ReportError, next};

/// Numbers of grid points, and objectives printed in the paper for LIRK and BDF.
const PAPER: [(usize, f64, f64); 6] = [
    (26, 7.718_303, 7.718_305),
    (51, 7.787_998, 7.787_981),
    (101, 7.806_801, 7.806_798),
    (201, 7.819_053, 7.819_052),
    (251, 7.817_618, 7.817_618),
    (401, 7.828_956, 7.828_956),
];
/// Largest grid that is solved a second time as a check.
const MOST_CHECKED: usize = 101;

const RADAU: &str = "linearized:radau-iia-2";

/// Solves the lane change with a scheme on a grid, with a piecewise linear control.
fn solve(scheme: &str, points: usize, steps: usize, guess: &Guess) -> Result<ControlOptimum, ReportError> {
    solve_on(ControlGrid { points, steps, shooting: ShootingNodes::Multiple, is_linear: true }, scheme, guess)
}

fn solve_on(grid: ControlGrid, scheme: &str, guess: &Guess) -> Result<ControlOptimum, ReportError> {
    let scheme = Scheme::parse(scheme, |id| library::method(id).map_err(ReportError::from))?;
    let rule = StepRule::new(&scheme, &[7]).map_err(hemiola_optimize::ProblemError::from)?;
    let program = Transcription::new(LaneChange::default().problem(), rule, grid)?;
    Ok(program.solve(guess, SolverOptions::default(), &())?)
}

pub(crate) fn section(progress: &dyn Progress) -> Result<Report, ReportError> {
    let lane = LaneChange::default();
    let mut guess = lane.guess();
    let (mut rows, mut ringing, mut figures) = (Vec::new(), Vec::new(), Vec::new());
    let mut spreads = [0.0_f64; 2];
    for (points, paper_lirk, paper_bdf) in PAPER {
        next(progress, &format!("lane change on {points} points"))?;
        let found = solve(RADAU, points, 2, &guess)?;
        let accurate = if points <= MOST_CHECKED {
            format!("{:.6}", solve("rk4", points, 8, &found.found)?.found.duration)
        } else {
            "–".to_owned()
        };
        if points <= MOST_CHECKED {
            let cold = solve(RADAU, points, 2, &lane.guess())?;
            spreads[0] = spreads[0].max((cold.found.duration - found.found.duration).abs());
        }
        let residual = found.solution.best.residual;
        let is_optimal = found.solution.status == Status::Optimal;
        rows.push(vec![
            points.to_string(),
            if is_optimal { format!("{:.6}", found.found.duration) } else { found.solution.status.text().to_owned() },
            if residual <= 1e-6 { "≤ 1e-6".to_owned() } else { crate::markdown::digits(residual, 1) },
            accurate,
            format!("{paper_lirk:.6}"),
            format!("{paper_bdf:.6}"),
        ]);
        let grid = ControlGrid { points, steps: 2, shooting: ShootingNodes::Multiple, is_linear: false };
        let constant = solve_on(grid, RADAU, &found.found)?;
        ringing.push(ringing_row(points, &found, &constant));
        if points == 201 {
            let figure = lane_change_figure(&lane_change_drive(&lane, false, &constant));
            figures.push((format!("{NAME}-lane-change.svg"), figure.into()));
        }
        guess = found.found;
    }
    next(progress, "lane change by single shooting and from few nodes")?;
    let many = solve(RADAU, 26, 2, &lane.guess())?.found.duration;
    for shooting in std::iter::once(ShootingNodes::Single).chain((2..=13).map(ShootingNodes::Every)) {
        let grid = ControlGrid { points: 26, steps: 2, shooting, is_linear: true };
        let found = solve_on(grid, RADAU, &lane.guess())?;
        spreads[1] = spreads[1].max((found.found.duration - many).abs());
    }
    let [cold, shooting] = spreads.map(|spread| crate::markdown::digits(spread, 1));
    let text = TEXT.replace("{cold}", &cold).replace("{shooting}", &shooting);
    let columns = [">N", ">t_f in s", ">residual", ">RK4, 8 steps", ">paper, LIRK", ">paper, BDF"];
    let ringing =
        table(&[">N", ">linear, t_f in s", ">stretches", ">amplitude", ">constant, t_f in s", ">stretches"], ringing);
    Ok(Report { text: text.replace("{optima}", &table(&columns, rows)).replace("{ringing}", &ringing), figures })
}

/// Tabulates the oscillation of a piecewise linear and a constant control from point to point.
fn ringing_row(points: usize, linear: &ControlOptimum, constant: &ControlOptimum) -> Vec<String> {
    let amplitude = linear.ringing.iter().fold(0.0f64, |largest, ringing| largest.max(ringing.amplitude));
    vec![
        points.to_string(),
        format!("{:.6}", linear.found.duration),
        linear.ringing.len().to_string(),
        format!("{amplitude:.3}"),
        format!("{:.6}", constant.found.duration),
        constant.ringing.len().to_string(),
    ]
}

const TEXT: &str = "\
## The double lane change

The paper prints the structure of the car's equations, but neither the tire forces nor any numbers. Other publications of the same author have
them for the same car and track, and programs for that problem repeat them; the initial speed, the pedal and the gear of Table 1 are not known.
With 25 m/s, no pedal and the fourth gear, `hemiola optimize lane-change --control linear --points N` finds, with two steps of the linearized
two-stage Radau IIA from grid point to grid point and a control that is linear between them:

{optima}
An independent solution (CasADi with IPOPT) has 7.702603, 7.711037, 7.720136 and 7.720937 for the first four: they agree to 4·10⁻⁵ s and better.
The paper's equation for ω̇ lacks the moment l_f U_f sin δ of the front wheel's pull, which other publications have; with it (`--yaw-equation full`)
and accurate steps all printed digits of that solution come out, 7·10⁻⁶ s above those of the column with RK4.

![The lane change on 201 points, with a constant control between them](gerdts-2003-lane-change.svg)

- **The values are not the paper's**, whose initial data are unknown, but they behave alike: the time rises with N, as the track's edges hold at grid
  points only and a finer grid cuts fewer corners, and it *falls* from N = 201 to N = 251, whose points lie elsewhere. Both tables show this.
- **Bounds are nearly nowhere active**: a few grid points at the corners of the track hold the car, and the steering rate is far from its bound
  of 0.5 rad/s. Between these points the problem is singular in the control, whose second derivatives are small: the Hessian is exact, and
  becomes convex by moving curvature along the equations.
- **One step from point to point is not enough** for N = 26: steps of 0.3 s are so long that the linearization has an error that the optimization
  exploits, and t_f comes out 0.05 s too small. A fixed step needs a check, which the paper's comparison with BDF is.
- **Local optima**: up to N = 101, cold starts and starts from the solutions on coarser grids lead to the same times (to {cold} s), and so do single
  shooting and nodes at every second to every thirteenth point for N = 26 (to {shooting} s). The local optimum that is known for other data does not occur.

### Why a linear control rings

A control that is linear between grid points alternates from point to point to both sides of every contact with the track; one that is constant
between them does not, and takes the same time. Both on the same grids, with the stretches in which the control alternates and the largest amplitude
(half the distance from a point to its neighbors) in rad/s:

{ringing}
The exact optimum jumps, and the ringing is that of a spline that cannot:

- **The control is singular.** The Hamiltonian is linear in the steering rate w. Its derivative λ_δ vanishes between contacts, and the second total
  derivative of λ_δ contains w with the factor H_δδ: the steering angle δ = ∫w is a regular control (Goh's transformation), and the loss of time is
  ½∫H_δδ(δ − δ*)² dt up to higher orders.
- **The track is a constraint of order three** in w, y‴ being the first derivative that contains it, and of order two in δ. A regular control is
  continuous at a contact of order two, and its slope is not (Jacobson, Lele & Speyer 1971): w jumps, at a grid point, as the track holds at grid points
  alone.
- **A linear w makes δ a quadratic spline**, continuously differentiable, which approximates the kink of δ* in the least-squares sense: its slope rings
  by the factor −0.43 from point to point, a root of the Euler–Frobenius polynomial of degree 4, if the steps integrate δ² accurately. The amplitude
  belongs to the jump, not to N. The error of δ is of order h over a few steps of length h, and the loss of time integrates its square: it falls as h³.
- **A constant w makes δ a linear spline**, with knots where the kinks are. Nothing rings on grids with more than a few points between contacts;
  on 26 and 51 points, contacts are too near to each other to tell.

The same parity rules arcs on which a constraint of order q holds at grid points: a control of degree d leaves modes that no held point sees, powers of
the roots of the Euler–Frobenius polynomial of degree q + d − 1 (the zeros of sampling of Åström, Hagander & Sternby 1984). One of them is −1, which
neither grows nor decays, if q + d is even. So the push of `problems/van-der-pol.json` (q = 1) rings all along its arc if it is linear, and does not if
it is constant; the linear one of `problems/bryson-denham.json` (q = 2) does not ring. `hemiola optimize` prints the stretches it does not resolve, and
the shape of the control that does not ring.

### The paper's times

> Table 1, N = 251: speedup 11.4 %

198.34 s against 1691.15 s is 11.7 %. Times of this program depend on the machine and are measured by `scripts/lane-change`: of LIRK, with exact
Hessians and with BFGS, and of the paper's rival, a BDF code with sensitivities, in the same shooting code. RK4 with eight steps takes its place here as the accurate
solution.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_step_is_exploited_and_two_are_not() {
        let guess = LaneChange::default().guess();
        let accurate = solve("rk4", 26, 8, &guess).unwrap().found.duration;
        let two = solve(RADAU, 26, 2, &guess).unwrap().found.duration;
        let one = solve(RADAU, 26, 1, &guess).unwrap().found.duration;
        assert!((two - accurate).abs() < 5e-5 && accurate - one > 0.04, "{one} {two} {accurate}");
    }
}
