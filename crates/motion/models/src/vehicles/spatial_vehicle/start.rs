//! Steady motion straight ahead on a flat road.

use nalgebra::{DMatrix, DVector};

use crate::equations::Dynamics;
use crate::vehicles::drive::UndulatingRoad;
use crate::vehicles::spatial_vehicle::assembly::MachineOnRings;
use crate::vehicles::spatial_vehicle::powertrain::POWERTRAIN;
use crate::vehicles::spatial_vehicle::ring::RING_VARIABLES;

/// Speed in m/s at which the steady state is computed if the vehicle starts at rest, since slips at rest are
/// undetermined. The vehicle is then stopped.
const SLOWEST: f64 = 1e-2;
/// Maximum number of iterations, more than Newton's method takes if it converges.
const MOST_ITERATIONS: usize = 30;
/// Relative step of a central difference, near the cube root of ε; its relative error is the square of the step.
const SPAN: f64 = 6e-6;

/// Sets the torque that keeps the speed, and computes the state; `None` if there is no such state.
pub(crate) fn rolling(mut vehicle: MachineOnRings, speed: f64) -> Option<(MachineOnRings, Vec<f64>)> {
    let road = std::mem::replace(&mut vehicle.road, UndulatingRoad::FLAT);
    let state = SteadyMotion::new(&vehicle, speed.max(SLOWEST)).solve();
    let mut y = state?;
    let torque = vehicle.powertrain.stiffness * y[vehicle.slow() + RING_VARIABLES * vehicle.axles.count()];
    vehicle.powertrain.drive.steady = torque / vehicle.powertrain.wheels;
    vehicle.road = road;
    if speed < SLOWEST {
        stop(&vehicle, &mut y);
    }
    Some((vehicle, y))
}

/// Sets all velocities to zero.
fn stop(vehicle: &MachineOnRings, y: &mut [f64]) {
    let (positions, slow) = (vehicle.mechanism.positions(), vehicle.slow());
    y[positions..slow].fill(0.0);
    let (rings, powertrain) = y[slow..].split_at_mut(RING_VARIABLES * vehicle.axles.count());
    rings.chunks_exact_mut(RING_VARIABLES).for_each(|ring| ring[6..12].fill(0.0));
    powertrain[1..].fill(0.0);
}

/// Newton's method for the rates that must vanish, in the free variables.
struct SteadyMotion<'a> {
    vehicle: &'a MachineOnRings,
    speed: f64,
    unknowns: Vec<usize>,
    vanishing: Vec<usize>,
    /// The indices of the spins among the variables.
    spins: Vec<usize>,
    /// The index of the first velocity of the floating body.
    base: usize,
}

impl<'a> SteadyMotion<'a> {
    /// Selects the free variables: height, roll and pitch of the chassis, the independents of the suspensions,
    /// positions, slopes, angles and slips of the rings, and the shaft's twist. Velocities follow from the speed and
    /// the slips.
    fn new(vehicle: &'a MachineOnRings, speed: f64) -> Self {
        let mechanism = &vehicle.mechanism;
        let positions = mechanism.positions();
        let [mut unknowns, mut vanishing, mut spins] = [const { Vec::new() }; 3];
        let mut base = positions;
        for (joint, _, [q, v]) in mechanism.joints() {
            if v.len() == 6 {
                // Unknowns: z, and the quaternion's parts of roll and pitch. Vanishing: forward, up, roll and pitch.
                unknowns.extend([q.start + 2, q.start + 4, q.start + 5]);
                vanishing.extend([v.start, v.start + 2, v.start + 3, v.start + 4]);
                base = v.start;
            } else if v.len() == 1 && joint.ends_with("spin") {
                vanishing.push(v.start);
                spins.push(v.start);
            } else if v.len() == 1 && mechanism.independents().contains(&(v.start - positions)) {
                unknowns.push(q.start);
                vanishing.push(v.start);
            }
        }
        let slow = vehicle.slow();
        for ring in (0..vehicle.axles.count()).map(|k| slow + RING_VARIABLES * k) {
            unknowns.extend((ring..ring + 6).chain(ring + 12..ring + 14));
            vanishing.extend((ring + 6..ring + 12).chain([ring + 13]));
        }
        let powertrain = slow + RING_VARIABLES * vehicle.axles.count();
        unknowns.push(powertrain);
        if spins.is_empty() {
            spins = (0..vehicle.axles.count()).map(|k| powertrain + POWERTRAIN + k).collect();
            vanishing.extend(&spins);
        }
        Self { vehicle, speed, unknowns, vanishing, spins, base }
    }

