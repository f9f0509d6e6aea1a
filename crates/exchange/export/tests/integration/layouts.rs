//! Tables in the layouts of other packages, written for these tests with coefficients of the library.

use hemiola_export::{ImportFormat, ImportedMethods, read};
use hemiola_tableau::{Exact, Method, library, parse_number};

fn reading(text: &str, file: &str) -> ImportedMethods {
    let reading = read(text.as_bytes(), file, None).unwrap_or_else(|error| panic!("{error}"));
    assert!(reading.failures.is_empty(), "{:?}", reading.failures);
    reading
}

fn one(text: &str, file: &str, format: ImportFormat) -> Method {
    let reading = reading(text, file);
    assert_eq!(reading.format, format);
    let [method] = &reading.methods[..] else { panic!("{} methods", reading.methods.len()) };
    method.clone()
}

/// Asserts that a method has the coefficients of a library method, including embedded weights.
fn assert_is(method: &Method, id: &str) {
    let expected = library::method(id).expect("a method of the library");
    assert_eq!(method.exact(), expected.exact(), "{id}");
    let hats = |method: &Method| -> Vec<Option<Vec<Exact>>> {
        let hat = |k: usize| method.partitions()[k].b_hat.as_ref();
        (0..method.partitions().len())
            .map(|k| hat(k).map(|hat| hat.iter().map(|b| b.value().clone()).collect()))
            .collect()
    };
    assert_eq!(hats(method), hats(&expected), "{id}");
    assert!(method.precision().is_none());
}

/// Asserts that a method has the tableau of a library method.
fn assert_has(method: &Method, id: &str) {
    assert_eq!(method.exact(), library::method(id).expect("a method of the library").exact(), "{id}");
}

fn texts(row: &[hemiola_tableau::Coefficient]) -> Vec<&str> {
    row.iter().map(hemiola_tableau::Coefficient::text).collect()
}

const TABLEAU: &str = "0,,,,\n1/2,1/2,,,\n3/4,0,3/4,,\n1,2/9,1/3,4/9,\n,2/9,1/3,4/9,0\n,7/24,1/4,1/3,1/8\n";

#[test]
fn csv_as_a_tableau_and_under_labels() {
    assert_is(&one(TABLEAU, "bs.csv", ImportFormat::Csv), "bogacki-shampine-3");
    for text in [
        "A\n0,0,0,0\n1/2,0,0,0\n0,3/4,0,0\n2/9,1/3,4/9,0\nb\n2/9,1/3,4/9,0\nc\n0,1/2,3/4,1\nb_hat\n7/24,1/4,1/3,1/8\n",
        "A,0,0,0,0\nA,1/2,0,0,0\nA,0,3/4,0,0\nA,2/9,1/3,4/9,0\nb,2/9,1/3,4/9,0\nc,0,1/2,3/4,1\nbhat,7/24,1/4,1/3,1/8\n",
        "c;0;0.5;0.75;1\nb;2/9;1/3;4/9;0\nbhat;7/24;1/4;1/3;1/8\n\nA;\n0;0;0;0\n0.5;0;0;0\n0;0.75;0;0\n2/9;1/3;4/9;0\n",
        "0,0,0,0\n1/2,0,0,0\n0,3/4,0,0\n2/9,1/3,4/9,0\n\n2/9,1/3,4/9,0\n\n0,1/2,3/4,1\n\n7/24,1/4,1/3,1/8\n",
    ] {
        assert_is(&one(text, "bs.csv", ImportFormat::Csv), "bogacki-shampine-3");
    }
}

#[test]
fn windows_files_with_marks_tabs_and_comments() {
    let windows = format!("\u{feff}# from a spreadsheet\r\n{}", TABLEAU.replace('\n', "\r\n"));
    assert_is(&one(&windows, "bs.csv", ImportFormat::Csv), "bogacki-shampine-3");
    let tabs = TABLEAU.replace(',', "\t");
    assert_is(&one(&tabs, "bs.tsv", ImportFormat::Csv), "bogacki-shampine-3");
    let minus = "0 0\n\u{2212}1 1\n\n1/2 1/2\n";
    let method = one(minus, "method.txt", ImportFormat::Text);
    assert_eq!(texts(&method.partitions()[0].a[1]), ["-1", "1"]);
}

