//! Enumeration of all trees of an order, in blocks that have all but one part in common, or in bundles of such
//! blocks.
//!
//! A `walker` enumerates the trees and hands each `block`, or each `bundle` if bundles are accepted, to a
//! visitor.

mod block;
mod block_bundle;
mod walker;

pub(crate) use block::{TreeBlock, Visitor};
pub(crate) use block_bundle::{BlockBundle, VaryingStep};
pub(crate) use walker::{small_order, walk};
