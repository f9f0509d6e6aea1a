//! Roles of arrays, identified by their names.

use super::draft::{Draft, Found, Part};
use super::partitions::{is_known, partition, rename};
use super::scalars;
use crate::read::error::Place;
use crate::read::expressions::scope::Scope;
use crate::read::expressions::value::Value;

/// Role of an array in a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    A,
    B,
    C,
    Hat,
    Difference,
}

/// Components of a name: `rk4_a_slow` is A of the partition slow of rk4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) role: Role,
    pub(crate) method: String,
    pub(crate) partition: String,
}

/// Returns the role that a word begins with, and the rest. Longest names come first, since the name of a partition may
/// follow without a separator.
fn word(text: &str) -> Option<(Role, &str)> {
    const WORDS: [(&str, Role); 22] = [
        ("btilde", Role::Difference),
        ("b_tilde", Role::Difference),
        ("b̃", Role::Difference),
        ("bembedded", Role::Hat),
        ("bembed", Role::Hat),
        ("b_embed", Role::Hat),
        ("b_emb", Role::Hat),
        ("bemb", Role::Hat),
        ("bhat", Role::Hat),
        ("b_hat", Role::Hat),
        ("b̂", Role::Hat),
        ("hatb", Role::Hat),
        ("bstar", Role::Hat),
        ("b_star", Role::Hat),
        ("αEEst", Role::Hat),
        ("alphaEEst", Role::Hat),
        ("Amat", Role::A),
        ("A", Role::A),
        ("a", Role::A),
        ("b", Role::B),
        ("B", Role::B),
        ("c", Role::C),
    ];
    let capital = text.strip_prefix('C').map(|rest| (Role::C, rest));
    WORDS.iter().find_map(|(word, role)| Some((*role, text.strip_prefix(word)?))).or(capital)
}

/// Splits a name into its components if it denotes an array of a tableau.
pub(crate) fn named(name: &str) -> Option<Named> {
    let (owner, last) = name.rsplit_once('.').unwrap_or(("", name));
    // A role may begin at the start of the name or after an underscore.
    let starts = std::iter::once(0).chain(last.match_indices('_').map(|(i, _)| i + 1));
    for start in starts {
        let Some((role, rest)) = word(&last[start..]) else { continue };
        let method = last[..start].trim_end_matches('_');
        let method = if owner.is_empty() { method } else { owner };
        let named = |partition: &str| Named { role, method: method.to_owned(), partition: partition.to_owned() };
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
pub(crate) fn role(name: &str) -> Option<Role> {
    named(name).map(|named| named.role)
}

/// Returns whether a name denotes an array of a tableau or one of its numbers.
pub(crate) fn is_coefficient(name: &str) -> bool {
    role(name).is_some() || scalars::is_number(name)
}

/// Returns whether a scope contains a complete method of its own.
pub(crate) fn holds_method(scope: &Scope) -> bool {
    let has_arrays = |draft: &Draft| draft.parts.iter().all(|part| part.a.is_some() && part.b.is_some());
    drafts(None, scope, Rules::default()).iter().any(has_arrays) || scalars::holds_method(scope)
}

/// Conventions for the names of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    /// Whether `d` denotes embedded weights.
    pub(crate) hat_is_d: bool,
    /// Whether all names belong to one method.
    pub(crate) is_single: bool,
}

/// Collects the methods among the names of a scope.
pub(crate) fn drafts(name: Option<&str>, scope: &Scope, rules: Rules) -> Vec<Draft> {
    let mut methods: Vec<(String, Place, Vec<Part>)> = Vec::new();
    for own in scope.own() {
        let is_d = rules.hat_is_d && (own == "d" || own.ends_with(".d"));
        let named = if is_d {
            let method = own.strip_suffix(".d").unwrap_or_default();
            Some(Named { role: Role::Hat, method: method.to_owned(), partition: String::new() })
        } else {
            named(own)
        };
        let (Some(named), Some(found)) = (named, scope.get(own)) else { continue };
        // `a_2_1` is a single number of a table, and `b_tol` is unrelated.
        let is_plain = named.method.is_empty() && named.partition.is_empty();
        let is_array = match &found.0 {
            Ok(value) => matches!(value, Value::List(..)),
            Err(_) => named.partition.bytes().any(|b| b.is_ascii_alphabetic()),
        };
        if !is_plain && !is_array && !own.contains('.') {
            continue;
        }
        insert(&mut methods, named, found.clone());
    }
    let mut drafts = Vec::new();
    for (method, at, parts) in methods {
        let single_name = name.unwrap_or(&method).to_owned();
        if parts.iter().any(|part| part.a.is_some()) {
            drafts.extend(split(&single_name, at, parts, rules.is_single));
        }
    }
    complete(&mut drafts, scope);
    drafts
}

/// Builds the method whose coefficients a scope assigns one by one.
pub(crate) fn scalar_drafts(name: Option<&str>, place: Place, scope: &Scope) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = scalars::draft(name.unwrap_or_default(), place, scope).into_iter().collect();
    complete(&mut drafts, scope);
    drafts
}

