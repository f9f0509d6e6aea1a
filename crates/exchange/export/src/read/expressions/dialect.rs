//! Differences between languages.

/// Language, as far as literals and assignments are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    C,
    Python,
    Matlab,
    Julia,
    /// Numbers in rows: text tables.
    Cells,
}

impl Dialect {
    pub(crate) fn line_comments(self) -> &'static [&'static str] {
        match self {
            Self::C => &["//"],
            Self::Python | Self::Julia => &["#"],
            // Octave accepts both.
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

    /// Returns whether block comments can be nested.
    pub(crate) fn nests_comments(self) -> bool {
        self != Self::C
    }

    /// Returns whether three quotes begin a string of several lines.
    pub(crate) fn has_long_texts(self) -> bool {
        matches!(self, Self::Python | Self::Julia)
    }

    /// Returns whether a quote after a name or a bracket transposes.
    pub(crate) fn has_transposes(self) -> bool {
        matches!(self, Self::Matlab | Self::Julia)
    }

    /// Returns whether blanks separate numbers in square brackets and line ends separate rows.
    pub(crate) fn has_rows(self) -> bool {
        matches!(self, Self::Matlab | Self::Julia | Self::Cells)
    }

    /// Returns the index of the first element.
    pub(crate) fn first_index(self) -> usize {
        match self {
            Self::C | Self::Python => 0,
            Self::Matlab | Self::Julia | Self::Cells => 1,
        }
    }

    /// Returns whether line ends terminate statements.
    pub(crate) fn has_lines(self) -> bool {
        self != Self::C
    }
}
