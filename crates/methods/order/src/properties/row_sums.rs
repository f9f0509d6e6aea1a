//! Comparison of the abscissae with the row sums of A.

use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau};

use crate::verdict::equations::{EquationJudge, Equations};

/// Returns whether every abscissa is the row sum of A, exactly, to the precision of the coefficients or
/// numerically.
#[must_use]
pub fn has_row_sum_abscissae(method: &Method) -> bool {
    stages_off_row_sums(method).iter().all(Vec::is_empty)
}

/// Returns the stages of each partition, counted from 0, whose abscissa differs from the row sum of A, even
/// numerically.
///
/// ```
/// let pair = hemiola_tableau::library::method("lobatto-iiia-iiib-2").unwrap();
/// assert_eq!(hemiola_order::stages_off_row_sums(&pair), [vec![], vec![0, 1]]);
/// ```
#[must_use]
pub fn stages_off_row_sums(method: &Method) -> Vec<Vec<usize>> {
    let judge = EquationJudge::new(method, None);
    let is_off = |partition, stage: &usize| !judge.verdict(&RowSum { partition, stage: *stage }).holds();
    let stages = |partition| (0..method.stages()).filter(|stage| is_off(partition, stage)).collect();
    (0..method.partitions().len()).map(stages).collect()
}

/// Names the abscissae that differ from the row sums of A: `c2 = 1/3 is not the row sum 1/2 of A`. Returns `None` if there
/// are none.
///
/// ```
/// use hemiola_order::off_row_sums_text;
/// let pair = hemiola_tableau::library::method("lobatto-iiia-iiib-2").unwrap();
/// let text = off_row_sums_text(&pair).unwrap();
/// assert_eq!(text, "c1 = 0 of momentum is not the row sum 1/2 of A, and c2 = 1 of momentum is not 1/2");
/// ```
#[must_use]
pub fn off_row_sums_text(method: &Method) -> Option<String> {
    let exact = method.exact();
    let off = stages_off_row_sums(method);
    let places =
        off.iter().enumerate().flat_map(|(partition, stages)| stages.iter().map(move |stage| (partition, *stage)));
    let text = |(k, (partition, stage)): (usize, (usize, usize))| {
        let own = &exact.partitions[partition];
        let sum = own.a[stage].iter().cloned().fold(Exact::from(0), |sum, a| sum + a);
        let of = match method.partitions() {
            [_] => String::new(),
            several => format!(" of {}", several[partition].name),
        };
        let (c, sum) = (short(&own.c[stage]), short(&sum));
        let which = if k == 0 { format!("the row sum {sum} of A") } else { sum };
        format!("c{} = {c}{of} is not {which}", stage + 1)
    };
    let count = places.clone().count();
    let mut texts: Vec<String> = places.enumerate().take(MOST_NAMED).map(text).collect();
    if count > MOST_NAMED {
        texts.push(format!("{} more differ", count - MOST_NAMED));
    }
    let last = texts.pop()?;
    Some(if texts.is_empty() { last } else { format!("{}, and {last}", texts.join(", ")) })
}

/// Maximum number of abscissae that are named; the others are only counted.
const MOST_NAMED: usize = 3;

/// Formats a number as a short fraction or with twelve digits.
fn short(value: &Exact) -> String {
    const MOST_LETTERS: usize = 12;
    let text = value.to_string();
    if text.len() <= MOST_LETTERS { text } else { format!("{:.12}", value.to_f64()) }
}

/// The condition Σⱼ aᵢⱼ = cᵢ of one stage.
struct RowSum {
    partition: usize,
    stage: usize,
}

impl Equations for RowSum {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let Butcher { a, c, .. } = &tableau.partitions[self.partition];
        vec![a[self.stage].iter().cloned().fold(-c[self.stage].clone(), |sum, a| sum + a)]
    }
}
