//! Polynomials that must be nonpositive for a stability polynomial to be stable.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::certify::about::{BoundaryCurve, StatementDomain};
use crate::certify::exact_polynomial::{
    CommonDenominatorPolynomial, ComplexPolynomial, Polynomial, add, add_multiple, common_denominator, exact,
    exact_root, over, product, times,
};
use crate::problem::axis::Axis;
use crate::problem::curve::Curve;
use crate::problem::piece::{Bound, BoundaryPiece};
use crate::problem::spectrum::Spectrum;
use crate::result::polynomial::StabilityPolynomial;
use hemiola_number::parallel;
use hemiola_number::signs::first_positive;

/// Statement without its proof.
pub(crate) struct UnprovedStatement {
    pub(crate) text: String,
    pub(crate) about: StatementDomain,
    pub(crate) polynomial: CommonDenominatorPolynomial,
}

/// Returns the polynomials that must be nonpositive on [0, 1].
pub(crate) fn claims(polynomial: &StabilityPolynomial) -> Option<Vec<UnprovedStatement>> {
    let problem = polynomial.optimum().problem();
    match problem.spectrum() {
        Spectrum::Axis(Axis::Real) => on_real_axis(polynomial),
        Spectrum::Axis(Axis::Imaginary) => on_imaginary_axis(polynomial, &problem.pieces().ok()?),
        _ => {
            let h = exact_root(polynomial.limit_squared())?;
            let pieces = problem.pieces().ok()?;
            let statement = |piece: &BoundaryPiece| UnprovedStatement {
                text: describe(piece),
                about: StatementDomain::Curve { curve: BoundaryCurve::from(&piece.curve), is_scaled: piece.is_scaled },
                polynomial: excess(polynomial.coefficients(), piece, &h),
            };
            Some(parallel::map(pieces.len(), |k| statement(&pieces[k])))
        }
    }
}

/// Builds |R(iy)|² − b² as a polynomial in u, for each piece: y² = from² + u(to² − from²) in units of L.
fn on_imaginary_axis(polynomial: &StabilityPolynomial, pieces: &[BoundaryPiece]) -> Option<Vec<UnprovedStatement>> {
    let square = squared_modulus(polynomial.coefficients(), polynomial.limit_squared());
    let statement = |piece: &BoundaryPiece| {
        let BoundaryPiece { curve: Curve::Segment { from, to }, bound: Bound::Power { epsilon, exponent }, .. } = piece
        else {
            return None;
        };
        let [from, to, epsilon] = [from.1, to.1, *epsilon].map(exact);
        // b² = 1 − ε(y/y_1)ⁿ with n even or zero.
        let damping = &epsilon / to.sqr().pow(*exponent as isize / 2);
        let excess = square.clone().plus(0, &RBig::NEG_ONE).plus(exponent / 2, &damping);
        let text = format!("|R(iy)|² − b² for {from} ≤ y/L ≤ {to}, as a polynomial in (y/L)²");
        let polynomial = excess.shifted(&from.sqr(), &(to.sqr() - from.sqr()));
        let about = StatementDomain::ImaginaryAxis { from, to, epsilon, exponent: *exponent };
        Some(UnprovedStatement { text, about, polynomial })
    };
    pieces.iter().map(statement).collect()
}

/// Builds R − 1 and −b − R on [−L, 0], and R − b from the point where R first falls to b.
fn on_real_axis(polynomial: &StabilityPolynomial) -> Option<Vec<UnprovedStatement>> {
    let limit = exact_root(polynomial.limit_squared())?;
    let level = RBig::ONE - exact(polynomial.optimum().problem().eta());
    // Coefficients of R(−Lt).
    let mut power = RBig::ONE;
    let r: Polynomial = polynomial
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
        let polynomial = CommonDenominatorPolynomial::new(&whole).shifted(&from, &(RBig::ONE - &from));
        UnprovedStatement {
            text,
            about: StatementDomain::RealAxis { is_above, level: level.clone(), from },
            polynomial,
        }
    };
    let mut claims = vec![
        claim("R(−Lt) − 1".to_owned(), true, &RBig::ONE, RBig::ZERO),
        claim(format!("−{level} − R(−Lt)"), false, &level, RBig::ZERO),
    ];
    if level < RBig::ONE {
        let falls = first_positive(&minus(RBig::NEG_ONE, &-&level))?;
        // The crossing is known to 70 bits; start slightly beyond it.
        let from = falls * (RBig::ONE + RBig::from_parts(IBig::ONE, UBig::ONE << 40));
        let text = format!("R(−Lt) − {level} for {:.6} ≤ t ≤ 1", from.to_f64().value());
        claims.push(claim(text, true, &level, from));
    }
    Some(claims)
}