#[test]
fn text_with_bars_rules_and_constants() {
    let bars = "0   |\n1/2 | 1/2\n3/4 | 0    3/4\n1   | 2/9  1/3  4/9\n----+---------------------\n    | 2/9  1/3  4/9  0\n    | 7/24 1/4  1/3  1/8\n";
    assert_is(&one(bars, "bs", ImportFormat::Text), "bogacki-shampine-3");
    assert_is(&one(&bars.replace('|', " "), "bs.dat", ImportFormat::Text), "bogacki-shampine-3");
    let constants = "# ARS(2,2,2), explicit partition\ng = (2-sqrt(2))/2\nd = 1 - 1/(2*g)\n\nA\n0 0 0\ng 0 0\nd 1-d 0\n\nb\nd 1-d 0\n";
    let method = one(constants, "ars", ImportFormat::Text);
    let expected = library::method("ars-2-2-2").unwrap().partition_alone(0).unwrap();
    assert_eq!(method.exact().partitions[0].a, expected.exact().partitions[0].a);
    assert_eq!(method.partitions()[0].a[1][0].text(), "(2-sqrt(2))/2");
}

#[test]
fn tables_of_rk_opt() {
    let text = "#stage\t\t order\n2\t \t\t3\n\n\nA\n4.1666666666666666E-01\t-8.3333333333333333E-02\t\n7.5000000000000000E-01\t2.5000000000000000E-01\t\n\n\
        b\n7.5000000000000000E-01\t\n2.5000000000000000E-01\t\n\nc\n3.3333333333333333E-01\t\n1.0000000000000000E+00\t\n\nr\n1.0\t\n\n\
        ==============================\r\n";
    let method = one(text, "IRK-3-2.txt", ImportFormat::RkOpt);
    assert_eq!((method.id(), method.claims().order), ("irk-3-2", Some(3)));
    assert_eq!(method.partitions()[0].b[0].text(), "7.5000000000000000E-01");
    assert!((method.to_f64().partitions[0].c[0] - 1.0 / 3.0).abs() < 1e-15);
}

#[test]
fn python_lists_fractions_and_entries() {
    let arrays = "import numpy as np\nfrom fractions import Fraction as F, Fraction\n\n# Bogacki & Shampine\nA = np.array([\n    [0, 0, 0, 0],\n    [Fraction(1, 2), 0, 0, 0],\n    \
        [0, Fraction('3/4'), 0, 0],\n    [2/9, 1/3, 4/9, 0],  # fsal\n], dtype=object)\nb = A[-1, :]\nc = A.sum(axis=1)\n\
        b_hat: np.ndarray = np.array([7, 6, 8, 3]) / 24\n";
    assert_is(&one(arrays, "bs3.py", ImportFormat::Numpy), "bogacki-shampine-3");
    let entries = "A = np.zeros((4, 4))\nb = np.zeros(4)\nbhat = np.zeros(4)\nA[1, 0] = 0.5\nA[2][1] = .75\nA[3, :3] = [S(2)/9, sp.Rational(1, 3), 4*S.One/9]\n\
        b[:] = A[3, :]\nbhat[:] = [7/24, 1/4, 1/3, 1/8]\n";
    assert_is(&one(entries, "bs3.py", ImportFormat::Numpy), "bogacki-shampine-3");
    let ragged = "A = [[], [1/2], [0, 3/4], [2/9, 1/3, 4/9]]\nb = [2/9, 1/3, 4/9, 0]\nb_hat = [7/24, 1/4, 1/3, 1/8]";
    assert_is(&one(ragged, "bs3.py", ImportFormat::Numpy), "bogacki-shampine-3");
    let below = "a = [[1/2], [0, 3/4], [2/9, 1/3, 4/9]]\nb = [2/9, 1/3, 4/9, 0]\nb_hat = [7/24, 1/4, 1/3, 1/8]";
    assert_is(&one(below, "bs3.py", ImportFormat::Numpy), "bogacki-shampine-3");
}

#[test]
fn python_functions_each_hold_a_method() {
    let text = "half = Fraction(1, 2)\ndef midpoint():\n    A = [[0, 0], [half, 0]]\n    b = [0, 1]\n    return A, b\n\n\
        def heun():\n    A, b = [[0, 0], [1, 0]], [half, half]\n    return A, b\n";
    let reading = reading(text, "methods.py");
    let ids: Vec<&str> = reading.methods.iter().map(Method::id).collect();
    assert_eq!(ids, ["midpoint", "heun"]);
    assert_has(&reading.methods[0], "explicit-midpoint");
    // Several matrices in sequence are several methods.
    let again = "A = [[0, 0], [1/2, 0]]\nb = [0, 1]\nA = [[0, 0], [1, 0]]\nb = [1/2, 1/2]\n";
    let methods = read(again.as_bytes(), "two.py", None).unwrap().methods;
    assert_eq!(methods.iter().map(Method::id).collect::<Vec<_>>(), ["two", "two-2"]);
}

