//! Conservation laws in the plane by discontinuous Galerkin methods with products of Legendre polynomials.

use std::f64::consts::TAU;

use super::cells::PARAMETERS;
use super::galerkin::{self, Galerkin, right_end};
use super::plane::{Plane, ROWS};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

const LAW: [Parameter; 4] = [
    Parameter::choice("law", "flux f(u) along both directions: u, or u²/2", &["advection", "burgers"]),
    ROWS,
    Parameter::new("speed-x", "speed along x", 1.0, "1").within(AdmissibleValues::NotNegative),
    Parameter::new("speed-y", "speed along y", 0.5, "1").within(AdmissibleValues::NotNegative),
];
const GALERKIN: [Parameter; 6] = joined(galerkin::PARAMETERS, LAW);
static ALL: [Parameter; 11] = joined(PARAMETERS, GALERKIN);

/// Maximum number of polynomials along one side of a cell.
pub(super) const MOST: usize = 7;

/// u_t + a f(u)_x + b f(u)_y = 0 on the periodic unit square, with upwind fluxes from the left and from below.
///
/// The initial state is u = sin 2πx cos 2πy, or one plus a quarter of that for Burgers' flux. Columns of cells have
/// several widths; rows have equal heights.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "dg-plane",
    title: "conservation laws in the plane by discontinuous Galerkin methods on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, None),
};

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, alone: Option<usize>) -> Option<ModelParts> {
    let galerkin = Galerkin::of(values);
    let n = galerkin.size();
    let size = n * n;
    let plane = Plane::of(values, size, alone)?;
    let names = plane.layout.names(&(0..size).map(|k| format!("u# mode {},{}", k / n, k % n)).collect::<Vec<_>>());
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let (mean, amplitude) = if values.is("law", "burgers") { (1.0, 0.25) } else { (0.0, 1.0) };
    let initial = plane.state(|[center, width], row| {
        let x = galerkin.projected(center, width, |x| (TAU * x).sin());
        let y = galerkin.projected(row, plane.height, |y| (TAU * y).cos());
        let mut u: Vec<f64> = x.iter().flat_map(|x| y.iter().map(move |y| amplitude * x * y)).collect();
        u[0] += mean;
        u
    });
    let sizes = plane.layout.sizes();
    let last = initial.len().checked_sub(size)?;
    let drawn = if last > 0 { vec![0, last] } else { vec![0] };
    let speeds = [values.of("speed-x"), values.of("speed-y")];
    let is_linear = values.is("law", "advection");
    let equations = PlaneConservationLaw { galerkin, plane, speeds, is_linear };
    Some(ModelParts::new(&variables, &sizes, equations).starting(initial).lasting(0.5).drawing(&drawn))
}

struct PlaneConservationLaw {
    galerkin: Galerkin,
    plane: Plane,
    speeds: [f64; 2],
    is_linear: bool,
}

impl PlaneConservationLaw {
    /// Adds −a f(u)_x or −b f(u)_y. `place(k, l)` is the index of the coefficient of P_k along the direction and P_l
    /// across.
    fn add<N: Number>(
        &self,
        [speed, width]: [f64; 2],
        [before, here]: [&[N]; 2],
        place: impl Fn(usize, usize) -> usize,
        rate: &mut [N],
    ) {
        let (n, zero) = (self.galerkin.size(), N::from(0.0));
        let (mut u, mut left, mut change) = ([zero; MOST], [zero; MOST], [zero; MOST]);
        // A linear flux does not couple the polynomials across; others are evaluated on a line through each node.
        let lines = if self.is_linear { n } else { self.galerkin.nodes() };
        for line in 0..lines {
            for k in 0..n {
                let on_line = |cell: &[N]| {
                    if self.is_linear {
                        return cell[place(k, line)];
                    }
                    (0..n).fold(zero, |sum, l| sum + cell[place(k, l)] * self.galerkin.value(line, l))
                };
                (u[k], left[k]) = (on_line(here), on_line(before));
            }
            let flux = |u: N| if self.is_linear { u * speed } else { u * u * (0.5 * speed) };
            let ends = [right_end(&left[..n]), right_end(&u[..n])].map(flux);
            self.galerkin.divergence(width, self.galerkin.at_nodes(&u[..n]).map(flux), ends, &mut change[..n]);
            for k in 0..n {
                if self.is_linear {
                    rate[place(k, line)] += change[k];
                    continue;
                }
                for l in 0..n {
                    rate[place(k, l)] += change[k] * self.galerkin.projection(line, l);
                }
            }
        }
    }
}

