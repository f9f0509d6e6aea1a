//! Spectra of discretized wave operators in one, two and three dimensions, from their symbols.
//!
//! On a mesh of equal cells, a Fourier mode with the wave numbers θ multiplies the unknowns of a cell by e^{iθ_d} from
//! one cell to the next along direction d (Bloch), so that the eigenvalues of all modes are those of a mesh with any
//! number of cells. `system` defines the equations, `text` parses their descriptions, `symbol` computes the matrix of a
//! mode and its eigenvalues, and `outline` finds the boundary of the star that eigenvalues span.

mod outline;
mod symbol;
mod system;
mod text;

pub(super) use symbol::spectrum;
pub(super) use text::Operator;
