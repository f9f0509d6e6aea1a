//! The first stage of the next step, appended as a last stage.

use hemiola_tableau::{Coefficient, Method, MethodError, Partition};

use crate::completion::method::text;
use crate::error::DesignError;
use crate::pair::first_same_as_last::is_first_same_as_last;

/// Returns whether the first stage of the next step can be appended as a last stage.
///
/// It must be explicit in all partitions and must not yet be the last stage.
///
/// ```
/// use hemiola_design::allows_extra_stage;
/// let allows = |id: &str| allows_extra_stage(&hemiola_tableau::library::method(id).unwrap());
/// assert!(allows("rk4") && !allows("dormand-prince-5") && !allows("gauss-2"));
/// ```
#[must_use]
pub fn allows_extra_stage(method: &Method) -> bool {
    let exact = method.exact();
    let is_explicit = exact.partitions.iter().all(|part| part.a[0].iter().all(num_traits::Zero::is_zero));
    is_explicit && !is_first_same_as_last(&exact)
}

/// Returns the method with one more stage whose rows are the weights.
pub(crate) fn with_extra_stage(method: &Method) -> Result<Method, DesignError> {
    if !allows_extra_stage(method) {
        return Err(DesignError::OutOfRange {
            name: "the extra stage",
            found: "no evaluation that the next step can reuse".to_owned(),
            expected: "a method whose first stage is explicit in all partitions and differs from the last stage of the previous step",
        });
    }
    let zero = || text("0");
    let longer = |row: &Vec<Coefficient>| -> Result<Vec<Coefficient>, MethodError> {
        let mut row = row.clone();
        row.push(zero()?);
        Ok(row)
    };
    let extend = |partition: &Partition| -> Result<Partition, MethodError> {
        let a = partition.a.iter().chain([&partition.b]).map(longer).collect::<Result<_, _>>()?;
        let mut c = partition.c.clone();
        if let Some(c) = &mut c {
            c.push(text("1")?);
        }
        let (b, b_hat) = (longer(&partition.b)?, partition.b_hat.as_ref().map(longer).transpose()?);
        let degree = partition.dense.as_ref().map_or(0, |dense| dense[0].len());
        let mut dense = partition.dense.clone();
        if let Some(dense) = &mut dense {
            dense.push((0..degree).map(|_| zero()).collect::<Result<_, _>>()?);
        }
        Ok(Partition { name: partition.name.clone(), a, b, c, b_hat, dense })
    };
    let partitions = method.partitions().iter().map(extend).collect::<Result<_, _>>()?;
    let (claims, source) = (method.claims(), method.source().clone());
    Ok(Method::new(method.id(), method.name(), partitions, claims, method.precision(), source)?)
}
