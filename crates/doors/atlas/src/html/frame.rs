//! The frame of a page: head, navigation and footer.

use maud::{DOCTYPE, Markup, html};

/// The part of the site that a page belongs to; the navigation marks it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Front,
    Methods,
    Comparisons,
    Explorer,
    Book,
}

/// A page without its contents.
pub(crate) struct Frame<'t> {
    pub(crate) title: &'t str,
    /// A sentence for search results.
    pub(crate) description: &'t str,
    pub(crate) place: Place,
    /// Whether the page uses the script.
    pub(crate) has_script: bool,
}

const PLACES: [(Place, &str, &str); 4] = [
    (Place::Methods, "methods/", "Methods"),
    (Place::Comparisons, "comparisons/", "Comparisons"),
    (Place::Explorer, "explorer/", "Explorer"),
    (Place::Book, "book/", "Book"),
];

impl Frame<'_> {
    /// Renders the whole page. `contents` begins with its heading.
    pub(crate) fn around(&self, contents: &Markup) -> Vec<u8> {
        // The front page is at the root; all others are one folder below.
        let root = if self.place == Place::Front { "./" } else { "../" };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="description" content=(self.description);
                    title { (self.title) @if self.place != Place::Front { " · Hemiola" } }
                    link rel="stylesheet" href={ (root) "style.css" };
                    link rel="icon" href={ (root) "icon.svg" } type="image/svg+xml";
                    @if self.has_script { script src={ (root) "atlas.js" } defer {} }
                }
                body {
                    a.skip href="#contents" { "Skip to the contents" }
                    header {
                        nav aria-label="Site" {
                            a.home href=(root) aria-current=[(self.place == Place::Front).then_some("page")] { "Hemiola" }
                            @for (place, path, name) in PLACES {
                                a href={ (root) (path) } aria-current=[(self.place == place).then_some("true")] { (name) }
                            }
                        }
                    }
                    main id="contents" { (contents) }
                    footer {
                        p { "Made by " code { "hemiola atlas" } ", version " (env!("CARGO_PKG_VERSION")) ". All numbers are those that "
                            code { "hemiola check" } " and " code { "hemiola stability" } " print." }
                    }
                }
            }
        };
        page.into_string().into_bytes()
    }
}
