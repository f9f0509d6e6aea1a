//! The solution to more decimals than the table, which a certificate adds to the coefficients.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method, Tableau};

use crate::pair::place::CoefficientIndex;
use crate::proof::free_coefficients::FreeCoefficients;

/// Number of decimals beyond those of a table to which a solution is refined. The remaining residuals then cause an
/// error of less than one unit of the table's last digit, even for equations whose inverse is as large as 1e15.
pub(crate) const BEYOND: usize = 30;
/// Largest number of decimals of a table.
const MOST_DECIMALS: usize = 2000;

/// An approximate solution near a table, to more decimals than the table has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolutionOffsets {
    /// The number of decimals.
    pub decimals: usize,
    /// The solution minus the table, in units of the last of these decimals.
    ///
    /// There is one number for each free coefficient of the pair, row by row with the weights last, for the slow
    /// and then for the fast partition; then one for each nonzero embedded weight and coefficient of a power of θ.
    pub further: Vec<IBig>,
}

impl SolutionOffsets {
    /// Computes the difference of two tableaus.
    pub(crate) fn between(
        unknowns: &FreeCoefficients,
        table: &Tableau<Exact>,
        solution: &Tableau<Exact>,
        decimals: usize,
    ) -> Option<Self> {
        let scale = RBig::from(unit(decimals));
        let difference = |place: &CoefficientIndex| {
            let difference = place.entry(solution).clone() - place.entry(table).clone();
            Some((difference.as_rational()? * &scale).round())
        };
        let further = unknowns.places.iter().map(difference).collect::<Option<Vec<IBig>>>()?;
        Some(Self { decimals, further })
    }

    /// Adds the difference to a table; `None` if the number of entries differs from the number of unknowns.
    pub(crate) fn beside(&self, unknowns: &FreeCoefficients, table: &Tableau<Exact>) -> Option<Tableau<Exact>> {
        let is_sound = self.decimals <= MOST_DECIMALS && self.further.len() == unknowns.places.len();
        let unit = unit(if is_sound { self.decimals } else { 0 });
        let moved = |k: usize, place: CoefficientIndex| {
            let further = RBig::from_parts(self.further[k].clone(), unit.clone());
            place.entry(table).clone() + Exact::from(further)
        };
        is_sound.then(|| unknowns.filled(table.stages(), table.partitions.len(), moved))
    }
}

/// Returns 10ⁿ.
pub(crate) fn unit(decimals: usize) -> UBig {
    UBig::from(10u8).pow(decimals)
}

/// Rounds a number to a number of decimals.
pub(crate) fn rounded(value: &RBig, decimals: usize) -> RBig {
    let scale = unit(decimals);
    RBig::from_parts((value * RBig::from(scale.clone())).round(), scale)
}

/// Returns the number of decimals of a table: the stated one, or that of its longest decimal.
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

/// Returns the number of digits behind the point of a decimal.
fn places(text: &str) -> Option<usize> {
    let (_, behind) = text.trim().split_once('.')?;
    behind.bytes().all(|byte| byte.is_ascii_digit()).then_some(behind.len())
}
