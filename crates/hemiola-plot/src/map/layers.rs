//! What is mapped of a scheme on each kind of slice.

use hemiola_stability::{CoupledStep, Field, Partition, Plane, Quantity, Robust, Scan, Window};
use hemiola_tableau::Butcher;
use num_complex::Complex64;

use crate::layer::{Bands, Layer, Style};
use crate::map::Show;
use crate::map::panels::Panels;
use crate::{MapError, Phases, Slice, Subject, escaped};

impl Panels<'_> {
    pub(crate) fn partitions(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
        let quantity = match self.show {
            Show::Region | Show::Modulus => Quantity::Radius,
            Show::OrderStar | Show::Growth => Quantity::Growth,
            Show::Error => Quantity::Error,
            Show::Eigenvalues => return Err(self.not_shown()),
        };
        let partitions: Vec<(&str, &Butcher<f64>)> = subject.partitions()?.collect();
        let single = partitions.len() == 1;
        let layer = |(name, butcher)| {
            let function = if single { "*R*".to_owned() } else { format!("*R*_{{{}}}", escaped(name)) };
            let label = match self.show {
                Show::OrderStar => format!("|{function}(*z*)/e^{{*z*}}| > 1"),
                Show::Region => format!("|{function}(*z*)| = 1"),
                _ => function.clone(),
            };
            let value = match self.show {
                Show::Error => format!("|{function}(*z*) − e^{{*z*}}|"),
                Show::Growth => format!("|{function}(*z*)/e^{{*z*}}|"),
                _ => format!("|{function}(*z*)|"),
            };
            let name = self.named(subject, if single { "" } else { name });
            self.layer(subject, (name.clone(), label, value), Box::new(Partition::new(butcher, quantity)))
        };
        Ok(partitions.into_iter().map(layer).collect())
    }

    pub(crate) fn coupled(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
        let plane = self.slice.plane().ok_or_else(|| self.not_shown())?;
        if let Slice::Additive { .. } = self.slice {
            return self.additive(subject, plane);
        }
        let quantities: &[(Quantity, &str, &str)] = match self.show {
            Show::Region | Show::Modulus => &[(Quantity::Radius, "*ρ*(*S*)", "spectral radius")],
            Show::OrderStar | Show::Growth => &[(Quantity::Growth, "*ρ*(*S*)/*ρ*(e^{*Z*})", "relative growth")],
            Show::Error => &[(Quantity::Error, "‖*S* − e^{*Z*}‖", "error")],
            Show::Eigenvalues => &[
                (Quantity::Radius, "|*λ*_{1}|", "larger modulus"),
                (Quantity::Smaller, "|*λ*_{2}|", "smaller modulus"),
            ],
        };
        let layer = |&(quantity, symbol, name): &(Quantity, &str, &str)| {
            let scan = subject.scan(plane.clone())?.quantity(quantity);
            let label = match self.show {
                Show::Region => format!("{symbol} = 1"),
                Show::OrderStar => format!("{symbol} > 1"),
                _ => symbol.to_owned(),
            };
            let name = self.named(subject, name);
            Ok(self.layer(subject, (name, label, symbol.to_owned()), Box::new(scan)))
        };
        quantities.iter().map(layer).collect()
    }

    fn additive(&self, subject: &Subject, plane: Plane) -> Result<Vec<Layer>, MapError> {
        if !matches!(self.show, Show::Region | Show::Modulus) {
            return Err(self.not_shown());
        }
        let scan = subject.scan(plane)?.quantity(Quantity::Additive);
        let texts = (self.named(subject, "modulus"), "|*R*| = 1".to_owned(), "|*R*|".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(scan))])
    }

    pub(crate) fn robust(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
        let Slice::Robust { kappa, gamma, phases } = *self.slice else { return Ok(Vec::new()) };
        if !matches!(self.show, Show::Region | Show::Modulus) {
            return Err(self.not_shown());
        }
        let robust = robust(subject, kappa, gamma, phases)?;
        let texts =
            (self.named(subject, "largest spectral radius"), "max *ρ*(*S*) = 1".to_owned(), "max *ρ*(*S*)".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(robust))])
    }

    pub(crate) fn profile(&self, subject: &Subject) -> Result<Layer, MapError> {
        let Slice::Profile { zeta, sign } = *self.slice else { return Err(self.not_shown()) };
        if !matches!(self.show, Show::Region | Show::Modulus) {
            return Err(self.not_shown());
        }
        let unfit = |problem| {
            let (name, slice) = (subject.name.clone(), self.slice.to_string());
            MapError::Unfit { name, slice, problem }
        };
        let step = CoupledStep::new(subject.known_method()?, zeta).map_err(unfit)?;
        let field = Box::new(move |x: f64, gamma: f64| step.at(x, sign.factor() * gamma));
        Ok(Layer {
            name: self.named(subject, "step"),
            label: escaped(&subject.name),
            field,
            style: Style::Bands(Bands::steps()),
        })
    }
}

/// The worst ρ(S) over couplings.
pub(crate) fn robust(subject: &Subject, kappa: (f64, f64), gamma: f64, phases: Phases) -> Result<Robust, MapError> {
    let robust = Robust::new(&subject.pair()?, kappa, gamma)?;
    Ok(if phases == Phases::Real { robust.real() } else { robust })
}

/// The largest ρ(S) over some couplings of a strength at the ends of an interval of κ.
pub(crate) fn some_couplings(
    subject: &Subject,
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
