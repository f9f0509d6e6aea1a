//! Strong stability preservation, nonlinear stability and low-storage forms of a partition by itself, and of all partitions together.

use dashu::rational::RBig;
use hemiola_export::describe;
use hemiola_order::{WeakStageOrder, stage_order, weak_stage_order};
use hemiola_stability::monotonicity::{
    MonotonicityRadius, MonotonicityRegion, ssp_coefficient, ssp_upper_bound, threshold_factor,
};
use hemiola_stability::nonlinear::{
    AlgebraicStability, algebraic_stability, contractivity_radius, is_an_stable, is_b_stable,
    joint_contractivity_radius, reducibility,
};
use hemiola_stability::{StabilityError, form_amplification_on_axes};
use hemiola_tableau::low_storage::{Agreement, FoundForm, storage_forms};
use hemiola_tableau::{Butcher, Exact, Method};
use serde::{Serialize, Serializer};

/// A low-storage form of a partition by itself.
#[derive(Clone, Debug, Serialize)]
pub struct StorageReport {
    /// The class: 2N, 2R, 3R, …, 2S, 2S* or 3S*.
    pub form: String,
    /// Exactness of the form: exactly, to precision, or numerically.
    pub agreement: String,
    /// The number of registers for a step.
    pub registers: usize,
    /// The number of registers for a step with its embedded solution; `None` if there is none.
    pub registers_with_embedded: Option<usize>,
    /// The largest factor with which the form multiplies rounding errors of its registers, for hλ on the imaginary and the real
    /// axis up to the limits.
    pub amplification: f64,
    #[serde(skip)]
    is_implied: bool,
}

impl StorageReport {
    /// Lists the forms of a method with one partition.
    ///
    /// # Errors
    /// The errors of [`form_amplification_on_axes`].
    fn list(alone: &Method) -> Result<Vec<Self>, StabilityError> {
        let found = storage_forms(alone, 0);
        let is_implied = |form: &FoundForm| {
            let class = form.form.class();
            found.iter().map(|other| other.form.class()).any(|other| other != class && class.contains(other))
        };
        let report = |form: &FoundForm| {
            Ok(Self {
                form: form.form.class().to_string(),
                agreement: form.agreement.to_string(),
                registers: form.registers,
                registers_with_embedded: form.registers_with_embedded,
                amplification: form_amplification_on_axes(alone, 0, &form.form)?,
                is_implied: is_implied(form),
            })
        };
        found.iter().map(report).collect()
    }

    fn text(&self) -> String {
        let Self { form, agreement, registers, registers_with_embedded, amplification, .. } = self;
        let how = if *agreement == Agreement::Exactly.to_string() { String::new() } else { format!(" {agreement}") };
        let embedded = registers_with_embedded.map(|count| format!(", {count} with the embedded solution"));
        let rounding = format!("amplifies rounding errors by {}", describe::rounded(*amplification, 3));
        format!("{form}{how} ({registers} registers{}; {rounding})", embedded.unwrap_or_default())
    }
}

/// Strong stability preservation and nonlinear stability of a partition by itself.
#[derive(Clone, Debug, Serialize)]
pub struct NonlinearReport {
    /// The SSP coefficient C, correct to rounding; `None`, in JSON `null`, if it is unbounded.
    pub ssp_coefficient: Option<f64>,
    /// Proved bounds of C; `None` if it is unbounded.
    pub ssp_bounds: Option<[f64; 2]>,
    /// C per evaluation of the partition in a step; `None` if C is unbounded.
    pub ssp_per_evaluation: Option<f64>,
    /// Upper bound of the SSP coefficients of explicit methods with the same number of evaluations and the claimed order; `None` for
    /// implicit partitions, without a claim, and for very many evaluations.
    pub ssp_bound: Option<f64>,
    /// The threshold factor of R; `None` unless R is a polynomial.
    pub threshold_factor: Option<f64>,
    /// Whether the partition is algebraically stable, at least to the precision of its coefficients.
    pub is_algebraically_stable: bool,
    /// Whether the partition is B-stable (for autonomous problems): algebraically stable after the removal of unused and
    /// equal stages.
    pub is_b_stable: bool,
    /// Whether the partition is AN-stable; `None` if equal abscissae leave this undecided.
    pub is_an_stable: Option<bool>,
    /// The radius of circle contractivity; `None`, in JSON `null`, if it is unbounded.
    pub contractivity_radius: Option<f64>,
    /// Whether the last stage is the result of the step.
    pub is_stiffly_accurate: bool,
    /// The stage order.
    pub stage_order: usize,
    /// The weak stage order; in JSON `null`, if it is unbounded.
    #[serde(serialize_with = "finite")]
    pub weak_stage_order: Option<WeakStageOrder>,
    /// Whether a stage has no influence on the step.
    pub is_dj_reducible: bool,
    /// Whether stages are equal for every problem.
    pub is_hs_reducible: bool,
    /// The low-storage forms of the partition by itself, those with the fewest registers first.
    pub low_storage: Vec<StorageReport>,
    #[serde(skip)]
    is_implicit: bool,
    /// Whether the method has a single partition. Stages without influence on this partition may belong to other partitions.
    #[serde(skip)]
    is_single: bool,
    /// Whether coefficients are rounded; the SSP coefficient takes them as written.
    #[serde(skip)]
    is_rounded: bool,
    #[serde(skip)]
    algebraic: AlgebraicStability,
}

