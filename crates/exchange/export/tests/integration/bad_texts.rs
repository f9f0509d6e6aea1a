//! Invalid texts yield errors with positions; no input makes the reader panic or run forever.

use hemiola_export::{ImportFormat, read};

/// Returns the error message for a text without a readable method.
fn complaint(text: &str, file: &str) -> String {
    match read(text.as_bytes(), file, None) {
        Err(error) => error.to_string(),
        Ok(reading) => panic!("read {:?}", reading.methods),
    }
}

fn assert_says(text: &str, file: &str, parts: &[&str]) {
    let message = complaint(text, file);
    for part in parts {
        assert!(message.contains(part), "{message:?} without {part:?}");
    }
}

#[test]
fn places_of_mistakes_in_json() {
    let table = |rows: &str, rest: &str| format!("{{\n  \"name\": \"é\", \"A\": {rows},\n  \"b\": [0, 1]{rest}\n}}\n");
    let cut = table("[[0, 0], [0.5, 0]]", ",");
    assert_says(&cut, "m.json", &["m.json:4:1: ", "no JSON object (trailing comma)", "one object with the arrays"]);
    let twice = format!("{} {{}}", table("[[0, 0], [0.5, 0]]", ""));
    assert_says(&twice, "m.json", &["m.json:5:2: ", "trailing characters"]);
    // Columns count characters, of which `é` is one.
    assert_says(&table("[[0, 0], [\"x / 2\", 0]]", ""), "m.json", &["m.json:2:31: ", "`x`", "a number"]);
    assert_says(&table("[[0, 0], [true, 0]]", ""), "m.json", &["m.json:2:31: ", "`true`", "a number"]);
    assert_says(&table("[[0, 0], [[1], 0]]", ""), "m.json", &["m.json:2:31: ", "an array in a row"]);
    assert_says(
        &table("[[0, 0, 0], [0.5, 0, 0]]", ""),
        "m.json",
        &["m.json:2:33: ", "a matrix A of 2 rows", "3, one for each stage"],
    );
    assert_says(&table("[[0, 0], [0.5, 0]]", ", \"error\": [1, 1]"), "m.json", &["with the sum -2", "sum to 0"]);
    let coupling = |rows: &str| format!("{{\"dc\": [1, 0],\n\"W0\": {rows}, \"gamma\": [0, 0]}}");
    assert_says(
        &coupling("[[1, 0]]"),
        "c.json",
        &["c.json:2:8: ", "a matrix W0 of 1 row", "2, one for each entry of dc"],
    );
    assert_says(&coupling("[[0, 0, 1], [0, 1, 0]]"), "c.json", &["c.json:1:1: ", "stages[0]", "at most 2 entries"]);
    let mis = "{\"alpha\": [[0, 0]], \"beta\": [[0, 0], [1, 0]], \"gamma\": [[0, 0], [0, 0]], \"d\": [0, 1]}";
    assert_says(mis, "m.json", &["m.json:1:12: ", "alpha with 1 row;", "2, one for each entry of d"]);
    let first = "{\"alpha\": [[0, 0], [0, 0]], \"beta\": [[1, 0], [1, 0]], \"gamma\": [[0, 0], [0, 0]], \"d\": [0, 1]}";
    assert_says(first, "m.json", &["numbers in the row of Y₁", "zeros there"]);
    let rest = |rest: &str| format!("{{\"dc\": [1, 0], \"W0\": [[1, 0], [0, 0]], {rest}}}");
    assert_says(&rest("\"W1\": [[0, 0]]"), "c.json", &["a matrix W1 of 1 row", "2, one for each entry of dc"]);
    assert_says(&rest("\"gamma\": [0, 0, 7]"), "c.json", &["3 numbers of gamma", "2, one for each entry of dc"]);
    assert_says(&rest("\"embedded1\": [0, 1]"), "c.json", &["embedded1 without embedded0"]);
    assert_says("{\"A\": [[0]], \"b\": [1], \"b\": [1]}", "m.json", &["a second field `b`", "each field once"]);
    let nystrom = "{\"kind\": \"nystrom\", \"A\": [[0]], \"b\": [1]}";
    assert_says(nystrom, "m.json", &["m.json:1:10: ", "`nystrom`", "explicit-runge-kutta, implicit-runge-kutta"]);
    let entries = vec!["0"; (1 << 17) + 1].join(",");
    assert_says(&format!("{{\"A\": [{entries}], \"b\": [1]}}"), "m.json", &["more entries", "at most 131072 in all"]);
    let nothing = "{\"A\": [[0]]}";
    assert_says(nothing, "m.json", &["a matrix A without weights"]);
    assert_says("[1, 2]", "m.json", &["no JSON object"]);
}

