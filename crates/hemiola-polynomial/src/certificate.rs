//! Proofs that a polynomial is stable up to its limit, and that none is beyond.

use dashu::base::{SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::about::{About, BoundaryCurve};
use crate::bound::UpperBound;
use crate::constraint::{Bound, Piece};
use crate::curve::Curve;
use crate::polynomial::{Axis, StabilityPolynomial};
use crate::signs::{Cell, first_positive, negative_cells};
use crate::spectrum::Spectrum;

/// What is proved of a polynomial, in exact arithmetic on its rational coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Together they say that the polynomial is stable on the boundary of the spectrum at its limit, and so inside: |R| ≤ 1,
    /// and |R| ≤ b where damping on an axis was asked for. Damping on other spectra is not part of the proof. Where an arc
    /// meets a ray, the directions are doubles, and the two ends lie within some 10⁻¹⁵ of the set's size.
    pub stability: Vec<Statement>,
    /// That no polynomial of the degree and order is stable beyond.
    pub optimality: Optimality,
}

/// A polynomial with rational coefficients is nowhere positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What the polynomial is, in words.
    pub text: String,
    /// What it is made from, so that it can be made again from the coefficients and the limit.
    pub about: About,
    /// Its coefficients, the constant first.
    pub polynomial: Vec<RBig>,
    /// Why it is not positive.
    pub proof: Proof,
}

/// Why a polynomial is not positive on [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// It is negative on each of these cells, which cover the interval ([`crate::signs::is_cell_negative`]).
    Cells(Vec<Cell>),
    /// It is not positive at 0, and has no root of odd multiplicity in (0, 1): it touches zero, exactly.
    NoChangeOfSign,
}

/// Why no polynomial is stable beyond the limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Optimality {
    /// A theorem: its source.
    Theorem(&'static str),
    /// A linear functional proves that the limit lies below this bound.
    Bounded(UpperBound),
    /// The conditions of optimality hold to rounding at the contact points: where the scaled sets are nested, nothing
    /// larger is stable; for eigenvalues and intervals with gaps, nothing a little larger is.
    Multipliers,
    /// Nothing is proved: the result of a conic program.
    Unproved,
}

/// Polynomials in one real variable.
type Polynomial = Vec<RBig>;
/// Complex polynomials in one real variable: the real and the imaginary part.
type Pair = (Polynomial, Polynomial);

impl StabilityPolynomial {
    /// Proofs of stability and optimality; `None` where |R| ≤ 1 does not hold exactly or cannot be decided, such as for
    /// eight-digit results.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, Problem, Optimality, Spectrum};
    /// let polynomial = Problem::new(Spectrum::Axis(Axis::Imaginary), 5, 3).solve()?.polynomial(20)?;
    /// let certificate = polynomial.certificate().expect("a proof");
    /// let Optimality::Bounded(bound) = certificate.optimality else { panic!() };
    /// // 20 digits are proved: the limit lies between the two.
    /// let gap = (bound.limit.sqr() - polynomial.limit_squared()).to_f64().value();
    /// assert!(gap > 0.0 && gap < 1e-19 * polynomial.limit());
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    #[must_use]
    pub fn certificate(&self) -> Option<Certificate> {
        let stability = self.statements()?.into_iter().map(prove).collect::<Option<Vec<_>>>()?;
        let optimality = match self.optimum().closed_form() {
            Some(source) => Optimality::Theorem(source),
            None if !self.optimum().is_polished() => Optimality::Unproved,
            None => UpperBound::new(self).map_or(Optimality::Multipliers, Optimality::Bounded),
        };
        Some(Certificate { stability, optimality })
    }

