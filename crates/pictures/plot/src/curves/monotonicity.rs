//! Regions of absolute monotonicity of pairs.

use hemiola_figure::{Axis, Color, Curve, Figure, Legend, Panel, Points, Region};
use hemiola_stability::monotonicity::RegionOutline;

use crate::view::check_range;
use crate::{MapError, escaped};

/// Margin beyond the regions relative to the axis.
const MARGIN: f64 = 1.12;
/// End of an axis without bound, relative to the radius along the diagonal.
const UNBOUNDED: f64 = 3.0;

/// A pair with the outline of its region.
#[derive(Clone, Debug, PartialEq)]
pub struct MonotonicityPair {
    /// The name in the legend.
    pub name: String,
    /// The names of the partitions.
    pub partitions: [String; 2],
    /// The outline of the region.
    pub outline: RegionOutline,
}

/// Draws regions of absolute monotonicity in the plane of r₁ and r₂, with the radii along the diagonal and those of each
/// partition alone.
///
/// ```
/// use hemiola_plot::{MonotonicityPair, monotonicity_figure};
/// use hemiola_stability::monotonicity::MonotonicityRegion;
/// let method = hemiola_tableau::library::method("imex-ssp2-222")?;
/// let outline = MonotonicityRegion::new(&method).outline(8, &())?;
/// let pair = MonotonicityPair { name: "SSP2".into(), partitions: ["slow".into(), "fast".into()], outline };
/// assert!(monotonicity_figure(&[pair], None, None)?.to_svg()?.contains("fast"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`MapError`] if there are no pairs, or if a range is empty.
pub fn monotonicity_figure(
    pairs: &[MonotonicityPair],
    x: Option<(f64, f64)>,
    y: Option<(f64, f64)>,
) -> Result<Figure, MapError> {
    check_range("x", x)?;
    check_range("y", y)?;
    let Some(first) = pairs.first() else { return Err(MapError::Nothing { what: "pairs" }) };
    let is_alone = pairs.len() == 1;
    let farthest = |axis: usize| pairs.iter().map(|pair| end(&pair.outline, axis, is_alone)).fold(0.0, f64::max);
    // Regions that are just the origin still need axes.
    let ends = [0, 1].map(farthest).map(|end| if end > 0.0 { MARGIN * end } else { 1.0 });
    let is_shared = pairs.iter().all(|pair| pair.partitions == first.partitions);
    let label = |axis: usize| match is_shared {
        true => format!("*r*_{{{}}}, {}", axis + 1, escaped(&first.partitions[axis])),
        false => format!("*r*_{{{}}}", axis + 1),
    };
    let [x, y] = [x, y].into_iter().zip(ends).map(|(range, end)| range.unwrap_or((0.0, end))).collect::<Vec<_>>()[..]
    else {
        return Err(MapError::Nothing { what: "axes" });
    };
    // Unbounded regions reach beyond the window.
    let ends = [ends[0].max(x.1), ends[1].max(y.1)];
    let axes = Panel::new(Axis::new(label(0)).range(x.0, x.1), Axis::new(label(1)).range(y.0, y.1));
    let legend = if pairs.len() > 1 { Legend::Auto } else { Legend::Hidden };
    let panel = pairs.iter().fold(axes.legend(legend), |panel, pair| drawn(panel, pair, is_alone, ends));
    let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
    let description = format!("Regions of absolute monotonicity of {}", names.join(", "));
    Ok(Figure::one_column().description(description).panel(panel))
}

/// Returns the end of a region on an axis, or the extent that is shown if it is unbounded. The radius of the partition
/// alone is included if it is marked.
fn end(outline: &RegionOutline, axis: usize, is_marked: bool) -> f64 {
    let inside = outline.boundary.iter().map(|point| point[axis]).fold(0.0, f64::max);
    match outline.axes[axis] {
        Some(radius) if is_marked => radius.max(inside),
        Some(_) => inside,
        None => outline.diagonal.map_or(UNBOUNDED, |diagonal| UNBOUNDED * diagonal),
    }
}

