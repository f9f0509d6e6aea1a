//! S. Shome, E. J. Haug, L. O. Jay, Dual-rate integration using partitioned Runge–Kutta methods for mechanical systems with interacting
//! subsystems, Mechanics Based Design of Structures and Machines 32 (2004).

mod build_up;
mod cars;
mod comparison;
mod measured;
mod tables;
mod vehicle;

use crate::{Report, ReportError, Watcher};

const INTRODUCTION: &str = "\
# Shome, Haug & Jay (2004), made again

Written by `hemiola reproduce shome-haug-jay-2004`; the same command writes the same bytes. S. Shome, E. J. Haug, L. O. Jay, *Dual-rate \
integration using partitioned Runge–Kutta methods for mechanical systems with interacting subsystems*, Mechanics Based Design of \
Structures and Machines 32 (2004) 253–282.

The paper prints no parameters of its vehicles. Ours are public values (`hemiola models planar-vehicle` lists them with their \
sources), so that steps are to be compared by their ratios; where a number hangs on a parameter, the text says on which. \
The regions of Fig. 1 are in [shome-2004-stability.md](shome-2004-stability.md). Fig. 6, Fig. 7 and Table 9 are about a spatial \
vehicle, which is not modeled here.
";

pub(crate) fn report(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let mut report = Report { text: INTRODUCTION.to_owned(), figures: Vec::new() };
    let parts: [Part; 5] = [tables::part, cars::part, vehicle::part, build_up::part, comparison::part];
    for part in parts {
        let Report { text, figures } = part(watcher)?;
        report.text += &format!("\n{text}");
        report.figures.extend(figures);
    }
    Ok(report)
}

/// A section with its figures.
type Part = fn(&Watcher<'_>) -> Result<Report, ReportError>;
