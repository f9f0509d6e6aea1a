//! Whether a method belongs to a low-storage class.

use std::fmt;

use num_traits::Zero;

use crate::low_storage::family::{LowerRows, StorageFamily};
use crate::low_storage::fit::fitted;
use crate::low_storage::guess::Guess;
use crate::low_storage::table::text;
use crate::low_storage::{StorageClass, StorageForm};
use crate::tableau::influential_stages;
use crate::{Butcher, Exact, Method};

/// Difference from a class that is examined closely, relative to the largest coefficient.
const NEAR: f64 = 1e-6;
/// Difference from a class that is examined closely, in uncertainties of the coefficients.
const NEAR_IN_UNCERTAINTIES: f64 = 1e3;

/// Exactness with which a form gives a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Equality in exact arithmetic.
    Exactly,
    /// Equality to the precision of the coefficients, stated or inferred from their digits.
    ToPrecision,
    /// Equality up to wrong last digits ([`Rounding::slack`](crate::Rounding::slack)).
    Numerically,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exactly => "exactly",
            Self::ToPrecision => "to precision",
            Self::Numerically => "numerically",
        })
    }
}

/// A low-storage form of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundForm {
    /// The coefficients of the form.
    pub form: StorageForm,
    /// Exactness of the form.
    pub agreement: Agreement,
    /// Number of registers for a step.
    pub registers: usize,
    /// Number of registers for a step with its embedded solution, if there is one: as many as for the step if the form
    /// contains the embedded weights, otherwise one more, in which the embedded solution accumulates.
    pub registers_with_embedded: Option<usize>,
    /// Number of decimals of the coefficients that the agreement requires; `None` if it is exact.
    pub(crate) decimals: Option<usize>,
}

impl FoundForm {
    /// Creates the form in which a method is stated, with coefficients of this number of decimals.
    ///
    /// If the form does not contain the embedded weights of the method, they take one more register.
    #[must_use]
    pub fn stated(form: StorageForm, decimals: usize, has_embedded: bool) -> Self {
        let registers = form.class().registers();
        let is_embedded = form.embedded().is_some();
        Self {
            registers,
            registers_with_embedded: has_embedded.then_some(registers + usize::from(!is_embedded)),
            form,
            agreement: Agreement::ToPrecision,
            decimals: Some(decimals),
        }
    }

    /// Returns the names of the vectors of coefficients and their texts: fractions and roots of an exact form,
    /// otherwise as many decimals as the agreement requires.
    #[must_use]
    pub fn texts(&self) -> Vec<(String, Vec<String>)> {
        let write = |x: &Exact| text(x, self.decimals);
        self.form.vectors().into_iter().map(|(name, vector)| (name, vector.iter().map(write).collect())).collect()
    }
}

/// Lists the classes to which one partition of a method, counted from 0, belongs by itself: those with the fewest
/// registers first. Of the classes 2R, 3R, … only the one with the fewest registers is listed, and only if it has fewer
/// registers than stages.
///
/// ```
/// use hemiola_tableau::{library::method, low_storage::storage_forms};
/// let names: Vec<String> = storage_forms(&method("ssp-rk-3-3")?, 0).iter().map(|f| f.form.class().to_string()).collect();
/// assert_eq!(names, ["2S*", "2S", "3S*"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn storage_forms(method: &Method, partition: usize) -> Vec<FoundForm> {
    let Some(subject) = Subject::new(method, partition) else { return Vec::new() };
    let s = subject.stages;
    let two = [StorageClass::TwoN, StorageClass::TwoSStar, StorageClass::TwoS];
    let mut found: Vec<FoundForm> = two.into_iter().filter_map(|class| subject.form(class)).collect();
    let fewest = (2..s.max(3)).find_map(|m| subject.form(StorageClass::Houwen(m)));
    found.extend(fewest);
    found.extend(subject.form(StorageClass::ThreeSStar));
    found.sort_by_key(|form| form.registers);
    found
}

/// Returns the form of one partition of a method, counted from 0, in a class; `None` if the partition by itself does not
/// belong to the class or is absent.
///
/// The form consists of the stages that influence the step; others, such as a last stage for embedded weights only, are
/// omitted. In exact arithmetic both verdicts are proofs. Rounded coefficients belong to the class if exact arithmetic
/// confirms a form whose tableau agrees with each of them to its precision. Zeros and short decimals among rounded
/// coefficients may be rounded as well.
#[must_use]
pub fn storage_form(method: &Method, partition: usize, class: StorageClass) -> Option<FoundForm> {
    Subject::new(method, partition)?.form(class)
}

/// An explicit tableau without stages that have no influence.
struct Subject {
    stages: usize,
    /// The rows of A below the first, and b.
    rows: LowerRows<Exact>,
    /// The embedded weights, if they involve no other stage.
    embedded: Option<Vec<Exact>>,
    has_embedded: bool,
    /// Possible errors of all entries: by rounding, and by wrong last digits. The last s belong to the embedded
    /// weights.
    tolerances: [Option<Vec<f64>>; 2],
}

