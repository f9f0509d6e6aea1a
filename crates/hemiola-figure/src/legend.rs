//! Where a panel's legend stands.

use serde::{Deserialize, Serialize};

/// The place of a panel's legend. A legend names the marks that have labels; without any there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Legend {
    /// In the corner where it hides nothing; outside if there is no such corner.
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
    /// None.
    Hidden,
}
