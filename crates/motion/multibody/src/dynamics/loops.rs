//! Loop equations Φ(z) = 0: their Jacobian, and the dependent coordinates they determine.

use num_dual::DualStruct;

use crate::algebra::dense::{inverse_bound, inverse_norm, lu, pivot_columns, solve_lu};
use crate::algebra::number::Number;
use crate::algebra::spatial::Motion;
use crate::algebra::vector::Vec3;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::dynamics::kinematics::{move_coordinate, positions};
use crate::dynamics::partition::{ConstraintBlock, CoordinatePartition};
use crate::error::MotionError;
use crate::machine::tree::{Closure, Tree};

/// Largest condition of Φ_d at which the choice of dependents is kept.
const WORST_CONDITION: f64 = 1e6;
/// Largest ratio of the condition to that at which the dependents were chosen.
///
/// Near a dead center the condition amplifies errors of independents in the dependents: a crank that passes through one
/// at a condition of up to 1e6 loses all accuracy of its energy.
const WORST_GROWTH: f64 = 4.0;
/// Maximum number of Newton iterations, more than a nearly closed position takes.
const MOST_ITERATIONS: usize = 40;
/// Longest Newton step, in m and rad. Newton's method is not reliable over larger distances.
const LONGEST: f64 = 0.7;

fn points<N: Number>(closure: &Closure, room: &EvaluationStorage<N>) -> [Vec3<N>; 2] {
    [0, 1].map(|side| {
        let body = closure.bodies[side];
        room.origin[body] + room.axes[body].times_constant(closure.points[side])
    })
}

/// Computes Φ: the vector between the points of a ball joint, or (d² − l²)/2l for a rod, which is also a length.
fn residual<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    for closure in &tree.closures {
        let [p, q] = points(closure, room);
        let d = p - q;
        let rows = &mut room.loops.residual[closure.equations()];
        match closure.rod {
            None => rows.copy_from_slice(&d.0),
            Some(length) => rows[0] = (d.square() - length * length) / (2.0 * length),
        }
    }
}

/// Computes Φ_z. Coordinates that move both bodies equally do not contribute where the loop is closed.
fn jacobian<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    let n = tree.velocities;
    for closure in &tree.closures {
        let points = points(closure, room);
        let direction = closure.rod.map(|length| (points[0] - points[1]) * N::constant(1.0 / length));
        for &(k, of_first) in &closure.movers {
            let moved = room.b[k].at(points[usize::from(!of_first)]);
            let moved = if of_first { moved } else { -moved };
            match direction {
                None => (0..3).for_each(|row| room.loops.jacobian[(closure.first + row) * n + k] = moved.0[row]),
                Some(direction) => room.loops.jacobian[closure.first * n + k] = direction.dot(moved),
            }
        }
    }
}

/// Computes Φ̇_z ż, the relative acceleration of the points for zero accelerations of coordinates.
fn drift<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    for closure in &tree.closures {
        let points = points(closure, room);
        let [first, second] = [0, 1].map(|side| {
            let (motion, bias) = (&room.motion[closure.bodies[side]], &room.bias[closure.bodies[side]]);
            let speed = motion.at(points[side]);
            (speed, bias.at(points[side]) + motion.angular.cross(speed))
        });
        let (speed, acceleration) = (first.0 - second.0, first.1 - second.1);
        let rows = &mut room.loops.residual[closure.equations()];
        match closure.rod {
            None => rows.copy_from_slice(&acceleration.0),
            Some(length) => {
                rows[0] = ((points[0] - points[1]).dot(acceleration) + speed.square()) / length;
            }
        }
    }
}

/// Factorizes Φ_d = L U block by block. Returns false if a block is singular.
fn factorize<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> bool {
    let (n, loops) = (tree.velocities, &mut room.loops);
    room.partition.blocks.iter().all(|block| {
        let size = block.rows.len();
        let factors = &mut loops.factors[block.factors..block.factors + size * size];
        for (i, &row) in block.rows.iter().enumerate() {
            for (j, &column) in block.dependents.iter().enumerate() {
                factors[i * size + j] = loops.jacobian[row * n + column];
            }
        }
        lu(factors, &mut loops.pivots[block.pivots..block.pivots + size], size)
    })
}

/// Computes ‖Φ_z‖ ‖Φ_d⁻¹‖ in the maximum norm, the largest of all blocks.
///
/// With all columns in the first factor, it bounds not only the condition of Φ_d but also the ratio of a dependent's
/// speed to those of the independents: a block of one equation has condition 1 even at a dead center.
fn condition<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> f64 {
    let loops = &mut room.loops;
    let mut worst = 1.0f64;
    for block in &room.partition.blocks {
        let size = block.rows.len();
        let norm = norm(tree, block, &loops.jacobian);
        let factors = &loops.factors[block.factors..block.factors + size * size];
        let pivots = &loops.pivots[block.pivots..block.pivots + size];
        worst = worst.max(norm * inverse_norm(factors, pivots, size, &mut loops.column, &mut loops.sums));
    }
    worst
}

