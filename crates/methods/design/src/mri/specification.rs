//! The specification of a multirate design.

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of slow evaluations, and highest order.
const MOST_EVALUATIONS: usize = 16;
const HIGHEST_ORDER: usize = 5;
/// Highest degree of the forcing polynomials.
const HIGHEST_DEGREE: usize = 4;

/// A wanted sector limit: |R(z_F, z_S)| ≤ 1 for z_S in [−`limit`, 0] and |arg(−z_F)| ≤ `angle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WantedSector {
    /// The half-angle α in degrees, 0 ≤ α < 90.
    pub angle: f64,
    /// The limit x(α).
    pub limit: f64,
}

/// An explicit infinitesimal method of any ratio whose principal error norm is minimized.
#[derive(Clone, Debug, PartialEq)]
pub struct MriSpecification {
    /// The number of slow evaluations in a step.
    pub slow: usize,
    /// The order p: 1 to 5.
    pub order: usize,
    /// The degree of the forcing polynomials in τ.
    pub degree: usize,
    /// Whether every stage starts from the beginning of the step, as in MERK methods; otherwise from the one before.
    pub restarts: bool,
    /// The wanted sector limits.
    pub sectors: Vec<WantedSector>,
    /// The largest modulus of a forcing coefficient.
    pub largest: f64,
    /// Whether the method has an embedded one of order p − 1.
    pub embedded: bool,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
}

impl MriSpecification {
    /// Specifies a method with default requirements: continued stages of degree 1, from order 2 on with an embedded one.
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
            slow,
            order,
            degree: 1,
            restarts: false,
            sectors: Vec::new(),
            largest: 4.0,
            embedded: order > 1,
            seed: 1,
            starts: 64,
        }
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// [`DesignError::OutOfRange`] with the invalid number, [`DesignError::OrderTooHigh`] if the slow partition cannot
    /// have this order.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { slow, order, degree, sectors, largest, starts, .. } = self;
        require((1..=MOST_EVALUATIONS).contains(slow), "the number of slow evaluations", slow, "1 to 16")?;
        require((1..=HIGHEST_ORDER).contains(order), "the order of the multirate method", order, "1 to 5")?;
        // The slow partition alone is an explicit Runge–Kutta method.
        let needed = [1, 2, 3, 4, 6][order - 1];
        if *slow < needed {
            return Err(DesignError::OrderTooHigh { order: *order, slow: *slow, needed });
        }
        require(*degree <= HIGHEST_DEGREE, "the degree of the forcing", degree, "0 to 4")?;
        for sector in sectors {
            let has_angle = (0.0..90.0).contains(&sector.angle);
            require(has_angle, "the angle of a sector", &sector.angle, "degrees from 0 to below 90")?;
            let has_limit = sector.limit > 0.0 && sector.limit <= 100.0;
            require(has_limit, "the limit of a sector", &sector.limit, "above 0 and at most 100")?;
        }
        require(*largest >= 1.0 && *largest <= 1e6, "the largest coefficient", largest, "1 to 1000000")?;
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")
    }

    /// Returns the id of the method if no other is chosen.
    ///
    /// ```
    /// assert_eq!(hemiola_design::MriSpecification::new(5, 4).default_id(), "mri-5-order-4");
    /// ```
    #[must_use]
    pub fn default_id(&self) -> String {
        format!("mri-{}-order-{}{}", self.slow, self.order, if self.restarts { "-restarts" } else { "" })
    }

    /// Returns the command that reproduces the design.
    ///
    /// ```
    /// let command = hemiola_design::MriSpecification::new(5, 4).command();
    /// assert_eq!(command, "hemiola design --slow 5 --fast exact --order 4");
    /// ```
    #[must_use]
    pub fn command(&self) -> String {
        let default = Self::new(self.slow, self.order);
        let mut command = format!("hemiola design --slow {} --fast exact --order {}", self.slow, self.order);
        let mut add = |is_given: bool, option: String| {
            if is_given {
                command += " --";
                command += &option;
            }
        };
        add(self.degree != default.degree, format!("degree {}", self.degree));
        add(self.restarts, "restarts".to_owned());
        for WantedSector { angle, limit } in &self.sectors {
            add(true, format!("sector {angle}={limit}"));
        }
        add(self.largest != default.largest, format!("largest {}", self.largest));
        add(self.embedded != default.embedded, "embedded 0".to_owned());
        add(self.seed != default.seed, format!("seed {}", self.seed));
        add(self.starts != default.starts, format!("starts {}", self.starts));
        command
    }
}
