pub(crate) mod dense_output;
pub(crate) mod embedded;
pub(crate) mod moments;
