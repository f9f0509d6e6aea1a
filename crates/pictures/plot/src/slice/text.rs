//! Conversion of slices from and to text.

use std::fmt;
use std::str::FromStr;

use hemiola_stability::Growth;
use num_complex::Complex64;

use crate::slice::entries::Entries;
use crate::slice::error::SliceError;
use crate::slice::keys::Keys;
use crate::slice::{Phases, Sign, Slice, Values};

/// Syntax of the slices.
const FORMS: [&str; 14] = [
    "partitions",
    COUPLED,
    GIL,
    PLANE,
    KAPPA_GAMMA,
    STEP_COUPLING,
    DAMPING_FREQUENCY,
    PARAMETERS,
    ROBUST,
    ADDITIVE,
    JOINT,
    PROFILE,
    "monotonicity",
    "imaginary",
];
const COUPLED: &str = "coupled:kappa=…,g=…";
const GIL: &str = "gil:alpha=…,beta=…";
const PLANE: &str = "plane:ss=…,ff=…,w=…";
const KAPPA_GAMMA: &str = "kappa-gamma:z=…";
const STEP_COUPLING: &str = "step-coupling:slow=…,fast=…";
const DAMPING_FREQUENCY: &str = "damping-frequency:kappa=…,g=…";
const PARAMETERS: &str = "parameters:ss=…,ff=…,w=…";
const ROBUST: &str = "robust:kappa=…,gamma=…";
const ADDITIVE: &str = "additive:first=…,second=…";
const JOINT: &str = "joint:wedge=…,radius=…";
const PROFILE: &str = "profile:zeta=…";

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        match Values::read(text, Self::read)? {
            Some(values) => Ok(Self::Values(values)),
            None => Self::read(text),
        }
    }
}

impl Slice {
    /// Parses a slice with one value per key.
    fn read(text: &str) -> Result<Self, SliceError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        match (name.trim(), rest.trim()) {
            ("partitions", "") => Ok(Self::Partitions),
            ("coupled", rest) => {
                let keys = Keys::read(rest, COUPLED, &["kappa", "g"])?;
                Ok(Self::Coupled { kappa: keys.real("kappa")?, coupling: keys.complex("g")? })
            }
            ("gil", rest) => {
                let keys = Keys::read(rest, GIL, &["alpha", "beta"])?;
                Ok(Self::Gil { alpha: keys.real("alpha")?, beta: keys.real("beta")? })
            }
            ("plane", rest) => Ok(Self::Plane(Entries::complex(&Keys::read(rest, PLANE, &Entries::KEYS)?)?)),
            ("kappa-gamma", rest) => {
                let keys = Keys::read(rest, KAPPA_GAMMA, &["z", "sign"])?;
                Ok(Self::KappaGamma { slow: keys.complex("z")?, sign: keys.sign()? })
            }
            ("step-coupling", rest) => {
                let keys = Keys::read(rest, STEP_COUPLING, &["slow", "fast"])?;
                Ok(Self::StepCoupling { slow: keys.complex("slow")?, fast: keys.complex("fast")? })
            }
            ("damping-frequency", rest) => {
                let keys = Keys::read(rest, DAMPING_FREQUENCY, &["kappa", "g"])?;
                Ok(Self::DampingFrequency { kappa: keys.real("kappa")?, coupling: keys.complex("g")? })
            }
            ("parameters", rest) => {
                Ok(Self::Parameters(Entries::real(&Keys::read(rest, PARAMETERS, &Entries::KEYS)?)?))
            }
            ("robust", rest) => {
                let keys = Keys::read(rest, ROBUST, &["kappa", "gamma", "phase"])?;
                let gamma = keys.real_where("gamma", |gamma| gamma >= 0.0, "a number ≥ 0")?;
                Ok(Self::Robust { kappa: keys.interval("kappa")?, gamma, phases: keys.phases()? })
            }
            ("additive", rest) => {
                Ok(Self::Additive(Entries::additive(&Keys::read(rest, ADDITIVE, &["first", "second"])?)?))
            }
            ("joint", rest) => {
                let keys = Keys::read(rest, JOINT, &["wedge", "radius"])?;
                let is_angle = |wedge: f64| (0.0..=90.0).contains(&wedge);
                Ok(Self::Joint {
                    wedge: keys.real_where("wedge", is_angle, "an angle of 0 to 90 degrees")?,
                    radius: keys.radius()?,
                })
            }
            ("profile", rest) => {
                let keys = Keys::read(rest, PROFILE, &["zeta", "sign", "growth"])?;
                let zeta = keys.real_where("zeta", |zeta| (0.0..1.0).contains(&zeta), "a number with 0 ≤ ζ < 1")?;
                Ok(Self::Profile { zeta, sign: keys.sign()?, growth: keys.growth()? })
            }
            ("imaginary", "") => Ok(Self::Imaginary),
            ("monotonicity", "") => Ok(Self::Monotonicity),
            _ => Err(SliceError::Unknown { found: text.to_owned(), expected: expected() }),
        }
    }
}

