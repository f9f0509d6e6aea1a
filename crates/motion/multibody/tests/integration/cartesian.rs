//! One corner of a vehicle in Cartesian coordinates: six for every body, multipliers for every joint, solved as one
//! system. It shares only the description of the machine with the crate.

use hemiola_multibody::{JointKind, LoopKind, Machine, Maneuver, vehicles};
use nalgebra::{DMatrix, DVector};
use num_dual::{Dual2_64, Dual64, DualNum};

use crate::common::largest_difference;

trait Real: DualNum<f64> + Copy {}
impl<T: DualNum<f64> + Copy> Real for T {}

type V<N> = [N; 3];

fn add<N: Real>(a: V<N>, b: V<N>) -> V<N> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub<N: Real>(a: V<N>, b: V<N>) -> V<N> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot<N: Real>(a: V<N>, b: V<N>) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<N: Real>(a: V<N>, b: V<N>) -> V<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Computes ω ∘ q for ω in the axes of the ground.
fn quaternion_product<N: Real>(o: V<N>, q: [N; 4]) -> [N; 4] {
    let [w, x, y, z] = q;
    let [a, b, c] = cross(o, [x, y, z]);
    [-dot(o, [x, y, z]), o[0] * w + a, o[1] * w + b, o[2] * w + c]
}

/// Rotates a vector of the body into the axes of the ground, by q s q̄.
fn turned<N: Real>(q: [N; 4], s: [f64; 3]) -> V<N> {
    let s = s.map(N::from);
    let v = [q[1], q[2], q[3]];
    let t = cross(v, s).map(|x| x * 2.0);
    add(add(s, t.map(|x| x * q[0])), cross(v, t))
}

/// Position of the center of mass, and quaternion.
#[derive(Clone, Copy)]
struct Pose<N> {
    x: V<N>,
    q: [N; 4],
}

impl<N: Real> Pose<N> {
    fn point(&self, s: [f64; 3]) -> V<N> {
        add(self.x, turned(self.q, s))
    }
}

/// A constraint between two bodies, with points relative to the centers of mass.
enum CartesianConstraint {
    Meet([usize; 2], [[f64; 3]; 2]),
    Distance([usize; 2], [[f64; 3]; 2], f64),
    /// Two axes, one of each body, remain perpendicular.
    Across([usize; 2], [[f64; 3]; 2]),
    /// The difference of the points remains perpendicular to an axis of the first body.
    Slide([usize; 2], [[f64; 3]; 2], [f64; 3]),
}

impl CartesianConstraint {
    fn values<N: Real>(&self, poses: &[Pose<N>], out: &mut Vec<N>) {
        let ends = |bodies: &[usize; 2], points: &[[f64; 3]; 2]| {
            sub(poses[bodies[1]].point(points[1]), poses[bodies[0]].point(points[0]))
        };
        match self {
            Self::Meet(bodies, points) => out.extend(ends(bodies, points)),
            Self::Distance(bodies, points, length) => {
                let d = ends(bodies, points);
                out.push((dot(d, d) - length * length) / (2.0 * length));
            }
            Self::Across([a, b], [u, v]) => out.push(dot(turned(poses[*a].q, *u), turned(poses[*b].q, *v))),
            Self::Slide(bodies, points, axis) => out.push(dot(turned(poses[bodies[0]].q, *axis), ends(bodies, points))),
        }
    }
}

/// Returns two unit vectors perpendicular to an axis.
fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    let length = dot(axis, axis).sqrt();
    let u = axis.map(|x| x / length);
    let smallest = (0..3).min_by(|&i, &j| u[i].abs().total_cmp(&u[j].abs())).unwrap();
    let mut e = [0.0; 3];
    e[smallest] = 1.0;
    let first = cross(u, e);
    let length = dot(first, first).sqrt();
    let first = first.map(|x| x / length);
    [first, cross(u, first)]
}

struct Cartesian {
    machine: Machine,
    ties: Vec<CartesianConstraint>,
}

impl Cartesian {
    fn new(machine: Machine) -> Self {
        let body = |name: &String| machine.bodies.iter().position(|body| body.name == *name).unwrap();
        let local = |k: usize, point: [f64; 3]| sub(point, machine.bodies[k].center);
        let mut ties = Vec::new();
        for joint in &machine.joints {
            if joint.kind == JointKind::Floating {
                continue;
            }
            let bodies = [body(&joint.between[0]), body(&joint.between[1])];
            let points = bodies.map(|k| local(k, joint.at));
            match joint.kind {
                JointKind::Ball => ties.push(CartesianConstraint::Meet(bodies, points)),
                JointKind::Revolute(axis) => {
                    ties.push(CartesianConstraint::Meet(bodies, points));
                    ties.extend(across(axis).map(|normal| CartesianConstraint::Across(bodies, [normal, axis])));
                }
                JointKind::Prismatic(axis) => {
                    let [e, f] = across(axis);
                    ties.extend([[e, axis], [f, axis], [e, f]].map(|axes| CartesianConstraint::Across(bodies, axes)));
                    ties.extend([e, f].map(|normal| CartesianConstraint::Slide(bodies, points, normal)));
                }
                _ => unreachable!("not in this machine"),
            }
        }
        for closing in &machine.loops {
            let bodies = [body(&closing.between[0]), body(&closing.between[1])];
            let points = [0, 1].map(|side| local(bodies[side], closing.points[side]));
            let d = sub(closing.points[0], closing.points[1]);
            ties.push(match closing.kind {
                LoopKind::Ball => CartesianConstraint::Meet(bodies, points),
                LoopKind::Rod(_) => CartesianConstraint::Distance(bodies, points, dot(d, d).sqrt()),
            });
        }
        Self { machine, ties }
    }

