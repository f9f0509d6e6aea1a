//! Optimal polynomials on the negative real axis by the Remez exchange.
//!
//! The polynomial R of degree s and order p with the largest interval |R| ≤ 1 on [−L, 0] alternates at s − p interior
//! extrema and at the end −L (Riha 1972; van der Houwen & Sommeijer 1980; Hairer & Wanner 1996, §IV.2). With damping η,
//! the alternating values are ±(1 − η); |R| exceeds 1 − η only between R(0) = 1 and the first extremum.

use crate::arithmetic::real::Real;
use crate::solve::alternation::Alternation;

/// Maximum number of exchanges; orders up to 16 take at most 13.
const MOST_EXCHANGES: usize = 60;

/// Finds the optimal polynomial of degree `stages` and order `order`, in doubles.
///
/// Returns `None` if the order is not between one and the degree, if the damping is not in [0, 1), or if no such
/// alternation is found: for even p, R has a positive minimum before the first point, and 1 − η may lie below it. From
/// order 20 on, rounding may also prevent convergence.
pub(crate) fn alternate(stages: usize, order: usize, damping: f64) -> Option<Alternation<f64>> {
    if order == 0 || order > stages || !(0.0..1.0).contains(&damping) {
        return None;
    }
    // Each further order is a constraint, so no limit exceeds 2s², that of order one. Newton's method from above finds
    // the largest root.
    let start = 2.0 * (stages as f64).powi(2);
    let first = Alternation::through(first_points(stages, order), order, 1.0 - damping, &start);
    let (alternation, settled) = exchange(first);
    (settled && alternation.is_consistent()).then_some(alternation)
}

/// Returns Chebyshev extrema (1 − cos θ)/2, shifted away from the origin like the optimal points for large s.
fn first_points(stages: usize, order: usize) -> Vec<f64> {
    let count = stages - order + 1;
    let shift = 0.7 * (order - 1) as f64;
    let point = |i: usize| {
        let angle = std::f64::consts::PI * (i as f64 + shift) / (count as f64 + shift);
        (angle / 2.0).sin().powi(2)
    };
    (1..count).map(point).chain([1.0]).collect()
}

/// Moves the points to the extrema until they stay there up to rounding; returns whether they do.
///
/// One Newton step for each exchange is enough: once the points are extrema, R depends on them only to second order,
/// and thus the whole iteration is Newton's method.
fn exchange<T: Real>(mut alternation: Alternation<T>) -> (Alternation<T>, bool) {
    for _ in 0..MOST_EXCHANGES {
        let last = alternation.points.len() - 1;
        let moves: Vec<(T, f64)> = (0..last).map(|i| step(&alternation, i)).collect();
        let largest = moves.iter().fold(0.0, |largest: f64, (_, relative)| largest.max(*relative));
        let mut points = alternation.points.clone();
        for (point, (step, _)) in points.iter_mut().zip(moves) {
            *point += step;
        }
        alternation = Alternation::through(points, alternation.order, alternation.level, &alternation.limit);
        // The next step would have the size of the square.
        if largest * largest <= alternation.limit.epsilon() {
            return (alternation, true);
        }
    }
    (alternation, false)
}

/// Computes the Newton step from a point to its extremum, at most a third of the gap to the neighbor, and its ratio to
/// the gap.
fn step<T: Real>(alternation: &Alternation<T>, i: usize) -> (T, f64) {
    let points = &alternation.points;
    let (slope, curvature) = alternation.derivatives(i);
    let zero = slope.like(0.0);
    let left = slope > zero;
    let gap = match (left, i) {
        (true, 0) => points[0].clone(),
        (true, _) => points[i].clone() - points[i - 1].clone(),
        (false, _) => points[i + 1].clone() - points[i].clone(),
    };
    let most = gap.clone() / zero.like(3.0);
    // If the curvature has the wrong sign, |R| still grows toward the extremum.
    let newton = if curvature > zero { slope.abs() / (curvature * zero.like(2.0)) } else { most.clone() };
    let length = if newton < most { newton } else { most };
    let relative = (length.clone() / gap).to_f64();
    (if left { -length } else { length }, relative)
}

impl<T: Real> Alternation<T> {
    /// Refines the polynomial to the precision of `margin`, with alternation between ±(1 − η − `margin`).
    pub(crate) fn refine<U: Real>(&self, margin: &U) -> Alternation<U> {
        let like = margin;
        let points = self.points.iter().map(|point| convert(point, like)).collect();
        let level = convert(&self.level, like) - margin.clone();
        exchange(Alternation::through(points, self.order, level, &convert(&self.limit, like))).0
    }
}

/// Converts the two leading doubles of a number: more would not save an exchange.
fn convert<T: Real, U: Real>(value: &T, like: &U) -> U {
    let high = value.to_f64();
    let low = (value.clone() - value.like(high)).to_f64();
    like.like(high) + like.like(low)
}

#[cfg(test)]
mod tests {
    use dashu::rational::RBig;

    use super::*;
    use crate::arithmetic::real::BigReal;
    use hemiola_number::DoubleDouble;

