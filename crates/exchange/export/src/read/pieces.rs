//! Method in several files: `A.csv`, `b.csv`, `c.csv`.

use std::path::Path;

use super::error::{ReadError, TextFault, TextPosition};
use super::format::ImportFormat;
use super::name::UsedIds;
use super::positions::MethodPositions;
use super::reading::{ImportedMethods, method, text};
use crate::read::arrays::roles::{self, ArrayRole, NamingRules};
use crate::read::expressions::scope::NameScope;
use crate::read::tables::grid;
use crate::read::tables::own::Header;

/// Reads a method whose arrays are in separate files; `None` if the files are not named A, b, c, b_hat or similar.
///
/// ```
/// let files = [("out/A.csv".to_owned(), b"0,0\n1/2,0\n".to_vec()), ("out/b.csv".to_owned(), b"0\n1\n".to_vec())];
/// let reading = hemiola_export::read_pieces(&files).unwrap()?;
/// assert_eq!(reading.methods[0].partitions()[0].b[1].text(), "1");
/// # Ok::<(), hemiola_export::ReadError>(())
/// ```
#[must_use]
pub fn read_pieces(files: &[(String, Vec<u8>)]) -> Option<Result<ImportedMethods, ReadError>> {
    let roles: Vec<ArrayRole> =
        files.iter().map(|(file, _)| Some(roles::named(stem(file)?)?.role)).collect::<Option<_>>()?;
    let is_method = roles.contains(&ArrayRole::A) && roles.contains(&ArrayRole::B);
    let is_table = |file: &str| matches!(ending(file).as_str(), "csv" | "tsv" | "txt" | "dat" | "");
    (is_method && files.iter().all(|(file, _)| is_table(file))).then(|| together(files))
}

fn stem(file: &str) -> Option<&str> {
    Path::new(file).file_stem()?.to_str()
}

fn ending(file: &str) -> String {
    Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase()
}

fn together(files: &[(String, Vec<u8>)]) -> Result<ImportedMethods, ReadError> {
    let mut scope = NameScope::default();
    let mut format = ImportFormat::Text;
    for (file, bytes) in files {
        let text = text(bytes, file)?;
        format = ImportFormat::guess(&text, file);
        let separator = if format == ImportFormat::Csv { grid::separator(&text) } else { grid::Separator::Blanks };
        let value = grid::numbers(&text, separator).map_err(|fault| fault.in_file(file, None))?;
        scope.set(stem(file).unwrap_or_default(), Ok(value), TextPosition::START);
    }
    let name = |file: &str| Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let names: Vec<String> = files.iter().filter_map(|(file, _)| name(file)).collect();
    let names = names.join(", ");
    let mut reading = ImportedMethods::new(format);
    let drafts = roles::drafts(None, &scope, NamingRules { is_single: true, ..NamingRules::default() });
    let Some(draft) = drafts.first() else {
        return Err(TextFault::new(TextPosition::START, "no matrix", "rows of A").in_file(&names, None));
    };
    let first = files.first().map_or("", |(file, _)| file.as_str());
    // The folder is named after the method; the files are not.
    let folder = Path::new(first).parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let header = Header::named(folder.unwrap_or("method"));
    reading.methods.push(method(draft, &header, &names, format, &mut UsedIds::default())?);
    reading.positions.push(MethodPositions::new(draft));
    Ok(reading)
}
