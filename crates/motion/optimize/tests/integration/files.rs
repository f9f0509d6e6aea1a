//! Problem files: known optima and invalid files.

use std::path::Path;

use hemiola_models::model;
use hemiola_optimize::sqp::{SolverOptions, Status};
use hemiola_optimize::{ControlOptimum, ProblemFile, ShootingNodes, StepRule, Transcription};

use crate::steps::scheme;

fn read(text: &str) -> Result<ProblemFile, String> {
    let library = |text: &str| -> Result<_, Box<dyn std::error::Error>> {
        let changes: Vec<(&str, f64)> = match text.split_once(':').and_then(|(_, change)| change.split_once('=')) {
            Some((key, value)) => vec![(key, value.parse()?)],
            None => Vec::new(),
        };
        Ok(model(text.split(':').next().unwrap(), &changes)?)
    };
    ProblemFile::from_json(text.as_bytes(), "problem.json", &library).map_err(|error| error.to_string())
}

pub(crate) fn example(name: &str) -> ProblemFile {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../problems").join(name);
    read(&std::fs::read_to_string(file).unwrap()).unwrap()
}

pub(crate) fn optimum(file: &ProblemFile, points: usize, shooting: ShootingNodes, method: &str) -> ControlOptimum {
    let rule = StepRule::new(&scheme(method), &file.sizes).unwrap();
    let grid = hemiola_optimize::ControlGrid { points, shooting, ..file.grid };
    let found =
        Transcription::new(file.problem.clone(), rule, grid).unwrap().solve(&file.guess, SolverOptions::default(), &());
    let found = found.unwrap();
    assert_eq!(found.solution.status, Status::Optimal, "{} {points} {shooting:?} {method}", file.name);
    found
}

#[test]
fn the_rocket_car_takes_full_thrust_and_full_brake() {
    // Exact: 2 √(distance/thrust) (Bryson & Ho 1975, §3.9).
    let file = example("rocket-car.json");
    for shooting in [ShootingNodes::Single, ShootingNodes::Multiple, ShootingNodes::Every(7)] {
        let found = optimum(&file, 41, shooting, &file.method).found;
        assert!((found.duration - 2.0).abs() < 1e-5, "{shooting:?} {}", found.duration);
        assert!((0..19).all(|k| found.controls[k][0] > 0.99) && (21..39).all(|k| found.controls[k][0] < -0.99));
    }
}

#[test]
fn the_touching_arc_of_bryson_and_denham_costs_4_over_9_l() {
    // Bryson & Ho (1975), §3.11: with the bound l = 1/9 < 1/6 the least effort is 4/(9l) = 4. The control is linear on
    // thirds of the time, which grids of 30 and 90 intervals represent exactly. A grid of 40 intervals does not, and
    // its bound holds at fewer points.
    let file = example("bryson-denham.json");
    let error = |points| optimum(&file, points, ShootingNodes::Multiple, &file.method).solution.best.objective - 4.0;
    assert!(error(31).abs() < 1e-7 && error(91).abs() < 1e-7, "{} {}", error(31), error(91));
    let (coarse, fine) = (error(41), error(161));
    assert!(coarse.abs() > 1e-6 && fine.abs() < 0.1 * coarse.abs(), "{coarse} {fine}");
}

#[test]
fn van_der_pols_oscillator_comes_to_rest_as_another_solver_says() {
    // Reference: CasADi with IPOPT, 20 steps of RK4 per interval, a linear control.
    let mut file = example("van-der-pol.json");
    file.grid.is_linear = true;
    for (method, bound) in [("gauss-2", 1e-6), ("dormand-prince-5", 1e-7), ("linearized:radau-iia-2", 1e-4)] {
        let found = optimum(&file, 81, ShootingNodes::Multiple, method);
        let objective = found.solution.best.objective;
        assert!((objective - VAN_DER_POL).abs() < bound, "{method} {objective}");
        assert!(found.found.states.iter().all(|state| state[1] > -0.25 - 1e-6));
    }
}

const VAN_DER_POL: f64 = 3.814_652_002;

