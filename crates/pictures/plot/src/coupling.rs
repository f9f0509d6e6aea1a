//! Effect of coupling on stability regions: the singular-perturbation scheme compared with a Runge–Kutta method, over
//! frequency ratios and coupling strengths, as in Gil, Sanfelice & Nikravesh (2013), Figs. 2 and 3.

use hemiola_figure::{Dash, Legend};
use hemiola_stability::{Field, Scan, SingularPerturbation, Slice as Ray, StabilityError, Window};
use hemiola_tableau::{Method, Tableau};

use crate::layer::{Layer, LayerStyle};
use crate::map::{MapPanel, StabilityMap};
use crate::view::RegionHint;
use crate::{MapError, View, escaped, minus};

impl StabilityMap {
    /// Maps the regions of the singular-perturbation scheme in the plane of ξ, with a panel for each frequency ratio in
    /// `alphas` and a boundary for each coupling in `betas`: z_ss = ξ, z_ff = αξ, z_sf z_fs = αβ²ξ².
    ///
    /// For comparison, each panel also shows `method` on the coupled problem with the largest |β|, and the decoupled
    /// scheme, β = 0. If `method` has no partitions, the scheme uses it on the slow manifold; otherwise the scheme uses
    /// RK4 there. Regions are symmetric about the real axis, and the upper half is shown.
    ///
    /// ```
    /// use hemiola_plot::{StabilityMap, View};
    /// let rk4 = hemiola_tableau::library::method("rk4")?;
    /// let view = View { cells: 60, ..View::default() };
    /// let svg = StabilityMap::gil(&rk4, &[1.0, 10.0], &[0.2], view)?.sample(&())?.figure().to_svg()?;
    /// assert!(svg.contains("(a)") && svg.contains("(b)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] for methods with more than two partitions; [`StabilityError::OutOfRange`]
    /// if an α is zero, so that there is no slow manifold, if a number is not finite, or if there are no numbers.
    pub fn gil(method: &Method, alphas: &[f64], betas: &[f64], view: View) -> Result<Self, MapError> {
        view.check()?;
        check(alphas, betas)?;
        let rivals = SchemeComparison::new(method)?;
        let layers = alphas.iter().map(|&alpha| rivals.layers(alpha, betas));
        let layers = layers.collect::<Result<Vec<_>, StabilityError>>()?;
        let window = {
            let shown = layers.iter().flatten().filter(|layer| !layer.is_comparison());
            let fields: Vec<&dyn Field> = shown.map(|layer| &*layer.field).collect();
            view.window(&fields, RegionHint::Symmetric { stages: method.stages() })
        };
        let window = if view.y.is_some() { window } else { Window { y: (0.0, window.y.1), ..window } };
        let part = |(&alpha, layers): (&f64, Vec<Layer>)| MapPanel {
            title: title(alpha, betas),
            axes: ("Re(*ξ*)".to_owned(), "Im(*ξ*)".to_owned()),
            is_complex: true,
            window,
            layers,
            legend: Legend::Below,
            extents: Vec::new(),
        };
        let parts = alphas.iter().zip(layers).map(part).collect();
        let description =
            format!("Stability regions of the singular-perturbation scheme of Gil et al. beside {}", method.name());
        Ok(Self { description, parts, counts: vec![alphas.len(), betas.len()], spectrum: None })
    }
}

/// The scheme and the method for comparison.
struct SchemeComparison {
    scheme: SingularPerturbation,
    pair: Tableau<f64>,
    name: String,
}

impl SchemeComparison {
    fn new(method: &Method) -> Result<Self, StabilityError> {
        let tableau = method.to_f64();
        let (scheme, partitions) = match &tableau.partitions[..] {
            // A plain method is a pair of equal partitions.
            [plain] => (SingularPerturbation::new(plain), vec![plain.clone(), plain.clone()]),
            [_, _] => (SingularPerturbation::default(), tableau.partitions),
            more => return Err(StabilityError::NotAPair { found: more.len() }),
        };
        Ok(Self { scheme, pair: Tableau { partitions }, name: escaped(method.id()) })
    }