/// Computes ‖Φ_z‖ of a block.
fn norm<N: Number>(tree: &Tree, block: &ConstraintBlock, jacobian: &[N]) -> f64 {
    let columns = || block.dependents.iter().chain(&block.independents);
    let row_sum = |row: &usize| columns().map(|k| jacobian[row * tree.velocities + k].re().abs()).sum::<f64>();
    block.rows.iter().map(row_sum).fold(0.0, f64::max)
}

/// Returns whether a bound on the condition is small enough; the bound costs one solution. Requiring half of the worst
/// condition allows for rounding in both.
fn is_well_conditioned<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> bool {
    let loops = &mut room.loops;
    room.partition.blocks.iter().all(|block| {
        let size = block.rows.len();
        let factors = &loops.factors[block.factors..block.factors + size * size];
        norm(tree, block, &loops.jacobian) * inverse_bound(factors, size, &mut loops.sums) <= 0.5 * WORST_CONDITION
    })
}

/// Computes Φ_d⁻¹ times the residual into `drift`, indexed by dependents.
fn solve_residual<N: Number>(room: &mut EvaluationStorage<N>) {
    let (loops, partition) = (&mut room.loops, &room.partition);
    for block in &partition.blocks {
        let size = block.rows.len();
        for (at, &row) in block.rows.iter().enumerate() {
            loops.column[at] = loops.residual[row];
        }
        let factors = &loops.factors[block.factors..block.factors + size * size];
        let pivots = &loops.pivots[block.pivots..block.pivots + size];
        solve_lu(factors, pivots, size, &mut loops.column[..size]);
        for (at, &k) in block.dependents.iter().enumerate() {
            loops.drift[k] = loops.column[at];
        }
    }
}

/// Moves the dependents of `room.q` until the loops are closed, with the current partition. Afterwards all positions
/// belong to `room.q`, and Φ_d is factorized.
pub(crate) fn close<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> Result<(), MotionError> {
    positions(tree, room);
    if tree.closures.is_empty() {
        return Ok(());
    }
    let mut previous = f64::INFINITY;
    let mut extra = N::derivatives();
    for _ in 0..MOST_ITERATIONS {
        residual(tree, room);
        let gap = room.loops.residual.iter().fold(0.0f64, |gap, entry| gap.max(entry.re().abs()));
        if gap.is_nan() {
            return Err(open_loop_error(tree, room));
        }
        // The rounding of coordinates moves the points by a few ε of their distance from the reference.
        let size = room.origin.iter().flat_map(|origin| origin.re()).fold(1.0f64, |size, x| size.max(x.abs()));
        let rounding = 4.0 * f64::EPSILON * size;
        let stuck = gap <= 64.0 * rounding && gap > 0.25 * previous;
        let converged = gap <= rounding || stuck;
        if converged && extra == 0 {
            jacobian(tree, room);
            return if factorize(tree, room) { Ok(()) } else { Err(open_loop_error(tree, room)) };
        }
        extra -= usize::from(converged);
        // The factors are reused while each iteration gains two digits.
        if previous.is_infinite() || gap > 1e-2 * previous || converged {
            jacobian(tree, room);
            if !factorize(tree, room) {
                return Err(open_loop_error(tree, room));
            }
        }
        previous = if converged { f64::INFINITY } else { gap };
        step(tree, room);
        positions(tree, room);
    }
    Err(open_loop_error(tree, room))
}

fn step<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    solve_residual(room);
    let EvaluationStorage { partition, loops, q, .. } = room;
    let dependents = || partition.blocks.iter().flat_map(|block| &block.dependents);
    let longest = dependents().map(|&k| loops.drift[k].re().abs()).fold(0.0f64, f64::max);
    let factor = if longest > LONGEST { LONGEST / longest } else { 1.0 };
    for &k in dependents() {
        move_coordinate(&tree.nodes[tree.mover[k]], q, k, -loops.drift[k] * factor);
    }
}

/// Returns an error with the loop of the largest gap.
fn open_loop_error<N: Number>(tree: &Tree, room: &EvaluationStorage<N>) -> MotionError {
    let gap = |closure: &Closure| {
        let rows = &room.loops.residual[closure.equations()];
        rows.iter().map(|entry| entry.re().powi(2)).sum::<f64>().sqrt()
    };
    let gaps = tree.closures.iter().map(|closure| (gap(closure), closure));
    let (gap, [name, first, second]) = match gaps.max_by(|x, y| x.0.total_cmp(&y.0)) {
        Some((gap, closure)) => (gap, names(tree, closure)),
        None => (0.0, Default::default()),
    };
    MotionError::Open { name, first, second, gap }
}

/// Returns the names of a loop and of its bodies.
fn names(tree: &Tree, closure: &Closure) -> [String; 3] {
    let [first, second] = closure.bodies.map(|body| tree.nodes[body].body.clone());
    [closure.name.clone(), first, second]
}

/// Chooses dependents at the current positions.
pub(crate) fn choose_dependents<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> Result<(), MotionError> {
    jacobian(tree, room);
    let real: Vec<f64> = room.loops.jacobian.iter().map(DualStruct::re).collect();
    room.partition = CoordinatePartition::choose(tree, &real).map_err(|rank| dependent(tree, &real, rank))?;
    room.loops.entries.fill(N::one());
    room.choices += 1;
    Ok(())
}

