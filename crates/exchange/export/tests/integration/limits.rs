//! Texts that would take unbounded memory or time: each meets a limit, which the error names.

use hemiola_export::{ImportFormat, read};

fn complaint(text: &str, file: &str) -> String {
    match read(text.as_bytes(), file, None) {
        Err(error) => error.to_string(),
        Ok(reading) => panic!("read {:?}", reading.methods),
    }
}

/// Arrays that contain themselves several times grow exponentially with the number of lines.
#[test]
fn arrays_that_are_built_from_themselves() {
    let python = |line: &str| format!("A = [[0, 0], [1/2, 0]]\nb = [0, 1]\n{}", line.repeat(40));
    for (text, file) in [
        (python("b = [b, b]\n"), "m.py"),
        (python("b = [[b, b], [b, b]]\n"), "m.py"),
        (python("b = (b, b)\n"), "m.py"),
        (python("b = b, b\n"), "m.py"),
        (python("b = np.full(2, b)\n"), "m.py"),
        (python("b = np.array([b + b, b])\n"), "m.py"),
        ("A = [0 0; 1/2 0];\nb = [0 1];\n".to_owned() + &"b = {b, b};\n".repeat(40), "m.m"),
        ("A = [0 0; 1//2 0]\nb = [0, 1]\n".to_owned() + &"b = [b, b]\n".repeat(40), "m.jl"),
        ("A = [0 0; 1//2 0]\nb = [0, 1]\n".to_owned() + &"b = fill(b, 300)\n".repeat(4), "m.jl"),
        ("A = [0 0; 1//2 0]\nb = [0, 1]\n".to_owned() + &"b = SVector(b, b)\n".repeat(40), "m.jl"),
    ] {
        let message = complaint(&text, file);
        let limits = ["at most 131072 entries", "131072 entries together", "copy at most 524288 entries"];
        assert!(limits.iter().any(|limit| message.contains(limit)), "{message}");
    }
    // Copies of one large array, of a long text, or in a chain of assignments.
    let large = format!("A = [[0, 0], [1/2, 0]]\nx = np.zeros(100000)\n{}b = x\n", "y = x\n".repeat(8));
    let chain = format!("A = [[0, 0], [1/2, 0]]\n{}b = np.zeros(100000)\n", "y = ".repeat(8));
    let text =
        format!("A = [[0, 0], [1/2, 0]]\ns = '{}'\nx = np.zeros(1000)\nx[:] = s\n{}b = x\n", "1".repeat(60_000), "");
    let ranges = format!("A = [[0, 0], [1/2, 0]]\nx = np.zeros(100000)\n{}b = x[:]\n", "y = x[:]\n".repeat(8));
    for text in [large, chain, text, ranges] {
        let message = complaint(&text, "m.py");
        assert!(message.contains("copy at most 524288 entries"), "{message}");
    }
    // Entries of a large array are read without copies of it.
    let entries =
        format!("x = np.zeros(100000)\n{}A = [[0, 0], [x[7] + 1/2, 0]]\nb = [0, 1]\n", "y = x[3]\n".repeat(1000));
    assert_eq!(read(entries.as_bytes(), "m.py", None).unwrap().methods.len(), 1);
}

/// The zeros that a text omits are bounded as well.
#[test]
fn matrices_of_a_stated_size() {
    let allocated = |stages: usize| {
        format!(
            "ARKodeButcherTable f(void) {{\n ARKodeButcherTable B = ARKodeButcherTable_Alloc({stages}, SUNTRUE);\n \
             B->A[1][0] = 0.5; B->b[1] = 1.0; B->q = 2;\n return B; }}\n"
        )
    };
    assert_eq!(read(allocated(200).as_bytes(), "m.c", None).unwrap().methods[0].stages(), 200);
    for stages in [363, 100_000, usize::MAX / 2] {
        let message = complaint(&allocated(stages), "m.c");
        assert!(message.contains("at most 362 stages"), "{message}");
    }
    let csv = |rows: &str| format!("# x (x)\npartition,quantity,i,j,exact,decimal\n{rows}");
    let far: String = (0..5).map(|k| format!("p{k},a,256,256,1,1.0\np{k},b,256,,1,1.0\n")).collect();
    assert!(complaint(&csv(&far), "m.csv").contains("at most 262144"));
    let many: String = (0..70).map(|k| format!("p{k},b,1,,1,1.0\n")).collect();
    assert!(complaint(&csv(&many), "m.csv").contains("64 partitions"));
}

/// Chains of operators and indices are nested expressions, although they have no brackets.
#[test]
fn chains_without_brackets() {
    for chain in ["+1", "*2", "/2", "[0]", ".x", "()"] {
        let text = format!("A = [[0, 0], [1/2, 0]]\nb = [0, x{}]\n", chain.repeat(100_000));
        let message = complaint(&text, "m.py");
        assert!(message.contains("at most 1024 operators or indices in one chain"), "{chain}: {message}");
        let target = format!("A = [[0, 0], [1/2, 0]]\nb = [0, 1]\nx{} = 1\n", chain.repeat(100_000));
        assert_eq!(read(target.as_bytes(), "m.py", None).unwrap().methods.len(), 1, "{chain}");
    }
}

#[test]
fn blocks_that_are_nested_too_deeply() {
    let nested = |depth: usize| {
        let blocks: String = (0..depth).map(|k| format!("{}if x{k}:\n", " ".repeat(k))).collect();
        format!("A = [[0, 0], [1/2, 0]]\nb = [0, 1]\n{blocks}{}b = [1, 0]\n", " ".repeat(depth))
    };
    // A change under any condition makes the weights unknown.
    assert!(complaint(&nested(3), "m.py").contains("only under the condition"));
    let deep = nested(60);
    let message = complaint(&deep, "m.py");
    assert!(message.contains("`b` set only under the condition") || message.contains("32 nested blocks"), "{message}");
    // Functions in deeper blocks have no effect on the names outside.
    let harmless = format!("{}\n", nested(60).replace("b = [1, 0]", "def f(): b = [1, 0]"));
    assert_eq!(read(harmless.as_bytes(), "m.py", None).unwrap().methods.len(), 1);
}

/// Thousands of methods in one text keep their own ids, and later ones are not lost.
#[test]
fn thousands_of_methods() {
    let python = "A = [[0, 0], [1/2, 0]]\nb = [0, 1]\n".repeat(2500);
    let reading = read(python.as_bytes(), "m.py", None).unwrap();
    assert_eq!(reading.methods.len(), 2500);
    assert_eq!((reading.methods[0].id(), reading.methods[2499].id()), ("m", "m-2500"));
    // One statement with all of them.
    let item = |k: usize| format!("'m{k}': ExplicitRungeKuttaMethod([[0, 0], [1/2, 0]], [0, 1], name='m{k}'),\n");
    let one = format!("RK = {{\n{}}}\n", (0..2500).map(item).collect::<String>());
    let reading = read(one.as_bytes(), "m.py", Some(ImportFormat::NodePy)).unwrap();
    assert_eq!((reading.methods.len(), reading.methods[2499].id()), (2500, "m2499"));
    // Constants outside are known in each of many functions.
    let function = |k: usize| format!("def m{k}():\n    A = [[0, 0], [HALF, 0]]\n    b = [0, 1]\n");
    let functions = format!("HALF = 1/2\n{}", (0..2500).map(function).collect::<String>());
    assert_eq!(read(functions.as_bytes(), "m.py", None).unwrap().methods.len(), 2500);
}
