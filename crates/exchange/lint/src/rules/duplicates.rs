//! Methods with the same coefficients under different names, up to precision and a permutation of the stages.

use hemiola_tableau::{Method, Tableau};

/// A method in double precision, with the uncertainty of its coefficients.
pub(crate) struct RoundedTableau {
    values: Tableau<f64>,
    uncertainties: Tableau<f64>,
}

/// The relation between two methods with the same coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StageMatch {
    /// Whether the stages are in the same sequence.
    pub(crate) in_sequence: bool,
}

impl RoundedTableau {
    pub(crate) fn new(method: &Method) -> Self {
        Self { values: method.to_f64(), uncertainties: method.uncertainties() }
    }

    /// Compares (A, b, c) of all partitions with another method's, up to a permutation of the stages.
    ///
    /// Returns `None` if they differ by more than their uncertainties.
    pub(crate) fn match_stages(&self, other: &Self) -> Option<StageMatch> {
        let (s, parts) = (self.values.stages(), self.values.partitions.len());
        if s != other.values.stages() || parts != other.values.partitions.len() {
            return None;
        }
        let mut sequence = Vec::with_capacity(s);
        let mut tried = 0;
        self.extend(other, &mut sequence, &mut tried)
            .then(|| StageMatch { in_sequence: sequence.iter().enumerate().all(|(i, j)| i == *j) })
    }

    /// Matches the remaining stages by backtracking. A match is kept if it agrees in all entries shared with the
    /// stages matched before.
    fn extend(&self, other: &Self, sequence: &mut Vec<usize>, tried: &mut usize) -> bool {
        /// Bounds the backtracking: few stages agree in everything, so more trials mean that no permutation fits.
        const MOST_TRIALS: usize = 100_000;
        let (i, s) = (sequence.len(), self.values.stages());
        if i == s {
            return true;
        }
        // Try the same position first.
        for j in std::iter::once(i).chain((0..s).filter(|j| *j != i)) {
            *tried += 1;
            if *tried > MOST_TRIALS {
                return false;
            }
            if sequence.contains(&j) || !self.fits(other, sequence, i, j) {
                continue;
            }
            sequence.push(j);
            if self.extend(other, sequence, tried) {
                return true;
            }
            sequence.pop();
        }
        false
    }

    /// Returns whether stage i matches the other's stage j, given the stages matched so far.
    fn fits(&self, other: &Self, sequence: &[usize], i: usize, j: usize) -> bool {
        let all = self.values.partitions.iter().zip(&self.uncertainties.partitions);
        let others = other.values.partitions.iter().zip(&other.uncertainties.partitions);
        all.zip(others).all(|((x, u), (y, v))| {
            near(x.b[i], y.b[j], u.b[i] + v.b[j])
                // The error of a row sum is bounded by the sum of the errors of its terms.
                && near(x.c[i], y.c[j], u.c[i] + v.c[j] + sum(&u.a[i]) + sum(&v.a[j]))
                && near(x.a[i][i], y.a[j][j], u.a[i][i] + v.a[j][j])
                && sequence.iter().enumerate().all(|(k, &l)| {
                    near(x.a[i][k], y.a[j][l], u.a[i][k] + v.a[j][l])
                        && near(x.a[k][i], y.a[l][j], u.a[k][i] + v.a[l][j])
                })
        })
    }
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// Returns whether two doubles agree within an uncertainty.
///
/// Each double is rounded by half a unit in its last place, and their difference is rounded once more.
fn near(x: f64, y: f64, uncertainty: f64) -> bool {
    (x - y).abs() <= uncertainty * (1.0 + 1e-9) + 2.0 * f64::EPSILON * x.abs().max(y.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library::method;

    fn shape(text: &str) -> RoundedTableau {
        RoundedTableau::new(&Method::from_json(text.as_bytes(), "a test").unwrap())
    }

    #[test]
    fn other_digits_and_sequences_are_the_same_method() {
        let plain = RoundedTableau::new(&method("heun-3").unwrap());
        let of = |a: &str, b: &str, precision: &str| {
            shape(&format!(
                r#"{{"format": "hemiola-method/1", "id": "x", "name": "x", {precision} "partitions": [{{"name": "all", "a": {a}, "b": {b}}}]}}"#
            ))
        };
        // Heun's third-order method: c = 0, 1/3, 2/3.
        let rounded = of(
            r#"[["0","0","0"],["0.33333333","0","0"],["0","0.66666667","0"]]"#,
            r#"["0.25","0","0.75"]"#,
            r#""precision": {"decimals": 8},"#,
        );
        assert_eq!(plain.match_stages(&rounded), Some(StageMatch { in_sequence: true }));
        // One unit too many in the eighth decimal.
        let off = of(
            r#"[["0","0","0"],["0.33333335","0","0"],["0","0.66666667","0"]]"#,
            r#"["0.25","0","0.75"]"#,
            r#""precision": {"decimals": 8},"#,
        );
        assert_eq!(plain.match_stages(&off), None);
        // The same method with its last stage first.
        let turned = of(r#"[["0","0","2/3"],["0","0","0"],["0","1/3","0"]]"#, r#"["3/4","1/4","0"]"#, "");
        assert_eq!(plain.match_stages(&turned), Some(StageMatch { in_sequence: false }));
        assert_eq!(plain.match_stages(&RoundedTableau::new(&method("kutta-3").unwrap())), None);
    }
}
