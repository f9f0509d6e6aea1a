//! Polynomial with prescribed alternating values, and its evaluation without cancellation.

use crate::arithmetic::real::Real;
use crate::basis::cosine_transform::chebyshev_coefficients;

/// Polynomial R of degree s and order p on [−L, 0] that alternates between ±(1 − η) at s − p + 1 points.
///
/// In the variable t = −z/L, R(t) interpolates the alternating values at t_i and the Taylor polynomial E_p at t = 0, a
/// node of multiplicity p + 1. This is one condition more than there are coefficients, and it determines L. The
/// barycentric formula of this Hermite interpolation (Schneider & Werner 1991; Berrut & Trefethen 2004),
///
/// R(t) = N(t)/D(t), N = Σ a_k tᵏ + t^{p+1} Σ μ_i R(t_i)/(t_i − t), D = Σ h_k tᵏ + t^{p+1} Σ μ_i/(t_i − t),
///
/// is stable on the entire interval, whereas E_p alone grows to L^p/p! and would cancel.
#[derive(Clone, Debug)]
pub(crate) struct Alternation<T> {
    /// Order p.
    pub(crate) order: usize,
    /// Modulus 1 − η of the alternating values.
    pub(crate) level: T,
    /// Limit L.
    pub(crate) limit: T,
    /// Points t_1 < … < t_{s−p+1} = 1: R alternates at −L t_i, and R(−L t_1) has the sign (−1)^p.
    pub(crate) points: Vec<T>,
    /// Weights μ_i = (−1)^p t_i^{−p} Π_{j≠i} t_j/(t_j − t_i), with the sign of R(t_i).
    weights: Vec<T>,
    /// Coefficients h_0 … h_p of the series (−1)^p/Π(1 − t/t_i) = Σ h_k tᵏ.
    series: Vec<T>,
    /// Coefficients a_0 … a_p of the series E_p(−Lt) Σ h_k tᵏ.
    values: Vec<T>,
}

impl<T: Real> Alternation<T> {
    /// Constructs the polynomial that alternates at these points; Newton's method from `start` finds the largest L.
    ///
    /// The divided difference of R over all nodes, Σ μ_i R(t_i) − a_p, vanishes for degree s. The terms of a_p, a
    /// polynomial of degree p in L, all have the size L^p, because 1/t_i has the size of L: few digits cancel, and more
    /// only for large p.
    pub(crate) fn through(points: Vec<T>, order: usize, level: T, start: &T) -> Self {
        let weights = weights(&points, order);
        let series = series(&points, order);
        let target = level.clone() * sum(start, weights.iter().map(Real::abs));
        let mut limit = start.clone();
        // Far above the largest root, a step covers 1/p of the distance.
        for _ in 0..100 * order {
            let values = taylor_times(&limit, &series);
            let change = (values[order].clone() - target.clone()) / values[order - 1].clone();
            limit += change.clone();
            if (change / limit.clone()).to_f64().powi(2) <= start.epsilon() {
                break;
            }
        }
        let values = taylor_times(&limit, &series);
        Self { order, level, limit, points, weights, series, values }
    }

    /// Evaluates R(z) for −L ≤ z ≤ 0.
    #[cfg(test)]
    pub(crate) fn at(&self, z: &T) -> T {
        self.at_fraction(&(-z.clone() / self.limit.clone()))
    }

    /// Evaluates R(−Lt) for 0 ≤ t ≤ 1.
    pub(crate) fn at_fraction(&self, t: &T) -> T {
        let zero = t.like(0.0);
        let (mut numerator, mut denominator) = (zero.clone(), zero.clone());
        for (i, (point, weight)) in self.points.iter().zip(&self.weights).enumerate() {
            let distance = point.clone() - t.clone();
            if distance == zero {
                return self.extremum(i);
            }
            let term = weight.clone() / distance;
            if self.is_maximum(i) {
                numerator += term.clone();
            } else {
                numerator -= term.clone();
            }
            denominator += term;
        }
        let power = t.power(self.order + 1);
        let numerator = horner(&self.values, t) + power.clone() * self.level.clone() * numerator;
        numerator / (horner(&self.series, t) + power * denominator)
    }