#[test]
fn controls_and_parameters_may_be_those_of_the_model() {
    // The optimum is the pedal position that keeps the speed of the car, with the smallest allowed mass.
    let text = r#"{ "format": "hemiola-control/1", "name": "hold", "model": "single-track:steer=0",
      "method": "rk4", "grid": { "points": 5, "steps": 4, "control": "constant" },
      "controls": [{ "name": "foot", "parameter": "pedal", "range": [0, 1] }],
      "parameters": [{ "name": "mass", "range": [1000, 1500] }],
      "boundary": [{ "initial": [{ "factor": -1, "powers": { "speed": 1 } }], "final": [{ "powers": { "speed": 1 } }], "range": 0 }],
      "duration": 1,
      "objective": { "integral": [{ "powers": { "foot": 2 } }], "final": [{ "factor": 1e-8, "powers": { "mass": 2 } }] } }"#;
    let file = read(text).unwrap();
    assert_eq!(file.states.last().map(String::as_str), Some("integral"));
    let found = optimum(&file, 5, ShootingNodes::Multiple, "rk4").found;
    let speed = file.states.iter().position(|name| name == "speed").unwrap();
    assert!((found.states[4][speed] - found.states[0][speed]).abs() < 1e-6);
    assert!(found.controls.iter().all(|u| u[0] >= 0.0) && found.controls[0][0] > 0.01, "{:?}", found.controls);
    assert!((found.parameters[0] - 1000.0).abs() < 1e-3);
}

#[test]
fn what_is_no_problem_is_named_with_its_place() {
    let text = |old: &str, new: &str| {
        let good = r#"{ "format": "hemiola-control/1", "name": "n", "model": "van-der-pol", "controls": [{ "name": "u", "on": { "v": 1 } }],
          "duration": 1, "objective": { "integral": [{ "powers": { "u": 2 } }] } }"#;
        assert!(good.contains(old), "{old}");
        read(&good.replace(old, new)).err().unwrap_or_default()
    };
    assert_eq!(text("hemiola", "hemiola"), "");
    let says = |old: &str, new: &str, words: &str| {
        let said = text(old, new);
        assert!(said.contains(words), "{said}");
    };
    says("control/1", "control/2", "problem.json: at format: `hemiola-control/2`; expected `hemiola-control/1`");
    says("\"van-der-pol\"", "\"kepplar\"", "at model: ");
    says("\"van-der-pol\"", "{ \"matrix\": [[0, 1]] }", "at model: ");
    says("\"van-der-pol\"", "[[0]]", "expected the text of a model, or an object with its matrix");
    says("{ \"v\": 1 }", "{ \"w\": 1 }", "at controls[0].on: no variable `w`; expected one of: x, v");
    says("\"on\": { \"v\": 1 }", "\"parameter\": \"mu\"", "at controls[0].parameter: ");
    says("\"on\": { \"v\": 1 }", "\"range\": [0, 1]", "at controls[0]: neither or both of `parameter` and `on`");
    says("{ \"v\": 1 }", "{ \"v\": 1 }, \"range\": [2, 1]", "at controls[0].range: [2, 1]; expected a lower");
    says("{ \"v\": 1 }", "{ \"v\": 1 }, \"range\": [2, 1, 3]", "expected a number, or [lower, upper] with null");
    says(
        "{ \"u\": 2 }",
        "{ \"w\": 2 }",
        "at objective.integral[0].powers: no `w`; expected one of: x, v, integral, u, t",
    );
    says("{ \"u\": 2 }", "{ \"u\": 99 }", "power 99 of `u`; expected at most 16");
    says("{ \"u\": 2 }", "{ \"u\": -1 }", "at objective.integral[0].powers.u: invalid value: integer `-1`");
    says("\"duration\": 1", "\"duration\": 0", "at duration: [0, 0]; expected positive bounds");
    says("\"duration\": 1", "\"duration\": 1, \"final\": { \"z\": 1 }", "at final: no `z`; expected one of: x, v");
    says("\"duration\": 1", "\"duration\": 1, \"grid\": { \"points\": 1 }", "at grid.points: 1; expected 2 to 20000");
    says("\"duration\": 1", "\"duration\": 1, \"more\": 1", "unknown field `more`");
    says("\"name\": \"u\"", "\"name\": \"x\"", "at the names: `x` occurs twice");
    says("\"duration\": 1,", "", "missing field `duration`");
}
