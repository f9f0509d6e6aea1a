//! Search for another reading of a tableau that satisfies the claim.

use hemiola_number::{Counter, Progress};
use hemiola_tableau::Method;

use crate::diagnose::claim::Claim;
use crate::diagnose::conditions::printed_row_sums;
use crate::diagnose::hypotheses::hypotheses;
use crate::diagnose::options::DiagnoseOptions;
use crate::diagnose::search::{HypothesisSearch, MOST_ENTRIES};
use crate::diagnose::subject::ExtendedMethod;
use crate::diagnose::suggestion::Suggestion;
use crate::diagnose::suspects::{SuspectExtent, suspects};
use crate::diagnose::verification::verdict;
use crate::error::OrderError;
use crate::properties::row_sums::off_row_sums_text;
use crate::verdict::check::{CheckOptions, OrderCheck, ProblemClass};

/// The result of a diagnosis.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The order of the tableau as stated, up to the claimed order.
    pub order: usize,
    /// The number of conditions.
    pub conditions: u64,
    /// The number of conditions that fail individually: the precision of the tableau does not explain their residuals.
    pub failed: u64,
    /// Whether the tableau as stated satisfies its claim, so that no diagnosis is needed. It may be `false` although no
    /// single condition fails, if no common rounding of the coefficients explains all residuals.
    pub is_sound: bool,
    /// Whether the tableau satisfies its claim at least numerically. If no misprint is found, the last digits are wrong
    /// in this case.
    pub holds_numerically: bool,
    /// The abscissae that are wrong, if the claimed order holds for y' = f(y) but not for y' = f(t, y).
    pub abscissae: Option<WrongAbscissae>,
    /// The number of hypotheses tried.
    pub tried: usize,
    /// Possible errors, those least likely to fit by chance first. Readings that no condition distinguishes are listed
    /// next to each other.
    pub suggestions: Vec<Suggestion>,
}

/// Abscissae that lower the order of a tableau for problems y' = f(t, y).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAbscissae {
    /// The order for these problems, up to the claimed one.
    pub order: usize,
    /// The abscissae and the row sums of A: `c2 = 1/3 is not the row sum 1/2 of A`.
    pub text: String,
}

impl WrongAbscissae {
    /// Finds the abscissae if the order with them is below `claimed`.
    fn find(method: &Method, claimed: usize) -> Result<Option<Self>, OrderError> {
        let Some(text) = off_row_sums_text(method) else { return Ok(None) };
        let options =
            CheckOptions { highest_order: claimed, problem: ProblemClass::NonAutonomous, ..CheckOptions::default() };
        let order = OrderCheck::new(method, options)?.order();
        Ok((order < claimed).then_some(Self { order, text }))
    }
}

impl Diagnosis {
    /// Iterates over the suggestions that are better than chance.
    pub fn plausible(&self) -> impl Iterator<Item = &Suggestion> {
        self.suggestions.iter().filter(|suggestion| suggestion.is_plausible())
    }
}

