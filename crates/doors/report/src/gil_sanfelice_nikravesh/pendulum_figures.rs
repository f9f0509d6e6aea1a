//! Figures 7 and 8.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points};

use crate::gil_sanfelice_nikravesh::pendulum::{
    ANGLE, END, ODE45, Pendulum, PendulumIntegrator, RK4, SCHEME, STABLE_RK4, stretch,
};
use crate::runs::MeasuredRun;
use hemiola_integrate::Track;

/// Length of the window that shows single oscillations of the particle, in s.
const WINDOW: f64 = 0.06;
/// Magnitude above which values are far outside every panel.
const LARGEST: f64 = 1e6;

const LOOKS: [(PendulumIntegrator, Color, Dash, Marker); 4] = [
    (SCHEME, Color::BLUE, Dash::Solid, Marker::Circle),
    (RK4, Color::VERMILION, Dash::Dashed, Marker::Square),
    (STABLE_RK4, Color::ORANGE, Dash::Dotted, Marker::Triangle),
    (ODE45, Color::GREEN, Dash::DashDot, Marker::Diamond),
];

/// Contents of a panel of the solution.
struct View {
    span: [f64; 2],
    range: [f64; 2],
    label: &'static str,
    value: fn(&[f64]) -> f64,
    /// Whether states are shown individually.
    single: bool,
}

impl View {
    fn points(&self, track: &Track) -> Vec<[f64; 2]> {
        let [start, end] = self.span;
        let all = track.times.iter().zip(&track.states).map(|(&t, y)| [t, (self.value)(y)]);
        all.filter(|[t, value]| (start..=end).contains(t) && value.abs() < LARGEST).collect()
    }

    fn panel(&self, pendulum: &Pendulum, runs: &[(PendulumIntegrator, MeasuredRun)]) -> Panel {
        let x = Axis::new("time *t* in s").range(self.span[0], self.span[1]);
        let y = Axis::new(self.label).range(self.range[0], self.range[1]);
        let truth = Curve::new().open(self.points(&pendulum.track)).color(Color::BLACK).dash(Dash::Solid).width(0.6);
        let panel = Panel::new(x, y).without_zero_lines().height(0.5).curve(truth.label("solution"));
        LOOKS.iter().fold(panel, |panel, &(way, color, dash, marker)| {
            let Some((_, run)) = runs.iter().find(|(other, _)| *other == way) else { return panel };
            let points = self.points(&run.track);
            if self.single {
                let [low, high] = self.range;
                let seen = points.into_iter().filter(|[_, value]| (low..=high).contains(value));
                panel.points(Points::new(seen).color(color).marker(marker).size(3.5).label(way.label()))
            } else {
                panel.curve(Curve::new().open(points).color(color).dash(dash).width(0.8))
            }
        })
    }
}

pub(crate) fn solution(pendulum: &Pendulum, runs: &[(PendulumIntegrator, MeasuredRun)]) -> Figure {
    let beside: fn(&[f64]) -> f64 = |y| 1e6 * stretch(y);
    let label = "particle beside the end in µm";
    let views = [
        View { span: [0.0, END], range: [-1.0, 1.0], label: "angle *θ* in rad", value: |y| y[ANGLE], single: false },
        View { span: [0.0, 0.2], range: [-300.0, 300.0], label, value: beside, single: false },
        View { span: [0.0, WINDOW], range: [-10.0, 20.0], label, value: beside, single: true },
        View { span: [END - WINDOW, END], range: [-60.0, 60.0], label, value: beside, single: true },
    ];
    let page = Figure::two_columns().columns(2).legend_below();
    let page = page.description("The pendulum's angle, and the particle beside the bar's end, at first and at last");
    views.iter().fold(page, |page, view| page.panel(view.panel(pendulum, runs)))
}

pub(crate) fn energy(pendulum: &Pendulum, runs: &[(PendulumIntegrator, MeasuredRun)]) -> Figure {
    let x = Axis::new("time *t* in s").range(0.0, END);
    let panel = Panel::new(x, Axis::new("change of the energy in 10⁻⁹")).height(0.5);
    let shown = LOOKS.iter().filter(|(way, ..)| *way != RK4);
    let panel = shown.fold(panel, |panel, &(way, color, dash, _)| {
        let Some((_, run)) = runs.iter().find(|(other, _)| *other == way) else { return panel };
        let points = run.track.times.iter().zip(&run.track.states).map(|(&t, y)| [t, 1e9 * pendulum.energy_gain(y)]);
        panel.curve(Curve::new().open(points).color(color).dash(dash).width(0.8).label(way.label()))
    });
    let page = Figure::one_column().legend_below().description("Change of the pendulum's energy over time");
    page.panel(panel)
}
