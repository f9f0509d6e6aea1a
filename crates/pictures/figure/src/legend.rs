//! The position of a panel's legend.

use serde::{Deserialize, Serialize};

/// Position of a panel's legend. A legend lists the marks with labels; it is omitted if there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Legend {
    /// Inside, in a corner where it hides nothing; outside if there is no such corner.
    #[default]
    Auto,
    /// Inside, at the upper left.
    TopLeft,
    /// Inside, at the upper right.
    TopRight,
    /// Inside, at the lower left.
    BottomLeft,
    /// Inside, at the lower right.
    BottomRight,
    /// Outside, below the panel.
    Below,
    /// Outside, to the right of the panel.
    Right,
    /// Omitted.
    Hidden,
}
