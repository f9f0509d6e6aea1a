//! The design of a low-storage method from its specification.

use dashu::rational::RBig;
use hemiola_number::Progress;
use hemiola_order::principal_error_norm;
use hemiola_stability::{StabilityFunction, form_amplification, form_amplification_on_axes, spectral_amplification};
use hemiola_tableau::low_storage::{FormTable, FoundForm, StorageError, StorageForm};
use hemiola_tableau::{Claims, Coefficient, Exact, Method, MethodError, Partition, Precision, Source};
use num_complex::Complex64;

use crate::completion::{CompletionOutcome, CompletionRequests, complete};
use crate::error::DesignError;
use crate::pair::decimals::{DECIMALS, coefficient, rational};
use crate::proof::Certificate;
use crate::storage::coordinates::StorageCoordinates;
use crate::storage::equations::StorageEquations;
use crate::storage::proof::{StorageProof, proved};
use crate::storage::refine::refined;
use crate::storage::search::{StorageStages, search};
use crate::storage::specification::StorageSpecification;
use crate::storage::target::{ROUNDING, StabilityTarget};

/// Largest number of minima whose refinement is tried.
const MOST_REFINEMENTS: usize = 40;
/// The precision of the coefficients of the form.
const PRECISION: Precision = Precision { decimals: DECIMALS as u32 };
/// Largest coefficient of a tableau that is accepted.
const LARGEST: f64 = 4.0;

/// A finished low-storage method.
#[derive(Clone, Debug)]
pub struct StorageDesign {
    /// The method; the coefficients of its form have fifty decimals.
    pub method: Method,
    /// The form with its coefficients.
    pub form: FoundForm,
    /// The norm of the principal error.
    pub error_norm: f64,
    /// The largest step on the spectrum.
    pub limit: Option<f64>,
    /// The largest step that any method with these stages and this order has on the spectrum.
    pub optimum: Option<f64>,
    /// The largest factor with which perturbations of a stage enter the step, over the spectrum times the largest step.
    pub amplification: Option<f64>,
    /// The largest factor with which the form multiplies rounding errors of its registers ([`form_amplification`]): over the
    /// spectrum times the largest step or, without a spectrum, on both axes up to the limits.
    pub form_amplification: f64,
    /// The proof that a method of the form with all claimed properties lies near the coefficients.
    pub proof: Option<StorageProof>,
    /// The certificate of the order conditions.
    pub certificate: Certificate,
    /// The result for embedded weights outside the form, if these are requested.
    pub embedded: Option<CompletionOutcome>,
    /// The number of starts that led to a solution of all equations.
    pub solved: usize,
    /// The text of the method file.
    text: String,
}

impl StorageDesign {
    /// Writes the method with the coefficients of the form as the text of a file.
    ///
    /// ```
    /// use hemiola_design::{StorageSpecification, design_storage};
    /// use hemiola_tableau::Method;
    /// let specification = StorageSpecification { starts: 4, ..StorageSpecification::new("2N".parse()?, 3, 3) };
    /// let design = design_storage(&specification, "mine", &())?;
    /// assert_eq!(Method::from_json(design.to_json().as_bytes(), "mine.json")?.exact(), design.method.exact());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        self.text.clone()
    }
}

/// Designs an explicit method in a low-storage form.
///
/// The unknowns are the coefficients of the form. The order conditions and, for a spectrum, the coefficients of the
/// optimal stability polynomial are equations for them. Among the solutions, descents from random starts minimize the
/// principal error, abscissae outside the step and the amplification of perturbations. `id` becomes the id of the
/// method. `progress` receives the finished starts. If it stops the search, the best method so far is returned.
///
/// ```
/// use hemiola_design::{StorageSpecification, design_storage};
/// // The optimal polynomial with five stages on the imaginary axis, as a 2N method of order three.
/// let specification = StorageSpecification {
///     spectrum: Some("imaginary".parse()?),
///     starts: 8,
///     ..StorageSpecification::new("2N".parse()?, 5, 3)
/// };
/// let design = design_storage(&specification, "mine", &())?;
/// assert!((design.limit.unwrap_or(0.0) - 3.9132824).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the specification is invalid or no start satisfies the equations. Missing embedded
/// weights outside the form are not an error: see [`StorageDesign::embedded`].
pub fn design_storage(
    specification: &StorageSpecification,
    id: &str,
    progress: &dyn Progress,
) -> Result<StorageDesign, DesignError> {
    specification.validate()?;
    let StorageSpecification { class, stages, order, .. } = *specification;
    let target = StabilityTarget::new(specification)?;
    let not_found = |solved| DesignError::NotFound { starts: specification.starts, seed: specification.seed, solved };
    let in_form = specification.embedded.filter(|_| specification.embeds_in_form());
    let coordinates = StorageCoordinates::new(class, stages, in_form.is_some());
    let polynomial = target.as_ref().map_or(&[][..], |target| &target.polynomial);
    let all = StorageEquations::new(coordinates, order, in_form, polynomial)?;
    let stages = StorageStages::new(specification, all, target.as_ref())?;
    let equations = &stages.equations;
    if equations.count() > equations.coordinates.count() {
        return Err(DesignError::TooFewCoefficients {
            form: class.to_string(),
            coefficients: equations.coordinates.count(),
            equations: equations.count(),
        });
    }
    let (minima, solved) = search(specification, &stages, progress);
    for minimum in minima.into_iter().take(MOST_REFINEMENTS) {
        let Some(nearby) = refined(equations, &minimum.x) else { continue };
        let finish = Finish { specification, target: target.as_ref(), equations, id, solved };
        if let Some(design) = finish.design(&nearby)? {
            return Ok(design);
        }
    }
    Err(not_found(solved))
}

