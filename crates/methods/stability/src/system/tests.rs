//! Tests of step matrices against stability matrices, and of exits against limits.

use hemiola_number::Counter;
use hemiola_tableau::{Tableau, library};
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use super::large::KrylovStepper;
use super::sparse_rows::SparseRows;
use crate::steps::search::StepSearch;
use crate::{Limit, StabilityError, StabilityFunction, stability_matrix};

/// Returns the Jacobian of masses on a line, m = 1, with springs between neighbors and optionally to the ground:
/// positions first, then velocities.
fn chain(masses: usize, stiffness: f64, ground: f64) -> Vec<Vec<f64>> {
    let n = 2 * masses;
    let mut j = vec![vec![0.0; n]; n];
    for i in 0..masses {
        j[i][masses + i] = 1.0;
        if i == 0 {
            j[masses][0] -= ground;
        }
        if i + 1 < masses {
            for (row, column, sign) in [(i, i, -1.0), (i, i + 1, 1.0), (i + 1, i, 1.0), (i + 1, i + 1, -1.0)] {
                j[masses + row][column] += sign * stiffness;
            }
        }
    }
    j
}

fn random(n: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| (0..n).map(|_| random.random_range(-1.0..1.0)).collect()).collect()
}

#[test]
fn two_variables_make_the_stability_matrix() {
    for id in ["shome-haug-jay-2-5", "ars-2-2-2", "lobatto-iiia-iiib-3", "symplectic-euler", "gauss-2", "rk4"] {
        let tableau = library::method(id).unwrap().to_f64();
        let j = random(2, 7);
        let system = BlockSystem::new(&j, vec![0, 1]).unwrap();
        let h = 0.7;
        let found = system.step_matrix(&tableau, h).unwrap();
        // A method with one partition becomes a pair of equal partitions.
        let twins = Tableau { partitions: tableau.partitions.iter().cycle().take(2).cloned().collect() };
        let z: Vec<Vec<Complex64>> = j.iter().map(|row| row.iter().map(|x| (h * x).into()).collect()).collect();
        let expected = stability_matrix(&twins, &z).unwrap();
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((expected - found).norm() < 1e-14, "{id}");
        }
    }
}

#[test]
fn plain_methods_see_the_eigenvalues_of_the_jacobian() {
    let j = random(9, 3);
    for id in ["rk4", "radau-iia-2", "sdirk-2"] {
        let method = library::method(id).unwrap();
        let tableau = method.to_f64();
        // The partitions have no effect.
        let system = BlockSystem::new(&j, vec![0, 0, 0, 1, 1, 1, 2, 2, 2]).unwrap();
        let function = StabilityFunction::new(&tableau.partitions[0]);
        for h in [0.01, 0.5, 3.0] {
            let expected = system.eigenvalues().iter().map(|z| function.at(z * h).norm()).fold(0.0, f64::max);
            let found = system.spectral_radii(&tableau, &[h]).unwrap()[0];
            assert!((found / expected - 1.0).abs() < 1e-12, "{id} at {h}: {found} {expected}");
        }
    }
}

#[test]
fn the_exit_of_a_plain_method_is_its_limit() {
    let mut j = chain(5, 40.0, 3.0);
    for i in 5..10 {
        j[i][i] -= 0.8;
    }
    let system = BlockSystem::new(&j, vec![0; 10]).unwrap();
    for id in ["rk4", "kutta-3", "heun-2", "ssp-rk-10-4"] {
        let method = library::method(id).unwrap();
        let decoupled = system.decoupled_limit(&method).unwrap();
        let expected = decoupled.value();
        let found = system.stable_steps_to_exit(&method.to_f64(), decoupled, &()).unwrap();
        // The exit exceeds the limit by the margin of 1e-9 over the slope.
        let beyond = found.first_exit / expected - 1.0;
        assert!((-1e-14..1e-7).contains(&beyond), "{id}: {found:?}, expected {expected}");
        assert!(found.gaps.is_empty());
    }
    let gauss = library::method("gauss-2").unwrap();
    assert_eq!(system.decoupled_limit(&gauss), Ok(Limit::Unbounded));
    let found = system.stable_steps_to_exit(&gauss.to_f64(), Limit::Unbounded, &()).unwrap();
    assert_eq!(found.first_exit, f64::INFINITY);
}

