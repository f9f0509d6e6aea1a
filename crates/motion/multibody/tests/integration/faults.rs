//! Errors of invalid machines and failing motions name the body, joint or loop.

use hemiola_multibody::{
    AccelerationSolver, Body, Characteristic, Joint, Loop, LoopKind, Machine, MachineError, MachineRun, Maneuver,
    MotionError, Spring, Term, Torsion, vehicles,
};

fn bar(name: &str) -> Body {
    Body::new(name, 1.0, [0.5, 0.0, 0.0], [0.1, 0.1, 0.1])
}

fn hinge(between: [&str; 2]) -> Joint {
    Joint::revolute(&format!("{} hinge", between[1]), between, [0.0; 3], [0.0, 1.0, 0.0])
}

fn pendulum() -> Machine {
    Machine::new("pendulum").body(bar("bar")).joint(hinge(["ground", "bar"]))
}

fn text(machine: &Machine) -> String {
    machine.build().unwrap_err().to_string()
}

#[test]
fn trees_that_are_none() {
    assert_eq!(text(&Machine::new("nothing")), "nothing has no bodies; expected at least one");
    let machine = pendulum().body(bar("loose"));
    assert_eq!(machine.build().unwrap_err(), MachineError::MissingJoint { body: "loose".to_owned() });
    let machine = pendulum().body(bar("a")).body(bar("b")).joint(hinge(["a", "b"])).joint(hinge(["b", "a"]));
    assert!(text(&machine).starts_with("joint `a hinge` carries body `a`, but no chain"), "{}", text(&machine));
    let machine = pendulum().joint(Joint::ball("second", ["ground", "bar"], [1.0, 0.0, 0.0]));
    assert!(text(&machine).contains("body `bar` is carried by joint `bar hinge` and by joint `second`"));
    assert!(text(&pendulum().body(bar("bar"))).starts_with("bodies[1].name: the name `bar` is already in use"));
    let unknown = text(&pendulum().body(bar("x")).joint(hinge(["bra", "x"])));
    assert_eq!(unknown, "joints[1] (x hinge).between: there is no body `bra`; expected one of: bar, ground, x");
}

#[test]
fn values_that_cannot_be() {
    let mut machine = pendulum();
    machine.bodies[0].mass = -1.0;
    assert_eq!(text(&machine), "bodies[0] (bar).mass: found -1.0; expected a finite number ≥ 0");
    machine.bodies[0].mass = f64::NAN;
    assert!(text(&machine).contains("bodies[0] (bar).mass: found NaN"));
    let mut machine = pendulum();
    machine.bodies[0].inertia = [1.0, 1.0, 1.0, 2.0, 0.0, 0.0];
    assert!(text(&machine).contains("(bar).inertia: found [1.0, 1.0, 1.0, 2.0, 0.0, 0.0]; expected a tensor"));
    let flat = Joint::revolute("flat", ["ground", "bar"], [0.0; 3], [0.0; 3]);
    let machine = Machine::new("m").body(bar("bar")).joint(flat);
    assert!(text(&machine).starts_with("joints[0] (flat).axis: found [0.0, 0.0, 0.0]; expected a nonzero axis"));
    let same = Joint::universal("same", ["ground", "bar"], [0.0; 3], [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]]);
    assert!(
        text(&Machine::new("m").body(bar("bar")).joint(same)).contains("an axis that is not parallel to the first")
    );
    assert!(
        text(&pendulum().starting("bar hinge", &[1.0, 2.0], &[]))
            .contains("initial[0] (bar hinge).position: found 2 numbers")
    );
    assert!(
        text(&pendulum().starting("hing", &[], &[])).contains("there is no joint `hing`; expected one of: bar hinge")
    );
    assert!(text(&pendulum().starting("bar hinge", &[], &[f64::INFINITY])).contains("velocity: found inf"));
}