    /// The polynomials that must not be positive on [0, 1].
    fn statements(&self) -> Option<Vec<Claim>> {
        let problem = self.optimum().problem();
        match problem.spectrum() {
            Spectrum::Axis(Axis::Real) => self.on_real_axis(),
            Spectrum::Axis(Axis::Imaginary) => self.on_imaginary_axis(&problem.pieces().ok()?),
            _ => {
                let h = exact_root(self.limit_squared())?;
                let pieces = problem.pieces().ok()?;
                let statement = |piece: &Piece| Claim {
                    text: describe(piece),
                    about: About::Curve { curve: BoundaryCurve::from(&piece.curve), is_scaled: piece.is_scaled },
                    polynomial: excess(self.coefficients(), piece, &h),
                };
                Some(pieces.iter().map(statement).collect())
            }
        }
    }

    /// |R(iy)|² − b² as a polynomial in u: y² = L²u, or between the beginning of a damped band and L.
    fn on_imaginary_axis(&self, pieces: &[Piece]) -> Option<Vec<Claim>> {
        let square = squared_modulus(self.coefficients(), self.limit_squared());
        let statement = |piece: &Piece| {
            let Piece { curve: Curve::Segment { from, to }, bound: Bound::Power { epsilon, exponent }, .. } = piece
            else {
                return None;
            };
            let [from, to, epsilon] = [from.1, to.1, *epsilon].map(exact);
            let mut excess = square.clone();
            excess[0] -= RBig::ONE;
            // b² = 1 − ε(y/y_1)ⁿ, n even or zero.
            excess[exponent / 2] += &epsilon / to.sqr().pow(*exponent as isize / 2);
            let text = format!("|R(iy)|² − b² for {from} ≤ y/L ≤ {to}, as a polynomial in (y/L)²");
            let polynomial = shifted(&excess, &from.sqr(), &(to.sqr() - from.sqr()));
            let about = About::ImaginaryAxis { from, to, epsilon, exponent: *exponent };
            Some(Claim { text, about, polynomial })
        };
        pieces.iter().map(statement).collect()
    }

    /// R − 1 and −b − R on [−L, 0], and R − b from where R first falls to it.
    fn on_real_axis(&self) -> Option<Vec<Claim>> {
        let limit = exact_root(self.limit_squared())?;
        let level = RBig::ONE - exact(self.optimum().problem().eta());
        // R(−Lt).
        let mut power = RBig::ONE;
        let r: Polynomial = self
            .coefficients()
            .iter()
            .map(|beta| {
                let value = beta * &power;
                power *= -&limit;
                value
            })
            .collect();
        let minus = |sign: RBig, constant: &RBig| {
            let mut p: Polynomial = r.iter().map(|value| value * &sign).collect();
            p[0] -= constant;
            p
        };
        let claim = |text: String, is_above: bool, level: &RBig, from: RBig| {
            let whole = minus(if is_above { RBig::ONE } else { RBig::NEG_ONE }, level);
            let polynomial = shifted(&whole, &from, &(RBig::ONE - &from));
            Claim { text, about: About::RealAxis { is_above, level: level.clone(), from }, polynomial }
        };
        let mut claims = vec![
            claim("R(−Lt) − 1".to_owned(), true, &RBig::ONE, RBig::ZERO),
            claim(format!("−{level} − R(−Lt)"), false, &level, RBig::ZERO),
        ];
        if level < RBig::ONE {
            let falls = first_positive(&minus(RBig::NEG_ONE, &-&level))?;
            // Beyond the place, which is known to 70 bits, by a little.
            let from = falls * (RBig::ONE + RBig::from_parts(IBig::ONE, UBig::ONE << 40));
            let text = format!("R(−Lt) − {level} for {:.6} ≤ t ≤ 1", from.to_f64().value());
            claims.push(claim(text, true, &level, from));
        }
        Some(claims)
    }
}

/// |R(iy)|² = (Σ β_{2k}(−u)ᵏ)² + u(Σ β_{2k+1}(−u)ᵏ)² with u = y², as a polynomial in u/`unit`.
fn squared_modulus(beta: &[RBig], unit: &RBig) -> Polynomial {
    let part = |odd: usize| -> Polynomial {
        let mut power = RBig::ONE;
        let value = |beta: &RBig| {
            let value = beta * &power;
            power *= -unit;
            value
        };
        beta.iter().skip(odd).step_by(2).map(value).collect()
    };
    let (even, odd) = (part(0), part(1));
    let mut square = product(&even, &even);
    square.resize(beta.len() + 1, RBig::ZERO);
    for (k, value) in product(&odd, &odd).into_iter().enumerate() {
        square[k + 1] += value * unit;
    }
    square
}

