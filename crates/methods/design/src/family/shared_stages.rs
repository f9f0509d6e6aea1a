//! The last stages of a family, which all of its levels share.
//!
//! Each level has its own stages before the second stage j of the tail, and only j uses them: row j is c_j k₁ +
//! α(k_{j−1} − k₁) with an α for each level (zero for the level with the fewest evaluations). Conditions of order p
//! couple levels only through the entries (bᵀAᵐ)_j, m = 0 … p − 3. If these vanish and the tail has order p, every
//! mixture of levels has order p, for any stages before the tail. All tails below are rational in their parameters,
//! so that the order is exact.

use std::ops::{Add, Div, Mul, Sub};

/// Numbers for the closed forms: doubles in the search, rationals for the result.
pub(crate) trait RationalField:
    Clone + From<i32> + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl<T> RationalField for T where
    T: Clone
        + From<i32>
        + PartialEq
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
{
}

/// The closed form of a tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TailForm {
    /// Order two on two stages: Ralston's method, whose quadrature has order three.
    Two,
    /// Order three on three stages: Radau's quadrature at 0 and 2/3; c_j is free.
    Three,
    /// Order three on four stages with all conditions of order four except that of the tall tree; c₂ and c₃ are free.
    ThreeOnFour,
    /// Order four on four stages (Kutta 1901): b_j = 0; c_j is free.
    Four,
    /// Order four on five stages that use only the first and the previous stage; c_j and the node c₄ are free.
    Chain,
    /// Order four on five stages; the abscissae and a₄₃ are free.
    Full,
}

impl TailForm {
    pub(crate) fn parameters(self) -> usize {
        match self {
            Self::Two => 0,
            Self::Three | Self::Four => 1,
            Self::ThreeOnFour | Self::Chain => 2,
            Self::Full => 5,
        }
    }

    /// Returns the number of stages k.
    pub(crate) fn stages(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::ThreeOnFour | Self::Four => 4,
            Self::Chain | Self::Full => 5,
        }
    }

    pub(crate) fn order(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three | Self::ThreeOnFour => 3,
            Self::Four | Self::Chain | Self::Full => 4,
        }
    }

    /// Returns whether every stage uses only the first and the previous stage.
    pub(crate) fn is_chain(self) -> bool {
        matches!(self, Self::Two | Self::Three | Self::Chain)
    }

    /// Returns the number of conditions that the tail imposes on the polynomials of longer levels: values at the
    /// zeros of B.
    pub(crate) fn conditions(self) -> usize {
        self.stages() - self.order()
    }
}

/// The shared stages: the first stage of all, and the last k − 1.
#[derive(Clone, Debug)]
pub(crate) struct Tail<T> {
    pub(crate) a: Vec<Vec<T>>,
    pub(crate) b: Vec<T>,
    pub(crate) c: Vec<T>,
}

impl<T: RationalField> Tail<T> {
    /// Computes the tail for given parameters. Their number is [`TailForm::parameters`]; abscissae must differ.
    pub(crate) fn new(shape: TailForm, x: &[T]) -> Self {
        let at = |i: usize| x.get(i).cloned().unwrap_or_else(|| T::from(1));
        match shape {
            TailForm::Two => {
                let c = vec![int(0), ratio(2, 3)];
                Self::from_chain(c, &[int(0)], vec![ratio(1, 4), ratio(3, 4)])
            }
            TailForm::Three => {
                let c = at(0);
                let lean = ratio::<T>(2, 9) / c.clone();
                Self::from_chain(vec![int(0), c, ratio(2, 3)], &[int(0), lean], vec![ratio(1, 4), int(0), ratio(3, 4)])
            }
            TailForm::ThreeOnFour => three_on_four(at(0), at(1)),
            TailForm::Four => four(at(0)),
            TailForm::Chain => chain(at(0), at(1)),
            TailForm::Full => full([at(0), at(1), at(2), at(3)], at(4)),
        }
    }

    /// Builds a tail whose stage i uses the first stage and, with α_i, the previous one; `lean` begins at the
    /// second stage.
    fn from_chain(c: Vec<T>, lean: &[T], b: Vec<T>) -> Self {
        let mut below = vec![Vec::new(), Vec::new()];
        for (i, alpha) in lean.iter().enumerate().skip(1) {
            let mut row = vec![int(0); i];
            row[i - 1] = alpha.clone();
            below.push(row);
        }
        Self::with_rows(c, below, b)
    }