#[test]
fn elements_that_cannot_be() {
    let spring = |stiffness: Characteristic, second: &str| {
        let mut machine = pendulum();
        machine.forces.springs.push(Spring {
            name: "s".to_owned(),
            between: ["ground".to_owned(), second.to_owned()],
            points: [[0.0, 0.0, 1.0], [0.5, 0.0, 0.0]],
            free_length: None,
            stiffness,
            damping: Characteristic::linear(0.0),
        });
        text(&machine)
    };
    assert!(spring(Characteristic::linear(1.0), "ground").contains("springs[0] (s).between"));
    assert!(
        spring(Characteristic::linear(1.0), "wheel").contains("there is no body `wheel`; expected one of: ground, bar")
    );
    assert!(spring(Characteristic::table(&[[0.0, 0.0], [0.0, 1.0]]), "bar").contains("springs[0] (s).stiffness"));
    assert!(spring(Characteristic::table(&[]), "bar").contains("expected one or more points"));
    let mut machine = pendulum();
    machine.forces.torsions.push(Torsion {
        name: "t".to_owned(),
        terms: vec![Term { joint: "bar hinge".to_owned(), coordinate: 1, factor: 1.0 }],
        rest: Characteristic::constant(0.0),
        stiffness: Characteristic::linear(1.0),
        damping: Characteristic::linear(0.0),
    });
    assert!(text(&machine).contains("torsions[0] (t).terms[0]: found coordinate 1 of joint `bar hinge`"));
    let mut hmmwv = vehicles::hmmwv(&Maneuver::coasting(0.0));
    hmmwv.forces.tires[2].body = "chassis".to_owned();
    assert!(text(&hmmwv).contains("tires[2] (rear left wheel).body: found a body on joint `chassis`"));
}

