//! Stability of each partition by itself: function, limits, rays, regions, order star.

use hemiola_export::describe;
use hemiola_plot::{MapError, MapQuantity, MapScheme, Slice, StabilityMap};
use maud::{Markup, html};

use crate::error::AtlasError;
use crate::facts::MethodFacts;
use crate::html::{PageFigure, data, default_view, definitions, math, picture, polynomial, scrolling};
use crate::monotonicity::RegionReport;
use crate::partition::PartitionReport;

/// Largest number of stages for which an order star is drawn; with more stages, it is a thin line around a large region.
const STAR_STAGES: usize = 8;

pub(super) fn section(facts: &MethodFacts, pictures: &mut Vec<PageFigure>) -> Result<Markup, AtlasError> {
    let several = facts.partitions.len() > 1;
    let drawn = figures(facts)?;
    let regions = if several { regions(facts)? } else { Vec::new() };
    let shown = html! {
        @for partition in &facts.partitions {
            @if several { h3 { "Partition " (partition.name) } }
            (definitions(entries(partition)))
            (rays(partition, several))
        }
        @for (name, region) in &regions {
            p { (name) " on the shared stages, largest r: " (region.text(&facts.method)) "." }
        }
        @if several { h3 { "Regions" } }
        div.figures { @for figure in &drawn { (picture(figure)) } }
    };
    pictures.extend(drawn);
    Ok(shown)
}

/// Computes the regions of all partitions together.
fn regions(facts: &MethodFacts) -> Result<Vec<(&'static str, RegionReport)>, AtlasError> {
    let monotonicity = RegionReport::monotonicity(&facts.method).map_err(AtlasError::of(facts.id()))?;
    let contractivity = RegionReport::contractivity(&facts.method).map_err(AtlasError::of(facts.id()))?;
    Ok(vec![("Absolute monotonicity", monotonicity), ("Contractivity", contractivity)])
}

/// Renders the lines of `hemiola stability`, with the function as a formula and all digits of the numbers.
fn entries(partition: &PartitionReport) -> Vec<(&'static str, Markup)> {
    let limits = [("imaginary limit", partition.imaginary_limit), ("real limit", partition.real_limit)];
    let markup = |(name, text): (&'static str, String)| {
        let limit = limits.iter().find(|(limit, _)| *limit == name).and_then(|(_, value)| *value);
        let shown = match (name, limit, partition.sector_angle) {
            ("R(z)", ..) => function(partition),
            (_, Some(value), _) => data(value),
            ("sector", _, Some(angle)) => html! { data value=(angle) { (text) } },
            _ => html! { (text) },
        };
        (name, shown)
    };
    partition.entries().into_iter().map(markup).collect()
}

fn function(partition: &PartitionReport) -> Markup {
    let [numerator, denominator] = partition.function();
    let above = polynomial(numerator, "z");
    let is_rational = partition.denominator.is_some();
    let function = if is_rational {
        html! { mfrac { (above) (polynomial(denominator, "z")) } }
    } else {
        above
    };
    scrolling(&format!("Stability function of {}", partition.name), &html! { math displaystyle="true" { (function) } })
}

fn rays(partition: &PartitionReport, several: bool) -> Markup {
    // A-stable methods have no limits.
    if partition.damped_rays.iter().all(|ray| ray.limit.is_none()) {
        return html! {};
    }
    let of = if several { format!(", partition {}", partition.name) } else { String::new() };
    let title = format!("Limits along rays of damping ratio ζ{of}");
    scrolling(
        &title,
        &html! {
            table.numbers {
                caption { (title) }
                thead {
                    tr { @for name in ["ζ", "Limit L", "|R| at L/2", "at 0.9 L", "d|R|/dt at L"] { th scope="col" { (name) } } }
                }
                tbody {
                    @for ray in &partition.damped_rays {
                        @let [damping, limit, rest @ ..] = ray.row();
                        tr {
                            th scope="row" { (damping) }
                            td { @match ray.limit { Some(value) => { data value=(value) { (limit) } }, None => (limit) } }
                            @for text in rest { td { (text) } }
                        }
                    }
                }
            }
        },
    )
}

fn figures(facts: &MethodFacts) -> Result<Vec<PageFigure>, AtlasError> {
    let name = facts.method.name();
    let regions = map(facts, MapQuantity::Region)?;
    let limits: Vec<String> = facts.partitions.iter().map(spoken).collect();
    let alt = format!("Stability regions of {name} in the complex plane. {}", limits.join(" "));
    let caption = html! { "Where the step is stable, partition by partition, with the numbers where the regions end on the axes." };
    let mut drawn = vec![PageFigure::new(facts.id(), "regions", regions, alt, caption)?];
    if facts.method.embedded().is_some() {
        let alt = format!("Boundaries of the stability regions of {name} and of its embedded method");
        let caption = html! { "The method and its embedded method." };
        drawn.push(PageFigure::new(facts.id(), "embedded", map(facts, MapQuantity::Embedded)?, alt, caption)?);
    }
    if facts.partitions.len() == 1 && facts.method.stages() <= STAR_STAGES {
        let order = facts.order() + 1;
        let alt = format!(
            "Order star of {name}: near the origin {order} sectors where the step grows faster than the solution"
        );
        let caption = html! {
            "Order star: where " (math(&html! { mrow { mo { "|" } mi { "R" } mo { "(" } mi { "z" } mo { ")" } mo { "|" } } }))
            " is larger than " (math(&html! { mrow { mo { "|" } msup { mi { "e" } mi { "z" } } mo { "|" } } })) "."
        };
        drawn.push(PageFigure::new(facts.id(), "order-star", map(facts, MapQuantity::OrderStar)?, alt, caption)?);
    }
    Ok(drawn)
}

fn map(facts: &MethodFacts, quantity: MapQuantity) -> Result<hemiola_figure::Figure, AtlasError> {
    let drawn = || -> Result<_, MapError> {
        let scheme = MapScheme::method(&facts.method);
        let map = StabilityMap::new(&[scheme], &[Slice::Partitions], quantity, default_view())?;
        let map = if quantity == MapQuantity::Region { map.with_extents()? } else { map };
        Ok(map.sample(&())?.figure())
    };
    drawn().map_err(AtlasError::of(facts.id()))
}

/// Describes the limits of a partition in a sentence.
fn spoken(partition: &PartitionReport) -> String {
    let limit = |limit: Option<f64>| limit.map_or_else(|| "unbounded".to_owned(), describe::number);
    let [imaginary, real] = [limit(partition.imaginary_limit), limit(partition.real_limit)];
    format!("{}: imaginary limit {imaginary}, real limit {real}.", partition.name)
}
