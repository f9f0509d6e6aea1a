//! Run as a sequence of pictures.

use hemiola_export::describe::rounded;
use hemiola_figure::Figure;
use hemiola_plot::{MachineOutline, outline_figure, outline_size};
use hemiola_study::simulation::SimulationResults;

/// Draws pictures at equal time intervals on a common scale: the machine at that time, the tracks of its wheels, and
/// its path.
#[must_use]
pub fn frames(simulated: &SimulationResults<'_>, count: u32) -> Vec<Figure> {
    let (model, Some(run)) = (simulated.simulation.model, simulated.runs.first()) else { return Vec::new() };
    let size = model.outline(&model.initial).map_or(1.0, |lines| outline_size(&lines));
    let track = run.track.thinned(simulated.simulation.spacing());
    let outlines: Vec<_> = track.states.iter().filter_map(|state| model.outline(state)).collect();
    let way: Vec<[f64; 3]> = outlines.iter().map(|lines| mean(lines.iter().flatten())).collect();
    let end = track.times.last().copied().unwrap_or(0.0);
    let frame = |k: u32| {
        let wanted = end * f64::from(k) / f64::from(count - 1);
        let place = track.times.partition_point(|t| *t < wanted).min(outlines.len().checked_sub(1)?);
        let (tracks, middle) = (tracks(&outlines[..=place], &way[..=place]), way[place]);
        let outline = MachineOutline { lines: outlines[place].clone(), tracks, way: way.clone(), middle };
        Some(outline_figure(&outline, size, &format!("*t* = {} s", rounded(track.times[place], 3))))
    };
    (0..count).filter_map(frame).collect()
}

/// Returns the paths of the wheel centers, or of the machine's reference point if it has no wheels.
fn tracks(outlines: &[Vec<Vec<[f64; 3]>>], way: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
    // Wheels are circles, which have many points; the last point repeats the first.
    let centers = |lines: &Vec<Vec<[f64; 3]>>| -> Vec<[f64; 3]> {
        lines.iter().filter(|line| line.len() > 2).map(|line| mean(line[1..].iter())).collect()
    };
    let places: Vec<Vec<[f64; 3]>> = outlines.iter().map(centers).collect();
    match places.first().map_or(0, Vec::len) {
        0 => vec![way.to_vec()],
        wheels => (0..wheels).map(|k| places.iter().map(|centers| centers[k]).collect()).collect(),
    }
}

/// Returns the mean of some points; the origin if there are none.
fn mean<'a>(points: impl Iterator<Item = &'a [f64; 3]>) -> [f64; 3] {
    let (sum, count) =
        points.fold(([0.0; 3], 0.0f64), |(sum, count), point| ([0, 1, 2].map(|k| sum[k] + point[k]), count + 1.0));
    sum.map(|sum| sum / count.max(1.0))
}