#[test]
fn rigid_bodies_are_stable_and_slow_growth_is_not() {
    // Two free masses in units that differ by 1e6 have a double zero eigenvalue.
    let free = |growth: f64| {
        let mut j = chain(2, 100.0, 0.0);
        for i in 0..2 {
            j[i][2 + i] *= 1e6;
            j[2 + i].iter_mut().for_each(|value| *value *= 1e-6);
            j[2 + i][2 + i] = -5.0;
        }
        j[2][3] += 5.0;
        j[3][2] += 5.0;
        for (i, row) in j.iter_mut().enumerate() {
            row.push(0.0);
            assert!(i < 4);
        }
        j.push(vec![0.0, 0.0, 0.0, 0.0, growth]);
        BlockSystem::new(&j, vec![0, 1, 0, 1, 0]).unwrap()
    };
    let rk4 = library::method("rk4").unwrap().to_f64();
    assert_eq!(free(0.0).zero_eigenvalues(), 3);
    let steps = free(0.0).stable_steps(&rk4, 0.1, &()).unwrap();
    assert_eq!(steps.first_exit, f64::INFINITY);
    // A growth of 1e-6 in a step of 0.05 is detected much earlier.
    let steps = free(1e-6 / 0.05).stable_steps(&rk4, 0.1, &()).unwrap();
    assert!(steps.first_exit < 1e-4, "{steps:?}");
}

#[test]
fn gaps_of_a_resonance() {
    // Weakly damped oscillators, the slow one near the fast method's contact point: stable, unstable, stable again.
    let method = library::method("perk-4-9-5").unwrap();
    let tableau = method.to_f64();
    let (slow, fast, coupling, damping) = (1.0f64, 1.6f64, 0.3, 0.05);
    let j = vec![
        vec![0.0, 1.0, 0.0, 0.0],
        vec![-slow * slow, -2.0 * damping * slow, coupling, 0.0],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![-coupling, 0.0, -fast * fast, -2.0 * damping * fast],
    ];
    let system = BlockSystem::new(&j, vec![0, 0, 1, 1]).unwrap();
    let steps = system.stable_steps(&tableau, 6.0, &()).unwrap();
    let radius = |h: f64| system.spectral_radii(&tableau, &[h]).unwrap()[0];
    assert!((radius(steps.first_exit) - 1.0 - STABILITY_MARGIN).abs() < 1e-12, "{steps:?}");
    for &(exit, back) in &steps.gaps {
        assert!(
            radius(f64::midpoint(exit, back)) > 1.0 && radius(back * (1.0 + 1e-9)) <= 1.0 + STABILITY_MARGIN + 1e-12
        );
    }
}

#[test]
fn faults_are_named() {
    let square = vec![vec![0.0, 1.0], vec![-1.0, 0.0]];
    assert!(matches!(BlockSystem::new(&square, vec![0]), Err(StabilityError::NotSquare { found: 1, expected: 2 })));
    assert!(matches!(BlockSystem::new(&[vec![f64::NAN]], vec![0]), Err(StabilityError::OutOfRange { .. })));
    let system = BlockSystem::new(&square, vec![0, 2]).unwrap();
    let pair = library::method("mprk-p2").unwrap().to_f64();
    let expected = Err(StabilityError::NoPartition { variable: 1, found: 2, expected: 2 });
    assert_eq!(system.spectral_radii(&pair, &[1.0]), expected);
    let euler = library::method("implicit-euler").unwrap().to_f64();
    let growing = BlockSystem::new(&[vec![2.0]], vec![0]).unwrap();
    assert_eq!(growing.step_matrix(&euler, 0.5), Err(StabilityError::NoStep { h: 0.5 }));
    assert_eq!(growing.spectral_radii(&euler, &[0.5]).unwrap(), [f64::INFINITY]);
    assert_eq!(BlockSystem::new(&[], Vec::new()).unwrap().variables(), 0);
}

