//! Tests of races: their results, and what they report.

use std::ops::ControlFlow;
use std::sync::Mutex;

use hemiola_number::Update;
use hemiola_order::principal_error_norm;
use hemiola_polynomial::Axis;
use hemiola_tableau::library;

use crate::search::progress::FIRST_METHOD;
use crate::{Design, Search, Specification, Stability, design};

/// Largest accepted ratio of an error to that of the library's pair.
const AS_GOOD: f64 = 1.02;

/// Returns the specification of a design without options.
fn as_it_comes(slow: usize, fast: usize) -> Specification {
    let mut specification = Specification::new(slow, fast, None).unwrap();
    specification.objective.internal = None;
    specification.with_effort(1)
}

fn raced(specification: &Specification) -> Design {
    design(specification, &()).unwrap()
}

#[test]
fn designs_without_options_are_as_good_as_the_library() {
    for (slow, fast) in [(3, 5), (4, 6), (4, 8)] {
        let specification = as_it_comes(slow, fast);
        let known = library::method(&format!("hemiola-{slow}-{fast}")).unwrap();
        let known = principal_error_norm(&known.exact(), specification.order).unwrap();
        let found = raced(&specification);
        let norm = principal_error_norm(&found.method.exact(), specification.order).unwrap();
        assert!((norm / found.error_norm - 1.0).abs() < 1e-9);
        assert!(norm <= AS_GOOD * known, "{slow}-{fast}: {norm} {known}");
    }
}

#[test]
fn a_proved_pair_takes_the_place_of_an_unproved_one() {
    let mut specification = Specification { seed: 3, ..as_it_comes(3, 8) };
    specification.stability[1] = Stability::Optimal { axis: Axis::Real, damping: 0.0, band: 0.5 };
    let search = Search::new(&specification, Vec::new()).unwrap();
    let (minima, solved) = search.minima(&());
    let first = search.finished(&minima[0], solved).unwrap();
    let chosen = search.first_finished(&minima, solved).unwrap();
    assert!(first.gap.is_some() && chosen.gap.is_none(), "{:?} {:?}", first.gap, chosen.gap);
    assert_ne!(chosen.method.to_json(), first.method.to_json());
    assert!(chosen.error_norm < 1.001 * first.error_norm, "{} {}", chosen.error_norm, first.error_norm);
}

#[test]
fn threads_and_interruptions_do_not_change_the_result_of_a_race() {
    // Few starts, but more than those of the first method.
    let specification = Specification { starts: 60, ..as_it_comes(4, 6) };
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| raced(&specification).method.to_json())
    };
    let alone = with_threads(1);
    assert_eq!(alone, with_threads(3));
    let search = Search::new(&specification, Vec::new()).unwrap();
    search.run(&()).unwrap();
    for done in [3, 30] {
        let resumed = Search::new(&specification, search.done()[..done].to_vec()).unwrap();
        assert_eq!(resumed.run(&()).unwrap().method.to_json(), alone);
    }
    let other = Specification { seed: 2, ..specification.clone() };
    assert_ne!(raced(&other).method.to_json(), alone);
}

#[test]
fn a_proved_method_is_reported_before_the_race_ends() {
    let specification = as_it_comes(4, 7);
    let seen = Mutex::new(Vec::new());
    let see = |update: Update<'_>| {
        let values: Vec<f64> = update.values.iter().map(|(_, value)| *value).collect();
        seen.lock().unwrap().push((update.phase == FIRST_METHOD, values));
        ControlFlow::Continue(())
    };
    let found = design(&specification, &see).unwrap();
    let seen = seen.into_inner().unwrap();
    let at = seen.iter().position(|(is_first, _)| *is_first).unwrap();
    // The first method appears after a few of hundreds of starts and descents.
    assert!(at < 40 && seen.len() > specification.starts, "{at} {}", seen.len());
    let [norm, proved] = seen[at].1[..] else { panic!("{:?}", seen[at]) };
    assert!(proved == 1.0 && norm < 0.1 && found.error_norm <= norm * (1.0 + 1e-9), "{norm} {}", found.error_norm);
}

#[test]
fn an_interruption_after_the_first_method_keeps_a_pair() {
    let specification = as_it_comes(4, 6);
    let is_over = Mutex::new(false);
    let stop = |update: Update<'_>| {
        let mut is_over = is_over.lock().unwrap();
        *is_over |= update.phase == FIRST_METHOD;
        if *is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = design(&specification, &stop).unwrap();
    assert!(stopped.interrupted && stopped.tried < specification.starts / 2 && stopped.error_norm < 0.1);
}
