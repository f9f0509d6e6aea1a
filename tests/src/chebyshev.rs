//! Stabilized explicit methods of many stages with known stability functions: Runge–Kutta–Chebyshev methods of order
//! one and two (van der Houwen & Sommeijer 1980; Verwer, Hundsdorfer & Sommeijer 1990; Sommeijer, Shampine & Verwer
//! 1998) and Runge–Kutta–Legendre methods (Meyer, Balsara & Aslam 2014), as Butcher tableaus derived from their
//! recurrences.
//!
//! Stage j of all of them has R_j(z) = a_j + b_j P_j(w₀ + w₁z) with the Chebyshev or Legendre polynomial P_j, and is
//! computed by Y_j = (1 − μ_j − ν_j)Y₀ + μ_jY_{j−1} + ν_jY_{j−2} + μ̃_j hF_{j−1} + γ̃_j hF₀.

use std::ops::{Add, Div, Mul, Sub};

use dashu::rational::RBig;
use hemiola_tableau::{Claims, Coefficient, Method, Partition, Source};

/// Number type for coefficients and closed forms.
pub trait Number:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + PartialOrd
{
    /// Converts an integer.
    fn integer(value: i32) -> Self;
}

impl Number for f64 {
    fn integer(value: i32) -> Self {
        value.into()
    }
}

impl Number for RBig {
    fn integer(value: i32) -> Self {
        value.into()
    }
}

impl Number for qd::Quad {
    fn integer(value: i32) -> Self {
        Self::from_f64(value.into())
    }
}

/// Family of stabilized methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Chebyshev polynomials, order one, damping ε = 1/20.
    Rkc1,
    /// Chebyshev polynomials, order two, damping ε = 2/13.
    Rkc2,
    /// Legendre polynomials, order one, which need no damping.
    Rkl1,
    /// Legendre polynomials, order two.
    Rkl2,
}

/// Method of a family with at least two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stabilized {
    /// Family, which determines the polynomials and the order.
    pub family: Family,
    /// Number of stages s.
    pub stages: usize,
}

/// Stability function R(z) = a + b P_s(w₀ + w₁z).
#[derive(Clone, Debug)]
pub struct ClosedForm<T> {
    /// Constant term.
    pub a: T,
    /// Factor of the polynomial.
    pub b: T,
    /// Argument of the polynomial at z = 0.
    pub w0: T,
    /// Factor of z.
    pub w1: T,
    family: Family,
    stages: usize,
}

/// P_j, P_j′ and P_j″ at w₀, and b_j, for j = 0 … s.
struct PolynomialSeries<T> {
    values: Vec<T>,
    factors: Vec<T>,
    w0: T,
    w1: T,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 4] = [Self::Rkc1, Self::Rkc2, Self::Rkl1, Self::Rkl2];

    /// Returns the order, one or two.
    #[must_use]
    pub fn order(self) -> usize {
        match self {
            Self::Rkc1 | Self::Rkl1 => 1,
            Self::Rkc2 | Self::Rkl2 => 2,
        }
    }

    /// Returns the factors (p, q) of P_j = p w P_{j−1} − q P_{j−2}.
    fn recurrence<T: Number>(self, j: usize) -> (T, T) {
        let j = integer::<T>(j);
        let one = T::integer(1);
        match self {
            Self::Rkc1 | Self::Rkc2 => (T::integer(2), one),
            Self::Rkl1 | Self::Rkl2 => ((T::integer(2) * j.clone() - one.clone()) / j.clone(), (j.clone() - one) / j),
        }
    }

    /// Returns w₀ = 1 + ε/s².
    fn start<T: Number>(self, s: usize) -> T {
        let (numerator, denominator) = match self {
            Self::Rkc1 => (1, 20),
            Self::Rkc2 => (2, 13),
            Self::Rkl1 | Self::Rkl2 => (0, 1),
        };
        T::integer(1) + T::integer(numerator) / (T::integer(denominator) * integer(s) * integer(s))
    }
}

