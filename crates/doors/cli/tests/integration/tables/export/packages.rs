//! Exports for packages for partial differential equations: PETSc's call, compiled against its signature, and the files
//! of Trixi.jl, read as Trixi reads them.

use std::fs;

use hemiola::tableau::{Exact, Method, library};

use crate::common::{complaint, page};
use crate::tables::export::tools::{export, has, numbers, run};

/// Signature of PETSc 3.10 and later, with a function that prints its arguments.
const PETSC: &str = r#"
#include <stddef.h>
#include <stdio.h>
typedef double PetscReal;
typedef int PetscInt;
typedef int PetscErrorCode;
typedef const char *TSMPRKType;
#define PETSC_SUCCESS 0
#define PetscRealConstant(x) x
#define PetscFunctionBegin
#define PetscFunctionReturn(x) return x
#define PetscCall(x) do { int problem = x; if (problem) return problem; } while (0)
static void part(int s, const PetscReal A[], const PetscReal b[], const PetscReal c[])
{
    for (int i = 0; i < s * s; i++) printf("%.17g ", A[i]);
    for (int i = 0; i < s; i++) printf("%.17g ", b[i]);
    for (int i = 0; i < s; i++) printf("%.17g ", c[i]);
}
static PetscErrorCode TSMPRKRegister(TSMPRKType name, PetscInt order, PetscInt sbase, PetscInt ratio1, PetscInt ratio2,
    const PetscReal Asb[], const PetscReal bsb[], const PetscReal csb[], const PetscInt rsb[], const PetscReal Amb[],
    const PetscReal bmb[], const PetscReal cmb[], const PetscInt rmb[], const PetscReal Af[], const PetscReal bf[],
    const PetscReal cf[])
{
    int s = sbase * ratio1 * ratio2;
    (void)name;
    part(s, Asb, bsb, csb);
    if (Amb) part(s, Amb, bmb, cmb);
    part(s, Af, bf, cf);
    printf("%d %d ", order, rmb != NULL);
    for (int i = 0; i < s; i++) printf("%d ", rsb ? rsb[i] : 0);
    return PETSC_SUCCESS;
}
"#;

#[test]
fn petsc_registers_two_and_three_rates() {
    if !has("cc", &["--version"]) {
        return;
    }
    let cases = [
        // Stages three to seven of the slow partition equal the second, and it does not use them.
        ("hemiola-family-2-4-8", "hemiola-family-2-4-8", vec![0, 0, 2, 2, 2, 2, 2, 0]),
        ("perk-4-9-5", "perk-4-9-5", vec![0; 9]),
        ("mprk-2a23", "mprk-2a23", vec![0; 8]),
        ("hemiola-family-2@1,3", "hemiola-family-2", [&[0, 0][..], &[2; 12], &[0, 0]].concat()),
    ];
    for (argument, id, repeated) in cases {
        let method = library::method(id).unwrap();
        let is_whole = argument == id;
        let method = if is_whole { method } else { method.pair([0, 2]).unwrap() };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("petscts.h"), PETSC).unwrap();
        fs::write(folder.path().join("method.c"), export(argument, "petsc")).unwrap();
        let name = method.id().replace('-', "_") + if is_whole { "" } else { "_1_3" };
        let driver = format!("#include \"method.c\"\nint main(void)\n{{\n    return {name}_register();\n}}\n");
        fs::write(folder.path().join("main.c"), driver).unwrap();
        run(folder.path(), "cc", &["-std=c99", "-Wall", "-Wextra", "-Werror", "-I.", "main.c", "-o", "main"]);
        let printed = numbers(&run(folder.path(), folder.path().join("main"), &[]));
        let mut expected = Vec::new();
        for butcher in &method.exact().partitions {
            expected.extend(butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c).map(Exact::to_f64));
        }
        expected.extend([method.claims().order.unwrap() as f64, 0.0]);
        expected.extend(repeated.iter().map(|&flag: &i32| f64::from(flag)));
        assert_eq!(printed, expected, "{argument}");
    }
}

