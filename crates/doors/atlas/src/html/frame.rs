//! The frame of a page: head, navigation and footer.

use maud::{DOCTYPE, Markup, html};

use crate::site::SiteParts;

/// The part of the site to which a page belongs; the navigation highlights it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SitePart {
    Front,
    Methods,
    Comparisons,
    Explorer,
    Book,
}

/// A page without its contents.
pub(crate) struct PageFrame<'t> {
    pub(crate) title: &'t str,
    /// A sentence for search results.
    pub(crate) description: &'t str,
    pub(crate) place: SitePart,
    /// Whether the page uses the script.
    pub(crate) has_script: bool,
}

const PLACES: [(SitePart, &str, &str); 4] = [
    (SitePart::Methods, "methods/", "Methods"),
    (SitePart::Comparisons, "comparisons/", "Comparisons"),
    (SitePart::Explorer, "explorer/", "Explorer"),
    (SitePart::Book, "book/", "Book"),
];

impl SitePart {
    /// Returns whether the part exists.
    fn is_in(self, parts: SiteParts) -> bool {
        match self {
            Self::Front | Self::Methods | Self::Comparisons => true,
            Self::Explorer => parts.explorer,
            Self::Book => parts.book,
        }
    }
}

impl PageFrame<'_> {
    /// Renders the whole page, whose navigation links to the existing parts. `contents` begins with its heading.
    pub(crate) fn render(&self, parts: SiteParts, contents: &Markup) -> Vec<u8> {
        // The front page is at the root; all others are one folder below.
        let root = if self.place == SitePart::Front { "./" } else { "../" };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="description" content=(self.description);
                    title { (self.title) @if self.place != SitePart::Front { " · Hemiola" } }
                    link rel="stylesheet" href={ (root) "style.css" };
                    link rel="icon" href={ (root) "icon.svg" } type="image/svg+xml";
                    @if self.has_script { script src={ (root) "atlas.js" } defer {} }
                }
                body {
                    a.skip href="#contents" { "Skip to the contents" }
                    header {
                        nav aria-label="Site" {
                            a.home href=(root) aria-current=[(self.place == SitePart::Front).then_some("page")] { "Hemiola" }
                            @for (place, path, name) in PLACES.into_iter().filter(|(place, ..)| place.is_in(parts)) {
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