#[test]
fn places_of_mistakes() {
    assert_says(
        "A = [[0, 0], [1/2, 0]\nb = [0, 1]\n",
        "m.py",
        &["m.py:2:1: ", "`b`", "`]`, which closes the `[` of line 1, column 5"],
    );
    assert_says("A = [[0, 0], [1/2, 0]]\nb = [0, 1", "m.py", &["m.py:2:10: ", "the end of the text"]);
    assert_says(
        "A = [[0, 0], [x/2, 0]]\nb = [0, 1]\n",
        "m.py",
        &["m.py:1:15: ", "`x`", "a name that the text defines"],
    );
    assert_says(
        "A = [[1/4, 1/4], [1/4]]\nb = [1/2, 1/2]\n",
        "m.py",
        &["m.py:1:18: ", "row 2 of A with 1 entries", "expected 2"],
    );
    assert_says(
        "A = [[0, 0], [1/2, 0]]\nb = [0, 1, 0]\n",
        "m.py",
        &["m.py:2:5: ", "3 weights b", "2, one for each stage"],
    );
    assert_says("A = [[0, 0], [1/2, 0]]\n", "m.py", &["m.py:1:1: ", "without weights"]);
    assert_says("A = [[0, 0], [cos(1), 0]]\nb = [0, 1]\n", "m.py", &["m.py:1:15: ", "cos", "not exact"]);
    assert_says("A = [[0, 0], [1/0, 0]]\nb = [0, 1]\n", "m.py", &["m.py:1:15: ", "division by zero"]);
    assert_says("A = [[0, 0], [1//2, 0]]\nb = [0, 1]\n", "m.py", &["m.py:1:16: ", "drops the remainder"]);
    assert_says("A = [0 0; 1/2 0; 1];\nb = [0 1];", "m.m", &["m.m:1:18: ", "row 3 of A with 1 entries"]);
    assert_says("0,0\n1/2,zero\n0,1\n", "m.csv", &["m.csv:2:5: ", "`zero`"]);
    assert_says("0 0\n1/2 zero\n0 1\n", "m.txt", &["m.txt:2:5: ", "`zero`"]);
    assert_says("0;0\n0,5;0\n0;1\n", "m.csv", &["m.csv:2:1: ", "`0,5`, a decimal comma", "a decimal point"]);
    assert_says("0\t0\n0,5\t0\n0\t1\n", "m.txt", &["m.txt:2:1: ", "decimal comma"]);
    assert_says("1 2 3\n4 5 6\n", "m.txt", &["m.txt:2:1: ", "a Butcher tableau"]);
    assert_says(
        "\\begin{array}{c|c}\n0 & \\\\\n\\hline\n & \\foo \\\\\n\\end{array}\n",
        "m.tex",
        &["m.tex:4:4: ", "`\\foo`"],
    );
    assert_says("\\begin{array}{c|c}\n0 & 0 \\\\", "m.tex", &["m.tex:1:1: ", "\\end{array}"]);
}

#[test]
fn programs_that_compute_their_coefficients_are_not_guessed() {
    assert_says(
        "A = np.zeros((2, 2))\nfor i in range(2):\n    A[i, i] = 1/4\nb = [1/2, 1/2]\n",
        "m.py",
        &["m.py:2:5: ", "a loop"],
    );
    assert_says("A = np.zeros((2, 2))\nA[1, 0] += 1/4\nb = [1/2, 1/2]\n", "m.py", &["m.py:2:9: ", "`+=`"]);
    assert_says(
        "A = np.zeros((2, 2))\nb = np.zeros(2)\nb[:] = [1, 2, 3]\nA[1, 0] = 1\n",
        "m.py",
        &["m.py:3:8: ", "3 values", "2 values, one for each index"],
    );
    assert_says("A = build(3)\nb = [1/2, 1/2]\n", "m.py", &["m.py:1:5: ", "a call of `build`"]);
    assert_says(
        "double A[2][2] = {{0, 0}, {0, 0}};\nfor (int i = 0; i < 2; i++) A[i][0] = 0.5;\ndouble b[2] = {0, 1};",
        "m.c",
        &["m.c:2:", "a loop"],
    );
    // The surrounding program puts γ on the diagonal.
    assert_says(
        "γ = convert(T, 0.4358)\na31 = convert(T, 0.49)\na32 = convert(T, 0.0741)\n",
        "m.jl",
        &["with sum 0.564100", "weights whose sum is 1"],
    );
}

