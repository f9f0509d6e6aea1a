//! Forms of published methods, round trips of all classes, and tables that belong to no class.

use num_traits::Zero;

use super::{Agreement, StorageClass, StorageError, StorageForm, storage_form, storage_forms};
use crate::{Butcher, Exact, Method, library};

const CLASSES: [StorageClass; 7] = [
    StorageClass::TwoN,
    StorageClass::Houwen(2),
    StorageClass::Houwen(3),
    StorageClass::Houwen(4),
    StorageClass::TwoS,
    StorageClass::TwoSStar,
    StorageClass::ThreeSStar,
];

/// Small fractions in a fixed pseudo-random order.
struct Fractions(u64);

impl Fractions {
    fn next(&mut self) -> Exact {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let [p, q] = [40, 50].map(|shift| (self.0 >> shift) % 9 + 1);
        let sign = if self.0 >> 62 == 0 { -1 } else { 1 };
        Exact::from_ratio(sign * p as i64, q)
    }

    fn vector(&mut self, length: usize) -> Vec<Exact> {
        (0..length).map(|_| self.next()).collect()
    }
}

/// A form of small fractions with s stages, and with embedded weights if the class has them.
fn form_of_fractions(class: StorageClass, s: usize, seed: u64) -> StorageForm {
    let mut fractions = Fractions(seed);
    let one = || Exact::from(1);
    let sum = |list: &[Exact]| list.iter().fold(Exact::zero(), |sum, x| sum + x.clone());
    let vectors = match class {
        StorageClass::TwoN => {
            let mut a = fractions.vector(s);
            a[0] = Exact::zero();
            vec![a, fractions.vector(s)]
        }
        StorageClass::Houwen(registers) => (0..registers).map(|k| fractions.vector(s - k)).collect(),
        _ => {
            let [mut second, mut third, beta] = [(); 3].map(|()| fractions.vector(s));
            let mut delta = fractions.vector(s);
            // The first step has only uₙ, and a sum with the scale one.
            (second[0], third[0], delta[0]) = (Exact::zero(), Exact::zero(), one());
            let factors = |i: usize| match class {
                StorageClass::TwoSStar => one(),
                _ => sum(&delta[..=i]),
            };
            let has_third = class == StorageClass::ThreeSStar;
            let rest = |i: usize| if has_third { third[i].clone() } else { Exact::zero() };
            let first = (0..s).map(|i| one() - second[i].clone() * factors(i) - rest(i)).collect();
            match class {
                StorageClass::TwoS => {
                    delta.push(fractions.next());
                    vec![first, second, beta, delta]
                }
                StorageClass::TwoSStar => vec![first, second, beta],
                _ => {
                    delta.extend(fractions.vector(2));
                    vec![first, second, third, beta, delta]
                }
            }
        }
    };
    StorageForm::new(class, vectors).unwrap()
}

/// The method of a tableau, with its numbers written by `text`.
fn method_of(butcher: &Butcher<Exact>, embedded: Option<Vec<Exact>>, text: impl Fn(&Exact) -> String) -> Method {
    let list =
        |row: &[Exact]| format!("[{}]", row.iter().map(|x| format!("\"{}\"", text(x))).collect::<Vec<_>>().join(", "));
    let a = butcher.a.iter().map(|row| list(row)).collect::<Vec<_>>().join(", ");
    let hat = embedded.map_or_else(String::new, |hat| format!(r#", "b_hat": {}"#, list(&hat)));
    let json = format!(
        r#"{{"format": "hemiola-method/1", "id": "test", "name": "Test",
            "partitions": [{{"name": "all", "a": [{a}], "b": {}{hat}}}]}}"#,
        list(&butcher.b)
    );
    Method::from_json(json.as_bytes(), "test").unwrap()
}

/// The number rounded to a number of decimals; whole numbers and zeros remain.
fn decimals(x: &Exact, places: usize) -> String {
    if x.is_zero() {
        return "0".into();
    }
    let (power, sign) = (Exact::from_ratio(10i64.pow(places as u32), 1), if x.sign().is_lt() { "-" } else { "" });
    let scaled = (x.abs() * power).as_rational().unwrap().round().to_string();
    let digits = format!("{scaled:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{fraction}")
}

