//! Kinds of methods, for filtering lists.

use hemiola_order::{Verdict, symplecticity};
use hemiola_stability::nonlinear::{AlgebraicStability, algebraic_stability};
use hemiola_stability::{modulus_at_infinity, sector_angle};
use hemiola_tableau::{Butcher, Exact, Method};

/// A kind of method; a method may be of several kinds.
///
/// ```
/// use hemiola_atlas::wording::Kind;
/// let verlet = hemiola_tableau::library::method("stormer-verlet").unwrap();
/// let kinds: Vec<&str> = Kind::ALL.into_iter().filter(|kind| kind.is_kind_of(&verlet)).map(Kind::name).collect();
/// assert!(kinds.contains(&"pair") && kinds.contains(&"symplectic"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All partitions are explicit: each stage uses only earlier ones.
    Explicit,
    /// Some partition is diagonally implicit, and all others are explicit or so, too: stages are solved one at a
    /// time.
    Dirk,
    /// Some partition is implicit.
    Implicit,
    /// Two or more partitions.
    Pair,
    /// An explicit and an implicit partition.
    Imex,
    /// Symplectic, as a whole or with its two partitions for positions and momenta.
    Symplectic,
    /// All partitions have embedded weights.
    Embedded,
    /// All partitions have dense output.
    Dense,
    /// Some partition is implicit, and all implicit ones are A-stable.
    AStable,
    /// Some partition is implicit, and all implicit ones are A-stable with R(∞) = 0.
    LStable,
    /// All partitions are algebraically stable by themselves.
    AlgebraicallyStable,
    /// The last stage of every partition is the result of the step, and some partition is implicit.
    StifflyAccurate,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Explicit,
        Self::Dirk,
        Self::Implicit,
        Self::Pair,
        Self::Imex,
        Self::Symplectic,
        Self::Embedded,
        Self::Dense,
        Self::AStable,
        Self::LStable,
        Self::AlgebraicallyStable,
        Self::StifflyAccurate,
    ];

    /// Returns its name in the option `--kind`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Dirk => "dirk",
            Self::Implicit => "implicit",
            Self::Pair => "pair",
            Self::Imex => "imex",
            Self::Symplectic => "symplectic",
            Self::Embedded => "embedded",
            Self::Dense => "dense",
            Self::AStable => "a-stable",
            Self::LStable => "l-stable",
            Self::AlgebraicallyStable => "algebraically-stable",
            Self::StifflyAccurate => "stiffly-accurate",
        }
    }

    /// Returns whether a method is of this kind.
    #[must_use]
    pub fn is_kind_of(self, method: &Method) -> bool {
        let parts = method.exact().partitions;
        match self {
            Self::Explicit => parts.iter().all(Butcher::is_explicit),
            Self::Dirk => {
                parts.iter().any(Butcher::is_diagonally_implicit)
                    && parts.iter().all(|part| part.is_explicit() || part.is_diagonally_implicit())
            }
            Self::Implicit => parts.iter().any(|part| !part.is_explicit()),
            Self::Pair => parts.len() > 1,
            Self::Imex => parts.iter().any(Butcher::is_explicit) && parts.iter().any(|part| !part.is_explicit()),
            Self::Symplectic => {
                let found = symplecticity(method);
                let verdicts = [Some(found.within), found.conjugate, found.conjugate_separable];
                verdicts.into_iter().flatten().any(|verdict| verdict != Verdict::Fails)
            }
            Self::Embedded => method.partitions().iter().all(|partition| partition.b_hat.is_some()),
            Self::Dense => method.partitions().iter().all(|partition| partition.dense.is_some()),
            Self::AStable => implicit_parts_satisfy(method, &parts, is_a_stable),
            Self::LStable => implicit_parts_satisfy(method, &parts, |method, index| {
                modulus_at_infinity(method, index).is_ok_and(|modulus| modulus == Some(Exact::from(0)))
                    && is_a_stable(method, index)
            }),
            Self::AlgebraicallyStable => {
                let is_stable = |index| algebraic_stability(method, index).is_ok_and(AlgebraicStability::holds);
                (0..parts.len()).all(is_stable)
            }
            Self::StifflyAccurate => {
                parts.iter().any(|part| !part.is_explicit()) && parts.iter().all(Butcher::is_stiffly_accurate)
            }
        }
    }
}

/// Returns whether some partition is implicit, and a property holds for all that are.
fn implicit_parts_satisfy(method: &Method, parts: &[Butcher<Exact>], holds: impl Fn(&Method, usize) -> bool) -> bool {
    let mut implicit = (0..parts.len()).filter(|&index| !parts[index].is_explicit()).peekable();
    implicit.peek().is_some() && implicit.all(|index| holds(method, index))
}

fn is_a_stable(method: &Method, partition: usize) -> bool {
    sector_angle(method, partition).is_ok_and(|angle| angle == Some(90.0))
}
