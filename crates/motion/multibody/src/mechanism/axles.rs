//! Hubs whose wheels' tires belong to another model: their motion as a function of the state's coordinates, and the
//! loads on them.

use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::algebra::vector::{Mat3, Vec3};
use crate::dynamics::kinematics::{Frame, reference};
use crate::error::{MachineError, MotionError};
use crate::machine::description::JointKind;
use crate::mechanism::definition::{Mechanism, Workspace};

/// Wheels of a machine whose tires are not part of the machine. They turn in revolute joints, or sit on fixed joints if
/// the spin is not part of it either.
///
/// ```
/// use hemiola_multibody::{Body, Joint, Machine};
/// // A wheel on a carriage that slides along x.
/// let machine = Machine::new("monocycle")
///     .body(Body::new("carriage", 100.0, [0.0, 0.0, 0.5], [1.0; 3]))
///     .body(Body::new("wheel", 20.0, [0.0, 0.0, 0.3], [1.0; 3]))
///     .joint(Joint::prismatic("way", ["ground", "carriage"], [0.0; 3], [1.0, 0.0, 0.0]))
///     .joint(Joint::revolute("spin", ["carriage", "wheel"], [0.0, 0.0, 0.3], [0.0, 1.0, 0.0]))
///     .starting("way", &[7.0], &[6.0])
///     .build()?;
/// let axles = machine.axles(&["wheel"])?;
/// let mut seen = Vec::new();
/// machine.for_each_hub(&axles, machine.initial(), |_, hub| seen.push((hub.center, hub.velocity.0[0])));
/// assert_eq!(seen, [([7.0, 0.0, 0.3], 6.0)]);
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Axles {
    /// The bodies shared by the beginnings of all chains.
    trunk: Vec<usize>,
    axles: Vec<WheelChain>,
}

#[derive(Clone, Debug)]
struct WheelChain {
    wheel: usize,
    axis: [f64; 3],
    /// The bodies from the trunk to the carrier of the wheel.
    chain: Vec<usize>,
    /// The index of the spin among the velocities; `None` on a fixed joint.
    spin: Option<usize>,
}

/// Motion of a hub: the center of a wheel, and the body that carries it without turning with it.
#[derive(Clone, Copy, Debug)]
pub struct Hub<N> {
    /// The position of the center, in m.
    pub center: [N; 3],
    /// The carrier's axes, as columns.
    pub axes: Mat3<N>,
    /// The direction of the joint's axis.
    pub axle: Vec3<N>,
    /// The velocity of the center.
    pub velocity: Vec3<N>,
    /// The angular velocity of the carrier.
    pub turning: Vec3<N>,
    /// The wheel's angular velocity about the axle relative to the carrier; zero on a fixed joint.
    pub spin: N,
}

/// Loads on a hub.
#[derive(Clone, Copy, Debug)]
pub struct HubLoad<N> {
    /// A force on the wheel at its center.
    pub force: Vec3<N>,
    /// A moment on the wheel.
    pub moment: Vec3<N>,
    /// A torque about the axle between carrier and wheel, without effect on a fixed joint.
    pub torque: N,
}

impl Axles {
    /// Returns the number of wheels.
    #[must_use]
    pub fn count(&self) -> usize {
        self.axles.len()
    }
}

impl Mechanism {
    /// Finds wheels by the names of their bodies. The axle of a wheel on a fixed joint is along y.
    ///
    /// # Errors
    /// [`MachineError`] if there is no such body, or if neither a revolute nor a fixed joint carries it.
    pub fn axles(&self, wheels: &[&str]) -> Result<Axles, MachineError> {
        let mut axles = Vec::with_capacity(wheels.len());
        for (k, name) in wheels.iter().enumerate() {
            let place = || format!("wheels[{k}]");
            let wheel = self.tree.body(name, place)?;
            let node = &self.tree.nodes[wheel];
            let (axis, spin) = match node.kind {
                JointKind::Revolute(axis) => (axis, Some(node.first[1])),
                JointKind::Fixed => ([0.0, 1.0, 0.0], None),
                _ => {
                    let found = format!("`{name}` on joint `{}`", node.joint);
                    let expected = "a wheel, carried by a revolute or a fixed joint";
                    return Err(MachineError::Value { place: place(), found, expected });
                }
            };
            axles.push(WheelChain { wheel, axis, chain: self.chain(node.parent), spin });
        }
        let is_common = |k: usize| axles.iter().all(|axle| axle.chain.get(k) == axles[0].chain.get(k));
        let shortest = axles.iter().map(|axle| axle.chain.len()).min().unwrap_or(0);
        let common = (0..shortest).take_while(|&k| is_common(k)).count();
        let trunk = axles.first().map_or_else(Vec::new, |axle| axle.chain[..common].to_vec());
        axles.iter_mut().for_each(|axle| drop(axle.chain.drain(..common)));
        Ok(Axles { trunk, axles })
    }

    /// Lists the bodies from the first on the ground to this one.
    fn chain(&self, mut body: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        while body != 0 {
            chain.push(body);
            body = self.tree.nodes[body].parent;
        }
        chain.reverse();
        chain
    }

    /// Passes each hub of a state to a callback, with its number.
    ///
    /// Hubs follow from the coordinates between ground and hub only. Loops are not closed and nothing is solved, so
    /// that this takes a small part of the time of [`rates`](Self::rates). The hubs are correct if the dependents in
    /// the state satisfy the loops. A state of another length has no hubs.
    pub fn for_each_hub<N: Number>(&self, axles: &Axles, y: &[N], mut show: impl FnMut(usize, Hub<N>)) {
        let tree = &self.tree;
        if y.len() != tree.positions + tree.velocities {
            return;
        }
        let (q, v) = y.split_at(tree.positions);
        let from = reference(tree, q);
        let follow = |frame: Frame<N>, body: &usize| frame.behind(&tree.nodes[*body], q, v);
        let trunk = axles.trunk.iter().fold(Frame::ground(from), follow);
        for (k, axle) in axles.axles.iter().enumerate() {
            let carrier = axle.chain.iter().fold(trunk, follow);
            let arm = carrier.axes.times_constant(tree.nodes[axle.wheel].offset);
            let hub = Hub {
                center: (carrier.origin + arm + from).0,
                axes: carrier.axes,
                axle: carrier.axes.times_constant(axle.axis),
                velocity: carrier.at(arm),
                turning: carrier.angular,
                spin: axle.spin.map_or_else(N::zero, |k| v[k]),
            };
            show(k, hub);
        }
    }

    /// Computes the rates of a state under loads on its hubs.
    ///
    /// # Errors
    /// See [`rates`](Self::rates).
    pub fn rates_under<N: Number>(
        &self,
        t: f64,
        y: &[N],
        (axles, loads): (&Axles, &[HubLoad<N>]),
        rate: &mut [N],
        workspace: &mut Workspace<N>,
    ) -> Result<(), MotionError> {
        self.rates_with(t, y, rate, workspace, |room| {
            for (axle, load) in axles.axles.iter().zip(loads) {
                // The origin of a wheel is at its joint, which is its center.
                let wrench = Wrench::at(room.origin[axle.wheel], load.force).plus(&Wrench::moment(load.moment));
                room.outer[axle.wheel] = room.outer[axle.wheel].plus(&wrench);
                if let Some(spin) = axle.spin {
                    room.torque[spin] += load.torque;
                }
            }
        })
    }
}