impl NonlinearReport {
    /// Computes the report on the partition `index`.
    ///
    /// # Errors
    /// [`StabilityError::WrongSize`] if there is no such partition.
    pub fn new(method: &Method, index: usize) -> Result<Self, StabilityError> {
        let missing = StabilityError::WrongSize { found: index + 1, expected: method.partitions().len() };
        let alone = method.partition_alone(index).ok_or(missing.clone())?;
        let butcher = alone.exact().partitions.into_iter().next().ok_or(missing)?;
        let radius = ssp_coefficient(&alone, 0)?;
        let evaluations = butcher.evaluated_stages().len().max(1);
        let algebraic = algebraic_stability(&alone, 0)?;
        let reducibility = reducibility(&alone);
        Ok(Self {
            ssp_coefficient: radius.value(),
            ssp_bounds: match &radius {
                MonotonicityRadius::Bounded { lower, upper, .. } => Some([*lower, *upper]),
                MonotonicityRadius::Unbounded => None,
            },
            ssp_per_evaluation: radius.value().map(|value| value / evaluations as f64),
            ssp_bound: ssp_bound(method, &butcher),
            threshold_factor: threshold_factor(&alone, 0)?.and_then(|radius| radius.value()),
            is_algebraically_stable: algebraic.holds(),
            is_b_stable: is_b_stable(&alone, 0)?,
            is_an_stable: is_an_stable(&alone, 0)?,
            contractivity_radius: contractivity_radius(&alone, 0)?.value(),
            is_stiffly_accurate: butcher.is_stiffly_accurate(),
            stage_order: stage_order(&alone),
            weak_stage_order: weak_stage_order(&alone, 0),
            is_dj_reducible: reducibility.is_dj_reducible(),
            is_hs_reducible: reducibility.is_hs_reducible(),
            low_storage: StorageReport::list(&alone)?,
            is_implicit: !butcher.is_explicit(),
            is_single: method.partitions().len() == 1,
            is_rounded: alone.uncertainties().partitions.iter().any(is_uncertain),
            algebraic,
        })
    }

    /// Returns the results as text; for explicit partitions, only those on strong stability.
    #[must_use]
    pub fn entries(&self) -> Vec<(&'static str, String)> {
        let mut entries = vec![("SSP coefficient", self.ssp_text())];
        entries.extend(self.threshold_factor.map(|factor| ("threshold factor", describe::number(factor))));
        entries.push(("contractivity", radius_text(self.contractivity_radius)));
        if self.is_implicit {
            let accurate = if self.is_stiffly_accurate { "yes" } else { "no" };
            entries.push(("algebraic stability", self.algebraic_text().to_owned()));
            entries.push(("stiff accuracy", accurate.to_owned()));
            entries.push(("stage order", self.stage_order.to_string()));
            entries.extend(self.weak_stage_order.map(|order| ("weak stage order", order.to_string())));
        }
        let forms: Vec<String> =
            self.low_storage.iter().filter(|form| !form.is_implied).map(StorageReport::text).collect();
        if self.is_single && !forms.is_empty() {
            entries.push(("low storage", forms.join("; ")));
        }
        let reducible = match (self.is_dj_reducible, self.is_hs_reducible) {
            (true, true) => Some("DJ-reducible and HS-reducible"),
            (true, false) => Some("DJ-reducible (stages without influence)"),
            (false, true) => Some("HS-reducible (equal stages)"),
            (false, false) => None,
        };
        entries.extend(reducible.filter(|_| self.is_single).map(|text| ("reducibility", text.to_owned())));
        entries
    }

