//! `--animate`: a run as pictures in a folder or as a GIF file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::figure::Figure;
#[cfg(feature = "gif")]
use hemiola::figure::{GifError, GifOptions, write_gif};
use hemiola::number::{Counter, Progress};
use hemiola::report::results::frames;
use hemiola::study::simulation::SimulationResults;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::number;
use crate::arguments::output_file::OutputFile;
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::writer::WriteError;

/// Number of pictures in a folder.
const IN_FOLDER: u32 = 50;
/// Default time between the pictures of a GIF file, and largest number of pictures without options.
const USUAL_INTERVAL: f64 = 0.05;
const MOST_USUAL: f64 = 400.0;
/// Limits of the number of pictures.
const PICTURES: [f64; 2] = [2.0, 2000.0];
/// Resolution of GIF files in dots per inch.
#[cfg(feature = "gif")]
const DOTS_PER_INCH: f64 = 150.0;
/// Points per inch.
#[cfg(feature = "gif")]
const INCH: f64 = 72.0;

/// Animation that cannot be drawn.
#[derive(Debug, Error)]
enum AnimationError {
    #[error("--interval {interval}: a run of {end} has {pictures} pictures; expected 2 to 2000")]
    Pictures { interval: f64, end: f64, pictures: f64 },
    #[error("--animate: interrupted after {drawn} of {pictures} pictures")]
    Interrupted { drawn: usize, pictures: u32 },
    #[cfg(not(feature = "gif"))]
    #[error("--animate {file}: this build has no GIF files; rebuild with --features gif")]
    NoGif { file: PathBuf },
}

impl CommandError for AnimationError {
    fn outcome(&self) -> CommandOutcome {
        if matches!(self, Self::Interrupted { .. }) { CommandOutcome::Interrupted } else { CommandOutcome::BadInput }
    }
}

#[cfg(feature = "gif")]
impl CommandError for GifError {
    fn outcome(&self) -> CommandOutcome {
        if matches!(self, Self::Interrupted) { CommandOutcome::Interrupted } else { CommandOutcome::BadInput }
    }
}

/// Options of an animation.
#[derive(Args, Debug)]
pub(crate) struct AnimationArgs {
    /// Draw the run of a single METHOD as an animation: a GIF file, or pictures in a folder
    ///
    /// Vehicles and machines are shown from the side and, unless they are planar, from above; the solutions of other
    /// models grow over time. A GIF file plays in real time, or more slowly with more than 50 pictures a second. The
    /// pictures FOLDER/0001.png, … are at equal time intervals; the folder is created if necessary.
    #[arg(long, value_name = "F.gif|FOLDER")]
    animate: Option<PathBuf>,

    /// Number of pictures drawn by --animate [default: 50; in a GIF file 20 for each second, up to 400]
    #[arg(long, value_name = "N", requires = "animate", value_parser = clap::value_parser!(u32).range(2..=2000))]
    frames: Option<u32>,

    /// Time between the pictures drawn by --animate
    #[arg(long, value_name = "DT", requires = "animate", conflicts_with = "frames", value_parser = number::positive)]
    interval: Option<f64>,

    /// Number of colors of the GIF file; fewer make it smaller
    #[arg(long, value_name = "N", default_value_t = 64, requires = "animate", value_parser = clap::value_parser!(u16).range(2..=256))]
    colors: u16,
}

