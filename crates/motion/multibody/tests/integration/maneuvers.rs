//! Vehicles follow the inputs of their drivers.

use std::ops::ControlFlow;

use hemiola_multibody::{AccelerationSolver, Machine, MachineRun, Maneuver, vehicles};

/// Results of a run.
#[derive(Debug)]
struct ManeuverResults {
    /// The first body at the end: position, speed, yaw rate.
    center: [f64; 3],
    speed: f64,
    yaw: f64,
    /// The largest displacement to the left, and the largest rise of the front left wheel over the front right one.
    left: f64,
    lifted: f64,
    /// The smallest vertical component of the chassis's z axis.
    upright: f64,
}

fn seen(vehicle: fn(&Maneuver) -> Machine, maneuver: &Maneuver) -> ManeuverResults {
    let machine = vehicle(maneuver).build().unwrap();
    let mut workspace = machine.workspace();
    let mut y = machine.initial().to_vec();
    let (mut left, mut lifted, mut upright, mut calls) = (0.0f64, 0.0f64, 1.0f64, 0);
    let mut run = MachineRun::new(&machine, AccelerationSolver::Direct);
    run.run([0.0, 5.0], 5000, &mut y, |_, y| {
        calls += 1;
        if calls % 10 == 0 {
            let poses = machine.poses(y, &mut workspace).unwrap();
            let height = |name: &str| poses.iter().find(|pose| pose.body == name).unwrap().center[2];
            lifted = lifted.max(height("front left wheel") - height("front right wheel"));
            left = left.max(poses[0].center[1]);
            upright = upright.min(poses[0].axes[2][2]);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let base = machine.poses(&y, &mut workspace).unwrap().remove(0);
    let speed = (base.velocity[0].powi(2) + base.velocity[1].powi(2)).sqrt();
    ManeuverResults { center: base.center, speed, yaw: base.angular_velocity[2], left, lifted, upright }
}

#[test]
fn maneuvers_are_driven() {
    for (name, vehicle) in
        [("hmmwv", vehicles::hmmwv as fn(&Maneuver) -> Machine), ("sedan", vehicles::sedan), ("truck", vehicles::truck)]
    {
        let rest = seen(vehicle, &Maneuver::start_from_rest());
        println!("{name} from rest: {rest:?}");
        assert!(rest.speed > 1.0 && rest.center[1].abs() < 0.1 && rest.upright > 0.99, "{name} {rest:?}");
        let lanes = seen(vehicle, &Maneuver::double_lane_change(12.0));
        println!("{name} changes lanes: {lanes:?}");
        assert!(lanes.left > 0.5 && lanes.upright > 0.98, "{name} {lanes:?}");
        let bump = seen(vehicle, &Maneuver::half_sine_bump(8.0));
        println!("{name} over a bump: {bump:?}");
        assert!(bump.lifted > 0.04 && bump.upright > 0.98, "{name} {bump:?}");
        let circle = seen(vehicle, &Maneuver::steady_circle(8.0));
        println!("{name} in a circle: {circle:?}");
        // The turn is to the left.
        assert!(circle.yaw > 0.05 && circle.left > 1.0 && circle.upright > 0.98, "{name} {circle:?}");
    }
}