#[test]
fn slow_modes_of_stiff_systems_are_no_rigid_bodies() {
    // x'' = −x + y, y' = x − ωy: a frequency of √(1 − 1/ω) and the rate ω.
    let stiff = |omega: f64| [vec![0.0, 1.0, 0.0], vec![-1.0, 0.0, 1.0], vec![1.0, 0.0, -omega]];
    for omega in [1e3, 1e9, 1e12] {
        let system = BlockSystem::new(&stiff(omega), vec![0, 0, 1]).unwrap();
        assert_eq!(system.zero_eigenvalues(), 0, "{omega:e}");
        assert_eq!(system.block_eigenvalues(0).unwrap().iter().map(|value| value.im).collect::<Vec<_>>(), [-1.0, 1.0]);
        // The explicit Euler method is unstable for undamped oscillations.
        let euler = library::method("explicit-euler").unwrap();
        assert!(system.decoupled_limit(&euler).unwrap().value() < 2e-3 / omega);
    }
    // Three free masses, two of them attracted by a force that follows their distance at a rate of 1e9.
    let mut jacobian = chain(3, 2.0, 0.0);
    for (row, pull) in jacobian.iter_mut().zip([0.0, 0.0, 0.0, 1.0, -1.0, 0.0]) {
        row.push(pull);
    }
    jacobian.push(vec![-1.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1e9]);
    assert_eq!(BlockSystem::new(&jacobian, vec![0; 7]).unwrap().zero_eigenvalues(), 2);
}

/// Returns upwind differences on periodic cells, the second half of them half as wide.
fn upwind(cells: usize) -> (Vec<Vec<f64>>, Vec<usize>) {
    let width = |i: usize| if i < cells / 2 { 1.0 } else { 0.5 };
    let entry = |i: usize, j: usize| (f64::from(j == (i + cells - 1) % cells) - f64::from(i == j)) / width(i);
    let rows = (0..cells).map(|i| (0..cells).map(|j| entry(i, j)).collect()).collect();
    (rows, (0..cells).map(|i| 2 * i / cells).collect())
}

