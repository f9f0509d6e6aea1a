//! Outer search: its options, its checkpoint, and the resulting design file.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use clap::Args;
use hemiola::design::{DesignFile, Specification, TUNING, TuningLimits, tune};
use hemiola::number::{Progress, Update};
use hemiola::tableau::json::read_bounded;

use crate::arguments::number;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::writer::{WriteError, write};

use super::files::DesignFiles;

/// Default limits of the outer search.
const DEFAULT: TuningLimits = TuningLimits { price: 1.5, iterations: 40 };

/// Options of the outer search.
#[derive(Args)]
#[command(next_help_heading = "Objective")]
pub(crate) struct TuningArgs {
    /// Run an outer search for the best coupled profile first
    ///
    /// It searches for the damping, the wanted profile and the weight of the profile, beginning with the given values.
    #[arg(long, group = "of_tune", requires = "profile", conflicts_with_all = ["files", "fast_polynomial"])]
    tune: bool,

    /// Largest error norm in the outer search, relative to the smallest one [default: 1.5]
    #[arg(long, alias = "price", value_name = "F", value_parser = number::positive, requires = "of_tune")]
    max_error_ratio: Option<f64>,

    /// Number of iterations of the outer search [default: 40]
    ///
    /// Each iteration computes one or two designs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "of_tune")]
    tune_iterations: Option<u64>,
}

impl TuningArgs {
    pub(crate) fn tuning(&self) -> Option<TuningLimits> {
        let (price, iterations) = (self.max_error_ratio, self.tune_iterations);
        self.tune.then(|| TuningLimits {
            price: price.unwrap_or(DEFAULT.price),
            iterations: iterations.unwrap_or(DEFAULT.iterations),
        })
    }
}

/// Runs the outer search and writes the resulting design file.
pub(crate) fn run(
    begun: &DesignFile,
    files: &DesignFiles,
    tuning: TuningLimits,
    resume: bool,
    interrupt: &Interrupt,
) -> Result<DesignFile, Failure> {
    let earlier = if resume { earlier(begun, tuning, files)? } else { None };
    let monitor = Monitor::stopped_by(interrupt);
    let done = AtomicU64::new(0);
    let progress = |update: Update<'_>| {
        if update.phase == TUNING {
            done.store(update.done as u64, Relaxed);
        }
        monitor.report(update)
    };
    // If the folder is not writable, the error is reported at the end.
    let save = |state: &[u8]| drop(write(&files.tuning, &begun.outer_search(tuning, state)));
    let tuned = tune(&begun.specification, tuning, earlier.as_deref(), &save, &progress);
    monitor.finish();
    let done = done.into_inner();
    let tuned = DesignFile { specification: tuned?, ..begun.clone() };
    if interrupt.is_requested() && done == 0 {
        return Err(DesignInterrupted::Early.into());
    }
    files.write_design(&tuned)?;
    if interrupt.is_requested() && done < tuning.iterations {
        let (all, design) = (tuning.iterations, files.design.clone());
        return Err(DesignInterrupted::Tuning { done, all, design }.into());
    }
    if files.tuning.exists() {
        fs::remove_file(&files.tuning).map_err(|problem| WriteError::File { file: files.tuning.clone(), problem })?;
    }
    Ok(tuned)
}

/// Reads the state of an earlier outer search for the same design.
fn earlier(begun: &DesignFile, tuning: TuningLimits, files: &DesignFiles) -> Result<Option<Vec<u8>>, Failure> {
    if !files.tuning.exists() {
        return Ok(None);
    }
    let text = read_bounded(&files.tuning)?;
    let state = begun.outer_state(tuning, &text).map(<[u8]>::to_vec);
    Ok(Some(state.ok_or_else(|| DesignJobError::OtherSearch { file: files.tuning.clone() })?))
}

/// Removes the target profile from a specification, which leads to the smallest error.
pub(crate) fn without_profile(specification: &Specification) -> Specification {
    let mut simple = specification.clone();
    simple.objective.coupling = None;
    simple
}
