//! All models by name.

use crate::error::ModelError;
use crate::meshes::{
    self, advection_diffusion, advection_plane, conservation_laws, galerkin_plane, patches, waves, waves_plane,
};
use crate::model::{Model, ModelKind};
use crate::oscillators::{beam, coupled_oscillators, manipulator, pendulum, van_der_pol};
use crate::parameter::{Parameter, Value, Values};
use crate::test_equations::{brusselator, kepler, kpr, linear_pair};
use crate::vehicles::{multibody, planar_vehicle, quarter_car, quarter_car_ring, single_track, spatial_vehicle};

/// All kinds of models, in the order of listings.
const KINDS: [&ModelKind; 27] = [
    &quarter_car::BODY,
    &quarter_car::KIND,
    &quarter_car_ring::KIND,
    &planar_vehicle::KIND,
    &spatial_vehicle::KIND,
    &single_track::KIND,
    &multibody::HMMWV,
    &multibody::SEDAN,
    &multibody::TRUCK,
    &pendulum::KIND,
    &beam::KIND,
    &manipulator::KIND,
    &coupled_oscillators::KIND,
    &linear_pair::KIND,
    &van_der_pol::KIND,
    &kepler::KIND,
    &brusselator::KIND,
    &kpr::KIND,
    &conservation_laws::ADVECTION,
    &conservation_laws::BURGERS,
    &waves::KIND,
    &galerkin_plane::KIND,
    &waves_plane::KIND,
    &patches::acoustics::KIND,
    &patches::euler::KIND,
    &advection_diffusion::KIND,
    &advection_plane::KIND,
];

