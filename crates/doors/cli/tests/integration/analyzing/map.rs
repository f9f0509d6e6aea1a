//! `hemiola map`, run as by users and programs.

use crate::common::Folder;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// Returns the JSON output of a successful command.
fn report(arguments: &[&str]) -> Value {
    crate::common::report("map", arguments)
}

/// Returns the standard error of a command that ends with exit code 2.
fn complaint(arguments: &[&str]) -> String {
    crate::common::complaint("map", arguments)
}

/// Reads the lines of a CSV file as numbers, without its header.
fn numbers(file: &str) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(file).expect("a file");
    let number = |text: &str| text.parse().expect("a number");
    text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
}

#[test]
fn gil_s_slice_is_the_coupled_slice_in_other_parameters() {
    let folder = Folder::new();
    let data = ["gil.csv", "coupled.csv"].map(|name| folder.path(name));
    let svg = folder.path("f.svg");
    for (slice, data) in ["gil:beta=0.5,alpha=4", "coupled:kappa=4,g=0.25"].into_iter().zip(&data) {
        let arguments = ["mprk-p3", "--slice", slice, "--points", "20", "--output", &svg, "--data", data];
        let report = report(&arguments);
        assert_eq!(report["shape"], json!([21, 21]));
        assert_eq!(report["slices"][0], if slice.starts_with("gil") { "gil:alpha=4,beta=0.5" } else { slice });
    }
    assert_eq!(fs::read(&data[0]).unwrap(), fs::read(&data[1]).unwrap());
}

#[test]
fn values_are_written_without_a_figure() {
    let folder = Folder::new();
    let [alone, beside, svg] = ["alone.npy", "beside.npy", "f.svg"].map(|name| folder.path(name));
    for (slice, show) in
        [("coupled:kappa=4,g=0.25", "region"), ("robust:kappa=2..3,gamma=0.2", "modulus"), ("imaginary", "region")]
    {
        let common = ["mprk-p3", "--slice", slice, "--show", show, "--points", "20", "--data", &alone];
        if slice == "imaginary" {
            assert!(complaint(&common).contains("--data, --extents"));
            continue;
        }
        let report = report(&common);
        assert_eq!((&report["output"], &report["shape"]), (&Value::Null, &json!([21, 21])));
        crate::common::report("map", &[&common[..7], &["--data", &beside, "--output", &svg]].concat());
        assert_eq!(fs::read(&alone).unwrap(), fs::read(&beside).unwrap());
    }
    assert!(complaint(&["mprk-p3"]).contains("--output"));
}

#[test]
fn the_preset_has_a_panel_for_each_alpha_and_a_boundary_for_each_beta() {
    let folder = Folder::new();
    let (svg, npy) = (folder.path("f.svg"), folder.path("f.npy"));
    let preset = ["--preset", "gil", "--points", "30", "--output", &svg];
    let defaults = report(&preset);
    assert_eq!((&defaults["methods"], &defaults["preset"]), (&json!(["rk4"]), &json!("gil")));
    assert_eq!((&defaults["alpha"], &defaults["beta"]), (&json!([1.0, 5.0, 10.0]), &json!([0.2])));
    let figure = fs::read_to_string(&svg).unwrap();
    assert_eq!(figure.matches("class=\"panel\"").count(), 3);
    assert!(figure.contains("Gil et al.") && figure.contains("Classical Runge–Kutta 4"));

    let chosen = ["heun-2", "--alpha", "2,-3", "--beta", ".1,0.2,0.3", "--data", &npy];
    let report = report(&[&preset[..], &chosen[..]].concat());
    assert_eq!(report["shape"], json!([2, 3, 31, 31]));
    assert_eq!(report["values"][4], "alpha = -3, beta = 0.2");
    assert!(fs::read(&npy).unwrap().starts_with(b"\x93NUMPY"));
    assert_eq!(fs::read_to_string(&svg).unwrap().matches("class=\"panel\"").count(), 2);
}

