use crate::map::*;
use crate::view::RegionHint;
use hemiola_number::Update;
use hemiola_tableau::{Scheme, library};
use num_complex::Complex64;
use std::ops::ControlFlow;

const VIEW: View = View { cells: 100, x: None, y: None };

fn subjects(ids: &[&str]) -> Vec<MapScheme> {
    ids.iter().map(|id| MapScheme::method(&library::method(id).unwrap())).collect()
}

fn map(ids: &[&str], slice: &str, show: MapQuantity) -> StabilityMap {
    StabilityMap::new(&subjects(ids), &[slice.parse().unwrap()], show, VIEW).unwrap()
}

fn fault(ids: &[&str], slice: &str, show: MapQuantity) -> String {
    StabilityMap::new(&subjects(ids), &[slice.parse().unwrap()], show, VIEW).err().unwrap().to_string()
}

#[test]
fn the_window_holds_the_paper_s_regions() {
    let map = map(&["shome-haug-jay-2-5"], "partitions", MapQuantity::Region);
    let Window { x, y, .. } = map.window();
    assert!(y.1 > 4.0 && y.1 < 5.0 && y.0 == -y.1, "{y:?}");
    assert!(x.0 < -3.0 && x.0 > -8.0 && x.1 > 0.0 && x.1 < 2.0, "{x:?}");
    assert_eq!(map.names(), ["slow", "fast"]);
    // The fast boundary passes through ±4i.
    let fast = |y: f64| map.parts[0].layers[1].field.at(0.0, y) - 1.0;
    assert!(fast(3.9) <= 0.0 && fast(-4.0).abs() < 1e-6 && fast(4.1) > 0.0);
    assert_eq!(map.shape(), [2, 101, 101]);
    assert_eq!(map.sample(&()).unwrap().values(&()).unwrap()[1].len(), 101 * 101);
    assert_eq!(map.areas().len(), 2);
}

#[test]
fn grids_have_bounds() {
    let refused = |cells: usize| {
        let view = View { cells, ..VIEW };
        let map = StabilityMap::new(&subjects(&["rk4"]), &[Slice::Partitions], MapQuantity::Region, view);
        matches!(map, Err(MapError::OutOfRange { name: "cells", found, .. }) if found == cells.to_string())
    };
    assert!(refused(0) && refused(1) && refused(4001) && refused(1_000_000_000) && !refused(20));
}

#[test]
fn a_coupled_slice_is_the_same_in_gil_s_parameters() {
    let coupled = map(&["mprk-p3"], "coupled:kappa=5,g=0.04", MapQuantity::Region);
    let gil = map(&["mprk-p3"], "gil:alpha=5,beta=0.2", MapQuantity::Region);
    assert_eq!((coupled.shape(), coupled.window()), (vec![101, 101], gil.window()));
    assert_eq!(coupled.parts[0].layers.len(), 2, "the decoupled problem is there for comparison");
    // 0.2² equals 0.04 up to rounding.
    assert!(coupled.areas()[0] > 0.0 && (coupled.areas()[0] / gil.areas()[0] - 1.0).abs() < 1e-9);
}

#[test]
fn a_plain_method_is_a_pair_of_equals() {
    // Without coupling, the faster part alone decides.
    let plain = map(&["rk4"], "coupled:kappa=2,g=0", MapQuantity::Region);
    let layer = &plain.parts[0].layers[0];
    let limit = 8f64.sqrt() / 2.0;
    assert!(layer.field.at(0.0, limit - 1e-6) <= 1.0 && layer.field.at(0.0, limit + 1e-6) > 1.0);
}

