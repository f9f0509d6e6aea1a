//! A method: one tableau per partition, its claims and its source.

use serde::{Deserialize, Serialize};

use crate::{Coefficient, Exact, MethodError, Scalar, Tableau};

/// A Runge–Kutta method with one or more partitions over the same stages.
///
/// A method with one partition is an ordinary Runge–Kutta method; a method with two advances a slow and a fast
/// subsystem. Every `Method` has been validated: the arrays of all partitions have the same number of stages, at
/// least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) partitions: Vec<Partition>,
    pub(crate) claims: Claims,
    pub(crate) precision: Option<Precision>,
    pub(crate) source: Source,
}

/// The coefficients of one partition: a Butcher tableau (A, b, c) of s stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The name of the partition: slow, fast, explicit, implicit, …
    pub name: String,
    /// The s×s matrix A, row by row.
    pub a: Vec<Vec<Coefficient>>,
    /// The s weights.
    pub b: Vec<Coefficient>,
    /// The s abscissae as published; `None` stands for the row sums of A.
    pub c: Option<Vec<Coefficient>>,
    /// The s weights of an embedded method.
    pub b_hat: Option<Vec<Coefficient>>,
    /// Dense output: the s×q coefficients dᵢₖ of the weights bᵢ(θ) = Σₖ dᵢₖθᵏ, k = 1 … q, which advance the
    /// solution by the fraction θ of a step (Hairer, Nørsett & Wanner 1993, §II.6).
    pub dense: Option<Vec<Vec<Coefficient>>>,
}

/// The orders that the source claims for the method. `check` verifies every claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The order for general problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<usize>,
    /// The order for separable systems, in which a partition's derivative depends only on the other partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separable_order: Option<usize>,
    /// The order of the embedded method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded_order: Option<usize>,
    /// The order of the dense output, for all θ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_order: Option<usize>,
}

/// The precision to which the coefficients are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// Number of decimal places to which coefficients written as decimals are rounded.
    pub decimals: u32,
}

impl Precision {
    /// Returns half a unit of the last stated decimal place.
    #[must_use]
    pub fn half_unit(self) -> f64 {
        0.5 * 10f64.powi(-i32::try_from(self.decimals).unwrap_or(i32::MAX))
    }
}

/// The publication of a method.
///
/// Empty authors and titles are not written, nor are other absent texts, so that reading a file restores the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The authors, as one text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub authors: String,
    /// The title of the publication.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The year of publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i64>,
    /// The digital object identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    /// The table, equation or file in the publication.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Further remarks, such as corrections, choices and the recovery of digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Method {
    /// Returns the id: lower-case words joined by hyphens, in a library equal to the file name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the partitions, at least one.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// Returns two of the partitions as a pair, with the claims of the whole method. Returns `None` if there are
    /// no such partitions, or if both are the same.
    ///
    /// ```
    /// let three = hemiola_tableau::library::method("mprk-2a23")?;
    /// let pair = three.pair([0, 2]).ok_or("three partitions")?;
    /// assert_eq!(pair.partitions()[1].name, three.partitions()[2].name);
    /// assert!(three.pair([0, 3]).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pair(&self, partitions: [usize; 2]) -> Option<Self> {
        self.selected(&partitions)
    }

    /// Returns some of the partitions as a method, with the claims of the whole method. Returns `None` for an
    /// empty selection, if there are no such partitions, or if one occurs twice.
    ///
    /// ```
    /// let family = hemiola_tableau::library::method("hemiola-family-4")?;
    /// let three = family.selected(&[0, 2, 4]).ok_or("five partitions")?;
    /// assert_eq!(three.partitions()[1].name, "level-8");
    /// assert!(family.selected(&[0, 0]).is_none() && family.selected(&[0, 5]).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn selected(&self, partitions: &[usize]) -> Option<Self> {
        let is_new = |k: usize| !partitions[..k].contains(&partitions[k]);
        if !(0..partitions.len()).all(is_new) || partitions.is_empty() {
            return None;
        }
        let chosen: Option<Vec<Partition>> = partitions.iter().map(|&k| self.partitions.get(k).cloned()).collect();
        Some(Self { partitions: chosen?, ..self.clone() })
    }

    /// Returns the claims of the source about the method.
    #[must_use]
    pub fn claims(&self) -> Claims {
        self.claims
    }

    /// Returns the stated precision of the coefficients, or `None` if no precision is stated.
    #[must_use]
    pub fn precision(&self) -> Option<Precision> {
        self.precision
    }

    /// Returns the publication of the method.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the number of stages s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.partitions[0].b.len()
    }

    /// Returns the coefficients as exact numbers.
    ///
    /// ```
    /// let method = hemiola_tableau::library::method("rk4").unwrap();
    /// let b = &method.exact().partitions[0].b;
    /// assert_eq!(b[1].to_string(), "1/3");
    /// ```
    #[must_use]
    pub fn exact(&self) -> Tableau<Exact> {
        self.tableau(|coefficient| coefficient.value().clone())
    }

    /// Returns the coefficients as the nearest doubles.
    #[must_use]
    pub fn to_f64(&self) -> Tableau<f64> {
        self.tableau(|coefficient| coefficient.value().to_f64())
    }

    /// Converts the coefficients to another number type. Abscissae that the file does not give are row sums.
    pub fn tableau<T: Scalar>(&self, convert: impl Fn(&Coefficient) -> T) -> Tableau<T> {
        let vector = |coefficients: &[Coefficient]| coefficients.iter().map(&convert).collect::<Vec<T>>();
        let partitions = self.partitions.iter().map(|partition| {
            let a = partition.a.iter().map(|row| vector(row)).collect();
            let c = partition.c.as_deref().map(vector);
            (a, vector(&partition.b), c)
        });
        Tableau::new(partitions.collect())
    }

    /// Returns one partition as a separate method without claims, or `None` if there is no such partition.
    #[must_use]
    pub fn partition_alone(&self, partition: usize) -> Option<Self> {
        let partitions = vec![self.partitions.get(partition)?.clone()];
        Some(Self { partitions, claims: Claims::default(), ..self.clone() })
    }

    /// Returns the method with another id.
    ///
    /// # Errors
    /// [`MethodError::Invalid`] unless the id consists of lower-case words joined by hyphens.
    pub fn with_id(self, id: &str) -> Result<Self, MethodError> {
        Self { id: id.to_owned(), ..self }.validated("the new method")
    }

    /// Returns the method without its stated precision, so that the digits of the coefficients decide.
    #[must_use]
    pub fn without_precision(self) -> Self {
        Self { precision: None, ..self }
    }

    /// Returns the method with the embedded weights b̂ in place of b, if every partition has them.
    #[must_use]
    pub fn embedded(&self) -> Option<Self> {
        let mut method = self.clone();
        for partition in &mut method.partitions {
            partition.b = partition.b_hat.take()?;
            // The polynomials of the dense output end in the weights b.
            partition.dense = None;
        }
        method.claims = Claims { order: self.claims.embedded_order, ..Claims::default() };
        Some(method)
    }
}
