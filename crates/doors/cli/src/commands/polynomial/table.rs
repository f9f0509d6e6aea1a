//! Tables of limits versus the number of stages or the damping, with one column per order.

use hemiola::atlas::polynomial::{DigitRequest, axis};
use hemiola::figure::Figure;
use hemiola::number::Counter;
use hemiola::plot::{LimitCurve, LimitVariable, limits_figure};
use hemiola::polynomial::{Axis, Optimum, PolynomialError, Spectrum};
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::{self, Column};

use super::page::efficiency;
use super::request::Request;

/// Quantity that varies from row to row.
pub(crate) enum TableRows {
    Stages(Vec<usize>),
    /// Dampings for one number of stages.
    Damping(usize, Vec<f64>),
}

/// Limits of all rows and columns.
pub(crate) struct LimitTable {
    rows: TableRows,
    orders: Vec<usize>,
    /// Entries row by row; fewer than requested if Ctrl-C was pressed.
    entries: Vec<LimitEntry>,
    pub(crate) asked: usize,
    spectrum: Spectrum,
}

#[derive(Serialize)]
struct LimitEntry {
    stages: usize,
    order: usize,
    damping: f64,
    limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    value: f64,
    #[serde(skip)]
    efficiency: Option<(&'static str, f64)>,
    #[serde(skip)]
    failure: Option<Failure>,
}

impl TableRows {
    fn len(&self) -> usize {
        match self {
            Self::Stages(stages) => stages.len(),
            Self::Damping(_, dampings) => dampings.len(),
        }
    }

    /// Returns the stages and the damping of a row.
    fn at(&self, row: usize, request_damping: f64) -> (usize, f64) {
        match self {
            Self::Stages(stages) => (stages[row], request_damping),
            Self::Damping(stages, dampings) => (*stages, dampings[row]),
        }
    }
}

impl LimitTable {
    pub(crate) fn new(
        request: &Request,
        rows: TableRows,
        orders: &[usize],
        damping: f64,
        digits: DigitRequest,
    ) -> Self {
        let cells: Vec<(usize, usize)> =
            (0..rows.len()).flat_map(|row| orders.iter().map(move |order| (row, *order))).collect();
        let monitor = Monitor::stopped_by(&Interrupt::listen());
        let counter = Counter::new(&monitor, "polynomials", Some(cells.len()));
        let solve = |&(row, order): &(usize, usize)| {
            let (stages, damping) = rows.at(row, damping);
            counter.run(|| LimitEntry::new(request, (stages, order, damping), digits))
        };
        // One cell may take a thousand times as long as another, so each is a separate task.
        let entries: Vec<Option<LimitEntry>> = cells.par_iter().with_max_len(1).map(solve).collect();
        monitor.finish();
        Self {
            entries: entries.into_iter().map_while(|entry| entry).collect(),
            asked: cells.len(),
            spectrum: request.spectrum.clone(),
            orders: orders.to_vec(),
            rows,
        }
    }

    /// Returns the number of entries computed.
    pub(crate) fn done(&self) -> usize {
        self.entries.len()
    }

    /// Returns the first failure if no entry could be computed.
    pub(crate) fn failure(&mut self) -> Option<Failure> {
        if self.entries.iter().any(|entry| entry.failure.is_none()) {
            return None;
        }
        self.entries.first_mut().and_then(|entry| entry.failure.take())
    }

    pub(crate) fn json(&self) -> impl Serialize {
        &self.entries
    }

    pub(crate) fn page(&self) -> String {
        let orders: Vec<String> = self.orders.iter().map(|p| format!("p = {p}")).collect();
        let ratio = match axis(&self.spectrum) {
            Some(Axis::Imaginary) => Some("L/s"),
            Some(Axis::Real) => Some("L/s²"),
            None => None,
        };
        let (title, variable) = match &self.rows {
            TableRows::Stages(_) => (String::new(), "s"),
            TableRows::Damping(stages, _) => (format!(", {}", text::counted(*stages, "stage")), "η"),
        };
        let mut columns = vec![(variable, Column::Right)];
        for order in &orders {
            columns.push((order.as_str(), Column::Left));
            columns.extend(ratio.map(|ratio| (ratio, Column::Left)));
        }
        let rows = self.entries.chunks(self.orders.len()).map(|row| self.row(row, ratio.is_some(), columns.len()));
        let table = text::table(&columns, rows);
        format!("Limits on the {}{title}\n\n{table}{}", self.spectrum, self.reasons())
    }

