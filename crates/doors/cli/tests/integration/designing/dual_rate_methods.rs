//! Every dual-rate method designed for this library agrees with its design file, its claims and its certificate.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola::design::{DesignFile, Stability};
use hemiola::number::DoubleDouble;
use hemiola::order::{CheckOptions, OrderCheck, dense_output, principal_error_norm};
use hemiola::polynomial::{Axis, optimal};
use hemiola::stability::stability_limit;
use hemiola::tableau::{Butcher, Exact, Method, dot, library};
use num_complex::Complex64;
use rayon::prelude::*;
use serde_json::Value;

/// Prefix of the ids of the methods.
const OWN: &str = "hemiola-";
/// Prefix of families of many rates, which have separate tests.
const FAMILY: &str = "hemiola-family-";
/// Prefixes of SSP pairs and low-storage methods, which have no design file.
const SSP: &str = "hemiola-ssp-";
const LOW_STORAGE: &str = "hemiola-ls-";
/// Prefixes of implicit methods and of pairs with implicit partitions.
const ESDIRK: &str = "hemiola-esdirk-";
const IMEX: &str = "hemiola-imex-";
/// Slow and fast evaluations of the methods that must exist, each in three variants.
const SIZES: [(usize, usize); 13] =
    [(2, 5), (2, 7), (2, 9), (3, 5), (3, 6), (3, 7), (3, 9), (4, 6), (4, 8), (4, 10), (4, 12), (6, 8), (6, 10)];
/// Largest residual: fifty decimals leave at most some 1e-48 in a condition, and equations of the polynomial are scaled
/// up.
const FINISHED: f64 = 1e-46;

/// Returns the methods with their design files.
fn designs() -> Vec<(Method, DesignFile)> {
    let design = |id| {
        let method = library::method(id).unwrap_or_else(|error| panic!("{error}"));
        let file = file(id, "design.json");
        (method, DesignFile::read(&file).unwrap_or_else(|error| panic!("{error}")))
    };
    library::ids()
        .filter(|id| id.starts_with(OWN))
        .filter(|id| ![FAMILY, SSP, LOW_STORAGE, ESDIRK, IMEX].iter().any(|other| id.starts_with(other)))
        .map(design)
        .collect()
}

/// Returns the path of a file that belongs to a method.
fn file(id: &str, ending: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../designs").join(format!("{id}.{ending}"))
}

