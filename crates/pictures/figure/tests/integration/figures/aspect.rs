//! Equal units and clipping, measured in the coordinates of the output.

use hemiola_figure::{Axis, Curve, Figure, Marker, Panel, Points, Region};

use crate::figures::read::{attribute, circle, curves, elements, extent, plot, points};

fn panel(x: [f64; 2], y: [f64; 2]) -> Panel {
    Panel::new(Axis::new("*x*").range(x[0], x[1]), Axis::new("*y*").range(y[0], y[1]))
}

#[test]
fn a_circle_is_round_whatever_the_ranges() {
    for half in [1.2, 2.0, 5.0] {
        for other in [1.1, 1.5, 3.0, 20.0] {
            let panel = panel([-half, half], [-other, other]).equal_aspect();
            let svg = Figure::one_column().panel(panel.curve(Curve::new().closed(circle([0.0, 0.0], 1.0)))).to_svg();
            let svg = svg.unwrap();
            let [left, right, top, bottom] = extent(&points(curves(&svg)[0]));
            // Two decimals plus the tolerance of simplification.
            assert!(((right - left) - (bottom - top)).abs() < 0.06, "{half} {other}");
        }
    }
}

#[test]
fn without_the_flag_a_panel_has_the_height_asked_for() {
    let panel = panel([0.0, 1.0], [0.0, 7.0]).height(0.5);
    let svg = Figure::one_column().panel(panel).to_svg().unwrap();
    let [_, _, width, height] = plot(&svg);
    assert!((height / width - 0.5).abs() < 1e-3);
}

#[test]
fn data_far_outside_leave_no_far_coordinates() {
    let panel = panel([-1.0, 1.0], [-1.0, 1.0])
        .curve(Curve::new().open([[-1e300, 0.0], [0.0, 0.5], [1e300, -1e300]]).closed(circle([0.0, 0.0], 1e6)))
        .region(Region::new().polygon([[-1e9, -1e9], [1e9, -1e9], [0.0, 1e12]]))
        .points(Points::new([[5.0, 5.0], [0.0, 0.0]]).marker(Marker::Cross));
    let svg = Figure::one_column().panel(panel).to_svg().unwrap();
    for path in elements(&svg, "path").iter().filter(|path| !path.contains('H') && !path.contains("h-")) {
        let [left, right, top, bottom] = extent(&points(attribute(path, "d")));
        assert!(left > -10.0 && right < 260.0 && top > -10.0 && bottom < 260.0, "{path}");
    }
}

#[test]
fn a_marker_outside_the_range_is_not_shown() {
    let one =
        |at: [f64; 2]| Figure::one_column().panel(panel([0.0, 1.0], [0.0, 1.0]).points(Points::new([at]))).to_svg();
    assert!(one([0.5, 0.5]).unwrap().contains("fill=\"#0072b2\""));
    assert!(one([1.0, 1.0]).unwrap().contains("fill=\"#0072b2\""));
    assert!(!one([1.1, 0.5]).unwrap().contains("fill=\"#0072b2\""));
}

#[test]
fn closed_lines_end_in_z_and_open_ones_do_not() {
    let panel = panel([-2.0, 2.0], [-2.0, 2.0])
        .curve(Curve::new().closed(circle([0.0, 0.0], 1.0)))
        .curve(Curve::new().open(circle([0.0, 0.0], 1.0)));
    let svg = Figure::one_column().panel(panel).to_svg().unwrap();
    assert!(curves(&svg)[0].ends_with('Z') && !curves(&svg)[1].ends_with('Z'));
}

#[test]
fn panels_of_a_row_have_tops_and_free_heights_in_common() {
    let equal = panel([-2.0, 2.0], [-2.0, 2.0]).equal_aspect();
    let free = panel([-2.0, 2.0], [-2.0, 2.0]);
    let svg = Figure::two_columns().panel(equal).panel(free).to_svg().unwrap();
    let second = &svg[svg.rfind("<clipPath").unwrap()..];
    let ([_, top, _, height], [_, other_top, _, other_height]) = (plot(&svg), plot(second));
    assert_eq!((top, height), (other_top, other_height));
}
