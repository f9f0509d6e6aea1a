//! Multirate infinitesimal methods: between slow stages, any method solves the fast system.
//!
//! An [`InfinitesimalMethod`] contains the forcing polynomials of its stages as published. It is read from and written
//! to JSON files (`hemiola-multirate/1`); the [`library`] embeds those of `tableaus/multirate/`. A [`MultirateReport`]
//! contains verdicts on its order conditions, over trees with any number of partitions. [`InfinitesimalMethod::expand`]
//! replaces the exact fast solution by steps of a Runge–Kutta method, which gives an ordinary partitioned method.
//! [`stability`] analyzes the linear stability with the fast part solved exactly. [`microsteps`] handles methods with
//! any number M of micro-steps, with verdicts for every M.
//!
//! ```
//! use hemiola_multirate::{MultirateReport, library};
//! let method = library::method("mri-gark-erk33a")?;
//! let report = MultirateReport::new(&method, None)?;
//! assert_eq!((report.step.exact_order(), report.embedded.map(|embedded| embedded.order())), (3, Some(2)));
//! let pair = method.expand(&hemiola_tableau::library::method("kutta-3")?, 2)?;
//! assert_eq!(pair.partitions().len(), 2);
//! # Ok::<(), hemiola_multirate::MultirateError>(())
//! ```

mod allowances;
mod consistent;
pub mod diagnose;
mod error;
mod format;
mod lanes;
pub mod library;
mod method;
pub mod microsteps;
mod order;
mod polynomial;
mod realization;
pub mod stability;
mod stage;
mod structure;
mod validate;
mod weights;

pub use consistent::{ConsistentCondition, ConsistentConditions, SimplifyingAssumption};
pub use error::MultirateError;
pub use format::FORMAT;
pub use lanes::{LANES, Lanes};
pub use method::InfinitesimalMethod;
pub use microsteps::{MicroStepMethod, MicroStepReport, RatioPolynomial};
pub use order::{ErrorByRate, MultirateReport, RowVerdicts};
pub use realization::{MOST_COMPOUND_STAGES, RealizationName, RealizationNameError};
pub use stability::{
    AdditiveFlow, ComplexBall, CoupledFlow, FlowNumber, ProofObstacle, Resonance, SectorLimit, SectorProof,
    SectorWitness, SystemFlow, flow_profile, phi::phi, sector_limit, slow_tableau,
};
pub use stage::InfinitesimalStage;
pub use structure::{Inconsistency, StageCoupling};
pub use weights::{MultirateWeights, RowKind};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
