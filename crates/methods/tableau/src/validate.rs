//! Validation of methods, whether read from a file or designed.

use crate::coefficient::Coefficient;
use crate::error::MethodError;
use crate::method::{Claims, Method, Partition, Precision, Source};
use hemiola_number::MOST_ROOTS;

/// Maximum number of partitions, more than any published method has.
const MOST_PARTITIONS: usize = 16;
/// Maximum length of an array; together with the file size it bounds the memory that a file can require.
pub(crate) const MOST_STAGES: usize = 256;
/// Maximum number of entries of all matrices A: those of a pair with the most stages.
const MOST_ENTRIES: usize = 2 * MOST_STAGES * MOST_STAGES;
/// Maximum size of all coefficients together (in words, see `Exact::size`), because roots and powers of ten make
/// short texts large numbers. Published methods take a few thousand.
const LARGEST_SIZE: usize = 1 << 18;
/// Largest stated precision and claimed order; larger values are misprints.
const MOST_DECIMALS: u32 = 1000;
const HIGHEST_ORDER: usize = 100;

/// The checks on a method, with its origin for error messages.
#[derive(Clone, Copy, Debug)]
pub struct Validator<'a> {
    origin: &'a str,
}

impl<'a> Validator<'a> {
    /// Creates the checks of a method; `origin` names it in errors.
    #[must_use]
    pub fn new(origin: &'a str) -> Self {
        Self { origin }
    }

    /// Returns the error for a value at a place of the document.
    pub fn invalid(&self, path: impl Into<String>, found: impl Into<String>, expected: &str) -> MethodError {
        MethodError::Invalid {
            file: self.origin.to_owned(),
            path: path.into(),
            found: found.into(),
            expected: expected.to_owned(),
        }
    }

    /// Checks that a condition on a value holds.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] if it does not.
    pub fn require(
        &self,
        holds: bool,
        path: &str,
        found: impl Into<String>,
        expected: &str,
    ) -> Result<(), MethodError> {
        if holds { Ok(()) } else { Err(self.invalid(path, found, expected)) }
    }

    /// Checks the id, the display name and the stated precision.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] with the place of the first that does not fit.
    pub fn heading(&self, id: &str, name: &str, precision: Option<Precision>) -> Result<(), MethodError> {
        self.id(id)?;
        self.require(!name.trim().is_empty(), "name", "an empty text", "a display name")?;
        let decimals = precision.map_or(0, |precision| precision.decimals);
        let path = "precision.decimals";
        self.require(decimals <= MOST_DECIMALS, path, decimals.to_string(), "at most 1000 decimals")
    }

    fn id(&self, id: &str) -> Result<(), MethodError> {
        self.require(is_id(id), "id", excerpt(id), "lower-case words of letters and digits joined by hyphens")
    }

    /// Checks the number of stages and partitions before anything is computed with them.
    pub(crate) fn shape(&self, partitions: usize, stages: usize) -> Result<(), MethodError> {
        let found = format!("{partitions} partitions");
        self.require(partitions > 0, "partitions", &found, "at least one partition")?;
        self.require(partitions <= MOST_PARTITIONS, "partitions", &found, "at most 16 partitions")?;
        self.require(stages > 0, "partitions[0].a", "0 stages", "at least one stage")?;
        let entries = partitions.saturating_mul(stages).saturating_mul(stages);
        let found = format!("{stages} stages in {partitions} partitions");
        let expected = format!("at most {MOST_ENTRIES} entries in all matrices A");
        self.require(entries <= MOST_ENTRIES, "partitions", found, &expected)
    }

    pub(crate) fn length(&self, path: &str, found: usize, stages: usize) -> Result<(), MethodError> {
        let expected = format!("{stages}, the number of stages (rows of partitions[0].a)");
        self.require(found == stages, path, format!("length {found}"), &expected)
    }

    /// Checks the length of the dense-output polynomial of one stage.
    pub(crate) fn degree(&self, path: &str, found: usize, degree: usize) -> Result<(), MethodError> {
        let fits = (1..=HIGHEST_ORDER).contains(&degree);
        self.require(fits, path, format!("length {found}"), "from 1 to 100 coefficients, those of θ, θ², …")?;
        let expected = format!("{degree}, the length of the first row of `dense` in the first partition");
        self.require(found == degree, path, format!("length {found}"), &expected)
    }

    /// Checks the total size of the coefficients up to this one.
    pub(crate) fn size(&self, path: &str, text: &str, size: usize) -> Result<(), MethodError> {
        let expected = "coefficients with fewer digits and roots in total";
        if size <= LARGEST_SIZE { Ok(()) } else { Err(self.invalid(path, excerpt(text), expected)) }
    }

