//! Discontinuous Galerkin operators with Legendre polynomials of degree p on each cell.

use crate::equations::Number;
use crate::parameter::{AdmissibleValues, Parameter, Values};

/// Parameters of discontinuous Galerkin methods.
pub(super) const PARAMETERS: [Parameter; 2] = [
    Parameter::new("degree", "degree of the polynomials on a cell", 3.0, "1").within(AdmissibleValues::Degree),
    Parameter::choice(
        "nodes",
        "integrals: exact by Gauss nodes, or by the p + 1 Lobatto nodes of DGSEM",
        &["gauss", "lobatto"],
    ),
];

/// Legendre polynomials and their derivatives at the nodes of a quadrature on the cell [−1, 1].
pub(super) struct Galerkin {
    nodes: Vec<f64>,
    weights: Vec<f64>,
    /// The values of P_k at each node, and of P_k′.
    values: Vec<Vec<f64>>,
    slopes: Vec<Vec<f64>>,
    /// The factors 2/∫P_k²: 2k + 1, but p for the last one with Lobatto nodes.
    factors: Vec<f64>,
}

impl Galerkin {
    pub(super) fn of(values: Values<'_>) -> Self {
        let degree = values.of("degree") as usize;
        if values.is("nodes", "lobatto") { Self::lobatto(degree) } else { Self::exact(degree) }
    }

    /// Creates operators with enough nodes to integrate P_k′u² exactly.
    fn exact(degree: usize) -> Self {
        Self::new(degree, gauss(3 * degree / 2 + 1))
    }

    /// Creates collocation operators (Kopriva & Gassner 2010): polynomials through p + 1 Lobatto nodes, which also
    /// serve for integration. For p = 0 they equal those with Gauss nodes.
    fn lobatto(degree: usize) -> Self {
        if degree == 0 {
            return Self::exact(degree);
        }
        let mut found = Self::new(degree, lobatto(degree));
        found.factors[degree] = degree as f64;
        found
    }

    fn new(degree: usize, (nodes, weights): (Vec<f64>, Vec<f64>)) -> Self {
        let (values, slopes) = nodes.iter().map(|&x| legendre(degree, x)).unzip();
        let factors = (0..=degree).map(|k| (2 * k + 1) as f64).collect();
        Self { nodes, weights, values, slopes, factors }
    }

    /// Returns the number of coefficients of a cell.
    pub(super) fn size(&self) -> usize {
        self.factors.len()
    }

    /// Returns ∫ u² over a cell of width two.
    pub(super) fn square<N: Number>(&self, u: &[N]) -> N {
        u.iter().zip(&self.factors).fold(N::from(0.0), |sum, (u, factor)| sum + *u * *u * (2.0 / factor))
    }

    /// Returns ∫ P_k² over a cell of width two.
    pub(super) fn square_of(&self, k: usize) -> f64 {
        2.0 / self.factors[k]
    }

    /// Evaluates the polynomial at the nodes.
    pub(super) fn at_nodes<'a, N: Number>(&'a self, u: &'a [N]) -> impl Iterator<Item = N> + 'a {
        self.values
            .iter()
            .map(move |values| u.iter().zip(values).fold(N::from(0.0), |sum, (u, value)| sum + *u * *value))
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns P_l at a node.
    pub(super) fn value(&self, node: usize, l: usize) -> f64 {
        self.values[node][l]
    }

    /// Returns the weight of the value at a node in the coefficient of P_l.
    pub(super) fn projection(&self, node: usize, l: usize) -> f64 {
        0.5 * self.factors[l] * self.weights[node] * self.values[node][l]
    }

    /// Computes the coefficients of −∂f/∂x on a cell of the given width from f at the nodes and the numerical fluxes at
    /// the ends.
    pub(super) fn divergence<N: Number>(
        &self,
        width: f64,
        inside: impl Iterator<Item = N>,
        [left, right]: [N; 2],
        rate: &mut [N],
    ) {
        for (k, rate) in rate.iter_mut().enumerate() {
            *rate = if k % 2 == 0 { left - right } else { N::from(0.0) - left - right };
        }
        for ((f, weight), slopes) in inside.zip(&self.weights).zip(&self.slopes) {
            for (rate, slope) in rate.iter_mut().zip(slopes) {
                *rate += f * (weight * slope);
            }
        }
        for (rate, factor) in rate.iter_mut().zip(&self.factors) {
            *rate *= factor / width;
        }
    }

    /// Returns the coefficients of a function's projection on a cell; with Lobatto nodes it interpolates.
    pub(super) fn projected(&self, center: f64, width: f64, f: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.size()];
        for ((x, weight), values) in self.nodes.iter().zip(&self.weights).zip(&self.values) {
            let value = weight * f(center + 0.5 * width * x);
            sums.iter_mut().zip(values).for_each(|(sum, p)| *sum += value * p);
        }
        sums.iter().zip(&self.factors).map(|(sum, factor)| sum * factor / 2.0).collect()
    }
}

