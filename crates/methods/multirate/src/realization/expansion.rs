//! Realizations: steps of a Runge–Kutta method replace the exact fast solution, which gives an ordinary partitioned
//! method.

use hemiola_order::{Grammar, StageSolution, Trees, Weights};
use hemiola_tableau::{Butcher, Claims, Method, Partition, Scalar, Source};
use num_traits::{One, Zero};

use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::realization::uncertain::{CoefficientWriter, Uncertain};
use crate::stage::InfinitesimalStage;

/// Residual below which a condition counts as satisfied: it exceeds the residuals of tables with five decimals, and is
/// smaller than those of wrong tables.
const HOLDS: f64 = 1e-5;
/// Highest order whose conditions are checked; three partitions have 1788 conditions up to this order.
const HIGHEST_CHECKED: usize = 5;
/// Maximum number of stages of an expanded method.
pub const MOST_COMPOUND_STAGES: usize = 256;

impl InfinitesimalMethod {
    /// Returns the ordinary partitioned method that takes `substeps` equal steps of an inner method in each interval.
    ///
    /// The forcing is part of the inner right-hand side, so the inner method also integrates γ(τ). Stages of length
    /// zero take no fast evaluations; for these, γ(τ) is integrated exactly. As in other pairs, the slow partitions
    /// come first and the fast one last, over the stages Yᵢ and all inner stages. Equal explicit stages are merged. The
    /// order is the smaller of the orders of the method and the inner method, unless the latter is too inaccurate for
    /// forcing of degree two or more. The claimed orders are checked in doubles, up to order five. Numbers that depend on
    /// rounded coefficients are decimals with the precision that all of them have.
    ///
    /// ```
    /// let inner = hemiola_tableau::library::method("explicit-euler")?;
    /// let pair = hemiola_multirate::library::method("mri-gark-erk22a")?.expand(&inner, 1)?;
    /// // One fast step to the middle of the step, and one from there.
    /// assert_eq!((pair.stages(), pair.partitions()[1].b[0].text()), (2, "1/2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a coupled stage, [`MultirateError::InnerPartitions`] for an inner method
    /// with several partitions, [`MultirateError::Substeps`] for no substeps or too many.
    pub fn expand(&self, inner: &Method, substeps: usize) -> Result<Method, MultirateError> {
        self.require_decoupled()?;
        let pair = self.realized(inner, substeps)?;
        // More substeps reduce errors of the forcing but do not change the order; one substep shows it most clearly.
        let one = if substeps == 1 { pair.clone() } else { self.realized(inner, 1)? };
        let least = |own: Option<usize>| own.zip(inner.claims().order).map(|(own, inner)| own.min(inner));
        let claims = Claims {
            order: reached(&one, least(self.claims.order))?,
            embedded_order: one.embedded().map_or(Ok(None), |one| reached(&one, least(self.claims.embedded_order)))?,
            ..Claims::default()
        };
        Ok(Method::new(
            pair.id(),
            pair.name(),
            pair.partitions().to_vec(),
            claims,
            pair.precision(),
            pair.source().clone(),
        )?)
    }

    /// Constructs the pair, without claims.
    fn realized(&self, inner: &Method, substeps: usize) -> Result<Method, MultirateError> {
        let rounding = inner.rounding();
        let tableau = inner.tableau(|coefficient| Uncertain::new(coefficient, rounding));
        let [butcher] = tableau.partitions.try_into().map_err(|partitions: Vec<_>| {
            MultirateError::InnerPartitions { id: inner.id().to_owned(), partitions: partitions.len() }
        })?;
        let stages = self.compound_stages(butcher.stages(), substeps);
        if substeps == 0 || stages > MOST_COMPOUND_STAGES {
            return Err(MultirateError::Substeps { substeps, stages, most: MOST_COMPOUND_STAGES });
        }
        let mut compound = Compound::new(self.partitions.len(), &butcher, substeps);
        let (result, embedded) = compound.add_all(self);
        let source = Source {
            note: Some(format!("Realization of {} with {substeps} × {} in each interval.", self.id, inner.id())),
            ..self.source.clone()
        };
        let id = format!("{}-{}-{substeps}", self.id, inner.id());
        let name = format!("{} with {substeps} × {}", self.name, inner.name());
        let writer = compound.writer(&result, embedded.as_ref());
        let partitions = compound.partitions(&writer, self, &result, embedded.as_ref())?;
        Ok(Method::new(&id, &name, partitions, Claims::default(), writer.precision(), source)?)
    }

    /// Returns an upper bound on the number of stages of an expanded method, computed with saturation.
    fn compound_stages(&self, inner: usize, substeps: usize) -> usize {
        let intervals = self.rows().filter(|row| !row.interval.value().is_zero()).count();
        inner.saturating_mul(substeps).saturating_mul(intervals).saturating_add(self.stages.len() + 2)
    }
}

