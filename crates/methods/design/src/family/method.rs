//! The method of a family: its tail and the stages of its levels as exact coefficients.

use dashu::rational::RBig;
use hemiola_tableau::{Claims, Coefficient, Method, MethodError, Partition, Source};

use crate::family::level::ChainLevel;
use crate::family::shared_stages::{Tail, TailForm};
use crate::family::specification::FamilySpecification;

/// Returns the name of the level with a number of evaluations.
pub(crate) fn name(evaluations: usize) -> String {
    format!("level-{evaluations}")
}

/// Returns the default id of a family.
pub(crate) fn default_id(specification: &FamilySpecification) -> String {
    let levels: Vec<String> = specification.levels.iter().rev().map(ToString::to_string).collect();
    format!("family-{}-{}", specification.order, levels.join("-"))
}

pub(crate) fn method(
    specification: &FamilySpecification,
    shape: TailForm,
    tail: &Tail<RBig>,
    levels: &[ChainLevel],
) -> Result<Method, MethodError> {
    let stages = specification.levels.first().copied().unwrap_or_default();
    let partitions: Result<Vec<Partition>, MethodError> =
        levels.iter().map(|level| partition(stages, tail, level)).collect();
    let counts: Vec<String> = levels.iter().map(|level| level.evaluations.to_string()).collect();
    let (list, order) = (counts.join("–"), specification.order);
    let storage = if shape.is_chain() {
        "Every stage uses only the first and the previous stage."
    } else {
        "Every stage before the shared ones uses only the first and the previous stage; the last, shared ones use one another."
    };
    let note = format!(
        "Any two levels may be neighbors: all conditions of order {order} hold exactly for every mixture, with shared \
         weights and abscissae. {storage}"
    );
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: format!("Designed family of {} rates of order {order}", levels.len()),
        note: Some(note),
        ..Source::default()
    };
    let claims = Claims { order: Some(order), ..Claims::default() };
    let title = format!("Hemiola family {list}, order {order}");
    Method::new(&default_id(specification), &title, partitions?, claims, None, source)
}

fn partition(stages: usize, tail: &Tail<RBig>, level: &ChainLevel) -> Result<Partition, MethodError> {
    let k = tail.c.len();
    // The row of stage j.
    let joint = stages - k + 1;
    let mut a = vec![vec![RBig::ZERO; stages]; stages];
    a.iter_mut().take(joint).skip(1).for_each(|row| row[0] = RBig::ONE);
    for i in 1..k {
        let row = &mut a[joint + i - 1];
        row[0] = tail.a[i][0].clone();
        row[joint..joint + i - 1].clone_from_slice(&tail.a[i][1..i]);
    }
    for (back, lean) in level.leans.iter().enumerate() {
        let row = joint - back;
        let alpha = decimal(*lean);
        a[row][0] = &a[row][0] - &alpha;
        a[row][row - 1] = alpha;
    }
    let mut b = vec![RBig::ZERO; stages];
    b[0] = tail.b[0].clone();
    b[joint..].clone_from_slice(&tail.b[1..]);
    let vector = |values: &[RBig]| values.iter().map(coefficient).collect::<Result<Vec<_>, _>>();
    Ok(Partition {
        name: name(level.evaluations),
        a: a.iter().map(|row| vector(row)).collect::<Result<_, _>>()?,
        b: vector(&b)?,
        c: None,
        b_hat: None,
        dense: None,
    })
}

/// Converts a double to its shortest decimal.
fn decimal(x: f64) -> RBig {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let places = part.len() as i32 - exponent;
    let number: dashu::integer::IBig = format!("{whole}{part}").parse().unwrap_or_default();
    let power = RBig::from(dashu::integer::UBig::from(10u8).pow(places.unsigned_abs() as usize));
    if places >= 0 { RBig::from(number) / power } else { RBig::from(number) * power }
}

fn coefficient(value: &RBig) -> Result<Coefficient, MethodError> {
    let text = finite_decimal(value).unwrap_or_else(|| value.to_string());
    Coefficient::parse(&text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text,
        problem,
    })
}

/// Formats a number as a decimal if it has few decimals.
fn finite_decimal(value: &RBig) -> Option<String> {
    const MOST: usize = 40;
    let mut scaled = value.clone();
    for places in 0..=MOST {
        if scaled.denominator().is_one() {
            let digits = scaled.numerator().to_string();
            let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("-", rest));
            if places == 0 {
                return Some(format!("{sign}{digits}"));
            }
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = digits.split_at(digits.len() - places);
            return Some(format!("{sign}{whole}.{part}"));
        }
        scaled *= RBig::from(10);
    }
    None
}
