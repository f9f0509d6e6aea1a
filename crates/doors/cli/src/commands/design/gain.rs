//! Gain of an outer search: the tuned numbers, and the design compared with the one of smallest error that is found.

use hemiola::design::{Coupling, Design, Specification, Stability, design};
use hemiola::stability::{CoupledProfile, coupled_profile};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::{self, Column};

use super::findings::DesignResults;
use super::tuning::without_profile;

/// Tuned design compared with others.
pub(crate) struct Gain {
    begun: TunedNumbers,
    tuned: TunedNumbers,
    reached: DesignProperties,
    /// Design of the smallest error found; `None` if Ctrl-C was pressed before.
    smallest: Option<DesignProperties>,
    /// Id and error norm of the pair of the library with the smallest error among those of the same evaluations and order.
    library: Option<(String, f64)>,
}

/// Numbers that are tuned.
struct TunedNumbers {
    damping: f64,
    wish: Coupling,
}

/// Properties of a design.
struct DesignProperties {
    error_norm: f64,
    profile: CoupledProfile,
}

impl Gain {
    /// Computes the comparison. The search for the smallest error takes as long as a design without an outer search.
    pub(crate) fn new(
        [begun, tuned]: [&Specification; 2],
        found: &DesignResults,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let (begun, tuned, simple) = (TunedNumbers::of(begun), TunedNumbers::of(tuned), without_profile(begun));
        let reached = DesignProperties::of(&found.design, &tuned.wish)?;
        let monitor = Monitor::stopped_by(interrupt);
        let smallest = design(&simple, &monitor);
        monitor.finish();
        // An interrupted search may not have found the smallest error.
        let smallest = smallest.ok().filter(|_| !interrupt.is_requested());
        let smallest = smallest.map(|design| DesignProperties::of(&design, &tuned.wish)).transpose()?;
        let published = found.published.iter().map(|pair| (pair.id.clone(), pair.error_norm));
        let library = published.min_by(|x, y| x.1.total_cmp(&y.1));
        Ok(Self { begun, tuned, reached, smallest, library })
    }

    /// Formats two tables for the terminal.
    pub(crate) fn page(&self) -> String {
        let gammas = &self.tuned.wish.gammas;
        let row = |name: String, values: Vec<f64>| {
            std::iter::once(name).chain(values.into_iter().map(text::number)).collect::<Vec<String>>()
        };
        let numbers = [&self.begun, &self.tuned];
        let mut tuned = vec![row("damping η".to_owned(), numbers.map(|numbers| numbers.damping).to_vec())];
        for (k, gamma) in gammas.iter().enumerate() {
            tuned.push(row(format!("profile wanted at γ = {gamma}"), numbers.map(|n| n.wish.profile[k]).to_vec()));
        }
        tuned.push(row("weight of the profile".to_owned(), numbers.map(|numbers| numbers.wish.weight).to_vec()));
        let designs: Vec<&DesignProperties> = self.smallest.iter().chain([&self.reached]).collect();
        let of =
            |value: &dyn Fn(&DesignProperties) -> f64| designs.iter().map(|design| value(design)).collect::<Vec<f64>>();
        let ray = format!("ζ = {}", self.tuned.wish.damping);
        let mut reached = vec![
            row("principal error norm".to_owned(), of(&|design| design.error_norm)),
            row(format!("fast limit, {ray}"), of(&|design| design.profile.fast_limit)),
        ];
        for (k, gamma) in gammas.iter().enumerate() {
            let profile = |design: &DesignProperties| (design.profile.values[k].practical.value * 1e3).round() / 1e3;
            let limit = |design: &DesignProperties| (profile(design) * design.profile.fast_limit * 1e3).round() / 1e3;
            reached.push(row(format!("coupled profile at γ = {gamma}, {ray}"), of(&profile)));
            reached.push(row(format!("coupled limit at γ = {gamma}, {ray}"), of(&limit)));
        }
        let columns = text::columns("<tuned|>from|>to");
        let mut beside = text::columns("<reached");
        beside.extend(self.smallest.iter().map(|_| ("smallest error found", Column::Right)));
        beside.push(("this design", Column::Right));
        let library = self.library.as_ref().map_or_else(String::new, |(id, norm)| {
            format!("the smallest norm in the library: {}, {id}\n", text::number(*norm))
        });
        format!("\n{}\n{}{library}", text::table(&columns, tuned), text::table(&beside, reached))
    }

    pub(crate) fn to_json(&self) -> Value {
        let reached = |design: &DesignProperties| {
            let profile: Vec<f64> = design.profile.values.iter().map(|value| value.practical.value).collect();
            json!({ "principal_error_norm": design.error_norm, "fast_limit": design.profile.fast_limit, "profile": profile })
        };
        let numbers = |numbers: &TunedNumbers| json!({ "damping": numbers.damping, "profile": numbers.wish.profile, "weight": numbers.wish.weight });
        json!({
            "gammas": self.tuned.wish.gammas,
            "profile_damping": self.tuned.wish.damping,
            "from": numbers(&self.begun),
            "to": numbers(&self.tuned),
            "reached": reached(&self.reached),
            "smallest_error": self.smallest.as_ref().map(reached),
            "library": self.library.as_ref().map(|(id, norm)| json!({ "id": id, "principal_error_norm": norm })),
        })
    }
}

impl TunedNumbers {
    fn of(specification: &Specification) -> Self {
        let damping = match &specification.stability[1] {
            Stability::Optimal { damping, .. } => *damping,
            _ => 0.0,
        };
        Self { damping, wish: specification.objective.coupling.clone().unwrap_or_default() }
    }
}

impl DesignProperties {
    fn of(design: &Design, wish: &Coupling) -> Result<Self, Failure> {
        let profile = coupled_profile(&design.method, wish.damping, &wish.gammas)?;
        Ok(Self { error_norm: design.error_norm, profile })
    }
}
