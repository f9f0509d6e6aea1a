//! Machines as JSON files.

use std::ops::ControlFlow;
use std::path::Path;

use hemiola_multibody::{AccelerationSolver, Machine, MachineRun};

#[test]
fn the_machines_of_the_repository_move() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../machines");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("schema.json") {
            continue;
        }
        let machine = Machine::read(&path).unwrap().build().unwrap();
        let mut y = machine.initial().to_vec();
        let steps = (machine.duration() / 1e-3) as u32;
        let mut run = MachineRun::new(&machine, AccelerationSolver::Direct);
        run.run([0.0, machine.duration()], steps, &mut y, |_, _| ControlFlow::Continue(())).unwrap();
        let [position, speed] = machine.violation(&y, &mut machine.workspace()).unwrap();
        assert!(position < 1e-13 && speed < 1e-12 && y.iter().all(|y| y.is_finite()), "{}", path.display());
        names.push(path.file_stem().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(names, ["four-bar-linkage", "quarter-car"]);
}

fn error_of_change(from: &str, to: &str) -> String {
    let text = include_str!("../../../../../machines/quarter-car.json");
    assert!(text.contains(from), "{from}");
    let changed = text.replacen(from, to, 1);
    match Machine::from_json(changed.as_bytes(), "car.json") {
        Err(error) => error.to_string(),
        Ok(machine) => machine.build().unwrap_err().to_string(),
    }
}

#[test]
fn faults_are_told_with_their_place() {
    let cases = [
        (
            "hemiola-multibody/1",
            "hemiola-multibody/2",
            "format: found \"hemiola-multibody/2\"; expected \"hemiola-multibody/1\"",
        ),
        (
            "\"mass\": 290",
            "\"mass\": \"290\"",
            "car.json: at bodies[1].mass: invalid type: string \"290\", expected f64",
        ),
        ("\"mass\": 290", "\"mass\": -290", "bodies[1] (body).mass: found -290.0; expected a finite number ≥ 0"),
        ("\"mass\": 290", "\"weight\": 290", "at bodies[1].weight: unknown field `weight`"),
        ("\"mass\": 290, ", "", "bodies[1]: missing field `mass`"),
        (
            "\"type\": \"revolute\"",
            "\"type\": \"hinge\"",
            "at joints[2].type: unknown variant `hinge`, expected one of `fixed`, `revolute`",
        ),
        (
            "\"at\": [0, 0, 0.3], \"axis\": [1, 0, 0]",
            "\"at\": [0, 0, 0.3]",
            "joints[2] (arm).axis: found nothing; expected the joint's axis",
        ),
        (
            "\"stiffness\": 36000",
            "\"stiffness\": true",
            "at springs[0].stiffness: invalid type: boolean `true`, expected a number, or a list of points [x, y]",
        ),
        ("[0, 0]", "[-2, 0]", "springs[0] (strut).damping: found"),
        ("\"radius\": 0.31", "\"radius\": 0", "tires[0] (tire).radius: found 0.0; expected a finite number > 0"),
        (
            "\"joint\": \"spin\"",
            "\"joint\": \"spine\"",
            "initial[1] (spine).joint: there is no joint `spine`; expected one of: rail, body, arm, spin",
        ),
        ("\"duration\": 3", "\"duration\": 0", "duration: found 0.0; expected a finite number > 0"),
    ];
    for (from, to, expected) in cases {
        let found = error_of_change(from, to);
        assert!(found.contains(expected), "{found}\n{expected}");
    }
}
