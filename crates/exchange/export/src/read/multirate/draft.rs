//! Multirate method as read from a program, before its rows are known to fit together.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::{Claims, Coefficient, Exact, Source, parse_number};

use crate::read::arrays::draft::RunCondition;
use crate::read::error::{ReadError, TextFault, TextPosition, quoted};
use crate::read::expressions::number::WrittenNumber;
use crate::read::tables::own::Header;

/// Rows of a method as written in the program.
pub(super) struct CouplingRows {
    /// Names of the partitions, the fast one first.
    pub(super) partitions: Vec<String>,
    pub(super) stages: Vec<InfinitesimalStage<Coefficient>>,
    pub(super) embedded: Option<InfinitesimalStage<Coefficient>>,
    pub(super) order: Option<usize>,
    pub(super) embedded_order: Option<usize>,
    /// Remarks on the conversion of the coefficients.
    pub(super) remark: Option<&'static str>,
}

/// Unvalidated multirate method, or the reason why its rows could not be read.
pub(crate) struct CouplingDraft {
    pub(crate) name: String,
    pub(crate) place: TextPosition,
    /// Conditions under which the program uses the method.
    pub(crate) conditions: Vec<RunCondition>,
    pub(super) rows: Result<CouplingRows, TextFault>,
}

impl CouplingDraft {
    /// Builds the method with an id and a name.
    pub(super) fn method(
        &self,
        id: &str,
        name: &str,
        header: &Header,
        note: &str,
        file: &str,
    ) -> Result<InfinitesimalMethod, ReadError> {
        let rows = self.rows.as_ref().map_err(|fault| fault.clone().in_file(file, Some(self.name.clone())))?;
        let positive = |order: Option<usize>| order.filter(|order| *order > 0);
        let claims = Claims {
            order: positive(rows.order.or(header.claim("order"))),
            embedded_order: positive(rows.embedded_order.or(header.claim("embedded order")))
                .filter(|_| rows.embedded.is_some()),
            ..Claims::default()
        };
        let remark = rows.remark.map_or_else(String::new, |remark| format!(" {remark}"));
        let source = Source { note: Some(format!("{note}{remark}")), ..Source::default() };
        let fits = header.partitions.len() == rows.partitions.len();
        let partitions = if fits { header.partitions.clone() } else { rows.partitions.clone() };
        let method = InfinitesimalMethod::new(id, name, partitions, rows.stages.clone(), rows.embedded.clone());
        let described = method.and_then(|method| method.described(claims, header.precision(), source));
        described.map_err(|problem| {
            let TextPosition { line, column } = self.place;
            ReadError::Method { file: file.to_owned(), line, column, problem: Box::new(problem) }
        })
    }
}

/// Converts numbers to coefficients. Decimals and fractions keep their digits, expressions become values.
pub(super) fn coefficients(numbers: &[WrittenNumber], place: TextPosition) -> Result<Vec<Coefficient>, TextFault> {
    numbers.iter().map(|number| coefficient(number, place)).collect()
}

/// Converts a number to a coefficient.
pub(super) fn coefficient(number: &WrittenNumber, place: TextPosition) -> Result<Coefficient, TextFault> {
    let text = number.text();
    let size = text.trim_start_matches('-');
    let has = |mark: char| size.contains(mark);
    let is_literal = size.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '/') && !(has('.') && has('/'));
    let text =
        if is_literal || number.value().as_rational().is_none() { text.to_owned() } else { written(number.value()) };
    Coefficient::parse(&text)
        .map_err(|problem| TextFault::new(place, format!("{} ({problem})", quoted(&text)), "a coefficient"))
}

/// Writes a rational number as a short fraction, a finite decimal, or a long fraction.
fn written(value: &Exact) -> String {
    const SHORT: usize = 24;
    let fraction = value.to_string();
    if fraction.len() <= SHORT {
        return fraction;
    }
    let decimal = value.to_decimal(4 * fraction.len()).to_string();
    if parse_number(&decimal).is_ok_and(|number| number == *value) { decimal } else { fraction }
}

/// Removes zeros at the end of rows, then empty powers at the end.
pub(super) fn trimmed(mut powers: Vec<Vec<Coefficient>>) -> Vec<Vec<Coefficient>> {
    powers = powers.into_iter().map(without_last_zeros).collect();
    while powers.last().is_some_and(Vec::is_empty) {
        powers.pop();
    }
    powers
}

/// Removes zeros at the end of a row.
pub(super) fn without_last_zeros(mut row: Vec<Coefficient>) -> Vec<Coefficient> {
    while row.last().is_some_and(|last| *last.value() == Exact::from(0)) {
        row.pop();
    }
    row
}