#[test]
fn nodepy_constructors() {
    let text = "from nodepy import rk\none = Rational(1, 1)\nA = np.array([[one/4, one/4-sqrt(3)/6], [one/4+sqrt(3)/6, one/4]])\n\
        b = np.array([one/2, one/2])\nRK['GL2'] = rk.RungeKuttaMethod(A, b, name='Gauss 2', shortname='GL2', order=4)\n\
        A = np.array([[0, 0, 0, 0], [one/2, 0, 0, 0], [0, 3*one/4, 0, 0], [2*one/9, one/3, 4*one/9, 0]])\n\
        b = A[3]\nbs3 = rk.ExplicitRungeKuttaPair(A, b, bhat=np.array([7*one/24, one/4, one/3, one/8]))\n\
        alpha = np.array([[0, 0], [1, 0], [one/2, one/2]])\nbeta = np.array([[0, 0], [1, 0], [0, one/2]])\n\
        ssp = rk.ExplicitRungeKuttaMethod(alpha=alpha, beta=beta, name='SSPRK 22')\n";
    let reading = reading(text, "methods.py");
    assert_eq!(reading.format, ImportFormat::NodePy);
    let ids: Vec<&str> = reading.methods.iter().map(Method::id).collect();
    assert_eq!(ids, ["gauss-2", "bs3", "ssprk-22"]);
    assert_is(&reading.methods[0], "gauss-2");
    assert_eq!(reading.methods[0].claims().order, Some(4));
    assert_eq!(reading.methods[1].exact(), library::method("bogacki-shampine-3").unwrap().exact());
    assert_is(&reading.methods[2], "ssp-rk-2-2");
}

#[test]
fn matlab_matrices_and_functions() {
    let matrices = "% Bogacki and Shampine\nA = [0 0 0 0; 1/2 0 0 0; ...\n     0 3/4 0 0\n     2/9, 1/3, 4/9, 0];\nb = A(4,:)'; c = sum(A, 2);\nbhat = [7 6 8 3]'/24;\n";
    assert_is(&one(matrices, "bs3.m", ImportFormat::Matlab), "bogacki-shampine-3");
    let fields = "function rk = trapezoid()\n  rk.A = zeros(2);\n  rk.A(2,:) = [1/2 1/2];\n  rk.b = [.5; .5];\nend\n\
        function rk = shifted\n  rk.A = [1 -1; 1 - 1, 1];\n  rk.b = [0 1];\nend\n";
    let reading = reading(fields, "rk.m");
    let ids: Vec<&str> = reading.methods.iter().map(Method::id).collect();
    assert_eq!(ids, ["trapezoid", "shifted"]);
    assert_eq!(texts(&reading.methods[1].partitions()[0].a[0]), ["1", "-1"]);
    assert_eq!(texts(&reading.methods[1].partitions()[0].a[1]), ["0", "1"]);
}