    fn values<N: Real>(&self, poses: &[Pose<N>]) -> Vec<N> {
        let mut out = Vec::new();
        self.ties.iter().for_each(|tie| tie.values(poses, &mut out));
        out
    }

    /// Computes the rates. The state holds 7 positions and 6 velocities of each body: those of its center, and ω in the
    /// axes of the ground.
    fn rates(&self, y: &[f64]) -> Vec<f64> {
        let n = self.machine.bodies.len();
        let pose = |k: usize| Pose { x: [0, 1, 2].map(|i| y[13 * k + i]), q: [3, 4, 5, 6].map(|i| y[13 * k + i]) };
        let poses: Vec<Pose<f64>> = (0..n).map(pose).collect();
        let speeds: Vec<[V<f64>; 2]> =
            (0..n).map(|k| [[7, 8, 9], [10, 11, 12]].map(|at| at.map(|i| y[13 * k + i]))).collect();
        // Second derivatives along straight motions with constant ω: q'' = −ω² q/4.
        let ahead: Vec<Pose<Dual2_64>> = (0..n)
            .map(|k| {
                let (Pose { x, q }, [v, o]) = (poses[k], speeds[k]);
                let rate = quaternion_product(o, q).map(|x| x / 2.0);
                Pose {
                    x: [0, 1, 2].map(|i| Dual2_64::new(x[i], v[i], 0.0)),
                    q: [0, 1, 2, 3].map(|i| Dual2_64::new(q[i], rate[i], -dot(o, o) / 4.0 * q[i])),
                }
            })
            .collect();
        let drift: Vec<f64> = self.values(&ahead).iter().map(|value| value.v2).collect();
        let m = drift.len();
        let mut matrix = DMatrix::zeros(6 * n + m, 6 * n + m);
        let mut right = DVector::zeros(6 * n + m);
        let mut still: Vec<Pose<Dual64>> =
            poses.iter().map(|pose| Pose { x: pose.x.map(Dual64::from_re), q: pose.q.map(Dual64::from_re) }).collect();
        for column in 0..6 * n {
            let (k, i) = (column / 6, column % 6);
            let kept = still[k];
            if i < 3 {
                still[k].x[i].eps = 1.0;
            } else {
                let mut o = [0.0; 3];
                o[i - 3] = 0.5;
                let rate = quaternion_product(o, poses[k].q);
                (0..4).for_each(|i| still[k].q[i].eps = rate[i]);
            }
            for (row, value) in self.values(&still).iter().enumerate() {
                matrix[(6 * n + row, column)] = value.eps;
                matrix[(column, 6 * n + row)] = value.eps;
            }
            still[k] = kept;
        }
        (0..m).for_each(|row| right[6 * n + row] = -drift[row]);
        for (k, body) in self.machine.bodies.iter().enumerate() {
            let axes = [0, 1, 2].map(|i| {
                let mut e = [0.0; 3];
                e[i] = 1.0;
                turned(poses[k].q, e)
            });
            let [xx, yy, zz, xy, xz, yz] = body.inertia;
            let tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
            let omega = speeds[k][1];
            let mut momentum = [0.0; 3];
            for i in 0..3 {
                matrix[(6 * k + i, 6 * k + i)] = body.mass;
                right[6 * k + i] += body.mass * self.machine.gravity[i];
                for j in 0..3 {
                    let mut entry = 0.0;
                    (0..3).for_each(|a| (0..3).for_each(|b| entry += axes[a][i] * tensor[a][b] * axes[b][j]));
                    matrix[(6 * k + 3 + i, 6 * k + 3 + j)] = entry;
                    momentum[i] += entry * omega[j];
                }
            }
            let gyroscopic = cross(omega, momentum);
            (0..3).for_each(|i| right[6 * k + 3 + i] -= gyroscopic[i]);
        }
        for spring in &self.machine.forces.springs {
            let ends = [0, 1].map(|side| {
                let k = self.machine.bodies.iter().position(|body| body.name == spring.between[side]).unwrap();
                let arm = turned(poses[k].q, sub(spring.points[side], self.machine.bodies[k].center));
                (k, arm, add(poses[k].x, arm), add(speeds[k][0], cross(speeds[k][1], arm)))
            });
            let d = sub(ends[1].2, ends[0].2);
            let length = dot(d, d).sqrt();
            let design = sub(spring.points[1], spring.points[0]);
            let free = spring.free_length.unwrap_or(dot(design, design).sqrt());
            let rate = dot(d, sub(ends[1].3, ends[0].3)) / length;
            let pull = (spring.stiffness.at(length - free) + spring.damping.at(rate)) / length;
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let (k, arm, ..) = ends[side];
                let force = d.map(|x| x * sign * pull);
                let moment = cross(arm, force);
                (0..3).for_each(|i| right[6 * k + i] += force[i]);
                (0..3).for_each(|i| right[6 * k + 3 + i] += moment[i]);
            }
        }
        let solution = matrix.lu().solve(&right).unwrap();
        let mut rates = Vec::with_capacity(13 * n);
        for k in 0..n {
            rates.extend(speeds[k][0]);
            rates.extend(quaternion_product(speeds[k][1], poses[k].q).map(|x| x / 2.0));
            rates.extend((0..6).map(|i| solution[6 * k + i]));
        }
        rates
    }
}

