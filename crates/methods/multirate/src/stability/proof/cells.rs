//! The division of a ray and of an interval of z_S into cells in which |R| ≤ 1 is proved.

use hemiola_number::{Counter, Progress, parallel};
use num_traits::{One, Zero};

use super::disk::Disk;
use super::jet::Jet;
use super::ray::{Ray, Segment, middle};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stability::additive::{AdditiveFlow, FixedFast};

/// Exponent of the slowest exponential at which 1/|z_F| replaces |z_F| as the variable; e^{−6} is small.
const FAR: f64 = 6.0;
/// Length of the initial parts of the near ray, and number of initial parts of the far ray.
const LENGTH: f64 = 0.5;
const FAR_PARTS: usize = 8;
/// Largest number of parts of the near ray, for methods with very short stages.
const MOST_PARTS: usize = 4_000;
/// Largest number of cells examined in one of the initial parts.
const MOST_CELLS: usize = 30_000;
/// Bounds of f have rounding errors below this, a few units of numbers of the order of one.
const ROUNDING: f64 = 1e-13;

/// The reason why a proof ends without success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// Too many cells were examined.
    Budget,
    /// |R| exceeds one somewhere.
    Exceeded,
    /// The computation was stopped.
    Stopped,
}

/// The stability function of one slow partition on a ray.
pub(super) struct CellSearch {
    ray: Ray,
    slow: usize,
    points: AdditiveFlow<Disk>,
    jets: AdditiveFlow<Jet>,
    /// The initial parts of the ray, from zero to infinity.
    parts: Vec<Segment>,
}

/// R over one part of the ray.
struct FixedSegment<'a> {
    search: &'a CellSearch,
    segment: Segment,
    middle: FixedFast<Disk>,
    over: FixedFast<Jet>,
}

/// The verdict on one cell.
enum Verdict {
    Proved,
    Exceeded,
    /// The part of the ray is too long.
    SplitRay,
    /// The interval of x is too long.
    SplitSlow,
}

impl CellSearch {
    /// Prepares a proof; `None` if the ray is too close to the imaginary axis.
    pub(super) fn new(method: &InfinitesimalMethod, slow: usize, angle: f64) -> Result<Option<Self>, MultirateError> {
        let (points, jets) = (AdditiveFlow::<Disk>::new(method)?, AdditiveFlow::<Jet>::new(method)?);
        let shortest = points.lengths().map(Disk::bound).fold(f64::INFINITY, f64::min);
        let Some(ray) = Ray::new(angle).filter(|_| shortest.is_finite()) else { return Ok(None) };
        let count = (FAR / (shortest * ray.damping()) / LENGTH).ceil().clamp(1.0, MOST_PARTS as f64);
        let near = (0..count as usize).map(|k| Segment {
            is_far: false,
            low: LENGTH * k as f64,
            high: LENGTH * (k + 1) as f64,
        });
        // Slightly more than the reciprocal, so that rounding leaves no gap.
        let end = 1.0 / (LENGTH * count) * (1.0 + 1e-12);
        let part = |k: usize| end * k as f64 / FAR_PARTS as f64;
        let far = (0..FAR_PARTS).map(|k| Segment { is_far: true, low: part(k), high: part(k + 1) });
        let parts = near.chain(far).collect();
        Ok(Some(Self { ray, slow, points, jets, parts }))
    }

    /// Proves |R| ≤ 1 for 0 ≤ x ≤ `end` on the ray. Returns the number of cells, and the obstacle if there is one.
    pub(super) fn prove(&self, end: f64, progress: &dyn Progress) -> (usize, Option<Obstacle>) {
        let counter = Counter::new(progress, "parts of the ray", Some(self.parts.len()));
        let results = parallel::map(self.parts.len(), |k| {
            if counter.advance(1).is_break() {
                return (0, Some(Obstacle::Stopped));
            }
            self.prove_part(self.parts[k], end)
        });
        let cells = results.iter().map(|(cells, _)| cells).sum();
        let mut obstacles = results.iter().filter_map(|(_, obstacle)| *obstacle);
        let first = obstacles.next();
        (cells, obstacles.find(|obstacle| *obstacle == Obstacle::Exceeded).or(first))
    }

    fn prove_part(&self, part: Segment, end: f64) -> (usize, Option<Obstacle>) {
        let mut cells = 0;
        let mut open = vec![(part, vec![[0.0, end]])];
        while let Some((segment, mut intervals)) = open.pop() {
            let fixed = FixedSegment::new(self, segment);
            let mut left = Vec::new();
            while let Some(interval) = intervals.pop() {
                cells += 1;
                if cells > MOST_CELLS {
                    return (cells, Some(Obstacle::Budget));
                }
                match fixed.verdict(interval) {
                    Verdict::Proved => {}
                    Verdict::Exceeded => return (cells, Some(Obstacle::Exceeded)),
                    Verdict::SplitRay => left.push(interval),
                    Verdict::SplitSlow => {
                        let [middle, _] = middle(interval);
                        intervals.extend([[interval[0], middle], [middle, interval[1]]]);
                    }
                }
            }
            if !left.is_empty() {
                open.extend(segment.halves().map(|half| (half, left.clone())));
            }
        }
        (cells, None)
    }
}

impl<'a> FixedSegment<'a> {
    fn new(search: &'a CellSearch, segment: Segment) -> Self {
        let middle = search.points.with_phis(|length, highest| search.ray.at_middle(&segment, *length, highest));
        let over = search.jets.with_phis(|length, highest| search.ray.over(&segment, length.value, highest));
        Self { search, segment, middle, over }
    }

    /// Bounds f = |R|² − 1 by its value at the middle of the cell and by its derivatives.
    fn verdict(&self, interval: [f64; 2]) -> Verdict {
        let ([x, half], [_, half_ray]) = (middle(interval), self.segment.middle());
        let mut slow = vec![Disk::zero(); self.search.points.slow_partitions()];
        slow[self.search.slow] = Disk::point(-x);
        let mut over = vec![Jet::zero(); slow.len()];
        over[self.search.slow] = Jet { value: Disk::point(-x).widened(half), along: Disk::zero(), slow: -Disk::one() };
        let (Some(value), Some(jet)) = (self.middle.value(&slow), self.over.value(&over)) else {
            return self.longer(half_ray, half);
        };
        if value.least() > 1.0 {
            return Verdict::Exceeded;
        }
        let doubled = |derivative: Disk| (jet.value.conjugate() * derivative).real_range().map(|end| 2.0 * end);
        let [along, slow] = [doubled(jet.along), doubled(jet.slow)];
        let is_corner = !self.segment.is_far && self.segment.low.is_zero() && interval[0].is_zero();
        if is_corner && along[1] <= 0.0 && slow[1] <= 0.0 {
            return Verdict::Proved;
        }
        let size = |[low, high]: [f64; 2]| high.max(-low);
        let [from_ray, from_slow] = [size(along) * half_ray, size(slow) * half];
        let bound = value.bound();
        if bound * bound - 1.0 + from_ray + from_slow <= -ROUNDING {
            return Verdict::Proved;
        }
        self.longer(from_ray, from_slow)
    }

    /// Splits the direction that contributes more; the ray if either contribution is NaN.
    fn longer(&self, from_ray: f64, from_slow: f64) -> Verdict {
        if from_slow >= from_ray { Verdict::SplitSlow } else { Verdict::SplitRay }
    }
}
