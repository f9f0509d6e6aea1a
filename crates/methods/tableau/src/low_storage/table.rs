//! The tableau of a published form as coefficients, and their precision.

use dashu::integer::IBig;
use dashu::rational::RBig;
use num_dual::Dual64;

use crate::low_storage::{StorageClass, StorageError, StorageForm};
use crate::{Coefficient, Exact, Precision, Rounding};

/// Largest number of stages and largest size (in words) of a form. The entries of its tableau are products of up to as
/// many coefficients as there are stages.
const MOST_STAGES_OF_FORM: usize = 64;
const LARGEST_FORM: usize = 1 << 12;

/// Largest number of decimals of a finite decimal that is written in full.
const MOST_DECIMALS: usize = 40;
/// Decimals beyond the precision of a rounded coefficient.
const GUARD_DECIMALS: usize = 3;
/// Decimals of coefficients that are exact but neither fractions nor finite decimals.
const DECIMALS: usize = 60;

/// The tableau of a published form: its coefficients and their remaining precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormTable {
    /// The matrix A, row by row.
    pub a: Vec<Vec<Coefficient>>,
    /// The weights.
    pub b: Vec<Coefficient>,
    /// The embedded weights, if they belong to the form.
    pub b_hat: Option<Vec<Coefficient>>,
    /// The precision of the tableau; `None` if the coefficients of the form are exact.
    pub precision: Option<Precision>,
}

impl FormTable {
    /// Computes the tableau of a form with these coefficients, exactly. If the coefficients are rounded, as stated or
    /// inferred from their digits, the entries are written with the decimals that they determine and three more.
    ///
    /// ```
    /// use hemiola_tableau::Coefficient;
    /// use hemiola_tableau::low_storage::{FormTable, StorageClass};
    /// let read = |texts: &[&str]| texts.iter().map(|text| Coefficient::parse(text)).collect::<Result<Vec<_>, _>>();
    /// let vectors = [read(&["0", "-5/9", "-153/128"])?, read(&["1/3", "15/16", "8/15"])?];
    /// let table = FormTable::new(StorageClass::TwoN, &vectors, None)?;
    /// assert_eq!(table.b[0].text(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`StorageForm::new`], and [`StorageError::TooLarge`] for more than 64 stages or 4096 words of
    /// coefficients.
    pub fn new(
        class: StorageClass,
        coefficients: &[Vec<Coefficient>],
        stated: Option<Precision>,
    ) -> Result<Self, StorageError> {
        let too_large = |found: String, limit| StorageError::TooLarge { class: class.to_string(), found, limit };
        let all = || coefficients.iter().flatten();
        let longest = coefficients.iter().map(Vec::len).max().unwrap_or(0);
        let size: usize = all().map(|coefficient| coefficient.value().size()).sum();
        if longest > MOST_STAGES_OF_FORM + 2 {
            return Err(too_large(format!("vectors of {longest} entries"), "64 stages"));
        }
        if size > LARGEST_FORM {
            return Err(too_large(format!("coefficients of {size} words of 64 bits"), "4096 words"));
        }
        let values = coefficients.iter().map(|vector| vector.iter().map(|x| x.value().clone()).collect()).collect();
        let form = StorageForm::new(class, values)?;
        let rounding = Rounding::of_coefficients(stated, all());
        let uncertainties: Vec<f64> = all().map(|coefficient| rounding.of(coefficient)).collect();
        let uncertainty = largest_uncertainty(&form, &uncertainties);
        let decimals = (uncertainty > 0.0).then(|| (-(2.0 * uncertainty).log10()).floor().max(1.0) as usize);
        let write = |value: &Exact| Coefficient::parse(&text(value, decimals));
        let row = |row: &Vec<Exact>| row.iter().map(write).collect::<Result<Vec<_>, _>>();
        let butcher = form.butcher();
        let precision = decimals.and_then(|decimals| u32::try_from(decimals).ok());
        Ok(Self {
            a: butcher.a.iter().map(row).collect::<Result<_, _>>()?,
            b: row(&butcher.b)?,
            b_hat: form.embedded().as_ref().map(row).transpose()?,
            precision: precision.map(|decimals| Precision { decimals }),
        })
    }
}

/// Bounds the errors of all entries of the tableau to first order, for errors of the coefficients of the form.
fn largest_uncertainty(form: &StorageForm, uncertainties: &[f64]) -> f64 {
    let mut duals = form.converted(|x| Dual64::from_re(x.to_f64()));
    let mut sums: Vec<f64> = Vec::new();
    for (k, uncertainty) in uncertainties.iter().enumerate().filter(|(_, uncertainty)| **uncertainty > 0.0) {
        if let Some(x) = duals.coefficient_mut(k) {
            x.eps = *uncertainty;
        }
        let (butcher, embedded) = (duals.butcher(), duals.embedded());
        let entries = butcher.a.iter().chain([&butcher.b]).chain(&embedded).flatten();
        sums.resize((butcher.stages() + 2) * butcher.stages(), 0.0);
        sums.iter_mut().zip(entries).for_each(|(sum, entry)| *sum += entry.eps.abs());
        if let Some(x) = duals.coefficient_mut(k) {
            x.eps = 0.0;
        }
    }
    sums.into_iter().fold(0.0, f64::max)
}

/// Writes a number: in full if it is a fraction among exact numbers or a short finite decimal, otherwise with the known
/// decimals and three more.
pub(crate) fn text(value: &Exact, decimals: Option<usize>) -> String {
    match (value.as_rational(), decimals) {
        (Some(value), None) => value.to_string(),
        (None, None) => value.to_decimal(DECIMALS).to_string(),
        (Some(value), Some(decimals)) => rounded(value, finite_decimals(value).unwrap_or(decimals + GUARD_DECIMALS)),
        (None, Some(decimals)) => value.to_decimal(decimals + GUARD_DECIMALS).to_string(),
    }
}

/// Returns the number of decimals of a finite decimal, if they are few.
fn finite_decimals(value: &RBig) -> Option<usize> {
    let ten = RBig::from(10);
    let mut scaled = value.clone();
    (0..=MOST_DECIMALS).find(|_| {
        let is_whole = scaled.is_int();
        scaled = &scaled * &ten;
        is_whole
    })
}

/// Rounds a number to a number of decimals.
fn rounded(value: &RBig, decimals: usize) -> String {
    let power = RBig::from(IBig::from(10).pow(decimals));
    let scaled = (value * power).round();
    if scaled.is_zero() {
        return "0".to_owned();
    }
    let sign = if scaled < IBig::ZERO { "-" } else { "" };
    let digits = scaled.to_string();
    let digits = format!("{:0>width$}", digits.trim_start_matches('-'), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}
