//! Rounding a tableau changes neither its orders nor its properties.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use crate::common::{Digits, is_short, methods, rewritten};
use hemiola_order::{CheckOptions, OrderCheck, OrderReport, SimplifyingAssumptions, Verdict};
use hemiola_tableau::{Coefficient, Method, Precision, library};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// The claimed orders of a method, and its other properties.
#[derive(Debug, PartialEq)]
struct Findings {
    orders: Orders,
    properties: Properties,
}

#[derive(Debug, PartialEq)]
struct Orders {
    order: usize,
    partitions: Vec<usize>,
    embedded: Option<usize>,
    dense: Option<(usize, bool, bool)>,
    separable: Option<usize>,
    coupling: Option<usize>,
    non_autonomous: Option<usize>,
}

#[derive(Debug, PartialEq)]
struct Properties {
    linear: Option<usize>,
    stage: usize,
    assumptions: Vec<[usize; 3]>,
    symplectic: [Option<bool>; 3],
    symmetric: [Option<bool>; 2],
}

fn findings(method: &Method) -> Findings {
    let highest_order = method.claims().order.unwrap_or(4) + 1;
    let report = OrderReport::new(method, CheckOptions { highest_order, ..Default::default() }, &()).unwrap();
    let letters = |all: &SimplifyingAssumptions| [all.b.order, all.c.order, all.d.order];
    let (symplecticity, symmetry) = (report.symplecticity, report.symmetry);
    let orders = Orders {
        order: report.check.order(),
        partitions: report.partition_orders,
        embedded: report.embedded_order,
        dense: report.dense_output.map(|dense| (dense.order, dense.continuous.holds(), dense.smooth.holds())),
        separable: report.separable_order,
        coupling: report.coupling_order,
        non_autonomous: report.non_autonomous_order,
    };
    let properties = Properties {
        linear: report.linear_order,
        stage: report.stage_order,
        assumptions: report.assumptions.partitions.iter().chain([&report.assumptions.coupled]).map(letters).collect(),
        symplectic: [
            Some(symplecticity.within.holds()),
            symplecticity.conjugate.map(Verdict::holds),
            symplecticity.conjugate_separable.map(Verdict::holds),
        ],
        symmetric: [Some(symmetry.general.holds()), symmetry.separable.map(Verdict::holds)],
    };
    Findings { orders, properties }
}

/// Number of digits that hide smaller errors in equations, so that more properties may hold.
const COARSE: usize = 8;
/// Decimals of quadruple precision, up to which tables are judged as if computed in doubles.
const QUADRUPLE: u32 = 34;

/// Returns the differences between a method and its rounded tableaus.
fn differences(method: &Method) -> Vec<String> {
    let mut expected = findings(method);
    // Fifty decimals tell properties that hold up to rounding in double precision from others, and fewer digits cannot: the properties
    // of such tables are compared with those of their first seventeen digits.
    if method.precision().is_some_and(|known| known.decimals > QUADRUPLE) {
        expected.properties =
            findings(&rewritten(method, None, |coefficient| Digits::Significant(17).write(coefficient))).properties;
    }
    let mut differences = Vec::new();
    for digits in [COARSE, 12, 16, 17] {
        for rounding in [Digits::Significant(digits), Digits::Places(digits)] {
            let stated = rounding.precision(method);
            for precision in [None].into_iter().chain(stated.map(Some)) {
                let found = findings(&rewritten(method, precision, |coefficient| rounding.write(coefficient)));
                if found.orders != expected.orders || digits > COARSE && found.properties != expected.properties {
                    differences.push(format!("{} {rounding:?} {precision:?}: {found:?}\n{expected:?}", method.id()));
                }
            }
        }
    }
    differences
}

fn assert_rounding_changes_nothing(methods: &[Method]) {
    // Tables with fewer known digits satisfy their conditions only to these, which the roundings do not state.
    let is_known = |method: &&Method| method.precision().is_none_or(|known| known.decimals >= COARSE as u32);
    let differing: Vec<String> = methods.par_iter().filter(is_known).flat_map(differences).collect();
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn rounding_changes_no_order_and_no_property() {
    let (short, long): (Vec<Method>, Vec<Method>) = methods().into_iter().partition(is_short);
    // Methods of orders from eight on, pairs of orders five and six, and families of many rates.
    assert_eq!((short.len(), long.len()), (library::ids().count() - 40, 40));
    assert_rounding_changes_nothing(&short);
}

#[test]
#[ignore = "checks of up to a second, thirteen for each of the largest tables: two minutes"]
fn rounding_large_tables_changes_nothing() {
    let long: Vec<Method> = methods().into_iter().filter(|method| !is_short(method)).collect();
    assert_rounding_changes_nothing(&long);
}

/// Uses a tableau as pasted from a paper: fourteen or fifteen decimals, no stated precision.
#[test]
fn a_pasted_table_keeps_its_order() {
    let method = library::method("ssp-rk-5-4").unwrap();
    assert_eq!(method.precision(), Some(Precision { decimals: 14 }));
    for digits in [14, 15] {
        let pasted = rewritten(&method, None, |coefficient| Digits::Places(digits).write(coefficient));
        let check = OrderCheck::new(&pasted, CheckOptions { highest_order: 5, ..Default::default() }).unwrap();
        assert_eq!((check.order(), check.exact_order()), (4, 0), "{digits} decimals");
    }
}

/// Uses doubles with errors of a few units, as in tableaus that were computed in doubles.
#[test]
fn last_digits_that_are_off_change_no_order() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let is_known = |method: &Method| method.precision().is_none_or(|known| known.decimals >= 14);
    for method in methods().into_iter().filter(|method| is_short(method) && is_known(method)) {
        let expected = findings(&method).orders;
        for digits in [16, 17] {
            let written = rewritten(&method, None, |coefficient| {
                let x = coefficient.value().to_f64() * (1.0 + random.random_range(-1.0..1.0) * 1e-15);
                Digits::Significant(digits).write(&Coefficient::parse(&format!("{x:.25}")).unwrap())
            });
            assert_eq!(findings(&written).orders, expected, "{} with {digits} digits", method.id());
        }
    }
}