/// Returns the value at the right end, where all P_k are one.
pub(super) fn right_end<N: Number>(u: &[N]) -> N {
    u.iter().fold(N::from(0.0), |sum, u| sum + *u)
}

/// Returns the value at the left end, where P_k is (−1)ᵏ.
pub(super) fn left_end<N: Number>(u: &[N]) -> N {
    u.iter().enumerate().fold(N::from(0.0), |sum, (k, u)| if k % 2 == 0 { sum + *u } else { sum - *u })
}

/// Evaluates P_0 … P_p and their derivatives at x.
fn legendre(degree: usize, x: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut p, mut d) = (vec![1.0, x], vec![0.0, 1.0]);
    for k in 1..degree {
        let n = k as f64;
        p.push(((2.0 * n + 1.0) * x * p[k] - n * p[k - 1]) / (n + 1.0));
        d.push(d[k - 1] + (2.0 * n + 1.0) * p[k]);
    }
    p.truncate(degree + 1);
    d.truncate(degree + 1);
    (p, d)
}

/// Computes the nodes and weights of Gauss quadrature by Newton's method.
pub(super) fn gauss(count: usize) -> (Vec<f64>, Vec<f64>) {
    let node = |k: usize| {
        let mut x = -(std::f64::consts::PI * (k as f64 + 0.75) / (count as f64 + 0.5)).cos();
        for _ in 0..50 {
            let (p, d) = legendre(count, x);
            x -= p[count] / d[count];
        }
        let slope = legendre(count, x).1[count];
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).unzip()
}

/// Computes the nodes and weights of Lobatto quadrature with p + 1 nodes: ±1 and the zeros of P_p′, by Newton's method
/// on (1 − x²)P_p′ from the extrema of Chebyshev's polynomial.
fn lobatto(degree: usize) -> (Vec<f64>, Vec<f64>) {
    let n = degree as f64;
    let node = |k: usize| {
        let mut x = -(std::f64::consts::PI * k as f64 / n).cos();
        for _ in 0..50 {
            // ((1 − x²)P_p′)′ = −p(p + 1)P_p.
            let (p, d) = legendre(degree, x);
            x += (1.0 - x * x) * d[degree] / (n * (n + 1.0) * p[degree]);
        }
        (x, 2.0 / (n * (n + 1.0) * legendre(degree, x).0[degree].powi(2)))
    };
    (0..=degree).map(node).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_exact_for_its_degree() {
        for count in 1..10 {
            let (nodes, weights) = gauss(count);
            for power in 0..2 * count {
                let sum: f64 = nodes.iter().zip(&weights).map(|(x, w)| w * x.powi(power as i32)).sum();
                let exact = if power % 2 == 0 { 2.0 / (power + 1) as f64 } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "{count} {power}: {sum}");
            }
        }
    }

    #[test]
    fn lobatto_nodes_integrate_up_to_twice_the_degree_less_one() {
        for degree in 1..=6 {
            let (nodes, weights) = lobatto(degree);
            assert!(nodes[0] == -1.0 && nodes[degree] == 1.0);
            for power in 0..2 * degree {
                let sum: f64 = nodes.iter().zip(&weights).map(|(x, w)| w * x.powi(power as i32)).sum();
                let exact = if power % 2 == 0 { 2.0 / (power + 1) as f64 } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "{degree} {power}: {sum}");
            }
            // A polynomial of degree p is interpolated, thanks to the changed factor of its highest term.
            let u = Galerkin::lobatto(degree).projected(0.3, 2.0, |x| (x - 0.1).powi(degree as i32));
            assert!((right_end(&u) - 1.2f64.powi(degree as i32)).abs() < 1e-13, "{degree}");
        }
    }

    #[test]
    fn polynomials_are_differentiated_exactly() {
        // f = x³ − x on the cell [1, 1.5], with its own values as fluxes.
        for galerkin in [Galerkin::exact(3), Galerkin::lobatto(3)] {
            is_differentiated(&galerkin);
        }
    }

    fn is_differentiated(galerkin: &Galerkin) {
        let f = |x: f64| x.powi(3) - x;
        let u = galerkin.projected(1.25, 0.5, f);
        assert!((left_end(&u) - f(1.0)).abs() < 1e-14 && (right_end(&u) - f(1.5)).abs() < 1e-14);
        let mut rate = vec![0.0; 4];
        galerkin.divergence(0.5, galerkin.at_nodes(&u), [f(1.0), f(1.5)], &mut rate);
        let expected = galerkin.projected(1.25, 0.5, |x| 1.0 - 3.0 * x * x);
        assert!(rate.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{rate:?} {expected:?}");
    }
}