/// (|R(z)|² − 1) |d|²ˢ on a piece z = a(t)/d(t), or for a single eigenvalue the constant |R|² − 1.
fn excess(beta: &[RBig], piece: &Piece, h: &RBig) -> Polynomial {
    let scale = if piece.is_scaled { h.clone() } else { RBig::ONE };
    let (a, d) = as_fraction(&piece.curve, &scale);
    // Horner's scheme for R dˢ = Σ β_k aᵏ dˢ⁻ᵏ.
    let mut numerator: Pair = (Vec::new(), Vec::new());
    let mut power: Pair = (vec![RBig::ONE], vec![]);
    for beta in beta.iter().rev() {
        numerator = times(&numerator, &a);
        add_multiple(&mut numerator, &power, beta);
        power = times(&power, &d);
    }
    let norm = |pair: &Pair| {
        let mut square = product(&pair.0, &pair.0);
        add(&mut square, &product(&pair.1, &pair.1), &RBig::ONE);
        square
    };
    let mut excess = norm(&numerator);
    // One factor d too many was multiplied on.
    let denominator = (1..beta.len()).fold((vec![RBig::ONE], vec![]), |power, _| times(&power, &d));
    add(&mut excess, &norm(&denominator), &RBig::NEG_ONE);
    excess
}

/// A curve as a(t)/d(t).
fn as_fraction(curve: &Curve, scale: &RBig) -> (Pair, Pair) {
    let one = (vec![RBig::ONE], vec![]);
    let scaled = |(x, y): (f64, f64)| (exact(x) * scale, exact(y) * scale);
    match *curve {
        Curve::Point(place) => {
            let (x, y) = scaled(place);
            ((vec![x], vec![y]), one)
        }
        Curve::Segment { from, to } => {
            let ((x, y), (x1, y1)) = (scaled(from), scaled(to));
            ((vec![x.clone(), x1 - x], vec![y.clone(), y1 - y]), one)
        }
        Curve::Arc { center, radius, half_tangent } => {
            // c + r(1 + iτ)/(1 − iτ) = ((c + r) + iτ(r − c))/(1 − iτ).
            let ((cx, cy), (rx, ry)) = (scaled(center), scaled(radius));
            let tau = exact(half_tangent);
            let a = (vec![&cx + &rx, (&cy - &ry) * &tau], vec![&cy + &ry, (&rx - &cx) * &tau]);
            (a, (vec![RBig::ONE], vec![RBig::ZERO, -tau]))
        }
    }
}

fn describe(piece: &Piece) -> String {
    let place = |(x, y): (f64, f64)| format!("{x} + {y}i");
    let scale = if piece.is_scaled { "z = hλ, " } else { "z = λ, " };
    match piece.curve {
        Curve::Point(at) => format!("|R(z)|² − 1 at {scale}λ = {}", place(at)),
        Curve::Segment { from, to } => format!("|R(z)|² − 1 for {scale}λ from {} to {}", place(from), place(to)),
        Curve::Arc { center, radius, .. } => {
            let from = place((center.0 + radius.0, center.1 + radius.1));
            format!("(|R(z)|² − 1)|1 − iτ|²ˢ for {scale}λ on an arc about {} from {from}", place(center))
        }
    }
}

/// A statement before its proof.
struct Claim {
    text: String,
    about: About,
    polynomial: Polynomial,
}

