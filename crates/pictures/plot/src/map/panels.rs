//! The panels of a slice: windows, names and styles of the layers.

use hemiola_figure::{Dash, Legend};
use hemiola_stability::{Field, Window};

use crate::layer::{Layer, LayerStyle};
use crate::map::layers::{robust, some_couplings};
use crate::map::panel::MapPanel;
use crate::map::quantity::MapQuantity;
use crate::map::request::{Panels, SliceValue};
use crate::view::RegionHint;
use crate::{MapError, MapScheme, Slice};

impl Panels<'_> {
    pub(crate) fn parts(&self) -> Result<Vec<MapPanel>, MapError> {
        let window = self.window()?;
        let layers = self.layers()?;
        let title = self.slice.title();
        let part = |title: String, layers: Vec<Layer>| MapPanel {
            title,
            axes: self.slice.axes(),
            is_complex: self.slice.is_complex(),
            window,
            layers,
            legend: Legend::Auto,
            extents: Vec::new(),
        };
        if !self.is_colored() {
            return Ok(vec![part(title, layers)]);
        }
        let names = layers.len() > 1;
        // A varying value continues the list of fixed values, whereas a scheme is separated by a colon.
        let is_value = matches!(self.slice, Slice::Values(_)) && self.subjects.len() == 1 && !self.has_quantities();
        let titled = |layer: Layer| {
            let texts = [title.as_str(), if names { layer.label.as_str() } else { "" }];
            let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            part(texts.join(if is_value { ", " } else { ": " }), vec![layer])
        };
        Ok(layers.into_iter().map(titled).collect())
    }

    /// Returns whether each scheme has several quantities.
    fn has_quantities(&self) -> bool {
        self.show == MapQuantity::Eigenvalues
    }

    /// Returns whether colors fill a panel, so that it has a single layer.
    fn is_colored(&self) -> bool {
        !self.show.has_boundaries()
            || matches!(self.slice, Slice::Profile { .. })
            || matches!(self.slice, Slice::Values(values) if matches!(values.slices(), [Slice::Profile { .. }, ..]))
    }

    /// Computes the window around the regions, independently of the quantity shown.
    fn window(&self) -> Result<Window, MapError> {
        let kind = match self.slice {
            Slice::Values(values) => values.slices().first().unwrap_or(self.slice),
            slice => slice,
        };
        let open = match kind {
            Slice::StepCoupling { .. } => [true, false],
            Slice::DampingFrequency { .. } => [false, true],
            Slice::Parameters(_) => [true, true],
            _ => [false, false],
        };
        let stages = self.subjects.iter().map(MapScheme::stages).max().unwrap_or(1);
        let extent = match self.slice.default_window() {
            Some((x, y)) => RegionHint::Given { x, y, open },
            None if self.slice.is_symmetric() => RegionHint::Symmetric { stages },
            None => RegionHint::Anywhere { stages },
        };
        let regions = self.radii()?;
        let fields: Vec<&dyn Field> = regions.iter().map(|field| &**field).collect();
        let window = self.view.window(&fields, extent);
        // Order stars extend as far to the right as to the left.
        let reach = window.x.1.max(-window.x.0);
        let is_star = matches!(self.show, MapQuantity::OrderStar | MapQuantity::Growth);
        let is_widened = is_star && self.slice.is_complex() && self.view.x.is_none();
        Ok(if is_widened { Window { x: (-reach, reach), ..window } } else { window })
    }

    /// Returns the fields |R| or ρ(S) of every scheme. Robust and joint regions are approximated by a few couplings or
    /// eigenvalues, because the full fields are expensive.
    fn radii(&self) -> Result<Vec<Box<dyn Field>>, MapError> {
        if let Slice::Values(values) = self.slice {
            let radii = |slice| Panels { slice, ..*self }.radii();
            return Ok(values
                .slices()
                .iter()
                .map(radii)
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .collect());
        }
        if let Slice::Robust { kappa, gamma, phases } = *self.slice {
            return self.subjects.iter().map(|subject| some_couplings(subject, kappa, gamma, phases)).collect();
        }
        if let Slice::Joint { .. } = self.slice {
            return self.subjects.iter().map(|subject| self.rough_joint(subject)).collect();
        }
        let show = match self.show {
            MapQuantity::Internal | MapQuantity::Embedded => self.show,
            _ => MapQuantity::Modulus,
        };
        let panels = Panels { show, ..*self };
        Ok(panels.layers()?.into_iter().map(|layer| layer.field).collect())
    }

    fn layers(&self) -> Result<Vec<Layer>, MapError> {
        let mut layers = Vec::new();
        for subject in self.subjects {
            layers.extend(self.layers_of(subject)?);
        }
        if self.subjects.len() == 1 && self.show == MapQuantity::Region {
            layers.extend(self.comparison(&self.subjects[0])?);
        }
        Ok(layers)
    }

    fn layers_of(&self, subject: &MapScheme) -> Result<Vec<Layer>, MapError> {
        match self.slice {
            Slice::Values(values) => {
                let mut layers = Vec::new();
                for (slice, name) in values.named() {
                    let value = Some(SliceValue { name, label: values.label(slice) });
                    layers.extend(Panels { slice, value: value.as_ref(), ..*self }.layers_of(subject)?);
                }
                Ok(layers)
            }
            Slice::Partitions => self.partitions(subject),
            Slice::Robust { .. } => self.robust(subject),
            Slice::Joint { .. } => self.joint(subject),
            Slice::Profile { .. } => Ok(vec![self.profile(subject)?]),
            Slice::Imaginary | Slice::Monotonicity => Err(self.not_shown()),
            _ => self.coupled(subject),
        }
    }

    /// Creates the layer of the decoupled problem, for comparison.
    fn comparison(&self, subject: &MapScheme) -> Result<Option<Layer>, MapError> {
        let field: Box<dyn Field> = match self.slice {
            Slice::Robust { kappa, gamma, phases } if *gamma > 0.0 => robust(subject, *kappa, 0.0, *phases)?,
            _ => match self.slice.decoupled() {
                Some(plane) => Box::new(subject.scan(plane)?),
                None => return Ok(None),
            },
        };
        let label = "decoupled".to_owned();
        Ok(Some(Layer {
            name: label.clone(),
            label,
            field,
            style: LayerStyle::Comparison(Dash::Dashed),
            partition: None,
        }))
    }
}
