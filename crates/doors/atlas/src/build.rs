//! Builds the site: first computes the facts about all methods, then renders the pages and writes each as soon as it is complete.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use hemiola_design::Certificate;
use hemiola_multirate::InfinitesimalMethod;
use hemiola_number::{Counter, Progress};
use hemiola_tableau::Method;
use rayon::prelude::*;

use crate::comparison::{self, ComparisonGroup};
use crate::error::AtlasError;
use crate::facts::MethodFacts;
use crate::html::PageFigure;
use crate::multirate::MultirateFacts;
use crate::site::{Site, SiteParts};
use crate::{front, index, method, multirate};

/// A method of the atlas.
#[derive(Clone, Debug)]
pub struct AtlasEntry {
    /// The method.
    pub method: Method,
    /// The certificate of the method, if there is one.
    pub certificate: Option<Certificate>,
}

/// Builds the atlas of methods: pages, figures, method files, certificates, style and script, with all links
/// checked. Multirate methods have pages and an index of their own.
///
/// Pages link to the `parts` of the site that other programs have written. `progress` counts the methods with computed facts, and then
/// the pages.
///
/// # Errors
/// Returns an [`AtlasError`] if a result cannot be computed or drawn, if a link is broken, or if `progress` stops the tasks.
pub fn atlas(
    entries: &[AtlasEntry],
    multirates: &[InfinitesimalMethod],
    parts: SiteParts,
    progress: &dyn Progress,
) -> Result<Site, AtlasError> {
    atlas_by(entries, multirates, parts, progress, &|_, _| Ok(()))
}

/// Receives a file of the site and its path as soon as its page is complete. Called from several threads.
pub type WriteFile<'w> = dyn Fn(&str, &[u8]) -> io::Result<()> + Sync + 'w;

/// Builds the atlas as [`atlas`] does, and passes each file to `write` as soon as it is complete.
///
/// ```
/// use std::sync::Mutex;
/// use hemiola_atlas::{AtlasEntry, SiteParts, atlas_by};
/// let entry = AtlasEntry { method: hemiola_tableau::library::method("rk4")?, certificate: None };
/// let paths = Mutex::new(Vec::new());
/// let write = |path: &str, _: &[u8]| -> std::io::Result<()> {
///     paths.lock().unwrap().push(path.to_owned());
///     Ok(())
/// };
/// let site = atlas_by(&[entry], &[], SiteParts::default(), &(), &write)?;
/// let paths = paths.into_inner()?;
/// // Each page follows its figures, and the style of all comes first.
/// let place = |name: &str| paths.iter().position(|path| path == name);
/// assert!(place("style.css") == Some(0) && place("figures/rk4-regions.svg") < place("methods/rk4.html"));
/// assert_eq!(paths.len(), site.files.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`atlas`], and [`AtlasError::Write`] with an error of `write`. Links are checked at the end, when
/// all files have been passed.
pub fn atlas_by(
    entries: &[AtlasEntry],
    multirates: &[InfinitesimalMethod],
    parts: SiteParts,
    progress: &dyn Progress,
    write: &WriteFile<'_>,
) -> Result<Site, AtlasError> {
    let counter = Counter::new(progress, "methods", Some(entries.len()));
    // Each method is a task of its own: one may take a hundred times as long as another.
    let known = entries.par_iter().with_max_len(1).map(|entry| {
        let facts = counter.run(|| MethodFacts::new(&entry.method, entry.certificate.as_ref()));
        facts.unwrap_or(Err(AtlasError::Interrupted))
    });
    let known: Vec<MethodFacts> = known.collect::<Result<_, _>>()?;
    let groups = comparison::groups(&known);
    let files = FileList { write, files: Mutex::default() };
    ASSETS.iter().try_for_each(|(name, text)| files.add(name, text.as_bytes().to_vec()))?;
    let counter = Counter::new(progress, "pages", Some(entries.len() + groups.len() + multirates.len()));
    let run =
        |task: &(dyn Fn() -> Result<(), AtlasError> + Sync)| counter.run(task).unwrap_or(Err(AtlasError::Interrupted));
    let comparisons =
        || groups.par_iter().with_max_len(1).try_for_each(|group| run(&|| files.comparison(group, parts)));
    let methods = || {
        let both = entries.par_iter().zip(&known).with_max_len(1);
        both.try_for_each(|(entry, facts)| run(&|| files.method(entry, facts, &groups, parts)))
    };
    // Comparisons take longest.
    let (compared, written) = rayon::join(comparisons, methods);
    compared.and(written)?;
    let multirates = multirates.par_iter().with_max_len(1).map(|method| {
        let facts = counter.run(|| files.multirate(method, parts));
        facts.unwrap_or(Err(AtlasError::Interrupted))
    });
    let multirates: Vec<MultirateFacts> = multirates.collect::<Result<_, _>>()?;

    if !multirates.is_empty() {
        files.add("multirate/index.html", multirate::index(&multirates, parts))?;
    }
    files.add("comparisons/index.html", comparison::index(&groups, parts))?;
    files.add("methods/index.html", index::index(&known, multirates.len(), parts))?;
    files.add("index.html", front::front(&known, &groups, parts))?;
    let site = Site { files: files.files.into_inner().unwrap_or_default(), parts };
    site.check_links()?;
    Ok(site)
}

