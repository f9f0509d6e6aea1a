//! Complex expressions in one or two variables, as slices have them: `-0.1+0.5i`, `0.2z`, `x sqrt(1-y^2)`.

mod error;
mod parser;
mod tree;

use std::fmt;

use num_complex::Complex64;

pub use error::ExpressionError;
use tree::Node;

/// An expression with numbers, `i`, variables, `+ - * / ^`, parentheses and the functions `sqrt`, `exp`, `abs`, `re`, `im`,
/// `conj`, `cos` and `sin`.
///
/// Products need no sign, `0.2z` or `5(z-1)`, except after a quotient; powers are whole numbers. Two expressions are equal
/// where their texts are.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: String,
    root: Node,
}

impl Expression {
    /// Reads an expression in variables of one letter each.
    ///
    /// # Errors
    /// [`ExpressionError`] with the place and what could stand there.
    pub(crate) fn parse(text: &str, variables: &[char]) -> Result<Self, ExpressionError> {
        let (text, root) = parser::parse(text, variables)?;
        Ok(Self { text, root })
    }

    /// The value where the variables have these values, in the order in which they were named.
    #[must_use]
    pub(crate) fn at(&self, variables: &[Complex64]) -> Complex64 {
        self.root.at(variables)
    }

    /// The coefficients of a polynomial in the only variable, from the constant upwards: `degree` + 1 of them.
    ///
    /// # Errors
    /// [`ExpressionError::NotPolynomial`] with the term that is not, [`ExpressionError::NotFinite`] where a coefficient is
    /// not finite.
    pub(crate) fn polynomial(&self, degree: usize) -> Result<Vec<Complex64>, ExpressionError> {
        let mut coefficients = self.root.polynomial(degree).map_err(|fault| self.not_polynomial(fault, degree))?;
        coefficients.resize(degree + 1, Complex64::ZERO);
        let is_finite = coefficients.iter().all(|value| value.is_finite());
        if is_finite { Ok(coefficients) } else { Err(ExpressionError::NotFinite) }
    }

    fn not_polynomial(&self, node: &Node, degree: usize) -> ExpressionError {
        let term: String = self.text.chars().skip(node.from).take(node.to - node.from).collect();
        ExpressionError::NotPolynomial {
            term: term.trim_end().to_owned(),
            column: node.from + 1,
            expected: match degree {
                0 => "constant",
                1 => "affine in z (a + bz)",
                _ => "quadratic in z (a + bz + cz²)",
            },
        }
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