#[test]
fn bodies_without_mass() {
    let massless = Body::new("feather", 0.0, [1.0, 0.0, 0.0], [0.0; 3]);
    let machine = pendulum().body(massless.clone()).joint(hinge(["bar", "feather"]));
    let expected = MachineError::Massless { body: "feather".to_owned(), joint: "feather hinge".to_owned() };
    assert_eq!(machine.build().unwrap_err(), expected);
    // A carried body on another axis, or a loop, gives the coordinate mass to move.
    assert!(machine.clone().body(bar("tip")).joint(hinge(["feather", "tip"])).build().is_err());
    let tip = Joint::revolute("tip", ["feather", "tip"], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let far = Body::new("tip", 1.0, [1.5, 0.0, 0.0], [0.1; 3]);
    assert!(machine.body(far).joint(tip).build().is_ok());
    let rod = Joint::revolute("coupler", ["bar", "feather"], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let linkage = pendulum().body(massless).joint(rod);
    assert!(linkage.build().is_err());
    let closed = linkage.closed_by(Loop::rod("stay", ["ground", "feather"], [[1.5, 0.0, 1.0], [1.5, 0.0, 0.0]]));
    assert_eq!(closed.build().unwrap().degrees_of_freedom(), 1);
    // A loop elsewhere does not help.
    let free = Loop::rod("stay", ["bar", "ground"], [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0]]);
    let other =
        pendulum().body(Body::new("ring", 0.0, [0.0; 3], [0.0; 3])).joint(hinge(["ground", "ring"])).closed_by(free);
    assert_eq!(
        other.build().unwrap_err(),
        MachineError::Massless { body: "ring".to_owned(), joint: "ring hinge".to_owned() }
    );
}

/// Rotations that move no mass: about the axis of one body, detected when it is built, and of two joints against each
/// other, detected in motion.
#[test]
fn mass_matrices_that_are_singular() {
    let axis = [0.0, 1.0, 0.0];
    // The needle's mass is on the axis of its hinge, and it has no inertia about it.
    let needle = Body::new("needle", 1.0, [0.0, 0.3, 0.0], [0.1, 0.0, 0.1]);
    let spindle =
        Machine::new("m").body(needle).joint(Joint::revolute("spindle", ["ground", "needle"], [0.0; 3], axis));
    let massless = MachineError::Massless { body: "needle".to_owned(), joint: "spindle".to_owned() };
    assert_eq!(spindle.build().unwrap_err(), massless);
    // A massless gimbal: at a pitch of 90° yaw and roll have the same axis, and rotating one against the other moves no
    // mass.
    let ring = |name: &str| Body::new(name, 0.0, [0.0; 3], [0.0; 3]);
    let hinge = |name: &str, between: [&str; 2], axis| Joint::revolute(name, between, [0.0; 3], axis);
    let gimbal = Machine::new("gimbal").body(ring("outer")).body(ring("inner")).body(bar("top"));
    let gimbal = gimbal.joint(hinge("yaw", ["ground", "outer"], [0.0, 0.0, 1.0]));
    let gimbal = gimbal.joint(hinge("pitch", ["outer", "inner"], [0.0, 1.0, 0.0]));
    let gimbal = gimbal.joint(hinge("roll", ["inner", "top"], [1.0, 0.0, 0.0])).build().unwrap();
    let rates = |pitch: f64| {
        let y = [0.1, pitch, 0.2, 0.0, 0.0, 0.0];
        gimbal.rates(0.0, &y, &mut [0.0; 6], &mut gimbal.workspace())
    };
    assert_eq!(rates(1.0), Ok(()));
    let error = rates(std::f64::consts::FRAC_PI_2).unwrap_err();
    let MotionError::SingularMass { joint, .. } = &error else { panic!("{error}") };
    assert!(["yaw", "pitch", "roll"].contains(&joint.as_str()), "{error}");
}

#[test]
fn loops_that_cannot_close() {
    // A rod of 1 m cannot span the 3 m to the nearest position of the bar's end.
    let far = [[1.0, 0.0, 0.0], [4.0, 0.0, 0.0]];
    let reach = Loop::rod("reach", ["bar", "ground"], far).with(far, LoopKind::Rod(Some(1.0)));
    let error = pendulum().closed_by(reach).starting("bar hinge", &[0.5], &[]).build().unwrap_err();
    let MachineError::Start(MotionError::Open { name, first, second, gap }) = &error else { panic!("{error}") };
    assert_eq!((name.as_str(), first.as_str(), second.as_str()), ("reach", "bar", "ground"));
    // The residual is at least (3² − 1)/2 = 4.
    assert!(*gap > 1.0, "{gap}");
    // A ball joint that repeats a hinge gives three equations for one coordinate.
    let error = pendulum().closed_by(Loop::ball("again", ["bar", "ground"], [1.0, 0.0, 0.0])).build().unwrap_err();
    assert!(matches!(error, MachineError::Start(MotionError::Dependent { rank: 1, equations: 3, .. })), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("loop `again` between `bar` and `ground`") && text.contains("1 of 3 loop equations"),
        "{text}"
    );
    // Two equal rods are redundant.
    let two = pendulum().body(bar("other")).joint(Joint::ball("ball", ["bar", "other"], [1.0, 0.0, 0.0]));
    let ends = [[2.0, 0.0, 0.0], [2.0, 0.0, 1.0]];
    let twice = two.closed_by(Loop::rod("one", ["other", "ground"], ends)).closed_by(Loop::rod(
        "two",
        ["other", "ground"],
        ends,
    ));
    assert!(twice.build().unwrap_err().to_string().contains("loop `two`"));
}

#[test]
fn motions_that_cannot_go_on() {
    let machine = pendulum().build().unwrap();
    let mut run = MachineRun::new(&machine, AccelerationSolver::Direct);
    let error = run.step(0.0, 0.1, &mut [f64::NAN, 0.0]).unwrap_err();
    assert!(matches!(error, MotionError::NotFinite { .. }), "{error}");
    assert!(error.to_string().contains("joint `bar hinge` of body `bar`"), "{error}");
    let error = machine.rates(0.0, &[0.0; 3], &mut [0.0; 3], &mut machine.workspace()).unwrap_err();
    assert_eq!(error, MotionError::Length { found: 3, expected: 2 });
    // Steps far beyond stability end with a typed error, not with NaN.
    let truck = vehicles::truck(&Maneuver::coasting(10.0)).build().unwrap();
    let mut y = truck.initial().to_vec();
    let mut run = MachineRun::new(&truck, AccelerationSolver::Cholesky);
    let end = (0..200).try_for_each(|_| run.step(0.0, 0.3, &mut y));
    assert!(matches!(end, Err(MotionError::NotFinite { .. } | MotionError::SingularMass { .. })), "{end:?}");
    let hmmwv = vehicles::hmmwv(&Maneuver::coasting(10.0)).build().unwrap();
    let mut y = hmmwv.initial().to_vec();
    let mut run = MachineRun::new(&hmmwv, AccelerationSolver::Direct);
    let end = (0..200).try_for_each(|_| run.step(0.0, 0.3, &mut y));
    println!("{end:?}");
    assert!(end.is_err());
}
