//! Step matrices of linear systems with the exponential of the fast block, against other ways to compute them.

use hemiola_multirate::{CoupledFlow, InfinitesimalMethod, InfinitesimalStage, SystemFlow, library};
use hemiola_stability::{BlockSystem, Limit, StabilityError, StabilityScheme, SystemStep};
use nalgebra::DMatrix;
use num_complex::Complex64;

/// Methods with one slow partition whose stages are solved one after the other.
fn methods() -> Vec<(InfinitesimalMethod, SystemFlow)> {
    let found: Vec<_> = library::ids()
        .map(|id| library::method(id).expect("a method of the library"))
        .filter_map(|method| SystemFlow::new(&method).ok().map(|flow| (method, flow)))
        .collect();
    assert!(found.len() > 30);
    found
}

/// A system of two slow and three fast variables, which are mixed; the fast ones are damped and oscillate.
fn system(fast: f64) -> (DMatrix<f64>, Vec<usize>) {
    let rows = [
        [-0.7 * fast, 0.3, 0.9 * fast, 0.1, 0.2],
        [0.4, -0.5, 0.2, 0.6, -0.3],
        [-fast, 0.5, -0.3 * fast, 0.2, 0.1 * fast],
        [0.2, -0.8, 0.3, -0.9, 0.5],
        [0.3, 0.2, 0.2 * fast, -0.4, -fast],
    ];
    (DMatrix::from_fn(5, 5, |i, j| rows[i][j]), vec![1, 0, 1, 0, 1])
}

/// For one slow and one fast variable the step is S(Z), implicit stages and starts and drifts included.
#[test]
fn two_variables_have_the_stability_matrix() {
    for (method, flow) in methods() {
        let scalar = CoupledFlow::new(&method).unwrap();
        for [ss, sf, fs, ff] in [[-1.0, 0.5, 0.4, -20.0], [-0.3, 2.0, -1.5, 0.2], [0.1, 0.0, 1.0, -1e4]] {
            let z = [[ss, sf], [fs, ff]];
            let exact: Vec<Vec<Complex64>> = z.iter().map(|row| row.map(Complex64::from).to_vec()).collect();
            let expected = scalar.matrix(&exact).unwrap();
            let found = flow.increment(&DMatrix::from_fn(2, 2, |i, j| z[i][j]), &[0, 1]).unwrap();
            for (i, row) in expected.iter().enumerate() {
                for (j, value) in row.iter().enumerate() {
                    let difference = found[(i, j)] + f64::from(u8::from(i == j)) - value.re;
                    assert!(
                        difference.abs() < 1e-11 * (1.0 + value.norm()),
                        "{} at {z:?}: {difference:e}",
                        method.id()
                    );
                }
            }
        }
    }
}

/// The flow is what many steps of an inner method approach, with its order: here four of Gauss with three stages.
#[test]
fn realizations_approach_the_step() {
    let inner = hemiola_tableau::library::method("gauss-3").unwrap();
    for id in ["mri-gark-erk33a", "merk43", "hemiola-mri-5-4", "mri-gark-esdirk34a", "mis4a"] {
        let method = library::method(id).unwrap();
        let flow = SystemFlow::new(&method).unwrap();
        let (jacobian, partition) = system(3.0);
        let exact = flow.increment(&(&jacobian * 0.5), &partition).unwrap();
        let pair = method.expand(&inner, 4).unwrap().to_f64();
        let found = pair.increment(&(jacobian * 0.5), &partition).unwrap();
        assert!((exact - found).norm() < 1e-7, "{id}");
    }
}

/// A fast block alone is advanced by its exponential, of any norm.
#[test]
fn fast_blocks_have_their_exponential() {
    let flow = SystemFlow::new(&library::method("merk43").unwrap()).unwrap();
    for fast in [1e-8, 0.3, 7.0, 40.0] {
        let (jacobian, _) = system(fast);
        let exact = jacobian.exp() - DMatrix::identity(5, 5);
        let found = flow.increment(&jacobian, &[1; 5]).unwrap();
        assert!((&exact - found).norm() < 1e-12 * (1.0 + exact.norm()), "{fast}");
    }
    // Far to the left everything fast has decayed, and the slow variables alone are those of the method for z_FF → −∞.
    let z = DMatrix::from_row_slice(2, 2, &[-1.0, 0.5, 0.5, -1e12]);
    let found = flow.increment(&z, &[0, 1]).unwrap();
    assert!((found[(1, 1)] + 1.0).abs() < 1e-11, "{found}");
}

