//! The specification of a multirate design.

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of slow evaluations, and highest order.
const MOST_EVALUATIONS: usize = 16;
pub(crate) const HIGHEST_ORDER: usize = 5;
/// Highest degree of the forcing polynomials.
const HIGHEST_DEGREE: usize = 4;

/// A requested sector limit: |R(z_F, z_S)| ≤ 1 for z_S in [−`limit`, 0] and |arg(−z_F)| ≤ `angle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WantedSector {
    /// The half-angle α in degrees, 0 ≤ α < 90.
    pub angle: f64,
    /// The limit x(α).
    pub limit: f64,
    /// The limit of the implicit partition of an additive method; `None` if it is the same.
    pub implicit_limit: Option<f64>,
}

impl WantedSector {
    /// Returns the limit of a slow partition, from 0.
    pub(crate) fn of_part(&self, part: usize) -> f64 {
        self.implicit_limit.filter(|_| part > 0).unwrap_or(self.limit)
    }

    /// Returns the limits as text, `X` or `X,Y`.
    pub(crate) fn limits(&self) -> String {
        self.implicit_limit.map_or_else(|| self.limit.to_string(), |implicit| format!("{},{implicit}", self.limit))
    }
}

/// The treatment of the slow part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlowPart {
    /// One explicit partition.
    #[default]
    Explicit,
    /// One diagonally implicit partition.
    Implicit,
    /// An explicit and a diagonally implicit partition.
    Additive,
}

impl SlowPart {
    pub(crate) const ALL: [Self; 3] = [Self::Explicit, Self::Implicit, Self::Additive];

    /// Returns whether each slow partition is implicit.
    pub(crate) const fn is_implicit(self) -> &'static [bool] {
        match self {
            Self::Explicit => &[false],
            Self::Implicit => &[true],
            Self::Additive => &[false, true],
        }
    }

    /// Returns the names of all partitions.
    pub(crate) const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Explicit | Self::Implicit => &["fast", "slow"],
            Self::Additive => &["fast", "explicit", "implicit"],
        }
    }

    /// Returns the value of `--implicit`, if there is one.
    pub(crate) const fn option(self) -> Option<&'static str> {
        match self {
            Self::Explicit => None,
            Self::Implicit => Some("slow"),
            Self::Additive => Some("additive"),
        }
    }
}

/// The stability of an implicit slow partition alone, without the fast part and other slow partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlowStability {
    /// No requirement.
    Any,
    /// |R(z)| ≤ 1 in the closed left half-plane.
    AStable,
    /// A-stable with R(∞) = 0.
    #[default]
    LStable,
}

impl SlowStability {
    pub(crate) const ALL: [Self; 3] = [Self::Any, Self::AStable, Self::LStable];

    /// Returns the name, for example `L-stable`, which is also the value of `--slow-stability`.
    ///
    /// ```
    /// assert_eq!(hemiola_design::SlowStability::default().name(), "L-stable");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::AStable => "A-stable",
            Self::LStable => "L-stable",
        }
    }
}

/// An infinitesimal method of any ratio whose principal error norm is minimized.
#[derive(Clone, Debug, PartialEq)]
pub struct MriSpecification {
    /// The treatment of the slow part. All implicit stages, including the last, have a correction with the same
    /// diagonal entry, so that one of the `slow` evaluations is carried over from the previous step.
    pub part: SlowPart,
    /// The number of slow evaluations in a step.
    pub slow: usize,
    /// The order p: 1 to 5.
    pub order: usize,
    /// The degree of the forcing polynomials in τ.
    pub degree: usize,
    /// Whether every stage starts from the beginning of the step, as in MERK methods, rather than from the previous
    /// stage.
    pub restarts: bool,
    /// The requested sector limits of each slow partition, without the other.
    pub sectors: Vec<WantedSector>,
    /// The required stability of an implicit partition alone; explicit ones have none.
    pub stability: SlowStability,
    /// The largest modulus of a coefficient of the forcing and the corrections.
    pub largest: f64,
    /// Whether to add an embedded row of order p − 1, or of a lower order if slow variables would have no error
    /// estimate otherwise.
    pub embedded: bool,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
}