/// Searches for the transcription error in a tableau that fails a claim.
///
/// ```
/// use hemiola_order::{DiagnoseOptions, OrderError, Slip, diagnose};
/// use hemiola_tableau::{Method, library};
///
/// let right = library::method("rk4").unwrap().to_json();
/// let wrong = right.replace(r#"["0", "1/2", "0", "0"]"#, r#"["0", "-1/2", "0", "0"]"#);
/// let method = Method::from_json(wrong.as_bytes(), "rk4.json").unwrap();
/// let diagnosis = diagnose(&method, &DiagnoseOptions { order: 4, ..DiagnoseOptions::default() }, &()).unwrap();
/// let best = &diagnosis.suggestions[0];
/// let change = &best.changes[0];
/// assert_eq!((best.slip, change.cell.place.to_string().as_str(), change.new.text()), (Slip::Sign, "a32", "1/2"));
/// assert!(best.is_plausible());
/// // Progress is reported to a function, which can stop the search.
/// let stop = |_: hemiola_number::Update<'_>| std::ops::ControlFlow::Break(());
/// let options = DiagnoseOptions { order: 4, ..DiagnoseOptions::default() };
/// assert_eq!(diagnose(&method, &options, &stop).unwrap_err(), OrderError::Interrupted);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range, a partition or power does not exist, more than a thousand
/// entries may be wrong, or `progress` stops the search. It counts the hypotheses tried, which may be fewer than its
/// total.
pub fn diagnose(method: &Method, options: &DiagnoseOptions, progress: &dyn Progress) -> Result<Diagnosis, OrderError> {
    options.validate(method)?;
    let printed = verdict(method, options)?;
    let mut subjects = vec![ExtendedMethod::new(method, options, false)?];
    if ExtendedMethod::shares_stages(method, options.claim) {
        // If both claims are right, the conditions of both confine the stages.
        subjects.insert(0, ExtendedMethod::new(method, options, true)?);
    }
    let mut diagnosis = Diagnosis {
        order: printed.order,
        conditions: printed.conditions,
        failed: printed.failed,
        is_sound: printed.holds,
        holds_numerically: printed.holds_numerically,
        abscissae: None,
        tried: 0,
        suggestions: Vec::new(),
    };
    if printed.holds_numerically && options.claim == Claim::Order {
        diagnosis.abscissae = WrongAbscissae::find(method, options.order)?;
    }
    if diagnosis.is_sound {
        return Ok(diagnosis);
    }
    let counter = Counter::new(progress, "hypotheses", Some(most_hypotheses(&subjects, options)));
    let all = subjects.iter().flat_map(|subject| attempts(subject).into_iter().map(move |attempt| (subject, attempt)));
    for (subject, (extent, row_sums)) in all {
        let search =
            HypothesisSearch::new(subject, options, extent, &row_sums, diagnosis.tried, printed.holds_numerically)?;
        diagnosis.tried = search.tried();
        let found = search.suggestions(&counter)?;
        let is_plausible = found.iter().any(Suggestion::is_plausible);
        if is_plausible || diagnosis.suggestions.is_empty() {
            diagnosis.suggestions = found;
        }
        if is_plausible {
            break;
        }
    }
    Ok(diagnosis)
}

/// Returns the claim to diagnose: the first that does not hold, not even numerically, as in `check`.
///
/// If the order and a higher separable order both fail, the latter is returned, because it imposes more conditions on A
/// and b.
///
/// ```
/// use hemiola_order::diagnose::{Claim, DiagnoseOptions, first_failing};
/// let ruth = hemiola_tableau::library::method("ruth-3").unwrap();
/// let separable = |order| DiagnoseOptions { order, claim: Claim::SeparableOrder, ..DiagnoseOptions::default() };
/// let claims = [separable(3), separable(4)];
/// assert_eq!(first_failing(&ruth, &claims).unwrap().map(|options| options.order), Some(4));
/// ```
///
/// # Errors
/// Returns the errors of [`diagnose`].
pub fn first_failing<'o>(
    method: &Method,
    claims: &'o [DiagnoseOptions],
) -> Result<Option<&'o DiagnoseOptions>, OrderError> {
    let fails = |options: &DiagnoseOptions| {
        options.validate(method)?;
        Ok::<_, OrderError>(!verdict(method, options)?.holds_numerically)
    };
    for options in claims {
        if fails(options)? {
            let has_more = |other: &&DiagnoseOptions| {
                options.claim == Claim::Order && other.claim == Claim::SeparableOrder && other.order > options.order
            };
            return Ok(Some(match claims.iter().find(has_more) {
                Some(separable) if fails(separable)? => separable,
                _ => options,
            }));
        }
    }
    Ok(None)
}

/// Returns the largest number of hypotheses that a search tries, unless it is refused for too many entries.
fn most_hypotheses(subjects: &[ExtendedMethod], options: &DiagnoseOptions) -> usize {
    let of = |subject: &ExtendedMethod| -> usize {
        let (printed, rows) = (subject.method.to_f64(), subject.row_pairs(options));
        let cells = attempts(subject).into_iter().map(|(extent, _)| subject.suspects(options, extent));
        let accepted = cells.filter(|cells| cells.len() <= MOST_ENTRIES);
        accepted.map(|cells| hypotheses(&cells, &rows, &printed).len()).sum()
    };
    subjects.iter().map(of).sum()
}

/// Returns the assumptions to try, strongest first: the empty parts of the tableau are intended to be empty, and the
/// abscissae are correct.
fn attempts(subject: &ExtendedMethod) -> Vec<(SuspectExtent, Vec<(usize, usize)>)> {
    let method = &subject.method;
    let row_sums = printed_row_sums(method);
    let mut attempts = vec![(SuspectExtent::Structure, row_sums.clone())];
    if !row_sums.is_empty() {
        attempts.push((SuspectExtent::Structure, Vec::new()));
    }
    let differ = suspects(method, SuspectExtent::Structure) != suspects(method, SuspectExtent::Whole);
    if differ {
        attempts.push((SuspectExtent::Whole, row_sums));
    }
    attempts
}
