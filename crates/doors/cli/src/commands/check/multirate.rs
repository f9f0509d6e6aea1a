//! Checks of multirate methods: results as text and as JSON.

use hemiola::atlas::check::{CheckedClaim, multirate_claims};
use hemiola::atlas::wording;
use hemiola::design::{MriCertificate, MriRefusal, SlowStability};
use hemiola::multirate::{ErrorByRate, InfinitesimalMethod, MultirateReport, RowVerdicts};
use hemiola::number::bound_text;
use hemiola::order::{Condition, Norms, OrderSummary};
use hemiola::tableau::printable;
use serde::Serialize;

use crate::failure::{CommandOutcome, Failure};
use crate::output::text;

/// Largest number of failing trees that are listed.
const LISTED: usize = 24;

/// Multirate method with the results of its check.
pub(crate) struct MultirateCheck {
    method: InfinitesimalMethod,
    report: MultirateReport,
    claims: Vec<CheckedClaim>,
    /// The certificate, and the reason why it does not hold.
    certificate: Option<(MriCertificate, Option<MriRefusal>)>,
}

impl MultirateCheck {
    /// Checks a method up to an order, or up to the first order that fails.
    pub(crate) fn new(
        method: InfinitesimalMethod,
        order: Option<usize>,
        must_be_exact: bool,
        certificate: Option<&MriCertificate>,
    ) -> Result<Self, Failure> {
        let report = MultirateReport::new(&method, order)?;
        let claims = multirate_claims(&method, &report, order, must_be_exact);
        let verified =
            |certificate: &MriCertificate| Ok::<_, Failure>((certificate.clone(), certificate.refusal(&method)?));
        let certificate = certificate.map(verified).transpose()?;
        Ok(Self { method, report, claims, certificate })
    }

    pub(crate) fn outcome(&self) -> CommandOutcome {
        let is_refused = self.certificate.as_ref().is_some_and(|(_, refusal)| refusal.is_some());
        let fails = is_refused || self.claims.iter().any(CheckedClaim::fails);
        if fails { CommandOutcome::CheckFailed } else { CommandOutcome::Done }
    }

    fn rows(&self) -> impl Iterator<Item = (&'static str, &RowVerdicts)> {
        let embedded = self.report.embedded.as_ref().map(|verdicts| ("embedded", verdicts));
        std::iter::once(("step", &self.report.step)).chain(embedded)
    }

    /// Formats all results, claims last.
    pub(crate) fn page(&self) -> String {
        let mut page = format!("{}: {}\n\n{}\n", self.method.id(), printable(self.method.name()), self.orders());
        page += &text::entries(&self.facts());
        page += &self.failures();
        let claims: Vec<String> = match &self.claims[..] {
            [] => vec![format!("no claim; order {}", at_least(&self.report.step))],
            claims => claims.iter().map(CheckedClaim::text).collect(),
        };
        format!("{page}\n{}\n", claims.join("\n"))
    }

    fn orders(&self) -> String {
        let columns = text::columns("<Row|>Order|>Conditions|>Failed|>Largest residual|<Verdict");
        let row = |name: &str, summary: &OrderSummary| {
            vec![
                name.to_owned(),
                summary.order.to_string(),
                summary.conditions.to_string(),
                summary.failed().to_string(),
                text::residual(summary.max_residual),
                wording::verdict(summary).to_owned(),
            ]
        };
        let rows = self.rows().flat_map(|(name, verdicts)| verdicts.orders().iter().map(move |order| row(name, order)));
        text::table(&columns, rows)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let step = &self.report.step;
        let highest = if step.is_capped() { " (the highest checked)" } else { "" };
        facts.push(("order", format!("{}{highest}", at_least(step))));
        if step.order_as_stated() < step.order() {
            facts.push(("order as stated", step.order_as_stated().to_string()));
        }
        facts.push(("exact order", step.exact_order().to_string()));
        facts.extend(self.report.embedded.as_ref().map(|embedded| ("embedded order", embedded.order().to_string())));
        facts.extend(step.principal_error().map(|error| ("principal error norm", total(error))));
        facts.extend(step.principal_error().map(|error| ("error norm by rate", by_rate(error))));
        let embedded = self.report.embedded.as_ref().and_then(RowVerdicts::principal_error);
        facts.extend(embedded.map(|error| ("embedded error norm", total(error))));
        let consistency = if self.method.is_internally_consistent() { "yes" } else { "no" };
        facts.push(("internally consistent", consistency.to_owned()));
        facts.push(("decoupled", if self.method.require_decoupled().is_ok() { "yes" } else { "no" }.to_owned()));
        facts.push(("arithmetic", "exact".to_owned()));
        facts.extend(self.certificate_text().map(|text| ("certificate", text)));
        facts
    }

    fn certificate_text(&self) -> Option<String> {
        let (certificate, refusal) = self.certificate.as_ref()?;
        Some(match refusal {
            Some(refusal) => format!("does not hold: {refusal}"),
            None => {
                let stable = match certificate.stability {
                    SlowStability::Any => String::new(),
                    stability => format!(" with an {} implicit part", stability.name()),
                };
                let radius = bound_text(certificate.radius, 1);
                format!(
                    "holds: a method of order {}{stable} lies within {radius} of each free coefficient",
                    certificate.order
                )
            }
        })
    }

