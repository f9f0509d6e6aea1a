//! Force elements of a machine, with resolved bodies and joints.

use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::error::MachineError;
use crate::forces::connections::{BodyPoint, BushingElement, DragElement, LoadElement, SpringElement};
use crate::forces::curve::Characteristic;
use crate::forces::description::{Forces, Term};
use crate::forces::tire::TireElement;
use crate::machine::description::JointKind;
use crate::machine::tree::Tree;
use crate::machine::values::{finite, not_negative, positive};

#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    struts: Vec<SpringElement>,
    torsions: Vec<TorsionElement>,
    mounts: Vec<BushingElement>,
    pushes: Vec<LoadElement>,
    resistances: Vec<DragElement>,
    wheels: Vec<TireElement>,
    engines: Vec<DrivetrainElement>,
    brakes: Vec<BrakeElement>,
}

/// A coordinate: its indices among positions and velocities, and a factor.
type WeightedCoordinate = (usize, usize, f64);

#[derive(Clone, Debug)]
struct TorsionElement {
    terms: Vec<WeightedCoordinate>,
    rest: Characteristic,
    stiffness: Characteristic,
    damping: Characteristic,
}

#[derive(Clone, Debug)]
struct DrivetrainElement {
    torque: Characteristic,
    throttle: Characteristic,
    ratio: f64,
    shares: Vec<WeightedCoordinate>,
    whole: f64,
}

#[derive(Clone, Debug)]
struct BrakeElement {
    coordinate: usize,
    moment: Characteristic,
    crawl: f64,
}

impl TorsionElement {
    fn act<N: Number>(&self, t: f64, room: &mut EvaluationStorage<N>) {
        let (s, rate) = self.state(t, room);
        let back = self.stiffness.value(s) + self.damping.value(rate);
        for &(_, k, factor) in &self.terms {
            room.torque[k] -= back * factor;
        }
    }

    fn state<N: Number>(&self, t: f64, room: &EvaluationStorage<N>) -> (N, N) {
        let start = (N::constant(-self.rest.at(t)), N::constant(-self.rest.slope(t)));
        let add = |(s, rate): (N, N), &(q, k, factor): &WeightedCoordinate| {
            (s + room.q[q] * factor, rate + room.v[k] * factor)
        };
        self.terms.iter().fold(start, add)
    }
}

impl DrivetrainElement {
    fn act<N: Number>(&self, t: f64, room: &mut EvaluationStorage<N>) {
        let sum = self.shares.iter().fold(N::zero(), |sum, &(_, k, share)| sum + room.v[k] * share);
        let speed = sum * (self.ratio / self.whole);
        let torque = self.torque.value(speed) * (self.throttle.at(t) * self.ratio);
        for &(_, k, share) in &self.shares {
            room.torque[k] += torque * share;
        }
    }
}

impl BrakeElement {
    fn act<N: Number>(&self, t: f64, room: &mut EvaluationStorage<N>) {
        let size = self.moment.at(t);
        if size != 0.0 {
            room.torque[self.coordinate] -= (room.v[self.coordinate] / self.crawl).tanh() * size;
        }
    }
}

impl Elements {
    /// Computes all forces on bodies and coordinates at a time from positions and velocities.
    pub(crate) fn act<N: Number>(&self, t: f64, room: &mut EvaluationStorage<N>) {
        room.outer.fill(Wrench::zero());
        room.torque.fill(N::zero());
        self.struts.iter().for_each(|strut| strut.act(room));
        self.torsions.iter().for_each(|torsion| torsion.act(t, room));
        self.mounts.iter().for_each(|mount| mount.act(room));
        self.pushes.iter().for_each(|push| push.act(t, room));
        self.resistances.iter().for_each(|resistance| resistance.act(room));
        self.wheels.iter().for_each(|wheel| wheel.act(room));
        self.engines.iter().for_each(|engine| engine.act(t, room));
        self.brakes.iter().for_each(|brake| brake.act(t, room));
    }

    /// Returns the wheels with tires.
    pub(crate) fn wheels(&self) -> &[TireElement] {
        &self.wheels
    }