    /// Describes algebraic stability or, without it, the weaker properties that hold.
    fn algebraic_text(&self) -> &'static str {
        match (self.algebraic, self.is_b_stable, self.is_an_stable) {
            (AlgebraicStability::Stable, ..) => "yes",
            (AlgebraicStability::WithinPrecision, ..) => "yes, to the precision of the coefficients",
            (AlgebraicStability::Unstable, true, Some(true)) => "no, but B-stable and AN-stable",
            (AlgebraicStability::Unstable, true, Some(false)) => {
                "no, but B-stable for autonomous problems; not AN-stable"
            }
            (AlgebraicStability::Unstable, true, None) => {
                "no, but B-stable for autonomous problems; AN-stability is undecided for equal abscissae"
            }
            (AlgebraicStability::Unstable, false, Some(false)) => "no",
            (AlgebraicStability::Unstable, false, _) => "no; AN-stability is undecided for equal abscissae",
        }
    }

    fn ssp_text(&self) -> String {
        match self.ssp_coefficient.zip(self.ssp_per_evaluation) {
            None => "unbounded".to_owned(),
            Some((0.0, _)) if self.ssp_bound == Some(0.0) => "0, as for every explicit method above order 4".to_owned(),
            Some((0.0, _)) => "0".to_owned(),
            Some((value, share)) => {
                let best = self.ssp_bound.filter(|_| self.is_single).map(|bound| {
                    match (bound - value).abs() <= ATTAINED * bound {
                        true => "; none is larger for this order".to_owned(),
                        false => format!("; at most {} for this order", describe::number(bound)),
                    }
                });
                let [value, share] = [value, share].map(describe::number);
                let of = if self.is_rounded { " of the digits as written" } else { "" };
                format!("{value}{of} ({share} per evaluation{})", best.unwrap_or_default())
            }
        }
    }
}

/// Writes a weak stage order as a number, or as `null` if it is unbounded.
fn finite<S: Serializer>(order: &Option<WeakStageOrder>, serializer: S) -> Result<S::Ok, S::Error> {
    order.and_then(WeakStageOrder::value).serialize(serializer)
}

/// Relative difference of an SSP coefficient from its bound that rounding explains.
const ATTAINED: f64 = 1e-12;

/// Bounds the SSP coefficients of explicit methods with this number of evaluations and the claimed order.
fn ssp_bound(method: &Method, butcher: &Butcher<Exact>) -> Option<f64> {
    let order = method.claims().order.filter(|_| butcher.is_explicit())?;
    ssp_upper_bound(butcher.evaluated_stages().len(), order).ok()?.value()
}

/// Returns whether an entry of A or b is uncertain.
fn is_uncertain(uncertainty: &Butcher<f64>) -> bool {
    uncertainty.a.iter().flatten().chain(&uncertainty.b).any(|change| *change > 0.0)
}

fn radius_text(radius: Option<f64>) -> String {
    radius.map_or_else(|| "unbounded".to_owned(), describe::number)
}

/// Radii of a region of all partitions together.
#[derive(Clone, Debug, Serialize)]
pub struct RegionReport {
    /// The largest r of each partition in the absence of the others; `None`, in JSON `null`, if it is unbounded.
    pub axes: Vec<Option<f64>>,
    /// The largest r of all partitions together; `None` if it is unbounded.
    pub diagonal: Option<f64>,
}

impl RegionReport {
    /// Computes the radii of the region of absolute monotonicity along the axes and the diagonal.
    ///
    /// # Errors
    /// Returns a [`StabilityError`] for a method without partitions.
    pub fn monotonicity(method: &Method) -> Result<Self, StabilityError> {
        let region = MonotonicityRegion::new(method);
        Self::new(method, |direction| region.radius_along(direction))
    }

    /// Computes the radii of circle contractivity along the axes and the diagonal.
    ///
    /// # Errors
    /// Returns a [`StabilityError`] for a method without partitions.
    pub fn contractivity(method: &Method) -> Result<Self, StabilityError> {
        Self::new(method, |direction| joint_contractivity_radius(method, direction))
    }

    fn new(
        method: &Method,
        radius_along: impl Fn(&[RBig]) -> Result<MonotonicityRadius, StabilityError>,
    ) -> Result<Self, StabilityError> {
        let count = method.partitions().len();
        let radius = |is_present: &dyn Fn(usize) -> bool| {
            let direction: Vec<RBig> = (0..count).map(|index| u8::from(is_present(index)).into()).collect();
            Ok::<_, StabilityError>(radius_along(&direction)?.value())
        };
        let axes = (0..count).map(|axis| radius(&|index| index == axis)).collect::<Result<_, _>>()?;
        Ok(Self { axes, diagonal: radius(&|_| true)? })
    }

    /// Returns the radii as text: that of each partition by itself and that of all partitions together.
    #[must_use]
    pub fn text(&self, method: &Method) -> String {
        let names = method.partitions().iter().map(|partition| &partition.name);
        let axes = names.zip(&self.axes).map(|(name, axis)| format!("{name} alone {}", radius_text(*axis)));
        let together = format!("all together {}", radius_text(self.diagonal));
        axes.chain([together]).collect::<Vec<_>>().join(", ")
    }
}
