//! Numbers of trees agree with generating functions (Euler transforms), which count without enumeration.

use hemiola_order::{
    Grammar, NodeKind, NystromProblem, SharedCoefficients, StageSolution, TreeId, Trees, Weights,
    essential_nystrom_trees, essential_trees, nystrom_trees,
};
use hemiola_tableau::{Scalar, Tableau};
use hemiola_tests::reference;

/// Returns the counts called `field`, from order 1 on.
fn expected(field: &str) -> Vec<usize> {
    let counts = reference::records("tree_counts.json", field);
    counts.iter().map(|count| count.as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)).collect()
}

fn trees(grammar: &Grammar, order: usize) -> Trees {
    Trees::new(grammar, order).unwrap_or_else(|error| panic!("{error}"))
}

/// Counts the trees of each order that satisfy a condition.
fn counts(trees: &Trees, mut condition: impl FnMut(TreeId) -> bool) -> Vec<usize> {
    (1..=trees.highest_order()).map(|n| trees.of_order(n).into_iter().filter(|&tree| condition(tree)).count()).collect()
}

#[test]
fn one_color() {
    let trees = trees(&Grammar::partitioned(1), 17);
    assert_eq!(counts(&trees, |_| true), expected("rooted_trees_A000081")[..17]);
}

#[test]
fn two_colors() {
    let trees = trees(&Grammar::partitioned(2), 10);
    let general = counts(&trees, |_| true);
    assert_eq!(general, expected("prk_conditions_general")[..10]);
    let one_root = counts(&trees, |tree| trees.kind(tree) == NodeKind::Partition(0));
    assert_eq!(one_root, expected("bicolored_one_root_color_A000151")[..10]);
    let coupling = counts(&trees, |tree| (0..2).all(|color| !trees.tree(tree).is_monochromatic(color)));
    assert_eq!(coupling, expected("coupling_general")[..10]);
    let cumulative = expected("prk_cumulative_general");
    assert_eq!(general.iter().sum::<usize>(), cumulative[9]);
}

/// Checks counts without enumeration, which reach higher orders.
#[test]
fn counted_without_enumeration() {
    for (colors, field) in [(1, "rooted_trees_A000081"), (2, "prk_conditions_general")] {
        let found: Vec<usize> =
            Grammar::partitioned(colors).counts(14).unwrap().into_iter().map(|count| count as usize).collect();
        assert_eq!(found, expected(field)[..14], "{colors} colors");
    }
}

#[test]
fn separable() {
    let trees = trees(&Grammar::separable(2), 14);
    assert_eq!(counts(&trees, |_| true), expected("prk_separable_alternating"));
}

/// Checks that only one of several trees with equal conditions is kept if abscissae or weights are shared.
#[test]
fn shared_coefficients() {
    for (abscissae, weights, field) in [
        (true, false, "prk_conditions_c_eq_chat"),
        (false, true, "prk_conditions_b_eq_bhat"),
        (true, true, "prk_conditions_b_eq_bhat_and_c_eq_chat"),
    ] {
        let shared = SharedCoefficients { abscissae, weights };
        let count = |order| essential_trees(2, order, shared).unwrap_or_else(|error| panic!("{error}")).len();
        assert_eq!((1..=8).map(count).collect::<Vec<_>>(), expected(field)[..8], "{field}");
    }
}

#[test]
fn nystrom() {
    use NystromProblem::{General, Special};
    for (problem, has_row_sums, highest, field) in [
        (Special, false, 14, "nystrom_special_yddot_f_of_y"),
        (Special, true, 14, "nystrom_special_with_rowsum_abar_eq_c2_over_2"),
        (General, false, 10, "nystrom_N_trees_general"),
        (General, true, 10, "nystrom_N_trees_rowsum_a_eq_c"),
    ] {
        let trees = if has_row_sums { essential_nystrom_trees } else { nystrom_trees };
        let count = |order| trees(problem, order).unwrap_or_else(|error| panic!("{error}")).len();
        assert_eq!((1..=highest).map(count).collect::<Vec<_>>(), expected(field)[..highest], "{field}");
    }
}

/// Checks that, after one Newton iteration, only trees contribute in which every node has at most one child that is not
/// a leaf.
#[test]
fn linearized() {
    let trees = trees(&Grammar::partitioned(1), 12);
    // Positive coefficients without any relation make every weight positive that does not vanish identically.
    let a = [[3, 1, 4], [1, 5, 9], [2, 6, 5]].map(|row| row.map(|entry| f64::ratio(entry, 10)).to_vec()).to_vec();
    let tableau = Tableau::new(vec![(a, vec![0.2, 0.3, 0.5], None)]);
    let mut weights = Weights::new(&trees, &tableau, StageSolution::Linearized { iterations: 1 });
    let found = counts(&trees, |tree| weights.elementary_weight(tree) != 0.0);
    assert_eq!(found, expected("lirk_nonvanishing_caterpillars")[..12]);
}
