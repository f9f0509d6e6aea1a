//! Builds the site: first the facts about all methods, then the pages.

use std::collections::BTreeMap;

use hemiola_design::Certificate;
use hemiola_multirate::InfinitesimalMethod;
use hemiola_number::{Counter, Progress};
use hemiola_tableau::Method;
use rayon::prelude::*;

use crate::comparison;
use crate::error::AtlasError;
use crate::facts::MethodFacts;
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
/// Pages link to those `parts` of the site that other programs have made. `progress` counts two tasks for each method,
/// its facts and its page, and one for each multirate method.
///
/// # Errors
/// Returns an [`AtlasError`] if something cannot be computed or drawn, if a link is broken, or if `progress` stops the
/// tasks.
pub fn atlas(
    entries: &[AtlasEntry],
    multirates: &[InfinitesimalMethod],
    parts: SiteParts,
    progress: &dyn Progress,
) -> Result<Site, AtlasError> {
    let counter = Counter::new(progress, "tasks", Some(2 * entries.len() + multirates.len()));
    // Each method is a task of its own: one may take a hundred times as long as another.
    let known = entries.par_iter().with_max_len(1).map(|entry| {
        let facts = counter.run(|| MethodFacts::new(&entry.method, entry.certificate.as_ref()));
        facts.unwrap_or(Err(AtlasError::Interrupted))
    });
    let known: Vec<MethodFacts> = known.collect::<Result<_, _>>()?;
    let groups = comparison::groups(&known);
    let pages = known.par_iter().with_max_len(1).map(|facts| {
        let page = counter.run(|| method::page(facts, groups.iter().find(|group| group.has(facts)), parts));
        page.unwrap_or(Err(AtlasError::Interrupted))
    });
    let pages: Vec<method::MethodPage> = pages.collect::<Result<_, _>>()?;

    let multirates = multirates.par_iter().with_max_len(1).map(|method| {
        let facts = counter.run(|| MultirateFacts::new(method, &()).map_err(AtlasError::of(method.id())));
        facts.unwrap_or(Err(AtlasError::Interrupted))
    });
    let multirates: Vec<MultirateFacts> = multirates.collect::<Result<_, _>>()?;

    let mut files = BTreeMap::new();
    for facts in &multirates {
        let id = facts.method.id();
        files.insert(format!("multirate/{id}.html"), multirate::page(facts, parts));
        files.insert(format!("multirate/{id}.json"), facts.method.to_json().into_bytes());
    }
    if !multirates.is_empty() {
        files.insert("multirate/index.html".to_owned(), multirate::index(&multirates, parts));
    }
    for ((entry, facts), page) in entries.iter().zip(&known).zip(pages) {
        let id = facts.id();
        files.insert(format!("methods/{id}.html"), page.html);
        files.insert(format!("methods/{id}.json"), entry.method.to_json().into_bytes());
        if let Some(certificate) = &entry.certificate {
            files.insert(
                format!("methods/{id}.certificate.json"),
                format!("{:#}\n", certificate.to_json()).into_bytes(),
            );
        }
        files.extend(page.pictures.into_iter().map(|picture| (picture.path, picture.svg.into_bytes())));
    }
    let compared: Vec<_> = groups.par_iter().map(|group| group.page(parts)).collect::<Result<_, _>>()?;
    for (group, (html, pictures)) in groups.iter().zip(compared) {
        files.insert(format!("comparisons/{}.html", group.slug()), html);
        files.extend(pictures.into_iter().map(|picture| (picture.path, picture.svg.into_bytes())));
    }
    files.insert("comparisons/index.html".to_owned(), comparison::index(&groups, parts));
    files.insert("methods/index.html".to_owned(), index::index(&known, multirates.len(), parts));
    files.insert("index.html".to_owned(), front::front(&known, &groups, parts));
    for (name, text) in ASSETS {
        files.insert(name.to_owned(), text.as_bytes().to_vec());
    }
    let site = Site { files, parts };
    site.check_links()?;
    Ok(site)
}

/// The style sheet, the script and the icon.
const ASSETS: [(&str, &str); 3] = [
    ("style.css", include_str!("assets/style.css")),
    ("atlas.js", include_str!("assets/atlas.js")),
    ("icon.svg", include_str!("assets/icon.svg")),
];