impl MriSpecification {
    /// Specifies a method with default requirements: continued stages of degree 1, L-stability of an implicit partition and,
    /// from order 2 on, an embedded row.
    ///
    /// ```
    /// use hemiola_design::MriSpecification;
    /// MriSpecification::new(5, 4).validate()?;
    /// assert!(MriSpecification::new(3, 4).validate().is_err());
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn new(slow: usize, order: usize) -> Self {
        Self {
            part: SlowPart::Explicit,
            slow,
            order,
            degree: 1,
            restarts: false,
            sectors: Vec::new(),
            stability: SlowStability::default(),
            largest: 4.0,
            embedded: order > 1,
            seed: 1,
            starts: 64,
        }
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] with the invalid number, and [`DesignError::OrderTooHigh`] if the slow
    /// partition cannot have this order.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { slow, order, degree, sectors, largest, starts, .. } = self;
        require((1..=MOST_EVALUATIONS).contains(slow), "the number of slow evaluations", slow, "1 to 16")?;
        require((1..=HIGHEST_ORDER).contains(order), "the order of the multirate method", order, "1 to 5")?;
        // The slow partition alone is a Runge–Kutta method, explicit or diagonally implicit after its first stage.
        let explicit = [1, 2, 3, 4, 6][order - 1];
        // With R(∞) = 0 the numerator of R has a lower degree, so that the order is at most the number of implicit stages.
        let damped = if self.stability == SlowStability::LStable { order + 1 } else { 0 };
        let needed = match self.part {
            SlowPart::Explicit => explicit,
            SlowPart::Implicit => (*order).max(2).max(damped),
            // The explicit partner is not evaluated at the last stage.
            SlowPart::Additive => (explicit + 1).max(damped),
        };
        if *slow < needed {
            return Err(DesignError::OrderTooHigh { order: *order, slow: *slow, needed });
        }
        require(*degree <= HIGHEST_DEGREE, "the degree of the forcing", degree, "0 to 4")?;
        for sector in sectors {
            let has_angle = (0.0..90.0).contains(&sector.angle);
            require(has_angle, "the angle of a sector", &sector.angle, "degrees from 0 to below 90")?;
            for limit in [Some(sector.limit), sector.implicit_limit].into_iter().flatten() {
                let has_limit = limit > 0.0 && limit <= 100.0;
                require(has_limit, "the limit of a sector", &limit, "above 0 and at most 100")?;
            }
            let fits = sector.implicit_limit.is_none() || self.part == SlowPart::Additive;
            let second = sector.implicit_limit.unwrap_or_default();
            require(
                fits,
                "the second limit of a sector",
                &second,
                "none, unless an implicit partition stands beside an explicit one",
            )?;
        }
        require(*largest >= 1.0 && *largest <= 1e6, "the largest coefficient", largest, "1 to 1000000")?;
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")
    }

    /// Returns the number of stages after the first.
    pub(crate) fn rows(&self) -> usize {
        if self.part == SlowPart::Explicit { self.slow } else { self.slow.saturating_sub(1) }
    }

    /// Returns the id of the method if no other is chosen.
    ///
    /// ```
    /// assert_eq!(hemiola_design::MriSpecification::new(5, 4).default_id(), "mri-5-order-4");
    /// ```
    #[must_use]
    pub fn default_id(&self) -> String {
        let restarts = if self.restarts { "-restarts" } else { "" };
        let implicit = self.part.option().map_or_else(String::new, |part| format!("-implicit-{part}"));
        format!("mri-{}-order-{}{restarts}{implicit}", self.slow, self.order)
    }

    /// Returns the command that reproduces the design.
    ///
    /// ```
    /// let command = hemiola_design::MriSpecification::new(5, 4).command();
    /// assert_eq!(command, "hemiola design --slow 5 --fast exact --order 4");
    /// ```
    #[must_use]
    pub fn command(&self) -> String {
        let default = Self { part: self.part, ..Self::new(self.slow, self.order) };
        let mut command = format!("hemiola design --slow {} --fast exact --order {}", self.slow, self.order);
        let mut add = |is_given: bool, option: String| {
            if is_given {
                command += " --";
                command += &option;
            }
        };
        if let Some(part) = self.part.option() {
            add(true, format!("implicit {part}"));
        }
        add(self.degree != default.degree, format!("degree {}", self.degree));
        add(self.restarts, "restarts".to_owned());
        for sector in &self.sectors {
            add(true, format!("sector {}={}", sector.angle, sector.limits()));
        }
        let is_implicit = self.part != SlowPart::Explicit;
        add(is_implicit && self.stability != default.stability, format!("slow-stability {}", self.stability.name()));
        add(self.largest != default.largest, format!("largest {}", self.largest));
        add(self.embedded != default.embedded, "embedded 0".to_owned());
        add(self.seed != default.seed, format!("seed {}", self.seed));
        add(self.starts != default.starts, format!("starts {}", self.starts));
        command
    }
}