/// Returns the largest order up to a given one whose conditions hold in doubles; `None` if there is none.
fn reached(method: &Method, most: Option<usize>) -> Result<Option<usize>, MultirateError> {
    let Some(most) = most else { return Ok(None) };
    let tableau = method.to_f64();
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), most.min(HIGHEST_CHECKED))?;
    let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
    let mut holds = |order: usize| trees.of_order(order).into_iter().all(|tree| weights.residual(tree).abs() < HOLDS);
    let failed = (1..=trees.highest_order()).find(|order| !holds(*order));
    Ok(Some(failed.map_or(most, |order| order - 1)).filter(|order| *order > 0))
}

/// The coefficients of a value with respect to the stages of all partitions; sparse, by index.
#[derive(Clone, Debug, PartialEq)]
struct Combination(Vec<Vec<(usize, Uncertain)>>);

impl Combination {
    fn zero(partitions: usize) -> Self {
        Self(vec![Vec::new(); partitions])
    }

    fn add(&mut self, partition: usize, stage: usize, coefficient: Uncertain) {
        if coefficient.is_zero() {
            return;
        }
        let row = &mut self.0[partition];
        match row.binary_search_by_key(&stage, |(stage, _)| *stage) {
            Ok(k) => {
                row[k].1 += coefficient;
                if row[k].1.is_zero() {
                    row.remove(k);
                }
            }
            Err(k) => row.insert(k, (stage, coefficient)),
        }
    }

    fn add_times(&mut self, other: &Self, factor: &Uncertain) {
        for (partition, columns) in other.0.iter().enumerate() {
            for (stage, coefficient) in columns {
                self.add(partition, *stage, factor.clone() * coefficient.clone());
            }
        }
    }
}

/// A compound tableau under construction.
struct Compound<'a> {
    partitions: usize,
    inner: &'a Butcher<Uncertain>,
    substeps: usize,
    rows: Vec<Combination>,
}

impl<'a> Compound<'a> {
    fn new(partitions: usize, inner: &'a Butcher<Uncertain>, substeps: usize) -> Self {
        Self { partitions, inner, substeps, rows: Vec::new() }
    }

    /// Adds all rows of a method, and returns the values at the end of the step.
    fn add_all(&mut self, method: &InfinitesimalMethod) -> (Combination, Option<Combination>) {
        let rounding = method.rounding();
        let exact: Vec<InfinitesimalStage<Uncertain>> =
            method.rows().map(|row| row.map(|coefficient| Uncertain::new(coefficient, rounding))).collect();
        let count = method.stages().len();
        // The stages Y₁ … with their values and their index in the tableau.
        let mut values = vec![Combination::zero(self.partitions)];
        let mut indices = vec![self.index_of(values[0].clone())];
        for (e, stage) in exact[..count].iter().enumerate() {
            let value = self.value(stage, e + 1, &values, &mut indices);
            if indices.len() == e + 1 && e + 1 < count {
                indices.push(self.index_of(value.clone()));
            }
            values.push(value);
        }
        let result = values[count].clone();
        indices.truncate(count);
        let embedded = exact.get(count).map(|row| self.value(row, count, &values, &mut indices));
        (result, embedded)
    }

    /// Returns the index of an explicit stage with this value; adds the stage if there is none.
    fn index_of(&mut self, value: Combination) -> usize {
        self.rows.iter().position(|row| *row == value).unwrap_or_else(|| {
            self.rows.push(value);
            self.rows.len() - 1
        })
    }

    /// Computes the value at the end of a row. An implicit row is added to the tableau and to the indices of stages.
    fn value(
        &mut self,
        row: &InfinitesimalStage<Uncertain>,
        own: usize,
        values: &[Combination],
        indices: &mut Vec<usize>,
    ) -> Combination {
        let mut value = values[row.from - 1].clone();
        add_combination(&mut value, &row.start, values);
        let mut drift = Combination::zero(self.partitions);
        add_combination(&mut drift, &row.drift, values);
        if row.interval.is_zero() {
            value.add_times(&drift, &Uncertain::one());
            self.reserve_if_implicit(row, own, indices);
            for (slow, powers) in row.forcing.iter().enumerate() {
                for (k, columns) in powers.iter().enumerate() {
                    add_columns(&mut value, slow + 1, columns, indices, &Uncertain::ratio(1, k as u64 + 1));
                }
            }
        } else {
            for substep in 0..self.substeps {
                self.substep((row, &drift), substep, &mut value, indices);
            }
            self.reserve_if_implicit(row, own, indices);
        }
        for (slow, columns) in row.correction.iter().enumerate() {
            add_columns(&mut value, slow + 1, columns, indices, &Uncertain::one());
        }
        if indices.len() > own {
            self.rows[indices[own]] = value.clone();
        }
        value
    }

