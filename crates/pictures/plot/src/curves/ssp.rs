//! SSP coefficients of explicit methods over their evaluations, with the largest possible ones.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points};
use hemiola_stability::monotonicity::ssp_upper_bound;

use crate::MapError;
use crate::curves::limits::MARKERS;

/// Colors of the orders in turn.
const COLORS: [Color; 4] = [Color::BLUE, Color::VERMILION, Color::GREEN, Color::PURPLE];
/// Largest number of evaluations up to which bounds are drawn.
const MOST_EVALUATIONS: usize = 30;

/// An explicit method with its SSP coefficient.
#[derive(Clone, Debug, PartialEq)]
pub struct SspMethod {
    /// The order p.
    pub order: usize,
    /// The evaluations in a step.
    pub evaluations: usize,
    /// The SSP coefficient C.
    pub coefficient: f64,
}

/// Draws the SSP coefficients of explicit methods over their evaluations, with a marker for each order, and the threshold
/// factors R_{s,p} as curves. No method lies above the curve of its order.
///
/// ```
/// use hemiola_plot::{SspMethod, ssp_figure};
/// let methods = [SspMethod { order: 4, evaluations: 10, coefficient: 6.0 }];
/// assert!(ssp_figure(&methods)?.to_svg()?.contains("evaluations"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MapError::Nothing`] if there are no methods.
pub fn ssp_figure(methods: &[SspMethod]) -> Result<Figure, MapError> {
    let mut orders: Vec<usize> = methods.iter().map(|method| method.order).collect();
    orders.sort_unstable();
    orders.dedup();
    let Some(most) = methods.iter().map(|method| method.evaluations).max() else {
        return Err(MapError::Nothing { what: "methods with a positive SSP coefficient" });
    };
    let axes = Panel::new(Axis::new("evaluations *s*").whole_numbers(), Axis::new("SSP coefficient *C*"));
    let axes = axes.title("Lines: upper bounds");
    let looks = COLORS.iter().zip(&MARKERS).cycle();
    let panel = orders.iter().zip(looks).fold(axes.without_zero_lines(), |panel, (order, (color, marker))| {
        with_order(panel, methods, *order, most, (*color, *marker))
    });
    Ok(Figure::one_column().description("SSP coefficients of explicit methods and their upper bounds").panel(panel))
}

fn with_order(panel: Panel, methods: &[SspMethod], order: usize, most: usize, look: (Color, Marker)) -> Panel {
    let (color, marker) = look;
    let last = (most + 1).min(MOST_EVALUATIONS).max(order);
    let bound = |s: usize| ssp_upper_bound(s, order).ok().and_then(|r| r.value()).map(|r| [s as f64, r]);
    let bounds: Vec<[f64; 2]> = (order.max(1)..=last).filter_map(bound).collect();
    let of_order = methods.iter().filter(|method| method.order == order);
    let places = of_order.map(|method| [method.evaluations as f64, method.coefficient]);
    let panel = panel.curve(Curve::new().open(bounds).color(color).dash(Dash::Solid).width(0.7));
    // Markers of one mark that overlap would cancel each other: each has a mark of its own.
    places.enumerate().fold(panel, |panel, (k, place)| {
        let points = Points::new([place]).color(color).marker(marker);
        panel.points(if k == 0 { points.label(format!("*p* = {order}")) } else { points })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_all_orders_have_a_figure() {
        let methods: Vec<SspMethod> =
            (1..=6).map(|order| SspMethod { order, evaluations: order + 2, coefficient: 1.0 }).collect();
        let svg = ssp_figure(&methods).unwrap().to_svg().unwrap();
        assert!(svg.contains("evaluations"));
        assert!(matches!(ssp_figure(&[]), Err(MapError::Nothing { .. })));
    }
}