    fn layers(&self, alpha: f64, betas: &[f64]) -> Result<Vec<Layer>, StabilityError> {
        let ours = |beta: f64, label: String, style: LayerStyle| {
            let name = format!("alpha = {alpha}, beta = {beta}");
            layer(name, label, Scan::of(self.scheme.clone(), Ray::ray(alpha, beta * beta)), style)
        };
        let coupling = |beta: f64| format!("*β* = {}", minus(beta));
        let mut layers = match *betas {
            [beta] => vec![ours(beta, "Gil et al.".to_owned(), LayerStyle::Region)],
            _ => {
                let boundary = |&beta: &f64| ours(beta, coupling(beta), LayerStyle::Boundary);
                betas.iter().map(boundary).collect()
            }
        };
        if !betas.contains(&0.0) {
            layers.push(ours(0.0, coupling(0.0), LayerStyle::Comparison(Dash::Dotted)));
        }
        let strongest = betas.iter().fold(0.0, |most: f64, beta| most.max(beta.abs()));
        let ray = Scan::new(&self.pair, Ray::ray(alpha, strongest * strongest))?;
        let name = if betas.len() == 1 { self.name.clone() } else { format!("{}, {}", self.name, coupling(strongest)) };
        layers.push(layer(name.clone(), name, ray, LayerStyle::Comparison(Dash::Dashed)));
        Ok(layers)
    }
}

fn layer(name: String, label: String, scan: Scan, style: LayerStyle) -> Layer {
    Layer { name, label, field: Box::new(scan), style, partition: None }
}

fn title(alpha: f64, betas: &[f64]) -> String {
    match betas {
        [beta] => format!("*α* = {}, *β* = {}", minus(alpha), minus(*beta)),
        _ => format!("*α* = {}", minus(alpha)),
    }
}

fn check(alphas: &[f64], betas: &[f64]) -> Result<(), StabilityError> {
    let fault = |name, value, expected| Err(StabilityError::OutOfRange { name, value, expected });
    for (name, values) in [("the number of alphas", alphas.len()), ("the number of betas", betas.len())] {
        if values == 0 {
            return fault(name, 0.0, "at least one");
        }
    }
    match (
        alphas.iter().find(|alpha| !alpha.is_finite() || **alpha == 0.0),
        betas.iter().find(|beta| !beta.is_finite()),
    ) {
        (Some(&alpha), _) => fault("alpha", alpha, "a finite number other than zero"),
        (None, Some(&beta)) => fault("beta", beta, "a finite number"),
        (None, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn map(id: &str, alphas: &[f64], betas: &[f64]) -> Result<StabilityMap, MapError> {
        StabilityMap::gil(&library::method(id).unwrap(), alphas, betas, View { cells: 50, ..View::default() })
    }

    #[test]
    fn the_decoupled_scheme_has_the_slow_method_s_region_in_the_left_half_plane() {
        let map = map("rk4", &[5.0], &[0.0, 0.2]).unwrap();
        let layers = &map.parts[0].layers;
        let excess = |layer: usize, x: f64, y: f64| layers[layer].field.at(x, y) - 1.0;
        assert_eq!(layers.iter().map(Layer::is_comparison).collect::<Vec<_>>(), [false, false, true]);
        let limit = 8f64.sqrt();
        assert!(excess(0, -1e-6, limit - 1e-3) <= 0.0 && excess(0, -1e-6, limit + 1e-3) > 0.0);
        // RK4's own region extends slightly into the right half-plane near its top; the scheme's does not.
        assert!(excess(0, 0.05, 2.0) > 0.0);
        // The fast part limits RK4 on the coupled problem.
        assert!(excess(2, -1e-6, limit / 5.0 + 0.05) > 0.0);
        assert_eq!(map.window().y.0, 0.0);
    }

    #[test]
    fn pairs_are_compared_as_they_are() {
        let map = map("mprk-p3", &[1.0, 2.0], &[0.2]).unwrap();
        assert_eq!(map.panels(), 2);
        let labels: Vec<&str> = map.parts[0].layers.iter().map(|layer| layer.label.as_str()).collect();
        assert_eq!(map.shape(), [2, 1, 51, 51]);
        assert_eq!(map.names(), ["alpha = 1, beta = 0.2", "alpha = 2, beta = 0.2"]);
        let samples = map.sample(&()).unwrap();
        let values = samples.values(&()).unwrap();
        assert!(values.len() == 2 && values[1].len() == 51 * 51);
        assert_eq!(labels, ["Gil et al.", "*β* = 0", "mprk-p3"]);
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let fault = |alphas: &[f64], betas: &[f64]| map("rk4", alphas, betas).err().map(|error| error.to_string());
        let zero = Some("alpha is 0; expected a finite number other than zero".to_owned());
        assert_eq!(fault(&[1.0, 0.0], &[0.2]), zero);
        assert_eq!(fault(&[1.0], &[f64::NAN]), Some("beta is NaN; expected a finite number".to_owned()));
        assert_eq!(fault(&[1.0], &[]), Some("the number of betas is 0; expected at least one".to_owned()));
    }
}
