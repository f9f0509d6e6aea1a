//! A machine on rigid-ring tires: its own variables are slow; those of rings, slips and powertrain are fast.

use std::sync::{Mutex, PoisonError};

use hemiola_multibody::{Axles, Hub, HubLoad, Mechanism, MotionError, Number, Workspace, circle, vehicles};

use crate::equations::{Dual, Dynamics, along, dual_jacobian, slope};
use crate::outputs::Output;
use crate::vehicles::drive::UndulatingRoad;
use crate::vehicles::spatial_vehicle::belt::SpatialRingTire;
use crate::vehicles::spatial_vehicle::contact::RingContact;
use crate::vehicles::spatial_vehicle::powertrain::{POWERTRAIN, Powertrain};
use crate::vehicles::spatial_vehicle::ring::{RING_VARIABLES, Ring};

/// A mechanism whose wheels carry rings.
///
/// The fast rates need the motion of the hubs. It follows from the slow variables of the same stage along the chain of
/// joints to each hub ([`Mechanism::hubs`]): no loop is closed and no accelerations are solved for, regardless of the
/// abscissae of both partitions. The positions of the hubs use the dependent slow variables. If loops are closed
/// initially, a method keeps them closed to the accuracy of its integration.
pub(crate) struct MachineOnRings {
    pub(crate) mechanism: Mechanism,
    pub(crate) axles: Axles,
    pub(crate) belt: SpatialRingTire,
    pub(crate) powertrain: Powertrain,
    pub(crate) road: UndulatingRoad,
    /// The wheels' inertia about their axles if their spins are fast variables, and the machine's wheels do not spin.
    pub(crate) rotors: Option<f64>,
    /// Storage that avoids allocations; it holds no data between evaluations.
    room: Mutex<RingVehicleStorage<f64>>,
}

/// Storage for evaluations.
pub(crate) struct RingVehicleStorage<N> {
    workspace: Workspace<N>,
    loads: Vec<HubLoad<N>>,
}

impl MachineOnRings {
    pub(crate) fn new(
        mechanism: Mechanism,
        axles: Axles,
        belt: SpatialRingTire,
        powertrain: Powertrain,
        road: UndulatingRoad,
    ) -> Self {
        let room = Mutex::new(RingVehicleStorage {
            workspace: mechanism.workspace(),
            loads: Vec::with_capacity(axles.count()),
        });
        Self { mechanism, axles, belt, powertrain, road, rotors: None, room }
    }

    /// Makes the spins of the wheels fast variables with this inertia. They follow the variables of the powertrain and
    /// are measured relative to the ground.
    ///
    /// A wheel is symmetric about its axle e, so that its spin s satisfies I ṡ = M·e, independently of its carrier. In
    /// the machine the wheel is fixed to its carrier, without inertia about e. The carrier feels the shaft's torque and
    /// the gyroscopic moment −I s ω × e, and no moment about e from the tire.
    pub(crate) fn with_fast_spins(self, inertia: f64) -> Self {
        Self { rotors: Some(inertia), ..self }
    }

    pub(crate) fn room<N: Number>(&self) -> RingVehicleStorage<N> {
        RingVehicleStorage { workspace: self.mechanism.workspace(), loads: Vec::with_capacity(self.axles.count()) }
    }

    /// Returns the number of slow variables.
    pub(crate) fn slow(&self) -> usize {
        self.mechanism.positions() + self.mechanism.velocities()
    }

    /// Returns the numbers of slow and fast variables.
    pub(crate) fn sizes(&self) -> [usize; 2] {
        let count = self.axles.count();
        [self.slow(), RING_VARIABLES * count + POWERTRAIN + if self.rotors.is_some() { count } else { 0 }]
    }

    /// Returns the weight of machine and rings, in N.
    pub(crate) fn weight(&self) -> f64 {
        (self.mechanism.mass() + self.axles.count() as f64 * self.belt.mass) * self.belt.gravity
    }

    /// Passes every ring on its hub, with the road under it, to a callback.
    pub(crate) fn rings<N: Number>(&self, y: &[N], mut show: impl FnMut(usize, &Hub<N>, &Ring<N>, (N, N))) {
        let (slow, fast) = y.split_at(self.slow().min(y.len()));
        let spins = fast.get(RING_VARIABLES * self.axles.count() + POWERTRAIN..);
        self.mechanism.for_each_hub(&self.axles, slow, |k, mut hub| {
            if let Some(spin) = spins.and_then(|spins| spins.get(k)) {
                hub.spin = *spin - hub.turning.dot(hub.axle);
            }
            if let Some(ring) =
                fast.get(RING_VARIABLES * k..RING_VARIABLES * (k + 1)).and_then(|y| Ring::on_hub(&hub, y))
            {
                show(k, &hub, &ring, self.road.profile(ring.center[0]));
            }
        });
    }