    /// Builds a tail from the entries of A in columns two and later; the first column completes the row sums.
    fn with_rows(c: Vec<T>, below: Vec<Vec<T>>, b: Vec<T>) -> Self {
        let s = c.len();
        let mut a = vec![vec![int(0); s]; s];
        for (i, entries) in below.into_iter().enumerate().skip(1) {
            let mut first = c[i].clone();
            for (j, entry) in (1..).zip(entries) {
                first = first - entry.clone();
                a[i][j] = entry;
            }
            a[i][0] = first;
        }
        Self { a, b, c }
    }
}

fn int<T: RationalField>(n: i32) -> T {
    T::from(n)
}

fn ratio<T: RationalField>(n: i32, d: i32) -> T {
    T::from(n) / T::from(d)
}

/// Solves [a b; c d] (x, y) = (e, f).
fn solve2<T: RationalField>([a, b, e]: [T; 3], [c, d, f]: [T; 3]) -> [T; 2] {
    let det = a.clone() * d.clone() - b.clone() * c.clone();
    let x = (e.clone() * d - b * f.clone()) / det.clone();
    let y = (a * f - c * e) / det;
    [x, y]
}

/// Computes weights w_k at nodes x_k with the moments 1/2, 1/3, 1/4, for nodes that include 0: the interpolatory
/// formula for ∫ t f(t) dt, divided by x.
fn weights<T: RationalField, const N: usize>(nodes: &[T; N]) -> [T; N] {
    // ∫ t Π_{l≠k} (t − x_l) dt / (x_k Π (x_k − x_l)).
    std::array::from_fn(|k| {
        let mut poly = vec![int::<T>(1)];
        let mut below = nodes[k].clone();
        for (l, node) in nodes.iter().enumerate().filter(|(l, _)| *l != k) {
            let _ = l;
            let mut next = vec![int::<T>(0); poly.len() + 1];
            for (i, value) in poly.iter().enumerate() {
                next[i + 1] = next[i + 1].clone() + value.clone();
                next[i] = next[i].clone() - node.clone() * value.clone();
            }
            poly = next;
            below = below * (nodes[k].clone() - node.clone());
        }
        let integral = poly
            .into_iter()
            .enumerate()
            .fold(int::<T>(0), |sum, (i, value)| sum + value / int::<T>(i32::try_from(i + 2).unwrap_or(i32::MAX)));
        integral / below
    })
}

/// Returns the other node of a quadrature of order four with the nodes 0 and x: ∫ t(t − x)(t − y) dt = 0.
fn conjugate_node<T: RationalField>(x: &T) -> T {
    (ratio::<T>(1, 4) - x.clone() / int(3)) / (ratio::<T>(1, 3) - x.clone() / int(2))
}

/// Computes d = bᵀA beyond the first column, from d·c = 1/6 and d·c² = 1/12.
fn inner<T: RationalField>(x: &T, y: &T) -> [T; 2] {
    solve2([x.clone(), y.clone(), ratio(1, 6)], [x.clone() * x.clone(), y.clone() * y.clone(), ratio(1, 12)])
}

fn three_on_four<T: RationalField>(c2: T, c3: T) -> Tail<T> {
    let c4 = conjugate_node(&c3);
    let [b3, b4] = weights(&[c3.clone(), c4.clone()]);
    let [_, d3] = inner(&c2, &c3);
    // e = A c satisfies b·e = 1/6 and (b c)·e = 1/8.
    let [e3, e4] =
        solve2([b3.clone(), b4.clone(), ratio(1, 6)], [b3.clone() * c3.clone(), b4.clone() * c4.clone(), ratio(1, 8)]);
    let a43 = d3 / b4.clone();
    let a42 = (e4 - a43.clone() * c3.clone()) / c2.clone();
    let a32 = e3 / c2.clone();
    let b1 = int::<T>(1) - b3.clone() - b4.clone();
    Tail::with_rows(vec![int(0), c2, c3, c4], vec![vec![], vec![], vec![a32], vec![a42, a43]], vec![b1, int(0), b3, b4])
}

fn four<T: RationalField>(c2: T) -> Tail<T> {
    let a32 = ratio::<T>(1, 8) / c2.clone();
    let a42 = ratio::<T>(-1, 2) / c2.clone();
    let c = vec![int(0), c2, ratio(1, 2), int(1)];
    Tail::with_rows(
        c,
        vec![vec![], vec![], vec![a32], vec![a42, int(2)]],
        vec![ratio(1, 6), int(0), ratio(2, 3), ratio(1, 6)],
    )
}