/// A polynomial without its roots at 0 and 1 is proved to be negative, or at least never positive, on [0, 1].
fn prove(Claim { text, about, polynomial }: Claim) -> Option<Statement> {
    let polynomial = without_ends(polynomial);
    let (zero, one) = (RBig::ZERO, RBig::ONE);
    let statement = |polynomial, proof| Statement { text, about, polynomial, proof };
    if polynomial.first().is_none_or(|constant| *constant > zero) {
        // Identically zero: |R| is one everywhere.
        return polynomial.is_empty().then(|| statement(polynomial, Proof::NoChangeOfSign));
    }
    if let Some(cells) = negative_cells(&polynomial, &zero, &one) {
        return Some(statement(polynomial, Proof::Cells(cells)));
    }
    // A place is known to 70 bits; one is no root.
    let beyond = RBig::ONE + RBig::from_parts(IBig::ONE, UBig::ONE << 60);
    let is_never_positive = first_positive(&polynomial).is_none_or(|place| place > beyond);
    is_never_positive.then(|| statement(polynomial, Proof::NoChangeOfSign))
}

/// p(t)/(tᵐ(1 − t)ⁿ).
fn without_ends(mut p: Polynomial) -> Polynomial {
    while p.last().is_some_and(RBig::is_zero) {
        p.pop();
    }
    let lowest = p.iter().position(|value| !value.is_zero()).unwrap_or(p.len());
    p.drain(..lowest);
    while !p.is_empty() && p.iter().fold(RBig::ZERO, |sum, value| sum + value).is_zero() {
        // p/(1 − t): partial sums.
        let mut sum = RBig::ZERO;
        p.iter_mut().for_each(|value| {
            sum += &*value;
            *value = sum.clone();
        });
        p.pop();
    }
    p
}

/// p(a + bt), by Horner's scheme.
fn shifted(p: &Polynomial, a: &RBig, b: &RBig) -> Polynomial {
    p.iter().rev().fold(Vec::new(), |result, value| {
        let mut next = product(&result, &vec![a.clone(), b.clone()]);
        add(&mut next, &vec![value.clone()], &RBig::ONE);
        next
    })
}

fn product(p: &Polynomial, q: &Polynomial) -> Polynomial {
    if p.is_empty() || q.is_empty() {
        return Vec::new();
    }
    let mut product = vec![RBig::ZERO; p.len() + q.len() - 1];
    for (j, a) in p.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (k, b) in q.iter().enumerate() {
            product[j + k] += a * b;
        }
    }
    product
}

fn add(p: &mut Polynomial, q: &Polynomial, factor: &RBig) {
    if p.len() < q.len() {
        p.resize(q.len(), RBig::ZERO);
    }
    p.iter_mut().zip(q).for_each(|(p, q)| *p += q * factor);
}

fn times((a, b): &Pair, (c, d): &Pair) -> Pair {
    let (mut re, mut im) = (product(a, c), product(a, d));
    add(&mut re, &product(b, d), &RBig::NEG_ONE);
    add(&mut im, &product(b, c), &RBig::ONE);
    (re, im)
}

fn add_multiple(sum: &mut Pair, pair: &Pair, factor: &RBig) {
    add(&mut sum.0, &pair.0, factor);
    add(&mut sum.1, &pair.1, factor);
}

/// A double as the rational number that it is.
pub(crate) fn exact(value: f64) -> RBig {
    RBig::try_from(value).unwrap_or_default()
}