    /// Computes the energy stored in springs and bushings, in J.
    pub(crate) fn energy<N: Number>(&self, t: f64, room: &EvaluationStorage<N>) -> N {
        let struts = self.struts.iter().map(|strut| strut.energy(room));
        let torsions = self.torsions.iter().map(|torsion| torsion.stiffness.integral(torsion.state(t, room).0));
        let mounts = self.mounts.iter().map(|mount| mount.energy(room));
        struts.chain(torsions).chain(mounts).fold(N::zero(), |sum, energy| sum + energy)
    }

    /// Computes the power of moving the rest positions of torsions, in W: ∂/∂t of the stored energy.
    pub(crate) fn rest_power(&self, t: f64, room: &EvaluationStorage<f64>) -> f64 {
        let power =
            |torsion: &TorsionElement| -torsion.stiffness.value(torsion.state(t, room).0) * torsion.rest.slope(t);
        self.torsions.iter().map(power).sum()
    }

    pub(crate) fn new(tree: &Tree, forces: &Forces) -> Result<Self, MachineError> {
        let mut elements = Self::default();
        elements.connect(tree, forces)?;
        elements.drive(tree, forces)?;
        elements.roll(tree, forces)?;
        Ok(elements)
    }

    fn connect(&mut self, tree: &Tree, forces: &Forces) -> Result<(), MachineError> {
        for (k, spring) in forces.springs.iter().enumerate() {
            let at = |field: &str| format!("springs[{k}] ({}).{field}", spring.name);
            let ends = places(tree, &spring.between, &spring.points, &at)?;
            let [p, q] = spring.points;
            let distance = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
            if distance == 0.0 {
                let (place, found) = (at("points"), format!("{:?}", spring.points));
                return Err(MachineError::Value { place, found, expected: "two different points" });
            }
            let free_length = spring.free_length.unwrap_or(distance);
            not_negative(&at("free_length"), free_length)?;
            spring.stiffness.check(&at("stiffness"))?;
            spring.damping.check(&at("damping"))?;
            let (stiffness, damping) = (spring.stiffness.clone(), spring.damping.clone());
            self.struts.push(SpringElement { ends, free_length, stiffness, damping });
        }
        for (k, bushing) in forces.bushings.iter().enumerate() {
            let at = |field: &str| format!("bushings[{k}] ({}).{field}", bushing.name);
            let places = places(tree, &bushing.between, &[bushing.at; 2], &at)?;
            bushing.stiffness.iter().try_for_each(|entry| not_negative(&at("stiffness"), *entry))?;
            bushing.damping.iter().try_for_each(|entry| not_negative(&at("damping"), *entry))?;
            self.mounts.push(BushingElement { places, stiffness: bushing.stiffness, damping: bushing.damping });
        }
        Ok(())
    }

    fn drive(&mut self, tree: &Tree, forces: &Forces) -> Result<(), MachineError> {
        for (k, torsion) in forces.torsions.iter().enumerate() {
            let at = |field: &str| format!("torsions[{k}] ({}).{field}", torsion.name);
            let terms = shares(tree, &torsion.terms, &at("terms"))?;
            torsion.rest.check(&at("rest"))?;
            torsion.stiffness.check(&at("stiffness"))?;
            torsion.damping.check(&at("damping"))?;
            let (stiffness, damping) = (torsion.stiffness.clone(), torsion.damping.clone());
            self.torsions.push(TorsionElement { terms, rest: torsion.rest.clone(), stiffness, damping });
        }
        for (k, engine) in forces.drivetrains.iter().enumerate() {
            let at = |field: &str| format!("drivetrains[{k}] ({}).{field}", engine.name);
            let shares = shares(tree, &engine.shares, &at("shares"))?;
            let whole: f64 = shares.iter().map(|share| share.2).sum();
            positive(&at("shares"), whole)?;
            finite(&at("ratio"), &[engine.ratio])?;
            engine.torque.check(&at("torque"))?;
            engine.throttle.check(&at("throttle"))?;
            let (torque, throttle) = (engine.torque.clone(), engine.throttle.clone());
            self.engines.push(DrivetrainElement { torque, throttle, ratio: engine.ratio, shares, whole });
        }
        for (k, brake) in forces.brakes.iter().enumerate() {
            let at = |field: &str| format!("brakes[{k}] ({}).{field}", brake.name);
            let term = Term { joint: brake.joint.clone(), coordinate: 0, factor: 1.0 };
            let coordinate = shares(tree, &[term], &at("joint"))?[0].1;
            positive(&at("crawl"), brake.crawl)?;
            brake.moment.check(&at("moment"))?;
            self.brakes.push(BrakeElement { coordinate, moment: brake.moment.clone(), crawl: brake.crawl });
        }
        Ok(())
    }

