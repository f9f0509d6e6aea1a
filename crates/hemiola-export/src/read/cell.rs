//! One number as tables write it: `1/3`, `1//3`, `(2-sqrt(2))/2`, `1.0d-3`.

use super::dialect::Dialect;
use super::error::{Fault, Place, quoted};
use super::evaluate::{Scope, evaluate};
use super::expression::Parser;
use super::number::Number;
use super::token::{Kind, tokens};

/// A longer cell is no number.
const LONGEST: usize = 4096;

/// The number of a cell that begins at a place.
pub(super) fn number(text: &str, place: Place) -> Result<Number, Fault> {
    number_in(text, place, &Scope::default())
}

/// The number of a cell, which may use names that have values.
pub(super) fn number_in(text: &str, place: Place, scope: &Scope) -> Result<Number, Fault> {
    const EXPECTED: &str = "a number such as 1/3, 0.25 or (3-sqrt(3))/6";
    if text.chars().take(LONGEST + 1).count() > LONGEST {
        return Err(Fault::new(place, quoted(text), "a number of at most 4096 characters"));
    }
    let tokens = tokens(text, Dialect::Cells);
    let shift = |fault: Fault| {
        let inside = fault.place.line == 1;
        let column = if inside { place.column + fault.place.column - 1 } else { fault.place.column };
        Fault { place: Place { line: place.line + fault.place.line - 1, column }, ..fault }
    };
    let mut parser = Parser::new(&tokens, Dialect::Cells);
    let value = parser.expression().and_then(|expression| match parser.peek().kind {
        Kind::End => evaluate(&expression, scope, Dialect::Cells),
        _ => Err(parser.unexpected("an operator or the end of the number")),
    });
    let number = value.and_then(|value| value.number(Place::START)).map_err(shift);
    // A word is shown whole, not by its first letter that does not fit.
    number.map_err(|fault| if text.trim().is_empty() { Fault::new(place, "nothing", EXPECTED) } else { fault })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cell: &str) -> String {
        number(cell, Place::START).unwrap().text().to_owned()
    }

    #[test]
    fn cells_as_they_are_published() {
        for same in ["0", "1/3", "-1/3", "0.52737769", "-0.250", "1e-3", "1.0E-3", ".5"] {
            assert_eq!(text(same), same);
        }
        assert_eq!(text("1//3"), "1/3");
        assert_eq!(text("\u{2212}1 / 3"), "-1/3");
        assert_eq!(text("1.0d0"), "1.0e0");
        assert_eq!(text("(2-sqrt(2))/2"), "(2-sqrt(2))/2");
        assert_eq!(text("2^3/(-3)**2"), "8/9");
        assert_eq!(text("4^(1/2)"), "2");
        assert_eq!(text("1.0/3.0"), "1/3");
    }

    #[test]
    fn what_is_no_number_is_named() {
        let fault = |cell: &str| number(cell, Place { line: 3, column: 5 }).unwrap_err();
        assert_eq!(fault("1/x").place, Place { line: 3, column: 7 });
        assert_eq!(fault("abc").found, "`abc`");
        assert_eq!(fault("0,5").found, "`,`");
        assert!(fault("1/0").found.contains("division by zero"));
        assert!(fault("cos(1)").found.contains("cos"));
        assert_eq!(fault(" ").found, "nothing");
        assert!(fault(&"(".repeat(5000)).expected.contains("4096"));
    }
}