fn expected() -> String {
    let [first @ .., last] = FORMS;
    let first: Vec<String> = first.iter().map(|form| format!("`{form}`")).collect();
    format!("{} or `{last}`", first.join(", "))
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partitions => f.write_str("partitions"),
            Self::Coupled { kappa, coupling } => write!(f, "coupled:kappa={},g={}", real(*kappa), complex(*coupling)),
            Self::Gil { alpha, beta } => write!(f, "gil:alpha={},beta={}", real(*alpha), real(*beta)),
            Self::Plane(entries) => write!(f, "plane:{entries}"),
            Self::KappaGamma { slow, sign } => write!(f, "kappa-gamma:z={}{}", complex(*slow), option(*sign)),
            Self::StepCoupling { slow, fast } => {
                write!(f, "step-coupling:slow={},fast={}", complex(*slow), complex(*fast))
            }
            Self::DampingFrequency { kappa, coupling } => {
                write!(f, "damping-frequency:kappa={},g={}", real(*kappa), complex(*coupling))
            }
            Self::Parameters(entries) => write!(f, "parameters:{entries}"),
            Self::Robust { kappa, gamma, phases } => {
                let phase = if *phases == Phases::Real { ",phase=real" } else { "" };
                write!(f, "robust:kappa={},gamma={}{phase}", interval(*kappa), real(*gamma))
            }
            Self::Additive(entries) => write!(f, "additive:{entries}"),
            Self::Joint { wedge, radius } => write!(f, "joint:wedge={},radius={}", real(*wedge), real(*radius)),
            Self::Profile { zeta, sign, growth } => {
                let growth = if *growth == Growth::Strict { ",growth=strict" } else { "" };
                write!(f, "profile:zeta={}{}{growth}", real(*zeta), option(*sign))
            }
            Self::Imaginary => f.write_str("imaginary"),
            Self::Monotonicity => f.write_str("monotonicity"),
            Self::Values(values) => values.fmt(f),
        }
    }
}

fn option(sign: Sign) -> &'static str {
    match sign {
        Sign::Plus => "",
        Sign::Minus => ",sign=-",
    }
}

/// Formats a number as the shortest text that is read back exactly.
pub(crate) fn real(value: f64) -> String {
    let plain = value == 0.0 || value.is_infinite() || (1e-5..1e16).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}

/// Formats a complex number such as −0.05+i; a zero part is omitted.
pub(crate) fn complex(value: Complex64) -> String {
    let imaginary = match value.im {
        1.0 => "i".to_owned(),
        -1.0 => "-i".to_owned(),
        part => format!("{}i", real(part)),
    };
    match (value.re == 0.0, value.im == 0.0) {
        (_, true) => real(value.re),
        (true, false) => imaginary,
        (false, false) if value.im > 0.0 => format!("{}+{imaginary}", real(value.re)),
        (false, false) => real(value.re) + &imaginary,
    }
}

/// Formats a..b, or the number if both ends are equal.
fn interval((low, high): (f64, f64)) -> String {
    if low == high { real(low) } else { format!("{}..{}", real(low), real(high)) }
}
