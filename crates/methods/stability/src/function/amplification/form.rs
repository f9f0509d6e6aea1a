//! Amplification of rounding errors by a step as a low-storage form executes it.

use hemiola_tableau::low_storage::{StorageClass, StorageForm};
use hemiola_tableau::{Exact, Method, Scalar};
use num_complex::{Complex, Complex64};
use num_traits::Num;

use crate::error::StabilityError;
use crate::function::limit::{Limit, stability_limit};

/// Number of points on each axis, without the origin.
const SAMPLES: u32 = 400;

/// Computes the largest factor with which a form multiplies the rounding errors of its registers, for hλ on the negative
/// real and the positive imaginary axis up to the limits of the partition. Each axis is sampled at 400 points.
///
/// ```
/// use hemiola_stability::form_amplification_on_axes;
/// use hemiola_tableau::{library, low_storage::{StorageClass, storage_form}};
/// let method = library::method("williamson-3")?;
/// let found = storage_form(&method, 0, StorageClass::TwoN).ok_or("2N")?;
/// let factor = form_amplification_on_axes(&method, 0, &found.form)?;
/// assert!(factor > 1.0 && factor < 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`stability_limit`].
pub fn form_amplification_on_axes(
    method: &Method,
    partition: usize,
    form: &StorageForm,
) -> Result<f64, StabilityError> {
    let mut places = vec![Complex64::ZERO];
    for direction in [Complex64::I, -Complex64::ONE] {
        if let Limit::Finite(limit) = stability_limit(method, partition, direction)? {
            let step = limit / f64::from(SAMPLES);
            places.extend((1..=SAMPLES).map(|k| direction * (f64::from(k) * step)));
        }
    }
    Ok(form_amplification(form, &places))
}

/// Computes the largest factor with which a form multiplies the rounding errors of its registers, over given points z = hλ.
///
/// An assignment to a register sums terms such as γ₂S₂, and its rounding error is proportional to their moduli. The factor
/// of an assignment is the sum of these moduli, relative to |uₙ|, times |∂uₙ₊₁/∂S|: the change of the step by a change
/// of the register. Unlike the amplification of perturbed stages ([`spectral_amplification`]) it depends on the form and
/// not on the tableau alone: terms that cancel are large.
///
/// ```
/// use hemiola_stability::form_amplification;
/// use hemiola_tableau::{Exact, low_storage::{StorageClass, StorageForm}};
/// use num_complex::Complex64;
/// // The explicit Euler method: u + zu at z = −2.
/// let form = StorageForm::new(StorageClass::TwoN, vec![vec![Exact::from(0)], vec![Exact::from(1)]])?;
/// assert_eq!(form_amplification(&form, &[Complex64::from(-2.0)]), 3.0);
/// # Ok::<(), hemiola_tableau::low_storage::StorageError>(())
/// ```
///
/// [`spectral_amplification`]: crate::spectral_amplification
#[must_use]
pub fn form_amplification(form: &StorageForm, places: &[Complex64]) -> f64 {
    let form = form.converted(Exact::to_f64);
    let assignments = assignments(&form);
    let factor = |terms: &Vec<Complex64>| terms.iter().map(|term| term.norm()).sum::<f64>();
    let at = |&z: &Complex64| products(&assignments, form.class(), z).iter().map(factor).fold(0.0, f64::max);
    places.iter().map(at).fold(0.0, f64::max)
}

/// Computes, for each assignment that rounds, its terms times ∂uₙ₊₁/∂S, relative to uₙ: the numbers whose moduli
/// [`form_amplification`] sums. They are differentiable with respect to the coefficients of the form.
///
/// ```
/// use hemiola_stability::register_terms;
/// use hemiola_tableau::{Exact, low_storage::{StorageClass, StorageForm}};
/// use num_complex::Complex64;
/// let form = StorageForm::new(StorageClass::TwoN, vec![vec![Exact::from(0)], vec![Exact::from(1)]])?;
/// let terms = register_terms(&form.converted(Exact::to_f64), Complex64::from(-2.0));
/// // The derivative hf = −2u, and the sum u + hf.
/// assert_eq!(terms.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), hemiola_tableau::low_storage::StorageError>(())
/// ```
#[must_use]
pub fn register_terms<T: Scalar + Num + From<f64>>(form: &StorageForm<T>, z: Complex64) -> Vec<Vec<Complex<T>>> {
    products(&assignments(form), form.class(), z)
}

