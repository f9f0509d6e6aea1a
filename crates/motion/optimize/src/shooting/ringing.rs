//! Ringing: control values that alternate from point to point because the grid does not resolve them.
//!
//! A state constraint of order q that is imposed at grid points only leaves modes of a control of degree d (0 constant,
//! 1 linear between grid points) that vanish at all active points. The modes are powers of the roots of the
//! Euler–Frobenius polynomial of degree q + d − 1, the sampling zeros (Åström, Hagander & Sternby 1984). If q + d is
//! even, −1 is a root, and its mode neither grows nor decays. Where the exact optimal control jumps, as a singular
//! control does at a contact, a continuous control rings on both sides, like a spline. On finer grids the ringing is
//! shorter in time but has the same amplitude.

/// Time interval in which a control alternates from point to point.
///
/// ```
/// use hemiola_optimize::sqp::SolverOptions;
/// use hemiola_optimize::{ControlGrid, LaneChange, ShootingNodes, StepRule, solve_refined};
/// let method = hemiola_tableau::library::method("gauss-2")?;
/// let rule = StepRule::new(&hemiola_tableau::Scheme::Method(method), &[7])?;
/// let lane = LaneChange::default();
/// let solve = |is_linear: bool| {
///     let grid = ControlGrid { points: 101, steps: 1, shooting: ShootingNodes::Multiple, is_linear };
///     solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &())
/// };
/// // The track is a constraint of order three, so a linear steering rate rings and a constant one does not.
/// let [linear, constant] = [solve(true)?, solve(false)?];
/// assert!(linear.orders == [3] && linear.ringing.iter().any(|stretch| stretch.amplitude > 0.01)); // rad/s
/// assert!(constant.ringing.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ringing {
    /// Index of the control.
    pub control: usize,
    /// First and last grid point.
    pub points: [usize; 2],
    /// Largest amplitude.
    pub amplitude: f64,
}

/// Smallest number of consecutive alternating points. A jump split between two intervals makes the fourth differences
/// of five points alternate.
const FEWEST_POINTS: usize = 6;
/// Smallest reported amplitude relative to the range of the control; smaller amplitudes are narrower than the drawn
/// line.
const LEAST_AMPLITUDE: f64 = 1e-3;

/// Finds intervals in which the alternating part of the values exceeds their curvature.
///
/// With δ² the second difference, δ⁴u/16 is the amplitude of a component (−1)ᵏ of the values. Averages of δ² over three
/// points with weights ¼, ½, ¼ do not contain this component; an eighth of them is the error of linear interpolation.
/// For a wave of p points per period the ratio of amplitude to error is 2 tan²(π/p): the amplitude is larger if p <
/// 5.1.
pub(super) fn ringing(control: usize, values: &[f64]) -> Vec<Ringing> {
    let ends = values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &u| [low.min(u), high.max(u)]);
    let least = LEAST_AMPLITUDE * (ends[1] - ends[0]);
    let alternating: Vec<f64> = values.windows(5).map(alternating_part).collect();
    let mut found = Vec::new();
    let mut first = 0;
    for next in 1..=alternating.len() {
        let goes_on = alternating.get(next).is_some_and(|part| part * alternating[next - 1] < 0.0);
        if goes_on {
            continue;
        }
        let amplitude = alternating[first..next].iter().fold(0.0f64, |largest, part| largest.max(part.abs()));
        if next - first >= FEWEST_POINTS && amplitude > least {
            // The center of the first window is point 2.
            found.push(Ringing { control, points: [first + 2, next + 1], amplitude });
        }
        first = next;
    }
    found
}

/// Returns δ⁴u/16 at the center of five values, or 0 if the error of linear interpolation is larger.
fn alternating_part(u: &[f64]) -> f64 {
    let second = |k: usize| u[k - 1] - 2.0 * u[k] + u[k + 1];
    let part = (second(1) - 2.0 * second(2) + second(3)) / 16.0;
    let interpolation = (second(1) + 2.0 * second(2) + second(3)) / 32.0;
    if part.abs() > interpolation.abs() { part } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(count: u32, u: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..count).map(|k| u(f64::from(k))).collect()
    }

    #[test]
    fn waves_ring_below_five_points_a_period() {
        let wave = |points: f64| sampled(200, |k| (std::f64::consts::TAU * (k + 0.3) / points).sin());
        assert_eq!(ringing(0, &wave(5.2)), []);
        // Below four points per period, all neighbors among six points differ in sign.
        assert!(!ringing(0, &wave(2.1)).is_empty());
    }

    #[test]
    fn jumps_and_kinks_do_not_ring_whatever_part_of_an_interval_they_share() {
        for share in 0..=20 {
            let at = 20.0 + f64::from(share) / 20.0;
            // The value at point 21 lies between its neighbors.
            let jump = sampled(60, |k| (k - at + 0.5).clamp(0.0, 1.0) + 0.1 * (0.1 * k).sin());
            let kink = sampled(60, |k| (k - at).max(0.0) + 0.1 * (0.1 * k).sin());
            assert_eq!((ringing(0, &jump), ringing(0, &kink)), (vec![], vec![]), "{share}");
        }
    }

    #[test]
    fn a_decaying_alternation_is_found_where_it_is() {
        // Rings like a quadratic spline about a kink, with the root −0.43 of the Euler–Frobenius polynomial of degree
        // 4.
        let values = sampled(80, |k| {
            (0.05 * k).sin()
                + if k < 30.0 { 0.0 } else { 0.3 * f64::powf(0.43, k - 30.0) * (std::f64::consts::PI * k).cos() }
        });
        let [found] = ringing(3, &values)[..] else { panic!("{:?}", ringing(3, &values)) };
        assert!(
            found.control == 3 && (28..=30).contains(&found.points[0]) && (34..=40).contains(&found.points[1]),
            "{found:?}"
        );
        assert!((0.1..0.3).contains(&found.amplitude));
    }

    #[test]
    fn little_that_alternates_and_few_points_are_nothing() {
        let alternating = |amplitude: f64| sampled(40, |k| k / 40.0 + amplitude * (std::f64::consts::PI * k).cos());
        assert_eq!(ringing(0, &alternating(5e-4)), []);
        assert_eq!(ringing(0, &alternating(5e-3))[0].points, [2, 37]);
        assert!((0..9).all(|count| ringing(0, &alternating(1.0)[..count]).is_empty()));
        assert_eq!(ringing(0, &[0.0; 40]), []);
    }
}