    /// Lists the trees that refute the claimed order.
    fn failures(&self) -> String {
        let Some(claimed) = self.method.claims().order.filter(|claimed| self.report.step.order() < *claimed) else {
            return String::new();
        };
        let columns = text::columns(">Order|<Failing tree|>Value|>Residual|>Explained");
        let names: Vec<&str> = self.method.partitions().iter().map(String::as_str).collect();
        let row = |condition: &Condition| {
            vec![
                condition.tree.order().to_string(),
                condition.tree.text(&names),
                text::number(condition.value),
                text::residual(condition.residual),
                text::residual(condition.explained),
            ]
        };
        let failing = self.report.step.failures().filter(|condition| condition.tree.order() <= claimed);
        let table = text::table(&columns, failing.take(LISTED).map(row));
        let orders = self.report.step.orders().iter().take(claimed);
        let rest = orders.map(OrderSummary::failed).sum::<u64>().saturating_sub(LISTED as u64);
        let rest = if rest > 0 { format!("and {rest} more; --json lists up to a thousand\n") } else { String::new() };
        format!("\n{table}{rest}")
    }
}

/// Formats the order; if no order was checked that fails, as `≥ 4`.
fn at_least(verdicts: &RowVerdicts) -> String {
    let order = verdicts.order();
    if verdicts.is_capped() { format!("≥ {order}") } else { order.to_string() }
}

fn total(error: &ErrorByRate) -> String {
    format!("{} (of the conditions of order {})", text::number(error.total.two), error.order)
}

fn by_rate(error: &ErrorByRate) -> String {
    let [fast, slow, coupling] = [error.fast, error.slow, error.coupling].map(|norms| text::number(norms.two));
    format!("fast {fast}, slow {slow}, coupling {coupling}")
}

/// Formats one line per method.
pub(crate) fn summary(all: &[MultirateCheck]) -> String {
    let columns = text::columns("<Method|>Order|>As stated|>Exact|<Verdict");
    let row = |checked: &MultirateCheck| {
        let step = &checked.report.step;
        let [as_stated, exact] = [step.order_as_stated(), step.exact_order()].map(|order| order.to_string());
        let order = at_least(step);
        let claim = checked.claims.last().map_or_else(|| format!("no claim; order {order}"), CheckedClaim::text);
        vec![checked.method.id().to_owned(), order, as_stated, exact, claim]
    };
    text::table(&columns, all.iter().map(row))
}

/// Results of a check as JSON.
#[derive(Serialize)]
pub(crate) struct MultirateJson<'a> {
    id: &'a str,
    partitions: &'a [String],
    claimed_order: Option<usize>,
    #[serde(flatten)]
    step: RowJson,
    claimed_embedded_order: Option<usize>,
    embedded: Option<RowJson>,
    internally_consistent: bool,
    decoupled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateJson>,
}

#[derive(Serialize)]
struct CertificateJson {
    holds: bool,
    radius: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
}

#[derive(Serialize)]
struct RowJson {
    order: usize,
    /// Whether no order was checked that fails, so that the order may be higher.
    order_capped: bool,
    order_as_stated: usize,
    exact_order: usize,
    order_checked_to: usize,
    principal_error: Option<ErrorJson>,
    orders: Vec<OrderJson>,
    failures: Vec<FailureJson>,
}

#[derive(Serialize)]
struct ErrorJson {
    order: usize,
    total: NormsJson,
    fast: NormsJson,
    slow: NormsJson,
    coupling: NormsJson,
}

#[derive(Serialize)]
struct NormsJson {
    two: f64,
    infinity: f64,
}

#[derive(Serialize)]
struct OrderJson {
    order: usize,
    conditions: u64,
    exact: u64,
    to_precision: u64,
    numerically: u64,
    failed: u64,
    max_residual: f64,
}

#[derive(Serialize)]
struct FailureJson {
    tree: String,
    order: usize,
    residual: f64,
    value: f64,
}

pub(crate) fn json(checked: &MultirateCheck) -> MultirateJson<'_> {
    let (method, report) = (&checked.method, &checked.report);
    let names: Vec<&str> = method.partitions().iter().map(String::as_str).collect();
    MultirateJson {
        id: method.id(),
        partitions: method.partitions(),
        claimed_order: method.claims().order,
        step: row(&report.step, &names),
        claimed_embedded_order: method.claims().embedded_order,
        embedded: report.embedded.as_ref().map(|verdicts| row(verdicts, &names)),
        internally_consistent: method.is_internally_consistent(),
        decoupled: method.require_decoupled().is_ok(),
        certificate: checked.certificate.as_ref().map(|(certificate, refusal)| CertificateJson {
            holds: refusal.is_none(),
            radius: certificate.radius,
            refusal: refusal.as_ref().map(ToString::to_string),
        }),
    }
}

fn row(verdicts: &RowVerdicts, names: &[&str]) -> RowJson {
    let norms = |norms: Norms| NormsJson { two: norms.two, infinity: norms.infinity };
    let orders = verdicts.orders().iter().map(|summary| OrderJson {
        order: summary.order,
        conditions: summary.conditions,
        exact: summary.exact,
        to_precision: summary.to_precision,
        numerically: summary.numerically,
        failed: summary.failed(),
        max_residual: summary.max_residual,
    });
    let failures = verdicts.failures().take(1000).map(|condition| FailureJson {
        tree: condition.tree.text(names),
        order: condition.tree.order(),
        residual: condition.residual,
        value: condition.value,
    });
    RowJson {
        order: verdicts.order(),
        order_capped: verdicts.is_capped(),
        order_as_stated: verdicts.order_as_stated(),
        exact_order: verdicts.exact_order(),
        order_checked_to: verdicts.orders().len(),
        principal_error: verdicts.principal_error().map(|error| ErrorJson {
            order: error.order,
            total: norms(error.total),
            fast: norms(error.fast),
            slow: norms(error.slow),
            coupling: norms(error.coupling),
        }),
        orders: orders.collect(),
        failures: failures.collect(),
    }
}
