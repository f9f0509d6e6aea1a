//! Validation of infinitesimal methods, whether read from a file or assembled by a program.

use std::cmp::Ordering;

use hemiola_tableau::json::excerpt;
use hemiola_tableau::{Claims, Coefficient, MethodError, Precision, Source, Validator};
use num_traits::Zero;

use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// Maximum number of partitions, more than any published method has.
const MOST_PARTITIONS: usize = 16;
/// Maximum number of stages and of powers of τ; they bound the work of a check.
const MOST_STAGES: usize = 128;
const MOST_POWERS: usize = 16;

/// The parts of a method, read from a file or assembled by a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) partitions: Vec<String>,
    pub(crate) stages: Vec<InfinitesimalStage<Coefficient>>,
    pub(crate) embedded: Option<InfinitesimalStage<Coefficient>>,
    pub(crate) claims: Claims,
    pub(crate) precision: Option<Precision>,
    pub(crate) source: Source,
}

impl InfinitesimalMethod {
    /// Creates a method without claims and source from the names of its partitions, the fast one first, and its rows.
    ///
    /// # Errors
    /// Returns [`MethodError::Invalid`] with the invalid part: fewer than two partitions, a stage that starts from
    /// itself or a later one, a negative interval, a coefficient for a later stage, forcing for a wrong number of
    /// partitions, or a start or drift that uses the stage itself.
    pub fn new(
        id: &str,
        name: &str,
        partitions: Vec<String>,
        stages: Vec<InfinitesimalStage<Coefficient>>,
        embedded: Option<InfinitesimalStage<Coefficient>>,
    ) -> Result<Self, MethodError> {
        let (id, name) = (id.to_owned(), name.to_owned());
        Parts { id, name, partitions, stages, embedded, ..Parts::default() }.validated("the new method")
    }
}

impl InfinitesimalMethod {
    /// Returns the method with given claims, precision of its coefficients and source.
    ///
    /// # Errors
    /// Returns [`MethodError::Invalid`] if a claim or the precision is out of range, or if an embedded order is claimed
    /// without an embedded row.
    pub fn described(self, claims: Claims, precision: Option<Precision>, source: Source) -> Result<Self, MethodError> {
        let Self { id, name, partitions, stages, embedded, .. } = self;
        Parts { id, name, partitions, stages, embedded, claims, precision, source }.validated("the new method")
    }
}

impl Parts {
    pub(crate) fn validated(self, origin: &str) -> Result<InfinitesimalMethod, MethodError> {
        let validator = Validator::new(origin);
        validator.heading(&self.id, &self.name, self.precision)?;
        partitions(&validator, &self.partitions)?;
        let count = self.stages.len();
        let found = format!("{count} stages");
        validator.require((1..=MOST_STAGES).contains(&count), "stages", found, "from 1 to 128 stages after Y_1")?;
        for (e, stage) in self.stages.iter().enumerate() {
            row(&validator, &format!("stages[{e}]"), stage, e + 2, &self.partitions)?;
        }
        if let Some(embedded) = &self.embedded {
            row(&validator, "embedded", embedded, count + 1, &self.partitions)?;
        }
        claims(&validator, self.claims, self.embedded.is_some())?;
        let rows = self.stages.iter().chain(&self.embedded);
        validator.roots(rows.flat_map(InfinitesimalStage::coefficients))?;
        let Self { id, name, partitions, stages, embedded, claims, precision, source } = self;
        Ok(InfinitesimalMethod { id, name, partitions, stages, embedded, claims, precision, source })
    }
}

fn partitions(validator: &Validator, names: &[String]) -> Result<(), MethodError> {
    let found = format!("{} partitions", names.len());
    let fits = (2..=MOST_PARTITIONS).contains(&names.len());
    validator.require(fits, "partitions", found, "the fast partition and from 1 to 15 slow ones")?;
    for (r, name) in names.iter().enumerate() {
        let path = format!("partitions[{r}]");
        validator.require(!name.trim().is_empty(), &path, excerpt(name), "a name")?;
        let expected = "a name that no other partition has";
        validator.require(!names[..r].contains(name), &path, excerpt(name), expected)?;
    }
    Ok(())
}

/// Checks the row of the stage with this number.
fn row(
    validator: &Validator,
    path: &str,
    row: &InfinitesimalStage<Coefficient>,
    stage: usize,
    partitions: &[String],
) -> Result<(), MethodError> {
    let expected = format!("an earlier stage, from 1 to {}", stage - 1);
    validator.require((1..stage).contains(&row.from), &format!("{path}.from"), row.from.to_string(), &expected)?;
    let is_negative = row.interval.value().sign() == Ordering::Less;
    let found = excerpt(row.interval.text());
    validator.require(!is_negative, &format!("{path}.interval"), found, "an interval ≥ 0")?;
    let slow = partitions.len() - 1;
    for (field, count) in [("forcing", row.forcing.len()), ("correction", row.correction.len())] {
        let expected = format!("{slow}, the number of slow partitions");
        validator.require(count == slow, &format!("{path}.{field}"), format!("length {count}"), &expected)?;
    }
    for (name, powers) in partitions[1..].iter().zip(&row.forcing) {
        let path = format!("{path}.forcing.{name}");
        let found = format!("{} powers of τ", powers.len());
        validator.require(powers.len() <= MOST_POWERS, &path, found, "at most 16 powers")?;
        for (k, columns) in powers.iter().enumerate() {
            self::columns(validator, &format!("{path}[{k}]"), columns, stage)?;
        }
    }
    for (name, columns) in partitions[1..].iter().zip(&row.correction) {
        self::columns(validator, &format!("{path}.correction.{name}"), columns, stage)?;
    }
    combination(validator, &format!("{path}.start"), &row.start, stage)?;
    combination(validator, &format!("{path}.drift"), &row.drift, stage)
}

/// Checks the coefficients of the differences Y_j − Y_1 in the row of the stage with this number.
fn combination(validator: &Validator, path: &str, row: &[Coefficient], stage: usize) -> Result<(), MethodError> {
    let is_zero = row.first().is_none_or(|first| first.value().is_zero());
    let found = excerpt(row.first().map_or("", Coefficient::text));
    validator.require(is_zero, &format!("{path}[0]"), found, "0, since Y_1 - Y_1 vanishes")?;
    let earlier = stage - 1;
    let Some(later) = row.get(earlier) else { return Ok(()) };
    let expected = format!("at most {earlier} entries, those of the earlier stages Y_1 to Y_{earlier}");
    Err(validator.invalid(format!("{path}[{earlier}]"), excerpt(later.text()), &expected))
}

fn columns(validator: &Validator, path: &str, row: &[Coefficient], stage: usize) -> Result<(), MethodError> {
    let Some(later) = row.get(stage) else { return Ok(()) };
    let expected = format!("at most {stage} entries, those of Y_1 to Y_{stage}");
    Err(validator.invalid(format!("{path}[{stage}]"), excerpt(later.text()), &expected))
}

fn claims(validator: &Validator, claims: Claims, has_embedded: bool) -> Result<(), MethodError> {
    validator.claimed_orders(claims)?;
    for (field, claim) in [("separable_order", claims.separable_order), ("dense_order", claims.dense_order)] {
        let found = claim.map_or_else(String::new, |claim| claim.to_string());
        let expected = "claims of `order` and `embedded_order` only";
        validator.require(claim.is_none(), &format!("claims.{field}"), found, expected)?;
    }
    let fits = has_embedded || claims.embedded_order.is_none();
    let expected = "an embedded row to which it applies";
    validator.require(fits, "claims.embedded_order", "a claim without embedded row", expected)
}