impl AnimationArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.animate.is_some()
    }

    /// Returns the file or folder.
    pub(crate) fn written(&self) -> Option<OutputFile> {
        self.animate.clone().map(OutputFile::from)
    }

    fn is_gif(&self) -> bool {
        self.animate.as_ref().is_some_and(|path| path.extension().is_some_and(|ending| ending == "gif"))
    }

    /// Checks the options and creates the folder before the run, which may take long.
    pub(crate) fn prepare(&self, end: f64) -> Result<(), Failure> {
        self.pictures(end)?;
        match &self.animate {
            Some(folder) if !self.is_gif() => {
                fs::create_dir_all(folder).map_err(|problem| WriteError::File { file: folder.clone(), problem }.into())
            }
            #[cfg(not(feature = "gif"))]
            Some(file) => Err(AnimationError::NoGif { file: file.clone() }.into()),
            _ => Ok(()),
        }
    }

    /// Returns the number of pictures.
    fn pictures(&self, end: f64) -> Result<u32, Failure> {
        if let Some(frames) = self.frames {
            return Ok(frames);
        }
        let pictures = match self.interval {
            Some(interval) => (end / interval).round() + 1.0,
            None if self.is_gif() => ((end / USUAL_INTERVAL).round() + 1.0).clamp(PICTURES[0], MOST_USUAL),
            None => f64::from(IN_FOLDER),
        };
        match self.interval {
            Some(interval) if !(PICTURES[0]..=PICTURES[1]).contains(&pictures) => {
                Err(AnimationError::Pictures { interval, end, pictures }.into())
            }
            _ => Ok(pictures as u32),
        }
    }

    /// Draws and writes the pictures.
    pub(crate) fn write(
        &self,
        simulated: &SimulationResults<'_>,
        figure: &FigureArgs,
        progress: &dyn Progress,
    ) -> Result<(), Failure> {
        let Some(path) = &self.animate else { return Ok(()) };
        let figure = figure.without_ranges();
        let count = self.pictures(simulated.simulation.end)?;
        let pictures = frames(simulated, count, progress);
        if pictures.len() < count as usize {
            return Err(AnimationError::Interrupted { drawn: pictures.len(), pictures: count }.into());
        }
        if self.is_gif() {
            // A failed run has pictures up to its end.
            let reached = simulated.runs.first().and_then(|run| run.track.times.last().copied());
            return self.write_gif(path, pictures, reached.unwrap_or(simulated.simulation.end), &figure, progress);
        }
        let counter = Counter::new(progress, "files", Some(pictures.len()));
        for (k, picture) in pictures.into_iter().enumerate() {
            figure.write("--animate", &path.join(format!("{:04}.png", k + 1)), picture, &[])?;
            if counter.advance(1).is_break() {
                return Err(AnimationError::Interrupted { drawn: k + 1, pictures: count }.into());
            }
        }
        Ok(())
    }

    /// Writes an animation in real time. Plotters writes to the file directly, so a temporary file is written first, which replaces an
    /// existing file when it is complete.
    #[cfg(feature = "gif")]
    fn write_gif(
        &self,
        file: &Path,
        pictures: Vec<Figure>,
        end: f64,
        figure: &FigureArgs,
        progress: &dyn Progress,
    ) -> Result<(), Failure> {
        let scenes = pictures.into_iter().map(|picture| figure.scene(picture)).collect::<Result<Vec<_>, _>>()?;
        let options = GifOptions {
            per_point: figure.dpi().unwrap_or(DOTS_PER_INCH) / INCH,
            delay: (1e3 * end / scenes.len().max(2).saturating_sub(1) as f64).round().clamp(20.0, 60_000.0) as u32,
            colors: usize::from(self.colors),
        };
        let counter = Counter::new(progress, "pictures of the file", Some(scenes.len()));
        let part = file.with_extension("gif.part");
        let problem = |problem| WriteError::File { file: file.to_owned(), problem };
        let written = write_gif(&part, &scenes, options, |_| counter.advance(1));
        let contents = fs::read(&part);
        let _ = fs::remove_file(&part);
        written?;
        crate::output::writer::write(file, &contents.map_err(problem)?)
    }

    #[cfg(not(feature = "gif"))]
    fn write_gif(&self, file: &Path, _: Vec<Figure>, _: f64, _: &FigureArgs, _: &dyn Progress) -> Result<(), Failure> {
        Err(AnimationError::NoGif { file: file.to_owned() }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_follow_from_the_interval() {
        let count = |animate: &str, frames, interval, end| {
            let args = AnimationArgs { animate: Some(animate.into()), frames, interval, colors: 64 };
            args.pictures(end).ok()
        };
        assert_eq!(count("run.gif", None, None, 10.0), Some(201));
        assert_eq!(count("run.gif", None, None, 1e6), Some(400));
        assert_eq!(count("folder", None, None, 10.0), Some(50));
        assert_eq!(count("run.gif", Some(7), None, 10.0), Some(7));
        assert_eq!(count("run.gif", None, Some(0.1), 10.0), Some(101));
        assert_eq!(count("run.gif", None, Some(1e-3), 10.0), None);
        assert_eq!(count("run.gif", None, Some(1e9), 10.0), None);
    }
}
