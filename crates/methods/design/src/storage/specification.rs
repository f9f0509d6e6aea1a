//! The specification of a low-storage design.

use hemiola_polynomial::Spectrum;
use hemiola_tableau::low_storage::StorageClass;

use crate::error::{DesignError, require};
use crate::specification::definition::MOST_STARTS;

/// Largest number of stages.
const MOST_STAGES: usize = 20;
/// Highest order of a method.
const HIGHEST_ORDER: usize = 5;

/// An explicit method with one partition in a low-storage form, with small errors and, for a spectrum, long steps.
#[derive(Clone, Debug, PartialEq)]
pub struct StorageSpecification {
    /// The form: 2N, 2S or 3S*.
    pub class: StorageClass,
    /// The number of stages.
    pub stages: usize,
    /// The order: 1 to 5.
    pub order: usize,
    /// The spectrum for which the step is maximized; `None` leaves the stability polynomial free.
    pub spectrum: Option<Spectrum>,
    /// The spectrum as the user wrote it.
    pub spectrum_text: Option<String>,
    /// The fraction of the largest step that must be retained. At 1 the polynomial is the optimal one; below 1, the
    /// remainder may be sacrificed for smaller errors.
    pub share: f64,
    /// The order of embedded weights; in 2S and 3S* they belong to the form.
    pub embedded: Option<usize>,
    /// The weight of the amplification of perturbations of the stages.
    pub internal: f64,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
}

impl StorageSpecification {
    /// Specifies a method with default requirements and a free stability polynomial.
    ///
    /// ```
    /// use hemiola_design::StorageSpecification;
    /// StorageSpecification::new("2N".parse()?, 5, 4).validate()?;
    /// // Three stages of 2N have five coefficients, too few for the eight conditions of order four.
    /// assert!(StorageSpecification::new("2N".parse()?, 3, 4).validate().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(class: StorageClass, stages: usize, order: usize) -> Self {
        Self {
            class,
            stages,
            order,
            spectrum: None,
            spectrum_text: None,
            share: 1.0,
            embedded: None,
            internal: 0.001,
            seed: 1,
            starts: 96,
        }
    }

    /// Checks everything that can be checked without a search.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] with the invalid value.
    pub fn validate(&self) -> Result<(), DesignError> {
        let Self { class, stages, order, embedded, starts, share, internal, spectrum, .. } = self;
        let is_known = matches!(class, StorageClass::TwoN | StorageClass::TwoS | StorageClass::ThreeSStar);
        require(is_known, "the low-storage form of the design", class, "2N, 2S or 3S*")?;
        require((1..=HIGHEST_ORDER).contains(order), "the order", order, "1 to 5")?;
        // Explicit methods of order five need six stages (Butcher 2016, §32); methods 2N of order four need five stages
        // (Williamson 1980), since those with four stages have seven coefficients for eight conditions.
        let fewest = match (class, order) {
            (StorageClass::TwoN, 4) => 5,
            (_, 5) => 6,
            _ => *order,
        };
        let fits = (fewest..=MOST_STAGES).contains(stages);
        let expected = "as many stages as the order, 5 for order 4 in 2N, 6 for order 5, and at most 20";
        require(fits, "the number of stages", stages, expected)?;
        if let Some(embedded) = embedded {
            require((1..*order).contains(embedded), "the embedded order", embedded, "at least 1, below the order")?;
        }
        require(*share > 0.0 && *share <= 1.0, "the fraction of the step", share, "a number above 0, at most 1")?;
        let is_weight = internal.is_finite() && *internal >= 0.0;
        require(is_weight, "the weight of internal stability", internal, "a number that is not negative")?;
        let needs_spectrum = *share != 1.0 || *internal != Self::new(*class, *stages, *order).internal;
        let expected = "one, for a fraction of the step or a weight of internal stability";
        require(spectrum.is_some() || !needs_spectrum, "the spectrum", &"none", expected)?;
        require((1..=MOST_STARTS).contains(starts), "the number of starts", starts, "1 to 1000000")
    }

    /// Returns the id of the method if no other is chosen.
    ///
    /// ```
    /// use hemiola_design::StorageSpecification;
    /// assert_eq!(StorageSpecification::new("3S*".parse()?, 9, 4).default_id(), "low-storage-3s-star-9-4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn default_id(&self) -> String {
        let form = self.class.to_string().to_lowercase().replace('*', "-star");
        format!("low-storage-{form}-{}-{}", self.stages, self.order)
    }

    /// Returns the command that reproduces the design, for a spectrum given as a text.
    ///
    /// ```
    /// use hemiola_design::StorageSpecification;
    /// let command = StorageSpecification::new("3S*".parse()?, 9, 4).command();
    /// assert_eq!(command, "hemiola design --storage 3S* --stages 9 --order 4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn command(&self) -> String {
        let default = Self::new(self.class, self.stages, self.order);
        let mut command =
            format!("hemiola design --storage {} --stages {} --order {}", self.class, self.stages, self.order);
        let mut add = |is_given: bool, option: &str, value: &dyn ToString| {
            if is_given {
                command += &format!(" --{option} {}", value.to_string());
            }
        };
        if let Some(text) = &self.spectrum_text {
            // File names may contain spaces.
            let is_word = !text.contains(char::is_whitespace);
            add(true, "spectrum", &if is_word { text.clone() } else { format!("'{text}'") });
        }
        add(self.share != default.share, "step-fraction", &self.share);
        if let Some(embedded) = self.embedded {
            add(true, "embedded", &embedded);
        }
        add(self.internal != default.internal, "internal-weight", &self.internal);
        add(self.seed != default.seed, "seed", &self.seed);
        add(self.starts != default.starts, "starts", &self.starts);
        command
    }

    /// Returns whether embedded weights belong to the form.
    pub(crate) fn embeds_in_form(&self) -> bool {
        self.embedded.is_some() && self.class != StorageClass::TwoN
    }
}
