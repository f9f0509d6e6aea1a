pub(crate) mod checkpoint;
pub(crate) mod design_file;
pub(crate) mod read;
#[cfg(test)]
mod tests;
pub(crate) mod write;
