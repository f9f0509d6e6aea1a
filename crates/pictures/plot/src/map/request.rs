//! Parameters of a map, and names and styles of its layers.

use hemiola_stability::Field;

use crate::layer::{Bands, Layer, LayerStyle};
use crate::map::quantity::MapQuantity;
use crate::{MapError, MapScheme, Slice, View, escaped};

/// Parameters of the panels of one slice.
pub(crate) struct Panels<'a> {
    pub(crate) subjects: &'a [MapScheme],
    pub(crate) slice: &'a Slice,
    pub(crate) show: MapQuantity,
    pub(crate) view: View,
    /// Value of the varying key, if the slice is one of several.
    pub(crate) value: Option<&'a SliceValue>,
}

/// One of several values of a key.
pub(crate) struct SliceValue {
    /// Text such as "g=0.04".
    pub(crate) name: String,
    /// Label such as "*g* = 0.04".
    pub(crate) label: String,
}

impl Panels<'_> {
    pub(crate) fn not_shown(&self) -> MapError {
        let expected = match self.slice {
            Slice::Partitions => "region, modulus, order-star, growth, error, internal or embedded",
            Slice::Robust { .. } | Slice::Profile { .. } | Slice::Additive { .. } | Slice::Joint { .. } => {
                "region or modulus"
            }
            Slice::Imaginary | Slice::Monotonicity => "curves instead of a map",
            _ => "region, modulus, eigenvalues, order-star, growth or error",
        };
        MapError::NotShown { show: self.show.name(), slice: self.slice.to_string(), expected }
    }

    /// Creates a layer in the style of the quantity; `texts` are its name, its legend entry and the label of its color
    /// bar.
    pub(crate) fn layer(&self, subject: &MapScheme, texts: (String, String, String), field: Box<dyn Field>) -> Layer {
        let (name, label, value) = texts;
        let several = self.subjects.len() > 1;
        let is_overlaid = several || self.value.is_some();
        let style = match self.show {
            MapQuantity::Region if is_overlaid => LayerStyle::Boundary,
            MapQuantity::Region => LayerStyle::Region,
            MapQuantity::Internal | MapQuantity::Embedded => LayerStyle::Boundary,
            MapQuantity::OrderStar => LayerStyle::Star { is_filled: !is_overlaid },
            MapQuantity::Modulus | MapQuantity::Eigenvalues => LayerStyle::Bands(Bands::moduli(value)),
            MapQuantity::Growth => LayerStyle::Bands(Bands::growth(value)),
            MapQuantity::Error => LayerStyle::Bands(Bands::errors(value)),
        };
        let label = match (several, self.slice) {
            (false, _) => label,
            (true, Slice::Partitions) => escaped(&name),
            (true, _) if self.show == MapQuantity::Eigenvalues => format!("{}, {label}", escaped(&subject.name)),
            (true, _) => escaped(&subject.name),
        };
        let label = self.with_value(label, several || self.show == MapQuantity::Eigenvalues);
        Layer { name, label, field, style, partition: None }
    }

    /// Appends the value to a label; replaces the label if it `says` nothing else.
    pub(crate) fn with_value(&self, label: String, says: bool) -> String {
        match self.value {
            None => label,
            Some(value) if says => format!("{label}, {}", value.label),
            Some(value) => value.label.clone(),
        }
    }

    /// Returns a name in data, with the scheme if there are several.
    pub(crate) fn named(&self, subject: &MapScheme, what: &str) -> String {
        let many_quantities = self.show == MapQuantity::Eigenvalues;
        let name = self.named_without_value(subject, what, many_quantities);
        match self.value {
            None => name,
            Some(value) if many_quantities || self.subjects.len() > 1 => format!("{name}, {}", value.name),
            Some(value) => value.name.clone(),
        }
    }

    fn named_without_value(&self, subject: &MapScheme, what: &str, many_quantities: bool) -> String {
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
