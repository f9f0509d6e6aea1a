//! What is to be designed.

use std::fmt;

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_polynomial::{Axis, PolynomialError, Problem, Spectrum};

use crate::error::DesignError;

/// Explicit methods of order p = 1, 2, … need at least this many stages (Butcher 2016, §32).
const STAGES_FOR_ORDER: [usize; 8] = [1, 2, 3, 4, 6, 7, 9, 11];

/// A dual-rate pair to be found: how often each part is evaluated, the order, and the fast part's polynomial.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The number of slow evaluations in a step.
    pub slow: usize,
    /// The number of fast evaluations in a step, the number s of stages.
    pub fast: usize,
    /// The order p of the pair.
    pub order: usize,
    /// The axis for which the fast part's polynomial is optimal.
    pub axis: Axis,
    /// The damping η of that polynomial.
    pub damping: f64,
    /// The coefficients β₀ … β_s of the fast part's stability polynomial.
    pub polynomial: Vec<RBig>,
    /// The stages at which the slow part is evaluated, from 0; `None` searches.
    pub slow_stages: Option<Vec<usize>>,
    /// The largest coefficient allowed, in absolute value.
    pub largest_coefficient: f64,
    /// The seed of the random starts.
    pub seed: u64,
    /// The number of random starts.
    pub starts: usize,
}

/// The highest order that a number of slow evaluations allows: 1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8.
///
/// ```
/// let orders: Vec<usize> = (1..=6).map(hemiola_design::highest_order).collect();
/// assert_eq!(orders, [1, 2, 3, 4, 4, 5]);
/// ```
#[must_use]
pub fn highest_order(slow: usize) -> usize {
    STAGES_FOR_ORDER.iter().take_while(|&&needed| needed <= slow).count()
}

impl Specification {
    /// A pair of the highest order that `slow` evaluations allow, or of the order given, whose fast part has the optimal
    /// polynomial for an axis.
    ///
    /// # Errors
    /// [`DesignError`] where no such pair can exist, or no optimal polynomial is known.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// use hemiola_polynomial::Axis;
    /// let specification = Specification::new(2, 5, None, Axis::Imaginary).unwrap();
    /// assert_eq!((specification.order, specification.polynomial[5].to_string().as_str()), (2, "1/128"));
    /// assert!(Specification::new(2, 5, Some(3), Axis::Imaginary).is_err());
    /// ```
    pub fn new(slow: usize, fast: usize, order: Option<usize>, axis: Axis) -> Result<Self, DesignError> {
        require(slow >= 1, "the number of slow evaluations", &slow, "at least 1")?;
        require(fast >= slow, "the number of fast evaluations", &fast, "at least the number of slow evaluations")?;
        require(fast <= 20, "the number of fast evaluations", &fast, "at most 20")?;
        let order = order.unwrap_or_else(|| highest_order(slow));
        require((1..=STAGES_FOR_ORDER.len()).contains(&order), "the order", &order, "an order from 1 to 8")?;
        let needed = STAGES_FOR_ORDER[order - 1];
        if slow < needed {
            return Err(DesignError::OrderTooHigh { order, slow, needed });
        }
        // As many stages as the order leave nothing to choose.
        let polynomial = if fast == order { taylor(order) } else { optimal(axis, fast, order, 0.0)? };
        let mut specification = Self {
            slow,
            fast,
            order,
            axis,
            damping: 0.0,
            polynomial,
            slow_stages: None,
            largest_coefficient: 1.0,
            seed: 1,
            starts: 1,
        };
        // Small systems are quick to solve and have several basins; every choice of slow stages wants a few starts.
        let (least, for_each_choice) = match order {
            ..=2 => (96, 5),
            3 | 4 => (320, 10),
            _ => (48, 4),
        };
        specification.starts = least.max(for_each_choice * specification.slow_stage_choices().len());
        Ok(specification)
    }

    /// The same pair with the polynomial that is optimal with damping η (see [`Problem`]): weak coupling to the slow part
    /// makes the frequencies resonate at which |R| is one.
    ///
    /// # Errors
    /// [`DesignError`] where no polynomial is damped so much.
    ///
    /// ```
    /// use hemiola_design::Specification;
    /// use hemiola_polynomial::Axis;
    /// let specification = Specification::new(2, 5, None, Axis::Imaginary)?.with_damping(0.05)?;
    /// assert!(specification.to_string().contains("--damping 0.05"));
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    pub fn with_damping(mut self, eta: f64) -> Result<Self, DesignError> {
        if eta != self.damping {
            self.polynomial = optimal(self.axis, self.fast, self.order, eta)?;
            self.damping = eta;
        }
        Ok(self)
    }