    fn slow_rates<N: Number>(
        &self,
        t: f64,
        y: &[N],
        rate: &mut [N],
        room: &mut RingVehicleStorage<N>,
    ) -> Result<(), MotionError> {
        let RingVehicleStorage { workspace, loads } = room;
        loads.clear();
        let mut spins = N::zero();
        self.rings(y, |_, hub, ring, _| {
            spins += hub.spin;
            loads.push(self.load(hub, ring));
        });
        let (slow, fast) = y.split_at(self.slow());
        let torque = self.powertrain.torque(&fast[RING_VARIABLES * loads.len()..], spins);
        match self.rotors {
            None => loads.iter_mut().for_each(|load| load.torque += torque),
            Some(_) => self.mechanism.for_each_hub(&self.axles, slow, |k, hub| loads[k].moment -= hub.axle * torque),
        }
        self.mechanism.rates_under(t, slow, (&self.axles, loads), rate, workspace)
    }

    /// Computes the load of a ring and of the wheel's spin on the machine.
    #[inline]
    fn load<N: Number>(&self, hub: &Hub<N>, ring: &Ring<N>) -> HubLoad<N> {
        let load = self.belt.load(hub, ring);
        let Some(inertia) = self.rotors else { return load };
        let spin = hub.spin + hub.turning.dot(hub.axle);
        let gyroscopic = hub.turning.cross(hub.axle) * (spin * inertia);
        HubLoad { moment: load.moment - hub.axle * self.belt.winding(ring) - gyroscopic, ..load }
    }

    fn fast_rates<N: Number>(&self, t: f64, y: &[N], rate: &mut [N]) {
        let (mut spins, first) = (N::zero(), RING_VARIABLES * self.axles.count());
        self.rings(y, |k, hub, ring, road| {
            spins += hub.spin;
            self.belt.rate(hub, ring, road, &mut rate[RING_VARIABLES * k..RING_VARIABLES * (k + 1)]);
            if let Some(inertia) = self.rotors {
                rate[first + POWERTRAIN + k] = self.belt.winding(ring) / inertia;
            }
        });
        let powertrain = &y[self.slow() + first..];
        let torque = self.powertrain.torque(powertrain, spins);
        rate[first..first + POWERTRAIN].copy_from_slice(&self.powertrain.rate(t, powertrain, spins));
        if let Some(inertia) = self.rotors {
            rate[first + POWERTRAIN..].iter_mut().for_each(|rate| *rate += torque / inertia);
        }
    }

    /// Computes the rates of both partitions over any number type; NaN if the machine cannot be in this state.
    pub(crate) fn rates<N: Number>(&self, t: f64, y: &[N], rate: &mut [N], room: &mut RingVehicleStorage<N>) {
        let (slow, fast) = rate.split_at_mut(self.slow());
        if self.slow_rates(t, y, slow, room).is_err() {
            slow.fill(N::constant(f64::NAN));
        }
        self.fast_rates(t, y, fast);
    }

    pub(crate) fn energy_of<N: Number>(&self, t: f64, y: &[N], room: &mut RingVehicleStorage<N>) -> Option<N> {
        let own = self.mechanism.energy(t, &y[..self.slow()], &mut room.workspace).ok()?;
        let mut energy = own.kinetic + own.gravity + own.elastic;
        let inertia = self.rotors.unwrap_or(0.0);
        self.rings(y, |_, hub, ring, road| {
            let spin = hub.spin + hub.turning.dot(hub.axle);
            energy += self.belt.energy(hub, ring, road) + spin * spin * (inertia / 2.0);
        });
        Some(energy + self.powertrain.energy(&y[self.slow() + RING_VARIABLES * self.axles.count()..]))
    }
}

impl Dynamics for MachineOnRings {
    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        if y.len() != self.sizes().iter().sum::<usize>() {
            return;
        }
        if partition == 0 {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            if self.slow_rates(t, y, rate, &mut room).is_err() {
                rate.fill(f64::NAN);
            }
        } else {
            self.fast_rates(t, y, rate);
        }
    }

    fn jacobian(&self, _sizes: &[usize], t: f64, y: &[f64], jacobian: &mut [f64]) {
        let mut room = self.room::<Dual>();
        dual_jacobian(y, jacobian, |point, rate| self.rates(t, point, rate, &mut room));
    }

    fn exact(&self, _t: f64) -> Option<Vec<f64>> {
        None
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        let slow = y.get(..self.slow())?;
        let mut lines = self.mechanism.outline(slow, &mut self.mechanism.workspace()).ok()?;
        let radius = self.belt.tread.radius;
        self.rings(y, |_, _, ring, _| lines.push(circle(ring.center, ring.axle.0, radius)));
        Some(lines)
    }

    fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        self.energy_of(t, y, &mut room)
    }

    fn power(&self, _sizes: &[usize], t: f64, y: &[f64]) -> Option<f64> {
        let mut rate = vec![0.0; y.len()];
        self.rates(t, y, &mut rate, &mut self.room());
        let steered = self.mechanism.rest_power(t, y.get(..self.slow())?, &mut self.mechanism.workspace()).ok()?;
        let energy = self.energy_of(t, &along(y, &rate), &mut self.room())?;
        Some(slope(&energy) + steered)
    }

    fn outputs(&self) -> Vec<Output> {
        vehicles::HMMWV_WHEELS.iter().flat_map(|wheel| Output::forces(wheel)).collect()
    }

    fn output_values(&self, _t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let mut values = Vec::with_capacity(3 * self.axles.count());
        self.rings(y, |_, _, ring, road| {
            let RingContact { normal, traction: [along, aside], .. } = self.belt.tread.contact(ring, road);
            values.extend([normal, along, aside]);
        });
        Some(values)
    }
}
