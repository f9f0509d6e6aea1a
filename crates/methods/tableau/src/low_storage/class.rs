//! Classes of low-storage methods and their names.

use std::fmt;
use std::str::FromStr;

use crate::low_storage::StorageError;

/// Largest number of registers of the classes 2R, 3R, ….
pub const MOST_REGISTERS: usize = 16;

/// A class of explicit methods that need few registers, vectors as long as the solution.
///
/// ```
/// use hemiola_tableau::low_storage::StorageClass;
/// let class: StorageClass = "3S*".parse()?;
/// assert_eq!((class, class.registers()), (StorageClass::ThreeSStar, 3));
/// # Ok::<(), hemiola_tableau::low_storage::StorageError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StorageClass {
    /// 2N: dU ← AᵢdU + hf(U), U ← U + BᵢdU (Williamson 1980).
    TwoN,
    /// mR: aᵢⱼ = bⱼ for i − j ≥ m (van der Houwen 1972; Kennedy, Carpenter & Lewis 2000); the number is m.
    Houwen(usize),
    /// 2S: S₂ ← S₂ + δᵢS₁, S₁ ← γᵢ₁S₁ + γᵢ₂S₂ + βᵢhf(S₁), with S₁ = uₙ and S₂ = 0 at first (Ketcheson 2010).
    TwoS,
    /// 2S*: as 2S, but S₂ = uₙ throughout (Ketcheson 2010).
    TwoSStar,
    /// 3S*: as 2S, with γᵢ₃S₃ and S₃ = uₙ throughout (Ketcheson 2010).
    ThreeSStar,
}

impl StorageClass {
    /// Returns the number of registers for a step.
    #[must_use]
    pub fn registers(self) -> usize {
        match self {
            Self::TwoN | Self::TwoS | Self::TwoSStar => 2,
            Self::Houwen(registers) => registers,
            Self::ThreeSStar => 3,
        }
    }

    /// Returns whether the previous solution is still in a register at the end of a step, so that the step can be
    /// repeated with another size.
    #[must_use]
    pub fn keeps_previous_solution(self) -> bool {
        matches!(self, Self::TwoSStar | Self::ThreeSStar)
    }

    /// Returns whether every method of another class belongs to this class.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        match (self, other) {
            (Self::Houwen(registers), Self::Houwen(fewer)) => fewer <= registers,
            (Self::TwoS, Self::TwoSStar) | (Self::ThreeSStar, Self::TwoS | Self::TwoSStar) => true,
            _ => self == other,
        }
    }

    /// Returns the names of the vectors of coefficients.
    pub(crate) fn names(self) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match self {
            Self::TwoN => owned(&["A", "B"]),
            Self::Houwen(registers) => {
                let diagonals = (1..registers).map(|k| format!("a{k}"));
                ["b".to_owned()].into_iter().chain(diagonals).collect()
            }
            Self::TwoS => owned(&["gamma1", "gamma2", "beta", "delta"]),
            Self::TwoSStar => owned(&["gamma1", "gamma2", "beta"]),
            Self::ThreeSStar => owned(&["gamma1", "gamma2", "gamma3", "beta", "delta"]),
        }
    }
}

impl fmt::Display for StorageClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoN => f.write_str("2N"),
            Self::Houwen(registers) => write!(f, "{registers}R"),
            Self::TwoS => f.write_str("2S"),
            Self::TwoSStar => f.write_str("2S*"),
            Self::ThreeSStar => f.write_str("3S*"),
        }
    }
}

impl FromStr for StorageClass {
    type Err = StorageError;

    fn from_str(text: &str) -> Result<Self, StorageError> {
        let unknown = || StorageError::UnknownClass { found: text.to_owned() };
        Ok(match text.to_ascii_uppercase().as_str() {
            "2N" => Self::TwoN,
            "2S" => Self::TwoS,
            "2S*" => Self::TwoSStar,
            "3S*" => Self::ThreeSStar,
            other => {
                let registers = other.strip_suffix('R').and_then(|count| count.parse().ok());
                Self::Houwen(registers.filter(|m| (2..=MOST_REGISTERS).contains(m)).ok_or_else(unknown)?)
            }
        })
    }
}
