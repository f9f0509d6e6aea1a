//! Stability maps: schemes on slices of their stability regions, as regions or in colour.

use hemiola_figure::{Axis, Dash, Figure, FigureError, Legend, Panel};
use hemiola_stability::{CoupledStep, Field, Partition, Plane, Quantity, Region, Robust, Window};
use hemiola_tableau::Butcher;

use super::layer::{Bands, LEVEL, Layer, Style};
use super::view::{Extent, Open};
use super::{MapError, Phases, Slice, Subject, View, escaped};

/// What of a scheme is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Where it is stable: |R| ≤ 1 or ρ(S) ≤ 1.
    #[default]
    Region,
    /// |R| or ρ(S), in bands of colour.
    Modulus,
    /// The moduli of both eigenvalues of S, in bands of colour.
    Eigenvalues,
    /// Where it grows faster than the solution, |R(z)| > |e^z| or ρ(S) > ρ(e^Z): the order star of Wanner, Hairer & Nørsett
    /// (1978).
    OrderStar,
    /// The growth against the solution's, |R(z)/e^z| or ρ(S)/ρ(e^Z), in bands of colour.
    Growth,
    /// The local error |R(z) − e^z| or ‖S − e^Z‖, in bands of colour.
    Error,
}

/// Schemes on slices: a panel for each slice, or for each scheme where colours fill it.
pub struct StabilityMap {
    pub(super) description: String,
    pub(super) parts: Vec<Part>,
    /// What the samples' axes before rows and columns count.
    pub(super) counts: Vec<usize>,
}

/// One panel: its title, its axes, the part of the plane that it shows, and what it shows there.
pub(super) struct Part {
    pub(super) title: String,
    pub(super) axes: (String, String),
    /// Whether the plane is that of a complex number, with equal units.
    pub(super) is_complex: bool,
    pub(super) window: Window,
    pub(super) layers: Vec<Layer>,
    pub(super) legend: Legend,
}

impl StabilityMap {
    /// The map of schemes on slices, each slice seen in a view.
    ///
    /// # Errors
    /// [`MapError`] where a slice does not fit a scheme, or has no such quantity.
    pub fn new(subjects: &[Subject], slices: &[Slice], show: Show, view: View) -> Result<Self, MapError> {
        let mut parts = Vec::new();
        for slice in slices {
            parts.extend(Panels { subjects, slice, show, view }.parts()?);
        }
        let listed = |texts: Vec<String>| texts.join(", ");
        let titles = listed(subjects.iter().map(|subject| subject.title.clone()).collect());
        let slices_text = listed(slices.iter().map(ToString::to_string).collect());
        let description = format!("{} of {titles}, slice {slices_text}", show.noun());
        let count = parts.iter().flat_map(Part::shown).count();
        let is_single = count == 1 && slices != [Slice::Partitions];
        Ok(Self { description, parts, counts: if is_single { Vec::new() } else { vec![count] } })
    }

    /// The window of the first panel and its grid. All panels of one slice share it.
    #[must_use]
    pub fn window(&self) -> Window {
        self.parts.first().map_or(Window { x: (0.0, 1.0), y: (0.0, 1.0), cells: (1, 1) }, |part| part.window)
    }

    /// What [`samples`](Self::samples) holds: names of partitions, of schemes or of quantities.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.layers().map(|(_, layer)| layer.name.as_str()).collect()
    }

    /// What is mapped, at all grid points, row after row from below: |R_r| of each partition, ρ(S), …
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<f64>> {
        self.layers().map(|(window, layer)| layer.samples(window)).collect()
    }

    /// The shape of the samples: (names, rows, columns), or (rows, columns) of a coupled slice with one scheme.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let (columns, rows) = self.window().cells;
        self.counts.iter().copied().chain([rows + 1, columns + 1]).collect()
    }

    /// The number of panels.
    #[must_use]
    pub fn panels(&self) -> usize {
        self.parts.len()
    }

    /// One panel, drawn: this is what takes time.
    ///
    /// # Panics
    /// Where there is no such panel.
    #[must_use]
    pub fn panel(&self, place: usize) -> Panel {
        self.parts[place].panel()
    }

    /// The figure of all panels: one column wide, or two where there are several.
    #[must_use]
    pub fn figure(&self, panels: Vec<Panel>) -> Figure {
        let figure = if panels.len() == 1 { Figure::one_column() } else { Figure::two_columns() };
        let figure = figure.columns(panels.len().min(MOST_ACROSS)).description(&self.description);
        let figure = if panels.len() > 1 { figure.legend_below() } else { figure };
        panels.into_iter().fold(figure, Figure::panel)
    }

    /// The figure as SVG.
    ///
    /// # Errors
    /// [`FigureError`] where a window cannot be drawn.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        self.figure(self.parts.iter().map(Part::panel).collect()).to_svg()
    }

    /// The areas of the regions within their windows; none where something else is mapped.
    #[must_use]
    pub fn areas(&self) -> Vec<f64> {
        let is_region = |layer: &Layer| matches!(layer.style, Style::Region | Style::Boundary);
        let regions = self.layers().filter(|(_, layer)| is_region(layer));
        regions.map(|(window, layer)| Region::new(window, &*layer.field, LEVEL).area()).collect()
    }

    fn layers(&self) -> impl Iterator<Item = (&Window, &Layer)> {
        self.parts.iter().flat_map(|part| part.shown().map(|layer| (&part.window, layer)))
    }
}

/// Panels side by side.
const MOST_ACROSS: usize = 3;

