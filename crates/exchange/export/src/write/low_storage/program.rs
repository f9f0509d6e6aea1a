//! Registers of each class of low-storage methods, and the updates of a stage.

use hemiola_tableau::low_storage::{StorageClass, StorageForm};
use hemiola_tableau::{Coefficient, Exact, Method, influential_stages};

use crate::write::literal::Literal;

/// Step as a loop: `first`, then for each stage `before`, k = f(t + cᵢh, u), `after`, then `last`.
#[derive(Default)]
pub(super) struct RegisterProgram {
    /// Registers besides the result, the start y and the derivative k.
    pub(super) registers: Vec<&'static str>,
    /// Register of the solution, which the step returns.
    pub(super) result: &'static str,
    /// Vectors of coefficients, one entry for each stage.
    pub(super) vectors: Vec<(String, Vec<Literal>)>,
    pub(super) first: Vec<Update>,
    pub(super) before: Vec<Update>,
    pub(super) after: Vec<Update>,
    pub(super) last: Vec<Update>,
    pub(super) has_error: bool,
}

/// Assignment of a sum to a register; an empty sum is zero.
pub(super) struct Update {
    pub(super) target: &'static str,
    pub(super) terms: Vec<Term>,
}

/// Product of a coefficient, the step size and a register.
pub(super) struct Term {
    pub(super) factor: Factor,
    pub(super) has_step: bool,
    pub(super) register: &'static str,
}

/// Coefficient of a term.
pub(super) enum Factor {
    One,
    /// Entry of this vector for the stage.
    OfStage(String),
    Number(Literal),
}

fn term(factor: Factor, register: &'static str) -> Term {
    Term { factor, has_step: false, register }
}

fn one(register: &'static str) -> Term {
    term(Factor::One, register)
}

fn of_stage(vector: &str, register: &'static str) -> Term {
    term(Factor::OfStage(vector.to_owned()), register)
}

fn times_step(term: Term) -> Term {
    Term { has_step: true, ..term }
}

fn update(target: &'static str, terms: Vec<Term>) -> Update {
    Update { target, terms }
}

/// Names of the previous derivatives in methods of van der Houwen type, the newest first.
const DERIVATIVES: [&str; 15] =
    ["k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", "k11", "k12", "k13", "k14", "k15"];

impl RegisterProgram {
    /// Builds the step of a method with one partition in a form.
    pub(super) fn new(method: &Method, form: &StorageForm) -> Self {
        let vectors: Vec<(String, &[Exact])> = form.vectors();
        let literals = |(name, vector): &(String, &[Exact])| {
            (name.clone(), vector.iter().take(form.stages()).map(Literal::new).collect::<Vec<_>>())
        };
        let mut program = match form.class() {
            StorageClass::Houwen(registers) => Self::of_houwen(registers, &vectors, form.stages()),
            class => {
                let vectors = vectors.iter().map(literals).collect();
                let mut program = Self { result: "u", vectors, ..Self::default() };
                program.first.push(update("u", vec![one("y")]));
                match class {
                    StorageClass::TwoN => program.of_2n(),
                    class => program.of_2s(class),
                }
                program
            }
        };
        let tableau = method.exact().partitions.into_iter().next();
        let stages = tableau.as_ref().map(|butcher| influential_stages(std::slice::from_ref(butcher)));
        let stages = stages.unwrap_or_default();
        let c = tableau.map(|butcher| stages.iter().map(|&i| Literal::new(&butcher.c[i])).collect());
        program.vectors.push(("c".to_owned(), c.unwrap_or_default()));
        program.add_error(method, form, &stages);
        program
    }

    fn of_2n(&mut self) {
        self.registers.push("du");
        self.first.push(update("du", Vec::new()));
        self.after.push(update("du", vec![of_stage("A", "du"), times_step(one("k"))]));
        self.after.push(update("u", vec![one("u"), of_stage("B", "du")]));
    }

    fn of_2s(&mut self, class: StorageClass) {
        let second = if class == StorageClass::TwoSStar { "y" } else { "s2" };
        if second == "s2" {
            self.registers.push("s2");
            self.first.push(update("s2", Vec::new()));
            self.after.push(update("s2", vec![one("s2"), of_stage("delta", "u")]));
        }
        let mut terms = vec![of_stage("gamma1", "u"), of_stage("gamma2", second)];
        if class == StorageClass::ThreeSStar {
            terms.push(of_stage("gamma3", "y"));
        }
        terms.push(times_step(of_stage("beta", "k")));
        self.after.push(update("u", terms));
    }

