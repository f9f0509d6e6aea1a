//! Design files are read back as written, and errors name the path of the fault.

use std::collections::BTreeMap;

use dashu::rational::RBig;
use hemiola_polynomial::Axis;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use crate::file::design_file::*;
use crate::{Bound, Coupling, DesignError, Entry, Objective, Specification, Stability, Structure, TargetSystems};

fn parsed(text: &str) -> Result<DesignFile, DesignError> {
    DesignFile::from_json(text.as_bytes(), "a.design.json")
}

/// Parses a small design with additional fields.
fn with(fields: &str) -> Result<DesignFile, DesignError> {
    parsed(&format!("{{ \"format\": \"hemiola-design/1\", \"slow\": 2, \"fast\": 5{fields} }}"))
}

#[test]
fn what_is_left_out_has_defaults() {
    let file = with("").unwrap();
    assert_eq!(file, DesignFile::new(Specification::new(2, 5, None).unwrap()));
    assert_eq!((file.id.as_str(), file.name.as_str()), ("dual-rate-2-5", "Hemiola 2–5, order 2"));
}

#[test]
fn a_file_names_the_systems_that_a_pair_is_made_for() {
    let file = with(
        r#", "for": { "training": ["planar-vehicle:speed=12"], "held_out": ["planar-vehicle"], "variables": ["1", "chassis y"],
             "end": 2, "error": 1e-3, "fast_limit": 3.5, "candidates": 2, "rounds": 7 }"#,
    )
    .unwrap();
    let expected = TargetSystems {
        training: vec!["planar-vehicle:speed=12".into()],
        held_out: vec!["planar-vehicle".into()],
        variables: vec!["1".into(), "chassis y".into()],
        end: Some(2.0),
        error: 1e-3,
        fast_limit: Some(3.5),
        keep_polynomial: false,
        candidates: 2,
        rounds: 7,
    };
    assert_eq!(file.specification.made_for, Some(expected));
    assert_eq!(parsed(&file.to_json()).unwrap(), file);
    for (fault, said) in [
        (r#", "for": { "error": 1e-3 }"#, "training"),
        (r#", "for": { "training": [], "error": 1e-3 }"#, "at least 1"),
        (r#", "for": { "training": ["kepler"], "error": 1 }"#, "between 0 and 1"),
        (r#", "for": { "training": ["kepler"], "error": 1e-3, "end": -1 }"#, "a positive number"),
        (r#", "for": { "training": ["kepler"], "error": 1e-3, "rounds": 0 }"#, "1 to 10000"),
        (r#", "for": { "training": ["kepler"], "error": 1e-3, "speed": 3 }"#, "speed"),
    ] {
        let problem = with(fault).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    }
}

#[test]
fn an_effort_chooses_the_number_of_starts() {
    let file = with(r#", "effort": 3"#).unwrap();
    let expected = Specification::new(2, 5, None).unwrap().with_effort(3);
    assert_eq!((file.specification.effort, file.specification.starts), (Some(3), expected.starts));
    assert_eq!(parsed(&file.to_json()).unwrap(), file);
    assert_eq!(with(r#", "effort": 3, "starts": 9"#).unwrap().specification.starts, 9);
    // The errors do not predict other terms: their starts do not race.
    let other = with(r#", "effort": 3, "objective": { "coefficients": 0.1 }"#).unwrap().specification;
    assert_eq!((other.effort, other.starts), (None, 3 * 96));
    for level in ["0", "1001"] {
        let problem = with(&format!(r#", "effort": {level}"#)).unwrap_err().to_string();
        assert!(problem.contains("1 to 1000"), "{problem}");
    }
}

#[test]
fn every_field_has_its_meaning() {
    let file = with(
        r#", "id": "mine", "name": "Mine", "order": 2, "slow_stages": [1, 5], "embedded": 1, "dense": 2, "seed": 7, "starts": 9,
           "stability": { "slow": { "coefficients": ["1", 1, 0.5] }, "fast": { "axis": "real", "damping": 0.05 } },
           "structure": { "shared_abscissae": true, "largest_coefficient": 2, "sparsity": 0.1,
                          "bounds": { "fast.a[3][2]": [0, 0.5], "slow.b[1]": "1/3", "fast.b[4]": 0 } },
           "objective": { "error": { "coupling": 3 }, "step": [0.8, 4.0], "internal": 0.5,
                          "coupling": { "gammas": [0.1], "profile": [0.97] } }"#,
    )
    .unwrap();
    let Specification { slow_stages, embedded, dense, seed, starts, stability, structure, objective, .. } =
        file.specification;
    assert_eq!((file.id.as_str(), file.name.as_str()), ("mine", "Mine"));
    assert_eq!((slow_stages, embedded, dense, seed, starts), (Some(vec![0, 4]), Some(1), Some(2), 7, 9));
    let half = RBig::from_parts(1.into(), 2u8.into());
    let given = Stability::Given(vec![RBig::ONE, RBig::ONE, half]);
    assert_eq!(stability, [given, Stability::Optimal { axis: Axis::Real, damping: 0.05, band: 0.5 }]);
    let third = RBig::from_parts(1.into(), 3u8.into());
    let bounds = [
        ("fast.a[3][2]", Bound::Between(0.0, 0.5)),
        ("slow.b[1]", Bound::Fixed(third)),
        ("fast.b[4]", Bound::Fixed(RBig::ZERO)),
    ];
    let bounds = bounds.into_iter().map(|(name, bound)| (name.parse().unwrap(), bound)).collect();
    let expected =
        Structure { shared_abscissae: true, largest_coefficient: 2.0, sparsity: 0.1, bounds, ..Structure::default() };
    assert_eq!(structure, expected);
    let coupling = Coupling { damping: 0.05, gammas: vec![0.1], profile: vec![0.97], weight: 1.0 };
    assert_eq!(objective.error, [1.0, 1.0, 3.0]);
    assert_eq!((objective.step, objective.internal, objective.coupling), (Some([0.8, 4.0]), Some(0.5), Some(coupling)));
}

#[test]
fn limits_and_bands_have_their_meaning() {
    let file = |stability: &str| {
        let text = format!(r#"{{ "format": "hemiola-design/1", "slow": 5, "fast": 9, "stability": {stability} }}"#);
        DesignFile::from_json(text.as_bytes(), "5-9.design.json")
    };
    let damped = |band| Stability::Optimal { axis: Axis::Imaginary, damping: 0.05, band };
    for (text, expected) in [
        (r#"{ "fast": { "axis": "imaginary", "damping": 0.05 } }"#, [Stability::Free, damped(0.5)]),
        (
            r#"{ "slow": "auto", "fast": { "axis": "imaginary", "damping": 0.05, "band": 0.8 } }"#,
            [Stability::Auto, damped(0.8)],
        ),
        (
            r#"{ "slow": { "axis": "real", "fraction": 0.8 }, "fast": "free" }"#,
            [Stability::AtLeast { axis: Axis::Real, fraction: 0.8 }, Stability::Free],
        ),
    ] {
        let file = file(text).unwrap();
        assert_eq!(file.specification.stability, expected);
        assert_eq!(parsed(&file.to_json()).unwrap(), file);
    }
    for (text, said) in [
        (r#"{ "fast": "auto" }"#, "the fast partition's stability polynomial"),
        (r#"{ "fast": { "axis": "imaginary", "damping": 0.05, "band": 1.5 } }"#, "the band of the damping is 1.5"),
        (r#"{ "fast": { "axis": "real", "damping": 0.05, "band": 0.8 } }"#, "no band"),
        (r#"{ "slow": { "axis": "imaginary", "fraction": 0 } }"#, "the fraction of the slow limit is 0"),
        (r#"{ "slow": { "axis": "imaginary", "fraction": 0.8, "damping": 0.1 } }"#, "an axis and a fraction"),
    ] {
        let error = file(text).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let determined = r#"{ "format": "hemiola-design/1", "slow": 4, "fast": 8,
        "stability": { "slow": { "axis": "imaginary", "fraction": 0.8 } } }"#;
    let error = parsed(determined).unwrap_err().to_string();
    assert!(error.contains("the number of slow evaluations is 4; expected more than the order"), "{error}");
}

#[test]
fn faults_have_their_place() {
    for (fields, phrases) in [
        (r#", "shared": true"#, ["at shared", "unknown field"]),
        (r#", "structure": { "shared_abcissae": true }"#, ["at structure.shared_abcissae", "unknown field"]),
        (r#", "structure": { "fast_chain": 1 }"#, ["at structure.fast_chain", "a boolean"]),
        (r#", "structure": [1]"#, ["at structure", "an object"]),
        (r#", "structure": { "bounds": { "fast.a[3]": 0 } }"#, ["at structure.bounds", "counted from 1"]),
        (r#", "structure": { "bounds": { "fast.a[3][2]": [0] } }"#, ["bounds.fast.a[3][2]", "two numbers"]),
        (r#", "stability": { "fast": "best" }"#, ["at stability.fast", "\"free\""]),
        (r#", "stability": { "fast": { "damping": 0.1 } }"#, ["at stability.fast", "an axis"]),
        (r#", "stability": { "fast": { "axis": "left" } }"#, ["at stability.fast.axis", "imaginary"]),
        (r#", "stability": { "fast": { "coefficients": ["1", "e"] } }"#, ["stability.fast.coefficients[1]", "1/3"]),
        (r#", "objective": { "error": "small" }"#, ["at objective.error", "a weight"]),
        (r#", "objective": { "step": [1] }"#, ["at objective.step", "array of length 2"]),
        (r#", "objective": { "coupling": { "gammas": [0.1] } }"#, ["at objective.coupling", "profile"]),
        (r#", "slow_stages": [0, 2]"#, ["at slow_stages[0]", "counted from 1"]),
        (r#", "id": "Mine""#, ["at id", "lower-case"]),
        (r#", "name": """#, ["at name", "a single line"]),
        (r#", "name": "a\nb""#, ["at name", "a single line"]),
        (r#", "order": 3"#, ["expected at least 3", "Butcher"]),
        (r#", "slow_stages": [1, 6]"#, ["[1, 6]", "one stage for each slow evaluation"]),
        (r#", "starts": 0"#, ["the number of starts", "1 to 1000000"]),
        (r#", "seed": -1"#, ["at seed", "u64"]),
    ] {
        let error = with(fields).unwrap_err().to_string();
        assert!(error.starts_with("a.design.json: "), "{error}");
        for phrase in phrases {
            assert!(error.contains(phrase), "{fields}: {error}\nlacks {phrase}");
        }
    }
    let other = parsed(r#"{ "format": "hemiola-design/2", "slow": 2, "fast": 5 }"#).unwrap_err().to_string();
    assert!(other.contains("at format: found \"hemiola-design/2\""), "{other}");
    let missing = parsed(r#"{ "format": "hemiola-design/1", "slow": 2 }"#).unwrap_err().to_string();
    assert!(missing.contains("missing field `fast`"), "{missing}");
}

#[test]
fn the_name_of_the_file_is_the_id() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let text = "{ \"format\": \"hemiola-design/1\", \"slow\": 1, \"fast\": 3 }";
    assert_eq!(DesignFile::read(&write("mine.design.json", text)).unwrap().id, "mine");
    assert_eq!(DesignFile::read(&write("yours.json", text)).unwrap().id, "yours");
    let named = DesignFile::new(Specification::new(1, 3, None).unwrap()).to_json();
    assert_eq!(DesignFile::read(&write("dual-rate-1-3.design.json", &named)).unwrap().id, "dual-rate-1-3");
    let error = DesignFile::read(&write("other.design.json", &named)).unwrap_err().to_string();
    assert!(error.contains("at id: found \"dual-rate-1-3\"; expected \"other\""), "{error}");
    assert!(DesignFile::read(&folder.path().join("absent.design.json")).is_err());
}

fn stability() -> impl Strategy<Value = [Stability; 2]> {
    // Order two fixes 1, 1, 1/2; one more coefficient follows.
    let given = (1..9i32, 1..99u32).prop_map(|(p, q)| {
        let half = RBig::from_parts(1.into(), 2u8.into());
        Stability::Given(vec![RBig::ONE, RBig::ONE, half, RBig::from_parts(p.into(), q.into())])
    });
    let damping = prop_oneof![Just(0.0), 0.01..0.1];
    let optimal = damping.prop_map(|damping| Stability::Optimal { axis: Axis::Real, damping, band: 0.5 });
    let banded =
        (0.01..0.1, 0.5..1.0).prop_map(|(damping, band)| Stability::Optimal { axis: Axis::Imaginary, damping, band });
    let fast = prop_oneof![Just(Stability::Free), given, optimal, banded];
    let slow = prop_oneof![Just(Stability::Free), Just(Stability::Auto)];
    (slow, fast).prop_map(|(slow, fast)| [slow, fast])
}

fn structure() -> impl Strategy<Value = Structure> {
    let between = (-1.0..0.0, 0.1..1.0).prop_map(|(low, high)| Bound::Between(low, high));
    let fixed = (1..9i32, 1..99u32).prop_map(|(p, q)| Bound::Fixed(RBig::from_parts(p.into(), q.into())));
    // Subdiagonal entries remain unknowns for every combination of flags.
    let entry = (2..6usize).prop_map(|row| Entry { partition: 1, row: Some(row), column: row - 1 });
    let bounds = btree_map(entry, prop_oneof![between, fixed], 0..3);
    let flags = proptest::array::uniform7(any::<bool>());
    (0.5..3.0, flags, option::of(0.0..0.5), bounds).prop_map(|(largest_coefficient, flags, sparsity, bounds)| {
        let [
            shared_abscissae,
            shared_weights,
            first_same_as_last,
            non_negative_weights,
            in_step,
            increasing,
            fast_chain,
        ] = flags;
        Structure {
            largest_coefficient,
            shared_abscissae,
            shared_weights,
            first_same_as_last,
            non_negative_weights,
            abscissae_in_step: in_step,
            increasing_abscissae: increasing,
            fast_chain,
            sparsity: sparsity.unwrap_or(0.0),
            bounds: BTreeMap::clone(&bounds),
        }
    })
}

fn objective() -> impl Strategy<Value = Objective> {
    let coupling = (0.0..0.9, vec((0.01..0.99, 0.1..2.0), 1..4), 0.0..9.0).prop_map(|(damping, profile, weight)| {
        let (gammas, profile) = profile.into_iter().unzip();
        Coupling { damping, gammas, profile, weight }
    });
    let step = option::of(proptest::array::uniform2(0.1..9.0));
    let error = prop_oneof![Just([1.0; 3]), proptest::array::uniform3(0.0..1e6)];
    (error, step, 0.0..1.0, option::of(0.0..1e-9), option::of(coupling)).prop_map(
        |(error, step, coefficients, internal, coupling)| Objective { error, step, coefficients, internal, coupling },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_again(
        stability in stability(),
        structure in structure(),
        objective in objective(),
        (seed, starts) in (any::<u64>(), 1..1_000_000usize),
        slow_stages in option::of(Just(vec![0, 5])),
        name in "[^\\p{C}]{0,12}x",
    ) {
        let base = Specification::new(2, 6, None).unwrap();
        let specification = Specification { stability, structure, objective, seed, starts, slow_stages, ..base };
        let file = DesignFile { id: "a-1".to_owned(), name, specification };
        let text = file.to_json();
        let again = parsed(&text).unwrap();
        prop_assert_eq!(again.to_json(), text);
        prop_assert_eq!(again, file);
    }
}
