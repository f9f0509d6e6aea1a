use crate::slice::*;
use hemiola_stability::Growth;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn parsed(text: &str) -> Slice {
    text.parse().unwrap()
}

fn message(text: &str) -> String {
    text.parse::<Slice>().unwrap_err().to_string()
}

const TEXTS: [&str; 35] = [
    "partitions",
    "coupled:kappa=5,g=0.04",
    "coupled:kappa=2.5,g=-0.1",
    "coupled:kappa=5,g=0.04i",
    "coupled:kappa=5,g=0.1-1e-7i",
    "gil:alpha=5,beta=0.2",
    "plane:ss=-0.1+0.5i,ff=z,w=0.2z",
    "plane:ss=z,ff=5(z-1),sf=0.1z,fs=2",
    "plane:ss=z/2,ff=z,g=0.04i",
    "kappa-gamma:z=-0.05+i",
    "kappa-gamma:z=-0.05-i,sign=-",
    "step-coupling:slow=-0.05+i,fast=-0.25+5i",
    "damping-frequency:kappa=5,g=0.04",
    "parameters:ss=x i,ff=5x i,w=-y^2 x^2",
    "parameters:ss=x,ff=sqrt(y),sf=exp(x),fs=conj(x+i y)",
    "parameters:ss=-x,ff=-5x,g=y",
    "robust:kappa=0.5..3,gamma=0.2",
    "robust:kappa=2,gamma=0.2,phase=real",
    "robust:kappa=-1e-9..1e300,gamma=0",
    "additive:first=z,second=-2",
    "additive:first=i z+1,second=2z",
    "profile:zeta=0.05",
    "profile:zeta=0,sign=-",
    "profile:zeta=0.05,growth=strict",
    "profile:zeta=0,sign=-,growth=strict",
    "imaginary",
    "monotonicity",
    "joint:wedge=90,radius=inf",
    "joint:wedge=0,radius=0.5",
    "joint:wedge=30,60,90,radius=10",
    "coupled:kappa=5,g=0.01,0.04,-0.1+i",
    "coupled:kappa=1,2,3,g=0.04",
    "additive:first=z,second=-1,-2,-5+z",
    "kappa-gamma:z=i,2i,sign=-",
    "robust:kappa=0.5..3,gamma=0.1,0.2,phase=real",
];

#[test]
fn texts_that_are_slices_come_back() {
    for text in TEXTS {
        assert_eq!(parsed(text).to_string(), text);
    }
}

#[test]
fn what_is_left_open_has_one_reading() {
    for (text, other) in [
        ("robust:kappa=2..2,gamma=0.2,phase=all", "robust:kappa=2,gamma=0.2"),
        (" coupled : g = 0.04 , kappa = 10/2 ", "coupled:kappa=5,g=0.04"),
        ("profile:zeta=0.05,sign=+,growth=practical", "profile:zeta=0.05"),
        ("profile:zeta=0.05,sign=−", "profile:zeta=0.05,sign=-"),
        ("joint:radius=∞,wedge=45", "joint:wedge=45,radius=inf"),
        ("kappa-gamma:z=−0.05+1i", "kappa-gamma:z=-0.05+i"),
        ("coupled: g = 4/100 , 1e-2,kappa=5", "coupled:kappa=5,g=0.04,0.01"),
    ] {
        assert_eq!(parsed(text).to_string(), other);
    }
}

