//! METHOD arguments, and schemes built on them: a library id, a method file, or a table in another format, which is imported.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hemiola::export::{self, ConditionalMethod, ImportFormat, ImportedMethods, ReadOptions};
use hemiola::integrate::{Integrator, Realization};
use hemiola::multirate::{self as multirate_methods, CoupledFlow, InfinitesimalMethod};
use hemiola::plot::MapScheme;
use hemiola::stability::StabilityError;
use hemiola::tableau::json::{names_format, read_bounded};
use hemiola::tableau::library::Library;
use hemiola::tableau::{FORMAT, Method, Scheme, SchemeError, printable};
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::multirate::{at_ratio, micro_steps, multirate, realization, realization_name, unknown};
use crate::failure::{CommandError, Failure, hinted};
use crate::output::text::{cause, counted};
use crate::output::writer::note;

/// Reason why a METHOD cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum SourceError {
    #[error("{0}")]
    #[diagnostic(help("`hemiola import --help` lists the formats; `hemiola import FILE --format …` selects one"))]
    Table(String),
    #[error("{file} contains {}: {}", counted(ids.len(), "method"), ids.join(", "))]
    #[diagnostic(help("select one with {file}#ID"))]
    SeveralTables { file: String, ids: Vec<String> },
    #[error("{file} contains no method {id}; expected one of: {}", ids.join(", "))]
    NoTable { file: String, id: String, ids: Vec<String> },
    #[error("{method} has no pair `{found}`; expected two different partitions, by number or name: {}", partitions.join(", "))]
    NoPair { method: String, found: String, partitions: Vec<String> },
    #[error("{id} is a multirate method; expected an ordinary one")]
    #[diagnostic(help(
        "`{id}:inner=kutta-3,substeps=4` is the ordinary method with four steps of kutta-3 in each interval"
    ))]
    Multirate { id: String },
    #[error("{id} is a method with any number of micro-steps; expected an ordinary one")]
    #[diagnostic(help("`{id}@M=4` is the ordinary pair with four micro-steps"))]
    MicroSteps { id: String },
    #[error("{file}: {}", cause(.problem))]
    Unreadable { file: String, problem: io::Error },
}

hinted!(SourceError);

/// Name of standard input.
pub(crate) const STDIN: &str = "-";
/// Longest input; the importer rejects anything longer.
const LONGEST: u64 = (8 << 20) + 1;

/// Methods read from a file, shared by all METHOD arguments that refer to it.
#[derive(Default)]
struct ImportedTables {
    methods: Vec<Method>,
    multirate: Vec<InfinitesimalMethod>,
    /// Messages about methods that could not be read.
    failures: Vec<String>,
}

impl ImportedTables {
    fn ids(&self) -> Vec<String> {
        let ordinary = self.methods.iter().map(Method::id);
        ordinary.chain(self.multirate.iter().map(InfinitesimalMethod::id)).map(str::to_owned).collect()
    }
}

static READ: Mutex<BTreeMap<String, Arc<ImportedTables>>> = Mutex::new(BTreeMap::new());

/// Reads the method given by a METHOD argument. METHOD@I,J selects two of its partitions as a pair, METHOD@I,J,K three
/// of them.
pub(crate) fn method(name: &str, library: &Library) -> Result<Method, Failure> {
    match some_partitions(name) {
        Some((whole, partitions)) => Ok(selected(&whole_method(whole, library)?, &partitions)?),
        None => whole_method(name, library),
    }
}

impl CommandError for SchemeError {}

/// Reads a METHOD or a scheme built on one.
pub(crate) fn scheme(text: &str, library: &Library) -> Result<Scheme, Failure> {
    Scheme::parse(text, |name| method(name, library))
}

/// Reads the integrator of a run: a METHOD, a scheme, or a multirate method, which is then run directly, not as a pair.
pub(crate) fn integrator(text: &str, library: &Library) -> Result<Integrator, Failure> {
    // A realization with selected partitions is an ordinary method.
    let parts = if some_partitions(text).is_some() { None } else { realization_name(text)? };
    let name = parts.map_or(text, |parts| parts.method);
    match (multirate_method(name, library)?, parts) {
        (Some(method), parts) => {
            let inner = parts.and_then(|parts| parts.inner).map(|inner| library.load(inner)).transpose()?;
            Ok(Realization::new(method, inner, parts.and_then(|parts| parts.substeps))?.into())
        }
        (None, Some(parts)) => Err(unknown(parts.method).into()),
        (None, None) => Ok(scheme(text, library)?.into()),
    }
}

/// Id and name of a scheme, for labels in figures.
type Label = (String, String);

