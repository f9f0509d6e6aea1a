//! One figure of each kind, compared with its SVG text line by line.

use hemiola_figure::{Drawing, Figure, Style};
use hemiola_order::{CheckOptions, Grammar, OrderCheck, Trees};
use hemiola_plot::{
    MapQuantity, MapScheme, PrecisionCurve, Series, Slice, StabilityMap, TreeFigure, View, polynomial_figure,
    precision_figure, solution_figure,
};
use hemiola_polynomial::{Axis, optimal};
use hemiola_tableau::library;

use crate::snapshot::Snapshot;

pub(crate) fn map(ids: &[&str], slice: &str, show: MapQuantity, cells: usize) -> Figure {
    let subjects: Vec<MapScheme> =
        ids.iter().map(|id| MapScheme::method(&library::method(id).expect("a method of the library"))).collect();
    let slice: Slice = slice.parse().expect("a slice");
    let view = View { cells, ..View::default() };
    StabilityMap::new(&subjects, &[slice], show, view).expect("a map").sample(&()).expect("a drawn map").figure()
}

fn assert_snapshot(name: &str, drawing: impl Into<Drawing>) {
    Snapshot::new(name).assert_text(&drawing.into().scene().expect("a figure").to_svg());
}

#[test]
fn region_of_a_plain_method() {
    assert_snapshot("region.svg", map(&["rk4"], "partitions", MapQuantity::Region, 24));
}

#[test]
fn regions_of_a_pair() {
    assert_snapshot("pair.svg", map(&["shome-haug-jay-2-5"], "partitions", MapQuantity::Region, 24));
}

#[test]
fn coupled_slice_with_a_legend() {
    let figure = map(&["mprk-p2", "hemiola-2-5"], "coupled:kappa=5,g=0.04", MapQuantity::Region, 24);
    assert_snapshot("coupled.svg", figure);
}

/// Checks that boundaries have their ticks on the outside and that a repeated method has one entry.
#[test]
fn several_methods_of_which_two_are_one() {
    assert_snapshot("several.svg", map(&["kutta-3", "rk4", "kutta-3"], "partitions", MapQuantity::Region, 24));
}

#[test]
fn several_values_in_one_panel() {
    assert_snapshot("values.svg", map(&["mprk-p2"], "coupled:kappa=5,g=0.01,-0.5,0.25i", MapQuantity::Region, 24));
}

#[test]
fn growth_in_grays_with_a_line_at_one() {
    let figure = map(&["heun-2"], "partitions", MapQuantity::Growth, 16).style(Style::Monochrome);
    assert_snapshot("growth.svg", figure);
}

#[test]
fn titles_no_wider_than_their_panels() {
    let figure = map(&["mprk-p3", "shome-haug-jay-2-5", "mprk-p2"], "profile:zeta=0.05", MapQuantity::Region, 4);
    assert_snapshot("profiles.svg", figure);
}

/// Checks that the reference shows on both sides of a solution that follows it, and that errors share their solution's
/// color.
#[test]
fn solutions_over_their_reference() {
    let times: Vec<f64> = (0..40).map(|k| 0.25 * f64::from(k)).collect();
    let series = |label: &str, value: &dyn Fn(f64) -> f64| Series {
        label: label.to_owned(),
        values: vec![times.iter().map(|t| value(*t)).collect()],
        times: times.clone(),
    };
    let late = |by: f64| move |t: f64| (t - by).sin();
    let all = [series("reference", &late(0.0)), series("rk4", &late(1e-4)), series("heun-2", &late(0.3))];
    let errors = [series("rk4", &|t| 1e-4 * (t / 10.0)), series("heun-2", &|t| 0.3 * (t / 10.0).sqrt())];
    assert_snapshot("solutions.svg", solution_figure(&["*x* in m"], &all, &errors, "s", "Two solutions"));
}

#[test]
fn numbers_where_boundaries_cross_the_axes() {
    let methods =
        ["rk4", "kutta-3"].map(|id| MapScheme::method(&library::method(id).expect("a method of the library")));
    let view = View { cells: 24, ..View::default() };
    let map = StabilityMap::new(&methods, &[Slice::Partitions], MapQuantity::Region, view).expect("a map");
    assert_snapshot("extents.svg", map.with_extents().expect("limits").sample(&()).expect("a drawn map").figure());
}

#[test]
fn joint_regions_over_wedges() {
    assert_snapshot("joint.svg", map(&["ars-2-2-2"], "joint:wedge=30,90,radius=inf", MapQuantity::Region, 24));
}

#[test]
fn regions_of_stages() {
    assert_snapshot("stages.svg", map(&["kutta-3"], "partitions", MapQuantity::Internal, 24));
}

#[test]
fn bands_with_a_color_bar() {
    assert_snapshot("bands.svg", map(&["mprk-p2"], "coupled:kappa=5,g=0.04", MapQuantity::Modulus, 16));
}

#[test]
fn order_star() {
    assert_snapshot("order-star.svg", map(&["kutta-3"], "partitions", MapQuantity::OrderStar, 24));
}

#[test]
fn optimal_polynomial() {
    let optimum = optimal(Axis::Imaginary, 5, 3).expect("an optimum");
    assert_snapshot("polynomial.svg", polynomial_figure(&optimum));
}

/// Draws all trees of order 3 in two colors, and the conditions that a method violates.
#[test]
fn gallery_of_trees() {
    let trees = Trees::new(&Grammar::partitioned(2), 3).expect("trees");
    let figure = TreeFigure::new(&[("s", "slow"), ("f", "fast")]).note("A note with 100 % of_its *signs*");
    let figure = trees.of_order(3).into_iter().fold(figure, |figure, id| figure.tree(&trees.tree(id)));
    assert_snapshot("trees.svg", figure.gallery());

    let method = library::method("heun-2").expect("a method of the library");
    let check =
        OrderCheck::new(&method, CheckOptions { highest_order: 3, ..CheckOptions::default() }).expect("a check");
    let figure = check.failures().fold(TreeFigure::new(&[("all", "all")]), TreeFigure::condition);
    assert_snapshot("conditions.svg", figure.gallery());
}

/// Draws errors that decay like the fourth and the second power of the step size, and a wanted error.
#[test]
fn work_and_precision() {
    let curve = |label: &str, order: i32| PrecisionCurve {
        label: label.to_owned(),
        points: (3..9).map(|k| [f64::from(1 << k), 0.5_f64.powi(order * (k - 1))]).collect(),
        order: Some(order.into()),
    };
    let curves = [curve("rk4", 4), curve("heun-2", 2)];
    assert_snapshot("work-precision.svg", precision_figure("evaluations", &curves, Some(1e-6), "Two orders"));
}
