//! Merit function f + ρ Σ |violation| and the acceptance of steps.

use super::program::{ProgramValues, Ranges};

/// Objective and total violation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Merit {
    pub(crate) objective: f64,
    pub(crate) violation: f64,
}

/// Recent iterates with which a new one is compared. The worst of the last few counts, so that steps that deviate from
/// curved constraints are not cut short (Maratos effect; Grippo, Lampariello & Lucidi 1986).
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    last: Vec<Merit>,
}

const REMEMBERED: usize = 4;

impl Merit {
    pub(crate) fn new(values: &ProgramValues, constraints: &Ranges) -> Self {
        Self { objective: values.objective, violation: constraints.excess(&values.constraints).sum() }
    }

    pub(crate) fn at(&self, price: f64) -> f64 {
        self.objective + price * self.violation
    }
}

impl History {
    pub(crate) fn add(&mut self, merit: Merit) {
        if self.last.len() == REMEMBERED {
            self.last.remove(0);
        }
        self.last.push(merit);
    }

    pub(crate) fn worst(&self, price: f64) -> f64 {
        self.last.iter().map(|merit| merit.at(price)).fold(f64::NEG_INFINITY, f64::max)
    }
}
