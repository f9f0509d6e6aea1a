//! The solution to more decimals than the table has: what a certificate adds to the coefficients.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method, Tableau};

use crate::pair::place::Place;
use crate::proof::free_coefficients::FreeCoefficients;

/// Decimals beyond those of a table to which a solution is refined: what is left of the residuals after these is less than a unit of
/// the table's last digit even for equations whose inverse is as large as 1e15.
pub(crate) const BEYOND: usize = 30;
/// No table has more decimals than this.
const MOST_DECIMALS: usize = 2000;

/// An approximate solution beside a table, to more decimals than the table has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The number of decimals.
    pub decimals: usize,
    /// The solution minus the table, in units of the last of these decimals: one number for each free coefficient of the pair, row by
    /// row and the weights last, for the slow and then for the fast partition; then for the embedded weights and for the powers of θ,
    /// where they are not zero.
    pub further: Vec<IBig>,
}

impl Solution {
    /// The difference of two tableaus.
    pub(crate) fn between(
        unknowns: &FreeCoefficients,
        table: &Tableau<Exact>,
        solution: &Tableau<Exact>,
        decimals: usize,
    ) -> Option<Self> {
        let scale = RBig::from(unit(decimals));
        let difference = |place: &Place| {
            let difference = place.entry(solution).clone() - place.entry(table).clone();
            Some((difference.as_rational()? * &scale).round())
        };
        let further = unknowns.places.iter().map(difference).collect::<Option<Vec<IBig>>>()?;
        Some(Self { decimals, further })
    }

    /// The solution; `None` if there are not as many numbers as unknowns.
    pub(crate) fn beside(&self, unknowns: &FreeCoefficients, table: &Tableau<Exact>) -> Option<Tableau<Exact>> {
        let is_sound = self.decimals <= MOST_DECIMALS && self.further.len() == unknowns.places.len();
        let unit = unit(if is_sound { self.decimals } else { 0 });
        let moved = |k: usize, place: Place| {
            let further = RBig::from_parts(self.further[k].clone(), unit.clone());
            place.entry(table).clone() + Exact::from(further)
        };
        is_sound.then(|| unknowns.filled(table.stages(), table.partitions.len(), moved))
    }
}

/// 10ⁿ.
pub(crate) fn unit(decimals: usize) -> UBig {
    UBig::from(10u8).pow(decimals)
}

/// The number to a number of decimals.
pub(crate) fn rounded(value: &RBig, decimals: usize) -> RBig {
    let scale = unit(decimals);
    RBig::from_parts((value * RBig::from(scale.clone())).round(), scale)
}

/// The number of decimals of a table: the stated one, or that of its longest decimal.
pub(crate) fn decimals(method: &Method) -> Option<usize> {
    let written = || {
        let parts = method.partitions().iter();
        let rows = parts.flat_map(|part| {
            part.a.iter().chain([&part.b]).chain(&part.b_hat).chain(part.dense.iter().flatten()).flatten()
        });
        rows.filter_map(|coefficient| places(coefficient.text())).max()
    };
    method.precision().map(|precision| precision.decimals as usize).or_else(written).filter(|n| *n <= MOST_DECIMALS)
}

/// The digits behind the point of a decimal.
fn places(text: &str) -> Option<usize> {
    let (_, behind) = text.trim().split_once('.')?;
    behind.bytes().all(|byte| byte.is_ascii_digit()).then_some(behind.len())
}