    /// Builds uᵢ = x + h Σ aᵢⱼkⱼ from the last m − 1 derivatives; the oldest is added to x with its weight.
    /// Coefficients of stages before the first are zero.
    fn of_houwen(registers: usize, vectors: &[(String, &[Exact])], stages: usize) -> Self {
        let kept = &DERIVATIVES[..registers.saturating_sub(1).min(DERIVATIVES.len())];
        let zero = Exact::from(0);
        let delayed = |vector: &[Exact], delay: usize| -> Vec<Literal> {
            let at = |i: usize| i.checked_sub(delay).and_then(|j| vector.get(j)).unwrap_or(&zero);
            (0..stages).map(|i| Literal::new(at(i))).collect()
        };
        let mut program = Self { result: "x", ..Self::default() };
        program.registers.push("u");
        program.registers.extend(kept);
        program.first.push(update("x", vec![one("y")]));
        program.first.extend(kept.iter().map(|k| update(k, Vec::new())));
        let mut stage = vec![one("x")];
        for (d, (name, vector)) in vectors.iter().enumerate().skip(1) {
            program.vectors.push((name.clone(), delayed(vector, d)));
            stage.push(times_step(of_stage(name, kept[d - 1])));
        }
        program.before.push(update("u", stage));
        if let (Some((_, b)), Some(oldest)) = (vectors.first(), kept.last()) {
            program.vectors.push(("b".to_owned(), delayed(b, kept.len())));
            program.after.push(update("x", vec![one("x"), times_step(of_stage("b", oldest))]));
            let rest = kept.iter().enumerate().filter(|(d, _)| *d < stages).map(|(d, k)| {
                times_step(term(Factor::Number(Literal::new(b.get(stages - 1 - d).unwrap_or(&zero))), k))
            });
            program.last.push(update("x", [one("x")].into_iter().chain(rest).collect()));
        }
        let newer = ["k"].iter().chain(kept);
        let shifts: Vec<Update> =
            kept.iter().zip(newer).map(|(older, newer)| update(older, vec![one(newer)])).collect();
        // The oldest derivative goes first.
        program.after.extend(shifts.into_iter().rev());
        program
    }

    /// Adds the error estimate. It is computed from the registers at the end if δ has entries for it, otherwise
    /// accumulated over the stages. There is no estimate if the embedded weights use other stages.
    fn add_error(&mut self, method: &Method, form: &StorageForm, stages: &[usize]) {
        if form.embedded().is_some() {
            self.error_of_delta(form);
            return;
        }
        let Some(hat) = method.partitions().first().and_then(|partition| partition.b_hat.as_ref()) else { return };
        let zero = Exact::from(0);
        if (0..hat.len()).any(|j| !stages.contains(&j) && *hat[j].value() != zero) {
            return;
        }
        let weights = stages.iter().map(|&j| hat.get(j).map_or(&zero, Coefficient::value));
        let differences = form.butcher().b.into_iter().zip(weights).map(|(b, hat)| Literal::new(&(b - hat.clone())));
        self.vectors.push(("e".to_owned(), differences.collect()));
        self.first.push(update("err", Vec::new()));
        self.after.insert(0, update("err", vec![one("err"), times_step(of_stage("e", "k"))]));
        self.has_error = true;
    }

    /// Adds err = u − (S₂ + δ_{s+1}u + δ_{s+2}y)/Σδ.
    fn error_of_delta(&mut self, form: &StorageForm) {
        let vectors = form.vectors();
        let Some((_, delta)) = vectors.iter().find(|(name, _)| name == "delta") else { return };
        let total = delta.iter().fold(Exact::from(0), |sum, x| sum + x.clone());
        let Some(scale) = total.reciprocal() else { return };
        let s = form.stages();
        let share = |k: usize| delta.get(s + k).map(|x| -(x.clone() * scale.clone()));
        let factor = |value: Exact| Factor::Number(Literal::new(&value));
        let mut terms = vec![term(factor(-scale.clone()), "s2")];
        terms.extend(share(0).map(|value| term(factor(value + Exact::from(1)), "u")));
        terms.extend(share(1).map(|value| term(factor(value), "y")));
        self.last.push(update("err", terms));
        self.has_error = true;
    }

    /// Lists the registers in words.
    pub(super) fn registers_text(&self) -> String {
        let own = [self.result].into_iter().chain(self.registers.iter().copied()).collect::<Vec<_>>().join(", ");
        let keeps_start = [&self.before, &self.after, &self.last].into_iter().flatten();
        let keeps_start = keeps_start.flat_map(|update| &update.terms).any(|term| term.register == "y");
        let start = if keeps_start { ", and y, the solution at t" } else { "" };
        let error = if self.has_error { ", err for the error estimate" } else { "" };
        format!("{own}{error}{start}; k is the derivative, which codes may add to a register as they compute it")
    }
}
