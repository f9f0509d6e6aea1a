//! Linear hyperbolic systems u_t + Σ_d A_d u_d = 0 with symmetric matrices.

use nalgebra::{DMatrix, SymmetricEigen};

/// The equations of a spectrum. Speeds are relative to that of the waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equation {
    /// Advection with speed one along the flow.
    Advection,
    /// Acoustics: pressure and velocity.
    Waves,
    /// The Euler equations about a uniform flow.
    Euler,
    /// Maxwell's equations in vacuum.
    Maxwell,
}

/// A system that is not coupled to others.
pub(super) struct System {
    /// The matrices A_d.
    matrices: Vec<DMatrix<f64>>,
    /// Excess of the largest speed of all equations over that of this system.
    excess: f64,
}

impl System {
    /// Returns the uncoupled systems of an equation for a flow with a velocity along each direction.
    pub(super) fn all(equation: Equation, flow: &[f64]) -> Vec<Self> {
        let advection = |excess: f64| Self {
            matrices: flow.iter().map(|&speed| DMatrix::from_element(1, 1, speed)).collect(),
            excess,
        };
        match equation {
            Equation::Advection => vec![advection(0.0)],
            // Entropy is carried by the flow; the fluxes of Rusanov dissipate it as much as sound.
            Equation::Euler => vec![advection(1.0), Self::acoustics(flow)],
            // In fewer than three dimensions, the fields across the waves have the equations of acoustics.
            Equation::Maxwell if flow.len() == 3 => vec![Self::maxwell()],
            Equation::Maxwell | Equation::Waves => vec![Self::acoustics(&vec![0.0; flow.len()])],
        }
    }

    /// Returns p_t + m·∇p + ∇·v = 0, v_t + m·∇v + ∇p = 0.
    fn acoustics(flow: &[f64]) -> Self {
        let size = flow.len() + 1;
        let matrix = |(d, &speed): (usize, &f64)| {
            let mut matrix = DMatrix::from_diagonal_element(size, size, speed);
            (matrix[(0, d + 1)], matrix[(d + 1, 0)]) = (1.0, 1.0);
            matrix
        };
        Self { matrices: flow.iter().enumerate().map(matrix).collect(), excess: 0.0 }
    }

    /// Returns E_t = ∇ × H, H_t = −∇ × E.
    fn maxwell() -> Self {
        let matrix = |d: usize| {
            let mut matrix = DMatrix::zeros(6, 6);
            // e_d × e_j = e_k for (d, j, k) in cyclic order.
            let (j, k) = ((d + 1) % 3, (d + 2) % 3);
            for (electric, magnetic, value) in [(k, j, -1.0), (j, k, 1.0)] {
                matrix[(electric, 3 + magnetic)] = value;
                matrix[(3 + magnetic, electric)] = value;
            }
            matrix
        };
        Self { matrices: (0..3).map(matrix).collect(), excess: 0.0 }
    }

    /// Returns the number of variables.
    pub(super) fn size(&self) -> usize {
        self.matrices.first().map_or(0, DMatrix::nrows)
    }

    /// Splits A_d into waves that travel forward and backward along direction d: A⁺ and −A⁻, both positive
    /// semidefinite.
    ///
    /// With characteristic fluxes they are (|A| ± A)/2, with those of Rusanov (1961) the largest speed replaces |A|.
    pub(super) fn split(&self, rusanov: bool) -> Vec<[DMatrix<f64>; 2]> {
        let halves = |matrix: &DMatrix<f64>| {
            let SymmetricEigen { eigenvalues, eigenvectors } = matrix.clone().symmetric_eigen();
            let most = eigenvalues.amax() + self.excess;
            let moduli = eigenvalues.map(|value| if rusanov { most } else { value.abs() });
            let modulus = &eigenvectors * DMatrix::from_diagonal(&moduli) * eigenvectors.transpose();
            [(&modulus + matrix) * 0.5, (&modulus - matrix) * 0.5]
        };
        self.matrices.iter().map(halves).collect()
    }
}