impl Subject {
    fn new(method: &Method, partition: usize) -> Option<Self> {
        let alone = method.partition_alone(partition)?;
        let butcher = alone.exact().partitions.pop().filter(Butcher::is_explicit)?;
        let stages = influential_stages(std::slice::from_ref(&butcher));
        let pick = |row: &[Exact], count: usize| stages[..count].iter().map(|&j| row[j].clone()).collect::<Vec<_>>();
        let s = stages.len();
        let matrix = stages.iter().enumerate().skip(1).map(|(i, &stage)| pick(&butcher.a[stage], i));
        let rows: LowerRows<Exact> = matrix.chain((s > 0).then(|| pick(&butcher.b, s))).collect();
        let hat = alone.partitions()[0].b_hat.as_ref();
        let values = hat.map(|hat| hat.iter().map(|weight| weight.value().clone()).collect::<Vec<Exact>>());
        let uses_others = |hat: &Vec<Exact>| hat.iter().enumerate().any(|(j, x)| !x.is_zero() && !stages.contains(&j));
        let embedded = values.filter(|hat| !uses_others(hat)).map(|hat| pick(&hat, s));
        let rounding = method.rounding();
        let given = &alone.partitions()[0];
        let tolerance = |of: &dyn Fn(&crate::Coefficient) -> f64| {
            let rows = stages.iter().enumerate().skip(1).map(|(i, &stage)| (&given.a[stage], i));
            let rows = rows.chain([(&given.b, s)]).chain(given.b_hat.iter().map(|hat| (hat, s)));
            positive(rows.flat_map(|(row, count)| stages[..count].iter().map(|&j| of(&row[j]))).collect())
        };
        let tolerances =
            [tolerance(&|coefficient| rounding.of(coefficient)), tolerance(&|coefficient| rounding.slack(coefficient))];
        (s > 0).then_some(Self { stages: s, rows, embedded, has_embedded: hat.is_some(), tolerances })
    }

    /// Returns the form with the embedded weights where these belong to it, otherwise without.
    fn form(&self, class: StorageClass) -> Option<FoundForm> {
        let can_embed = matches!(class, StorageClass::TwoS | StorageClass::ThreeSStar);
        let with_embedded = self.embedded.as_ref().filter(|_| can_embed).and_then(|hat| {
            let rows = self.rows.iter().chain([hat]).cloned().collect();
            self.recognized(StorageFamily { class, stages: self.stages, has_embedded: true }, &rows)
        });
        let (is_embedded, found) = match with_embedded {
            Some(found) => (true, Some(found)),
            None => {
                (false, self.recognized(StorageFamily { class, stages: self.stages, has_embedded: false }, &self.rows))
            }
        };
        let (form, agreement) = found?;
        let registers = class.registers();
        let registers_with_embedded = self.has_embedded.then_some(registers + usize::from(!is_embedded));
        let decimals = match agreement {
            Agreement::Exactly => None,
            Agreement::ToPrecision => self.decimals(0),
            Agreement::Numerically => self.decimals(1),
        };
        Some(FoundForm { form, agreement, registers, registers_with_embedded, decimals })
    }

    /// Returns the decimals that keep the errors of rounding far below a tolerance.
    fn decimals(&self, tolerance: usize) -> Option<usize> {
        let least = self.tolerances[tolerance].iter().flatten().copied().reduce(f64::min)?;
        Some((-least.log10()).ceil().max(0.0) as usize)
    }

    fn recognized(&self, family: StorageFamily, rows: &LowerRows<Exact>) -> Option<(StorageForm, Agreement)> {
        let exact = Guess { family, rows, is_negligible: &Exact::is_zero }.parameters();
        if let Some(parameters) = exact.filter(|parameters| are_equal(&family.rows(parameters), rows)) {
            return Some((family.form(&family.rescaled(parameters))?, Agreement::Exactly));
        }
        let doubles: LowerRows<f64> = rows.iter().map(|row| row.iter().map(Exact::to_f64).collect()).collect();
        let largest = doubles.iter().flatten().fold(1.0, |largest: f64, x| largest.max(x.abs()));
        let kinds = [Agreement::ToPrecision, Agreement::Numerically];
        self.tolerances.iter().zip(kinds).find_map(|(tolerance, agreement)| {
            let tolerance = tolerance.as_ref()?;
            let uncertainty = tolerance.iter().copied().fold(0.0, f64::max);
            let near = (NEAR * largest).max(NEAR_IN_UNCERTAINTIES * uncertainty);
            let start = Guess { family, rows: &doubles, is_negligible: &|x: &f64| x.abs() <= near }.parameters()?;
            let parameters = fitted(family, &start, rows, tolerance)?;
            Some((family.form(&family.rescaled(parameters))?, agreement))
        })
    }
}

/// Replaces the zeros among uncertainties, those of zeros and short decimals in a rounded table, by the smallest of the
/// others. Returns `None` if all are zero.
fn positive(mut uncertainties: Vec<f64>) -> Option<Vec<f64>> {
    let smallest = uncertainties.iter().copied().filter(|x| *x > 0.0).min_by(f64::total_cmp)?;
    uncertainties.iter_mut().filter(|x| **x == 0.0).for_each(|x| *x = smallest);
    Some(uncertainties)
}

fn are_equal(x: &LowerRows<Exact>, y: &LowerRows<Exact>) -> bool {
    x.iter().flatten().zip(y.iter().flatten()).all(|(x, y)| (x.clone() - y.clone()).is_zero())
}
