pub(crate) mod columns;
pub(crate) mod dispatch;
pub(crate) mod lanes;