#[test]
fn several_methods_share_a_panel_and_colors_need_one_each() {
    let ids = ["rk4", "mprk-p3"];
    let regions = map(&ids, "coupled:kappa=5,g=0.01", MapQuantity::Region);
    assert_eq!((regions.panels(), regions.names(), regions.shape()), (1, vec!["rk4", "mprk-p3"], vec![2, 101, 101]));
    let colors = map(&ids, "coupled:kappa=5,g=0.01", MapQuantity::Modulus);
    assert_eq!((colors.panels(), colors.shape()), (2, vec![2, 101, 101]));
    let both = map(&["mprk-p3"], "coupled:kappa=5,g=0.01", MapQuantity::Eigenvalues);
    assert_eq!((both.panels(), both.names()), (2, vec!["larger modulus", "smaller modulus"]));
    let both_samples = both.sample(&()).unwrap();
    let [larger, smaller] = [0, 1].map(|k| both_samples.values(&()).unwrap()[k].to_vec());
    assert!(larger.iter().zip(&smaller).all(|(larger, smaller)| larger >= smaller));
}

#[test]
fn order_stars_have_as_many_sectors_as_the_order_plus_one() {
    // Wanner, Hairer & Nørsett (1978): near the origin the star has p + 1 sectors of equal width.
    for (id, order) in [("heun-2", 2), ("kutta-3", 3), ("rk4", 4), ("gauss-2", 4)] {
        let map = map(&[id], "partitions", MapQuantity::OrderStar);
        let field = &map.parts[0].layers[0].field;
        let outside = |k: usize| {
            let angle = std::f64::consts::TAU * (k as f64 + 0.5) / 3600.0;
            field.at(0.1 * angle.cos(), 0.1 * angle.sin()) > 1.0
        };
        let changes = (0..3600).filter(|&k| outside(k) != outside(k + 1)).count();
        assert_eq!(changes, 2 * (order + 1), "{id}");
    }
}

#[test]
fn growth_in_colors_is_the_order_star_s_function() {
    let [colors, star] = [MapQuantity::Growth, MapQuantity::OrderStar].map(|show| map(&["rk4"], "partitions", show));
    let samples = [&colors, &star].map(|map| map.sample(&()).unwrap());
    let [of_colors, values] = [0, 1].map(|k| samples[k].values(&()).unwrap());
    assert_eq!((colors.window(), of_colors), (star.window(), values.clone()));
    // At the origin both grow equally; far to the left the polynomial grows while the solution vanishes.
    assert!(values[0][50 * 101 + 50] == 1.0 && values[0][50 * 101] > 10.0);
    assert_eq!(star.window().x.0, -star.window().x.1);
}

#[test]
fn robust_regions_lie_within_coupled_ones() {
    let robust = map(&["shome-haug-jay-2-5"], "robust:kappa=4..6,gamma=0.2", MapQuantity::Region);
    let coupled = map(&["shome-haug-jay-2-5"], "coupled:kappa=5,g=0.04", MapQuantity::Region);
    let [robust, coupled] = [&robust, &coupled].map(|map| &map.parts[0].layers[0].field);
    for (x, y) in [(-0.1, 0.2), (-0.3, 0.5), (-0.4, 0.1), (-0.05, 0.7)] {
        assert!(robust.at(x, y) >= coupled.at(x, y) - 1e-12);
    }
}

#[test]
fn what_a_slice_does_not_show_is_named() {
    let text = fault(&["mprk-p3"], "partitions", MapQuantity::Eigenvalues);
    assert_eq!(
        text,
        "`partitions` does not show eigenvalues; expected region, modulus, order-star, growth, error, internal or embedded"
    );
    assert!(fault(&["mprk-p3"], "robust:kappa=5,gamma=0.1", MapQuantity::Error).contains("expected region or modulus"));
    let singular = [MapScheme::new(&Scheme::SingularPerturbation(None)).unwrap()];
    let error = StabilityMap::new(&singular, &[Slice::Partitions], MapQuantity::Region, VIEW).err().unwrap();
    assert!(error.to_string().contains("has no tableau"));
    assert!(MapScheme::new(&Scheme::SingularPerturbation(Some(library::method("mprk-p3").unwrap()))).is_err());
}