#[test]
fn each_fault_is_named() {
    for (text, expected) in [
        (
            "coupled:kappa=5,g=1,2,x",
            "the value of `g`, `x`: `x` at character 1 is not known; expected i, sqrt, exp, abs, re, im, conj, cos, sin",
        ),
        ("coupled:kappa=5,1/0,g=1", "the value of `kappa`, `1/0`: the value is not finite"),
        ("coupled:kappa=5,6,g=1,2", "`kappa` and `g` both have several values; expected one key with several values"),
        ("coupled:kappa=5,g=0.5,1/2", "the value `1/2` of `g` is given twice"),
        ("coupled:kappa=5,h=1,2,g=1", "unknown key `h`; expected `coupled:kappa=…,g=…`"),
        ("coupled:kappa=5,g=1,2,g=3", "`g` is given twice"),
        ("gil:alpha=5,beta", "`beta` is not of the form key=value; expected `gil:alpha=…,beta=…`"),
        ("coupled:5,g=1", "`5` is not of the form key=value; expected `coupled:kappa=…,g=…`"),
        ("joint:wedge=100,radius=inf", "the value of `wedge`, `100`, is not an angle of 0 to 90 degrees"),
        ("joint:wedge=60,radius=-1", "the value of `radius`, `-1`, is not a number ≥ 0 or `inf`"),
        ("joint:radius=1", "`wedge` is missing; expected `joint:wedge=…,radius=…`"),
        ("profile:zeta=0,sign=+,-", "`sign` takes one value"),
        ("coupled:kappa", "`kappa` is not of the form key=value; expected `coupled:kappa=…,g=…`"),
        ("coupled:kappa=5,h=1", "unknown key `h`; expected `coupled:kappa=…,g=…`"),
        ("coupled:g=1,g=2", "`g` is given twice"),
        ("coupled:g=1", "`kappa` is missing; expected `coupled:kappa=…,g=…`"),
        ("gil", "`alpha` is missing; expected `gil:alpha=…,beta=…`"),
        ("coupled:kappa=i,g=1", "the value of `kappa`, `i`, is not a real number"),
        ("coupled:kappa=1/0,g=1", "the value of `kappa`, `1/0`: the value is not finite"),
        ("plane:ss=z,ff=z", "`w` is missing; expected `plane:ss=…,ff=…,w=…`"),
        ("plane:ss=z,ff=z,sf=1", "`fs` is missing; expected `plane:ss=…,ff=…,w=…`"),
        ("plane:ss=z,ff=z,fs=1,w=2", "`w` and `fs` both give the coupling; expected `w`, or `g`, or `sf` and `fs`"),
        ("plane:ss=1+z^2,ff=z,w=1", "the value of `ss`, `1+z^2`: `z^2` at character 3 is not affine in z (a + bz)"),
        ("plane:ss=1,ff=z,g=z", "the value of `g`, `z`: `z` at character 1 is not constant"),
        (
            "additive:first=z,second=z z",
            "the value of `second`, `z z`: `z z` at character 1 is not affine in z (a + bz)",
        ),
        ("robust:kappa=3..1,gamma=1", "the value of `kappa`, `3..1`, is not an interval a..b with a ≤ b"),
        ("robust:kappa=3,gamma=-1", "the value of `gamma`, `-1`, is not a number ≥ 0"),
        ("robust:kappa=3,gamma=1,phase=some", "the value of `phase`, `some`, is not `all` or `real`"),
        ("profile:zeta=1", "the value of `zeta`, `1`, is not a number with 0 ≤ ζ < 1"),
        ("profile:zeta=0,sign=1", "the value of `sign`, `1`, is not `+` or `-`"),
        ("profile:zeta=0,growth=none", "the value of `growth`, `none`, is not `practical` or `strict`"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    let unknown = message("coupled:kappa=x,g=1");
    assert!(
        unknown.starts_with("the value of `kappa`, `x`: `x` at character 1 is not known; expected i,"),
        "{unknown}"
    );
    for text in ["all", "partitions:kappa=1", "imaginary:y=2"] {
        let message = message(text);
        assert!(
            message.starts_with(&format!("`{text}` is not a slice; expected `partitions`, `coupled:")),
            "{message}"
        );
        assert!(message.ends_with("`monotonicity` or `imaginary`"), "{message}");
    }
}

#[test]
fn planes_lie_where_they_say() {
    let close = |[a, b, c]: [Complex64; 3], expected: [Complex64; 3]| {
        let far = [a, b, c].into_iter().zip(expected).find(|(found, expected)| (*found - *expected).norm() > 1e-14);
        assert_eq!(far, None);
    };
    let at = |text: &str, x: f64, y: f64| parsed(text).plane().unwrap().at(x, y);
    let (z, i) = (Complex64::new(0.3, -0.7), Complex64::I);
    close(at("coupled:kappa=5,g=0.04i", z.re, z.im), [z, z * 5.0, i * z * z * 0.2]);
    close(at("gil:alpha=5,beta=0.2", z.re, z.im), [z, z * 5.0, z * z * 0.2]);
    close(at("plane:ss=-0.1+0.5i,ff=z,w=0.2z", z.re, z.im), [Complex64::new(-0.1, 0.5), z, z * 0.2]);
    close(at("plane:ss=z+1,ff=z,sf=z-1,fs=2i", z.re, z.im), [z + 1.0, z, (z - 1.0) * 2.0 * i]);
    close(at("plane:ss=z+1,ff=2z,g=3", z.re, z.im), [z + 1.0, z * 2.0, (z + 1.0) * z * 6.0]);
    close(at("additive:first=z,second=-2", z.re, z.im), [z, Complex64::from(-2.0), z * -2.0]);
    let u = Complex64::new(-0.05, 1.0);
    close(at("kappa-gamma:z=-0.05+i,sign=-", 3.0, 0.2), [u, u * 3.0, u * u * 3.0 * -0.04]);
    close(at("step-coupling:slow=-0.05+i,fast=5i", 0.5, 0.2), [u * 0.5, i * 2.5, u * i * 0.25]);
    let v = Complex64::new(-0.6, 0.8) * 2.0;
    close(at("damping-frequency:kappa=5,g=0.04", 0.6, 2.0), [v, v * 5.0, v * v * 0.2]);
    close(at("parameters:ss=x,ff=y i,g=2", 0.6, 2.0), [0.6.into(), i * 2.0, i * 2.4]);
    close(at("parameters:ss=x,ff=y i,sf=x,fs=y", 0.6, 2.0), [0.6.into(), i * 2.0, 1.2.into()]);
    for text in [
        "joint:wedge=90",
        "coupled:kappa=1,2,g=0",
        "partitions",
        "robust:kappa=2,gamma=0.1",
        "profile:zeta=0.1",
        "imaginary",
    ] {
        assert!(parsed(text).plane().is_none(), "{text}");
    }
}

#[test]
fn the_decoupled_plane_differs_in_the_coupling_alone() {
    for (text, has_coupling) in [
        ("coupled:kappa=5,g=0.04", true),
        ("coupled:kappa=5,g=0", false),
        ("plane:ss=z+1,ff=2z,w=z", true),
        ("damping-frequency:kappa=5,g=0.04", true),
        ("step-coupling:slow=i,fast=5i", false),
        ("additive:first=z,second=-2", false),
    ] {
        let slice = parsed(text);
        let decoupled = slice.decoupled().map(|plane| plane.at(0.3, 0.7));
        let expected =
            slice.plane().map(|plane| plane.at(0.3, 0.7)).map(|[slow, fast, _]| [slow, fast, Complex64::ZERO]);
        assert_eq!(decoupled, expected.filter(|_| has_coupling), "{text}");
    }
}

#[test]
fn a_plane_is_complex_or_has_a_window() {
    for slice in TEXTS.map(parsed) {
        let complex = slice.axes().0.starts_with("Re");
        assert_eq!(slice.is_complex(), complex, "{slice}");
        let is_curve = [Slice::Imaginary, Slice::Monotonicity].contains(&slice);
        assert_eq!(slice.default_window().is_some(), !complex && !is_curve, "{slice}");
        assert!(slice.plane().is_none() || slice.polynomials().is_some() == complex, "{slice}");
    }
}

#[test]
fn titles_are_typeset() {
    for (text, title) in [
        ("coupled:kappa=5,g=-0.04", "*κ* = 5, *g* = −0.04"),
        ("coupled:kappa=5,g=0.04-i", "*κ* = 5, *g* = 0.04 − i"),
        ("plane:ss=-0.1+0.5i,ff=2*z,w=z^2", "*z*_{ss} = −0.1 + 0.5i, *z*_{ff} = 2\u{2009}·\u{2009}*z*, *w* = *z*^{2}"),
        ("parameters:ss=x^-1 y,ff=exp(-x),g=1e-7", "*z*_{ss} = *x*^{−1}*y*, *z*_{ff} = exp(−*x*), *g* = 1e−7"),
        ("robust:kappa=0.5..3,gamma=0.2", "0.5 ≤ *κ* ≤ 3, |*g*| ≤ 0.2^{2}"),
        ("robust:kappa=2,gamma=0.2,phase=real", "*κ* = 2, real *g*, |*g*| ≤ 0.2^{2}"),
        ("additive:first=z,second=-2", "*z*_{1} = *z*, *z*_{2} = −2"),
        ("profile:zeta=0.05", "*ζ* = 0.05, *g* = *γ*^{2}, *ρ* ≤ 1 + 10^{−3}"),
        ("coupled:kappa=5,g=0.01,0.04", "*κ* = 5"),
        ("joint:wedge=90", "|arg(−*z*_{I})| ≤ 90°, |*z*_{I}| < ∞"),
        ("joint:wedge=45,90,radius=2", "|*z*_{I}| ≤ 2"),
        ("partitions", ""),
    ] {
        assert_eq!(parsed(text).title(), title);
    }
}

#[test]
fn values_share_what_they_have_in_common() {
    let text = "robust:kappa=0.5..3,gamma=0.1,0.2,phase=real";
    let Slice::Values(values) = parsed(text) else { panic!("{text}") };
    let labels: Vec<String> = values.slices().iter().map(|slice| values.label(slice)).collect();
    assert_eq!(labels, ["|*g*| ≤ 0.1^{2}", "|*g*| ≤ 0.2^{2}"]);
    assert_eq!(values.common_title(), ["0.5 ≤ *κ* ≤ 3", "real *g*"]);
    assert_eq!(values.named().map(|(_, name)| name).collect::<Vec<_>>(), ["gamma=0.1", "gamma=0.2"]);
    // Without coupling, different values of g give the same problem, but different values of κ do not.
    assert!(parsed("coupled:kappa=5,g=0.01,0.04").decoupled().is_some());
    assert!(parsed("coupled:kappa=1,2,g=0.04").decoupled().is_none());
    // A real plane shows the union of the windows of its values; a complex plane is symmetric only if all slices are.
    assert_eq!(parsed("step-coupling:slow=i,fast=3i,12i").default_window(), Some(((0.0, 2.0), (-1.0, 1.0))));
    assert!(parsed("coupled:kappa=5,g=1,2").is_symmetric() && !parsed("coupled:kappa=5,g=1,i").is_symmetric());
}

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("finite", |value| value.is_finite()), -10.0..10.0f64, Just(1.0), Just(-1.0)]
}

