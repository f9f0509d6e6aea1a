//! The matrix M of the stability form of one or more partitions.

use hemiola_tableau::{Butcher, Exact};

use crate::monotonicity::Rows;

/// Computes M, in blocks BᵣA_q + AᵣᵀB_q − bᵣb_qᵀ of the partitions r and q.
///
/// For y' = Σ fᵣ(y), whose partitions share their stages Y, ‖yₙ₊₁‖² = ‖yₙ‖² + 2h Σ bᵢʳ⟨fᵣ(Yᵢ), Yᵢ⟩ − h² fᵀMf.
pub(super) fn stability_form(partitions: &[Butcher<Exact>]) -> Rows<Exact> {
    let s = partitions.first().map_or(0, Butcher::stages);
    let all: Vec<[usize; 2]> = (0..partitions.len()).flat_map(|r| (0..s).map(move |i| [r, i])).collect();
    let entry = |[r, i]: [usize; 2], [q, j]: [usize; 2]| {
        let (first, second) = (&partitions[r], &partitions[q]);
        let (b, d) = (&first.b[i], &second.b[j]);
        b.clone() * second.a[i][j].clone() + d.clone() * first.a[j][i].clone() - b.clone() * d.clone()
    };
    all.iter().map(|at| all.iter().map(|other| entry(*at, *other)).collect()).collect()
}
