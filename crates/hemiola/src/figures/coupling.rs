//! How coupling changes regions: the singular-perturbation scheme beside a Runge–Kutta method, over frequency ratios and
//! strengths of coupling, as in Gil, Sanfelice & Nikravesh (2013), Figs. 2 and 3.

use hemiola_figure::{Axis, Dash, Figure, FigureError, Legend, Panel};
use hemiola_stability::{CoupledRay, SingularPerturbation, StabilityError, Window};
use hemiola_tableau::{Method, Tableau};

use super::layer::{Layer, Style};
use super::{Radius, View, escaped, minus};

/// The regions of the singular-perturbation scheme in the plane of ξ, one panel for each α and one boundary for each β:
/// z_ss = ξ, z_ff = αξ, z_sf z_fs = αβ²ξ².
///
/// A method is drawn for comparison, on the same coupled problem with the largest |β|; a plain method is the scheme's method on
/// the slow manifold as well, where the scheme has RK4 otherwise. The decoupled scheme, β = 0, is there for comparison
/// too. Regions are symmetric about the real axis, and half of them is shown.
pub struct CouplingMap {
    description: String,
    window: Window,
    panels: Vec<Part>,
    /// The number of panels and of couplings in each.
    counts: [usize; 2],
    names: Vec<String>,
}

/// A panel: its title and what it shows.
struct Part {
    title: String,
    layers: Vec<Layer>,
}

impl CouplingMap {
    /// The map for frequency ratios `alphas` and couplings `betas`.
    ///
    /// ```
    /// use hemiola::figures::{CouplingMap, View};
    /// let rk4 = hemiola::tableau::library::method("rk4")?;
    /// let view = View { cells: 60, ..View::default() };
    /// let svg = CouplingMap::new(&rk4, &[1.0, 10.0], &[0.2], view)?.to_svg()?;
    /// assert!(svg.contains("(a)") && svg.contains("(b)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StabilityError::NotAPair`] for methods with more than two partitions, [`StabilityError::OutOfRange`] where an α is
    /// zero, so that there is no slow manifold, a number is not finite, or there is none.
    pub fn new(method: &Method, alphas: &[f64], betas: &[f64], view: View) -> Result<Self, StabilityError> {
        check(alphas, betas)?;
        let rivals = Rivals::new(method)?;
        let panel = |&alpha: &f64| Ok(Part { title: title(alpha, betas), layers: rivals.layers(alpha, betas)? });
        let panels = alphas.iter().map(panel).collect::<Result<Vec<_>, StabilityError>>()?;
        let radii: Vec<&Radius> = shown(&panels).map(|layer| &layer.radius).collect();
        let window = view.window(&radii, method.stages());
        let window = if view.y.is_some() { window } else { Window { y: (0.0, window.y.1), ..window } };
        let description =
            format!("Stability regions of the singular-perturbation scheme of Gil et al. beside {}", method.name());
        let name = |alpha: f64| betas.iter().map(move |beta| format!("alpha = {alpha}, beta = {beta}"));
        let names = alphas.iter().flat_map(|&alpha| name(alpha)).collect();
        Ok(Self { description, window, panels, counts: [alphas.len(), betas.len()], names })
    }

    /// The part of the plane of ξ that each panel shows.
    #[must_use]
    pub fn window(&self) -> Window {
        self.window
    }

    /// What [`samples`](Self::samples) holds: α and β, all β of the first α first.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The spectral radius of the scheme at all grid points, row after row from below, for each α and β.
    #[must_use]
    pub fn samples(&self) -> Vec<Vec<f64>> {
        shown(&self.panels).map(|layer| layer.samples(&self.window)).collect()
    }

    /// The shape of the samples: (α, β, rows, columns).
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        let [alphas, betas] = self.counts;
        vec![alphas, betas, self.window.cells.1 + 1, self.window.cells.0 + 1]
    }

    /// The figure as SVG: a panel for each α, side by side, with its legend below.
    ///
    /// # Errors
    /// [`FigureError`] where the window cannot be drawn.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        let figure = if self.panels.len() == 1 { Figure::one_column() } else { Figure::two_columns() };
        let figure = figure.columns(self.panels.len().min(MOST_ACROSS)).description(&self.description);
        let panels = self.panels.iter().map(|part| self.panel(part));
        panels.fold(figure, Figure::panel).to_svg()
    }

    fn panel(&self, part: &Part) -> Panel {
        let Window { x, y, .. } = self.window;
        let axis = |label: &str, (low, high)| Axis::new(label).range(low, high);
        let panel = Panel::new(axis("Re(*ξ*)", x), axis("Im(*ξ*)", y)).equal_aspect();
        let panel = panel.title(&part.title).legend(Legend::Below);
        part.layers.iter().fold(panel, |panel, layer| layer.draw(panel, &self.window))
    }
}

