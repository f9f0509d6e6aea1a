//! The kinds of inputs.

use clap::ValueEnum;

/// Kind of an input file. The first line of each description is its entry in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Input {
    /// Butcher tableau with embedded weights, as CSV
    Table,
    /// Butcher tableau with a misprint, as CSV
    Misprint,
    /// Method file
    Method,
    /// Jacobian of a slow and a fast oscillator
    Jacobian,
    /// Eigenvalues of advection and diffusion
    Spectrum,
    /// Design file of a pair
    Design,
    /// Sweep over three sizes of pairs
    Sweep,
    /// Machine: a pendulum on a slide with a stiff spring
    #[cfg(feature = "motion")]
    Machine,
    /// Optimal control problem: least effort over a distance
    #[cfg(feature = "motion")]
    Problem,
    /// Measurements of a car whose steering wheel turns left and right
    #[cfg(feature = "motion")]
    #[value(alias = "drive.csv")]
    Drive,
}

impl Input {
    pub(crate) fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// Returns the name of the kind on the command line.
    pub(crate) fn kind(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Describes the contents.
    pub(crate) fn contents(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    /// Returns the default name of the file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Table => "table.csv",
            Self::Misprint => "misprint.csv",
            Self::Method => "my-heun.json",
            Self::Jacobian => "jacobian.csv",
            Self::Spectrum => "spectrum.csv",
            Self::Design => "pair.design.json",
            Self::Sweep => "pairs.sweep.json",
            #[cfg(feature = "motion")]
            Self::Machine => "machine.json",
            #[cfg(feature = "motion")]
            Self::Problem => "problem.json",
            #[cfg(feature = "motion")]
            Self::Drive => "drive.csv",
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Table => include_str!("inputs/table.csv"),
            Self::Misprint => include_str!("inputs/misprint.csv"),
            Self::Method => include_str!("inputs/my-heun.json"),
            Self::Jacobian => include_str!("inputs/jacobian.csv"),
            Self::Spectrum => include_str!("inputs/spectrum.csv"),
            Self::Design => include_str!("inputs/pair.design.json"),
            Self::Sweep => include_str!("inputs/pairs.sweep.json"),
            #[cfg(feature = "motion")]
            Self::Machine => include_str!("inputs/machine.json"),
            #[cfg(feature = "motion")]
            Self::Problem => include_str!("inputs/problem.json"),
            #[cfg(feature = "motion")]
            Self::Drive => include_str!("inputs/drive.csv"),
        }
    }

    /// Returns a command that reads the file.
    pub(crate) fn command(self, file: &str) -> String {
        match self {
            Self::Table | Self::Method => format!("hemiola check {file}"),
            Self::Misprint => format!("hemiola diagnose {file} --order 4"),
            #[cfg(feature = "motion")]
            Self::Jacobian => format!("hemiola system rk4 hemiola-4-8 --jacobian {file} --slow 1..2"),
            #[cfg(not(feature = "motion"))]
            Self::Jacobian => format!("hemiola polynomial --stages 6 --order 2 --spectrum {file}"),
            Self::Spectrum => format!("hemiola polynomial --stages 6 --order 2 --spectrum {file}"),
            Self::Design => format!("hemiola design {file}"),
            Self::Sweep => format!("hemiola sweep {file}"),
            #[cfg(feature = "motion")]
            Self::Machine => format!("hemiola simulate {file} rk4"),
            #[cfg(feature = "motion")]
            Self::Problem => format!("hemiola optimize {file}"),
            #[cfg(feature = "motion")]
            Self::Drive => format!(
                "hemiola identify single-track --data {file} --free yaw-inertia,front-peak,rear-peak --deviations 1e-3"
            ),
        }
    }
}
