//! Library tables with one copying error: `diagnose` names the entry and restores the published value.

use hemiola_order::diagnose::Claim;
use hemiola_order::{DiagnoseOptions, Diagnosis, PolynomialCoefficient, Slip, Suggestion, TableauPosition, diagnose};
use hemiola_tableau::{Claims, Coefficient, Exact, Method, Partition, library};
use num_traits::Zero;
use rayon::prelude::*;

/// Methods of order three and more: explicit and implicit, fractions, decimals and roots, single and paired. Each has
/// the largest number of entries that are miscopied.
const METHODS: [(&str, usize); 16] = [
    ("kutta-3", 100),
    ("rk4", 100),
    ("gill-4", 100),
    ("bogacki-shampine-3", 100),
    ("ssp-rk-5-4", 100),
    ("cash-karp-5", 100),
    ("dormand-prince-5", 100),
    ("tsitouras-5", 6),
    ("crouzeix-3", 100),
    ("gauss-2", 100),
    ("radau-iia-3", 100),
    ("lobatto-iiia-iiib-3", 100),
    ("ars-4-4-3", 100),
    ("kennedy-carpenter-ark-3-2-4", 10),
    ("dormand-prince-8", 7),
    ("cooper-verner-8", 7),
];

/// Cell of a tableau: partition, row (the last one holds the weights) and column.
type At = (usize, usize, usize);

fn entry(partitions: &[Partition], (r, i, j): At) -> &Coefficient {
    let Partition { a, b, .. } = &partitions[r];
    if i < a.len() { &a[i][j] } else { &b[j] }
}

fn set(partitions: &mut [Partition], (r, i, j): At, coefficient: Coefficient) {
    let Partition { a, b, .. } = &mut partitions[r];
    *(if i < a.len() { &mut a[i][j] } else { &mut b[j] }) = coefficient;
}

/// Returns the nonzero entries.
fn entries(method: &Method) -> Vec<At> {
    let s = method.stages();
    let all = (0..method.partitions().len()).flat_map(|r| (0..=s).flat_map(move |i| (0..s).map(move |j| (r, i, j))));
    all.filter(|at| !entry(method.partitions(), *at).value().is_zero()).collect()
}

/// Replaces the texts of some cells of a method and removes its other weights, which may be wrong as well.
fn miscopied(method: &Method, texts: &[(At, String)]) -> Option<Method> {
    let mut partitions = method.partitions().to_vec();
    for (at, text) in texts {
        set(&mut partitions, *at, Coefficient::parse(text).ok()?);
    }
    for partition in &mut partitions {
        (partition.b_hat, partition.dense) = (None, None);
    }
    let claims = Claims { embedded_order: None, dense_order: None, ..method.claims() };
    Method::new("miscopied", "Miscopied", partitions, claims, method.precision(), method.source().clone()).ok()
}

/// Returns the possible errors in copying an entry, given its right neighbors in the table.
fn mistakes(method: &Method, at: At, next: At, other: At) -> Vec<(&'static str, Vec<(At, String)>)> {
    let text = |at| entry(method.partitions(), at).text().to_owned();
    let own = text(at);
    let digits: Vec<usize> = own.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(k, _)| k).collect();
    let (first, last) = (digits[0], digits[digits.len().min(6) - 1]);
    let digit = own.as_bytes()[last] - b'0';
    let mut mistakes = vec![
        ("sign", vec![(at, format!("-({own})"))]),
        ("digit", vec![(at, format!("{}{}{}", &own[..last], (digit + 4) % 10, &own[last + 1..]))]),
        ("lost digit", vec![(at, format!("{}{}", &own[..first], &own[first + 1..]))]),
        ("lost entry", vec![(at, "0".to_owned())]),
        ("wrong entry", vec![(at, "0.4321".to_owned())]),
    ];
    if at.0 == next.0 {
        mistakes.push(("exchange", vec![(at, text(next)), (next, own.clone())]));
    }
    if at.0 == next.0 && at.0 == other.0 {
        // As in the scan of Table 6: the entry replaces the next one, and its own cell shows a third one.
        mistakes.push(("move", vec![(next, own), (at, text(other))]));
    }
    mistakes
}

