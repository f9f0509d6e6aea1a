//! Values of expressions.

use hemiola_tableau::NumberError;
use num_traits::Zero;

use super::number::WrittenNumber;
use crate::read::error::{TextFault, TextPosition, quoted};

/// Largest number of entries of an array, those of its rows included: more than any method has coefficients.
pub(crate) const MOST_ENTRIES: usize = 1 << 17;

/// Function that reads the number in a string at a position.
pub(crate) type ReadNumber = fn(&str, TextPosition) -> Result<WrittenNumber, TextFault>;

/// Type of a variable of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredType {
    Real,
    Integer,
    /// Type of the assigned value.
    Any,
}

/// Returns whether a name is an integer type of C or numpy, or ends like one of a library.
pub(crate) fn is_integer_type(name: &str) -> bool {
    const TYPES: [&str; 14] = [
        "int",
        "long",
        "short",
        "unsigned",
        "signed",
        "char",
        "bool",
        "Int",
        "PetscInt",
        "sunindextype",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "integer",
    ];
    let sized = name.trim_start_matches('u').strip_prefix("int").map(|rest| rest.trim_end_matches("_t"));
    let is_sized = sized.is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()));
    is_sized || TYPES.contains(&name)
}

/// Value in a program.
#[derive(Clone, Debug)]
pub(crate) enum ProgramValue {
    Number(WrittenNumber),
    /// String, and the function that reads a number from it.
    Text(String, TextPosition, ReadNumber),
    /// Array, or the rows of a matrix.
    List(Vec<ProgramValue>, TextPosition),
    /// Name without a value: a type, a constant of a library, `None`.
    Name(String, TextPosition),
}

impl ProgramValue {
    /// Formats the value for a message.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Number(number) => quoted(number.text()),
            Self::Text(text, ..) => quoted(text),
            Self::List(items, _) => format!("an array of {}", items.len()),
            Self::Name(name, _) => quoted(name),
        }
    }

    pub(crate) fn place(&self) -> Option<TextPosition> {
        match self {
            Self::Number(_) => None,
            Self::Text(_, place, _) | Self::List(_, place) | Self::Name(_, place) => Some(*place),
        }
    }

    /// Returns the position in the text; `None` for the result of arithmetic.
    pub(crate) fn written_at(&self) -> Option<TextPosition> {
        match self {
            Self::Number(number) => number.place(),
            other => other.place(),
        }
    }

    /// Sets the position of a number; other values have their own.
    pub(crate) fn placed(self, place: TextPosition) -> Self {
        match self {
            Self::Number(number) => Self::Number(number.placed(place)),
            other => other,
        }
    }

    /// Returns whether the value denotes nothing: `NULL`, `None`, `nothing`, an empty array.
    pub(crate) fn is_nothing(&self) -> bool {
        match self {
            Self::Name(name, _) => matches!(name.as_str(), "NULL" | "None" | "nothing" | "nullptr"),
            Self::List(items, _) => {
                items.is_empty() || items.iter().all(|item| matches!(item, Self::List(..)) && item.is_nothing())
            }
            Self::Number(_) | Self::Text(..) => false,
        }
    }

    /// Returns whether all numbers in the value are zero.
    pub(crate) fn is_zero_array(&self) -> bool {
        match self {
            Self::Number(number) => number.value().is_zero(),
            Self::List(items, _) => items.iter().all(Self::is_zero_array),
            Self::Text(..) | Self::Name(..) => false,
        }
    }

    /// Returns the value as a number, which may be in a string.
    pub(crate) fn number(&self, place: TextPosition) -> Result<WrittenNumber, TextFault> {
        let place = self.place().unwrap_or(place);
        match self {
            Self::Number(number) => Ok(number.clone()),
            Self::Text(text, _, read) => read(text, place).map(|number| number.placed(place)),
            Self::List(items, _) if items.len() == 1 => items[0].number(place),
            Self::List(..) => Err(TextFault::new(place, self.shown(), "a number")),
            Self::Name(..) => Err(TextFault::new(place, self.shown(), "a number, or a name that the text defines")),
        }
    }

    /// Returns the number of entries of an array, those of its rows included; a long text counts as several.
    pub(crate) fn weight(&self) -> usize {
        const LENGTH: usize = 64;
        match self {
            Self::List(items, _) => 1 + items.iter().map(Self::weight).sum::<usize>(),
            Self::Number(number) => 1 + number.text().len() / LENGTH,
            Self::Text(text, ..) | Self::Name(text, _) => 1 + text.len() / LENGTH,
        }
    }

    /// Builds an array, unless it has too many entries.
    pub(crate) fn list(items: Vec<Self>, place: TextPosition) -> Result<Self, TextFault> {
        let entries: usize = items.iter().map(Self::weight).sum();
        if entries > MOST_ENTRIES { Err(too_many_entries(entries, place)) } else { Ok(Self::List(items, place)) }
    }

    /// Converts the value to the type of a variable; it is a fault if an integer would lose decimals.
    pub(crate) fn converted(self, to: DeclaredType, place: TextPosition) -> Result<Self, TextFault> {
        match self {
            Self::List(items, list) => {
                let items: Result<_, TextFault> = items.into_iter().map(|item| item.converted(to, place)).collect();
                Ok(Self::List(items?, list))
            }
            Self::Number(number) => match to {
                DeclaredType::Any => Ok(Self::Number(number)),
                DeclaredType::Real => Ok(Self::Number(number.typed(false))),
                DeclaredType::Integer if number.is_whole() => Ok(Self::Number(number.typed(true))),
                DeclaredType::Integer => {
                    let found = format!("{}, which an integer type truncates", quoted(number.text()));
                    Err(TextFault::new(place, found, "a floating-point type"))
                }
            },
            other => Ok(other),
        }
    }

    /// Returns the value as a vector: a number, a row or a column.
    pub(crate) fn vector(&self, place: TextPosition) -> Result<Vec<WrittenNumber>, TextFault> {
        match self {
            Self::List(items, place) => match &items[..] {
                [Self::List(row, place)] => row.iter().map(|item| item.number(*place)).collect(),
                _ => items.iter().map(|item| item.number(*place)).collect(),
            },
            _ => Ok(vec![self.number(place)?]),
        }
    }

    /// Returns the rows of the value, each with its position.
    pub(crate) fn rows(&self, place: TextPosition) -> Result<Vec<(Vec<WrittenNumber>, TextPosition)>, TextFault> {
        match self {
            Self::List(items, place) if items.iter().any(|item| matches!(item, Self::List(..))) => {
                items.iter().map(|item| Ok((item.vector(*place)?, item.place().unwrap_or(*place)))).collect()
            }
            _ => Ok(vec![(self.vector(place)?, self.place().unwrap_or(place))]),
        }
    }
}

/// Builds the fault of an array with too many entries.
pub(crate) fn too_many_entries(found: usize, place: TextPosition) -> TextFault {
    TextFault::new(
        place,
        format!("an array of {found} entries"),
        format!("at most {MOST_ENTRIES} entries in one array"),
    )
}

/// Builds the fault of an arithmetic error at a position.
pub(crate) fn arithmetic(place: TextPosition) -> impl Fn(NumberError) -> TextFault {
    move |problem| TextFault::new(place, format!("an expression without a value ({problem})"), "an exact number")
}
