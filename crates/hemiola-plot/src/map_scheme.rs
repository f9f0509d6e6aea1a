//! What is mapped: a method, or a scheme that is no tableau.

use std::sync::Arc;

use hemiola_stability::{Jacobian, Linearized, Matrix, Plane, Scan, Scheme, SingularPerturbation, StabilityError};
use hemiola_tableau::{Butcher, Method, Tableau};
use num_complex::Complex64;

use crate::MapError;

/// A scheme on a map, with its name.
///
/// ```
/// use hemiola_plot::{MapQuantity, Slice, StabilityMap, MapScheme, View};
/// use hemiola_tableau::library;
/// let subjects = [MapScheme::method(&library::method("mprk-p2")?), MapScheme::singular_perturbation(None)?];
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
    Method { method: Box<Method>, tableau: Tableau<f64> },
    Scheme(Shared),
}

/// A scheme that several maps share.
#[derive(Clone, Debug)]
struct Shared(Arc<dyn Scheme>);

impl Scheme for Shared {
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        self.0.matrix(z)
    }
}

impl MapScheme {
    /// A method of one or two partitions; a plain method is a pair of equals where two are asked for.
    #[must_use]
    pub fn method(method: &Method) -> Self {
        let kind = Kind::Method { method: Box::new(method.clone()), tableau: method.to_f64() };
        Self { name: method.id().to_owned(), title: method.name().to_owned(), kind }
    }

    /// The singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), with RK4 or another plain method on the slow
    /// manifold.
    ///
    /// # Errors
    /// [`MapError::NotPlain`] where the method has partitions.
    pub fn singular_perturbation(slow: Option<&Method>) -> Result<Self, MapError> {
        let (name, scheme) = match slow {
            None => ("singular-perturbation".to_owned(), SingularPerturbation::default()),
            Some(method) => match &method.to_f64().partitions[..] {
                [plain] => (format!("singular-perturbation:{}", method.id()), SingularPerturbation::new(plain)),
                _ => return Err(MapError::NotPlain { name: method.id().to_owned() }),
            },
        };
        let title = "the singular-perturbation scheme of Gil et al.".to_owned();
        Ok(Self { name, title, kind: Kind::Scheme(Shared(Arc::new(scheme))) })
    }

    /// An implicit method whose stage equations are solved by so many Newton iterations (Gerdts 2003), with the exact
    /// Jacobian or one without the coupling of the partitions.
    ///
    /// # Errors
    /// [`StabilityError::NotAPair`] where the method has more than two partitions.
    pub fn linearized(method: &Method, iterations: usize, jacobian: Jacobian) -> Result<Self, StabilityError> {
        let pair = pair_of(&method.to_f64())?;
        let which = match jacobian {
            Jacobian::Exact => "",
            Jacobian::Decoupled => ",decoupled",
        };
        let name = format!("linearized:{},q={iterations}{which}", method.id());
        let title = format!("{} linearised, {iterations} Newton iterations{which}", method.name());
        let scheme = Linearized::new(pair, iterations, jacobian);
        Ok(Self { name, title, kind: Kind::Scheme(Shared(Arc::new(scheme))) })
    }

    /// The partitions with their names.
    pub(crate) fn partitions(&self) -> Result<impl Iterator<Item = (&str, &Butcher<f64>)>, MapError> {
        match &self.kind {
            Kind::Method { method, tableau } => {
                let names = method.partitions().iter().map(|partition| partition.name.as_str());
                Ok(names.zip(&tableau.partitions))
            }
            Kind::Scheme(_) => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// ρ(S) on a plane.
    pub(crate) fn scan(&self, plane: Plane) -> Result<Scan, StabilityError> {
        match &self.kind {
            Kind::Method { tableau, .. } => Scan::new(&pair_of(tableau)?, plane),
            Kind::Scheme(scheme) => Ok(Scan::of(scheme.clone(), plane)),
        }
    }

    /// The method, where there is one.
    pub(crate) fn known_method(&self) -> Result<&Method, MapError> {
        match &self.kind {
            Kind::Method { method, .. } => Ok(method),
            Kind::Scheme(_) => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// The two partitions; a plain method is a pair of equals.
    pub(crate) fn pair(&self) -> Result<Tableau<f64>, MapError> {
        match &self.kind {
            Kind::Method { tableau, .. } => Ok(pair_of(tableau)?),
            Kind::Scheme(_) => Err(MapError::NoTableau { name: self.name.clone() }),
        }
    }

    /// The number of stages, where there is one: regions reach the farther the more there are.
    pub(crate) fn stages(&self) -> usize {
        match &self.kind {
            Kind::Method { tableau, .. } => tableau.stages(),
            Kind::Scheme(_) => 1,
        }
    }
}

fn pair_of(tableau: &Tableau<f64>) -> Result<Tableau<f64>, StabilityError> {
    match &tableau.partitions[..] {
        [plain] => Ok(Tableau { partitions: vec![plain.clone(), plain.clone()] }),
        [_, _] => Ok(tableau.clone()),
        more => Err(StabilityError::NotAPair { found: more.len() }),
    }
}
