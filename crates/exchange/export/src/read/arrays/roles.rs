//! Roles of arrays, identified by their names.

use std::collections::HashMap;

use super::draft::{Draft, DraftPartition, ReadValue};
use super::partitions::{is_known, partition, rename};
use super::scalars;
use crate::read::error::TextPosition;
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::ProgramValue;

/// Role of an array in a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayRole {
    A,
    B,
    C,
    Hat,
    Difference,
}

/// Components of a name: `rk4_a_slow` is A of the partition slow of rk4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayName {
    pub(crate) role: ArrayRole,
    pub(crate) method: String,
    pub(crate) partition: String,
}

/// Returns the role that a word begins with, and the rest. Longest names come first, since the name of a partition may
/// follow without a separator.
fn word(text: &str) -> Option<(ArrayRole, &str)> {
    const WORDS: [(&str, ArrayRole); 22] = [
        ("btilde", ArrayRole::Difference),
        ("b_tilde", ArrayRole::Difference),
        ("b̃", ArrayRole::Difference),
        ("bembedded", ArrayRole::Hat),
        ("bembed", ArrayRole::Hat),
        ("b_embed", ArrayRole::Hat),
        ("b_emb", ArrayRole::Hat),
        ("bemb", ArrayRole::Hat),
        ("bhat", ArrayRole::Hat),
        ("b_hat", ArrayRole::Hat),
        ("b̂", ArrayRole::Hat),
        ("hatb", ArrayRole::Hat),
        ("bstar", ArrayRole::Hat),
        ("b_star", ArrayRole::Hat),
        ("αEEst", ArrayRole::Hat),
        ("alphaEEst", ArrayRole::Hat),
        ("Amat", ArrayRole::A),
        ("A", ArrayRole::A),
        ("a", ArrayRole::A),
        ("b", ArrayRole::B),
        ("B", ArrayRole::B),
        ("c", ArrayRole::C),
    ];
    let capital = text.strip_prefix('C').map(|rest| (ArrayRole::C, rest));
    WORDS.iter().find_map(|(word, role)| Some((*role, text.strip_prefix(word)?))).or(capital)
}

/// Splits a name into its components if it denotes an array of a tableau.
pub(crate) fn named(name: &str) -> Option<ArrayName> {
    let (owner, last) = name.rsplit_once('.').unwrap_or(("", name));
    // A role may begin at the start of the name or after an underscore.
    let starts = std::iter::once(0).chain(last.match_indices('_').map(|(i, _)| i + 1));
    for start in starts {
        let Some((role, rest)) = word(&last[start..]) else { continue };
        let method = last[..start].trim_end_matches('_');
        let method = if owner.is_empty() { method } else { owner };
        let named = |partition: &str| ArrayName { role, method: method.to_owned(), partition: partition.to_owned() };
        if rest.is_empty() {
            return Some(named(""));
        }
        if let Some(behind) = rest.strip_prefix('_').filter(|behind| !behind.is_empty()) {
            return Some(named(partition(behind).unwrap_or(behind)));
        }
        // Names such as `At` and `bI` must begin the word.
        if start == 0
            && let Some(partition) = partition(rest)
        {
            return Some(named(partition));
        }
    }
    None
}

/// Returns the role of a name.
pub(crate) fn role(name: &str) -> Option<ArrayRole> {
    named(name).map(|named| named.role)
}

/// Returns whether a name denotes an array of a tableau or one of its numbers.
pub(crate) fn is_coefficient(name: &str) -> bool {
    role(name).is_some() || scalars::is_number(name)
}

/// Returns whether a scope contains a complete method of its own.
pub(crate) fn holds_method(scope: &NameScope) -> bool {
    let has_arrays = |draft: &Draft| draft.parts.iter().all(|part| part.a.is_some() && part.b.is_some());
    drafts(None, scope, NamingRules::default()).iter().any(has_arrays) || scalars::holds_method(scope)
}

/// Conventions for the names of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NamingRules {
    /// Whether `d` denotes embedded weights.
    pub(crate) hat_is_d: bool,
    /// Whether all names belong to one method.
    pub(crate) is_single: bool,
}

