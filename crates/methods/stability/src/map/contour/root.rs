//! Roots in brackets.

/// Point and the value there.
pub(super) type PointValue = (f64, f64);

/// Finds a sign change of f between two points with values on both sides of zero, to |f| ≤ `noise` or to `resolution`.
///
/// T. R. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
/// using derivatives, Adv. Eng. Software 28 (1997): inverse quadratic interpolation if the three values ensure its
/// convergence, otherwise bisection, as at jumps and next to infinite values. The first step is a secant step.
///
/// If the nonpositive end is zero itself, it may lie on a plateau: the function then finds the edge of the plateau by
/// doubling and halving steps.
pub(super) fn root(f: impl Fn(f64) -> f64, [mut a, mut b]: [PointValue; 2], resolution: f64, noise: f64) -> f64 {
    let (below, above) = if a.1 <= 0.0 { (a, b) } else { (b, a) };
    if below.1 >= -noise {
        return edge(|t| f(t) > noise, below.0, above.0, resolution);
    }
    let secant = a.1 / (a.1 - b.1);
    let mut t = if secant > 0.0 && secant < 1.0 { secant } else { 0.5 };
    loop {
        let best = if a.1.abs() < b.1.abs() { a } else { b };
        let least = resolution / (b.0 - a.0).abs();
        if best.1.abs() <= noise || least > 0.5 {
            return best.0;
        }
        let place = a.0 + t.clamp(least, 1.0 - least) * (b.0 - a.0);
        let next = (place, f(place));
        // a is the newest point, b lies beyond the root, and c is the discarded point.
        let c = if (next.1 <= 0.0) == (a.1 <= 0.0) { a } else { std::mem::replace(&mut b, a) };
        a = next;
        t = inverse_quadratic(a, b, c).unwrap_or(0.5);
    }
}

/// Finds the last point on the way from `low` to `high` before a condition begins to hold, to `resolution`.
fn edge(holds: impl Fn(f64) -> bool, mut low: f64, mut high: f64, resolution: f64) -> f64 {
    let least = resolution.copysign(high - low);
    let mut step = 2.0 * least;
    while step.abs() < (high - low).abs() {
        let place = low + step;
        if holds(place) {
            high = place;
            break;
        }
        (low, step) = (place, 2.0 * step);
    }
    while (high - low).abs() > 2.0 * least.abs() {
        let middle = f64::midpoint(low, high);
        *(if holds(middle) { &mut high } else { &mut low }) = middle;
    }
    low
}

/// Computes the root of the inverse parabola through three points, as a fraction of the way from a to b, if it is
/// monotonic.
fn inverse_quadratic(a: PointValue, b: PointValue, c: PointValue) -> Option<f64> {
    let xi = (a.0 - b.0) / (c.0 - b.0);
    let phi = (a.1 - b.1) / (c.1 - b.1);
    let is_monotonic = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    is_monotonic.then(|| {
        a.1 / (b.1 - a.1) * (c.1 / (b.1 - c.1)) + (c.0 - a.0) / (b.0 - a.0) * (a.1 / (c.1 - a.1)) * (b.1 / (c.1 - b.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_functions_take_few_evaluations_and_jumps_are_bisected() {
        let evaluations = std::cell::Cell::new(0);
        let count = |f: fn(f64) -> f64| {
            let evaluations = &evaluations;
            evaluations.set(0);
            move |x: f64| {
                evaluations.set(evaluations.get() + 1);
                f(x)
            }
        };
        let cube = |x: f64| (1.0 + 0.1 * x).powi(3) - 1.1;
        let found = root(count(cube), [(0.0, cube(0.0)), (1.0, cube(1.0))], f64::EPSILON, f64::EPSILON);
        assert!((found - 10.0 * (1.1f64.cbrt() - 1.0)).abs() < 1e-14);
        assert!(evaluations.get() <= 4, "{}", evaluations.get());
        let jump = |x: f64| if x < 0.3 { -1.0 } else { f64::INFINITY };
        let found = root(count(jump), [(1.0, f64::INFINITY), (0.0, -1.0)], f64::EPSILON, 0.0);
        assert!((found - 0.3).abs() < 1e-15);
        assert!(evaluations.get() <= 54, "{}", evaluations.get());
    }
}
