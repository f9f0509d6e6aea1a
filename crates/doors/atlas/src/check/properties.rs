//! Further properties of a method (error constants, simplifying assumptions, symmetries) as JSON.

use hemiola_order::{DenseOutput, EmbeddedError, Norms, OrderReport, SimplifyingAssumptions, Verdict, VerifiedOrders};
use serde::Serialize;

/// Keys added to those of the check.
#[derive(Serialize)]
pub(super) struct Properties {
    coupling_order: Option<usize>,
    linear_order: Option<usize>,
    simplifying_assumptions: Assumptions,
    /// Null if no order was checked that fails.
    principal_error: Option<PrincipalError>,
    embedded_error: Option<Embedded>,
    symplectic: Symplectic,
    symmetric: Symmetric,
}

#[derive(Serialize)]
struct Assumptions {
    partitions: Vec<AssumptionOrders>,
    coupled: AssumptionOrders,
}

/// Orders of the simplifying assumptions B, C and D: numerically, as stated, and exactly.
#[derive(Serialize)]
struct AssumptionOrders {
    b: usize,
    c: usize,
    d: usize,
    as_stated: [usize; 3],
    exact: [usize; 3],
}

#[derive(Serialize)]
struct PrincipalError {
    order: usize,
    total: NormPair,
    partitions: Vec<NormPair>,
    coupling: NormPair,
}

/// 2-norm and ∞-norm.
#[derive(Serialize)]
struct NormPair {
    two: f64,
    infinity: f64,
}

#[derive(Serialize)]
struct Embedded {
    order: usize,
    principal_error: NormPair,
    b: f64,
    c: f64,
}

#[derive(Serialize)]
pub(super) struct Dense {
    order: usize,
    exact_order: usize,
    degree: usize,
    continuous: &'static str,
    smooth: &'static str,
}

#[derive(Serialize)]
struct Symplectic {
    within: &'static str,
    conjugate: Option<&'static str>,
    conjugate_separable: Option<&'static str>,
}

#[derive(Serialize)]
struct Symmetric {
    general: &'static str,
    separable: Option<&'static str>,
}

pub(super) fn properties(report: &OrderReport) -> Properties {
    let (symplecticity, symmetry) = (&report.symplecticity, &report.symmetry);
    Properties {
        coupling_order: report.coupling_order,
        linear_order: report.linear_order,
        simplifying_assumptions: Assumptions {
            partitions: report.assumptions.partitions.iter().map(letters).collect(),
            coupled: letters(&report.assumptions.coupled),
        },
        principal_error: report.principal_error.as_ref().map(|error| PrincipalError {
            order: error.order,
            total: size(&error.total),
            partitions: error.partitions.iter().map(size).collect(),
            coupling: size(&error.coupling),
        }),
        embedded_error: report.embedded_error.as_ref().map(embedded),
        symplectic: Symplectic {
            within: verdict(symplecticity.within),
            conjugate: symplecticity.conjugate.map(verdict),
            conjugate_separable: symplecticity.conjugate_separable.map(verdict),
        },
        symmetric: Symmetric { general: verdict(symmetry.general), separable: symmetry.separable.map(verdict) },
    }
}

fn letters(assumptions: &SimplifyingAssumptions) -> AssumptionOrders {
    let reaches = [assumptions.b, assumptions.c, assumptions.d];
    let [b, c, d] = reaches.map(|reach: VerifiedOrders| reach.order);
    AssumptionOrders {
        b,
        c,
        d,
        as_stated: reaches.map(|reach| reach.as_stated),
        exact: reaches.map(|reach| reach.exact),
    }
}

fn size(norms: &Norms) -> NormPair {
    NormPair { two: norms.two, infinity: norms.infinity }
}

fn embedded(error: &EmbeddedError) -> Embedded {
    Embedded { order: error.order, principal_error: size(&error.principal), b: error.growth, c: error.difference }
}

pub(super) fn dense(dense: &DenseOutput) -> Dense {
    let DenseOutput { order, exact_order, degree, continuous, smooth } = *dense;
    Dense { order, exact_order, degree, continuous: verdict(continuous), smooth: verdict(smooth) }
}

/// Returns a verdict as a word.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact => "exact",
        Verdict::ToPrecision => "to precision",
        Verdict::Numerically => "numerically",
        Verdict::Fails => "fails",
    }
}