/// Builds the chain with b_j = b₃ = 0: x_i = b_i α_i c_{i−1} satisfies Σ x_i = 1/6, Σ x_i c_i = 1/8, Σ x_i c_{i−1}
/// = 1/12.
fn chain<T: RationalField>(c2: T, c4: T) -> Tail<T> {
    let c5 = conjugate_node(&c4);
    let [b4, b5] = weights(&[c4.clone(), c5.clone()]);
    let [x4, x5] = solve2([int(1), int(1), ratio(1, 6)], [c4.clone(), c5.clone(), ratio(1, 8)]);
    let c3 = (ratio::<T>(1, 12) - x5.clone() * c4.clone()) / x4.clone();
    let lean5 = x5 / (b5.clone() * c4.clone());
    let lean4 = x4 / (b4.clone() * c3.clone());
    let rest = ratio::<T>(1, 24) - b5.clone() * lean5.clone() * lean4.clone() * c3.clone();
    let lean3 = rest / (b4.clone() * lean4.clone() * c2.clone());
    let b1 = int::<T>(1) - b4.clone() - b5.clone();
    Tail::from_chain(vec![int(0), c2, c3, c4, c5], &[int(0), lean3, lean4, lean5], vec![b1, int(0), int(0), b4, b5])
}

/// Builds the tail with b_j = (bᵀA)_j = 0: d = bᵀA and e = Ac follow from linear equations, and A from them.
fn full<T: RationalField>([c2, c3, c4, c5]: [T; 4], a43: T) -> Tail<T> {
    let [b3, b4, b5] = weights(&[c3.clone(), c4.clone(), c5.clone()]);
    let [d3, d4] = inner(&c3, &c4);
    let a54 = d4.clone() / b5.clone();
    let a53 = (d3.clone() - b4.clone() * a43.clone()) / b5.clone();
    // Solve d₃e₃ + d₄e₄ = 1/24 and, with e₅ eliminated, Σ b e = 1/6 and Σ b c e = 1/8.
    let reduced = |b: &T, c: &T| b.clone() * (c.clone() - c5.clone());
    let right = ratio::<T>(1, 8) - c5.clone() / int(6);
    let [e3, e4] = solve2([d3, d4, ratio(1, 24)], [reduced(&b3, &c3), reduced(&b4, &c4), right]);
    let e5 = (ratio::<T>(1, 6) - b3.clone() * e3.clone() - b4.clone() * e4.clone()) / b5.clone();
    let a32 = e3 / c2.clone();
    let a42 = (e4 - a43.clone() * c3.clone()) / c2.clone();
    let a52 = (e5 - a53.clone() * c3.clone() - a54.clone() * c4.clone()) / c2.clone();
    let b1 = int::<T>(1) - b3.clone() - b4.clone() - b5.clone();
    let rows = vec![vec![], vec![], vec![a32], vec![a42, a43], vec![a52, a53, a54]];
    Tail::with_rows(vec![int(0), c2, c3, c4, c5], rows, vec![b1, int(0), b3, b4, b5])
}

impl Tail<f64> {
    /// Returns whether no weight is negative and all abscissae lie between zero and one.
    pub(crate) fn is_within(&self) -> bool {
        self.b.iter().all(|&b| b >= 0.0) && self.c.iter().all(|c| (0.0..=1.0).contains(c))
    }

    /// Computes A and B of R = A(z) + B(z) κ_j(z) by powers of z, where κ_j = h k_j of the second stage.
    pub(crate) fn polynomials(&self) -> [Vec<f64>; 2] {
        let s = self.c.len();
        // κ_i = known + factor·κ_j.
        let mut known = vec![vec![0.0; s + 1]; s];
        let mut factor = vec![vec![0.0; s + 1]; s];
        known[0][1] = 1.0;
        factor[1][0] = 1.0;
        for i in 2..s {
            known[i][1] = 1.0;
            for j in 0..i {
                for k in 0..s {
                    known[i][k + 1] += self.a[i][j] * known[j][k];
                    factor[i][k + 1] += self.a[i][j] * factor[j][k];
                }
            }
        }
        let sum = |parts: &[Vec<f64>], first: f64| -> Vec<f64> {
            let at = |k: usize| parts.iter().zip(&self.b).map(|(part, b)| b * part[k]).sum::<f64>();
            (0..=s).map(|k| at(k) + if k == 0 { first } else { 0.0 }).collect()
        };
        [sum(&known, 1.0), sum(&factor, 0.0)]
    }

