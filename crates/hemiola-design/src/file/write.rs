//! Design files as they are written: all that has a default which may change, and what differs from the others.

use hemiola_polynomial::Axis;
use serde_json::Value;

use crate::file::design_file::{DesignFile, FORMAT};
use crate::specification::entry::Bound;
use crate::specification::objective::Objective;
use crate::specification::stability::Stability;
use crate::specification::structure::Structure;

impl DesignFile {
    /// The design as the text of a file: the same bytes for the same design.
    #[must_use]
    pub fn to_json(&self) -> String {
        let one = &self.specification;
        let mut fields = vec![
            ("format", quoted(FORMAT)),
            ("id", quoted(&self.id)),
            ("name", quoted(&self.name)),
            ("slow", one.slow.to_string()),
            ("fast", one.fast.to_string()),
            ("order", one.order.to_string()),
        ];
        if let Some(stages) = &one.slow_stages {
            fields.push(("slow_stages", list(stages.iter().map(|stage| (stage + 1).to_string()))));
        }
        let [slow, fast] = &one.stability;
        fields.push(("stability", object([("slow", stability(slow)), ("fast", stability(fast))])));
        fields.push(("structure", structure(&one.structure)));
        fields.extend(one.embedded.map(|order| ("embedded", order.to_string())));
        fields.extend(one.dense.map(|order| ("dense", order.to_string())));
        fields.push(("objective", objective(&one.objective)));
        fields.extend([("seed", one.seed.to_string()), ("starts", one.starts.to_string())]);
        let lines: Vec<String> = fields.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }
}

fn stability(choice: &Stability) -> String {
    match choice {
        Stability::Free => quoted("free"),
        Stability::Optimal { axis, damping } => {
            let axis = match axis {
                Axis::Imaginary => "imaginary",
                Axis::Real => "real",
            };
            object([("axis", quoted(axis)), ("damping", number(*damping))])
        }
        Stability::Given(coefficients) => {
            let texts = coefficients.iter().map(|beta| quoted(&beta.to_string()));
            object([("coefficients", list(texts))])
        }
    }
}

fn structure(structure: &Structure) -> String {
    let flags = [
        ("shared_abscissae", structure.shared_abscissae),
        ("shared_weights", structure.shared_weights),
        ("first_same_as_last", structure.first_same_as_last),
        ("non_negative_weights", structure.non_negative_weights),
        ("abscissae_in_step", structure.abscissae_in_step),
        ("increasing_abscissae", structure.increasing_abscissae),
        ("fast_chain", structure.fast_chain),
    ];
    let mut fields = vec![("largest_coefficient", number(structure.largest_coefficient))];
    fields.extend(flags.into_iter().filter(|(_, wanted)| *wanted).map(|(name, _)| (name, "true".to_owned())));
    if structure.sparsity != 0.0 {
        fields.push(("sparsity", number(structure.sparsity)));
    }
    if !structure.bounds.is_empty() {
        let bound = |bound: &Bound| match bound {
            Bound::Fixed(value) => quoted(&value.to_string()),
            Bound::Between(low, high) => numbers(&[*low, *high]),
        };
        let bounds: Vec<(String, String)> =
            structure.bounds.iter().map(|(entry, wish)| (entry.to_string(), bound(wish))).collect();
        fields.push(("bounds", object(bounds.iter().map(|(name, value)| (name.as_str(), value.clone())))));
    }
    object(fields)
}

fn objective(objective: &Objective) -> String {
    let [slow, fast, coupling] = objective.error;
    let error = if slow == fast && fast == coupling {
        number(slow)
    } else {
        object([("slow", number(slow)), ("fast", number(fast)), ("coupling", number(coupling))])
    };
    let mut fields = vec![("error", error)];
    fields.extend(objective.step.as_ref().map(|step| ("step", numbers(step))));
    for (name, weight) in [("coefficients", objective.coefficients), ("internal", objective.internal)] {
        if weight != 0.0 {
            fields.push((name, number(weight)));
        }
    }
    if let Some(wish) = &objective.coupling {
        let wish = [
            ("damping", number(wish.damping)),
            ("gammas", numbers(&wish.gammas)),
            ("profile", numbers(&wish.profile)),
            ("weight", number(wish.weight)),
        ];
        fields.push(("coupling", object(wish)));
    }
    object(fields)
}

fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{ {} }}", fields.join(", "))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|value| number(*value)))
}

/// The shortest decimal that is read as this double.
fn number(value: f64) -> String {
    let text = Value::from(value).to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
