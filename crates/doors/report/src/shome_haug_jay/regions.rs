//! Figure 1: the stability regions of the 2–5 method, alone and coupled.

use hemiola_figure::Drawing;
use hemiola_number::Progress;
use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola_stability::stability_limit;
use hemiola_tableau::{Method, library};
use num_complex::Complex64;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::shome_haug_jay::measured::file;

/// Planes of the coupled problem: two couplings, and all couplings of a strength.
const COUPLED: [&str; 3] = ["coupled:kappa=5,g=0.04", "coupled:kappa=5,g=-0.04", "robust:kappa=4..6,gamma=0.2"];
/// Slices of these planes without coupling.
const DECOUPLED: [&str; 2] = ["coupled:kappa=5,g=0", "robust:kappa=4..6,gamma=0"];
const PROFILE: [&str; 2] = ["profile:zeta=0.05", "profile:zeta=0.05,sign=-"];

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "stability regions")?;
    let method = library::method("shome-haug-jay-2-5")?;
    let mut figures = Vec::new();
    for (name, slices) in [("fig-1", &["partitions"][..]), ("coupled", &COUPLED), ("profile", &PROFILE)] {
        figures.push((file(name), drawn(&method, slices, progress)?));
    }
    let limit = |partition, ray| Ok::<_, ReportError>(digits(stability_limit(&method, partition, ray)?.value(), 8));
    let row = |(partition, name, expected): (usize, &str, &str)| {
        Ok(vec![
            name.to_owned(),
            limit(partition, Complex64::I)?,
            limit(partition, -Complex64::ONE)?,
            expected.to_owned(),
        ])
    };
    let rows = [
        (0, "slow", "the region of 1 + z + z²/2, which touches the imaginary axis only at 0"),
        (1, "fast", "s − 1 = 4 on the imaginary axis, the optimum for five stages"),
    ];
    let rows = rows.into_iter().map(row).collect::<Result<Vec<_>, ReportError>>()?;
    let columns = ["partition", ">on the imaginary axis", ">on the negative real axis", "expected"];
    let [coupled, decoupled] = [areas(&method, &COUPLED)?, areas(&method, &DECOUPLED)?];
    let shown = |area: f64| digits(area, 3);
    let text = TEXT
        .replace("{limits}", &table(&columns, rows))
        .replace("{positive}", &shown(coupled[0]))
        .replace("{negative}", &shown(coupled[1]))
        .replace("{alone}", &shown(decoupled[0]))
        .replace("{robust}", &shown(coupled[2]))
        .replace("{robust-alone}", &shown(decoupled[1]));
    Ok(Report { text, figures })
}

fn map(method: &Method, slices: &[&str]) -> Result<StabilityMap, ReportError> {
    let slices = slices.iter().map(|text| text.parse()).collect::<Result<Vec<Slice>, _>>()?;
    Ok(StabilityMap::new(&[MapScheme::method(method)], &slices, MapQuantity::Region, View::default())?)
}

fn drawn(method: &Method, slices: &[&str], progress: &dyn Progress) -> Result<Drawing, ReportError> {
    Ok(map(method, slices)?.sample(progress)?.figure().into())
}

/// Returns the area of the first region of each plane.
fn areas(method: &Method, slices: &[&str]) -> Result<Vec<f64>, ReportError> {
    slices.iter().map(|slice| Ok(map(method, &[slice])?.areas().first().copied().unwrap_or(f64::NAN))).collect()
}

const TEXT: &str = "\
## Figure 1: stability regions

> “Stability regions of the slow and the fast integrators are shown in Fig. 1.” The slow stability function is (26),
> 1 + z + z²/2; the fast one is (25) with Table 5, “the stability function that gives the largest possible stability region along
> the imaginary axis”.

![The stability regions of both partitions of the 2–5 method](shome-haug-jay-2004-fig-1.svg)

    hemiola map shome-haug-jay-2-5 --output fig-1.svg

The coefficients of Table 6 agree with this:

{limits}
The fast region contains the slow one and reaches more than twice as high; on the real axis it is slightly longer.

*Beyond the paper: the coupled problem.*

> “Since there are four complex variables […], the stability region is in eight-dimensional space. Unfortunately a stability region
> in eight-dimensional space is not very intuitive and cannot be directly used to select coefficients for PRK dual-rate integrators.”

The eigenvalues of the stability matrix depend only on z_ss, z_ff and the product z_sf z_fs, which leaves six dimensions. Three planes,
with κ = z_ff/z_ss and g = z_sf z_fs/(z_ss z_ff):

![Coupled regions of the 2–5 method](shome-haug-jay-2004-coupled.svg)

    hemiola map shome-haug-jay-2-5 --slice coupled:kappa=5,g=0.04 --slice coupled:kappa=5,g=-0.04 \\
        --slice robust:kappa=4..6,gamma=0.2 --output coupled.svg

With two real couplings, (a) and (b), the areas of the regions are {positive} and {negative}, and {alone} without coupling; the
tip near the imaginary axis changes, where weakly damped systems lie. The region that is stable for all couplings of that strength and
all ratios from 4 to 6, (c), has an area of {robust}, and of {robust-alone} without coupling.

![The fraction of the decoupled step left under coupling](shome-haug-jay-2004-profile.svg)

    hemiola map shome-haug-jay-2-5 --slice profile:zeta=0.05 --slice profile:zeta=0.05,sign=- --output profile.svg

At the damping ratio ζ = 0.05, positive couplings cost most where both partitions reach their limits together (κ = κ*), and less the farther
apart these are; strong negative couplings open gaps within the decoupled step.
";
