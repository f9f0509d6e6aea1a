//! Layers of a scheme on each kind of slice.

use hemiola_stability::{
    CoupledStep, Field, JointStability, PartitionField, Plane, Quantity, Robust, RobustScheme, Scan, StabilityError,
    Window,
};
use hemiola_tableau::Butcher;
use num_complex::Complex64;

use crate::layer::{Bands, Layer, LayerStyle};
use crate::map::quantity::MapQuantity;
use crate::map::request::Panels;
use crate::{MapError, MapScheme, Phases, Slice, escaped};

impl Panels<'_> {
    pub(crate) fn partitions(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let quantity = match self.show {
            MapQuantity::Internal => return self.stages(subject),
            MapQuantity::Embedded => return self.embedded(subject),
            MapQuantity::Region | MapQuantity::Modulus => Quantity::Radius,
            MapQuantity::OrderStar | MapQuantity::Growth => Quantity::Growth,
            MapQuantity::Error => Quantity::Error,
            MapQuantity::Eigenvalues => return Err(self.not_shown()),
        };
        let partitions: Vec<(&str, &Butcher<f64>)> = subject.partitions()?.collect();
        let single = partitions.len() == 1;
        let layer = |(place, (name, butcher)): (usize, (&str, &Butcher<f64>))| {
            let function = if single { "*R*".to_owned() } else { format!("*R*_{{{}}}", escaped(name)) };
            let label = match self.show {
                MapQuantity::OrderStar => format!("|{function}(*z*)/e^{{*z*}}| > 1"),
                MapQuantity::Region => format!("|{function}(*z*)| = 1"),
                _ => function.clone(),
            };
            let value = match self.show {
                MapQuantity::Error => format!("|{function}(*z*) − e^{{*z*}}|"),
                MapQuantity::Growth => format!("|{function}(*z*)/e^{{*z*}}|"),
                _ => format!("|{function}(*z*)|"),
            };
            let name = self.named(subject, if single { "" } else { name });
            let layer =
                self.layer(subject, (name.clone(), label, value), Box::new(PartitionField::new(butcher, quantity)));
            Layer { partition: subject.known_method().ok().map(|method| (Box::new(method.clone()), place)), ..layer }
        };
        Ok(partitions.into_iter().enumerate().map(layer).collect())
    }

    /// Creates the boundary of a tableau's region, labeled by its name.
    fn boundary(&self, subject: &MapScheme, name: &str, butcher: &Butcher<f64>) -> Layer {
        let texts = (self.named(subject, name), escaped(name), String::new());
        self.layer(subject, texts, Box::new(PartitionField::new(butcher, Quantity::Radius)))
    }

    /// Creates the layers of the stages of each partition: Y_i is the step of the method with the weights a_i.
    fn stages(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let partitions: Vec<(&str, &Butcher<f64>)> = subject.partitions()?.collect();
        let mut layers = Vec::new();
        for (name, butcher) in &partitions {
            let named = |what: String| if partitions.len() == 1 { what } else { format!("{name}, {what}") };
            for (i, row) in butcher.a.iter().enumerate().filter(|(_, row)| row.iter().any(|a| *a != 0.0)) {
                let stage = Butcher { b: row.clone(), ..(*butcher).clone() };
                layers.push(self.boundary(subject, &named(format!("stage {}", i + 1)), &stage));
            }
            layers.push(self.boundary(subject, &named("step".to_owned()), butcher));
        }
        Ok(layers)
    }

    /// Creates the layers of each partition with the method's weights and with the embedded ones.
    fn embedded(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let no_weights = || MapError::NoEmbedded { name: subject.name.clone() };
        let embedded = subject.known_method()?.embedded().ok_or_else(no_weights)?.to_f64();
        let partitions: Vec<(&str, &Butcher<f64>)> = subject.partitions()?.collect();
        let mut layers = Vec::new();
        for ((name, butcher), other) in partitions.iter().zip(&embedded.partitions) {
            let named = |what: &str| if partitions.len() == 1 { what.to_owned() } else { format!("{name}, {what}") };
            layers.push(self.boundary(subject, &named("method"), butcher));
            layers.push(self.boundary(subject, &named("embedded method"), other));
        }
        Ok(layers)
    }

    pub(crate) fn coupled(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let plane = self.slice.plane().ok_or_else(|| self.not_shown())?;
        if let Slice::Additive { .. } = self.slice {
            return self.additive(subject, plane);
        }
        let quantities: &[(Quantity, &str, &str)] = match self.show {
            MapQuantity::Region | MapQuantity::Modulus => &[(Quantity::Radius, "*ρ*(*S*)", "spectral radius")],
            MapQuantity::OrderStar | MapQuantity::Growth => {
                &[(Quantity::Growth, "*ρ*(*S*)/*ρ*(e^{*Z*})", "relative growth")]
            }
            MapQuantity::Error => &[(Quantity::Error, "‖*S* − e^{*Z*}‖", "error")],
            MapQuantity::Internal | MapQuantity::Embedded => return Err(self.not_shown()),
            MapQuantity::Eigenvalues => &[
                (Quantity::Radius, "|*λ*_{1}|", "larger modulus"),
                (Quantity::Smaller, "|*λ*_{2}|", "smaller modulus"),
            ],
        };
        let layer = |&(quantity, symbol, name): &(Quantity, &str, &str)| {
            let scan = subject.scan(plane.clone())?.quantity(quantity);
            let label = match self.show {
                MapQuantity::Region => format!("{symbol} = 1"),
                MapQuantity::OrderStar => format!("{symbol} > 1"),
                _ => symbol.to_owned(),
            };
            let name = self.named(subject, name);
            Ok(self.layer(subject, (name, label, symbol.to_owned()), Box::new(scan)))
        };
        quantities.iter().map(layer).collect()
    }

    fn additive(&self, subject: &MapScheme, plane: Plane) -> Result<Vec<Layer>, MapError> {
        if !matches!(self.show, MapQuantity::Region | MapQuantity::Modulus) {
            return Err(self.not_shown());
        }
        let scan = subject.scan(plane)?.quantity(Quantity::Additive);
        let texts = (self.named(subject, "modulus"), "|*R*| = 1".to_owned(), "|*R*|".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(scan))])
    }

    pub(crate) fn robust(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let Slice::Robust { kappa, gamma, phases } = *self.slice else { return Ok(Vec::new()) };
        if !matches!(self.show, MapQuantity::Region | MapQuantity::Modulus) {
            return Err(self.not_shown());
        }
        let robust = robust(subject, kappa, gamma, phases)?;
        // Beside the region of one coupling, the word "max" alone is easily overlooked.
        let couplings = if phases == Phases::Real { "all real couplings" } else { "all couplings" };
        let name = self.named(subject, "largest spectral radius");
        let texts = (name, format!("max *ρ*(*S*) = 1 over {couplings}"), "max *ρ*(*S*)".to_owned());
        Ok(vec![self.layer(subject, texts, robust)])
    }

    /// Creates the layer of stability for every eigenvalue of the implicit part in a wedge.
    pub(crate) fn joint(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let Slice::Joint { wedge, radius } = *self.slice else { return Err(self.not_shown()) };
        if !matches!(self.show, MapQuantity::Region | MapQuantity::Modulus) {
            return Err(self.not_shown());
        }
        let joint = self.joint_field(subject, wedge, radius)?;
        let name = self.named(subject, "largest modulus");
        let part = if subject.flow().is_some() { "F" } else { "I" };
        let texts = (name, format!("max |*R*| = 1 over *z*_{{{part}}}"), "max |*R*|".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(joint))])
    }

    /// Creates the field of joint stability from few eigenvalues, as an approximation.
    pub(crate) fn rough_joint(&self, subject: &MapScheme) -> Result<Box<dyn Field>, MapError> {
        let Slice::Joint { wedge, radius } = *self.slice else { return Err(self.not_shown()) };
        Ok(Box::new(self.joint_field(subject, wedge, radius)?.with_few_samples()))
    }

    fn joint_field(&self, subject: &MapScheme, wedge: f64, radius: f64) -> Result<JointStability, MapError> {
        let joint = match subject.flow() {
            Some(flow) => JointStability::of_scheme(flow, wedge, radius),
            None => JointStability::new(&subject.known_method()?.to_f64(), wedge, radius),
        };
        joint.map_err(|problem| self.unfit(subject, problem))
    }

    fn unfit(&self, subject: &MapScheme, problem: StabilityError) -> MapError {
        MapError::Unfit { name: subject.name.clone(), slice: self.slice.to_string(), problem }
    }

    pub(crate) fn profile(&self, subject: &MapScheme) -> Result<Layer, MapError> {
        let Slice::Profile { zeta, sign, growth } = *self.slice else { return Err(self.not_shown()) };
        if !matches!(self.show, MapQuantity::Region | MapQuantity::Modulus) {
            return Err(self.not_shown());
        }
        if subject.flow().is_some() {
            return Err(MapError::NoFastLimit { name: subject.name.clone() });
        }
        let step =
            CoupledStep::new(subject.known_method()?, zeta, growth).map_err(|problem| self.unfit(subject, problem))?;
        let field = Box::new(move |x: f64, gamma: f64| step.at(x, sign.factor() * gamma));
        let label = self.with_value(escaped(&subject.name), self.subjects.len() > 1);
        Ok(Layer {
            name: self.named(subject, "step"),
            label,
            field,
            style: LayerStyle::Bands(Bands::steps()),
            partition: None,
        })
    }
}

