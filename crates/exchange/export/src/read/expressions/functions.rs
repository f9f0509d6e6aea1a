//! Functions and methods that occur in tables.

use super::array_arithmetic::{binary, map, power, transposed};
use super::dialect::Dialect;
use super::expression::Operator;
use super::number::WrittenNumber;
use super::value::{DeclaredType, MOST_ENTRIES, ProgramValue, arithmetic, is_integer_type};
use crate::read::error::{TextFault, TextPosition, quoted};

/// Functions whose values are in general neither fractions nor square roots.
const TRANSCENDENTAL: [&str; 14] =
    ["cos", "sin", "tan", "exp", "log", "cbrt", "atan", "acos", "cosd", "sind", "cospi", "sinpi", "nthroot", "root"];

/// Evaluates a property of a value, without parentheses: `A.T`, `S.One`.
pub(crate) fn member(base: ProgramValue, name: &str, place: TextPosition) -> Result<ProgramValue, TextFault> {
    match (&base, name) {
        (ProgramValue::List(..), "T") => Ok(transposed(base)),
        (ProgramValue::Name(owner, _), "One") if owner == "S" => Ok(ProgramValue::Number(WrittenNumber::whole(1))),
        (ProgramValue::Name(owner, _), "Zero") if owner == "S" => Ok(ProgramValue::Number(WrittenNumber::zero())),
        (ProgramValue::Name(owner, _), "Half") if owner == "S" => binary(
            Operator::Over,
            &ProgramValue::Number(WrittenNumber::whole(1)),
            &ProgramValue::Number(WrittenNumber::whole(2)),
            place,
        ),
        (ProgramValue::Name(owner, _), _) => Ok(ProgramValue::Name(format!("{owner}.{name}"), place)),
        _ => Err(TextFault::new(
            place,
            format!("the field {} of {}", quoted(name), base.shown()),
            "a number or an array",
        )),
    }
}

/// Evaluates a call. `sizes` are the parameters of a type, as in `SMatrix{2,2}(…)`.
pub(crate) fn call(
    name: &str,
    arguments: &[(Option<&str>, ProgramValue)],
    sizes: &[i64],
    dialect: Dialect,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    let values: Vec<&ProgramValue> =
        arguments.iter().filter(|(name, _)| name.is_none()).map(|(_, value)| value).collect();
    let lower = name.to_lowercase();
    match (lower.as_str(), &values[..]) {
        ("fraction" | "rational" | "mpq" | "qq" | "frac", [numerator, denominator]) => {
            binary(Operator::Over, numerator, denominator, place)
        }
        ("convert" | "parse" | "map" | "cast", [to, value]) => converted(value, to, place),
        ("pow" | "power" | "sunrpoweri" | "petscpowreal" | "petscpowrealint", [base, exponent]) => {
            power(&base.number(place)?, &exponent.number(place)?, place)
        }
        ("sqrt" | "sqrtl" | "rsqrt" | "sunrsqrt" | "petscsqrtreal" | "petscsqrtscalar", [value]) => {
            map(value, place, &WrittenNumber::root)
        }
        ("petscsqr" | "sunsqr" | "sqr", [base]) => power(&base.number(place)?, &WrittenNumber::whole(2), place),
        ("one", [_]) => Ok(ProgramValue::Number(WrittenNumber::whole(1))),
        ("zero", [_]) => Ok(ProgramValue::Number(WrittenNumber::zero())),
        // A single length makes a square matrix in MATLAB.
        ("zeros" | "ones", [length @ ProgramValue::Number(_)]) if dialect == Dialect::Matlab => {
            let value = WrittenNumber::whole(i32::from(lower == "ones"));
            filled(&ProgramValue::Number(value), &[length, length], place)
        }
        ("zeros" | "zeros_like" | "empty", _) => filled(&ProgramValue::Number(WrittenNumber::zero()), &values, place),
        ("ones" | "ones_like", _) => filled(&ProgramValue::Number(WrittenNumber::whole(1)), &values, place),
        ("fill" | "full", [value, lengths @ ..]) => {
            // The shape comes first in numpy, the value in Julia.
            match (dialect, lengths) {
                (Dialect::Python, [filling]) => filled(filling, &[value], place),
                _ => filled(value, lengths, place),
            }
        }
        ("sum", [matrix, rest @ ..]) => row_sums(matrix, rest, arguments, dialect, place),
        ("transpose" | "permutedims" | "adjoint", [matrix]) => Ok(transposed((*matrix).clone())),
        ("smatrix" | "mmatrix", values) if sizes.len() >= 2 => columns(values, sizes, place),
        ("svector" | "mvector" | "tuple", values) if values.len() != 1 => {
            ProgramValue::list(values.iter().map(|value| (*value).clone()).collect(), place)
        }
        // `Matrix{T}(undef, 1, 1)` is filled later.
        ("matrix" | "vector" | "array", [ProgramValue::Name(undef, _), lengths @ ..]) if undef == "undef" => {
            filled(&ProgramValue::Number(WrittenNumber::zero()), lengths, place)
        }
        (name, _) if TRANSCENDENTAL.contains(&name) => {
            let found = format!("{}, which is not exact", quoted(&format!("{name}(…)")));
            Err(TextFault::new(place, found, "fractions, decimals and square roots"))
        }
        // Quotients of sympy's integers are fractions.
        ("integer", [value]) if name == "Integer" => value
            .number(place)
            .map(ProgramValue::Number)?
            .converted(DeclaredType::Integer, place)?
            .converted(DeclaredType::Real, place),
        ("round", [value]) => value.number(place).map(ProgramValue::Number)?.converted(DeclaredType::Integer, place),
        ("astype", [value, to]) => converted(value, to, place),
        (_, [value]) if keeps(name, dialect) => {
            let to = arguments.iter().find(|(name, _)| *name == Some("dtype")).map(|(_, to)| to);
            match to {
                Some(to) => converted(value, to, place),
                None => numbers(value, place)?.converted(result_type(name, dialect), place),
            }
        }
        (_, [value, ..]) if matches!(lower.as_str(), "array" | "asarray" | "reshape" | "vpa") => numbers(value, place),
        _ => Err(TextFault::new(place, format!("a call of {}", quoted(name)), "a number or an array")),
    }
}

