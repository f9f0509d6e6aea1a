//! Damping of a method along rays, and the growth just beyond the limits.

use hemiola_tableau::Method;
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::function::exact::ExactStability;
use crate::function::limit::Limit;

/// Values of |R_r| along the ray z = t(−ζ + i√(1−ζ²)) of oscillations with damping ratio ζ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampedRay {
    /// Damping ratio ζ: 0 is the imaginary axis, 1 the negative real axis.
    pub damping: f64,
    /// Limit L, the first exit from |R| ≤ 1.
    pub limit: Limit,
    /// Moduli and slope, if the limit is finite.
    pub at_limit: Option<LimitModuli>,
}

/// Values of |R| before a limit L, and its slope there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitModuli {
    /// Value of |R| at L/2.
    pub half: f64,
    /// Value of |R| at 0.9 L.
    pub nine_tenths: f64,
    /// Slope d|R|/dt at L: the rate at which a larger step becomes unstable.
    pub slope: f64,
}

/// Computes the damping of partition `partition` along the ray with damping ratio ζ.
///
/// ```
/// use hemiola_stability::damped_ray;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap();
/// let ray = damped_ray(&euler, 0, 1.0)?;
/// let at = ray.at_limit.unwrap();
/// assert_eq!((ray.limit.value(), at.half, at.slope), (2.0, 0.0, 1.0));
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::OutOfRange`] if ζ is not between 0 and 1, [`StabilityError::WrongSize`] if there is no
/// such partition.
pub fn damped_ray(method: &Method, partition: usize, damping: f64) -> Result<DampedRay, StabilityError> {
    ExactStability::new(method, partition)?.damped_ray(damping)
}

impl ExactStability {
    /// Computes the damping along the ray with damping ratio ζ; see [`damped_ray`].
    ///
    /// # Errors
    /// Returns [`StabilityError::OutOfRange`] if ζ is not between 0 and 1.
    pub fn damped_ray(&self, damping: f64) -> Result<DampedRay, StabilityError> {
        if !(0.0..=1.0).contains(&damping) {
            return Err(StabilityError::OutOfRange { name: "the damping", value: damping, expected: "0 ≤ ζ ≤ 1" });
        }
        let direction = Complex64::new(-damping, ((1.0 - damping) * (1.0 + damping)).sqrt());
        let (ray, exit) = self.exit_along(direction)?;
        let limit = Limit::at(exit);
        let at_limit = match limit {
            Limit::Unbounded => None,
            Limit::Finite(limit) => Some(LimitModuli {
                half: ray.modulus(limit / 2.0),
                nine_tenths: ray.modulus(0.9 * limit),
                slope: ray.slope(limit),
            }),
        };
        Ok(DampedRay { damping, limit, at_limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::rational::StabilityFunction;
    use hemiola_tableau::library;

    #[test]
    fn slopes_are_those_of_differences() {
        for (id, partition, damping) in
            [("rk4", 0, 0.0), ("rk4", 0, 1.0), ("shome-haug-jay-2-5", 1, 0.05), ("lobatto-iiic-star-3", 0, 0.3)]
        {
            let method = library::method(id).unwrap();
            let ray = damped_ray(&method, partition, damping).unwrap();
            let (limit, at) = (ray.limit.value(), ray.at_limit.unwrap());
            let function = StabilityFunction::new(&method.to_f64().partitions[partition]);
            let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
            let modulus = |t: f64| function.at(u * t).norm();
            let h = 1e-5 * limit;
            let difference = (modulus(limit + h) - modulus(limit - h)) / (2.0 * h);
            assert!((at.slope - difference).abs() < 1e-6 * (1.0 + difference.abs()), "{id}: {} {difference}", at.slope);
            assert!((at.half - modulus(limit / 2.0)).abs() < 1e-7 && at.half < 1.0, "{id}");
            assert!((at.nine_tenths - modulus(0.9 * limit)).abs() < 1e-7, "{id}");
        }
    }

    #[test]
    fn unbounded_rays_have_nothing_at_their_limit() {
        let method = library::method("gauss-2").unwrap();
        assert_eq!(
            damped_ray(&method, 0, 0.2).unwrap(),
            DampedRay { damping: 0.2, limit: Limit::Unbounded, at_limit: None }
        );
        assert!(matches!(damped_ray(&method, 0, 1.5), Err(StabilityError::OutOfRange { .. })));
        assert!(matches!(damped_ray(&method, 1, 0.5), Err(StabilityError::WrongSize { .. })));
    }
}
