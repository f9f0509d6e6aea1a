//! The specification of an SSP design.

use dashu::rational::RBig;

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of evaluations.
const MOST_EVALUATIONS: usize = 16;
/// Highest order of a method with one partition, and of a pair.
const HIGHEST_ORDERS: [usize; 2] = [4, 3];

/// An explicit method with one partition, or a dual-rate pair, whose radius of absolute monotonicity is maximized.
///
/// Forward Euler steps of the partitions up to τ₁ and τ₂ are contractive. The radii of a pair have the ratio
/// r₂ = `ratio`·r₁, so that steps h ≤ r₁·min(τ₁, `ratio`·τ₂) keep this property.
#[derive(Clone, Debug, PartialEq)]
pub struct SspSpecification {
    /// The numbers of evaluations in a step: one, or that of the slow and that of the fast partition.
    pub evaluations: Vec<usize>,
    /// The order: 1 to 4, for pairs 1 to 3.
    pub order: usize,
    /// The ratio of the fast partition's radius to that of the slow one.
    pub ratio: RBig,
    /// Whether each partition is to be monotone by itself.
    ///
    /// This preserves maximum norms and bounds of systems whose partitions are disjoint sets of variables. Otherwise the
    /// pair is monotone for sums f₁ + f₂ in every norm (Higueras 2006).
    pub by_parts: bool,
    /// Whether both partitions have the same weights, which conserves sums over both.
    pub shared_weights: bool,
    /// Whether both partitions have the same abscissae.
    pub shared_abscissae: bool,
    /// The stages, from 0, at which the slow partition is evaluated; `None` leaves the choice to the search.
    pub slow_stages: Option<Vec<usize>>,
    /// The order of embedded weights.
    pub embedded: Option<usize>,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts, for each choice of slow stages that is examined closely.
    pub starts: usize,
}

impl SspSpecification {
    /// Specifies a method with default requirements: the radii of a pair have the ratio of the evaluations.
    ///
    /// ```
    /// use hemiola_design::SspSpecification;
    /// SspSpecification::new(vec![5], 4).validate()?;
    /// // Methods with four stages and order four have C = 0 (Kraaijevanger 1991).
    /// assert!(SspSpecification::new(vec![4], 4).validate().is_err());
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn new(evaluations: Vec<usize>, order: usize) -> Self {
        let ratio = match evaluations[..] {
            [slow, fast] if slow > 0 => RBig::from_parts(fast.into(), slow.into()),
            _ => RBig::ONE,
        };
        Self {
            evaluations,
            order,
            ratio,
            by_parts: false,
            shared_weights: false,
            shared_abscissae: false,
            slow_stages: None,
            embedded: None,
            seed: 1,
            starts: 48,
        }
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] with the invalid number.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { evaluations, order, ratio, slow_stages, embedded, starts, .. } = self;
        let listed = || evaluations.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let count = evaluations.len();
        require((1..=2).contains(&count), "the number of partitions", &count, "one or two")?;
        let highest = HIGHEST_ORDERS[count - 1];
        let expected = if count == 1 { "1 to 4" } else { "1 to 3 for pairs" };
        require((1..=highest).contains(order), "the order of the SSP method", order, expected)?;
        let falls = evaluations.windows(2).all(|pair| pair[0] <= pair[1]);
        require(falls, "the list of evaluations", &listed(), "at least as many fast as slow evaluations")?;
        // Explicit methods of order four with four stages need a negative coefficient (Kraaijevanger 1991).
        let fewest = if *order == 4 { 5 } else { *order };
        let fits = evaluations.iter().all(|count| (fewest..=MOST_EVALUATIONS).contains(count));
        let expected = "as many evaluations as the order, five for order 4, and at most 16";
        require(fits, "the list of evaluations", &listed(), expected)?;
        let is_ratio = *ratio >= RBig::from_parts(1.into(), 100u8.into()) && *ratio <= RBig::from(100);
        require(is_ratio, "the ratio of the radii", &ratio.to_f64().value(), "a number from 0.01 to 100")?;
        if let Some(stages) = slow_stages {
            let stage_count = evaluations.last().copied().unwrap_or_default();
            let are_stages = count == 2 && stages.len() == evaluations[0] && stages.iter().all(|&k| k < stage_count);
            let rises = stages.windows(2).all(|pair| pair[0] < pair[1]);
            let found = stages.iter().map(|stage| stage.wrapping_add(1).to_string()).collect::<Vec<_>>().join(",");
            require(are_stages && rises, "the list of slow stages", &found, "increasing numbers of stages of a pair")?;
        }
        if let Some(embedded) = embedded {
            require((1..*order).contains(embedded), "the embedded order", embedded, "at least 1, below the order")?;
        }
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")
    }

    /// Returns the id of the method if no other is chosen.
    ///
    /// ```
    /// assert_eq!(hemiola_design::SspSpecification::new(vec![5], 4).default_id(), "ssp-5-order-4");
    /// ```
    #[must_use]
    pub fn default_id(&self) -> String {
        let mut id = format!("ssp-{}-order-{}", self.counts().join("-"), self.order);
        for (is_set, word) in [
            (self.by_parts, "-by-parts"),
            (self.shared_weights, "-shared-weights"),
            (self.shared_abscissae, "-shared-abscissae"),
        ] {
            if is_set && self.evaluations.len() == 2 {
                id += word;
            }
        }
        id
    }

    fn counts(&self) -> Vec<String> {
        self.evaluations.iter().map(ToString::to_string).collect()
    }

    /// Returns the command that reproduces the design.
    ///
    /// ```
    /// let pair = hemiola_design::SspSpecification { by_parts: true, ..hemiola_design::SspSpecification::new(vec![2, 4], 2) };
    /// assert_eq!(pair.command(), "hemiola design --ssp --slow 2 --fast 4 --order 2 --by-parts");
    /// ```
    #[must_use]
    pub fn command(&self) -> String {
        let default = Self::new(self.evaluations.clone(), self.order);
        let size = match self.evaluations[..] {
            [slow, fast] => format!("--slow {slow} --fast {fast}"),
            _ => format!("--stages {}", self.counts().join(",")),
        };
        let mut command = format!("hemiola design --ssp {size} --order {}", self.order);
        let mut add = |is_given: bool, option: &str, value: String| {
            if is_given {
                command += &format!(" --{option}{value}");
            }
        };
        add(self.ratio != default.ratio, "ratio ", self.ratio.to_string());
        add(self.by_parts, "by-parts", String::new());
        add(self.shared_weights, "shared-weights", String::new());
        add(self.shared_abscissae, "shared-abscissae", String::new());
        if let Some(stages) = &self.slow_stages {
            let stages: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
            add(true, "slow-stages ", stages.join(","));
        }
        if let Some(embedded) = self.embedded {
            add(true, "embedded ", embedded.to_string());
        }
        add(self.seed != default.seed, "seed ", self.seed.to_string());
        add(self.starts != default.starts, "starts ", self.starts.to_string());
        command
    }

    /// Returns the ratios of the radii to that of the first partition.
    pub(crate) fn direction(&self) -> Vec<RBig> {
        let all = [RBig::ONE, self.ratio.clone()];
        all.into_iter().take(self.evaluations.len()).collect()
    }
}
