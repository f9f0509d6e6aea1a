//! Coefficients come from code that runs: dead code, branches, loops, the preprocessor and integer division are not
//! misread.

use hemiola_export::{ImportedMethods, ReadOptions, read, read_with};
use hemiola_tableau::Method;

fn reading(text: &str, file: &str) -> ImportedMethods {
    read(text.as_bytes(), file, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Formats the entry of A in the second row and first column, and b, as they were read.
fn coefficients(method: &Method) -> String {
    let part = &method.partitions()[0];
    let b: Vec<&str> = part.b.iter().map(hemiola_tableau::Coefficient::text).collect();
    format!("{} | {}", part.a[1][0].text(), b.join(" "))
}

/// Asserts that a text contains one method, without a condition.
#[track_caller]
fn holds(text: &str, file: &str, expected: &str) {
    let reading = reading(text, file);
    assert!(reading.failures.is_empty() && reading.warnings.is_empty(), "{reading:?}\n{text}");
    let found: Vec<String> = reading.methods.iter().map(coefficients).collect();
    assert_eq!(found, [expected], "{text}");
}

/// Asserts that no method can be read, with an error that contains all parts.
#[track_caller]
fn refuses(text: &str, file: &str, parts: &[&str]) {
    let error = match read(text.as_bytes(), file, None) {
        Err(error) => error.to_string(),
        Ok(reading) => {
            panic!("{:?} {:?}\n{text}", reading.methods.iter().map(coefficients).collect::<Vec<_>>(), reading.warnings)
        }
    };
    for part in parts {
        assert!(error.contains(part), "{error:?} without {part:?}\n{text}");
    }
}

/// Asserts that every variant is read with a warning.
#[track_caller]
fn varies(text: &str, file: &str, expected: &[(&str, &str, &str)]) {
    let reading = reading(text, file);
    assert!(reading.failures.is_empty(), "{reading:?}\n{text}");
    let found: Vec<(&str, String, &str)> = reading
        .methods
        .iter()
        .map(|method| {
            let warning = reading.warnings.iter().find(|warning| warning.id == method.id());
            (method.id(), coefficients(method), warning.map_or("", |warning| &warning.condition))
        })
        .collect();
    let found: Vec<(&str, &str, &str)> =
        found.iter().map(|(id, found, condition)| (*id, found.as_str(), *condition)).collect();
    assert_eq!(found, expected, "{text}");
}

const HEUN: &str = "1 | 0.5 0.5";
/// A and b of Heun's method in C, Python, MATLAB and Julia.
const C: &str = "double A[2][2] = {{0, 0}, {1, 0}};\ndouble b[2] = {0.5, 0.5};\n";
const PYTHON: &str = "A = [[0, 0], [1, 0]]\nb = [0.5, 0.5]\n";
const MATLAB: &str = "A = [0 0; 1 0];\nb = [0.5 0.5];\n";

#[test]
fn the_preprocessor_decides() {
    refuses(&format!("{C}#ifdef OLD\nb[0] = 0; b[1] = 1;\n#endif\n"), "m.c", &["m.c:4:1: ", "`b`", "`#ifdef OLD`"]);
    refuses(
        &format!("#define W 0.5\n#if OLD\n#define W 1\n#endif\n{}", C.replace("{0.5,", "{W,")),
        "m.c",
        &["m.c:3:1: ", "`#if OLD`"],
    );
    refuses(
        "double A[2][2] = {{0, 0}, {1, 0}};\ndouble b[2] = {\n#ifdef OLD\n0, 1\n#else\n0.5, 0.5\n#endif\n};\n",
        "m.c",
        &["m.c:3:1: ", "`#ifdef OLD`"],
    );
    holds(&format!("{C}#if 0\nb[0] = 0;\n#endif\n"), "m.c", HEUN);
    holds(&format!("#if 1 // new\n{C}#else\nb[0] = 0;\n#endif\n"), "m.c", HEUN);
    holds(
        &format!(
            "#ifndef M_H\n#define M_H\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{C}#ifdef __cplusplus\n}}\n#endif\n#endif\n"
        ),
        "m.h",
        HEUN,
    );
    varies(
        &format!("#ifdef OLD\n{}#else\n{C}#endif\n", C.replace("0.5, 0.5", "0, 1")),
        "m.c",
        &[("m", "1 | 0 1", "#ifdef OLD"), ("m-2", HEUN, "else of #ifdef OLD")],
    );
    refuses(
        &format!("int f(int x) {{\n#ifdef OLD\nif (x) {{\n#else\nif (!x) {{\n#endif\n{C}}}\n}}\n"),
        "m.c",
        &["m.c:4:1: ", "preprocessor condition"],
    );
    // The comment continues in the next line.
    holds(&format!("{C}// old: \\\nb[0] = 1;\n"), "m.c", HEUN);
    holds(&format!("{C}#endif /* of\nb[0] = 1; */\n"), "m.c", HEUN);
}

#[test]
fn macros_stand_for_their_text() {
    refuses(
        &format!("#define HALF(x) ((x)/2.0)\n{}", C.replace("{0.5,", "{HALF(1.0),")),
        "m.c",
        &["m.c:3:16: ", "`HALF`", "which the text defines"],
    );
    holds(&format!("#define R(x) ((double)(x))\n{}", C.replace("0.5, 0.5", "R(1)/R(4), 3/R(4)")), "m.c", "1 | 1/4 3/4");
    refuses(
        &format!("#define R(x) (x)\n{}", C.replace("{0.5,", "{R(1)/R(2),")),
        "m.c",
        &["m.c:3:16: ", "division of integers"],
    );
    refuses(&format!("#define THIRD 1.0/3.0\n{}", C.replace("{0.5,", "{1/THIRD,")), "m.c", &["`THIRD`", "parentheses"]);
    holds(&format!("#define THIRD 1.0/3.0\n{}", C.replace("0.5, 0.5", "THIRD, 1 - THIRD")), "m.c", "1 | 1/3 2/3");
}

#[test]
fn integer_division_is_not_a_fraction() {
    let with = |b: &str| C.replace("0.5, 0.5", b);
    refuses(&with("1/2, 0.5"), "m.c", &["m.c:2:16: ", "`1/2`, a division of integers", "--assume-real-division"]);
    for integer in ["(1)/2", "-1/-2", "1/(1+1)", "(int)1/2", "1u/2", "1L/2L", "(2*1)/4", "1/2*1.0", "one/two", "c[0]/2"]
    {
        let text = format!("int one = 1;\nconst long two = 2;\nint c[] = {{1}};\n{}", with(&format!("{integer}, 0.5")));
        refuses(&text, "m.c", &[]);
    }
    for real in [
        "1.0/2",
        "1/2.",
        "1./2",
        "1e0/2",
        "1.0f/2",
        "(double)1/2",
        "(long double)1/2",
        "1/(float)2",
        "(MYFLOAT)1/2",
        "static_cast<double>(1)/2",
        "RCONST(1)/RCONST(2)",
        "SUN_RCONST(1.0)/SUN_RCONST(2)",
        "1.0*1/2",
        "x/2",
        "e[0]/2",
        "(4/2)/4.0",
    ] {
        let text = format!("double x;\nx = 1;\ndouble e[] = {{1}};\n{}", with(&format!("{real}, 0.5")));
        let method = &reading(&text, "m.c").methods[0];
        assert!((method.to_f64().partitions[0].b[0] - 0.5).abs() < 1e-16, "{real}");
    }
    refuses(&format!("int h = 0.5;\n{}", with("h, 0.5")), "m.c", &["m.c:1:1: ", "truncates"]);
    refuses(&with("(int)0.5, 0.5"), "m.c", &["truncates"]);
    refuses(&with("010/20.0, 0.5"), "m.c", &["octal"]);
    let options = ReadOptions { assume_real_division: true, ..ReadOptions::default() };
    assert_eq!(
        coefficients(&read_with(with("1/2, 1/2").as_bytes(), "m.c", &options).unwrap().methods[0]),
        "1 | 1/2 1/2"
    );
    // Integer division is exact in Python 3 but not in Python 2.
    let python = PYTHON.replace("0.5, 0.5", "1/2, 1/2");
    holds(&python, "m.py", "1 | 1/2 1/2");
    refuses(&format!("{python}print 'done'\n"), "m.py", &["m.py:2:6: ", "division of integers"]);
    holds(&format!("from __future__ import division\n{python}print 'done'\n"), "m.py", "1 | 1/2 1/2");
    refuses(&python.replace("1/2,", "int(1/2),"), "m.py", &["truncates"]);
    holds("A = [0 0; 1 0]\nb = [1//2, 1/2]\n", "m.jl", "1 | 1/2 1/2");
    refuses("A = [0 0; 1 0]\nb = [1÷2, 1/2]\n", "m.jl", &["`÷`"]);
}

#[test]
fn branches_of_python() {
    let dead = "    b = [0, 1]\n";
    for condition in ["False", "0", "not True", "(not (1))", "None", "old"] {
        holds(&format!("old = False\n{PYTHON}if {condition}:\n{dead}"), "m.py", HEUN);
        holds(&format!("old = False\n{PYTHON}while {condition}:\n{dead}"), "m.py", HEUN);
    }
    holds(
        &format!(
            "if False:\n    A = [[0, 0], [2, 0]]\n    b = [0, 1]\nelse:\n    {}",
            PYTHON.replace("\nb", "\n    b")
        ),
        "m.py",
        HEUN,
    );
    holds(&format!("{PYTHON}if False: b = [0, 1]\n"), "m.py", HEUN);
    holds(&format!("if __name__ == '__main__':\n    {}", PYTHON.replace("\nb", "\n    b")), "m.py", HEUN);
    holds(
        &format!("def f():\n    {}    return A, b\n    b = [0, 1]\n", PYTHON.replace("\nb", "\n    b")),
        "m.py",
        HEUN,
    );
    holds(
        &format!(
            "def f(x):\n    {}    if x:\n        return A\n    else:\n        raise E\n    b = [0, 1]\n",
            PYTHON.replace("\nb", "\n    b")
        ),
        "m.py",
        HEUN,
    );
    refuses(&format!("{PYTHON}if old:\n{dead}"), "m.py", &["m.py:4:5: ", "`b`", "`if old`"]);
    refuses(&format!("{PYTHON}if old: b = [0, 1]\n"), "m.py", &["m.py:3:9: ", "`if old`"]);
    refuses(&format!("{PYTHON}if x:\n    pass\nelif old:\n{dead}else:\n    pass\n"), "m.py", &["`if old`"]);
    refuses(&format!("{PYTHON}try:\n    pass\nexcept E:\n{dead}"), "m.py", &["`except E`"]);
    refuses(&format!("{PYTHON}for x in y:\n{dead}"), "m.py", &["a value set in a loop"]);
    refuses(&PYTHON.replace("[0.5, 0.5]", "[0.5, 0.5] if new else [0, 1]"), "m.py", &["m.py:2:16: ", "`if`"]);
    refuses(&PYTHON.replace("0.5, 0.5", "0.5 if new else 0, 0.5"), "m.py", &["`if`"]);
    refuses(
        &format!("if old:\n    g = 1\nelse:\n    g = 0.5\n{}", PYTHON.replace("0.5, 0.5", "g, 1-g")),
        "m.py",
        &["m.py:4:5: ", "`g`", "`else of if old`"],
    );
    refuses(
        &format!("g = 1\ndef f(g):\n    {}", PYTHON.replace("0.5, 0.5", "g, 1-g").replace("\nb", "\n    b")),
        "m.py",
        &["m.py:4:15: ", "`g`"],
    );
    refuses(&format!("{PYTHON}def old():\n    global b\n    b = [0, 1]\n"), "m.py", &["set by a function"]);
    refuses(&format!("{PYTHON}b.reverse()\n"), "m.py", &["m.py:3:1: ", "`reverse`"]);
    holds(&PYTHON.replace("b = ", "b = bhat = "), "m.py", HEUN);
    varies(
        "def make(name):\n    if name == 'heun':\n        A = [[0, 0], [1, 0]]\n        b = [0.5, 0.5]\n    elif name == 'midpoint':\n        A = [[0, 0], [0.5, 0]]\n        b = [0, 1]\n    else:\n        raise E\n    return A, b\n",
        "m.py",
        &[("heun", HEUN, "if name == 'heun'"), ("midpoint", "0.5 | 0 1", "if name == 'midpoint'")],
    );
    let cases = "match name:\n    case 'old':\n        A = [[0, 0], [2, 0]]\n        b = [0.75, 0.25]\n    case _:\n        A[1][0] = 0.5\n        b = [0, 1]\n";
    let reading = reading(&format!("A = [[0, 0], [1, 0]]\n{cases}"), "m.py");
    let found: Vec<String> = reading.methods.iter().map(coefficients).collect();
    assert_eq!((found, reading.warnings.len()), (vec!["2 | 0.75 0.25".to_owned(), "0.5 | 0 1".to_owned()], 2));
    assert!(
        reading.failures[0].to_string().contains("`A` set only under the condition `case"),
        "{:?}",
        reading.failures
    );
    // The code after the branch changes a name that the branch has set.
    refuses(
        &format!("if old:\n    {}b = [0, 1]\n", PYTHON.replace("\nb", "\n    b")),
        "m.py",
        &["m.py:4:1: ", "`b` set after a branch"],
    );
}

#[test]
fn branches_of_c() {
    let call = "int f(int mid) {\ndouble A[2][2], b[2];\n";
    let entries = |a: &str, b: &str| format!("A[1][0] = {a}; b[0] = 1 - {b}; b[1] = {b};");
    let midpoint = entries("0.5", "1.0");
    let heun = entries("1", "0.5");
    varies(
        &format!("{call}if (mid) {{ {midpoint} }} else {{ {heun} }}\n}}\n"),
        "m.c",
        &[("f", "0.5 | 0 1.0", "if (mid)"), ("f-2", "1 | 1-0.5 0.5", "else of if (mid)")]
            .map(|(id, found, condition)| (id, if id == "f" { "0.5 | 0 1" } else { found }, condition)),
    );
    holds(&format!("{call}if (0) {{ {midpoint} }} else {{ {heun} }}\n}}\n"), "m.c", "1 | 1-0.5 0.5");
    refuses(&format!("{C}if (old) b[0] = 0;\n"), "m.c", &["m.c:3:10: ", "`if (old)`"]);
    refuses(&format!("{C}if (x) ; else b[0] = 0;\n"), "m.c", &["`else of if (x)`"]);
    refuses(&format!("{C}if (x) {{ }} else if (old) b[0] = 0;\n"), "m.c", &["`if (old)`"]);
    refuses(&format!("{C}old && (b[0] = 0);\n"), "m.c", &["m.c:3:9: ", "`b`"]);
    refuses(&C.replace("{0.5, 0.5}", "{old ? 0.0 : 0.5, 0.5}"), "m.c", &["`?`"]);
    refuses(
        "double b0 = 1 ? 0.5 : 0.25;\ndouble A[2][2] = {{0, 0}, {1, 0}}, b[2] = {b0, b0};\n",
        "m.c",
        &["m.c:1:15: ", "`?`"],
    );
    refuses(&format!("{C}for (int i = 0; i < 2; i++) {{ b[i] = 0.25; }}\n"), "m.c", &["a loop"]);
    refuses(&format!("{C}b[0]++;\n"), "m.c", &["m.c:3:5: ", "`+`"]);
    refuses(&format!("{C}b[0] = b[1] = x;\n"), "m.c", &["`x`"]);
    refuses(
        &format!("{C}void init(void) {{ b[0] = 0; b[1] = 1; }}\n"),
        "m.c",
        &["m.c:3:19: ", "`b` set by a function"],
    );
    refuses(&format!("{C}memcpy(b, old, sizeof b);\n"), "m.c", &["`memcpy`"]);
    let falls = reading(&format!("{call}switch (mid) {{\ncase 1: {midpoint}\ncase 2: {heun} break;\n}}\n}}\n"), "m.c");
    assert_eq!(falls.methods.iter().map(coefficients).collect::<Vec<_>>(), ["1 | 1-0.5 0.5"]);
    assert!(
        falls.failures[0].to_string().contains("m.c:4:1: f: found `case 1` without `break`"),
        "{:?}",
        falls.failures
    );
    holds(&format!("{C}void step(double b[2]) {{ b[0] = 0; {{ double b[2] = {{0, 1}}; }} }}\n"), "m.c", HEUN);
    holds(
        &format!("void f(void) {{\n{C}{{ double b[2]; b[0] = 0; b[1] = 1; }}\nreturn;\nb[0] = 1;\n}}\n"),
        "m.c",
        HEUN,
    );
    holds(&format!("void f(void) {{\n{C}goto end;\nb[0] = 1;\nend: return;\n}}\n"), "m.c", HEUN);
    holds(&format!("{C}char *s = \"b[0] = 1; // \"; char q = '\"'; /* b[0] = 0; */\n"), "m.c", HEUN);
    refuses(&format!("{C}if (x) if (y) ; else b[0] = 0;\n"), "m.c", &["`if (x)`"]);
    refuses(&format!("{C}if (1) if (y) ; else b[0] = 0;\n"), "m.c", &["`else of if (y)`"]);
    varies(
        &format!("{call}switch (mid) {{\ncase RK2A: {midpoint} break;\ndefault: {{ {heun} break; }}\n}}\n}}\n"),
        "m.c",
        &[("rk2a", "0.5 | 0 1", "case RK2A"), ("f", "1 | 1-0.5 0.5", "default")],
    );
}

#[test]
fn branches_of_matlab_and_julia() {
    for file in ["m.m", "m.jl"] {
        let text = MATLAB.replace(|c: char| c == ';' && file == "m.jl", ";");
        holds(&format!("{text}if false\nb = [0 1];\nend\n"), file, HEUN);
        holds(&format!("{text}if 0; b = [0 1]; end\n"), file, HEUN);
        holds(&format!("if true\n{text}else\nb = [0 1];\nend\n"), file, HEUN);
        refuses(&format!("{text}if old\nb = [0 1];\nend\n"), file, &[":4:1: ", "`if old`"]);
        refuses(&format!("{text}if old; b = [0 1]; end\n"), file, &["`if old`"]);
        refuses(&format!("{text}if x\nelse\nb = [0 1];\nend\n"), file, &["`else of if x`"]);
        refuses(&format!("{text}for k = 1:2\nb = [0 1];\nend\n"), file, &["a loop"]);
        refuses(&format!("{text}try\nx = 1;\ncatch e\nb = [0 1];\nend\n"), file, &["`catch e`"]);
        refuses(&format!("{text}old && (b = [0 1]);\n"), file, &["old"]);
        // Everything counts again after the blocks.
        holds(&format!("if x\nfor k = 1:2\ny = k;\nend\nend\n{text}"), file, HEUN);
        varies(
            &format!("if old\n{}else\n{text}end\n", text.replace("0.5 0.5", "0 1")),
            file,
            &[("m", "1 | 0 1", "if old"), ("m-2", HEUN, "else of if old")],
        );
    }
    holds(&format!("%{{\nb = [0 1];\n%}}\n{MATLAB}%{{ not a block\nx = 1; %}}\n"), "m.m", HEUN);
    varies(
        &format!(
            "function [A, b] = make(name)\nswitch name\ncase 'Heun'\n{MATLAB}case {{'Old', 'Older'}}\n{}otherwise\nerror('none');\nend\nend\n",
            MATLAB.replace("0.5 0.5", "0 1")
        ),
        "m.m",
        &[("heun", HEUN, "case 'Heun'"), ("make", "1 | 0 1", "case {'Old', 'Older'}")],
    );
    holds(&format!("function f\n{MATLAB}return\nb = [0 1];\nend\nfunction g\nb = [0 1];\nend\n"), "m.m", HEUN);
    let julia = MATLAB;
    holds(&format!("#= old #= b = 1 =#\nb = [0 1] =#\n{julia}"), "m.jl", HEUN);
    holds(&format!("module M\n{julia}end\n"), "m.jl", HEUN);
    holds(&format!("function f()\n{julia}return A, b\nb = [0 1]\nend\n"), "m.jl", HEUN);
    holds(&format!("x = if old\n1\nelse\n2\nend\n{julia}"), "m.jl", HEUN);
    holds(&format!("y = map(x) do z\nif z\nb = 1\nend\nend\n{julia}"), "m.jl", HEUN);
    refuses(&format!("{julia}@static if VERSION > v\nb = [0 1]\nend\n"), "m.jl", &["`if VERSION > v`"]);
    refuses(&format!("{julia}reverse!(b)\n"), "m.jl", &["`b`"]);
    refuses(&julia.replace("[0.5 0.5]", "old ? [0 1] : [0.5 0.5]"), "m.jl", &["`?`"]);
    refuses(&format!("{julia}let\nb = [0 1]\nend\n"), "m.jl", &["`let`"]);
}

#[test]
fn languages_that_are_not_read() {
    let fortran = "real :: A(2,2) = reshape([0., 1/2, 0., 0.], [2,2]), b(2) = [0., 1.]\n";
    for (file, language) in [("m.f90", "Fortran"), ("m.F", "Fortran"), ("m.rs", "Rust")] {
        refuses(fortran, file, &[file, language]);
    }
}

#[test]
fn dead_text_of_latex() {
    let table = "\\begin{array}{c|cc}\n0 & & \\\\\n1 & 1 & \\\\ \\hline\n & 1/2 & 1/2\n\\end{array}\n";
    let old = table.replace("1/2 & 1/2", "0 & 1");
    for text in [
        format!("\\iffalse\n{old}\\fi\n{table}"),
        format!("\\begin{{comment}}\n{old}\\end{{comment}}\n{table}"),
        format!("{table}\\end{{document}}\n{old}"),
    ] {
        holds(&text, "m.tex", "1 | 1/2 1/2");
    }
}

#[test]
fn many_blocks_end() {
    for (text, file) in [
        ("{".repeat(100_000), "m.c"),
        ("if (x) ".repeat(50_000), "m.c"),
        ("if (x) { b = 1;".repeat(20_000), "m.c"),
        ("if (".repeat(50_000), "m.c"),
        ("(a)".repeat(50_000), "m.c"),
        (format!("b = {}", "(a)".repeat(50_000)), "m.c"),
        (format!("b = {}1", "2**".repeat(50_000)), "m.py"),
        ("#if X\nb = 1;\n".repeat(20_000), "m.c"),
        ("if x\nb = 1\n".repeat(20_000), "m.jl"),
        ("function f(x)\nb = 1\n".repeat(20_000), "m.m"),
        ("end\n".repeat(50_000), "m.m"),
        ("}\n".repeat(50_000), "m.c"),
    ] {
        assert!(read(text.as_bytes(), file, None).is_err());
    }
}