    /// Checks what may have been changed since [`Specification::new`].
    pub(crate) fn validate(&self) -> Result<(), DesignError> {
        require(self.starts >= 1, "the number of starts", &self.starts, "at least 1")?;
        let bound = self.largest_coefficient;
        require(bound > 0.0 && bound.is_finite(), "the largest coefficient", &bound, "a positive number")?;
        let length = self.polynomial.len();
        require(
            length == self.fast + 1,
            "the number of the polynomial's coefficients",
            &length,
            "one more than stages",
        )?;
        let matches = self.polynomial.iter().zip(taylor(self.order)).all(|(beta, expected)| *beta == expected);
        require(matches, "the polynomial's beginning", &"another", "1/k! up to the order")?;
        if let Some(stages) = &self.slow_stages {
            let increasing = stages.windows(2).all(|pair| pair[0] < pair[1]);
            let fits = increasing && stages.len() == self.slow && stages.iter().all(|&stage| stage < self.fast);
            let expected = "increasing stages from 0, one for each slow evaluation";
            require(fits, "the choice of slow stages", &format!("{stages:?}"), expected)?;
        }
        Ok(())
    }

    /// The choices of slow stages to search over: the one that was given, or all of a small number, or an even spread.
    pub(crate) fn slow_stage_choices(&self) -> Vec<Vec<usize>> {
        const FEW: usize = 36;
        if let Some(stages) = &self.slow_stages {
            return vec![stages.clone()];
        }
        let spread = |k: usize| (2 * k * (self.fast - 1) + self.slow - 1) / (2 * (self.slow - 1));
        let even: Vec<usize> = if self.slow == 1 { vec![self.fast / 2] } else { (0..self.slow).map(spread).collect() };
        let all = subsets(self.fast, self.slow, FEW + 1);
        if all.len() <= FEW { all } else { vec![even] }
    }
}

impl fmt::Display for Specification {
    /// The options of `hemiola design` that give this specification.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = match self.axis {
            Axis::Imaginary => "imaginary",
            Axis::Real => "real",
        };
        let Self { slow, fast, order, largest_coefficient, seed, starts, .. } = self;
        write!(f, "--slow {slow} --fast {fast} --order {order} --axis {axis} --largest {largest_coefficient}")?;
        if self.damping != 0.0 {
            write!(f, " --damping {}", self.damping)?;
        }
        if let Some(stages) = &self.slow_stages {
            let stages: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
            write!(f, " --slow-stages {}", stages.join(","))?;
        }
        write!(f, " --seed {seed} --starts {starts}")
    }
}

/// The coefficients of the optimal polynomial, to more digits than the 50 of the method.
fn optimal(axis: Axis, stages: usize, order: usize, damping: f64) -> Result<Vec<RBig>, PolynomialError> {
    const DIGITS: usize = 64;
    let optimum = Problem::new(Spectrum::Axis(axis), stages, order).damping(damping).solve()?;
    Ok(optimum.polynomial(DIGITS)?.coefficients().to_vec())
}

/// 1/k! for k ≤ order.
fn taylor(order: usize) -> Vec<RBig> {
    let mut factorial = RBig::ONE;
    let term = |k: usize| {
        factorial *= RBig::from(IBig::from(k.max(1)));
        RBig::ONE / &factorial
    };
    (0..=order).map(term).collect()
}

fn require(holds: bool, name: &'static str, found: &dyn ToString, expected: &'static str) -> Result<(), DesignError> {
    if holds { Ok(()) } else { Err(DesignError::OutOfRange { name, found: found.to_string(), expected }) }
}

/// The first `most` subsets of 0 … n−1 with k members, in lexicographic order.
fn subsets(n: usize, k: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut current: Vec<usize> = (0..k).collect();
    while found.len() < most {
        found.push(current.clone());
        let Some(i) = (0..k).rev().find(|&i| current[i] < n - k + i) else { break };
        current[i] += 1;
        for j in i + 1..k {
            current[j] = current[j - 1] + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_complete_and_bounded() {
        assert_eq!(subsets(5, 2, 100).len(), 10);
        assert_eq!(subsets(4, 4, 100), [[0, 1, 2, 3]]);
        assert_eq!(subsets(12, 6, 21).len(), 21);
    }

    #[test]
    fn impossible_specifications_name_the_theorem() {
        let error = Specification::new(5, 8, Some(5), Axis::Imaginary).unwrap_err();
        assert!(error.to_string().contains("needs at least 6"));
        assert!(matches!(Specification::new(0, 5, None, Axis::Imaginary), Err(DesignError::OutOfRange { .. })));
        assert!(matches!(Specification::new(5, 2, None, Axis::Imaginary), Err(DesignError::OutOfRange { .. })));
        assert!(matches!(
            Specification::new(2, 2, None, Axis::Imaginary).unwrap().with_damping(0.1),
            Err(DesignError::Polynomial(_))
        ));
    }

    #[test]
    fn even_spreads_reach_both_ends() {
        let specification = Specification::new(4, 10, None, Axis::Imaginary).unwrap();
        assert_eq!(specification.slow_stage_choices(), [[0, 3, 6, 9]]);
    }
}