/// Computes |R(iy)|² = (Σ β_{2k}(−u)ᵏ)² + u(Σ β_{2k+1}(−u)ᵏ)² with u = y², as a polynomial in u/`unit`.
fn squared_modulus(beta: &[RBig], unit: &RBig) -> CommonDenominatorPolynomial {
    let common = common_denominator(beta);
    let beta = over(beta, &common);
    let part = |odd: usize| -> Polynomial<IBig> { beta.iter().skip(odd).step_by(2).cloned().collect() };
    let mut square = product(&part(0), &part(0));
    square.resize(beta.len() + 1, IBig::ZERO);
    for (k, value) in product(&part(1), &part(1)).into_iter().enumerate() {
        square[k + 1] -= value;
    }
    // Substitute u = n/d times the variable in (−u)ᵏ, over the common denominator dᵐ.
    let (n, d) = (-unit.numerator(), IBig::from(unit.denominator().clone()));
    let powers = |base: IBig| std::iter::successors(Some(IBig::ONE), move |power| Some(power * &base));
    square.iter_mut().zip(powers(n)).for_each(|(value, power)| *value *= power);
    square.iter_mut().rev().zip(powers(d)).for_each(|(value, power)| *value *= power);
    CommonDenominatorPolynomial {
        denominator: common.sqr() * unit.denominator().pow(square.len() - 1),
        numerators: square,
    }
}

/// Computes (|R(z)|² − 1) |d|²ˢ on a piece z = a(t)/d(t), or the constant |R|² − 1 for a single eigenvalue.
fn excess(beta: &[RBig], piece: &BoundaryPiece, h: &RBig) -> CommonDenominatorPolynomial {
    let scale = if piece.is_scaled { h.clone() } else { RBig::ONE };
    let (a, d) = as_fraction(&piece.curve, &scale);
    let unit = common_denominator(a.0.iter().chain(&a.1).chain(&d.0).chain(&d.1));
    let [a, d] = [a, d].map(|(re, im)| (over(&re, &unit), over(&im, &unit)));
    let common = common_denominator(beta);
    // Horner's scheme for R dˢ = Σ β_k aᵏ dˢ⁻ᵏ, with integers β, a and d.
    let mut numerator: ComplexPolynomial<IBig> = (Vec::new(), Vec::new());
    let mut power: ComplexPolynomial<IBig> = (vec![IBig::ONE], vec![]);
    for (k, beta) in over(beta, &common).iter().enumerate().rev() {
        numerator = times(&numerator, &a);
        add_multiple(&mut numerator, &power, beta);
        if k > 0 {
            power = times(&power, &d);
        }
    }
    let norm = |pair: &ComplexPolynomial<IBig>| {
        let mut square = product(&pair.0, &pair.0);
        add(&mut square, &product(&pair.1, &pair.1), &IBig::ONE);
        square
    };
    let mut excess = norm(&numerator);
    add(&mut excess, &norm(&power), &-IBig::from(common.sqr()));
    CommonDenominatorPolynomial {
        numerators: excess,
        denominator: common.sqr() * unit.pow(2 * beta.len().saturating_sub(1)),
    }
}

/// Writes a curve as a(t)/d(t).
fn as_fraction(curve: &Curve, scale: &RBig) -> (ComplexPolynomial, ComplexPolynomial) {
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

fn describe(piece: &BoundaryPiece) -> String {
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