#[test]
fn forms_and_tableaus_are_equivalent() {
    for class in CLASSES {
        for (s, seed) in [(5, 1), (6, 2), (8, 3)] {
            let form = form_of_fractions(class, s, seed);
            let method = method_of(&form.butcher(), form.embedded(), ToString::to_string);
            let found = storage_form(&method, 0, class).unwrap_or_else(|| panic!("{class} {s}"));
            assert_eq!((found.agreement, found.form.butcher()), (Agreement::Exactly, form.butcher()), "{class} {s}");
            assert_eq!(found.form.embedded(), form.embedded(), "{class} {s}");
            let expected = form.embedded().map(|_| class.registers());
            assert_eq!(found.registers_with_embedded, expected, "{class} {s}");
            // With δ₁ = 1 (2S, 3S*) and A₁ = 0 (2N) the form is unique but for the scale of δ in 3S*.
            if class != StorageClass::ThreeSStar && class != StorageClass::TwoS {
                assert_eq!(found.form, form, "{class} {s}");
            }
        }
    }
}

#[test]
fn random_forms_belong_to_their_own_class_only() {
    for class in CLASSES {
        let form = form_of_fractions(class, 7, 11);
        let method = method_of(&form.butcher(), None, ToString::to_string);
        for other in CLASSES {
            // Ketcheson 2010: with nonzero subdiagonals, methods of the class 2R are 2S.
            let is_2r = class == StorageClass::Houwen(2);
            let belongs = other.contains(class) || is_2r && other.contains(StorageClass::TwoS);
            assert_eq!(storage_form(&method, 0, other).is_some(), belongs, "{class} as {other}");
        }
    }
}

#[test]
fn rounded_tableaus_belong_to_their_class_to_precision() {
    for class in CLASSES {
        for (s, seed) in [(5, 5), (7, 6)] {
            let exact = form_of_fractions(class, s, seed);
            let rounded = method_of(&exact.butcher(), exact.embedded(), |x| decimals(x, 9));
            let found = storage_form(&rounded, 0, class).unwrap_or_else(|| panic!("{class} {s}"));
            // Equal entries of mR round alike, and short tables may remain exact.
            let is_rounded = s > 5 && !matches!(class, StorageClass::Houwen(_));
            assert!(found.agreement == Agreement::ToPrecision || !is_rounded && found.agreement == Agreement::Exactly);
            // Every entry of the form's tableau agrees with the written digits; decimals that end in zeros have fewer.
            let uncertainties = rounded.uncertainties();
            let given = &rounded.exact().partitions[0];
            let form = found.form.butcher();
            for i in 0..=s {
                let row = |butcher: &Butcher<Exact>| if i < s { butcher.a[i].clone() } else { butcher.b.clone() };
                let allowed = &uncertainties.partitions[0];
                for j in 0..i.min(s) {
                    let allowed = if i < s { allowed.a[i][j] } else { allowed.b[j] }.max(5e-10);
                    let difference = (row(&form)[j].clone() - row(given)[j].clone()).to_f64();
                    assert!(difference.abs() <= 1.000_001 * allowed, "{class} {s}: {i} {j} {difference}");
                }
            }
            // A change in the seventh decimal of one entry is not a rounding error.
            let mut wrong = exact.butcher();
            wrong.a[s - 1][0] += Exact::from_ratio(1, 10_000_000);
            let wrong = method_of(&wrong, exact.embedded(), |x| decimals(x, 9));
            assert!(storage_form(&wrong, 0, class).is_none(), "{class} {s}");
        }
    }
}

#[test]
fn published_methods() {
    let names = |id: &str| -> Vec<String> {
        let method = library::method(id).unwrap();
        storage_forms(&method, 0).iter().map(|found| format!("{} {}", found.form.class(), found.agreement)).collect()
    };
    // Williamson 1980; Carpenter & Kennedy 1994; Wray 1986 (see Kennedy, Carpenter & Lewis 2000).
    assert_eq!(names("williamson-3"), ["2N exactly", "3S* exactly"]);
    assert_eq!(names("carpenter-kennedy-5-4"), ["2N to precision"]);
    assert!(names("wray-3").contains(&"2R exactly".to_owned()));
    // Ketcheson 2008, 2010: two registers for these; three for the classical method of order 4.
    for id in ["ssp-rk-2-2", "ssp-rk-3-3", "ssp-rk-4-3"] {
        assert!(names(id).contains(&"2S* exactly".to_owned()), "{id}");
    }
    assert_eq!(names("ssp-rk-10-4"), ["2S exactly", "3S* exactly"]);
    assert_eq!(names("rk4"), ["3S* exactly"]);
    for id in ["dormand-prince-5", "three-eighths", "verner-6", "gauss-2", "implicit-euler", "dormand-prince-8"] {
        assert!(names(id).is_empty(), "{id}: {:?}", names(id));
    }
    assert!(storage_forms(&library::method("rk4").unwrap(), 1).is_empty());
}