#[test]
fn texts_without_methods() {
    for file in ["m.csv", "m.txt", "m.py", "m.jl", "m.m", "m.c", "m.def", "m.tex", "-"] {
        for text in ["", "\n\n", "\u{feff}", "\r\n"] {
            assert_says(text, file, &["found no method", "expected"]);
        }
    }
    assert_says(
        "ARK_BUTCHER_TABLE(ARKODE_ERK_NONE, { return NULL; })",
        "m.def",
        &["SUNDIALS", "ARK_BUTCHER_TABLE(NAME"],
    );
    assert_says("print('hello')\n", "m.py", &["found no method (read as Python)", "arrays A and b"]);
    let error = read(b"A = 1\n\xff\xfe", "m.py", None).unwrap_err().to_string();
    assert!(error.contains("m.py:2:1: found a byte that is not UTF-8"), "{error}");
}

#[test]
fn methods_beside_what_cannot_be_read() {
    let text = "def good():\n    A = [[0, 0], [1, 0]]\n    b = [1/2, 1/2]\ndef bad():\n    A = [[0, 0], [q, 0]]\n    b = [1/2, 1/2]\n";
    let reading = read(text.as_bytes(), "m.py", None).unwrap();
    assert_eq!(reading.methods.len(), 1);
    let message = reading.failures[0].to_string();
    assert!(message.starts_with("m.py:5:19: bad: found `q`"), "{message}");
}

#[test]
fn long_texts_end() {
    assert!(complaint(&"1".repeat((8 << 20) + 1), "m.csv").contains("at most 8388608"));
    let deep = format!("A = {}", "[".repeat(100_000));
    assert!(complaint(&deep, "m.py").contains("fewer nested brackets"));
    let wide = format!("A = [{}]\nb = [1]", "0,".repeat(200_000));
    assert!(complaint(&wide, "m.py").contains("at most 131072 entries"));
    assert!(complaint("A = np.zeros((99999, 99999))\nb = [1]", "m.py").contains("131072 entries"));
    assert!(complaint("A[999999999] = 1\nb = [1]", "m.py").contains("index 999999999"));
    assert!(complaint("x = 9**9**9\nA = [[x]]\nb = [1]", "m.py").contains("a whole exponent"));
    // Repeated squaring yields no valid coefficient, but does not stop the reader.
    let doubled: String = (0..400).map(|k| format!("x{} = x{k} * x{k} + sqrt(2)\n", k + 1)).collect();
    let text = format!("x0 = sqrt(3)\n{doubled}A = [[x400]]\nb = [1]");
    assert!(complaint(&text, "m.py").contains("an expression without a value"));
    let many = "def f():\n    A = 1\n".repeat(20_000) + &"x = 1\n".repeat(20_000);
    assert!(read(many.as_bytes(), "m.py", None).is_err());
}

/// Platform-independent random numbers (Marsaglia 2003).
struct Xorshift(u64);

