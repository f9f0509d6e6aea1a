//! The files of a site, and the check of their links.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::AtlasError;

/// Parts of a site that other programs write. Pages link only to existing parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SiteParts {
    /// Whether the folder `explorer/` exists.
    pub explorer: bool,
    /// Whether the folder `book/` exists.
    pub book: bool,
}

impl SiteParts {
    /// Returns whether a page belongs to one of these parts.
    fn has(self, page: &str) -> bool {
        self.explorer && page == "explorer/index.html" || self.book && page == "book/index.html"
    }
}

/// The page that a folder's URL shows.
const FOLDER_PAGE: &str = "index.html";

/// The files of a site by their paths from its root, with `/` between folders.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// The contents of each file.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Parts written by other programs; their front pages are valid link targets.
    pub parts: SiteParts,
}

impl Site {
    /// Checks that every link leads to a file of the site, and every fragment to an anchor of its page.
    ///
    /// Fragments of the form `key=value` are the state of a program, not anchors. Links to other hosts are not
    /// followed.
    ///
    /// ```
    /// use hemiola_atlas::{AtlasError, Site};
    /// let mut site = Site::default();
    /// site.files.insert("a/b.html".to_owned(), b"<a href=\"../c.html#there\">".to_vec());
    /// site.files.insert("c.html".to_owned(), b"<p id=\"here\">".to_vec());
    /// let Err(AtlasError::BrokenLink { page, target }) = site.check_links() else { panic!() };
    /// assert_eq!([page, target], ["a/b.html", "../c.html#there"]);
    /// ```
    ///
    /// # Errors
    /// Returns [`AtlasError::BrokenLink`] with the first broken link, or [`AtlasError::TwiceAnchored`] with an
    /// anchor that occurs twice.
    pub fn check_links(&self) -> Result<(), AtlasError> {
        let pages = self.files.iter().filter(|(path, _)| path.ends_with(".html"));
        let pages: BTreeMap<&str, String> =
            pages.map(|(path, bytes)| (path.as_str(), String::from_utf8_lossy(bytes).into_owned())).collect();
        let mut anchors = BTreeMap::new();
        for (path, text) in &pages {
            anchors.insert(*path, anchors_of(path, text)?);
        }
        for (path, text) in &pages {
            for target in attributes(text, " href=\"").chain(attributes(text, " src=\"")) {
                if !self.leads_somewhere(path, &target, &anchors) {
                    return Err(AtlasError::BrokenLink { page: (*path).to_owned(), target });
                }
            }
        }
        Ok(())
    }

    fn leads_somewhere(&self, page: &str, target: &str, anchors: &BTreeMap<&str, BTreeSet<String>>) -> bool {
        if ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) {
            return true;
        }
        let (path, fragment) = target.split_once('#').map_or((target, None), |(path, part)| (path, Some(part)));
        let Some(path) = resolved(page, path) else { return false };
        if !self.files.contains_key(&path) && !self.parts.has(&path) {
            return false;
        }
        let is_anchor = |part: &str| anchors.get(path.as_str()).is_some_and(|there| there.contains(part));
        fragment.is_none_or(|part| part.contains('=') || is_anchor(part))
    }
}

fn anchors_of(page: &str, text: &str) -> Result<BTreeSet<String>, AtlasError> {
    let mut anchors = BTreeSet::new();
    for anchor in attributes(text, " id=\"") {
        if !anchors.insert(anchor.clone()) {
            return Err(AtlasError::TwiceAnchored { page: page.to_owned(), anchor });
        }
    }
    Ok(anchors)
}

/// Returns the values of an attribute. Quotes in text are escaped, so that `start` occurs only in tags.
fn attributes<'t>(text: &'t str, start: &'static str) -> impl Iterator<Item = String> + 't {
    text.split(start).skip(1).filter_map(|rest| rest.split_once('"')).map(|(value, _)| value.replace("&amp;", "&"))
}

/// Resolves a relative path on a page to a path from the root; `None` above the root.
fn resolved(page: &str, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(page.to_owned());
    }
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    for part in path.split('/') {
        match part {
            ".." => {
                folders.pop()?;
            }
            "." => {}
            name => folders.push(name),
        }
    }
    let joined = folders.join("/");
    Some(if joined.is_empty() || joined.ends_with('/') { joined + FOLDER_PAGE } else { joined })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> Site {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Site { files: files.collect(), ..Site::default() }
    }

    #[test]
    fn folders_files_anchors_and_states_are_found() {
        let pages = site(&[
            (
                "index.html",
                "<a href=\"a/\"><a href=\"a/x.html#there\"><a href=\"style.css\"><a href=\"#top\"><p id=\"top\">",
            ),
            (
                "a/index.html",
                "<a href=\"../\"><a href=\"./x.html\"><a href=\"../a/#state=1\"><img src=\"../style.css\">",
            ),
            ("a/x.html", "<p id=\"there\"> <a href=\"https://doi.org/10.1\">"),
            ("style.css", ""),
        ]);
        pages.check_links().unwrap();
    }

    #[test]
    fn every_kind_of_broken_link_is_named_with_its_page() {
        for target in ["b.html", "#there", "../x.html", "a.html#", "folder/", "a.html#there"] {
            let page = format!("<p id=\"here\"><a href=\"{target}\">");
            match site(&[("a.html", &page)]).check_links() {
                Err(AtlasError::BrokenLink { page, target: found }) => assert_eq!([&page, &found], ["a.html", target]),
                other => panic!("{target}: {other:?}"),
            }
        }
        let twice = site(&[("a.html", "<p id=\"x\"><p id=\"x\">")]).check_links();
        assert!(matches!(twice, Err(AtlasError::TwiceAnchored { anchor, .. }) if anchor == "x"));
    }

    #[test]
    fn parts_of_other_programs_are_targets_if_they_exist() {
        let mut pages = site(&[("a/x.html", "<a href=\"../explorer/#method=rk4\">")]);
        assert!(matches!(pages.check_links(), Err(AtlasError::BrokenLink { .. })));
        pages.parts.book = true;
        assert!(pages.check_links().is_err());
        pages.parts.explorer = true;
        pages.check_links().unwrap();
    }

    /// Links in code samples are text.
    #[test]
    fn text_is_not_read_as_attributes() {
        let page = maud::html! { pre { "<a href=\"nowhere.html\">" } }.into_string();
        site(&[("a.html", &page)]).check_links().unwrap();
    }
}