fn integer<T: Number>(value: usize) -> T {
    T::integer(i32::try_from(value).expect("stage numbers are small"))
}

impl Stabilized {
    /// Builds the tableau as a program computes it: recurrences and rows in doubles, printed with 17 digits.
    ///
    /// ```
    /// use hemiola_tests::chebyshev::{Family, Stabilized};
    /// let method = Stabilized { family: Family::Rkc2, stages: 40 }.in_doubles();
    /// assert_eq!((method.id(), method.stages()), ("rkc2-40", 40));
    /// ```
    ///
    /// # Panics
    /// If there are less than two stages.
    #[must_use]
    pub fn in_doubles(&self) -> Method {
        self.method(&self.rows::<f64>(), |value| format!("{value:.16e}"))
    }

    /// Builds the tableau in exact fractions; for RKC with more than some 40 stages they are too long for a method
    /// file.
    ///
    /// ```
    /// use hemiola_tests::chebyshev::{Family, Stabilized};
    /// let method = Stabilized { family: Family::Rkl1, stages: 2 }.in_fractions();
    /// assert_eq!(method.partitions()[0].b[1].text(), "1/2");
    /// ```
    ///
    /// # Panics
    /// If there are less than two stages, or too many for fractions.
    #[must_use]
    pub fn in_fractions(&self) -> Method {
        self.method(&self.rows::<RBig>(), ToString::to_string)
    }

    /// Returns the stability function, with constants computed in numbers of type `T`.
    ///
    /// ```
    /// use hemiola_tests::chebyshev::{Family, Stabilized};
    /// let [re, im] = Stabilized { family: Family::Rkl2, stages: 4 }.closed_form::<f64>().at([0.0, 0.0]);
    /// assert_eq!((re, im), (1.0, 0.0));
    /// ```
    #[must_use]
    pub fn closed_form<T: Number>(&self) -> ClosedForm<T> {
        let series = self.series::<T>();
        let (value, b) = (series.values[self.stages].clone(), series.factors[self.stages].clone());
        let a = match self.family {
            Family::Rkc1 | Family::Rkl1 => T::integer(0),
            Family::Rkc2 | Family::Rkl2 => T::integer(1) - b.clone() * value,
        };
        ClosedForm { a, b, w0: series.w0, w1: series.w1, family: self.family, stages: self.stages }
    }

    fn series<T: Number>(&self) -> PolynomialSeries<T> {
        let s = self.stages;
        let (zero, one) = (T::integer(0), T::integer(1));
        let w0: T = self.family.start(s);
        let mut values = vec![one.clone(), w0.clone()];
        let mut slopes = vec![zero.clone(), one.clone()];
        let mut bends = vec![zero.clone(), zero];
        for j in 2..=s {
            let (p, q) = self.family.recurrence::<T>(j);
            let next = |list: &[T], lower: T| {
                p.clone() * (w0.clone() * list[j - 1].clone() + lower) - q.clone() * list[j - 2].clone()
            };
            let value = next(&values, T::integer(0));
            let slope = next(&slopes, values[j - 1].clone());
            let bend = next(&bends, T::integer(2) * slopes[j - 1].clone());
            values.push(value);
            slopes.push(slope);
            bends.push(bend);
        }
        let square = |x: &T| x.clone() * x.clone();
        let (w1, factor): (T, Box<dyn Fn(usize) -> T>) = match self.family {
            Family::Rkc1 | Family::Rkl1 => {
                let values = values.clone();
                (values[s].clone() / slopes[s].clone(), Box::new(move |j| one.clone() / values[j].clone()))
            }
            Family::Rkc2 | Family::Rkl2 => (
                slopes[s].clone() / bends[s].clone(),
                // b₀ and b₁ are free; both papers take b₂, except for b₁ = 1/w₀ in the later one.
                Box::new(move |j| bends[j.max(2)].clone() / square(&slopes[j.max(2)])),
            ),
        };
        let factors = (0..=s).map(factor).collect();
        PolynomialSeries { values, factors, w0, w1 }
    }