impl Xorshift {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

#[test]
fn mutated_texts_never_panic() {
    const SEEDS: [(&str, &str); 12] = [
        (
            "m.py",
            "import numpy as np\none = Rational(1, 1)\nA = np.array([[0, 0], [one/2, 0]]) / 2\nb[:] = A[-1, :]\nrk.ExplicitRungeKuttaPair(A, b, bhat=[1, 0], name='x')\n",
        ),
        (
            "m.m",
            "function rk = f()\nrk.A = [0 0; ...\n1/2 0];\nrk.b = [0 1]'; c = sum(rk.A, 2);\nA(2,:) = [1 -1];\nend\n",
        ),
        (
            "m.jl",
            "function constructX(T)\nA = [0 0; 1 // 2 0]\nα = @SVector [0, 1]\nγ = 2sqrt(2)^2\nreturn ExplicitRKTableau(A, c, α, 2; αEEst, adaptiveorder = 1)\nend\n",
        ),
        (
            "n.jl",
            "a21 = convert(T, 1//2)\na31 = -convert(T, 1)\na32 = 2\nb1 = 1//6\nb2 = 2//3\nb3 = 1//6\nbtilde1 = 1//6\nc2 = 0.5\n",
        ),
        (
            "m.def",
            "ARK_BUTCHER_TABLE(ARKODE_X, { /* x */\nARKodeButcherTable B = ARKodeButcherTable_Alloc(2, SUNTRUE);\nB->q = 2;\nB->A[1][0] = SUN_RCONST(1.0)/SUN_RCONST(2.0);\nB->b[1] = 1;\nB->d[0] = 1;\nreturn B;\n})\n",
        ),
        (
            "m.c",
            "#define RC PetscRealConstant\n{ const PetscReal A[2][2] = {{0, 0}, {RC(0.5), 0}}, b[2] = {0, 1};\nTSRKRegister(X, 2, 2, &A[0][0], b, NULL, NULL, 0, NULL); }",
        ),
        (
            "m.json",
            "{\"name\": \"M\", \"A\": [[0, 0], [\"1 / 2\", 0]], \"b\": [0, 1.0], \"error\": [\"-1\", 1], \"order\": 2}",
        ),
        (
            "c.json",
            "{\"dc\": [1, 0], \"W0\": [[1, 0], [-0.5, 0]], \"W1\": [[0, 0], [0, 0]], \"embedded0\": null, \"gamma\": [0, \"1 / 2\"]}",
        ),
        ("m.csv", "0,,\n1/2,1/2,\n,0,1\n,1,0\n"),
        ("m.txt", "g = (2-sqrt(2))/2\nA\n0 0\n1/2 | g\n\nb 0 1\nc: 0 1.0d-3\n"),
        (
            "m.tex",
            "% X (x)\n% Claims: order 2\n% Generated by hemiola 0\n\\begin{array}{c|cc}\n0 & & \\\\\n\\frac{1}{2} & \\frac12 & \\sqrt{3}\\\\ \\hline & 0 & 1\\\\\n\\hat b & 1 & 0 \\\\\n\\end{array}",
        ),
        (
            "o.csv",
            "# X (x)\n# Generated by hemiola 0\npartition,quantity,i,j,exact,decimal\n\"a, b\",a,1,1,0,0\n\"a, b\",b,1,,1,1\n\"a, b\",dense,1,1,1,1\n",
        ),
    ];
    const MARKS: [&str; 26] = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        "=",
        "\n",
        "\r\n",
        "/",
        "//",
        "\\",
        "'",
        "\"",
        "0",
        "-",
        ":",
        ".",
        "^",
        "999999999",
        "e9",
        "\u{302}",
        "γ",
        "&",
    ];
    const FORMATS: [ImportFormat; 12] = [
        ImportFormat::Csv,
        ImportFormat::Text,
        ImportFormat::Latex,
        ImportFormat::Numpy,
        ImportFormat::NodePy,
        ImportFormat::Matlab,
        ImportFormat::RkOpt,
        ImportFormat::Julia,
        ImportFormat::C,
        ImportFormat::Sundials,
        ImportFormat::Petsc,
        ImportFormat::Json,
    ];
    let mut random = Xorshift(0x9e37_79b9_7f4a_7c15);
    for round in 0..12_000 {
        let (file, text) = SEEDS[round % SEEDS.len()];
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.next(6) {
            let at = random.next(characters.len() + 1);
            match random.next(4) {
                0 => characters.truncate(at),
                1 => drop(characters.splice(at..(at + random.next(8)).min(characters.len()), [])),
                2 => drop(characters.splice(at..at, MARKS[random.next(MARKS.len())].chars())),
                _ => {
                    let end = (at + random.next(20)).min(characters.len());
                    let copy = characters[at..end].to_vec();
                    let to = random.next(characters.len() + 1);
                    drop(characters.splice(to..to, copy));
                }
            }
        }
        let text: String = characters.into_iter().collect();
        let format = (random.next(4) == 0).then(|| FORMATS[random.next(FORMATS.len())]);
        // Reading ends, and every method read is valid.
        if let Ok(reading) = read(text.as_bytes(), file, format) {
            for method in &reading.methods {
                let json = method.to_json();
                assert_eq!(&hemiola_tableau::Method::from_json(json.as_bytes(), "m.json").unwrap(), method, "{text}");
            }
        }
    }
}
