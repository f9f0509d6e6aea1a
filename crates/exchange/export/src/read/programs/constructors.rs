//! Calls that construct methods in other packages.

use num_traits::Zero;

use super::reader::{Call, ProgramUnit};
use crate::read::arrays::draft::{Draft, DraftPartition, ReadValue};
use crate::read::arrays::partitions::rename;
use crate::read::arrays::roles::{self, NamingRules};
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::{ProgramValue, arithmetic};

/// Returns whether a function constructs a method.
pub(crate) fn is_method_constructor(function: &str) -> bool {
    matches!(
        function,
        "TSRKRegister"
            | "TSARKIMEXRegister"
            | "TSDIRKRegister"
            | "ARKodeButcherTable_Create"
            | "ARKodeButcherTable_Alloc"
            | "ExplicitRKTableau"
            | "ImplicitRKTableau"
            | "ESDIRKIMEXTableau"
            | "Tableau"
    ) || function.ends_with("RungeKuttaMethod")
        || function.ends_with("RungeKuttaPair")
}

/// Builds the methods that the calls of a unit construct.
pub(crate) fn drafts(unit: &ProgramUnit) -> Vec<Draft> {
    unit.calls.iter().flat_map(|call| draft(call, unit)).collect()
}

fn draft(call: &Call, unit: &ProgramUnit) -> Vec<Draft> {
    let of = Arguments { call };
    let name = unit.name.as_deref().unwrap_or_default();
    let draft = match call.function.as_str() {
        "TSRKRegister" => of.petsc(&[("", [Some(3), Some(4), Some(5), Some(6)])]),
        "TSDIRKRegister" => of.petsc(&[("", [Some(3), Some(4), Some(5), Some(6)])]),
        "TSARKIMEXRegister" => of.petsc(&[
            ("implicit", [Some(3), Some(4), Some(5), Some(9)]),
            ("explicit", [Some(6), Some(7), Some(8), Some(10)]),
        ]),
        "ARKodeButcherTable_Create" => of.sundials(name),
        "ARKodeButcherTable_Alloc" => return of.allocated(unit),
        "ExplicitRKTableau" | "ImplicitRKTableau" => of.tableau(name),
        "ESDIRKIMEXTableau" => of.additive(name),
        "Tableau" => of.geometric(),
        _ => of.nodepy(name),
    };
    draft.into_iter().collect()
}

struct Arguments<'a> {
    call: &'a Call,
}

