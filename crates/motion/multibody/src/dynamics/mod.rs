//! Semirecursive kinematics and dynamics, with articulated inertias for trees and Maggi's projection for loops.

pub(crate) mod articulated;
pub(crate) mod composite;
pub(crate) mod evaluation_storage;
pub(crate) mod kinematics;
pub(crate) mod loops;
pub(crate) mod partition;
