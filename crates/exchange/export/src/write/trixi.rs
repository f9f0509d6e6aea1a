//! Coefficient files of Trixi.jl for its paired explicit Runge–Kutta methods.
//!
//! The method types of Trixi contain their last stages and read the coefficients of the other stages for a given number
//! of evaluations S. `PairedExplicitRK4` reads the coefficients α of stages 3 … S − 3 from `a_S.txt`.
//! `PairedExplicitRK2` reads the coefficients of z³, z⁴, … of the stability polynomial from `gamma_S.txt` and builds a
//! chain of stages with evenly spaced abscissae.

use hemiola_tableau::{Butcher, Exact, Method, parse_number};

use super::error::WriteError;
use super::literal::decimal;

/// Input files of Trixi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrixiFiles {
    /// Names of files and their contents, one number per line.
    pub files: Vec<(String, String)>,
    /// Call that reads the files of all levels, where `path` is their folder.
    pub call: String,
    /// Difference between Trixi's method and this one, if any.
    pub note: Option<&'static str>,
}

/// Shared rows of P-ERK4 (Doehring et al. 2024): c and α of the last three stages as in Trixi.
const SHARED: [[&str; 2]; 3] = [
    ["0.479274057836310", "0.114851811257441"],
    ["0.788675134594812882254574390251", "0.648906880894214"],
    ["0.211324865405187117745425609749", "0.028312163512968"],
];
/// Tolerance of the agreement with published coefficients.
const AGREES: f64 = 1e-14;

/// Returns the files of a method for Trixi.jl.
///
/// P-ERK4 methods are represented exactly. For methods of order two in which only the first and the last stage have
/// weights, the files preserve the stability polynomials and the quadrature, but Trixi builds other stages from them.
///
/// ```
/// use hemiola_export::trixi_files;
/// let perk = hemiola_tableau::library::method("perk-4-16-10-5")?;
/// let files = trixi_files(&perk)?;
/// assert_eq!(files.files.iter().map(|file| file.0.as_str()).collect::<Vec<_>>(), ["a_16.txt", "a_10.txt", "a_5.txt"]);
/// let chain = trixi_files(&hemiola_tableau::library::method("hemiola-family-2")?)?;
/// assert!(chain.note.is_some() && chain.files[0].0 == "gamma_16.txt");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`] if the method is implicit or has neither form.
pub fn trixi_files(method: &Method) -> Result<TrixiFiles, WriteError> {
    const FORMAT: &str = "Trixi.jl";
    let parts = &method.exact().partitions;
    let id = method.id().to_owned();
    if !parts.iter().all(Butcher::is_explicit) {
        return Err(WriteError::Implicit { id, format: FORMAT });
    }
    let form =
        |found: String, expected: &'static str| WriteError::Form { id: id.clone(), format: FORMAT, found, expected };
    let first = &parts[0];
    if parts.iter().any(|butcher| butcher.b != first.b || butcher.c != first.c) {
        return Err(form(
            "weights or abscissae differ among partitions".to_owned(),
            "common weights and abscissae for all levels",
        ));
    }
    let mut levels: Vec<&Butcher<Exact>> = parts.iter().collect();
    levels.sort_by_key(|butcher| std::cmp::Reverse(butcher.evaluated_stages().len()));
    match method.claims().order {
        Some(4) => {
            if let Some(found) = differs_from_perk4(&levels) {
                let expected = "the last three stages of P-ERK4, and abscissae equal to one before them";
                return Err(form(found, expected));
            }
            Ok(perk4(&levels))
        }
        Some(2) => perk2(&levels).ok_or_else(|| {
            form(
                "stages other than the first and the last have weights".to_owned(),
                "weights of the first and the last stage only",
            )
        }),
        order => {
            let found = order.map_or_else(|| "no order is claimed".to_owned(), |order| format!("the order is {order}"));
            Err(form(found, "types for order 2, for P-ERK3 (with the stages of SSPRK(3,3)) and for P-ERK4"))
        }
    }
}

fn call(levels: &[&Butcher<Exact>], order: usize, last: &str) -> String {
    let counts: Vec<String> = levels.iter().map(|level| level.evaluated_stages().len().to_string()).collect();
    let list = counts.join(", ");
    match &counts[..] {
        [one] => format!("PairedExplicitRK{order}({one}, path{last})"),
        _ => format!("PairedExplicitRK{order}Multi([{list}], path, dt_ratios{last})"),
    }
}

