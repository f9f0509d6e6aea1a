//! Mathematics in MathML, which browsers render without a script.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_export::describe;
use hemiola_tableau::{Coefficient, Exact, parse_number};
use maud::{Markup, html};

/// Longest decimal or fraction shown; longer ones are rounded to ten digits.
const LONGEST: usize = 14;
/// Longest text shown as a formula with roots, which takes less space than its text.
const LONGEST_FORMULA: usize = 22;
const MINUS: &str = "−";

/// Renders a formula within a line of text.
pub(crate) fn math(contents: &Markup) -> Markup {
    html! { math { (contents) } }
}

/// Renders a coefficient for a table: exactly if it is short, otherwise rounded to ten digits.
///
/// The flag says whether the rendering is exact.
pub(crate) fn coefficient(coefficient: &Coefficient) -> (Markup, bool) {
    let text = coefficient.text();
    let longest = if text.contains("sqrt") { LONGEST_FORMULA } else { LONGEST };
    if text.chars().count() > longest {
        let rounded = describe::number(coefficient.value().to_f64());
        // A row sum of decimals may itself be a short decimal.
        let is_exact = parse_number(&rounded).is_ok_and(|value| value == *coefficient.value());
        let shown = rounded.replace('-', MINUS);
        return (
            if is_exact {
                html! { (shown) }
            } else {
                html! { span.rounded { (shown) } }
            },
            is_exact,
        );
    }
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let shown = if is_decimal {
        html! { (text.replace('-', MINUS)) }
    } else {
        math(&value(coefficient.value()))
    };
    (shown, true)
}

/// Renders a number in simplest form: a sum of fractions times roots.
fn value(number: &Exact) -> Markup {
    let terms = number.terms();
    html! {
        mrow {
            @if terms.is_empty() { mn { "0" } }
            @for (place, (factor, roots)) in terms.into_iter().enumerate() {
                @let negative = factor < RBig::ZERO;
                @let size = if negative { -factor } else { factor };
                @if negative { mo { (MINUS) } } @else if place > 0 { mo { "+" } }
                @if size != RBig::ONE || roots.is_empty() { (fraction(&size)) }
                @for root in joined(roots) { msqrt { (value(&root)) } }
            }
        }
    }
}

/// Multiplies the roots of rationals into one, as √3√5 = √15; nested roots remain separate.
fn joined(roots: Vec<Exact>) -> impl Iterator<Item = Exact> {
    let (plain, nested): (Vec<Exact>, Vec<Exact>) = roots.into_iter().partition(|root| root.as_rational().is_some());
    plain.into_iter().reduce(|product, root| product * root).into_iter().chain(nested)
}

fn fraction(number: &RBig) -> Markup {
    let denominator = IBig::from(number.denominator().clone());
    html! {
        @if denominator == IBig::ONE { mn { (number.numerator().to_string()) } }
        @else { mfrac { mn { (number.numerator().to_string()) } mn { (denominator.to_string()) } } }
    }
}

/// Renders a polynomial, constant term first, with coefficients as the command line prints them.
pub(crate) fn polynomial(coefficients: &[Exact], variable: &str) -> Markup {
    let shown: Vec<(usize, String)> =
        coefficients.iter().map(describe::exact).enumerate().filter(|(_, text)| text != "0").collect();
    html! {
        mrow {
            @if shown.is_empty() { mn { "0" } }
            @for (place, (power, text)) in shown.iter().enumerate() {
                @let size = text.strip_prefix('-').unwrap_or(text);
                @if text.starts_with('-') { mo { (MINUS) } } @else if place > 0 { mo { "+" } }
                @if size != "1" || *power == 0 { (printed(size)) }
                @match power {
                    0 => {}
                    1 => { mi { (variable) } }
                    _ => { msup { mi { (variable) } mn { (power) } } }
                }
            }
        }
    }
}

/// Renders a printed number: `1/6`, `0.25`, `1.5e-7`.
pub(crate) fn printed(text: &str) -> Markup {
    html! {
        @if let Some((numerator, denominator)) = text.split_once('/') {
            mfrac { mn { (numerator) } mn { (denominator) } }
        } @else if let Some((digits, exponent)) = text.split_once('e') {
            mn { (digits) } mo { "·" } msup { mn { "10" } mn { (exponent.replace('-', MINUS)) } }
        } @else {
            mn { (text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        coefficient(&Coefficient::parse(text).unwrap()).0.into_string()
    }

    #[test]
    fn coefficients_are_exact_where_they_are_short() {
        assert_eq!(shown("-1/3"), "<math><mrow><mo>−</mo><mfrac><mn>1</mn><mn>3</mn></mfrac></mrow></math>");
        assert_eq!(shown("sqrt(1+sqrt(2)+sqrt(3)+1/7)"), "<span class=\"rounded\">2.071019438</span>");
        assert_eq!(shown("15517667/25000000"), "0.62070668");
        assert!(shown("(3-sqrt(3))/6").contains("<msqrt><mrow><mn>3</mn></mrow></msqrt>"));
        assert!(shown("5/36-sqrt(15)/30").contains("<msqrt><mrow><mn>15</mn></mrow></msqrt>"));
        assert_eq!(shown("-0.25"), "−0.25");
        assert_eq!(shown("0.123456789012345678"), "<span class=\"rounded\">0.123456789</span>");
    }

    #[test]
    fn polynomials_have_neither_ones_nor_zeros() {
        let coefficients = [(1, 1), (-1, 1), (0, 1), (1, 6)].map(|(n, d)| Exact::from_ratio(n, d));
        let text = polynomial(&coefficients, "z").into_string();
        assert_eq!(
            text,
            "<mrow><mn>1</mn><mo>−</mo><mi>z</mi><mo>+</mo><mfrac><mn>1</mn><mn>6</mn></mfrac><msup><mi>z</mi><mn>3</mn></msup></mrow>"
        );
    }
}