    /// Computes the multipliers λ_i of the points: Σ λ_i f(−L t_i) vanishes for f = z^{p+1} … z^s, and λ_i R(−L t_i) >
    /// 0.
    ///
    /// They prove that L is the largest limit: polynomials of degree s and order p with moduli at most 1 − η at −ℓ t_i
    /// satisfy (1 − η) Σ|λ_i| ≥ Σ λ_i E_p(−ℓ t_i). The two sides are equal for the last time at ℓ = L, where the right
    /// side has derivative one.
    pub(crate) fn multipliers(&self) -> Vec<T> {
        // d/dL Σ μ_i E_p(−L t_i) = da_p/dL = −a_{p−1}.
        let scale = self.slope();
        self.weights.iter().map(|weight| weight.clone() / scale.clone()).collect()
    }

    /// Computes c_0 … c_s of R = Σ c_j T_j(1 + 2z/L).
    pub(crate) fn chebyshev(&self) -> Vec<T> {
        let degree = self.points.len() + self.order - 1;
        chebyshev_coefficients(degree, &self.limit, |t| self.at_fraction(t))
    }

    /// Returns whether L is the largest root of its equation: the divided difference increases there.
    pub(crate) fn is_consistent(&self) -> bool {
        let target = self.level.clone() * sum(&self.limit, self.weights.iter().map(Real::abs));
        let residual = ((self.values[self.order].clone() - target.clone()) / target).to_f64();
        let zero = self.limit.like(0.0);
        // Doubles reach 1e-12 for hundreds of points; without a root the residual is of order one.
        residual.abs() < 1e-9 && self.slope() > zero && self.limit > zero
    }

    /// Returns R(t_i).
    fn extremum(&self, i: usize) -> T {
        if self.is_maximum(i) { self.level.clone() } else { -self.level.clone() }
    }

    fn is_maximum(&self, i: usize) -> bool {
        (self.order + i).is_multiple_of(2)
    }

    fn slope(&self) -> T {
        -self.values[self.order - 1].clone()
    }

    /// Computes the divided difference R[t_i, t] at t = t_i and its derivative in t, both times −μ_i: −μ_i R′ and −μ_i
    /// R″/2.
    ///
    /// The derivative omits a multiple of the value itself, which vanishes at an extremum. Equal values R(t_j) = R(t_i)
    /// contribute nothing, so nothing cancels.
    pub(crate) fn derivatives(&self, i: usize) -> (T, T) {
        let point = &self.points[i];
        let value = self.extremum(i);
        let one = point.like(1.0);
        let (mut first, mut second) = (point.like(0.0), point.like(0.0));
        for j in ((i + 1) % 2..self.points.len()).step_by(2) {
            let inverse = one.clone() / (self.points[j].clone() - point.clone());
            let term = self.weights[j].clone() * inverse.clone();
            second += term.clone() * inverse;
            first += term;
        }
        let difference = value.clone() * point.like(-2.0);
        let (origin, origin_derivative) = self.origin(&value, &(one / point.clone()));
        (first * difference.clone() + origin, second * difference + origin_derivative)
    }

    /// Computes Σ (a_k − h_k R(t_i)) t^{k−p−1} and its derivative in t, by Horner's scheme in 1/t.
    fn origin(&self, value: &T, inverse: &T) -> (T, T) {
        let (mut sum, mut derivative) = (value.like(0.0), value.like(0.0));
        for (a, h) in self.values.iter().zip(&self.series) {
            let coefficient = a.clone() - h.clone() * value.clone();
            sum += coefficient;
            derivative = derivative * inverse.clone() + sum.clone();
            sum = sum * inverse.clone();
        }
        (sum, -(derivative * inverse.square()))
    }
}