/// Checks the statements of the paper: the region "does not change much as the parameter α increases", and "changes
/// slightly" with β.
#[test]
fn the_regions_of_the_preset_agree_with_the_paper_s_statements() {
    let folder = Folder::new();
    let (svg, csv) = (folder.path("f.svg"), folder.path("f.csv"));
    let window = ["--points", "80", "--xrange", "-4", "1", "--yrange", "0", "4"];
    let parameters =
        ["--preset", "gil", "--alpha", "2,5,10,100", "--beta", "0,0.1,0.2", "--output", &svg, "--data", &csv];
    report(&[&parameters[..], &window[..]].concat());
    let lines = numbers(&csv);
    let area = |alpha: usize, beta: usize| lines.iter().filter(|line| line[2 + 3 * alpha + beta] <= 1.0).count() as f64;
    for alpha in 1..4 {
        assert!((area(alpha, 2) / area(0, 2) - 1.0).abs() < 0.02);
    }
    let (none, weak, strong) = (area(1, 0), area(1, 1), area(1, 2));
    assert!(weak / none < 1.03 && strong / none < 1.1, "{none} {weak} {strong}");
    // With coupling, |S| exceeds one slightly on the imaginary axis, and less so the faster the fast partition is.
    let axis = || lines.iter().filter(|line| line[0] == 0.0 && line[1] < 2.8);
    let excess = |alpha: usize| axis().map(|line| line[4 + 3 * alpha] - 1.0).fold(0.0, f64::max);
    assert!((1e-3..1.2e-3).contains(&excess(1)) && (1.5e-4..1.8e-4).contains(&excess(2)));
    assert!((1e-7..2e-7).contains(&excess(3)));
    // Without coupling, it is RK4's region in the left half-plane.
    for line in &lines {
        let (z, inside) = (num_complex::Complex64::new(line[0], line[1]), line[2] <= 1.0 - 1e-9);
        let r = 1.0 + z * (1.0 + z * (1.0 + z * (1.0 + z / 4.0) / 3.0) / 2.0);
        assert!(z.re == 0.0 || inside == (z.re < 0.0 && r.norm() <= 1.0 - 1e-9), "{z}");
    }
}

#[test]
fn faults_of_slices_and_presets_are_named() {
    let folder = Folder::new();
    let svg = folder.path("f.svg");
    let slice = |slice: &str| complaint(&["mprk-p3", "--output", &svg, "--slice", slice]);
    assert!(slice("gill").contains("`gil:alpha=…,beta=…`"));
    assert!(slice("gil:alpha=5").contains("`beta` is missing; expected `gil:alpha=…,beta=…`"));
    assert!(slice("gil:alpha=5,g=1").contains("unknown key `g`; expected `gil:alpha=…,beta=…`"));
    assert!(slice("gil:alpha=5,beta").contains("`beta` is not of the form key=value"));
    assert!(slice("gil:alpha=5,alpha=5").contains("`alpha` is given twice"));
    assert!(slice("gil:alpha=5,beta=nan").contains("the value of `beta`, `nan`: `nan` at character 1 is not known"));

    let preset = |arguments: &[&str]| complaint(&[&["--preset", "gil", "--output", &svg], arguments].concat());
    assert!(preset(&["--alpha", "1,0"]).contains("alpha is 0; expected a finite number other than zero"));
    assert!(preset(&["--beta", "1,x"]).contains("`x` is not a number"));
    assert!(preset(&["--slice", "partitions"]).contains("--slice"));
    assert!(preset(&["--data", "f.txt"]).contains(".npy or .csv"));
    assert!(complaint(&["rk4", "--output", &svg, "--alpha", "5"]).contains("--preset"));
    assert!(complaint(&["--output", &svg]).contains("<METHOD>"));
    assert!(complaint(&["--preset", "gill", "--output", &svg]).contains("[possible values: gil]"));
    assert!(!Path::new(&svg).exists());
}

