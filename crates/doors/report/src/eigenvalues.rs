//! Eigenvalues of the blocks of a model's Jacobian over a run.

use std::ops::ControlFlow;

use hemiola_figure::{Axis, Color, Figure, Marker, Panel, Points};
use hemiola_integrate::{Embedded, Explicit, Extras, Outcome, System};
use hemiola_models::Model;
use hemiola_stability::BlockSystem;
use hemiola_tableau::library;
use num_complex::Complex64;

use crate::report::ReportError;

/// Number of states at which eigenvalues are computed.
const STATES: usize = 100;
/// Colors of the partitions.
const COLORS: [Color; 4] = [Color::BLUE, Color::ORANGE, Color::GREEN, Color::PURPLE];

/// Computes the eigenvalues of the diagonal blocks ∂fʳ/∂yʳ at a hundred states of a run, by partition.
///
/// # Errors
/// Returns [`ReportError::NoReference`] if the run does not reach its end, and [`ReportError::Stability`] if the
/// eigenvalue computation fails.
pub fn block_eigenvalues(model: &Model, end: f64) -> Result<Vec<Vec<Complex64>>, ReportError> {
    let method = library::method("dormand-prince-5")?;
    let mut stepper = Explicit::with(&method, model, Extras { estimate: true, dense: false })?;
    let control = Embedded { relative: 1e-8, absolute: 1e-10, ..Embedded::new(4) };
    let mut kept: Vec<(f64, Vec<f64>)> = vec![(0.0, model.initial.clone())];
    let mut y = model.initial.clone();
    let run = control.run(&mut stepper, model, [0.0, end], &mut y, &mut |step| {
        if step.t >= kept.len() as f64 * end / STATES as f64 {
            kept.push((step.t, step.y.to_vec()));
        }
        ControlFlow::Continue(())
    });
    if run.outcome != Outcome::Finished {
        return Err(ReportError::NoReference { model: model.name, outcome: run.outcome });
    }
    let mut all = vec![Vec::new(); model.sizes().len()];
    for (t, y) in kept {
        let blocks = BlockSystem::new(&model.jacobian_at(t, &y), model.partition())?;
        for (r, values) in all.iter_mut().enumerate() {
            values.extend(blocks.block_eigenvalues(r)?);
        }
    }
    Ok(all)
}

/// Draws the eigenvalues of the blocks in the complex plane, with a panel for each partition.
///
/// ```
/// let car = hemiola_models::model("quarter-car", &[])?;
/// let blocks = hemiola_report::block_eigenvalues(&car, car.duration)?;
/// assert!(hemiola_report::eigenvalue_figure(&blocks, &["body", "wheel"]).to_svg()?.contains("wheel"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn eigenvalue_figure(blocks: &[Vec<Complex64>], titles: &[&str]) -> Figure {
    let figure = if blocks.len() > 1 { Figure::two_columns().columns(2) } else { Figure::one_column() };
    let figure = figure.description("Eigenvalues of the blocks of the Jacobian over a run");
    let panels = blocks.iter().zip(titles).zip(COLORS.iter().cycle()).map(|((values, title), color)| {
        let points = Points::new(values.iter().map(|value| [value.re, value.im]));
        let points = points.marker(Marker::Circle).size(2.0).color(*color);
        Panel::new(Axis::new("Re *λ* in 1/s"), Axis::new("Im *λ* in 1/s")).title(*title).points(points)
    });
    panels.fold(figure, Figure::panel)
}