/// Returns the field of the worst ρ(S) over couplings.
pub(crate) fn robust(
    subject: &MapScheme,
    kappa: (f64, f64),
    gamma: f64,
    phases: Phases,
) -> Result<Box<dyn Field>, MapError> {
    let is_real = phases == Phases::Real;
    if let Some(flow) = subject.flow() {
        let robust = RobustScheme::new(flow, kappa, gamma)?;
        return Ok(Box::new(if is_real { robust.real() } else { robust }));
    }
    let robust = Robust::new(&subject.pair()?, kappa, gamma)?;
    Ok(Box::new(if is_real { robust.real() } else { robust }))
}

/// Returns the field of the largest ρ(S) over some couplings of a given strength, at both ends of an interval of κ.
pub(crate) fn some_couplings(
    subject: &MapScheme,
    (low, high): (f64, f64),
    gamma: f64,
    phases: Phases,
) -> Result<Box<dyn Field>, MapError> {
    let phases: &[Complex64] = match phases {
        Phases::All => &[Complex64::ONE, -Complex64::ONE, Complex64::I, -Complex64::I],
        Phases::Real => &[Complex64::ONE, -Complex64::ONE],
    };
    let slices = [low, high]
        .into_iter()
        .flat_map(|kappa| phases.iter().map(move |phase| Slice::Coupled { kappa, coupling: phase * (gamma * gamma) }));
    let scans = slices.filter_map(|slice| slice.plane()).map(|plane| subject.scan(plane));
    Ok(Box::new(Largest(scans.collect::<Result<_, _>>()?)))
}

/// Pointwise maximum of several functions.
struct Largest(Vec<Scan>);

impl Field for Largest {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.iter().map(|scan| scan.at(x, y)).fold(0.0, f64::max)
    }

    fn sample(&self, window: &Window) -> Vec<f64> {
        let larger = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
        self.0.iter().map(|scan| scan.sample(window)).reduce(larger).unwrap_or_default()
    }
}
