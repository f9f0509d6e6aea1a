//! Run as a sequence of pictures.

use hemiola_export::describe::rounded;
use hemiola_figure::Figure;
use hemiola_number::{Counter, Progress};
use hemiola_plot::{MachineOutline, outline_figure, outline_size};
use hemiola_study::simulation::{SchemeRun, SimulationResults};

use super::simulation;

/// Largest ratio of the width of the window to that of the machine at the start.
const WIDEST: f64 = 10.0;

/// Draws pictures of the first run at equal time intervals: the machine at that time, the tracks of its wheels, and its
/// path, on a common scale. Models without bodies are drawn as solutions up to that time.
///
/// `progress` counts the pictures; if it stops the work, there are fewer.
#[must_use]
pub fn frames(simulated: &SimulationResults<'_>, count: u32, progress: &dyn Progress) -> Vec<Figure> {
    let Some(run) = simulated.runs.first() else { return Vec::new() };
    let end = run.track.times.last().copied().unwrap_or(0.0);
    let counter = Counter::new(progress, "pictures", Some(count as usize));
    let times = (0..count).map(|k| end * f64::from(k) / f64::from(count.max(2) - 1));
    let times = times.take_while(|_| counter.advance(1).is_continue());
    let machine = MachinePictures::new(simulated, run);
    if machine.outlines.is_empty() {
        return times.map(|t| simulation::drawn_until(simulated, t)).collect();
    }
    times.map(|t| machine.at(t)).collect()
}

/// The outlines of a machine during a run.
struct MachinePictures {
    times: Vec<f64>,
    outlines: Vec<Vec<Vec<[f64; 3]>>>,
    /// Path of the center.
    way: Vec<[f64; 3]>,
    /// Half the width of the window.
    size: f64,
}

impl MachinePictures {
    fn new(simulated: &SimulationResults<'_>, run: &SchemeRun) -> Self {
        let model = simulated.simulation.model;
        let track = run.track.thinned(simulated.simulation.spacing());
        let outlines: Vec<_> = track.states.iter().filter_map(|state| model.outline(state)).collect();
        // A vehicle that turns needs a wider window; the last states of a failed run may be enormous.
        let first = outlines.first().map_or(0.0, |lines| outline_size(lines));
        let size = outlines.iter().map(|lines| outline_size(lines)).fold(first, f64::max).min(WIDEST * first);
        let way = outlines.iter().map(|lines| mean(lines.iter().flatten())).collect();
        Self { times: track.times, outlines, way, size }
    }

    fn at(&self, time: f64) -> Figure {
        let place = self.times.partition_point(|t| *t < time).min(self.outlines.len() - 1);
        let (tracks, middle) = (tracks(&self.outlines[..=place], &self.way[..=place]), self.way[place]);
        let outline = MachineOutline { lines: self.outlines[place].clone(), tracks, way: self.way.clone(), middle };
        outline_figure(&outline, self.size, &format!("*t* = {} s", rounded(self.times[place], 3)))
    }
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