    /// Degree, order and limit without damping, from tests/data/stability_limits.json.
    const LIMITS: [(usize, usize, &str); 9] = [
        (2, 2, "2.0"),
        (3, 2, "6.260790869534557585750112052988123"),
        (10, 2, "81.1120690224317759667925771119577"),
        (3, 3, "2.512745326618328624023734526178189"),
        (8, 3, "30.07791646156431965543660749462803"),
        (10, 3, "48.11841804618878705093376622435857"),
        (4, 4, "2.785293563405281623529759189768683"),
        (5, 4, "6.0605988837738186333016155519094"),
        (10, 4, "32.74640496628886231293450994916386"),
    ];

    fn decimal(text: &str) -> RBig {
        let digits: RBig = text.replace('.', "").parse().unwrap();
        let scale: RBig = format!("1{}", "0".repeat(text.len() - text.find('.').unwrap() - 1)).parse().unwrap();
        digits / scale
    }

    fn error<T: Real>(value: &T, truth: &RBig) -> f64 {
        (value.to_rational() / truth - RBig::ONE).to_f64().value().abs()
    }

    #[test]
    fn published_limits_in_every_precision() {
        for (stages, order, limit) in LIMITS {
            let truth = decimal(limit);
            let doubles = alternate(stages, order, 0.0).unwrap();
            let polished = doubles.refine(&DoubleDouble::from(0.0));
            assert!(error(&doubles.limit, &truth) < 1e-14, "{stages} {order}");
            assert!(error(&polished.limit, &truth) < 1e-30, "{stages} {order}");
            let digits = BigReal::new(0.0, 60);
            for limit in [doubles.refine(&digits).limit, polished.refine(&digits).limit] {
                assert!(error(&limit, &truth) < 1e-33, "{stages} {order}");
            }
        }
    }

    #[test]
    fn order_one_without_damping_has_the_limit_twice_the_square_of_s() {
        for stages in [1, 2, 5, 50, 200] {
            let truth = decimal(&format!("{}.0", 2 * stages * stages));
            let doubles = alternate(stages, 1, 0.0).unwrap();
            assert!(error(&doubles.limit, &truth) < 1e-14);
            assert!(error(&doubles.refine(&DoubleDouble::from(0.0)).limit, &truth) < 1e-29);
            assert!(error(&doubles.refine(&BigReal::new(0.0, 60)).limit, &truth) < 1e-57);
        }
    }

    /// Checks R = T_s(w₀ + w₁z)/T_s(w₀), T_s(w₀) = 1/(1 − η), w₁ = T_s(w₀)/T_s′(w₀), with limit (1 + w₀)/w₁ (Guillou &
    /// Lago 1960).
    #[test]
    fn damped_polynomials_of_order_one_have_a_closed_form() {
        for (stages, damping) in [(5, 0.05), (50, 0.05), (200, 0.05), (50, 0.5)] {
            let s = stages as f64;
            let angle = f64::acosh(1.0 / (1.0 - damping)) / s;
            let (w0, w1) = (angle.cosh(), angle.sinh() / (s * (s * angle).tanh()));
            let alternation = alternate(stages, 1, damping).unwrap();
            let polished = alternation.refine(&DoubleDouble::from(0.0));
            for limit in [alternation.limit, polished.limit.to_f64()] {
                assert!((limit * w1 / (1.0 + w0) - 1.0).abs() < 1e-13);
            }
            // Compare between the points too, with T_s on [−1, 1].
            for k in 1..100 {
                let z = -alternation.limit * f64::from(k) / 100.0;
                let x = w0 + w1 * z;
                let truth = (1.0 - damping) * if x < 1.0 { (s * x.acos()).cos() } else { (s * x.acosh()).cosh() };
                assert!((alternation.at(&z) - truth).abs() < 1e-10, "{stages} {z}");
            }
        }
    }

    #[test]
    fn the_exchange_settles_for_all_degrees_and_orders() {
        for damping in [0.0, 0.05, 0.5] {
            for order in 1..=10 {
                let limits: Vec<f64> = (order..order + 8)
                    .chain([40, 110, 250])
                    .map(|stages| alternate(stages, order, damping).unwrap().limit)
                    .collect();
                assert!(limits.is_sorted_by(|less, more| less < more), "{order} {damping}");
            }
        }
    }

    #[test]
    fn more_damping_and_more_order_cost_length() {
        for order in 1..=6 {
            let limit = |order, damping| alternate(60, order, damping).unwrap().limit;
            assert!(limit(order + 1, 0.0) < limit(order, 0.0));
            assert!(limit(order, 0.05) < limit(order, 0.0) && limit(order, 0.5) < limit(order, 0.05));
        }
    }

    #[test]
    fn impossible_requests_have_no_answer() {
        for (stages, order, damping) in [(3, 0, 0.0), (3, 4, 0.0), (3, 2, 1.0), (3, 2, -0.1), (3, 2, f64::NAN)] {
            assert!(alternate(stages, order, damping).is_none());
        }
        // R = 1 − x + x²/2 ≥ 1/2.
        assert!(alternate(2, 2, 0.6).is_none());
    }
}
