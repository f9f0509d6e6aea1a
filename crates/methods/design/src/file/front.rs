//! Design files of the compromises of a Pareto front.

use crate::error::DesignError;
use crate::file::design_file::{DesignFile, ENDING};
use crate::search::pareto::Compromise;
use crate::specification::definition::Specification;
use crate::specification::objective::Objective;

impl DesignFile {
    /// Returns the design file ID-1, ID-2, … of one compromise of a front with `emphases` emphases, and the
    /// compromise with its method signed.
    ///
    /// The weights of the file contain the emphasis. A search with this file would rank its starts by these weights and
    /// might end elsewhere, so the method names the file of the front as its source.
    ///
    /// ```
    /// use hemiola_design::{DesignFile, Specification, pareto};
    /// let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None)? };
    /// specification.objective.coefficients = 0.1;
    /// let front = DesignFile::new(specification);
    /// let compromises = pareto(&front.specification, 5, &())?;
    /// let (file, first) = front.compromise(5, 1, compromises[0].clone())?;
    /// assert_eq!((file.id.as_str(), first.design.method.id()), ("dual-rate-2-4-1", "dual-rate-2-4-1"));
    /// assert_eq!(first.design.method.source().place.as_deref(), Some("hemiola design dual-rate-2-4.design.json --pareto 5"));
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`DesignError::Method`] if the id is invalid.
    pub fn compromise(
        &self,
        emphases: usize,
        number: usize,
        mut compromise: Compromise,
    ) -> Result<(Self, Compromise), DesignError> {
        let file = Self {
            id: format!("{}-{number}", self.id),
            name: format!("{}, compromise {number}", self.name),
            specification: emphasized(&self.specification, compromise.emphasis),
        };
        file.sign_as(&mut compromise.design, format!("hemiola design {}{ENDING} --pareto {emphases}", self.id))?;
        Ok((file, compromise))
    }
}

/// Multiplies the weights of the terms other than errors by the root of an emphasis, which is a factor of squares.
fn emphasized(specification: &Specification, emphasis: f64) -> Specification {
    let mut emphasized = specification.clone();
    let Objective { coefficients, internal, coupling, .. } = &mut emphasized.objective;
    let weights =
        [coefficients].into_iter().chain(internal).chain(coupling.as_mut().map(|coupling| &mut coupling.weight));
    weights.for_each(|weight| *weight *= emphasis.sqrt());
    emphasized
}