#[test]
fn julia_numbers_arrays_and_constructors() {
    let numbers = "function BS3Cache(T::Type, T2::Type)\n    a21 = convert(T, 1 // 2)\n    a32 = convert(T, 3 // 4)\n    a41 = convert(T, 2 // 9)\n    \
        a42 = convert(T,\n        1 // 3)\n    a43 = T(4 // 9)\n    c1 = convert(T2, 1 // 2)\n    c2 = convert(T2, 3 // 4)\n    # b1 = 9\n    \
        btilde1 = convert(T, 5 // 72)\n    btilde2 = -convert(T, 1 // 12)\n    btilde3 = convert(T, -1 // 9)\n    btilde4 = convert(T, 1 // 8)\n    \
        return BS3Cache(a21, a32)\nend\n";
    let method = one(numbers, "tableaus.jl", ImportFormat::Julia);
    assert_eq!(method.id(), "bs3");
    assert_is(&method, "bogacki-shampine-3");
    assert!(method.source().note.as_ref().unwrap().contains("b_hat - b"));
    let constructor = "\"\"\"\nBogacki–Shampine\n\"\"\"\nfunction constructBS3(T::Type = Float64)\n    A = [\n        0 0 0 0\n        1 // 2 0 0 0\n        \
        0 3 // 4 0 0\n        2 // 9 1 // 3 4 // 9 0\n    ]\n    c = [0; 1 // 2; 3 // 4; 1]\n    α = [2 // 9; 1 // 3; 4 // 9; 0]\n    \
        αEEst = [7 // 24, 1 // 4, 1 // 3, 1 // 8]\n    A = map(T, A)\n    α = map(T, α)\n    \
        return (DiffEqBase.ExplicitRKTableau(A, c, α, 3; αEEst, adaptiveorder = 2, stability_size = 2.5))\nend\n";
    let method = one(constructor, "ode_tableaus.jl", ImportFormat::Julia);
    assert_is(&method, "bogacki-shampine-3");
    assert_eq!((method.claims().order, method.claims().embedded_order), (Some(3), Some(2)));
    let statics = "const A = @SMatrix [0 0; 2//3 0]\nconst b = @SVector [1//4, 3//4]\n";
    assert_has(&one(statics, "r.jl", ImportFormat::Julia), "ralston-2");
    let columns = "A = SMatrix{2,2,Float64}(0, 2//3, 0, 0)\nb = SVector(1//4, 3//4)\n";
    assert_has(&one(columns, "r.jl", ImportFormat::Julia), "ralston-2");
    let entries = "s = 2\nA = zeros(T, s, s)\nA[2, 1] = 2 // 3\nb = zeros(T, s)\nb[1] = 1 //\n    4\nb[end] = 3 // 4\n";
    assert_has(&one(entries, "r.jl", ImportFormat::Julia), "ralston-2");
}

#[test]
fn julia_pairs() {
    let text = "function ARS222Tableau(T, T2)\n    γ = (2 - sqrt(T(2))) / 2\n    δ = 1 - 1 / 2γ\n    Ai = zeros(T, 3, 3)\n    Ai[2, 2] = γ\n    Ai[3, 2] = 1 - γ\n    Ai[3, 3] = γ\n    \
        Ae = T[0 0 0; γ 0 0; δ 1-δ 0]\n    bi = [0, 1 - γ, γ]\n    be = [δ, 1 - δ, 0]\n    c = T2[0, γ, 1]\n    \
        return ESDIRKIMEXTableau(Ai, bi, Ae, be, c, T[], T[], Vector{T2}[], 2, 3, false, zeros(Int, 3), γ)\nend\n";
    let method = one(text, "imex.jl", ImportFormat::Julia);
    assert_is(&method, "ars-2-2-2");
    assert_eq!(method.partitions().iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["explicit", "implicit"]);
}

