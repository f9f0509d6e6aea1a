//! Verdicts on tableaus as they occur in practice.

mod common;
mod further_claims;
mod many_failures;
mod norms;
mod published;
mod rounded_library;
mod short_decimals;
mod without_claims;
mod wrong_digits;
