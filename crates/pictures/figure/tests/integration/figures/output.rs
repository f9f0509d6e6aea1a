//! The file as a whole: size, structure and reproducibility.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points, Region};

use crate::figures::read::{attribute, circle, elements};

/// Returns a figure with all kinds of marks.
fn map() -> Figure {
    let axes = || (Axis::new("Re(*z*)").range(-3.0, 1.0), Axis::new("Im(*z*)").range(-2.0, 2.0));
    let curve = |k: u32| {
        let centers = (0..5).map(|n| [0.6 * f64::from(n) - 2.5, 0.0]);
        centers
            .fold(Curve::new(), |curve, center| curve.closed(circle(center, 0.1 + 0.01 * f64::from(k))))
            .label(format!("|*R*_{{{k}}}| = 1"))
    };
    let panel = Panel::new(axes().0, axes().1).equal_aspect();
    let panel = (0..6).fold(panel, |panel, k| panel.curve(curve(10 * k)));
    let panel = panel.region(Region::new().polygon(circle([-1.0, 0.0], 0.5)).color(Color::SKY).opacity(0.5));
    let panel = panel.points(Points::new([[0.0, 1.0]]).marker(Marker::Plus).size(5.0).label("limit"));
    let other = Panel::new(Axis::new("*h*").logarithmic(), Axis::new("error").logarithmic())
        .curve(Curve::new().open([[1e-3, 1e-12], [1e-1, 1e-4]]).dash(Dash::Dotted).width(2.0).marker(Marker::Diamond));
    Figure::two_columns().title("A map").panel(panel.title("map")).panel(other)
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    assert_eq!(map().to_svg().unwrap(), map().to_svg().unwrap());
}

#[test]
fn a_map_of_many_points_is_a_small_file() {
    let size = map().to_svg().unwrap().len();
    assert!(size < 80_000, "{size} bytes");
}

#[test]
fn tags_are_balanced() {
    let svg = map().to_svg().unwrap();
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty());
}

#[test]
fn the_page_has_its_width_in_millimeters_and_a_view_box_in_points() {
    for width in [Figure::ONE_COLUMN, 120.0, Figure::TWO_COLUMNS] {
        let svg = Figure::new(width).panel(Panel::new(Axis::new(""), Axis::new(""))).to_svg().unwrap();
        assert_eq!(attribute(elements(&svg, "svg")[0], "width"), format!("{width}mm"));
        let view_box: Vec<f64> =
            attribute(elements(&svg, "svg")[0], "viewBox").split(' ').map(|n| n.parse().unwrap()).collect();
        assert!((view_box[2] - width * 72.0 / 25.4).abs() < 0.01);
    }
}

#[test]
fn the_file_is_accessible_and_has_a_white_ground() {
    let svg = map().description("What is *seen*").to_svg().unwrap();
    assert!(svg.contains("<title>A map</title>") && svg.contains("<desc>What is *seen*</desc>"));
    assert!(svg.contains("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"));
}

#[test]
fn no_number_is_broken() {
    let odd = Curve::new().open([[0.0, 0.0], [1.0, 1.0]]).width(f64::NAN).label("odd");
    let panel = Panel::new(Axis::new(""), Axis::new("")).curve(odd).height(f64::NAN);
    let panel = panel.region(Region::new().polygon([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]).opacity(f64::NAN));
    let svg = Figure::one_column().panel(panel.points(Points::new([[0.5, 0.5]]).size(-1.0))).to_svg().unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("\"-"));
}