/// Adds a region with its boundary, filled if it is the only one.
fn drawn(panel: Panel, pair: &MonotonicityPair, is_alone: bool, ends: [f64; 2]) -> Panel {
    let RegionOutline { axes, diagonal, boundary } = &pair.outline;
    let foot = boundary.first().map_or([0.0, 0.0], |point| [point[0], 0.0]);
    let head = boundary.last().map_or([0.0, 0.0], |point| [0.0, point[1]]);
    let far = ends.map(|end| 2.0 * end);
    // Without a bound in any direction, the region is the whole quadrant.
    let outline: Vec<[f64; 2]> = if boundary.is_empty() && diagonal.is_none() {
        vec![[far[0], 0.0], far, [0.0, far[1]]]
    } else {
        [foot].into_iter().chain(boundary.iter().copied()).chain([head]).collect()
    };
    // Far points of an unbounded region are moved beyond the edge, where they are not seen.
    let near = |point: &[f64; 2]| [point[0].min(far[0]), point[1].min(far[1])];
    let outline: Vec<[f64; 2]> = outline.iter().map(near).collect();
    let is_origin = outline.iter().all(|point| *point == [0.0, 0.0]);
    let label = if is_alone { String::new() } else { escaped(&pair.name) };
    if is_origin && !is_alone {
        let origin = Points::new([[0.0, 0.0]]).color(Color::BLACK);
        return panel.points(origin.label(format!("{label}, only the origin")));
    }
    let panel = if is_alone {
        panel.region(Region::new().polygon([[0.0, 0.0]].into_iter().chain(outline.iter().copied())))
    } else {
        panel
    };
    let panel = panel.curve(Curve::new().open(outline).label(label));
    let mut marked: Vec<([f64; 2], f64)> = Vec::new();
    marked.extend(diagonal.map(|r| ([r, r], r)));
    marked.extend(axes[0].map(|r| ([r, 0.0], r)));
    marked.extend(axes[1].map(|r| ([0.0, r], r)));
    if !is_alone {
        return panel;
    }
    let names: Vec<String> = marked.iter().map(|(_, r)| rounded(*r)).collect();
    panel.points(Points::new(marked.into_iter().map(|(point, _)| point)).names(names))
}

/// Formats a radius with four decimals, without trailing zeros.
fn rounded(r: f64) -> String {
    let text = format!("{r:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(axes: [Option<f64>; 2], diagonal: Option<f64>, boundary: Vec<[f64; 2]>) -> MonotonicityPair {
        let outline = RegionOutline { axes, diagonal, boundary };
        MonotonicityPair { name: "pair".into(), partitions: ["one".into(), "other".into()], outline }
    }

    #[test]
    fn bounded_unbounded_and_empty_regions_have_figures() {
        let bounded = pair([Some(1.0), Some(2.0)], Some(0.75), vec![[0.9, 0.3], [0.75, 0.75], [0.2, 1.9]]);
        let unbounded = pair([None, None], None, Vec::new());
        let empty = pair([Some(0.0), Some(0.0)], Some(0.0), vec![[0.0, 0.0]]);
        for pairs in
            [vec![bounded.clone()], vec![unbounded.clone()], vec![empty.clone()], vec![bounded, unbounded, empty]]
        {
            let figure = monotonicity_figure(&pairs, None, None).unwrap();
            let svg = figure.to_svg().unwrap();
            assert!(svg.contains("one"), "{pairs:?}");
            let has_empty = pairs.len() > 1;
            assert_eq!(svg.contains(">pair, only the origin<"), has_empty, "{pairs:?}");
        }
        let [whole, origin] = [pair([None, None], None, Vec::new()), pair([Some(0.0); 2], Some(0.0), vec![[0.0; 2]])];
        let drawn = |pair| monotonicity_figure(&[pair], Some((0.0, 1.0)), Some((0.0, 1.0))).unwrap().to_svg().unwrap();
        assert_ne!(drawn(whole), drawn(origin));
        assert!(monotonicity_figure(&[], None, None).is_err());
    }

    #[test]
    fn radii_are_rounded_to_four_decimals() {
        assert_eq!((rounded(2.0 / 3.0), rounded(2.0), rounded(0.5)), ("0.6667".into(), "2".into(), "0.5".into()));
    }
}
