//! Known row sums of a table.

use hemiola_tableau::{Butcher, Exact, Method};
use num_traits::{One, Zero};

use crate::polish::equation::PolishEquation;

/// Returns equations for row sums that are printed as exact numbers, or equal 0, 1 or those of the first partition
/// to all digits.
pub(crate) fn row_sums(method: &Method) -> Vec<PolishEquation> {
    let (exact, rounding) = (method.exact(), method.rounding());
    let partitions = method.partitions();
    let known = |partition: usize, row: usize| -> f64 {
        // One unit for each entry, because digits may have been truncated.
        partitions[partition].a[row].iter().filter_map(|x| rounding.unit(x)).sum::<f64>()
    };
    let sums: Vec<Vec<Exact>> = exact.partitions.iter().map(Butcher::row_sums).collect();
    let mut all = Vec::new();
    for (partition, part) in partitions.iter().enumerate() {
        for row in 0..method.stages() {
            let near = |wanted: &Exact| {
                (sums[partition][row].clone() - wanted.clone()).to_f64().abs() <= known(partition, row)
            };
            let printed = part.c.as_ref().map(|c| &c[row]);
            let meant = printed.filter(|c| rounding.unit(c).is_none()).map(|c| c.value().clone());
            let simple = || [Exact::zero(), Exact::one()].into_iter().find(near);
            if known(partition, row) == 0.0 {
                continue;
            }
            if let Some(sum) = meant.filter(near).or_else(simple) {
                all.push(PolishEquation::RowSum { partition, row, sum });
            } else if partition > 0 {
                let apart = (sums[partition][row].clone() - sums[0][row].clone()).to_f64().abs();
                if apart <= known(partition, row) + known(0, row) {
                    all.push(PolishEquation::SharedSum { partition, row });
                }
            }
        }
    }
    all
}
