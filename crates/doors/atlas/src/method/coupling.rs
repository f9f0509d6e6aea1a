//! Pairs under coupling: the profile, a coupled region, and for IMEX pairs the region for all implicit eigenvalues in a wedge.

use hemiola_plot::{MapError, MapQuantity, MapScheme, Slice, StabilityMap, View, profile_figure};
use maud::{Markup, html};

use crate::error::AtlasError;
use crate::facts::{MethodFacts, PairProfile};
use crate::html::{PageFigure, data, default_view, math, picture, scrolling};
use crate::partition::PartitionReport;
use crate::wording::Kind;

/// The coupling number g of the drawn region; the frequency ratio is that of the limits, κ* = L_f/L_s.
const COUPLING: f64 = 0.04;
/// Half-angle of the wedge of the implicit part of IMEX pairs, in degrees: the left half-plane.
const WEDGE: f64 = 90.0;
/// Cells of the map of that region; each point requires an optimization over the wedge.
const WEDGE_CELLS: usize = 120;
/// Size of the window relative to the region.
const MARGIN: f64 = 1.1;

pub(super) fn section(facts: &MethodFacts, pictures: &mut Vec<PageFigure>) -> Result<Markup, AtlasError> {
    let several = facts.pairs.len() > 1;
    let drawn = figures(facts)?;
    let is_pair = facts.method.partitions().len() > 1;
    let shown = html! {
        @if is_pair && facts.pairs.is_empty() {
            p { "There is no coupled profile: a limit at damping 0.05 is zero or infinite." }
        }
        @for pair in &facts.pairs { (table(pair, several)) }
        @if !drawn.is_empty() { div.figures { @for figure in &drawn { (picture(figure)) } } }
    };
    pictures.extend(drawn);
    Ok(shown)
}

fn table(pair: &PairProfile, several: bool) -> Markup {
    let profile = &pair.profile;
    let [slow, fast] = &pair.names;
    let of = if several { format!(" of {slow} and {fast}") } else { String::new() };
    let title = format!("Coupled profile{of}: smallest ratio of the coupled limit to the decoupled one");
    let column = |value: f64, digits: usize| html! { data value=(value) { (format!("{value:.digits$}")) } };
    html! {
        (scrolling(&title, &html! {
            table.numbers {
                caption { (title) " at damping ζ = " (profile.damping) }
                thead {
                    tr { @for name in ["γ", "Practical", "Strict", "Skew", "κ", "g"] { th scope="col" { (name) } } }
                }
                tbody {
                    @for at in &profile.values {
                        tr {
                            th scope="row" { (at.gamma) }
                            @for value in [at.practical.value, at.strict.value, at.skew.value] { td { (column(value, 4)) } }
                            td { (column(at.practical.kappa, 3)) }
                            td { (column(at.practical.coupling, 4)) }
                        }
                    }
                }
            }
        }))
        p { "Limits along that ray: slow " (data(profile.slow_limit)) ", fast " (data(profile.fast_limit)) "." }
    }
}

fn figures(facts: &MethodFacts) -> Result<Vec<PageFigure>, AtlasError> {
    let (id, name) = (facts.id(), facts.method.name());

    let mut drawn = Vec::new();
    if let [pair] = &facts.pairs[..] {
        let alt =
            format!("Coupled profile of {name}: practical, strict and skew, falling with the strength of coupling");
        let caption = html! { "What is left of the decoupled step, over the strength of coupling γ." };
        drawn.push(PageFigure::new(id, "profile", profile_figure(&[(id, &pair.profile)]), alt, caption)?);
        let kappa = ratio(pair);
        let slice = Slice::Coupled { kappa, coupling: COUPLING.into() };
        let figure = region(facts, slice, default_view()).map_err(AtlasError::of(id))?;
        let alt = format!(
            "Stability region of {name} with coupled partitions, frequency ratio {kappa}, coupling number {COUPLING}"
        );
        let caption = html! {
            "Where the coupled step is stable, in the plane of " (math(&html! { mrow { mi { "ξ" } mo { "=" } msub { mi { "z" } mi { "ss" } } } }))
            ": frequency ratio κ = " (kappa) ", coupling number g = " (COUPLING) "."
        };
        drawn.push(PageFigure::new(id, "coupled", figure, alt, caption)?);
    }
    // The region for a wedge requires stages that are solved one at a time.
    if facts.is(Kind::Imex) && facts.is(Kind::Dirk) && facts.method.partitions().len() == 2 {
        let slice = Slice::Joint { wedge: WEDGE, radius: f64::INFINITY };
        let figure = region(facts, slice, window_of_explicit(facts)).map_err(AtlasError::of(id))?;
        let alt = format!(
            "Region of {name} in the plane of the explicit part, stable for every implicit part in the left half-plane"
        );
        let caption = html! { "Where the explicit part is stable for every implicit part in the left half-plane." };
        drawn.push(PageFigure::new(id, "joint", figure, alt, caption)?);
    }
    Ok(drawn)
}

/// Returns the ratio of the limits, rounded to two digits.
fn ratio(pair: &PairProfile) -> f64 {
    let ratio = pair.profile.fast_limit / pair.profile.slow_limit;
    format!("{ratio:.1e}").parse().unwrap_or(ratio)
}

/// Returns the window of the explicit partition's own region, which contains the regions for all wedges.
fn window_of_explicit(facts: &MethodFacts) -> View {
    let explicit = facts.partitions.iter().filter(|part| part.denominator.is_none());
    let reach = |limit: fn(&PartitionReport) -> Option<f64>| explicit.clone().filter_map(limit).fold(0.0, f64::max);
    let left = reach(|part| part.real_limit).max(1.0);
    let up = left.max(reach(|part| part.imaginary_limit));
    View { cells: WEDGE_CELLS, x: Some((-MARGIN * left, 0.25 * left)), y: Some((-MARGIN * up, MARGIN * up)) }
}

fn region(facts: &MethodFacts, slice: Slice, view: View) -> Result<hemiola_figure::Figure, MapError> {
    let scheme = MapScheme::method(&facts.method);
    Ok(StabilityMap::new(&[scheme], &[slice], MapQuantity::Region, view)?.sample(&())?.figure())
}