/// Formats: a file of each, its first bytes, and whether this build writes it.
const FORMATS: [(&str, &[u8], bool); 3] =
    [("f.svg", b"<svg", true), ("f.pdf", b"%PDF", cfg!(feature = "pdf")), ("f.png", b"\x89PNG", cfg!(feature = "png"))];

#[test]
fn a_format_that_is_not_built_in_is_refused_by_name() {
    let folder = Folder::new();
    for (name, _, _) in FORMATS.into_iter().filter(|(_, _, built)| !built) {
        let feature = &name[2..];
        let said = complaint(&["rk4", "--output", &folder.path(name)]);
        let expected = format!("this build cannot write {}; rebuild with --features {feature}", feature.to_uppercase());
        // The message is wrapped to the terminal's width.
        let said: Vec<&str> = said.split_whitespace().filter(|word| *word != "│").collect();
        assert!(said.join(" ").contains(&expected), "{said:?}");
        assert!(!Path::new(&folder.path(name)).exists());
    }
}

/// Checks that the extension determines the format and that equal commands write equal bytes.
#[test]
fn pictures_in_three_formats_and_two_styles() {
    let folder = Folder::new();
    for (name, magic, built) in FORMATS {
        if !built {
            continue;
        }
        let file = folder.path(name);
        let arguments = ["rk4", "--points", "40", "--dpi", "60", "--output", &file];
        report(&arguments);
        let first = fs::read(&file).unwrap();
        assert!(first.starts_with(magic), "{name}");
        report(&arguments);
        assert_eq!(first, fs::read(&file).unwrap(), "{name}");
        report(&[&arguments[..], &["--style", "monochrome", "--width", "two"]].concat());
        assert_ne!(first, fs::read(&file).unwrap(), "{name}");
    }
    let svg = fs::read_to_string(folder.path("f.svg")).unwrap();
    assert!(svg.contains("width=\"178mm\"") && !svg.contains("#0072b2"));
    let fault = |option: &str, value: &str| complaint(&["rk4", "--output", &folder.path("g.svg"), option, value]);
    assert!(fault("--width", "three").contains("expected `one`, `two` or a length"));
    assert!(fault("--width", "1e9").contains("up to 5080"));
    assert!(fault("--width", "20").contains("the figure is 20 mm wide"));
    assert!(fault("--dpi", "0").contains("1 to 4800"));
}

#[test]
fn every_slice_is_drawn() {
    let folder = Folder::new();
    let (svg, csv) = (folder.path("f.svg"), folder.path("f.csv"));
    for slice in [
        "plane:ss=-0.1+0.5i,ff=z,w=0.2z",
        "robust:kappa=4..6,gamma=0.2",
        "robust:kappa=5,gamma=0.1,phase=real",
        "additive:first=z,second=-2",
        "kappa-gamma:z=-0.05+0.5i",
        "step-coupling:slow=-0.05+i,fast=-0.25+5i",
        "damping-frequency:kappa=5,g=0.04",
        "parameters:ss=-x+i y,ff=5i y,g=0.04",
        "profile:zeta=0.05",
    ] {
        let arguments = ["shome-haug-jay-2-5", "--slice", slice, "--points", "24", "--output", &svg, "--data", &csv];
        let report = report(&arguments);
        assert_eq!(report["shape"], json!([25, 25]), "{slice}");
        assert!(numbers(&csv).iter().any(|line| line[2] <= 1.0), "{slice}");
        assert!(fs::read_to_string(&svg).unwrap().contains("class=\"panel\""), "{slice}");
    }
    let several = ["rk4", "gauss-2", "--slice", "coupled:kappa=5,g=0.04", "--slice", "coupled:kappa=5,g=-0.04"];
    let common = ["--points", "40", "--output", &svg];
    report(&[&several[..], &common].concat());
    assert_eq!(fs::read_to_string(&svg).unwrap().matches("class=\"panel\"").count(), 2);
    assert!(complaint(&[&several[..], &common, &["--data", &csv]].concat()).contains("--data requires a single slice"));
    let curves = ["rk4", "gauss-2", "--slice", "imaginary", "--output", &svg];
    report(&curves);
    assert_eq!(fs::read_to_string(&svg).unwrap().matches("class=\"panel\"").count(), 2);
    assert!(
        complaint(&[&curves[..], &["--yrange", "0", "1"]].concat())
            .contains("that --data, --extents, --show, --spectrum and --yrange are not given")
    );
}