/// Returns an error with the first loop that does not raise the rank by its number of equations.
fn dependent(tree: &Tree, jacobian: &[f64], rank: usize) -> MotionError {
    let (n, equations) = (tree.velocities, tree.equations());
    let lacks = |closure: &&Closure| {
        let rows = closure.equations().end;
        pivot_columns(&mut jacobian[..rows * n].to_vec(), rows, n, &vec![1.0; n]).len() < rows
    };
    let [name, first, second] =
        tree.closures.iter().find(lacks).map(|closure| names(tree, closure)).unwrap_or_default();
    MotionError::Dependent { name, first, second, rank, equations }
}

/// Policy for changing the choice of dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DependentsPolicy {
    /// Change them as soon as others are better; used between steps.
    Early,
    /// Change them only if they fail; used within a step, whose stages form the method only if they share one choice.
    Late,
}

/// Closes the loops, and chooses new dependents if the current ones do not determine the position well.
pub(crate) fn close_and_choose<N: Number>(
    tree: &Tree,
    room: &mut EvaluationStorage<N>,
    change: DependentsPolicy,
) -> Result<(), MotionError> {
    if tree.closures.is_empty() {
        positions(tree, room);
        return Ok(());
    }
    if close(tree, room).is_err() {
        positions(tree, room);
        choose_dependents(tree, room)?;
        close(tree, room)?;
    }
    let is_late = change == DependentsPolicy::Late && room.partition.condition.is_some();
    if !(is_late && is_well_conditioned(tree, room)) && is_ill_conditioned(tree, room, change) {
        choose_dependents(tree, room)?;
        if !factorize(tree, room) {
            return Err(open_loop_error(tree, room));
        }
        room.partition.condition = Some(condition(tree, room));
    }
    dependence(tree, room);
    Ok(())
}

fn is_ill_conditioned<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>, change: DependentsPolicy) -> bool {
    let now = condition(tree, room);
    let chosen = *room.partition.condition.get_or_insert(now);
    let growth = if change == DependentsPolicy::Early { WORST_GROWTH } else { f64::INFINITY };
    now > WORST_CONDITION.min(growth * chosen)
}

/// Computes the rows −Φ_d⁻¹ Φ_i of R_z.
fn dependence<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    let (n, loops, partition) = (tree.velocities, &mut room.loops, &room.partition);
    for block in &partition.blocks {
        let size = block.rows.len();
        let factors = &loops.factors[block.factors..block.factors + size * size];
        let pivots = &loops.pivots[block.pivots..block.pivots + size];
        for (column, &k) in block.independents.iter().enumerate() {
            for (at, &row) in block.rows.iter().enumerate() {
                loops.column[at] = -loops.jacobian[row * n + k];
            }
            solve_lu(factors, pivots, size, &mut loops.column[..size]);
            for (at, &dependent) in block.dependents.iter().enumerate() {
                loops.entries[partition.rows[dependent].start + column] = loops.column[at];
            }
        }
    }
}

/// Sets the dependents of a vector of coordinates to R_z times its independents.
pub(crate) fn set_dependents<N: Number>(partition: &CoordinatePartition, entries: &[N], x: &mut [N]) {
    for &k in partition.blocks.iter().flat_map(|block| &block.dependents) {
        let row = partition.rows[k].clone();
        let terms = entries[row.clone()].iter().zip(&partition.columns[row]);
        x[k] = terms.fold(N::zero(), |sum, (entry, &column)| sum + *entry * x[partition.independents[column]]);
    }
}

/// Computes −Φ_d⁻¹ (Φ̇_z ż) into `drift`, and adds the resulting accelerations to the biases of the bodies.
pub(crate) fn drift_bodies<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    if tree.closures.is_empty() {
        return;
    }
    drift(tree, room);
    room.loops.drift.fill(N::zero());
    solve_residual(room);
    for &k in room.partition.blocks.iter().flat_map(|block| &block.dependents) {
        room.loops.drift[k] = -room.loops.drift[k];
    }
    room.relative[0] = Motion::zero();
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let mut relative = room.relative[node.parent];
        for k in node.velocities() {
            relative = relative.plus(&room.b[k].times(room.loops.drift[k]));
        }
        room.relative[body] = relative;
        room.bias[body] = room.bias[body].plus(&relative);
    }
}

/// Returns the largest entries of Φ and of Φ̇ = Φ_z ż.
pub(crate) fn violation<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> [f64; 2] {
    residual(tree, room);
    let largest = |entries: &[N]| entries.iter().fold(0.0f64, |size, entry| size.max(entry.re().abs()));
    let position = largest(&room.loops.residual);
    jacobian(tree, room);
    let n = tree.velocities;
    let speed = |row: &[N]| row.iter().zip(&room.v).fold(N::zero(), |sum, (entry, v)| sum + *entry * *v);
    let rates = room.loops.jacobian.chunks(n.max(1)).map(speed);
    [position, rates.fold(0.0f64, |size, entry| size.max(entry.re().abs()))]
}