/// Describes the first deviation of the levels from P-ERK4, whose rows depend only on the first stage and the preceding
/// one.
fn differs_from_perk4(levels: &[&Butcher<Exact>]) -> Option<String> {
    let s = levels[0].stages();
    if s < 5 {
        return Some(format!("there are {s} stages"));
    }
    let near = |found: &Exact, expected: f64| (found.to_f64() - expected).abs() <= AGREES;
    let number = |text: &str| parse_number(text).map_or(f64::NAN, |number| number.to_f64());
    for level in levels {
        if let Some(stage) = (2..s).find(|&i| !level.a[i][1..i - 1].iter().all(|a| *a == Exact::from(0))) {
            return Some(format!("stage {} depends on stages other than the first and the preceding one", stage + 1));
        }
        if let Some(stage) = (1..s - 3).find(|&i| !near(&level.c[i], 1.0)) {
            return Some(format!("the abscissa of stage {} is {:.6}", stage + 1, level.c[stage].to_f64()));
        }
        for (row, [c, alpha]) in (s - 3..s).zip(SHARED) {
            if !near(&level.c[row], number(c)) || !near(&level.a[row][row - 1], number(alpha)) {
                return Some(format!("stage {} has the abscissa {:.6}", row + 1, level.c[row].to_f64()));
            }
        }
        let weight = |i: usize| if i + 2 >= s { 0.5 } else { 0.0 };
        if let Some(stage) = (0..s).find(|&i| !near(&level.b[i], weight(i))) {
            return Some(format!("stage {} has the weight {:.6}", stage + 1, level.b[stage].to_f64()));
        }
    }
    None
}

fn perk4(levels: &[&Butcher<Exact>]) -> TrixiFiles {
    let s = levels[0].stages();
    let file = |level: &&Butcher<Exact>| {
        let evaluations = level.evaluated_stages().len();
        let own = s - 3 - (evaluations - 5)..s - 3;
        let lines: String = own.map(|row| decimal(&level.a[row][row - 1]) + "\n").collect();
        (format!("a_{evaluations}.txt"), lines)
    };
    TrixiFiles { files: levels.iter().map(file).collect(), call: call(levels, 4, ""), note: None }
}

/// Builds files of β_3 … β_S, with b_S and c_S of the method in the call; `None` if other stages have weights.
fn perk2(levels: &[&Butcher<Exact>]) -> Option<TrixiFiles> {
    let s = levels[0].stages();
    let zero = Exact::from(0);
    if s < 2 || levels[0].b[1..s - 1].iter().any(|b| *b != zero) {
        return None;
    }
    let file = |level: &&Butcher<Exact>| {
        let evaluations = level.evaluated_stages().len();
        // Trixi reads the coefficients above z².
        let beta = polynomial(level, evaluations);
        (format!("gamma_{evaluations}.txt"), beta[3..].iter().map(|beta| decimal(beta) + "\n").collect())
    };
    let (b, c) = (&levels[0].b[s - 1], &levels[0].c[s - 1]);
    let last = match levels {
        [_] => format!(", nothing, {}, {}", decimal(b), decimal(c)),
        _ => format!("; bS = {}, cS = {}", decimal(b), decimal(c)),
    };
    let note = "Trixi builds different stages of order two with the same stability polynomials and the same last \
    stage: their abscissae are evenly spaced, so that errors and internal amplification differ.";
    Some(TrixiFiles { files: levels.iter().map(file).collect(), call: call(levels, 2, &last), note: Some(note) })
}

/// Computes β_0 … β_E with β_k = bᵀAᵏ⁻¹1.
fn polynomial(level: &Butcher<Exact>, evaluations: usize) -> Vec<Exact> {
    let sum = |row: &[Exact], vector: &[Exact]| {
        let terms = row.iter().zip(vector).filter(|(a, _)| **a != Exact::from(0));
        terms.fold(Exact::from(0), |sum, (a, x)| sum + a.clone() * x.clone())
    };
    let mut vector = vec![Exact::from(1); level.stages()];
    let mut beta = vec![Exact::from(1)];
    for _ in 0..evaluations {
        beta.push(sum(&level.b, &vector));
        vector = level.a.iter().map(|row| sum(row, &vector)).collect();
    }
    beta
}
