//! Kinds of methods, by which lists are filtered.

use hemiola_order::{Verdict, symplecticity};
use hemiola_tableau::{Butcher, Method};

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
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Explicit,
        Self::Dirk,
        Self::Implicit,
        Self::Pair,
        Self::Imex,
        Self::Symplectic,
        Self::Embedded,
        Self::Dense,
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
        }
    }
}
