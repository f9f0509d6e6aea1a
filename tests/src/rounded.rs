//! Tables with fewer digits, as typed by users.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Coefficient, Exact, Method};

/// Rounds every coefficient of a method to the given number of decimals, without a stated precision. Integers are kept.
///
/// # Panics
/// If the rounded coefficients do not form a method.
#[must_use]
pub fn to_decimals(method: &Method, decimals: usize) -> Method {
    with_texts(method, |value| decimal(value, decimals))
}

/// Prints every coefficient of a method as the nearest double, with the fewest digits that determine it. Integers are
/// kept.
///
/// # Panics
/// If the printed coefficients do not form a method.
#[must_use]
pub fn to_doubles(method: &Method) -> Method {
    with_texts(method, |value| if is_integer(value) { value.to_string() } else { format!("{:?}", value.to_f64()) })
}

/// Rewrites every coefficient of a method, without a stated precision.
///
/// # Panics
/// If the new texts do not form a method.
#[must_use]
pub fn with_texts(method: &Method, text: impl Fn(&Exact) -> String) -> Method {
    let rewrite = |coefficient: &mut Coefficient| {
        *coefficient = Coefficient::parse(&text(coefficient.value())).unwrap_or_else(|error| panic!("{error}"));
    };
    let mut partitions = method.partitions().to_vec();
    for partition in &mut partitions {
        let matrices = partition.a.iter_mut().chain(partition.dense.iter_mut().flatten());
        let vectors = matrices.chain([&mut partition.b]).chain(&mut partition.c).chain(&mut partition.b_hat);
        vectors.flatten().for_each(rewrite);
    }
    Method::new(method.id(), method.name(), partitions, method.claims(), None, method.source().clone())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Rounds a number to the given number of decimals.
fn decimal(value: &Exact, decimals: usize) -> String {
    if is_integer(value) {
        return value.to_string();
    }
    let unit = UBig::from(10u8).pow(decimals);
    let nearest = (value.enclose(4 * decimals + 200).low() * RBig::from(unit)).round();
    let (sign, digits) = nearest.into_parts();
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let minus = if IBig::from_parts(sign, UBig::ONE) < IBig::ZERO { "-" } else { "" };
    format!("{minus}{whole}.{fraction}")
}

fn is_integer(value: &Exact) -> bool {
    value.as_rational().is_some_and(RBig::is_int)
}