/// Runs a check on all methods in parallel and names those that fail it, with the reason.
fn all(check: impl Fn(&Method, &DesignFile) -> Result<(), String> + Sync) {
    let designs = designs();
    let failed = |(method, design): &(Method, DesignFile)| {
        check(method, design).err().map(|problem| format!("{}: {problem}", method.id()))
    };
    let failures: Vec<String> = designs.par_iter().filter_map(failed).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn require(holds: bool, problem: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn checked(method: &Method, highest_order: usize) -> OrderCheck {
    OrderCheck::new(method, CheckOptions { highest_order, ..Default::default() }).expect("not too many trees")
}

#[test]
fn every_size_comes_in_all_variants() {
    let ends = ["", "-coupled", "-consistent"];
    let variants = SIZES.iter().flat_map(|(slow, fast)| ends.map(|end| format!("{OWN}{slow}-{fast}{end}")));
    let missing: Vec<String> = variants.filter(|id| library::ids().all(|other| other != id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn evaluations_and_claims_are_as_designed() {
    for (method, DesignFile { id, specification, .. }) in designs() {
        let tableau = method.exact();
        let evaluations = tableau.partitions.iter().map(|part| part.evaluated_stages().len());
        assert!(tableau.is_explicit() && method.id() == id);
        assert_eq!(evaluations.collect::<Vec<_>>(), [specification.slow, specification.fast], "{id}");
        let claims = method.claims();
        assert_eq!(claims.order, Some(specification.order), "{id}");
        assert_eq!((claims.embedded_order, claims.dense_order), (specification.embedded, specification.dense), "{id}");
    }
}

#[test]
fn orders_hold_and_the_next_fails() {
    all(|method, design| {
        let order = design.specification.order;
        let check = checked(method, order + 1);
        require(check.order() == order, || format!("order {}, designed for {order}", check.order()))?;
        let worst = check.orders()[..order].iter().map(|one| one.max_residual).fold(0.0, f64::max);
        require(worst < FINISHED, || format!("a residual of {worst:e}"))?;
        let norm = principal_error_norm(&method.exact(), order).unwrap();
        require(norm > 1e-4, || format!("a principal error norm of {norm:e}"))
    });
}

#[test]
fn embedded_and_dense_orders_are_as_claimed() {
    all(|method, _| {
        let claims = method.claims();
        if let Some(order) = claims.embedded_order {
            let embedded = method.embedded().ok_or("no embedded weights")?;
            let found = checked(&embedded, order + 1).order();
            require(found == order, || format!("embedded order {found}, claimed {order}"))?;
        }
        if let Some(order) = claims.dense_order {
            let options = CheckOptions { highest_order: order + 1, ..Default::default() };
            let dense = dense_output(method, options).unwrap().ok_or("no dense output")?;
            require(dense.order == order && dense.continuous.holds(), || format!("{dense:?}, claimed {order}"))?;
        }
        Ok(())
    });
}

#[test]
fn polynomials_and_limits_are_as_designed() {
    all(|method, DesignFile { specification, .. }| {
        // A design for a system starts from its polynomial, but does not keep it.
        if specification.made_for.as_ref().is_some_and(|made_for| !made_for.keep_polynomial) {
            return Ok(());
        }
        let tableau = method.exact();
        let polynomials = specification.polynomials().unwrap();
        for (part, polynomial) in tableau.partitions.iter().zip(polynomials) {
            let Some(polynomial) = polynomial else { continue };
            for (k, (found, beta)) in moments(part).iter().zip(&polynomial[1..]).enumerate() {
                let residual = (found.clone() - Exact::from(beta.clone())).to_f64();
                require(residual.abs() < FINISHED, || format!("β{} differs by {residual:e}", k + 1))?;
            }
        }
        let Stability::Optimal { axis, damping: 0.0, .. } = specification.stability[1] else { return Ok(()) };
        let direction = if axis == Axis::Imaginary { Complex64::I } else { Complex64::new(-1.0, 0.0) };
        let found = stability_limit(method, 1, direction).unwrap().value();
        let optimum = optimal(axis, specification.fast, specification.order).unwrap().limit();
        require((found / optimum - 1.0).abs() < 1e-9, || format!("a fast limit of {found}, the optimum is {optimum}"))
    });
}

/// Computes bᵀAᵏ⁻¹𝟙 for k = 1, 2, ….
fn moments(part: &Butcher<Exact>) -> Vec<Exact> {
    let powers = std::iter::successors(Some(vec![Exact::from(1); part.stages()]), |power| Some(part.times(power)));
    powers.take(part.stages()).map(|power| dot(&part.b, &power)).collect()
}

#[test]
fn certificates_belong_to_the_methods_and_hold() {
    all(|method, design| {
        let path = file(method.id(), "certificate.json");
        let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let certificate: Value = serde_json::from_slice(&text).unwrap();
        let order = design.specification.order;
        require(certificate["method"] == method.id() && certificate["order"] == order, || "another's".to_owned())?;
        let status = &certificate["status"];
        let near = status["radius"].as_f64().is_some_and(|radius| radius < 1e-15);
        let proved = status["proved"] == "exact" || status["proved"] == "enclosed" && near;
        require(proved || order > 4, || format!("nothing is proved: {status}"))?;
        let path = path.to_str().unwrap();
        let (code, page, _) = crate::common::outcome("check", &[method.id(), "--certificate", path]);
        require(code == 0, || format!("exit code {code}\n{page}"))
    });
}

#[test]
fn convergence_is_of_the_order_on_a_nonlinear_coupled_problem() {
    let truth = reference();
    all(|method, design| {
        converges(method, design.specification.order, &truth)?;
        let Some(embedded) = method.embedded() else { return Ok(()) };
        let order = embedded.claims().order.unwrap();
        converges(&embedded, order, &truth).map_err(|problem| format!("embedded: {problem}"))
    });
}

/// Two van der Pol oscillators, coupled by nonlinear terms: slow position and velocity, then fast ones.
const DIMENSION: usize = 4;
const START: [f64; DIMENSION] = [1.2, -0.3, 0.5, 0.8];
const END: f64 = 6.0;
/// Step counts are powers of two with these exponents.
const EXPONENTS: std::ops::RangeInclusive<u32> = 7..=14;

fn slopes([x, v, y, w]: [DoubleDouble; DIMENSION]) -> [DoubleDouble; DIMENSION] {
    let n = DoubleDouble::from;
    let slow = -x + n(0.5) * (n(1.0) - x * x) * v + n(0.3) * x * y;
    let fast = n(-9.0) * y * (n(1.0) + n(0.2) * x) + n(0.8) * (n(1.0) - y * y) * w + n(0.4) * v * v;
    [v, slow, w, fast]
}

/// Computes the solution at the end by a method of order eight, whose error is far below those of the pairs.
fn reference() -> [DoubleDouble; DIMENSION] {
    let method = library::method("cooper-verner-8").expect("a method of the library");
    solution(&parts(&method), 1 << EXPONENTS.end())
}

/// The rows of A, then b, of each partition.
type Rows = Vec<Vec<Vec<DoubleDouble>>>;

fn parts(method: &Method) -> Rows {
    let number = |x: &Exact| {
        let head = x.to_f64();
        let rest = Exact::from_f64(head).map(|head| (x.clone() - head).to_f64());
        DoubleDouble(head, rest.unwrap_or_default())
    };
    let row = |row: &Vec<Exact>| row.iter().map(number).collect();
    method.exact().partitions.iter().map(|part| part.a.iter().chain([&part.b]).map(row).collect()).collect()
}

/// Computes the solution at the end with equal steps, in twice the digits of doubles: errors of order p + 1 may fade only
/// after those of order p have reached the rounding errors of doubles.
fn solution(parts: &Rows, steps: usize) -> [DoubleDouble; DIMENSION] {
    let h = DoubleDouble::from(END / steps as f64);
    let part = |q: usize| &parts[if parts.len() == 1 { 0 } else { q / 2 }];
    let moved = |y: &[DoubleDouble; DIMENSION], rates: &[[DoubleDouble; DIMENSION]], i: usize| {
        std::array::from_fn(|q| {
            let sum = rates.iter().zip(&part(q)[i]).fold(DoubleDouble::ZERO, |sum, (rate, a)| sum + rate[q] * *a);
            y[q] + h * sum
        })
    };
    let stages = parts[0].len() - 1;
    let mut y = START.map(DoubleDouble::from);
    for _ in 0..steps {
        let mut rates: Vec<[DoubleDouble; DIMENSION]> = Vec::new();
        for i in 0..stages {
            rates.push(slopes(moved(&y, &rates, i)));
        }
        y = moved(&y, &rates, stages);
    }
    y
}

/// Checks that halving the step shows an order: approximately at first, then more accurately.
fn converges(method: &Method, order: usize, truth: &[DoubleDouble; DIMENSION]) -> Result<(), String> {
    let parts = parts(method);
    let error = |steps: usize| {
        let found = solution(&parts, steps);
        found.iter().zip(truth).map(|(x, y)| (*x - *y).0.powi(2)).sum::<f64>().sqrt()
    };
    let errors: Vec<f64> = EXPONENTS.map(|k| error(1 << k)).collect();
    let observed: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    let is_near = |(slope, tolerance): (&f64, f64)| (slope - order as f64).abs() < tolerance;
    require(observed.iter().rev().zip([0.1, 0.2]).all(is_near), || format!("observed {observed:.2?} of order {order}"))
}

/// Checks cˢ = cᶠ at every stage, to the given decimals.
#[test]
fn consistent_pairs_share_their_abscissae() {
    all(|method, design| {
        let tableau = method.exact();
        let [slow, fast] = [0, 1].map(|r| tableau.partitions[r].row_sums());
        let apart = slow.iter().zip(&fast).map(|(s, f)| (s.clone() - f.clone()).to_f64().abs()).fold(0.0, f64::max);
        let shared = design.specification.structure.shared_abscissae;
        require(!shared || apart < FINISHED, || format!("abscissae {apart:e} apart"))?;
        let names = ["-consistent", "-conservative"];
        require(shared == names.iter().any(|name| method.id().ends_with(name)), || {
            "abscissae are not as its name says".to_owned()
        })
    });
}
