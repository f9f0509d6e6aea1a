//! Draws the regions in which two dual-rate pairs are stable when the fast and the slow part are coupled.
//!
//! The test problem is x' = λx + δz, z' = μx + κλz. Its fast part is κ times as fast as the slow one, and g =
//! δμ/(κλ²) ≤ γ² measures the coupling. The figure shows the plane of ξ = hλ without coupling and with γ = 0.4.
//!
//! ```console
//! $ cargo run --release -p hemiola --example draw_a_coupled_region -- region.svg
//! ```
//!
//! writes the figure, two panels with the boundaries of both pairs, and prints the areas of the regions and the
//! coupled profile, which is the fraction of the stable step that remains at the worst frequency ratio:
//!
//! ```text
//! coupled:kappa=5,g=0
//!     shome-haug-jay-2-5   0.5538
//!     hemiola-2-5-coupled  0.5538
//! coupled:kappa=5,g=0.16
//!     shome-haug-jay-2-5   0.5672
//!     hemiola-2-5-coupled  0.5774
//! profile at γ = [0.1, 0.2, 0.4]
//!     shome-haug-jay-2-5   0.93, 0.87, 0.76
//!     hemiola-2-5-coupled  0.99, 0.98, 0.96
//! ```
//!
//! The second pair was designed for γ up to 0.2 and keeps nearly all of its step at 0.4.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use hemiola::plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola::stability::coupled_profile;
use hemiola::tableau::{library, write_file};

/// The published pair and a pair designed to withstand coupling, each with two slow and five fast evaluations.
const PAIRS: [&str; 2] = ["shome-haug-jay-2-5", "hemiola-2-5-coupled"];
/// Slices without coupling and with γ = 0.4, of the sign that costs more.
const SLICES: [&str; 2] = ["coupled:kappa=5,g=0", "coupled:kappa=5,g=0.16"];
/// Damping ratio of the parts for the profile.
const DAMPING: f64 = 0.05;
const STRENGTHS: [f64; 3] = [0.1, 0.2, 0.4];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "coupled-region.svg".to_owned());
    run(Path::new(&path), &mut std::io::stdout())
}

pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let pairs = PAIRS.into_iter().map(library::method).collect::<Result<Vec<_>, _>>()?;
    let schemes: Vec<MapScheme> = pairs.iter().map(MapScheme::method).collect();
    let slices = SLICES.map(str::parse).into_iter().collect::<Result<Vec<Slice>, _>>()?;
    // Both panels show the same part of the plane, so that they can be compared by eye.
    let view = View { x: Some((-0.7, 0.2)), y: Some((-1.0, 1.0)), ..View::default() };
    let map = StabilityMap::new(&schemes, &slices, MapQuantity::Region, view)?;
    write_file(path, map.sample(&())?.figure().to_svg()?.as_bytes())?;

    for (slice, areas) in SLICES.iter().zip(map.areas().chunks(PAIRS.len())) {
        writeln!(out, "{slice}")?;
        for (id, area) in PAIRS.iter().zip(areas) {
            writeln!(out, "    {id:20} {area:.4}")?;
        }
    }
    writeln!(out, "profile at γ = {STRENGTHS:?}")?;
    for pair in &pairs {
        let profile = coupled_profile(pair, DAMPING, &STRENGTHS)?;
        let left: Vec<String> = profile.values.iter().map(|at| format!("{:.2}", at.practical.value)).collect();
        writeln!(out, "    {:20} {}", pair.id(), left.join(", "))?;
    }
    Ok(())
}