/// Completes drafts with the orders that a scope states.
fn complete(drafts: &mut [Draft], scope: &Scope) {
    let order = |names: &[&str]| names.iter().find_map(|name| whole(scope, name));
    for draft in drafts {
        draft.order = order(&["B.q", "order"]);
        draft.embedded_order = order(&["B.p", "embedded_order", "adaptiveorder"]);
    }
}

/// Returns the integer value of a name.
pub(crate) fn whole(scope: &Scope, name: &str) -> Option<usize> {
    let (value, place) = scope.get(name)?;
    let value = value.as_ref().ok()?;
    if matches!(value, Value::List(..)) {
        return None;
    }
    usize::try_from(value.number(*place).ok()?.as_whole()?).ok()
}

fn insert(methods: &mut Vec<(String, Place, Vec<Part>)>, named: Named, found: Found) {
    let Named { role, method, partition } = named;
    let index = methods.iter().position(|(name, ..)| *name == method).unwrap_or_else(|| {
        methods.push((method, found.1, Vec::new()));
        methods.len() - 1
    });
    let parts = &mut methods[index].2;
    let index = parts.iter().position(|part| part.name == partition).unwrap_or_else(|| {
        parts.push(Part { name: partition, ..Part::default() });
        parts.len() - 1
    });
    let part = &mut parts[index];
    let slot = match role {
        Role::A => &mut part.a,
        Role::B => &mut part.b,
        Role::C => &mut part.c,
        Role::Hat => &mut part.b_hat,
        Role::Difference => &mut part.difference,
    };
    slot.get_or_insert(found);
}

/// Combines parts into partitions of one method if their names say so; otherwise each part becomes a method.
fn split(name: &str, place: Place, parts: Vec<Part>, is_single: bool) -> Vec<Draft> {
    // A matrix such as `A_inverse` without weights of its own is not a tableau.
    let is_tableau = |part: &Part| part.a.is_some() && (is_known(part) || part.b.is_some());
    let (with_a, without): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_tableau);
    let numbered = |part: &Part| part.name.bytes().all(|b| b.is_ascii_digit());
    let together = is_single || with_a.len() == 1 || with_a.iter().all(|part| is_known(part) || numbered(part));
    if together {
        let mut draft = Draft::new(name, place, with_a);
        share(&mut draft.parts, &without);
        rename(&mut draft.parts);
        return vec![draft];
    }
    let alone = |mut part: Part| {
        let own = if name.is_empty() { part.name.clone() } else { format!("{name}_{}", part.name) };
        part.name = String::new();
        Draft::new(&own, place, vec![part])
    };
    with_a.into_iter().map(alone).collect()
}

/// Gives weights and abscissae that occur once to all partitions that have none.
fn share(parts: &mut [Part], others: &[Part]) {
    let all: Vec<Part> = parts.iter().chain(others).cloned().collect();
    let shared = |pick: fn(&Part) -> &Option<Found>| {
        let given: Vec<&Found> = all.iter().filter_map(|part| pick(part).as_ref()).collect();
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
        assert_eq!(of("A"), expected(Role::A, "", ""));
        assert_eq!(of("At"), expected(Role::A, "", "implicit"));
        assert_eq!(of("bembedt"), expected(Role::Hat, "", "implicit"));
        assert_eq!(of("a_slow"), expected(Role::A, "", "slow"));
        assert_eq!(of("gauss_2_a"), expected(Role::A, "gauss_2", ""));
        assert_eq!(of("rk4_b_hat"), expected(Role::Hat, "rk4", ""));
        assert_eq!(of("B.A"), expected(Role::A, "B", ""));
        assert_eq!(of("b̂"), expected(Role::Hat, "", ""));
        for other in ["alpha", "beta", "count", "Ad", "x", "abs", "data_a1", "gamma", "bi_vec"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
