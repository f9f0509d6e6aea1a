//! Schemes on a map: methods, and schemes without a tableau.

use std::sync::Arc;

use hemiola_stability::{Linearized, Matrix, Plane, Scan, SingularPerturbation, StabilityError, StabilityScheme};
use hemiola_tableau::{Butcher, Method, Scheme, Tableau};
use num_complex::Complex64;

use crate::MapError;

/// A scheme on a map, with its name.
///
/// ```
/// use hemiola_plot::{MapQuantity, Slice, StabilityMap, MapScheme, View};
/// use hemiola_tableau::{Scheme, library};
/// let subjects = [MapScheme::method(&library::method("mprk-p2")?), MapScheme::new(&Scheme::SingularPerturbation(None))?];
/// let view = View { cells: 60, ..View::default() };
/// let map = StabilityMap::new(&subjects, &["coupled:kappa=5,g=0.04".parse::<Slice>()?], MapQuantity::Region, view)?;
/// assert_eq!(map.names(), ["mprk-p2", "singular-perturbation"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapScheme {
    pub(crate) name: String,
    pub(crate) title: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Method {
        method: Box<Method>,
        tableau: Tableau<f64>,
    },
    Scheme(Shared),
    /// A pair whose fast part is solved exactly, with the method of its slow part.
    ExactFlow {
        scheme: Shared,
        slow: Box<Method>,
        tableau: Tableau<f64>,
    },
}

/// A scheme shared by several maps.
#[derive(Clone, Debug)]
struct Shared(Arc<dyn StabilityScheme>);

impl StabilityScheme for Shared {
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        self.0.matrix(z)
    }
}

impl MapScheme {
    /// Wraps a method with one or two partitions. A plain method acts as a pair of equal partitions if a pair is
    /// required.
    #[must_use]
    pub fn method(method: &Method) -> Self {
        let kind = Kind::Method { method: Box::new(method.clone()), tableau: method.to_f64() };
        Self { name: method.id().to_owned(), title: method.name().to_owned(), kind }
    }

    /// Wraps a multirate method whose fast part is solved exactly: its step matrix for two components, and the method
    /// of its slow part, which the slice `partitions` shows.
    ///
    /// ```
    /// use hemiola_plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
    /// let method = hemiola_multirate::library::method("mis-kw3")?;
    /// let flow = hemiola_multirate::CoupledFlow::new(&method)?;
    /// let scheme = MapScheme::exact_flow("mis-kw3", "KW3", flow, &method.slow_method()?);
    /// let view = View { cells: 40, ..View::default() };
    /// let slices = ["additive:first=z,second=-100".parse::<Slice>()?];
    /// assert!(StabilityMap::new(&[scheme], &slices, MapQuantity::Region, view)?.areas()[0] > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact_flow(name: &str, title: &str, scheme: impl StabilityScheme + 'static, slow: &Method) -> Self {
        let scheme = Shared(Arc::new(scheme));
        let kind = Kind::ExactFlow { scheme, slow: Box::new(slow.clone()), tableau: slow.to_f64() };
        Self { name: name.to_owned(), title: title.to_owned(), kind }
    }

    /// Wraps a scheme of any kind.
    ///
    /// # Errors
    /// Returns [`MapError::NotPlain`] if the method on the slow manifold has partitions, and
    /// [`StabilityError::NotAPair`] if a linearized method has more than two.
    pub fn new(scheme: &Scheme) -> Result<Self, MapError> {
        let (title, shared): (String, Arc<dyn StabilityScheme>) = match scheme {
            Scheme::Method(method) => return Ok(Self::method(method)),
            Scheme::Linearized { method, iterations, jacobian } => {
                let title =
                    format!("{} linearized, {iterations} Newton iterations{}", method.name(), jacobian.suffix());
                (title, Arc::new(Linearized::new(pair_of(&method.to_f64())?, *iterations, *jacobian)))
            }
            Scheme::SingularPerturbation(slow) => (
                "the singular-perturbation scheme of Gil et al.".to_owned(),
                Arc::new(on_slow_manifold(slow.as_ref())?),
            ),
        };
        Ok(Self { name: scheme.label(), title, kind: Kind::Scheme(Shared(shared)) })
    }

    /// Returns the partitions with their names.
    pub(crate) fn partitions(&self) -> Result<impl Iterator<Item = (&str, &Butcher<f64>)>, MapError> {
        match &self.kind {
            Kind::Method { method, tableau } | Kind::ExactFlow { slow: method, tableau, .. } => {
                let names = method.partitions().iter().map(|partition| partition.name.as_str());
                Ok(names.zip(&tableau.partitions))
            }
            Kind::Scheme(_) => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// Returns ρ(S) on a plane.
    pub(crate) fn scan(&self, plane: Plane) -> Result<Scan, StabilityError> {
        match &self.kind {
            Kind::Method { tableau, .. } => Scan::new(&pair_of(tableau)?, plane),
            Kind::Scheme(scheme) | Kind::ExactFlow { scheme, .. } => Ok(Scan::of(scheme.clone(), plane)),
        }
    }

    /// Returns the method, or an error if the scheme is not a method.
    pub(crate) fn known_method(&self) -> Result<&Method, MapError> {
        match &self.kind {
            Kind::Method { method, .. } => Ok(method),
            Kind::Scheme(_) | Kind::ExactFlow { .. } => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// Returns the two partitions. A plain method is a pair of equal partitions.
    pub(crate) fn pair(&self) -> Result<Tableau<f64>, MapError> {
        match &self.kind {
            Kind::Method { tableau, .. } => Ok(pair_of(tableau)?),
            Kind::Scheme(_) | Kind::ExactFlow { .. } => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// Returns the scheme if it is an exact flow; its matrix determines its joint and robust regions.
    pub(crate) fn flow(&self) -> Option<Arc<dyn StabilityScheme>> {
        match &self.kind {
            Kind::ExactFlow { scheme, .. } => Some(scheme.0.clone()),
            Kind::Method { .. } | Kind::Scheme(_) => None,
        }
    }

    /// Returns the number of stages, with which regions grow; one for schemes that are not methods.
    pub(crate) fn stages(&self) -> usize {
        match &self.kind {
            Kind::Method { tableau, .. } | Kind::ExactFlow { tableau, .. } => tableau.stages(),
            Kind::Scheme(_) => 1,
        }
    }
}

fn on_slow_manifold(slow: Option<&Method>) -> Result<SingularPerturbation, MapError> {
    let Some(method) = slow else { return Ok(SingularPerturbation::default()) };
    match &method.to_f64().partitions[..] {
        [plain] => Ok(SingularPerturbation::new(plain)),
        _ => Err(MapError::NotPlain { name: method.id().to_owned() }),
    }
}

fn pair_of(tableau: &Tableau<f64>) -> Result<Tableau<f64>, StabilityError> {
    match &tableau.partitions[..] {
        [plain] => Ok(Tableau { partitions: vec![plain.clone(), plain.clone()] }),
        [_, _] => Ok(tableau.clone()),
        more => Err(StabilityError::NotAPair { found: more.len() }),
    }
}
