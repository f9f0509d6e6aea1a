//! Families of many rates on partial differential equations: any mixture of levels has the claimed order and conserves
//! mass.

use std::ops::ControlFlow;

use hemiola_design::{FamilyFile, design_family, level_on};
use hemiola_integrate::{Explicit, equal_steps};
use hemiola_models::Model;
use hemiola_tableau::{Exact, Method, library};

/// Builds Burgers' equation on six sequences of five equal cells, each with its own level: every cell has two neighbors
/// of other levels.
fn burgers(partitions: usize) -> Model {
    let changes =
        [("meshes", partitions as f64), ("refinement", 1.0), ("cells", 1.0), ("sequences", 6.0), ("degree", 2.0)];
    hemiola_models::model("dg-burgers", &changes).expect("a model")
}

/// Computes the state at t = 0.2, before the shock at 2/π.
fn end(method: &Method, model: &Model, steps: u64) -> Vec<f64> {
    let mut stepper = Explicit::new(method, model).expect("a stepper");
    let mut y = model.initial.clone();
    equal_steps(&mut stepper, model, [0.0, 0.2], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    y
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn levels_mixed_cell_by_cell_have_the_order_and_keep_the_mass() {
    for (id, order) in [("hemiola-family-2", 2.0), ("hemiola-family-3", 3.0), ("hemiola-family-4", 4.0)] {
        let method = library::method(id).unwrap();
        let model = burgers(method.partitions().len());
        let reference = end(&library::method("dormand-prince-8").unwrap(), &model, 2000);
        let errors = [160, 320, 640].map(|steps| distance(&end(&method, &model, steps), &reference));
        let observed = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
        assert!(observed.iter().all(|p| (p - order).abs() < 0.2), "{id}: {errors:?} {observed:?}");
        // Cells have equal widths: the mass is the sum of the means, each of order one.
        let mass = |y: &[f64]| y.iter().step_by(3).sum::<f64>();
        let lost = mass(&end(&method, &model, 320)) - mass(&model.initial);
        assert!(lost.abs() < 320.0 * 30.0 * f64::EPSILON, "{id}: {lost:e}");
    }
}

#[test]
fn so_do_levels_mixed_cell_by_cell_in_the_plane() {
    // Burgers' equation on ten columns of five kinds and two rows: every cell has neighbors of other levels.
    let method = library::method("hemiola-family-4").unwrap();
    let changes: [(&str, hemiola_models::Value<'_>); 7] = [
        ("law", "burgers".into()),
        ("meshes", 5.0.into()),
        ("refinement", 1.0.into()),
        ("cells", 1.0.into()),
        ("sequences", 2.0.into()),
        ("rows", 2.0.into()),
        ("degree", 2.0.into()),
    ];
    let model = hemiola_models::model_with("dg-plane", &changes).unwrap();
    let reference = end(&library::method("dormand-prince-8").unwrap(), &model, 800);
    let errors = [60, 120].map(|steps| distance(&end(&method, &model, steps), &reference));
    let observed = (errors[0] / errors[1]).log2();
    assert!((observed - 4.0).abs() < 0.3, "{errors:?} {observed}");
    let mass = |y: &[f64]| y.iter().step_by(9).sum::<f64>();
    let lost = mass(&end(&method, &model, 120)) - mass(&model.initial);
    assert!(lost.abs() < 120.0 * 20.0 * f64::EPSILON, "{lost:e}");
}

#[test]
fn levels_for_waves_keep_their_steps_where_widths_meet() {
    // The share of the decoupled step that is stable: bounds below the measured .944, .966, .966, .96 and .96.
    let cases: [(&str, &[usize], f64); 5] = [
        ("hemiola-family-2-waves", &[1, 2], 0.935),
        ("hemiola-family-3-waves", &[1, 2], 0.95),
        ("hemiola-family-3-waves", &[0, 1, 2], 0.95),
        ("hemiola-family-4-waves-4-5-7-10", &[2, 3], 0.95),
        ("hemiola-family-4-waves-4-5-7-10", &[0, 1], 0.95),
    ];
    let spectrum = "waves-2d:dg=3".parse().unwrap();
    for (id, levels, share) in cases {
        let family = library::method(id).unwrap();
        // Steps over the width of a cell, from the symbol of the method on a uniform mesh.
        let limits: Vec<f64> =
            levels.iter().map(|&level| level_on(&family, level, 2, &spectrum).unwrap().limit).collect();
        let method = family.selected(levels).unwrap();
        let (meshes, cells) = (levels.len() as f64, if levels.len() == 2 { 4.0 } else { 5.0 });
        let changes = [("meshes", meshes), ("cells", cells), ("patch", meshes)];
        let model = hemiola_models::model("dg-waves-quadtree", &changes).unwrap();
        let widths = (0..limits.len()).map(|level| 1.0 / cells / f64::from(1 << level));
        let alone = limits.iter().zip(widths).map(|(limit, width)| limit * width).fold(f64::INFINITY, f64::min);
        // Waves from a rough state of size one; upwind fluxes damp them down to vortices at rest, unless the steps are too long.
        let growth = |share: f64| {
            let mut y: Vec<f64> = (0..model.initial.len()).map(|k| (1.7 * (k + 1) as f64).sin()).collect();
            let mut stepper = Explicit::new(&method, &model).unwrap();
            let span = [0.0, 1500.0 * share * alone];
            equal_steps(&mut stepper, &model, span, 1500, &mut y, &mut |_| ControlFlow::Continue(()));
            y.iter().fold(0.0, |most: f64, y| if y.is_finite() { most.max(y.abs()) } else { f64::INFINITY })
        };
        assert!(growth(share) < 2.0, "{id} {levels:?}: {}", growth(share));
        assert!(growth(1.12) > 10.0, "{id} {levels:?}: {}", growth(1.12));
    }
}

#[test]
fn weights_that_differ_lose_mass() {
    // Counterexample: a pair without shared weights fails the conservation test above.
    let method = library::method("hemiola-4-8").unwrap();
    let model = burgers(2);
    let mass = |y: &[f64]| y.iter().step_by(3).sum::<f64>();
    let lost = mass(&end(&method, &model, 320)) - mass(&model.initial);
    assert!(lost.abs() > 1e-13, "{lost:e}");
}

#[test]
fn families_of_the_library_have_what_families_promise() {
    let families = library::ids().filter(|id| id.starts_with("hemiola-family"));
    for id in families {
        let tableau = library::method(id).unwrap().exact();
        let first = &tableau.partitions[0];
        for butcher in &tableau.partitions {
            assert_eq!((&butcher.b, &butcher.c), (&first.b, &first.c), "{id}");
        }
        let within = |x: &Exact| (0.0..=1.0).contains(&x.to_f64());
        assert!(first.b.iter().all(within) && first.c.iter().all(within), "{id}");
        let counts: Vec<usize> = tableau.partitions.iter().map(|butcher| butcher.evaluated_stages().len()).collect();
        assert!(counts.is_sorted() && id_tells(id, &counts), "{id}: {counts:?}");
    }
}

/// Returns whether an id that lists levels lists these.
fn id_tells(id: &str, counts: &[usize]) -> bool {
    let numbers: Vec<usize> = id.split('-').filter_map(|word| word.parse().ok()).collect();
    numbers.len() == 1 || numbers.ends_with(counts)
}

#[test]
fn published_pairs_are_beaten_where_the_design_says_so() {
    // P-ERK4 5–9 (Doehring et al. 2024) has a principal error norm of .0919.
    let norm = |id: &str| hemiola_order::principal_error(&library::method(id).unwrap().exact(), 4).unwrap().total.two;
    let (ours, theirs) = (norm("hemiola-family-4-5-9"), norm("perk-4-9-5"));
    assert!(ours <= 0.25 * theirs, "{ours} {theirs}");
}

#[test]
fn design_files_give_the_library_again() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../designs");
    // Families without a search for shared stages; the others take a quarter of a minute each.
    for id in ["hemiola-family-2-4-8", "hemiola-family-4-6-12"] {
        let file = FamilyFile::read(&folder.join(format!("{id}.family.json"))).unwrap();
        let mut family = design_family(&file.specification, &[], &()).unwrap();
        file.sign(&mut family).unwrap();
        assert_eq!(family.method, library::method(id).unwrap(), "{id}");
    }
}

#[test]
fn levels_alone_are_methods_of_the_order() {
    let method = library::method("hemiola-family-4").unwrap();
    let changes = [("meshes", 1.0), ("cells", 12.0), ("degree", 2.0)];
    let model = hemiola_models::model("dg-burgers", &changes).unwrap();
    let reference = end(&library::method("dormand-prince-8").unwrap(), &model, 2000);
    for level in 0..method.partitions().len() {
        let alone = method.partition_alone(level).unwrap();
        let errors = [60, 120].map(|steps| distance(&end(&alone, &model, steps), &reference));
        let observed = (errors[0] / errors[1]).log2();
        assert!((observed - 4.0).abs() < 0.3, "{level}: {errors:?} {observed}");
    }
}