#[test]
fn a_flat_window_is_computed_as_far_as_its_panel_shows() {
    let view = View { x: Some((-100.0, 0.0)), y: Some((-1.0, 1.0)), ..VIEW };
    let map = StabilityMap::new(&subjects(&["gauss-2"]), &[Slice::Partitions], MapQuantity::Region, view).unwrap();
    let part = &map.parts[0];
    assert_eq!(map.window().y, (-1.0, 1.0));
    assert_eq!([part.shown_window().x, part.shown_window().y], Panel::equal_ranges((-100.0, 0.0), (-1.0, 1.0)));
    let real = VIEW.window(&[], RegionHint::Given { x: (0.0, 50.0), y: (0.0, 1.0), open: [false; 2] });
    assert_eq!(
        MapPanel { is_complex: false, window: real, ..map.parts.into_iter().next().unwrap() }.shown_window(),
        real
    );
}

#[test]
fn order_stars_of_real_parameters_keep_their_axes_and_several_are_not_filled() {
    let star = map(&["rk4"], "damping-frequency:kappa=5,g=0.04", MapQuantity::OrderStar);
    assert_eq!(star.window().x, (0.0, 1.0));
    let filled = |ids: &[&str]| map(ids, "partitions", MapQuantity::OrderStar).parts[0].layers[0].style.clone();
    assert_eq!(filled(&["rk4"]), LayerStyle::Star { is_filled: true });
    assert_eq!(filled(&["rk4", "gauss-2"]), LayerStyle::Star { is_filled: false });
}

#[test]
fn regions_on_one_side_of_the_real_axis_have_a_margin_on_the_other() {
    let Window { y, .. } = map(&["rk4"], "coupled:kappa=5,g=1+i", MapQuantity::Region).window();
    assert!(y.0 < -0.4 && y.1 > 0.03 && y.1 < 0.2, "{y:?}");
}

#[test]
fn what_is_not_there_is_not_in_the_legend() {
    let decoupled = |id: &str| {
        map(&[id], "damping-frequency:kappa=5,g=0.04", MapQuantity::Region)
            .sample(&())
            .unwrap()
            .figure()
            .to_svg()
            .unwrap()
    };
    assert!(decoupled("rk4").contains("decoupled") && !decoupled("gauss-2").contains("decoupled"));
}

#[test]
fn methods_and_slices_that_do_not_fit_are_both_named() {
    let text = fault(&["mprk-p3", "rk4"], "profile:zeta=0.05", MapQuantity::Region);
    assert_eq!(text, "rk4 on `profile:zeta=0.05`: found 1 partition; expected 2");
}

#[test]
fn regions_that_are_everywhere_or_nowhere_get_the_view_of_a_half_plane() {
    // Strong damping of the implicit part: stable up to |z| ≈ 100. Unstable slow rates that no coupling damps: nowhere
    // stable.
    for (id, slice) in [("ars-1-1-1", "additive:first=z,second=-100"), ("rk4", "plane:ss=100+z,ff=z,w=0")] {
        let window = map(&[id], slice, MapQuantity::Region).window();
        assert_eq!((window.x, window.y), ((-6.0, 6.0), (-6.0, 6.0)), "{slice}");
    }
}

#[test]
fn the_window_of_a_robust_region_holds_it() {
    for (id, slice) in
        [("shome-haug-jay-2-5", "robust:kappa=4..6,gamma=0.2"), ("mprk-p3", "robust:kappa=1..3,gamma=0.5")]
    {
        let map = map(&[id], slice, MapQuantity::Region);
        let (window, boundary) =
            (map.window(), Region::new(&map.window(), &*map.parts[0].layers[0].field, LEVEL).boundary);
        let [width, height] = [window.x.1 - window.x.0, window.y.1 - window.y.0];
        let farthest =
            |k: usize| boundary.iter().flat_map(|line| &line.points).fold(0.0, |far: f64, p| far.max(p[k].abs()));
        assert!(farthest(0) < -window.x.0 && farthest(1) < window.y.1, "{id}");
        assert!(farthest(1) > 0.25 * height || farthest(0) > 0.5 * width, "{id}");
    }
}