/// The assignment of a sum to a register.
struct Assignment<T> {
    target: usize,
    terms: Vec<Term<T>>,
}

/// A term of an assignment with its value.
type Summand<T> = (Term<T>, Complex<T>);

/// A coefficient times a register, or times hf of it.
#[derive(Clone)]
struct Term<T> {
    factor: T,
    register: usize,
    is_derivative: bool,
}

/// The register of the solution.
const SOLUTION: usize = 0;

fn term<T>(factor: T, register: usize) -> Term<T> {
    Term { factor, register, is_derivative: false }
}

fn derivative<T>(factor: T, register: usize) -> Term<T> {
    Term { factor, register, is_derivative: true }
}

/// Lists the assignments of a step in their order.
fn assignments<T: Scalar>(form: &StorageForm<T>) -> Vec<Assignment<T>> {
    let vectors: Vec<&[T]> = form.vectors().into_iter().map(|(_, vector)| vector).collect();
    let s = form.stages();
    match form.class() {
        StorageClass::TwoN => (0..s).flat_map(|i| of_2n(&vectors, i)).collect(),
        StorageClass::Houwen(registers) => of_houwen(&vectors, s, registers),
        class => (0..s).flat_map(|i| of_2s(&vectors, class, i)).collect(),
    }
}

/// Returns dU ← AᵢdU + hf(U), U ← U + BᵢdU; dU is register 1.
fn of_2n<T: Scalar>(vectors: &[&[T]], i: usize) -> Vec<Assignment<T>> {
    let change = vec![term(vectors[0][i].clone(), 1), derivative(T::one(), SOLUTION)];
    let sum = vec![term(T::one(), SOLUTION), term(vectors[1][i].clone(), 1)];
    vec![Assignment { target: 1, terms: change }, Assignment { target: SOLUTION, terms: sum }]
}

/// Returns S₂ ← S₂ + δᵢS₁, S₁ ← γᵢ₁S₁ + γᵢ₂S₂ + γᵢ₃S₃ + βᵢhf(S₁), as far as the class has these terms.
fn of_2s<T: Scalar>(vectors: &[&[T]], class: StorageClass, i: usize) -> Vec<Assignment<T>> {
    let registers = if class == StorageClass::ThreeSStar { 3 } else { 2 };
    let mut terms: Vec<Term<T>> = (0..registers).map(|r| term(vectors[r][i].clone(), r)).collect();
    terms.push(derivative(vectors[registers][i].clone(), SOLUTION));
    let sum = vectors
        .get(registers + 1)
        .map(|delta| Assignment { target: 1, terms: vec![term(T::one(), 1), term(delta[i].clone(), SOLUTION)] });
    sum.into_iter().chain([Assignment { target: SOLUTION, terms }]).collect()
}

/// Returns the assignments of a method of van der Houwen type: the stage U = X + Σ aᵢⱼhkⱼ in register 1 from the last
/// m − 1 derivatives, in the registers after it, the newest first; X ← X + bⱼhkⱼ for the oldest of them.
fn of_houwen<T: Scalar>(vectors: &[&[T]], s: usize, registers: usize) -> Vec<Assignment<T>> {
    let (b, kept) = (vectors[0], registers - 1);
    let mut all = Vec::new();
    for i in 0..s {
        let earlier = (1..=kept.min(i)).map(|d| term(vectors[d][i - d].clone(), 1 + d));
        all.push(Assignment { target: 1, terms: [term(T::one(), SOLUTION)].into_iter().chain(earlier).collect() });
        if let Some(oldest) = i.checked_sub(kept) {
            let terms = vec![term(T::one(), SOLUTION), term(b[oldest].clone(), 1 + kept)];
            all.push(Assignment { target: SOLUTION, terms });
        }
        let shift = |d: usize| Assignment { target: 1 + d, terms: vec![term(T::one(), d)] };
        all.extend((2..=kept.min(i + 1)).rev().map(shift));
        all.push(Assignment { target: 2, terms: vec![derivative(T::one(), 1)] });
    }
    let rest = (0..kept.min(s)).map(|d| term(b[s - 1 - d].clone(), 2 + d));
    all.push(Assignment { target: SOLUTION, terms: [term(T::one(), SOLUTION)].into_iter().chain(rest).collect() });
    all
}