/// √x, where it is rational.
pub(crate) fn exact_root(x: &RBig) -> Option<RBig> {
    let numerator = x.numerator().clone().unsigned_abs();
    let (top, bottom): (UBig, UBig) = (numerator.sqrt(), x.denominator().sqrt());
    let root = RBig::from_parts(top.into(), bottom);
    (root.sqr() == *x).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::signs::is_cell_negative;

    fn polynomial(spectrum: &str, stages: usize, order: usize, damping: f64) -> StabilityPolynomial {
        Problem::new(spectrum.parse().unwrap(), stages, order).damping(damping).solve().unwrap().polynomial(17).unwrap()
    }

    /// The cells cover [0, 1], and each passes on its own.
    fn check(certificate: &Certificate) {
        for Statement { text, polynomial, proof, .. } in &certificate.stability {
            let Proof::Cells(cells) = proof else { continue };
            assert!(cells[0].low == RBig::ZERO && cells[cells.len() - 1].high == RBig::ONE, "{text}");
            assert!(cells.windows(2).all(|pair| pair[0].high == pair[1].low), "{text}");
            assert!(cells.iter().all(|cell| is_cell_negative(polynomial, cell)), "{text}");
        }
    }

    #[test]
    fn all_kinds_of_spectra_are_proved() {
        for (spectrum, stages, order, damping) in [
            ("imaginary", 9, 3, 0.0),
            ("imaginary", 8, 4, 0.0),
            ("imaginary", 8, 2, 0.05),
            ("real", 9, 2, 0.0),
            ("real", 9, 3, 0.05),
            ("real", 7, 1, 0.0),
            ("disk", 6, 1, 0.0),
            ("disk", 7, 3, 0.0),
            ("wedge:60", 8, 2, 0.0),
            ("wedge:60", 8, 2, 0.05),
            ("rectangle:1,2", 7, 2, 0.0),
            ("rays:0.02,0.3", 9, 3, 0.0),
            ("intervals:-1,-0.8,-0.05,0", 6, 2, 0.0),
        ] {
            let certificate = polynomial(spectrum, stages, order, damping).certificate();
            check(&certificate.unwrap_or_else(|| panic!("{spectrum}, {stages} stages of order {order}: no proof")));
        }
    }

    #[test]
    fn a_limit_a_little_larger_is_not_proved() {
        for (spectrum, stages, order) in [("imaginary", 7, 3), ("real", 6, 2), ("imaginary", 7, 2), ("wedge:60", 6, 2)]
        {
            let polynomial = polynomial(spectrum, stages, order, 0.0);
            let factor = RBig::ONE + RBig::from_parts(IBig::ONE, UBig::from(10u8).pow(15));
            let larger = polynomial.limit_squared() * factor.sqr();
            let changed = polynomial.clone().with(polynomial.coefficients().to_vec(), larger);
            assert_eq!(changed.certificate(), None, "{spectrum}");
            // A coefficient changed by as little is not, either.
            let mut coefficients = polynomial.coefficients().to_vec();
            coefficients[stages] *= RBig::ONE + RBig::from_parts(IBig::ONE, UBig::from(10u8).pow(12));
            assert_eq!(polynomial.clone().with(coefficients, polynomial.limit_squared().clone()).certificate(), None);
        }
    }

    #[test]
    fn bounds_hold_where_they_are_and_not_below_the_limit() {
        for (axis, stages, order) in
            [(Axis::Imaginary, 9, 3), (Axis::Imaginary, 9, 4), (Axis::Real, 9, 2), (Axis::Real, 6, 4)]
        {
            let polynomial = polynomial(if axis == Axis::Real { "real" } else { "imaginary" }, stages, order, 0.0);
            let Optimality::Bounded(bound) = polynomial.certificate().unwrap().optimality else { panic!("no bound") };
            assert!(bound.holds(axis, stages, order));
            assert!(bound.limit.sqr() > *polynomial.limit_squared());
            let below = exact_root(polynomial.limit_squared()).unwrap();
            assert!(!UpperBound { limit: below, ..bound.clone() }.holds(axis, stages, order));
            // One more stage goes further: the same functional proves nothing for it.
            assert!(!bound.holds(axis, stages + 1, order));
        }
    }

    #[test]
    fn polynomials_are_shifted_and_rid_of_their_ends() {
        let p = [6, -5, 1].map(RBig::from).to_vec();
        assert_eq!(shifted(&p, &RBig::from(2), &RBig::from(1)), [0, -1, 1].map(RBig::from));
        // t²(1 − t)(3 + t) has lost all but its last factor.
        assert_eq!(without_ends([0, 0, 3, -2, -1].map(RBig::from).to_vec()), [3, 1].map(RBig::from));
        assert_eq!(exact_root(&RBig::from_parts(49.into(), 9u8.into())), Some(RBig::from_parts(7.into(), 3u8.into())));
        assert_eq!(exact_root(&RBig::from(8)), None);
    }
}
