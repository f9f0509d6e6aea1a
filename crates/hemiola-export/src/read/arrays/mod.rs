//! The arrays of methods: `roles` tells by the names of arrays which is which, `scalars` by those of single numbers, `partitions` whose they
//! are; a `draft` becomes a method where its arrays fit together.

pub(crate) mod draft;
pub(crate) mod partitions;
pub(crate) mod roles;
pub(crate) mod scalars;