fn complexes() -> impl Strategy<Value = Complex64> {
    (prop_oneof![Just(0.0), numbers()], prop_oneof![Just(0.0), numbers()]).prop_map(|(re, im)| Complex64::new(re, im))
}

fn slices() -> impl Strategy<Value = Slice> {
    let sign = || prop_oneof![Just(Sign::Plus), Just(Sign::Minus)];
    prop_oneof![
        (numbers(), complexes()).prop_map(|(kappa, coupling)| Slice::Coupled { kappa, coupling }),
        (numbers(), numbers()).prop_map(|(alpha, beta)| Slice::Gil { alpha, beta }),
        (complexes(), sign()).prop_map(|(slow, sign)| Slice::KappaGamma { slow, sign }),
        (complexes(), complexes()).prop_map(|(slow, fast)| Slice::StepCoupling { slow, fast }),
        (numbers(), complexes()).prop_map(|(kappa, coupling)| Slice::DampingFrequency { kappa, coupling }),
        (0.0..0.999f64, sign(), prop_oneof![Just(Growth::Practical), Just(Growth::Strict)])
            .prop_map(|(zeta, sign, growth)| Slice::Profile { zeta, sign, growth }),
        (numbers(), numbers(), 0.0..9.0f64, prop_oneof![Just(Phases::All), Just(Phases::Real)])
            .prop_map(|(a, b, gamma, phases)| Slice::Robust { kappa: (a.min(b), a.max(b)), gamma, phases }),
    ]
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_slice_is_what_its_text_says(slice in slices()) {
        prop_assert_eq!(&slice.to_string().parse::<Slice>().unwrap(), &slice, "{}", slice);
    }

    #[test]
    fn no_text_panics(name in 0..TEXTS.len(), rest in "[-+*/^().0-9eizxy,=a-z:−]{0,60}|\\PC{0,30}") {
        let name = TEXTS[name].split(':').next().unwrap_or_default();
        for text in [rest.clone(), format!("{name}:{rest}"), format!("plane:ss={rest},ff=z,w=1")] {
            if let Ok(slice) = text.parse::<Slice>() {
                let _ = (slice.plane(), slice.title(), slice.axes(), slice.default_window());
                prop_assert_eq!(slice.to_string().parse::<Slice>(), Ok(slice));
            }
        }
    }
}
