use super::*;
use hemiola_tableau::library;

const VIEW: View = View { cells: 100, x: None, y: None };

fn subjects(ids: &[&str]) -> Vec<Subject> {
    ids.iter().map(|id| Subject::method(&library::method(id).unwrap())).collect()
}

fn map(ids: &[&str], slice: &str, show: Show) -> StabilityMap {
    StabilityMap::new(&subjects(ids), &[slice.parse().unwrap()], show, VIEW).unwrap()
}

fn fault(ids: &[&str], slice: &str, show: Show) -> String {
    StabilityMap::new(&subjects(ids), &[slice.parse().unwrap()], show, VIEW).err().unwrap().to_string()
}

#[test]
fn the_window_holds_the_paper_s_regions() {
    let map = map(&["shome-haug-jay-2-5"], "partitions", Show::Region);
    let Window { x, y, .. } = map.window();
    assert!(y.1 > 4.0 && y.1 < 5.0 && y.0 == -y.1, "{y:?}");
    assert!(x.0 < -3.0 && x.0 > -8.0 && x.1 > 0.0 && x.1 < 2.0, "{x:?}");
    assert_eq!(map.names(), ["slow", "fast"]);
    // The fast boundary passes through ±4i.
    let fast = |y: f64| map.parts[0].layers[1].field.at(0.0, y) - 1.0;
    assert!(fast(3.9) <= 0.0 && fast(-4.0).abs() < 1e-6 && fast(4.1) > 0.0);
    assert_eq!(map.shape(), [2, 101, 101]);
    assert_eq!(map.samples()[1].len(), 101 * 101);
    assert_eq!(map.areas().len(), 2);
}

#[test]
fn a_coupled_slice_is_the_same_in_gil_s_parameters() {
    let coupled = map(&["mprk-p3"], "coupled:kappa=5,g=0.04", Show::Region);
    let gil = map(&["mprk-p3"], "gil:alpha=5,beta=0.2", Show::Region);
    assert_eq!((coupled.shape(), coupled.window()), (vec![101, 101], gil.window()));
    assert_eq!(coupled.parts[0].layers.len(), 2, "the decoupled problem is there for comparison");
    // 0.2² is 0.04 but for rounding.
    assert!(coupled.areas()[0] > 0.0 && (coupled.areas()[0] / gil.areas()[0] - 1.0).abs() < 1e-9);
}

#[test]
fn a_plain_method_is_a_pair_of_equals() {
    // Without coupling the faster part alone decides.
    let plain = map(&["rk4"], "coupled:kappa=2,g=0", Show::Region);
    let layer = &plain.parts[0].layers[0];
    let limit = 8f64.sqrt() / 2.0;
    assert!(layer.field.at(0.0, limit - 1e-6) <= 1.0 && layer.field.at(0.0, limit + 1e-6) > 1.0);
}

#[test]
fn several_methods_share_a_panel_and_colours_need_one_each() {
    let ids = ["rk4", "mprk-p3"];
    let regions = map(&ids, "coupled:kappa=5,g=0.01", Show::Region);
    assert_eq!((regions.panels(), regions.names(), regions.shape()), (1, vec!["rk4", "mprk-p3"], vec![2, 101, 101]));
    let colours = map(&ids, "coupled:kappa=5,g=0.01", Show::Modulus);
    assert_eq!((colours.panels(), colours.shape()), (2, vec![2, 101, 101]));
    let both = map(&["mprk-p3"], "coupled:kappa=5,g=0.01", Show::Eigenvalues);
    assert_eq!((both.panels(), both.names()), (2, vec!["larger modulus", "smaller modulus"]));
    let [larger, smaller] = [0, 1].map(|k| both.samples()[k].clone());
    assert!(larger.iter().zip(&smaller).all(|(larger, smaller)| larger >= smaller));
}

#[test]
fn order_stars_have_as_many_sectors_as_the_order_plus_one() {
    // Wanner, Hairer & Nørsett (1978): near the origin the star has p + 1 sectors of equal width.
    for (id, order) in [("heun-2", 2), ("kutta-3", 3), ("rk4", 4), ("gauss-2", 4)] {
        let map = map(&[id], "partitions", Show::OrderStar);
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
fn growth_in_colours_is_the_order_star_s_function() {
    let [colours, star] = [Show::Growth, Show::OrderStar].map(|show| map(&["rk4"], "partitions", show));
    assert_eq!((colours.window(), colours.samples()), (star.window(), star.samples()));
    // At the origin both grow alike, and far to the left the polynomial grows while the solution vanishes.
    assert!(star.samples()[0][50 * 101 + 50] == 1.0 && star.samples()[0][50 * 101] > 10.0);
    assert_eq!(star.window().x.0, -star.window().x.1);
}

#[test]
fn robust_regions_lie_within_coupled_ones() {
    let robust = map(&["shome-haug-jay-2-5"], "robust:kappa=4..6,gamma=0.2", Show::Region);
    let coupled = map(&["shome-haug-jay-2-5"], "coupled:kappa=5,g=0.04", Show::Region);
    let [robust, coupled] = [&robust, &coupled].map(|map| &map.parts[0].layers[0].field);
    for (x, y) in [(-0.1, 0.2), (-0.3, 0.5), (-0.4, 0.1), (-0.05, 0.7)] {
        assert!(robust.at(x, y) >= coupled.at(x, y) - 1e-12);
    }
}

#[test]
fn what_a_slice_does_not_show_is_named() {
    let text = fault(&["mprk-p3"], "partitions", Show::Eigenvalues);
    assert_eq!(text, "`partitions` does not show eigenvalues; expected region, modulus, order-star, growth or error");
    assert!(fault(&["mprk-p3"], "robust:kappa=5,gamma=0.1", Show::Error).contains("expected region or modulus"));
    let singular = [Subject::singular_perturbation(None).unwrap()];
    let error = StabilityMap::new(&singular, &[Slice::Partitions], Show::Region, VIEW).err().unwrap();
    assert!(error.to_string().contains("has no tableau"));
    assert!(Subject::singular_perturbation(Some(&library::method("mprk-p3").unwrap())).is_err());
}