impl Arguments<'_> {
    fn place(&self) -> TextPosition {
        self.call.place
    }

    /// Returns an argument by its position among the unnamed ones; values such as `NULL` count as missing.
    fn at(&self, position: usize) -> Option<ReadValue> {
        let unnamed = self.call.arguments.iter().filter(|(name, _)| name.is_none());
        unnamed.map(|(_, value)| value).nth(position).and_then(|value| self.given(value))
    }

    fn named(&self, name: &str) -> Option<ReadValue> {
        let found = self.call.arguments.iter().find(|(given, _)| given.as_deref() == Some(name));
        found.and_then(|(_, value)| self.given(value))
    }

    fn given(&self, value: &Result<ProgramValue, TextFault>) -> Option<ReadValue> {
        let is_nothing = value.as_ref().is_ok_and(ProgramValue::is_nothing);
        let place = value.as_ref().ok().and_then(ProgramValue::written_at).unwrap_or(self.place());
        (!is_nothing).then(|| (value.clone(), place))
    }

    fn text(&self, found: Option<ReadValue>) -> Option<String> {
        match found?.0.ok()? {
            ProgramValue::Text(text, ..) | ProgramValue::Name(text, _) => Some(text),
            ProgramValue::Number(_) | ProgramValue::List(..) => None,
        }
    }

    fn whole(&self, found: Option<ReadValue>) -> Option<usize> {
        let (value, place) = found?;
        usize::try_from(value.ok()?.number(place).ok()?.as_whole()?).ok()
    }

    /// Sets the orders that the arguments state.
    fn claims(&self, draft: &mut Draft, order: Option<ReadValue>, embedded: Option<ReadValue>) {
        for (name, found) in [("order", order), ("embedded_order", embedded)] {
            let Some(found) = found else { continue };
            let place = found.1;
            draft.claim(name, self.whole(Some(found)), place);
        }
    }

    /// Reads `TS…Register(name, order, s, A, b, c, …)`. Missing weights are the last row of A or those of the implicit
    /// partition.
    fn petsc(&self, positions: &[(&str, [Option<usize>; 4])]) -> Option<Draft> {
        // The definition of the function itself has declarations as arguments and is skipped.
        self.whole(self.at(2))?;
        let name = self.text(self.at(0))?;
        let mut parts: Vec<DraftPartition> = Vec::new();
        for (partition, [a, b, c, hat]) in positions {
            let argument = |position: &Option<usize>| position.and_then(|position| self.at(position));
            let Some(a) = argument(a) else { continue };
            let first = parts.first();
            let inherited = first.map_or_else(|| last_row(&a), |first: &DraftPartition| first.b.clone());
            let hat = argument(hat).or_else(|| first.and_then(|first| first.b_hat.clone()));
            parts.push(DraftPartition {
                name: (*partition).to_owned(),
                b: argument(b).or(inherited),
                c: argument(c),
                b_hat: hat,
                a: Some(a),
                ..DraftPartition::default()
            });
        }
        rename(&mut parts);
        let mut draft = Draft::new(&name, self.place(), parts);
        self.claims(&mut draft, self.at(1), None);
        Some(draft)
    }

    /// Reads `ARKodeButcherTable_Create(s, q, p, c, A, b, d)`.
    fn sundials(&self, name: &str) -> Option<Draft> {
        let part = DraftPartition {
            a: self.at(4),
            b: self.at(5),
            c: self.at(3),
            b_hat: self.at(6),
            ..DraftPartition::default()
        };
        let mut draft = Draft::new(name, self.place(), vec![part]);
        draft.stages = Some(self.whole(self.at(0))?);
        self.claims(&mut draft, self.at(1), self.at(2));
        Some(draft)
    }

    /// Reads `B = ARKodeButcherTable_Alloc(s, SUNTRUE)`, after which the nonzero entries are set.
    fn allocated(&self, unit: &ProgramUnit) -> Vec<Draft> {
        let Some(stages) = self.whole(self.at(0)) else { return Vec::new() };
        let has_hat = self.text(self.at(1)).is_none_or(|word| !word.contains("FALSE"));
        let mut drafts =
            roles::drafts(unit.name.as_deref(), &unit.scope, NamingRules { hat_is_d: true, is_single: false });
        if drafts.is_empty() {
            // An explicit table of one stage sets no entries of A.
            let weights = unit.scope.get("B.b").cloned();
            drafts.extend(weights.map(|b| {
                let part =
                    DraftPartition { b: Some(b), c: unit.scope.get("B.c").cloned(), ..DraftPartition::default() };
                Draft::new(unit.name.as_deref().unwrap_or_default(), self.place(), vec![part])
            }));
        }
        for draft in &mut drafts {
            draft.stages = Some(stages);
            roles::claims(draft, &unit.scope);
            for part in &mut draft.parts {
                let empty = || (Ok(ProgramValue::List(Vec::new(), self.place())), self.place());
                part.a.get_or_insert_with(empty);
                // Unset entries are zero: a table without c has abscissae 0.
                part.c.get_or_insert_with(|| {
                    (
                        Ok(ProgramValue::List(vec![ProgramValue::Number(WrittenNumber::zero())], self.place())),
                        self.place(),
                    )
                });
                part.b_hat = part.b_hat.take().filter(|_| has_hat);
            }
        }
        drafts
    }

    /// Reads `ExplicitRKTableau(A, c, α, order; αEEst, adaptiveorder)`, where α are the weights.
    fn tableau(&self, name: &str) -> Option<Draft> {
        let hat = self.named("αEEst");
        let part =
            DraftPartition { a: self.at(0), c: self.at(1), b: self.at(2), b_hat: hat, ..DraftPartition::default() };
        let mut draft = Draft::new(name, self.place(), vec![part]);
        self.claims(&mut draft, self.at(3), self.named("adaptiveorder"));
        // Definitions of the type itself contain no numbers.
        draft.order.map(|_| draft)
    }

    /// Reads `Tableau{T}(:name, order, A, b, c)` of RungeKutta.jl; the number of stages may follow the order.
    fn geometric(&self) -> Option<Draft> {
        let (name, order) = (self.text(self.at(0))?, self.at(1));
        self.whole(order.clone())?;
        let first = if self.whole(self.at(2)).is_some() && self.at(5).is_some() { 3 } else { 2 };
        let part = DraftPartition {
            a: self.at(first),
            b: self.at(first + 1),
            c: self.at(first + 2),
            ..DraftPartition::default()
        };
        let mut draft = Draft::new(&name, self.place(), vec![part]);
        self.claims(&mut draft, order, None);
        Some(draft)
    }

    /// Reads `ESDIRKIMEXTableau(Ai, bi, Ae, be, c, btilde, ebtilde, α, order, …)`.
    fn additive(&self, name: &str) -> Option<Draft> {
        let c = self.at(4);
        let part = |partition: &str, a: usize, b: usize, difference: usize, c: Option<ReadValue>| DraftPartition {
            name: partition.to_owned(),
            a: self.at(a),
            b: self.at(b),
            c,
            difference: self.at(difference),
            ..DraftPartition::default()
        };
        let explicit = part("explicit", 2, 3, 6, self.named("ce").or_else(|| c.clone()));
        let mut parts = vec![explicit, part("implicit", 0, 1, 5, c)];
        // Methods that are not additive have an explicit partition of zeros.
        let vanishes = |found: &Option<ReadValue>| {
            found.as_ref().is_none_or(|(value, _)| value.as_ref().is_ok_and(ProgramValue::is_zero_array))
        };
        parts.retain(|part| !(vanishes(&part.a) && vanishes(&part.b)));
        rename(&mut parts);
        let has_difference = parts.iter().any(|part| part.difference.is_some());
        let mut draft = Draft::new(name, self.place(), parts);
        self.whole(self.at(8))?;
        self.claims(&mut draft, self.at(8), None);
        if has_difference {
            draft.remarks.push("The numbers btilde are taken as b_hat - b, as OrdinaryDiffEq.jl has them.".to_owned());
        }
        Some(draft)
    }

    /// Reads `RungeKuttaMethod(A, b, name='…')` and `ExplicitRungeKuttaPair(A, b, bhat)`, or the Shu–Osher form.
    fn nodepy(&self, unit: &str) -> Option<Draft> {
        let is_pair = self.call.function.ends_with("Pair");
        let argument = |name: &str, position: usize| self.named(name).or_else(|| self.at(position));
        let mut part = DraftPartition { a: argument("A", 0), b: argument("b", 1), ..DraftPartition::default() };
        if is_pair {
            part.b_hat = argument("bhat", 2);
        }
        // Two registers in van der Houwen's form, whose vectors are not Williamson's.
        if self.call.function.starts_with("TwoR") {
            part.a = part.a.map(|(_, place)| {
                let found = "vectors of a form with two registers by van der Houwen";
                (Err(TextFault::new(place, found, "a matrix A, or A and B of Williamson's 2N form")), place)
            });
        }
        let shu_osher = self.named("alpha").zip(self.named("beta")).filter(|_| part.a.is_none());
        if let Some(((alpha, place), (beta, _))) = shu_osher {
            let rows = alpha.and_then(|alpha| butcher(&alpha, &beta?, place));
            let (a, b) = match rows {
                Ok((a, b)) => (Ok(a), Ok(b)),
                Err(fault) => (Err(fault.clone()), Err(fault)),
            };
            (part.a, part.b) = (Some((a, place)), Some((b, place)));
        }
        // Definitions of the classes themselves contain no coefficients.
        part.a.as_ref()?;
        let given = self.text(self.named("name")).or_else(|| self.text(self.named("shortname")));
        let name = given.or_else(|| self.call.target.clone()).unwrap_or_else(|| unit.to_owned());
        let mut draft = Draft::new(&name, self.place(), vec![part]);
        self.claims(&mut draft, self.named("order"), None);
        Some(draft)
    }
}

