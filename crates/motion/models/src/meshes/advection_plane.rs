//! Advection in the plane by finite volumes on a product of two meshes.

use std::f64::consts::TAU;

use super::cells::{Cells, Layout, PARAMETERS};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

const SPEEDS: [Parameter; 2] = [
    Parameter::new("speed-x", "speed along x", 1.0, "1").within(AdmissibleValues::NotNegative),
    Parameter::new("speed-y", "speed along y", 0.5, "1").within(AdmissibleValues::NotNegative),
];
static ALL: [Parameter; 7] = joined(PARAMETERS, SPEEDS);

/// Number of cells along one side if one kind is alone.
const SIDE: usize = 16;

/// u_t + a u_x + b u_y = 0 on the periodic unit square, from u = sin 2πx cos 2πy, with upwind fluxes from the left and
/// from below. The kind of a cell is that of its narrower side.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "advection-plane",
    title: "advection in the plane by finite volumes on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, None),
};

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, alone: Option<usize>) -> Option<ModelParts> {
    let cells = Cells::of(values, SIDE, alone)?;
    let n = cells.len();
    if n > 200 {
        return None;
    }
    let kinds: Vec<usize> = (0..n * n).map(|k| cells.kinds[k % n].max(cells.kinds[k / n])).collect();
    let layout = Layout::new(&kinds, cells.count, 1);
    let names = layout.names(&["u#".to_owned()]);
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let centers: Vec<f64> = cells.centers().collect();
    let start = |k: usize| vec![(TAU * centers[k % n]).sin() * (TAU * centers[k / n]).cos()];
    let initial = layout.arranged(&(0..n * n).map(start).collect::<Vec<_>>());
    let (sizes, speeds) = (layout.sizes(), [values.of("speed-x"), values.of("speed-y")]);
    let drawn = if n > 1 { vec![0, n * n - 1] } else { vec![0] };
    let built = ModelParts::new(&variables, &sizes, PlaneAdvection { speeds, cells, layout });
    Some(built.starting(initial).lasting(0.5).drawing(&drawn))
}

struct PlaneAdvection {
    speeds: [f64; 2],
    cells: Cells,
    layout: Layout,
}

impl Equations for PlaneAdvection {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (cells, n) = (&self.cells, self.cells.len());
        let Some(members) = self.layout.members.get(partition).filter(|_| y.len() == n * n) else { return };
        let of = |column: usize, row: usize| y[self.layout.first[row * n + column]];
        for (&cell, rate) in members.iter().zip(rate) {
            let (column, row) = (cell % n, cell / n);
            let here = of(column, row);
            *rate = (of(cells.left(column), row) - here) * (self.speeds[0] / cells.widths[column])
                + (of(column, cells.left(row)) - here) * (self.speeds[1] / cells.widths[row]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::rates;
    use crate::registry::model;

    #[test]
    fn without_a_second_speed_rows_are_lines() {
        let plane = model("advection-plane", &[("speed-y", 0.0), ("meshes", 1.0), ("cells", 6.0)]).unwrap();
        let line = model("advection-diffusion", &[("diffusion", 0.0), ("meshes", 1.0), ("cells", 6.0)]).unwrap();
        let rate = rates(&plane, 0.0, &plane.initial);
        let first = rates(&line, 0.0, &line.initial);
        // The first row is at y = 1/12.
        let factor = (std::f64::consts::TAU / 12.0).cos();
        assert!((0..6).all(|k| (rate[k] - factor * first[k]).abs() < 1e-12));
    }
}