fn shown(panels: &[Part]) -> impl Iterator<Item = &Layer> {
    panels.iter().flat_map(|part| &part.layers).filter(|layer| !layer.is_comparison())
}

/// Panels side by side.
const MOST_ACROSS: usize = 3;

/// The scheme and the method that it is compared with.
struct Rivals {
    scheme: SingularPerturbation,
    pair: Tableau<f64>,
    name: String,
}

impl Rivals {
    fn new(method: &Method) -> Result<Self, StabilityError> {
        let tableau = method.to_f64();
        let (scheme, partitions) = match &tableau.partitions[..] {
            // A plain method is a pair of equals.
            [plain] => (SingularPerturbation::new(plain), vec![plain.clone(), plain.clone()]),
            [_, _] => (SingularPerturbation::default(), tableau.partitions),
            more => return Err(StabilityError::NotAPair { found: more.len() }),
        };
        Ok(Self { scheme, pair: Tableau { partitions }, name: escaped(method.id()) })
    }

    fn layers(&self, alpha: f64, betas: &[f64]) -> Result<Vec<Layer>, StabilityError> {
        let ours = |beta: f64, label: String, style: Style| {
            Ok(layer(label, CoupledRay::of(self.scheme.clone(), alpha, beta * beta)?, style))
        };
        let coupling = |beta: f64| format!("*β* = {}", minus(beta));
        let mut layers = match *betas {
            [beta] => vec![ours(beta, "Gil et al.".to_owned(), Style::Region)?],
            _ => {
                let boundary = |&beta: &f64| ours(beta, coupling(beta), Style::Boundary);
                betas.iter().map(boundary).collect::<Result<_, StabilityError>>()?
            }
        };
        if !betas.contains(&0.0) {
            layers.push(ours(0.0, coupling(0.0), Style::Comparison(Dash::Dotted))?);
        }
        let strongest = betas.iter().fold(0.0, |most: f64, beta| most.max(beta.abs()));
        let ray = CoupledRay::new(&self.pair, alpha, strongest * strongest)?;
        let name = if betas.len() == 1 { self.name.clone() } else { format!("{}, {}", self.name, coupling(strongest)) };
        layers.push(layer(name, ray, Style::Comparison(Dash::Dashed)));
        Ok(layers)
    }
}

fn layer(label: String, ray: CoupledRay, style: Style) -> Layer {
    Layer { name: label.clone(), label, radius: Box::new(move |xi| ray.spectral_radius(xi)), style }
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

    fn map(id: &str, alphas: &[f64], betas: &[f64]) -> Result<CouplingMap, StabilityError> {
        CouplingMap::new(&library::method(id).unwrap(), alphas, betas, View { cells: 50, ..View::default() })
    }

    #[test]
    fn the_decoupled_scheme_has_the_slow_method_s_region_in_the_left_half_plane() {
        let map = map("rk4", &[5.0], &[0.0, 0.2]).unwrap();
        let layers = &map.panels[0].layers;
        assert_eq!(layers.iter().map(Layer::is_comparison).collect::<Vec<_>>(), [false, false, true]);
        let limit = 8f64.sqrt();
        assert!(layers[0].excess(-1e-6, limit - 1e-3) <= 0.0 && layers[0].excess(-1e-6, limit + 1e-3) > 0.0);
        // RK4's own region reaches a little into the right half-plane near its top; the scheme's does not.
        assert!(layers[0].excess(0.05, 2.0) > 0.0);
        // RK4 on the coupled problem is limited by the fast part.
        assert!(layers[2].excess(-1e-6, limit / 5.0 + 0.05) > 0.0);
        assert_eq!(map.window().y.0, 0.0);
    }

    #[test]
    fn pairs_are_compared_as_they_are() {
        let map = map("mprk-p3", &[1.0, 2.0], &[0.2]).unwrap();
        assert_eq!(map.panels.len(), 2);
        let labels: Vec<&str> = map.panels[0].layers.iter().map(|layer| layer.label.as_str()).collect();
        assert_eq!(map.shape(), [2, 1, 51, 51]);
        assert_eq!(map.names(), ["alpha = 1, beta = 0.2", "alpha = 2, beta = 0.2"]);
        assert!(map.samples().len() == 2 && map.samples()[1].len() == 51 * 51);
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
