//! The methods that are compared.

use hemiola_integrate::{Explicit, StepError, Stepper, System};
use hemiola_models::Model;
use hemiola_polynomial::Problem;
use hemiola_tableau::{Butcher, Tableau, library};

use crate::low_storage::LowStorage;

/// Published methods with one rate: the classical one, those with the longest steps for their evaluations, and those of low
/// storage made for discontinuous Galerkin methods, spectral differences and waves.
const PUBLISHED: [&str; 7] = [
    "rk4",
    "ssp-rk-4-3",
    "ssp-rk-10-4",
    "carpenter-kennedy-5-4",
    "toulorge-desmet-8-4-f",
    "niegemann-diehl-busch-14-4",
    "parsani-ketcheson-deconinck-18-4",
];
/// Low-storage methods of this library.
const OWN: [&str; 2] = ["hemiola-ls-2n-12-4", "hemiola-ls-3s-9-4"];
/// Stages and orders of the optimal polynomials for waves in the plane: those of the narrowest cells in the families.
const POLYNOMIALS: [[usize; 2]; 3] = [[9, 3], [10, 4], [16, 4]];
/// Families, with the levels for two widths and for three.
const FAMILIES: [(&str, &[&[usize]]); 8] = [
    ("hemiola-family-2-waves", &[&[1, 2], &[0, 1, 2]]),
    ("hemiola-family-3-waves", &[&[1, 2], &[0, 1, 2]]),
    ("hemiola-family-4-waves", &[&[0, 2], &[1, 2], &[0, 1, 2]]),
    ("hemiola-family-4-waves-4-5-7-10", &[&[0, 2], &[2, 3], &[0, 2, 3], &[1, 2, 3]]),
    ("hemiola-family-4-euler", &[&[0, 2], &[2, 3], &[0, 2, 3], &[1, 2, 3]]),
    ("hemiola-family-4", &[&[0, 2], &[0, 2, 4]]),
    ("perk-4-10-6-5", &[&[0, 2], &[0, 1, 2]]),
    ("perk-4-16-10-5", &[&[1, 2], &[0, 1, 2]]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Published,
    Own,
    Polynomial,
    Family,
}

/// A method prepared for a model.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) group: Group,
    pub(crate) steps: Steps,
    /// Steps of a family in few registers, if its levels have such forms.
    pub(crate) in_registers: Option<Steps>,
    /// The numbers read and written in a step, those of evaluations not counted.
    pub(crate) traffic: f64,
}

/// Steps of a method, in low storage where it has such a form.
#[derive(Clone)]
pub(crate) enum Steps {
    Explicit(Box<Explicit>),
    LowStorage(LowStorage),
}

impl<S: System + ?Sized> Stepper<S> for Steps {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        match self {
            Self::Explicit(explicit) => explicit.step(system, t, h, y),
            Self::LowStorage(low) => low.step(system, t, h, y),
        }
    }
}

/// Returns all methods for a model with a number of widths.
pub(crate) fn all(model: &Model, widths: usize) -> Vec<Contender> {
    let published = PUBLISHED.iter().map(|id| single(id, Group::Published, model));
    let own = OWN.iter().map(|id| single(id, Group::Own, model));
    let polynomials = POLYNOMIALS.iter().map(|[stages, order]| polynomial(*stages, *order, model));
    let families = FAMILIES.iter().flat_map(|(id, choices)| {
        choices.iter().filter(|levels| levels.len() == widths).map(|levels| family(id, levels, model))
    });
    published.chain(own).chain(polynomials).chain(families).collect()
}

fn single(id: &str, group: Group, model: &Model) -> Contender {
    let method = library::method(id).unwrap();
    let (steps, traffic) = match LowStorage::new(&method, model.sizes()) {
        Some(low) => {
            let traffic = low.traffic();
            (Steps::LowStorage(low), traffic)
        }
        None => explicit(&method.to_f64(), model),
    };
    Contender { name: id.to_owned(), group, steps, in_registers: None, traffic }
}

/// Returns Horner's scheme of an optimal polynomial: Y_{j+1} = y + h β_{s−j}/β_{s−j−1} f(Y_j).
fn polynomial(stages: usize, order: usize, model: &Model) -> Contender {
    let problem = Problem::new("waves-2d:dg=3".parse().unwrap(), stages, order);
    let beta = problem.solve().unwrap().polynomial(8).unwrap().to_f64();
    let factor = |j: usize| beta[stages - j] / beta[stages - j - 1];
    let mut a = vec![vec![0.0; stages]; stages];
    (1..stages).for_each(|j| a[j][j - 1] = factor(j - 1));
    let mut b = vec![0.0; stages];
    b[stages - 1] = 1.0;
    let (steps, traffic) = explicit(&Tableau::new(vec![(a, b, None)]), model);
    Contender {
        name: format!("optimum, {stages} stages, order {order}"),
        group: Group::Polynomial,
        steps,
        in_registers: None,
        traffic,
    }
}

fn family(id: &str, levels: &[usize], model: &Model) -> Contender {
    let method = library::method(id).unwrap().selected(levels).unwrap();
    let tableau = method.to_f64();
    let counts: Vec<String> = tableau.partitions.iter().map(|part| part.evaluated_stages().len().to_string()).collect();
    let (steps, traffic) = explicit(&tableau, model);
    let in_registers = LowStorage::new(&method, model.sizes()).map(Steps::LowStorage);
    Contender { name: format!("{id}, {}", counts.join("–")), group: Group::Family, steps, in_registers, traffic }
}

/// Prepares a tableau, the same for all partitions if it has one, and counts the numbers moved: each sum reads the state and its
/// terms and writes the argument, unless the stage before wrote the same.
fn explicit(tableau: &Tableau<f64>, model: &Model) -> (Steps, f64) {
    let sizes = model.sizes();
    let parts: Vec<&Butcher<f64>> =
        (0..sizes.len()).map(|r| &tableau.partitions[r.min(tableau.partitions.len() - 1)]).collect();
    let traffic = parts.iter().zip(sizes).map(|(part, &size)| moved(part) * size as f64).sum();
    let all = Tableau { partitions: parts.into_iter().cloned().collect() };
    (Steps::Explicit(Box::new(Explicit::of_tableau(&all, model).unwrap())), traffic)
}

fn moved(part: &Butcher<f64>) -> f64 {
    let terms = |row: &[f64]| row.iter().filter(|a| **a != 0.0).count() as f64;
    let repeats = |i: usize| i > 0 && part.a[i] == part.a[i - 1];
    let rows = (1..part.stages()).filter(|&i| !repeats(i)).map(|i| terms(&part.a[i]) + 2.0);
    rows.sum::<f64>() + terms(&part.b) + 2.0
}
