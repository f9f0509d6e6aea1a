//! Errors of invalid figures.

use hemiola_figure::{Axis, AxisName, Curve, Figure, FigureError, Panel, Points};

fn draw(panel: Panel) -> Result<String, FigureError> {
    Figure::one_column().panel(panel).to_svg()
}

fn axes() -> Panel {
    Panel::new(Axis::new("*x*"), Axis::new("*y*"))
}

#[test]
fn a_figure_needs_panels_and_a_width() {
    assert_eq!(Figure::one_column().to_svg(), Err(FigureError::NoPanels));
    for width in [0.0, -85.0, f64::INFINITY, f64::NAN] {
        assert!(matches!(Figure::new(width).panel(axes()).to_svg(), Err(FigureError::Width { .. })));
    }
    let crowded = Figure::one_column().columns(4);
    let crowded = (0..4).fold(crowded, |figure, _| figure.panel(axes()));
    assert!(matches!(crowded.to_svg(), Err(FigureError::TooNarrow { columns: 4, .. })));
}

#[test]
fn bad_ranges_name_the_axis() {
    let error = draw(Panel::new(Axis::new("").range(0.0, 1.0), Axis::new("").range(2.0, 2.0))).unwrap_err();
    assert_eq!(error, FigureError::EmptyRange { panel: 1, axis: AxisName::Y, from: 2.0, to: 2.0 });
    assert_eq!(error.to_string(), "panel 1: the range 2.0 to 2.0 of the y axis is empty");
    let error = draw(Panel::new(Axis::new("").range(0.0, f64::NAN), Axis::new(""))).unwrap_err();
    assert!(matches!(error, FigureError::NonFiniteRange { axis: AxisName::X, .. }));
}

#[test]
fn bad_data_name_the_mark_and_the_point() {
    let curve = Curve::new().open([[0.0, 0.0]]).open([[1.0, 1.0], [2.0, f64::INFINITY]]);
    let error = draw(axes().curve(curve.clone())).unwrap_err();
    assert_eq!(error.to_string(), "panel 1: point 3 of curve 1 is (2, inf), which is not finite");
    let error = draw(axes().curve(curve.label("error"))).unwrap_err();
    assert_eq!(error.to_string(), "panel 1: point 3 of curve “error” is (2, inf), which is not finite");
    let points = Points::new([[f64::NAN, 0.0]]);
    assert!(matches!(draw(axes().points(points)), Err(FigureError::NonFiniteData { point: 1, .. })));
}

#[test]
fn a_logarithmic_axis_needs_positive_data() {
    let panel = Panel::new(Axis::new("*h*").logarithmic(), Axis::new("error").logarithmic());
    let error = draw(panel.curve(Curve::new().open([[0.1, 1e-3], [0.2, 0.0]]))).unwrap_err();
    assert_eq!(error, FigureError::NonPositive { panel: 1, axis: AxisName::Y, value: 0.0 });
}

#[test]
fn empty_marks_and_empty_panels_are_no_errors() {
    assert!(draw(axes()).is_ok());
    assert!(draw(axes().curve(Curve::new()).curve(Curve::new().open([]).closed([])).points(Points::new([]))).is_ok());
    assert!(draw(axes().curve(Curve::new().open([[1.0, 1.0]]).closed([[2.0, 2.0]]))).is_ok());
}

#[test]
fn a_height_without_room_for_plots_is_refused() {
    let figure = |height: f64| Figure::one_column().panel(axes()).height(height).scene();
    assert!(matches!(figure(1.0), Err(FigureError::TooLow { millimeters: 1.0, least }) if least > 10.0));
    // Regression: the correction of such heights did not terminate.
    for height in [1e-310, f64::from_bits(1)] {
        assert!(matches!(figure(height), Err(FigureError::TooLow { .. })), "{height}");
    }
    for height in [0.0, -1.0, f64::NAN] {
        assert!(matches!(figure(height), Err(FigureError::Height { .. })), "{height}");
    }
    let [_, height] = figure(60.0).unwrap().size();
    assert!((height / 72.0 * 25.4 - 60.0).abs() < 0.01);
}
