//! Certified search for the end of the interval on which conditions hold.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use num_traits::Zero;

/// Largest relative width of an enclosure.
const WIDTH: f64 = 9e-16;
/// Number of rows above which radii are enclosed less tightly, to ten digits.
const MANY: usize = 40;

/// Largest denominator of a rational number tried as the radius.
const LARGEST_DENOMINATOR: u32 = 1000;

/// Argument beyond which the conditions are examined at infinity.
const FAR: f64 = 1e15;

/// Smallest and largest arguments of a search.
const RANGE: [f64; 2] = [1e-290, 1e290];

/// Radius of absolute monotonicity: the supremum of the r ≥ 0 at which conditions hold.
#[derive(Clone, Debug, PartialEq)]
pub enum MonotonicityRadius {
    /// A finite radius, proved to lie in [`lower`, `upper`].
    Bounded {
        /// A number at which the conditions hold.
        lower: f64,
        /// A number at or beyond the supremum.
        upper: f64,
        /// The radius if it is a rational number with a denominator up to 1000.
        exact: Option<RBig>,
    },
    /// The conditions hold for all r ≥ 0.
    Unbounded,
}

impl MonotonicityRadius {
    /// Returns the radius: its exact value to the nearest double, otherwise the lower bound; `None` if it is
    /// unbounded.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Bounded { exact: Some(exact), .. } => Some(exact.to_f64().value()),
            Self::Bounded { lower, .. } => Some(*lower),
            Self::Unbounded => None,
        }
    }

    /// Returns the radius zero.
    pub(crate) fn zero() -> Self {
        Self::Bounded { lower: 0.0, upper: 0.0, exact: Some(RBig::ZERO) }
    }

    /// Returns the largest number known to satisfy the conditions; `None` if all numbers do.
    pub(crate) fn inside(&self) -> Option<Exact> {
        match self {
            Self::Bounded { exact: Some(exact), .. } => Some(exact.clone().into()),
            Self::Bounded { lower, .. } => Exact::from_f64(*lower),
            Self::Unbounded => None,
        }
    }
}

/// Conditions on t ≥ 0 that hold on an interval that contains zero, and nowhere else.
pub(crate) trait MonotoneConditions {
    /// Returns whether the conditions hold at t, in exact arithmetic.
    fn hold_at(&self, t: &Exact) -> bool;

    /// Returns whether the conditions hold just beyond a t at which they hold.
    fn hold_beyond(&self, t: &Exact) -> bool;

    /// Returns whether the conditions hold for all t ≥ 0.
    fn hold_everywhere(&self) -> bool;

    /// Returns whether the conditions appear to hold at t in floating-point arithmetic.
    fn appear_to_hold(&self, t: f64) -> bool;

    /// Returns the number of rows of the matrices in these conditions.
    fn size(&self) -> usize;

    /// Returns the relative distance from the estimate of the first exact tests. With many stages it is larger, because
    /// tests near the radius take longest.
    fn first_distance(&self) -> f64 {
        if self.size() > MANY { 1e-10 } else { f64::EPSILON }
    }
}

/// Finds the radius: an estimate in floating-point arithmetic, then exact tests on both sides of it.
pub(crate) fn certified_radius(conditions: &impl MonotoneConditions) -> MonotonicityRadius {
    if !conditions.hold_beyond(&Exact::zero()) {
        return MonotonicityRadius::zero();
    }
    let estimate = estimate(conditions);
    if estimate >= FAR && conditions.hold_everywhere() {
        return MonotonicityRadius::Unbounded;
    }
    rational_radius(conditions, estimate).unwrap_or_else(|| enclosed_radius(conditions, estimate))
}

/// Estimates the radius by bisection with doubles.
fn estimate(conditions: &impl MonotoneConditions) -> f64 {
    let [smallest, _] = RANGE;
    let (mut low, mut high) = (0.0, 1.0);
    while conditions.appear_to_hold(high) {
        if high >= FAR {
            return high;
        }
        low = high;
        high *= 2.0;
    }
    while low == 0.0 && high > smallest && !conditions.appear_to_hold(high / 2.0) {
        high /= 2.0;
    }
    low = f64::max(low, high / 2.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return low;
        }
        if conditions.appear_to_hold(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Proves that a simple fraction near the estimate is the radius, if there is one.
fn rational_radius(conditions: &impl MonotoneConditions, estimate: f64) -> Option<MonotonicityRadius> {
    let near = |width: f64| {
        let [low, high] = [1.0 - width, 1.0 + width].map(|factor| RBig::try_from(estimate * factor).ok());
        let simplest = RBig::simplest_in(low?, high?);
        (*simplest.denominator() <= LARGEST_DENOMINATOR.into()).then_some(simplest)
    };
    let mut candidates: Vec<RBig> = [1e-13, 1e-10, 1e-7].into_iter().filter_map(near).collect();
    candidates.dedup();
    let is_radius = |value: &RBig| {
        let t = Exact::from(value.clone());
        conditions.hold_at(&t) && !conditions.hold_beyond(&t)
    };
    let exact = candidates.into_iter().find(is_radius)?;
    let nearest = exact.to_f64().value();
    let below = RBig::try_from(nearest).is_ok_and(|value| value <= exact);
    let above = RBig::try_from(nearest).is_ok_and(|value| value >= exact);
    let lower = if below { nearest } else { nearest.next_down() };
    let upper = if above { nearest } else { nearest.next_up() };
    Some(MonotonicityRadius::Bounded { lower, upper, exact: Some(exact) })
}

/// Encloses the radius by exact tests: moves away from the estimate until both sides are proved, then bisects.
fn enclosed_radius(conditions: &impl MonotoneConditions, estimate: f64) -> MonotonicityRadius {
    let holds = |t: f64| Exact::from_f64(t).is_some_and(|t| conditions.hold_at(&t));
    let [smallest, largest] = RANGE;
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut width = conditions.first_distance();
    let enough = WIDTH.max(4.0 * width);
    let mut guess = estimate;
    // The next guess lies on the side that is still open, at increasing distances.
    while low == 0.0 || high == f64::INFINITY {
        if guess < smallest || guess > largest {
            break;
        }
        if holds(guess) {
            low = guess;
            guess = if width < 0.5 { low * (1.0 + width) } else { low * 2.0 };
        } else {
            high = guess;
            guess = if width < 0.5 { high * (1.0 - width) } else { high / 2.0 };
        }
        width *= 8.0;
    }
    while high - low > enough * high && high < f64::INFINITY {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    MonotonicityRadius::Bounded { lower: low, upper: high, exact: None }
}
