//! Who is told how far long work has come.

/// Told of progress, and asked whether to go on. Work on several threads reports to the same one.
pub trait Progress: Sync {
    /// So many tasks more are done; how many there are altogether, each study says.
    fn advance(&self, tasks: usize);

    /// Whether to end early, with what there is.
    fn is_interrupted(&self) -> bool;
}

/// Nobody is told, and nothing is interrupted.
impl Progress for () {
    fn advance(&self, _: usize) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}