/// The files so far.
struct FileList<'w> {
    write: &'w WriteFile<'w>,
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl FileList<'_> {
    fn add(&self, path: &str, contents: Vec<u8>) -> Result<(), AtlasError> {
        (self.write)(path, &contents).map_err(|problem| AtlasError::Write { path: path.to_owned(), problem })?;
        // The lock is poisoned only if another thread has panicked, and that panic propagates.
        if let Ok(mut files) = self.files.lock() {
            files.insert(path.to_owned(), contents);
        }
        Ok(())
    }

    /// Adds the page of a method with its files. The page is added last, so that its figures always exist.
    fn method(
        &self,
        entry: &AtlasEntry,
        facts: &MethodFacts,
        groups: &[ComparisonGroup<'_>],
        parts: SiteParts,
    ) -> Result<(), AtlasError> {
        let id = facts.id();
        let page = method::page(facts, groups.iter().find(|group| group.has(facts)), parts)?;
        self.add(&format!("methods/{id}.json"), entry.method.to_json().into_bytes())?;
        if let Some(certificate) = &entry.certificate {
            let text = format!("{:#}\n", certificate.to_json());
            self.add(&format!("methods/{id}.certificate.json"), text.into_bytes())?;
        }
        self.pictures(page.pictures)?;
        self.add(&format!("methods/{id}.html"), page.html)
    }

    fn multirate(&self, method: &InfinitesimalMethod, parts: SiteParts) -> Result<MultirateFacts, AtlasError> {
        let id = method.id();
        let facts = MultirateFacts::new(method, &()).map_err(AtlasError::of(id))?;
        self.add(&format!("multirate/{id}.json"), method.to_json().into_bytes())?;
        self.add(&format!("multirate/{id}.html"), multirate::page(&facts, parts))?;
        Ok(facts)
    }

    fn comparison(&self, group: &ComparisonGroup<'_>, parts: SiteParts) -> Result<(), AtlasError> {
        let (html, pictures) = group.page(parts)?;
        self.pictures(pictures)?;
        self.add(&format!("comparisons/{}.html", group.slug()), html)
    }

    fn pictures(&self, pictures: Vec<PageFigure>) -> Result<(), AtlasError> {
        pictures.into_iter().try_for_each(|picture| self.add(&picture.path, picture.svg.into_bytes()))
    }
}

/// The style sheet, the script and the icon.
const ASSETS: [(&str, &str); 3] = [
    ("style.css", include_str!("assets/style.css")),
    ("atlas.js", include_str!("assets/atlas.js")),
    ("icon.svg", include_str!("assets/icon.svg")),
];
