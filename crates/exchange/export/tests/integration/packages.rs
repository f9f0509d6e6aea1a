//! Conventions of single packages, positions of numbers, and contradictions that are kept for a check.

use hemiola_export::{ImportedMethods, ReadOptions, read, read_with};

fn reading(text: &str, file: &str) -> ImportedMethods {
    let reading = read(text.as_bytes(), file, None).expect(file);
    assert!(reading.failures.is_empty(), "{:?}", reading.failures);
    reading
}

fn entries(row: &[hemiola_tableau::Coefficient]) -> Vec<&str> {
    row.iter().map(hemiola_tableau::Coefficient::text).collect()
}

/// Crouzeix's method as RungeKutta.jl has it, with a root sign, a macro, a symbol and the order in a variable.
#[test]
fn tableaus_of_runge_kutta_jl() {
    let text = "function TableauCrouzeix(::Type{T}=Float64) where {T}\n    fac = @big 1/2 / √3\n    a = @big [[ 1/2+fac  0 ]\n              \
                [ -2*fac  1/2+fac ]]\n    b = @big [ 1/2, 1/2 ]\n    c = @big [ 1/2+fac, 1/2-fac ]\n    o = 3\n\n    \
                Tableau{T}(:Crouzeix, o, a, b, c)\nend\n\nfunction TableauImplicitEuler(::Type{T}=Float64) where {T}\n    \
                a = ones(BigFloat, 1, 1)\n    b = ones(BigFloat, 1)\n    c = ones(BigFloat, 1)\n    o = 1\n    \
                Tableau{T}(:ImplicitEuler, o, a, b, c; R∞=0)\nend\n";
    let reading = reading(text, "dirk.jl");
    let [crouzeix, euler] = &reading.methods[..] else { panic!("{:?}", reading.methods) };
    assert_eq!((crouzeix.name(), crouzeix.claims().order), ("Crouzeix", Some(3)));
    let root = hemiola_tableau::parse_number("(3+sqrt(3))/6").expect("a number");
    assert_eq!(crouzeix.partitions()[0].a[1][1].value(), &root);
    assert_eq!(reading.positions[0].of("claims.order"), (7, 5));
    assert_eq!(reading.positions[0].of("partitions[0].a[1][0]"), (4, 17));
    assert_eq!((euler.claims().order, entries(&euler.partitions()[0].b)), (Some(1), vec!["1"]));
}

#[test]
fn classes_of_daceypy_and_pathsim() {
    let heun = "class RK3(RKCoeff):\n    def __init__(self):\n        self._RK_order: float = 3.0\n        self._alpha = \
                np.asarray([1/3, 0, 2/3])\n        self._gamma = np.asarray([0, 1/3, 2/3])\n        self._beta = \
                np.asarray([1/4, 0, 3/4])\n";
    let reading_dace = reading(heun, "RK.py");
    let method = &reading_dace.methods[0];
    assert_eq!((method.name(), method.claims().order), ("RK3", Some(3)));
    assert_eq!(entries(&method.partitions()[0].a[2]), ["0", "2/3", "0"]);
    assert_eq!(reading_dace.positions[0].of("partitions[0].a[2][1]"), (4, 43));
    let pathsim = "class RK3(ExplicitRungeKutta):\n    def __init__(self):\n        self.n = 3\n        self.eval_stages = \
                   [0, 1/3, 2/3]\n        self.BT = {\n            0: [1/3],\n            1: [0, 2/3],\n            2: \
                   [1/4, 0, 3/4]\n            }\n";
    let reading_pathsim = reading(pathsim, "rk3.py");
    let of = &reading_pathsim.methods[0];
    assert_eq!((of.exact(), of.name(), of.claims().order), (method.exact(), "RK3", Some(3)));
    assert_eq!(reading_pathsim.positions[0].of("partitions[0].a[2][1]"), (7, 20));
    // A table of two rows of which the first is a single 1 is a Butcher table, not a low-storage form.
    let heun = "class SSPRK22(ExplicitRungeKutta):\n    def __init__(self):\n        self.n = 2\n        self.eval_stages = \
                [0.0, 1.0]\n        self.BT = {\n            0: [1.0],\n            1: [1/2, 1/2]\n            }\n";
    let reading_heun = reading(heun, "ssprk22.py");
    let part = &reading_heun.methods[0].partitions()[0];
    assert_eq!((entries(&part.a[1]), entries(&part.b)), (vec!["1", "0"], vec!["1/2", "1/2"]));
    // Rows of an implicit method begin with the first stage: its abscissae say so.
    let implicit = pathsim.replace("[0, 1/3, 2/3]", "[1/3, 2/3, 1]");
    assert!(read(implicit.as_bytes(), "dirk.py", None).is_err());
}

#[test]
fn diagonals_that_are_left_to_the_step_are_completed() {
    // TR-BDF2 with its γ on the diagonal only.
    let text = "function Tab(T)\n    γ = convert(T, 1 // 4)\n    a31 = convert(T, 3 // 8)\n    a32 = convert(T, 3 // 8)\n    \
                c3 = convert(T, 1)\nend\n";
    let reading = reading(text, "sdirk.jl");
    let part = &reading.methods[0].partitions()[0];
    assert_eq!(entries(&part.a[1]), ["1/4", "1/4", "0"]);
    assert_eq!(entries(&part.b), ["3/8", "3/8", "1/4"]);
    assert_eq!(part.c.as_deref().map(entries), Some(vec!["0", "1/2", "1"]));
}

#[test]
fn contradictions_are_refused_unless_they_are_to_be_checked() {
    let keep = ReadOptions { keep_contradictions: true, ..ReadOptions::default() };
    let text = |third: &str, c2: &str| {
        format!(
            "a21 = 1//2\na31 = 0\na32 = 3//4\na41 = 2//9\na42 = 1//3\na43 = 4//9\nc2 = {c2}\nc3 = 3//4\nc4 = 1\nbtilde1 = \
             5//72\nbtilde2 = -1//12\nbtilde3 = {third}\nbtilde4 = 1//8\n"
        )
    };
    let sound = reading(&text("-1//9", "1//2"), "bs3.jl");
    assert!(sound.methods[0].partitions()[0].c.is_some());
    let broken = text("1//9", "1//3");
    let error = read(broken.as_bytes(), "bs3.jl", None).expect_err("differences that do not sum to 0").to_string();
    assert!(error.contains("differences of weights with the sum 0.222222"), "{error}");
    let kept = read_with(broken.as_bytes(), "bs3.jl", &keep).expect("a method");
    let part = &kept.methods[0].partitions()[0];
    assert_eq!(part.c.as_deref().map(entries), Some(vec!["0", "1/3", "3/4", "1"]));
    assert!(part.b_hat.is_some());
    assert_eq!(kept.positions[0].of("partitions[0].b_hat[2]"), (12, 1));
    assert_eq!(kept.positions[0].of("partitions[0].c[1]"), (7, 1));
    // An entry without a number of its own has the position of the array around it.
    assert_eq!(kept.positions[0].of("partitions[0].c[0]"), kept.positions[0].of("partitions[0].c"));
}
