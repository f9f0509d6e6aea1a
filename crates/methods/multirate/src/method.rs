//! A multirate infinitesimal method: its stages, claims and source.

use hemiola_tableau::{Claims, Coefficient, Exact, MethodError, Precision, Rounding, Source, Validator};

use crate::stage::InfinitesimalStage;

/// A multirate infinitesimal method (MIS, MRI-GARK, IMEX-MRI-GARK, MERK) with a fast and one or more slow partitions.
///
/// Y₁ is the value at the beginning of the step, each further stage is an [`InfinitesimalStage`], and the last one is
/// the result. Every `InfinitesimalMethod` has been validated: stages start from earlier ones, intervals are not
/// negative, and no stage uses a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfinitesimalMethod {
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
    /// Returns the id: lower-case words joined by hyphens. In a library it equals the file name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the partitions, the fast one first.
    #[must_use]
    pub fn partitions(&self) -> &[String] {
        &self.partitions
    }

    /// Returns the stages Y₂ … Y_{s+1}.
    #[must_use]
    pub fn stages(&self) -> &[InfinitesimalStage<Coefficient>] {
        &self.stages
    }

    /// Returns the embedded stage, which replaces the last one. Its coefficients for Y_{s+1} refer to itself.
    #[must_use]
    pub fn embedded(&self) -> Option<&InfinitesimalStage<Coefficient>> {
        self.embedded.as_ref()
    }

    /// Returns the claims of the source about the method.
    #[must_use]
    pub fn claims(&self) -> Claims {
        self.claims
    }

    /// Returns the stated precision of the coefficients, or `None` if no precision is stated.
    #[must_use]
    pub fn precision(&self) -> Option<Precision> {
        self.precision
    }

    /// Returns the publication of the method.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the method with another id.
    ///
    /// # Errors
    /// Returns [`MethodError::Invalid`] unless the id consists of lower-case words joined by hyphens.
    pub fn with_id(self, id: &str) -> Result<Self, MethodError> {
        Validator::new("the new method").heading(id, &self.name, self.precision)?;
        Ok(Self { id: id.to_owned(), ..self })
    }

    /// Returns the rounding of the coefficients, as stated or inferred from their digits.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        Rounding::of_coefficients(self.precision, self.rows().flat_map(InfinitesimalStage::coefficients))
    }

    /// Returns the stages with exact coefficients, followed by the embedded stage.
    #[must_use]
    pub fn exact_rows(&self) -> Vec<InfinitesimalStage<Exact>> {
        self.rows().map(|row| row.map(|coefficient| coefficient.value().clone())).collect()
    }

    /// Iterates over the stages, followed by the embedded stage.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &InfinitesimalStage<Coefficient>> {
        self.stages.iter().chain(&self.embedded)
    }
}