impl Part {
    /// The layers with numbers of their own.
    fn shown(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.is_comparison())
    }

    fn panel(&self) -> Panel {
        let axis = |label: &str, (low, high)| Axis::new(label).range(low, high);
        let (x, y) = (axis(&self.axes.0, self.window.x), axis(&self.axes.1, self.window.y));
        let panel = Panel::new(x, y).title(&self.title).legend(self.legend);
        let panel = if self.is_complex { panel.equal_aspect() } else { panel.height(1.0).without_zero_lines() };
        self.layers.iter().fold(panel, |panel, layer| layer.draw(panel, &self.window))
    }
}

/// The panels of one slice.
struct Panels<'a> {
    subjects: &'a [Subject],
    slice: &'a Slice,
    show: Show,
    view: View,
}

impl Panels<'_> {
    fn parts(&self) -> Result<Vec<Part>, MapError> {
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
        let is_widened = matches!(self.show, Show::OrderStar | Show::Growth) && self.view.x.is_none();
        Ok(if is_widened { Window { x: (-reach, reach), ..window } } else { window })
    }

    /// |R| or ρ(S) of every scheme.
    fn radii(&self) -> Result<Vec<Box<dyn Field>>, MapError> {
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

    fn not_shown(&self) -> MapError {
        let expected = match self.slice {
            Slice::Partitions => "region, modulus, order-star, growth or error",
            Slice::Robust { .. } | Slice::Profile { .. } | Slice::Additive { .. } => "region or modulus",
            Slice::Imaginary => "curves, which are no map",
            _ => "region, modulus, eigenvalues, order-star, growth or error",
        };
        MapError::NotShown { show: self.show.name(), slice: self.slice.to_string(), expected }
    }

    fn partitions(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
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

    fn coupled(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
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

    fn robust(&self, subject: &Subject) -> Result<Vec<Layer>, MapError> {
        let Slice::Robust { kappa, gamma, phases } = *self.slice else { return Ok(Vec::new()) };
        if !matches!(self.show, Show::Region | Show::Modulus) {
            return Err(self.not_shown());
        }
        let robust = robust(subject, kappa, gamma, phases)?;
        let texts =
            (self.named(subject, "largest spectral radius"), "max *ρ*(*S*) = 1".to_owned(), "max *ρ*(*S*)".to_owned());
        Ok(vec![self.layer(subject, texts, Box::new(robust))])
    }

    fn profile(&self, subject: &Subject) -> Result<Layer, MapError> {
        let Slice::Profile { zeta, sign } = *self.slice else { return Err(self.not_shown()) };
        if !matches!(self.show, Show::Region | Show::Modulus) {
            return Err(self.not_shown());
        }
        // Most of what matters is above one half.
        let levels = [2, 4, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map(|part| f64::from(part) / 20.0);
        let bands =
            Bands { levels: levels.to_vec(), label: "*t*^{∗}/*t*_{0}".to_owned(), center: None, has_ground: true };
        let step = CoupledStep::new(subject.known_method()?, zeta)?;
        let field = Box::new(move |x: f64, gamma: f64| step.at(x, sign.factor() * gamma));
        Ok(Layer {
            name: self.named(subject, "step"),
            label: escaped(&subject.name),
            field,
            style: Style::Bands(bands),
        })
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
    fn layer(&self, subject: &Subject, texts: (String, String, String), field: Box<dyn Field>) -> Layer {
        let (name, label, value) = texts;
        let several = self.subjects.len() > 1;
        let style = match self.show {
            Show::Region if several => Style::Boundary,
            Show::Region => Style::Region,
            Show::OrderStar => Style::Star,
            Show::Modulus | Show::Eigenvalues => Style::Bands(moduli(value)),
            Show::Growth => Style::Bands(growth(value)),
            Show::Error => Style::Bands(errors(value)),
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
    fn named(&self, subject: &Subject, what: &str) -> String {
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

/// The worst ρ(S) over couplings.
fn robust(subject: &Subject, kappa: (f64, f64), gamma: f64, phases: Phases) -> Result<Robust, MapError> {
    let robust = Robust::new(&subject.pair()?, kappa, gamma)?;
    Ok(if phases == Phases::Real { robust.real() } else { robust })
}

/// Bands of |R| or ρ(S) up to one; what is unstable stays white.
fn moduli(label: String) -> Bands {
    let levels = (1..=9).map(|tenth| 0.1 * f64::from(tenth)).chain([1.0]).collect();
    Bands { levels, label, center: None, has_ground: false }
}

/// Bands of relative growth about one, in both directions.
fn growth(label: String) -> Bands {
    let levels = vec![0.1, 0.2, 0.5, 0.8, 0.9, 0.98, 1.0, 1.02, 1.1, 1.25, 2.0, 5.0, 10.0];
    Bands { levels, label, center: Some(1.0), has_ground: true }
}

/// Bands of errors, a decade each.
fn errors(label: String) -> Bands {
    Bands { levels: (-8..=0).map(|power| 10f64.powi(power)).collect(), label, center: None, has_ground: false }
}

impl Show {
    fn noun(self) -> &'static str {
        match self {
            Self::Region => "Stability region",
            Self::Modulus => "Spectral radius",
            Self::Eigenvalues => "Eigenvalues of the stability matrix",
            Self::OrderStar => "Order star",
            Self::Growth => "Growth against the solution's",
            Self::Error => "Local error",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Modulus => "modulus",
            Self::Eigenvalues => "eigenvalues",
            Self::OrderStar => "order-star",
            Self::Growth => "growth",
            Self::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests;
