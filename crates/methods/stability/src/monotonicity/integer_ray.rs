//! The conditions along a ray for explicit tableaus of fractions, in integer arithmetic. Without the reduction of
//! fractions, tableaus with many stages and digits take milliseconds.

use dashu::base::Signed;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::Exact;

use crate::function::integers::whole_numbers;
use crate::monotonicity::linear_solve::Rows;

/// A strictly lower triangular D and the columns R as integers over a common denominator.
pub(crate) struct IntegerRay {
    d: Rows<IBig>,
    right: Rows<IBig>,
    denominator: UBig,
}

impl IntegerRay {
    /// Converts D and R; returns `None` unless D is strictly lower triangular and all entries are rational.
    pub(crate) fn of(d: &Rows<Exact>, right: &Rows<Exact>) -> Option<Self> {
        let rational = |entry: &Exact| entry.as_rational().cloned();
        let entries = d.iter().chain(right).flatten().map(rational).collect::<Option<Vec<RBig>>>()?;
        if d.iter().enumerate().any(|(i, row)| row[i..].iter().any(|entry| *entry != Exact::from(0))) {
            return None;
        }
        let (whole, denominator) = whole_numbers(&entries.iter().collect::<Vec<&RBig>>());
        let mut whole = whole.into_iter();
        let mut take = |rows: &Rows<Exact>| rows.iter().map(|row| whole.by_ref().take(row.len()).collect()).collect();
        let d = take(d);
        Some(Self { d, right: take(right), denominator })
    }

    /// Returns whether (I + tD)⁻¹R ≥ 0, by forward substitution.
    ///
    /// With t = p/q, the denominator δ and σ = qδ, the rows are xᵢ/(δσⁱ), xᵢ = σⁱrᵢ − p Σⱼ σⁱ⁻¹⁻ʲ dᵢⱼxⱼ.
    pub(crate) fn is_nonnegative(&self, t: &RBig) -> bool {
        let sigma = IBig::from(t.denominator() * &self.denominator);
        let mut power = IBig::ONE;
        let mut rows: Rows<IBig> = Vec::with_capacity(self.d.len());
        for (d, right) in self.d.iter().zip(&self.right) {
            let entry = |(column, r): (usize, &IBig)| {
                let sum = rows.iter().zip(d).fold(IBig::ZERO, |sum, (row, d)| sum * &sigma + d * &row[column]);
                r * &power - sum * t.numerator()
            };
            let row: Vec<IBig> = right.iter().enumerate().map(entry).collect();
            if row.iter().any(Signed::is_negative) {
                return false;
            }
            rows.push(row);
            power *= &sigma;
        }
        true
    }
}