/// Replaces strings by the numbers they contain.
fn numbers(value: &ProgramValue, place: TextPosition) -> Result<ProgramValue, TextFault> {
    match value {
        ProgramValue::Text(..) => value.number(place).map(ProgramValue::Number),
        _ => Ok(value.clone()),
    }
}

/// Converts a value to the type that a name or a string denotes.
fn converted(value: &ProgramValue, to: &ProgramValue, place: TextPosition) -> Result<ProgramValue, TextFault> {
    let name = match to {
        ProgramValue::Name(name, _) | ProgramValue::Text(name, ..) => name.rsplit('.').next().unwrap_or_default(),
        ProgramValue::Number(_) | ProgramValue::List(..) => "",
    };
    let to = if is_integer_type(name) { DeclaredType::Integer } else { DeclaredType::Real };
    numbers(value, place)?.converted(to, place)
}

/// Returns the result type of a conversion; arrays keep the type of their numbers.
fn result_type(name: &str, dialect: Dialect) -> DeclaredType {
    const ARRAYS: [&str; 14] = [
        "array", "asarray", "matrix", "Matrix", "list", "tuple", "vec", "collect", "copy", "tolist", "squeeze",
        "flatten", "ravel", "Array",
    ];
    match name {
        "BigInt" => DeclaredType::Integer,
        _ if is_integer_type(name) => DeclaredType::Integer,
        _ if dialect == Dialect::Python && ARRAYS.contains(&name) => DeclaredType::Any,
        _ => DeclaredType::Real,
    }
}