/// The library's methods of papers on low storage belong to the classes for which they were made.
#[test]
fn published_low_storage_methods_of_the_library() {
    let prefixes: [(&str, &[&str]); 3] = [
        ("2N", &["bernardini", "stanescu", "berland", "toulorge", "niegemann"]),
        ("2R", &["calvo-franco", "tselios"]),
        ("3S*", &["parsani", "ranocha", "al-jahdali"]),
    ];
    let mut count = 0;
    for id in library::ids() {
        let class = prefixes.iter().find(|(_, starts)| starts.iter().any(|start| id.starts_with(start)));
        // The class of Kennedy, Carpenter & Lewis is in the id, as in 5-4-9-2rs.
        let last = id.rsplit('-').next().and_then(|word| word.get(..2)).map(str::to_uppercase);
        let class =
            class.map(|(class, _)| (*class).to_owned()).or(last.filter(|_| id.starts_with("kennedy-carpenter-lewis")));
        let Some(class) = class else { continue };
        let method = library::method(id).unwrap();
        let found = storage_form(&method, 0, class.parse().unwrap()).unwrap_or_else(|| panic!("{id}: {class}"));
        assert!(found.agreement <= Agreement::ToPrecision, "{id}: {}", found.agreement);
        let has_hat = method.partitions()[0].b_hat.is_some();
        assert_eq!(found.registers_with_embedded, has_hat.then_some(found.registers + 1), "{id}");
        count += 1;
    }
    assert_eq!(count, 57);
}

#[test]
fn williamsons_coefficients() {
    let found = storage_form(&library::method("williamson-3").unwrap(), 0, StorageClass::TwoN).unwrap();
    let texts = |vector: &[Exact]| vector.iter().map(ToString::to_string).collect::<Vec<_>>();
    let vectors = found.form.vectors();
    assert_eq!(texts(vectors[0].1), ["0", "-5/9", "-153/128"]);
    assert_eq!(texts(vectors[1].1), ["1/3", "15/16", "8/15"]);
    assert_eq!((found.registers, found.registers_with_embedded), (2, None));
}

/// Checks forms in which B vanishes: a stage repeats the solution, and A follows from later changes.
#[test]
fn two_n_forms_with_zeros() {
    let numbers = |list: &[i64]| list.iter().map(|x| Exact::from_ratio(*x, 2)).collect::<Vec<Exact>>();
    for (a, b) in [([0, 3, 5, 7], [2, 0, 1, 3]), ([0, 3, 5, 7], [2, 0, 0, 3]), ([0, 3, 5, 7], [0, 0, 1, 3])] {
        let form = StorageForm::new(StorageClass::TwoN, vec![numbers(&a), numbers(&b)]).unwrap();
        let method = method_of(&form.butcher(), None, ToString::to_string);
        let found = storage_form(&method, 0, StorageClass::TwoN).unwrap();
        assert_eq!(found.form.butcher(), form.butcher(), "{a:?} {b:?}");
    }
}

#[test]
fn forms_that_do_not_fit_are_refused() {
    let ones = |n: usize| vec![Exact::from(1); n];
    let refused = |class, vectors| StorageForm::new(class, vectors).unwrap_err();
    let wrong_length = |error| matches!(error, StorageError::WrongLength { .. });
    assert!(wrong_length(refused(StorageClass::TwoN, vec![ones(2)])));
    assert!(wrong_length(refused(StorageClass::TwoN, vec![ones(2), ones(3)])));
    assert!(wrong_length(refused(StorageClass::TwoN, vec![Vec::new(), Vec::new()])));
    assert!(wrong_length(refused(StorageClass::TwoN, vec![ones(300), ones(300)])));
    assert!(wrong_length(refused(StorageClass::Houwen(3), vec![ones(3), ones(2), ones(2)])));
    assert!(wrong_length(refused(StorageClass::TwoS, vec![ones(2), ones(2), ones(2), ones(5)])));
    let inconsistent = |error| matches!(error, StorageError::Inconsistent { .. });
    assert!(inconsistent(refused(StorageClass::TwoN, vec![ones(2), ones(2)])));
    assert!(inconsistent(refused(StorageClass::TwoSStar, vec![ones(2), ones(2), ones(2)])));
    for name in ["", "2", "2M", "1R", "17R", "R", "-3R", "3S", "99999999999999999999R"] {
        assert!(name.parse::<StorageClass>().is_err(), "{name}");
    }
    for class in CLASSES {
        assert_eq!(class.to_string().parse(), Ok(class));
    }
}