    fn roll(&mut self, tree: &Tree, forces: &Forces) -> Result<(), MachineError> {
        for (k, load) in forces.loads.iter().enumerate() {
            let at = |field: &str| format!("loads[{k}] ({}).{field}", load.name);
            let place = place(tree, &load.body, load.at, &at)?;
            finite(&at("direction"), &load.direction)?;
            load.force.check(&at("force"))?;
            self.pushes.push(LoadElement { place, direction: load.direction, force: load.force.clone() });
        }
        for (k, drag) in forces.drags.iter().enumerate() {
            let at = |field: &str| format!("drags[{k}] ({}).{field}", drag.name);
            let place = place(tree, &drag.body, drag.at, &at)?;
            not_negative(&at("area"), drag.area)?;
            not_negative(&at("density"), drag.density)?;
            self.resistances.push(DragElement { place, factor: drag.density * drag.area / 2.0 });
        }
        for (k, tire) in forces.tires.iter().enumerate() {
            let at = |field: &str| format!("tires[{k}] ({}).{field}", tire.name);
            let center = place(tree, &tire.body, tire.center, &at)?;
            let JointKind::Revolute(axis) = tree.nodes[center.body].kind else {
                let (place, found) = (at("body"), format!("a body on joint `{}`", tree.nodes[center.body].joint));
                return Err(MachineError::Value { place, found, expected: "a wheel, carried by a revolute joint" });
            };
            let values = [("radius", tire.radius), ("friction", tire.friction), ("crawl", tire.crawl)];
            values.iter().try_for_each(|(name, found)| positive(&at(name), *found))?;
            let values = [("damping", tire.damping), ("slip", tire.slip), ("cornering", tire.cornering)];
            values.iter().try_for_each(|(name, found)| not_negative(&at(name), *found))?;
            tire.stiffness.check(&at("stiffness"))?;
            tire.road.check(&at("road"))?;
            finite(&at("level"), &[tire.level])?;
            self.wheels.push(TireElement { center, axis, tire: tire.clone() });
        }
        Ok(())
    }
}

fn place(tree: &Tree, name: &str, point: [f64; 3], at: &impl Fn(&str) -> String) -> Result<BodyPoint, MachineError> {
    finite(&at("at"), &point)?;
    let body = tree.body(name, || at("body"))?;
    Ok(BodyPoint { body, point: tree.local(body, point) })
}

fn places(
    tree: &Tree,
    names: &[String; 2],
    points: &[[f64; 3]; 2],
    at: &impl Fn(&str) -> String,
) -> Result<[BodyPoint; 2], MachineError> {
    let ends = [place(tree, &names[0], points[0], at)?, place(tree, &names[1], points[1], at)?];
    if ends[0].body == ends[1].body {
        let (place, found) = (at("between"), format!("{names:?}"));
        return Err(MachineError::Value { place, found, expected: "two bodies" });
    }
    Ok(ends)
}

fn shares(tree: &Tree, terms: &[Term], at: &str) -> Result<Vec<WeightedCoordinate>, MachineError> {
    let share = |(k, term): (usize, &Term)| {
        let place = || format!("{at}[{k}]");
        let node = tree.joint(&term.joint, place)?;
        finite(&place(), &[term.factor])?;
        let has_angles =
            matches!(node.kind, JointKind::Revolute(_) | JointKind::Prismatic(_) | JointKind::Universal(..));
        if !has_angles || term.coordinate >= node.kind.velocities() {
            let found = format!("coordinate {} of joint `{}`", term.coordinate, term.joint);
            let expected = "a coordinate of a revolute, prismatic or universal joint, counted from 0";
            return Err(MachineError::Value { place: place(), found, expected });
        }
        Ok((node.first[0] + term.coordinate, node.first[1] + term.coordinate, term.factor))
    };
    terms.iter().enumerate().map(share).collect()
}

impl crate::forces::description::Road {
    fn check(&self, place: &str) -> Result<(), MachineError> {
        match self {
            Self::Flat => Ok(()),
            Self::HalfSine { start, length, height } => {
                finite(place, &[*start, *height])?;
                positive(place, *length)
            }
            Self::Profile(curve) => curve.check(place),
        }
    }
}