/// Returns the last row of a matrix as weights.
fn last_row((matrix, place): &ReadValue) -> Option<ReadValue> {
    let row = match matrix {
        Ok(ProgramValue::List(rows, _)) => rows.last()?.clone(),
        _ => return None,
    };
    Some((Ok(row), *place))
}

/// Computes A and b of u_i = Σ_{j<i} α_ij u_j + h β_ij f(u_j), whose last stage is the result (Shu and Osher 1988).
fn butcher(
    alpha: &ProgramValue,
    beta: &ProgramValue,
    place: TextPosition,
) -> Result<(ProgramValue, ProgramValue), TextFault> {
    let (alpha, beta) = (alpha.rows(place)?, beta.rows(place)?);
    let mut stages: Vec<Vec<WrittenNumber>> = Vec::new();
    let count = beta.first().map_or(0, |(row, _)| row.len());
    if alpha.len() != beta.len() || beta.len() != count + 1 {
        let found = format!("alpha and beta of {} and {} rows", alpha.len(), beta.len());
        return Err(TextFault::new(
            place,
            found,
            format!("{} rows, one for each stage and one for the result", count + 1),
        ));
    }
    for (i, ((alphas, at), (betas, _))) in alpha.iter().zip(&beta).enumerate() {
        let later = alphas.iter().chain(betas).enumerate().any(|(k, x)| k % count.max(1) >= i && !x.value().is_zero());
        if alphas.len() != count || betas.len() != count || later {
            return Err(TextFault::new(
                *at,
                format!("row {} of alpha and beta", i + 1),
                "the rows of an explicit method",
            ));
        }
        let mut stage = betas.clone();
        for (earlier, weight) in stages.iter().zip(alphas) {
            for (entry, of_earlier) in stage.iter_mut().zip(earlier) {
                let product = weight.times(of_earlier).map_err(arithmetic(*at))?;
                *entry = entry.plus(&product).map_err(arithmetic(*at))?;
            }
        }
        stages.push(stage);
    }
    let list = |row: Vec<WrittenNumber>| ProgramValue::List(row.into_iter().map(ProgramValue::Number).collect(), place);
    let b = list(stages.pop().unwrap_or_default());
    Ok((ProgramValue::List(stages.into_iter().map(list).collect(), place), b))
}
