//! Orders and principal error norms of published methods.

use hemiola_multirate::{
    InfinitesimalMethod, MultirateReport, MultirateWeights, RowKind, RowVerdicts, StageCoupling, library,
};
use hemiola_order::{Grammar, Trees};
use hemiola_tableau::Exact;

use crate::plain;

/// An id, the order and the norm of the method, and those of its embedded one.
type Published = (&'static str, usize, f64, Option<(usize, f64)>);

/// Norms by an independent program in exact rationals, thirteen decimals; those of MIS methods by a second one, those of our
/// implicit ones by the recursion of `scripts/certificates/multirate.py`.
const NORMS: [Published; 48] = [
    ("hemiola-mri-2-2", 2, 0.235_942_511_618_0, Some((1, 0.4))),
    ("hemiola-mri-3-3", 3, 0.068_061_861_408_9, Some((2, 0.2))),
    ("hemiola-mri-5-4", 4, 0.000_114_162_789_3, Some((3, 0.079_999_999_999_6))),
    ("hemiola-mri-5-4-balanced", 4, 0.000_657_121_885_7, Some((3, 0.08))),
    ("hemiola-mri-5-4-continued", 4, 0.002_659_077_605_1, Some((3, 0.063_028_917_642_4))),
    ("hemiola-mri-5-4-continued-balanced", 4, 0.008_353_546_835_5, Some((3, 0.08))),
    ("hemiola-mri-5-4-stable", 4, 0.004_575_257_351_4, Some((3, 0.08))),
    ("hemiola-mri-6-5", 5, 0.006_383_925_071_0, Some((3, 0.08))),
    ("hemiola-mri-imex-5-3", 3, 0.121_780_268_799_2, Some((2, 0.2))),
    ("hemiola-mri-imex-7-4", 4, 0.123_182_783_048_8, Some((3, 0.08))),
    ("hemiola-mri-implicit-5-4", 4, 0.027_379_753_439_6, Some((3, 0.08))),
    ("hemiola-mri-implicit-6-4", 4, 0.025_986_428_575_7, Some((3, 0.08))),
    ("imex-mri-gark-euler", 1, 1.224_744_871_391_6, None),
    ("imex-mri-gark-midpoint", 2, 0.526_634_360_823_5, None),
    ("imex-mri-gark-trapezoidal", 2, 0.790_569_415_042_1, None),
    ("imex-mri-gark3a", 3, 0.436_522_150_370_8, None),
    ("imex-mri-gark3b", 3, 0.449_271_137_424_8, None),
    ("imex-mri-gark4", 4, 2.130_784_288_967_2, None),
    ("imex-mri-sr21", 2, 0.485_356_472_826_5, Some((1, 1.096_965_511_460_3))),
    ("imex-mri-sr32", 3, 0.385_013_992_199_1, Some((2, 0.145_730_631_519_8))),
    ("imex-mri-sr43", 4, 0.508_174_380_194_6, Some((3, 0.268_917_036_211_0))),
    ("merk21", 2, 0.263_523_138_347_4, Some((1, 0.707_106_781_186_6))),
    ("merk32", 3, 0.087_105_961_677_0, Some((2, 0.263_523_138_347_4))),
    ("merk43", 4, 0.019_388_714_104_0, Some((3, 0.110_530_892_465_9))),
    ("merk54", 5, 0.011_047_732_169_1, Some((4, 0.064_099_893_106_7))),
    ("mis-kw3", 3, 0.080_919_251_356_2, None),
    ("mis-rk43", 3, 0.070_819_715_466_6, None),
    ("mis-tvd-a", 2, 0.063_020_940_521_2, None),
    ("mis-tvd-b", 2, 0.056_793_462_226_3, None),
    ("mis2", 2, 0.121_076_965_335_8, None),
    ("mis3c", 2, 0.015_986_662_574_8, None),
    ("mis4", 3, 0.128_817_416_448_5, None),
    ("mis4a", 3, 0.091_307_936_046_7, None),
    ("mis5-4", 4, 0.096_291_689_991_9, None),
    ("mri-gark-backward-euler", 1, 0.707_106_781_186_6, None),
    ("mri-gark-erk22a", 2, 0.270_030_862_433_7, Some((1, 0.707_106_781_186_6))),
    ("mri-gark-erk22b", 2, 0.408_248_290_463_9, Some((1, 0.707_106_781_186_6))),
    ("mri-gark-erk33a", 3, 0.089_585_958_479_6, Some((2, 0.075_222_577_820_7))),
    ("mri-gark-erk45a", 4, 0.063_846_174_671_1, Some((3, 0.060_029_374_412_5))),
    ("mri-gark-esdirk34a", 3, 0.125_226_077_270_3, Some((2, 0.432_398_649_646_2))),
    ("mri-gark-esdirk46a", 4, 0.041_239_836_806_8, Some((3, 0.029_576_153_388_5))),
    ("mri-gark-forward-euler", 1, 0.707_106_781_186_6, None),
    ("mri-gark-implicit-midpoint", 2, 0.169_250_800_096_6, None),
    ("mri-gark-irk21a", 2, 0.353_553_390_593_3, Some((1, 0.707_106_781_186_6))),
    ("mri-gark-ralston2", 2, 0.263_523_138_347_4, Some((1, 0.707_106_781_186_6))),
    ("mri-gark-ralston3", 3, 0.087_841_046_115_8, Some((2, 0.239_492_736_493_9))),
    ("wicker-skamarock-2", 2, 0.288_675_134_594_8, None),
    ("wicker-skamarock-3", 2, 0.166_666_666_666_7, None),
];

/// Methods with starts and drifts, whose coefficients are rounded.
const COMBINED: [&str; 7] = ["mis-tvd-a", "mis-tvd-b", "mis2", "mis3c", "mis4", "mis4a", "mis5-4"];

/// Methods with implicit slow stages, and their number.
const IMPLICIT_STAGES: [(&str, usize); 18] = [
    ("hemiola-mri-imex-5-3", 4),
    ("hemiola-mri-imex-7-4", 6),
    ("hemiola-mri-implicit-5-4", 4),
    ("hemiola-mri-implicit-6-4", 5),
    ("imex-mri-gark-euler", 1),
    ("imex-mri-gark-midpoint", 1),
    ("imex-mri-gark-trapezoidal", 1),
    ("imex-mri-gark3a", 3),
    ("imex-mri-gark3b", 3),
    ("imex-mri-gark4", 5),
    ("imex-mri-sr21", 3),
    ("imex-mri-sr32", 4),
    ("imex-mri-sr43", 5),
    ("mri-gark-backward-euler", 1),
    ("mri-gark-esdirk34a", 3),
    ("mri-gark-esdirk46a", 5),
    ("mri-gark-implicit-midpoint", 1),
    ("mri-gark-irk21a", 1),
];

fn method(id: &str) -> InfinitesimalMethod {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

fn assert_order_and_norm(id: &str, verdicts: &RowVerdicts, order: usize, norm: f64) {
    assert_eq!(verdicts.order(), order, "{id}");
    assert_eq!(verdicts.order_as_stated(), order, "{id}");
    assert!(verdicts.orders()[order].failed() > 0, "{id}");
    let error = verdicts.principal_error().unwrap_or_else(|| panic!("{id} has a failing condition"));
    assert_eq!(error.order, order + 1, "{id}");
    assert!((error.total.two - norm).abs() < 0.6e-13, "{id}: {}", error.total.two);
    let parts = [error.fast, error.slow, error.coupling].map(|part| part.two * part.two);
    assert!((parts.iter().sum::<f64>().sqrt() - error.total.two).abs() < 1e-14, "{id}");
    // The fast system alone is solved exactly, unless there are starts and drifts.
    assert_eq!(error.fast.two != 0.0, COMBINED.contains(&id), "{id}");
}

#[test]
fn orders_and_norms_are_as_printed() {
    assert_eq!(library::ids().count(), NORMS.len());
    for (id, order, norm, embedded) in NORMS {
        let method = method(id);
        let report = MultirateReport::new(&method, None).unwrap_or_else(|error| panic!("{error}"));
        assert_order_and_norm(id, &report.step, order, norm);
        assert_eq!(report.embedded.is_some(), embedded.is_some(), "{id}");
        if let Some((verdicts, (order, norm))) = report.embedded.as_ref().zip(embedded) {
            assert_order_and_norm(id, verdicts, order, norm);
        }
        let claims = method.claims();
        assert_eq!((claims.order, claims.embedded_order), (Some(order), embedded.map(|(order, _)| order)), "{id}");
    }
}

#[test]
fn rational_methods_hold_exactly_and_rounded_ones_to_their_precision() {
    for (id, order, ..) in NORMS {
        let report = MultirateReport::new(&method(id), Some(order)).unwrap_or_else(|error| panic!("{error}"));
        let decimals = ["mri-gark-esdirk34a", "imex-mri-gark3a", "imex-mri-gark3b", "imex-mri-gark4"];
        let is_rounded = decimals.contains(&id) || COMBINED.contains(&id) || id.starts_with("hemiola-");
        assert_eq!(report.step.exact_order() == order, !is_rounded, "{id}");
        assert!(report.step.principal_error().is_none(), "{id}");
    }
}

#[test]
fn a_wrong_digit_fails() {
    let text = method("mri-gark-esdirk34a").to_json();
    for (digits, order) in [("0.4358665215084589994160194511935568425", 3), ("0.4358665215084589994160194511935", 0)] {
        let changed = text.replacen("0.4358665215084589994160194511935568425\"]", &format!("{digits}\"]"), 1);
        let method = InfinitesimalMethod::from_json(changed.as_bytes(), "changed").unwrap_or_else(|e| panic!("{e}"));
        let report = MultirateReport::new(&method, Some(3)).unwrap_or_else(|error| panic!("{error}"));
        // Shorter by six digits, the coefficient still holds numerically.
        assert_eq!((report.step.order_as_stated(), report.step.order()), (order, 3), "{digits}");
    }
    let changed = text.replacen("\"0.4358665215", "\"0.4358665216", 1);
    let method = InfinitesimalMethod::from_json(changed.as_bytes(), "changed").unwrap_or_else(|e| panic!("{e}"));
    let report = MultirateReport::new(&method, Some(3)).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.step.order() < 2);
}

#[test]
fn all_are_internally_consistent_and_decoupled() {
    for (id, ..) in NORMS {
        let method = method(id);
        assert!(method.is_internally_consistent(), "{id}");
        assert!(method.require_decoupled().is_ok(), "{id}");
        let end = method.abscissae().pop().unwrap_or_else(|| Exact::from(0));
        let distance = (end - Exact::from(1)).to_f64().abs();
        assert!(if COMBINED.contains(&id) { distance < 1e-10 } else { distance == 0.0 }, "{id}: {distance}");
        let implicit = method.couplings().iter().filter(|coupling| **coupling == StageCoupling::Decoupled).count();
        let expected = IMPLICIT_STAGES.iter().find(|(implicit, _)| *implicit == id).map_or(0, |(_, count)| *count);
        assert_eq!(implicit, expected, "{id}");
    }
}

#[test]
fn both_embeddings_of_erk45a_in_circulation_have_order_three() {
    // The constant terms that ClimateMachine.jl has; those of the library were corrected in arXiv:1808.02759.
    const CORRECTED: [&str; 5] =
        ["-88227/47470", "756870829/340217490", "-713704111/1360869960", "-31967827/340217490", "129673/286680"];
    const EARLIER: [&str; 5] = ["-1482837/759520", "175781/71205", "-790577/1139280", "-6379/56964", "47/96"];
    let row = |row: [&str; 5]| format!("{row:?}");
    let text = method("mri-gark-erk45a").to_json();
    assert!(text.contains(&row(CORRECTED)));
    let earlier = text.replace(&row(CORRECTED), &row(EARLIER));
    let earlier = InfinitesimalMethod::from_json(earlier.as_bytes(), "earlier").unwrap_or_else(|e| panic!("{e}"));
    let report = MultirateReport::new(&earlier, Some(4)).unwrap_or_else(|error| panic!("{error}"));
    let embedded = report.embedded.unwrap_or_else(|| panic!("an embedded row"));
    assert_order_and_norm("earlier", &embedded, 3, 0.057_773_286_222_9);
}

#[test]
fn weights_are_those_of_a_plain_recursion() {
    let ids =
        ["mri-gark-erk33a", "mri-gark-irk21a", "imex-mri-sr21", "imex-mri-gark-midpoint", "merk32", "mis4a", "mis5-4"];
    for id in ids {
        let method = method(id);
        let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), 4).unwrap_or_else(|e| panic!("{e}"));
        let (rows, stages) = (method.exact_rows(), method.stages().len());
        let mut weights = MultirateWeights::new(&trees, rows.clone(), stages);
        for tree in (1..=4).flat_map(|order| trees.of_order(order)) {
            let expected = plain::weight(&rows[..stages], &trees.tree(tree));
            assert_eq!(weights.weight(tree, RowKind::Step), expected, "{id}: {:?}", trees.tree(tree));
        }
    }
}