#[test]
fn schemes_without_a_tableau_are_mapped() {
    let folder = Folder::new();
    let (svg, csv) = (folder.path("f.svg"), folder.path("f.csv"));
    let window = ["--points", "20", "--xrange", "-3", "1", "--yrange", "-2", "2", "--output", &svg, "--data", &csv];
    let values = |scheme: &str| {
        report(&[&[scheme, "--slice", "coupled:kappa=2,g=0.1"], &window[..]].concat());
        numbers(&csv).iter().map(|line| line[2]).collect::<Vec<f64>>()
    };
    // One Newton iteration with the exact Jacobian solves linear stage equations.
    let (exact, newton, decoupled) =
        (values("gauss-2"), values("linearized:gauss-2"), values("linearized:gauss-2,q=1,decoupled"));
    assert!(exact.iter().zip(&newton).all(|(exact, newton)| (exact - newton).abs() < 1e-12));
    assert!(exact.iter().zip(&decoupled).any(|(exact, decoupled)| (exact - decoupled).abs() > 1e-3));
    let (usual, with_rk4) = (values("singular-perturbation"), values("singular-perturbation:rk4"));
    assert!(usual.iter().zip(&with_rk4).all(|(usual, with_rk4)| (usual - with_rk4).abs() < 1e-13 * usual.max(1.0)));
    let fault = |scheme: &str| complaint(&[scheme, "--slice", "gil:alpha=5,beta=0.2", "--output", &svg]);
    assert!(fault("linearized:gauss-2,q=x").contains("cannot read `q=x`"));
    assert!(fault("linearized:").contains("METHOD is missing"));
    assert!(fault("singular-perturbation:mprk-p3").contains("expected a method without partitions"));
    assert!(complaint(&["singular-perturbation", "--output", &svg]).contains("has no tableau"));
}

#[test]
fn values_wedges_stages_and_extents_are_mapped() {
    let folder = Folder::new();
    let svg = folder.path("f.svg");
    let drawn = |arguments: &[&str]| {
        let report = report(&[arguments, &["--points", "24", "--output", &svg]].concat());
        (report, fs::read_to_string(&svg).unwrap())
    };
    let (values, picture) = drawn(&["mprk-p2", "--slice", "coupled:kappa=5,g=0.01,-0.5"]);
    assert_eq!((&values["values"], &values["shape"]), (&json!(["g=0.01", "g=-0.5"]), &json!([2, 25, 25])));
    assert_eq!(values["slices"], json!(["coupled:kappa=5,g=0.01,-0.5"]));
    assert!(picture.contains("ticks on the unstable side") && values.get("extents").is_none());
    let (joint, _) = drawn(&["ars-2-2-2", "--slice", "joint:wedge=30,90,radius=inf"]);
    assert!(joint["areas"][0].as_f64() > joint["areas"][1].as_f64());
    let (stages, _) = drawn(&["kutta-3", "--show", "internal"]);
    assert_eq!(stages["values"], json!(["stage 2", "stage 3", "step"]));
    let (extents, picture) = drawn(&["rk4", "--extents"]);
    assert!((extents["extents"][1]["im"].as_f64().unwrap() - 8f64.sqrt()).abs() < 1e-9);
    assert!(picture.contains(">−2.785<"));
    assert!(complaint(&["rk4", "--show", "embedded", "--output", &svg]).contains("rk4 has no embedded weights"));
    assert!(complaint(&["rk4", "--slice", "joint:wedge=91", "--output", &svg]).contains("an angle of 0 to 90 degrees"));
}