/// Computes the weights μ_i: |μ_i| with the sign (−1)^{p+i}.
///
/// The points are multiplied by four, the inverse of the capacity of [0, 1], so that the products do not underflow.
fn weights<T: Real>(points: &[T], order: usize) -> Vec<T> {
    let Some(one) = points.first().map(|point| point.like(1.0)) else { return Vec::new() };
    let scaled: Vec<T> = points.iter().map(|point| point.clone() * one.like(4.0)).collect();
    let mut products = scaled.clone();
    for i in 0..scaled.len() {
        for j in 0..i {
            let distance = scaled[i].clone() - scaled[j].clone();
            products[i] = products[i].clone() * distance.clone();
            products[j] = products[j].clone() * distance;
        }
    }
    let all = scaled.into_iter().fold(one, |product, point| product * point);
    let weight = |i: usize| all.clone() / (products[i].clone() * points[i].power(order));
    (0..points.len()).map(|i| if (order + i).is_multiple_of(2) { weight(i) } else { -weight(i) }).collect()
}

/// Expands (−1)^p/Π(1 − t/t_i) up to t^p: complete symmetric functions of 1/t_i.
fn series<T: Real>(points: &[T], order: usize) -> Vec<T> {
    let Some(first) = points.first() else { return Vec::new() };
    let mut series = vec![first.like(0.0); order + 1];
    series[0] = first.like(if order.is_multiple_of(2) { 1.0 } else { -1.0 });
    for point in points {
        for k in 1..=order {
            let previous = series[k - 1].clone() / point.clone();
            series[k] += previous;
        }
    }
    series
}

/// Expands E_p(−Lt) Σ h_k tᵏ up to t^p.
fn taylor_times<T: Real>(limit: &T, series: &[T]) -> Vec<T> {
    let mut taylor = limit.like(1.0);
    let mut values = series.to_vec();
    for shift in 1..series.len() {
        taylor = -(taylor * limit.clone()) / limit.like(shift as f64);
        for k in shift..series.len() {
            values[k] += taylor.clone() * series[k - shift].clone();
        }
    }
    values
}

fn horner<T: Real>(coefficients: &[T], t: &T) -> T {
    coefficients.iter().rev().fold(t.like(0.0), |sum, coefficient| sum * t.clone() + coefficient.clone())
}

