//! The panels of a slice: their windows, and how layers are named and styled.

use hemiola_figure::{Dash, Legend};
use hemiola_stability::{Field, Window};

use crate::layer::{Bands, Layer, Style};
use crate::map::layers::{robust, some_couplings};
use crate::map::{Part, Show};
use crate::view::{Extent, Open};
use crate::{MapError, Slice, Subject, View, escaped};

/// The panels of one slice.
pub(crate) struct Panels<'a> {
    pub(crate) subjects: &'a [Subject],
    pub(crate) slice: &'a Slice,
    pub(crate) show: Show,
    pub(crate) view: View,
}

impl Panels<'_> {
    pub(crate) fn parts(&self) -> Result<Vec<Part>, MapError> {
        let window = self.window()?;
        let layers = self.layers()?;
        let title = self.slice.title();
        let part = |title: String, layers: Vec<Layer>| Part {
            title,
            axes: self.slice.axes(),
            is_complex: self.slice.is_complex(),
            window,
            layers,
            legend: Legend::Auto,
        };
        if !self.is_coloured() {
            return Ok(vec![part(title, layers)]);
        }
        let names = layers.len() > 1;
        let titled = |layer: Layer| {
            let texts = [title.as_str(), if names { layer.label.as_str() } else { "" }];
            let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            part(texts.join(": "), vec![layer])
        };
        Ok(layers.into_iter().map(titled).collect())
    }

    /// Whether colours fill a panel, so that it holds one layer.
    fn is_coloured(&self) -> bool {
        !matches!(self.show, Show::Region | Show::OrderStar) || matches!(self.slice, Slice::Profile { .. })
    }

    /// The window around the regions, whatever of them is shown.
    fn window(&self) -> Result<Window, MapError> {
        let open = match self.slice {
            Slice::StepCoupling { .. } => Some(Open::X),
            Slice::DampingFrequency { .. } => Some(Open::Y),
            _ => None,
        };
        let stages = self.subjects.iter().map(Subject::stages).max().unwrap_or(1);
        let extent = match self.slice.default_window() {
            Some((x, y)) => Extent::Given { x, y, open },
            None if self.slice.is_symmetric() => Extent::Symmetric { stages },
            None => Extent::Anywhere { stages },
        };
        let regions = self.radii()?;
        let fields: Vec<&dyn Field> = regions.iter().map(|field| &**field).collect();
        let window = self.view.window(&fields, extent);
        // Order stars have as much to the right as to the left.
        let reach = window.x.1.max(-window.x.0);
        let is_star = matches!(self.show, Show::OrderStar | Show::Growth);
        let is_widened = is_star && self.slice.is_complex() && self.view.x.is_none();
        Ok(if is_widened { Window { x: (-reach, reach), ..window } } else { window })
    }

    /// |R| or ρ(S) of every scheme; of a robust region what some couplings tell, since all of them are dear.
    fn radii(&self) -> Result<Vec<Box<dyn Field>>, MapError> {
        if let Slice::Robust { kappa, gamma, phases } = *self.slice {
            return self.subjects.iter().map(|subject| some_couplings(subject, kappa, gamma, phases)).collect();
        }
        let panels = Panels { show: Show::Modulus, ..*self };
        Ok(panels.layers()?.into_iter().map(|layer| layer.field).collect())
    }

    fn layers(&self) -> Result<Vec<Layer>, MapError> {
        let mut layers = Vec::new();
        for subject in self.subjects {
            layers.extend(match self.slice {
                Slice::Partitions => self.partitions(subject)?,
                Slice::Robust { .. } => self.robust(subject)?,
                Slice::Profile { .. } => vec![self.profile(subject)?],
                Slice::Imaginary => return Err(self.not_shown()),
                _ => self.coupled(subject)?,
            });
        }
        if self.subjects.len() == 1 && self.show == Show::Region {
            layers.extend(self.comparison(&self.subjects[0])?);
        }
        Ok(layers)
    }

    pub(crate) fn not_shown(&self) -> MapError {
        let expected = match self.slice {
            Slice::Partitions => "region, modulus, order-star, growth or error",
            Slice::Robust { .. } | Slice::Profile { .. } | Slice::Additive { .. } => "region or modulus",
            Slice::Imaginary => "curves, which are no map",
            _ => "region, modulus, eigenvalues, order-star, growth or error",
        };
        MapError::NotShown { show: self.show.name(), slice: self.slice.to_string(), expected }
    }

    /// The decoupled problem beside the coupled one.
    fn comparison(&self, subject: &Subject) -> Result<Option<Layer>, MapError> {
        let field: Box<dyn Field> = match self.slice {
            Slice::Robust { kappa, gamma, phases } if *gamma > 0.0 => Box::new(robust(subject, *kappa, 0.0, *phases)?),
            _ => match self.slice.decoupled() {
                Some(plane) => Box::new(subject.scan(plane)?),
                None => return Ok(None),
            },
        };
        let label = "decoupled".to_owned();
        Ok(Some(Layer { name: label.clone(), label, field, style: Style::Comparison(Dash::Dashed) }))
    }

    /// A layer in the style of what is shown; its texts are its name, its entry in the legend and its colour bar's label.
    pub(crate) fn layer(&self, subject: &Subject, texts: (String, String, String), field: Box<dyn Field>) -> Layer {
        let (name, label, value) = texts;
        let several = self.subjects.len() > 1;
        let style = match self.show {
            Show::Region if several => Style::Boundary,
            Show::Region => Style::Region,
            Show::OrderStar => Style::Star { is_filled: !several },
            Show::Modulus | Show::Eigenvalues => Style::Bands(Bands::moduli(value)),
            Show::Growth => Style::Bands(Bands::growth(value)),
            Show::Error => Style::Bands(Bands::errors(value)),
        };
        let label = match (several, self.slice) {
            (false, _) => label,
            (true, Slice::Partitions) => escaped(&name),
            (true, _) if self.show == Show::Eigenvalues => format!("{}, {label}", escaped(&subject.name)),
            (true, _) => escaped(&subject.name),
        };
        Layer { name, label, field, style }
    }

    /// A name in data: what it is, of which scheme where there are several.
    pub(crate) fn named(&self, subject: &Subject, what: &str) -> String {
        let many_quantities = self.show == Show::Eigenvalues;
        match (self.subjects.len() > 1, self.slice) {
            (false, Slice::Partitions) if what.is_empty() => "all".to_owned(),
            (false, _) => what.to_owned(),
            (true, Slice::Partitions) if what.is_empty() => subject.name.clone(),
            (true, Slice::Partitions) => format!("{}, {what}", subject.name),
            (true, _) if many_quantities => format!("{}, {what}", subject.name),
            (true, _) => subject.name.clone(),
        }
    }
}