#[test]
fn regions_of_absolute_monotonicity_are_curves_with_numbers() {
    let folder = Folder::new();
    let svg = folder.path("f.svg");
    let found = report(&["imex-trapezoid-2", "hemiola-family-2-4-8", "--slice", "monotonicity", "--output", &svg]);
    let regions = found["regions"].as_array().unwrap();
    // A pair, and the three pairs of a family with three levels.
    assert_eq!(regions.len(), 4);
    assert_eq!((&regions[0]["axes"], regions[0]["boundary"].as_array().unwrap().len()), (&json!([1.0, 2.0]), 96));
    assert!((regions[0]["diagonal"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-15);
    assert!(fs::read_to_string(&svg).unwrap().contains("imex-trapezoid-2"));
    assert!(complaint(&["rk4", "--slice", "monotonicity", "--output", &svg]).contains("partition"));
    let with_data = ["imex-trapezoid-2", "--slice", "monotonicity", "--output", &svg, "--data", "f.csv"];
    assert!(complaint(&with_data).contains("--data, --extents, --show and --spectrum are not given"));
}

/// The optimal polynomial of as many stages as its order is that of the method, whose largest step is its limit.
#[test]
fn spectra_are_drawn_at_the_largest_stable_step() {
    let folder = Folder::new();
    let svg = folder.path("spectrum.svg");
    for spectrum in ["disk", "waves-2d:dg=3", "wedge:30"] {
        let problem = ["--stages", "4", "--order", "4", "--spectrum", spectrum];
        let limit = crate::common::report("polynomial", &problem)["limit"].as_str().unwrap().parse::<f64>().unwrap();
        let found = report(&["rk4", "kutta-3", "--points", "40", "--spectrum", spectrum, "--output", &svg]);
        let step = found["spectrum"]["step"].as_f64().unwrap();
        assert!((step / limit - 1.0).abs() < 1e-4, "{spectrum}: {step}, {limit}");
        let largest = &found["spectrum"]["largest"];
        assert_eq!((&largest[0]["step"], largest.as_array().map(Vec::len)), (&json!(step), Some(2)), "{spectrum}");
        assert!(largest[1]["step"].as_f64() < Some(step), "{spectrum}: {largest}");
    }
    let fixed = report(&["gauss-2", "--spectrum", "disk", "--step", "2", "--points", "40", "--output", &svg]);
    assert_eq!((&fixed["spectrum"]["step"], &fixed["spectrum"]["largest"][0]["step"]), (&json!(2.0), &Value::Null));
    let common = ["--points", "40", "--output", &svg];
    let refused = |arguments: &[&str]| complaint(&[arguments, &common].concat());
    assert!(refused(&["gauss-2", "--spectrum", "disk"]).contains("has no largest step"));
    // Zero eigenvalues alone bound nothing; huge ones beside tiny ones do.
    let [zero, wide] = ["zero.csv", "wide.csv"].map(|name| folder.path(name));
    fs::write(&zero, "0,0\n").unwrap();
    fs::write(&wide, "-1e-300,0\n-1e300,0\n").unwrap();
    assert!(refused(&["rk4", "--spectrum", &zero]).contains("has no largest step"));
    let found = report(&[&["rk4", "--spectrum", &wide][..], &common].concat());
    assert!((found["spectrum"]["step"].as_f64().unwrap() * 1e300 - 2.785_293_563_405).abs() < 1e-9, "{found}");
    assert!(refused(&["rk4", "--step", "1"]).contains("--spectrum"));
    assert!(refused(&["rk4", "--spectrum", "disk", "--step", "-1"]).contains("positive"));
    assert!(refused(&["rk4", "--spectrum", "disk", "--show", "modulus"]).contains("no region of a complex plane"));
}