/// Returns whether a function of one argument returns it, possibly in another type.
fn keeps(name: &str, dialect: Dialect) -> bool {
    const SAME: [&str; 46] = [
        "array",
        "asarray",
        "matrix",
        "Matrix",
        "list",
        "tuple",
        "vec",
        "collect",
        "copy",
        "tolist",
        "squeeze",
        "flatten",
        "ravel",
        "astype",
        "float",
        "double",
        "single",
        "float64",
        "longdouble",
        "mpf",
        "Decimal",
        "Fraction",
        "Rational",
        "mpq",
        "QQ",
        "S",
        "sympify",
        "nsimplify",
        "Integer",
        "int",
        "BigInt",
        "big",
        "BigFloat",
        "Float64",
        "Float32",
        "Float128",
        "Double64",
        "T",
        "T1",
        "T2",
        "sym",
        "str2sym",
        "simplify",
        "SVector",
        "Vector",
        "Array",
    ];
    // Macros that mark constants: RCONST, SUN_RCONST, RC, PetscRealConstant.
    let is_macro = dialect == Dialect::C
        && (name.ends_with("Constant")
            || name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
    SAME.contains(&name) || is_macro
}

/// Builds a constant array with the given lengths: `(4)`, `(4, 4)`, `((4, 4))`, possibly preceded by a type.
fn filled(value: &ProgramValue, lengths: &[&ProgramValue], place: TextPosition) -> Result<ProgramValue, TextFault> {
    let mut sizes = Vec::new();
    for length in lengths {
        match length {
            ProgramValue::Name(..) => {}
            ProgramValue::List(items, _) => {
                sizes.extend(items.iter().map(|item| item.number(place)).collect::<Result<Vec<_>, _>>()?);
            }
            _ => sizes.push(length.number(place)?),
        }
    }
    let sizes: Option<Vec<usize>> =
        sizes.iter().map(|size| size.as_whole().and_then(|size| usize::try_from(size).ok())).collect();
    let fault = || {
        let expected = format!("one or two lengths of at most {MOST_ENTRIES} entries together");
        TextFault::new(place, "an array with other lengths", expected)
    };
    let sizes = sizes.ok_or_else(fault)?;
    let entries = sizes.iter().fold(value.weight(), |product, size| product.saturating_mul(*size));
    if entries > MOST_ENTRIES || sizes.iter().any(|size| *size > MOST_ENTRIES) {
        return Err(fault());
    }
    let row = |length: usize| ProgramValue::List(vec![value.clone(); length], place);
    match sizes[..] {
        [length] => Ok(row(length)),
        [rows, columns] => Ok(ProgramValue::List(vec![row(columns); rows], place)),
        _ => Err(fault()),
    }
}

/// Computes row sums: `sum(A, 2)` of MATLAB, `A.sum(axis=1)` of numpy, `sum(A, dims=2)` of Julia.
fn row_sums(
    matrix: &ProgramValue,
    rest: &[&ProgramValue],
    arguments: &[(Option<&str>, ProgramValue)],
    dialect: Dialect,
    place: TextPosition,
) -> Result<ProgramValue, TextFault> {
    let named = arguments.iter().find(|(name, _)| matches!(name, Some("axis" | "dims"))).map(|(_, value)| value);
    let axis = named.or_else(|| rest.first().copied()).map(|axis| axis.number(place)).transpose()?;
    let wanted = 1 + dialect.first_index() as i64;
    let sum = |row: &[WrittenNumber]| {
        let total = row.iter().try_fold(WrittenNumber::zero(), |sum, number| sum.plus(number));
        total.map(ProgramValue::Number).map_err(arithmetic(place))
    };
    match axis.and_then(|axis| axis.as_whole()) {
        Some(axis) if axis == wanted => {
            let sums: Result<_, TextFault> = matrix.rows(place)?.iter().map(|(row, _)| sum(row)).collect();
            Ok(ProgramValue::List(sums?, place))
        }
        None => sum(&matrix.vector(place)?),
        Some(axis) => {
            Err(TextFault::new(place, format!("sums along dimension {axis}"), format!("row sums, along {wanted}")))
        }
    }
}

/// Builds a matrix from its columns in sequence.
fn columns(values: &[&ProgramValue], sizes: &[i64], place: TextPosition) -> Result<ProgramValue, TextFault> {
    let [rows, columns] = [sizes[0], sizes[1]].map(|size| usize::try_from(size).unwrap_or(0));
    let items: Vec<&ProgramValue> = match values {
        [ProgramValue::List(items, _)] => items.iter().collect(),
        _ => values.to_vec(),
    };
    if rows.checked_mul(columns) != Some(items.len()) || items.is_empty() {
        let found = format!("{} numbers", items.len());
        return Err(TextFault::new(place, found, format!("{rows} times {columns}, column after column")));
    }
    let row = |i: usize| ProgramValue::List((0..columns).map(|j| items[j * rows + i].clone()).collect(), place);
    Ok(ProgramValue::List((0..rows).map(row).collect(), place))
}