    /// Computes the sum of squared violations: negative weights, abscissae outside [0, 1], and coefficients beyond
    /// a bound.
    ///
    /// A small margin compensates for the slight violations that penalties leave.
    pub(crate) fn excess(&self, largest: f64) -> f64 {
        const MARGIN: f64 = 5e-4;
        let beyond = |x: f64, low: f64, high: f64| (low - x).max(x - high).max(0.0);
        let b: f64 = self.b.iter().map(|&b| beyond(b, MARGIN, 1.0).powi(2)).sum();
        let c: f64 = self.c.iter().map(|&c| beyond(c, 0.0, 1.0 - MARGIN).powi(2)).sum();
        let a: f64 = self.a.iter().flatten().map(|&a| beyond(a, -largest, largest).powi(2)).sum();
        let sum = a + b + c;
        if sum.is_finite() { sum } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use dashu::rational::RBig;
    use hemiola_order::{Grammar, StageSolution, Trees, Weights};
    use hemiola_tableau::{Exact, Tableau};

    use super::*;

    const PARAMETERS: [(TailForm, &[(i32, i32)]); 6] = [
        (TailForm::Two, &[]),
        (TailForm::Three, &[(1, 2)]),
        (TailForm::ThreeOnFour, &[(1, 3), (2, 5)]),
        (TailForm::Four, &[(2, 5)]),
        (TailForm::Chain, &[(1, 4), (2, 5)]),
        (TailForm::Full, &[(3, 5), (3, 10), (7, 10), (19, 20), (1, 2)]),
    ];

    /// Builds two levels that differ in a stage before the tail, exactly.
    fn pair(tail: &Tail<RBig>) -> Tableau<Exact> {
        let s = tail.c.len() + 1;
        let level = |lean: RBig| {
            let mut a = vec![vec![RBig::ZERO; s]; s];
            a[1][0] = RBig::from_parts(3.into(), 4u8.into());
            for i in 1..s - 1 {
                a[i + 1][0] = tail.a[i][0].clone();
                for j in 1..i {
                    a[i + 1][j + 1] = tail.a[i][j].clone();
                }
            }
            a[2][0] = &tail.c[1] - &lean;
            a[2][1] = lean;
            let b: Vec<RBig> = [tail.b[0].clone(), RBig::ZERO].into_iter().chain(tail.b[1..].iter().cloned()).collect();
            let exact = |values: Vec<RBig>| values.into_iter().map(Exact::from).collect::<Vec<_>>();
            (a.into_iter().map(exact).collect(), exact(b), None)
        };
        Tableau::new(vec![level(RBig::ZERO), level(RBig::from_parts(7.into(), 11u8.into()))])
    }

    #[test]
    fn all_mixtures_of_levels_have_the_order_exactly_and_no_higher_one() {
        for (shape, parameters) in PARAMETERS {
            let x: Vec<RBig> = parameters.iter().map(|&(n, d)| RBig::from(n) / RBig::from(d)).collect();
            assert_eq!(x.len(), shape.parameters());
            let tail = Tail::new(shape, &x);
            assert_eq!(tail.c.len(), shape.stages());
            let tableau = pair(&tail);
            let trees = Trees::new(&Grammar::partitioned(2), shape.order() + 1).unwrap();
            let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
            for order in 1..=shape.order() + 1 {
                let fails = trees.of_order(order).into_iter().any(|tree| weights.residual(tree) != Exact::from(0));
                assert_eq!(fails, order > shape.order(), "{shape:?} at order {order}");
            }
        }
    }

    #[test]
    fn order_three_on_four_stages_misses_the_tall_tree_alone() {
        let tail = Tail::new(TailForm::ThreeOnFour, &[RBig::from(1) / RBig::from(3), RBig::from(2) / RBig::from(5)]);
        let tableau = pair(&tail);
        let trees = Trees::new(&Grammar::partitioned(2), 4).unwrap();
        let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
        let missed = trees.of_order(4).into_iter().filter(|&tree| weights.residual(tree) != Exact::from(0)).count();
        // The tall tree has four nodes in a row, each of two colors.
        assert_eq!(missed, 16);
    }

    #[test]
    fn polynomials_are_those_of_the_stages() {
        let tail = Tail::<f64>::new(TailForm::Full, &[0.6, 0.3, 0.7, 0.95, 0.5]);
        let [known, factor] = tail.polynomials();
        assert!(factor[0].abs() < 1e-14 && factor[1].abs() < 1e-14, "{factor:?}");
        // With κ_j = z + c_j z² this is the tail by itself, of order four.
        let mut r = known;
        r.resize(7, 0.0);
        for (k, value) in factor.iter().enumerate().take(5) {
            r[k + 1] += value;
            r[k + 2] += value * tail.c[1];
        }
        for (k, expected) in [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0].into_iter().enumerate() {
            assert!((r[k] - expected).abs() < 1e-14, "{k}: {}", r[k]);
        }
    }
}