#[test]
fn values_are_layers_of_one_panel_or_panels_of_color() {
    let values = map(&["mprk-p3"], "coupled:kappa=5,g=0.01,0.04", MapQuantity::Region);
    assert_eq!((values.panels(), values.names(), values.shape()), (1, vec!["g=0.01", "g=0.04"], vec![2, 101, 101]));
    let labels: Vec<&str> = values.parts[0].layers.iter().map(|layer| layer.label.as_str()).collect();
    assert_eq!(labels, ["*g* = 0.01", "*g* = 0.04", "decoupled"]);
    assert_eq!(values.parts[0].title, "*κ* = 5");
    // Each layer is the map of its value.
    let single = map(&["mprk-p3"], "coupled:kappa=5,g=0.04", MapQuantity::Region);
    let [one, other] = [&values.parts[0].layers[1].field, &single.parts[0].layers[0].field];
    assert_eq!(one.at(-0.3, 0.7), other.at(-0.3, 0.7));

    let both = map(&["mprk-p3", "rk4"], "coupled:kappa=1,5,g=0.04", MapQuantity::Region);
    assert_eq!(both.names(), ["mprk-p3, kappa=1", "mprk-p3, kappa=5", "rk4, kappa=1", "rk4, kappa=5"]);
    assert_eq!(both.parts[0].layers[2].label, "rk4, *κ* = 1");
    let colors = map(&["mprk-p3"], "coupled:kappa=5,g=0.01,0.04", MapQuantity::Modulus);
    let titles: Vec<&str> = colors.parts.iter().map(|part| part.title.as_str()).collect();
    assert_eq!(titles, ["*κ* = 5, *g* = 0.01", "*κ* = 5, *g* = 0.04"]);
    let profiles = map(&["mprk-p3"], "profile:zeta=0.05,0.1", MapQuantity::Region);
    assert_eq!(
        (profiles.panels(), profiles.parts[1].title.as_str()),
        (2, "*g* = *γ*^{2}, *ρ* ≤ 1 + 10^{−3}, *ζ* = 0.1")
    );
    let fault = fault(&["mprk-p3"], "robust:kappa=5,gamma=0.1,0.2", MapQuantity::Error);
    assert!(fault.starts_with("`robust:kappa=5,gamma=0.1` does not show error"), "{fault}");
}

#[test]
fn the_window_of_several_values_holds_all_regions() {
    let window = |slice: &str| map(&["ars-2-3-3"], slice, MapQuantity::Region).window();
    let [near, far] = ["-1", "-5"].map(|z| window(&format!("additive:first=z,second={z}")));
    let both = window("additive:first=z,second=-1,-5");
    assert!(both.x.0 <= near.x.0.min(far.x.0) && both.y.1 >= near.y.1.max(far.y.1) - 1e-9, "{near:?} {far:?} {both:?}");
}

#[test]
fn sides_are_marked_where_regions_lie_over_each_other() {
    let drawn =
        |ids: &[&str]| map(ids, "partitions", MapQuantity::Region).sample(&()).unwrap().figure().to_svg().unwrap();
    assert!(drawn(&["rk4", "kutta-3"]).contains("unstable side") && !drawn(&["rk4"]).contains("unstable side"));
}

#[test]
fn joint_regions_shrink_with_the_wedge() {
    let joint = map(&["ars-4-4-3"], "joint:wedge=0,45,90,radius=inf", MapQuantity::Region);
    assert_eq!(joint.names(), ["wedge=0", "wedge=45", "wedge=90"]);
    let areas = joint.areas();
    assert!(areas[0] >= areas[1] && areas[1] > areas[2] && areas[2] > 0.1, "{areas:?}");
    // With z_I = 0 alone, the region is that of the explicit partition.
    let point = map(&["ars-4-4-3"], "joint:wedge=45,radius=0", MapQuantity::Region).areas()[0];
    let explicit = map(&["ars-4-4-3"], "partitions", MapQuantity::Region).areas()[0];
    assert!((point / explicit - 1.0).abs() < 1e-3 && point >= areas[0], "{point} {explicit}");
    let text = fault(&["rk4"], "joint:wedge=90", MapQuantity::Region);
    assert_eq!(text, "rk4 on `joint:wedge=90,radius=inf`: found 1 partition; expected 2");
}

