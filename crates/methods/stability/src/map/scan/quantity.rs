//! Functions of S that are mapped.

use num_complex::Complex64;

use super::spectrum::Entries;
use crate::lanes::{ComplexLanes, LANES, RealLanes};
use crate::map::scan::exponential;

/// Quantity of S that a map shows at each point; infinite, never NaN, at poles and where S or e^Z overflow.
///
/// ```
/// use hemiola_stability::{Field, Quantity, Scan, Slice};
/// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64();
/// let scan = Scan::new(&pair, Slice::ray(5.0, 0.01))?;
/// let value = |quantity| scan.clone().quantity(quantity).at(-0.01, 0.02);
/// assert!(value(Quantity::Smaller) < value(Quantity::Radius));
/// // The order is two: the error of a step is of the size |Z|³, and ρ(S) is close to ρ(e^Z).
/// assert!(value(Quantity::Error) < 1e-4 && (value(Quantity::Growth) - 1.0).abs() < 1e-4);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// Spectral radius ρ(S), the larger modulus of the eigenvalues.
    #[default]
    Radius,
    /// Smaller modulus of the eigenvalues, |det S|/ρ(S).
    Smaller,
    /// |tr S − 1|, which is |R| of the additive problem y' = λ₁y + λ₂y, with z_ss = hλ₁, z_ff = hλ₂ and w = z_ss z_ff.
    ///
    /// The additive method (Ascher, Ruuth & Spiteri 1997) is the partitioned one applied to y_s' = λ₁(y_s + y_f),
    /// y_f' = λ₂(y_s + y_f), y = y_s + y_f. All stages then depend on y_s + y_f alone, so S = I + v(1, 1) with some
    /// vector v. Its eigenvalues are 1 and R = 1 + v_s + v_f = tr S − 1, and y⁺ = (1, 1)S(y_s, y_f) = R y.
    Additive,
    /// Relative growth ρ(S)/ρ(e^Z), above one where the method damps less than the problem: the order star (Wanner,
    /// Hairer & Nørsett 1978) for systems.
    ///
    /// ρ(e^Z) = exp(max Re λ) enters through its logarithm and does not overflow.
    Growth,
    /// Error ‖S − e^Z‖ in the Frobenius norm, with the couplings scaled to z_sf = z_fs = √w.
    Error,
}

/// Output requested for each point.
#[derive(Clone, Copy, Debug)]
pub(super) enum MapQuery {
    Value(Quantity),
    /// One where ρ(S) is at most the reciprocal of this number, zero elsewhere.
    Stable(f64),
}

impl MapQuery {
    /// Returns the quantity on which the query depends.
    pub(super) fn quantity(self) -> Quantity {
        match self {
            Self::Value(quantity) => quantity,
            Self::Stable(_) => Quantity::Radius,
        }
    }

    /// Returns the level that separates the answers.
    pub(super) fn level(self) -> f64 {
        match self {
            Self::Value(_) => 1.0,
            Self::Stable(shrink) => shrink.recip(),
        }
    }

    /// Returns the answer for a value of the quantity.
    pub(super) fn answer(self, value: f64) -> f64 {
        match self {
            Self::Value(_) => value,
            Self::Stable(_) => f64::from(u8::from(value <= self.level())),
        }
    }
}

/// Computes ρ(S)/ρ(e^Z).
pub(super) fn growth(radii: RealLanes, z: &[ComplexLanes; 3]) -> RealLanes {
    each(|lane| relative_growth(radii.0[lane], exponential::growth_rate(z.map(|z| z.lane(lane)))))
}

/// Computes modulus/e^rate by logarithms: neither e^rate nor its inverse need be in the range of doubles.
pub(crate) fn relative_growth(modulus: f64, rate: f64) -> f64 {
    let growth = (modulus.ln() - rate).exp();
    if growth.is_nan() { f64::INFINITY } else { growth }
}

/// Computes ‖S − e^Z‖ for equal couplings.
pub(super) fn error(s: &Entries, z: &[ComplexLanes; 3]) -> RealLanes {
    each(|lane| {
        let [ss, sf, fs, ff] = s.each_ref().map(|entry| entry.lane(lane));
        let error = exponential::distance(&[[ss, sf], [fs, ff]], z.map(|z| z.lane(lane)));
        if error.is_nan() { f64::INFINITY } else { error }
    })
}

fn each(value: impl Fn(usize) -> f64) -> RealLanes {
    let mut values = [0.0; LANES];
    for lane in 0..LANES {
        values[lane] = value(lane);
    }
    RealLanes(values)
}

/// Rescales S from another z_sf to equal couplings z_sf = z_fs = √w: the coupling entries of S scale like those of Z.
pub(super) fn balanced([ss, mut sf, mut fs, ff]: Entries, upper: ComplexLanes, product: ComplexLanes) -> Entries {
    for lane in 0..LANES {
        let root = product.lane(lane).sqrt();
        let factor = if root == Complex64::ZERO { root } else { root / upper.lane(lane) };
        sf.set_lane(lane, sf.lane(lane) * factor);
        // Without coupling both entries are zero after scaling.
        fs.set_lane(lane, if root == Complex64::ZERO { root } else { fs.lane(lane) / factor });
    }
    [ss, sf, fs, ff]
}
