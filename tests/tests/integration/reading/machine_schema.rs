//! The JSON schema of machines agrees with the reader on valid and invalid files.

#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_multibody::Machine;
use jsonschema::Validator;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../machines")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn schema() -> Validator {
    jsonschema::validator_for(&read(&folder().join("schema.json"))).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a machine with every field.
fn full() -> Value {
    json!({
        "format": "hemiola-multibody/1", "name": "everything", "gravity": [0, 0, -1.62], "duration": 2.5,
        "bodies": [
            { "name": "frame", "mass": 10, "center": [0, 0, 1], "inertia": [1, 2, 3], "products": [0.1, 0, -0.1] },
            { "name": "arm", "mass": 1, "center": [0, 1, 1], "inertia": [0.1, 0.1, 0.1] },
            { "name": "wheel", "mass": 2, "center": [0, 1.5, 1], "inertia": [0.1, 0.2, 0.1] },
            { "name": "box", "mass": 2, "center": [0, 0, 2], "inertia": [0.1, 0.2, 0.1] },
            { "name": "mast", "mass": 2, "center": [0, 0, 3], "inertia": [0.1, 0.2, 0.1] },
            { "name": "lid", "mass": 2, "center": [0, 0, 3.5], "inertia": [0.1, 0.2, 0.1] },
            { "name": "slide", "mass": 2, "center": [1, 0, 2], "inertia": [0.1, 0.2, 0.1] }
        ],
        "joints": [
            { "name": "base", "type": "floating", "between": ["ground", "frame"], "at": [0, 0, 1] },
            { "type": "revolute", "between": ["frame", "arm"], "at": [0, 0.5, 1], "axis": [1, 0, 0] },
            { "type": "revolute", "between": ["arm", "wheel"], "at": [0, 1.5, 1], "axis": [0, 1, 0] },
            { "type": "ball", "between": ["frame", "box"], "at": [0, 0, 2] },
            { "type": "universal", "between": ["frame", "mast"], "at": [0, 0, 2.5], "axis": [1, 0, 0], "second_axis": [0, 1, 0] },
            { "type": "fixed", "between": ["mast", "lid"], "at": [0, 0, 3] },
            { "type": "prismatic", "between": ["frame", "slide"], "at": [1, 0, 2], "axis": [0, 0, 1] }
        ],
        "loops": [
            { "name": "stay", "type": "rod", "between": ["slide", "arm"], "points": [[1, 0, 2], [0, 1, 1]], "length": 1.75 },
            { "name": "eye", "type": "rod", "between": ["box", "mast"], "points": [[0.2, 0, 2.2], [0, 0, 2.8]] }
        ],
        "springs": [{
            "name": "s", "between": ["frame", "arm"], "points": [[0, 0.9, 2], [0, 1, 1]], "free_length": 1.1,
            "stiffness": [[-1, -10], [1, 20]], "damping": 3
        }],
        "torsions": [{
            "name": "t", "terms": [{ "joint": "mast", "coordinate": 1, "factor": 2 }, { "joint": "slide" }],
            "rest": [[0, 0], [1, 0.1]], "stiffness": 10, "damping": [[-1, -1], [1, 1]]
        }],
        "bushings": [{
            "name": "b", "between": ["frame", "box"], "at": [0, 0, 2], "stiffness": [0, 0, 0, 9, 9, 9], "damping": [0, 0, 0, 1, 1, 1]
        }],
        "loads": [{ "name": "l", "body": "lid", "at": [0, 0, 3], "direction": [1, 0, 0], "force": [[0, 0], [1, 5]] }],
        "drags": [{ "name": "d", "body": "frame", "at": [0, 0, 1], "area": 0.5, "density": 1 }],
        "tires": [{
            "name": "w", "body": "wheel", "center": [0, 1.5, 1], "radius": 1.1, "stiffness": 1000, "damping": 0.1,
            "slip": 10, "cornering": 9, "friction": 0.8, "crawl": 0.5, "level": -0.05,
            "road": { "half_sine": { "start": 1, "length": 2, "height": 0.1 } }
        }],
        "drivetrains": [{ "name": "e", "torque": [[0, 5], [100, 0]], "throttle": 0.5, "ratio": 4, "shares": [{ "joint": "wheel" }] }],
        "brakes": [{ "name": "k", "joint": "wheel", "moment": 2, "crawl": 0.1 }],
        "initial": [{ "joint": "base", "position": [0, 0, 1, 1, 0, 0, 0], "velocity": [1, 0, 0, 0, 0, 0] }]
    })
}

fn is_machine(value: &Value) -> bool {
    let read = Machine::from_json(value.to_string().as_bytes(), "a.json");
    read.is_ok_and(|machine| machine.build().is_ok())
}

#[test]
fn machines_follow_the_schema() {
    assert!(jsonschema::meta::is_valid(&read(&folder().join("schema.json"))));
    let schema = schema();
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let machines = files.filter(|path| !path.ends_with("schema.json")).map(|path| read(&path));
    for machine in machines.chain([full()]) {
        let problems: Vec<String> =
            schema.iter_errors(&machine).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty() && is_machine(&machine), "{}\n{machine}", problems.join("\n"));
    }
    let mut profile = full();
    profile["tires"][0]["road"] = json!({ "profile": [[0, 0], [1, 0.1]] });
    assert!(schema.is_valid(&profile) && is_machine(&profile));
}

/// Checks that documents that differ from a valid one in one place are rejected by the schema and by the reader.
#[test]
fn bad_machines_follow_neither() {
    let schema = schema();
    for (place, value) in [
        ("", json!([])),
        ("/format", json!("hemiola-multibody/2")),
        ("/duration", json!(0)),
        ("/gravity", json!([0, 0])),
        ("/bodies", json!([])),
        ("/bodies/0/mass", json!(-1)),
        ("/bodies/0/center", json!(["0", 0, 0])),
        ("/joints/0/type", json!("hinge")),
        ("/joints/0/between", json!(["ground"])),
        ("/loops/0/type", json!("rope")),
        ("/loops/0/length", json!(0)),
        ("/springs/0/stiffness", json!([[0, 1, 2]])),
        ("/springs/0/stiffness", json!([])),
        ("/springs/0/free_length", json!(-1)),
        ("/springs/0/points", json!([[0, 0, 0]])),
        ("/torsions/0/terms/0/coordinate", json!(-1)),
        ("/torsions/0/rest", json!("0")),
        ("/bushings/0/stiffness", json!([1, 1, 1])),
        ("/loads/0/direction", json!(1)),
        ("/drags/0/area", json!(-0.1)),
        ("/tires/0/radius", json!(0)),
        ("/tires/0/road", json!({ "half_sine": { "start": 1, "length": 0, "height": 1 } })),
        ("/tires/0/road", json!("flat")),
        ("/drivetrains/0/shares/0", json!("wheel")),
        ("/brakes/0/crawl", json!(0)),
        ("/initial/0/position", json!([null])),
    ] {
        let mut machine = full();
        *machine.pointer_mut(place).unwrap() = value;
        assert!(!schema.is_valid(&machine), "schema: {place}");
        assert!(!is_machine(&machine), "reader: {place}");
    }
    for place in ["", "/bodies/0", "/joints/0", "/springs/0", "/tires/0", "/initial/0"] {
        let mut machine = full();
        machine.pointer_mut(place).unwrap()["surplus"] = json!(1);
        assert!(!schema.is_valid(&machine) && !is_machine(&machine), "{place}");
    }
}