/// Reads a scheme for a map: a METHOD, a scheme built on one, or a multirate method with an exact fast part.
pub(crate) fn on_map(text: &str, library: &Library) -> Result<(Label, MapScheme), Failure> {
    let Some(method) = multirate_method(text, library)? else {
        let scheme = scheme(text, library)?;
        return Ok(((scheme.label(), scheme.name()), MapScheme::new(&scheme)?));
    };
    let flow = CoupledFlow::new(&method)?;
    if flow.partitions() != 2 {
        return Err(StabilityError::NotAPair { found: flow.partitions() }.into());
    }
    let (id, name) = (method.id().to_owned(), format!("{}, exact fast part", printable(method.name())));
    let scheme = MapScheme::exact_flow(&id, &name, flow, &method.slow_method()?);
    Ok(((id, name), scheme))
}

/// Splits METHOD@I,J,… at its last @ if at least two partitions follow.
fn some_partitions(name: &str) -> Option<(&str, Vec<&str>)> {
    let (whole, partitions) = name.rsplit_once('@').filter(|_| !Path::new(name).exists())?;
    let partitions: Vec<&str> = partitions.split(',').map(str::trim).collect();
    (partitions.len() > 1).then_some((whole, partitions))
}

/// Selects partitions by their names or numbers from 1. The id contains the selection.
fn selected(method: &Method, wanted: &[&str]) -> Result<Method, SourceError> {
    let names = || method.partitions().iter().map(|partition| partition.name.clone()).collect::<Vec<_>>();
    let number = |wanted: &str| {
        let named = names().iter().position(|name| name == wanted);
        named.or_else(|| wanted.parse::<usize>().ok()?.checked_sub(1))
    };
    let numbers: Option<Vec<usize>> = wanted.iter().map(|wanted| number(wanted)).collect();
    let found = numbers.and_then(|numbers| {
        let some = method.selected(&numbers)?;
        let id = numbers.iter().fold(method.id().to_owned(), |id, number| format!("{id}-{}", number + 1));
        let parts: Vec<&str> = some.partitions().iter().map(|partition| partition.name.as_str()).collect();
        let (last, others) = parts.split_last()?;
        let name = format!("{}, {} and {last}", method.name(), others.join(", "));
        let (claims, precision) = (some.claims(), some.precision());
        Method::new(&id, &name, some.partitions().to_vec(), claims, precision, some.source().clone()).ok()
    });
    found.ok_or_else(|| SourceError::NoPair {
        method: method.id().to_owned(),
        found: wanted.join(","),
        partitions: names(),
    })
}

fn whole_method(name: &str, library: &Library) -> Result<Method, Failure> {
    if let Some(ordinary) =
        realization(name, library)?.map_or_else(|| at_ratio(name, library), |pair| Ok(Some(pair)))?
    {
        return Ok(ordinary);
    }
    let Some((file, id)) = table(name) else {
        if let Some(method) = micro_steps(name, library)? {
            return Err(SourceError::MicroSteps { id: method.id().to_owned() }.into());
        }
        return match multirate(name, library)? {
            Some(method) => Err(SourceError::Multirate { id: method.id().to_owned() }.into()),
            None => Ok(library.load(name)?),
        };
    };
    if let Some(method) = multirate_table(name)? {
        return Err(SourceError::Multirate { id: method.id().to_owned() }.into());
    }
    let tables = tables(file)?;
    match (&tables.methods[..], id) {
        ([method], None) => Ok(method.clone()),
        (_, None) => Err(SourceError::SeveralTables { file: file.to_owned(), ids: tables.ids() }.into()),
        (methods, Some(id)) => {
            let found = methods.iter().find(|method| method.id() == id).cloned();
            let missing = || SourceError::NoTable { file: file.to_owned(), id: id.to_owned(), ids: tables.ids() };
            Ok(found.ok_or_else(missing)?)
        }
    }
}

/// Reads the multirate method given by a METHOD argument; `None` if it denotes anything else.
pub(crate) fn multirate_method(name: &str, library: &Library) -> Result<Option<InfinitesimalMethod>, Failure> {
    match multirate(name, library)? {
        None => multirate_table(name),
        found => Ok(found),
    }
}

/// Reads a multirate method from a table; `None` if the table contains none.
fn multirate_table(name: &str) -> Result<Option<InfinitesimalMethod>, Failure> {
    let Some((file, id)) = table(name) else { return Ok(None) };
    let tables = tables(file)?;
    let found = match (&tables.multirate[..], id) {
        ([method], None) if tables.methods.is_empty() => Some(method),
        (methods, Some(id)) => methods.iter().find(|method| method.id() == id),
        _ => None,
    };
    Ok(found.cloned())
}

/// Expands METHOD arguments: a file with several methods becomes FILE#ID for each of them. Arguments that cannot be
/// read become errors.
pub(crate) fn expanded(names: &[String]) -> Vec<Result<String, Failure>> {
    names.iter().flat_map(|name| methods_of(name)).collect()
}

