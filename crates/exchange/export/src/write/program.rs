//! Language-independent program of a step.
//!
//! Stage i of partition r is Y_i^r = y^r + h Σ_j a_ij^r k_j^r with k_j^r = f^r(t + c_j^r h, Y_j¹, …, Y_jᴺ). Zeros are
//! omitted, stages that are never evaluated are not formed, and derivatives that are never used are not computed.

use hemiola_tableau::{Butcher, Coefficient, Exact, Method, Tableau};

use super::literal::Literal;
use super::names::partition_names;

/// Form of the step that can be written besides the coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepForm {
    /// Every partition is explicit: a complete step.
    Explicit,
    /// One partition is diagonally implicit, the others are explicit: a step of y' = Σ f^r(t, y) for callers that can
    /// solve Y = u + q f(t, Y).
    Additive { implicit: usize },
    /// Stages depend on each other: only the coefficients.
    Implicit,
}

/// Step with the coefficients it uses.
pub(super) struct StepProgram {
    pub(super) form: StepForm,
    pub(super) parts: Vec<ProgramPartition>,
    /// Coefficients that the step uses, each once.
    pub(super) constants: Vec<(String, Literal)>,
    pub(super) stages: Vec<ProgramStage>,
    /// Sum for each state whose product with h is the increment of the step.
    pub(super) result: Vec<LinearCombination>,
    /// Sum for each state whose product with h is the difference from the embedded result.
    pub(super) error: Option<Vec<LinearCombination>>,
}

/// Partition in the program.
pub(super) struct ProgramPartition {
    /// Suffix of its variables: empty for a method with one partition, otherwise for example `_slow`.
    suffix: String,
    /// Stages at which the partition is evaluated, from 1.
    pub(super) evaluated: Vec<usize>,
}

/// Stage with at least one evaluation.
pub(super) struct ProgramStage {
    /// Sums of all states; an empty sum denotes the state at the beginning of the step.
    pub(super) states: Vec<LinearCombination>,
    pub(super) evaluations: Vec<Evaluation>,
}

/// Evaluation of a derivative.
pub(super) struct Evaluation {
    pub(super) partition: usize,
    pub(super) time: EvaluationTime,
    /// Name of the result.
    pub(super) derivative: String,
    /// Diagonal coefficient of a diagonally implicit stage.
    pub(super) diagonal: Option<String>,
}

/// Time of an evaluation.
pub(super) enum EvaluationTime {
    Start,
    End,
    Inside(String),
}

/// Σ coefficient · derivative, both by name.
#[derive(Clone, Default, PartialEq)]
pub(super) struct LinearCombination(pub(super) Vec<(String, String)>);

impl StepForm {
    pub(super) fn of(tableau: &Tableau<Exact>) -> Self {
        let parts = &tableau.partitions;
        let implicit: Vec<usize> = (0..parts.len()).filter(|&r| !parts[r].is_explicit()).collect();
        match implicit[..] {
            [] => Self::Explicit,
            [implicit] if parts[implicit].is_diagonally_implicit() => Self::Additive { implicit },
            _ => Self::Implicit,
        }
    }
}

impl ProgramPartition {
    /// Returns the partition's name of a variable: y, y_slow.
    pub(super) fn name(&self, variable: &str) -> String {
        format!("{variable}{}", self.suffix)
    }

    fn indexed(&self, variable: &str, indices: &[usize]) -> String {
        indices.iter().fold(self.name(variable), |name, index| format!("{name}_{}", index + 1))
    }

    /// Returns the name of the derivative at a stage counted from 1.
    pub(super) fn derivative(&self, stage: usize) -> String {
        self.indexed("k", &[stage - 1])
    }
}

impl LinearCombination {
    /// Writes the terms as products, with names in the syntax of a language.
    pub(super) fn products(&self, write: impl Fn(&str, &str) -> String) -> Vec<String> {
        if self.0.is_empty() {
            return vec!["0.0".to_owned()];
        }
        self.0.iter().map(|(coefficient, derivative)| write(coefficient, derivative)).collect()
    }
}

impl EvaluationTime {
    /// Writes the time, with the coefficient in the syntax of a language.
    pub(super) fn text(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            Self::Start => "t".to_owned(),
            Self::End => "t + h".to_owned(),
            Self::Inside(coefficient) => format!("t + {} * h", name(coefficient)),
        }
    }
}

impl StepProgram {
    /// Builds the step of an explicit or additive method; for an implicit method only the names of the partitions.
    pub(super) fn new(method: &Method) -> Self {
        let tableau = method.exact();
        let hats: Vec<_> = method.partitions().iter().map(|partition| partition.b_hat.as_deref().map(values)).collect();
        let form = StepForm::of(&tableau);
        let parts = parts(method, &tableau, &hats);
        let mut collector =
            CoefficientCollector { tableau: &tableau, hats, parts: &parts, form, constants: Vec::new() };
        let stages = if form == StepForm::Implicit { Vec::new() } else { collector.stages() };
        let result = collector.result();
        let error = collector.error();
        let constants = collector.constants;
        Self { form, parts, constants, stages, result, error }
    }

    /// Returns the names of a variable in all partitions.
    pub(super) fn names(&self, variable: &str) -> Vec<String> {
        self.parts.iter().map(|part| part.name(variable)).collect()
    }

    /// Returns the names of the vectors that a step stores for a partition: its derivatives and the state of a stage.
    pub(super) fn vectors(&self, r: usize) -> Vec<String> {
        let part = &self.parts[r];
        let derivatives = part.evaluated.iter().map(|&stage| part.derivative(stage));
        let has_stages = self.stages.iter().any(|stage| !stage.states[r].0.is_empty());
        derivatives.chain(has_stages.then(|| part.name("u"))).collect()
    }

