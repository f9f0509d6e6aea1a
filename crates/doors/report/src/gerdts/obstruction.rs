//! The tree whose condition no linearized method satisfies.

use hemiola_order::{CheckOptions, Condition, OrderCheck, StageSolution};
use hemiola_tableau::library;

use crate::markdown::{digits, table};
use crate::papers::GERDTS as NAME;
use crate::report::{Report, ReportError};
use hemiola_plot::TreeFigure;

/// Returns the order conditions up to a given order that Gauss's method of order six violates with q iterations.
pub(crate) fn failures(iterations: usize, highest_order: usize) -> Result<Vec<Condition>, ReportError> {
    let stages = StageSolution::Linearized { iterations };
    let gauss = library::method("gauss-3")?;
    let check = OrderCheck::new(&gauss, CheckOptions { highest_order, stages, ..CheckOptions::default() })?;
    Ok(check.failures().cloned().collect())
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let failures = failures(1, 6)?;
    let row = |condition: &Condition| {
        vec![
            format!("`{}`", condition.tree.text(&["all"])),
            condition.tree.order().to_string(),
            format!("1/{}", condition.tree.density()),
            digits(condition.value, 6),
            digits(condition.residual, 6),
        ]
    };
    let columns = ["tree", ">order", ">1/γ", ">Φ", ">residual"];
    let figure = failures.iter().fold(TreeFigure::new(&[("all", "all")]), TreeFigure::condition);
    let figure =
        figure.description("The trees of orders five and six that Gauss's method fails after one Newton iteration");
    let text = TEXT.replace("{failures}", &table(&columns, failures.iter().map(row)));
    Ok(Report { text, figures: vec![(format!("{NAME}-obstruction.svg"), figure.gallery().into())] })
}

const TEXT: &str = "\
### The obstruction at order five

> “the terms involving the derivative f″(f′f, f′f) are missing in the Taylor expansion of the approximate solution.”

The three-stage Gauss method has order 6. With q = 1 it violates only this one of the nine conditions of order 5 (the
first), and four of order 6:

![The trees that gauss-3 fails with one iteration](gerdts-2003-obstruction.svg)

{failures}
The expansion of order 5 in the paper is right: eight terms are there as printed, and f″(f′f, f′f), the
tree [[τ],[τ]], is missing. The weights show that no choice of coefficients helps. The Newton iterate is
linear in its correction of the start; the start k⁽⁰⁾ = f(y) contains only the single node, Ψ⁽⁰⁾([τ]) = 0. So in

Ψ⁽¹⁾([t₁, t₂]) = a₁a₂ + w₁a₂ + a₁w₂,  aₗ = A Ψ⁽⁰⁾(tₗ),  wₗ = A(Ψ⁽¹⁾ − Ψ⁽⁰⁾)(tₗ),

the product w₁w₂ of two subtrees that both need correction does not occur: with t₁ = t₂ = [τ] all terms are zero,
Φ = 0 ≠ 1/20 for every tableau. A second iteration starts from a₁ ≠ 0 and repairs it.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tree_of_order_five_is_missing_and_a_second_iteration_brings_it() {
        let failing = failures(1, 5).unwrap();
        let [condition] = &failing[..] else { panic!("{failing:?}") };
        assert_eq!(condition.tree.text(&["all"]), "[[τ],[τ]]");
        assert!(condition.value == 0.0 && (condition.residual + 0.05).abs() < 1e-16);
        assert!(failures(2, 6).unwrap().is_empty());
    }
}