    /// Computes the rows of A and b below each other: row j contains the weights of F₀ … F_{s−1} in Y_j, j = 0 … s.
    fn rows<T: Number>(&self) -> Vec<Vec<T>> {
        let s = self.stages;
        let PolynomialSeries { values, factors: b, w0, w1 } = self.series::<T>();
        let mut rows = vec![vec![T::integer(0); s]; 2];
        rows[1][0] = b[1].clone() * w1.clone();
        for j in 2..=s {
            let (p, q) = self.family.recurrence::<T>(j);
            let ratio = p * b[j].clone() / b[j - 1].clone();
            let (mu, slope) = (ratio.clone() * w0.clone(), ratio * w1.clone());
            let nu = q * b[j].clone() / b[j - 2].clone();
            let mut row: Vec<T> = rows[j - 1]
                .iter()
                .zip(&rows[j - 2])
                .map(|(x, y)| mu.clone() * x.clone() - nu.clone() * y.clone())
                .collect();
            row[j - 1] = row[j - 1].clone() + slope.clone();
            if self.family.order() == 2 {
                let a = T::integer(1) - b[j - 1].clone() * values[j - 1].clone();
                row[0] = row[0].clone() - a * slope;
            }
            rows.push(row);
        }
        rows
    }

    fn method<T>(&self, rows: &[Vec<T>], text: impl Fn(&T) -> String) -> Method {
        assert!(self.stages >= 2, "a recurrence of three terms has at least two stages");
        let coefficients = |row: &Vec<T>| -> Vec<Coefficient> {
            let parsed = row.iter().map(|value| Coefficient::parse(&text(value)));
            parsed.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{self:?}: {error}"))
        };
        let partition = Partition {
            name: "all".into(),
            a: rows[..self.stages].iter().map(coefficients).collect(),
            b: coefficients(&rows[self.stages]),
            c: None,
            b_hat: None,
            dense: None,
        };
        let name = format!("{:?} with {} stages", self.family, self.stages);
        let id = format!("{:?}-{}", self.family, self.stages).to_lowercase();
        let claims = Claims { order: Some(self.family.order()), ..Claims::default() };
        Method::new(&id, &name, vec![partition], claims, None, Source::default())
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}

impl<T: Number> ClosedForm<T> {
    /// Evaluates R at z = x + iy by the recurrence of P_s. Its error grows at most like s² times the rounding error of
    /// the largest intermediate P_j.
    pub fn at(&self, [x, y]: [T; 2]) -> [T; 2] {
        let w = [self.w0.clone() + self.w1.clone() * x, self.w1.clone() * y];
        let mut before = [T::integer(1), T::integer(0)];
        let mut here = w.clone();
        for j in 2..=self.stages {
            let (p, q) = self.family.recurrence::<T>(j);
            let [re, im] = here.clone();
            let product = [
                w[0].clone() * re.clone() - w[1].clone() * im.clone(),
                w[0].clone() * im.clone() + w[1].clone() * re.clone(),
            ];
            let [old_re, old_im] = before;
            before = [re, im];
            let [re, im] = product;
            here = [p.clone() * re - q.clone() * old_re, p * im - q * old_im];
        }
        let [re, im] = here;
        [self.a.clone() + self.b.clone() * re, self.b.clone() * im]
    }