fn flows(id: &str) -> [MapScheme; 1] {
    let method = hemiola_multirate::library::method(id).unwrap();
    let flow = hemiola_multirate::CoupledFlow::new(&method).unwrap();
    [MapScheme::exact_flow(id, method.name(), flow, &method.slow_method().unwrap())]
}

/// On the negative axis the region of an exact flow ends at the sector limit, which another search finds.
#[test]
fn joint_regions_of_exact_flows_end_at_the_sector_limit() {
    for (id, degrees) in [("mis-kw3", 45.0), ("mri-gark-erk33a", 80.0)] {
        let slices = [format!("joint:wedge={degrees},radius=inf").parse::<Slice>().unwrap()];
        let view = View { cells: 8, x: Some((-3.0, 0.5)), y: Some((-1.0, 1.0)) };
        let map = StabilityMap::new(&flows(id), &slices, MapQuantity::Region, view).unwrap();
        let method = hemiola_multirate::library::method(id).unwrap();
        let limit = hemiola_multirate::sector_limit(&method, 0, degrees).unwrap().limit.unwrap();
        let field = &map.parts[0].layers[0].field;
        let [inside, outside] = [0.999, 1.001].map(|part| field.at(-limit * part, 0.0));
        assert!(inside <= 1.0 && outside > 1.0, "{id}: {inside} {outside} at {limit}");
    }
}

#[test]
fn robust_regions_of_exact_flows_lie_within_coupled_ones() {
    let view = View { cells: 8, x: Some((-3.0, 0.5)), y: Some((-2.0, 2.0)) };
    let field = |slice: &str| {
        let slices = [slice.parse::<Slice>().unwrap()];
        StabilityMap::new(&flows("mis-kw3"), &slices, MapQuantity::Region, view).unwrap()
    };
    let (robust, coupled) = (field("robust:kappa=4..20,gamma=0.2"), field("coupled:kappa=9,g=0.04"));
    let [robust, coupled] = [&robust, &coupled].map(|map| &map.parts[0].layers[0].field);
    for (x, y) in [(-0.1, 0.2), (-0.3, 0.5), (-0.4, 0.1), (-1.5, 0.7)] {
        assert!(robust.at(x, y) >= coupled.at(x, y) - 1e-9);
    }
    let slices = ["profile:zeta=0.05".parse::<Slice>().unwrap()];
    let error = StabilityMap::new(&flows("mis-kw3"), &slices, MapQuantity::Region, view).err().unwrap();
    assert!(error.to_string().contains("κ* = L_f/L_s is infinite"), "{error}");
}

#[test]
fn equal_extents_are_labeled_once_in_the_color_of_their_curve() {
    // Stage 2 of both methods is the Euler step −2, stage 3 of RK4 and stage 4 have equal extents on the real axis.
    let map = map(&["rk4", "kutta-3"], "partitions", MapQuantity::Internal).with_extents().unwrap();
    let count = |x: f64| map.extents().filter(|extent| (extent.at[0] - x).abs() < 1e-6).count();
    assert_eq!([count(-4.0), count(-2.0)], [2, 2]);
    let svg = map.sample(&()).unwrap().figure().to_svg().unwrap();
    let texts = |text: &str| svg.matches(&format!(">{text}<")).count();
    // One tick of −4, and two of −2, beside the labels.
    assert_eq!(["−2.785", "−2.513", "−4", "−2"].map(texts), [1, 1, 2, 3], "{svg}");
}

