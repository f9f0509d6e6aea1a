//! Eigenvalues of the blocks of a model's Jacobian over a run.

use std::ops::ControlFlow;

use hemiola_integrate::{Embedded, Explicit, Extras, Outcome};
use hemiola_models::Model;
use hemiola_stability::BlockSystem;
use hemiola_tableau::library;
use num_complex::Complex64;

use super::super::ReportError;

/// The eigenvalues of the slow and of the fast block at states of a run, equally spaced in time.
pub(super) fn over_a_run(model: &Model, end: f64, states: usize) -> Result<[Vec<Complex64>; 2], ReportError> {
    let method = library::method("dormand-prince-5")?;
    let mut stepper = Explicit::with(&method, model, Extras { estimate: true, dense: false })?;
    let control = Embedded { relative: 1e-8, absolute: 1e-10, ..Embedded::new(4) };
    let mut kept: Vec<(f64, Vec<f64>)> = vec![(0.0, model.initial.clone())];
    let mut y = model.initial.clone();
    let run = control.run(&mut stepper, model, [0.0, end], &mut y, &mut |step| {
        if step.t >= kept.len() as f64 * end / states as f64 {
            kept.push((step.t, step.y.to_vec()));
        }
        ControlFlow::Continue(())
    });
    if run.outcome != Outcome::Finished {
        return Err(ReportError::NoReference { model: model.name, outcome: run.outcome });
    }
    let mut all = [Vec::new(), Vec::new()];
    for (t, y) in kept {
        let blocks = BlockSystem::new(&model.jacobian_at(t, &y), model.partition())?;
        for (r, values) in all.iter_mut().enumerate() {
            values.extend(blocks.block_eigenvalues(r)?);
        }
    }
    Ok(all)
}
