//! Conversion of hatchings to lines and dots, for formats without patterns.

use super::{Outline, Shape, Stroke};
use crate::geometry::{Path, hatching};
use crate::style::Hatch;

/// Returns the lines of a hatching clipped to an area, or the dots whose centers lie in it.
pub(crate) fn hatched(hatch: Hatch, area: &[Outline]) -> Shape {
    let lines = |outline: &Outline| match outline {
        Outline::Line(path) => Some(path.clone()),
        Outline::Circle { .. } => None,
    };
    let area: Vec<Path> = area.iter().filter_map(lines).collect();
    let pieces = hatching(&area, hatch.angle(), Hatch::SPACING);
    match hatch {
        Hatch::Dots => Shape::new(pieces.into_iter().flat_map(|piece| dots(piece, hatch.angle()))).filled(Hatch::INK),
        _ => {
            let ink = Stroke { color: Hatch::INK, width: Hatch::WIDTH, dashes: Vec::new(), round: false };
            Shape::new(pieces.into_iter().map(|piece| Outline::open(piece.to_vec()))).drawn(ink)
        }
    }
}

/// Returns the dots on a piece of a line, at odd multiples of half their distance.
fn dots([from, to]: [[f64; 2]; 2], degrees: f64) -> impl Iterator<Item = Outline> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let along = move |[x, y]: [f64; 2]| cos * x + sin * y;
    let [start, end] = [along(from), along(to)].map(|length| length / Hatch::SPACING - 0.5);
    let [first, last] = [start.min(end).ceil() as i64, start.max(end).floor() as i64];
    (first..=last).map(move |k| {
        let step = (k as f64 + 0.5) * Hatch::SPACING - along(from);
        Outline::Circle { center: [from[0] + cos * step, from[1] + sin * step], radius: Hatch::DOT }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_lie_on_a_lattice_inside_the_area() {
        let square = Outline::closed(vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]);
        let dots = hatched(Hatch::Dots, std::slice::from_ref(&square)).outlines;
        assert!((90..=110).contains(&dots.len()), "{}", dots.len());
        for dot in dots {
            let Outline::Circle { center: [x, y], .. } = dot else { panic!("{dot:?}") };
            assert!([x, y].iter().all(|t| (-1e-9..=40.0 + 1e-9).contains(t)));
            let turned = [(x + y) / 2.0_f64.sqrt(), (y - x) / 2.0_f64.sqrt()].map(|t| t / Hatch::SPACING - 0.5);
            assert!(turned.iter().all(|t| (t - t.round()).abs() < 1e-9), "{turned:?}");
        }
        assert_eq!(hatched(Hatch::Level, &[square]).outlines.len(), 10);
    }
}
