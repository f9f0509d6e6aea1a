//! Designs explicit dual-rate pairs: few slow and many fast evaluations in one step.
//!
//! A [`Specification`] states the evaluations of each partition, the order, the stability polynomials, requirements
//! on the coefficients ([`Structure`]) and the function to minimize ([`Objective`]); a [`DesignFile`] stores it as
//! text. [`design`] satisfies all order and coupling conditions and the prescribed polynomials from many structured
//! random starts, and minimizes the objective among the solutions. [`tune`] first optimizes parameters of a
//! specification, and [`pareto`] computes compromises. The result is reproducible: the same specification gives the
//! same method on any number of threads, with a [`Certificate`] of its properties.
//!
//! ```
//! use hemiola_design::{Specification, ProofStatus, design};
//! // Two slow and four fast evaluations; a real search takes more starts.
//! let specification = Specification { starts: 8, ..Specification::new(2, 4, None)? };
//! let design = design(&specification, &())?;
//! assert_eq!(design.method.claims().order, Some(2));
//! assert!(matches!(design.certificate.status, ProofStatus::Enclosed { radius, .. } if radius < 1e-30));
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```
//!
//! The folders; each uses only those above it:
//!
//! | folder | contents |
//! |---|---|
//! | `pair` | partitions, positions of coefficients, decimals |
//! | [`specification`] | the specification of a design, and its validation |
//! | `unknowns` | the unknown coefficients, linear constraints on them, random starts |
//! | [`conditions`] | order and coupling conditions, stability polynomials, residuals |
//! | `terms` | terms of the objective: errors, sizes, internal stability, the coupled profile |
//! | `optimize` | the nonlinear program, its null space, descents |
//! | `weights` | embedded weights and dense output for given stages |
//! | [`proof`] | certificates: sufficient equations, and proof of a solution nearby |
//! | [`refinement`] | completion of a [`Design`] from a minimum in doubles |
//! | [`search`] | the multistart search, Pareto fronts, the outer search for coupled profiles |
//! | [`findings`] | properties of a design: limits, errors, requested and reached profiles, published pairs for comparison |
//! | [`file`](mod@file) | designs and unfinished searches as JSON |
//! | [`completion`] | embedded weights and dense output for any method |
//! | [`polish`](mod@polish) | tables with few digits refined to fifty decimals |
//! | [`family`] | families of many rates: shared last stages in closed form, a polynomial for each level |
//! | [`implicit`] | diagonally implicit methods, alone or with explicit partners, by descents along the equations |
//! | [`mri`] | multirate methods of any ratio with small errors and requested sector limits |
//! | [`ssp`] | methods and pairs with large radii of absolute monotonicity, by sequential linear programs |
//! | [`storage`] | methods in low-storage forms, by equations for the coefficients of the form |
//!
//! `simd` and `interval` provide the arithmetic.

pub mod completion;
pub mod conditions;
mod decomposition;
mod error;
pub mod family;
pub mod file;
pub mod findings;
pub mod implicit;
mod interval;
pub mod mri;
mod optimize;
mod pair;
pub mod polish;
pub mod proof;
pub mod refinement;
pub mod search;
mod simd;
pub mod specification;
pub mod ssp;
pub mod storage;
mod terms;
mod unknowns;
mod weights;

pub use completion::{
    AbsenceProof, Completion, CompletionOutcome, CompletionRequests, MultirateCompletion, PolynomialClass,
    allows_extra_stage, complete, complete_multirate,
};
pub use conditions::{Equation, Residual, residuals};
pub use error::DesignError;
pub use family::{
    Family, FamilyFile, FamilyLevel, FamilySpecification, LeastRatio, coupled_step, design_family, level_on,
};
pub use file::{Checkpoint, DesignFile, SweepFile, SweptDesign};
pub use implicit::{
    DiagonalStructure, Gamma, ImplicitCertificate, ImplicitDesign, ImplicitKind, ImplicitSpecification,
    ImplicitStability, PartitionShape, Role, design_implicit,
};
pub use mri::{
    MriCertificate, MriDesign, MriRefusal, MriSpecification, SlowPart, SlowStability, StiffStability, WantedSector,
    design_mri,
};
pub use polish::{PolishEnclosure, PolishError, PolishOptions, Polished, polish};
pub use proof::{
    Assumption, Certificate, CertificateError, CertificateRefusal, FurtherProof, FurtherWeights, ProofGap, ProofStatus,
    SolutionOffsets, Vector,
};
pub use refinement::{
    Design, InternalBalance, InternalTradeOff, PreferredChoice, PreferredPair, SlowBalance, SlowTradeOff,
};
pub use search::{
    Compromise, DESCENTS, DesignChart, EvaluationCounts, MEASURED, STARTS, Search, SearchShare, Start, TUNING,
    TuningLimits, design, design_for, pareto, tune,
};
pub use specification::{
    Bound, Coupling, DEFAULT_BAND, DescentSolver, Entry, Objective, Preference, Specification, Stability, Structure,
    TargetSystems, highest_order,
};
pub use ssp::{SspDesign, SspSpecification, design_ssp};
pub use storage::{StorageDesign, StorageProof, StorageSpecification, design_storage};
pub use terms::measure::Measure;

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