#[test]
fn sundials_tables() {
    let text = "/* two tables */\nARK_BUTCHER_TABLE(ARKODE_NONE, {\n    return NULL;\n  })\n\n\
        ARK_BUTCHER_TABLE(ARKODE_BS_4_2_3, { /* pair */\n    ARKodeButcherTable B = ARKodeButcherTable_Alloc(4, SUNTRUE);\n    B->q = 3;\n    B->p = 2;\n    \
        B->A[1][0] = SUN_RCONST(1.0)/SUN_RCONST(2.0);\n    B->A[2][1] = RCONST(0.75);\n    B->A[3][0] = SUN_RCONST(2.0) / SUN_RCONST(9.0);\n    \
        B->A[3][1] = SUN_RCONST(1.0)/SUN_RCONST(3.0);\n    B->A[3][2] = SUN_RCONST(4.0)/SUN_RCONST(9.0);\n    \
        B->b[0] = SUN_RCONST(2.0)/SUN_RCONST(9.0);\n    B->b[1] = SUN_RCONST(1.0)/SUN_RCONST(3.0);\n    B->b[2] = SUN_RCONST(4.0)/SUN_RCONST(9.0);\n    \
        B->d[0] = SUN_RCONST(7.0)/SUN_RCONST(24.0);\n    B->d[1] = SUN_RCONST(1.0)/SUN_RCONST(4.0);\n    B->d[2] = SUN_RCONST(1.0)/SUN_RCONST(3.0);\n    \
        B->d[3] = SUN_RCONST(1.0)/SUN_RCONST(8.0);\n    B->c[1] = SUN_RCONST(0.5);\n    B->c[2] = SUN_RCONST(0.75);\n    B->c[3] = SUN_RCONST(1.0);\n    \
        return B;\n  })\n\n\
        ARK_BUTCHER_TABLE(ARKODE_SDIRK, {\n    ARKodeButcherTable B = ARKodeButcherTable_Alloc(2, SUNFALSE);\n    \
        const sunrealtype gamma = (SUN_RCONST(2.0) - SUNRsqrt(SUN_RCONST(2.0))) / SUN_RCONST(2.0);\n    B->q = 2;\n    B->p = 0;\n    \
        B->A[0][0] = gamma;\n    B->A[1][0] = SUN_RCONST(1.0) - gamma;\n    B->A[1][1] = gamma;\n    B->b[0] = SUN_RCONST(1.0) - gamma;\n    \
        B->b[1] = gamma;\n    B->c[0] = gamma;\n    B->c[1] = SUN_RCONST(1.0);\n    return B;\n  })\n\n\
        ARK_BUTCHER_TABLE(ARKODE_FORWARD_EULER, {\n    ARKodeButcherTable B = ARKodeButcherTable_Alloc(1, SUNFALSE);\n    B->q = 1;\n    \
        B->b[0] = SUN_RCONST(1.0);\n    return B;\n })\n";
    let reading = reading(text, "tables.def");
    assert_eq!(reading.format, ImportFormat::Sundials);
    let ids: Vec<&str> = reading.methods.iter().map(Method::id).collect();
    assert_eq!(ids, ["bs-4-2-3", "sdirk", "forward-euler"]);
    assert_is(&reading.methods[0], "bogacki-shampine-3");
    assert_eq!(reading.methods[0].claims().embedded_order, Some(2));
    assert_eq!(texts(&reading.methods[0].partitions()[0].a[3]), ["2/9", "1/3", "4/9", "0"]);
    assert_is(&reading.methods[1], "sdirk-2");
    assert_eq!(reading.methods[1].partitions()[0].a[0][0].text(), "(2-sqrt(2))/2");
    assert_is(&reading.methods[2], "explicit-euler");
    // Older versions use a switch.
    let cases = "  switch(imeth) {\n  case(HEUN):\n    B = ARKodeButcherTable_Alloc(2, SUNTRUE);\n    B->q = 2;\n    B->A[1][0] = RCONST(1.0);\n    \
        B->b[0] = RCONST(0.5);\n    B->b[1] = RCONST(0.5);\n    B->d[0] = RCONST(1.0);\n    B->c[1] = RCONST(1.0);\n    break;\n  }\n";
    let method = one(cases, "old.c", ImportFormat::Sundials);
    assert_eq!(method.id(), "heun");
    assert_is(&method, "heun-euler-2-1");
}

#[test]
fn petsc_registrations() {
    let text = "#define RC PetscRealConstant\n#define s2 PetscSqrtReal((PetscReal)2.0)\nPetscErrorCode TSRKRegisterAll(void)\n{\n  PetscFunctionBegin;\n  \
        if (Called) PetscFunctionReturn(PETSC_SUCCESS);\n  {\n    const PetscReal A[4][4] = {\n      {0, 0, 0, 0},\n      {RC(1.0) / RC(2.0), 0, 0, 0},\n      \
        {0, RC(3.0) / RC(4.0), 0, 0},\n      {RC(2.0) / RC(9.0), RC(1.0) / RC(3.0), RC(4.0) / RC(9.0), 0},\n    };\n    \
        const PetscReal b[4] = {RC(2.0) / RC(9.0), RC(1.0) / RC(3.0), RC(4.0) / RC(9.0), 0},\n      \
        bembed[4] = {RC(7.0) / RC(24.0), RC(1.0) / RC(4.0), RC(1.0) / RC(3.0), RC(1.0) / RC(8.0)};\n    \
        PetscCall(TSRKRegister(TSRK3BS, 3, 4, &A[0][0], b, NULL, bembed, 0, NULL));\n  }\n  {\n    \
        const PetscReal gamma = (2.0 - s2) / 2., delta = 1 - 1 / (2 * gamma);\n    \
        const PetscReal A[3][3] = {{0, 0, 0}, {gamma, 0, 0}, {delta, 1 - delta, 0}};\n    \
        const PetscReal At[3][3] = {{0, 0, 0}, {0, gamma, 0}, {0, 1 - gamma, gamma}};\n    const PetscReal b[3] = {delta, 1.0 - delta, 0};\n    \
        ierr = TSARKIMEXRegister(\"ars222\", 2, 3, &At[0][0], NULL, NULL, &A[0][0], b, NULL, NULL, NULL, 0, NULL, NULL);CHKERRQ(ierr);\n  }\n}\n";
    let reading = reading(text, "rk.c");
    assert_eq!(reading.format, ImportFormat::Petsc);
    let ids: Vec<&str> = reading.methods.iter().map(Method::id).collect();
    assert_eq!(ids, ["tsrk3bs", "ars222"]);
    assert_is(&reading.methods[0], "bogacki-shampine-3");
    assert_eq!(reading.methods[0].claims().order, Some(3));
    assert_is(&reading.methods[1], "ars-2-2-2");
}

