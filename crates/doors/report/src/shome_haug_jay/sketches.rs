//! Figures 2, 3 and B1: sketches of the models.

use hemiola_figure::{Color, Figure};
use hemiola_models::parameters;
use hemiola_number::Progress;

use crate::report::{Report, ReportError, next};
use crate::shome_haug_jay::measured::file;
use crate::sketch::Sketch;

/// Colors of slow and of fast parts.
const SLOW: Color = Color::BLUE;
const FAST: Color = Color::VERMILION;
/// Width of the outlines of rings.
const RING_WIDTH: f64 = 1.6;
/// Radius of a hub, and half the width of springs and dampers, in m.
const HUB: f64 = 0.07;
const HALF_WIDTH: f64 = 0.045;
/// Distance of a spring and a damper from the line between the bodies that they connect, in m.
const APART: f64 = 0.1;
/// Height of the lower side of chassis, in m. Chassis are drawn higher than they are, above the wheels.
const CHASSIS: f64 = 0.95;
const CHASSIS_HALF_HEIGHT: f64 = 0.1;

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "models")?;
    let radius = value("planar-vehicle", "tyre-radius")?;
    let arms = [value("planar-vehicle", "front-arm")?, -value("planar-vehicle", "rear-arm")?];
    let description = "The three quarter cars: chassis, suspension, and tire";
    let quarters = [body(), mass_and_spring(radius), ring(radius)];
    let quarters = quarters
        .into_iter()
        .fold(Figure::two_columns().columns(3).description(description), |page, sketch| page.panel(sketch.panel()));
    let vehicle = Figure::one_column().description("The planar vehicle on two rigid rings");
    let tire = Figure::one_column().description("The rigid-ring tire between hub and road");
    let figures = vec![
        (file("fig-2"), quarters.into()),
        (file("fig-3"), vehicle.panel(planar_vehicle(arms, radius).panel()).into()),
        (file("fig-b1"), tire.panel(tire_model(radius).panel()).into()),
    ];
    Ok(Report { text: TEXT.to_owned(), figures })
}

/// Returns the value of a parameter of a model.
fn value(model: &str, name: &str) -> Result<f64, ReportError> {
    Ok(parameters(model)?.iter().find(|parameter| parameter.name == name).map_or(f64::NAN, |parameter| parameter.value))
}

/// Creates the sketch of a quarter car above the road.
fn quarter_car(title: &str) -> Sketch {
    let sketch = Sketch::new([-0.5, 0.9], [-0.1, 1.35]).title(title).road([-0.5, 0.9], 0.0);
    let center = [0.0, CHASSIS + CHASSIS_HALF_HEIGHT];
    sketch.body(center, [0.3, CHASSIS_HALF_HEIGHT], SLOW).text([0.34, CHASSIS + CHASSIS_HALF_HEIGHT], "chassis")
}

/// Adds a spring and a damper beside each other between two heights.
fn suspension(sketch: Sketch, x: f64, [low, high]: [f64; 2]) -> Sketch {
    sketch.spring([x - APART, low], [x - APART, high], HALF_WIDTH).damper(
        [x + APART, low],
        [x + APART, high],
        HALF_WIDTH,
    )
}

fn body() -> Sketch {
    suspension(quarter_car("A"), 0.0, [0.0, CHASSIS]).text([0.2, 0.45], "suspension").text([0.2, 0.36], "and tire")
}

fn mass_and_spring(radius: f64) -> Sketch {
    let top = radius + 0.08;
    suspension(quarter_car("B"), 0.0, [top, CHASSIS])
        .body([0.0, radius], [0.2, 0.08], SLOW)
        .text([0.24, radius], "unsprung mass")
        .spring([0.0, 0.0], [0.0, radius - 0.08], HALF_WIDTH)
        .text([0.1, 0.5 * radius - 0.04], "tire")
        .text([0.2, 0.68], "suspension")
}

fn ring(radius: f64) -> Sketch {
    let sketch = suspension(quarter_car("C"), 0.0, [radius + HUB, CHASSIS]).text([0.2, 0.72], "suspension");
    let bar = [[-APART, radius + HUB], [APART, radius + HUB]];
    wheel(sketch.line(&bar, SLOW, 1.2), 0.0, radius).text([0.36, 0.16], "rigid-ring").text([0.36, 0.07], "tire")
}

/// Adds a hub and a ring on the road.
fn wheel(sketch: Sketch, x: f64, radius: f64) -> Sketch {
    sketch.circle([x, radius], HUB, SLOW, 1.2).circle([x, radius], radius, FAST, RING_WIDTH)
}

