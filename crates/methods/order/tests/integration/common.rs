//! Methods of the library with other texts for their coefficients.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]
#![allow(dead_code, reason = "each test uses some of it")]

use hemiola_order::Grammar;
use hemiola_tableau::{Coefficient, Method, Partition, Precision, library};

/// Returns all methods of the library.
pub(crate) fn methods() -> Vec<Method> {
    library::ids().map(|id| library::method(id).unwrap()).collect()
}

/// Returns whether a check of the method takes only a moment.
pub(crate) fn is_short(method: &Method) -> bool {
    let order = method.claims().order.unwrap_or(4) + 1;
    let conditions: u128 = Grammar::partitioned(method.partitions().len()).counts(order).unwrap().iter().sum();
    conditions * method.stages() as u128 <= 6000
}

/// Rewrites every nonzero coefficient of the method, with or without a stated precision.
pub(crate) fn rewritten(
    method: &Method,
    precision: Option<Precision>,
    mut write: impl FnMut(&Coefficient) -> String,
) -> Method {
    let mut partitions = method.partitions().to_vec();
    for coefficient in partitions.iter_mut().flat_map(coefficients_mut) {
        if coefficient.value().to_f64() != 0.0 {
            *coefficient = Coefficient::parse(&write(coefficient)).unwrap();
        }
    }
    let (claims, source) = (method.claims(), method.source().clone());
    Method::new(method.id(), method.name(), partitions, claims, precision, source).unwrap()
}

/// Iterates over A, b, c, b̂ and the dense output of a partition.
pub(crate) fn coefficients_mut(partition: &mut Partition) -> impl Iterator<Item = &mut Coefficient> {
    let Partition { a, b, c, b_hat, dense, .. } = partition;
    let matrices = a.iter_mut().chain(dense.iter_mut().flatten());
    matrices.flatten().chain(b).chain(c.iter_mut().flatten()).chain(b_hat.iter_mut().flatten())
}

/// The rounding of coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Digits {
    /// Rounding to this many digits from the first nonzero one.
    Significant(usize),
    /// Rounding to this many places after the point.
    Places(usize),
}

impl Digits {
    /// Formats the rounded number, without zeros at its end.
    pub(crate) fn write(self, coefficient: &Coefficient) -> String {
        let value = coefficient.value();
        let leading = leading_place(value.to_f64());
        let significant = match self {
            Self::Significant(digits) => digits as i32,
            Self::Places(places) => places as i32 + leading,
        };
        if significant < 1 { "0".to_owned() } else { value.to_decimal(significant as usize).to_string() }
    }

    /// Returns the precision that may be stated of a method with this rounding; `None` if its coefficients have
    /// different precisions, or are not known to this many decimals.
    pub(crate) fn precision(self, method: &Method) -> Option<Precision> {
        let Self::Places(places) = self else { return None };
        let rounded = Precision { decimals: places as u32 };
        method.precision().is_none_or(|known| known.decimals >= rounded.decimals).then_some(rounded)
    }
}

/// Returns the number of digits before the point, negative for zeros after it.
fn leading_place(x: f64) -> i32 {
    if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 + 1 }
}
