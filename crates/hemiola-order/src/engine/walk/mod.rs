//! All trees of an order, in blocks that have all but one part in common, or in bundles of such blocks.
//!
//! A `walker` runs through them and hands each `block`, or where they are taken each `bundle`, to a visitor.

mod block;
mod bundle;
mod walker;

pub(crate) use block::{Block, Visitor};
pub(crate) use bundle::{Bundle, Fork};
pub(crate) use walker::{small_order, walk};
