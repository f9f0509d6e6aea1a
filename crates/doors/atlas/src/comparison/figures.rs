//! Figures of a comparison: profiles in one panel, regions on one scale.

use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View, profile_figure};
use hemiola_stability::CoupledProfile;
use maud::html;
use rayon::prelude::*;

use crate::comparison::group::ComparisonGroup;
use crate::error::AtlasError;
use crate::facts::MethodFacts;
use crate::html::{PageFigure, default_view};

/// Largest number of profiles in one panel; more lines cannot be told apart.
const MOST_PROFILES: usize = 8;
/// Size of the window relative to the regions.
const MARGIN: f64 = 1.1;
/// Largest ratio of the extents of the window to the left and upwards: regions that reach farther along the real axis
/// would make all others small.
const WIDEST: f64 = 3.0;
/// Half the size of the window if no region is bounded.
const HALF_PLANE: f64 = 6.0;

/// Draws the profiles of the members, at most `MOST_PROFILES` in a figure.
pub(super) fn profiles(group: &ComparisonGroup<'_>) -> Result<Vec<PageFigure>, AtlasError> {
    let with_profile = group.members.iter().filter_map(|facts| {
        let pair = facts.pairs.first().filter(|_| facts.pairs.len() == 1)?;
        Some((facts.id(), &pair.profile))
    });
    let all: Vec<(&str, &CoupledProfile)> = with_profile.collect();
    let figures = all.chunks(MOST_PROFILES).enumerate().map(|(part, some)| {
        let names: Vec<&str> = some.iter().map(|(name, _)| *name).collect();
        let alt = format!("Practical coupled profiles of {}", names.join(", "));
        let caption = html! { "What is left of the decoupled step under coupling of strength γ: practical profiles." };
        PageFigure::new(&group.slug(), &format!("profiles-{}", part + 1), profile_figure(some), alt, caption)
    });
    figures.collect()
}

/// Draws the regions of each member with those of the first rival, all in one window.
pub(super) fn regions<'f>(group: &ComparisonGroup<'f>) -> Result<Vec<(&'f MethodFacts, PageFigure)>, AtlasError> {
    let view = window(group);
    let figure = |facts: &&'f MethodFacts| -> Result<_, AtlasError> {
        let rival = group.rivals.first().map(|rival| rival.facts);
        let schemes: Vec<MapScheme> =
            [Some(*facts), rival].into_iter().flatten().map(|facts| MapScheme::method(&facts.method)).collect();
        let map = StabilityMap::new(&schemes, &[Slice::Partitions], MapQuantity::Region, view);
        let drawn = map.and_then(|map| Ok(map.sample(&())?.figure())).map_err(AtlasError::of(facts.id()))?;
        let beside = rival.map_or_else(String::new, |rival| format!(" beside that of {}", rival.id()));
        let alt = format!("Stability regions of the partitions of {}{beside}", facts.id());
        let caption = html! { a href={ "../methods/" (facts.id()) ".html" } { (facts.id()) } (beside) };
        Ok((*facts, PageFigure::new(facts.id(), "compared", drawn, alt, caption)?))
    };
    group.members.par_iter().with_max_len(1).map(figure).collect()
}

/// Returns a window that contains the bounded regions, except their extent along the real axis beyond `WIDEST`.
fn window(group: &ComparisonGroup<'_>) -> View {
    let parts = || group.members.iter().flat_map(|facts| &facts.partitions);
    let largest = |limits: &mut dyn Iterator<Item = Option<f64>>| {
        limits.flatten().filter(|limit| limit.is_finite()).fold(0.0, f64::max)
    };
    let up = largest(&mut parts().map(|part| part.imaginary_limit));
    let left = largest(&mut parts().map(|part| part.real_limit));
    let up = if up > 0.0 { up } else { HALF_PLANE.min(left.max(1.0)) };
    let left = if left > 0.0 { left.min(WIDEST * up.max(1.0)) } else { HALF_PLANE };
    let (left, up) = (MARGIN * left, MARGIN * up);
    View { x: Some((-left, 0.25 * left)), y: Some((-up, up)), ..default_view() }
}
