//! The specification of a diagonally implicit design.

use dashu::base::Abs;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::Method;

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of stages.
const MOST_STAGES: usize = 12;
/// Highest order; the principal error of higher ones has too many trees.
const HIGHEST_ORDER: usize = 5;

/// Dependence of the stages of a partition on themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Stages depend on earlier ones only.
    Explicit,
    /// Stages depend on themselves and on earlier ones.
    Implicit,
}

/// A partition of the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionShape {
    /// Whether the partition is implicit.
    pub role: Role,
    /// The number of stages at which it is evaluated.
    pub evaluations: usize,
}

/// The diagonal of an implicit partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagonalStructure {
    /// A separate diagonal entry at every stage.
    Dirk,
    /// One entry γ at every stage.
    Sdirk,
    /// An explicit first stage, then γ: the structure that permits stage order two.
    Esdirk,
}

/// The diagonal entry γ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gamma {
    /// Minimizes the objective; if the conditions leave it free, it is rounded to a short decimal.
    Free,
    /// A given number.
    Fixed(RBig),
    /// A root of a polynomial. The search uses its decimals; in certificates it is an unknown that the equations
    /// determine.
    Root {
        /// The coefficients c₀ … c_n of c₀ + c₁γ + … + c_nγⁿ.
        coefficients: Vec<RBig>,
        /// The root to sixty decimals.
        value: RBig,
    },
}

impl Gamma {
    /// Returns the root of c₀ + c₁γ + … + c_nγⁿ that Newton's method reaches from a number.
    ///
    /// `None` if the degree exceeds twelve or the iteration does not settle at a simple root.
    ///
    /// ```
    /// use hemiola_design::Gamma;
    /// // γ = 1 − 1/√2 makes two stages of order two L-stable (Alexander 1977).
    /// let root = Gamma::root(&[1, -4, 2].map(Into::into), 0.3).unwrap();
    /// let gamma = root.value().unwrap().to_f64().value();
    /// assert!((gamma - (1.0 - 0.5_f64.sqrt())).abs() < 1e-15);
    /// assert!(Gamma::root(&[1, 0, 1].map(Into::into), 0.3).is_none());
    /// ```
    #[must_use]
    pub fn root(coefficients: &[RBig], near: f64) -> Option<Self> {
        const DECIMALS: usize = 60;
        const GUARD: usize = 10;
        const ITERATIONS: usize = 100;
        if coefficients.len() > MOST_STAGES + 1 {
            return None;
        }
        let unit = |decimals: usize| RBig::from_parts(IBig::ONE, UBig::from(10_u8).pow(decimals));
        let fine = unit(DECIMALS + GUARD);
        let rounded = |x: RBig, unit: &RBig| RBig::from((x / unit).round()) * unit;
        let mut x = rounded(RBig::try_from(near).ok()?, &fine);
        for _ in 0..ITERATIONS {
            let (mut value, mut slope) = (RBig::ZERO, RBig::ZERO);
            for coefficient in coefficients.iter().rev() {
                slope = slope * &x + &value;
                value = value * &x + coefficient;
            }
            if slope == RBig::ZERO {
                return None;
            }
            let step = rounded(value / slope, &fine);
            x -= &step;
            if step.abs() <= fine {
                // Other starts end at other guard digits.
                let value = rounded(x, &unit(DECIMALS));
                return Some(Self::Root { coefficients: coefficients.to_vec(), value });
            }
            // There is no admissible γ far away; the bound keeps the numbers short.
            if x.to_f64().value().abs() > 1e6 {
                return None;
            }
        }
        None
    }

    /// Returns the entry unless the search chooses it.
    #[must_use]
    pub fn value(&self) -> Option<&RBig> {
        match self {
            Self::Free => None,
            Self::Fixed(value) | Self::Root { value, .. } => Some(value),
        }
    }
}

/// Choice of the implicit partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImplicitKind {
    /// One implicit partition.
    Alone,
    /// An explicit and an implicit partition for sums f + g, with the same weights and abscissae.
    Additive,
    /// A slow implicit and a fast explicit partition.
    Slow,
    /// A slow explicit and a fast implicit partition.
    Fast,
    /// Two implicit partitions.
    Both,
}