/// Expands METHOD arguments like [`expanded`], but fails unless everything can be read.
pub(crate) fn all(names: &[String]) -> Result<Vec<String>, Failure> {
    expanded(names).into_iter().collect()
}

fn methods_of(name: &str) -> Vec<Result<String, Failure>> {
    let Some((file, None)) = table(name) else { return vec![Ok(name.to_owned())] };
    match tables(file) {
        Ok(tables) => {
            let failed = tables.failures.iter().map(|message| Err(SourceError::Table(message.clone()).into()));
            match &tables.ids()[..] {
                [_] => std::iter::once(Ok(name.to_owned())).chain(failed).collect(),
                ids => ids.iter().map(|id| Ok(format!("{file}#{id}"))).chain(failed).collect(),
            }
        }
        Err(failure) => vec![Err(failure)],
    }
}

/// Splits a METHOD that is a table into its file and the id after `#`.
fn table(name: &str) -> Option<(&str, Option<&str>)> {
    let is_table = |file: &str| {
        let path = Path::new(file);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        // A JSON file is a method file unless it is recognized as a table.
        if ending.as_deref() == Some("json") {
            return is_json_table(path);
        }
        // A name with neither extension nor folder is an id, even if a file of that name exists.
        let is_file = path.is_file() && (ending.is_some() || file.contains(['/', '\\']));
        file == STDIN || is_file || ending.is_some_and(|ending| is_ending(&ending))
    };
    if is_table(name) {
        return Some((name, None));
    }
    name.rsplit_once('#').filter(|(file, _)| is_table(file)).map(|(file, id)| (file, Some(id)))
}

/// Returns whether a JSON file holds the table of another package.
pub(crate) fn is_json_table(path: &Path) -> bool {
    let bytes = read_bounded(path).unwrap_or_default();
    ImportFormat::guess(&String::from_utf8_lossy(&bytes), "") == ImportFormat::Json
}

/// Returns whether a file with this extension denotes a table even if it does not exist.
fn is_ending(ending: &str) -> bool {
    matches!(ending, "csv" | "tsv" | "txt" | "dat" | "tex" | "py" | "m" | "jl" | "c" | "h" | "def")
}

fn tables(file: &str) -> Result<Arc<ImportedTables>, Failure> {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tables) = read.get(file) {
        return Ok(Arc::clone(tables));
    }
    let bytes = bytes(file)?;
    let tables = if let Some(method) = method_file(&bytes, file)? {
        ImportedTables { methods: vec![method], ..ImportedTables::default() }
    } else if let Some(method) = multirate_file(&bytes, file)? {
        ImportedTables { multirate: vec![method], ..ImportedTables::default() }
    } else {
        let ImportedMethods { format, methods, multirate, failures, warnings, .. } =
            reading(&bytes, file, &ReadOptions::default())?;
        report_import(file, format, methods.len() + multirate.len(), &warnings);
        let failures = failures.iter().map(ToString::to_string).collect();
        ImportedTables { methods, multirate, failures }
    };
    let tables = Arc::new(tables);
    read.insert(file.to_owned(), Arc::clone(&tables));
    Ok(tables)
}

/// Reads the methods of a table.
pub(crate) fn reading(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<ImportedMethods, SourceError> {
    export::read_with(bytes, file, options).map_err(|error| SourceError::Table(error.to_string()))
}

/// Reports the format of a file and the methods that are valid only under a condition.
pub(crate) fn report_import(file: &str, format: ImportFormat, count: usize, warnings: &[ConditionalMethod]) {
    let file = if file == STDIN { "standard input" } else { file };
    note(&format!("{file}: read as {}, {}", format.name(), counted(count, "method")));
    for warning in warnings {
        note(&format!("warning: {warning}"));
    }
}

/// Reads a method file regardless of its name: `hemiola show rk4 --json | hemiola check -`.
pub(crate) fn method_file(bytes: &[u8], file: &str) -> Result<Option<Method>, Failure> {
    Ok(names_format(bytes, FORMAT).then(|| Method::from_json(bytes, file)).transpose()?)
}

/// Reads the file of a multirate method regardless of its name.
pub(crate) fn multirate_file(bytes: &[u8], file: &str) -> Result<Option<InfinitesimalMethod>, Failure> {
    let is_multirate = names_format(bytes, multirate_methods::FORMAT);
    Ok(is_multirate.then(|| InfinitesimalMethod::from_json(bytes, file)).transpose()?)
}

/// Reads the bytes of a file or of standard input.
pub(crate) fn bytes(file: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let result = if file == STDIN {
        io::stdin().lock().take(LONGEST).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|opened| opened.take(LONGEST).read_to_end(&mut bytes))
    };
    result.map_err(|problem| SourceError::Unreadable { file: file.to_owned(), problem })?;
    Ok(bytes)
}
