//! What is mapped of a scheme on each kind of slice.

use hemiola_stability::{CoupledStep, Field, Partition, Plane, Quantity, Robust, Scan, Window};
use hemiola_tableau::Butcher;
use num_complex::Complex64;

use crate::layer::{Bands, Layer, Style};
use crate::map::quantity::MapQuantity;
use crate::map::request::Panels;
use crate::{MapError, MapScheme, Phases, Slice, escaped};

impl Panels<'_> {
    pub(crate) fn partitions(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        let quantity = match self.show {
            MapQuantity::Region | MapQuantity::Modulus => Quantity::Radius,
            MapQuantity::OrderStar | MapQuantity::Growth => Quantity::Growth,
            MapQuantity::Error => Quantity::Error,
            MapQuantity::Eigenvalues => return Err(self.not_shown()),
        };
        let partitions: Vec<(&str, &Butcher<f64>)> = subject.partitions()?.collect();
        let single = partitions.len() == 1;
        let layer = |(name, butcher)| {
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
            self.layer(subject, (name.clone(), label, value), Box::new(Partition::new(butcher, quantity)))
        };
        Ok(partitions.into_iter().map(layer).collect())
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
        // Beside the region of one coupling, "max" alone is easily overlooked.
        let couplings = if phases == Phases::Real { "all real couplings" } else { "all couplings" };
        let name = self.named(subject, "largest spectral radius");
        let texts = (name, format!("max *ρ*(*S*) = 1 over {couplings}"), "max *ρ*(*S*)".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(robust))])
    }

    pub(crate) fn profile(&self, subject: &MapScheme) -> Result<Layer, MapError> {
        let Slice::Profile { zeta, sign } = *self.slice else { return Err(self.not_shown()) };
        if !matches!(self.show, MapQuantity::Region | MapQuantity::Modulus) {
            return Err(self.not_shown());
        }
        let unfit = |problem| {
            let (name, slice) = (subject.name.clone(), self.slice.to_string());
            MapError::Unfit { name, slice, problem }
        };
        let step = CoupledStep::new(subject.known_method()?, zeta).map_err(unfit)?;
        let field = Box::new(move |x: f64, gamma: f64| step.at(x, sign.factor() * gamma));
        let label = self.with_value(escaped(&subject.name), self.subjects.len() > 1);
        Ok(Layer {
            name: self.named(subject, "step"),
            label,
            field,
            style: Style::Bands(Bands::steps()),
        })
    }
}

/// The worst ρ(S) over couplings.
pub(crate) fn robust(subject: &MapScheme, kappa: (f64, f64), gamma: f64, phases: Phases) -> Result<Robust, MapError> {
    let robust = Robust::new(&subject.pair()?, kappa, gamma)?;
    Ok(if phases == Phases::Real { robust.real() } else { robust })
}

/// The largest ρ(S) over some couplings of a strength at the ends of an interval of κ.
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

/// The largest of several functions.
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
