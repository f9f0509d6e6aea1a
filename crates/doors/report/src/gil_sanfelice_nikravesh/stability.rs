//! Figures 1 to 3: stability regions.

use hemiola_figure::{Drawing, Figure, escaped};
use hemiola_number::Progress;
use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola_stability::{SingularPerturbation, StabilityScheme, stability_limit};
use hemiola_tableau::{Method, library};
use num_complex::Complex64;

use crate::gil_sanfelice_nikravesh::stability_text::TEXT;
use crate::markdown::digits;
use crate::papers::GIL_SANFELICE_NIKRAVESH as NAME;
use crate::report::{Report, ReportError};

/// Frequency ratios of Figure 2, and strengths of coupling of Figure 3. Those of the paper are missing in the scan.
const ALPHA: [f64; 3] = [1.0, 5.0, 10.0];
const BETA: [f64; 4] = [0.0, 0.1, 0.2, 0.4];
/// Coupling of Figure 2, and ratio of Figure 3.
const COUPLING: f64 = 0.2;
const RATIO: f64 = 5.0;
/// Window for areas: the upper halves of all regions.
const WINDOW: View = View { cells: 600, x: Some((-4.0, 1.0)), y: Some((0.0, 4.0)) };
/// Ratios at which the time scales are separated.
const SEPARATED: [f64; 4] = [2.0, 5.0, 10.0, 100.0];
/// End of the part of the imaginary axis that is searched for growth, and the number of points. The narrowest peak is
/// 1e-5 wide.
const AXIS_END: f64 = 2.8;
const AXIS_POINTS: u32 = 2_800_000;
/// Damping at which Figure 2 leaves the left half-plane for α = 1.
const DAMPING: f64 = -0.025;

pub(crate) fn section(progress: &dyn Progress) -> Result<Report, ReportError> {
    let rk4 = library::method("rk4")?;
    let region =
        StabilityMap::new(&[MapScheme::method(&rk4)], &[Slice::Partitions], MapQuantity::Region, View::default())?;
    let ratios = StabilityMap::gil(&rk4, &ALPHA, &[COUPLING], View::default())?;
    let couplings = StabilityMap::gil(&rk4, &[RATIO], &BETA, View::default())?;
    let mut figures = Vec::new();
    for (k, map) in [(1, region), (2, ratios), (3, couplings)] {
        figures.push((format!("{NAME}-fig-{k}.svg"), drawn(&map, &rk4, progress)?));
    }
    let areas = StabilityMap::gil(&rk4, &SEPARATED, &[COUPLING], WINDOW)?.areas();
    let extreme = |of: fn(f64, f64) -> f64| areas.iter().copied().reduce(of).unwrap_or(f64::NAN);
    let grown = StabilityMap::gil(&rk4, &[RATIO], &BETA, WINDOW)?.areas();
    let growth = |k: usize| digits(100.0 * (grown[k] / grown[0] - 1.0), 2);
    let peaks = [ALPHA[0], ALPHA[1], ALPHA[2], 100.0].map(peak);
    let excess = peaks.map(|(_, radius)| digits(radius - 1.0, 2));
    let limits = [-Complex64::ONE, Complex64::I].map(|ray| Ok(digits(stability_limit(&rk4, 0, ray)?.value(), 4)));
    let [real, imaginary] = limits.map(|limit: Result<String, ReportError>| limit);
    let text = TEXT
        .replace("{real}", &real?)
        .replace("{imaginary}", &imaginary?)
        .replace("{smallest}", &digits(extreme(f64::min), 4))
        .replace("{largest}", &digits(extreme(f64::max), 4))
        .replace("{exit}", &digits(exit(), 2))
        .replace("{excess}", &format!("{}, {}, {} and {}", excess[0], excess[1], excess[2], excess[3]))
        .replace("{peak}", &digits(peaks[3].0, 6))
        .replace("{growths}", &format!("{} % and {} %", growth(1), growth(2)))
        .replace("{strong}", &growth(3));
    Ok(Report { text, figures })
}

/// Draws a map with the name of the method, as the command line does.
fn drawn(map: &StabilityMap, method: &Method, progress: &dyn Progress) -> Result<Drawing, ReportError> {
    let figure: Figure = map.sample(progress)?.figure();
    Ok(figure.relabeled(|label| label.replace(&escaped(method.id()), &escaped(method.name()))).into())
}

/// Returns ρ(M) at ξ for a ratio α and the coupling of Figure 2.
fn radius(alpha: f64, xi: Complex64) -> f64 {
    let fast = alpha * xi;
    // The eigenvalues depend on the product of the couplings alone.
    let product = COUPLING * COUPLING * xi * fast;
    SingularPerturbation::default().spectral_radius(&[vec![xi, product], vec![Complex64::ONE, fast]])
}

/// Returns the place and the height of the largest spectral radius on the imaginary axis.
fn peak(alpha: f64) -> (f64, f64) {
    let at = |k: u32| AXIS_END * f64::from(k) / f64::from(AXIS_POINTS);
    let points = (1..=AXIS_POINTS).map(|k| (at(k), radius(alpha, Complex64::new(0.0, at(k)))));
    points.fold((0.0, 0.0), |best, point| if point.1 > best.1 { point } else { best })
}

/// Returns the imaginary part from which the scheme with α = 1 is unstable at the damping of the text.
fn exit() -> f64 {
    let points = (1..=AXIS_POINTS).map(|k| AXIS_END * f64::from(k) / f64::from(AXIS_POINTS));
    points.into_iter().find(|y| radius(1.0, Complex64::new(DAMPING, *y)) > 1.0).unwrap_or(f64::NAN)
}