/// Returns whether a name without method and partition denotes an array with this role.
fn has_array(scope: &NameScope, role: ArrayRole) -> bool {
    let is_list = |own: &str| scope.get(own).is_some_and(|found| matches!(found.0, Ok(ProgramValue::List(..))));
    scope.own().any(|own| named(own) == Some(plain(role)) && is_list(own))
}

/// Returns the name of an array with a role and nothing else.
fn plain(role: ArrayRole) -> ArrayName {
    ArrayName { role, method: String::new(), partition: String::new() }
}

/// Collects the methods among the names of a scope.
pub(crate) fn drafts(name: Option<&str>, scope: &NameScope, rules: NamingRules) -> Vec<Draft> {
    let mut methods = NamedMethods::default();
    for own in scope.own() {
        let is_d = rules.hat_is_d && (own == "d" || own.ends_with(".d"));
        let named = if is_d {
            let method = own.strip_suffix(".d").unwrap_or_default();
            Some(ArrayName { role: ArrayRole::Hat, method: method.to_owned(), partition: String::new() })
        } else {
            named(own)
        };
        let (Some(named), Some(found)) = (named, scope.get(own)) else { continue };
        // `a_2_1` is a single number of a table, and `b_tol` is unrelated.
        let is_plain = named.method.is_empty() && named.partition.is_empty();
        let is_array = match &found.0 {
            Ok(value) => matches!(value, ProgramValue::List(..)),
            Err(_) => named.partition.bytes().any(|b| b.is_ascii_alphabetic()),
        };
        if !is_plain && !is_array && !own.contains('.') {
            continue;
        }
        // `a = 1` beside `A = [[0, 0], [1/2, 0]]` is a number of the program.
        if is_plain && !is_array && has_array(scope, named.role) {
            continue;
        }
        methods.insert(named, found.clone());
    }
    let mut drafts = Vec::new();
    for (method, at, parts) in methods.all {
        let single_name = name.unwrap_or(&method).to_owned();
        if parts.iter().any(|part| part.a.is_some()) {
            drafts.extend(split(&single_name, at, parts, rules.is_single));
        }
    }
    complete(&mut drafts, scope);
    drafts
}

/// Builds the method whose coefficients a scope assigns one by one.
pub(crate) fn scalar_drafts(name: Option<&str>, place: TextPosition, scope: &NameScope) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = scalars::draft(name.unwrap_or_default(), place, scope).into_iter().collect();
    complete(&mut drafts, scope);
    drafts
}

/// Completes drafts with the orders that a scope states.
fn complete(drafts: &mut [Draft], scope: &NameScope) {
    drafts.iter_mut().for_each(|draft| claims(draft, scope));
}

/// Sets the orders that a scope states.
pub(crate) fn claims(draft: &mut Draft, scope: &NameScope) {
    for (claim, names) in
        [("order", &["B.q", "order"][..]), ("embedded_order", &["B.p", "embedded_order", "adaptiveorder"])]
    {
        let stated = names.iter().find_map(|name| Some((whole(scope, name)?, scope.get(name)?.1)));
        if let Some((order, place)) = stated {
            draft.claim(claim, Some(order), place);
        }
    }
}

/// Returns the integer value of a name.
pub(crate) fn whole(scope: &NameScope, name: &str) -> Option<usize> {
    let (value, place) = scope.get(name)?;
    let value = value.as_ref().ok()?;
    if matches!(value, ProgramValue::List(..)) {
        return None;
    }
    usize::try_from(value.number(*place).ok()?.as_whole()?).ok()
}

/// Arrays by the names of their methods and partitions.
#[derive(Default)]
struct NamedMethods {
    /// Methods in the order of the text, with their positions.
    all: Vec<(String, TextPosition, Vec<DraftPartition>)>,
    methods: HashMap<String, usize>,
    /// Indices of partitions, by the index of the method and the name.
    parts: HashMap<(usize, String), usize>,
}

