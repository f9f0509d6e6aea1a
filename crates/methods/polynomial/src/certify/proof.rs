//! Proofs by signs of polynomials in exact arithmetic, and by duality.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::certify::certificate::{Certificate, Optimality, Proof, Statement};
use crate::certify::claims::{UnprovedStatement, claims};
use crate::certify::upper_bound::UpperBound;
use crate::result::polynomial::StabilityPolynomial;
use hemiola_number::parallel;
use hemiola_number::signs::IntegerPolynomial;

impl StabilityPolynomial {
    /// Proves stability and optimality.
    ///
    /// Returns `None` if |R| ≤ 1 does not hold exactly or cannot be decided, as for eight-digit results.
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
        let claims = claims(self)?;
        let stability = || parallel::map(claims.len(), |k| prove(&claims[k])).into_iter().collect::<Option<Vec<_>>>();
        let optimality = || match self.optimum().closed_form() {
            Some(source) => Optimality::Theorem(source),
            None if !self.optimum().is_polished() => Optimality::Unproved,
            None => UpperBound::of(self).map_or(Optimality::Multipliers, Optimality::Bounded),
        };
        let (stability, optimality) = parallel::both(stability, optimality);
        let stability = stability?;
        Some(Certificate { stability, optimality })
    }
}

/// Proves that a polynomial without its roots at 0 and 1 is negative, or at least nonpositive, on [0, 1].
fn prove(UnprovedStatement { text, about, polynomial }: &UnprovedStatement) -> Option<Statement> {
    let polynomial = polynomial.clone().without_ends();
    let statement = |polynomial, proof| Statement { text: text.clone(), about: about.clone(), polynomial, proof };
    if polynomial.numerators.first().is_none_or(|constant| *constant > IBig::ZERO) {
        // Identically zero: |R| is one everywhere.
        return polynomial.numerators.is_empty().then(|| statement(polynomial, Proof::NoChangeOfSign));
    }
    let integers = IntegerPolynomial::new(polynomial.numerators.clone());
    if let Some(cells) = integers.negative_cells(&RBig::ZERO, &RBig::ONE) {
        return Some(statement(polynomial, Proof::Cells(cells)));
    }
    // Sign changes are located to 70 bits; one at t = 1 is not a root inside.
    let beyond = RBig::ONE + RBig::from_parts(IBig::ONE, UBig::ONE << 60);
    let is_never_positive = integers.first_positive().is_none_or(|place| place > beyond);
    is_never_positive.then(|| statement(polynomial, Proof::NoChangeOfSign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::exact_polynomial::exact_root;
    use crate::problem::axis::Axis;
    use crate::problem::statement::Problem;
    use hemiola_number::signs::is_cell_negative;

    fn polynomial(spectrum: &str, stages: usize, order: usize, damping: f64) -> StabilityPolynomial {
        Problem::new(spectrum.parse().unwrap(), stages, order).damping(damping).solve().unwrap().polynomial(17).unwrap()
    }

    /// Checks that the cells cover [0, 1] and that each cell passes on its own.
    fn check(certificate: &Certificate) {
        for statement in &certificate.stability {
            let (text, polynomial) = (&statement.text, statement.polynomial());
            let Proof::Cells(cells) = &statement.proof else { continue };
            assert!(cells[0].low == RBig::ZERO && cells[cells.len() - 1].high == RBig::ONE, "{text}");
            assert!(cells.windows(2).all(|pair| pair[0].high == pair[1].low), "{text}");
            assert!(cells.iter().all(|cell| is_cell_negative(&polynomial, cell)), "{text}");
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
            // A coefficient with a tiny change is not proved either.
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
            // One more stage extends the limit: the functional proves nothing for it.
            assert!(!bound.holds(axis, stages + 1, order));
        }
    }
}
