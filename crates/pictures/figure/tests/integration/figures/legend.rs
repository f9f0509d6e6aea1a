//! Positions and entries of legends.

use hemiola_figure::{Axis, Curve, Figure, Legend, Panel, Region};

use crate::figures::read::{circle, curves, legend, plot, points, texts};

fn unit() -> Panel {
    Panel::new(Axis::new("").range(0.0, 1.0), Axis::new("").range(0.0, 1.0))
}

fn draw(panel: Panel) -> String {
    Figure::one_column().panel(panel).to_svg().unwrap()
}

fn line(from: [f64; 2], to: [f64; 2]) -> Curve {
    Curve::new().open([from, to]).label("line")
}

/// Returns the corner of the plot that contains the legend: whether it is right, and whether it is at the bottom.
fn corner(svg: &str) -> (bool, bool) {
    let ([x, y, w, h], [left, top, width, height]) = (legend(svg).unwrap(), plot(svg));
    assert!(x >= left && y >= top && x + w <= left + width && y + h <= top + height, "the legend is not inside");
    (x + 0.5 * w > left + 0.5 * width, y + 0.5 * h > top + 0.5 * height)
}

#[test]
fn nothing_labeled_means_no_legend() {
    let svg = draw(unit().curve(Curve::new().open([[0.0, 0.0], [1.0, 1.0]])).curve(Curve::new().label(" ")));
    assert!(legend(&svg).is_none());
    assert!(legend(&draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])).legend(Legend::Hidden))).is_none());
}

#[test]
fn only_labeled_marks_are_named() {
    let svg = draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])).curve(Curve::new().open([[0.0, 0.1], [1.0, 0.9]])));
    assert_eq!(texts(&svg).iter().filter(|text| *text == "line").count(), 1);
    assert_eq!(curves(&svg).len(), 3);
}

#[test]
fn the_legend_stands_in_a_free_corner() {
    // Diagonals have only two points each, so the segment between them counts.
    assert_eq!(corner(&draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])))), (false, false));
    assert_eq!(corner(&draw(unit().curve(line([0.0, 1.0], [1.0, 0.0])))), (true, false));
    let top = Curve::new().open([[0.0, 0.9], [1.0, 0.9]]);
    assert!(corner(&draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])).curve(top))).1);
}

#[test]
fn an_area_is_avoided_if_that_hides_no_line() {
    let right = Region::new().polygon([[0.5, -1.0], [2.0, -1.0], [2.0, 2.0], [0.5, 2.0]]);
    assert!(!corner(&draw(unit().region(right).curve(line([0.48, 0.0], [0.48, 1.0])))).0);
}

#[test]
fn the_legend_goes_outside_if_all_corners_are_taken() {
    let ring = Curve::new().closed(circle([0.5, 0.5], 0.6)).closed(circle([0.5, 0.5], 0.7)).label("ring");
    let svg = draw(unit().curve(ring).curve(line([0.0, 0.1], [1.0, 0.1])).curve(line([0.0, 0.9], [1.0, 0.9])));
    let ([_, y, _, h], [_, top, _, height]) = (legend(&svg).unwrap(), plot(&svg));
    assert!(y > top + height);
    assert!(h > 0.0);
}

#[test]
fn the_legend_goes_where_it_is_told() {
    let with = |place| draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])).legend(place));
    assert_eq!(corner(&with(Legend::TopLeft)), (false, false));
    assert_eq!(corner(&with(Legend::TopRight)), (true, false));
    assert_eq!(corner(&with(Legend::BottomLeft)), (false, true));
    assert_eq!(corner(&with(Legend::BottomRight)), (true, true));
    let (right, below) = (with(Legend::Right), with(Legend::Below));
    assert!(legend(&right).unwrap()[0] > plot(&right)[0] + plot(&right)[2]);
    assert!(legend(&below).unwrap()[1] > plot(&below)[1] + plot(&below)[3]);
}

#[test]
fn no_legend_leaves_its_page() {
    let long = "a label that goes on and on and on until no column could ever hold the whole of it";
    for place in [Legend::Auto, Legend::Below, Legend::Right, Legend::TopLeft] {
        let svg = draw(unit().curve(line([0.0, 0.0], [1.0, 1.0]).label(long)).legend(place));
        let [x, _, w, _] = legend(&svg).unwrap();
        // Cells start at the page margin of 2 pt.
        assert!(x > -2.0 && x + w < 239.0, "{place:?}: {x} {w}");
    }
}

#[test]
fn samples_show_the_style_of_their_curves() {
    let svg = draw(unit().curve(line([0.0, 0.0], [1.0, 1.0])).curve(line([0.0, 0.0], [1.0, 0.8]).label("dashed")));
    let dashed = svg.lines().filter(|line| line.contains("stroke-dasharray=\"4.4 2.2\"")).count();
    assert_eq!(dashed, 2);
    assert_eq!(points(curves(&svg)[2]).len(), 2);
}