#[test]
fn petsc_refuses_what_it_cannot_hold() {
    let many = complaint("export", &["hemiola-family-4", "--language", "petsc"]);
    assert!(many.contains("hemiola-family-4 has 5 partitions") && many.contains("hemiola-family-4@1,2"), "{many}");
    assert!(complaint("export", &["rk4", "--language", "petsc"]).contains("rk4 has one partition"));
    let implicit = complaint("export", &["lobatto-iiia-iiib-3", "--language", "petsc"]);
    assert!(implicit.contains("is implicit; TSMPRKRegister of PETSc takes explicit methods"), "{implicit}");
    let header = |method: &str| {
        let text = export(method, "petsc").replace("//", " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(header("mprk-p3").contains("use split right-hand sides"), "its weights differ");
    assert!(!header("hemiola-family-2-4-8").contains("use split right-hand sides"));
}

/// Signatures of `TSARKIMEXRegister` and `TSDIRKRegister`, with functions that print the arguments.
const PETSC_IMPLICIT: &str = r#"
static void weights(int s, const PetscReal b[])
{
    for (int i = 0; i < s; i++) printf("%.17g ", b ? b[i] : -1.0);
}
static PetscErrorCode TSARKIMEXRegister(const char *name, PetscInt order, PetscInt s, const PetscReal At[], const PetscReal bt[],
    const PetscReal ct[], const PetscReal A[], const PetscReal b[], const PetscReal c[], const PetscReal bembedt[],
    const PetscReal bembed[], PetscInt pinterp, const PetscReal binterpt[], const PetscReal binterp[])
{
    part(s, At, bt, ct);
    part(s, A, b, c);
    weights(s, bembedt);
    weights(s, bembed);
    printf("%d %d ", order, pinterp);
    return name == NULL || binterpt != bt || binterp != b;
}
static PetscErrorCode TSDIRKRegister(const char *name, PetscInt order, PetscInt s, const PetscReal At[], const PetscReal bt[],
    const PetscReal ct[], const PetscReal bembedt[], PetscInt pinterp, const PetscReal binterpt[])
{
    part(s, At, bt, ct);
    weights(s, bembedt);
    printf("%d %d ", order, pinterp);
    return name == NULL || binterpt != bt;
}
"#;

#[test]
fn petsc_registers_implicit_methods_with_and_without_an_explicit_partner() {
    if !has("cc", &["--version"]) {
        return;
    }
    for (id, sequence) in
        [("kennedy-carpenter-ark-3-2-4", &[1, 0][..]), ("ars-2-2-2", &[1, 0]), ("kvaerno-3-2-4", &[0])]
    {
        let method = library::method(id).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("petscts.h"), PETSC.to_owned() + PETSC_IMPLICIT).unwrap();
        fs::write(folder.path().join("method.c"), export(id, "petsc")).unwrap();
        let driver =
            format!("#include \"method.c\"\nint main(void)\n{{\n    return {}_register();\n}}\n", id.replace('-', "_"));
        fs::write(folder.path().join("main.c"), driver).unwrap();
        run(
            folder.path(),
            "cc",
            &["-std=c99", "-Wall", "-Wno-unused-function", "-Werror", "-I.", "main.c", "-o", "main"],
        );
        let printed = numbers(&run(folder.path(), folder.path().join("main"), &[]));
        let (tableau, mut expected) = (method.exact(), Vec::new());
        for &partition in sequence {
            let butcher = &tableau.partitions[partition];
            expected.extend(butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c).map(Exact::to_f64));
        }
        for &partition in sequence {
            let hat = method.partitions()[partition].b_hat.as_ref();
            expected.extend(
                hat.map_or_else(|| vec![-1.0; method.stages()], |b| b.iter().map(|x| x.value().to_f64()).collect()),
            );
        }
        expected.extend([method.claims().order.unwrap() as f64, 1.0]);
        assert_eq!(printed.len(), expected.len(), "{id}");
        let apart = printed.iter().zip(&expected).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max);
        assert!(apart < 1e-15, "{id}: {apart:e}");
    }
}

/// Returns the files written for a method, the longest level first, and the printed text.
fn trixi(method: &str, files: &[&str]) -> (Vec<Vec<f64>>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_str().expect("UTF-8");
    let printed = page("export", &[method, "--language", "trixi", "--output", path]);
    let read = |file: &&str| numbers(&fs::read_to_string(folder.path().join(file)).expect(file));
    let found = files.iter().map(read).collect();
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), files.len());
    (found, printed)
}