#[test]
fn products_with_vectors_find_the_exits_of_matrices() {
    let chain = chain(40, 3.0, 0.2);
    let halves = |n: usize| (0..n).map(|i| usize::from(i % (n / 2) >= n / 4)).collect::<Vec<_>>();
    let (mesh, widths) = upwind(100);
    for (jacobian, partition_of) in [(chain, halves(80)), (mesh, widths)] {
        let damped: Vec<Vec<f64>> = jacobian
            .iter()
            .enumerate()
            .map(|(i, row)| row.iter().enumerate().map(|(j, x)| x - if i == j { 0.05 } else { 0.0 }).collect())
            .collect();
        let system = BlockSystem::new(&damped, partition_of).unwrap();
        for id in ["hemiola-4-8", "sdirk-2"] {
            let tableau = library::method(id).unwrap().to_f64();
            let farthest = 4.0 / system.eigenvalues().last().unwrap().norm();
            let expected = system.stable_steps(&tableau, farthest, &()).unwrap();
            let search = StepSearch { farthest, samples: 64, margin: 0.0 };
            let partition_of = system.partitions_for(&tableau).unwrap();
            let found =
                KrylovStepper::new(&system, &tableau, partition_of, &Counter::new(&(), "", None)).stable_steps(search);
            // The search does not detect slow growth just beyond the exit.
            let is_close = |x: f64, y: f64| x == y || (x - y).abs() < 0.01 * farthest;
            assert!(is_close(found.first_exit, expected.first_exit), "{id}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn large_systems_have_the_exits_of_their_modes() {
    // Fourier modes of 600 equal cells have λ = −1 + e^{−iθ} on a circle, so that Euler is stable up to one and RK4 up
    // to 1.3926.
    let n = 600;
    let rows: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(j == (i + n - 1) % n) - f64::from(i == j)).collect()).collect();
    let system = BlockSystem::new(&rows, vec![0; n]).unwrap();
    assert_eq!((system.eigenvalues().len(), system.zero_eigenvalues()), (n, 1));
    let largest = SparseRows::new(&system.balanced).outer_eigenvalues().unwrap().last().unwrap().norm();
    assert!((largest - 2.0).abs() < 0.02, "{largest}");
    for id in ["explicit-euler", "rk4"] {
        let method = library::method(id).unwrap();
        let along = |k: usize| Complex64::cis(-std::f64::consts::TAU * k as f64 / n as f64) - 1.0;
        let limits = (1..n).map(|k| crate::stability_limit(&method, 0, along(k)).unwrap().value());
        let expected = limits.fold(f64::INFINITY, f64::min);
        let tableau = method.to_f64();
        let found = system.stable_steps(&tableau, 3.0, &()).unwrap().first_exit;
        assert!((found / expected - 1.0).abs() < 1e-5, "{id}: {found} {expected}");
        let search = StepSearch { farthest: 3.0, samples: 64, margin: 0.0 };
        let found = KrylovStepper::new(&system, &tableau, vec![0; n], &Counter::new(&(), "", None))
            .stable_steps(search)
            .first_exit;
        assert!((found / expected - 1.0).abs() < 5e-3, "{id}: {found} {expected}");
    }
}

#[test]
fn rigid_bodies_among_many_variables_are_stable() {
    // A chain of 202 damped free masses: positions and velocities together give a double zero.
    let masses = 202;
    let mut rows = chain(masses, 100.0, 0.0);
    for i in 1..masses {
        for (row, column, sign) in [(i - 1, i - 1, -1.0), (i - 1, i, 1.0), (i, i - 1, 1.0), (i, i, -1.0)] {
            rows[masses + row][masses + column] += sign * 2.0;
        }
    }
    let system = BlockSystem::new(&rows, vec![0; 2 * masses]).unwrap();
    assert_eq!(system.zero_eigenvalues(), 2);
    let method = library::method("rk4").unwrap();
    let alone = system.decoupled_limit(&method).unwrap().value();
    let found = system.stable_steps(&method.to_f64(), 2.0 * alone, &()).unwrap().first_exit;
    assert!((found / alone - 1.0).abs() < 1e-6, "{found} {alone}");
}

#[test]
fn an_exit_is_sought_where_a_part_alone_grows() {
    // The slow part alone grows by 0.1, and the whole decays by 0.154 and 9.75: the exit lies beyond s/|λ| = 9/9.75.
    let system = BlockSystem::new(&[vec![0.1, 0.5], vec![-5.0, -10.0]], vec![0, 1]).unwrap();
    let method = library::method("perk-4-9-5").unwrap();
    let bound = system.decoupled_bound(&method).unwrap().unwrap();
    assert_eq!((bound.step, bound.partition, bound.eigenvalue), (0.0, 0, Complex64::from(0.1)));
    let tableau = method.to_f64();
    let exit = system.stable_steps_to_exit(&tableau, Limit::Finite(0.0), &()).unwrap().first_exit;
    assert!(exit > 9.0 / 9.75 && exit < 1.1, "{exit}");
    // Eigenvalues of the step matrix from its trace and determinant; at the exit one of them is −1 up to the margin.
    let radius = |h: f64| {
        let m = system.step_matrix(&tableau, h).unwrap();
        let (half, product) = (0.5 * (m[0][0] + m[1][1]), m[0][0] * m[1][1] - m[0][1] * m[1][0]);
        let root = Complex64::from(half * half - product).sqrt();
        (half + root).norm().max((half - root).norm())
    };
    assert!(radius(exit * (1.0 - 1e-6)) < 1.0 && radius(exit * (1.0 + 1e-6)) > 1.0);
    // Two growing parts: the faster one is returned.
    let both = BlockSystem::new(&[vec![0.1, 0.0], vec![0.0, 0.2]], vec![0, 1]).unwrap();
    assert_eq!(both.decoupled_bound(&method).unwrap().map(|bound| bound.partition), Some(1));
    let still = BlockSystem::new(&[vec![0.0, 1.0], vec![0.0, 0.0]], vec![0, 1]).unwrap();
    assert_eq!(still.decoupled_bound(&method), Ok(None));
}