    fn partitions(&self, partitions: &[Partition]) -> Result<(), MethodError> {
        self.shape(partitions.len(), partitions.first().map_or(0, |partition| partition.a.len()))?;
        let stages = partitions[0].a.len();
        for (r, partition) in partitions.iter().enumerate() {
            let path = format!("partitions[{r}]");
            let name = excerpt(&partition.name);
            self.require(!partition.name.trim().is_empty(), &format!("{path}.name"), name, "a name")?;
            let repeated = partitions[..r].iter().any(|earlier| earlier.name == partition.name);
            self.require(
                !repeated,
                &format!("{path}.name"),
                excerpt(&partition.name),
                "a name that no other partition has",
            )?;
            self.length(&format!("{path}.a"), partition.a.len(), stages)?;
            for (i, row) in partition.a.iter().enumerate() {
                self.length(&format!("{path}.a[{i}]"), row.len(), stages)?;
            }
            for (field, vector) in
                [("b", Some(&partition.b)), ("c", partition.c.as_ref()), ("b_hat", partition.b_hat.as_ref())]
            {
                if let Some(vector) = vector {
                    self.length(&format!("{path}.{field}"), vector.len(), stages)?;
                }
            }
            let alike = partition.b_hat.is_some() == partitions[0].b_hat.is_some();
            self.require(
                alike,
                &format!("{path}.b_hat"),
                "b_hat in some partitions",
                "b_hat in all partitions or in none",
            )?;
            self.dense(&format!("{path}.dense"), partition, &partitions[0])?;
        }
        self.roots(partitions.iter().flat_map(coefficients))
    }

    /// Checks the dense output of a partition against that of the first partition.
    fn dense(&self, path: &str, partition: &Partition, first: &Partition) -> Result<(), MethodError> {
        let alike = partition.dense.is_some() == first.dense.is_some();
        self.require(alike, path, "dense in some partitions", "dense in all partitions or in none")?;
        let (Some(dense), Some(first)) = (&partition.dense, &first.dense) else { return Ok(()) };
        self.length(path, dense.len(), partition.a.len())?;
        let degree = first.first().map_or(0, Vec::len);
        dense.iter().enumerate().try_for_each(|(i, row)| self.degree(&format!("{path}[{i}]"), row.len(), degree))
    }

    /// Checks the number of different square roots: n of them lead to exact numbers with 2ⁿ terms.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] if there are too many.
    pub fn roots<'b>(&self, coefficients: impl IntoIterator<Item = &'b Coefficient>) -> Result<(), MethodError> {
        let mut found = Vec::new();
        for coefficient in coefficients {
            for radicand in coefficient.value().radicands() {
                if !found.contains(&radicand) {
                    found.push(radicand);
                }
            }
        }
        let expected = format!("at most {MOST_ROOTS} in all coefficients");
        self.require(
            found.len() <= MOST_ROOTS,
            "partitions",
            format!("{} different square roots", found.len()),
            &expected,
        )
    }

    /// Checks that no claimed order is larger than 100.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] with the place of the first that is.
    pub fn claimed_orders(&self, claims: Claims) -> Result<(), MethodError> {
        for (field, claim) in [
            ("order", claims.order),
            ("separable_order", claims.separable_order),
            ("embedded_order", claims.embedded_order),
            ("dense_order", claims.dense_order),
        ] {
            let found = format!("{}", claim.unwrap_or(0));
            self.require(
                claim.unwrap_or(0) <= HIGHEST_ORDER,
                &format!("claims.{field}"),
                found,
                "an order of at most 100",
            )?;
        }
        Ok(())
    }

    fn claims(&self, claims: Claims, partition: &Partition) -> Result<(), MethodError> {
        self.claimed_orders(claims)?;
        let fits = partition.b_hat.is_some() || claims.embedded_order.is_none();
        self.require(
            fits,
            "claims.embedded_order",
            "a claim without embedded weights",
            "weights b_hat to which it applies",
        )?;
        let fits = partition.dense.is_some() || claims.dense_order.is_none();
        self.require(fits, "claims.dense_order", "a claim without dense output", "dense output to which it applies")
    }
}

impl Method {
    /// Creates a method from its parts.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] names the part that does not fit: an id that does not consist of lower-case words
    /// joined by hyphens, no partition, arrays of different lengths, a repeated name, a claim out of range.
    pub fn new(
        id: &str,
        name: &str,
        partitions: Vec<Partition>,
        claims: Claims,
        precision: Option<Precision>,
        source: Source,
    ) -> Result<Self, MethodError> {
        let (id, name) = (id.to_owned(), name.to_owned());
        let method = Self { id, name, partitions, claims, precision, source };
        method.validated("the new method")
    }

    pub(crate) fn validated(self, origin: &str) -> Result<Self, MethodError> {
        let validator = Validator { origin };
        validator.heading(&self.id, &self.name, self.precision)?;
        validator.partitions(&self.partitions)?;
        validator.claims(self.claims, &self.partitions[0])?;
        Ok(self)
    }
}

/// Returns whether a text can be a method's id: lower-case words of letters and digits joined by hyphens.
///
/// ```
/// use hemiola_tableau::is_id;
/// assert!(is_id("dual-rate-2-5") && !is_id("Dual rate") && !is_id("a--b"));
/// ```
#[must_use]
pub fn is_id(text: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.split('-').all(word)
}

/// Iterates over all coefficients of a partition.
fn coefficients(partition: &Partition) -> impl Iterator<Item = &Coefficient> {
    let vectors = [partition.c.as_ref(), partition.b_hat.as_ref()].into_iter().flatten();
    let rows = partition.a.iter().chain(partition.dense.iter().flatten());
    rows.flatten().chain(&partition.b).chain(vectors.flatten())
}

/// Returns the beginning of a text in quotes, for an error message.
#[must_use]
pub fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let beginning: String = text.chars().take(SHOWN).collect();
    let rest = if beginning.len() < text.len() { " …" } else { "" };
    format!("{beginning:?}{rest}")
}