/// A diagonally implicit method, alone or with an explicit partner, whose principal error is minimized.
///
/// Besides the order conditions, the stability function of each implicit partition vanishes at infinity and is bounded by
/// one on the imaginary axis, so that the partition is L-stable.
#[derive(Clone, Debug)]
pub struct ImplicitSpecification {
    /// Choice of the implicit partitions.
    pub kind: ImplicitKind,
    /// The partitions in the order of the method.
    pub partitions: Vec<PartitionShape>,
    /// The order: 1 to 5.
    pub order: usize,
    /// The diagonals of implicit partitions.
    pub structure: DiagonalStructure,
    /// Whether the last stage of implicit partitions is the result of the step.
    pub stiffly_accurate: bool,
    /// The stage order of implicit partitions: 1 or 2.
    pub stage_order: usize,
    /// The diagonal entry.
    pub gamma: Gamma,
    /// Whether all partitions have the same weights.
    pub shared_weights: bool,
    /// Whether all partitions have the same abscissae, if all first stages are explicit.
    pub shared_abscissae: bool,
    /// The largest modulus of a coefficient.
    pub largest: f64,
    /// Whether to find embedded weights of order p − 1 whose stability function vanishes at infinity.
    pub embedded: bool,
    /// The order of the requested dense output.
    pub dense: Option<usize>,
    /// The size of the requested joint region, as a multiple of the stability region of explicit Euler, which it
    /// resembles.
    ///
    /// The search aims at |R(z_E, z_I)| ≤ 1 for all z_I in the wedge of [`joint_wedge`](Self::joint_wedge) and all z_E in the
    /// disk |z_E + r/2| ≤ r/2; r is this number. It penalizes instability at sampled points.
    pub joint: f64,
    /// The half-angle in degrees, up to 90, of the wedge around the negative real axis to which z_I of the joint region belongs.
    pub joint_wedge: f64,
    /// The largest allowed modulus of the limit of a stage for z → ∞, R_int(∞); in an ESDIRK method, the second stage
    /// has such a limit.
    pub internal: Option<f64>,
    /// A method that replaces the random starts: the first start is this method, the others are random displacements of
    /// it.
    pub start: Option<Method>,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of starts.
    pub starts: usize,
}

impl ImplicitSpecification {
    /// Specifies a design with default requirements: L-stable, stiffly accurate, ESDIRK with stage order two if there are
    /// enough stages.
    ///
    /// `evaluations` has one number for [`ImplicitKind::Alone`] and [`ImplicitKind::Additive`], where it counts the stages,
    /// and those of the slow and the fast partition otherwise.
    ///
    /// ```
    /// use hemiola_design::{ImplicitKind, ImplicitSpecification};
    /// ImplicitSpecification::new(ImplicitKind::Additive, &[4], 3).validate()?;
    /// assert!(ImplicitSpecification::new(ImplicitKind::Alone, &[2], 5).validate().is_err());
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn new(kind: ImplicitKind, evaluations: &[usize], order: usize) -> Self {
        let shape = |role, k: usize| PartitionShape { role, evaluations: evaluations.get(k).copied().unwrap_or(0) };
        let partitions = match kind {
            ImplicitKind::Alone => vec![shape(Role::Implicit, 0)],
            ImplicitKind::Additive => vec![shape(Role::Explicit, 0), shape(Role::Implicit, 0)],
            ImplicitKind::Slow => vec![shape(Role::Implicit, 0), shape(Role::Explicit, 1)],
            ImplicitKind::Fast => vec![shape(Role::Explicit, 0), shape(Role::Implicit, 1)],
            ImplicitKind::Both => vec![shape(Role::Implicit, 0), shape(Role::Implicit, 1)],
        };
        Self {
            kind,
            partitions,
            order,
            structure: DiagonalStructure::Esdirk,
            stiffly_accurate: true,
            stage_order: if order > 1 { 2 } else { 1 },
            gamma: Gamma::Free,
            shared_weights: kind == ImplicitKind::Additive,
            shared_abscissae: true,
            largest: 10.0,
            embedded: false,
            dense: None,
            joint: 0.0,
            joint_wedge: 90.0,
            internal: None,
            start: None,
            seed: 1,
            starts: 24,
        }
    }

