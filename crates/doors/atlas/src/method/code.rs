//! The method in other languages.

use hemiola_export::{Language, trixi_files, write};
use maud::{Markup, html};

use crate::facts::MethodFacts;

/// The languages: their names in `hemiola export --language`, their titles, and the variants.
const LANGUAGES: [(&str, &str, Language); 10] = [
    ("python", "Python", Language::Python),
    ("julia", "Julia", Language::Julia),
    ("c", "C", Language::C),
    ("fortran", "Fortran", Language::Fortran),
    ("matlab", "MATLAB", Language::Matlab),
    ("rust", "Rust", Language::Rust),
    ("latex", "LaTeX", Language::Latex),
    ("csv", "CSV", Language::Csv),
    ("sundials", "SUNDIALS (ARKODE)", Language::Sundials),
    ("petsc", "PETSc (TSMPRK)", Language::Petsc),
];

pub(super) fn section(facts: &MethodFacts) -> Markup {
    let texts = LANGUAGES.into_iter().filter_map(|(word, name, language)| {
        // Omit formats that cannot represent this method.
        write(&facts.method, language).ok().map(|text| (word.to_owned(), name.to_owned(), text))
    });
    let trixi = trixi_files(&facts.method).ok().into_iter().flat_map(|trixi| trixi.files);
    let trixi = trixi.map(|(file, text)| ("trixi".to_owned(), format!("Trixi.jl: {file}"), text));
    html! {
        p { "What " code { "hemiola export " (facts.id()) " --language LANGUAGE" } " writes." }
        @for (word, name, text) in texts.chain(trixi) {
            details.code {
                summary { (name) }
                pre tabindex="0" role="region" aria-label={ (name) " code" } data-language=(word) { code { (text) } }
            }
        }
    }
}
