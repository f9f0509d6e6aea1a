//! Names of the papers, used for reports, figures and files.

/// S. Shome, E. J. Haug, L. O. Jay (2004).
pub(crate) const SHOME_HAUG_JAY: &str = "shome-haug-jay-2004";
/// G. Gil, R. G. Sanfelice, P. E. Nikravesh (2013).
pub(crate) const GIL_SANFELICE_NIKRAVESH: &str = "gil-sanfelice-nikravesh-2013";
/// H. Jack (1990).
pub(crate) const JACK: &str = "jack-adaptive-rk4";
/// M. Gerdts (2003).
pub(crate) const GERDTS: &str = "gerdts-2003";
/// Y. Pan, Y. He.
pub(crate) const PAN_HE: &str = "pan-he";
