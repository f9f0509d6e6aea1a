//! Complex expressions in one or two variables, as used in slices: `-0.1+0.5i`, `0.2z`, `x sqrt(1-y^2)`.

mod error;
mod parser;
mod tree;

use std::fmt;

use num_complex::Complex64;

pub use error::ExpressionError;
use tree::Node;

/// An expression of numbers, `i`, variables, `+ - * / ^`, parentheses and the functions `sqrt`, `exp`, `abs`, `re`,
/// `im`, `conj`, `cos` and `sin`.
///
/// Products need no operator, as in `0.2z` or `5(z-1)`, except after a quotient. Exponents are integers. Expressions
/// are compared by their texts.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: String,
    root: Node,
}

impl Expression {
    /// Parses an expression in variables of one letter each.
    ///
    /// # Errors
    /// Returns [`ExpressionError`] with the column and the expected alternatives.
    pub(crate) fn parse(text: &str, variables: &[char]) -> Result<Self, ExpressionError> {
        let (text, root) = parser::parse(text, variables)?;
        Ok(Self { text, root })
    }

    /// Evaluates the expression at values of the variables, in the order of `parse`.
    #[must_use]
    pub(crate) fn at(&self, variables: &[Complex64]) -> Complex64 {
        self.root.at(variables)
    }

    /// Returns the `degree` + 1 coefficients of a polynomial in the only variable, starting with the constant.
    ///
    /// # Errors
    /// Returns [`ExpressionError::NotPolynomial`] with the offending term; [`ExpressionError::NotFinite`] if a
    /// coefficient is not finite.
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
