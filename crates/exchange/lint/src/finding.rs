//! Rules and findings.

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A property of many published tables, for information.
    Note,
    /// A weakness that users should know before they use the method.
    Warning,
    /// A wrong statement about the method.
    Error,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns `error`, `warning` or `note`, as in SARIF and in compiler output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule that method files are checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A file that contains no valid method.
    Unreadable,
    /// The claimed order is not reached.
    Order,
    /// The claimed order for separable systems is not reached.
    SeparableOrder,
    /// The embedded weights have a lower order than claimed.
    EmbeddedOrder,
    /// The dense output has a lower order than claimed.
    DenseOrder,
    /// The embedded weights equal the weights of the step.
    EmbeddedIsStep,
    /// Two files have the same id.
    DuplicateId,
    /// The intervals of a multirate method do not end at 1.
    Intervals,
    /// The name or the note misstates the structure.
    Note,
    /// The order exceeds the claimed one.
    ClaimTooLow,
    /// No order is claimed.
    NoClaim,
    /// The error estimate vanishes on a class of problems.
    EstimateVanishes,
    /// The table is a method of the library but for one entry or last digits.
    NearLibrary,
    /// A slow partition of a multirate method advances a stage by another length than the fast one.
    InternalConsistency,
    /// Abscissae that are not row sums reduce the order for problems with explicit time.
    RowSums,
    /// The coefficients are rounded: they reach their order up to rounding in double precision, but not exactly.
    Digits,
    /// The claim exceeds what can be checked.
    Unchecked,
    /// Another file has the same coefficients.
    Duplicate,
    /// A table was found, but it could not be read.
    Unread,
    /// The source is not complete.
    Source,
    /// The id differs from the file name.
    Id,
}

impl Rule {
    /// All rules, errors first.
    pub const ALL: [Self; 21] = [
        Self::Unreadable,
        Self::Order,
        Self::SeparableOrder,
        Self::EmbeddedOrder,
        Self::DenseOrder,
        Self::EmbeddedIsStep,
        Self::DuplicateId,
        Self::Intervals,
        Self::Note,
        Self::ClaimTooLow,
        Self::NoClaim,
        Self::EstimateVanishes,
        Self::NearLibrary,
        Self::InternalConsistency,
        Self::RowSums,
        Self::Digits,
        Self::Unchecked,
        Self::Duplicate,
        Self::Unread,
        Self::Source,
        Self::Id,
    ];

    /// Returns the identifier of the rule in program output.
    ///
    /// ```
    /// assert_eq!(hemiola_lint::Rule::RowSums.id(), "row-sums");
    /// ```
    #[must_use]
    pub fn id(self) -> &'static str {
        self.words().0
    }

    /// Returns a sentence that describes the rule.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.words().1
    }

    /// Returns the severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Digits => Severity::Note,
            rule if rule <= Self::Note => Severity::Error,
            _ => Severity::Warning,
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Unreadable => ("unreadable", "The file contains no valid method."),
            Self::Order => ("order", "The claimed order is not reached."),
            Self::SeparableOrder => ("separable-order", "The claimed order for separable systems is not reached."),
            Self::EmbeddedOrder => ("embedded-order", "The embedded weights have a lower order than claimed."),
            Self::DenseOrder => ("dense-order", "The dense output has a lower order than claimed."),
            Self::EmbeddedIsStep => {
                ("embedded-is-step", "The embedded weights equal the weights of the step: the error estimate is zero.")
            }
            Self::DuplicateId => ("duplicate-id", "Two files have the same id."),
            Self::Intervals => ("intervals", "The intervals of a multirate method do not end at 1."),
            Self::Note => ("note", "The name or the note misstates the structure."),
            Self::ClaimTooLow => ("claim-too-low", "The order exceeds the claimed one."),
            Self::NoClaim => ("no-claim", "No order is claimed."),
            Self::EstimateVanishes => (
                "estimate-vanishes",
                "The error estimate vanishes on linear problems or on quadrature, whatever the error.",
            ),
            Self::NearLibrary => {
                ("near-library", "The table differs from a method of the library in one entry or in last digits.")
            }
            Self::InternalConsistency => (
                "internal-consistency",
                "A slow partition of a multirate method advances a stage by another length than the fast one.",
            ),
            Self::RowSums => {
                ("row-sums", "Abscissae that are not row sums of A reduce the order for problems with explicit time.")
            }
            Self::Digits => (
                "digits",
                "The coefficients are rounded: they reach their order up to rounding in double precision, but not exactly.",
            ),
            Self::Unchecked => ("unchecked", "The claim exceeds what can be checked."),
            Self::Duplicate => {
                ("duplicate", "Another file has the same coefficients, up to precision and the order of the stages.")
            }
            Self::Unread => ("unread", "A table in a program could not be read."),
            Self::Source => ("source", "Authors, title, year or place of the publication are missing."),
            Self::Id => ("id", "The id differs from the file name."),
        }
    }
}

/// A violation of a rule in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFinding {
    /// The rule.
    pub rule: Rule,
    /// The message: the value found and the value expected. In programs it begins with the name of the table.
    pub message: String,
    /// The path in the JSON document, such as `claims.order`; empty for the whole file.
    pub path: String,
    /// The line of this path, from 1, if it is known.
    pub line: Option<usize>,
    /// The column of this path, from 1, in characters.
    pub column: Option<usize>,
}

impl LintFinding {
    /// Sets the position.
    pub(crate) fn at(self, position: Option<(usize, usize)>) -> Self {
        let (line, column) = position.unzip();
        Self { line, column, ..self }
    }

    pub(crate) fn new(rule: Rule, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), path: path.into(), line: None, column: None }
    }
}