    fn row(&self, entries: &[LimitEntry], with_ratio: bool, width: usize) -> Vec<String> {
        let variable = match self.rows {
            TableRows::Stages(_) => entries[0].stages.to_string(),
            TableRows::Damping(..) => entries[0].damping.to_string(),
        };
        let mut cells = vec![variable];
        for entry in entries {
            cells.push(entry.limit.clone().unwrap_or_else(|| DASH.to_owned()));
            if with_ratio {
                cells.push(entry.efficiency.map_or_else(|| DASH.to_owned(), |(_, ratio)| format!("{ratio:.6}")));
            }
        }
        cells.resize(width, String::new());
        cells
    }

    /// Lists each reason once, with the message of the first cell it applies to.
    fn reasons(&self) -> String {
        let mut kinds: Vec<(&Failure, Vec<String>)> = Vec::new();
        for entry in &self.entries {
            let Some(failure) = &entry.failure else { continue };
            let cell = match self.rows {
                TableRows::Stages(_) => format!("s = {}, p = {}", entry.stages, entry.order),
                TableRows::Damping(..) => format!("η = {}, p = {}", entry.damping, entry.order),
            };
            match kinds.iter_mut().find(|(first, _)| same_kind(first, failure)) {
                Some((_, cells)) => cells.push(cell),
                None => kinds.push((failure, vec![cell])),
            }
        }
        let line = |(failure, cells): &(&Failure, Vec<String>)| {
            let others = match cells.len() - 1 {
                0 => String::new(),
                1 => format!("; likewise {}", cells[1]),
                others => format!("; {others} more likewise"),
            };
            format!("\n{}", text::entries(&[(DASH, format!("{failure}{others}"))]))
        };
        kinds.iter().map(line).collect()
    }

    /// Draws a figure with one curve per order.
    pub(crate) fn figure(&self) -> Figure {
        let variable = match self.rows {
            TableRows::Stages(_) => LimitVariable::Stages,
            TableRows::Damping(..) => LimitVariable::Damping,
        };
        let abscissa = |entry: &LimitEntry| match variable {
            LimitVariable::Stages => entry.stages as f64,
            LimitVariable::Damping => entry.damping,
        };
        let curve = |order: &usize| {
            let entries = self.entries.iter().filter(|entry| entry.order == *order && entry.failure.is_none());
            LimitCurve { order: *order, points: entries.map(|entry| [abscissa(entry), entry.value]).collect() }
        };
        let curves: Vec<LimitCurve> = self.orders.iter().map(curve).collect();
        limits_figure(&self.spectrum, variable, &curves)
    }
}

const DASH: &str = "–";

impl LimitEntry {
    fn new(request: &Request, (stages, order, damping): (usize, usize, f64), digits: DigitRequest) -> Self {
        let found = request.solve(stages, order, damping).and_then(|optimum| {
            let limit = limit(&optimum, digits)?;
            Ok((optimum, limit))
        });
        let entry = Self {
            stages,
            order,
            damping,
            limit: None,
            reason: None,
            value: f64::NAN,
            efficiency: None,
            failure: None,
        };
        match found {
            Ok((optimum, limit)) => {
                Self { limit: Some(limit), value: optimum.limit(), efficiency: efficiency(&optimum), ..entry }
            }
            Err(failure) => Self { reason: Some(failure.to_string()), failure: Some(failure), ..entry },
        }
    }
}

/// Largest number of digits for which a double suffices.
const DOUBLE_DIGITS: usize = 15;

fn limit(optimum: &Optimum, digits: DigitRequest) -> Result<String, Failure> {
    match digits.of(optimum) {
        digits @ ..=DOUBLE_DIGITS => Ok(text::rounded(optimum.limit(), digits)),
        digits => Ok(optimum.polynomial(digits)?.limit_text(digits)),
    }
}

fn same_kind(a: &Failure, b: &Failure) -> bool {
    match (a.downcast_ref::<PolynomialError>(), b.downcast_ref()) {
        (Some(a), Some(b)) => std::mem::discriminant(a) == std::mem::discriminant(b),
        _ => a.to_string() == b.to_string(),
    }
}