#[test]
fn plain_arrays_of_c() {
    let text = "static const double A[4][4] = {\n  { 0.0 }, { 1.0/2.0 }, { 0.0, 3.0/4.0 }, { 2.0/9.0, 1.0/3.0, 4.0/9.0, 0.0f }\n};\n\
        static const double b[] = { 2./9., 1./3., 4./9., 0. };\nconst double bhat[4] = { 7.0/24.0, 0.25, 1.0/3.0, 1.25e-1 };\n";
    assert_is(&one(text, "table.h", ImportFormat::C), "bogacki-shampine-3");
    let flat = "double A[] = {0, 0, 0.5, 0};\ndouble b[2] = {0, 1};";
    assert_has(&one(flat, "table.txt", ImportFormat::C), "explicit-midpoint");
}

#[test]
fn latex_of_papers() {
    let text = "\\begin{table}\n\\begin{tabular}{c|cc}\n$\\frac12 - \\frac{\\sqrt{3}}{6}$ & $\\frac{1}{4}$ & $\\tfrac14-\\dfrac{\\sqrt3}{6}$ \\\\\n\
        $\\frac{1}{2}+\\frac{1}{6}\\sqrt{3}$ & $\\frac{1}{4}+\\frac{\\sqrt{3}}{6}$ & $\\frac{1}{4}$ \\\\ \\hline\n & $\\frac{1}{2}$ & $\\frac{1}{2}$\n\\end{tabular}\n\\end{table}\n";
    assert_is(&one(text, "paper.tex", ImportFormat::Latex), "gauss-2");
}

#[test]
fn numbers_are_exact_and_stay_as_published() {
    let text = "g = 0.4358665215\nA = [[g, 0], [1 - 2*g, 1.0e-1]]\nb = [0.50, 2**-1]\n";
    let method = one(text, "m.py", ImportFormat::Numpy);
    let part = &method.partitions()[0];
    assert_eq!(texts(&part.a[0]), ["0.4358665215", "0"]);
    assert_eq!(texts(&part.a[1]), ["1-2*0.4358665215", "1.0e-1"]);
    assert_eq!(part.a[1][0].value(), &parse_number("0.128266957").unwrap());
    assert_eq!(texts(&part.b), ["0.50", "1/2"]);
}

#[test]
fn a_number_beside_an_array_of_its_letter_is_no_coefficient() {
    for number in ["a = 1\n", "B = 2\n", "x = 1\n"] {
        let text = format!("{number}A = [[0, 0], [0.5, 0]]\nb = [0, 1]\n");
        let method = one(&text, "midpoint.py", ImportFormat::Numpy);
        assert_eq!(method.to_f64().partitions[0].a[1][0], 0.5, "{number}");
        let text = format!("A = [[0, 0], [0.5, 0]]\nb = [0, 1]\n{number}");
        assert_eq!(one(&text, "midpoint.py", ImportFormat::Numpy).to_f64().partitions[0].a[1][0], 0.5, "{number}");
    }
}

#[test]
fn vectors_a_and_b_are_the_coefficients_of_a_2n_form() {
    let python =
        "A = [0, Fraction(-5, 9), Fraction(-153, 128)]\nB = [Fraction(1, 3), Fraction(15, 16), Fraction(8, 15)]\n";
    assert_has(&one(python, "williamson.py", ImportFormat::Numpy), "williamson-3");
    let julia = "A = [-5//9, -153//128]\nB = [1//3, 15//16, 8//15]\n";
    assert_has(&one(julia, "williamson.jl", ImportFormat::Julia), "williamson-3");
    // The five decimals of the form give four of the tableau.
    let c = "const double A[3] = {0, -0.55556, -1.19531};\nconst double B[3] = {0.33333, 0.9375, 0.53333};\n";
    let rounded = one(c, "williamson.c", ImportFormat::C);
    assert_eq!(rounded.precision().map(|precision| precision.decimals), Some(4));
}
