pub(crate) mod assumption;
pub(crate) mod certificate;
pub(crate) mod free_coefficients;
pub(crate) mod independence;
pub(crate) mod independent_equations;
pub(crate) mod krawczyk;
pub(crate) mod relations;
pub(crate) mod trees;