impl Equations for PlaneConservationLaw {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let n = self.galerkin.size();
        self.plane.each(partition, y, rate, |place, rate| {
            self.add([self.speeds[0], place.width], [place.left, place.here], |k, l| k * n + l, rate);
            self.add([self.speeds[1], self.plane.height], [place.below, place.here], |k, l| l * n + k, rate);
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{rates, rk4};
    use crate::registry::model;

    #[test]
    fn without_a_second_speed_rows_are_lines() {
        let mesh = [("cells", 3.0), ("meshes", 2.0), ("degree", 2.0)];
        let plane = model("dg-plane", &[&mesh[..], &[("speed-y", 0.0), ("rows", 2.0)]].concat()).unwrap();
        let line = model("dg-advection", &mesh).unwrap();
        let (rate, first) = (rates(&plane, 0.0, &plane.initial), rates(&line, 0.0, &line.initial));
        // The mean of cos 2πy over the first row, from 0 to 1/2, is zero, but the coefficient of P_1 is not: compare it
        // with the initial state.
        let factor = plane.initial[1] / line.initial[0];
        assert!(factor.abs() > 0.1);
        // Three wide cells in each of two rows come first; the first row's cells are the first three.
        for cell in 0..3 {
            for k in 0..3 {
                let (found, expected) = (rate[9 * cell + 3 * k + 1], factor * first[3 * cell + k]);
                assert!((found - expected).abs() < 1e-11, "{cell} {k}: {found} {expected}");
            }
        }
    }

    #[test]
    fn burgers_keeps_mass_and_constants() {
        let mesh: [(&str, crate::Value<'_>); 4] =
            [("law", "burgers".into()), ("cells", 2.0.into()), ("rows", 3.0.into()), ("degree", 2.0.into())];
        for nodes in ["gauss", "lobatto"] {
            let changes = [&mesh[..], &[("nodes", nodes.into())]].concat();
            let plane = crate::model_with("dg-plane", &changes).unwrap();
            let (rate, rows) = (rates(&plane, 0.0, &plane.initial), 3);
            // Each row has two wide and four narrow cells, with nine coefficients each. Whatever leaves a cell enters
            // another.
            let wide: f64 = rate[..2 * rows * 9].iter().step_by(9).sum();
            let narrow: f64 = rate[2 * rows * 9..].iter().step_by(9).sum();
            assert!((wide / 4.0 + narrow / 8.0).abs() < 1e-13, "{nodes}: {wide} {narrow}");
            // A constant state is invariant.
            let constant: Vec<f64> = (0..plane.initial.len()).map(|k| if k % 9 == 0 { 1.5 } else { 0.0 }).collect();
            assert!(rates(&plane, 0.0, &constant).iter().all(|rate| rate.abs() < 1e-12), "{nodes}");
        }
    }

    #[test]
    fn a_wave_is_carried_across() {
        // With equal speeds the state returns after one period.
        let plane = model("dg-plane", &[("cells", 4.0), ("rows", 8.0), ("speed-y", 1.0)]).unwrap();
        let end = rk4(&plane, 1.0 / 500.0, 500, |_, _| {});
        let worst = end.iter().zip(&plane.initial).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-3, "{worst}");
    }

    #[test]
    fn pieces_of_as_many_cells_are_shorter() {
        let three = [("cells", 2.0), ("meshes", 3.0), ("degree", 0.0), ("rows", 1.0)];
        let changes: Vec<(&str, crate::Value<'_>)> =
            three.iter().map(|&(key, value)| (key, value.into())).chain([("pieces", "many".into())]).collect();
        let plane = crate::model_with("dg-plane", &changes).unwrap();
        assert_eq!(plane.partition(), [0, 0, 1, 1, 2, 2]);
        // Widths 2/7, 1/7 and 1/14: the diagonal of the Jacobian is −1/w − b.
        let jacobian = plane.jacobian_at(0.0, &plane.initial);
        for (k, width) in [(0, 2.0 / 7.0), (2, 1.0 / 7.0), (4, 1.0 / 14.0)] {
            assert!((jacobian[k][k] + 1.0 / width).abs() < 1e-12, "one row has itself below");
        }
        let alone = crate::part_alone(&plane, 2).unwrap();
        assert_eq!(alone.initial.len(), 4 * 14);
    }
}