    fn solve(&self) -> Option<Vec<f64>> {
        let mut y = self.guess();
        for _ in 0..MOST_ITERATIONS {
            self.follow(&mut y)?;
            let right = -DVector::from_vec(self.rest(&y)?);
            let mut matrix = DMatrix::zeros(self.vanishing.len(), self.unknowns.len());
            for (column, &unknown) in self.unknowns.iter().enumerate() {
                let step = SPAN * y[unknown].abs().max(1e-2);
                let beside = |step: f64| {
                    let mut y = y.clone();
                    y[unknown] += step;
                    self.follow(&mut y)?;
                    self.rest(&y)
                };
                let (left, right) = (beside(-step)?, beside(step)?);
                for row in 0..self.vanishing.len() {
                    matrix[(row, column)] = (right[row] - left[row]) / (2.0 * step);
                }
            }
            let change = matrix.lu().solve(&right)?;
            let mut largest = 0.0f64;
            for (&unknown, change) in self.unknowns.iter().zip(change.iter()) {
                y[unknown] += change;
                largest = largest.max(change.abs() / (1.0 + y[unknown].abs()));
            }
            // The next change would be smaller by the error of the differences.
            if largest < 1e-9 {
                self.follow(&mut y)?;
                return Some(y);
            }
            if !largest.is_finite() {
                return None;
            }
        }
        None
    }

    /// Returns a first guess: upright, with a quarter of the weight on each tire.
    fn guess(&self) -> Vec<f64> {
        let (vehicle, slow) = (self.vehicle, self.vehicle.slow());
        let mut y = vec![0.0; vehicle.sizes().iter().sum()];
        y[..slow].copy_from_slice(vehicle.mechanism.initial());
        let tread = &vehicle.belt.tread;
        let sag = vehicle.weight() / vehicle.axles.count() as f64 / tread.vertical.stiffness;
        let mut height = 0.0;
        vehicle.mechanism.for_each_hub(&vehicle.axles, vehicle.mechanism.initial(), |_, hub| height = hub.center[2]);
        let base = self.base - vehicle.mechanism.positions();
        y[base + 2] += tread.radius - sag - height;
        y
    }

    /// Closes the loops and sets the velocities: the chassis moves forward, rings and wheels turn according to the
    /// slips.
    fn follow(&self, y: &mut [f64]) -> Option<()> {
        let (vehicle, slow) = (self.vehicle, self.vehicle.slow());
        y[vehicle.mechanism.positions()..slow].fill(0.0);
        y[self.base] = self.speed;
        let mut workspace = vehicle.mechanism.workspace();
        vehicle.mechanism.project(&mut y[..slow], &mut workspace).ok()?;
        let mut rings = Vec::new();
        vehicle.rings(y, |_, hub, ring, _| {
            // Toe and camber turn the ring away from its path.
            let [x, y, _] = ring.axle.0;
            let forward = self.speed * y / x.hypot(y);
            let spin = forward * (1.0 + ring.slips[0]) / vehicle.belt.tread.radius;
            // The ring turns about its own axle; the wheel has the component about the hub's.
            rings.push((hub.velocity.0, (ring.axle * spin).0, spin * ring.axle.dot(hub.axle)));
        });
        let mut whole = 0.0;
        for (k, (velocity, turning, spin)) in rings.into_iter().enumerate() {
            let ring = slow + RING_VARIABLES * k;
            y[ring + 6..ring + 9].copy_from_slice(&velocity);
            y[ring + 9..ring + 12].copy_from_slice(&turning);
            y[self.spins[k]] = spin;
            whole += spin;
        }
        let mean = whole / self.spins.len() as f64;
        y[slow + RING_VARIABLES * self.spins.len() + 1] = vehicle.powertrain.engine_speed(mean);
        Some(())
    }

    /// Returns the rates that must vanish.
    fn rest(&self, y: &[f64]) -> Option<Vec<f64>> {
        let mut rate = vec![0.0; y.len()];
        let (slow, fast) = rate.split_at_mut(self.vehicle.slow());
        Dynamics::rate(self.vehicle, 0, 0.0, y, slow);
        Dynamics::rate(self.vehicle, 1, 0.0, y, fast);
        let found: Vec<f64> = self.vanishing.iter().map(|&k| rate[k]).collect();
        found.iter().all(|rate| rate.is_finite()).then_some(found)
    }
}