    /// Adds an empty stage for an implicit row.
    fn reserve_if_implicit(&mut self, row: &InfinitesimalStage<Uncertain>, own: usize, indices: &mut Vec<usize>) {
        let rows = row.forcing.iter().flatten().chain(&row.correction);
        if rows.into_iter().any(|columns| columns.get(own).is_some_and(|coefficient| !coefficient.is_zero())) {
            self.rows.push(Combination::zero(self.partitions));
            indices.push(self.rows.len() - 1);
        }
    }

    /// Takes one step of the inner method in a row with its drift, which advances a value.
    fn substep(
        &mut self,
        (row, drift): (&InfinitesimalStage<Uncertain>, &Combination),
        substep: usize,
        value: &mut Combination,
        indices: &[usize],
    ) {
        let inner = self.inner;
        let length = Uncertain::ratio(1, self.substeps as u64);
        // Forcing at the times of the inner stages, as coefficients of the slow stages, and the drift.
        let at = |c: &Uncertain| {
            let tau = (Uncertain::ratio(substep as i64, 1) + c.clone()) * length.clone();
            let mut forcing = self.forcing_at(row, &tau, indices);
            forcing.add_times(drift, &Uncertain::one());
            forcing
        };
        let forcing: Vec<Combination> = inner.c.iter().map(at).collect();
        let first = self.rows.len();
        let mut stages = Vec::new();
        if !inner.is_explicit() {
            stages = (first..first + inner.stages()).collect();
            self.rows.resize(first + inner.stages(), Combination::zero(self.partitions));
        }
        for a in 0..inner.stages() {
            let mut stage = value.clone();
            self.advance(&mut stage, &inner.a[a], &row.interval, &length, &stages, &forcing);
            if inner.is_explicit() {
                let index = self.index_of(stage);
                stages.push(index);
            } else {
                self.rows[first + a] = stage;
            }
        }
        self.advance(value, &inner.b, &row.interval, &length, &stages, &forcing);
    }

    /// Adds a sum of slopes at the inner stages to a value.
    fn advance(
        &self,
        value: &mut Combination,
        weights: &[Uncertain],
        interval: &Uncertain,
        length: &Uncertain,
        stages: &[usize],
        forcing: &[Combination],
    ) {
        for (b, weight) in weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let weight = weight.clone() * length.clone();
            value.add(0, stages[b], weight.clone() * interval.clone());
            value.add_times(&forcing[b], &weight);
        }
    }

    /// Computes γ(τ) of a row as coefficients of the slow stages.
    fn forcing_at(&self, row: &InfinitesimalStage<Uncertain>, tau: &Uncertain, indices: &[usize]) -> Combination {
        let mut forcing = Combination::zero(self.partitions);
        for (slow, powers) in row.forcing.iter().enumerate() {
            let mut power = Uncertain::one();
            for columns in powers {
                add_columns(&mut forcing, slow + 1, columns, indices, &power);
                power = power * tau.clone();
            }
        }
        forcing
    }

    /// Returns the writer of all numbers of the tableaus.
    fn writer(&self, result: &Combination, embedded: Option<&Combination>) -> CoefficientWriter {
        let all = self.rows.iter().chain([result]).chain(embedded);
        CoefficientWriter::new(all.flat_map(|row| row.0.iter().flatten()).map(|(_, number)| number))
    }

    /// Constructs the tableaus of all partitions.
    fn partitions(
        &self,
        writer: &CoefficientWriter,
        method: &InfinitesimalMethod,
        result: &Combination,
        embedded: Option<&Combination>,
    ) -> Result<Vec<Partition>, MultirateError> {
        let row = |combination: &Combination, r: usize| {
            let mut row = vec![Uncertain::zero(); self.rows.len()];
            for (stage, coefficient) in &combination.0[r] {
                row[*stage] = coefficient.clone();
            }
            row.iter().map(|number| writer.coefficient(number)).collect::<Result<Vec<_>, _>>()
        };
        let partition = |(r, name): (usize, &String)| {
            let a = self.rows.iter().map(|stage| row(stage, r)).collect::<Result<_, _>>()?;
            let b_hat = embedded.map(|embedded| row(embedded, r)).transpose()?;
            Ok(Partition { name: name.clone(), a, b: row(result, r)?, c: None, b_hat, dense: None })
        };
        // Pairs have their slow partition first.
        let (fast, slow) = (method.partitions.iter().enumerate().take(1), method.partitions.iter().enumerate().skip(1));
        slow.chain(fast).map(partition).collect()
    }
}

fn add_columns(
    value: &mut Combination,
    partition: usize,
    columns: &[Uncertain],
    indices: &[usize],
    factor: &Uncertain,
) {
    for (coefficient, stage) in columns.iter().zip(indices) {
        value.add(partition, *stage, coefficient.clone() * factor.clone());
    }
}

/// Adds Σ_j α_j (Y_j − Y₁); Y₁ is zero as a combination of slopes.
fn add_combination(value: &mut Combination, columns: &[Uncertain], values: &[Combination]) {
    for (coefficient, stage) in columns.iter().zip(values) {
        value.add_times(stage, coefficient);
    }
}
