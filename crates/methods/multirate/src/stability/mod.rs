//! Linear stability with the fast part solved exactly.
//!
//! - [`phi`]: the functions φ_k, in doubles and as enclosures.
//! - [`AdditiveFlow`]: R(z_F, z_S) of y' = (λ_F + λ_S) y; [`SectorLimit`]: the slow steps that are stable for all fast
//!   eigenvalues in a sector; [`SectorProof`]: a proved lower bound of it; [`Resonance`]: the growth rate of the method
//!   if the fast part is undamped.
//! - [`CoupledFlow`]: the matrix S(Z) of the component test; [`flow_profile`]: its coupled profile.
//! - [`SystemFlow`]: the step matrix of real linear systems with slow and fast variables.

mod additive;
mod ball;
mod coupled;
mod fixed_pair;
mod flow_number;
pub mod phi;
mod profile;
mod proof;
mod rows;
mod search;
mod sector;
mod slow_method;
mod system;
mod undamped;

pub use additive::AdditiveFlow;
pub use ball::ComplexBall;
pub use coupled::CoupledFlow;
pub use flow_number::FlowNumber;
pub use profile::flow_profile;
pub use proof::{ProofObstacle, SectorProof};
pub use sector::{SectorLimit, SectorWitness, sector_limit};
pub use slow_method::slow_tableau;
pub use system::SystemFlow;
pub use undamped::Resonance;
