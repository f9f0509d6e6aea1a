//! What languages disagree about.

/// A language, as far as literals and assignments go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    C,
    Python,
    Matlab,
    Julia,
    /// Numbers in rows: tables of text.
    Cells,
}

impl Dialect {
    pub(crate) fn line_comments(self) -> &'static [&'static str] {
        match self {
            Self::C => &["//"],
            Self::Python | Self::Julia => &["#"],
            // Octave has both.
            Self::Matlab => &["%", "#"],
            Self::Cells => &["#", "%", "!"],
        }
    }

    pub(crate) fn block_comment(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::C => Some(("/*", "*/")),
            Self::Julia => Some(("#=", "=#")),
            Self::Matlab => Some(("%{", "%}")),
            Self::Python | Self::Cells => None,
        }
    }

    /// Whether block comments may stand in block comments.
    pub(crate) fn nests_comments(self) -> bool {
        self != Self::C
    }

    /// Whether three quotes begin a text of several lines.
    pub(crate) fn has_long_texts(self) -> bool {
        matches!(self, Self::Python | Self::Julia)
    }

    /// Whether a quote behind a name or a bracket transposes.
    pub(crate) fn has_transposes(self) -> bool {
        matches!(self, Self::Matlab | Self::Julia)
    }

    /// Whether blanks separate numbers in square brackets, and ends of lines the rows.
    pub(crate) fn has_rows(self) -> bool {
        matches!(self, Self::Matlab | Self::Julia | Self::Cells)
    }

    /// The index of the first element.
    pub(crate) fn first_index(self) -> usize {
        match self {
            Self::C | Self::Python => 0,
            Self::Matlab | Self::Julia | Self::Cells => 1,
        }
    }

    /// Whether statements end with lines.
    pub(crate) fn has_lines(self) -> bool {
        self != Self::C
    }
}
