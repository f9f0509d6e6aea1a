//! Groups of methods to compare: one kind, one order, and single-rate rivals.

use crate::facts::Facts;
use crate::words::Kind;

/// The kinds of partitioned methods that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
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
pub(crate) struct Group<'f> {
    sort: Sort,
    pub(crate) order: usize,
    /// The methods, sorted by id.
    pub(crate) members: Vec<&'f Facts>,
    /// Explicit methods of the same order with one partition.
    pub(crate) rivals: Vec<Rival<'f>>,
}

/// A method with one partition, and the criteria by which it is best.
pub(crate) struct Rival<'f> {
    pub(crate) facts: &'f Facts,
    pub(crate) best_at: Vec<&'static str>,
}

/// Returns all groups that have members, by kind and order.
pub(crate) fn groups(known: &[Facts]) -> Vec<Group<'_>> {
    let highest = known.iter().map(Facts::order).max().unwrap_or(0);
    let sorts = [Sort::ExplicitPairs, Sort::ImexPairs, Sort::OtherPairs, Sort::Families];
    let all = sorts.into_iter().flat_map(|sort| (0..=highest).map(move |order| (sort, order)));
    let group = |(sort, order): (Sort, usize)| {
        let is_member = |facts: &&Facts| Sort::of(facts) == Some(sort) && facts.order() == order;
        Group { sort, order, members: known.iter().filter(is_member).collect(), rivals: rivals(known, order) }
    };
    all.map(group).filter(|group| !group.members.is_empty()).collect()
}

impl Sort {
    fn of(facts: &Facts) -> Option<Self> {
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

impl Group<'_> {
    pub(crate) fn title(&self) -> String {
        format!("{} of order {}", self.sort.noun(), self.order)
    }

    pub(crate) fn slug(&self) -> String {
        self.title().to_lowercase().replace(' ', "-")
    }

    pub(crate) fn has(&self, facts: &Facts) -> bool {
        self.members.iter().any(|member| member.id() == facts.id())
    }
}

/// Returns the explicit one-partition methods of an order that are best by one of the criteria for pairs.
fn rivals(known: &[Facts], order: usize) -> Vec<Rival<'_>> {
    type Value = fn(&Facts) -> f64;
    const BEST: [(&str, Value); 3] = [
        ("imaginary limit per evaluation", |facts| per_evaluation(facts, facts.partitions[0].imaginary_limit)),
        ("real limit per evaluation", |facts| per_evaluation(facts, facts.partitions[0].real_limit)),
        ("principal error norm", |facts| -facts.report.principal_error_norm),
    ];
    let of_order = || {
        known
            .iter()
            .filter(|facts| facts.method.partitions().len() == 1 && facts.is_explicit() && facts.order() == order)
    };
    let mut found: Vec<Rival<'_>> = Vec::new();
    for (name, value) in BEST {
        // Among equals the first by id wins, because the comparison keeps the earlier one.
        let best = of_order().fold(None, |best: Option<&Facts>, facts| match best {
            Some(other) if value(other) >= value(facts) => best,
            _ => Some(facts),
        });
        let Some(facts) = best else { continue };
        match found.iter_mut().find(|rival| rival.facts.id() == facts.id()) {
            Some(rival) => rival.best_at.push(name),
            None => found.push(Rival { facts, best_at: vec![name] }),
        }
    }
    found
}

fn per_evaluation(facts: &Facts, limit: Option<f64>) -> f64 {
    limit.unwrap_or(0.0) / facts.evaluations[0].max(1) as f64
}