impl NamedMethods {
    fn insert(&mut self, named: ArrayName, found: ReadValue) {
        let ArrayName { role, method, partition } = named;
        let index = *self.methods.entry(method).or_insert_with_key(|method| {
            self.all.push((method.clone(), found.1, Vec::new()));
            self.all.len() - 1
        });
        let parts = &mut self.all[index].2;
        let part = *self.parts.entry((index, partition)).or_insert_with_key(|(_, name)| {
            parts.push(DraftPartition { name: name.clone(), ..DraftPartition::default() });
            parts.len() - 1
        });
        let part = &mut parts[part];
        let slot = match role {
            ArrayRole::A => &mut part.a,
            ArrayRole::B => &mut part.b,
            ArrayRole::C => &mut part.c,
            ArrayRole::Hat => &mut part.b_hat,
            ArrayRole::Difference => &mut part.difference,
        };
        slot.get_or_insert(found);
    }
}

/// Combines parts into partitions of one method if their names say so; otherwise each part becomes a method.
fn split(name: &str, place: TextPosition, parts: Vec<DraftPartition>, is_single: bool) -> Vec<Draft> {
    // A matrix such as `A_inverse` without weights of its own is not a tableau.
    let is_tableau = |part: &DraftPartition| part.a.is_some() && (is_known(part) || part.b.is_some());
    let (with_a, without): (Vec<DraftPartition>, Vec<DraftPartition>) = parts.into_iter().partition(is_tableau);
    let numbered = |part: &DraftPartition| part.name.bytes().all(|b| b.is_ascii_digit());
    let together = is_single || with_a.len() == 1 || with_a.iter().all(|part| is_known(part) || numbered(part));
    if together {
        let mut draft = Draft::new(name, place, with_a);
        share(&mut draft.parts, &without);
        rename(&mut draft.parts);
        return vec![draft];
    }
    let alone = |mut part: DraftPartition| {
        let own = if name.is_empty() { part.name.clone() } else { format!("{name}_{}", part.name) };
        part.name = String::new();
        Draft::new(&own, place, vec![part])
    };
    with_a.into_iter().map(alone).collect()
}

/// Copies weights and abscissae that occur once to all partitions without them.
fn share(parts: &mut [DraftPartition], others: &[DraftPartition]) {
    let all: Vec<DraftPartition> = parts.iter().chain(others).cloned().collect();
    let shared = |pick: fn(&DraftPartition) -> &Option<ReadValue>| {
        let given: Vec<&ReadValue> = all.iter().filter_map(|part| pick(part).as_ref()).collect();
        (given.len() == 1).then(|| given[0].clone())
    };
    let (b, c) = (shared(|part| &part.b), shared(|part| &part.c));
    let (b_hat, difference) = (shared(|part| &part.b_hat), shared(|part| &part.difference));
    for part in parts.iter_mut() {
        part.b = part.b.take().or_else(|| b.clone());
        part.c = part.c.take().or_else(|| c.clone());
        if part.difference.is_none() {
            part.b_hat = part.b_hat.take().or_else(|| b_hat.clone());
        }
        if part.b_hat.is_none() {
            part.difference = part.difference.take().or_else(|| difference.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let of = |name: &str| named(name).map(|named| (named.role, named.method, named.partition));
        let expected = |role, method: &str, partition: &str| Some((role, method.to_owned(), partition.to_owned()));
        assert_eq!(of("A"), expected(ArrayRole::A, "", ""));
        assert_eq!(of("At"), expected(ArrayRole::A, "", "implicit"));
        assert_eq!(of("bembedt"), expected(ArrayRole::Hat, "", "implicit"));
        assert_eq!(of("a_slow"), expected(ArrayRole::A, "", "slow"));
        assert_eq!(of("gauss_2_a"), expected(ArrayRole::A, "gauss_2", ""));
        assert_eq!(of("rk4_b_hat"), expected(ArrayRole::Hat, "rk4", ""));
        assert_eq!(of("B.A"), expected(ArrayRole::A, "B", ""));
        assert_eq!(of("b̂"), expected(ArrayRole::Hat, "", ""));
        for other in ["alpha", "beta", "count", "Ad", "x", "abs", "data_a1", "gamma", "bi_vec"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