/// Computes the products of [`register_terms`]: the terms by a run of the step, their factors backwards from its result.
fn products<T: Scalar + Num + From<f64>>(
    assignments: &[Assignment<T>],
    class: StorageClass,
    z: Complex64,
) -> Vec<Vec<Complex<T>>> {
    let z = Complex::new(T::from(z.re), T::from(z.im));
    let one = || Complex::new(T::one(), T::zero());
    let count = assignments.iter().map(|assignment| assignment.target + 1).fold(3, usize::max);
    // A register without content is zero.
    let mut content: Vec<Option<Complex<T>>> = vec![None; count];
    content[SOLUTION] = Some(one());
    match class {
        StorageClass::TwoSStar => content[1] = Some(one()),
        StorageClass::ThreeSStar => content[2] = Some(one()),
        _ => {}
    }
    let factor = |term: &Term<T>| {
        let factor = Complex::new(term.factor.clone(), T::zero());
        if term.is_derivative { factor * z.clone() } else { factor }
    };
    let run = |assignment: &Assignment<T>| {
        let present = |term: &Term<T>| Some((term.clone(), factor(term) * content[term.register].clone()?));
        let terms: Vec<Summand<T>> = assignment.terms.iter().filter_map(present).collect();
        let sum = terms.iter().fold(Complex::new(T::zero(), T::zero()), |sum, (_, value)| sum + value.clone());
        content[assignment.target] = Some(sum);
        terms
    };
    let values: Vec<Vec<Summand<T>>> = assignments.iter().map(run).collect();
    let mut slopes: Vec<Complex<T>> = vec![Complex::new(T::zero(), T::zero()); count];
    slopes[SOLUTION] = one();
    let back = |(assignment, terms): (&Assignment<T>, &Vec<Summand<T>>)| {
        let slope = std::mem::replace(&mut slopes[assignment.target], Complex::new(T::zero(), T::zero()));
        for (term, _) in terms {
            let sum = slopes[term.register].clone() + slope.clone() * factor(term);
            slopes[term.register] = sum;
        }
        let is_copy = |(term, _): &Summand<T>| term.factor.is_zero() || (term.factor.is_one() && !term.is_derivative);
        let copies = terms.iter().all(is_copy) && terms.iter().filter(|(term, _)| !term.factor.is_zero()).count() == 1;
        (!copies).then(|| terms.iter().map(|(_, value)| slope.clone() * value.clone()).collect())
    };
    let mut products: Vec<Vec<Complex<T>>> = assignments.iter().zip(&values).rev().filter_map(back).collect();
    products.reverse();
    products
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use hemiola_tableau::library;
    use hemiola_tableau::low_storage::{StorageFamily, storage_form};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Executes a step in the arithmetic of T, class by class, as a user's code does.
    fn step<T: num_traits::Float + num_traits::FromPrimitive>(
        form: &StorageForm,
        z: Complex64,
        u: Complex64,
    ) -> Complex64 {
        let convert = |x: f64| T::from_f64(x).unwrap();
        let complex = |x: Complex64| Complex::new(convert(x.re), convert(x.im));
        let v: Vec<Vec<T>> =
            form.vectors().iter().map(|(_, vector)| vector.iter().map(|x| convert(x.to_f64())).collect()).collect();
        let (z, start, s) = (complex(z), complex(u), form.stages());
        let f = |u: Complex<T>| u * z;
        let mut u = start;
        match form.class() {
            StorageClass::TwoN => {
                let mut du = Complex::new(T::zero(), T::zero());
                for i in 0..s {
                    du = du * v[0][i] + f(u);
                    u = u + du * v[1][i];
                }
            }
            StorageClass::Houwen(registers) => {
                assert_eq!(registers, 2, "the test has two registers");
                let mut x = start;
                for i in 0..s {
                    let k = f(u);
                    u = x + k * *v[1].get(i).unwrap_or(&T::zero());
                    x = x + k * v[0][i];
                }
                u = x;
            }
            StorageClass::TwoSStar => {
                for i in 0..s {
                    u = u * v[0][i] + start * v[1][i] + f(u) * v[2][i];
                }
            }
            class => {
                let mut s2 = Complex::new(T::zero(), T::zero());
                let third = class == StorageClass::ThreeSStar;
                let beta = if third { 3 } else { 2 };
                for i in 0..s {
                    s2 = s2 + u * v[beta + 1][i];
                    let more = if third { start * v[2][i] } else { Complex::new(T::zero(), T::zero()) };
                    u = u * v[0][i] + s2 * v[1][i] + more + f(u) * v[beta][i];
                }
            }
        }
        let double = |x: T| x.to_f64().unwrap();
        Complex64::new(double(u.re), double(u.im))
    }

    /// Returns the root mean square of the errors of steps in single precision, in units of 2⁻²⁴|u|.
    fn measured(form: &StorageForm, z: Complex64) -> f64 {
        const STEPS: u32 = 400;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut sum = 0.0;
        for _ in 0..STEPS {
            let u = Complex64::from_polar(1.0 + random.random::<f64>(), 2.0 * PI * random.random::<f64>());
            // The initial value and hλ are the same numbers in both runs.
            let single = |x: f64| f64::from(x as f32);
            let [u, z] = [u, z].map(|x| Complex64::new(single(x.re), single(x.im)));
            sum += (step::<f32>(form, z, u) - step::<f64>(form, z, u)).norm_sqr() / u.norm_sqr();
        }
        (sum / f64::from(STEPS)).sqrt() * 2f64.powi(24)
    }

    fn form(id: &str, class: StorageClass) -> StorageForm {
        storage_form(&library::method(id).unwrap(), 0, class).unwrap().form
    }

    /// Multiplies δ₂, δ₃, … of a form 3S* by a number, without a change of its tableau.
    fn rescaled(form: &StorageForm, scale: f64) -> StorageForm {
        let by = Exact::from_f64(scale).unwrap();
        let vectors: Vec<Vec<Exact>> = form.vectors().into_iter().map(|(_, vector)| vector.to_vec()).collect();
        let s = form.stages();
        let [first, second, _, beta, delta] = <[Vec<Exact>; 5]>::try_from(vectors).unwrap();
        let x = (0..s).map(|i| first[i].clone() + second[i].clone() * delta[i].clone());
        let scaled =
            delta[..s].iter().enumerate().map(|(i, d)| if i == 0 { d.clone() } else { d.clone() * by.clone() });
        let inverse = by.reciprocal().unwrap();
        let g = second.iter().map(|g| g.clone() * inverse.clone());
        let parameters: Vec<_> = beta.iter().cloned().chain(scaled).chain(g).chain(x).collect();
        let family = StorageFamily { class: StorageClass::ThreeSStar, stages: s, has_embedded: false };
        family.form(&parameters).unwrap()
    }

    #[test]
    fn single_precision_loses_what_the_amplification_says() {
        let parsani = form("parsani-ketcheson-deconinck-9-4", StorageClass::ThreeSStar);
        let forms = [
            ("Williamson", form("williamson-3", StorageClass::TwoN), 1.5),
            ("Carpenter and Kennedy", form("carpenter-kennedy-5-4", StorageClass::TwoN), 3.0),
            ("2R", form("kennedy-carpenter-lewis-4-3-5-2rc", StorageClass::Houwen(2)), 3.0),
            ("2S*", form("ssp-rk-3-3", StorageClass::TwoSStar), 1.5),
            ("2S", form("ssp-rk-10-4", StorageClass::TwoS), 4.0),
            ("3S*", parsani.clone(), 4.0),
            ("3S*, badly scaled", rescaled(&parsani, 1e-3), 4.0),
            ("Niegemann", form("niegemann-diehl-busch-14-4", StorageClass::TwoN), 5.0),
        ];
        for (name, form, size) in forms {
            for direction in [Complex64::I, -Complex64::ONE, Complex64::from_polar(1.0, 2.0)] {
                let z = direction * size;
                let (predicted, found) = (form_amplification(&form, &[z]), measured(&form, z));
                // Each of some tens of roundings contributes at most the amplification, and the largest one a part of it.
                assert!(found > 0.03 * predicted && found < 3.0 * predicted, "{name} at {z}: {found} for {predicted}");
            }
        }
    }

    #[test]
    fn the_same_tableau_loses_more_in_a_badly_scaled_form() {
        let good = form("parsani-ketcheson-deconinck-9-4", StorageClass::ThreeSStar);
        let bad = rescaled(&good, 1e-3);
        assert!(good.butcher() == bad.butcher());
        let z = [Complex64::new(-1.0, 2.0)];
        assert!(form_amplification(&bad, &z) > 50.0 * form_amplification(&good, &z));
        assert!(measured(&bad, z[0]) > 20.0 * measured(&good, z[0]));
    }
}