#[test]
fn extents_are_limits_or_found_on_the_axes() {
    let found = |ids: &[&str], slice: &str| {
        let map = map(ids, slice, MapQuantity::Region).with_extents().unwrap();
        map.extents().map(|extent| extent.at).collect::<Vec<_>>()
    };
    let close = |found: &[[f64; 2]], expected: &[[f64; 2]]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found[0] - expected[0]).hypot(found[1] - expected[1]) < 1e-6, "{found:?} {expected:?}");
        }
    };
    let rk4 = [[-2.785_293_563_4, 0.0], [0.0, 8f64.sqrt()]];
    close(&found(&["rk4"], "partitions"), &rk4);
    // Heun's method is stable nowhere on the imaginary axis; Gauss methods have no limit on either axis.
    close(&found(&["heun-2"], "partitions"), &[[-2.0, 0.0]]);
    close(&found(&["gauss-2"], "partitions"), &[]);
    // Without coupling, κ = 2 halves the limits. The coupled problem has no known limits, so they are searched for.
    close(&found(&["rk4"], "coupled:kappa=2,g=0"), &rk4.map(|point| point.map(|value| 0.5 * value)));
    // With coupling, the method grows on the imaginary axis from the origin on, initially by 1e-11.
    let coupled = found(&["shome-haug-jay-2-5"], "coupled:kappa=5,g=0.04");
    assert!(coupled.len() == 1 && (coupled[0][0] + 0.519).abs() < 1e-3, "{coupled:?}");
    close(&found(&["rk4"], "damping-frequency:kappa=5,g=0.04"), &[]);
}

#[test]
fn stages_and_embedded_methods_have_regions() {
    let stages = map(&["rk4"], "partitions", MapQuantity::Internal);
    assert_eq!((stages.names(), stages.panels()), (vec!["stage 2", "stage 3", "stage 4", "step"], 1));
    let field = |k: usize, x: f64, y: f64| stages.parts[0].layers[k].field.at(x, y);
    // Y₂ = 1 + z/2, Y₃ = 1 + z/2 + z²/4, Y₄ = 1 + z + z²/2 + z³/4.
    for (x, y) in [(-1.3, 0.4), (0.2, 2.1), (-3.0, -1.0)] {
        let z = Complex64::new(x, y);
        let expected = [1.0 + z / 2.0, 1.0 + z / 2.0 + z * z / 4.0, 1.0 + z + z * z / 2.0 + z * z * z / 4.0];
        assert!((0..3).all(|k| (field(k, x, y) - expected[k].norm()).abs() < 1e-13));
    }
    // The window contains the disk |1 + z/2| ≤ 1 of the second stage.
    assert!(stages.window().x.0 < -4.0);

    let pair = map(&["bogacki-shampine-3"], "partitions", MapQuantity::Embedded);
    assert_eq!(pair.names(), ["method", "embedded method"]);
    let text = fault(&["rk4"], "partitions", MapQuantity::Embedded);
    assert_eq!(text, "rk4 has no embedded weights; expected a method with embedded weights in every partition");
    assert!(fault(&["mprk-p3"], "coupled:kappa=5,g=1", MapQuantity::Internal).contains("does not show internal"));
}

#[test]
fn values_are_those_of_the_drawing_where_it_needed_them() {
    for (id, slice, is_known) in [
        ("shome-haug-jay-2-5", "coupled:kappa=5,g=0.04", true),
        ("shome-haug-jay-2-5", "robust:kappa=2..4,gamma=0.2", false),
    ] {
        let map = map(&[id], slice, MapQuantity::Region);
        let samples = map.sample(&()).unwrap();
        assert_eq!(samples.layers[0].is_some(), is_known, "{slice}");
        let field = &map.parts[0].layers[0].field;
        assert_eq!(samples.values(&()).unwrap(), [field.sample(&map.window())], "{slice}");
        assert_eq!(samples.in_more_digits(), [field.count_refined(&map.window())], "{slice}");
    }
}

#[test]
fn maps_can_be_stopped() {
    let map = map(&["shome-haug-jay-2-5"], "robust:kappa=2..4,gamma=0.2", MapQuantity::Region);
    let stop = |update: Update<'_>| if update.done < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    assert!(matches!(map.sample(&stop), Err(MapError::Interrupted)));
    let samples = map.sample(&()).unwrap();
    assert!(matches!(samples.values(&stop), Err(MapError::Interrupted)));
}