/// The last steps of a design.
struct Finish<'a> {
    specification: &'a StorageSpecification,
    target: Option<&'a StabilityTarget>,
    equations: &'a StorageEquations,
    id: &'a str,
    solved: usize,
}

impl Finish<'_> {
    /// Assembles the method and determines its properties; `None` if it lacks a required one.
    fn design(&self, nearby: &[RBig]) -> Result<Option<StorageDesign>, DesignError> {
        let order = self.specification.order;
        let exact: Vec<Exact> = nearby.iter().cloned().map(Exact::from).collect();
        let coordinates = &self.equations.coordinates;
        let Some(form) = coordinates.family.form(&coordinates.parameters(&exact)) else { return Ok(None) };
        let rounded = |(_, values): (String, &[Exact])| values.iter().map(coefficient).collect::<Result<Vec<_>, _>>();
        let vectors =
            form.vectors().into_iter().map(rounded).collect::<Result<Vec<Vec<Coefficient>>, MethodError>>()?;
        let Some(mut method) = self.method(&vectors)? else { return Ok(None) };
        let limit = self.limit(&method);
        if self.target.zip(limit).is_some_and(|(target, limit)| limit < target.wanted * (1.0 - ROUNDING)) {
            return Ok(None);
        }
        let mut embedded = None;
        if let Some(wanted) = self.specification.embedded.filter(|_| !self.specification.embeds_in_form()) {
            let requests = CompletionRequests { embedded: Some(wanted), ..CompletionRequests::default() };
            let completion = complete(&method, requests)?;
            if let Some(completed) = completion.method {
                method = completed;
            }
            embedded = completion.embedded;
        }
        let values = |vector: &Vec<Coefficient>| vector.iter().map(|x| x.value().clone()).collect();
        let form = StorageForm::new(form.class(), vectors.iter().map(values).collect())
            .map_err(|problem| invalid(&problem))?;
        let written: Vec<RBig> = coordinates.of_form(&form).iter().map(rational).collect();
        let form = FoundForm::stated(form, DECIMALS, method.partitions()[0].b_hat.is_some());
        // The file states the decimals of the form; those of the tableau follow on reading.
        let (partitions, claims, source) = (method.partitions().to_vec(), method.claims(), method.source().clone());
        let stated = Method::new(self.id, method.name(), partitions, claims, Some(PRECISION), source)?;
        let text = stated.to_json_in_form(&form);
        let method = Method::from_json(text.as_bytes(), "the new method")?;
        let places: Option<Vec<Complex64>> = self
            .target
            .zip(limit)
            .map(|(target, limit)| target.boundary.places.iter().map(|place| place * limit).collect());
        let amplification = places.as_ref().map(|places| spectral_amplification(&method, 0, places));
        let form_amplification = match &places {
            Some(places) => form_amplification(&form.form, places),
            None => form_amplification_on_axes(&method, 0, &form.form)?,
        };
        Ok(Some(StorageDesign {
            form,
            error_norm: principal_error_norm(&method.exact(), order)?,
            limit,
            optimum: self.target.map(|target| target.optimum),
            amplification,
            form_amplification,
            proof: proved(self.equations, &written, nearby),
            certificate: Certificate::new(&method, order, &[])?,
            embedded,
            solved: self.solved,
            method,
            text,
        }))
    }

    /// Assembles the method of a form; `None` if its coefficients are too large.
    fn method(&self, vectors: &[Vec<Coefficient>]) -> Result<Option<Method>, DesignError> {
        let StorageSpecification { class, stages, order, .. } = *self.specification;
        let table = FormTable::new(class, vectors, Some(PRECISION)).map_err(|problem| invalid(&problem))?;
        let is_large = |x: &Coefficient| x.value().to_f64().abs() > LARGEST;
        if table.a.iter().flatten().chain(&table.b).any(is_large) {
            return Ok(None);
        }
        let embedded_order = self.specification.embedded.filter(|_| table.b_hat.is_some());
        let partition =
            Partition { name: "all".to_owned(), a: table.a, b: table.b, c: None, b_hat: table.b_hat, dense: None };
        let claims = Claims { order: Some(order), embedded_order, ..Claims::default() };
        let source = Source {
            authors: "Hemiola".to_owned(),
            title: "Designed for low storage".to_owned(),
            // With eigenvalues given as numbers, no command reproduces the design.
            place: (self.specification.spectrum.is_none() || self.specification.spectrum_text.is_some())
                .then(|| self.specification.command()),
            ..Source::default()
        };
        let plural = if stages == 1 { "" } else { "s" };
        let on = self.specification.spectrum_text.as_ref().map_or_else(String::new, |text| format!(", for {text}"));
        let name = format!("Hemiola {class}, order {order}, {stages} stage{plural}{on}");
        Ok(Some(Method::new(self.id, &name, vec![partition], claims, table.precision, source)?))
    }

    /// Computes the largest step on the spectrum, in doubles.
    fn limit(&self, method: &Method) -> Option<f64> {
        let target = self.target?;
        let polynomial = StabilityFunction::new(&method.to_f64().partitions[0]).numerator;
        Some(target.boundary.limit(&polynomial, target.optimum))
    }
}

fn invalid(problem: &StorageError) -> DesignError {
    DesignError::Method(MethodError::Invalid {
        file: "the new method".to_owned(),
        path: "low_storage".to_owned(),
        found: problem.to_string(),
        expected: "a low-storage form".to_owned(),
    })
}
