//! A run as a sequence of pictures.

use hemiola::figure::Figure;
use hemiola::plot::{outline_figure, outline_size};
use hemiola::study::simulation::Simulated;

use crate::output::text;

/// Pictures at equal times, in one scale: the machine as it then is, with the way of its middle up to there.
pub(crate) fn frames(simulated: &Simulated<'_>, count: u32) -> Vec<Figure> {
    let (model, Some(run)) = (simulated.simulation.model, simulated.runs.first()) else { return Vec::new() };
    let size = model.outline(&model.initial).map_or(1.0, |lines| outline_size(&lines));
    let (times, states) = (&run.track.times, &run.track.states);
    let end = times.last().copied().unwrap_or(0.0);
    let mut path = Vec::new();
    let frame = |k: u32| {
        let wanted = end * f64::from(k) / f64::from(count - 1);
        let place = times.partition_point(|t| *t < wanted).min(times.len() - 1);
        let lines = model.outline(&states[place])?;
        path.extend(middle(&lines));
        Some(outline_figure(&lines, &path, size, &format!("*t* = {} s", text::rounded(times[place], 3))))
    };
    (0..count).filter_map(frame).collect()
}

/// The mean of all points.
fn middle(lines: &[Vec<[f64; 3]>]) -> Option<[f64; 3]> {
    let count = lines.iter().flatten().count();
    let mean = |k: usize| lines.iter().flatten().map(|point| point[k]).sum::<f64>() / count as f64;
    (count > 0).then(|| [0, 1, 2].map(mean))
}
