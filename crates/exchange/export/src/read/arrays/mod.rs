//! Arrays of methods: `roles` identifies arrays by their names, `scalars` single numbers, `partitions` the partitions
//! they belong to. A `draft` becomes a method if its arrays fit together.

pub(crate) mod draft;
pub(crate) mod packages;
pub(crate) mod partitions;
pub(crate) mod roles;
pub(crate) mod scalars;