/// Stable steps end where the spectral radius of the step passes one; a fast part does not bound them.
#[test]
fn stable_steps_are_those_of_slow_parts() {
    let rows = |fast: f64| vec![vec![-1.0, 0.3, 0.1], vec![-0.3, -1.0, 0.2], vec![0.1, 0.2, -fast]];
    let flow = SystemFlow::new(&library::method("mri-gark-erk33a").unwrap()).unwrap();
    for fast in [1e2, 1e5] {
        let system = BlockSystem::new(&rows(fast), vec![0, 0, 1]).unwrap();
        let steps = system.stable_steps(&flow, 5.0, &()).unwrap();
        let exit = steps.first_exit;
        assert!((2.0..2.6).contains(&exit), "{exit}");
        let radii = system.spectral_radii(&flow, &[0.999 * exit, 1.001 * exit]).unwrap();
        assert!(radii[0] <= 1.0 + 1e-9 && radii[1] > 1.0, "{radii:?}");
    }
}

/// Uncoupled parts bound the step as each does alone; starts and drifts bound the fast part as well.
#[test]
fn uncoupled_systems_end_where_a_part_does() {
    let rows = [[-1.0, 0.0, 0.0], [0.0, -0.1, 9.0], [0.0, -9.0, -0.1]].map(Vec::from).to_vec();
    let system = BlockSystem::new(&rows, vec![0, 1, 1]).unwrap();
    for (method, flow) in methods() {
        let is_exact = method.exact_rows().iter().take(method.stages().len()).all(InfinitesimalStage::is_simple);
        let fast: Option<&dyn SystemStep> = if is_exact { None } else { Some(&flow) };
        let bound = system.decoupled_bound_by(&method.slow_method().unwrap(), fast).unwrap();
        let limit = bound.map_or(Limit::Unbounded, |bound| Limit::Finite(bound.step));
        let exit = system.stable_steps_to_exit(&flow, limit, &()).unwrap().first_exit;
        match bound {
            Some(bound) => assert!((exit / bound.step - 1.0).abs() < 1e-6, "{}: {exit}, {bound:?}", method.id()),
            None => assert!(exit.is_infinite(), "{}: {exit}", method.id()),
        }
    }
}

/// The range of the search is that of the slow part, however fast the other is.
#[test]
fn exits_of_implicit_slow_parts_are_found() {
    let flow = SystemFlow::new(&library::method("mri-gark-esdirk34a").unwrap()).unwrap();
    let system = BlockSystem::new(&[vec![-1.0, 3.0], vec![-3e6, -1e6]], vec![0, 1]).unwrap();
    let exit = system.stable_steps_to_exit(&flow, Limit::Unbounded, &()).unwrap().first_exit;
    assert!((exit - 0.170_464_2).abs() < 1e-5, "{exit}");
}

#[test]
fn rows_without_forcing_have_steps() {
    let text = r#"{"format": "hemiola-multirate/1", "id": "empty", "name": "E", "partitions": ["fast", "slow"],
        "stages": [{"from": 1, "interval": "1", "forcing": {"slow": []}, "correction": {"slow": ["1"]}}]}"#;
    let flow = SystemFlow::new(&InfinitesimalMethod::from_json(text.as_bytes(), "empty.json").unwrap()).unwrap();
    let found = flow.increment(&DMatrix::from_row_slice(2, 2, &[-0.5, 0.0, 0.0, -1.0]), &[0, 1]).unwrap();
    assert!((found[(0, 0)] + 0.5).abs() < 1e-15 && (found[(1, 1)] - (f64::exp(-1.0) - 1.0)).abs() < 1e-15, "{found}");
}

#[test]
fn systems_and_methods_out_of_range_are_refused() {
    let imex = library::method("imex-mri-gark3a").unwrap();
    assert!(SystemFlow::new(&imex).unwrap_err().to_string().contains("found 3 partitions; expected 2"));
    let flow = SystemFlow::new(&library::method("merk21").unwrap()).unwrap();
    let large: Vec<Vec<f64>> = (0..401).map(|i| (0..401).map(|j| if i == j { -1.0 } else { 0.0 }).collect()).collect();
    let system = BlockSystem::new(&large, (0..401).map(|i| i % 2).collect()).unwrap();
    let error = system.stable_steps(&flow, 1.0, &()).unwrap_err();
    assert_eq!(error, StabilityError::TooManyVariables { found: 401, most: 400 });
    // Numbers beyond doubles have no step, and no panic.
    assert!(flow.increment(&DMatrix::from_element(2, 2, f64::INFINITY), &[0, 1]).is_none());
    assert!(flow.increment(&DMatrix::from_element(2, 2, 1e308), &[0, 1]).is_none());
}