fn diagnosed(method: &Method) -> Diagnosis {
    let order = method.claims().order.expect("a claim");
    diagnose(method, &DiagnoseOptions { order, ..DiagnoseOptions::default() }, &())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether every change restores the published value to the precision of the solution. (A second error may be
/// harmless.)
fn restores(suggestion: &Suggestion, method: &Method) -> bool {
    suggestion.changes.iter().all(|change| {
        let (row, column) = match change.cell.place {
            TableauPosition::Matrix { row, column } => (row, column),
            TableauPosition::Weight { column } => (method.stages(), column),
        };
        let published = entry(method.partitions(), (change.cell.partition, row, column)).value();
        (change.new.value().clone() - published.clone()).to_f64().abs() <= suggestion.radius.min(1e-6)
    })
}

/// Outcome of an error: it is harmless, its correction is suggested first, or among other plausible ones, or not at
/// all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    Harmless,
    First,
    Among,
    Not,
}

fn found(method: &Method, wrong: &Method) -> Found {
    let diagnosis = diagnosed(wrong);
    if diagnosis.is_sound {
        return Found::Harmless;
    }
    match diagnosis.plausible().position(|suggestion| restores(suggestion, method)) {
        Some(0) => Found::First,
        Some(_) => Found::Among,
        None => Found::Not,
    }
}

/// Returns all errors in some entries of a method, with their outcomes.
fn outcomes(id: &'static str, most: usize) -> Vec<(String, Found)> {
    let method = library::method(id).unwrap_or_else(|error| panic!("{error}"));
    let all = entries(&method);
    let step = all.len().div_ceil(most);
    let chosen: Vec<usize> = (0..all.len()).step_by(step).collect();
    let of_entry = |&k: &usize| {
        let at = |k: usize| all[k % all.len()];
        let mistakes = mistakes(&method, at(k), at(k + 1), at(k + 2));
        let outcome = |(kind, texts): (&str, Vec<(At, String)>)| {
            Some((format!("{id}, {kind} at {:?}", at(k)), found(&method, &miscopied(&method, &texts)?)))
        };
        mistakes.into_iter().filter_map(outcome).collect::<Vec<_>>()
    };
    chosen.par_iter().flat_map_iter(of_entry).collect()
}

#[test]
fn one_mistake_is_undone() {
    let all: Vec<(String, Found)> = METHODS.par_iter().flat_map_iter(|(id, most)| outcomes(id, *most)).collect();
    let count = |kind| all.iter().filter(|(_, found)| *found == kind).count();
    let harmful = all.len() - count(Found::Harmless);
    let others = all.iter().filter(|(_, found)| matches!(found, Found::Not | Found::Among));
    let others: Vec<&(String, Found)> = others.collect();
    assert!(harmful > 1000, "{harmful}");
    // If another reading also satisfies all conditions, only the source can decide. A pair of order three leaves such
    // choices, and the two stages of Gauss and Crouzeix are correct in either sequence.
    assert!(40 * count(Found::Among) <= harmful, "{others:?}");
    assert!(count(Found::Not) <= 2, "{others:?}");
}

/// Returns Table 6 of Shome, Haug and Jay (2004) as published and as the scan shows it: a₃₂ stands in place of a₄₂, a₃₂
/// repeats a₅₁, a₄₂ is lost.
fn table_6_as_scanned() -> (Method, Method) {
    let published = library::method("shome-haug-jay-2-5").expect("a method of the library");
    let (a32, a42) = ((1, 2, 1), (1, 3, 1));
    let scanned = [(a32, "0.18207389".to_owned()), (a42, "0.50337891".to_owned())];
    let scanned = miscopied(&published, &scanned).expect("two decimals");
    (published, scanned)
}

fn fast_polynomial() -> Vec<PolynomialCoefficient> {
    let coefficients = [(3, 3, 16), (4, 1, 32), (5, 1, 128)];
    coefficients
        .map(|(power, n, d)| PolynomialCoefficient { partition: 1, power, value: Exact::from_ratio(n, d) })
        .into()
}

#[test]
fn the_true_reading_of_table_6_is_found() {
    let (published, scanned) = table_6_as_scanned();
    let options =
        DiagnoseOptions { order: 2, given: vec![0], polynomials: fast_polynomial(), ..DiagnoseOptions::default() };
    let diagnosis = diagnose(&scanned, &options, &()).unwrap();
    assert_eq!((diagnosis.order, diagnosis.failed, diagnosis.conditions), (1, 5, 9));
    let [only] = &diagnosis.suggestions[..] else { panic!("{:?}", diagnosis.suggestions) };
    assert_eq!((only.slip, only.order), (Slip::MovedAndLost, 2));
    assert!(only.is_plausible() && only.log_accidental_fits < -9.0, "{}", only.log_accidental_fits);
    let changes: Vec<_> =
        only.changes.iter().map(|change| (change.cell.place.to_string(), change.new.text())).collect();
    assert_eq!(changes[0], ("a32".to_owned(), "0.50337891"));
    // The other entries have eight decimals and determine the eighth of the lost one to two units: 0.00023845 in the
    // reconstruction.
    assert_eq!(changes[1].0, "a42");
    assert!((only.changes[1].new.value().to_f64() - 0.00023845).abs() < 1.5e-8 && only.radius < 5e-8);
    assert!(restores(only, &published));
    assert!(only.max_residual < 6e-9);
}

#[test]
fn without_the_polynomial_chance_does_as_well() {
    // Two failing conditions and one free value leave a single coincidence for 250 hypotheses.
    let (_, scanned) = table_6_as_scanned();
    let diagnosis = diagnose(&scanned, &DiagnoseOptions { order: 2, ..DiagnoseOptions::default() }, &()).unwrap();
    assert!(diagnosis.plausible().next().is_none());
}

#[test]
fn a_shifted_row_is_read_back() {
    // The fifth row is shifted to the left by one place: its first entry is lost, and its last one is repeated.
    let published = library::method("dormand-prince-5").unwrap();
    let row = |from: usize, to: usize| ((0, 4, to), entry(published.partitions(), (0, 4, from)).text().to_owned());
    let shifted = miscopied(&published, &[row(1, 0), row(2, 1), row(3, 2)]).unwrap();
    let diagnosis = diagnosed(&shifted);
    let best = &diagnosis.suggestions[0];
    assert!(best.is_plausible() && restores(best, &published), "{best:?}");
    assert_eq!((best.slip, best.changes.len()), (Slip::Shifted, 3));
}

#[test]
fn a_wrong_claim_is_no_misprint() {
    for (id, order) in [("rk4", 5), ("heun-2", 3), ("dormand-prince-5", 6), ("ruth-3", 3), ("chebyshev-5-1", 2)] {
        let method = library::method(id).unwrap();
        let diagnosis = diagnose(&method, &DiagnoseOptions { order, ..DiagnoseOptions::default() }, &()).unwrap();
        assert!(!diagnosis.is_sound && diagnosis.plausible().next().is_none(), "{id}");
    }
    let ruth = library::method("ruth-3").unwrap();
    let separable = DiagnoseOptions { order: 3, claim: Claim::SeparableOrder, ..DiagnoseOptions::default() };
    assert!(diagnose(&ruth, &separable, &()).unwrap().is_sound);
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    let method = library::method("cash-karp-5").unwrap();
    let wrong = miscopied(&method, &[((0, 4, 2), "-70/72".to_owned())]).unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| format!("{:?}", diagnosed(&wrong).suggestions))
    };
    assert_eq!(on(1), on(3));
}
