//! Methods prepared for steps: coefficients, and the rates to evaluate at each stage and time.

use hemiola_tableau::{Butcher, Jacobian, Method, Scheme};
use thiserror::Error;

/// Treatment of the stage equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StageTreatment {
    /// Stages are computed one after another.
    Explicit,
    /// Newton's method iterates to rounding accuracy.
    Implicit,
    /// Exactly q Newton iterations start from k = f(y) (Gerdts 2003).
    Linearized(usize),
}

/// Reason why a scheme cannot be used for optimization.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The steps of the scheme have no derivatives here.
    #[error(
        "{scheme}: the derivatives of its steps are not available; expected a method, or linearized:METHOD,q=N \
    with N ≥ 1"
    )]
    NoDerivatives {
        /// Scheme.
        scheme: String,
    },
    /// The numbers of partitions of the method and the system differ.
    #[error(
        "{method} has {found} partitions, but the system has {expected}; expected one partition or the same number"
    )]
    Partitions {
        /// Method.
        method: String,
        /// Number of partitions of the method.
        found: usize,
        /// Number of partitions of the system.
        expected: usize,
    },
}

/// Method for a system with a given number of variables, with stages prepared for derivatives.
///
/// ```
/// use hemiola_optimize::StepRule;
/// use hemiola_tableau::{Scheme, library};
/// let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
/// let rule = StepRule::new(&Scheme::parse("linearized:radau-iia-2", find)?, &[7])?;
/// assert_eq!(rule.label(), "linearized:radau-iia-2,q=1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StepRule {
    label: String,
    pub(crate) treatment: StageTreatment,
    pub(crate) tableaus: Vec<Butcher<f64>>,
    /// Partition of each variable.
    pub(crate) partition: Vec<usize>,
    pub(crate) evaluations: Vec<RateEvaluation>,
}

/// Evaluation of the rates of some variables at one stage and one time.
#[derive(Clone, Debug)]
pub(crate) struct RateEvaluation {
    pub(crate) stage: usize,
    pub(crate) c: f64,
    pub(crate) rows: Vec<usize>,
}

impl StepRule {
    /// Prepares a scheme for a system whose partitions have these sizes.
    ///
    /// # Errors
    /// [`RuleError`] if the method has neither one partition nor as many as the system, or has no derivatives here: the
    /// singular-perturbation scheme and decoupled linearized methods do not.
    pub fn new(scheme: &Scheme, sizes: &[usize]) -> Result<Self, RuleError> {
        let (method, treatment) = match scheme {
            Scheme::Method(method) => {
                (method, if is_explicit(method) { StageTreatment::Explicit } else { StageTreatment::Implicit })
            }
            Scheme::Linearized { method, iterations, jacobian: Jacobian::Exact } if *iterations > 0 => {
                (method, StageTreatment::Linearized(*iterations))
            }
            _ => return Err(RuleError::NoDerivatives { scheme: scheme.label() }),
        };
        let found = method.partitions().len();
        if found != 1 && found != sizes.len() {
            let method = method.id().to_owned();
            return Err(RuleError::Partitions { method, found, expected: sizes.len() });
        }
        let tableaus = method.to_f64().partitions;
        let place = |r: usize| if found == 1 { 0 } else { r };
        let partition: Vec<usize> =
            sizes.iter().enumerate().flat_map(|(r, &size)| std::iter::repeat_n(place(r), size)).collect();
        let evaluations = evaluations(&tableaus, &partition);
        Ok(Self { label: scheme.label(), treatment, tableaus, partition, evaluations })
    }

    /// Returns the scheme as written.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn stages(&self) -> usize {
        self.tableaus[0].stages()
    }

    /// Returns the number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.partition.len()
    }

    /// Returns aᵢⱼ of the partition of a variable.
    pub(crate) fn a(&self, variable: usize, i: usize, j: usize) -> f64 {
        self.tableaus[self.partition[variable]].a[i][j]
    }

    /// Returns bⱼ of the partition of a variable.
    pub(crate) fn b(&self, variable: usize, j: usize) -> f64 {
        self.tableaus[self.partition[variable]].b[j]
    }
}

fn is_explicit(method: &Method) -> bool {
    let is_lower = |tableau: &Butcher<f64>| {
        tableau.a.iter().enumerate().all(|(i, row)| row[i..].iter().all(|entry| *entry == 0.0))
    };
    method.to_f64().partitions.iter().all(is_lower)
}

/// Lists the evaluations stage by stage: the rates of each partition that later stages or the result use. Rates at
/// equal times are evaluated together.
fn evaluations(tableaus: &[Butcher<f64>], partition: &[usize]) -> Vec<RateEvaluation> {
    let mut all: Vec<RateEvaluation> = Vec::new();
    for stage in 0..tableaus[0].stages() {
        for (r, tableau) in tableaus.iter().enumerate() {
            let is_used = tableau.b[stage] != 0.0 || tableau.a.iter().any(|row| row[stage] != 0.0);
            let rows: Vec<usize> = (0..partition.len()).filter(|&v| partition[v] == r).collect();
            if !is_used || rows.is_empty() {
                continue;
            }
            let c = tableau.c[stage];
            match all.iter_mut().find(|known| known.stage == stage && known.c == c) {
                Some(known) => known.rows.extend(rows),
                None => all.push(RateEvaluation { stage, c, rows }),
            }
        }
    }
    all
}