fn sum<T: Real>(like: &T, terms: impl Iterator<Item = T>) -> T {
    terms.fold(like.like(0.0), |sum, term| sum + term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::real::BigReal;
    use crate::solve::remez::alternate;
    use hemiola_number::DoubleDouble;

    const CASES: [(usize, usize, f64); 6] =
        [(5, 5, 0.0), (6, 4, 0.0), (30, 2, 0.0), (30, 3, 0.05), (120, 4, 0.0), (120, 1, 0.1)];

    fn polished(stages: usize, order: usize, damping: f64) -> Alternation<DoubleDouble> {
        alternate(stages, order, damping).unwrap().refine(&DoubleDouble::from(0.0))
    }

    /// Computes T_0(x) … T_n(x).
    fn chebyshev<T: Real>(n: usize, x: &T) -> Vec<T> {
        let mut sequence = vec![x.like(1.0), x.clone()];
        for k in 1..n {
            sequence.push(x.like(2.0) * x.clone() * sequence[k].clone() - sequence[k - 1].clone());
        }
        sequence
    }

    #[test]
    fn moduli_stay_within_one() {
        for (stages, order, damping) in CASES {
            let alternation = alternate(stages, order, damping).unwrap();
            for k in 0..=40 * stages {
                let t = (std::f64::consts::FRAC_PI_2 * k as f64 / (40 * stages) as f64).sin().powi(2);
                let most = if t < alternation.points[0] { 1.0 } else { 1.0 - damping };
                assert!(alternation.at_fraction(&t).abs() <= most + 1e-13, "{stages} {order} at {t}");
            }
        }
    }

    /// Checks values close to the points: they come from the neighboring nodes, not only from the point itself.
    #[test]
    fn points_are_extrema() {
        for (stages, order, damping) in CASES {
            let alternation = polished(stages, order, damping);
            for (i, point) in alternation.points.iter().enumerate().rev().skip(1) {
                let aside = *point * DoubleDouble::from(1.0 + 1e-12);
                let distance = alternation.extremum(i) - alternation.at_fraction(&aside);
                // R″/2 · (10⁻¹² t)² with |R″| ≤ 4s²(s² − 1)/3 (V. Markov 1892).
                let most = 1e-24 * (stages as f64).powi(4);
                assert!(distance.abs().to_f64() < most, "{stages} {order} {i}: {distance:?}");
                let sign = if alternation.is_maximum(i) { 1.0 } else { -1.0 };
                assert!(distance.to_f64() * sign > 0.0);
            }
        }
    }

    #[test]
    fn multipliers_prove_the_limit() {
        for (stages, order, damping) in CASES {
            let alternation = polished(stages, order, damping);
            let Alternation { limit, level, points, .. } = &alternation;
            let zero = DoubleDouble::from(0.0);
            let multipliers = alternation.multipliers();
            let (mut sizes, mut taylor, mut slope) = (zero, zero, zero);
            let mut free = vec![zero; stages + 1 - order];
            for (i, multiplier) in multipliers.iter().enumerate() {
                assert!(multiplier.to_f64() * alternation.extremum(i).to_f64() > 0.0);
                let z = -(*limit * points[i]);
                let mut term = *multiplier;
                for k in 0..=order {
                    taylor += term;
                    if k < order {
                        slope -= term * points[i];
                    }
                    term = term * z / zero.like((k + 1) as f64);
                }
                sizes += multiplier.abs();
                let power = *multiplier * points[i].power(order + 1);
                for (sum, value) in
                    free.iter_mut().zip(chebyshev(stages, &(zero.like(1.0) + z * zero.like(2.0) / *limit)))
                {
                    *sum += power * value;
                }
            }
            free.truncate(stages - order);
            // The sum of E_p(z_i) cancels terms of size L^p/p!.
            let canceled = 1e-26 * sizes.to_f64() * limit.to_f64().powi(i32::try_from(order).unwrap());
            assert!((sizes * *level - taylor).abs().to_f64() < canceled, "{stages} {order}");
            assert!((slope - zero.like(1.0)).abs().to_f64() < canceled, "{stages} {order}");
            assert!(free.iter().all(|sum| sum.abs() < sizes * zero.like(1e-25)), "{stages} {order}");
        }
    }

    #[test]
    fn coefficients_have_the_order_and_no_higher_one() {
        for (stages, order, damping) in CASES {
            let alternation = alternate(stages, order, damping).unwrap().refine(&BigReal::new(0.0, 80));
            let one = BigReal::new(1.0, 80);
            let scale = one.like(2.0) / alternation.limit.clone();
            // T_j^(k)(1) = Π_{i<k} (j² − i²)/(2i + 1).
            let mut derivatives = alternation.chebyshev();
            for k in 0..=order + 1 {
                let sum = sum(&one, derivatives.iter().cloned());
                let error = (sum - one.clone()).abs().to_f64();
                assert_eq!(error < 1e-60, k <= order, "{stages} {order} {k}: {error:e}");
                for (j, derivative) in derivatives.iter_mut().enumerate() {
                    let factor = (j * j) as f64 - (k * k) as f64;
                    *derivative = derivative.clone() * scale.clone() * one.like(factor) / one.like((2 * k + 1) as f64);
                }
            }
        }
    }

    #[test]
    fn coefficients_and_values_agree() {
        for (stages, order, damping) in CASES {
            let alternation = alternate(stages, order, damping).unwrap();
            let coefficients = alternation.chebyshev();
            for k in 0..=50 {
                let z = -alternation.limit * f64::from(k) / 50.0;
                let values = chebyshev(stages, &(1.0 + 2.0 * z / alternation.limit));
                let value: f64 = coefficients.iter().zip(values).map(|(coefficient, value)| coefficient * value).sum();
                assert!((value - alternation.at(&z)).abs() < 1e-10, "{stages} {order} at {z}");
            }
        }
    }
}
