//! Rules, and what is found by them.

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something a user would have to know before using the method.
    Warning,
    /// Something that is said of the method is wrong.
    Error,
}

impl Severity {
    /// `error` or `warning`, as SARIF and compilers call them.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A file that holds no valid method.
    Unreadable,
    /// The claimed order is not reached.
    Order,
    /// The claimed order for separable systems is not reached.
    SeparableOrder,
    /// The embedded weights have a lower order than claimed.
    EmbeddedOrder,
    /// The dense output has a lower order than claimed.
    DenseOrder,
    /// The embedded weights are those of the step.
    EmbeddedIsStep,
    /// Two files have one id.
    DuplicateId,
    /// The name or the note says of the structure what is not so.
    Note,
    /// An order above the claimed one is reached.
    ClaimTooLow,
    /// No order is claimed.
    NoClaim,
    /// Abscissae that are not row sums lower the order of problems with explicit time.
    RowSums,
    /// As written, or to the stated precision, the coefficients have a lower order than to the rounding of doubles.
    Digits,
    /// The claim is beyond what can be checked.
    Unchecked,
    /// Another file has the same coefficients.
    Duplicate,
    /// The source is not complete.
    Source,
    /// The id is not the file's name.
    Id,
}

impl Rule {
    /// All rules, the graver ones first.
    pub const ALL: [Self; 16] = [
        Self::Unreadable,
        Self::Order,
        Self::SeparableOrder,
        Self::EmbeddedOrder,
        Self::DenseOrder,
        Self::EmbeddedIsStep,
        Self::DuplicateId,
        Self::Note,
        Self::ClaimTooLow,
        Self::NoClaim,
        Self::RowSums,
        Self::Digits,
        Self::Unchecked,
        Self::Duplicate,
        Self::Source,
        Self::Id,
    ];

    /// The name by which programs know it.
    ///
    /// ```
    /// assert_eq!(hemiola_lint::Rule::RowSums.id(), "row-sums");
    /// ```
    #[must_use]
    pub fn id(self) -> &'static str {
        self.words().0
    }

    /// What it finds, in a sentence.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.words().1
    }

    /// How grave it is.
    #[must_use]
    pub fn severity(self) -> Severity {
        if self <= Self::Note { Severity::Error } else { Severity::Warning }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Unreadable => ("unreadable", "The file holds no valid method."),
            Self::Order => ("order", "The claimed order is not reached."),
            Self::SeparableOrder => ("separable-order", "The claimed order for separable systems is not reached."),
            Self::EmbeddedOrder => ("embedded-order", "The embedded weights have a lower order than claimed."),
            Self::DenseOrder => ("dense-order", "The dense output has a lower order than claimed."),
            Self::EmbeddedIsStep => {
                ("embedded-is-step", "The embedded weights are those of the step: the error estimate is zero.")
            }
            Self::DuplicateId => ("duplicate-id", "Two files have one id."),
            Self::Note => ("note", "The name or the note says of the structure what is not so."),
            Self::ClaimTooLow => ("claim-too-low", "An order above the claimed one is reached."),
            Self::NoClaim => ("no-claim", "No order is claimed."),
            Self::RowSums => {
                ("row-sums", "Abscissae that are not row sums of A lower the order of problems with explicit time.")
            }
            Self::Digits => (
                "digits",
                "As written, or to the stated precision, the coefficients have a lower order than to the rounding of doubles.",
            ),
            Self::Unchecked => ("unchecked", "The claim is beyond what can be checked."),
            Self::Duplicate => {
                ("duplicate", "Another file has the same coefficients, up to precision and the sequence of the stages.")
            }
            Self::Source => ("source", "Authors, title, year or place of the publication are missing."),
            Self::Id => ("id", "The id is not the file's name."),
        }
    }
}

/// What a rule finds in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// What was found and what was expected.
    pub message: String,
    /// The place in the JSON document, such as `claims.order`; empty for the whole file.
    pub path: String,
    /// Its line, from 1, where it is known.
    pub line: Option<usize>,
}

impl Finding {
    pub(crate) fn new(rule: Rule, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), path: path.into(), line: None }
    }
}
