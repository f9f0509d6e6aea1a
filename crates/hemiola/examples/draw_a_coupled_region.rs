//! Draws where two dual-rate pairs stay stable when the fast and the slow part are coupled.
//!
//! The test problem is x' = λx + δz, z' = μx + κλz: its fast part is κ times as fast as the slow one, and g = δμ/(κλ²) measures
//! the coupling. The picture is the plane of ξ = hλ, without coupling and with some.
//!
//! ```console
//! $ cargo run --release -p hemiola --example draw_a_coupled_region -- region.svg
//! ```
//!
//! writes the figure, two panels with the boundaries of both pairs, and prints the areas of the regions:
//!
//! ```text
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;

use hemiola::plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola::tableau::{library, write_file};

/// Two slow and five fast evaluations each: the published pair, and one that was designed to withstand coupling.
const PAIRS: [&str; 2] = ["shome-haug-jay-2-5", "hemiola-2-5-coupled"];
/// Without coupling, and with a coupling number of 0.04, which is γ = 0.2.
const SLICES: [&str; 2] = ["coupled:kappa=5,g=0", "coupled:kappa=5,g=0.04"];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "coupled-region.svg".to_owned());
    run(Path::new(&path), &mut std::io::stdout())
}

pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let schemes = PAIRS.map(|id| library::method(id).map(|method| MapScheme::method(&method)));
    let schemes = schemes.into_iter().collect::<Result<Vec<_>, _>>()?;
    let slices = SLICES.map(str::parse).into_iter().collect::<Result<Vec<Slice>, _>>()?;
    // All panels show the same part of the plane, so that they can be compared by eye.
    let view = View { x: Some((-1.2, 0.3)), y: Some((-1.2, 1.2)), ..View::default() };
    let map = StabilityMap::new(&schemes, &slices, MapQuantity::Region, view)?;
    write_file(path, map.to_svg()?.as_bytes())?;

    for (slice, areas) in SLICES.iter().zip(map.areas().chunks(PAIRS.len())) {
        writeln!(out, "{slice}")?;
        for (id, area) in PAIRS.iter().zip(areas) {
            writeln!(out, "    {id:20} {area:.4}")?;
        }
    }
    Ok(())
}