    /// Returns the number of stages.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.partitions.iter().map(|shape| shape.evaluations).max().unwrap_or(0)
    }

    /// Returns whether all partitions have the same abscissae: an implicit first stage has another one than an explicit one.
    pub(crate) fn has_shared_abscissae(&self) -> bool {
        self.shared_abscissae && self.structure == DiagonalStructure::Esdirk
    }

    /// Returns the indices of the implicit partitions.
    pub(crate) fn implicit(&self) -> impl Iterator<Item = usize> {
        self.partitions.iter().enumerate().filter(|(_, shape)| shape.role == Role::Implicit).map(|(k, _)| k)
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] with the invalid number.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { order, stage_order, starts, largest, joint, .. } = self;
        let is_esdirk = self.structure == DiagonalStructure::Esdirk;
        require((1..=HIGHEST_ORDER).contains(order), "the order of the implicit design", order, "1 to 5")?;
        for (k, shape) in self.partitions.iter().enumerate() {
            let least = match shape.role {
                Role::Explicit => *order,
                // R = N/D has real poles, and R(∞) = 0: its order is at most the number of implicit stages (Nørsett & Wolfbrandt
                // 1977), of which an ESDIRK method has one fewer than evaluations.
                Role::Implicit => order + usize::from(is_esdirk),
            };
            let fits = (least..=MOST_STAGES).contains(&shape.evaluations);
            let names = [
                "the number of evaluations of the first partition",
                "the number of evaluations of the second partition",
            ];
            require(
                fits,
                names[k.min(1)],
                &shape.evaluations,
                "at least the order, one more for an L-stable ESDIRK method, and at most 12",
            )?;
        }
        require((1..=2).contains(stage_order), "the stage order", stage_order, "1 or 2")?;
        let fits = *stage_order == 1 || is_esdirk;
        require(fits, "the stage order", stage_order, "1 without an explicit first stage (ESDIRK)")?;
        let is_stiff = self.stiffly_accurate;
        require(is_stiff, "stiff accuracy", &"absent", "stiff accuracy, without which R(∞) need not vanish")?;
        if let Some(gamma) = self.gamma.value() {
            let fits = *gamma > RBig::ZERO && *gamma <= RBig::from(2);
            require(fits, "the diagonal entry", &gamma.to_f64().value(), "a number above 0, at most 2")?;
        }
        require(*largest >= 1.0 && largest.is_finite(), "the largest coefficient", largest, "at least 1")?;
        let fits = self.dense.is_none_or(|dense| (1..=*order).contains(&dense));
        let dense = self.dense.unwrap_or_default();
        require(fits, "the order of the dense output", &dense, "an order from 1 to that of the method")?;
        require((0.0..=20.0).contains(joint), "the joint region", joint, "a diameter from 0 to 20")?;
        let wedge = self.joint_wedge;
        let fits = wedge > 0.0 && wedge <= 90.0;
        require(fits, "the wedge of the joint region", &wedge, "an angle above 0°, at most 90°")?;
        let fits = *joint == 0.0 || self.partitions.iter().any(|shape| shape.role == Role::Explicit);
        require(fits, "the joint region", joint, "0 without an explicit partner")?;
        if let Some(internal) = self.internal {
            let fits = is_esdirk && (1.0..=100.0).contains(&internal);
            require(fits, "the limit of the stages", &internal, "1 to 100, of methods with an explicit first stage")?;
        }
        if let Some(start) = &self.start {
            let fits = start.partitions().len() == self.partitions.len() && start.stages() == self.stages();
            require(fits, "the method to start from", &start.id(), "a method with as many partitions and stages")?;
        }
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")
    }
}