/// Builds A of `PairedExplicitRK4` (Trixi.jl 0.9) with S stages from the coefficients of `a_S.txt`, with c_{S−3} = 1.
fn perk4_of_trixi(own: &[f64]) -> Vec<Vec<f64>> {
    let s = own.len() + 5;
    let alpha = [&[0.0, 0.0][..], own, &[0.114_851_811_257_441, 0.648_906_880_894_214, 0.028_312_163_512_968]].concat();
    let root = 3f64.sqrt() / 6.0;
    let c = |i: usize| match s - i {
        3 => 0.479_274_057_836_310,
        2 => 0.5 + root,
        1 => 0.5 - root,
        _ => 1.0,
    };
    let mut a = vec![vec![0.0; s]; s];
    for i in 1..s {
        a[i][0] = c(i) - alpha[i];
        a[i][i - 1] += alpha[i];
    }
    a
}

#[test]
fn trixi_makes_the_same_methods_of_its_files() {
    for (id, files) in
        [("perk-4-16-10-5", ["a_16.txt", "a_10.txt", "a_5.txt"]), ("perk-4-10-6-5", ["a_10.txt", "a_6.txt", "a_5.txt"])]
    {
        let (found, printed) = trixi(id, &files);
        assert!(printed.contains("PairedExplicitRK4Multi(["), "{printed}");
        let method = library::method(id).unwrap().to_f64();
        for (own, butcher) in found.iter().zip(method.partitions.iter().rev()) {
            let (ours, theirs) = (butcher, perk4_of_trixi(own));
            // A level's own stages are the last ones of the family; those before them depend only on the first stage
            // and are not used.
            let (s, gap) = (theirs.len(), ours.stages() - theirs.len());
            for i in 2..s {
                for j in 1..i {
                    let difference = ours.a[i + gap][j + gap] - theirs[i][j];
                    assert!(difference.abs() < 1e-14, "{id} {i} {j}: {difference}");
                }
            }
        }
    }
}

#[test]
fn trixi_gets_the_stability_polynomials_of_order_two() {
    let files = ["gamma_16.txt", "gamma_11.txt", "gamma_8.txt", "gamma_5.txt", "gamma_3.txt"];
    let (found, printed) = trixi("hemiola-family-2", &files);
    assert!(
        printed.contains("bS = 0.75, cS = 0.666") && printed.contains("Trixi builds different stages"),
        "{printed}"
    );
    let method = library::method("hemiola-family-2").unwrap();
    for (level, gamma) in found.iter().rev().enumerate() {
        // PairedExplicitRK2: α_S = γ₃/(b_S c_{S−1}), …; its product with the abscissae is again β, for any abscissae.
        let butcher = &method.to_f64().partitions[level];
        let mut vector = vec![1.0; butcher.stages()];
        let mut beta = Vec::new();
        for _ in 0..gamma.len() + 2 {
            beta.push(butcher.b.iter().zip(&vector).map(|(b, x)| b * x).sum::<f64>());
            vector = butcher.times(&vector);
        }
        for (gamma, beta) in gamma.iter().zip(&beta[2..]) {
            assert!((gamma / beta - 1.0).abs() < 1e-12, "{level}: {gamma} {beta}");
        }
    }
    // A single level is a method by itself.
    assert!(trixi("explicit-midpoint", &["gamma_2.txt"]).1.contains("PairedExplicitRK2(2, path, nothing, 1, 0.5)"));
}

#[test]
fn trixi_refuses_other_forms() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let refuses = |method: &str| complaint("export", &[method, "--language", "trixi", "--output", folder]);
    let own = refuses("hemiola-family-4");
    assert!(own.contains("hemiola-family-4: stage") && own.contains("Trixi.jl has the last three stages"), "{own}");
    assert!(refuses("hemiola-family-3").contains("the order is 3; Trixi.jl has types for"));
    assert!(refuses("gauss-2").contains("is implicit"));
    assert!(refuses("mprk-p3").contains("weights or abscissae differ"));
    // Its abscissae before the shared stages are spaced.
    assert!(refuses("perk-4-9-5").contains("the abscissa of stage 2 is 0.2"), "{}", refuses("perk-4-9-5"));
    assert!(complaint("export", &["perk-4-16-10-5", "--language", "trixi"]).contains("--output with a folder"));
}

#[test]
fn exports_name_their_levels() {
    let c = export("hemiola-family-2-4-8", "c");
    assert!(c.contains("level_2") && c.contains("level_8"), "{c}");
    let method: Method = library::method("hemiola-family-2-4-8").unwrap();
    assert_eq!(method.partitions().len(), 3);
}