fn planar_vehicle(arms: [f64; 2], radius: f64) -> Sketch {
    let middle = 0.5 * (arms[0] + arms[1]);
    let half = 0.5 * (arms[0] - arms[1]) + 0.25;
    let ends = [middle - half - 0.2, middle + half + 0.2];
    let sketch = Sketch::new(ends, [-0.12, 1.35]).road(ends, 0.0);
    let center = [middle, CHASSIS + CHASSIS_HALF_HEIGHT];
    let sketch = sketch.body(center, [half, CHASSIS_HALF_HEIGHT], SLOW);
    let sketch = arms.into_iter().fold(sketch, |sketch, x| {
        let bar = [[x - APART, radius + HUB], [x + APART, radius + HUB]];
        wheel(suspension(sketch, x, [radius + HUB, CHASSIS]).line(&bar, SLOW, 1.2), x, radius)
    });
    sketch
        .text([middle - 0.25, CHASSIS + CHASSIS_HALF_HEIGHT], "chassis")
        .text([arms[1] + 0.2, 0.75], "suspension")
        .text([arms[1] + radius + 0.02, radius], "rigid ring with slip")
        .text_on_the_left([arms[0] - radius - 0.04, radius], "hub")
        .dashed([[arms[0] - radius - 0.03, radius], [arms[0] - HUB, radius]])
}

fn tire_model(radius: f64) -> Sketch {
    // The ring stands above the road by the residual spring, which is drawn longer than it is.
    let (gap, width) = (0.2, 0.028);
    let [x, y] = [0.0, gap + radius];
    let chassis = y + radius + 0.22;
    Sketch::new([-1.05, 1.05], [-0.1, chassis + 0.16])
        .road([-1.05, 1.05], 0.0)
        .body([x, chassis + 0.05], [0.25, 0.05], SLOW)
        .text([0.28, chassis + 0.05], "chassis")
        .circle([x, y], radius, FAST, RING_WIDTH)
        .text([0.75 * radius, y + 0.8 * radius], "rigid ring *x*_{R}, *y*_{R}, *θ*_{R}")
        .circle([x, y], HUB, SLOW, 1.2)
        .text_on_the_left([x - radius - 0.04, y + 0.12], "hub *x*_{H}, *y*_{H}, *θ*_{H}")
        .dashed([[x - radius - 0.03, y + 0.12], [x - HUB, y + 0.02]])
        .line(&[[x - 0.06, y + HUB], [x + 0.06, y + HUB]], SLOW, 1.2)
        .spring([x - 0.05, y + HUB], [x - 0.05, chassis], width)
        .damper([x + 0.05, y + HUB], [x + 0.05, chassis], width)
        .text_on_the_left([x - 0.12, y + radius + 0.1], "suspension *K*^{s}, *C*^{s}")
        .spring([x + HUB, y + 0.03], [x + radius, y + 0.03], width)
        .damper([x + HUB, y - 0.05], [x + 0.99 * radius, y - 0.05], width)
        .text([x + radius + 0.03, y], "sidewall *K*^{x}, *C*^{x}")
        .spring([x - 0.05, y - HUB], [x - 0.05, y - 0.98 * radius], width)
        .damper([x + 0.05, y - HUB], [x + 0.05, y - 0.98 * radius], width)
        .text([x + radius, y - 0.2], "sidewall *K*^{y}, *C*^{y}")
        .spiral([x, y], [HUB, 0.55 * radius])
        .text_on_the_left([x - radius - 0.04, y - 0.12], "torsion *K*^{θ}, *C*^{θ}")
        .dashed([[x - radius - 0.03, y - 0.12], [x - 0.4 * radius, y - 0.04]])
        .spring([x - 0.05, gap], [x - 0.05, 0.05], width)
        .damper([x + 0.05, gap], [x + 0.05, 0.05], width)
        .text([x + 0.14, 0.14], "residual *K*^{res}, *C*^{res}")
        .body([x, 0.03], [0.12, 0.02], FAST)
        .text([x + 0.14, 0.045], "slip *s* of the tread")
}

const TEXT: &str = "\
## Figures 2, 3 and B1: the models

![Quarter cars A, B and C](shome-haug-jay-2004-fig-2.svg)

Figure 2: one body on the spring and the damper of suspension and tire; a sprung and an unsprung mass, the tire a spring; the same on a
rigid-ring tire. Slow parts are blue, fast parts red.

![The planar vehicle on two rigid rings](shome-haug-jay-2004-fig-3.svg)

Figure 3: position and pitch of the chassis, travel and angle of two hubs, position and angle of two rings, with their velocities, and two
slips: 28 variables, 14 slow and 14 fast.

![The rigid-ring tire between hub and road](shome-haug-jay-2004-fig-b1.svg)

Figure B1, the tire of Appendix B. Radii and wheelbase are those of the models; chassis are drawn higher above the hubs than they are, and the
residual spring longer.
";