    /// Returns |R|².
    pub fn squared_modulus(&self, z: [T; 2]) -> T {
        let [re, im] = self.at(z);
        re.clone() * re + im.clone() * im
    }
}

impl ClosedForm<qd::Quad> {
    /// Returns the limit on the negative real axis: the polynomial is at most one up to w₀ + w₁z = −1 and grows beyond
    /// it.
    ///
    /// ```
    /// use hemiola_tests::chebyshev::{Family, Stabilized};
    /// let limit = Stabilized { family: Family::Rkl1, stages: 10 }.closed_form().real_limit();
    /// assert!((limit - 110.0).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn real_limit(&self) -> f64 {
        let [one, half] = [1.0, 0.5].map(qd::Quad::from_f64);
        let is_stable = |t: qd::Quad| self.at([qd::Quad::from_f64(0.0) - t, qd::Quad::from_f64(0.0)])[0];
        let is_stable = |t: qd::Quad| {
            let value = is_stable(t);
            value <= one && value >= qd::Quad::from_f64(-1.0)
        };
        let mut stable = (self.w0 + one) / self.w1;
        let mut unstable = stable + stable;
        for _ in 0..110 {
            let middle = (stable + unstable) * half;
            if is_stable(middle) { stable = middle } else { unstable = middle }
        }
        stable.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that small tableaus in fractions have the polynomials of the closed forms.
    #[test]
    fn tableaus_have_the_closed_forms() {
        for family in Family::ALL {
            for stages in [2, 3, 5, 8] {
                let this = Stabilized { family, stages };
                let rows = this.rows::<RBig>();
                let closed = this.closed_form::<RBig>();
                let z = RBig::from_parts((-7).into(), 3u8.into());
                let mut values: Vec<RBig> = Vec::new();
                for row in &rows {
                    let sum = row.iter().zip(&values).map(|(a, y)| a * y).fold(RBig::ZERO, |sum, term| sum + term);
                    values.push(RBig::ONE + z.clone() * sum);
                }
                let expected = closed.at([z, RBig::ZERO]);
                assert_eq!(values[stages], expected[0], "{this:?}");
            }
        }
    }

    #[test]
    fn fractions_and_doubles_are_the_same_tableau() {
        for (family, stages) in [(Family::Rkc1, 30), (Family::Rkc2, 30), (Family::Rkl1, 100), (Family::Rkl2, 100)] {
            let this = Stabilized { family, stages };
            let [doubles, fractions] = [this.in_doubles(), this.in_fractions()].map(|method| method.to_f64());
            let pairs = doubles.partitions[0].a.iter().flatten().zip(fractions.partitions[0].a.iter().flatten());
            let distance = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(distance < 1e-13 && distance > 0.0, "{this:?}: {distance:e}");
        }
    }

    /// Checks R(z) = 1 + z + z²/2 + … to the claimed order and not beyond.
    #[test]
    fn orders() {
        for family in Family::ALL {
            let rows = Stabilized { family, stages: 6 }.rows::<RBig>();
            let sum = |weights: &[RBig]| weights.iter().fold(RBig::ZERO, |sum, weight| sum + weight);
            let second = rows[6].iter().zip(&rows).fold(RBig::ZERO, |total, (b, row)| total + b * sum(row));
            assert_eq!(sum(&rows[6]), RBig::ONE, "{family:?}");
            assert_eq!(second == RBig::from_parts(1.into(), 2u8.into()), family.order() == 2, "{family:?}");
        }
    }

    /// Checks β ≈ (2/3)(s² − 1)(1 − 2ε/15) for RKC2 of even degree (Verwer, Hundsdorfer & Sommeijer 1990, eq. 2.15),
    /// 2s² reduced by damping for RKC1, and exactly s² + s and (s² + s − 2)/2 for RKL1 and RKL2 of even degree.
    #[test]
    fn limits_from_the_literature() {
        for s in [10, 40, 100] {
            let n = f64::from(s);
            let limit = |family| Stabilized { family, stages: s as usize }.closed_form::<qd::Quad>().real_limit();
            assert!((limit(Family::Rkc2) / (2.0 / 3.0 * (n * n - 1.0) * (1.0 - 4.0 / 195.0)) - 1.0).abs() < 0.3 / n);
            assert!((limit(Family::Rkc1) / ((2.0 - 4.0 / 60.0) * n * n) - 1.0).abs() < 0.3 / n);
            assert!((limit(Family::Rkl1) / (n * n + n) - 1.0).abs() < 1e-14);
            assert!((limit(Family::Rkl2) / (0.5 * (n * n + n - 2.0)) - 1.0).abs() < 1e-14);
        }
    }
}