fn rk4(y: &mut [f64], h: f64, steps: usize, mut rates: impl FnMut(&[f64]) -> Vec<f64>) {
    for _ in 0..steps {
        let moved = |k: &[f64], h: f64| -> Vec<f64> { y.iter().zip(k).map(|(y, k)| y + h * k).collect() };
        let k1 = rates(y);
        let k2 = rates(&moved(&k1, h / 2.0));
        let k3 = rates(&moved(&k2, h / 2.0));
        let k4 = rates(&moved(&k3, h));
        for i in 0..y.len() {
            y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
}

/// Builds the front left corner of the HMMWV with a chassis of 100 kg that rotates and falls freely.
fn corner() -> Machine {
    let mut machine = vehicles::hmmwv(&Maneuver::coasting(0.0));
    let kept = |name: &str| name == "chassis" || name == "rack" || name.starts_with("front left");
    machine.bodies.retain(|body| kept(&body.name));
    machine.joints.retain(|joint| kept(&joint.between[1]));
    machine.loops.retain(|closing| kept(&closing.name));
    let mut springs = machine.forces.springs.clone();
    springs.retain(|spring| kept(&spring.name));
    machine.forces = hemiola_multibody::Forces { springs, ..Default::default() };
    machine.initial.clear();
    machine.bodies[0].mass = 100.0;
    machine.bodies[0].inertia = [30.0, 40.0, 50.0, 3.0, -2.0, 1.0];
    machine.starting("chassis", &[], &[1.0, -2.0, 0.5, 0.7, -0.4, 1.1]).starting("rack", &[0.01], &[0.2]).starting(
        "front left wheel spin",
        &[],
        &[20.0],
    )
}

#[test]
fn relative_coordinates_move_as_cartesian_ones() {
    let machine = corner();
    let relative = machine.build().unwrap();
    assert_eq!((relative.velocities(), relative.degrees_of_freedom()), (13, 9));
    let (h, steps) = (1e-4, 10_000);
    let mut workspace = relative.workspace();
    let start = relative.poses(relative.initial(), &mut workspace).unwrap();
    let mut y: Vec<f64> = Vec::new();
    for body in &machine.bodies {
        let pose = start.iter().find(|pose| pose.body == body.name).unwrap();
        y.extend(pose.center);
        y.extend(pose.quaternion());
        y.extend(pose.velocity);
        y.extend(pose.angular_velocity);
    }
    let cartesian = Cartesian::new(machine.clone());
    assert!(
        cartesian
            .values(
                &(0..6)
                    .map(|k| Pose { x: [0, 1, 2].map(|i| y[13 * k + i]), q: [3, 4, 5, 6].map(|i| y[13 * k + i]) })
                    .collect::<Vec<_>>()
            )
            .iter()
            .all(|gap| gap.abs() < 1e-13)
    );
    rk4(&mut y, h, steps, |y| cartesian.rates(y));
    let mut z = relative.initial().to_vec();
    rk4(&mut z, h, steps, |z| {
        let mut rate = vec![0.0; z.len()];
        relative.rates(0.0, z, &mut rate, &mut workspace).unwrap();
        rate
    });
    let end = relative.poses(&z, &mut workspace).unwrap();
    let mut worst = [0.0f64; 2];
    for (k, body) in machine.bodies.iter().enumerate() {
        let pose = end.iter().find(|pose| pose.body == body.name).unwrap();
        worst[0] = worst[0].max(largest_difference(&pose.center, &y[13 * k..13 * k + 3]));
        worst[1] = worst[1].max(largest_difference(&pose.velocity, &y[13 * k + 7..13 * k + 10]));
    }
    println!("relative against Cartesian after a second: {worst:?}");
    assert!(worst[0] < 1e-8 && worst[1] < 1e-6, "{worst:?}");
}
