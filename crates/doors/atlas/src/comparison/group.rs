//! Groups of methods to compare: one kind, one order, and single-rate rivals.

use crate::facts::MethodFacts;
use crate::wording::Kind;

/// The kinds of partitioned methods that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartitionedKind {
    /// Two explicit partitions.
    ExplicitPairs,
    /// An explicit and an implicit partition.
    ImexPairs,
    /// Two implicit partitions.
    OtherPairs,
    /// More than two partitions.
    Families,
}

/// The methods of one kind and order, with their rivals.
pub(crate) struct ComparisonGroup<'f> {
    sort: PartitionedKind,
    pub(crate) order: usize,
    /// The methods, sorted by id.
    pub(crate) members: Vec<&'f MethodFacts>,
    /// Explicit methods of the same order with one partition.
    pub(crate) rivals: Vec<SingleRateRival<'f>>,
}

/// A method with one partition, and the criteria by which it is best.
pub(crate) struct SingleRateRival<'f> {
    pub(crate) facts: &'f MethodFacts,
    pub(crate) best_at: Vec<&'static str>,
}

/// Returns all groups that have members, by kind and order.
pub(crate) fn groups(known: &[MethodFacts]) -> Vec<ComparisonGroup<'_>> {
    let highest = known.iter().map(MethodFacts::order).max().unwrap_or(0);
    let sorts = [
        PartitionedKind::ExplicitPairs,
        PartitionedKind::ImexPairs,
        PartitionedKind::OtherPairs,
        PartitionedKind::Families,
    ];
    let all = sorts.into_iter().flat_map(|sort| (0..=highest).map(move |order| (sort, order)));
    let group = |(sort, order): (PartitionedKind, usize)| {
        let is_member = |facts: &&MethodFacts| PartitionedKind::of(facts) == Some(sort) && facts.order() == order;
        ComparisonGroup { sort, order, members: known.iter().filter(is_member).collect(), rivals: rivals(known, order) }
    };
    all.map(group).filter(|group| !group.members.is_empty()).collect()
}

impl PartitionedKind {
    fn of(facts: &MethodFacts) -> Option<Self> {
        match facts.method.partitions().len() {
            0 | 1 => None,
            2 if facts.is(Kind::Explicit) => Some(Self::ExplicitPairs),
            2 if facts.is(Kind::Imex) => Some(Self::ImexPairs),
            2 => Some(Self::OtherPairs),
            _ => Some(Self::Families),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::ExplicitPairs => "Explicit pairs",
            Self::ImexPairs => "IMEX pairs",
            Self::OtherPairs => "Implicit pairs",
            Self::Families => "Families of several rates",
        }
    }
}

impl ComparisonGroup<'_> {
    pub(crate) fn title(&self) -> String {
        format!("{} of order {}", self.sort.noun(), self.order)
    }

    pub(crate) fn slug(&self) -> String {
        self.title().to_lowercase().replace(' ', "-")
    }

    pub(crate) fn has(&self, facts: &MethodFacts) -> bool {
        self.members.iter().any(|member| member.id() == facts.id())
    }
}

/// Returns the explicit one-partition methods of an order that are best by one of the criteria for pairs.
fn rivals(known: &[MethodFacts], order: usize) -> Vec<SingleRateRival<'_>> {
    type Value = fn(&MethodFacts) -> f64;
    const BEST: [(&str, Value); 3] = [
        ("imaginary limit per evaluation", |facts| per_evaluation(facts, facts.partitions[0].imaginary_limit)),
        ("real limit per evaluation", |facts| per_evaluation(facts, facts.partitions[0].real_limit)),
        ("principal error norm", |facts| facts.report.principal_error_norm().map_or(f64::NEG_INFINITY, |norm| -norm)),
    ];
    let of_order = || {
        known
            .iter()
            .filter(|facts| facts.method.partitions().len() == 1 && facts.is_explicit() && facts.order() == order)
    };
    let mut found: Vec<SingleRateRival<'_>> = Vec::new();
    for (name, value) in BEST {
        // Among equal methods, the comparison selects the first one by id.
        let best = of_order().fold(None, |best: Option<&MethodFacts>, facts| match best {
            Some(other) if value(other) >= value(facts) => best,
            _ => Some(facts),
        });
        let Some(facts) = best else { continue };
        match found.iter_mut().find(|rival| rival.facts.id() == facts.id()) {
            Some(rival) => rival.best_at.push(name),
            None => found.push(SingleRateRival { facts, best_at: vec![name] }),
        }
    }
    found
}

fn per_evaluation(facts: &MethodFacts, limit: Option<f64>) -> f64 {
    limit.unwrap_or(0.0) / facts.evaluations[0].max(1) as f64
}