/// Iterates over the names of all models.
pub fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// Returns the parameters of a model with their default values.
///
/// ```
/// let table = hemiola_models::parameters("quarter-car")?;
/// assert_eq!((table[0].name, table[0].value, table[0].unit), ("body-mass", 290.0, "kg"));
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError::UnknownModel`] if there is no such model.
pub fn parameters(name: &str) -> Result<&'static [Parameter], ModelError> {
    Ok(kind(name)?.parameters)
}

/// Creates a model by its name, with some numbers among its parameters changed.
///
/// ```
/// let fast = hemiola_models::model("coupled-oscillators", &[("ratio", 20.0), ("coupling", 0.3)])?;
/// assert_eq!(fast.jacobian_at(0.0, &fast.initial)[3][2], -400.0);
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError`] if there is no such model or parameter, a parameter is out of range, or the model has no initial
/// steady state.
pub fn model(name: &str, changes: &[(&str, f64)]) -> Result<Model, ModelError> {
    let changes: Vec<(&str, Value<'_>)> = changes.iter().map(|&(key, number)| (key, number.into())).collect();
    model_with(name, &changes)
}

/// Creates a model by its name, with some parameters changed: numbers and choices.
///
/// ```
/// let car = hemiola_models::model_with("quarter-car-ring", &[("speed", 10.0.into()), ("rings", "absolute".into())])?;
/// assert_eq!(car.variables[8].name, "ring x");
/// let other = hemiola_models::model_with("quarter-car-ring", &[("rings", "oblique".into())]).unwrap_err();
/// assert!(other.to_string().contains("rings is oblique; expected one of: relative, absolute"));
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// See [`model`].
pub fn model_with(name: &str, changes: &[(&str, Value<'_>)]) -> Result<Model, ModelError> {
    kind(name)?.model(changes)
}

/// Creates the model of a single partition, for models on meshes with cells of several widths: cells of that
/// partition's width cover the whole period. Returns `None` for other models, for which the Jacobian block of the
/// partition serves instead.
///
/// On a mesh, the Jacobian block of a partition says little about its stable step: since the flow leaves its cells, the
/// matrix is far from normal, and its eigenvalues are small compared with those on a periodic mesh.
///
/// ```
/// use hemiola_models::{model, part_alone};
/// let two = model("dg-advection", &[("cells", 8.0)])?;
/// let fine = part_alone(&two, 1).ok_or("a mesh")?;
/// // 8 wide cells are half of the period: 32 narrow ones are all of it.
/// assert_eq!(fine.initial.len(), 4 * 32);
/// assert!(part_alone(&two, 2).is_none() && part_alone(&model("kepler", &[])?, 0).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn part_alone(model: &Model, partition: usize) -> Option<Model> {
    let built = meshes::alone(model.name, Values(&model.parameters), partition)?;
    Some(Model::of_parts(model.name, model.title, model.parameters.clone(), built))
}

fn kind(name: &str) -> Result<&'static ModelKind, ModelError> {
    let unknown =
        || ModelError::UnknownModel { name: name.to_owned(), expected: names().collect::<Vec<_>>().join(", ") };
    KINDS.into_iter().find(|kind| kind.name == name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{difference_tolerance, differences, rates};

    fn text(name: &str, changes: &[(&str, f64)]) -> String {
        model(name, changes).unwrap_err().to_string()
    }

    #[test]
    fn models_are_complete() {
        for name in names() {
            let model = model(name, &[]).unwrap();
            let n = model.variables.len();
            assert!(model.initial.len() == n && model.partition().len() == n && model.duration > 0.0, "{name}");
            assert!(!model.drawn.is_empty() && model.drawn.iter().all(|&variable| variable < n), "{name}");
            assert!(rates(&model, 0.0, &model.initial).iter().all(|rate| rate.is_finite()), "{name}");
            assert_eq!(model.parameters, parameters(name).unwrap());
            assert!(model.parameters.iter().all(|parameter| parameter.range.contains(parameter.value)), "{name}");
            let names: std::collections::BTreeSet<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
            assert_eq!(names.len(), n, "{name}");
            if let Some(exact) = model.exact(0.0) {
                assert!(exact.iter().zip(&model.initial).all(|(a, b)| (a - b).abs() < 1e-14), "{name}");
            }
        }
    }

    #[test]
    fn jacobians_agree_with_differences() {
        let absolute = |name| model_with(name, &[("rings", "absolute".into())]).unwrap();
        let vehicles = ["quarter-car-ring", "planar-vehicle"].map(absolute);
        // A small mesh has every kind of coupling that a large one has.
        let small = |name| match name {
            "dg-plane" | "dg-waves-plane" => model_with(name, &[("cells", 2.0.into()), ("rows", 2.0.into())]).unwrap(),
            "dg-waves-quadtree" | "dg-euler-quadtree" => {
                model_with(name, &[("cells", 2.0.into()), ("patch", 1.0.into())]).unwrap()
            }
            name => model(name, &[]).unwrap(),
        };
        for model in names().map(small).chain(vehicles) {
            let name = model.name;
            // Where the speeds on both sides of a face are equal, the fluxes of Rusanov have no derivative.
            let shifts = if name == "dg-euler-quadtree" { [0.01, 0.02] } else { [0.0, 1e-4] };
            for shift in shifts {
                let y: Vec<f64> =
                    model.initial.iter().enumerate().map(|(k, y)| y + shift * f64::sin(1.0 + k as f64)).collect();
                let exact = model.jacobian_at(0.3, &y);
                let differences = differences(&model, 0.3, &y);
                for (row, found) in exact.iter().zip(&differences) {
                    for (column, (exact, found)) in row.iter().zip(found).enumerate() {
                        // A load grows from zero to its full value over 15 mm of the height of the chassis, a fortieth
                        // of that height.
                        let scale = if name == "spatial-vehicle" { 10.0 } else { 1.0 };
                        let allowed = scale * difference_tolerance(row, &y, column);
                        assert!((exact - found).abs() < allowed, "{name} {column}: {exact} {found} {allowed}");
                    }
                }
            }
        }
    }

    #[test]
    fn faults_are_named() {
        assert!(text("half-car", &[]).contains("quarter-car, quarter-car-ring"));
        assert!(text("quarter-car", &[("mass", 1.0)]).contains("body-mass, wheel-mass"));
        assert!(text("quarter-car", &[("wheel-mass", 0.0)]).contains("wheel-mass is 0; expected a finite number > 0"));
        assert!(text("quarter-car", &[("suspension-damping", f64::NAN)]).contains("≥ 0"));
        assert!(text("kepler", &[("eccentricity", 1.0)]).contains("< 1"));
        assert!(text("brusselator", &[("cells", 2.5)]).contains("an integer"));
        // Only choices accept words, and they accept no numbers.
        assert!(text("planar-vehicle", &[("rings", 1.0)]).contains("rings is 1; expected one of: relative, absolute"));
        let word = model_with("planar-vehicle", &[("speed", "fast".into())]).unwrap_err().to_string();
        assert!(word.contains("speed is fast; expected a finite number > 0"), "{word}");
        // On a road without friction there is no thrust against drag.
        assert!(text("planar-vehicle", &[("friction", 1e-9)]).contains("no steady state"));
    }
}
