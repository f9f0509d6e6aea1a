//! Compromises of a front with their properties.

use std::path::Path;
use std::time::Duration;

use hemiola::design::{Compromise, DesignFile, Objective, Specification, Stability};
use hemiola::polynomial::Axis;
use hemiola::stability::{CoupledProfile, ProfileValue, coupled_profile};
use serde_json::{Value, json};

use crate::commands::design::files::DesignFiles;
use crate::failure::Failure;

use hemiola::design::findings::limits;

/// Front whose files have been written.
pub(crate) struct Front<'a> {
    pub(crate) file: &'a DesignFile,
    pub(crate) files: &'a DesignFiles,
    /// Number of emphases tried.
    pub(crate) asked: usize,
    pub(crate) points: Vec<FrontPoint>,
    pub(crate) time: Duration,
    pub(crate) interrupted: bool,
}

/// Compromise with its properties.
pub(crate) struct FrontPoint {
    pub(crate) id: String,
    pub(crate) files: DesignFiles,
    pub(crate) compromise: Compromise,
    /// Limit along the axis of the fast partition's polynomial.
    pub(crate) fast_limit: f64,
    /// Profile at the strengths with a target value.
    pub(crate) profile: Option<CoupledProfile>,
}

impl Front<'_> {
    /// Returns the name of the error part of the objective.
    pub(crate) fn errors(&self) -> &'static str {
        if self.is_plain() { "principal error norm" } else { "weighted errors" }
    }

    /// Returns the names of the terms that the objective weighs against the errors.
    pub(crate) fn others(&self) -> String {
        let Objective { coefficients, internal, coupling, .. } = &self.file.specification.objective;
        let terms = [
            (*coefficients > 0.0, "size of coefficients"),
            (internal.is_some_and(|weight| weight > 0.0), "internal stability"),
            (coupling.as_ref().is_some_and(|coupling| coupling.weight > 0.0), "shortfall of the profile"),
            (
                matches!(self.file.specification.stability[0], Stability::AtLeast { .. }),
                "excess of the slow polynomial",
            ),
        ];
        let names: Vec<&str> = terms.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
        if let [name] = names[..] {
            format!("weighted {name}")
        } else {
            format!("weighted norm of {}", names.join(", "))
        }
    }

    /// Returns whether the error part is the principal error norm.
    pub(crate) fn is_plain(&self) -> bool {
        let (objective, default) = (&self.file.specification.objective, Objective::default());
        objective.error == default.error && objective.step == default.step
    }

    /// Returns the files written, with those of the whole front last.
    pub(crate) fn written(&self) -> Vec<&Path> {
        let pairs = self.points.iter().flat_map(|point| point.files.pair());
        pairs.chain(self.files.front()).collect()
    }

    pub(crate) fn to_json(&self) -> Value {
        let Specification { slow, fast, order, seed, starts, .. } = &self.file.specification;
        json!({
            "id": self.file.id,
            "slow": slow,
            "fast": fast,
            "order": order,
            "seed": seed,
            "starts": starts,
            "emphases": self.asked,
            "interrupted": self.interrupted,
            "compromises": self.points.iter().map(FrontPoint::to_json).collect::<Vec<_>>(),
            "files": self.files.front().map(|file| file.display().to_string()),
        })
    }
}

impl FrontPoint {
    /// Adds the command to the method and writes the method with its design and certificate.
    pub(crate) fn new(
        front: &DesignFile,
        files: &DesignFiles,
        asked: usize,
        number: usize,
        compromise: Compromise,
    ) -> Result<Self, Failure> {
        let (file, compromise) = front.compromise(asked, number, compromise)?;
        let files = DesignFiles::beside(&DesignFiles::point(&files.method, number));
        files.write_pair(&file, &compromise.design)?;
        let method = &compromise.design.method;
        let [imaginary, real] = limits(method, 1)?;
        let along_real = matches!(front.specification.stability[1], Stability::Optimal { axis: Axis::Real, .. });
        let wish = front.specification.objective.coupling.as_ref();
        let profile = wish.map(|wish| coupled_profile(method, wish.damping, &wish.gammas)).transpose()?;
        Ok(Self { id: file.id, files, compromise, fast_limit: if along_real { real } else { imaginary }, profile })
    }

    fn to_json(&self) -> Value {
        let Compromise { emphasis, error, others, design } = &self.compromise;
        let value = |at: &ProfileValue| json!({ "gamma": at.gamma, "value": at.practical.value });
        let profile = self.profile.as_ref().map(|profile| profile.values.iter().map(value).collect::<Vec<_>>());
        json!({
            "id": self.id,
            "emphasis": emphasis,
            "errors": error,
            "others": others,
            "principal_error_norm": design.error_norm,
            "profile": profile,
            "largest_coefficient": design.largest_coefficient,
            "fast_limit": self.fast_limit,
            "certificate": design.certificate.to_json(),
            "files": self.files.pair().map(|file| file.display().to_string()),
        })
    }
}