    /// Returns the names of the states that the derivatives of a stage depend on: those of the stage if it has any.
    pub(super) fn arguments(&self, stage: &ProgramStage) -> Vec<String> {
        let name =
            |(part, sum): (&ProgramPartition, &LinearCombination)| part.name(if sum.0.is_empty() { "y" } else { "u" });
        self.parts.iter().zip(&stage.states).map(name).collect()
    }
}

fn is_zero(value: &Exact) -> bool {
    *value == Exact::from(0)
}

fn values(coefficients: &[Coefficient]) -> Vec<Exact> {
    coefficients.iter().map(|coefficient| coefficient.value().clone()).collect()
}

fn parts(method: &Method, tableau: &Tableau<Exact>, hats: &[Option<Vec<Exact>>]) -> Vec<ProgramPartition> {
    let names = partition_names(method);
    let evaluated = |butcher: &Butcher<Exact>, hat: &Option<Vec<Exact>>| {
        let in_tableau = butcher.evaluated_stages();
        let in_hat = |j: usize| hat.as_ref().is_some_and(|hat| !is_zero(&hat[j]));
        (0..butcher.stages()).filter(|&j| in_tableau.contains(&j) || in_hat(j)).map(|j| j + 1).collect()
    };
    let suffixes = names.iter().map(|name| if names.len() == 1 { String::new() } else { format!("_{name}") });
    let evaluated = tableau.partitions.iter().zip(hats).map(|(butcher, hat)| evaluated(butcher, hat));
    suffixes.zip(evaluated).map(|(suffix, evaluated)| ProgramPartition { suffix, evaluated }).collect()
}

/// Collects coefficients while the sums are written.
struct CoefficientCollector<'a> {
    tableau: &'a Tableau<Exact>,
    hats: Vec<Option<Vec<Exact>>>,
    parts: &'a [ProgramPartition],
    form: StepForm,
    constants: Vec<(String, Literal)>,
}

impl CoefficientCollector<'_> {
    fn stages(&mut self) -> Vec<ProgramStage> {
        let evaluated = |stage: usize| self.parts.iter().any(|part| part.evaluated.contains(&(stage + 1)));
        let stages: Vec<usize> = (0..self.tableau.stages()).filter(|&stage| evaluated(stage)).collect();
        stages.into_iter().map(|stage| self.stage(stage)).collect()
    }

    fn stage(&mut self, i: usize) -> ProgramStage {
        let tableau = self.tableau;
        let states = self.sums("a", |r| tableau.partitions[r].a[i][..i].to_vec(), &[i]);
        let here: Vec<usize> = (0..self.parts.len()).filter(|&r| self.parts[r].evaluated.contains(&(i + 1))).collect();
        let evaluations = here.into_iter().map(|r| self.evaluation(r, i)).collect();
        ProgramStage { states, evaluations }
    }

    fn evaluation(&mut self, partition: usize, i: usize) -> Evaluation {
        let (tableau, parts) = (self.tableau, self.parts);
        let (butcher, part) = (&tableau.partitions[partition], &parts[partition]);
        let time = match &butcher.c[i] {
            c if is_zero(c) => EvaluationTime::Start,
            c if *c == Exact::from(1) => EvaluationTime::End,
            c => EvaluationTime::Inside(self.constant(part.indexed("c", &[i]), c)),
        };
        let diagonal = &butcher.a[i][i];
        let diagonal = (!is_zero(diagonal)).then(|| self.constant(part.indexed("a", &[i, i]), diagonal));
        Evaluation { partition, time, derivative: part.derivative(i + 1), diagonal }
    }

    fn result(&mut self) -> Vec<LinearCombination> {
        let tableau = self.tableau;
        self.sums("b", |r| tableau.partitions[r].b.clone(), &[])
    }

    /// Builds Σ (b_j − b̂_j) k_j with differences computed before rounding.
    fn error(&mut self) -> Option<Vec<LinearCombination>> {
        let hats: Option<Vec<Vec<Exact>>> = self.hats.iter().cloned().collect();
        let hats = hats?;
        let tableau = self.tableau;
        let difference = |r: usize| {
            let b: &[Exact] = &tableau.partitions[r].b;
            b.iter().zip(&hats[r]).map(|(b, hat)| b.clone() - hat.clone()).collect()
        };
        Some(self.sums("e", difference, &[]))
    }

    /// Builds the sums of all states: one for each partition, or a single one for all partitions of an additive method.
    fn sums(&mut self, variable: &str, factors: impl Fn(usize) -> Vec<Exact>, row: &[usize]) -> Vec<LinearCombination> {
        let sums: Vec<LinearCombination> =
            (0..self.parts.len()).map(|r| self.sum(variable, r, &factors(r), row)).collect();
        match self.form {
            StepForm::Additive { .. } => vec![LinearCombination(sums.into_iter().flat_map(|sum| sum.0).collect())],
            StepForm::Explicit | StepForm::Implicit => sums,
        }
    }

    fn sum(&mut self, variable: &str, partition: usize, factors: &[Exact], row: &[usize]) -> LinearCombination {
        let parts = self.parts;
        let part = &parts[partition];
        let nonzero = (0..factors.len()).filter(|&j| !is_zero(&factors[j]));
        let term = |j: usize| {
            let name = part.indexed(variable, &[row, &[j]].concat());
            (self.constant(name, &factors[j]), part.derivative(j + 1))
        };
        LinearCombination(nonzero.map(term).collect())
    }

    fn constant(&mut self, name: String, value: &Exact) -> String {
        self.constants.push((name.clone(), Literal::new(value)));
        name
    }
}
